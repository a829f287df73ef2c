//! Values: an expression evaluated into a place that holds nothing, or a scalar.

use neuro_hir::{Builtin, CompareOp, Expr, ExprId};
use neuro_num::Scalar;
use neuro_types::{Callee, Method, TensorConstructor, Ty};

use super::Lowering;
use super::read::Reading;
use crate::ownership::holds_reference;
use crate::pairs::method;
use crate::walk;
use crate::{DropReason, Operand, Operation, Place, Rvalue};

impl Lowering<'_, '_> {
    /// Puts the value of an expression in a place. The place is written last, so that it may be one
    /// that the expression reads. What was made for the value ends then, unless the value may refer to it.
    pub(super) fn value_into(&mut self, expr: ExprId, dest: &Place) {
        let coercion = self.types.coercions.get(expr);
        let apart = !holds_reference(self.db, coercion.unwrap_or_else(|| self.types.ty(expr)));
        if apart {
            self.open_scope(DropReason::Temporary, None);
        }
        match coercion {
            Some(target) => self.coerced_into(expr, &target.clone(), dest),
            None => self.uncoerced_into(expr, dest),
        }
        if apart {
            self.close_scope(expr);
        }
    }

    /// The value of an expression as the type that its place wants.
    fn coerced_into(&mut self, expr: ExprId, target: &Ty, dest: &Place) {
        match target {
            Ty::Ref { mutable, inner } if matches!(**inner, Ty::Slice(_)) => {
                self.whole_slice(expr, *mutable, dest);
            }
            Ty::Ref { inner, .. } if **inner == Ty::Text => self.lent_text(expr, dest),
            Ty::Ref { mutable, inner } if matches!(**inner, Ty::Dyn(_)) => {
                let place = self.referent(expr);
                self.assign(dest, Rvalue::Object { mutable: *mutable, place }, expr);
            }
            // The others have no graph yet: a body with one of them is not lowered.
            _ => self.uncoerced_into(expr, dest),
        }
    }

    /// The same, as the type that the expression has by itself.
    pub(super) fn uncoerced_into(&mut self, expr: ExprId, dest: &Place) {
        if let Some(scalar) = self.constant(expr) {
            return self.assign(dest, Rvalue::Use(Operand::Const(scalar)), expr);
        }
        if self.computed.get(expr).is_some() {
            return self.taken(expr, dest);
        }
        if self.types.texts.get(expr).is_some() {
            return self.text_into(expr, dest, expr);
        }
        let hir = self.hir;
        match &hir.exprs[expr] {
            Expr::Local(_) | Expr::Deref(_) | Expr::Field { .. } | Expr::TupleField { .. } => {
                self.taken(expr, dest);
            }
            Expr::Index { base, .. } if self.is_sequence(*base) => self.taken(expr, dest),
            Expr::Tuple(elements) => self.aggregate(elements, dest, expr),
            Expr::StructLit { fields, base, .. } => match self.types.callees.get(expr) {
                Some(Callee::Variant(item, variant)) => {
                    self.variant_literal((*item, *variant), fields, dest, expr);
                }
                _ => self.struct_literal(fields, *base, dest, expr),
            },
            Expr::Path(_) => {
                let callee = self.types.callees.get(expr).copied();
                match (callee, self.types.ty(expr)) {
                    (Some(callee), Ty::Fn(_)) => self.named_value(callee, dest, expr),
                    (Some(Callee::Variant(_, variant)), _) => {
                        self.build_variant(variant, Vec::new(), dest, expr);
                    }
                    _ => {}
                }
            }
            Expr::Match { scrutinee, arms } => self.match_value(*scrutinee, arms, Some(dest), expr),
            Expr::Try(operand) => self.try_value(*operand, dest, expr),
            Expr::Coalesce { lhs, rhs } => self.coalesce(*lhs, *rhs, dest, expr),
            Expr::Loop { label, body } => self.endless_loop(label.clone(), *body, Some(dest)),
            Expr::Array(elements) if self.is_sequence(expr) => self.aggregate(elements, dest, expr),
            Expr::Unary { op, operand } if self.is_own_operator(*operand) => {
                self.own_unary(*op, *operand, dest, expr);
            }
            Expr::Compare { op, lhs, rhs } if self.is_own_operator(*lhs) => {
                self.own_comparison(*op, [*lhs, *rhs], dest, expr);
            }
            Expr::Unary { op, operand } => {
                self.apply(dest, Operation::Unary(*op), &[*operand], Reading::Taking, expr);
            }
            Expr::Text(_) => self.text_into(expr, dest, expr),
            Expr::Binary { .. } if self.joins(expr) => self.text_into(expr, dest, expr),
            Expr::Binary { .. } => self.chain(expr, dest),
            Expr::Compare { op, lhs, rhs } if self.is_text(*lhs) => {
                self.compare_texts(*op == CompareOp::Eq, (*lhs, *rhs), dest, expr);
            }
            Expr::Compare { op, lhs, rhs } => {
                self.apply(dest, Operation::Compare(*op), &[*lhs, *rhs], Reading::Looking, expr);
            }
            Expr::Cast { operand, .. }
                if *self.types.ty(expr) == Ty::Char && !self.is_char(*operand) =>
            {
                self.apply(dest, Operation::Character, &[*operand], Reading::Looking, expr);
            }
            Expr::Cast { operand, .. } if *self.types.ty(expr) == Ty::Char => {
                self.value_into(*operand, dest);
            }
            Expr::Cast { operand, .. } => {
                let target = Self::element(self.types.ty(expr));
                self.apply(dest, Operation::Cast(target), &[*operand], Reading::Looking, expr);
            }
            Expr::Logic { op, lhs, rhs } => self.logic(*op, *lhs, *rhs, dest, expr),
            Expr::Borrow { mutable, operand } => {
                let place = match self.place(*operand) {
                    Some(place) => place,
                    None => self.materialize(*operand),
                };
                self.assign(dest, Rvalue::Ref { mutable: *mutable, place }, expr);
            }
            Expr::Call { .. } => self.call(expr, Some(dest)),
            Expr::MethodCall { receiver, args, .. } => {
                let args: Vec<ExprId> = args.iter().map(|arg| arg.value).collect();
                self.method(expr, *receiver, &args, Some(dest));
            }
            Expr::Closure(closure) => self.closure(closure, dest, expr),
            Expr::Compose { .. } => self.composition(dest, expr),
            Expr::Pipeline { value, function } => {
                self.pipeline(expr, *value, *function, Some(dest));
            }
            Expr::Index { base, args } => {
                let mut operands = vec![*base];
                operands.extend(walk::index_positions(args));
                let slice = operands.len() <= args.len();
                let op = if slice { Operation::NotYet } else { Operation::Element };
                self.apply(dest, op, &operands, Reading::Looking, expr);
            }
            Expr::Array(elements) => self.pack(elements, dest, expr),
            Expr::Block { .. } => self.block(expr, Some(dest)),
            Expr::If { cond, then, otherwise } => {
                self.if_else(*cond, *then, *otherwise, Some(dest));
            }
            Expr::BuiltinCall { builtin: Builtin::Einsum, args } => {
                let operands: Vec<ExprId> = args.iter().skip(1).map(|arg| arg.value).collect();
                self.apply(dest, Operation::NotYet, &operands, Reading::Looking, expr);
            }
            Expr::BuiltinCall { .. }
            | Expr::While { .. }
            | Expr::For { .. }
            | Expr::Return(_)
            | Expr::Break { .. }
            | Expr::Continue { .. }
            | Expr::Assign { .. }
            | Expr::Pool { .. } => self.effect(expr),
            // They were reported.
            Expr::Missing | Expr::Literal(_) | Expr::Range { .. } => {}
        }
    }

