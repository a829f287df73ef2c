//! Programs with structs, tuples and arrays: what they print, and that nothing of them is left.

use expect_test::expect;

use super::harness::{CHECKED, database, function, run};
use crate::Compiler;

#[test]
fn what_is_moved_out_of_aggregates_is_released_once() {
    let printed = run(include_str!("../../../../tests/run/layers.nr"));
    expect![[r#"
        2.0
        6.0 12.0 3.0 3.5
        a c
        e 10.0
        10.0 2.0
        1.0
        -1.0 9.0
        h 2.0
        c b 0.5
        10.0 5.0 2.5
    "#]]
    .assert_eq(&printed);
}

#[test]
fn aggregates_pass_through_calls_and_branches() {
    let printed = run(include_str!("../../../../tests/run/structs.nr"));
    expect![[r#"
        9 s
        15 5 75
        60 5
        o 6
        r 15
        15 21.5 true
        3 2 3 2 2
        3 3.0
        2 1
        4
    "#]]
    .assert_eq(&printed);
}

#[test]
fn of_an_enum_only_what_is_held_is_released() {
    let printed = run(include_str!("../../../../tests/run/enums.nr"));
    expect![[r#"
        27.0,3.0,0.0, areas
        !?????FFFCCBBA!?
        1230
        -5
        6.0 6.0 0.0 6.0 6.0 0.0 6.0
        2.0 3.0 0.0
        2.0
        111
    "#]]
    .assert_eq(&printed);
}

#[test]
fn what_failed_and_what_did_not_is_released_once() {
    let printed = run(include_str!("../../../../tests/run/failures.nr"));
    expect![[r#"
        3.0 -1.0
        5.0 -1.0
        ok 7.0
        negative -3
        unstable 20.0
        unstable 30.0
        4.0 -4.0 40.5
        221
        s 9.0
        m 5.0
        2.0
    "#]]
    .assert_eq(&printed);
}

#[test]
fn generic_code_releases_what_it_is_applied_to() {
    let printed = run(include_str!("../../../../tests/run/generics.nr"));
    expect![[r#"
        x 3 3
        1.5 true
        1.5 3.0
        2
        3.0
        0 -1
        cdab
        2.5 7
        2.0
        3 r
        9
        4.0 9.0
    "#]]
    .assert_eq(&printed);
}

#[test]
fn a_pool_builds_aggregates_and_lets_values_out_by_statement() {
    let printed = run(r#"
struct Pair { left: Tensor<f64, [2]>, right: Tensor<f64, [2]> }

func make(k: f64) -> Pair { Pair { left: [k, k], right: [2.0 * k, 0.0] } }
func same(pair: Pair) -> Pair { pair }

func main() -> i32 {
    mut kept = make(1.0)
    mut all = [[1.0, 2.0], [3.0, 4.0]]
    for i in 0..3 {
        pool {
            val inside = make(i as f64)
            val again = Pair { left: &inside.left + 1.0, ..inside }
            kept = Pair { left: [again.left[0], 7.0], right: same(make(5.0)).right }
            kept.left = again.left.clone()
            all[i % 2][1] += again.right[0]
        }
    }
    println("{kept.left[0]} {kept.right[0]} {all[0][1]} {all[1][1]}")
    0
}
"#);
    expect![[r#"
        3.0 10.0 6.0 6.0
    "#]]
    .assert_eq(&printed);
}

#[test]
fn large_values_are_copied_and_cleared_whole() {
    let printed = run(r#"
@derive(Copy)
struct Wide { bytes: [u8; 100], tail: i16 }

struct Owners { all: [Tensor<f32, [1]>; 12], flag: bool }

func filled(wide: Wide, at: i32, value: u8) -> Wide {
    mut copy = wide
    copy.bytes[at] = value
    copy
}

func owners() -> Owners {
    val t: Tensor<f32, [1]> = [1.5]
    Owners { all: [t.clone(), t.clone(), t.clone(), t.clone(), t.clone(), t.clone(), t.clone(), t.clone(), t.clone(), t.clone(), t.clone(), t], flag: true }
}

func main() -> i32 {
    val a = owners()
    mut b = owners()
    val i = 3
    val taken = b.all[i]
    b = a
    mut sum = 0.0f32
    for i in 0..12 {
        sum += b.all[i][0]
    }
    val bytes = [0u8, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    val wide = make(bytes)
    val changed = filled(filled(wide, 99, 9), 0, 1)
    println("{sum} {taken[0]} {b.flag} {changed.bytes[99]} {changed.bytes[0]} {wide.bytes[99]} {changed.tail}")
    0
}

func make(bytes: [u8; 10]) -> Wide {
    mut row = [bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes]
    mut wide = start()
    for i in 0..100 {
        wide.bytes[i] = row[i / 10][i % 10]
    }
    wide
}

func start() -> Wide { Wide { bytes: zeros(), tail: -7 } }
func zeros() -> [u8; 100] { [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
] }
"#);
    expect![[r#"
        18.0 1.5 true 9 1 9 -7
    "#]]
    .assert_eq(&printed);
}

/// Growth that only the implementations of a trait show is not seen where the functions are checked.
#[test]
fn types_that_grow_without_end_are_refused() {
    let text = "struct Around<T> { item: T }
trait Grow { func grow(self, n: i32) -> i32 }
impl Grow for i32 { func grow(self, n: i32) -> i32 { deep(Around { item: self }, n) } }
impl<T> Grow for Around<T> {
    func grow(self, n: i32) -> i32 { deep(Around { item: self }, n) }
}
func deep<T: Grow>(item: T, n: i32) -> i32 { if n == 0 { 0 } else { item.grow(n - 1) } }
func main() -> i32 { deep(1, 3) }
";
    let (db, file) = database(text);
    let mut compiler = Compiler::new().expect("a compiler");
    let refused = compiler.compile_program(&db, function(&db, file, "main"), CHECKED);
    let message = refused.err().map(|error| error.to_string()).unwrap_or_default();
    expect!["cannot compile `grow`: it calls `deep` with types that are nested too deep"]
        .assert_eq(&message);
}
