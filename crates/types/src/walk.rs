//! Inference: one walk over a body that gives every expression its type.
//!
//! Types flow both ways. What is expected flows down ([`Context::check`]), so that `[1.0, 2.0]` becomes a
//! tensor and a mismatch is reported at the word that causes it; what is found flows up
//! ([`Context::infer`]). What is not known yet is a variable of the unification table ([`Ty::Var`]); the
//! type of a literal without suffix stays one until either side of it says which it is, and a statement
//! is the farthest that it stays open.
//!
//! # Guide
//!
//! One file for each concern; `expr` sends each kind of expression to its file. What they share:
//! * `infer(expr, hint)`: the type of an expression; the hint is welcome and need not be met.
//! * `check(expr, ty, why)`: the expression must have this type; [`Why`] gives the words and the place where
//!   the expectation comes from. `expect` does the same for a type that was inferred already; coercions
//!   are there and nowhere else.
//! * `self.table`: `fresh`, `fresh_extent`, `unify`, `finish` (literals take their default), `attempt`.
//!   `resolved(ty)` is a type as far as it is known; look at no type without it.
//!   `settled(expr, ty)` is the same where the outermost part must be known, and reports if it is not.
//! * `report`, or `refuse`, which also gives [`Ty::Error`]: it agrees with everything, so that one mistake
//!   gives one finding. `absorbed(ty)` says whether an operand is such; `give_up(ty)` makes one of what is
//!   still open in a type whose place is wrong.
//! * `pending`: what is checked when every type is known: constant positions, bounds of generic arguments,
//!   conditions of `where` clauses.
//! * `generic.rs`: `instantiate` gives a generic item fresh variables; its bounds become pending.
//! * `path.rs`: what a path in an expression stands for; `path_item` is the place to add a kind of callee.
//! * `program.rs`: a method of the program (`crate::methods` finds it); then the tables of the language:
//!   `member.rs` for numbers, text and collections, `method.rs` itself for tensors.
//! * `bounds.rs`: whether a type has what a generic item asks; `overload.rs`: operators on types of the
//!   program; `projection.rs`: associated types; `exhaustive.rs`: whether a `match` leaves nothing out.
//! * `tensor.rs`, `elementwise.rs`, `constructor.rs`: tensors. An extent may be a number, a parameter, a
//!   formula, `?` or a variable; compare extents with `table.unify_extents`.

mod aggregate;
mod arguments;
mod axes;
mod block;
mod bounds;
mod builtin;
mod call;
mod clause;
mod closure;
mod coerce;
mod constructor;
mod control;
mod defaulted;
mod derived;
mod einsum;
mod elementwise;
mod exhaustive;
mod expr;
mod extent;
mod failure;
mod field;
mod finish;
mod generic;
mod hiding;
mod hints;
mod index;
mod iterate;
mod literal;
mod matching;
mod member;
mod method;
mod mismatch;
mod named;
mod operator;
mod overload;
mod part;
mod path;
mod pattern;
mod place;
mod program;
mod projection;
mod reduction;
mod reshape;
mod struct_lit;
mod table;
mod tensor;
mod tensor_method;
mod traversal;
mod variant;
mod words;

use la_arena::ArenaMap;
use neuro_db::{Db, Name};
use neuro_hir::{
    Body, Const, Expr, ExprId, Function, Item, LocalId, Module, PatId, Predicate, TypeRef,
};
use neuro_syntax::ast::FormatSpec;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::constants::Worth;
use crate::demands::Demand;
use crate::lower::{Env, Lowered, Site};
use crate::signature::body_env;
use crate::unclear::Missed;
use crate::{
    AssocTy, Bound, Callee, Collection, Def, Extent, Finding, GenericArg, Inference, Part, Place,
    TensorTy, Ty, fn_sig,
};
pub(crate) use clause::shown;
use coerce::Why;
pub use overload::binary_trait;
use table::Table;

/// The types of a function's body.
#[salsa::tracked]
pub fn infer<'db>(db: &'db dyn Db, function: Function<'db>) -> Inference<'db> {
    let sig = fn_sig(db, function);
    let body = neuro_hir::body(db, function);
    let mut context = Context::new(db, body_env(db, function), body);
    context.owner = Some(function.name(db));
    context.function = Some(function);
    let attrs = &neuro_hir::signature(db, function).attrs;
    context.differentiated =
        attrs.iter().any(|attr| matches!(attr.name.as_str(), "grad" | "jacobian"));
    // A result that a derivative cannot be of is told at its type: what the body gives is not measured by it.
    let unfit = crate::diff_spec(db, function);
    let unfit = unfit.findings.iter().any(|finding| finding.place == Place::ReturnType);
    let ret = if unfit { Ty::Error } else { context.opened(&sig.ret) };
    context.frame.ret.clone_from(&ret);
    if let (Some(local), Some(receiver)) = (body.receiver, &sig.receiver) {
        context.locals.insert(local, receiver.clone());
    }
    for (local, param) in body.params.iter().zip(&sig.params) {
        context.locals.insert(*local, param.ty.clone());
    }
    if let Some(root) = body.root {
        context.check(root, &ret, &Why::Return);
    }
    context.finish()
}

