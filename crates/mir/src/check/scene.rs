//! What every check reads, and how a place of the graph is shown in the words of the program.

use la_arena::ArenaMap;
use neuro_db::Db;
use neuro_hir::{Expr, ExprId, Function};
use neuro_types::{Inference, Ty};

use super::access::Access;
use crate::{Body, LocalId, LocalKind, Place, walk};

/// A function under examination.
pub(super) struct Scene<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) function: Function<'db>,
    pub(super) hir: &'db neuro_hir::Body,
    pub(super) types: &'db Inference<'db>,
    pub(super) body: &'db Body<'db>,
    /// The expression around each expression.
    parents: ArenaMap<ExprId, ExprId>,
}

impl<'db> Scene<'db> {
    pub(super) fn new(
        db: &'db dyn Db,
        function: Function<'db>,
        hir: &'db neuro_hir::Body,
        types: &'db Inference<'db>,
        body: &'db Body<'db>,
    ) -> Self {
        let mut parents = ArenaMap::default();
        for (parent, _) in hir.exprs.iter() {
            walk::children(hir, parent, &mut |child| {
                parents.insert(child, parent);
            });
        }
        Self { db, function, hir, types, body, parents }
    }

    /// The expression around an expression.
    pub(super) fn parent(&self, expr: ExprId) -> Option<ExprId> {
        self.parents.get(expr).copied()
    }

    /// The local of the program that a local of the graph stands for.
    pub(super) fn source(&self, local: LocalId) -> Option<neuro_hir::LocalId> {
        match self.body.locals[local].kind {
            LocalKind::Binding(binding) => Some(binding),
            LocalKind::Param => {
                let index = self.body.params.iter().position(|param| *param == local)?;
                self.hir.params.get(index).copied()
            }
            LocalKind::Temporary | LocalKind::Residuals(_) => None,
        }
    }

    /// A place in the words of the program: a name, or "this value".
    pub(super) fn show(&self, place: &Place) -> String {
        match &self.body.locals[place.local].name {
            Some(name) => format!("`{name}`"),
            None => "this value".to_owned(),
        }
    }

    /// The word at which a statement's access is made.
    pub(super) fn word(&self, expr: ExprId, access: &Access<'_>) -> ExprId {
        let operand = access.operand.and_then(|index| self.operand(expr, index));
        self.locate(operand.unwrap_or(expr), access.place)
    }

    /// An operand of an expression, as statements count them.
    fn operand(&self, expr: ExprId, index: usize) -> Option<ExprId> {
        let mut operands = Vec::new();
        match &self.hir.exprs[expr] {
            Expr::Assign { place, value, .. } => operands.extend([*place, *value]),
            Expr::Call { args, .. } => operands.extend(args.iter().map(|arg| arg.value)),
            _ => walk::children(self.hir, expr, &mut |child| operands.push(child)),
        }
        operands.get(index).copied()
    }

    /// The word inside `expr` that names a place; the whole expression if none does, or if it borrows.
    pub(super) fn locate(&self, expr: ExprId, place: &Place) -> ExprId {
        if let Expr::Borrow { .. } = self.hir.exprs[expr] {
            return expr;
        }
        let Some(source) = self.source(place.local) else { return expr };
        let mut found = None;
        walk::any(self.hir, expr, &mut |inner| {
            let names = matches!(&self.hir.exprs[inner], Expr::Local(named) if *named == source);
            if names {
                found = Some(inner);
            }
            names
        });
        found.unwrap_or(expr)
    }

    /// Whether an expression is inside another.
    pub(super) fn is_inside(&self, inner: ExprId, outer: ExprId) -> bool {
        let mut around = Some(inner);
        while let Some(expr) = around {
            if expr == outer {
                return true;
            }
            around = self.parent(expr);
        }
        false
    }

    /// Whether a local holds a reference.
    pub(super) fn is_reference(&self, local: LocalId) -> bool {
        matches!(self.body.locals[local].ty, Ty::Ref { .. })
    }

    /// The function's name.
    pub(super) fn function_name(&self) -> neuro_db::Name {
        self.function.name(self.db)
    }
}
