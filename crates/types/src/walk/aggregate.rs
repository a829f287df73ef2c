//! Tuples and arrays.

use std::sync::Arc;

use neuro_db::codes;
use neuro_hir::{Expr, ExprId};

use super::{Context, Pending, Why};
use crate::{Extent, Finding, GenericArg, Place, Ty, VarKind};

impl Context<'_> {
    pub(super) fn infer_tuple(&mut self, parts: &[ExprId], hint: Option<&Ty>) -> Ty {
        let hints: Vec<Option<Ty>> = match hint {
            Some(Ty::Tuple(types)) if types.len() == parts.len() => {
                types.iter().cloned().map(Some).collect()
            }
            _ => vec![None; parts.len()],
        };
        let types = parts
            .iter()
            .zip(hints)
            .map(|(part, hint)| match hint {
                // A part that can become what is expected does so here; the rest is seen by who expects.
                Some(hint) => self.part(*part, &hint),
                None => {
                    let found = self.infer(*part, None);
                    self.value_part(*part, found)
                }
            })
            .collect();
        Ty::Tuple(types)
    }

    fn part(&mut self, part: ExprId, hint: &Ty) -> Ty {
        self.check(part, hint, &Why::Expected);
        hint.clone()
    }

    /// A part of a value has a value itself.
    fn value_part(&mut self, part: ExprId, found: Ty) -> Ty {
        match found {
            Ty::Void => {
                let subject = self.subject(part);
                self.refuse(Finding::new(
                    codes::MISMATCH,
                    Place::Expr(part),
                    format!("{subject} gives nothing, and this needs a value"),
                ))
            }
            found => found,
        }
    }

    /// `[a, b]`: a tensor where one is expected, else an array.
    pub(super) fn infer_array(
        &mut self,
        expr: ExprId,
        entries: &[ExprId],
        hint: Option<&Ty>,
    ) -> Ty {
        let elem = match hint {
            Some(Ty::Tensor(tensor)) => {
                return self.tensor_literal(expr, tensor, &Why::Expected);
            }
            // What is expected is wrong already.
            Some(Ty::Error) => return self.infer_array_entry(expr),
            Some(Ty::Array { elem, .. }) => Some((**elem).clone()),
            _ => None,
        };
        let len = Extent::Known(entries.len() as u64);
        if let Some(elem) = elem {
            for entry in entries {
                self.check(*entry, &elem, &Why::Expected);
            }
            return Ty::Array { elem: Arc::new(elem), len };
        }
        let mut elem = self.table.fresh(VarKind::General);
        let mut first: Option<ExprId> = None;
        for entry in entries {
            match first {
                None => {
                    let found = self.infer(*entry, None);
                    let found = self.value_part(*entry, found);
                    if found != Ty::Never {
                        elem = found;
                        first = Some(*entry);
                    }
                }
                Some(first) => self.entry(*entry, &elem, first),
            }
        }
        if entries.is_empty() {
            self.pending.push(Pending::Found {
                arg: GenericArg::Type(elem.clone()),
                what: "an element of this array".to_owned(),
                help: "annotate what it is put in, as in `val a: [i32; 0] = []`".to_owned(),
                place: Place::Expr(expr),
            });
        }
        Ty::Array { elem: Arc::new(self.resolved(&elem)), len }
    }

    /// An element behind the first one. Of two literals, one of which is a float, the float decides.
    fn entry(&mut self, entry: ExprId, elem: &Ty, first: ExprId) {
        let open = matches!(self.resolved(elem), Ty::Var(var) if var.is_int());
        if !open {
            return self.check(entry, elem, &Why::Entry(first));
        }
        let found = self.infer(entry, None);
        match self.resolved(&found) {
            Ty::Var(var) if var.is_float() => {
                self.join_numbers(first, elem, entry, &found);
            }
            found => self.expect(entry, &found, elem, &Why::Entry(first)),
        }
    }

    /// Nested arrays are part of what the outermost one reports.
    pub(super) fn infer_array_entry(&mut self, expr: ExprId) -> Ty {
        match self.expr(expr) {
            Expr::Array(entries) => {
                for entry in entries {
                    self.infer_array_entry(*entry);
                }
                self.record(expr, Ty::Error)
            }
            _ => self.infer(expr, None),
        }
    }
}
