//! Calls of `@grad` functions whose values are asked for their derivatives: found once, read by lowering and by the
//! checks.

use neuro_db::Db;
use neuro_hir::{Body, Container, Expr, ExprId, Function, LocalId, Stmt};
use neuro_types::{Callee, DiffSpec, Inference, Method, Ty, WrtBase, diff_spec, fn_sig};
use rustc_hash::FxHashMap;

use crate::walk;

/// A call of a `@grad` function whose value is bound and asked for its derivative.
#[derive(Clone, Debug)]
pub(crate) struct Pair<'db> {
    /// The differentiated function.
    pub(crate) function: Function<'db>,
    /// What its signature says.
    pub(crate) spec: &'db DiffSpec,
    /// The call.
    pub(crate) call: ExprId,
    /// What it is given.
    pub(crate) given: Given,
    /// The `.backward()`, a later statement of the block of the call; none where only directions are asked for.
    pub(crate) backward: Option<ExprId>,
    /// Whether there is a `.forward(..)` or `.hvp(..)`, which reads the arguments again.
    pub(crate) has_directions: bool,
    /// The expressions of the statements between the call and the `.backward()`, or the end of the block.
    pub(crate) between: Vec<ExprId>,
}

/// What a call is given.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// What a method is called on.
    pub(crate) receiver: Option<ExprId>,
    /// The arguments without it, as written.
    pub(crate) written: Vec<ExprId>,
    /// For each parameter, the argument that fills it.
    pub(crate) params: Vec<Option<ExprId>>,
}

impl Given {
    fn new(
        db: &dyn Db,
        (body, types): (&Body, &Inference<'_>),
        call: ExprId,
        function: Function<'_>,
    ) -> Self {
        let (receiver, args) = match &body.exprs[call] {
            Expr::Call { args, .. } => (None, args.as_slice()),
            Expr::MethodCall { receiver, args, .. } => (Some(*receiver), args.as_slice()),
            _ => (None, [].as_slice()),
        };
        let mut written: Vec<ExprId> = args.iter().map(|arg| arg.value).collect();
        let sig = fn_sig(db, function);
        // `Type::method(x, ..)`: the receiver is the first argument.
        let first = sig.receiver.is_some() && receiver.is_none() && !written.is_empty();
        let receiver = if first { Some(written.remove(0)) } else { receiver };
        let order = types.arguments.get(call);
        let argument = |param: usize| {
            let index = order.and_then(|order| order.get(param)).copied().unwrap_or(param);
            written.get(index).copied()
        };
        let params = (0..sig.params.len()).map(argument).collect();
        Self { receiver, written, params }
    }

    /// What stands where a derivative begins.
    pub(crate) fn at(&self, base: WrtBase) -> Option<ExprId> {
        match base {
            WrtBase::Receiver => self.receiver,
            WrtBase::Param(param) => self.params.get(param).copied().flatten(),
        }
    }
}

/// The calls of one body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs<'db> {
    /// By the call.
    pub(crate) by_call: FxHashMap<ExprId, Pair<'db>>,
}

/// A binding and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BindingSite {
    /// The block.
    pub(crate) block: ExprId,
    /// Its index among the block's statements.
    pub(crate) index: usize,
    /// The initial value.
    pub(crate) init: ExprId,
}

/// The binding statements of a body, by their local.
pub(crate) fn binding_sites(body: &Body) -> FxHashMap<LocalId, BindingSite> {
    let mut sites = FxHashMap::default();
    for (block, expr) in body.exprs.iter() {
        let Expr::Block { stmts, .. } = expr else { continue };
        for (index, stmt) in stmts.iter().enumerate() {
            if let Stmt::Let { pat, init, .. } = stmt
                && let Some(local) = body.bound(*pat)
            {
                sites.insert(local, BindingSite { block, index, init: *init });
            }
        }
    }
    sites
}

/// The function that a call names, if the expression is a call of a function or method.
pub(crate) fn called<'db>(
    body: &Body,
    types: &Inference<'db>,
    call: ExprId,
) -> Option<Function<'db>> {
    let callee = match &body.exprs[call] {
        Expr::Call { callee, .. } => types.callees.get(call).or_else(|| types.callees.get(*callee)),
        Expr::MethodCall { .. } => types.callees.get(call),
        _ => None,
    };
    match callee {
        Some(Callee::Function(function)) => Some(*function),
        _ => None,
    }
}

