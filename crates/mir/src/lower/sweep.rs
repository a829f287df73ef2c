//! Pairs of a `@grad` call and its `.backward()`: the arguments stay what they were at the call.
//!
//! Both sweeps read through the same operands. What a sweep only reads and the program may change in
//! between is copied before the call; what the program gives away by value is kept in a local of the
//! block's scope.

use neuro_hir::{Expr, ExprId, LocalId};
use neuro_types::{DiffSpec, Ty, WrtBase, fn_sig};

use super::Lowering;
use crate::pairs::{Pair, is_lent};
use crate::{LocalKind, Operand, Operation, Place, Rvalue, StatementKind, Sweep, SweepId};

/// An argument by which a call is differentiated, as long as its value may be asked.
#[derive(Clone)]
pub(super) struct Held {
    /// Which one.
    pub(super) base: WrtBase,
    /// What it refers to.
    pub(super) place: Place,
    /// The reference that keeps it borrowed as long as directions are asked for.
    pub(super) reference: Option<Place>,
}

/// A binding of a call whose derivative is asked for.
pub(super) struct Asked<'db> {
    pub(super) spec: &'db DiffSpec,
    pub(super) held: Vec<Held>,
}

impl<'db> Lowering<'_, 'db> {
    /// `val binding = f(..)` that is followed by `binding.backward()`, or asked for directions.
    pub(super) fn sweep(&mut self, binding: LocalId, pair: &Pair<'db>) {
        let given = pair.spec.bases().into_iter().map(|base| (base, pair.given.at(base)));
        let is_lent = |(base, arg): (WrtBase, Option<ExprId>)| {
            arg.is_some_and(|arg| is_lent(self.hir, self.types, base, arg))
        };
        // What cannot be held is reported.
        if !given.clone().all(is_lent) {
            return self.binding(binding, pair.call);
        }
        let sweep = match pair.backward {
            Some(backward) => self.forward_sweep(binding, pair, backward),
            None => {
                self.binding(binding, pair.call);
                None
            }
        };
        let held = given.filter_map(|(base, arg)| self.hold(base, arg?, pair, sweep)).collect();
        self.asked.insert(binding, Asked { spec: pair.spec, held });
    }

    fn forward_sweep(
        &mut self,
        binding: LocalId,
        pair: &Pair<'db>,
        backward: ExprId,
    ) -> Option<SweepId> {
        let block_scope = self.scopes.len().saturating_sub(1);
        self.open_scope(crate::DropReason::Temporary, None);
        let args = self.sweep_arguments(pair, block_scope);
        let loss = self.declare(binding);
        let Some(args) = args else {
            self.close_scope(pair.call);
            self.bind(binding, loss);
            return None;
        };
        let id = self.sweeps.next_id();
        let residuals = self.local(Ty::Void, None, LocalKind::Residuals(id), None);
        let (function, call) = (pair.function, pair.call);
        self.sweeps.alloc(Sweep { function, args, loss, residuals, call, backward });
        self.backwards.push((backward, id));
        self.emit(StatementKind::Forward(id), pair.call);
        self.close_scope(pair.call);
        self.bind(binding, loss);
        self.own(residuals);
        Some(id)
    }

    /// Keeps an argument borrowed as long as directions are asked for: until the `.backward()` as the sweep does,
    /// from then on, or without one, only against changes.
    fn hold(
        &mut self,
        base: WrtBase,
        arg: ExprId,
        pair: &Pair<'db>,
        sweep: Option<SweepId>,
    ) -> Option<Held> {
        let place = match self.hir.exprs[arg] {
            Expr::Borrow { operand, .. } => self.place(operand)?,
            _ => self.place(arg)?,
        };
        let place = self.peel(place);
        let reference = pair.has_directions.then(|| {
            let index = match base {
                WrtBase::Receiver => 0,
                WrtBase::Param(param) => param + usize::from(pair.given.receiver.is_some()),
            };
            let lent = sweep.and_then(|sweep| self.sweeps[sweep].args.get(index).cloned());
            let lent = match lent {
                Some(Operand::Copy(reference)) => reference.deref(),
                _ => place.clone(),
            };
            let reference = Place::local(self.temporary(self.place_ty(&place).reference(false)));
            self.assign(&reference, Rvalue::Ref { mutable: false, place: lent }, pair.call);
            reference
        });
        Some(Held { base, place, reference })
    }

    /// The end of the gradient borrows of a `.backward()`.
    pub(super) fn released(&mut self, receiver: ExprId, backward: ExprId) {
        for held in self.held_by(receiver) {
            if let Some(reference) = held.reference {
                let value = Rvalue::Ref { mutable: false, place: held.place };
                self.assign(&reference, value, backward);
            }
        }
    }

    /// What the value in a binding keeps borrowed.
    pub(super) fn held_by(&self, receiver: ExprId) -> Vec<Held> {
        let Expr::Local(local) = &self.hir.exprs[receiver] else { return Vec::new() };
        self.asked.get(local).map(|asked| asked.held.clone()).unwrap_or_default()
    }

    /// The arguments, in the order of the parameters, the receiver first; none when the call does not fit its
    /// function.
    fn sweep_arguments(&mut self, pair: &Pair<'db>, scope: usize) -> Option<Vec<Operand>> {
        let generics = self.types.generic_args.get(pair.call).map(Vec::as_slice);
        let generics = generics.unwrap_or_default();
        let sig = fn_sig(self.db, pair.function);
        let bases = pair.spec.bases();
        let given = &pair.given;
        let mut receiver = None;
        if let (Some(expr), Some(ty)) = (given.receiver, &sig.receiver) {
            receiver = match self.applied(ty, generics) {
                // It is lent when the arguments are known, so that they may read it.
                Ty::Ref { .. } if bases.contains(&WrtBase::Receiver) => None,
                Ty::Ref { inner, .. } => Some(self.constant_reference(expr, &inner, pair, scope)),
                _ => Some(self.kept_value(expr, scope)),
            };
        }
        let mut operands: Vec<Option<Operand>> = vec![None; sig.params.len()];
        for (index, arg) in given.written.iter().enumerate() {
            let Some(param) = given.params.iter().position(|found| *found == Some(*arg)) else {
                continue;
            };
            let (Some(sig), Some(slot)) = (sig.params.get(param), operands.get_mut(param)) else {
                continue;
            };
            *slot = Some(match self.applied(&sig.ty, generics) {
                Ty::Ref { .. } if bases.contains(&WrtBase::Param(param)) => {
                    self.reference(*arg, true, &given.written[index + 1..])
                }
                Ty::Ref { inner, .. } => self.constant_reference(*arg, &inner, pair, scope),
                _ => self.kept_value(*arg, scope),
            });
        }
        let mut args = operands.into_iter().collect::<Option<Vec<Operand>>>()?;
        if let Some(expr) = given.receiver {
            args.insert(0, receiver.or_else(|| self.lent_receiver(expr))?);
        }
        Some(args)
    }

    /// A receiver that is differentiated.
    fn lent_receiver(&mut self, expr: ExprId) -> Option<Operand> {
        if let Expr::Borrow { .. } = self.hir.exprs[expr] {
            return Some(self.reference(expr, true, &[]));
        }
        let place = self.place(expr)?;
        let place = self.peel(place);
        Some(self.lend(place, true, expr))
    }

    /// A value that both sweeps read: a constant, or a local that the block's scope drops.
    fn kept_value(&mut self, expr: ExprId, scope: usize) -> Operand {
        match self.constant(expr) {
            Some(scalar) => Operand::Const(scalar),
            None => Operand::Copy(self.keep(expr, scope)),
        }
    }

    fn keep(&mut self, expr: ExprId, scope: usize) -> Place {
        let local = self.temporary(self.types.ty(expr).clone());
        let place = Place::local(local);
        self.value_into(expr, &place);
        self.own_in(scope, local);
        place
    }

    /// A constant that is passed by reference: the place itself when nothing may touch it before the
    /// `.backward()`, a copy otherwise.
    fn constant_reference(
        &mut self,
        expr: ExprId,
        referent: &Ty,
        pair: &Pair<'db>,
        scope: usize,
    ) -> Operand {
        let place = match self.hir.exprs[expr] {
            Expr::Borrow { operand, .. } => match self.place(operand) {
                Some(place) => place,
                None => {
                    let kept = self.keep(operand, scope);
                    return self.lend(kept, false, expr);
                }
            },
            _ => match self.place(expr) {
                Some(place) => place,
                None => self.materialize(expr),
            },
        };
        let place = self.peel(place);
        if self.owns(referent) && self.stays(expr, referent, pair) {
            return self.lend(place, false, expr);
        }
        let copy = Place::local(self.temporary(self.place_ty(&place)));
        if self.owns(&self.place_ty(&place)) {
            self.operation(&copy, Operation::Clone, vec![Operand::Copy(place)], expr);
        } else {
            self.assign(&copy, Rvalue::Use(Operand::Copy(place)), expr);
        }
        self.own_in(scope, copy.local);
        self.lend(copy, false, expr)
    }

    /// Whether the tensor that an argument refers to is untouched between call and `.backward()`.
    fn stays(&self, arg: ExprId, referent: &Ty, pair: &Pair<'db>) -> bool {
        let (local, direct) = match &self.hir.exprs[arg] {
            Expr::Borrow { operand, .. } => match &self.hir.exprs[*operand] {
                Expr::Local(local) => (*local, true),
                _ => return false,
            },
            Expr::Local(local) => (*local, false),
            _ => return false,
        };
        let ty = self.types.local_ty(local);
        let declaration = &self.hir.locals[local];
        let is_param = declaration.binding == neuro_hir::Binding::Param && !declaration.mutable;
        match ty {
            // The caller lends it for the whole function.
            Ty::Ref { mutable: false, .. } if is_param => true,
            Ty::Ref { mutable: true, .. } if is_param => {
                !self.touch(&pair.between, &|named| named == local)
            }
            Ty::Tensor(_) if direct => !self.touch(&pair.between, &|named| named == local),
            // It may refer to anything of its type.
            _ => !self.touch(&pair.between, &|named| {
                let named = self.types.local_ty(named);
                named.peeled() == referent.peeled()
                    && !matches!(named, Ty::Ref { mutable: false, .. })
            }),
        }
    }
}
