//! What a derivative refuses, each construct at its word.
//!
//! The bodies of the function and of what it calls are looked through for every construct that has no derivative, so
//! that all of them are reported at once, whether or not the rest of the body runs yet. What has a derivative that is
//! not made yet, or only shows in the graph, is reported when nothing is refused, and once.

mod construct;
mod function_value;

use neuro_db::Db;
use neuro_db::codes::{NOT_DIFFERENTIABLE, UNSUPPORTED};
use neuro_hir::{Arg, Body, Expr, ExprId, Function};
use neuro_mir::Instance;
use neuro_types::{
    Callee, Finding, Inference, Place, Ty, diff_spec, fn_sig, implementation, infer, is_no_grad,
};
use rustc_hash::FxHashSet;

use crate::{Checked, DerivativeError, NotRaised, derivative, ir_type};
use construct::{Construct, Refused};

/// A construct that stands in the way of a derivative, in the function itself or in one that it calls.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct Refusal<'db> {
    /// The function that the construct stands in.
    pub function: Function<'db>,
    /// What is said of it.
    pub finding: Finding,
}

/// What stands in the way of the derivative that a function asks for; nothing for one that asks for none.
pub fn check<'db>(db: &'db dyn Db, function: Function<'db>) -> &'db [Refusal<'db>] {
    if diff_spec(db, function).spec.is_none() { &[] } else { refusals(db, function) }
}

#[salsa::tracked(returns(deref))]
fn refusals<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Refusal<'db>> {
    let mut search = Search {
        db,
        refusals: Vec::new(),
        not_yet: Vec::new(),
        seen: FxHashSet::from_iter([(function, false)]),
        around: Vec::new(),
        clean: true,
    };
    search.function(function, false);
    search.expectations(function);
    // Only of what runs can be said that its derivative does not.
    if search.refusals.is_empty()
        && search.clean
        && neuro_mir::unsupported_in(db, function).is_none()
    {
        let found = search.first_not_yet(function);
        search.refusals.extend(found);
    }
    search.refusals
}

struct Search<'db> {
    db: &'db dyn Db,
    refusals: Vec<Refusal<'db>>,
    /// What has a derivative that is not made yet.
    not_yet: Vec<Refusal<'db>>,
    /// Functions that were looked through already, and whether as ones that no derivative goes through.
    seen: FxHashSet<(Function<'db>, bool)>,
    /// The functions that are being looked through, outermost first.
    around: Vec<Function<'db>>,
    /// Whether every function so far is well typed: only then does its graph mean anything.
    clean: bool,
}

impl<'db> Search<'db> {
    /// Looks through a function; a fenced one is only called, and may do whatever has a graph.
    fn function(&mut self, function: Function<'db>, fenced: bool) {
        let body = neuro_hir::body(self.db, function);
        let types = infer(self.db, function);
        if !is_clean(self.db, function) {
            self.clean = false;
            return;
        }
        let fenced = fenced || is_no_grad(self.db, function);
        self.around.push(function);
        for refused in construct::all(self.db, body, types) {
            self.refuse(function, refused, fenced);
        }
        for (expr, what) in body.exprs.iter() {
            if let Some(callee) = self.callee(types, expr) {
                self.named((function, body), (expr, what), callee, fenced);
            }
        }
        self.around.pop();
    }

