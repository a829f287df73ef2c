//! Function values: closures, compositions and names of functions, and calls of what holds one.
//!
//! What a closure captures is put in a tuple of the function around; the value is the address of its code and
//! that of the tuple. The closure's own body is a graph of its own ([`Lowering::function_value_body`]), whose last
//! parameter is a reference to the tuple.

use std::sync::Arc;

use neuro_hir::{Closure, Expr, ExprId, Function, LocalId as Source};
use neuro_types::{Callee, FnTy, GenericArg, Ty, implementation};

use super::read::Reading;
use super::{Lowering, gives_value};
use crate::ownership::holds_function;
use crate::{
    Code, DropReason, Local, LocalId, LocalKind, Operand, Place, Projection, Rvalue, StatementKind,
    Terminator, walk,
};

/// What a closure takes with it.
struct Capture {
    /// The local of the function around.
    local: Source,
    /// What lies in the tuple: its value, or a reference to it.
    ty: Ty,
    /// Whether it is a reference.
    borrowed: bool,
}

impl<'db> Lowering<'_, 'db> {
    /// What a closure takes with it: copies, or references where it is only passed to what calls it at once.
    fn captures(&self, expr: ExprId, closure: &Closure) -> Vec<Capture> {
        let borrowed = self.types.borrowing.contains(&expr);
        let locals = closure.captures.iter().map(|local| (*local, self.types.local_ty(*local)));
        locals
            .filter(|(_, ty)| gives_value(ty))
            .map(|(local, ty)| {
                let ty = if borrowed { ty.clone().reference(false) } else { ty.clone() };
                Capture { local, ty, borrowed }
            })
            .collect()
    }

    /// `|a: T| e`: its captures, and the value that refers to them.
    pub(super) fn closure(&mut self, closure: &Closure, dest: &Place, expr: ExprId) {
        let captures = self.captures(expr, closure);
        if captures.is_empty() {
            return self.plain_value(Code::Expr(expr), dest, expr);
        }
        let mut operands = Vec::with_capacity(captures.len());
        for capture in &captures {
            let Some(place) = self.bindings.get(capture.local).cloned() else { return };
            operands.push(if capture.borrowed {
                self.lend(place, false, expr)
            } else {
                Operand::Copy(place)
            });
        }
        let tuple = Ty::Tuple(captures.into_iter().map(|capture| capture.ty).collect());
        let place = Place::local(self.temporary(tuple));
        self.assign(&place, Rvalue::Aggregate(operands), expr);
        let kept = self.values_may_stay();
        if kept && self.kept.is_none() {
            let kept = self.local(Ty::Void, None, LocalKind::Kept, None);
            self.own_in(0, kept);
            self.kept = Some(kept);
        }
        let captures = Some(place);
        let code = Code::Expr(expr);
        self.emit(StatementKind::FunctionValue { dest: dest.clone(), code, captures, kept }, expr);
    }

    /// A function value without captures.
    fn plain_value(&mut self, code: Code<'db>, dest: &Place, expr: ExprId) {
        let dest = dest.clone();
        self.emit(StatementKind::FunctionValue { dest, code, captures: None, kept: false }, expr);
    }

    /// A name of a function, or of what makes a value, where it is a function value.
    pub(super) fn named_value(&mut self, callee: Callee<'db>, dest: &Place, expr: ExprId) {
        let code = match callee {
            Callee::Function(function) => {
                let (function, generics) = self.named_function(function, expr);
                Code::Function { function, generics }
            }
            Callee::Variant(..) | Callee::Newtype(_) => Code::Expr(expr),
            // None of these is a function value.
            Callee::Const(_)
            | Callee::ConstParam(_)
            | Callee::Value
            | Callee::Member(_)
            | Callee::Method(_)
            | Callee::Constructor(_)
            | Callee::Known(..) => return,
        };
        self.plain_value(code, dest, expr);
    }

    /// The function that a name stands for, and what it is applied to.
    fn named_function(
        &self,
        function: Function<'db>,
        name: ExprId,
    ) -> (Function<'db>, Vec<GenericArg>) {
        let generics = self.types.generic_args.get(name).map(Vec::as_slice).unwrap_or_default();
        implementation(self.db, function, generics)
    }

    /// `f >> g`.
    pub(super) fn composition(&mut self, dest: &Place, expr: ExprId) {
        self.plain_value(Code::Expr(expr), dest, expr);
    }

    /// A call of what `callee` holds.
    pub(super) fn call_value(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        args: &[ExprId],
        dest: Option<&Place>,
    ) {
        let Ty::Fn(function) = self.types.ty(callee).peeled().clone() else { return };
        let callee = self.read(callee, Reading::Looking, args).operand;
        let mut operands = Vec::with_capacity(args.len());
        for (index, (arg, param)) in args.iter().zip(&function.params).enumerate() {
            operands.push(self.argument(*arg, param, &args[index + 1..]));
        }
        self.give(&operands);
        let dest = dest.filter(|_| gives_value(&function.ret)).cloned();
        self.emit(StatementKind::CallValue { dest, callee, args: operands }, expr);
    }

    /// `x |> f`: a call with one argument.
    pub(super) fn pipeline(
        &mut self,
        expr: ExprId,
        value: ExprId,
        function: ExprId,
        dest: Option<&Place>,
    ) {
        match &self.hir.exprs[function] {
            Expr::Field { base, .. } if self.types.callees.get(expr) != Some(&Callee::Value) => {
                // Nothing is computed before its stage: neither is what the method is called on.
                if self.constant(value).is_none() && walk::root(self.hir, *base).is_none() {
                    let place = self.materialize(value);
                    self.computed.insert(value, place);
                }
                self.method(expr, *base, &[value], dest);
            }
            _ => self.call_of(expr, function, &[value], dest),
        }
    }

    /// The graph of a function value's code: the parameters, then a reference to the captures.
    pub(super) fn function_value_body(&mut self, expr: ExprId) {
        let Ty::Fn(function) = self.types.ty(expr).peeled().clone() else { return };
        self.value = Some(expr);
        self.open_scope(DropReason::ScopeEnd, None);
        if gives_value(&function.ret) {
            let (ty, kind) = (function.ret.clone(), LocalKind::Temporary);
            self.ret = Some(self.locals.alloc(Local { ty, name: None, kind, pool: None }));
        }
        let hir = self.hir;
        let closing = match &hir.exprs[expr] {
            Expr::Closure(closure) => {
                self.closure_body(closure, &function, expr);
                closure.body
            }
            _ => {
                let params = self.nameless_params(&function);
                self.composed_body(expr, &params);
                expr
            }
        };
        self.close_scope(closing);
        self.terminate(Terminator::Return);
    }

    fn closure_body(&mut self, closure: &Closure, function: &FnTy, expr: ExprId) {
        for (param, ty) in closure.params.iter().zip(&function.params) {
            let name = Some(self.hir.locals[param.local].name.clone());
            let local = self.local(ty.clone(), name, LocalKind::Param, None);
            self.bindings.insert(param.local, Place::local(local));
            self.params.push(local);
            self.own(local);
        }
        let captures = self.captures(expr, closure);
        let types: Arc<[Ty]> = captures.iter().map(|capture| capture.ty.clone()).collect();
        let tuple = self.captures_param(Ty::Tuple(types));
        for (index, capture) in captures.into_iter().enumerate() {
            let (index, ty) = (index as u32, capture.ty.clone());
            let from = tuple.clone().part(Projection::Field { index, ty });
            let name = Some(self.hir.locals[capture.local].name.clone());
            let kind = LocalKind::Binding(capture.local);
            let local = Place::local(self.local(capture.ty, name, kind, None));
            self.assign(&local, Rvalue::Use(Operand::Copy(from)), expr);
            let place = if capture.borrowed { local.deref() } else { local };
            self.bindings.insert(capture.local, place);
        }
        let dest = self.ret.map(Place::local);
        self.open_scope(DropReason::Temporary, None);
        self.value_or_effect(closure.body, dest.as_ref());
        self.close_scope(closure.body);
    }

    /// The last parameter; the place that it refers to.
    fn captures_param(&mut self, tuple: Ty) -> Place {
        let local = self.local(tuple.reference(false), None, LocalKind::Param, None);
        self.params.push(local);
        Place::local(local).deref()
    }

    fn nameless_params(&mut self, function: &FnTy) -> Vec<LocalId> {
        let mut params = Vec::with_capacity(function.params.len());
        for ty in &function.params {
            let local = self.local(ty.clone(), None, LocalKind::Param, None);
            self.params.push(local);
            self.own(local);
            params.push(local);
        }
        self.captures_param(Ty::Tuple(Arc::new([])));
        params
    }

    /// `f >> g`, or the name of a variant or newtype: what is made of the parameters is the result.
    fn composed_body(&mut self, expr: ExprId, params: &[LocalId]) {
        let args: Vec<Operand> = params.iter().map(|param| self.passed_on(*param)).collect();
        let dest = self.ret.map(Place::local);
        match self.types.callees.get(expr).copied() {
            Some(Callee::Variant(_, variant)) => {
                if let Some(dest) = dest {
                    self.build_variant(variant, args, &dest, expr);
                }
            }
            Some(Callee::Newtype(_)) => {
                if let Some(dest) = dest {
                    self.build(args, &dest, expr);
                }
            }
            _ => self.stage(expr, args, dest),
        }
    }

    /// A local that is given away.
    fn passed_on(&mut self, local: LocalId) -> Operand {
        let place = Place::local(local);
        let ty = self.place_ty(&place);
        if self.moves(&ty) && !matches!(ty, Ty::Ref { .. }) {
            Operand::Move(place)
        } else {
            Operand::Copy(place)
        }
    }

    /// Applies a stage of a composition.
    fn stage(&mut self, stage: ExprId, args: Vec<Operand>, dest: Option<Place>) {
        let Ty::Fn(function) = self.types.ty(stage).peeled().clone() else { return };
        let hir = self.hir;
        if let Expr::Compose { first, second } = &hir.exprs[stage] {
            let Ty::Fn(inner) = self.types.ty(*first).peeled().clone() else { return };
            let middle = gives_value(&inner.ret).then(|| self.temporary(inner.ret.clone()));
            self.stage(*first, args, middle.map(Place::local));
            if let Some(middle) = middle {
                self.own(middle);
            }
            let args = middle.into_iter().map(|middle| self.passed_on(middle)).collect();
            return self.stage(*second, args, dest);
        }
        self.give(&args);
        let dest = dest.filter(|_| gives_value(&function.ret));
        match self.types.callees.get(stage).copied() {
            Some(Callee::Function(callee)) => {
                let (function, generics) = self.named_function(callee, stage);
                let kind = StatementKind::Call { dest, function, generics, args };
                self.emit(kind, stage);
            }
            Some(Callee::Variant(_, variant)) => {
                if let Some(dest) = dest {
                    self.build_variant(variant, args, &dest, stage);
                }
            }
            Some(Callee::Newtype(_)) => {
                if let Some(dest) = dest {
                    self.build(args, &dest, stage);
                }
            }
            // Types let nothing else into a composition.
            _ => {}
        }
    }

    /// Whether a function value may be used when the iteration that made it is over: there are loops, and
    /// somewhere a function value is stored.
    fn values_may_stay(&self) -> bool {
        let mut loops = false;
        let mut stores = false;
        for expr in self.hir.exprs.values() {
            match expr {
                Expr::While { .. } | Expr::Loop { .. } | Expr::For { .. } => loops = true,
                Expr::Assign { value: stored, .. }
                | Expr::Borrow { mutable: true, operand: stored } => {
                    stores |= holds_function(self.db, self.types.ty(*stored));
                }
                Expr::MethodCall { receiver, .. } => {
                    stores |= holds_function(self.db, self.types.ty(*receiver).peeled());
                }
                _ => {}
            }
        }
        loops && stores
    }
}
