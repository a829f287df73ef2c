//! Statements, and expressions of which only the effect is wanted.

use neuro_hir::{BinaryOp, Builtin, Expr, ExprId, HeadSource, IndexArg, Stmt};
use neuro_types::{Callee, Method, Ty};

use super::read::{Read, Reading};
use super::{Lowering, gives_value};
use crate::ownership::{is_view, parts};
use crate::pairs::method;
use crate::walk;
use crate::{
    DropReason, LocalId, LocalKind, Operand, Operation, Place, PrintPart, Rvalue, StatementKind,
    Terminator,
};

impl Lowering<'_, '_> {
    /// Evaluates an expression whose value, if there is one, is dropped.
    pub(super) fn effect(&mut self, expr: ExprId) {
        let hir = self.hir;
        match &hir.exprs[expr] {
            Expr::Block { .. } => self.block(expr, None),
            Expr::If { cond, then, otherwise } => self.if_else(*cond, *then, *otherwise, None),
            Expr::While { label, cond, body } => self.while_loop(label.clone(), *cond, *body),
            Expr::Loop { label, body } if !gives_value(self.types.ty(expr)) => {
                self.endless_loop(label.clone(), *body, None);
            }
            Expr::Match { scrutinee, arms } => self.match_value(*scrutinee, arms, None, expr),
            Expr::For { head, .. } if head.as_range().is_some() => self.for_range(expr),
            Expr::For { head, .. }
                if let HeadSource::Expr(source) = head.source
                    && self.gives_characters(source) =>
            {
                self.for_characters(expr);
            }
            Expr::For { head, .. }
                if let HeadSource::Expr(source) = head.source
                    && !self.is_sequence(source) =>
            {
                self.for_iterator(expr);
            }
            Expr::For { .. } => self.for_elements(expr),
            Expr::Return(value) => self.return_value(*value, expr),
            Expr::Break { label, value } => {
                if let Some(value) = value {
                    self.break_value(label.as_ref(), *value);
                }
                self.jump(label.as_ref(), true, expr);
            }
            Expr::Continue { label } => self.jump(label.as_ref(), false, expr),
            Expr::Assign { op, place, value } => self.assignment(*op, *place, *value, expr),
            Expr::Pool { name, body } => self.pool_block(name.clone(), *body, expr),
            Expr::BuiltinCall { builtin, args } => {
                let args: Vec<ExprId> = args.iter().map(|arg| arg.value).collect();
                self.builtin(*builtin, &args, expr);
            }
            Expr::Call { .. } if !gives_value(self.types.ty(expr)) => self.call(expr, None),
            Expr::MethodCall { receiver, .. }
                if matches!(
                    method(self.types, expr),
                    Some(Method::Backward | Method::ZeroGrad)
                ) =>
            {
                self.slot_method(*receiver, expr);
            }
            Expr::MethodCall { receiver, args, .. }
                if matches!(
                    self.types.callees.get(expr),
                    Some(Callee::Function(_) | Callee::Member(_))
                ) && !gives_value(self.types.ty(expr)) =>
            {
                let args: Vec<ExprId> = args.iter().map(|arg| arg.value).collect();
                self.method(expr, *receiver, &args, None);
            }
            Expr::Pipeline { value, function } if !gives_value(self.types.ty(expr)) => {
                self.pipeline(expr, *value, *function, None);
            }
            // The first is reported, and types refuse the second.
            Expr::Missing | Expr::Range { .. } => {}
            _ => self.discard(expr),
        }
    }

    /// A block; its value is put in `dest`.
    pub(super) fn block(&mut self, expr: ExprId, dest: Option<&Place>) {
        let hir = self.hir;
        let Expr::Block { stmts, tail } = &hir.exprs[expr] else {
            return self.value_or_effect(expr, dest);
        };
        self.open_scope(DropReason::ScopeEnd, None);
        for stmt in stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = tail {
            self.open_scope(DropReason::Temporary, None);
            self.value_or_effect(*tail, dest);
            self.close_scope(*tail);
        }
        self.close_scope(expr);
    }

    pub(super) fn value_or_effect(&mut self, expr: ExprId, dest: Option<&Place>) {
        match dest {
            Some(dest) => self.value_into(expr, dest),
            None => self.effect(expr),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Expr(expr) => {
                self.open_scope(DropReason::Temporary, None);
                self.effect(*expr);
                self.close_scope(*expr);
            }
            Stmt::Let { pat, init, .. } => {
                let Some(local) = self.hir.bound(*pat) else {
                    return self.take_apart(*pat, *init);
                };
                if let Some(pair) = self.pairs.by_call.get(init).cloned() {
                    return self.sweep(local, &pair);
                }
                self.binding(local, *init);
            }
            Stmt::LetElse { pat, init, failure, otherwise, .. } => {
                self.let_else(*pat, *init, *failure, *otherwise);
            }
            // Its value stands at each of its uses.
            Stmt::Const { .. } => {}
        }
    }

