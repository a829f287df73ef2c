//! Pairs of a `@grad` call and its `.backward()`: the arguments stay what they were at the call.
//!
//! Both sweeps read through the same operands. What a sweep only reads and the program may change in
//! between is copied before the call; what the program gives away by value is kept in a local of the
//! block's scope.

use neuro_hir::{Expr, ExprId, LocalId};
use neuro_types::{Ty, fn_sig};

use super::Lowering;
use crate::pairs::Pair;
use crate::{LocalKind, Operand, Operation, Place, Rvalue, StatementKind, Sweep};

impl<'db> Lowering<'_, 'db> {
    /// `val binding = f(..)` that is followed by `binding.backward()`.
    pub(super) fn sweep(&mut self, binding: LocalId, pair: &Pair<'db>) {
        let block_scope = self.scopes.len().saturating_sub(1);
        self.open_scope(crate::DropReason::Temporary, None);
        let args = self.sweep_arguments(pair, block_scope);
        let loss = self.declare(binding);
        if let Some(args) = args {
            let id = self.sweeps.next_id();
            let residuals = self.local(Ty::Void, None, LocalKind::Residuals(id), None);
            let sweep = Sweep {
                function: pair.function,
                args,
                loss,
                residuals,
                call: pair.call,
                backward: pair.backward,
            };
            self.sweeps.alloc(sweep);
            self.backwards.push((pair.backward, id));
            self.emit(StatementKind::Forward(id), pair.call);
            self.close_scope(pair.call);
            self.bind(binding, loss);
            self.own(residuals);
        } else {
            self.close_scope(pair.call);
            self.bind(binding, loss);
        }
    }

    /// The arguments, in the order of the parameters; none when the call does not fit its function.
    fn sweep_arguments(&mut self, pair: &Pair<'db>, scope: usize) -> Option<Vec<Operand>> {
        let Expr::Call { args, .. } = &self.hir.exprs[pair.call] else { return None };
        let args: Vec<ExprId> = args.iter().map(|arg| arg.value).collect();
        let sig = fn_sig(self.db, pair.function);
        let order = self.argument_order(pair.call, sig.params.len());
        let mut operands: Vec<Option<Operand>> = vec![None; sig.params.len()];
        for (index, arg) in args.iter().enumerate() {
            let Some(param) = order.iter().position(|written| *written == index) else { continue };
            let (Some(sig), Some(slot)) = (sig.params.get(param), operands.get_mut(param)) else {
                continue;
            };
            *slot = Some(match &sig.ty {
                Ty::Ref { .. } if pair.spec.params().contains(&param) => {
                    self.reference(*arg, true, &args[index + 1..])
                }
                Ty::Ref { inner, .. } => self.constant_reference(*arg, inner, pair, scope),
                _ => self.kept_value(*arg, scope),
            });
        }
        operands.into_iter().collect()
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