    /// The value of a place, copied or moved into `dest`.
    fn taken(&mut self, expr: ExprId, dest: &Place) {
        if let Some(place) = self.place(expr) {
            let value = self.take(place);
            self.assign(dest, value, expr);
        }
    }

    fn is_char(&self, expr: ExprId) -> bool {
        *self.types.ty(expr).peeled() == Ty::Char
    }

    /// `dest = op(operands)`, and what becomes of the operands.
    pub(super) fn apply(
        &mut self,
        dest: &Place,
        op: Operation,
        operands: &[ExprId],
        reading: Reading,
        expr: ExprId,
    ) {
        let reads = self.read_all(operands, reading, &[]);
        let operands = reads.iter().map(|read| read.operand.clone()).collect();
        self.operation(dest, op, operands, expr);
        self.after(reads);
    }

    /// Where the result of an operator of a chain is put: the last one's where the whole is wanted.
    fn link(&mut self, last: bool, dest: &Place, expr: ExprId) -> Place {
        if last {
            return dest.clone();
        }
        Place::local(self.temporary(self.types.ty(expr).clone()))
    }

    /// A chain of binary operators, `((a + b) - c) * d`, from its innermost on: chains are long, and
    /// take no depth here.
    fn chain(&mut self, expr: ExprId, dest: &Place) {
        let hir = self.hir;
        let mut spine = Vec::new();
        let mut inner = expr;
        while let Expr::Binary { op, lhs, rhs } = &hir.exprs[inner] {
            spine.push((inner, *op, *lhs, *rhs));
            if self.constant(*lhs).is_some() {
                break;
            }
            inner = *lhs;
        }
        let mut left = None;
        while let Some((expr, op, lhs, rhs)) = spine.pop() {
            if self.is_own_operator(lhs) {
                if let Some(place) = left {
                    self.computed.insert(lhs, place);
                }
                let result = self.link(spine.is_empty(), dest, expr);
                self.own_binary(op, [lhs, rhs], &result, expr);
                if !spine.is_empty() {
                    self.own(result.local);
                }
                left = Some(result);
                continue;
            }
            let first = match left {
                Some(place) => self.read_temporary(place, lhs),
                None => self.read(lhs, Reading::Taking, &[rhs]),
            };
            let second = self.read(rhs, Reading::Taking, &[]);
            let operands = vec![first.operand.clone(), second.operand.clone()];
            let result = self.link(spine.is_empty(), dest, expr);
            self.operation(&result, Operation::Binary(op), operands, expr);
            if !spine.is_empty() {
                self.own(result.local);
            }
            self.after(vec![first, second]);
            left = Some(result);
        }
    }

