//! Tensors: literals, constructors, elements, matrix products.

use neuro_db::codes;
use neuro_hir::{Expr, ExprId, IndexArg};
use neuro_num::DType;

use super::operator::Operand;
use super::{Context, Pending, Type, Why};
use crate::{Finding, Place, Ty};

impl Context<'_> {
    /// A nested array literal where a tensor is expected. Inner arrays get the type of the part of the
    /// tensor that they are.
    pub(super) fn tensor_literal(&mut self, expr: ExprId, elem: DType, extents: &[u64]) -> Type {
        let ty = Ty::tensor(elem, extents.to_vec());
        match (self.expr(expr), extents) {
            (Expr::Array(entries), [extent, inner @ ..]) => {
                if entries.len() as u64 != *extent {
                    self.report(Finding::new(
                        codes::SHAPE,
                        Place::Expr(expr),
                        format!(
                            "expected {}, found {}",
                            counted(*extent),
                            counted(entries.len() as u64)
                        ),
                    ));
                }
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
        Type::Known(ty)
    }

    /// An entry of a tensor literal: an element, or a nested array.
    fn tensor_entry(&mut self, expr: ExprId, elem: DType, extents: &[u64]) {
        match (self.expr(expr), extents) {
            (Expr::Array(_), [_, ..]) => {
                let ty = self.tensor_literal(expr, elem, extents);
                self.record(expr, ty);
            }
            (Expr::Array(entries), []) => {
                for entry in entries {
                    self.infer(*entry, None);
                }
                self.record(expr, Type::ERROR);
                self.report(Finding::new(
                    codes::SHAPE,
                    Place::Expr(expr),
                    format!("expected a number of type `{elem}`, found an array: the literal is nested deeper than its shape"),
                ));
            }
            (_, []) => self.check(expr, &Ty::Scalar(elem), &Why::Element),
            (_, [extent, ..]) => {
                let found = self.infer(expr, None);
                if self.absorbed(&found).is_none() {
                    let described = self.describe(&found);
                    self.give_up(&found);
                    self.report(Finding::new(
                        codes::SHAPE,
                        Place::Expr(expr),
                        format!("expected an array of {}, found {described}", counted(*extent)),
                    ));
                }
            }
        }
    }

    /// An array where no tensor is expected.
    pub(super) fn infer_array(&mut self, expr: ExprId, entries: &[ExprId]) -> Type {
        for entry in entries {
            let found = self.infer_array_entry(*entry);
            self.numbers.finish(&found);
        }
        self.refuse(
            Finding::new(codes::UNSUPPORTED, Place::Expr(expr), "an array is not supported yet")
                .note("a tensor is written where one is expected: `val t: Tensor<f32, [2]> = [1.0, 2.0]`"),
        )
    }

    /// Nested arrays are part of what the outermost one reports.
    pub(super) fn infer_array_entry(&mut self, expr: ExprId) -> Type {
        match self.expr(expr) {
            Expr::Array(entries) => {
                for entry in entries {
                    self.infer_array_entry(*entry);
                }
                self.record(expr, Type::ERROR)
            }
            _ => self.infer(expr, None),
        }
    }

    /// `base[i, j]`: an element.
    pub(super) fn infer_index(&mut self, expr: ExprId, base: ExprId, args: &[IndexArg]) -> Type {
        let found = self.infer(base, None);
        let positions: Vec<Option<ExprId>> = args
            .iter()
            .map(|arg| match arg {
                IndexArg::At(position) => Some(*position),
                IndexArg::Range { .. } => None,
            })
            .collect();
        for position in positions.iter().flatten() {
            self.position(*position);
        }
        if let Some(absorbed) = self.absorbed(&found) {
            return absorbed;
        }
        let Operand::Tensor(tensor) = self.operand(&found) else {
            let described = self.describe(&found);
            self.give_up(&found);
            return self.refuse(Finding::new(
                codes::OPERATOR,
                Place::Expr(base),
                format!("only tensors have elements; this is {described}"),
            ));
        };
        if positions.contains(&None) {
            return self.refuse_later(Place::Head(expr), "slicing");
        }
        if positions.len() != tensor.shape.rank() {
            let rank = tensor.shape.rank();
            let finding = Finding::new(
                codes::INDEX,
                Place::Head(expr),
                format!(
                    "`{tensor}` has {}, and {} given",
                    match rank {
                        1 => "1 axis".to_owned(),
                        rank => format!("{rank} axes"),
                    },
                    match positions.len() {
                        1 => "1 position is".to_owned(),
                        count => format!("{count} positions are"),
                    },
                ),
            );
            let finding = match rank {
                0 => finding.note("`.item()` reads the element of a rank-0 tensor"),
                _ => finding,
            };
            return self.refuse(finding);
        }
        for (axis, (position, extent)) in
            positions.iter().flatten().zip(tensor.shape.0.iter()).enumerate()
        {
            self.pending.push(Pending::Position {
                tensor: Ty::Tensor(tensor.clone()),
                axis,
                extent: *extent,
                position: *position,
            });
        }
        Type::scalar(tensor.elem)
    }

    /// A position: any integer.
    fn position(&mut self, position: ExprId) {
        let found = self.infer(position, None);
        let fits = match self.resolved(&found) {
            Type::Known(Ty::Error | Ty::Never) => true,
            Type::Known(Ty::Scalar(dtype)) => dtype.is_int(),
            Type::Known(_) => false,
            Type::Number(id) => !self.numbers.is_float(id),
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
    }
}

fn counted(entries: u64) -> String {
    if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") }
}