/// The type behind a `dyn` through which a method is called: which function runs is not known there.
pub(crate) fn through_dyn<'a>(
    db: &dyn Db,
    (body, types): (&Body, &'a Inference<'_>),
    call: ExprId,
) -> Option<&'a Ty> {
    let function = called(body, types, call)?;
    let receiver = match &body.exprs[call] {
        Expr::MethodCall { receiver, .. } => *receiver,
        Expr::Call { args, .. } if fn_sig(db, function).receiver.is_some() => args.first()?.value,
        _ => return None,
    };
    let ty = types.ty(receiver).peeled();
    let is_of_trait = matches!(function.container(db), Container::Trait(_));
    (is_of_trait && matches!(ty, Ty::Dyn(_))).then_some(ty)
}

/// Whether what is differentiated stays where it is until the `.backward()` that writes its gradient: a `&mut` of a
/// name, or a `&mut` binding that is passed on; a receiver is any place that has a name.
pub(crate) fn is_lent(body: &Body, types: &Inference<'_>, base: WrtBase, arg: ExprId) -> bool {
    match (&body.exprs[arg], base) {
        (Expr::Borrow { mutable: true, operand }, WrtBase::Param(_)) => {
            matches!(body.exprs[*operand], Expr::Local(_))
        }
        (Expr::Borrow { mutable: true, operand }, WrtBase::Receiver) => {
            walk::root(body, *operand).is_some()
        }
        (Expr::Local(_), WrtBase::Param(_)) => {
            matches!(types.ty(arg), Ty::Ref { mutable: true, .. })
        }
        (_, WrtBase::Param(_)) => false,
        (_, WrtBase::Receiver) => walk::root(body, arg).is_some(),
    }
}

/// The method that a method call stands for.
pub(crate) fn method(types: &Inference<'_>, expr: ExprId) -> Option<Method> {
    match types.callees.get(expr) {
        Some(Callee::Method(method)) => Some(*method),
        _ => None,
    }
}

/// What the value of a call is asked for.
#[derive(Default)]
struct Asked {
    backwards: Vec<ExprId>,
    has_directions: bool,
}

/// What each binding is asked for.
fn asked(body: &Body, types: &Inference<'_>) -> FxHashMap<LocalId, Asked> {
    let mut all: FxHashMap<LocalId, Asked> = FxHashMap::default();
    for (expr, what) in body.exprs.iter() {
        let Expr::MethodCall { receiver, .. } = what else { continue };
        let Expr::Local(local) = &body.exprs[*receiver] else { continue };
        match method(types, expr) {
            Some(Method::Backward) => all.entry(*local).or_default().backwards.push(expr),
            Some(Method::Forward | Method::Hvp) => {
                all.entry(*local).or_default().has_directions = true;
            }
            _ => {}
        }
    }
    all
}

/// Finds the pairs of a body: a `val` bound to the call itself, and the first `.backward()` on it among the later
/// statements of the same block, or directions anywhere.
pub(crate) fn pairs<'db>(db: &'db dyn Db, body: &Body, types: &Inference<'db>) -> Pairs<'db> {
    let asked = asked(body, types);
    let mut pairs = Pairs::default();
    if asked.is_empty() {
        return pairs;
    }
    for (local, site) in binding_sites(body) {
        let Some(asked) = asked.get(&local) else { continue };
        let Some(function) = called(body, types, site.init) else { continue };
        let Some(spec) = &diff_spec(db, function).spec else { continue };
        if body.locals[local].mutable || through_dyn(db, (body, types), site.init).is_some() {
            continue;
        }
        let later = walk::exprs_after(body, site.block, site.index);
        let end = later.iter().position(|expr| asked.backwards.contains(expr));
        let backward = end.and_then(|end| later.get(end).copied());
        if backward.is_none() && !asked.has_directions {
            continue;
        }
        let between = later.into_iter().take(end.unwrap_or(usize::MAX)).collect();
        let pair = Pair {
            function,
            spec,
            call: site.init,
            given: Given::new(db, (body, types), site.init, function),
            backward,
            has_directions: asked.has_directions,
            between,
        };
        pairs.by_call.insert(site.init, pair);
    }
    pairs
}
