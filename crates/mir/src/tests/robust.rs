//! Damaged programs: every stage says something or nothing, and goes on.

use neuro_db::RootDatabase;

use super::functions;
use crate::{body, diagnostics, print};

const PROGRAM: &str = "const RATE: f32 = 0.25
@grad(wrt: [w])
func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>, k: f32) -> Tensor<f32, []> {
    val d = w * x - 1.0
    val e = &d * &d
    return Tensor::scalar(e.mean() * k)
}
func train(w: &mut Tensor<f32, [2]>, n: i32) -> f32 {
    mut last = 0.0f32
    mut x: Tensor<f32, [2]> = [1.0, 2.0]
    outer: for i in (0..n).rev().step(2) {
        if i > 5 && last < 1.0 || i == 1 { continue outer }
        pool p {
            val l = loss(w, &x, k: 1.0)
            x[0] += 1.0
            l.backward()
            w -= RATE * w.grad()
            w.zero_grad()
            last = l.item()
        }
        while last > 2.0 { last *= 0.5 }
        println(\"{i:>3} {last:.4} {w[0]}\")
    }
    assert(last >= 0.0)
    last
}
";

fn survive(text: &str) {
    let mut db = RootDatabase::default();
    let file = db.set_text("main.nr", text);
    for function in functions(&db, file) {
        let graph = body(&db, function);
        assert!(!print(&db, graph).is_empty());
        let _ = diagnostics(&db, function);
    }
}

#[test]
fn every_prefix_is_survived() {
    for end in (0..PROGRAM.len()).filter(|end| PROGRAM.is_char_boundary(*end)) {
        survive(&PROGRAM[..end]);
    }
}

#[test]
fn missing_and_doubled_words_are_survived() {
    let words: Vec<&str> = PROGRAM.split_inclusive(' ').collect();
    for index in 0..words.len() {
        let mut without = words.clone();
        without.remove(index);
        survive(&without.concat());
        let mut doubled = words.clone();
        doubled.insert(index, words[(index * 7) % words.len()]);
        survive(&doubled.concat());
    }
}

#[test]
fn the_whole_program_is_accepted() {
    assert_eq!(super::findings(PROGRAM), "");
}

#[test]
fn a_chain_of_thousands_of_operands() {
    let sum = vec!["x"; 3_000].join(" + ");
    let text = format!("func f(x: f32) -> f32 {{\n    {sum}\n}}\n");
    assert_eq!(super::findings(&text), "");
}

/// The mistake is in the constant, so nothing is said of the function that uses it.
#[test]
fn a_text_constant_without_a_value_is_survived() {
    survive(
        "const NAME: string = missing
func show(a: &string) { println(a) }
func f() -> u64 {
    show(NAME)
    println(NAME)
    println(\"{NAME} and {NAME:>5}\")
    val whole = NAME + \"!\"
    NAME.len() + whole.len()
}
",
    );
}

/// A value of the last type has more parts than can be counted; each type is asked once what its values own.
#[test]
fn types_that_double_are_survived() {
    for (first, kind, open, close) in [
        ("struct A0 { a: bool }", "struct", "a: ", "b: "),
        ("enum A0 { A(bool), B(i32) }", "enum", "A(", "B("),
    ] {
        let end = if kind == "enum" { ")" } else { "" };
        let types: String = (0..60)
            .map(|i| format!("{kind} A{} {{ {open}A{i}{end}, {close}A{i}{end} }}\n", i + 1))
            .collect();
        survive(&format!(
            "{first}\n{types}func f(x: A60) -> bool {{\n    val y = x\n    true\n}}\n"
        ));
    }
}
