//! What a generic body asks of its extents: that the positions and parts it names are there. A body is checked
//! for all extents at once, so what depends on their numbers is checked where a call says which they are.

use std::collections::BTreeSet;

use neuro_db::{Db, Name, codes};
use neuro_hir::{Body, Expr, ExprId, Function, Item, LocalId, Pat, Stmt};
use rustc_hash::FxHashSet;

use crate::generic_params::GenericKind;
use crate::{Callee, Extent, Finding, Formula, GenericArg, Inference, Place, Ty, generics, infer};

/// How many demands of one function are passed on to those who call it.
const MOST: usize = 64;

/// A part of a tensor or array whose extent depends on constant parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Demand {
    /// What asks for it.
    pub(crate) at: ExprId,
    pub(crate) what: Asked,
    /// What it is a part of.
    pub(crate) of: Ty,
    pub(crate) axis: usize,
    /// The first position.
    pub(crate) start: Formula,
    /// The position behind the last one.
    pub(crate) end: Formula,
}

/// What asks for a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// One position.
    Position,
    /// A range.
    Range,
    /// A range of which only the running program knows where it begins.
    Somewhere,
    /// The `k:` of `.topk`.
    Greatest,
}

/// What is wrong with a part, as far as its numbers are known: `start` and `end` are the first position and the
/// one behind the last, `len` is how many there are.
pub(crate) struct Outside<'a> {
    pub(crate) start: Option<i128>,
    pub(crate) end: Option<i128>,
    pub(crate) len: Option<i128>,
    pub(crate) extent: Option<u64>,
    pub(crate) of: &'a Ty,
    pub(crate) axis: usize,
}

impl Outside<'_> {
    /// What is wrong with a range.
    pub(crate) fn range(&self) -> Option<String> {
        let Self { start, end, len, of, axis, .. } = self;
        if let Some(first) = start.filter(|first| *first < 0) {
            return Some(format!("positions begin at 0, and this range begins at {first}"));
        }
        if let Some(len) = len.filter(|len| *len < 0) {
            return Some(match (start, end) {
                (Some(first), Some(last)) => {
                    format!("this range ends at {last}, before it begins at {first}")
                }
                _ => format!("this range ends {} before it begins", -len),
            });
        }
        let extent = self.extent?;
        let positions =
            if extent == 1 { "1 position".to_owned() } else { format!("{extent} positions") };
        let past = |value: i128| value > i128::from(extent);
        match (end, len) {
            (Some(last), _) if past(*last) => Some(format!(
                "this range ends at {last}, and axis {axis} of `{of}` has {positions}"
            )),
            (None, Some(len)) if past(*len) => Some(format!(
                "this range has {len} positions, and axis {axis} of `{of}` has {positions}"
            )),
            _ => None,
        }
    }

    /// What is wrong with a position.
    pub(crate) fn position(&self) -> Option<String> {
        let (position, extent) = (self.start?, self.extent?);
        if (0..i128::from(extent)).contains(&position) {
            return None;
        }
        let range = match extent {
            0 => "this axis has no positions".to_owned(),
            extent => format!("its positions go from 0 to {}", extent - 1),
        };
        Some(format!("position {position} is outside axis {} of `{}`: {range}", self.axis, self.of))
    }

    /// What is wrong with how many elements `.topk` takes.
    pub(crate) fn greatest(&self, axis: &str) -> Option<String> {
        match (self.len?, self.extent) {
            (count, _) if count < 1 => Some(format!("`k:` is at least 1, and this is {count}")),
            (count, Some(extent)) if count > i128::from(extent) => Some(format!(
                "there are no {count} elements along axis {axis} of `{}`: it has {extent}",
                self.of
            )),
            _ => None,
        }
    }
}

/// What a demand comes to where extents are known.
enum Met {
    Yes,
    No(String),
    /// It depends on the extents of the caller.
    Open,
}

impl Demand {
    /// The demand of a function on whoever applies it to these arguments; none when they are wrong themselves, or
    /// known at run time only.
    fn applied(&self, at: ExprId, args: &[GenericArg]) -> Option<Demand> {
        let by = |formula: &Formula| {
            formula.applied(&mut |param| match args.get(param.index as usize) {
                Some(GenericArg::Const(extent)) => extent.clone(),
                Some(GenericArg::Type(_)) | None => Extent::Dynamic,
            })
        };
        Some(Demand {
            at,
            what: self.what,
            of: self.of.apply(args),
            axis: self.axis,
            start: by(&self.start)?,
            end: by(&self.end)?,
        })
    }

    /// Whether it depends on constant parameters.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.met(), Met::Open)
    }

    fn met(&self) -> Met {
        let extent = extent_of(&self.of, self.axis);
        let extent = match extent {
            Some(Extent::Known(extent)) => extent,
            Some(Extent::Param(_) | Extent::Formula(_)) => return Met::Open,
            Some(Extent::Dynamic | Extent::Var(_)) | None => return Met::Yes,
        };
        let (Some(start), Some(end)) = (self.start.constant(), self.end.constant()) else {
            return Met::Open;
        };
        let known = self.what != Asked::Somewhere;
        let outside = Outside {
            start: known.then_some(start),
            end: known.then_some(end),
            len: end.checked_sub(start),
            extent: Some(extent),
            of: &self.of,
            axis: self.axis,
        };
        let problem = match self.what {
            Asked::Position => outside.position(),
            Asked::Range | Asked::Somewhere => outside.range(),
            Asked::Greatest => outside.greatest(&self.axis.to_string()),
        };
        problem.map_or(Met::Yes, Met::No)
    }

    /// The constant parameters that it depends on, by their numbers.
    fn params(&self) -> BTreeSet<u32> {
        let extent = extent_of(&self.of, self.axis);
        let of = extent.as_ref().and_then(Extent::terms).unwrap_or_default();
        let of = of.into_iter().flat_map(|(product, _)| product);
        let params = of.chain(self.start.params().cloned()).chain(self.end.params().cloned());
        params.map(|param| param.index).collect()
    }
}

