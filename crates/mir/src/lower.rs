//! Typed bodies to control-flow graphs.
//!
//! Start at [`Lowering`]; an expression is lowered by what is wanted of it: `value_into` (a place gets
//! its value), `read` (an operation looks at it), `argument` (a call takes it) or `effect` (nothing).

mod blocks;
mod scope;
mod effects;
mod place;
mod aggregate;
mod pattern;
mod matching;
mod operator;
mod failure;
mod sequence;
mod vector;
mod map;
mod elements;
mod read;
mod value;
mod effect;
mod call;
mod clone;
mod closure;
mod member;
mod not_yet;
mod number;
mod sweep;
mod control;
mod characters;
mod iterator;
mod limit;
mod range;
mod round;
mod text;
mod text_member;
mod coerce;
mod finish;
mod drops;
mod unsupported;

use la_arena::{Arena, ArenaMap};
use neuro_db::{Db, Name};
use neuro_hir::{ExprId, Function, Item, Module};
use neuro_types::{GenericArg, Generics, Inference, Ty, fn_sig, generics, revealed};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::instance::types_of;
use crate::pairs::{Pairs, pairs};
use crate::{
    Block, BlockId, BlockKey, Body, Local, LocalId, LocalKind, Operand, Place, Pool, PoolId,
    RangeLoop, Sweep, SweepId, SweepKey, Table, Terminator,
};
use scope::Scope;
use sweep::Asked;
pub use unsupported::{Unsupported, unsupported, unsupported_in};

/// The control-flow graph of a function. Made for any body; of one with findings it means little, and
/// nothing is compiled from it. Of one with a construct that has no graph yet there is nothing but the name
/// of the construct.
#[salsa::tracked]
pub fn body<'db>(db: &'db dyn Db, function: Function<'db>) -> Body<'db> {
    let hir = neuro_hir::body(db, function);
    let types = types_of(db, function, &[]);
    let mut lowering = Lowering::new(db, function, hir, &types);
    match unsupported::find(db, function, hir, &types) {
        Some(found) => lowering.unsupported = Some(found),
        None => lowering.function(&revealed(db, &fn_sig(db, function).ret)),
    }
    lowering.finish()
}

/// The graph of a function for the checks: what does not run yet is in it as far as they ask, by
/// [`Operation::NotYet`](crate::Operation::NotYet). None of a body with a construct that they cannot go through
/// either. Nobody keeps it: the graphs of a whole program take much memory.
pub(crate) fn for_checks<'db>(db: &'db dyn Db, function: Function<'db>) -> Option<Body<'db>> {
    let hir = neuro_hir::body(db, function);
    let types = types_of(db, function, &[]);
    if unsupported::has_obstacle(db, hir, &types) {
        return None;
    }
    let mut lowering = Lowering::new(db, function, hir, &types);
    lowering.function(&revealed(db, &fn_sig(db, function).ret));
    Some(lowering.finish())
}

/// The same of a closure in a body that has no such construct.
pub(crate) fn closure_for_checks<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    closure: ExprId,
) -> Body<'db> {
    let hir = neuro_hir::body(db, function);
    let types = types_of(db, function, &[]);
    let mut lowering = Lowering::new(db, function, hir, &types);
    lowering.function_value_body(closure);
    lowering.finish()
}

/// The graph of a generic function for what it is applied to: `types` and `ret` speak of no parameter.
pub(crate) fn specialised<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    types: &Inference<'db>,
    ret: &Ty,
) -> Body<'db> {
    let hir = neuro_hir::body(db, function);
    let mut lowering = Lowering::new(db, function, hir, types);
    match unsupported::find_in_body(db, hir, types) {
        Some(found) => lowering.unsupported = Some(found),
        None => lowering.function(ret),
    }
    lowering.finish()
}

/// The graph of a function value of a function, as `types` are.
pub(crate) fn function_value<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    types: &Inference<'db>,
    expr: ExprId,
) -> Body<'db> {
    let hir = neuro_hir::body(db, function);
    let mut lowering = Lowering::new(db, function, hir, types);
    match unsupported::find_in_body(db, hir, types) {
        Some(found) => lowering.unsupported = Some(found),
        None => lowering.function_value_body(expr),
    }
    lowering.finish()
}

/// A body that is being lowered.
struct Lowering<'a, 'db> {
    db: &'db dyn Db,
    hir: &'a neuro_hir::Body,
    types: &'a Inference<'db>,
    /// The parameters that types may speak of.
    generics: &'db Generics,
    /// The module of the function.
    module: Module<'db>,
    pairs: Pairs<'db>,
    locals: Arena<Local>,
    params: Vec<LocalId>,
    ret: Option<LocalId>,
    /// The function value that is being lowered; none in the body of a function.
    value: Option<ExprId>,
    /// Where captures are that outlive an iteration.
    kept: Option<LocalId>,
    blocks: Table<BlockKey, Block<'db>>,
    sweeps: Table<SweepKey, Sweep<'db>>,
    pools: Arena<Pool>,
    ranges: ArenaMap<BlockId, RangeLoop>,
    entry: BlockId,
    /// Where statements are put.
    current: BlockId,
    /// Whether control can get to the end of `current`; what comes where it cannot is left out.
    live: bool,
    /// The blocks that a jump was made to.
    reached: FxHashSet<BlockId>,
    /// The place of each binding that was lowered: a local, or what a captured reference refers to.
    bindings: ArenaMap<neuro_hir::LocalId, Place>,
    /// Whether the names of a pattern only refer to their parts.
    lending: bool,
    /// The places of expressions that were evaluated before their turn.
    computed: ArenaMap<ExprId, Place>,
    /// The sweep of each `.backward()`.
    backwards: Vec<(ExprId, SweepId)>,
    /// The bindings of calls whose derivatives are asked for.
    asked: FxHashMap<neuro_hir::LocalId, Asked<'db>>,
    /// The scopes around the current point, outermost first.
    scopes: Vec<Scope>,
    /// The loops around the current point, outermost first.
    loops: Vec<LoopFrame>,
    /// Where memory comes from while a value is built for a place that outlives the pools around the
    /// current point.
    memory: Option<Option<PoolId>>,
    /// What keeps the body from being lowered; then nothing of it is.
    unsupported: Option<Unsupported>,
}

