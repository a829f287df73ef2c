//! What type checks and has no graph yet: found before anything is lowered, so that lowering itself
//! only ever meets what it knows.

use neuro_db::Db;
use neuro_hir::{
    Adapter, Arm, Builtin, Container, Expr, ExprId, FormatPart, Function, Head, HeadSource,
    IndexArg, Item, Pat, Stmt,
};
use neuro_types::{
    Callee, Collection, Def, DiffSpec, GenericArg, Generics, Inference, Method, Place,
    TensorConstructor, Ty, diff_spec, fn_sig, generics, infer,
};
use rustc_hash::FxHashSet;

use super::member::{is_of_text, member_without_graph};
use super::sequence::sequence_of;
use super::text::can_be_shown;
use crate::ownership::{has_drop, held, moves};

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
    let spec = diff_spec(db, function).spec.as_ref();
    if let Some(construct) = spec.and_then(DiffSpec::beyond_gradients) {
        return Some(Unsupported { construct: construct.to_owned(), place: Place::FunctionName });
    }
    let whole = if spec.is_some() && sig.receiver.is_some() {
        Some("a derivative of a method")
    } else if let Container::Trait(_) = function.container(db) {
        Some("a function of a trait")
    } else if spec.is_some() && !generics(db, Item::Function(function)).params.is_empty() {
        Some("a generic `@grad` function")
    } else {
        None
    };
    if let Some(construct) = whole {
        let construct = construct.to_owned();
        return Some(Unsupported { construct, place: Place::FunctionName });
    }
    for (index, param) in sig.params.iter().enumerate() {
        if let Some(construct) = no_graph_type(db, &param.ty) {
            return Some(Unsupported { construct, place: Place::ParamType(index) });
        }
    }
    if let Some(construct) = no_graph_type(db, &sig.ret) {
        return Some(Unsupported { construct, place: Place::ReturnType });
    }
    if let Some(construct) = sig.receiver.as_ref().and_then(|ty| no_graph_type(db, ty)) {
        return Some(Unsupported { construct, place: Place::FunctionName });
    }
    find_in_body(db, hir, types)
}

/// The first construct of a body that has no graph.
pub(super) fn find_in_body<'db>(
    db: &'db dyn Db,
    hir: &neuro_hir::Body,
    types: &Inference<'db>,
) -> Option<Unsupported> {
    let search = Search::new(db, hir, types);
    hir.exprs.iter().find_map(|(expr, what)| {
        let construct = search.construct(hir, expr, what)?;
        Some(Unsupported { construct, place: Place::Expr(expr) })
    })
}

/// A body that is searched.
struct Search<'a, 'db> {
    db: &'db dyn Db,
    hir: &'a neuro_hir::Body,
    types: &'a Inference<'db>,
    /// What calls call.
    called: FxHashSet<ExprId>,
}

impl<'a, 'db> Search<'a, 'db> {
    fn new(db: &'db dyn Db, hir: &'a neuro_hir::Body, types: &'a Inference<'db>) -> Self {
        let mut called = FxHashSet::default();
        for expr in hir.exprs.values() {
            if let Expr::Call { callee, .. } = expr {
                called.insert(*callee);
            }
        }
        Self { db, hir, types, called }
    }

