//! What every check reads, and how a place of the graph is shown in the words of the program.

use std::cell::OnceCell;

use la_arena::ArenaMap;
use neuro_db::Db;
use neuro_hir::{Builtin, Expr, ExprId, Function};
use neuro_types::{Extent, Inference, Ty, struct_fields};

use super::access::{Access, AccessKind};
use super::liveness::bit;
use crate::bits::BitSet;
use crate::graph::projected;
use crate::ownership::{holds_reference, runs_drop};
use crate::{Body, LocalId, LocalKind, Place, Projection, walk};

/// A function under examination.
pub(super) struct Scene<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) function: Function<'db>,
    pub(super) hir: &'db neuro_hir::Body,
    pub(super) types: &'db Inference<'db>,
    pub(super) body: Body<'db>,
    /// The expression around each expression, once one is asked for.
    parents: OnceCell<ArenaMap<ExprId, ExprId>>,
    /// The locals that hold references.
    holders: BitSet,
    /// Those of them at whose end a `drop` runs, which may look through the references.
    dropped: BitSet,
}

impl<'db> Scene<'db> {
    pub(super) fn new(
        db: &'db dyn Db,
        function: Function<'db>,
        hir: &'db neuro_hir::Body,
        types: &'db Inference<'db>,
        body: Body<'db>,
    ) -> Self {
        let mut holders = BitSet::default();
        let mut dropped = BitSet::default();
        for (local, declaration) in body.locals.iter() {
            if holds_reference(db, &declaration.ty) {
                holders.insert(bit(local));
                if runs_drop(db, &declaration.ty) {
                    dropped.insert(bit(local));
                }
            }
        }
        Self { db, function, hir, types, body, parents: OnceCell::new(), holders, dropped }
    }

    /// The expression around an expression.
    pub(super) fn parent(&self, expr: ExprId) -> Option<ExprId> {
        let parents = self.parents.get_or_init(|| {
            let mut parents = ArenaMap::default();
            for (parent, _) in self.hir.exprs.iter() {
                walk::children(self.hir, parent, &mut |child| {
                    parents.insert(child, parent);
                });
            }
            parents
        });
        parents.get(expr).copied()
    }

    /// The local of the program that a local of the graph stands for.
    pub(super) fn source(&self, local: LocalId) -> Option<neuro_hir::LocalId> {
        match self.body.locals[local].kind {
            LocalKind::Binding(binding) => Some(binding),
            LocalKind::Param => {
                let index = self.body.params.iter().position(|param| *param == local)?;
                if let Some(value) = self.body.value {
                    let Expr::Closure(closure) = &self.hir.exprs[value] else { return None };
                    return closure.params.get(index).map(|param| param.local);
                }
                self.hir.receiver.iter().chain(&self.hir.params).nth(index).copied()
            }
            LocalKind::Temporary | LocalKind::Residuals(_) | LocalKind::Kept => None,
        }
    }

    /// A place in the words of the program: a name and the parts that follow it, or "this value".
    pub(super) fn show(&self, place: &Place) -> String {
        self.show_part(place.local, &place.projections)
    }

    /// The same for a part of a local.
    pub(super) fn show_part(&self, local: LocalId, path: &[Projection]) -> String {
        let Some(name) = &self.body.locals[local].name else { return "this value".to_owned() };
        let mut shown = name.to_string();
        let mut ty = self.body.locals[local].ty.clone();
        for projection in path {
            match projection {
                Projection::Deref | Projection::Payload { .. } => {}
                Projection::Field { index, .. } => {
                    let field = ty_field(self.db, &ty, *index);
                    shown.push_str(&format!(".{}", field.unwrap_or_else(|| index.to_string())));
                }
                Projection::Element(position) => shown.push_str(&format!("[{position}]")),
                Projection::Rest(_) | Projection::Index(_) => shown.push_str("[..]"),
            }
            ty = projected(&ty, projection);
        }
        format!("`{shown}`")
    }

    /// The word at which a statement's access is made.
    pub(super) fn word(&self, expr: ExprId, access: &Access<'_>) -> ExprId {
        if access.kind == AccessKind::Assign
            && let Some(assigned) = self.assigned(expr)
        {
            return self.locate(assigned, access.place);
        }
        let operand = access.operand.and_then(|index| self.operand(expr, index)).or(access.part);
        self.locate(operand.unwrap_or(expr), access.place)
    }

    /// The place to which the value of an expression is assigned, as the whole right side or a branch of it.
    pub(super) fn assigned(&self, expr: ExprId) -> Option<ExprId> {
        let mut value = expr;
        loop {
            let parent = self.parent(value)?;
            let gives = match &self.hir.exprs[parent] {
                Expr::Assign { place, value: assigned, .. } => {
                    return (*assigned == value).then_some(*place);
                }
                Expr::Block { tail, .. } => *tail == Some(value),
                Expr::If { then, otherwise, .. } => *then == value || *otherwise == Some(value),
                Expr::Match { scrutinee, .. } => *scrutinee != value,
                _ => false,
            };
            if !gives {
                return None;
            }
            value = parent;
        }
    }

    /// An operand of an expression, as statements count them.
    fn operand(&self, expr: ExprId, index: usize) -> Option<ExprId> {
        let mut operands = Vec::new();
        match &self.hir.exprs[expr] {
            Expr::Assign { place, value, .. } => operands.extend([*place, *value]),
            Expr::Call { args, .. } => operands.extend(args.iter().map(|arg| arg.value)),
            // The first argument says what is computed.
            Expr::BuiltinCall { builtin: Builtin::Einsum, args } => {
                operands.extend(args.iter().skip(1).map(|arg| arg.value));
            }
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
        // The name, and as much of what follows it as the place has parts.
        let mut word = found.unwrap_or(expr);
        let mut parts = place.projections.iter().filter(|part| **part != Projection::Deref).count();
        while parts > 0
            && word != expr
            && let Some(parent) = self.parent(word)
            && let Expr::Field { .. } | Expr::TupleField { .. } | Expr::Index { .. } =
                self.hir.exprs[parent]
        {
            word = parent;
            parts -= 1;
        }
        word
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

    /// Whether a local holds a reference, itself or in a part.
    pub(super) fn holds_reference(&self, local: LocalId) -> bool {
        self.holders.contains(bit(local))
    }

    /// Whether the end of a local may look through the references that it holds.
    pub(super) fn looks_at_its_end(&self, local: LocalId) -> bool {
        self.dropped.contains(bit(local))
    }

    /// Whether the value of an expression has a `.clone()` for certain.
    pub(super) fn has_clone(&self, expr: ExprId) -> bool {
        match self.types.ty(expr).peeled() {
            Ty::Tensor(tensor) => {
                tensor.shape.dims().iter().all(|dim| dim.extent != Extent::Dynamic)
            }
            ty => *ty == Ty::Text,
        }
    }

    /// What the body belongs to: the function by its name, or a closure in it.
    pub(super) fn owner_name(&self) -> String {
        match self.body.value {
            Some(_) => "this closure".to_owned(),
            None => format!("`{}`", self.function.name(self.db)),
        }
    }
}

/// The name of a field of a struct.
fn ty_field(db: &dyn Db, ty: &Ty, index: u32) -> Option<String> {
    let Ty::Adt { def, .. } = ty else { return None };
    let item = def.as_struct(db)?;
    let field = struct_fields(db, item).fields.get(index as usize)?;
    Some(field.name.to_string())
}
