//! The constructs of a body that no derivative goes through, or none yet.

use neuro_db::Db;
use neuro_hir::{Binding, Body, Builtin, Container, Expr, ExprId, Head, HeadSource, LocalId, Stmt};
use neuro_types::{Callee, Collection, Inference, Member, Method, Place, Ty, is_no_grad};
use rustc_hash::FxHashSet;

use super::function_value::is_chosen;

/// A construct and its word.
pub(super) struct Refused {
    pub(super) construct: Construct,
    pub(super) place: Place,
}

/// What stands in the way of a derivative.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Construct {
    Printing,
    Recursion(String),
    GivesNothing,
    ThroughDyn,
    Text,
    /// Of numbers or text; whether it is made here, not filled.
    Collection {
        kind: Collection,
        made: bool,
    },
    /// A write through a `&mut` parameter.
    Write,
    Backward,
    Slot,
    HalfPrecision,
    ChosenFunction,
    /// What has a derivative that is not made yet.
    NotYet(&'static str),
}

impl Construct {
    pub(super) fn words(&self) -> &'static str {
        match self {
            Construct::Printing => "printing",
            Construct::Recursion(_) => "a recursive call",
            Construct::GivesNothing => "a call that gives nothing",
            Construct::ThroughDyn => "a call through `dyn`",
            Construct::Text => "text",
            Construct::Collection { kind, .. } => match kind {
                Collection::Vec => "a `Vec`",
                Collection::HashMap => "a `HashMap`",
                Collection::BTreeMap => "a `BTreeMap`",
                Collection::StringBuilder => "a `StringBuilder`",
                Collection::Chars => "the characters of a text",
            },
            Construct::Write => "a write through a `&mut` parameter",
            Construct::Backward => "a `.backward()`",
            Construct::Slot => "a gradient slot",
            Construct::HalfPrecision => "a function of half precision",
            Construct::ChosenFunction => {
                "a function value that is only known when the program runs"
            }
            Construct::NotYet(what) => what,
        }
    }

    /// Whether it has a derivative, which is not made yet.
    pub(super) fn has_derivative(&self) -> bool {
        matches!(self, Construct::NotYet(_))
    }

    /// What can be written instead.
    pub(super) fn way_out(&self) -> Option<String> {
        Some(match self {
            Construct::Printing => {
                "do it where the function is called, or in a `@no_grad` function called here".into()
            }
            Construct::Recursion(cycle) => cycle.clone(),
            Construct::GivesNothing => "a derivative goes through what a call gives".into(),
            Construct::ThroughDyn => {
                "which function runs is only known for a type parameter: `t: &T` with `T: Trait`".into()
            }
            Construct::Text | Construct::Collection { .. } => {
                "a constant of the loss can be computed in a `@no_grad` function".into()
            }
            Construct::Write => {
                "the gradient is that of the values at the call; give the new value a name of its own".into()
            }
            Construct::HalfPrecision => "convert to `f32` first".into(),
            Construct::ChosenFunction => {
                "write the choice as an `if` around two direct calls".into()
            }
            Construct::Backward | Construct::Slot | Construct::NotYet(_) => return None,
        })
    }
}

/// What stands in the way in a body, without a look at what it calls.
pub(super) fn all<'db>(
    db: &'db dyn Db,
    body: &Body,
    types: &Inference<'db>,
) -> impl Iterator<Item = Refused> {
    let quiet = quiet(db, body, types);
    let mut found: Vec<(ExprId, Construct)> = body
        .exprs
        .iter()
        .filter(|(expr, _)| !quiet.contains(expr))
        .filter_map(|(expr, _)| Some((expr, construct(db, body, types, expr)?)))
        .collect();
    // What makes a text or a collection is told once, and where numbers are put into one rather than where it is made.
    let mut told: Vec<Construct> = Vec::new();
    let filled: Vec<Collection> = found
        .iter()
        .filter_map(|(_, construct)| match construct {
            Construct::Collection { kind, made: false } => Some(*kind),
            _ => None,
        })
        .collect();
    found.retain(|(_, construct)| {
        let once = match construct {
            Construct::Collection { kind, made } => !(*made && filled.contains(kind)),
            Construct::Text => true,
            _ => return true,
        };
        let first = once && !told.contains(construct);
        told.push(construct.clone());
        first
    });
    found.into_iter().map(move |(expr, construct)| {
        let place = match construct {
            Construct::ChosenFunction => Place::Expr(chosen(body, expr)),
            _ => Place::Head(expr),
        };
        Refused { construct, place }
    })
}