    /// What an expression is called, if it has no graph.
    fn construct(&self, hir: &neuro_hir::Body, expr: ExprId, what: &Expr) -> Option<String> {
        let ty = self.types.ty(expr);
        let named = |what: &str| Some(what.to_owned());
        if let Some(Ty::Ref { inner, .. }) = self.types.coercions.get(expr)
            && !matches!(**inner, Ty::Text | Ty::Slice(_))
        {
            return named("a reference that becomes another type");
        }
        match what {
            Expr::Text(parts) => {
                let shown = parts.iter().all(|part| match part {
                    FormatPart::Hole { value, .. } => can_be_shown(self.db, self.types.ty(*value)),
                    FormatPart::Text(_) => true,
                });
                (!shown).then(|| "the fields of so large a struct in a text".to_owned())
            }
            Expr::Path(_) if self.called.contains(&expr) => None,
            Expr::Path(path) if matches!(ty, Ty::Fn(_)) => Some(format!("`{path}` as a value")),
            Expr::Unary { operand, .. } => self.operator(expr, &[*operand]),
            Expr::Binary { lhs, rhs, .. } | Expr::Compare { lhs, rhs, .. } => {
                self.operator(expr, &[*lhs, *rhs])
            }
            Expr::Assign { op: Some(_), place, value } => self.operator(expr, &[*place, *value]),
            Expr::Closure(_) => named("a closure"),
            Expr::Pipeline { .. } => named("`|>`"),
            Expr::Compose { .. } => named("`>>`"),
            Expr::Match { arms, .. }
                if arms.iter().any(|arm| self.takes_before_guard(hir, arm)) =>
            {
                named("a guard behind a pattern that takes the rest of an array")
            }
            Expr::For { head, .. } => self.head(head),
            Expr::MethodCall { args, .. }
                if !args.is_empty()
                    && matches!(
                        self.types.callees.get(expr),
                        Some(Callee::Method(Method::Sum | Method::Mean | Method::Backward))
                    ) =>
            {
                self.types.callees.get(expr).and_then(|callee| match callee {
                    Callee::Method(method) => {
                        Some(format!("`.{}(..)` with arguments", method.name()))
                    }
                    _ => None,
                })
            }
            Expr::MethodCall { receiver, .. } if self.is_of_method(expr, *receiver) => {
                named("a derivative of a method")
            }
            Expr::BuiltinCall { builtin: Builtin::Einsum, .. } => named("`einsum`"),
            Expr::MethodCall { receiver, .. }
                if let Some(Callee::Member(member)) = self.types.callees.get(expr) =>
            {
                member_without_graph(*member, self.types.ty(*receiver))
                    .or_else(|| no_graph_type(self.db, ty))
            }
            Expr::Call { .. } | Expr::MethodCall { .. } => {
                self.callee(expr).or_else(|| no_graph_type(self.db, ty))
            }
            Expr::Index { args, .. }
                if args.iter().any(|arg| matches!(arg, IndexArg::Range { .. })) =>
            {
                named("a slice of a tensor")
            }
            Expr::Block { stmts, .. } => stmts.iter().find_map(|stmt| match stmt {
                Stmt::Let { .. } | Stmt::LetElse { .. } | Stmt::Const { .. } | Stmt::Expr(_) => {
                    None
                }
            }),
            Expr::Path(_)
            | Expr::Missing
            | Expr::Range { .. }
            | Expr::Literal(_)
            | Expr::Local(_)
            | Expr::Field { .. }
            | Expr::TupleField { .. }
            | Expr::Tuple(_)
            | Expr::StructLit { .. }
            | Expr::Try(_)
            | Expr::Coalesce { .. }
            | Expr::Match { .. }
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
            | Expr::Return(_)
            | Expr::Break { .. }
            | Expr::Continue { .. }
            | Expr::Assign { .. }
            | Expr::Pool { .. } => no_graph_type(self.db, ty),
        }
    }

    /// The head of a `for`: a range, or an array that is walked as it is.
    fn head(&self, head: &Head) -> Option<String> {
        let changes = head.adapters.iter().any(|adapter| match adapter {
            Adapter::Map(_) | Adapter::Filter(_) => true,
            Adapter::Rev | Adapter::Step(_) => false,
        });
        let what = match head.source {
            _ if changes => "a `for` that changes its elements",
            HeadSource::Range { .. } => return None,
            HeadSource::Expr(source)
                if sequence_of(self.types.ty(source).peeled()).is_some()
                    || is_of_text(self.types.ty(source))
                    || *self.types.ty(source) == Ty::Void =>
            {
                return None;
            }
            HeadSource::Expr(_) => "a `for` over an iterator",
        };
        Some(what.to_owned())
    }

