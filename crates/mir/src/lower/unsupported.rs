//! What type checks and has no graph yet: found before anything is lowered, so that lowering itself
//! only ever meets what it knows.

use neuro_db::Db;
use neuro_hir::{
    Builtin, BuiltinTrait, Container, Expr, ExprId, FormatPart, Function, IndexArg, Item,
};
use neuro_types::{
    Callee, Collection, DiffSpec, GenericArg, Inference, Method, Place, TensorConstructor, Ty,
    behind_dyn, diff_spec, fn_sig, generics, implementation, known_implementation, pool_functions,
};
use rustc_hash::FxHashSet;

use super::call::is_next_of_characters;
use super::limit::{can_be_derived, can_be_shown};
use super::member::member_without_graph;
use super::operator::comparison_trait;

use crate::ownership::{held, maps_in, parts_with_drop};
use crate::{
    Body, Code, Instance, Rvalue, StatementKind, instance_body, is_too_deep, key_functions,
    value_body,
};

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
    let mut seen = vec![Instance::plain(db, root)];
    let mut next = 0;
    while let Some(instance) = seen.get(next).copied() {
        next += 1;
        let body = instance_body(db, instance);
        if let Some(found) = body.unsupported.as_ref() {
            return Some((instance.function(db), found));
        }
        // The bodies of its function values, and of theirs, are found as these are looked at.
        let mut bodies = vec![body];
        let mut index = 0;
        while let Some(body) = bodies.get(index).copied() {
            index += 1;
            for local in body.locals.values() {
                ends(db, &local.ty, &mut seen);
            }
            for statement in body.blocks.values().flat_map(|block| &block.statements) {
                called(db, (instance, body), &statement.kind, &mut seen, &mut bodies);
            }
        }
    }
    None
}

/// Adds what may run when a value of a type ends, where a pool comes to own it, or where it is a key.
fn ends<'db>(db: &'db dyn Db, ty: &Ty, seen: &mut Vec<Instance<'db>>) {
    for ty in parts_with_drop(db, ty) {
        let drop = known_implementation(db, BuiltinTrait::Drop, 0, &ty);
        let others = pool_functions(db, &ty);
        for (function, args) in drop.into_iter().chain(others.into_iter().flatten()) {
            let found = Instance::new(db, function, args);
            if !seen.contains(&found) {
                seen.push(found);
            }
        }
    }
    for (map, key) in maps_in(db, ty) {
        for found in key_functions(db, map, &key) {
            if !seen.contains(&found) {
                seen.push(found);
            }
        }
    }
}

