//! Blocks and bindings.

use neuro_db::codes;
use neuro_hir::{Binding, Expr, ExprId, LocalId, Pat, PatId, Stmt, TypeRef};
use neuro_num::Scalar;

use super::{Context, Why};
use crate::constants::{Worth, no_constant_type};
use crate::{Finding, Place, Ty};

impl Context<'_> {
    /// The type of a block whose value is used.
    pub(super) fn infer_block(
        &mut self,
        stmts: &[Stmt],
        tail: Option<ExprId>,
        hint: Option<&Ty>,
    ) -> Ty {
        let diverges = self.infer_stmts(stmts);
        match tail {
            Some(tail) if diverges => {
                self.infer_discarded(tail);
                Ty::Never
            }
            Some(tail) => self.infer(tail, hint),
            None if diverges => Ty::Never,
            None => Ty::Void,
        }
    }

    /// Infers statements; whether one of them never ends.
    pub(super) fn infer_stmts(&mut self, stmts: &[Stmt]) -> bool {
        let mut diverges = false;
        for stmt in stmts {
            let ty = match stmt {
                Stmt::Let { pat, ty, init } => self.infer_let(*pat, ty.as_deref(), *init),
                Stmt::LetElse { pat, ty, init, failure, otherwise } => {
                    self.infer_let_else(*pat, ty.as_deref(), *init, *failure, *otherwise)
                }
                Stmt::Const { local, ty, value } => {
                    self.infer_const_stmt(*local, ty, *value);
                    Ty::Void
                }
                Stmt::Expr(expr) => self.infer_discarded(*expr),
            };
            diverges |= ty == Ty::Never;
        }
        diverges
    }

    /// Infers a binding; the type of the initial value.
    fn infer_let(&mut self, pat: PatId, ty: Option<&TypeRef>, init: ExprId) -> Ty {
        let declared = self.infer_init(pat, ty, init);
        self.bind(pat, &declared);
        self.type_of(init)
    }

    /// The type that a binding takes: the one that is written, or that of its value.
    pub(super) fn infer_init(&mut self, pat: PatId, ty: Option<&TypeRef>, init: ExprId) -> Ty {
        let local = self.first_local(pat);
        match ty {
            Some(ty) => {
                let place = local.map_or(Place::Pat(pat), Place::LocalType);
                let declared = self.written_type(place, ty);
                let why = match local {
                    Some(local) => Why::Annotation(local),
                    None => Why::Expected,
                };
                self.check(init, &declared, &why);
                declared
            }
            None => {
                let found = self.infer(init, None);
                let found = self.table.finish(&found);
                self.bindable(init, found)
            }
        }
    }

    /// The first local that a pattern binds: the annotation stands at it.
    fn first_local(&self, pat: PatId) -> Option<LocalId> {
        match &self.body.pats[pat] {
            Pat::Bind(local) => Some(*local),
            Pat::Tuple(parts) | Pat::Array { elements: parts, .. } => {
                parts.iter().find_map(|part| self.first_local(*part))
            }
            Pat::Variant { elements, .. } => {
                elements.iter().find_map(|part| self.first_local(*part))
            }
            Pat::Struct { fields, .. } => {
                fields.iter().find_map(|field| self.first_local(field.pat))
            }
            Pat::Missing
            | Pat::Wildcard
            | Pat::Literal(_)
            | Pat::Range { .. }
            | Pat::Path(_)
            | Pat::Or(_) => None,
        }
    }

    /// The type of a binding that takes its type from its value.
    fn bindable(&mut self, init: ExprId, found: Ty) -> Ty {
        let message = match found {
            Ty::Void => match self.expr(init) {
                Expr::If { .. } => "an `if` without `else` gives nothing to bind".to_owned(),
                _ => format!("{} gives nothing to bind", self.subject(init)),
            },
            Ty::Never => "this never gives a value to bind".to_owned(),
            Ty::Slice(_) | Ty::Dyn(_) => {
                let message =
                    format!("`{found}` is bound behind a reference only: its size is not known");
                self.report(
                    Finding::new(codes::MISMATCH, Place::Expr(init), message)
                        .note("keep the reference: leave the `*` out"),
                );
                return Ty::Error;
            }
            found => return found,
        };
        self.report(Finding::new(codes::MISMATCH, Place::Expr(init), message));
        Ty::Error
    }

    /// `const N: T = e` in a block.
    fn infer_const_stmt(&mut self, local: LocalId, ty: &TypeRef, value: ExprId) {
        let declared = self.written_type(Place::LocalType(local), ty);
        let declared = match declared {
            ty @ (Ty::Scalar(_) | Ty::Char | Ty::Text | Ty::Error) => ty,
            other => self.refuse(Finding::new(
                codes::CONSTANT,
                Place::LocalType(local),
                no_constant_type(&other),
            )),
        };
        let before = self.findings.len();
        let name = self.body.locals[local].name.clone();
        self.check(value, &declared, &Why::Constant(name.clone()));
        self.locals.insert(local, declared.clone());
        if self.findings.len() > before || declared == Ty::Error {
            return;
        }
        let (known, problems) = self.snapshot();
        let own = problems.iter().any(|problem| problem.place == Place::Expr(value));
        match Worth::of(&declared, self.body, &known, value) {
            Ok(value) if value.is_of(&declared) => {
                self.local_consts.insert(local, value);
            }
            Ok(_) => {}
            Err(_) if own => {}
            Err(reason) => {
                let finding = crate::constants::not_constant(&name, self.body, &known, reason);
                self.findings.extend(finding);
            }
        }
    }

    /// Notes that an expression names a constant of the body.
    pub(super) fn note_const(&mut self, expr: ExprId, local: LocalId) {
        if self.body.locals[local].binding == Binding::Const {
            self.const_uses.push((expr, local));
        }
    }

    /// The value of a constant of the body that is no text.
    pub(super) fn const_of(&self, local: LocalId) -> Option<Scalar> {
        match self.local_consts.get(local)? {
            Worth::Scalar(value) => Some(*value),
            Worth::Text(_) => None,
        }
    }
}
