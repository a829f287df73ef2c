//! Texts that are cut or broken: inference always ends, and gives every expression a type.

use neuro_db::RootDatabase;
use neuro_hir::file_items;

use super::language::PROGRAMS;
use super::{accept, all_diagnostics};
use crate::infer;

/// Uses every construct that there is.
const PROGRAM: &str = r#"
const RATE: f32 = 0.25
const ROWS: u64 = 1 + 2

@grad(wrt: [slope])
func misfit(slope: &mut Tensor<f32, [2, 1]>, points: &Tensor<f32, [ROWS, 2]>, by weight: f32) -> Tensor<f32, []> {
    val values = points @ slope
    val gaps = values - [[1.0], [2.0], [3.0]].mean()
    if weight > 1.0 { return Tensor::scalar(gaps.pow(2.0).mean() * weight) }
    Tensor::scalar((&gaps * &gaps).mean() + slope[0, 0].abs())
}

@no_grad
func report(step: i32, loss: f32, _ best: &mut f32) {
    *best = if loss < *best { loss } else { *best }
    println("{step:>4}: {loss:.3} {best:e} {'c'} {true}")
}

func main() -> i32 {
    mut slope: Tensor<f32, [2, 1]> = Tensor::zeros()
    val points: Tensor<f32, [ROWS, 2]> = [[1.0, -1.0], [0.5, 2.0], [3.0, 0.0]]
    mut best = 1e9f32
    outer: for step in (0..=100).rev().step(5) {
        pool round {
            val loss = misfit(&mut slope, &points, by: 2.0)
            loss.backward()
            slope -= RATE * slope.grad()
            slope.zero_grad()
            report(step, loss.item(), &mut best)
        }
        mut n = step as u8 << 1
        while n > 0 && !(n == 3) {
            n -= 1
            if n % 2 == 0 { continue } else if n == 200 { break outer }
        }
        loop { break }
    }
    slope[1, 0] = -slope[0, 0] * 0.5
    val turned = slope.clone().t() @ Tensor::<f32, [2, 2]>::identity()
    assert(turned[0, 1] < 1.0)
    if best > 1.0 { panic("{best} is too much") }
    0
}
"#;

#[test]
fn the_program_is_accepted() {
    accept(&PROGRAM.replace("[[1.0], [2.0], [3.0]].mean()", "1.0"));
}

#[test]
fn any_cut_is_inferred() {
    cut_anywhere(PROGRAM, 11);
}

#[test]
fn any_cut_of_the_whole_language_is_inferred() {
    for (_, program) in PROGRAMS.iter().chain(super::traits::PROGRAMS) {
        cut_anywhere(program, 71);
    }
}

/// Infers a program without its end, without its start, and without a part in its middle.
fn cut_anywhere(program: &str, stride: usize) {
    for cut in (0..program.len()).step_by(stride) {
        infer_all(&program[..cut]);
        infer_all(&program[cut..]);
        let (head, tail) = program.split_at(cut);
        infer_all(&format!("{head}{}", tail.get(9..).unwrap_or_default()));
    }
}

/// Each name and each number takes the place of each other one in its neighbourhood: mistakes that still
/// parse.
#[test]
fn swapped_words_are_inferred() {
    for (_, program) in PROGRAMS {
        let words: Vec<(usize, &str)> = words(program);
        for pair in words.windows(8).step_by(13) {
            let [(first, a), .., (last, b)] = pair else { continue };
            let mut swapped = (*program).to_owned();
            swapped.replace_range(*last..last + b.len(), a);
            swapped.replace_range(*first..first + a.len(), b);
            infer_all(&swapped);
        }
    }
}

/// The words of a text and where they begin.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        let inside = c.is_alphanumeric() || c == '_';
        match (start, inside) {
            (None, true) => start = Some(at),
            (Some(begin), false) => {
                words.push((begin, &text[begin..at]));
                start = None;
            }
            (None, false) | (Some(_), true) => {}
        }
    }
    words
}

fn infer_all(text: &str) {
    let mut db = RootDatabase::default();
    let file = db.set_text("cut.nr", text);
    all_diagnostics(&db, file);
    for function in file_items(&db, file).functions() {
        let body = neuro_hir::body(&db, function);
        let inference = infer(&db, function);
        assert!(body.exprs.iter().all(|(expr, _)| inference.exprs.get(expr).is_some()), "{text}");
        assert!(
            body.locals.iter().all(|(local, _)| inference.locals.get(local).is_some()),
            "{text}"
        );
    }
}

/// Items that need each other while their types are found out.
#[test]
fn items_in_circles_are_inferred() {
    infer_all(
        r#"
const N: u64 = f()[0] + E::A(1) + S { a: 1 }.a as u64
const M: u64 = N + K
const K: u64 = M as S
func f() -> [u64; N] { panic("") }
enum E { A([i32; M]), B(S) }
struct S { a: [E; N], b: T }
newtype T = [S; K]
type A = B
type B = [A; N]
impl S { func m(&self) -> [A; M] { self.b } }
func g<const P: u32>(x: [i32; P]) -> [i32; N] where P > N, f()[0] > 1 { g(x) }
trait Q { type I
    func q(&self) -> [Self::I; N] }
impl Q for T { type I = Self::I
    func q(&self) -> [Self::I; N] { self.q() } }
func h<U: Q<I = [i32; N]>>(u: U) -> impl Q { h(u) }
"#,
    );
}