/// The function value in a call of it, or of a method that is given it.
fn chosen(body: &Body, call: ExprId) -> ExprId {
    match &body.exprs[call] {
        Expr::Call { callee: function, .. } | Expr::Pipeline { function, .. } => *function,
        Expr::MethodCall { args, .. } => {
            let mut values = args.iter().map(|arg| arg.value);
            values.find(|value| is_chosen(body, *value)).unwrap_or(call)
        }
        _ => call,
    }
}

/// The texts that say something of a panic, or what `einsum` computes.
fn quiet<'db>(db: &'db dyn Db, body: &Body, types: &Inference<'db>) -> FxHashSet<ExprId> {
    let mut quiet = FxHashSet::default();
    for (expr, what) in body.exprs.iter() {
        let args = match what {
            Expr::BuiltinCall { args, .. } => args,
            Expr::Call { args, callee } => {
                match types.callees.get(expr).or_else(|| types.callees.get(*callee)) {
                    Some(Callee::Function(function)) if is_no_grad(db, *function) => args,
                    _ => continue,
                }
            }
            _ => continue,
        };
        for arg in args {
            quiet.insert(arg.value);
            if let Expr::Borrow { operand, .. } = body.exprs[arg.value] {
                quiet.insert(operand);
            }
        }
    }
    quiet.retain(|expr| matches!(body.exprs[*expr], Expr::Text(_)));
    quiet
}

/// The construct that an expression is, if no derivative goes through it.
fn construct<'db>(
    db: &'db dyn Db,
    body: &Body,
    types: &Inference<'db>,
    expr: ExprId,
) -> Option<Construct> {
    use Construct::NotYet;
    match &body.exprs[expr] {
        Expr::BuiltinCall { builtin: Builtin::Print | Builtin::Println, .. } => {
            Some(Construct::Printing)
        }
        Expr::BuiltinCall { builtin: Builtin::Unreachable, .. } => Some(NotYet("`unreachable()`")),
        Expr::Text(_) => Some(Construct::Text),
        Expr::MethodCall { receiver, args, .. } => {
            let args = args.iter().map(|arg| arg.value);
            called(db, (body, types), expr, *receiver, args)
        }
        Expr::Pipeline { function, .. } => {
            match (&body.exprs[*function], types.callees.get(expr)) {
                (_, Some(Callee::Value)) => Some(function_value(body, *function)),
                (Expr::Field { base, .. }, Some(_)) => {
                    called(db, (body, types), expr, *base, std::iter::empty())
                }
                _ => None,
            }
        }
        Expr::Call { callee, .. } => {
            match types.callees.get(expr).or_else(|| types.callees.get(*callee)) {
                Some(Callee::Value) => Some(function_value(body, *callee)),
                Some(Callee::Member(Member::New)) => collection(types, expr, true),
                Some(Callee::Newtype(_)) => Some(NotYet("a newtype")),
                Some(Callee::Variant(..)) => Some(NotYet("a variant")),
                _ => None,
            }
        }
        Expr::Path(_) => match types.callees.get(expr) {
            Some(Callee::Newtype(_)) => Some(NotYet("a newtype")),
            Some(Callee::Variant(..)) => Some(NotYet("a variant")),
            _ => None,
        },
        Expr::Assign { place, .. } => match &body.exprs[*place] {
            _ if is_through_param(body, types, *place) => Some(Construct::Write),
            Expr::Deref(_) => Some(NotYet("a write through a reference")),
            _ => None,
        },
        Expr::Field { .. } | Expr::TupleField { .. } => Some(NotYet("a field")),
        Expr::Tuple(_) => Some(NotYet("a tuple")),
        Expr::StructLit { .. } => Some(NotYet("a struct")),
        Expr::Array(_) if is_array(types, expr) => Some(NotYet("an array")),
        Expr::Index { base, .. } if is_array(types, *base) => {
            Some(NotYet("an element of an array"))
        }
        Expr::Try(_) => Some(NotYet("`?`")),
        Expr::Coalesce { .. } => Some(NotYet("`??`")),
        Expr::For { head, .. } if head.as_plain_range().is_none() => {
            Some(NotYet(walked(types, head)))
        }
        Expr::Closure(_) | Expr::Compose { .. } => Some(NotYet("a function value")),
        Expr::Missing
        | Expr::Literal(_)
        | Expr::Local(_)
        | Expr::Unary { .. }
        | Expr::Binary { .. }
        | Expr::Compare { .. }
        | Expr::Logic { .. }
        | Expr::Borrow { .. }
        | Expr::Deref(_)
        | Expr::BuiltinCall {
            builtin: Builtin::Assert | Builtin::Panic | Builtin::Einsum, ..
        }
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
        | Expr::Range { .. } => None,
    }
}