/// The types of a constant's value, which is expected to be of type `ty`.
pub(crate) fn infer_const<'db>(db: &'db dyn Db, constant: Const<'db>, ty: &Ty) -> Inference<'db> {
    let body = neuro_hir::const_body(db, constant);
    let generics = crate::generics(db, Item::Const(constant));
    let env = Env::new(db, constant.module(db), generics, Site::Body);
    let mut context = Context::new(db, env, body);
    context.constant = Some(constant.name(db));
    if let Some(root) = body.root {
        context.check(root, ty, &Why::Constant(constant.name(db)));
    }
    context.finish()
}

/// The types of a condition in the `where` clause of an item; `index` is that of the clause's part.
#[salsa::tracked]
pub fn condition<'db>(db: &'db dyn Db, item: Item<'db>, index: usize) -> Inference<'db> {
    let predicates = crate::generic_params::written(db, item).map(|written| &written.predicates);
    let Some(Predicate::Condition(body)) = predicates.and_then(|all| all.get(index)) else {
        return Inference::default();
    };
    let env = Env::new(db, item.module(db), crate::generics(db, item), Site::Body);
    let mut context = Context::new(db, env, body);
    if let Some(root) = body.root {
        context.check(root, &Ty::BOOL, &Why::Condition("where"));
    }
    context.finish()
}

/// A body under inference.
struct Context<'db> {
    db: &'db dyn Db,
    module: Module<'db>,
    env: Env<'db>,
    body: &'db Body,
    /// The function's name; none in a constant.
    owner: Option<Name>,
    /// The function.
    function: Option<Function<'db>>,
    /// Of the value of a constant, the constant's name. Nothing is asked of other items then but the values of
    /// constants: the types of everything else may need this very value.
    constant: Option<Name>,
    /// The function or closure around what is being inferred.
    frame: Frame,
    table: Table,
    exprs: ArenaMap<ExprId, Ty>,
    locals: ArenaMap<LocalId, Ty>,
    callees: ArenaMap<ExprId, Callee<'db>>,
    arguments: ArenaMap<ExprId, Vec<usize>>,
    generic_args: ArenaMap<ExprId, Vec<GenericArg>>,
    coercions: ArenaMap<ExprId, Ty>,
    axes: ArenaMap<ExprId, Vec<usize>>,
    parts: ArenaMap<ExprId, Vec<Part>>,
    /// Whether the function is differentiated itself.
    differentiated: bool,
    consts: Vec<(ExprId, Const<'db>)>,
    /// The uses of constants of the body.
    const_uses: Vec<(ExprId, LocalId)>,
    literals: Vec<Written>,
    /// The values of the constants of the body.
    local_consts: ArenaMap<LocalId, Worth>,
    /// Closures that are passed straight to what calls them at once, and so only borrow.
    borrowing: FxHashSet<ExprId>,
    /// The type behind each `impl Trait` of the result.
    hidden: Vec<(Vec<Bound>, Ty)>,
    /// What is passed on by `|>`, and the stage that it is passed to.
    piped: ArenaMap<ExprId, ExprId>,
    /// What is checked when every type is known.
    pending: Vec<Pending<'db>>,
    /// Associated types of types that are not known yet, and the variables that stand for them.
    projections: Vec<(AssocTy, Ty)>,
    /// The variants that patterns name, by their index.
    variants: FxHashMap<PatId, usize>,
    /// What is asked of extents that are no numbers here.
    demands: Vec<Demand>,
    findings: Vec<Finding>,
    /// Whether something is missed that a mistake elsewhere, told there, may have kept from being known.
    unclear: bool,
}

/// A function or closure.
#[derive(Default)]
struct Frame {
    /// What `return` gives.
    ret: Ty,
    /// The closure; none of the function itself.
    closure: Option<ExprId>,
    /// The loops around the current point, outermost first.
    loops: Vec<Loop>,
}

/// A number literal of the body.
#[derive(Clone, Copy)]
struct Written {
    literal: ExprId,
    /// The `-` directly before it.
    negation: Option<ExprId>,
}

/// Where a bound is declared.
enum Declared {
    /// Nowhere in the program.
    Nowhere,
    /// In this item.
    Here(Place),
    /// In the header of another one.
    There(Def, Place),
}

/// A loop around what is being inferred.
struct Loop {
    label: Option<Name>,
    /// Whether a `break` leaves it.
    left: bool,
    /// Whether something in it is not understood, which may leave it too.
    unclear: bool,
    /// What its `break`s give; none of a loop that cannot give anything.
    value: Option<Ty>,
    /// Why they give it, where something expects it.
    why: Option<Why>,
    /// The first `break` with a value.
    first: Option<ExprId>,
    /// A `break` without a value.
    bare: Option<ExprId>,
}