    pub(super) fn binding(&mut self, binding: neuro_hir::LocalId, init: ExprId) {
        // What a reference is bound to lives as long as the binding.
        let lent = self.lends_new(init);
        if !lent {
            self.open_scope(DropReason::Temporary, None);
        }
        let local = if gives_value(self.types.local_ty(binding)) {
            let local = self.declare(binding);
            self.value_into(init, &Place::local(local));
            Some(local)
        } else {
            self.effect(init);
            None
        };
        if !lent {
            self.close_scope(init);
        }
        if let Some(local) = local {
            self.bind(binding, local);
        }
    }

    /// The local of a binding, not yet in scope.
    pub(super) fn declare(&mut self, binding: neuro_hir::LocalId) -> LocalId {
        let name = self.hir.locals[binding].name.clone();
        let ty = self.types.local_ty(binding).clone();
        let pool = self.pool();
        self.local(ty, Some(name), LocalKind::Binding(binding), pool)
    }

    /// Brings a binding in scope; the innermost scope drops it.
    pub(super) fn bind(&mut self, binding: neuro_hir::LocalId, local: LocalId) {
        self.bindings.insert(binding, Place::local(local));
        self.own(local);
    }

    fn pool_block(&mut self, name: Option<neuro_db::Name>, body: ExprId, expr: ExprId) {
        let memory = self.memory.take();
        let parent = self.pool();
        let pool = self.pools.alloc(crate::Pool { name, parent, expr });
        self.emit(StatementKind::PoolEnter(pool), expr);
        self.open_scope(DropReason::ScopeEnd, Some(pool));
        self.effect(body);
        self.close_scope(expr);
        self.memory = memory;
    }

    fn builtin(&mut self, builtin: Builtin, args: &[ExprId], expr: ExprId) {
        match builtin {
            Builtin::Print | Builtin::Println => {
                let (parts, reads) = self.printed(args);
                let newline = builtin == Builtin::Println;
                self.emit(StatementKind::Print { parts, newline }, expr);
                self.after(reads);
            }
            Builtin::Panic => {
                let (message, _) = self.printed(args);
                self.terminate(Terminator::Panic { kind: builtin, message, expr });
            }
            Builtin::Unreachable => {
                self.terminate(Terminator::Panic { kind: builtin, message: Vec::new(), expr });
            }
            Builtin::Assert => {
                let Some(cond) = args.first() else { return };
                let cond = self.condition(*cond);
                let failed = Terminator::Panic { kind: builtin, message: Vec::new(), expr };
                self.require(cond, failed);
            }
            Builtin::Einsum => self.discard(expr),
        }
    }

    fn printed(&mut self, args: &[ExprId]) -> (Vec<PrintPart>, Vec<Read>) {
        args.first().map(|text| self.text(*text, &[])).unwrap_or_default()
    }

    /// Goes on only when a condition holds.
    pub(super) fn require(&mut self, cond: Operand, failed: Terminator) {
        let branch = self.branch(cond);
        self.start(branch.otherwise);
        self.terminate(failed);
        let otherwise = self.end_of_arm();
        self.start(branch.then);
        let then = self.end_of_arm();
        self.join(&branch, [then, otherwise]);
    }

    /// `.zero_grad()`, `.backward()`.
    fn slot_method(&mut self, receiver: ExprId, expr: ExprId) {
        if method(self.types, expr) == Some(Method::ZeroGrad) {
            let place = self.tensor_place(receiver);
            return self.emit(StatementKind::ZeroGrad(place), expr);
        }
        if let Expr::MethodCall { args, .. } = &self.hir.exprs[expr] {
            let args: Vec<ExprId> = args.iter().map(|arg| arg.value).collect();
            if !args.is_empty() {
                let read = Place::local(self.temporary(Ty::BOOL));
                self.apply(&read, Operation::NotYet, &args, Reading::Looking, expr);
            }
        }
        let sweep = self.backwards.iter().find(|(backward, _)| *backward == expr);
        match sweep.map(|(_, sweep)| *sweep) {
            Some(sweep) => {
                self.emit(StatementKind::Backward(sweep), expr);
                self.released(receiver, expr);
            }
            // Without its call there is nothing to run; the protocol check says why.
            None => {
                let read = self.read(receiver, Reading::Looking, &[]);
                self.after(vec![read]);
            }
        }
    }

