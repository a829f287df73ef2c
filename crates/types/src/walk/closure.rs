//! Closures, and function values passed on: `|>` and `>>`.

use std::sync::Arc;

use neuro_db::codes;
use neuro_hir::{Arg, Closure, Expr, ExprId, LocalId};

use super::{Context, Frame, Pending, Why};
use crate::{Finding, FnTy, Place, Ty};

impl Context<'_> {
    pub(super) fn infer_closure(
        &mut self,
        expr: ExprId,
        closure: &Closure,
        hint: Option<&Ty>,
    ) -> Ty {
        let expected = match hint.map(|hint| self.resolved(hint)) {
            Some(Ty::Fn(function)) => Some(function),
            _ => None,
        };
        let fits =
            expected.as_ref().is_none_or(|function| function.params.len() == closure.params.len());
        if let (Some(function), false) = (&expected, fits) {
            let counted = |count: usize| match count {
                0 => "no parameters".to_owned(),
                1 => "1 parameter".to_owned(),
                count => format!("{count} parameters"),
            };
            self.report(Finding::new(
                codes::ARGUMENTS,
                Place::Head(expr),
                format!(
                    "a function of {} is expected, and this closure has {}",
                    counted(function.params.len()),
                    counted(closure.params.len())
                ),
            ));
        }
        let mut params = Vec::new();
        for (index, param) in closure.params.iter().enumerate() {
            let wanted = expected.as_ref().and_then(|function| function.params.get(index)).cloned();
            let ty = match &param.ty {
                Some(ty) => self.written_type(Place::LocalType(param.local), ty),
                None if !fits => wanted.unwrap_or(Ty::Error),
                None => wanted.unwrap_or_else(|| {
                    let name = &self.body.locals[param.local].name;
                    self.refuse(
                        Finding::new(
                            codes::AMBIGUOUS,
                            Place::Local(param.local),
                            format!("nothing says what the type of `{name}` is"),
                        )
                        .note(format!("write it: `{name}: T`")),
                    )
                }),
            };
            self.locals.insert(param.local, ty.clone());
            params.push(ty);
        }
        let wanted = expected.map(|function| function.ret.clone());
        let ret = match &closure.ret {
            Some(ty) => self.written_type(Place::WrittenType(expr), ty),
            None => wanted.unwrap_or_else(|| self.fresh()),
        };
        let frame = Frame { ret: ret.clone(), closure: Some(expr), loops: Vec::new() };
        let around = std::mem::replace(&mut self.frame, frame);
        if self.resolved(&ret) == Ty::Void && !matches!(self.expr(closure.body), Expr::Block { .. })
        {
            // `|x| print(x)`; a value that nobody wants is dropped.
            self.infer_discarded(closure.body);
        } else {
            self.check(closure.body, &ret, &Why::Closure(expr));
        }
        self.frame = around;
        self.pending.push(Pending::Captures { closure: expr });
        if !fits {
            return Ty::Error;
        }
        Ty::Fn(Arc::new(FnTy { params, ret: self.resolved(&ret) }))
    }

    /// Checks what a closure takes with it, now that types are known. One that is passed straight to what calls
    /// it at once only borrows.
    pub(super) fn check_captures(&mut self, expr: ExprId) {
        let Expr::Closure(closure) = self.expr(expr) else { return };
        if self.borrowing.contains(&expr) {
            return;
        }
        for local in &closure.captures {
            let ty = self.locals.get(*local).map_or(Ty::Error, |ty| self.resolved(ty));
            if matches!(ty, Ty::Error | Ty::Never)
                || crate::is_copy(self.db, self.env.generics(), &ty)
            {
                continue;
            }
            let name = &self.body.locals[*local].name;
            let used = self.first_use(closure.body, *local).unwrap_or(expr);
            self.report(
                Finding::new(
                    codes::CAPTURE,
                    Place::Expr(used),
                    format!("this closure would take a copy of `{name}`, and `{ty}` is not copied"),
                )
                .related(Place::Local(*local), format!("`{name}` is declared here"))
                .note(format!("pass it as a parameter, or capture a reference: `val r = &{name}`")),
            );
        }
    }

    /// Where a local is first named in an expression.
    fn first_use(&self, inside: ExprId, local: LocalId) -> Option<ExprId> {
        let mut open = vec![inside];
        while let Some(expr) = open.pop() {
            if matches!(self.expr(expr), Expr::Local(named) if *named == local) {
                return Some(expr);
            }
            let first = open.len();
            self.expr(expr).children(&mut |child| open.push(child));
            if let Some(added) = open.get_mut(first..) {
                added.reverse();
            }
        }
        None
    }

    /// `x |> f`
    pub(super) fn infer_pipeline(&mut self, expr: ExprId, value: ExprId, function: ExprId) -> Ty {
        let found = self.infer(value, None);
        let args = [Arg { label: None, value }];
        self.piped.insert(value, function);
        match self.expr(function) {
            Expr::Path(path) => {
                // What a path names is called as it is in `f(x)`.
                return self.call_path(expr, function, path, &args, None);
            }
            Expr::Field { base, name } => {
                let on = self.infer(*base, None);
                self.record(function, Ty::Error);
                return self.call_method(expr, *base, name, &on, None, &args, None);
            }
            Expr::Call { .. } | Expr::MethodCall { .. } => {
                return self.refuse(
                    Finding::new(
                        codes::MISMATCH,
                        Place::Expr(function),
                        "`|>` passes its left side to a function, and this is a call",
                    )
                    .note("write the name of the function alone, or a closure: `(|x| f(x, ..))`"),
                );
            }
            _ => {}
        }
        let found = self.resolved(&found);
        let callee = match self.expr(function) {
            Expr::Closure(_) => {
                let ret = self.fresh();
                let hint = Ty::Fn(Arc::new(FnTy { params: vec![found], ret }));
                self.infer(function, Some(&hint))
            }
            _ => self.infer(function, None),
        };
        if let Ty::Fn(_) | Ty::Error | Ty::Never = self.resolved(&callee).peeled() {
            return self.call_value(expr, function, &callee, &args);
        }
        let described = self.describe(&callee);
        self.give_up(&callee);
        self.refuse(
            Finding::new(
                codes::MISMATCH,
                Place::Expr(function),
                format!("`|>` passes its left side to a function, and this is {described}"),
            )
            .note("write the name of a function, a method without its parentheses, or a closure"),
        )
    }

    /// `f >> g`: a function of what `f` takes, giving what `g` gives.
    pub(super) fn infer_compose(&mut self, first: ExprId, second: ExprId) -> Ty {
        let inner = self.stage(first);
        let outer = self.stage(second);
        let (Some(inner), Some(outer)) = (inner, outer) else { return Ty::Error };
        let (Some(param), Some(input)) = (inner.params.first(), outer.params.first()) else {
            return Ty::Error;
        };
        if !self.table.unify(&inner.ret, input) {
            let (gives, takes) = (self.describe(&inner.ret), self.describe(input));
            return self.refuse(
                Finding::new(
                    codes::MISMATCH,
                    Place::Expr(second),
                    format!("this takes {takes}, and what runs before it gives {gives}"),
                )
                .related(Place::Expr(first), format!("this gives {gives}")),
            );
        }
        Ty::Fn(Arc::new(FnTy { params: vec![param.clone()], ret: outer.ret.clone() }))
    }

    /// A function of one parameter.
    fn stage(&mut self, stage: ExprId) -> Option<Arc<FnTy>> {
        let found = self.infer(stage, None);
        if !matches!(self.expr(stage), Expr::Path(_) | Expr::Compose { .. } | Expr::Missing) {
            self.report(
                Finding::new(
                    codes::MISMATCH,
                    Place::Expr(stage),
                    "`>>` joins the names of functions",
                )
                .note("call them one after the other in a closure: `|x: T| g(f(x))`"),
            );
            return None;
        }
        if self.absorbed(&found).is_some() {
            return None;
        }
        let message = match self.settled(stage, &found) {
            Ty::Error => return None,
            Ty::Fn(function) if function.params.len() == 1 => return Some(function),
            Ty::Fn(function) => format!(
                "`>>` joins functions of one parameter, and this one takes {}",
                function.params.len()
            ),
            other => {
                let described = self.describe(&other);
                format!("`>>` joins functions, and this is {described}")
            }
        };
        self.give_up(&found);
        self.report(Finding::new(codes::MISMATCH, Place::Expr(stage), message));
        None
    }
}
