//! Values of constants.

use neuro_db::{Db, codes};
use neuro_hir::{Const, TypeRef};
use neuro_num::Scalar;

use crate::evaluate::{NotConstant, evaluate};
use crate::lower::{Site, lower_type};
use crate::signature::finding;
use crate::walk::infer_const;
use crate::{Finding, Inference, Place, Ty};

/// A constant: its type, its value, and the types in the expression that it is declared with.
#[derive(Clone, PartialEq, Eq, Debug, Default, salsa::SalsaValue)]
pub struct ConstValue<'db> {
    /// The declared type, a scalar; [`Ty::Error`] when it is wrong.
    pub ty: Ty,
    /// The value; none when something is wrong with it.
    pub value: Option<Scalar>,
    /// The expression's types, and everything that is wrong with the constant.
    pub inference: Inference<'db>,
}

/// The value of a constant.
#[salsa::tracked(cycle_result = circular)]
pub fn const_value<'db>(db: &'db dyn Db, constant: Const<'db>) -> ConstValue<'db> {
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
    let name = constant.name(db);
    let value = match value {
        Ok(value) => Some(value).filter(|value| ty == Ty::Scalar(value.dtype())),
        Err(NotConstant::Reported) => None,
        Err(NotConstant::Construct(expr)) => {
            inference.findings.push(
                Finding::new(
                    codes::CONSTANT,
                    Place::Expr(expr),
                    format!("the value of `{name}` is not constant"),
                )
                .note("a constant is made of literals, operators, casts and other constants"),
            );
            None
        }
        Err(NotConstant::Arithmetic(expr, error)) => {
            inference.findings.push(Finding::new(
                codes::CONSTANT,
                Place::Expr(expr),
                format!(
                    "the value of `{name}` cannot be computed: {error} in `{}`",
                    inference.ty(expr)
                ),
            ));
            None
        }
    };
    ConstValue { ty, value, inference }
}

/// What a constant is that needs its own value.
fn circular<'db>(db: &'db dyn Db, _: salsa::Id, constant: Const<'db>) -> ConstValue<'db> {
    let mut result = ConstValue { ty: declared_type(db, constant).0, ..ConstValue::default() };
    if let Some(root) = neuro_hir::const_body(db, constant).root {
        result.inference.findings.push(Finding::new(
            codes::CONSTANT,
            Place::Expr(root),
            format!("the value of `{}` depends on itself", constant.name(db)),
        ));
    }
    result
}

/// The type that a constant is declared with. It is a scalar, and so never needs the value of a constant.
fn declared_type(db: &dyn Db, constant: Const<'_>) -> (Ty, Option<Finding>) {
    let written = neuro_hir::const_type(db, constant);
    let unsupported = |what: &str| {
        let message = format!("a constant of {what} is not supported yet");
        (Ty::Error, Some(Finding::new(codes::UNSUPPORTED, Place::ConstType, message)))
    };
    match written {
        TypeRef::Name(_) | TypeRef::Error | TypeRef::Unsupported(_) => {}
        TypeRef::Tensor { .. } => return unsupported("tensor type"),
        TypeRef::Array { .. } => return unsupported("array type"),
        TypeRef::Ref { .. } => return unsupported("reference type"),
    }
    match lower_type(db, constant.file(db), Site::Header, written) {
        (ty @ (Ty::Scalar(_) | Ty::Error), problem) => {
            (ty, problem.map(|problem| finding(Place::ConstType, problem)))
        }
        (other, _) => unsupported(&format!("type `{other}`")),
    }
}
