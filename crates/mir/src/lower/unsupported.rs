//! What type checks and has no graph yet: found before anything is lowered, so that lowering itself
//! only ever meets what it knows.

use neuro_db::Db;
use neuro_hir::{Expr, ExprId, ForBinding, FormatPart, Function, IndexArg, Item, Stmt};
use neuro_types::{Callee, Inference, Place, Ty, fn_sig, generics, infer};
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
pub(super) fn find<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    hir: &neuro_hir::Body,
    types: &Inference<'db>,
) -> Option<Unsupported> {
    let sig = fn_sig(db, function);
    let whole = if sig.receiver.is_some() {
        Some("a method")
    } else if function.is_member(db) {
        Some("a function of a type")
    } else if !generics(db, Item::Function(function)).params.is_empty() {
        Some("a generic function")
    } else {
        None
    };
    if let Some(construct) = whole {
        let construct = construct.to_owned();
        return Some(Unsupported { construct, place: Place::FunctionName });
    }
    for (index, param) in sig.params.iter().enumerate() {
        if let Some(construct) = no_graph_type(&param.ty) {
            return Some(Unsupported { construct, place: Place::ParamType(index) });
        }
    }
    if let Some(construct) = no_graph_type(&sig.ret) {
        return Some(Unsupported { construct, place: Place::ReturnType });
    }
    let search = Search::new(db, hir, types);
    hir.exprs.iter().find_map(|(expr, what)| {
        let construct = search.construct(hir, expr, what)?;
        Some(Unsupported { construct, place: Place::Expr(expr) })
    })
}

/// A body that is searched.
struct Search<'a, 'db> {
    db: &'db dyn Db,
    types: &'a Inference<'db>,
    /// What calls call.
    called: FxHashSet<ExprId>,
    /// Text that is printed where it stands.
    printed: FxHashSet<ExprId>,
}

impl<'a, 'db> Search<'a, 'db> {
    fn new(db: &'db dyn Db, hir: &neuro_hir::Body, types: &'a Inference<'db>) -> Self {
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
        Self { db, types, called, printed }
    }

    /// What an expression is called, if it has no graph.
    fn construct(&self, hir: &neuro_hir::Body, expr: ExprId, what: &Expr) -> Option<String> {
        let ty = self.types.ty(expr);
        let named = |what: &str| Some(what.to_owned());
        match what {
            Expr::Text(_) if self.printed.contains(&expr) => None,
            Expr::Path(_) if self.called.contains(&expr) => None,
            Expr::Path(path) if matches!(ty, Ty::Fn(_)) => Some(format!("`{path}` as a value")),
            Expr::Field { .. } | Expr::TupleField { .. } => named("a field"),
            Expr::Tuple(_) => named("a tuple"),
            Expr::StructLit { .. } => named("a struct literal"),
            Expr::Closure(_) => named("a closure"),
            Expr::Range { .. } => named("a range as an argument"),
            Expr::Try(_) => named("`?`"),
            Expr::Coalesce { .. } => named("`??`"),
            Expr::Pipeline { .. } => named("`|>`"),
            Expr::Compose { .. } => named("`>>`"),
            Expr::Match { .. } => named("`match`"),
            Expr::Break { value: Some(_), .. } => named("a `break` with a value"),
            Expr::For { binding: ForBinding::Pair(..), .. } => named("a `for` over pairs"),
            Expr::For { head, .. } if head.as_plain_range().is_none() => {
                named("a `for` over what is no plain range")
            }
            Expr::Cast { operand, .. } if self.is_char(expr) || self.is_char(*operand) => {
                named("a cast of characters")
            }
            Expr::Call { .. } | Expr::MethodCall { .. } => {
                self.callee(expr).or_else(|| no_graph_type(ty))
            }
            Expr::Index { args, .. }
                if args.iter().any(|arg| matches!(arg, IndexArg::Range { .. })) =>
            {
                named("a slice of a tensor")
            }
            Expr::Block { stmts, .. } => stmts.iter().find_map(|stmt| match stmt {
                Stmt::Let { pat, .. } if hir.bound(*pat).is_none() => {
                    named("a binding that takes a value apart")
                }
                Stmt::LetElse { .. } => named("a binding with `else`"),
                Stmt::Let { .. } | Stmt::Const { .. } | Stmt::Expr(_) => None,
            }),
            Expr::Text(_)
            | Expr::Path(_)
            | Expr::Missing
            | Expr::Literal(_)
            | Expr::Local(_)
            | Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Compare { .. }
            | Expr::Logic { .. }
            | Expr::Borrow { .. }
            | Expr::Deref(_)
            | Expr::BuiltinCall { .. }
            | Expr::Index { .. }
            | Expr::Cast { .. }
            | Expr::Array(_)
            | Expr::If { .. }
            | Expr::While { .. }
            | Expr::Loop { .. }
            | Expr::For { .. }
            | Expr::Return(_)
            | Expr::Break { .. }
            | Expr::Continue { .. }
            | Expr::Assign { .. }
            | Expr::Pool { .. } => no_graph_type(ty),
        }
    }

    fn is_char(&self, expr: ExprId) -> bool {
        *self.types.ty(expr).peeled() == Ty::Char
    }

    /// What a call is called, if what it calls has no graph.
    fn callee(&self, call: ExprId) -> Option<String> {
        match self.types.callees.get(call)? {
            Callee::Function(function) => {
                let generic = self.types.generic_args.get(call).is_some();
                let what = if fn_sig(self.db, *function).receiver.is_some() {
                    "a call of a method"
                } else if function.is_member(self.db) {
                    "a call of a function of a type"
                } else if generic {
                    "a call of a generic function"
                } else {
                    return None;
                };
                Some(what.to_owned())
            }
            Callee::Variant(..) => Some("a variant with a value".to_owned()),
            Callee::Newtype(_) => Some("a newtype".to_owned()),
            Callee::Known(..) => Some("a function that a trait of the language gives".to_owned()),
            Callee::Value => Some("a call of a function value".to_owned()),
            Callee::Member(_) => Some("a method of the language".to_owned()),
            Callee::Const(_)
            | Callee::ConstParam(_)
            | Callee::Method(_)
            | Callee::Constructor(_) => None,
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
