//! How loans get from one holder to another.
//!
//! A statement gives loans to the local that it defines. What is put behind a reference is also held by every place
//! that the reference may lead to, and a call may put what its arguments hold behind any of its `&mut` arguments, as
//! far as types allow. A function of a trait puts nothing there: [`Borrows::escapes`] refuses those that do, since
//! who calls one through the trait does not see which it is.

use neuro_db::Db;
use neuro_hir::{Container, Function, impl_data};
use neuro_types::Ty;

use super::associated::leaves_result_open;
use super::keeps::{Kept, kept_arguments};
use super::{Borrows, Calls, Held, Loan, LoanKind};
use crate::bits::BitSet;
use crate::ownership::{holds_reference, may_keep, mutable_targets};
use crate::{BlockId, LocalId, Operand, Place, Projection, Rvalue, Statement, StatementKind};

/// What a statement puts behind a reference.
pub(super) struct Store {
    /// The local through which it is put there.
    pub(super) through: LocalId,
    /// What it holds.
    pub(super) loans: BitSet,
}

impl<'db> Borrows<'_, 'db> {
    /// The loans that a statement gives to the locals that it defines or puts something behind.
    pub(super) fn transfer(
        &self,
        at: (BlockId, usize),
        statement: &Statement<'db>,
        held: &mut Held,
    ) {
        let stores = self.stores(at, statement, held);
        for store in stores {
            for local in self.reached(store.through, held) {
                if self.scene.holds_reference(local) {
                    held.entry(local).or_default().union(&store.loans);
                }
            }
        }
        let Some((dest, loans)) = self.defines(at, statement, held) else { return };
        if dest.projections.is_empty() {
            held.insert(dest.local, loans);
        } else if !dest.is_behind_reference() {
            // In a part: what was there may still be there.
            held.entry(dest.local).or_default().union(&loans);
        }
    }

    /// What a statement puts behind references.
    pub(super) fn stores(
        &self,
        at: (BlockId, usize),
        statement: &Statement<'db>,
        held: &Held,
    ) -> Vec<Store> {
        let mut stores = Vec::new();
        if let Some((dest, loans)) = self.defines(at, statement, held)
            && dest.is_behind_reference()
        {
            stores.push(Store { through: dest.local, loans });
        }
        match &statement.kind {
            // A collection borrows what is borrowed by what it is given.
            StatementKind::Collection { place, args, .. }
                if self.scene.holds_reference(place.local) =>
            {
                let loans = held_by(args, held);
                stores.push(Store { through: place.local, loans });
            }
            StatementKind::Call { function, args, .. }
                if !is_of_trait(self.scene.db, *function) =>
            {
                self.stores_of_call(Some(*function), args, held, &mut stores);
            }
            StatementKind::CallValue { args, .. } => {
                self.stores_of_call(None, args, held, &mut stores);
            }
            _ => {}
        }
        stores
    }

    /// What a call may put behind its arguments: what the function does, or what types allow.
    fn stores_of_call(
        &self,
        function: Option<Function<'db>>,
        args: &[Operand],
        held: &Held,
        stores: &mut Vec<Store>,
    ) {
        let (db, body) = (self.scene.db, &self.scene.body);
        let function = function.filter(|_| self.calls == Calls::Known);
        let keeps = |keeper: usize, kept: usize| {
            function.is_none_or(|function| {
                kept_arguments(db, function).contains(&Kept { keeper, kept })
            })
        };
        for (index, arg) in args.iter().enumerate() {
            let Some(through) =
                place_of(arg).filter(|place| self.scene.holds_reference(place.local))
            else {
                continue;
            };
            let targets = mutable_targets(db, &body.place_ty(through));
            let mut loans = BitSet::default();
            for (other, source) in args.iter().enumerate() {
                if other != index
                    && let Some(source) = place_of(source)
                    && let Some(inherited) = held.get(&source.local)
                    && targets.iter().any(|to| may_keep(db, to, &body.place_ty(source)))
                    && keeps(index, other)
                {
                    loans.union(inherited);
                }
            }
            if loans.iter().next().is_some() {
                stores.push(Store { through: through.local, loans });
            }
        }
    }

    /// Whether the function is one of a trait, declared there or given by a block.
    pub(super) fn is_of_trait(&self) -> bool {
        is_of_trait(self.scene.db, self.scene.function)
    }

    /// A local and every one that the `&mut` references lead to which it may hold.
    pub(super) fn reached(&self, through: LocalId, held: &Held) -> Vec<LocalId> {
        let mut all = vec![through];
        let mut index = 0;
        while let Some(local) = all.get(index).copied() {
            index += 1;
            for loan in held.get(&local).into_iter().flat_map(BitSet::iter) {
                let Loan { place, kind, .. } = &self.loans[loan];
                let writes =
                    matches!(kind, LoanKind::Mutable | LoanKind::Parameter { mutable: true });
                if writes && !all.contains(&place.local) {
                    all.push(place.local);
                }
            }
        }
        all
    }

    /// The parameters behind which something is put through a local.
    pub(super) fn reached_parameters(&self, through: LocalId, held: &Held) -> Vec<LocalId> {
        let reached = self.reached(through, held);
        self.keepers.iter().copied().filter(|keeper| reached.contains(keeper)).collect()
    }

    /// The place that a statement gives references, and the loans that these hold.
    fn defines<'s>(
        &self,
        at: (BlockId, usize),
        statement: &'s Statement<'db>,
        held: &Held,
    ) -> Option<(&'s Place, BitSet)> {
        let mut loans = BitSet::default();
        let mut inherit = |place: &Place| {
            if let Some(inherited) = held.get(&place.local) {
                loans.union(inherited);
            }
        };
        let dest = match &statement.kind {
            StatementKind::Assign { place, value } => {
                match value {
                    Rvalue::Use(Operand::Copy(source) | Operand::Move(source)) => inherit(source),
                    // A reference made through a reference, or to one, keeps alive what that one borrows.
                    Rvalue::Ref { place, .. }
                    | Rvalue::Slice { place, .. }
                    | Rvalue::Object { place, .. }
                    | Rvalue::Gradient(place) => {
                        let ty = self.scene.body.place_ty(place);
                        if place.is_behind_reference() || holds_reference(self.scene.db, &ty) {
                            inherit(place);
                        }
                    }
                    Rvalue::Aggregate(parts)
                    | Rvalue::Variant { parts, .. }
                    | Rvalue::TextOperation { operands: parts, .. } => {
                        parts.iter().filter_map(place_of).for_each(&mut inherit);
                    }
                    Rvalue::Use(Operand::Const(_))
                    | Rvalue::Tag(_)
                    | Rvalue::Text(_)
                    | Rvalue::Empty
                    | Rvalue::Length(_)
                    | Rvalue::Operation { .. } => {}
                }
                place
            }
            StatementKind::Call { dest: Some(dest), function, args, .. }
                if leaves_result_open(self.scene.db, *function) =>
            {
                // What is lent to the call is not in its result, but for what it borrows itself.
                for place in args.iter().filter_map(place_of) {
                    let mut inherited = held.get(&place.local).cloned().unwrap_or_default();
                    let lent = self.lent_to.get(&place.local);
                    lent.into_iter().flat_map(BitSet::iter).for_each(|loan| inherited.remove(loan));
                    loans.union(&inherited);
                }
                dest
            }
            StatementKind::Call { dest: Some(dest), args, .. }
            | StatementKind::CallDyn { dest: Some(dest), args, .. } => {
                args.iter().filter_map(place_of).for_each(&mut inherit);
                dest
            }
            StatementKind::CallValue { dest: Some(dest), callee, args } => {
                args.iter().chain([callee]).filter_map(place_of).for_each(&mut inherit);
                dest
            }
            StatementKind::FunctionValue { dest, captures, .. } => {
                captures.iter().for_each(&mut inherit);
                dest
            }
            StatementKind::Collection { dest: Some(dest), place, .. } => {
                inherit(place);
                dest
            }
            _ => return None,
        };
        if !self.scene.holds_reference(dest.local) {
            return None;
        }
        if let Some(loan) = self.made.get(&at) {
            loans.insert(*loan);
        }
        Some((dest, loans))
    }

    /// Whether the way to a place goes through a shared reference, from a step on.
    pub(super) fn is_behind_shared(&self, place: &Place, from: usize) -> bool {
        let through = |index: usize| {
            let (around, step) = (&place.projections[..index], &place.projections[index]);
            let around = Place { local: place.local, projections: around.to_vec() };
            *step == Projection::Deref
                && matches!(self.scene.body.place_ty(&around), Ty::Ref { mutable: false, .. })
        };
        (from..place.projections.len()).any(through)
    }

    /// Why a loan may not be put behind a parameter; none if it may.
    pub(super) fn escapes(&self, loan: &Loan, parameter: LocalId) -> Option<Escape> {
        let body = &self.scene.body;
        if let LoanKind::Parameter { .. } = loan.kind {
            let seen = !self.is_of_trait() || loan.place.local == parameter;
            return (!seen).then_some(Escape::Unseen);
        }
        if !loan.place.is_behind_reference() {
            return Some(Escape::Ends);
        }
        let lasting = self.is_behind_shared(&loan.place, 0);
        (body.params.contains(&loan.place.local) && !lasting).then_some(Escape::Lent)
    }
}

/// Why a loan does not last as long as what a parameter refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Escape {
    /// Its place ends with the function.
    Ends,
    /// Its place is lent for the call only.
    Lent,
    /// It is what another parameter refers to, in a function of a trait.
    Unseen,
}

fn is_of_trait<'db>(db: &'db dyn Db, function: Function<'db>) -> bool {
    match function.container(db) {
        Container::Module(_) => false,
        Container::Impl(block) => impl_data(db, block).trait_ref.is_some(),
        Container::Trait(_) => true,
    }
}

fn place_of(operand: &Operand) -> Option<&Place> {
    match operand {
        Operand::Copy(place) | Operand::Move(place) => Some(place),
        Operand::Const(_) => None,
    }
}

/// The loans that operands hold.
fn held_by(operands: &[Operand], held: &Held) -> BitSet {
    let mut loans = BitSet::default();
    for place in operands.iter().filter_map(place_of) {
        if let Some(inherited) = held.get(&place.local) {
            loans.union(inherited);
        }
    }
    loans
}
