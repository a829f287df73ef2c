//! Values of constants.

use neuro_db::{Db, Name, codes};
use neuro_hir::{Body, Const, Expr, ExprId, Item, Resolution, file_items, resolve_path};
use neuro_num::{DType, Scalar};

use crate::evaluate::{NotConstant, evaluate, evaluate_text, no_params};
use crate::lower::{Env, Lowered, Site};
use crate::walk::infer_const;
use crate::{Callee, Finding, Inference, Place, Ty};

/// A constant as its users see it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConstValue {
    /// The declared type, a scalar, `char` or `string`; [`Ty::Error`] when it is wrong.
    pub ty: Ty,
    /// The value, of a character its code point; none of a text, and when something is wrong with it.
    pub value: Option<Scalar>,
    /// The text; none of another value, and when something is wrong with it.
    pub text: Option<Name>,
}

/// What an expression of a constant is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Worth {
    Scalar(Scalar),
    Text(Name),
}

impl Worth {
    /// What a constant of a type is worth that is declared with an expression.
    pub(crate) fn of(
        ty: &Ty,
        body: &Body,
        inference: &Inference<'_>,
        expr: ExprId,
    ) -> Result<Worth, NotConstant> {
        match ty {
            Ty::Text => evaluate_text(body, inference, expr).map(|text| Worth::Text(text.into())),
            _ => evaluate(body, inference, expr, &no_params).map(Worth::Scalar),
        }
    }

    /// The integer that it is.
    pub(crate) fn as_int(&self) -> Option<i128> {
        match self {
            Worth::Scalar(value) => value.as_int(),
            Worth::Text(_) => None,
        }
    }

    /// Whether it is a value of a type.
    pub(crate) fn is_of(&self, ty: &Ty) -> bool {
        match self {
            Worth::Scalar(value) => match ty {
                Ty::Char => value.dtype() == DType::U32,
                ty => *ty == Ty::Scalar(value.dtype()),
            },
            Worth::Text(_) => *ty == Ty::Text,
        }
    }
}

/// The value of a constant. Equal as long as type and value are, however they are written.
#[salsa::tracked(cycle_result = circular_value)]
pub fn const_value<'db>(db: &'db dyn Db, constant: Const<'db>) -> ConstValue {
    let (ty, _) = declared_type(db, constant);
    match computed(db, constant).value.clone().filter(|value| value.is_of(&ty)) {
        Some(Worth::Scalar(value)) => ConstValue { ty, value: Some(value), text: None },
        Some(Worth::Text(text)) => ConstValue { ty, value: None, text: Some(text) },
        None => ConstValue { ty, value: None, text: None },
    }
}

/// The types in the expression that a constant is declared with, and everything that is wrong with it.
pub fn const_inference<'db>(db: &'db dyn Db, constant: Const<'db>) -> &'db Inference<'db> {
    &computed(db, constant).inference
}

/// The expression of a constant, inferred and computed.
#[derive(Clone, PartialEq, Eq, Debug, Default, salsa::SalsaValue)]
struct Computed<'db> {
    value: Option<Worth>,
    inference: Inference<'db>,
}

