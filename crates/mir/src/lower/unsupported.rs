//! What type checks and has no graph yet: found before anything is lowered, so that lowering itself
//! only ever meets what it knows.

use neuro_db::Db;
use neuro_hir::{Expr, ExprId, FormatPart, Function};
use neuro_types::{Callee, FnSig, Inference, Place, Ty, infer};
use rustc_hash::FxHashSet;

/// A construct that has no graph yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What it is, as in "a closure".
    pub construct: String,
    /// Where it stands.
    pub place: Place,
}

/// What keeps a function from being run, differentiated or shown as a graph, though it type checks: the
/// first such construct of its header and body. What it calls is not looked at.
pub fn unsupported<'db>(db: &'db dyn Db, function: Function<'db>) -> Option<&'db Unsupported> {
    crate::body(db, function).unsupported.as_ref()
}

/// The same for a function and everything that it calls, and which of them it is.
pub fn unsupported_in<'db>(
    db: &'db dyn Db,
    root: Function<'db>,
) -> Option<(Function<'db>, &'db Unsupported)> {
    let mut seen = vec![root];
    let mut next = 0;
    while let Some(function) = seen.get(next).copied() {
        next += 1;
        if let Some(found) = unsupported(db, function) {
            return Some((function, found));
        }
        for (_, callee) in infer(db, function).callees.iter() {
            if let Callee::Function(callee) = callee
                && !seen.contains(callee)
            {
                seen.push(*callee);
            }
        }
    }
    None
}

/// The first construct of a function that has no graph.
pub(super) fn find(
    sig: &FnSig,
    hir: &neuro_hir::Body,
    types: &Inference<'_>,
) -> Option<Unsupported> {
    for (index, param) in sig.params.iter().enumerate() {
        if let Some(construct) = no_graph_type(&param.ty) {
            return Some(Unsupported { construct, place: Place::ParamType(index) });
        }
    }
    if let Some(construct) = no_graph_type(&sig.ret) {
        return Some(Unsupported { construct, place: Place::ReturnType });
    }
    let search = Search::new(hir, types);
    hir.exprs.iter().find_map(|(expr, what)| {
        let construct = search.construct(expr, what)?;
        Some(Unsupported { construct, place: Place::Expr(expr) })
    })
}

/// A body that is searched.
struct Search<'a, 'db> {
    types: &'a Inference<'db>,
    /// What calls call.
    called: FxHashSet<ExprId>,
    /// Text that is printed where it stands.
    printed: FxHashSet<ExprId>,
}

impl<'a, 'db> Search<'a, 'db> {
    fn new(hir: &neuro_hir::Body, types: &'a Inference<'db>) -> Self {
        let mut called = FxHashSet::default();
        let mut texts = Vec::new();
        for expr in hir.exprs.values() {
            match expr {
                Expr::Call { callee, .. } => {
                    called.insert(*callee);
                }
                Expr::BuiltinCall { args, .. } => texts.extend(args.iter().map(|arg| arg.value)),
                _ => {}
            }
        }
        let mut printed = FxHashSet::default();
        while let Some(text) = texts.pop() {
            let Expr::Text(parts) = &hir.exprs[text] else { continue };
            printed.insert(text);
            texts.extend(parts.iter().filter_map(|part| match part {
                FormatPart::Hole { value, .. } => Some(*value),
                FormatPart::Text(_) => None,
            }));
        }
        Self { types, called, printed }
    }

    /// What an expression is called, if it has no graph.
    fn construct(&self, expr: ExprId, what: &Expr) -> Option<String> {
        let ty = self.types.ty(expr);
        match what {
            Expr::Text(_) if self.printed.contains(&expr) => None,
            Expr::Name(_) | Expr::Assoc { .. } if self.called.contains(&expr) => None,
            Expr::Name(name) if matches!(ty, Ty::Fn(_)) => Some(format!("`{name}` as a value")),
            Expr::Text(_)
            | Expr::Name(_)
            | Expr::Missing
            | Expr::Literal(_)
            | Expr::Local(_)
            | Expr::Assoc { .. }
            | Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Compare { .. }
            | Expr::Logic { .. }
            | Expr::Borrow { .. }
            | Expr::Deref(_)
            | Expr::Call { .. }
            | Expr::BuiltinCall { .. }
            | Expr::MethodCall { .. }
            | Expr::Index { .. }
            | Expr::Cast { .. }
            | Expr::Array(_)
            | Expr::Block { .. }
            | Expr::If { .. }
            | Expr::While { .. }
            | Expr::Loop { .. }
            | Expr::ForRange { .. }
            | Expr::Return(_)
            | Expr::Break { .. }
            | Expr::Continue { .. }
            | Expr::Assign { .. }
            | Expr::Pool { .. }
            | Expr::Unsupported(_) => no_graph_type(ty),
        }
    }
}

/// What a type is called, if values of it have no place in a graph.
fn no_graph_type(ty: &Ty) -> Option<String> {
    match ty {
        Ty::Error | Ty::Never | Ty::Void | Ty::Scalar(_) | Ty::Char => None,
        Ty::Text => Some("text that is not printed at once".to_owned()),
        Ty::Tensor(tensor) if tensor.shape.known().is_some() => None,
        Ty::Ref { inner, .. } => no_graph_type(inner),
        Ty::Tensor(_)
        | Ty::Tuple(_)
        | Ty::Array { .. }
        | Ty::Slice(_)
        | Ty::Fn(_)
        | Ty::Adt { .. }
        | Ty::Collection { .. }
        | Ty::Param(_)
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => Some(format!("a value of type `{ty}`")),
    }
}
