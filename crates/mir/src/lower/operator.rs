//! Operators of types of the program, `==` of what derives it, and the methods of traits that the language knows.
//!
//! Where a block gives a type the trait, an operator is a call of the block's method. What a struct derives is the
//! same for each of its fields. In the body of a generic function, where the type is a parameter, an operation
//! stands for the method: it moves and reads what the method would, and nothing is compiled from it.

use neuro_hir::{BinaryOp, BuiltinTrait, CompareOp, ExprId, Function, UnaryOp};
use neuro_num::Scalar;
use neuro_types::{Callee, GenericArg, Ty, binary_trait, fn_sig, known_implementation};

use super::Lowering;
use super::limit::can_be_derived;
use super::read::Reading;
use super::text_member::whole;
use crate::{NumberOp, Operand, Operation, Place, Rvalue, StatementKind, TextOperation};

/// What a method of such a trait does.
enum Meaning {
    Binary(BinaryOp),
    Unary(UnaryOp),
    Compare(CompareOp),
    Clone,
    Hash,
    /// What the language has no operation for.
    Other,
}

impl<'db> Lowering<'_, 'db> {
    /// Whether an operator with this first operand is a method of a trait.
    pub(super) fn is_own_operator(&self, operand: ExprId) -> bool {
        matches!(
            self.types.ty(operand).peeled(),
            Ty::Adt { .. } | Ty::Param(_) | Ty::Opaque(_) | Ty::Assoc(_) | Ty::Dyn(_)
        )
    }

    /// A binary operator of a type of the program.
    pub(super) fn own_binary(
        &mut self,
        op: BinaryOp,
        operands: [ExprId; 2],
        dest: &Place,
        expr: ExprId,
    ) {
        let own = self.types.ty(operands[0]).peeled().clone();
        self.known_call((binary_trait(op), 0), &own, &operands, dest, expr);
    }

    /// `-a`, `~a`.
    pub(super) fn own_unary(&mut self, op: UnaryOp, operand: ExprId, dest: &Place, expr: ExprId) {
        let of_trait = match op {
            UnaryOp::Neg => BuiltinTrait::Neg,
            UnaryOp::Not | UnaryOp::BitNot => BuiltinTrait::Not,
        };
        let own = self.types.ty(operand).peeled().clone();
        self.known_call((of_trait, 0), &own, &[operand], dest, expr);
    }

    /// A comparison of a type of the program.
    pub(super) fn own_comparison(
        &mut self,
        op: CompareOp,
        operands: [ExprId; 2],
        dest: &Place,
        expr: ExprId,
    ) {
        let own = self.types.ty(operands[0]).peeled().clone();
        self.known_call(comparison_trait(op), &own, &operands, dest, expr);
    }

    /// `place op= value` of a type of the program: the sum takes the place's value and is put back.
    pub(super) fn own_assignment(
        &mut self,
        op: BinaryOp,
        (place, value): (ExprId, ExprId),
        expr: ExprId,
    ) {
        // The right side comes first; what it gives is read like any other value then.
        let constant = self.constant(value).is_some();
        if !constant && self.computed.get(value).is_none() {
            let computed = self.materialize(value);
            self.computed.insert(value, computed);
        }
        let result = self.temporary(self.types.ty(place).peeled().clone());
        self.own_binary(op, [place, value], &Place::local(result), expr);
        let Some(target) = self.place(place) else { return };
        let target = self.peel(target);
        let ty = self.place_ty(&target);
        let source = Place::local(result);
        let operand = if self.moves(&ty) { Operand::Move(source) } else { Operand::Copy(source) };
        self.assign(&target, Rvalue::Use(operand), expr);
    }

    /// A method of a trait that the language knows, called on a value.
    pub(super) fn known_method(
        &mut self,
        method: (BuiltinTrait, usize),
        receiver: ExprId,
        args: &[ExprId],
        dest: &Place,
        expr: ExprId,
    ) {
        let given = self.types.generic_args.get(expr).and_then(|args| args.first());
        let own = match given {
            Some(GenericArg::Type(own)) => own.clone(),
            Some(GenericArg::Const(_)) | None => self.types.ty(receiver).peeled().clone(),
        };
        let operands: Vec<ExprId> = std::iter::once(receiver).chain(args.iter().copied()).collect();
        self.known_call(method, &own, &operands, dest, expr);
    }

    fn known_call(
        &mut self,
        (of_trait, index): (BuiltinTrait, usize),
        own: &Ty,
        operands: &[ExprId],
        dest: &Place,
        expr: ExprId,
    ) {
        let noted = match self.types.callees.get(expr) {
            Some(Callee::Function(function)) => {
                let generics = self.types.generic_args.get(expr).cloned().unwrap_or_default();
                Some((*function, generics))
            }
            _ => None,
        };
        let found = known_implementation(self.db, of_trait, index, own).or(noted);
        if let Some((function, generics)) = found {
            return self.call_with(function, generics, operands, dest, expr);
        }
        let meaning = meaning(of_trait, index);
        if matches!(meaning, Meaning::Compare(_) | Meaning::Clone)
            && !can_be_derived(self.db, of_trait, own)
        {
            return self.apply(dest, Operation::NotYet, operands, Reading::Looking, expr);
        }
        match meaning {
            Meaning::Compare(op) => {
                let places: Vec<Place> =
                    operands.iter().map(|operand| self.looked_at(*operand)).collect();
                if let [a, b] = &places[..] {
                    self.compare_places(op, a, b, dest, expr);
                }
            }
            Meaning::Clone => {
                for operand in operands {
                    let place = self.looked_at(*operand);
                    self.clone_into(&place, dest, expr);
                }
            }
            Meaning::Binary(op) => self.operate(Operation::Binary(op), operands, own, dest, expr),
            Meaning::Unary(op) => self.operate(Operation::Unary(op), operands, own, dest, expr),
            Meaning::Hash => {
                for operand in operands {
                    let value = vec![Operand::Copy(self.looked_at(*operand))];
                    match own {
                        Ty::Text => self.text_operation(dest, TextOperation::Hash, value, expr),
                        _ => {
                            let op = Operation::Number(NumberOp::Hash);
                            self.operation(dest, op, value, expr);
                        }
                    }
                }
            }
            Meaning::Other => {
                for operand in operands {
                    self.looked_at(*operand);
                }
            }
        }
    }

    /// An operator of the language, or one of a type that is not known, which takes its operands.
    fn operate(
        &mut self,
        op: Operation,
        operands: &[ExprId],
        own: &Ty,
        dest: &Place,
        expr: ExprId,
    ) {
        if let Ty::Text = own {
            let reads = self.read_all(operands, Reading::Looking, &[]);
            let parts = reads.iter().zip(operands);
            let parts = parts.map(|(read, expr)| whole(read.operand.clone(), *expr)).collect();
            self.assign(dest, Rvalue::Text(parts), expr);
            return self.after(reads);
        }
        if let Ty::Scalar(_) | Ty::Tensor(_) = own {
            return self.apply(dest, op, operands, Reading::Taking, expr);
        }
        let mut given = Vec::with_capacity(operands.len());
        for (index, operand) in operands.iter().enumerate() {
            given.push(self.argument(*operand, own, &operands[index + 1..]));
        }
        self.give(&given);
        self.operation(dest, op, given, expr);
    }

    /// Calls a method with all its operands, the receiver first.
    fn call_with(
        &mut self,
        function: Function<'db>,
        generics: Vec<GenericArg>,
        operands: &[ExprId],
        dest: &Place,
        expr: ExprId,
    ) {
        let sig = fn_sig(self.db, function);
        let params = sig.receiver.iter().chain(sig.params.iter().map(|param| &param.ty));
        let mut args = Vec::with_capacity(operands.len());
        for (index, (operand, param)) in operands.iter().zip(params).enumerate() {
            args.push(match self.applied(param, &generics) {
                Ty::Ref { mutable, .. } => {
                    let place = self.looked_at(*operand);
                    self.lend(place, mutable, *operand)
                }
                ty => self.argument(*operand, &ty, &operands[index + 1..]),
            });
        }
        self.give(&args);
        self.emit(StatementKind::Call { dest: Some(dest.clone()), function, generics, args }, expr);
    }

    /// The place of an operand that is only looked at, behind every reference.
    fn looked_at(&mut self, operand: ExprId) -> Place {
        let place = match self.place(operand) {
            Some(place) => place,
            None => self.materialize(operand),
        };
        self.peel(place)
    }

    /// Compares what two places hold.
    pub(super) fn compare_places(
        &mut self,
        op: CompareOp,
        a: &Place,
        b: &Place,
        dest: &Place,
        expr: ExprId,
    ) {
        let (a, b) = (self.peel(a.clone()), self.peel(b.clone()));
        let ty = self.place_ty(&a);
        let (of_trait, index) = comparison_trait(op);
        if let Some((function, generics)) = known_implementation(self.db, of_trait, index, &ty) {
            let args = vec![self.lend(a, false, expr), self.lend(b, false, expr)];
            let dest = Some(dest.clone());
            return self.emit(StatementKind::Call { dest, function, generics, args }, expr);
        }
        // Of fields that are compared by `eq` alone, `!=` is the opposite.
        if op == CompareOp::Ne && known_implementation(self.db, of_trait, 0, &ty).is_some() {
            let equal = Place::local(self.temporary(Ty::BOOL));
            self.compare_places(CompareOp::Eq, &a, &b, &equal, expr);
            return self.operation(
                dest,
                Operation::Unary(UnaryOp::Not),
                vec![Operand::Copy(equal)],
                expr,
            );
        }
        match (&ty, crate::ownership::parts(self.db, &ty)) {
            (Ty::Text, _) => {
                let operands = vec![Operand::Copy(a), Operand::Copy(b)];
                self.text_operation(
                    dest,
                    TextOperation::Equal(op == CompareOp::Eq),
                    operands,
                    expr,
                );
            }
            (Ty::Adt { .. }, Some(parts)) => {
                self.compare_parts(op, (&a, &b), parts.len(), dest, expr)
            }
            _ => {
                let operands = vec![Operand::Copy(a), Operand::Copy(b)];
                self.operation(dest, Operation::Compare(op), operands, expr);
            }
        }
    }

    /// Compares field by field: all are equal, or one is not. What a newtype wraps is ordered, too.
    fn compare_parts(
        &mut self,
        op: CompareOp,
        (a, b): (&Place, &Place),
        count: usize,
        dest: &Place,
        expr: ExprId,
    ) {
        let all = op != CompareOp::Ne;
        let ty = self.place_ty(a);
        let mut found: Option<Operand> = None;
        for index in 0..count {
            let Some(step) = self.numbered(&ty, index as u32) else { continue };
            let (a, b) = (a.clone().part(step.clone()), b.clone().part(step));
            let result = Place::local(self.temporary(Ty::BOOL));
            found = Some(match found {
                None => {
                    self.compare_places(op, &a, &b, &result, expr);
                    Operand::Copy(result)
                }
                Some(before) => self.decided(before, all, result, expr, |this| {
                    let part = Place::local(this.temporary(Ty::BOOL));
                    this.compare_places(op, &a, &b, &part, expr);
                    Operand::Copy(part)
                }),
            });
        }
        let found = found.unwrap_or(Operand::Const(Scalar::bool(all)));
        self.assign(dest, Rvalue::Use(found), expr);
    }
}