/// A loop around the current point.
struct LoopFrame {
    label: Option<Name>,
    /// Where `continue` goes.
    next: BlockId,
    /// Where `break` goes.
    exit: BlockId,
    /// How many scopes there were outside it.
    depth: usize,
    /// Where the value of a `break` is put.
    dest: Option<Place>,
}

impl<'a, 'db> Lowering<'a, 'db> {
    fn new(
        db: &'db dyn Db,
        function: Function<'db>,
        hir: &'a neuro_hir::Body,
        types: &'a Inference<'db>,
    ) -> Self {
        let mut blocks = Table::new();
        let entry = blocks.alloc(blocks::empty_block());
        Self {
            db,
            hir,
            types,
            generics: generics(db, Item::Function(function)),
            module: function.module(db),
            pairs: pairs(db, hir, types),
            locals: Arena::new(),
            params: Vec::new(),
            ret: None,
            value: None,
            kept: None,
            blocks,
            sweeps: Table::new(),
            pools: Arena::new(),
            ranges: ArenaMap::default(),
            entry,
            current: entry,
            live: true,
            reached: FxHashSet::from_iter([entry]),
            bindings: ArenaMap::default(),
            lending: false,
            computed: ArenaMap::default(),
            backwards: Vec::new(),
            asked: FxHashMap::default(),
            scopes: Vec::new(),
            loops: Vec::new(),
            memory: None,
            unsupported: None,
        }
    }

    fn function(&mut self, ret: &Ty) {
        self.open_scope(crate::DropReason::ScopeEnd, None);
        for param in self.hir.receiver.iter().chain(&self.hir.params) {
            let name = self.hir.locals[*param].name.clone();
            let ty = self.types.local_ty(*param).clone();
            let local = Local { ty, name: Some(name), kind: LocalKind::Param, pool: None };
            let local = self.locals.alloc(local);
            self.bindings.insert(*param, Place::local(local));
            self.params.push(local);
            self.own(local);
        }
        if gives_value(ret) {
            let ty = ret.clone();
            let local = Local { ty, name: None, kind: LocalKind::Temporary, pool: None };
            self.ret = Some(self.locals.alloc(local));
        }
        let Some(root) = self.hir.root else {
            return self.terminate(Terminator::Return);
        };
        match self.ret {
            Some(ret) => self.value_into(root, &Place::local(ret)),
            None => self.effect(root),
        }
        self.close_scope(root);
        self.terminate(Terminator::Return);
    }

    fn finish(self) -> Body<'db> {
        let body = Body {
            locals: self.locals,
            params: self.params,
            ret: self.ret,
            value: self.value,
            kept: self.kept,
            blocks: self.blocks,
            entry: self.entry,
            sweeps: self.sweeps,
            pools: self.pools,
            ranges: self.ranges,
            unsupported: self.unsupported,
        };
        let mut body = finish::finish(body);
        drops::remove_empty(self.db, &mut body);
        body
    }

    /// A new local of this pool.
    fn local(
        &mut self,
        ty: Ty,
        name: Option<Name>,
        kind: LocalKind,
        pool: Option<PoolId>,
    ) -> LocalId {
        self.locals.alloc(Local { ty, name, kind, pool })
    }

    /// A new temporary of the innermost pool.
    fn temporary(&mut self, ty: Ty) -> LocalId {
        let pool = self.pool();
        self.local(ty, None, LocalKind::Temporary, pool)
    }

    /// The type of a place.
    fn place_ty(&self, place: &Place) -> Ty {
        let mut ty = self.locals[place.local].ty.clone();
        for projection in &place.projections {
            ty = crate::graph::projected(&ty, projection);
        }
        ty
    }

    /// A type of a header for what the item is applied to.
    fn applied(&self, ty: &Ty, generics: &[GenericArg]) -> Ty {
        revealed(self.db, &ty.apply(generics))
    }

    /// The type of an operand.
    fn operand_ty(&self, operand: &Operand) -> Ty {
        match operand {
            Operand::Copy(place) | Operand::Move(place) => self.place_ty(place),
            Operand::Const(scalar) => Ty::Scalar(scalar.dtype()),
        }
    }

    /// Whether a place of this type owns memory.
    fn owns(&self, ty: &Ty) -> bool {
        crate::ownership::owns(self.db, ty)
    }

    /// Whether a use of a value of this type moves it.
    fn moves(&self, ty: &Ty) -> bool {
        crate::ownership::moves(self.db, self.generics, ty)
    }
}

/// Whether there are values of this type that a place can hold.
fn gives_value(ty: &Ty) -> bool {
    !matches!(ty, Ty::Void | Ty::Never)
}
