//! What a derivative refuses, each construct at its word.
//!
//! The bodies of the function and of what it calls are looked through for every construct that has no
//! derivative, so that all of them are reported at once. What only shows in the graph (an op without a
//! rule, a reference that is not known) is reported when nothing else is.

use neuro_db::Db;
use neuro_db::codes::{NOT_DIFFERENTIABLE, UNSUPPORTED};
use neuro_hir::{Arg, Body, Builtin, Expr, ExprId, Function};
use neuro_mir::Instance;
use neuro_types::{
    Callee, Finding, Inference, Method, Place, Ty, diff_spec, fn_sig, infer, is_no_grad,
};

use crate::sweeps::derivative_error;
use crate::{DerivativeError, NotRaised};

/// A construct that stands in the way of a derivative, in the function itself or in one that it calls.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct Refusal<'db> {
    /// The function that the construct stands in.
    pub function: Function<'db>,
    /// What is said of it.
    pub finding: Finding,
}

/// What stands in the way of the derivative that a function asks for; nothing for one that asks for none,
/// or that does not run yet.
pub fn check<'db>(db: &'db dyn Db, function: Function<'db>) -> &'db [Refusal<'db>] {
    if diff_spec(db, function).spec.is_none() { &[] } else { refusals(db, function) }
}

#[salsa::tracked(returns(deref))]
fn refusals<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Refusal<'db>> {
    if neuro_mir::unsupported_in(db, function).is_some() {
        return Vec::new();
    }
    let mut search = Search { db, refusals: Vec::new(), seen: vec![function], clean: true };
    search.function(function);
    if search.refusals.is_empty() && search.clean {
        search.graph(function);
    }
    search.refusals
}

struct Search<'db> {
    db: &'db dyn Db,
    refusals: Vec<Refusal<'db>>,
    /// Functions that were looked through already.
    seen: Vec<Function<'db>>,
    /// Whether every function so far is well typed: only then does its graph mean anything.
    clean: bool,
}

impl<'db> Search<'db> {
    fn function(&mut self, function: Function<'db>) {
        let body = neuro_hir::body(self.db, function);
        let types = infer(self.db, function);
        if !is_clean(self.db, function) {
            self.clean = false;
            return;
        }
        for (expr, _) in body.exprs.iter() {
            if let Some(what) = refused(body, types, expr) {
                self.refuse(function, expr, what);
            }
            let Some(Callee::Function(callee)) = types.callees.get(expr).copied() else { continue };
            if let Expr::Call { args, .. } = &body.exprs[expr]
                && is_no_grad(self.db, callee)
            {
                self.fenced_call(function, expr, args, callee);
            }
            if !self.seen.contains(&callee) {
                self.seen.push(callee);
                self.function(callee);
            }
        }
    }

    /// A derivative reads the arguments of a fenced call again, so the call may only read them.
    fn fenced_call(
        &mut self,
        function: Function<'db>,
        call: ExprId,
        args: &[Arg],
        callee: Function<'db>,
    ) {
        let order = infer(self.db, function).arguments.get(call).cloned().unwrap_or_default();
        for (param, arg) in fn_sig(self.db, callee).params.iter().zip(order) {
            let Some(arg) =
                args.get(arg).filter(|_| matches!(param.ty, Ty::Ref { mutable: true, .. }))
            else {
                continue;
            };
            let name = callee.name(self.db);
            let message = format!(
                "`{name}` borrows `{}` mutably, and a `@no_grad` function that a derivative calls only reads",
                param.name
            );
            let finding = Finding::new(NOT_DIFFERENTIABLE, Place::Expr(arg.value), message)
                .note(format!("take it as `&{}` there", param.ty.peeled()));
            self.refusals.push(Refusal { function, finding });
        }
    }

    fn refuse(&mut self, function: Function<'db>, expr: ExprId, refused: Refused) {
        let what = refused.words();
        let finding = if let Refused::NotYet(_) = refused {
            let message = format!("{what} in what is differentiated is not supported yet");
            Finding::new(UNSUPPORTED, Place::Head(expr), message)
        } else if is_no_grad(self.db, function) {
            let message = format!(
                "{what} in a `@no_grad` function that a derivative calls is not supported yet"
            );
            Finding::new(UNSUPPORTED, Place::Head(expr), message)
        } else {
            let message = format!("cannot differentiate through {what}");
            let finding = Finding::new(NOT_DIFFERENTIABLE, Place::Head(expr), message);
            match refused {
                Refused::Effect(_) => finding.note(
                    "do it where the function is called, or in a `@no_grad` function called here",
                ),
                Refused::Never(_) | Refused::NotYet(_) => finding,
            }
        };
        self.refusals.push(Refusal { function, finding });
    }

