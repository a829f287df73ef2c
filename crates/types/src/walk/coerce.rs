//! Expectations: a value meets the type of its place, or a mismatch is reported where it is written.

use std::sync::Arc;

use neuro_db::{Name, codes};
use neuro_hir::{Binding, Expr, ExprId, Literal, LocalId};
use neuro_num::DType;

use super::elementwise::{marked, transposed_shape};
use super::{Context, Declared, Pending};
use crate::{
    Callee, Collection, Def, Dim, Extent, Finding, GenericArg, Place, Remedy, Shape, TensorTy, Ty,
};

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
            let mut finding = self.mismatch(expr, found, ty, why);
            if let Some(stage) = self.piped.get(expr) {
                finding.place = Place::Expr(*stage);
                finding.remedies.clear();
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

    fn mismatch(&self, expr: ExprId, found: &Ty, ty: &Ty, why: &Why) -> Finding {
        let found = self.resolved(found);
        let ty = &self.resolved(ty);
        if found == Ty::Void {
            return self.nothing(expr, ty, why);
        }
        let described = self.describe(&found);
        let expected = self.wanted(ty);
        let message = format!("{}expected {expected}, found {described}", why.prefix());
        let finding = Finding::new(codes::MISMATCH, Place::Expr(expr), message);
        let finding = self.origin(finding, ty, why);
        let finding = self.two_values(finding, &found, why);
        match (&found, ty, why) {
            (found, Ty::Void, Why::Return) if !found.any_var() => {
                finding.remedy(Remedy::InsertAfter(
                    Place::Header,
                    format!("declare that it returns `{found}`"),
                    format!(" -> {found}"),
                ))
            }
            _ => self.way_out(finding, expr, &found, ty),
        }
    }

    /// A mismatch with what gives no value.
    fn nothing(&self, expr: ExprId, ty: &Ty, why: &Why) -> Finding {
        let what = match self.expr(expr) {
            Expr::Block { .. } => "this block ends without a value",
            Expr::If { .. } => "an `if` without `else` gives nothing",
            Expr::While { .. } | Expr::For { .. } | Expr::Loop { .. } => "a loop gives nothing",
            Expr::Assign { .. } => "an assignment gives nothing",
            Expr::Pool { .. } => "a `pool` block gives nothing",
            _ => "this gives nothing",
        };
        let place = match self.expr(expr) {
            Expr::Call { .. } | Expr::MethodCall { .. } | Expr::BuiltinCall { .. } => {
                Place::Expr(expr)
            }
            _ => Place::Head(expr),
        };
        if matches!(why, Why::Return) {
            let owner = self.owner.clone().unwrap_or_default();
            let is_root = self.body.root == Some(expr);
            let place = if is_root { Place::ReturnType } else { place };
            let what = if is_root { "its body can end without a value" } else { what };
            let finding = Finding::new(
                codes::MISSING_RETURN,
                place,
                format!("`{owner}` returns `{ty}`, but {what}"),
            );
            return if is_root { finding } else { self.origin(finding, ty, why) };
        }
        let message = format!("{}expected `{ty}`, but {what}", why.prefix());
        self.origin(Finding::new(codes::MISMATCH, place, message), ty, why)
    }

    /// Adds the place where the expectation comes from.
    fn origin(&self, finding: Finding, ty: &Ty, why: &Why) -> Finding {
        let wanted = self.wanted(ty);
        match why {
            Why::Annotation(local) => {
                finding.related(Place::LocalType(*local), format!("`{ty}` is declared here"))
            }
            Why::Return if *ty == Ty::Void => match &self.owner {
                Some(owner) => finding.note(format!("`{owner}` declares no return type")),
                None => finding,
            },
            Why::Return => finding.related(Place::ReturnType, format!("`{ty}` is declared here")),
            Why::Branch(other) => {
                finding.related(Place::Expr(*other), format!("the other branch is {wanted}"))
            }
            Why::Instead(held) => {
                finding.related(Place::Expr(*held), format!("this holds {wanted}"))
            }
            Why::Range(other) => finding.related(Place::Expr(*other), format!("this is {wanted}")),
            Why::Assigned(place) => {
                finding.related(Place::Expr(*place), format!("this is {wanted}"))
            }
            Why::Generic(why) => {
                finding.related(why.declared, format!("`{}` is `{ty}`", why.param))
            }
            Why::Argument { param, declared: Some(place), .. } => {
                finding.related(*place, format!("`{param}` is {wanted}"))
            }
            Why::Field { name, declared: Some((def, place)) } => {
                finding.elsewhere(def.clone(), *place, format!("`{name}` is declared here"))
            }
            Why::Entry(first) => {
                finding.related(Place::Expr(*first), format!("the first element is {wanted}"))
            }
            Why::Break(other) => finding
                .related(Place::Expr(*other), format!("the loop gives {wanted} here already")),
            Why::Closure(closure) => finding
                .related(Place::WrittenType(*closure), format!("the closure returns {wanted}")),
            Why::Constant(_)
            | Why::Argument { declared: None, .. }
            | Why::Field { declared: None, .. }
            | Why::Value { .. }
            | Why::Expected
            | Why::Condition(_)
            | Why::Element => finding,
        }
    }

    /// Adds what can be done about a mismatch.
    fn way_out(&self, finding: Finding, expr: ExprId, found: &Ty, ty: &Ty) -> Finding {
        let place = Place::Expr(expr);
        let insert_after =
            |title: String, text: &str| Remedy::InsertAfter(place, title, text.to_owned());
        match (found, ty) {
            (Ty::Var(id), Ty::Scalar(dtype)) if dtype.is_float() && id.is_int() => {
                self.float_literal(finding, expr)
            }
            (Ty::Var(_), Ty::Tensor(tensor)) | (Ty::Scalar(_), Ty::Tensor(tensor))
                if tensor.shape.rank() == 0 =>
            {
                finding.note("`Tensor::scalar(x)` makes a rank-0 tensor of a number")
            }
            (Ty::Tensor(tensor), Ty::Scalar(dtype))
                if tensor.shape.rank() == 0 && tensor.elem == *dtype =>
            {
                let finding = finding.note("`.item()` reads the number out of a rank-0 tensor");
                if self.is_postfix(expr) {
                    finding.remedy(insert_after("read the number".to_owned(), ".item()"))
                } else {
                    finding
                }
            }
            (Ty::Fn(function), ty)
                if self.is_postfix(expr) && function.ret.peeled() == ty.peeled() =>
            {
                finding.note(match self.callees.get(expr) {
                    Some(Callee::Variant(..)) => {
                        format!("{} holds something, given in `(..)`", self.subject(expr))
                    }
                    _ => format!("{} is a function; it is called with `(..)`", self.subject(expr)),
                })
            }
            (Ty::Scalar(from), Ty::Scalar(to)) => self.cast(finding, expr, *from, *to),
            (Ty::Tensor(found), Ty::Tensor(tensor)) => {
                self.other_shape(finding, Some(expr), found, tensor)
            }
            (Ty::Ref { inner, .. }, ty) if **inner == *ty => {
                if ty.is_copy() {
                    finding.remedy(Remedy::InsertBefore(
                        place,
                        "read through the reference".to_owned(),
                        "*".to_owned(),
                    ))
                } else {
                    let finding =
                        finding.note("what is only borrowed cannot be given away; clone it");
                    if self.is_postfix(expr) {
                        finding.remedy(insert_after("clone it".to_owned(), ".clone()"))
                    } else {
                        finding
                    }
                }
            }
            (found, Ty::Ref { mutable, inner })
                if (*found == **inner || self.becomes_dyn(found, inner)) && self.is_place(expr) =>
            {
                let sign = if *mutable { "&mut " } else { "&" };
                finding.remedy(Remedy::InsertBefore(
                    place,
                    format!("borrow it with `{}`", sign.trim()),
                    sign.to_owned(),
                ))
            }
            (Ty::Ref { mutable: false, inner: found }, Ty::Ref { mutable: true, inner })
                if found == inner =>
            {
                match self.expr(expr) {
                    Expr::Borrow { operand, .. } => finding.remedy(Remedy::InsertBefore(
                        Place::Expr(*operand),
                        "borrow it with `&mut`".to_owned(),
                        "mut ".to_owned(),
                    )),
                    _ => finding.note("a shared borrow cannot become a `&mut`"),
                }
            }
            (found @ Ty::Ref { .. }, Ty::Ref { .. }) => match (found.as_tensor(), ty.as_tensor()) {
                (Some(found), Some(tensor)) => self.other_shape(finding, None, found, tensor),
                _ => finding,
            },
            _ => finding,
        }
    }

    /// Whether a reference to a value becomes one to any value of a trait.
    fn becomes_dyn(&self, found: &Ty, wanted: &Ty) -> bool {
        match wanted {
            Ty::Dyn(bound) => crate::traits::prove(&self.env, found, &bound.of_trait).is_ok(),
            _ => false,
        }
    }

    /// Says how two tensor types differ. `owned` is the expression if its value can be consumed.
    fn other_shape(
        &self,
        finding: Finding,
        owned: Option<ExprId>,
        found: &TensorTy,
        expected: &TensorTy,
    ) -> Finding {
        if found.elem != expected.elem {
            return finding.note(format!(
                "the elements are `{}`, not `{}`, and `as` converts numbers only: `t.map(|x| x as {})`",
                found.elem, expected.elem, expected.elem
            ));
        }
        if transposed_shape(&found.shape).as_ref() == Some(&expected.shape) {
            let finding = finding.note("its transpose has the expected shape");
            return match owned.filter(|expr| self.is_postfix(*expr)) {
                Some(expr) => finding.remedy(Remedy::InsertAfter(
                    Place::Expr(expr),
                    "transpose it".to_owned(),
                    ".t()".to_owned(),
                )),
                None => finding,
            };
        }
        self.shape_difference(finding, &found.shape, &expected.shape)
    }

    /// Says how a shape differs from the one that is expected, with the axes that do marked.
    pub(super) fn shape_difference(
        &self,
        finding: Finding,
        found: &Shape,
        expected: &Shape,
    ) -> Finding {
        if found.rank() != expected.rank() {
            let (found, expected) = (found.rank(), expected.rank());
            return finding.note(format!("its rank is {found}, not {expected}"));
        }
        let differ = |axis: usize| match (found.dims().get(axis), expected.dims().get(axis)) {
            (Some(found), Some(expected)) => {
                found.extent != expected.extent
                    || matches!((&found.name, &expected.name), (Some(a), Some(b)) if a != b)
            }
            _ => false,
        };
        let axes = found.dims().iter().zip(expected.dims()).enumerate();
        let finding = axes.fold(finding, |finding, (axis, (found, expected))| {
            let words = match found.name.as_ref().or(expected.name.as_ref()) {
                Some(name) if found.extent != expected.extent => format!("{axis} (`{name}`)"),
                _ => axis.to_string(),
            };
            match (&found.name, &expected.name) {
                _ if found.extent != expected.extent => finding
                    .note(format!("axis {words} is {}, not {}", found.extent, expected.extent)),
                (Some(found), Some(expected)) if found != expected => {
                    finding.note(format!("axis {axis} is called `{found}`, not `{expected}`"))
                }
                _ => finding,
            }
        });
        if found.rank() > 1 && (0..found.rank()).any(differ) {
            return finding.note(format!(
                "expected {}, found {}",
                marked(expected, differ),
                marked(found, differ)
            ));
        }
        finding
    }

    /// Says which parameter of a generic function would need two values, and where the first one comes from.
    fn two_values(&self, mut finding: Finding, found: &Ty, why: &Why) -> Finding {
        let Why::Generic(why) = why else { return finding };
        let (Some(declared), Some(found)) = (why.ty.as_tensor(), found.as_tensor()) else {
            return finding;
        };
        if declared.shape.rank() != found.shape.rank() {
            return finding;
        }
        for (declared, found) in declared.shape.dims().iter().zip(found.shape.dims()) {
            let Extent::Param(param) = &declared.extent else { continue };
            let Some((name, GenericArg::Const(value))) = why.args.get(param.index as usize) else {
                continue;
            };
            let value = self.table.resolve_extent(value);
            if value == found.extent || matches!(value, Extent::Var(_)) {
                continue;
            }
            finding.message = format!(
                "{}: `{name}` is {value}, and here it would be {}",
                finding.message, found.extent
            );
            let speaks = |ty: &Ty| {
                ty.as_tensor().is_some_and(|tensor| {
                    tensor.shape.dims().iter().any(|dim| dim.extent == declared.extent)
                })
            };
            if let Some((first, _)) = why.earlier.iter().find(|(_, ty)| speaks(ty)) {
                finding = finding.related(Place::Expr(*first), format!("`{name}` is {value} here"));
            }
            break;
        }
        finding
    }

    /// Suggests the float that an integer literal was meant to be.
    pub(super) fn float_literal(&self, finding: Finding, expr: ExprId) -> Finding {
        let finding = finding.note("an integer literal never becomes a float");
        let literal = match self.expr(expr) {
            Expr::Unary { op: neuro_hir::UnaryOp::Neg, operand } => *operand,
            _ => expr,
        };
        match self.expr(literal) {
            Expr::Literal(Literal::Int(value, None)) => finding.remedy(Remedy::Replace(
                Place::Expr(literal),
                format!("write `{value}.0`"),
                format!("{value}.0"),
            )),
            _ => finding,
        }
    }

    fn cast(&self, finding: Finding, expr: ExprId, from: DType, to: DType) -> Finding {
        if from == to || to == DType::Bool || (from == DType::Bool && to.is_float()) {
            return finding;
        }
        // A suffixed literal is better written in the other type.
        if matches!(self.expr(expr), Expr::Literal(_)) || !self.is_postfix(expr) {
            return finding;
        }
        finding.remedy(Remedy::InsertAfter(
            Place::Expr(expr),
            format!("convert to `{to}`"),
            format!(" as {to}"),
        ))
    }

    /// Whether something can be put behind the expression without parentheses.
    pub(super) fn is_postfix(&self, expr: ExprId) -> bool {
        matches!(
            self.expr(expr),
            Expr::Local(_)
                | Expr::Path(_)
                | Expr::Field { .. }
                | Expr::TupleField { .. }
                | Expr::Try(_)
                | Expr::Call { .. }
                | Expr::MethodCall { .. }
                | Expr::Index { .. }
                | Expr::Literal(_)
        )
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

impl Why {
    /// The start of a message.
    fn prefix(&self) -> String {
        match self {
            Why::Generic(why) => format!("argument `{}` of `{}`: ", why.param, why.callee),
            Why::Argument { callee, param, .. } => format!("argument `{param}` of `{callee}`: "),
            Why::Condition(word) => format!("condition of `{word}`: "),
            Why::Constant(name) => format!("value of `{name}`: "),
            Why::Element => "element of a tensor: ".to_owned(),
            Why::Value { of, index } => format!("argument {} of {of}: ", index + 1),
            Why::Field { name, .. } => format!("field `{name}`: "),
            Why::Annotation(_)
            | Why::Return
            | Why::Assigned(_)
            | Why::Branch(_)
            | Why::Entry(_)
            | Why::Break(_)
            | Why::Closure(_)
            | Why::Expected
            | Why::Instead(_)
            | Why::Range(_) => String::new(),
        }
    }
}
