//! Expectations: a value meets the type of its place, or a mismatch is reported where it is written.

use std::sync::Arc;

use neuro_db::Name;
use neuro_hir::{Binding, Expr, ExprId, LocalId};

use super::{Context, Declared, Pending};
use crate::{Callee, Collection, Def, Dim, Extent, GenericArg, Place, Shape, TensorTy, Ty};

/// Why a type is expected.
#[derive(Clone)]
pub(super) enum Why {
    /// The annotation of a binding.
    Annotation(LocalId),
    /// The function's return type.
    Return,
    /// A constant's declared type.
    Constant(Name),
    /// A parameter of a function or method.
    Argument {
        /// What is called.
        callee: Name,
        /// The parameter.
        param: Name,
        /// Where it is declared, for a function of the program.
        declared: Option<Place>,
    },
    /// A parameter of a generic function, in whose type the function's parameters stand for what this call
    /// found out.
    Generic(Arc<GenericWhy>),
    /// A parameter of something that takes its arguments by position alone.
    Value {
        /// What is called, as in "`Some`".
        of: Name,
        /// Which parameter.
        index: usize,
    },
    /// A field of a struct or variant.
    Field {
        /// The field.
        name: Name,
        /// Where it is declared.
        declared: Option<(Def, Place)>,
    },
    /// An element of an array; the first one has it.
    Entry(ExprId),
    /// What the value of a `break` is; another one has it.
    Break(ExprId),
    /// What a closure returns.
    Closure(ExprId),
    /// Something that is expected for a plain reason.
    Expected,
    /// It decides where to go on; the keyword or operator that asks.
    Condition(&'static str),
    /// It is assigned.
    Assigned(ExprId),
    /// It is an element of a tensor of this type.
    Element,
    /// The other branch has it.
    Branch(ExprId),
    /// The other end of a range has it.
    Range(ExprId),
    /// It stands in for what the left side of `??` holds.
    Instead(ExprId),
}

/// A parameter of a generic function.
pub(super) struct GenericWhy {
    /// What is called.
    pub(super) callee: Name,
    /// The parameter.
    pub(super) param: Name,
    /// Where it is declared.
    pub(super) declared: Place,
    /// The declared type.
    pub(super) ty: Ty,
    /// What the function is applied to, and the names of its parameters.
    pub(super) args: Vec<(Name, GenericArg)>,
    /// The arguments that were looked at before, and their declared types.
    pub(super) earlier: Vec<(ExprId, Ty)>,
}

impl Context<'_> {
    /// Infers an expression that must be of type `ty`.
    pub(super) fn check(&mut self, expr: ExprId, ty: &Ty, why: &Why) {
        self.solve_projections();
        let ty = &self.resolved(ty);
        if self.exprs.get(expr).is_some() {
            return self.check_inferred(expr, ty, why);
        }
        if let (Expr::Array(_), Ty::Tensor(tensor), None) = (self.expr(expr), ty, &self.constant) {
            let found = self.tensor_literal(expr, tensor, why);
            self.record(expr, found);
            return;
        }
        match self.expr(expr) {
            Expr::Block { stmts, tail } => {
                let diverges = self.infer_stmts(stmts);
                let result = self.check_tail(expr, *tail, diverges, ty, why);
                self.record(expr, result);
            }
            Expr::If { cond, then, otherwise: Some(otherwise) } => {
                self.check_condition(*cond, "if");
                self.check(*then, ty, why);
                self.check(*otherwise, ty, why);
                let never = [*then, *otherwise].iter().all(|arm| self.type_of(*arm) == Ty::Never);
                self.record(expr, if never { Ty::Never } else { ty.clone() });
            }
            Expr::Match { scrutinee, arms } => {
                let never = self.check_match(expr, *scrutinee, arms, ty, why);
                self.record(expr, if never { Ty::Never } else { ty.clone() });
            }
            Expr::Loop { label, body } => {
                let found = self.infer_loop(label, *body, Some(ty), Some(why));
                self.record(expr, found.clone());
                self.expect(expr, &found, ty, why);
            }
            _ => {
                let found = self.infer(expr, Some(ty));
                self.expect(expr, &found, ty, why);
            }
        }
    }

    /// Checks the value of a block; the type of the block.
    fn check_tail(
        &mut self,
        block: ExprId,
        tail: Option<ExprId>,
        diverges: bool,
        ty: &Ty,
        why: &Why,
    ) -> Ty {
        match tail {
            // Nothing reaches it, so it owes nothing.
            Some(tail) if diverges => {
                self.infer_discarded(tail);
                Ty::Never
            }
            Some(tail) => {
                self.check(tail, ty, why);
                let never = self.type_of(tail) == Ty::Never;
                if never { Ty::Never } else { ty.clone() }
            }
            None if diverges => Ty::Never,
            None => {
                self.expect(block, &Ty::Void, ty, why);
                ty.clone()
            }
        }
    }

