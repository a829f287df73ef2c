//! Operands: what an operation looks at, and what becomes of it afterwards.

use neuro_hir::{Expr, ExprId};
use neuro_num::{DType, Scalar};
use neuro_types::Ty;

use super::Lowering;
use crate::ownership::holds_reference;
use crate::{DropReason, LocalId, LocalKind, Operand, Place, Rvalue, walk};

/// Whether an operation keeps the operands that it owns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// An owned tensor is taken.
    Taking,
    /// Everything stays.
    Looking,
}

/// An operand together with what happens to it after the operation.
pub(super) struct Read {
    pub(super) operand: Operand,
    after: After,
    expr: ExprId,
}

enum After {
    Nothing,
    /// The operation took what this place holds.
    Consume(Place),
    /// A temporary of a scope, to be dropped at once.
    Release(LocalId, DropReason),
}

impl Lowering<'_, '_> {
    /// Evaluates an operand. `rest` are the operands that are evaluated after it and before the
    /// operation reads: what they could change is fixed now.
    pub(super) fn read(&mut self, expr: ExprId, reading: Reading, rest: &[ExprId]) -> Read {
        if let Some(scalar) = self.constant(expr) {
            return Read { operand: Operand::Const(scalar), after: After::Nothing, expr };
        }
        self.open_scope(DropReason::Temporary, None);
        let read = self.located(expr, reading, rest);
        let Operand::Copy(place) = &read.operand else {
            self.join_scope();
            return read;
        };
        let ty = self.place_ty(place);
        // What a new reference refers to.
        let lent = place.is_behind_reference()
            && self.locals[place.local].kind == LocalKind::Temporary
            && (self.disturb(rest, expr) || ty != Ty::Text && self.may_write(rest));
        if self.is_plain(&ty) && (lent || self.scope_ends_something()) {
            let operand = self.fix(read.operand, expr);
            self.close_scope(expr);
            return Read { operand, ..read };
        }
        if ty == Ty::Text && lent {
            let copy = Place::local(self.temporary(Ty::Text));
            self.assign(&copy, Rvalue::Use(read.operand), expr);
            self.close_scope(expr);
            self.own(copy.local);
            return self.read_temporary(copy, expr);
        }
        self.join_scope();
        read
    }

    /// Whether values of a type are copied and refer to nothing.
    pub(super) fn is_plain(&self, ty: &Ty) -> bool {
        !self.moves(ty) && !holds_reference(self.db, ty)
    }

    /// The operand of [`Self::read`], whose temporaries are those of the innermost scope.
    fn located(&mut self, expr: ExprId, reading: Reading, rest: &[ExprId]) -> Read {
        // An operator reads through `&x` at once: no reference is made.
        if let Expr::Borrow { operand, .. } = self.hir.exprs[expr]
            && self.types.coercions.get(expr).is_none()
            && let Some(place) = self.place(operand)
        {
            return self.read_place(operand, place, Reading::Looking, rest);
        }
        if let Some(place) = self.place(expr) {
            return self.read_place(expr, place, reading, rest);
        }
        let place = self.materialize(expr);
        self.read_temporary(place, expr)
    }

    /// Reads a temporary; what it owns is dropped afterwards.
    pub(super) fn read_temporary(&self, place: Place, expr: ExprId) -> Read {
        let after = if self.owns(&self.locals[place.local].ty) {
            After::Release(place.local, DropReason::Temporary)
        } else {
            After::Nothing
        };
        Read { operand: Operand::Copy(self.peel(place)), after, expr }
    }

