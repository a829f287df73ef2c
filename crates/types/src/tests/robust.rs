//! Texts that are cut or broken: inference always ends, and gives every expression a type.

use neuro_db::RootDatabase;
use neuro_hir::file_items;

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
    for cut in (0..PROGRAM.len()).step_by(11) {
        infer_all(&PROGRAM[..cut]);
        infer_all(&PROGRAM[cut..]);
        let (head, tail) = PROGRAM.split_at(cut);
        infer_all(&format!("{head}{}", tail.get(9..).unwrap_or_default()));
    }
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