    /// A call of a method, written as one or as a stage of `|>`.
    pub(super) fn method(
        &mut self,
        expr: ExprId,
        receiver: ExprId,
        args: &[ExprId],
        dest: Option<&Place>,
    ) {
        match (self.types.callees.get(expr), dest) {
            (Some(Callee::Function(function)), _) => {
                self.call_method(expr, *function, receiver, args, dest);
            }
            (Some(Callee::Member(member)), _) => {
                self.member(*member, receiver, args, dest, expr);
            }
            (Some(Callee::Known(of_trait, index)), Some(dest)) => {
                self.known_method((*of_trait, *index), receiver, args, dest, expr);
            }
            (_, Some(dest)) => self.method_into(expr, receiver, args, dest),
            (_, None) => {}
        }
    }

    fn method_into(&mut self, expr: ExprId, receiver: ExprId, args: &[ExprId], dest: &Place) {
        let mut operands = vec![receiver];
        operands.extend(args);
        let (op, reading) = match method(self.types, expr) {
            Some(Method::Math(function)) => (Operation::Math(function), Reading::Looking),
            Some(Method::Sum) => (Operation::Sum, Reading::Looking),
            Some(Method::Mean) => (Operation::Mean, Reading::Looking),
            Some(Method::Item) => (Operation::Item, Reading::Looking),
            Some(Method::Clone) if !self.owns(&self.place_ty(dest)) => {
                let read = self.read(receiver, Reading::Looking, &[]);
                self.assign(dest, Rvalue::Use(read.operand.clone()), expr);
                return self.after(vec![read]);
            }
            Some(Method::Clone) => (Operation::Clone, Reading::Looking),
            Some(Method::Transpose) => (Operation::Transpose, Reading::Taking),
            Some(Method::Detach) => (Operation::Detach, Reading::Taking),
            Some(Method::Grad) => {
                let place = self.tensor_place(receiver);
                return self.assign(dest, Rvalue::Gradient(place), expr);
            }
            Some(Method::Backward | Method::ZeroGrad) => return self.effect(expr),
            Some(method) => return self.method_not_yet(method, (receiver, args), dest, expr),
            None => {
                for operand in operands {
                    self.effect(operand);
                }
                return;
            }
        };
        self.apply(dest, op, &operands, reading, expr);
    }

    /// A tensor literal: its leaves, row-major.
    fn pack(&mut self, elements: &[ExprId], dest: &Place, expr: ExprId) {
        let mut leaves = Vec::new();
        self.leaves(elements, &mut leaves);
        self.apply(dest, Operation::Pack, &leaves, Reading::Looking, expr);
    }

    fn leaves(&self, elements: &[ExprId], leaves: &mut Vec<ExprId>) {
        for element in elements {
            match &self.hir.exprs[*element] {
                Expr::Array(inner) => self.leaves(inner, leaves),
                _ => leaves.push(*element),
            }
        }
    }

    /// The call of a tensor constructor.
    pub(super) fn construct(
        &mut self,
        constructor: TensorConstructor,
        args: &[ExprId],
        dest: &Place,
        expr: ExprId,
    ) {
        let element = Self::element(&self.place_ty(dest));
        let filled = |scalar: Scalar| vec![Operand::Const(scalar)];
        match (constructor, args) {
            (TensorConstructor::Zeros, _) => {
                self.operation(dest, Operation::Fill, filled(Scalar::zero(element)), expr);
            }
            (TensorConstructor::Ones, _) => {
                self.operation(dest, Operation::Fill, filled(Scalar::one(element)), expr);
            }
            (TensorConstructor::Identity, _) => {
                self.operation(dest, Operation::Identity, Vec::new(), expr);
            }
            (TensorConstructor::Scalar, [value, ..]) => {
                self.apply(dest, Operation::Fill, &[*value], Reading::Looking, expr);
            }
            (TensorConstructor::From, [value, ..]) => self.value_into(*value, dest),
            (TensorConstructor::Scalar | TensorConstructor::From, []) => {}
            (
                TensorConstructor::RandomNormal
                | TensorConstructor::FromFn
                | TensorConstructor::Stack
                | TensorConstructor::Select,
                args,
            ) => self.apply(dest, Operation::NotYet, args, Reading::Looking, expr),
        }
    }

    /// Drops a value that nobody wants.
    pub(super) fn discard(&mut self, expr: ExprId) {
        let place = self.materialize(expr);
        if self.owns(&self.locals[place.local].ty) {
            self.disown(place.local);
            self.drop_place(place, DropReason::Temporary, expr);
        }
    }
}
