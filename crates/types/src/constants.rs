//! Values of constants.

use neuro_db::{Db, codes};
use neuro_hir::{Body, Const, Expr, ExprId, Item};
use neuro_num::Scalar;

use crate::evaluate::{NotConstant, evaluate, no_params};
use crate::lower::{Env, Lowered, Site};
use crate::walk::infer_const;
use crate::{Finding, Inference, Place, Ty};

/// A constant as its users see it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConstValue {
    /// The declared type, a scalar; [`Ty::Error`] when it is wrong.
    pub ty: Ty,
    /// The value; none when something is wrong with it.
    pub value: Option<Scalar>,
}

/// The value of a constant. Equal as long as type and value are, however they are written.
#[salsa::tracked(cycle_result = circular_value)]
pub fn const_value<'db>(db: &'db dyn Db, constant: Const<'db>) -> ConstValue {
    let (ty, _) = declared_type(db, constant);
    let value = computed(db, constant).value.filter(|value| ty == Ty::Scalar(value.dtype()));
    ConstValue { ty, value }
}

/// The types in the expression that a constant is declared with, and everything that is wrong with it.
pub fn const_inference<'db>(db: &'db dyn Db, constant: Const<'db>) -> &'db Inference<'db> {
    &computed(db, constant).inference
}

/// The expression of a constant, inferred and computed.
#[derive(Clone, PartialEq, Eq, Debug, Default, salsa::SalsaValue)]
struct Computed<'db> {
    value: Option<Scalar>,
    inference: Inference<'db>,
}

#[salsa::tracked(cycle_result = circular)]
fn computed<'db>(db: &'db dyn Db, constant: Const<'db>) -> Computed<'db> {
    let (ty, problems) = declared_type(db, constant);
    let mut inference = infer_const(db, constant, &ty);
    inference.findings.splice(0..0, problems);
    let body = neuro_hir::const_body(db, constant);
    let value = match body.root {
        Some(root) if inference.findings.is_empty() => evaluate(body, &inference, root, &no_params),
        _ => Err(NotConstant::Reported),
    };
    match value {
        Ok(value) => Computed { value: Some(value), inference },
        Err(reason) => {
            inference.findings.extend(not_constant(&constant.name(db), body, &inference, reason));
            Computed { value: None, inference }
        }
    }
}

pub(crate) fn not_constant(
    name: &str,
    body: &Body,
    inference: &Inference<'_>,
    reason: NotConstant,
) -> Option<Finding> {
    match reason {
        NotConstant::Reported => None,
        NotConstant::Construct(expr) => Some(not_made(name, body, expr)),
        NotConstant::Arithmetic(expr, error) => Some(Finding::new(
            codes::CONSTANT,
            Place::Expr(expr),
            format!(
                "the value of `{name}` cannot be computed: {error} in `{}`",
                inference.ty(expr)
            ),
        )),
    }
}

/// Says that a part of a constant's value is known only at run time.
pub(crate) fn not_made(name: &str, body: &Body, expr: ExprId) -> Finding {
    let finding = Finding::new(
        codes::CONSTANT,
        Place::Expr(expr),
        format!("the value of `{name}` is not constant"),
    );
    let late = |what: &str| format!("`{what}` is known only when the program runs");
    let finding = match &body.exprs[expr] {
        Expr::Path(path) => finding.note(late(&path.to_string())),
        Expr::Local(local) => finding.note(late(&body.locals[*local].name)),
        _ => finding,
    };
    finding.note("a constant is made of literals, operators, casts and other constants")
}

/// What a constant is that needs its own value.
fn circular<'db>(db: &'db dyn Db, _: salsa::Id, constant: Const<'db>) -> Computed<'db> {
    let mut result = Computed::default();
    if let Some(root) = neuro_hir::const_body(db, constant).root {
        result.inference.findings.push(Finding::new(
            codes::CONSTANT,
            Place::Expr(root),
            format!("the value of `{}` depends on itself", constant.name(db)),
        ));
    }
    result
}

fn circular_value<'db>(db: &'db dyn Db, _: salsa::Id, constant: Const<'db>) -> ConstValue {
    ConstValue { ty: declared_type(db, constant).0, value: None }
}

/// The type that a constant is declared with. It is a scalar, and so never needs the value of a constant.
fn declared_type<'db>(db: &'db dyn Db, constant: Const<'db>) -> (Ty, Vec<Finding>) {
    let written = neuro_hir::const_type(db, constant);
    let generics = crate::generics(db, Item::Const(constant));
    let Lowered { ty, problems, .. } =
        Env::new(db, constant.module(db), generics, Site::Constant).lower(written);
    if !problems.is_empty() {
        let problems = problems.into_iter();
        return (Ty::Error, problems.map(|it| it.finding(Place::ConstType, true)).collect());
    }
    match ty {
        ty @ (Ty::Scalar(_) | Ty::Error) => (ty, Vec::new()),
        other => {
            let message = format!("a constant is a number or a truth value, not `{other}`");
            let finding = Finding::new(codes::CONSTANT, Place::ConstType, message);
            (Ty::Error, vec![finding])
        }
    }
}
