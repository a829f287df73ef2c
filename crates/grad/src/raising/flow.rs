//! Where a walk over blocks ends, and how two ways through them become one.
//!
//! A walk may end in several places: at the block where the arms of a branch meet, at the exit of a loop (`break`), at
//! its next iteration (`continue`), at the return. Then a number says where it ended, and what follows one end stands
//! in the arm of an `if` on that number. So each block is raised once, however many ways lead to it.

use neuro_hir::ExprId;
use neuro_ir::{OpKind, ValueId};
use neuro_mir::BlockId;
use neuro_num::{CmpOp, DType, Scalar};

use super::frame::{Cell, Environment};
use super::walk::{Frame, Walked, Walker};

/// A place where a walk ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// Before this block.
    At(BlockId),
    /// With the function.
    Return,
}

impl End {
    /// The number that stands for the end, in one function.
    pub(super) fn code(self) -> Scalar {
        let number = match self {
            End::Return => 0,
            End::At(block) => i128::from(block.into_raw().into_u32()) + 1,
        };
        Scalar::wrap(DType::U32, number)
    }
}

/// Where a walk ended.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// The places; none when the program always ends before.
    pub(super) ends: Vec<End>,
    /// The code of the end, a scalar, when there are several.
    pub(super) which: Option<ValueId>,
}

impl Outcome {
    /// Always before this block.
    pub(super) fn at(block: BlockId) -> Self {
        Self { ends: vec![End::At(block)], which: None }
    }
}

/// How a walk goes on.
pub(super) enum Step {
    /// In this block.
    Next(BlockId),
    /// Not at all.
    Done(Outcome),
}

impl<'db> Walker<'db> {
    /// Goes on in `target` after a part that may have ended there.
    pub(super) fn go_on(
        &mut self,
        frame: Frame<'db>,
        outcome: Outcome,
        target: BlockId,
        stops: &[BlockId],
        environment: &mut Environment,
    ) -> Walked<'db, Step> {
        let end = End::At(target);
        let which = match outcome.which {
            _ if !outcome.ends.contains(&end) => return Ok(Step::Done(outcome)),
            None => return Ok(Step::Next(target)),
            Some(which) => which,
        };
        let here = self.is_end(frame, which, end)?;
        let others: Vec<End> = outcome.ends.into_iter().filter(|other| *other != end).collect();
        let rest = Outcome { which: (others.len() > 1).then_some(which), ends: others };
        let outcome = self.two_arms(
            frame,
            (here, None),
            environment,
            |this, inside| this.walk(frame, target, stops, inside),
            |_, _| Ok(rest.clone()),
        )?;
        Ok(Step::Done(outcome))
    }

    /// Whether the code `which` is that of `end`.
    pub(super) fn is_end(
        &mut self,
        frame: Frame<'db>,
        which: ValueId,
        end: End,
    ) -> Walked<'db, ValueId> {
        let code = self.builder.constant(end.code());
        let compared = self.builder.compare(CmpOp::Eq, which, code, None);
        compared.map_err(|error| self.build_error(frame, None, &error))
    }

    /// Raises a branch of two ways; afterwards the environment holds what the one taken gave.
    pub(super) fn two_arms(
        &mut self,
        frame: Frame<'db>,
        (cond, at): (ValueId, Option<ExprId>),
        environment: &mut Environment,
        then: impl FnOnce(&mut Self, &mut Environment) -> Walked<'db, Outcome>,
        otherwise: impl FnOnce(&mut Self, &mut Environment) -> Walked<'db, Outcome>,
    ) -> Walked<'db, Outcome> {
        let mut first = environment.clone();
        self.builder.begin_region(&[]);
        let then_outcome = then(self, &mut first)?;
        let then_region = self.builder.end_region([]);
        let mut second = environment.clone();
        self.builder.begin_region(&[]);
        let otherwise_outcome = otherwise(self, &mut second)?;
        let otherwise_region = self.builder.end_region([]);

        let arms =
            [(first, then_outcome, then_region), (second, otherwise_outcome, otherwise_region)];
        let mut ends: Vec<End> = Vec::new();
        for end in arms.iter().flat_map(|(_, outcome, _)| &outcome.ends) {
            if !ends.contains(end) {
                ends.push(*end);
            }
        }
        let several = ends.len() > 1;
        let mut cells: Vec<Cell> =
            arms.iter().flat_map(|(inside, ..)| inside.changed(environment)).collect();
        cells.sort_unstable();
        cells.dedup();
        // What only one arm gives is never read where both may have led.
        cells.retain(|cell| {
            several
                || arms.iter().all(|(inside, outcome, _)| {
                    outcome.ends.is_empty() || inside.value(*cell).is_some()
                })
        });
        let types: Vec<_> = cells
            .iter()
            .map(|cell| {
                let value = arms.iter().find_map(|(inside, ..)| inside.value(*cell));
                value.map(|value| self.builder.ty(value).clone())
            })
            .collect();
        for (inside, outcome, region) in &arms {
            self.builder.reopen_region(*region);
            let mut results = Vec::with_capacity(cells.len() + 1);
            for (cell, ty) in cells.iter().zip(&types) {
                let placeholder = ty.as_ref().map(|ty| (Scalar::zero(ty.dtype), &ty.dims));
                match (inside.value(*cell), placeholder) {
                    (Some(value), _) => results.push(value),
                    (None, Some((zero, dims))) => results.push(self.builder.splat(zero, dims)),
                    (None, None) => {}
                }
            }
            if several {
                let end = outcome.ends.first().copied().unwrap_or(End::Return);
                results.push(match outcome.which {
                    Some(which) => which,
                    None => self.builder.constant(end.code()),
                });
            }
            self.builder.end_region(results);
        }
        let loc = at.map(|expr| self.loc(frame.site(expr)));
        let op = self
            .builder
            .control(OpKind::If, &[cond], &[then_region, otherwise_region], loc)
            .map_err(|error| self.build_error(frame, at, &error))?;
        let results = self.builder.results(op).to_vec();
        for (cell, value) in cells.iter().zip(&results) {
            environment.set(*cell, *value);
        }
        let which = if several { results.last().copied() } else { None };
        Ok(Outcome { ends, which })
    }
}
