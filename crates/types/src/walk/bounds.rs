//! What generic items ask of their arguments, checked when these are known.

use neuro_db::codes;
use neuro_hir::{Body, Expr, ExprId, Item, Literal, Predicate};
use neuro_num::Scalar;

use super::Context;
use super::operator::{comparison, symbol};
use crate::evaluate::{NotConstant, evaluate};
use crate::generic_params::GenericKind;
use crate::{Bound, Def, Extent, Finding, GenericArg, Place, Ty};

impl<'db> Context<'db> {
    /// Reports a type that does not have a trait that is asked of it.
    pub(super) fn check_bound(&mut self, _ty: &Ty, _bound: &Bound, _asked_by: &str, _place: Place) {
    }

    /// Reports a condition of a generic item that does not hold for its arguments. One over extents that are
    /// not known here is checked where they are.
    pub(super) fn check_conditions(&mut self, item: Item<'db>, args: &[GenericArg], place: Place) {
        let Some(written) = crate::generic_params::written(self.db, item) else { return };
        let generics = crate::generics(self.db, item);
        let value = |index: u32| {
            let GenericArg::Const(extent) = args.get(index as usize)? else { return None };
            let Extent::Known(extent) = self.table.resolve_extent(extent) else { return None };
            match &generics.params.get(index as usize)?.kind {
                GenericKind::Const { ty: Ty::Scalar(dtype) } => {
                    Scalar::int(*dtype, i128::from(extent))
                }
                GenericKind::Const { .. } | GenericKind::Type { .. } => None,
            }
        };
        let mut findings = Vec::new();
        for (index, predicate) in written.predicates.iter().enumerate() {
            let Predicate::Condition(body) = predicate else { continue };
            let inference = crate::condition(self.db, item, index);
            let Some(root) = body.root.filter(|_| inference.findings.is_empty()) else { continue };
            let problem = match evaluate(body, inference, root, &value) {
                Ok(value) if value.as_bool() == Some(false) => "does not hold".to_owned(),
                Ok(_) | Err(NotConstant::Construct(_) | NotConstant::Reported) => continue,
                Err(NotConstant::Arithmetic(_, error)) => format!("cannot be computed: {error}"),
            };
            let with: Vec<String> = generics
                .params
                .iter()
                .zip(args)
                .filter_map(|(param, arg)| match arg {
                    GenericArg::Const(extent) => {
                        Some(format!("`{}` is {}", param.name, self.table.resolve_extent(extent)))
                    }
                    GenericArg::Type(_) => None,
                })
                .collect();
            let name = item.name(self.db);
            findings.push(Finding::new(
                codes::BOUND,
                place,
                format!(
                    "the condition {}of `{name}` {problem}: {}",
                    words(body, root).map_or(String::new(), |words| format!("`{words}` ")),
                    with.join(", ")
                ),
            ));
        }
        self.findings.extend(findings);
    }

    /// Why a struct cannot be shown with `{x:?}`, if so.
    pub(super) fn no_debug(&self, def: &Def, place: Place) -> Option<Finding> {
        let derived = def.as_struct(self.db).is_some_and(|item| {
            crate::derives::derives(&neuro_hir::struct_data(self.db, item).attrs, "Debug")
        });
        (!derived).then(|| {
            Finding::new(codes::FORMAT, place, format!("`{}` is not printable", def.name()))
                .note("a struct with `@derive(Debug)` is printed with `{x:?}`")
        })
    }
}

/// A short condition as it is written.
fn words(body: &Body, expr: ExprId) -> Option<String> {
    let operation = |symbol: &str, lhs: ExprId, rhs: ExprId| {
        Some(format!("{} {symbol} {}", words(body, lhs)?, words(body, rhs)?))
    };
    match &body.exprs[expr] {
        Expr::Literal(Literal::Int(value, _)) => Some(value.to_string()),
        Expr::Literal(Literal::Bool(value)) => Some(value.to_string()),
        Expr::Path(path) => Some(path.to_string()),
        Expr::Binary { op, lhs, rhs }
            if !matches!(body.exprs[*lhs], Expr::Binary { .. })
                && !matches!(body.exprs[*rhs], Expr::Binary { .. }) =>
        {
            operation(symbol(*op), *lhs, *rhs)
        }
        Expr::Compare { op, lhs, rhs } => operation(comparison(*op), *lhs, *rhs),
        _ => None,
    }
}
