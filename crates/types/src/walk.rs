//! Inference: one walk over a body that gives every expression its type.
//!
//! Types flow both ways. What is expected flows down ([`Context::check`]), so that `[1.0, 2.0]` becomes a
//! tensor and a mismatch is reported at the word that causes it; what is found flows up
//! ([`Context::infer`]). The type of a literal without suffix stays open ([`Type::Number`]) until either
//! side of it says which it is; a statement is the farthest that it stays open.

mod block;
mod builtin;
mod call;
mod coerce;
mod constructor;
mod control;
mod elementwise;
mod expr;
mod finish;
mod later;
mod literal;
mod method;
mod number;
mod operator;
mod place;
mod tensor;

use la_arena::ArenaMap;
use neuro_db::{Db, Name};
use neuro_hir::{Body, Const, Expr, ExprId, Function, Item, LocalId, TypeRef};
use neuro_syntax::ast::FormatSpec;

use crate::lower::{Site, lower_type};
use crate::signature::finding;
use crate::{Callee, Finding, Inference, Place, Ty, fn_sig};
use coerce::Why;
use number::{Numbers, Type};

/// The types of a function's body.
#[salsa::tracked]
pub fn infer<'db>(db: &'db dyn Db, function: Function<'db>) -> Inference<'db> {
    let sig = fn_sig(db, function);
    let body = neuro_hir::body(db, function);
    let mut context = Context::new(db, Item::Function(function), body, sig.ret.clone());
    context.owner = Some(function.name(db));
    for (local, param) in body.params.iter().zip(&sig.params) {
        context.locals.insert(*local, param.ty.clone());
    }
    if let Some(root) = body.root {
        context.check(root, &sig.ret, &Why::Return);
    }
    context.finish()
}

/// The types of a constant's value, which is expected to be of type `ty`.
pub(crate) fn infer_const<'db>(db: &'db dyn Db, constant: Const<'db>, ty: &Ty) -> Inference<'db> {
    let body = neuro_hir::const_body(db, constant);
    let mut context = Context::new(db, Item::Const(constant), body, Ty::Error);
    if let Some(root) = body.root {
        context.check(root, ty, &Why::Constant(constant.name(db)));
    }
    context.finish()
}

/// A body under inference.
struct Context<'db> {
    db: &'db dyn Db,
    /// What holds the body.
    item: Item<'db>,
    body: &'db Body,
    /// The function's name; none in a constant.
    owner: Option<Name>,
    /// What `return` gives.
    ret: Ty,
    numbers: Numbers,
    exprs: ArenaMap<ExprId, Type>,
    locals: ArenaMap<LocalId, Ty>,
    callees: ArenaMap<ExprId, Callee<'db>>,
    arguments: ArenaMap<ExprId, Vec<usize>>,
    consts: Vec<(ExprId, Const<'db>)>,
    literals: Vec<Written>,
    loops: Vec<Loop>,
    /// What is checked when every type is known.
    pending: Vec<Pending>,
    findings: Vec<Finding>,
}

/// A number literal of the body.
#[derive(Clone, Copy)]
struct Written {
    literal: ExprId,
    /// The `-` directly before it.
    negation: Option<ExprId>,
}

/// A loop around what is being inferred.
struct Loop {
    label: Option<Name>,
    /// Whether a `break` leaves it.
    left: bool,
    /// Whether something in it is not understood, which may leave it too.
    unclear: bool,
}

/// A check that needs final types and the values of literals.
enum Pending {
    /// A constant position is inside its axis.
    Position { tensor: Ty, axis: usize, extent: u64, position: ExprId },
    /// A constant shift amount is inside the width.
    Shift { operator: ExprId, amount: ExprId },
    /// A constant stride is positive.
    Step { step: ExprId },
    /// A hole's value can be printed in the given way.
    Hole { value: ExprId, spec: Option<FormatSpec> },
}

impl<'db> Context<'db> {
    fn new(db: &'db dyn Db, item: Item<'db>, body: &'db Body, ret: Ty) -> Self {
        Self {
            db,
            item,
            body,
            owner: None,
            ret,
            numbers: Numbers::default(),
            exprs: ArenaMap::default(),
            locals: ArenaMap::default(),
            callees: ArenaMap::default(),
            arguments: ArenaMap::default(),
            consts: Vec::new(),
            literals: Vec::new(),
            loops: Vec::new(),
            pending: Vec::new(),
            findings: Vec::new(),
        }
    }

    fn report(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Reports, and gives the type that absorbs what follows.
    fn refuse(&mut self, finding: Finding) -> Type {
        self.report(finding);
        Type::ERROR
    }

    fn expr(&self, expr: ExprId) -> &'db Expr {
        &self.body.exprs[expr]
    }

    /// Notes the type of an expression.
    fn record(&mut self, expr: ExprId, ty: Type) -> Type {
        self.exprs.insert(expr, ty.clone());
        ty
    }

    fn resolved(&self, ty: &Type) -> Type {
        self.numbers.resolve(ty)
    }

    /// The type of an expression that has been inferred, as far as it is known.
    fn type_of(&self, expr: ExprId) -> Type {
        self.exprs.get(expr).map_or(Type::ERROR, |ty| self.numbers.resolve(ty))
    }

    /// A type that is written in the body.
    fn written_type(&mut self, place: Place, ty: &TypeRef) -> Ty {
        let (ty, problem) = lower_type(self.db, self.item, Site::Body, ty);
        if let Some(problem) = problem {
            self.report(finding(place, problem));
        }
        ty
    }
}
