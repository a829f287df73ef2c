//! Mismatches in words: what was expected and why, how what was found differs, what can be done about it.

use neuro_db::codes;
use neuro_hir::{BinaryOp, Expr, ExprId, Literal, LocalId};
use neuro_num::DType;

use super::Context;
use super::coerce::{GenericWhy, Why};
use super::elementwise::{marked, transposed_shape};
use crate::{
    Callee, Dim, Extent, Finding, Fold, GenericArg, Param, Place, Remedy, Shape, TensorTy, Ty,
};

impl Context<'_> {
    /// What is wrong where a value has another type than its place.
    pub(super) fn mismatch(&self, expr: ExprId, found: &Ty, ty: &Ty, why: &Why) -> Finding {
        let found = self.resolved(found);
        let ty = &self.resolved(ty);
        if found == Ty::Void {
            return self.nothing(expr, ty, why);
        }
        let described = self.describe(&found);
        let shown = self.with_names(ty, why);
        let expected = self.wanted(&shown);
        let message = format!("{}expected {expected}, found {described}", why.prefix());
        let finding = match self.written_parameter(expr, &found, ty) {
            Some((local, index, wanted)) => {
                let name = &self.body.locals[local].name;
                let given = match &found {
                    Ty::Fn(function) => function.params.get(index).cloned().unwrap_or_default(),
                    _ => Ty::Error,
                };
                let place = Place::LocalType(local);
                let message = format!("{}`{name}` is `{wanted}` here, not `{given}`", why.prefix());
                let finding = Finding::new(codes::MISMATCH, place, message);
                finding.remedy(Remedy::Replace(
                    place,
                    format!("change to `{wanted}`"),
                    wanted.to_string(),
                ))
            }
            None => Finding::new(codes::MISMATCH, Place::Expr(expr), message),
        };
        let finding = self.origin(finding, &shown, why);
        let finding = self.two_values(finding, &found, why);
        match (&found, ty, why) {
            (found, Ty::Void, Why::Return) if !found.any_var() => {
                finding.remedy(Remedy::InsertAfter(
                    Place::Header,
                    format!("declare that it returns `{found}`"),
                    format!(" -> {found}"),
                ))
            }
            _ => self.way_out(finding, expr, &found, (ty, &shown)),
        }
    }

    /// The parameter of a closure that is written with another type than the one that is expected, by its index
    /// and with that type.
    fn written_parameter(&self, expr: ExprId, found: &Ty, ty: &Ty) -> Option<(LocalId, usize, Ty)> {
        let (Expr::Closure(closure), Ty::Fn(found), Ty::Fn(wanted)) = (self.expr(expr), found, ty)
        else {
            return None;
        };
        let mut pairs = found.params.iter().zip(&wanted.params).enumerate();
        let (index, (_, wanted)) =
            pairs.find(|(_, (found, wanted))| found != wanted && !wanted.any_var())?;
        let param = closure.params.get(index).filter(|param| param.ty.is_some())?;
        Some((param.local, index, wanted.clone()))
    }

    /// An expected type with the names of the parameters of what is called where this call has not found out
    /// yet what they are.
    fn with_names(&self, ty: &Ty, why: &Why) -> Ty {
        struct Names<'a, 'db>(&'a Context<'db>, &'a GenericWhy);
        impl Fold for Names<'_, '_> {
            fn ty(&mut self, _: &Ty) -> Option<Ty> {
                None
            }
            fn extent(&mut self, extent: &Extent) -> Extent {
                let Names(context, why) = self;
                let is = |arg: &GenericArg| match arg {
                    GenericArg::Const(arg) => context.table.resolve_extent(arg) == *extent,
                    GenericArg::Type(_) => false,
                };
                let open = matches!(extent, Extent::Var(_));
                let index = why.args.iter().position(|(_, arg)| open && is(arg));
                let named = index.and_then(|index| Some((index, why.args.get(index)?)));
                named.map_or_else(
                    || extent.clone(),
                    |(index, (name, _))| {
                        Extent::Param(Param { index: index as u32, name: name.clone() })
                    },
                )
            }
        }
        match why {
            Why::Generic(why) => self.resolved(ty).fold(&mut Names(self, why)),
            _ => ty.clone(),
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
    pub(super) fn origin(&self, finding: Finding, ty: &Ty, why: &Why) -> Finding {
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

    /// Adds what can be done about a mismatch; the expected type comes with how it is shown.
    fn way_out(
        &self,
        finding: Finding,
        expr: ExprId,
        found: &Ty,
        (ty, shown): (&Ty, &Ty),
    ) -> Finding {
        let place = Place::Expr(expr);
        if let Some(fallible) = self.fallible(ty) {
            let fits = match (found, self.resolved(&fallible.value)) {
                (Ty::Var(var), Ty::Scalar(dtype)) => var.is_int() == dtype.is_int(),
                (found, value) => *found == value,
            };
            let (of, maker) =
                (fallible.def.name(), if fallible.error.is_some() { "Ok" } else { "Some" });
            if fits {
                let open = Remedy::InsertBefore(place, String::new(), format!("{maker}("));
                let close = Remedy::InsertAfter(place, String::new(), ")".to_owned());
                let title = format!("write `{maker}(..)`");
                return finding
                    .note(format!("`{maker}(..)` makes a `{of}` of it"))
                    .remedy(Remedy::Several(vec![open, close], title));
            }
        }
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
                let finding = match self.expr(expr) {
                    Expr::Binary { op: BinaryOp::Mul, .. } => finding
                        .note("`*` multiplies element by element; the product of matrices is `@`"),
                    _ => finding,
                };
                self.other_shape(finding, Some(expr), found, (tensor, shown))
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
                (Some(found), Some(tensor)) => {
                    self.other_shape(finding, None, found, (tensor, shown))
                }
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
        (expected, shown): (&TensorTy, &Ty),
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
        let shown = shown.as_tensor().unwrap_or(expected);
        shape_difference(finding, &found.shape, &expected.shape, &shown.shape)
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

    /// Suggests to convert a number.
    pub(super) fn cast(&self, finding: Finding, expr: ExprId, from: DType, to: DType) -> Finding {
        if from == to || to == DType::Bool || (from == DType::Bool && to.is_float()) {
            return finding;
        }
        // A suffixed literal is better written in the other type.
        if let Expr::Literal(literal) = self.expr(expr) {
            let text = match literal {
                Literal::Int(value, Some(_)) if to.is_int() => value.to_string(),
                Literal::Int(value, Some(_)) => format!("{value}.0"),
                Literal::Float(digits, Some(_)) if to.is_float() => {
                    digits.trim_end_matches(from.name()).to_owned()
                }
                _ => return finding,
            };
            let title = format!("write `{text}`");
            return finding.remedy(Remedy::Replace(Place::Expr(expr), title, text));
        }
        if let Expr::Binary { .. } = self.expr(expr) {
            let place = Place::Expr(expr);
            return finding.remedy(Remedy::parenthesize(
                (place, place),
                &format!(" as {to}"),
                format!("convert to `{to}`"),
            ));
        }
        if !self.is_postfix(expr) {
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

/// Says how a shape differs from the one that is expected, with the axes that do marked; `shown` is how the
/// expected one is written.
pub(super) fn shape_difference(
    finding: Finding,
    found: &Shape,
    expected: &Shape,
    shown: &Shape,
) -> Finding {
    if found.rank() != expected.rank() {
        let (found, expected) = (found.rank(), expected.rank());
        return finding.note(format!("its rank is {found}, not {expected}"));
    }
    let pairs = || found.dims().iter().zip(expected.dims());
    // A `?` takes every extent, and so does one that this very value would have decided.
    let takes_all = |expected: &Dim| matches!(expected.extent, Extent::Dynamic | Extent::Var(_));
    let two_names = |(found, expected): (&Dim, &Dim)| match (&found.name, &expected.name) {
        (Some(found), Some(expected)) => found != expected,
        (None, _) | (_, None) => false,
    };
    let plainly = |(found, expected): (&Dim, &Dim)| {
        found.extent != expected.extent && !takes_all(expected) || two_names((found, expected))
    };
    // Behind `&mut`, both are the same extent.
    let exact = !pairs().any(plainly);
    let other_extent = |(found, expected): (&Dim, &Dim)| {
        found.extent != expected.extent && (exact || !takes_all(expected))
    };
    let finding = pairs().enumerate().fold(finding, |finding, (axis, pair)| {
        let (found, expected) = pair;
        let words = match found.name.as_ref().or(expected.name.as_ref()) {
            Some(name) => format!("{axis} (`{name}`)"),
            None => axis.to_string(),
        };
        match (&found.name, &expected.name) {
            _ if other_extent(pair) => {
                finding.note(format!("axis {words} is {}, not {}", found.extent, expected.extent))
            }
            (Some(found), Some(expected)) if found != expected => {
                finding.note(format!("axis {axis} is called `{found}`, not `{expected}`"))
            }
            _ => finding,
        }
    });
    let differing: Vec<bool> = pairs().map(|pair| other_extent(pair) || two_names(pair)).collect();
    let differ = |axis: usize| differing.get(axis) == Some(&true);
    if found.rank() > 1 && differing.contains(&true) {
        return finding.note(format!(
            "expected {}, found {}",
            marked(shown, differ),
            marked(found, differ)
        ));
    }
    finding
}

impl Why {
    /// The start of a message.
    pub(super) fn prefix(&self) -> String {
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