    fn assignment(&mut self, op: Option<BinaryOp>, place: ExprId, value: ExprId, expr: ExprId) {
        if let Expr::Index { base, args } = &self.hir.exprs[place]
            && !self.is_sequence(*base)
        {
            return self.store_element(op, (*base, args), value, expr);
        }
        let Some(op) = op else { return self.replace(place, value, expr) };
        if self.is_own_operator(place) {
            return self.own_assignment(op, (place, value), expr);
        }
        if self.is_text(place) {
            let (parts, reads) = self.text(value, &[place]);
            if let Some(target) = self.place(place) {
                let place = self.peel(target);
                self.emit(StatementKind::Append { place, parts }, expr);
            }
            return self.after(reads);
        }
        let reads = self.read_all(&[value], Reading::Taking, &[place]);
        let operands: Vec<Operand> = reads.iter().map(|read| read.operand.clone()).collect();
        let Some(target) = self.place(place) else { return self.after(reads) };
        let target = self.peel(target);
        if self.owns(&self.place_ty(&target)) {
            for value in operands {
                self.emit(StatementKind::InPlace { place: target.clone(), op, value }, expr);
            }
        } else {
            let mut all = vec![Operand::Copy(target.clone())];
            all.extend(operands);
            self.operation(&target, Operation::Binary(op), all, expr);
        }
        self.after(reads);
    }

    /// `place = value`.
    fn replace(&mut self, place: ExprId, value: ExprId, expr: ExprId) {
        let ty = self.types.ty(place).clone();
        if !self.owns(&ty) {
            // The value is complete before the place is located. An aggregate is built beside the place, of
            // which its parts may be made.
            if parts(self.db, &ty).is_none()
                && !is_view(&ty)
                && let Expr::Local(_) = self.hir.exprs[place]
            {
                if let Some(target) = self.place(place) {
                    self.value_into(value, &target);
                }
                return;
            }
            let computed = self.materialize(value);
            if let Some(target) = self.place(place) {
                let moved = self.moves(&ty) && !matches!(ty, Ty::Ref { .. });
                let operand = if moved { Operand::Move(computed) } else { Operand::Copy(computed) };
                self.assign(&target, Rvalue::Use(operand), expr);
            }
            return;
        }
        // Built outside the pools that the place outlives.
        let pool = match walk::owner(self.hir, self.types, place) {
            Some(local) => self.bindings.get(local).and_then(|place| self.locals[place.local].pool),
            None => None,
        };
        let outer = (self.pool() != pool).then_some(pool);
        let before = self.memory;
        self.memory = outer.or(before);
        let computed = self.temporary(self.types.ty(place).clone());
        let source = Place::local(computed);
        self.value_into(value, &source);
        self.memory = before;
        self.own(computed);
        let Some(target) = self.place(place) else { return };
        self.drop_place(target.clone(), DropReason::Displaced, expr);
        self.disown(computed);
        self.assign(&target, Rvalue::Use(Operand::Move(source)), expr);
    }

    /// `tensor[positions] = value`, `tensor[positions] op= value`.
    fn store_element(
        &mut self,
        op: Option<BinaryOp>,
        (base, args): (ExprId, &[IndexArg]),
        value: ExprId,
        expr: ExprId,
    ) {
        let positions: Vec<ExprId> = walk::index_positions(args).collect();
        let mut exprs = vec![value];
        exprs.extend(&positions);
        let reads = self.read_all(&exprs, Reading::Looking, &[base]);
        let mut operands = reads.iter().map(|read| read.operand.clone());
        let Some(mut value) = operands.next() else { return };
        let positions: Vec<Operand> = operands.collect();
        let tensor = self.tensor_place(base);
        if let Some(op) = op {
            let element = Ty::Scalar(Self::element(&self.place_ty(&tensor)));
            let old = Place::local(self.temporary(element.clone()));
            let mut operands = vec![Operand::Copy(tensor.clone())];
            operands.extend(positions.iter().cloned());
            self.operation(&old, Operation::Element, operands, expr);
            let new = Place::local(self.temporary(element));
            let operands = vec![Operand::Copy(old), value];
            self.operation(&new, Operation::Binary(op), operands, expr);
            value = Operand::Copy(new);
        }
        self.emit(StatementKind::SetElement { tensor, positions, value }, expr);
        self.after(reads);
    }

    fn return_value(&mut self, value: Option<ExprId>, expr: ExprId) {
        if let Some(value) = value {
            let dest = self.ret.map(Place::local);
            self.open_scope(DropReason::Temporary, None);
            self.value_or_effect(value, dest.as_ref());
            self.close_scope(value);
        }
        self.leave_scopes(0, expr);
        self.terminate(Terminator::Return);
    }
}
