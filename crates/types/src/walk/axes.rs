//! Axes as arguments: by position, from the end, or by name.

use neuro_db::{Name, codes};
use neuro_hir::{Expr, ExprId, similar};
use neuro_num::DType;

use super::Context;
use crate::{Finding, Place, Remedy, TensorTy, Ty};

impl Context<'_> {
    /// The axis that an argument names; none after a report. Names of axes are a world of their own: a local
    /// of the same name neither hides one nor is hidden.
    pub(super) fn axis(&mut self, value: ExprId, tensor: &TensorTy) -> Option<usize> {
        let dims = tensor.shape.dims();
        if let Some(name) = self.bare_name(value) {
            if let Some(axis) = dims.iter().position(|dim| dim.name.as_ref() == Some(&name)) {
                self.record(value, Ty::Scalar(DType::I32));
                return Some(axis);
            }
            if self.names_nothing(value) {
                self.record(value, Ty::Error);
                self.report(no_such_name(value, &name, tensor));
                return None;
            }
        }
        if let Expr::Array(_) = self.expr(value) {
            self.infer_array_entry(value);
            self.report(
                Finding::new(
                    codes::MISMATCH,
                    Place::Expr(value),
                    "an axis is one position or name; this is a list",
                )
                .note("several axes are taken one after the other: `t.sum(axis: 1).sum(axis: 0)`"),
            );
            return None;
        }
        if !self.position(value) {
            return None;
        }
        self.absorbed(&self.type_of(value)).is_none().then_some(())?;
        let rank = dims.len() as i128;
        let Some(position) = self.sum_of(value).ok().and_then(|sum| sum.constant()) else {
            self.report(Finding::new(
                codes::INDEX,
                Place::Expr(value),
                "an axis is known while compiling: its position, or its name",
            ));
            return None;
        };
        let axis = if position < 0 { position + rank } else { position };
        match usize::try_from(axis) {
            Ok(axis) if axis < dims.len() => Some(axis),
            _ => {
                let range = match rank {
                    0 => "it has no axes".to_owned(),
                    1 => "its only axis is 0, or -1 from the end".to_owned(),
                    rank => {
                        format!("its axes are 0 to {}, or -{rank} to -1 from the end", rank - 1)
                    }
                };
                self.report(Finding::new(
                    codes::INDEX,
                    Place::Expr(value),
                    format!("there is no axis {position} in `{tensor}`: {range}"),
                ));
                None
            }
        }
    }

    /// The axes that a list names, each once; none after a report.
    pub(super) fn axis_list(
        &mut self,
        list: ExprId,
        tensor: &TensorTy,
        of: &str,
    ) -> Option<Vec<(usize, ExprId)>> {
        let Expr::Array(entries) = self.expr(list) else {
            self.infer(list, None);
            self.report(Finding::new(
                codes::MISMATCH,
                Place::Expr(list),
                format!("`{of}` takes a list of axes in brackets, as in `[1, 0]`"),
            ));
            return None;
        };
        self.record(list, Ty::Void);
        let mut axes: Vec<(usize, ExprId)> = Vec::new();
        let mut wrong = false;
        for entry in entries {
            let Some(axis) = self.axis(*entry, tensor) else {
                wrong = true;
                continue;
            };
            if let Some((_, first)) = axes.iter().find(|(found, _)| *found == axis) {
                let first = *first;
                self.report(
                    Finding::new(
                        codes::INDEX,
                        Place::Expr(*entry),
                        format!("axis {} is taken twice", axis_words(tensor, axis)),
                    )
                    .related(Place::Expr(first), "it is taken here"),
                );
                wrong = true;
            }
            axes.push((axis, *entry));
        }
        (!wrong).then_some(axes)
    }

    /// The name that an expression is, if it is nothing else.
    pub(super) fn bare_name(&self, value: ExprId) -> Option<Name> {
        match self.expr(value) {
            Expr::Local(local) => Some(self.body.locals[*local].name.clone()),
            Expr::Path(path) => path.as_name().cloned(),
            _ => None,
        }
    }

    /// Whether a name stands for nothing that has a value.
    fn names_nothing(&self, value: ExprId) -> bool {
        match self.expr(value) {
            Expr::Path(path) => {
                path.as_name().is_some_and(|name| self.env.generics().find(name).is_none())
                    && neuro_hir::resolve_path(self.db, self.module, path).is_err()
            }
            _ => false,
        }
    }
}

/// How a message calls an axis: by its position, and its name if it has one.
pub(super) fn axis_words(tensor: &TensorTy, axis: usize) -> String {
    match tensor.shape.dims().get(axis).and_then(|dim| dim.name.as_ref()) {
        Some(name) => format!("{axis} (`{name}`)"),
        None => axis.to_string(),
    }
}

fn no_such_name(value: ExprId, name: &Name, tensor: &TensorTy) -> Finding {
    let place = Place::Expr(value);
    let names: Vec<&Name> =
        tensor.shape.dims().iter().filter_map(|dim| dim.name.as_ref()).collect();
    let finding =
        Finding::new(codes::INDEX, place, format!("`{tensor}` has no axis called `{name}`"));
    if let Some(meant) = similar(name, names.iter().map(|name| name.as_str())) {
        return finding.note(format!("did you mean `{meant}`?")).remedy(Remedy::Replace(
            place,
            format!("change to `{meant}`"),
            meant.to_owned(),
        ));
    }
    if names.is_empty() {
        return finding.note("its axes have no names; give the position");
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    finding.note(format!("its axes are called {}", names.join(", ")))
}
