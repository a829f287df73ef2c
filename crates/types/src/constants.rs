//! Values of constants.

use neuro_db::{Db, codes};
use neuro_hir::{Const, Item, TypeRef};
use neuro_num::Scalar;

use crate::evaluate::{NotConstant, evaluate};
use crate::lower::{Site, lower_type};
use crate::signature::finding;
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
    let (ty, problem) = declared_type(db, constant);
    let mut inference = infer_const(db, constant, &ty);
    if let Some(problem) = problem {
        inference.findings.insert(0, problem);
    }
    let body = neuro_hir::const_body(db, constant);
    let value = match body.root {
        Some(root) if inference.findings.is_empty() => evaluate(body, &inference, root),
        _ => Err(NotConstant::Reported),
    };
    match value {
        Ok(value) => Computed { value: Some(value), inference },
        Err(reason) => {
            inference.findings.extend(not_constant(&constant.name(db), &inference, reason));
            Computed { value: None, inference }
        }
    }
}

fn not_constant(name: &str, inference: &Inference<'_>, reason: NotConstant) -> Option<Finding> {
    match reason {
        NotConstant::Reported => None,
        NotConstant::Construct(expr) => Some(
            Finding::new(
                codes::CONSTANT,
                Place::Expr(expr),
                format!("the value of `{name}` is not constant"),
            )
            .note("a constant is made of literals, operators, casts and other constants"),
        ),
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
fn declared_type(db: &dyn Db, constant: Const<'_>) -> (Ty, Option<Finding>) {
    let written = neuro_hir::const_type(db, constant);
    let unsupported = |what: &str| {
        let message = format!("a constant of {what} is not supported yet");
        (Ty::Error, Some(Finding::new(codes::UNSUPPORTED, Place::ConstType, message)))
    };
    match written {
        TypeRef::Path(path) if path.last_name() == "Tensor" => return unsupported("tensor type"),
        TypeRef::Array { .. } => return unsupported("array type"),
        TypeRef::Ref { .. } => return unsupported("reference type"),
        _ => {}
    }
    match lower_type(db, Item::Const(constant), Site::Constant, written) {
        (ty @ (Ty::Scalar(_) | Ty::Error), problem) => {
            (ty, problem.map(|problem| finding(Place::ConstType, problem)))
        }
        (other, _) => unsupported(&format!("type `{other}`")),
    }
}
