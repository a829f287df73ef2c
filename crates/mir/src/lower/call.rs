//! Calls of functions of the program.

use neuro_hir::{Expr, ExprId};
use neuro_types::{Ty, fn_sig};

use super::read::Reading;
use super::{Lowering, owns};
use crate::pairs::called;
use crate::{Operand, Place, Rvalue, StatementKind};

impl Lowering<'_, '_> {
    /// A call; the result is put in `dest`.
    pub(super) fn call(&mut self, expr: ExprId, dest: Option<&Place>) {
        let Expr::Call { callee, args } = &self.hir.exprs[expr] else { return };
        let args: Vec<ExprId> = args.iter().map(|arg| arg.value).collect();
        if let Some(constructor) = self.constructor(expr, *callee) {
            if let Some(dest) = dest {
                self.construct(constructor, &args, dest, expr);
            }
            return;
        }
        let Some(function) = called(self.hir, self.types, expr) else {
            for arg in args {
                self.effect(arg);
            }
            return;
        };
        let sig = fn_sig(self.db, function);
        let order = self.argument_order(expr, sig.params.len());
        let mut operands: Vec<Option<Operand>> = vec![None; sig.params.len()];
        for (index, arg) in args.iter().enumerate() {
            let Some(param) = order.iter().position(|written| *written == index) else { continue };
            let (Some(sig), Some(slot)) = (sig.params.get(param), operands.get_mut(param)) else {
                continue;
            };
            *slot = Some(self.argument(*arg, &sig.ty, &args[index + 1..]));
        }
        let Some(args) = operands.into_iter().collect::<Option<Vec<Operand>>>() else { return };
        for arg in &args {
            if let Operand::Move(place) = arg {
                self.disown(place.local);
            }
        }
        let dest = dest.filter(|_| super::gives_value(&sig.ret)).cloned();
        self.emit(StatementKind::Call { dest, function, args }, expr);
    }

    /// For each parameter, which argument as written fills it.
    pub(super) fn argument_order(&self, call: ExprId, params: usize) -> Vec<usize> {
        match self.types.arguments.get(call) {
            Some(order) => order.clone(),
            None => (0..params).collect(),
        }
    }

    /// Evaluates an argument for a parameter of type `param`.
    fn argument(&mut self, expr: ExprId, param: &Ty, rest: &[ExprId]) -> Operand {
        match param {
            Ty::Ref { mutable, .. } => self.reference(expr, *mutable, rest),
            ty if owns(ty) => Operand::Move(self.materialize(expr)),
            _ => self.read(expr, Reading::Looking, rest).operand,
        }
    }

    /// Evaluates an argument that is passed by reference. A `&mut` binding is lent on, shared where the
    /// parameter is.
    pub(super) fn reference(&mut self, expr: ExprId, mutable: bool, rest: &[ExprId]) -> Operand {
        if let Expr::Borrow { mutable: written, operand } = self.hir.exprs[expr] {
            let place = match self.place(operand) {
                Some(place) => place,
                None => self.materialize(operand),
            };
            return self.lend(place, written && mutable, expr);
        }
        let Some(place) = self.place(expr) else {
            return Operand::Copy(self.materialize(expr));
        };
        match self.place_ty(&place) {
            Ty::Ref { mutable: true, .. } => self.lend(place.deref(), mutable, expr),
            _ if self.may_write(rest) || !place.projections.is_empty() => {
                self.fix(Operand::Copy(place), expr)
            }
            _ => Operand::Copy(place),
        }
    }

    /// A reference to a place in a temporary.
    pub(super) fn lend(&mut self, place: Place, mutable: bool, expr: ExprId) -> Operand {
        let ty = self.place_ty(&place).reference(mutable);
        let temporary = Place::local(self.temporary(ty));
        self.assign(&temporary, Rvalue::Ref { mutable, place }, expr);
        Operand::Copy(temporary)
    }
}
