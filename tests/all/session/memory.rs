//! Whatever owns a tensor releases it: a program that makes many in every way stays within a small limit.

use std::fmt::Write;

use serde_json::json;

use super::client::Session;

const URI: &str = "file:///somewhere/memory.nr";

const FUNCTIONS: &str = "\
const N: i32 = 2000

@grad
func square(w: &mut Tensor<f64, [N]>) -> Tensor<f64, []> { Tensor::scalar((w * w).sum()) }

@grad
func curve(w: &mut Tensor<f64, [N]>) -> Tensor<f64, []> {
    val e = w.exp() * w
    val f = (&e * &e).sqrt() + w.tanh()
    if f[0] > 1.0 { Tensor::scalar(f.sum()) } else { Tensor::scalar(e.sum()) }
}

func make(x: f64) -> Tensor<f64, [N]> { Tensor::<f64, [N]>::ones() * x }
func eat(t: Tensor<f64, [N]>) -> f64 { t[0] }
func same(t: Tensor<f64, [N]>) -> Tensor<f64, [N]> { t }

func early(t: Tensor<f64, [N]>, i: i32) -> f64 {
    val u = &t + 1.0
    if i % 2 == 0 { return u[0] }
    val v = u * 2.0
    v[0]
}

func pick(a: Tensor<f64, [N]>, b: Tensor<f64, [N]>, i: i32) -> Tensor<f64, [N]> {
    if i % 2 == 0 { a } else { b }
}

func set(t: &mut Tensor<f64, [N]>, x: f64) { *t = make(x) }

func unused(a: Tensor<f64, [N]>, b: Tensor<f64, [N]>) -> f64 {
    print(\"\")
    1.0
}
";

/// Bodies of a loop over `i`, each with tensors of 16 kB, that add to `s`.
const BODIES: &[&str] = &[
    // Shadowed, assigned over, stored through a reference.
    "val t = make(1.0)\nval t = &t + 1.0\nval t = t * 2.0\ns += t[0]",
    "mut t = make(1.0)\nt = make(2.0)\nt = &t + &t\nt = t * 3.0\ns += t[0]",
    "mut t = make(1.0)\nset(&mut t, 2.0)\ns += t[0]",
    "mut t = make(1.0)\nt[3] = make(5.0)[2]\nt += make(1.0)\nt *= 2.0\ns += t[3]",
    // Passed on, given back, used by nobody.
    "s += eat(make(2.0))\nval t = make(1.0)\ns += eat(t)",
    "val t = same(make(2.0))\nval u = same(same(t))\ns += u[0]",
    "s += early(make(1.0), i)",
    "val t = pick(make(1.0), make(2.0), i)\ns += t[0]",
    "s += unused(make(1.0), make(2.0))\nmake(3.0)\nval _q = make(4.0)",
    // Left by every way out.
    "val t = make(1.0)\nif i % 3 == 0 { continue }\nval u = t.clone()\nif i % 3 == 1 {\ns += u[0]\ncontinue\n}\ns += t[1]",
    "for j in 0..3 {\nval t = make(1.0)\nif j == 1 { break }\ns += t[0]\n}",
    "{\nval t = make(1.0)\ns += t[0]\n}\nloop {\nval t = make(2.0)\ns += t[0]\nbreak\n}",
    // Moved on one path only; values of branches and blocks.
    "val t = make(1.0)\nif i % 2 == 0 { s += eat(t) }",
    "val t = if i % 2 == 0 { make(1.0) } else { make(2.0) * 2.0 }\nval u = {\nval z = make(9.0)\nz + 1.0\n}\ns += t[0] + u[0]",
    // Temporaries.
    "s += (make(1.0) + make(2.0)).sum() + make(3.0).mean() + make(1.0)[5]\nif make(2.0)[0] > 1.0 && make(3.0)[1] > 1.0 { s += 1.0 }",
    "mut k = 0\nwhile make(1.0)[0] > 0.5 && k < 2 { k += 1 }\ns += 1.0",
    "val m: Tensor<f64, [40, 50]> = Tensor::ones()\nval n = m.clone().t()\nval p = &m @ &n\nval q = p @ m\ns += q[0, 0] + n[0, 0]",
    "val t = make(1.0).detach()\nval u = t.detach()\ns += u[0]",
    // Gradients: replaced, emptied, cloned, never asked for; pools.
    "mut w = make(0.5)\nfor j in 0..3 {\nval l = square(&mut w)\nl.backward()\nw -= 0.1 * w.grad()\n}\ns += w[0]",
    "mut w = make(0.5)\nval l = square(&mut w)\nl.backward()\nw.zero_grad()\nval m = curve(&mut w)\nm.backward()\ns += w.grad()[0] + m.item()",
    "mut w = make(0.5)\nval l = curve(&mut w)\ns += l.item() + square(&mut w).item()",
    "mut w = make(0.5)\nval l = square(&mut w)\nl.backward()\nval g = w.grad().clone()\nval h = w.clone()\ns += g[0] + h[0]",
    "pool {\nval t = make(1.0)\nval u = &t + &t\ns += u[0]\npool {\nval v = u * 2.0\ns += v[0]\n}\n}",
    "mut w = make(0.5)\npool {\nval l = curve(&mut w)\nl.backward()\nw -= 0.1 * w.grad()\ns += l.item()\n}",
];

#[test]
fn what_owns_a_tensor_releases_it() {
    let mut text = FUNCTIONS.to_owned();
    for (index, body) in BODIES.iter().enumerate() {
        let _ = writeln!(
            text,
            "\nfunc body{index}() -> f64 {{\nmut s = 0.0\nfor i in 0..6000 {{\n{body}\n}}\ns\n}}"
        );
    }
    text += "\nfunc main() -> i32 {\n";
    for index in 0..BODIES.len() {
        let _ = writeln!(text, "println(\"{index} {{body{index}()}}\")");
    }
    text += "0\n}\n";
    // One tensor lost in each of the rounds would be 96 MB.
    let options = json!({ "worker": { "memoryMiB": 48 }, "showsRuns": true });
    let mut session = Session::with(json!({ "initializationOptions": options }));
    let version = session.open(URI, &text);
    let diagnostics = session.diagnostics(URI, version);
    assert!(diagnostics.iter().all(|found| found["severity"] != 1), "{diagnostics:#?}");
    let run = session.run("neuro.run", json!({ "uri": URI }));
    let finished = session.finished(run);
    let printed = session.output(run, "stdout");
    assert_eq!(finished["status"], 0, "after {printed}: {finished}");
    assert_eq!(printed.lines().count(), BODIES.len());
}