/// A check that needs final types and the values of literals.
enum Pending<'db> {
    /// A constant position is inside its axis.
    Position { tensor: Ty, axis: usize, extent: Extent, position: ExprId },
    /// A constant position in the order of the rows is inside the tensor.
    Flat { tensor: TensorTy, extent: u64, position: ExprId },
    /// A constant shift amount is inside the width.
    Shift { operator: ExprId, amount: ExprId },
    /// A constant stride is positive.
    Step { step: ExprId },
    /// A hole's value can be printed in the given way.
    Hole { value: ExprId, spec: Option<FormatSpec> },
    /// A type satisfies what a generic item asks of it.
    Bound {
        ty: Ty,
        bound: Bound,
        /// Who asks, as in "`largest`".
        asked_by: String,
        place: Place,
        /// Where it is asked.
        declared: Declared,
    },
    /// A type can be the key of a map. Where it is written, what it is made of is checked there.
    Key { map: Collection, key: Ty, written: bool, place: Place },
    /// The conditions of a generic item hold for its arguments.
    Conditions { expr: ExprId, item: Item<'db>, args: Vec<GenericArg>, place: Place },
    /// What a closure takes with it is copied.
    Captures { closure: ExprId },
    /// A generic argument was found out.
    Found {
        arg: GenericArg,
        /// What it is for, as in "`T` of `largest`".
        what: String,
        /// How to say it.
        help: String,
        place: Place,
    },
}

impl<'db> Context<'db> {
    fn new(db: &'db dyn Db, env: Env<'db>, body: &'db Body) -> Self {
        Self {
            db,
            module: env.module,
            env,
            body,
            owner: None,
            function: None,
            constant: None,
            frame: Frame::default(),
            table: Table::default(),
            exprs: ArenaMap::default(),
            locals: ArenaMap::default(),
            callees: ArenaMap::default(),
            arguments: ArenaMap::default(),
            generic_args: ArenaMap::default(),
            coercions: ArenaMap::default(),
            axes: ArenaMap::default(),
            parts: ArenaMap::default(),
            differentiated: false,
            consts: Vec::new(),
            const_uses: Vec::new(),
            literals: Vec::new(),
            local_consts: ArenaMap::default(),
            borrowing: FxHashSet::default(),
            hidden: Vec::new(),
            piped: ArenaMap::default(),
            pending: Vec::new(),
            projections: Vec::new(),
            variants: FxHashMap::default(),
            demands: Vec::new(),
            findings: Vec::new(),
            unclear: false,
        }
    }

    /// Notes what is wrong. What one change of a declaration mends is one mistake, wherever it shows.
    fn report(&mut self, finding: Finding) {
        if let [remedy] = finding.remedies.as_slice()
            && remedy.is_at_declaration()
            && let Some(first) = self.findings.iter_mut().find(|it| it.remedies == finding.remedies)
        {
            first.related.push((finding.place, "here, too".to_owned()));
            return;
        }
        self.findings.push(finding);
    }

    /// Reports, and gives the type that absorbs what follows.
    fn refuse(&mut self, finding: Finding) -> Ty {
        self.report(finding);
        Ty::Error
    }

    /// Whether a type may well have what is missed, if it were not for a mistake in a header, which is told there.
    fn may_have(&mut self, ty: &Ty, missed: Missed<'_>) -> bool {
        let may_have = crate::unclear::may_have(&self.env, ty, missed);
        self.unclear |= may_have;
        may_have
    }

    fn expr(&self, expr: ExprId) -> &'db Expr {
        &self.body.exprs[expr]
    }

    /// Notes the type of an expression.
    fn record(&mut self, expr: ExprId, ty: Ty) -> Ty {
        self.exprs.insert(expr, ty.clone());
        ty
    }

    /// A type as far as it is known.
    fn resolved(&self, ty: &Ty) -> Ty {
        self.projected(self.table.resolve_all(ty))
    }

    /// The type of an expression that has been inferred, as far as it is known.
    fn type_of(&self, expr: ExprId) -> Ty {
        self.exprs.get(expr).map_or(Ty::Error, |ty| self.resolved(ty))
    }

    /// A type that is written in the body.
    fn written_type(&mut self, place: Place, ty: &TypeRef) -> Ty {
        let consts = &self.local_consts;
        let Lowered { ty, problems, contents } =
            self.env.lower_with(ty, &mut |local| consts.get(local).and_then(Worth::as_int));
        for problem in problems {
            self.findings.push(problem.finding(place, false));
        }
        let generics = self.env.generics();
        let wrong = contents.iter().filter_map(|held| held.finding(self.db, generics, false));
        self.findings.extend(wrong);
        ty
    }
}
