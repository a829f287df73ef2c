//! Inference: one walk over a body that gives every expression its type.
//!
//! Types flow both ways. What is expected flows down ([`Context::check`]), so that `[1.0, 2.0]` becomes a
//! tensor and a mismatch is reported at the word that causes it; what is found flows up
//! ([`Context::infer`]). What is not known yet is a variable of the unification table ([`Ty::Var`]); the
//! type of a literal without suffix stays one until either side of it says which it is, and a statement
//! is the farthest that it stays open.

mod block;
mod builtin;
mod call;
mod coerce;
mod constructor;
mod control;
mod elementwise;
mod expr;
mod finish;
mod literal;
mod method;
mod table;
mod operator;
mod place;
mod tensor;

use la_arena::ArenaMap;
use neuro_db::{Db, Name, SourceFile};
use neuro_hir::{Body, Const, Expr, ExprId, Function, LocalId, TypeRef};
use neuro_syntax::ast::FormatSpec;

use crate::lower::{Site, lower_type};
use crate::signature::finding;
use crate::{Callee, Finding, Inference, Place, Ty, fn_sig};
use coerce::Why;
use table::Table;

/// The types of a function's body.
#[salsa::tracked]
pub fn infer<'db>(db: &'db dyn Db, function: Function<'db>) -> Inference<'db> {
    let sig = fn_sig(db, function);
    let body = neuro_hir::body(db, function);
    let mut context = Context::new(db, function.file(db), body, sig.ret.clone());
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
    let mut context = Context::new(db, constant.file(db), body, Ty::Error);
    if let Some(root) = body.root {
        context.check(root, ty, &Why::Constant(constant.name(db)));
    }
    context.finish()
}

/// A body under inference.
struct Context<'db> {
    db: &'db dyn Db,
    file: SourceFile,
    body: &'db Body,
    /// The function's name; none in a constant.
    owner: Option<Name>,
    /// What `return` gives.
    ret: Ty,
    table: Table,
    exprs: ArenaMap<ExprId, Ty>,
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
    fn new(db: &'db dyn Db, file: SourceFile, body: &'db Body, ret: Ty) -> Self {
        Self {
            db,
            file,
            body,
            owner: None,
            ret,
            table: Table::default(),
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
    fn refuse(&mut self, finding: Finding) -> Ty {
        self.report(finding);
        Ty::Error
    }

    fn expr(&self, expr: ExprId) -> &'db Expr {
        &self.body.exprs[expr]
    }

    /// Notes the type of an expression.
    fn record(&mut self, expr: ExprId, ty: Ty) -> Ty {
        self.exprs.insert(expr, ty.clone());
        ty
    }

    fn resolved(&self, ty: &Ty) -> Ty {
        self.table.resolve_all(ty)
    }

    /// The type of an expression that has been inferred, as far as it is known.
    fn type_of(&self, expr: ExprId) -> Ty {
        self.exprs.get(expr).map_or(Ty::Error, |ty| self.table.resolve_all(ty))
    }

    /// A type that is written in the body.
    fn written_type(&mut self, place: Place, ty: &TypeRef) -> Ty {
        let (ty, problem) = lower_type(self.db, self.file, Site::Body, ty);
        if let Some(problem) = problem {
            self.report(finding(place, problem));
        }
        ty
    }
}