    /// What the graph or its derivative says when nothing else did.
    fn graph(&mut self, function: Function<'db>) {
        let instance = Instance::plain(self.db, function);
        let (site, what) = match derivative_error(self.db, instance) {
            None | Some(DerivativeError::NoSpec) => return,
            Some(DerivativeError::NotRaised(NotRaised { site, what })) => (site, what),
            Some(DerivativeError::NoRule { site, what }) => (site, what),
        };
        let message = format!("cannot differentiate through {what}");
        let note = "a constant of the loss can be computed in a `@no_grad` function";
        let (function, place) = match site {
            Some(site) => (site.function, Place::Head(site.expr)),
            None => (function, Place::FunctionName),
        };
        let finding = Finding::new(NOT_DIFFERENTIABLE, place, message).note(note);
        self.refusals.push(Refusal { function, finding });
    }
}

/// Whether nothing is wrong with a function so far: only then does its graph mean anything. What a syntax error left
/// out is reported with the file.
fn is_clean<'db>(db: &'db dyn Db, function: Function<'db>) -> bool {
    let complete = neuro_hir::body(db, function).exprs.values().all(|expr| *expr != Expr::Missing);
    complete
        && neuro_hir::diagnostics(db, function).is_empty()
        && fn_sig(db, function).findings.is_empty()
        && infer(db, function).findings.is_empty()
        && neuro_mir::check(db, function).is_empty()
}

/// A construct that no derivative goes through.
#[derive(Clone, Copy)]
enum Refused {
    /// It has no derivative.
    Never(&'static str),
    /// It does something beside computing a value.
    Effect(&'static str),
    /// It has a derivative, which is not made yet.
    NotYet(&'static str),
}

impl Refused {
    fn words(self) -> &'static str {
        match self {
            Refused::Never(what) | Refused::Effect(what) | Refused::NotYet(what) => what,
        }
    }
}

/// The construct that an expression is, if no derivative goes through it.
fn refused(body: &Body, types: &Inference<'_>, expr: ExprId) -> Option<Refused> {
    use Refused::{Effect, Never, NotYet};
    match &body.exprs[expr] {
        Expr::BuiltinCall { builtin: Builtin::Print | Builtin::Println, .. } => {
            Some(Effect("printing"))
        },
        Expr::BuiltinCall { builtin: Builtin::Unreachable, .. } => Some(Never("`unreachable()`")),
        Expr::MethodCall { .. } => match types.callees.get(expr) {
            Some(Callee::Method(Method::Backward)) => Some(Never("a `.backward()`")),
            Some(Callee::Method(Method::Grad | Method::ZeroGrad)) => Some(Never("a gradient slot")),
            Some(Callee::Function(_)) => Some(NotYet("a call of a method")),
            _ => None,
        },
        Expr::Assign { place, .. } => match &body.exprs[*place] {
            Expr::Deref(_) => Some(Never("a write through a reference")),
            _ => None,
        },
        Expr::Field { .. } | Expr::TupleField { .. } => Some(NotYet("a field")),
        Expr::Tuple(_) => Some(NotYet("a tuple")),
        Expr::StructLit { .. } => Some(NotYet("a struct")),
        Expr::Array(_) if is_array(types, expr) => Some(NotYet("an array")),
        Expr::Index { base, .. } if is_array(types, *base) => Some(NotYet("an element of an array")),
        Expr::Call { .. } | Expr::Path(_) => match types.callees.get(expr) {
            Some(Callee::Newtype(_)) => Some(NotYet("a newtype")),
            Some(Callee::Variant(..)) => Some(NotYet("a variant")),
            _ => None,
        },
        Expr::Try(_) => Some(NotYet("`?`")),
        Expr::Coalesce { .. } => Some(NotYet("`??`")),
        Expr::For { head, .. } if head.as_plain_range().is_none() => {
            Some(NotYet("a `for` over an array"))
        }
        Expr::Missing
        | Expr::Literal(_)
        | Expr::Text(_)
        | Expr::Local(_)
        | Expr::Unary { .. }
        | Expr::Binary { .. }
        | Expr::Compare { .. }
        | Expr::Logic { .. }
        | Expr::Borrow { .. }
        | Expr::Deref(_)
        | Expr::BuiltinCall { builtin: Builtin::Assert | Builtin::Panic | Builtin::Einsum, .. }
        | Expr::While { .. }
        | Expr::Loop { .. }
        | Expr::For { .. }
        | Expr::Match { .. }
        | Expr::Index { .. }
        | Expr::Cast { .. }
        | Expr::Array(_)
        | Expr::Block { .. }
        | Expr::If { .. }
        | Expr::Return(_)
        | Expr::Break { .. }
        | Expr::Continue { .. }
        | Expr::Pool { .. }
        // What follows does not run yet.
        | Expr::Closure(_)
        | Expr::Range { .. }
        | Expr::Pipeline { .. }
        | Expr::Compose { .. } => None,
    }
}

fn is_array(types: &Inference<'_>, expr: ExprId) -> bool {
    matches!(types.ty(expr).peeled(), Ty::Array { .. })
}
