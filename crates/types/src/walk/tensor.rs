//! Tensor literals.

use neuro_db::codes;
use neuro_hir::{Expr, ExprId};
use neuro_num::DType;

use super::{Context, Why};
use crate::{Dim, Extent, Finding, Place, Shape, TensorTy, Ty};

impl Context<'_> {
    /// A nested array literal where a tensor is expected. Inner arrays get the type of the part of the
    /// tensor that they are.
    pub(super) fn tensor_literal(&mut self, expr: ExprId, elem: DType, dims: &[Dim]) -> Ty {
        let ty = Ty::Tensor(TensorTy { elem, shape: Shape::of(dims.iter().cloned()) });
        match (self.expr(expr), dims) {
            (Expr::Array(entries), [dim, inner @ ..]) => {
                self.literal_extent(expr, entries.len() as u64, &dim.extent);
                for entry in entries {
                    self.tensor_entry(*entry, elem, inner);
                }
            }
            (Expr::Array(entries), []) => {
                for entry in entries {
                    self.infer(*entry, None);
                }
                self.report(
                    Finding::new(codes::SHAPE, Place::Expr(expr), "a rank-0 tensor has no literal")
                        .note("`Tensor::scalar(x)` makes a rank-0 tensor of a number"),
                );
            }
            _ => {}
        }
        ty
    }

    /// Whether a literal has as many entries as its axis positions; what is wrong is reported.
    fn literal_extent(&mut self, expr: ExprId, entries: u64, extent: &Extent) {
        let place = Place::Expr(expr);
        match self.table.resolve_extent(extent) {
            Extent::Known(extent) if extent == entries => {}
            Extent::Known(extent) => self.report(Finding::new(
                codes::SHAPE,
                place,
                format!("expected {}, found {}", counted(extent), counted(entries)),
            )),
            var @ Extent::Var(_) => {
                self.table.unify_extents(&var, &Extent::Known(entries));
            }
            symbolic @ (Extent::Param(_) | Extent::Formula(_) | Extent::Dynamic) => self.report(
                Finding::new(
                    codes::SHAPE,
                    place,
                    format!("a literal has {}, and this axis has `{symbolic}`", counted(entries)),
                )
                .note("a constructor such as `Tensor::zeros()` makes a tensor of any extents"),
            ),
        }
    }

    /// An entry of a tensor literal: an element, or a nested array.
    fn tensor_entry(&mut self, expr: ExprId, elem: DType, dims: &[Dim]) {
        match (self.expr(expr), dims) {
            (Expr::Array(_), [_, ..]) => {
                let ty = self.tensor_literal(expr, elem, dims);
                self.record(expr, ty);
            }
            (Expr::Array(entries), []) => {
                for entry in entries {
                    self.infer(*entry, None);
                }
                self.record(expr, Ty::Error);
                self.report(Finding::new(
                    codes::SHAPE,
                    Place::Expr(expr),
                    format!("expected a number of type `{elem}`, found an array: the literal is nested deeper than its shape"),
                ));
            }
            (_, []) => self.check(expr, &Ty::Scalar(elem), &Why::Element),
            (_, [dim, ..]) => {
                let entries = match &dim.extent {
                    Extent::Known(extent) => counted(*extent),
                    other => format!("`{other}` entries"),
                };
                let found = self.infer(expr, None);
                if self.absorbed(&found).is_none() {
                    let described = self.describe(&found);
                    self.give_up(&found);
                    self.report(Finding::new(
                        codes::SHAPE,
                        Place::Expr(expr),
                        format!("expected an array of {entries}, found {described}"),
                    ));
                }
            }
        }
    }
}

fn counted(entries: u64) -> String {
    if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") }
}