    /// Reports unless `found` is as expected. An open number takes the expected type.
    pub(super) fn expect(&mut self, expr: ExprId, found: &Ty, ty: &Ty, why: &Why) {
        self.solve_projections();
        if !self.agrees(expr, found, ty, why) {
            // A type of which a part is wrong is part of that mistake.
            if self.resolved(found).is_wrong() || self.resolved(ty).is_wrong() {
                self.give_up(found);
                self.give_up(ty);
                return;
            }
            let mut finding = self.mismatch(expr, found, ty, why);
            if let Some(stage) = self.piped.get(expr) {
                finding.place = Place::Expr(*stage);
                finding.remedies.clear();
                let given = self.describe(found);
                finding.related.push((Place::Expr(expr), format!("this is passed on: {given}")));
            }
            if let Why::Assigned(place) = why {
                let (declared, defaulted) = self.declared_otherwise(finding, *place, found);
                finding = declared;
                if defaulted {
                    self.forget_type(*place);
                }
            }
            self.report(finding);
            self.give_up(found);
        }
    }

    /// Whether a value of type `found` may stand where `ty` is expected.
    fn agrees(&mut self, expr: ExprId, found: &Ty, ty: &Ty, why: &Why) -> bool {
        match (self.resolved(found), self.resolved(ty)) {
            (_, Ty::Error) => {
                self.give_up(found);
                true
            }
            // What a wrong argument would have said is not missed.
            (Ty::Error, ty) => {
                self.give_up(&ty);
                true
            }
            (Ty::Never, _) => true,
            // A `&mut` that is passed on is lent as `&` for the call.
            (Ty::Ref { mutable: true, inner: found }, Ty::Ref { mutable: false, inner })
                if !matches!(*inner, Ty::Slice(_) | Ty::Dyn(_)) =>
            {
                matches!(why, Why::Argument { .. } | Why::Generic(_) | Why::Value { .. })
                    && self.table.unify(&found, &inner)
            }
            (
                found @ Ty::Ref { mutable, inner: _ },
                expected @ Ty::Ref { mutable: wanted, inner: _ },
            ) if matches!(expected.peeled(), Ty::Slice(_) | Ty::Dyn(_)) && (mutable || !wanted) => {
                self.unsized_agrees(expr, &found, &expected)
            }
            // Text that is written where text is only looked at is lent.
            (Ty::Text, Ty::Ref { mutable: false, inner })
                if *inner == Ty::Text && self.is_written_text(expr) =>
            {
                self.coercions.insert(expr, ty.clone());
                true
            }
            (found, ty) => self.table.unify(&found, &widened(&ty, &found)),
        }
    }

    /// Whether an expression is a literal or a constant.
    fn is_written_text(&self, expr: ExprId) -> bool {
        match self.expr(expr) {
            Expr::Text(_) => true,
            Expr::Path(_) => matches!(self.callees.get(expr), Some(Callee::Const(_))),
            Expr::Local(local) => self.body.locals[*local].binding == Binding::Const,
            _ => false,
        }
    }

    /// Whether a reference may become one to a slice or to a value of any type that has a trait.
    fn unsized_agrees(&mut self, expr: ExprId, found: &Ty, expected: &Ty) -> bool {
        let (Ty::Ref { inner: found, .. }, Ty::Ref { inner, .. }) = (found, expected) else {
            return false;
        };
        let becomes = match (&**found, &**inner) {
            // A view for writing is lent as one for reading, and is kept in the same way.
            (Ty::Slice(elem), Ty::Slice(part)) => return self.table.unify(elem, part),
            (Ty::Slice(_), _) | (_, Ty::Ref { .. }) => false,
            (Ty::Array { elem, .. }, Ty::Slice(part)) => self.table.unify(elem, part),
            (Ty::Collection { kind: Collection::Vec, args }, Ty::Slice(part)) => {
                args.first().is_some_and(|elem| self.table.unify(elem, part))
            }
            (Ty::Dyn(_) | Ty::Var(_), Ty::Dyn(_)) => false,
            (ty, Ty::Dyn(bound)) => {
                self.pending.push(Pending::Bound {
                    ty: ty.clone(),
                    bound: (**bound).clone(),
                    asked_by: format!("`{expected}`"),
                    place: Place::Expr(expr),
                    declared: Declared::Nowhere,
                });
                true
            }
            _ => false,
        };
        if becomes {
            self.coercions.insert(expr, expected.clone());
            return true;
        }
        self.table.unify(found, inner)
    }

    /// Fixes what is open in a type whose place is wrong, so that nothing more is said about it.
    pub(super) fn give_up(&mut self, ty: &Ty) {
        self.table.give_up(ty);
    }
}

/// The expected type with each `?` that a tensor of the found type fills replaced by what it fills it
/// with: a `?` takes any extent, and nothing but a `?` takes a `?`. Behind `&mut` both are the same.
fn widened(ty: &Ty, found: &Ty) -> Ty {
    match (ty, found) {
        (Ty::Tensor(tensor), Ty::Tensor(found))
            if tensor.shape.rank() == found.shape.rank() && tensor.shape != found.shape =>
        {
            let dims = tensor.shape.dims().iter().zip(found.shape.dims());
            let dims = dims.map(|(dim, found)| match dim.extent {
                Extent::Dynamic => Dim { name: dim.name.clone(), extent: found.extent.clone() },
                _ => dim.clone(),
            });
            Ty::Tensor(TensorTy { elem: tensor.elem, shape: Shape::of(dims) })
        }
        (Ty::Ref { mutable: false, inner }, Ty::Ref { mutable: false, inner: found }) => {
            widened(inner, found).reference(false)
        }
        _ => ty.clone(),
    }
}