/// The call of a method.
fn called<'db>(
    db: &'db dyn Db,
    (body, types): (&Body, &Inference<'db>),
    call: ExprId,
    receiver: ExprId,
    mut args: impl Iterator<Item = ExprId>,
) -> Option<Construct> {
    match types.callees.get(call)? {
        Callee::Method(Method::Backward) => Some(Construct::Backward),
        Callee::Method(Method::Grad | Method::ZeroGrad | Method::Hessian | Method::Jacobian) => {
            Some(Construct::Slot)
        }
        Callee::Method(Method::Math(_)) if is_half(types.ty(receiver)) => {
            Some(Construct::HalfPrecision)
        }
        Callee::Method(Method::Map | Method::Zip | Method::Reduce) => args
            .any(|arg| matches!(types.ty(arg), Ty::Fn(_)) && is_chosen(body, arg))
            .then_some(Construct::ChosenFunction),
        Callee::Function(function) => {
            let of_trait = matches!(function.container(db), Container::Trait(_));
            Some(match types.ty(receiver).peeled() {
                Ty::Dyn(_) if of_trait => Construct::ThroughDyn,
                _ => Construct::NotYet("a call of a method"),
            })
        }
        Callee::Member(
            Member::Push
            | Member::PushStr
            | Member::Insert
            | Member::Clear
            | Member::Remove
            | Member::Pop,
        ) => collection(types, receiver, false),
        _ => None,
    }
}

fn function_value(body: &Body, value: ExprId) -> Construct {
    if is_chosen(body, value) {
        Construct::ChosenFunction
    } else {
        Construct::NotYet("a call of a function value")
    }
}

fn collection(types: &Inference<'_>, expr: ExprId, made: bool) -> Option<Construct> {
    match types.ty(expr).peeled() {
        Ty::Collection { kind, .. } => Some(Construct::Collection { kind: *kind, made }),
        _ => None,
    }
}

/// What a `for` walks that is more than a range.
fn walked(types: &Inference<'_>, head: &Head) -> &'static str {
    match head.source {
        HeadSource::Range { .. } if head.enumerate => "`.enumerate()`",
        HeadSource::Range { .. } => "an adapter of a range",
        HeadSource::Expr(source) => match types.ty(source).peeled() {
            Ty::Array { .. } => "a `for` over an array",
            Ty::Slice(_) => "a `for` over a slice",
            Ty::Collection { .. } => "a `for` over a collection",
            _ => "a `for` over an iterator",
        },
    }
}

fn is_half(ty: &Ty) -> bool {
    match ty.peeled() {
        Ty::Scalar(dtype) => dtype.is_half(),
        Ty::Tensor(tensor) => tensor.elem.is_half(),
        _ => false,
    }
}

fn is_array(types: &Inference<'_>, expr: ExprId) -> bool {
    matches!(types.ty(expr).peeled(), Ty::Array { .. })
}

/// Whether a place is behind a `&mut` that the function was given.
fn is_through_param(body: &Body, types: &Inference<'_>, place: ExprId) -> bool {
    let mut place = place;
    loop {
        let Some(local) = root(body, place) else { return false };
        if !matches!(types.local_ty(local), Ty::Ref { mutable: true, .. }) {
            return false;
        }
        match body.locals[local].binding {
            Binding::Param | Binding::Receiver => return true,
            // `val r = w` lends it on.
            Binding::Let => match initial(body, local) {
                Some(init) => place = init,
                None => return false,
            },
            Binding::ClosureParam
            | Binding::Arm
            | Binding::Failure
            | Binding::Loop
            | Binding::Const => return false,
        }
    }
}

/// Whether an argument is a value that the function was given, not one that it made.
pub(super) fn is_given(body: &Body, arg: ExprId) -> bool {
    root(body, arg).is_some_and(|local| {
        matches!(body.locals[local].binding, Binding::Param | Binding::Receiver)
    })
}

/// The local that a place is a part of, or behind.
fn root(body: &Body, mut place: ExprId) -> Option<LocalId> {
    loop {
        place = match &body.exprs[place] {
            Expr::Local(local) => return Some(*local),
            Expr::Deref(base)
            | Expr::Field { base, .. }
            | Expr::TupleField { base, .. }
            | Expr::Index { base, .. }
            | Expr::Borrow { operand: base, .. } => *base,
            _ => return None,
        };
    }
}

/// What a local is bound to.
pub(super) fn initial(body: &Body, local: LocalId) -> Option<ExprId> {
    let blocks = body.exprs.values().filter_map(|expr| match expr {
        Expr::Block { stmts, .. } => Some(stmts),
        _ => None,
    });
    blocks.flatten().find_map(|stmt| match stmt {
        Stmt::Let { pat, init, .. } if body.bound(*pat) == Some(local) => Some(*init),
        _ => None,
    })
}