    /// The function that an expression names or calls: of a trait the one of the type, where it is known.
    fn callee(&self, types: &Inference<'db>, expr: ExprId) -> Option<Function<'db>> {
        let Some(Callee::Function(callee)) = types.callees.get(expr).copied() else { return None };
        let given = types.generic_args.get(expr).map(Vec::as_slice).unwrap_or_default();
        Some(implementation(self.db, callee, given).0)
    }

    fn named(
        &mut self,
        (function, body): (Function<'db>, &Body),
        (expr, what): (ExprId, &Expr),
        callee: Function<'db>,
        fenced: bool,
    ) {
        let refused = |construct: Construct| Refused { construct, place: Place::Head(expr) };
        let is_call = match what {
            Expr::Call { .. } | Expr::MethodCall { .. } | Expr::Pipeline { .. } => true,
            _ => {
                let calls =
                    |call: &Expr| matches!(call, Expr::Call { callee, .. } if *callee == expr);
                body.exprs.values().any(calls)
            }
        };
        if self.around.contains(&callee) {
            let cycle = self.cycle(callee);
            self.refuse(function, refused(Construct::Recursion(cycle)), fenced);
            return;
        }
        if let Expr::Call { args, .. } = what
            && is_no_grad(self.db, callee)
            && !fenced
        {
            self.fenced_call((function, body), expr, args, callee);
        }
        if self.seen.insert((callee, fenced || is_no_grad(self.db, callee))) {
            self.function(callee, fenced);
        }
        // What it does instead of giving something may have been refused.
        let told = self.refusals.iter().any(|refusal| refusal.function == callee);
        if is_call && fn_sig(self.db, callee).ret == Ty::Void && !told {
            self.refuse(function, refused(Construct::GivesNothing), fenced);
        }
    }

    /// How a function comes to call itself.
    fn cycle(&self, callee: Function<'db>) -> String {
        let first = self.around.iter().position(|around| *around == callee).unwrap_or_default();
        let names = self.around.iter().skip(first).chain([&callee]);
        let names: Vec<String> =
            names.map(|function| format!("`{}`", function.name(self.db))).collect();
        match names.as_slice() {
            [one, _] => format!("{one} calls itself"),
            _ => names.join(" calls "),
        }
    }

    /// A derivative reads the arguments of a fenced call again, so the call may only read them.
    fn fenced_call(
        &mut self,
        (function, body): (Function<'db>, &Body),
        call: ExprId,
        args: &[Arg],
        callee: Function<'db>,
    ) {
        let order = infer(self.db, function).arguments.get(call).cloned();
        let name = callee.name(self.db);
        for (index, param) in fn_sig(self.db, callee).params.iter().enumerate() {
            let written = order.as_ref().and_then(|order| order.get(index)).copied();
            let Some(arg) = args.get(written.unwrap_or(index)) else { continue };
            let finding = match &param.ty {
                Ty::Ref { mutable: true, .. } => {
                    let message = format!(
                        "`{name}` borrows `{}` mutably, and a `@no_grad` function that a derivative calls only reads",
                        param.name
                    );
                    Finding::new(NOT_DIFFERENTIABLE, Place::Expr(arg.value), message)
                        .note(format!("take it as `&{}` there", param.ty.peeled()))
                }
                ty if is_taken(ty) && construct::is_given(body, arg.value) => {
                    let message = format!(
                        "`{name}` takes `{}`, and a `@no_grad` function that a derivative calls only reads",
                        param.name
                    );
                    Finding::new(NOT_DIFFERENTIABLE, Place::Expr(arg.value), message)
                        .note(format!("take it as `&{ty}` there"))
                }
                _ => continue,
            };
            self.refusals.push(Refusal { function, finding });
        }
    }

    fn refuse(&mut self, function: Function<'db>, refused: Refused, fenced: bool) {
        let what = refused.construct.words();
        let not_yet = |message: String| Finding::new(UNSUPPORTED, refused.place, message);
        let (list, finding) = if fenced {
            let message = format!(
                "{what} in a `@no_grad` function that a derivative calls is not supported yet"
            );
            (&mut self.not_yet, not_yet(message))
        } else if refused.construct.has_derivative() {
            let message = format!("{what} in what is differentiated is not supported yet");
            (&mut self.not_yet, not_yet(message))
        } else {
            let message = format!("cannot differentiate through {what}");
            let finding = Finding::new(NOT_DIFFERENTIABLE, refused.place, message);
            let finding = match refused.construct.way_out() {
                Some(note) => finding.note(note),
                None => finding,
            };
            (&mut self.refusals, finding)
        };
        list.push(Refusal { function, finding });
    }

    /// `@expect` is told that nothing is compared yet, once.
    fn expectations(&mut self, function: Function<'db>) {
        let spec = diff_spec(self.db, function).spec.as_ref();
        let Some(first) = spec.and_then(|spec| spec.expected.first()) else { return };
        let (attr, arg) = first.place;
        let message = format!("`{}:` is not compared with the derivative yet", first.key);
        let finding = Finding::new(UNSUPPORTED, Place::AttrLabel(attr, arg), message);
        self.refusals.push(Refusal { function, finding });
    }

    /// The first thing that has no derivative yet: of the function itself, of its header, of what it calls, of its
    /// graph.
    fn first_not_yet(&mut self, function: Function<'db>) -> Option<Refusal<'db>> {
        let own = self.not_yet.iter().position(|refusal| refusal.function == function);
        if let Some(own) = own {
            return Some(self.not_yet.swap_remove(own));
        }
        let params = &fn_sig(self.db, function).params;
        if let Some(index) = params.iter().position(|param| ir_type(&param.ty).is_none()) {
            let message = format!(
                "a parameter of type `{}` in what is differentiated is not supported yet",
                params[index].ty
            );
            let finding = Finding::new(UNSUPPORTED, Place::ParamType(index), message);
            return Some(Refusal { function, finding });
        }
        let called = self.not_yet.drain(..).next();
        called.or_else(|| self.graph(function))
    }

    /// What the graph or its derivative says when nothing else did.
    fn graph(&self, function: Function<'db>) -> Option<Refusal<'db>> {
        let instance = Instance::plain(self.db, function);
        let (site, what) = match derivative(self.db, instance, Checked::Yes) {
            Ok(_) | Err(DerivativeError::NoSpec) => return None,
            Err(DerivativeError::NotRaised(NotRaised { site, what })) => (*site, what),
            Err(DerivativeError::NoRule { site, what }) => (*site, what),
        };
        let message = format!("{what} in what is differentiated is not supported yet");
        let (function, place) = match site {
            Some(site) => (site.function, Place::Head(site.expr)),
            None => (function, Place::FunctionName),
        };
        Some(Refusal { function, finding: Finding::new(UNSUPPORTED, place, message) })
    }
}

/// Whether an argument of this type is given away: neither number nor tensor, and no reference.
fn is_taken(ty: &Ty) -> bool {
    !matches!(
        ty,
        Ty::Ref { .. } | Ty::Scalar(_) | Ty::Char | Ty::Tensor(_) | Ty::Fn(_) | Ty::Param(_)
    )
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