#[salsa::tracked(cycle_result = circular)]
fn computed<'db>(db: &'db dyn Db, constant: Const<'db>) -> Computed<'db> {
    let (ty, problems) = declared_type(db, constant);
    let mut inference = infer_const(db, constant, &ty);
    if ty == Ty::Error {
        // Whether its value is constant matters as little as what it would be.
        inference.findings.retain(|finding| finding.code != codes::CONSTANT);
    }
    inference.findings.splice(0..0, problems);
    let body = neuro_hir::const_body(db, constant);
    let value = match body.root {
        Some(root) if inference.findings.is_empty() => Worth::of(&ty, body, &inference, root),
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
        NotConstant::Construct(expr) => {
            Some(not_made(name, body, inference.callees.get(expr), expr))
        }
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
pub(crate) fn not_made(
    name: &str,
    body: &Body,
    callee: Option<&Callee<'_>>,
    expr: ExprId,
) -> Finding {
    let finding = Finding::new(
        codes::CONSTANT,
        Place::Expr(expr),
        format!("the value of `{name}` is not constant"),
    );
    let late = |what: &str| format!("`{what}` is known only when the program runs");
    let finding = match &body.exprs[expr] {
        Expr::Text(_) => finding.note("a hole is filled when the program runs"),
        Expr::Path(path) => finding.note(match callee {
            Some(Callee::ConstParam(_)) => {
                format!("`{path}` differs from call to call: bind it by `val`")
            }
            Some(Callee::Function(_)) => format!("`{path}` is a function"),
            _ => late(&path.to_string()),
        }),
        Expr::Local(local) => finding.note(late(&body.locals[*local].name)),
        _ => finding,
    };
    finding.note("a constant is made of literals, operators, casts and other constants")
}

/// Says that no constant is of a type.
pub(crate) fn no_constant_type(ty: &Ty) -> String {
    format!("a constant is a number, a truth value, a character or a text, not `{ty}`")
}

/// What a constant is that needs its own value.
fn circular<'db>(db: &'db dyn Db, _: salsa::Id, constant: Const<'db>) -> Computed<'db> {
    let mut result = Computed::default();
    let circle = circle(db, constant);
    if let Some(root) = neuro_hir::const_body(db, constant).root
        && !told_by_another(db, constant, &circle)
    {
        let finding = Finding::new(
            codes::CONSTANT,
            Place::Expr(root),
            format!("the value of `{}` depends on itself", constant.name(db)),
        );
        let names: Vec<String> = circle.iter().map(|part| format!("`{}`", part.name(db))).collect();
        result.inference.findings.push(match names.as_slice() {
            [first, others @ ..] if !others.is_empty() => {
                let others = others.join(", which needs ");
                finding.note(format!("{first} needs {others}, which needs {first}"))
            }
            _ => finding,
        });
    }
    result
}

/// A constant that needs its own value, and those through which it does, each needing the next.
fn circle<'db>(db: &'db dyn Db, constant: Const<'db>) -> Vec<Const<'db>> {
    // Each with the place of the one that needs it.
    let mut seen = vec![(constant, 0)];
    let mut next = 0;
    while let Some((current, _)) = seen.get(next).copied() {
        for needed in needs(db, current) {
            if needed == constant {
                let mut way = vec![current];
                let mut place = next;
                while let Some((_, before)) = seen.get(place).filter(|_| place != 0) {
                    place = *before;
                    way.extend(seen.get(place).map(|(constant, _)| *constant));
                }
                way.reverse();
                return way;
            }
            if seen.iter().all(|(known, _)| *known != needed) {
                seen.push((needed, next));
            }
        }
        next += 1;
    }
    vec![constant]
}

/// The constants that the value of one names.
fn needs<'db>(db: &'db dyn Db, constant: Const<'db>) -> Vec<Const<'db>> {
    let paths = neuro_hir::const_body(db, constant).exprs.values().filter_map(|expr| match expr {
        Expr::Path(path) => Some(path),
        _ => None,
    });
    let named = paths.filter_map(|path| match resolve_path(db, constant.module(db), path) {
        Ok(Resolution::Item(Item::Const(found))) => Some(found),
        _ => None,
    });
    named.collect()
}

/// Whether one of the constants that need each other stands before this one in its file.
fn told_by_another<'db>(db: &'db dyn Db, constant: Const<'db>, circle: &[Const<'db>]) -> bool {
    let items = file_items(db, constant.file(db)).items.iter();
    let mut before = items.take_while(|item| **item != Item::Const(constant));
    before.any(|item| matches!(item, Item::Const(other) if circle.contains(other)))
}

fn circular_value<'db>(db: &'db dyn Db, _: salsa::Id, constant: Const<'db>) -> ConstValue {
    ConstValue { ty: declared_type(db, constant).0, value: None, text: None }
}

/// The type that a constant is declared with. It has no parts, and so never needs the value of a constant.
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
        ty @ (Ty::Scalar(_) | Ty::Char | Ty::Text | Ty::Error) => (ty, Vec::new()),
        other => {
            let message = no_constant_type(&other);
            let finding = Finding::new(codes::CONSTANT, Place::ConstType, message);
            (Ty::Error, vec![finding])
        }
    }
}
