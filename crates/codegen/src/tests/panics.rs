//! How programs end that must not go on.

use super::harness::{CHECKED, WRAPPING, main_of, run_forked};

/// The text on both streams of a program that aborts at the statements' last line.
#[track_caller]
fn aborts(statements: &str, message: &str) {
    let (printed, signal) = run_forked(&main_of(statements), CHECKED);
    assert_eq!((printed.as_str(), signal), (message, libc::SIGABRT));
}

#[test]
fn integer_arithmetic() {
    aborts(
        "    mut x: i32 = 2147483647\n    x = x + 1",
        "panic: integer overflow at test.nr:3:9\n",
    );
    aborts("mut x: u8 = 3\nx -= 4", "panic: integer overflow at test.nr:3:1\n");
    aborts("mut x: i64 = 3037000500\nx = x * x", "panic: integer overflow at test.nr:3:5\n");
    aborts("mut x: i8 = -128\nx = -x", "panic: integer overflow at test.nr:3:5\n");
    aborts("mut n: i32 = 40\nval x = 1i32 << n", "panic: shift overflow at test.nr:3:9\n");
    let text = main_of("mut zero = 0\nprintln(\"before\")\nval x = 7 / zero");
    for options in [CHECKED, WRAPPING] {
        let (printed, signal) = run_forked(&text, options);
        assert_eq!(printed, "before\npanic: division by zero at test.nr:4:9\n");
        assert_eq!(signal, libc::SIGABRT);
    }
    aborts("mut zero = 0u16\nval x = 7 % zero", "panic: remainder by zero at test.nr:3:9\n");
}

#[test]
fn tensors_and_slots() {
    let declare = "mut t: Tensor<i32, [2]> = [1, 2147483647]\nmut i = 2\n";
    let index = "panic: tensor index out of bounds at test.nr:4:9\n";
    aborts(&format!("{declare}val x = t[i]"), index);
    aborts(&format!("{declare}i = -1\nt[i] = 3"), &index.replace("4:9", "5:1"));
    aborts(&format!("{declare}t += 1"), "panic: integer overflow at test.nr:4:1\n");
    let slot = "mut w = Tensor::<f32, [2]>::ones()\nval x = w.grad()[0]";
    aborts(slot, "panic: empty gradient slot at test.nr:3:9\n");
}

#[test]
fn the_forms_of_the_program_itself() {
    aborts("val n = 3\npanic(\"no {n:03} 'ü'\")", "panic: no 003 'ü' at test.nr:3:1\n");
    aborts("val n = 3\nassert(n == 4)", "assertion failed at test.nr:3:1\n");
    let unreachable = "internal error: entered unreachable code at test.nr:2:1\n";
    aborts("unreachable()", unreachable);
    let step = "mut s = 0\nfor i in (0..3).step(s) { println(\"{i}\") }";
    let (printed, _) = run_forked(&main_of(step), CHECKED);
    assert!(printed.starts_with("panic: range step must be positive at test.nr:3:"), "{printed}");
}

#[test]
fn endless_recursion() {
    let text = r#"
func deeper(n: i64) -> i64 {
    val below = deeper(n + 1)
    below + 1
}

func main() -> i32 {
    println("start")
    println("{deeper(0)}")
    0
}
"#;
    let (printed, signal) = run_forked(text, WRAPPING);
    assert_eq!((printed.as_str(), signal), ("start\npanic: stack overflow\n", libc::SIGABRT));
}