/// What a method of a trait that the language knows does.
fn meaning(of_trait: BuiltinTrait, index: usize) -> Meaning {
    match of_trait {
        BuiltinTrait::Add => Meaning::Binary(BinaryOp::Add),
        BuiltinTrait::Sub => Meaning::Binary(BinaryOp::Sub),
        BuiltinTrait::Mul => Meaning::Binary(BinaryOp::Mul),
        BuiltinTrait::Div => Meaning::Binary(BinaryOp::Div),
        BuiltinTrait::Rem => Meaning::Binary(BinaryOp::Rem),
        BuiltinTrait::BitAnd => Meaning::Binary(BinaryOp::BitAnd),
        BuiltinTrait::BitOr => Meaning::Binary(BinaryOp::BitOr),
        BuiltinTrait::BitXor => Meaning::Binary(BinaryOp::BitXor),
        BuiltinTrait::Shl => Meaning::Binary(BinaryOp::Shl),
        BuiltinTrait::MatMul => Meaning::Binary(BinaryOp::MatMul),
        BuiltinTrait::Neg => Meaning::Unary(UnaryOp::Neg),
        BuiltinTrait::Not => Meaning::Unary(UnaryOp::BitNot),
        BuiltinTrait::PartialEq if index == 0 => Meaning::Compare(CompareOp::Eq),
        BuiltinTrait::PartialEq => Meaning::Compare(CompareOp::Ne),
        BuiltinTrait::Comparable => Meaning::Compare(match index {
            0 => CompareOp::Lt,
            1 => CompareOp::Le,
            2 => CompareOp::Gt,
            _ => CompareOp::Ge,
        }),
        BuiltinTrait::Clone => Meaning::Clone,
        BuiltinTrait::Hashable => Meaning::Hash,
        BuiltinTrait::Drop | BuiltinTrait::Copy | BuiltinTrait::Debug => Meaning::Other,
    }
}

/// The trait of a comparison, and the index of its method there.
pub(super) fn comparison_trait(op: CompareOp) -> (BuiltinTrait, usize) {
    match op {
        CompareOp::Eq => (BuiltinTrait::PartialEq, 0),
        CompareOp::Ne => (BuiltinTrait::PartialEq, 1),
        CompareOp::Lt => (BuiltinTrait::Comparable, 0),
        CompareOp::Le => (BuiltinTrait::Comparable, 1),
        CompareOp::Gt => (BuiltinTrait::Comparable, 2),
        CompareOp::Ge => (BuiltinTrait::Comparable, 3),
    }
}