    /// Whether an arm with a guard takes the rest of an array, which is put together of its elements.
    fn takes_before_guard(&self, hir: &neuro_hir::Body, arm: &Arm) -> bool {
        let mut bound = Vec::new();
        let mut todo = vec![arm.pat];
        while let Some(pat) = todo.pop() {
            match &hir.pats[pat] {
                Pat::Tuple(elements) | Pat::Variant { elements, .. } | Pat::Or(elements) => {
                    todo.extend(elements);
                }
                Pat::Array { elements, rest } => {
                    todo.extend(elements);
                    bound.extend(rest.and_then(|rest| rest.local));
                }
                Pat::Struct { fields, .. } => todo.extend(fields.iter().map(|field| field.pat)),
                Pat::Missing
                | Pat::Wildcard
                | Pat::Bind(_)
                | Pat::Literal(_)
                | Pat::Range { .. }
                | Pat::Path(_) => {}
            }
        }
        let taken =
            |ty: &Ty| !matches!(ty, Ty::Ref { .. }) && moves(self.db, &Generics::default(), ty);
        arm.guard.is_some() && bound.iter().any(|local| taken(self.types.local_ty(*local)))
    }

    /// An operator of a type of the program, or one on what has no graph.
    fn operator(&self, expr: ExprId, operands: &[ExprId]) -> Option<String> {
        let types = operands.iter().map(|operand| self.types.ty(*operand).peeled());
        for ty in types {
            if let Ty::Adt { .. } | Ty::Param(_) = ty {
                return Some(format!("an operator on `{ty}`"));
            }
            if let Some(found) = no_graph_type(self.db, ty) {
                return Some(found);
            }
        }
        no_graph_type(self.db, self.types.ty(expr))
    }

    /// Whether this runs the derivative of the call of a method.
    fn is_of_method(&self, expr: ExprId, receiver: ExprId) -> bool {
        let hir = self.hir;
        let backward = self.types.callees.get(expr) == Some(&Callee::Method(Method::Backward));
        let Expr::Local(local) = &hir.exprs[receiver] else { return false };
        let bound = || crate::pairs::binding_sites(hir).get(local).map(|site| site.init);
        backward
            && bound().is_some_and(|init| {
                matches!(hir.exprs[init], Expr::MethodCall { .. })
                    && matches!(self.types.callees.get(init), Some(Callee::Function(function))
                    if diff_spec(self.db, *function).spec.is_some())
            })
    }

    /// What a call is called, if what it calls has no graph.
    fn callee(&self, call: ExprId) -> Option<String> {
        match self.types.callees.get(call)? {
            Callee::Function(function) => {
                if let Container::Trait(_) = function.container(self.db) {
                    return Some("a call of a function of a trait".to_owned());
                }
                let given = self.types.generic_args.get(call);
                given.into_iter().flatten().find_map(|arg| match arg {
                    GenericArg::Type(ty) => no_graph_type(self.db, ty),
                    GenericArg::Const(_) => None,
                })
            }
            Callee::Value => Some("a call of a function value".to_owned()),
            Callee::Member(member) => member_without_graph(*member, self.types.ty(call)),
            Callee::Known(..) => Some("a method of the language".to_owned()),
            Callee::Method(method) => {
                lacks_graph(*method).then(|| format!("`.{}()`", method.name()))
            }
            Callee::Constructor(constructor) => match constructor {
                TensorConstructor::Zeros
                | TensorConstructor::Ones
                | TensorConstructor::Identity
                | TensorConstructor::Scalar
                | TensorConstructor::From => None,
                TensorConstructor::RandomNormal
                | TensorConstructor::FromFn
                | TensorConstructor::Stack
                | TensorConstructor::Select => Some(format!("`Tensor::{}`", constructor.name())),
            },
            Callee::Variant(..) | Callee::Newtype(_) | Callee::Const(_) | Callee::ConstParam(_) => {
                None
            }
        }
    }
}

/// The largest value that lies on the stack, in bytes or parts.
const MAX_PARTS: u64 = 1 << 20;

/// How many types one type is searched for.
const MAX_TYPES: usize = 1 << 10;