    fn read_place(
        &mut self,
        expr: ExprId,
        place: Place,
        reading: Reading,
        rest: &[ExprId],
    ) -> Read {
        let changes = self.may_write(rest);
        let target = self.peel(place.clone());
        let ty = self.place_ty(&target);
        let named = walk::root(self.hir, expr);
        // A part of something that is given away before it is used.
        let given = || named.is_some_and(|root| self.may_take(rest, root));
        if !self.owns(&ty) {
            let fixed = changes || given();
            let operand = Operand::Copy(target);
            let operand = if fixed { self.fix(operand, expr) } else { operand };
            return Read { operand, after: After::Nothing, expr };
        }
        // A text that is changed or given away before it is used is read now.
        if ty == Ty::Text
            && (given() || changes && named.is_some_and(|root| self.may_touch(rest, root)))
        {
            let copy = Place::local(self.temporary(Ty::Text));
            self.assign(&copy, Rvalue::Use(Operand::Copy(target)), expr);
            self.own(copy.local);
            return self.read_temporary(copy, expr);
        }
        if reading == Reading::Taking && target == place {
            if changes || named.is_some_and(|local| self.mention(rest, local)) {
                let moved = self.temporary(ty);
                let value = Rvalue::Use(Operand::Move(place));
                self.assign(&Place::local(moved), value, expr);
                self.own(moved);
                let after = After::Release(moved, DropReason::Consumed);
                return Read { operand: Operand::Copy(Place::local(moved)), after, expr };
            }
            let after = After::Consume(place.clone());
            return Read { operand: Operand::Copy(place), after, expr };
        }
        let operand = if changes {
            let reference = self.temporary(ty.reference(false));
            let value = Rvalue::Ref { mutable: false, place: target };
            self.assign(&Place::local(reference), value, expr);
            Operand::Copy(Place::local(reference).deref())
        } else {
            Operand::Copy(target)
        };
        Read { operand, after: After::Nothing, expr }
    }

    /// Evaluates operands from left to right. `rest` are those that follow.
    pub(super) fn read_all(
        &mut self,
        exprs: &[ExprId],
        reading: Reading,
        rest: &[ExprId],
    ) -> Vec<Read> {
        let mut reads = Vec::with_capacity(exprs.len());
        for (index, expr) in exprs.iter().enumerate() {
            let mut later = exprs[index + 1..].to_vec();
            if reading == Reading::Looking {
                // Where nothing is evaluated, nothing is given away.
                later.retain(|later| walk::path(self.hir, *later).is_none());
            }
            later.extend(rest);
            reads.push(self.read(*expr, reading, &later));
        }
        reads
    }

    /// Drops what an operation took and the temporaries that it read.
    pub(super) fn after(&mut self, reads: Vec<Read>) {
        for read in reads {
            match read.after {
                After::Nothing => {}
                After::Consume(place) => {
                    self.drop_place(place, DropReason::Consumed, read.expr);
                }
                After::Release(local, reason) => {
                    self.disown(local);
                    self.drop_place(Place::local(local), reason, read.expr);
                }
            }
        }
    }

    /// The value of an operand in a temporary, so that later writes do not change it.
    pub(super) fn fix(&mut self, operand: Operand, expr: ExprId) -> Operand {
        let place = match &operand {
            Operand::Const(_) => return operand,
            Operand::Copy(place) | Operand::Move(place) => place,
        };
        let temporary = Place::local(self.temporary(self.place_ty(place)));
        self.assign(&temporary, Rvalue::Use(operand), expr);
        Operand::Copy(temporary)
    }

    /// The value of a literal or of a constant of the program.
    pub(super) fn constant(&self, expr: ExprId) -> Option<Scalar> {
        if let Some(scalar) = self.types.literals.get(expr) {
            return Some(*scalar);
        }
        match &self.hir.exprs[expr] {
            Expr::Literal(neuro_hir::Literal::Char(c)) => {
                Scalar::int(DType::U32, i128::from(u32::from(*c)))
            }
            Expr::Literal(neuro_hir::Literal::Bool(value)) => Some(Scalar::bool(*value)),
            _ => None,
        }
    }

    /// The element type of a value of this type, tensors and references included.
    pub(super) fn element(ty: &Ty) -> DType {
        match ty.peeled() {
            Ty::Scalar(dtype) => *dtype,
            Ty::Tensor(tensor) => tensor.elem,
            // Only in bodies that are not compiled.
            Ty::Error
            | Ty::Never
            | Ty::Void
            | Ty::Char
            | Ty::Text
            | Ty::Ref { .. }
            | Ty::Tuple(_)
            | Ty::Array { .. }
            | Ty::Slice(_)
            | Ty::Fn(_)
            | Ty::Adt { .. }
            | Ty::Collection { .. }
            | Ty::Param(_)
            | Ty::Assoc(_)
            | Ty::Dyn(_)
            | Ty::Sparse(_)
            | Ty::Opaque(_)
            | Ty::Var(_) => DType::I32,
        }
    }
}