fn extent_of(ty: &Ty, axis: usize) -> Option<Extent> {
    match ty.peeled() {
        Ty::Tensor(tensor) => tensor.shape.dims().get(axis).map(|dim| dim.extent.clone()),
        Ty::Array { len, .. } => Some(len.clone()),
        _ => None,
    }
}

/// What a function asks of its extents, what it calls included.
#[salsa::tracked(returns(deref), cycle_result = circular)]
fn demands<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Demand> {
    let mut all = infer(db, function).demands.clone();
    for call in calls(db, function) {
        let passed = demands(db, call.callee).iter();
        let passed = passed.filter_map(|demand| demand.applied(call.at, call.args));
        all.extend(passed.filter(|demand| matches!(demand.met(), Met::Open)));
    }
    all.dedup();
    all.truncate(MOST);
    all
}

/// What a function that calls itself asks, itself aside.
fn circular(db: &dyn Db, _: salsa::Id, function: Function<'_>) -> Vec<Demand> {
    infer(db, function).demands.clone()
}

/// A call of a function with constant parameters.
struct Call<'db> {
    at: ExprId,
    callee: Function<'db>,
    args: &'db [GenericArg],
}

fn calls<'db>(db: &'db dyn Db, function: Function<'db>) -> impl Iterator<Item = Call<'db>> {
    let inference = infer(db, function);
    inference.generic_args.iter().filter_map(move |(at, args)| {
        let Some(Callee::Function(callee)) = inference.callees.get(at) else { return None };
        let params = &generics(db, Item::Function(*callee)).params;
        let shaped = params.iter().any(|param| matches!(param.kind, GenericKind::Const { .. }));
        shaped.then_some(Call { at, callee: *callee, args })
    })
}

/// The calls of a function whose extents do not meet what the callee asks: each once.
pub(crate) fn unmet(db: &dyn Db, function: Function<'_>) -> Vec<Finding> {
    let conditions: Vec<Place> = infer(db, function)
        .findings
        .iter()
        .filter(|finding| finding.code == codes::BOUND)
        .map(|finding| finding.place)
        .collect();
    let mut findings = Vec::new();
    for call in calls(db, function) {
        let place = Place::Head(call.at);
        if conditions.contains(&place) {
            continue;
        }
        let unmet = demands(db, call.callee).iter().find_map(|demand| {
            match demand.applied(call.at, call.args)?.met() {
                Met::No(problem) => Some((demand, problem)),
                Met::Yes | Met::Open => None,
            }
        });
        let Some((demand, problem)) = unmet else { continue };
        let params = &generics(db, Item::Function(call.callee)).params;
        let with: Vec<String> = demand
            .params()
            .into_iter()
            .filter_map(|index| match call.args.get(index as usize)? {
                GenericArg::Const(extent) => {
                    let name: &Name = &params.get(index as usize)?.name;
                    Some(format!("`{name}` is {extent}"))
                }
                GenericArg::Type(_) => None,
            })
            .collect();
        let name = call.callee.name(db);
        let message = format!("in this call of `{name}`, {}: {problem}", with.join(" and "));
        findings.push(
            Finding::new(codes::INDEX, place, message)
                .related(Place::CalleeBody(call.at, demand.at), "it is asked for here"),
        );
    }
    findings
}

/// Whether a body decides by the numbers of its extents what it does: which positions it reads is then up to the
/// running program.
pub(crate) fn decides_by_extents(body: &Body, inference: &Inference<'_>) -> bool {
    let mut told = FxHashSet::default();
    for expr in body.exprs.values() {
        let Expr::Block { stmts, .. } = expr else { continue };
        for stmt in stmts {
            if let Stmt::Let { pat, init, .. } = stmt
                && let Pat::Bind(local) = body.pats[*pat]
                && mentions(body, inference, &told, *init)
            {
                told.insert(local);
            }
        }
    }
    body.exprs.values().any(|expr| {
        let asked = match expr {
            Expr::If { cond, .. } | Expr::While { cond, .. } => *cond,
            Expr::Match { scrutinee, .. } => *scrutinee,
            Expr::Logic { lhs, .. } => *lhs,
            _ => return false,
        };
        mentions(body, inference, &told, asked)
    })
}

/// Whether an expression reads a constant parameter, or a local that was made of one.
fn mentions(
    body: &Body,
    inference: &Inference<'_>,
    told: &FxHashSet<LocalId>,
    expr: ExprId,
) -> bool {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        let found = match &body.exprs[expr] {
            Expr::Local(local) => told.contains(local),
            _ => matches!(inference.callees.get(expr), Some(Callee::ConstParam(_))),
        };
        if found {
            return true;
        }
        body.exprs[expr].children(&mut |child| open.push(child));
    }
    false
}