/// Adds what a statement calls or may call.
fn called<'db>(
    db: &'db dyn Db,
    (instance, body): (Instance<'db>, &'db Body<'db>),
    kind: &StatementKind<'db>,
    seen: &mut Vec<Instance<'db>>,
    bodies: &mut Vec<&'db Body<'db>>,
) {
    let found = match kind {
        StatementKind::Call { function, generics, .. }
        | StatementKind::FunctionValue { code: Code::Function { function, generics }, .. } => {
            Instance::new(db, *function, generics.clone())
        }
        StatementKind::FunctionValue { code: Code::Expr(expr), .. } => {
            bodies.push(value_body(db, instance, *expr));
            return;
        }
        StatementKind::Forward(sweep) => Instance::plain(db, body.sweeps[*sweep].function),
        StatementKind::Assign { place, value: Rvalue::Object { place: of, .. } } => {
            if let Ty::Dyn(bound) = body.place_ty(place).peeled() {
                let own = body.place_ty(of);
                for (function, args) in behind_dyn(db, &bound.of_trait, &own) {
                    let found = Instance::new(db, function, args);
                    if !seen.contains(&found) {
                        seen.push(found);
                    }
                }
            }
            return;
        }
        StatementKind::Assign { .. }
        | StatementKind::CallDyn { .. }
        | StatementKind::Append { .. }
        | StatementKind::ClearText(_)
        | StatementKind::InPlace { .. }
        | StatementKind::SetElement { .. }
        | StatementKind::Bounds { .. }
        | StatementKind::CallValue { .. }
        | StatementKind::Collection { .. }
        | StatementKind::Backward(_)
        | StatementKind::ZeroGrad(_)
        | StatementKind::Drop { .. }
        | StatementKind::Print { .. }
        | StatementKind::PoolEnter(_)
        | StatementKind::PoolExit(_) => return,
    };
    if !seen.contains(&found) && !is_too_deep(found.args(db)) {
        seen.push(found);
    }
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

/// Whether the checks cannot go through a body: the graph of one of its constructs would be too large.
pub(super) fn has_obstacle<'db>(
    db: &'db dyn Db,
    hir: &neuro_hir::Body,
    types: &Inference<'db>,
) -> bool {
    let search = Search::new(db, hir, types);
    hir.exprs.values().any(|what| matches!(what, Expr::Text(parts) if !search.is_shown(parts)))
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
            && !matches!(**inner, Ty::Text | Ty::Slice(_) | Ty::Dyn(_))
        {
            return named("a reference that becomes another type");
        }
        match what {
            Expr::Text(parts) => (!self.is_shown(parts))
                .then(|| "the fields of so large a struct in a text".to_owned()),
            Expr::Path(_) if self.called.contains(&expr) => None,
            Expr::Unary { operand, .. } => self.operator(expr, &[*operand]),
            Expr::Binary { lhs, rhs, .. } => self.operator(expr, &[*lhs, *rhs]),
            Expr::Compare { op, lhs, rhs } => {
                let (of_trait, _) = comparison_trait(*op);
                let too_large = self.too_large(of_trait, self.types.ty(*lhs).peeled());
                too_large.or_else(|| self.operator(expr, &[*lhs, *rhs]))
            }
            Expr::Assign { op: Some(_), place, value } => self.operator(expr, &[*place, *value]),
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
            Expr::Pipeline { .. }
                if let Some(Callee::Method(
                    method @ (Method::Sum | Method::Mean | Method::Backward),
                )) = self.types.callees.get(expr) =>
            {
                Some(format!("`.{}(..)` with arguments", method.name()))
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
            Expr::Pipeline { function, .. }
                if let Some(Callee::Member(member)) = self.types.callees.get(expr)
                    && let Expr::Field { base, .. } = &hir.exprs[*function] =>
            {
                member_without_graph(*member, self.types.ty(*base))
                    .or_else(|| no_graph_type(self.db, ty))
            }
            Expr::Call { .. } | Expr::MethodCall { .. } | Expr::Pipeline { .. } => {
                self.callee(expr).or_else(|| no_graph_type(self.db, ty))
            }
            Expr::Index { args, .. }
                if args.iter().any(|arg| matches!(arg, IndexArg::Range { .. })) =>
            {
                named("a slice of a tensor")
            }
            Expr::Block { .. } => None,
            Expr::Path(_)
            | Expr::Closure(_)
            | Expr::Compose { .. }
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
            | Expr::For { .. }
            | Expr::While { .. }
            | Expr::Loop { .. }
            | Expr::Return(_)
            | Expr::Break { .. }
            | Expr::Continue { .. }
            | Expr::Assign { .. }
            | Expr::Pool { .. } => no_graph_type(self.db, ty),
        }
    }

    /// Whether there is text of each value in a text.
    fn is_shown(&self, parts: &[FormatPart]) -> bool {
        parts.iter().all(|part| match part {
            FormatPart::Hole { value, .. } => can_be_shown(self.db, self.types.ty(*value)),
            FormatPart::Text(_) => true,
        })
    }

    /// An operator of a type of the program, or one on what has no graph.
    fn operator(&self, expr: ExprId, operands: &[ExprId]) -> Option<String> {
        let types = operands.iter().map(|operand| self.types.ty(*operand).peeled());
        for ty in types {
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

    /// What a call of a function of a trait is called, if no block of the program gives the function.
    fn of_trait(&self, function: Function<'_>, given: Option<&[GenericArg]>) -> Option<String> {
        let (found, args) = implementation(self.db, function, given.unwrap_or_default());
        let Container::Trait(item) = found.container(self.db) else { return None };
        let Some(GenericArg::Type(own)) = args.first() else { return None };
        let known = is_open(own)
            || matches!(own, Ty::Dyn(_))
            || is_next_of_characters(self.db, found, &args);
        if known || neuro_hir::signature(self.db, found).has_body {
            return None;
        }
        Some(format!("`{}` of `{own}`", item.name(self.db)))
    }

    /// What a method of a trait that the language knows is called, if it has no graph.
    fn known(&self, of_trait: BuiltinTrait, index: usize, own: &Ty) -> Option<String> {
        if is_open(own) || known_implementation(self.db, of_trait, index, own).is_some() {
            return None;
        }
        self.too_large(of_trait, own).or_else(|| no_graph_type(self.db, own))
    }

    /// What an operation is called that goes through too many parts of a value.
    fn too_large(&self, of_trait: BuiltinTrait, own: &Ty) -> Option<String> {
        let what = match of_trait {
            BuiltinTrait::PartialEq | BuiltinTrait::Comparable => {
                "a comparison of so large a struct"
            }
            BuiltinTrait::Clone => "a copy of so large a struct",
            _ => return None,
        };
        (!can_be_derived(self.db, of_trait, own)).then(|| what.to_owned())
    }

    /// What a call is called, if what it calls has no graph.
    fn callee(&self, call: ExprId) -> Option<String> {
        match self.types.callees.get(call)? {
            Callee::Function(function) => {
                let given = self.types.generic_args.get(call);
                if let Some(found) = self.of_trait(*function, given.map(Vec::as_slice)) {
                    return Some(found);
                }
                given.into_iter().flatten().find_map(|arg| match arg {
                    GenericArg::Type(ty) => no_graph_type(self.db, ty),
                    GenericArg::Const(_) => None,
                })
            }
            Callee::Known(of_trait, index) => {
                let given = self.types.generic_args.get(call).and_then(|args| args.first());
                match given {
                    Some(GenericArg::Type(own)) => self.known(*of_trait, *index, own),
                    Some(GenericArg::Const(_)) | None => None,
                }
            }
            Callee::Member(member) => member_without_graph(*member, self.types.ty(call)),
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
            Callee::Variant(..)
            | Callee::Newtype(_)
            | Callee::Const(_)
            | Callee::ConstParam(_)
            | Callee::Value => None,
        }
    }
}

/// Whether a type is not known before the function is called.
fn is_open(ty: &Ty) -> bool {
    ty.any(&mut |part| matches!(part, Ty::Param(_) | Ty::Assoc(_) | Ty::Opaque(_)))
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
        Ty::Error | Ty::Never | Ty::Void | Ty::Scalar(_) | Ty::Char => None,
        Ty::Text => None,
        Ty::Collection { kind: Collection::StringBuilder | Collection::Chars, .. } => None,
        Ty::Slice(elem) => type_without_graph(db, elem, seen),
        Ty::Collection {
            kind: Collection::Vec | Collection::HashMap | Collection::BTreeMap,
            args,
        } => args.iter().find_map(|part| type_without_graph(db, part, seen)),
        Ty::Tensor(tensor) if tensor.shape.known().is_some() => None,
        Ty::Ref { inner, .. } => type_without_graph(db, inner, seen),
        Ty::Tuple(parts) => parts.iter().find_map(|part| type_without_graph(db, part, seen)),
        // What a parameter stands for is looked at where the function is called.
        Ty::Param(_) | Ty::Assoc(_) | Ty::Opaque(_) | Ty::Dyn(_) => None,
        Ty::Fn(function) => function
            .params
            .iter()
            .chain([&function.ret])
            .find_map(|part| type_without_graph(db, part, seen)),
        Ty::Array { elem, len } => match len.known() {
            None => type_without_graph(db, elem, seen),
            Some(len) if len.saturating_mul(scalars(db, elem)) > MAX_PARTS => {
                Some(format!("an array of this size, `{ty}`"))
            }
            Some(_) => type_without_graph(db, elem, seen),
        },
        Ty::Adt { .. } => adt_without_graph(db, ty, seen),
        Ty::Tensor(_) | Ty::Sparse(_) | Ty::Var(_) => Some(format!("a value of type `{ty}`")),
    }
}

/// A struct, enum or newtype of what has graphs has one.
fn adt_without_graph(db: &dyn Db, ty: &Ty, seen: &mut Vec<Ty>) -> Option<String> {
    // What was looked at once has a graph. References may lead to ever larger types.
    if seen.contains(ty) || seen.len() >= MAX_TYPES {
        return None;
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
