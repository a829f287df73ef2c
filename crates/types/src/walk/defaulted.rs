//! Bindings whose type nothing but the default of a literal decided, and what they were likely meant to be.

use neuro_hir::{Expr, ExprId, Literal, LocalId, Pat, Stmt};
use neuro_num::DType;

use super::Context;
use super::operator::Operand;
use crate::{Finding, Place, Remedy, Ty};

impl Context<'_> {
    /// The binding that a place is, and the literal that it begins with, if nothing but that literal says its type.
    fn defaulted(&self, place: ExprId) -> Option<(LocalId, ExprId)> {
        let Expr::Local(local) = self.expr(place) else { return None };
        let stmts = self.body.exprs.values().filter_map(|expr| match expr {
            Expr::Block { stmts, .. } => Some(stmts),
            _ => None,
        });
        let init = stmts.flatten().find_map(|stmt| match stmt {
            Stmt::Let { pat, ty: None, init }
                if matches!(self.body.pats[*pat], Pat::Bind(bound) if bound == *local) =>
            {
                Some(*init)
            }
            _ => None,
        })?;
        let open = matches!(
            self.expr(init),
            Expr::Literal(Literal::Int(_, None) | Literal::Float(_, None))
        );
        open.then_some((*local, init))
    }

    /// Adds to a finding about the value that is put in a place how the place could be declared, if nothing but a
    /// literal says its type; whether that is so.
    pub(super) fn declared_otherwise(
        &self,
        finding: Finding,
        place: ExprId,
        value: &Ty,
    ) -> (Finding, bool) {
        let Some((local, init)) = self.defaulted(place) else { return (finding, false) };
        let wanted = match self.operand(value) {
            Operand::Scalar(dtype) if dtype != DType::Bool => dtype,
            Operand::Number(var) if var.is_float() => DType::F64,
            _ => return (finding, false),
        };
        // Where the function returns it as it is, it is of the right type.
        let is_result = |expr: &ExprId| matches!(self.expr(*expr), Expr::Local(it) if *it == local);
        if self.type_of(place) == self.resolved(&self.frame.ret)
            && self.body.results().iter().any(is_result)
        {
            return (finding, false);
        }
        let name = &self.body.locals[local].name;
        let title = format!("declare `{name}` as `{wanted}`");
        let remedy = match self.expr(init) {
            Expr::Literal(Literal::Int(value, _)) if wanted.is_float() => {
                let suffix = if wanted == DType::F64 { "" } else { wanted.name() };
                Remedy::Replace(Place::Expr(init), title, format!("{value}.0{suffix}"))
            }
            Expr::Literal(Literal::Float(..)) if !wanted.is_float() => return (finding, false),
            _ => Remedy::InsertAfter(Place::Local(local), title, format!(": {wanted}")),
        };
        let words = format!("`{name}` begins with this, and nothing else says its type");
        let finding = finding.related(Place::Expr(init), words);
        (Finding { remedies: vec![remedy], ..finding }, true)
    }

    /// Forgets the type of a place whose declaration is to change: what else does not fit it is the same mistake.
    pub(super) fn forget_type(&mut self, place: ExprId) {
        if let Expr::Local(local) = self.expr(place) {
            self.locals.insert(*local, Ty::Error);
        }
    }
}
