//! `base[..]`: elements of tensors, arrays, slices and vectors.

use neuro_db::codes;
use neuro_hir::{Expr, ExprId, IndexArg};

use super::{Context, Pending};
use crate::{Collection, Finding, Place, Ty};

impl Context<'_> {
    pub(super) fn infer_index(&mut self, expr: ExprId, base: ExprId, args: &[IndexArg]) -> Ty {
        let found = self.infer(base, None);
        if let Some(absorbed) = self.absorbed(&found) {
            self.infer_positions(args);
            return absorbed;
        }
        let found = self.settled(base, &found);
        match found.peeled().clone() {
            Ty::Error => {
                self.infer_positions(args);
                Ty::Error
            }
            Ty::Tensor(tensor) => self.index_tensor(expr, &tensor, args),
            Ty::Sparse(sparse) => self.index_sparse(expr, &sparse, args),
            Ty::Array { elem, len } => {
                let Some(position) = self.one_position(expr, &found, args) else {
                    return Ty::Error;
                };
                self.pending.push(Pending::Position {
                    tensor: found.peeled().clone(),
                    axis: 0,
                    extent: len,
                    position,
                });
                (*elem).clone()
            }
            Ty::Slice(elem) => match self.one_position(expr, &found, args) {
                Some(_) => (*elem).clone(),
                None => Ty::Error,
            },
            Ty::Collection { kind: Collection::Vec, args: of } => {
                match self.one_position(expr, &found, args) {
                    Some(_) => of.first().cloned().unwrap_or(Ty::Error),
                    None => Ty::Error,
                }
            }
            _ => {
                self.infer_positions(args);
                let described = self.describe(&found);
                self.give_up(&found);
                let finding = Finding::new(
                    codes::OPERATOR,
                    Place::Expr(base),
                    format!(
                        "tensors, arrays, slices and vectors have elements; this is {described}"
                    ),
                );
                self.refuse(match found.peeled() {
                    Ty::Text => finding
                        .note("`.slice(a..b)` gives a part of a text, `.chars()` its characters"),
                    Ty::Collection { .. } if self.is_written(expr) => {
                        finding.note("`.insert(key, value)` puts a value under a key")
                    }
                    Ty::Collection { .. } => finding.note("`.get(key)` gives what is under a key"),
                    Ty::Tuple(_) => {
                        finding.note("the elements of a tuple are `.0`, `.1` and so on")
                    }
                    _ => finding,
                })
            }
        }
    }

    /// Whether an expression is what an assignment writes to.
    fn is_written(&self, expr: ExprId) -> bool {
        let writes = |other: &Expr| matches!(other, Expr::Assign { place, .. } if *place == expr);
        self.body.exprs.values().any(writes)
    }

    /// Infers positions of what is wrong itself.
    pub(super) fn infer_positions(&mut self, args: &[IndexArg]) {
        for arg in args {
            match arg {
                IndexArg::At(position) => {
                    self.infer(*position, None);
                }
                IndexArg::Range { start, end, .. } => {
                    for bound in [start, end].into_iter().flatten() {
                        self.infer(*bound, None);
                    }
                }
            }
        }
    }

    /// The only position of what has one axis.
    fn one_position(&mut self, expr: ExprId, found: &Ty, args: &[IndexArg]) -> Option<ExprId> {
        match args {
            [IndexArg::At(position)] => {
                self.position(*position);
                Some(*position)
            }
            [IndexArg::Range { .. }] => {
                self.infer_positions(args);
                self.report(
                    Finding::new(
                        codes::INDEX,
                        Place::Head(expr),
                        format!("a range between brackets belongs to tensors; this is `{found}`"),
                    )
                    .note("`.slice(a..b)` gives a view of a part"),
                );
                None
            }
            _ => {
                self.infer_positions(args);
                self.report(Finding::new(
                    codes::INDEX,
                    Place::Head(expr),
                    format!("`{found}` has one axis, and {} positions are given", args.len()),
                ));
                None
            }
        }
    }

    /// A position: any integer; whether it is one.
    pub(super) fn position(&mut self, position: ExprId) -> bool {
        let found = self.infer(position, None);
        let found = self.settled(position, &found);
        let fits = match found.peeled() {
            Ty::Error | Ty::Never => true,
            Ty::Scalar(dtype) => dtype.is_int(),
            Ty::Var(var) => var.is_int(),
            _ => false,
        };
        if !fits {
            let described = self.describe(&found);
            self.give_up(&found);
            self.report(Finding::new(
                codes::MISMATCH,
                Place::Expr(position),
                format!("a position is an integer; this is {described}"),
            ));
        }
        fits
    }
}