/// Whether a method has no place in a graph.
fn lacks_graph(method: Method) -> bool {
    match method {
        Method::Math(_)
        | Method::Sum
        | Method::Mean
        | Method::Item
        | Method::Clone
        | Method::Transpose
        | Method::Detach
        | Method::Backward
        | Method::Grad
        | Method::ZeroGrad => false,
        Method::Max
        | Method::Min
        | Method::Sort
        | Method::Argsort
        | Method::Topk
        | Method::Flat
        | Method::Permute
        | Method::Reshape
        | Method::Flatten
        | Method::Map
        | Method::Zip
        | Method::Reduce
        | Method::To
        | Method::Forward
        | Method::Hvp
        | Method::Jacobian
        | Method::Hessian
        | Method::Nnz
        | Method::Values
        | Method::Rows
        | Method::Cols
        | Method::RowPtr
        | Method::ToDense
        | Method::Matvec => true,
    }
}

/// What a type is called, if values of it have no place in a graph.
fn no_graph_type(db: &dyn Db, ty: &Ty) -> Option<String> {
    type_without_graph(db, ty, &mut Vec::new())
}

fn type_without_graph(db: &dyn Db, ty: &Ty, seen: &mut Vec<Ty>) -> Option<String> {
    match ty {
        Ty::Scalar(dtype) if dtype.is_half() => Some("half precision".to_owned()),
        Ty::Tensor(tensor) if tensor.elem.is_half() => Some("half precision".to_owned()),
        Ty::Error | Ty::Never | Ty::Void | Ty::Scalar(_) | Ty::Char => None,
        Ty::Text => None,
        Ty::Collection { kind: Collection::StringBuilder | Collection::Chars, .. } => None,
        Ty::Slice(elem) => type_without_graph(db, elem, seen),
        Ty::Collection { kind: Collection::HashMap | Collection::BTreeMap, args }
            if !args.first().is_some_and(is_plain_key) =>
        {
            Some(format!("a value of type `{ty}`"))
        }
        Ty::Collection {
            kind: Collection::Vec | Collection::HashMap | Collection::BTreeMap,
            args,
        } => args.iter().find_map(|part| type_without_graph(db, part, seen)),
        Ty::Tensor(tensor) if tensor.shape.known().is_some() => None,
        Ty::Ref { inner, .. } => type_without_graph(db, inner, seen),
        Ty::Tuple(parts) => parts.iter().find_map(|part| type_without_graph(db, part, seen)),
        // What a parameter stands for is looked at where the function is called.
        Ty::Param(_) => None,
        Ty::Array { elem, len } => match len.known() {
            None => type_without_graph(db, elem, seen),
            Some(len) if len.saturating_mul(scalars(db, elem)) > MAX_PARTS => {
                Some(format!("an array of this size, `{ty}`"))
            }
            Some(_) => type_without_graph(db, elem, seen),
        },
        Ty::Adt { def, .. } => adt_without_graph(db, def, ty, seen),
        Ty::Tensor(_)
        | Ty::Fn(_)
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Sparse(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => Some(format!("a value of type `{ty}`")),
    }
}

/// Whether the language itself compares and hashes keys of a type. What a parameter stands for is looked at where the
/// function is called.
fn is_plain_key(ty: &Ty) -> bool {
    matches!(ty, Ty::Scalar(_) | Ty::Char | Ty::Text | Ty::Param(_))
}

/// A struct, enum or newtype of what has graphs has one, unless it has a `drop`.
fn adt_without_graph(db: &dyn Db, def: &Def, ty: &Ty, seen: &mut Vec<Ty>) -> Option<String> {
    // What was looked at once has a graph. References may lead to ever larger types.
    if seen.contains(ty) || seen.len() >= MAX_TYPES {
        return None;
    }
    if has_drop(db, def) {
        return Some(format!("a value of type `{ty}`, which has a `drop`"));
    }
    seen.push(ty.clone());
    held(db, ty).iter().find_map(|part| type_without_graph(db, part, seen))
}

/// How many numbers, tensors and references a value holds.
fn scalars(db: &dyn Db, ty: &Ty) -> u64 {
    match ty {
        Ty::Array { elem, len } => len.known().unwrap_or(1).saturating_mul(scalars(db, elem)),
        Ty::Adt { .. } | Ty::Tuple(_) => held(db, ty)
            .iter()
            .fold(0, |sum: u64, part| sum.saturating_add(scalars(db, part)))
            .max(1),
        _ => 1,
    }
}
