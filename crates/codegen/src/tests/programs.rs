//! What programs print.

use expect_test::expect;

use super::harness::{CHECKED, WRAPPING, main_of, run, run_with};

#[test]
fn integers_of_every_width() {
    let text = main_of(
        r#"
    val a: i8 = -100
    val b: u8 = 200
    val c: i16 = -30000
    val d: u16 = 60000
    val e: i64 = -9000000000
    val f: u64 = 18000000000000000000
    println("{a / 7} {a % 7} {b / 7} {b % 7} {c / 11} {c % 11} {d / 11} {d % 11}")
    println("{e / 13} {e % 13} {f / 13} {f % 13}")
    println("{a < 0} {b < 100} {f > 1} {a != a} {~a} {~b} {a & 15} {b | 1} {b ^ 255} {1i32 << 5}")
    println("{-a} {!(a < 0)} {b as i8} {a as u16} {a as f32} {f as f64} {e as f32 as i64}")
"#,
    );
    expect![[r#"
        -14 -2 28 4 -2727 -3 5454 6
        -692307692 -4 1384615384615384615 5
        true false true false 99 55 12 201 55 32
        100 false -56 65436 -100.0 1.8e+19 -8999999488
    "#]]
    .assert_eq(&run(&text));
}

#[test]
fn wrapping_where_checks_are_off() {
    let text = main_of(
        r#"
    mut small: i8 = 127
    small += 1
    mut wide: i64 = 9223372036854775807
    wide = wide * 2
    mut least: i32 = -2147483648
    val minus: i32 = -1
    mut unsigned: u16 = 0
    unsigned -= 1
    println("{small} {wide} {-least} {least / minus} {least % minus} {unsigned}")
"#,
    );
    assert_eq!(run_with(&text, WRAPPING).0, "-128 -2 -2147483648 -2147483648 0 65535\n");
}

#[test]
fn floats_and_casts() {
    let text = main_of(
        r#"
    val x: f64 = 2.5
    val zero: f64 = 0.0
    val nan = zero / zero
    println("{x % 2.0} {-x % 2.0} {x.pow(2.0)} {x.sqrt()} {(-x).abs()} {zero.exp()}")
    println("{nan == nan} {nan != nan} {nan < 1.0} {nan as i32} {1e300 as i32} {-1e300 as u8}")
    println("{-3.99f32 as i8} {300.5 as u8} {0.1f32 as f64} {x:.3} {x:e} {7:04} {true} {'q'}")
"#,
    );
    expect![[r#"
        0.5 -0.5 6.25 1.58113883008419 2.5 1.0
        false false false 0 2147483647 0
        -3 255 0.1000000014901161 2.500 2.5e0 0007 true q
    "#]]
    .assert_eq(&run(&text));
}

#[test]
fn loops_branches_and_calls() {
    let text = r#"
const LIMIT: i32 = 30

func collatz(start: i32) -> i32 {
    mut n = start
    mut steps = 0
    while n != 1 {
        if n % 2 == 0 {
            n /= 2
        } else {
            n = 3 * n + 1
        }
        steps += 1
    }
    return steps
}

func factorial(n: u64) -> u64 {
    if n == 0 { 1 } else { n * factorial(n - 1) }
}

func bump(counter: &mut i32, by: &i32) {
    *counter += *by
}

func main() -> i32 {
    mut longest = 0
    for n in 1..LIMIT {
        val steps = collatz(n)
        if steps > longest && n != 27 { longest = steps }
    }
    mut pairs = 0
    outer: for i in (0..=10).rev() {
        for j in (0..10).step(3) {
            if j > i { continue outer }
            if i * j == 54 { break outer }
            pairs += 1
        }
    }
    mut counter = 1
    val step = 4
    loop {
        bump(&mut counter, &step)
        if counter > 40 || counter == LIMIT { break }
    }
    for last in 253u8..=255u8 { print("{last} ") }
    println("{longest} {pairs} {counter} {factorial(20)}")
    counter % 7
}
"#;
    let (printed, status) = run_with(text, CHECKED);
    assert_eq!(printed, "253 254 255 23 6 41 2432902008176640000\n");
    assert_eq!(status, 41 % 7);
}

#[test]
fn tensors() {
    let text = r#"
func row_sums(m: &Tensor<f64, [2, 3]>) -> Tensor<f64, [2, 1]> {
    m @ Tensor::<f64, [3, 1]>::ones()
}

func twice(t: Tensor<i32, [4]>) -> Tensor<i32, [4]> {
    t * 2
}

func main() -> i32 {
    mut m: Tensor<f64, [2, 3]> = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    val column: Tensor<f64, [2, 1]> = [[10.0], [20.0]]
    val wide = &m + &column
    println("{wide[0, 0]} {wide[1, 2]} {wide.sum()} {wide.mean()}")
    val sums = row_sums(&m)
    println("{sums[0, 0]} {sums[1, 0]}")
    m[1, 1] = 50.0
    m -= 1.0
    m *= &column
    for i in 0..2 {
        for j in 0..3 { print("{m[i, j]} ") }
    }
    println("")
    val t = m.t()
    println("{t[2, 1]} {t[0, 0]}")
    val eye = Tensor::<f64, [2, 2]>::identity()
    val counts_eye = Tensor::<i16, [3, 3]>::identity()
    print("{counts_eye.sum()} {counts_eye[2, 2]} {counts_eye[2, 1]} ")
    val product = t @ eye
    println("{product[2, 1]}")
    val n = 3
    val counts: Tensor<i32, [4]> = [1, n, n * n, 27]
    val doubled = twice(counts.clone())
    println("{doubled[3]} {counts.sum()} {doubled.sum()}")
    val s = Tensor::scalar(2.5f32)
    println("{s.item()} {(&s * &s).item()}")
    val roots = Tensor::<f32, [2, 2]>::ones() * 2.0
    println("{roots.sqrt()[1, 1]} {roots.pow(3.0).sum()}")
    0
}
"#;
    expect![[r#"
        11.0 26.0 111.0 18.5
        6.0 15.0
        0.0 10.0 20.0 60.0 980.0 100.0 
        100.0 0.0
        3 1 0 100.0
        54 40 80
        2.5 6.25
        1.414213538169861 32.0
    "#]]
    .assert_eq(&run(text));
}

#[test]
fn a_line_is_fitted() {
    let text = r#"
const RATE: f32 = 0.1

@grad(wrt: [w, b])
func misfit(w: &mut Tensor<f32, [2, 1]>, b: &mut Tensor<f32, [1]>, x: &Tensor<f32, [3, 2]>, y: &Tensor<f32, [3, 1]>) -> Tensor<f32, []> {
    val guess = x @ w + b
    val off = guess - y
    Tensor::scalar((&off * &off).mean())
}

func main() -> i32 {
    mut w = Tensor::<f32, [2, 1]>::zeros()
    mut b = Tensor::<f32, [1]>::zeros()
    val x: Tensor<f32, [3, 2]> = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    val y: Tensor<f32, [3, 1]> = [[3.0], [-1.0], [1.0]]
    mut first = 0.0f32
    mut last = 0.0f32
    for step in 0..1000 {
        val loss = misfit(&mut w, &mut b, &x, &y)
        loss.backward()
        w -= RATE * w.grad()
        b -= RATE * b.grad()
        w.zero_grad()
        b.zero_grad()
        if step == 0 { first = loss.item() }
        last = loss.item()
    }
    println("{first:.4} {last:.4} {w[0, 0]:.2} {w[1, 0]:.2} {b[0]:.2}")
    0
}
"#;
    // The data lie on 2x - 2y + 1.
    let printed = run(text);
    assert_eq!(printed, "3.6667 0.0000 2.00 -2.00 1.00\n");
}

#[test]
fn constants_may_change_between_call_and_backward() {
    let text = r#"
@grad(wrt: [w])
func weighted(w: &mut Tensor<f64, [2]>, c: &Tensor<f64, [2]>, k: f64) -> Tensor<f64, []> {
    Tensor::scalar((w * c * k).sum())
}

func main() -> i32 {
    mut w: Tensor<f64, [2]> = [1.0, 2.0]
    mut c: Tensor<f64, [2]> = [3.0, 4.0]
    mut k = 10.0
    val loss = weighted(&mut w, &c, k)
    c *= 100.0
    k = 0.0
    loss.backward()
    println("{loss.item()} {w.grad()[0]} {w.grad()[1]} {c[0]} {k}")
    if k == 0.0 {
        val other = weighted(&mut w, &c, 2.0)
        println("{other.item()}")
    }
    0
}
"#;
    assert_eq!(run(text), "110.0 30.0 40.0 300.0 0.0\n2200.0\n");
}

#[test]
fn pools_release_what_they_made() {
    let text = r#"
func same(t: Tensor<f64, [3]>) -> Tensor<f64, [3]> { t }

@grad
func square(w: &mut Tensor<f64, [3]>) -> Tensor<f64, []> {
    Tensor::scalar((w * w).sum())
}

func main() -> i32 {
    mut w: Tensor<f64, [3]> = [1.0, 2.0, 3.0]
    mut total = 0.0
    for step in 0..3 {
        pool training {
            val scaled = same(&w * 2.0)
            pool {
                val inner = &scaled + &w
                total += inner.sum()
            }
            val loss = square(&mut w)
            loss.backward()
            total += scaled.sum() + loss.item()
        }
        w -= 0.25 * w.grad()
    }
    println("{total} {w[2]}")
    0
}
"#;
    assert_eq!(run(text), "70.875 0.375\n");
}

#[test]
fn every_path_releases_what_it_owns() {
    let text = r#"
func pick(a: Tensor<f32, [2]>, b: Tensor<f32, [2]>, first: bool) -> Tensor<f32, [2]> {
    if first { a } else { b }
}

func early(n: i32) -> Tensor<f32, [2]> {
    val kept: Tensor<f32, [2]> = [1.0, 2.0]
    for i in 0..10 {
        val step = &kept * 2.0
        if i == n { return step }
        if i > 5 { break }
    }
    print("fell through ")
    kept
}

func replace(t: &mut Tensor<f32, [2]>, by: Tensor<f32, [2]>) {
    *t = by
}

func scale(t: &mut Tensor<f32, [2]>, by: f32) {
    *t *= by
    t[0] += 1.0
}

func first(t: &Tensor<f32, [2]>) -> f32 { t[0] }

func main() -> i32 {
    mut t: Tensor<f32, [2]> = [0.5, 0.25]
    for i in 0..4 {
        t = pick(t, early(3), i % 2 == 0)
    }
    t = &t + early(9)
    replace(&mut t, early(2) * 3.0)
    scale(&mut t, 10.0)
    val moved = t
    val u = if first(&moved) > 60.0 { moved } else { moved.clone() * 0.0 }
    val nested = (u.clone() + u.clone() * 2.0).exp().log().sum()
    early(1)
    outer: while true {
        val guard = u.clone()
        loop {
            val inner = guard.clone()
            if inner[0] > 0.0 { break outer }
        }
    }
    println("{u[0]} {u[1]} {nested:.1}")
    0
}
"#;
    assert_eq!(run(text), "fell through 61.0 120.0 inf\n");
}

#[test]
fn long_output_crosses_pages() {
    let text = main_of("for i in 0..2000 { print(\"{i} \") }\nprintln(\"\")");
    let expected: String = (0..2000).map(|i| format!("{i} ")).collect();
    assert_eq!(run(&text), expected + "\n");
}
