//! Tensors: literals, constructors, elements, matrix products.

use neuro_db::{Name, codes};
use neuro_hir::{Arg, Expr, ExprId, IndexArg, TypeRef};
use neuro_num::DType;

use super::operator::Operand;
use super::{Context, Pending, Type, Why};
use crate::lower::is_later_type;
use crate::similar::similar;
use crate::{Callee, Finding, Place, Remedy, Shape, TensorConstructor, TensorTy, Ty};

/// The constructors, by name.
const CONSTRUCTORS: &[(&str, TensorConstructor)] = &[
    ("zeros", TensorConstructor::Zeros),
    ("ones", TensorConstructor::Ones),
    ("identity", TensorConstructor::Identity),
    ("scalar", TensorConstructor::Scalar),
    ("from", TensorConstructor::From),
];

/// Constructors of the language that this compiler does not have yet.
const LATER_CONSTRUCTORS: &[&str] = &["random_normal", "from_fn", "stack", "select"];

impl Context<'_> {
    /// A nested array literal where a tensor is expected. Inner arrays get the type of the part of the
    /// tensor that they are.
    pub(super) fn tensor_literal(&mut self, expr: ExprId, elem: DType, extents: &[u64]) -> Type {
        let ty = Ty::tensor(elem, extents.to_vec());
        match (self.expr(expr), extents) {
            (Expr::Array(entries), [extent, inner @ ..]) => {
                if entries.len() as u64 != *extent {
                    self.report(Finding::new(
                        codes::SHAPE,
                        Place::Expr(expr),
                        format!(
                            "expected {}, found {}",
                            counted(*extent),
                            counted(entries.len() as u64)
                        ),
                    ));
                }
                for entry in entries {
                    self.tensor_entry(*entry, elem, inner);
                }
            }
            (Expr::Array(entries), []) => {
                for entry in entries {
                    self.infer(*entry, None);
                }
                self.report(
                    Finding::new(codes::SHAPE, Place::Expr(expr), "a rank-0 tensor has no literal")
                        .note("`Tensor::scalar(x)` makes a rank-0 tensor of a number"),
                );
            }
            _ => {}
        }
        Type::Known(ty)
    }

    /// An entry of a tensor literal: an element, or a nested array.
    fn tensor_entry(&mut self, expr: ExprId, elem: DType, extents: &[u64]) {
        match (self.expr(expr), extents) {
            (Expr::Array(_), [_, ..]) => {
                let ty = self.tensor_literal(expr, elem, extents);
                self.record(expr, ty);
            }
            (Expr::Array(entries), []) => {
                for entry in entries {
                    self.infer(*entry, None);
                }
                self.record(expr, Type::ERROR);
                self.report(Finding::new(
                    codes::SHAPE,
                    Place::Expr(expr),
                    format!("expected a number of type `{elem}`, found an array: the literal is nested deeper than its shape"),
                ));
            }
            (_, []) => self.check(expr, &Ty::Scalar(elem), &Why::Element),
            (_, [extent, ..]) => {
                let found = self.infer(expr, None);
                if self.absorbed(&found).is_none() {
                    let described = self.describe(&found);
                    self.give_up(&found);
                    self.report(Finding::new(
                        codes::SHAPE,
                        Place::Expr(expr),
                        format!("expected an array of {}, found {described}", counted(*extent)),
                    ));
                }
            }
        }
    }

    /// An array where no tensor is expected.
    pub(super) fn infer_array(&mut self, expr: ExprId, entries: &[ExprId]) -> Type {
        for entry in entries {
            let found = self.infer_array_entry(*entry);
            self.numbers.finish(&found);
        }
        self.refuse(
            Finding::new(codes::UNSUPPORTED, Place::Expr(expr), "an array is not supported yet")
                .note("a tensor is written where one is expected: `val t: Tensor<f32, [2]> = [1.0, 2.0]`"),
        )
    }

    /// Nested arrays are part of what the outermost one reports.
    pub(super) fn infer_array_entry(&mut self, expr: ExprId) -> Type {
        match self.expr(expr) {
            Expr::Array(entries) => {
                for entry in entries {
                    self.infer_array_entry(*entry);
                }
                self.record(expr, Type::ERROR)
            }
            _ => self.infer(expr, None),
        }
    }

    /// A call of `Type::name`.
    pub(super) fn infer_associated(
        &mut self,
        call: ExprId,
        callee: ExprId,
        args: &[Arg],
        hint: Option<&Ty>,
    ) -> Type {
        let Expr::Assoc { base, ty, name } = self.expr(callee) else { return Type::ERROR };
        self.record(callee, Type::ERROR);
        if base != "Tensor" {
            self.infer_arguments(args);
            return self.refuse(self.unknown_base(callee, base, name));
        }
        let Some((_, constructor)) = CONSTRUCTORS.iter().find(|(known, _)| *known == name.as_str())
        else {
            self.infer_arguments(args);
            return self.refuse(unknown_constructor(callee, name));
        };
        self.callees.insert(call, Callee::Constructor(*constructor));
        let target = match ty {
            Some(ty) => self.constructed_type(callee, ty),
            None => match hint {
                Some(Ty::Tensor(tensor)) => Ok(Some(tensor.clone())),
                // What is expected is wrong already.
                Some(Ty::Error) => Err(()),
                _ => Ok(None),
            },
        };
        let Ok(target) = target else {
            self.infer_arguments(args);
            return Type::ERROR;
        };
        self.construct(call, callee, *constructor, target, args)
    }

    fn unknown_base(&self, callee: ExprId, base: &Name, name: &Name) -> Finding {
        let place = Place::Expr(callee);
        if is_later_type(base) {
            return Finding::new(
                codes::UNSUPPORTED,
                place,
                format!("`{base}::{name}` is not supported yet"),
            );
        }
        let finding = Finding::new(codes::UNDECLARED, place, format!("there is no type `{base}`"));
        match similar(base, ["Tensor"]) {
            Some(meant) => finding.note(format!("did you mean `{meant}`?")),
            None => finding,
        }
    }

    /// The type of `Tensor::<..>::name`.
    fn constructed_type(&mut self, callee: ExprId, ty: &TypeRef) -> Result<Option<TensorTy>, ()> {
        match self.written_type(Place::WrittenType(callee), ty) {
            Ty::Tensor(tensor) => Ok(Some(tensor)),
            Ty::Error => Err(()),
            other => {
                self.report(Finding::new(
                    codes::MISMATCH,
                    Place::WrittenType(callee),
                    format!("expected a tensor type, found `{other}`"),
                ));
                Err(())
            }
        }
    }

    fn construct(
        &mut self,
        call: ExprId,
        callee: ExprId,
        constructor: TensorConstructor,
        target: Option<TensorTy>,
        args: &[Arg],
    ) -> Type {
        let params: &[&str] = match constructor {
            TensorConstructor::Scalar => &["value"],
            TensorConstructor::From => &["literal"],
            TensorConstructor::Zeros | TensorConstructor::Ones | TensorConstructor::Identity => &[],
        };
        if !self.plain_arguments(call, &Name::new(self.constructor_name(callee)), params, args) {
            self.infer_arguments(args);
            return Type::ERROR;
        }
        let argument = args.first().map(|arg| arg.value);
        match (constructor, argument) {
            (TensorConstructor::Scalar, Some(value)) => self.scalar_tensor(callee, target, value),
            (TensorConstructor::From, Some(value)) => self.tensor_from(callee, target, value),
            (TensorConstructor::Identity, _) => self.identity(callee, target),
            _ => match target {
                Some(tensor) => Type::Known(Ty::Tensor(tensor)),
                None => self.unknown_shape(callee),
            },
        }
    }

    fn constructor_name(&self, callee: ExprId) -> String {
        match self.expr(callee) {
            Expr::Assoc { base, name, .. } => format!("{base}::{name}"),
            _ => String::new(),
        }
    }

    fn unknown_shape(&mut self, callee: ExprId) -> Type {
        let name = match self.expr(callee) {
            Expr::Assoc { name, .. } => name.clone(),
            _ => Name::default(),
        };
        self.refuse(
            Finding::new(
                codes::AMBIGUOUS,
                Place::Expr(callee),
                "nothing says which element type and shape this tensor has",
            )
            .note(format!("annotate the binding, or write `Tensor::<f32, [2, 3]>::{name}(..)`")),
        )
    }

    fn scalar_tensor(&mut self, callee: ExprId, target: Option<TensorTy>, value: ExprId) -> Type {
        if let Some(tensor) = target {
            if tensor.shape.rank() == 0 {
                let why = Why::Argument { callee: "Tensor::scalar".into(), param: "value".into() };
                self.check(value, &Ty::Scalar(tensor.elem), &why);
                return Type::Known(Ty::Tensor(tensor));
            }
            let written = matches!(self.expr(callee), Expr::Assoc { ty: Some(_), .. });
            if written {
                self.infer(value, None);
                return self.refuse(Finding::new(
                    codes::SHAPE,
                    Place::WrittenType(callee),
                    format!("`Tensor::scalar` makes a tensor of rank 0, not `{tensor}`"),
                ));
            }
            // The place that expects another shape reports it.
        }
        let found = self.infer(value, None);
        if let Some(absorbed) = self.absorbed(&found) {
            return absorbed;
        }
        match self.numbers.finish(&found) {
            Ty::Scalar(dtype) => Type::Known(Ty::tensor(dtype, [])),
            other => self.refuse(Finding::new(
                codes::MISMATCH,
                Place::Expr(value),
                format!("`Tensor::scalar` takes a number, not `{other}`"),
            )),
        }
    }

    fn tensor_from(&mut self, callee: ExprId, target: Option<TensorTy>, value: ExprId) -> Type {
        let Some(tensor) = target else {
            match self.expr(value) {
                Expr::Array(_) => self.infer_array_entry(value),
                _ => self.infer(value, None),
            };
            return self.unknown_shape(callee);
        };
        if let Expr::Array(_) = self.expr(value) {
            let ty = self.tensor_literal(value, tensor.elem, &tensor.shape.0);
            self.record(value, ty);
        } else {
            let found = self.infer(value, None);
            if self.absorbed(&found).is_none() {
                let described = self.describe(&found);
                self.give_up(&found);
                self.report(Finding::new(
                    codes::MISMATCH,
                    Place::Expr(value),
                    format!("`Tensor::from` takes an array literal, not {described}"),
                ));
            }
        }
        Type::Known(Ty::Tensor(tensor))
    }

    fn identity(&mut self, callee: ExprId, target: Option<TensorTy>) -> Type {
        let Some(tensor) = target else { return self.unknown_shape(callee) };
        let square = matches!(*tensor.shape.0, [rows, columns] if rows == columns);
        if !square || tensor.elem == DType::Bool {
            return self.refuse(Finding::new(
                codes::SHAPE,
                Place::Expr(callee),
                format!("an identity is a square matrix of numbers, not `{tensor}`"),
            ));
        }
        Type::Known(Ty::Tensor(tensor))
    }

    /// `base[i, j]`: an element.
    pub(super) fn infer_index(&mut self, expr: ExprId, base: ExprId, args: &[IndexArg]) -> Type {
        let found = self.infer(base, None);
        let positions: Vec<Option<ExprId>> = args
            .iter()
            .map(|arg| match arg {
                IndexArg::At(position) => Some(*position),
                IndexArg::Range => None,
            })
            .collect();
        for position in positions.iter().flatten() {
            self.position(*position);
        }
        if let Some(absorbed) = self.absorbed(&found) {
            return absorbed;
        }
        let Operand::Tensor(tensor) = self.operand(&found) else {
            let described = self.describe(&found);
            self.give_up(&found);
            return self.refuse(Finding::new(
                codes::OPERATOR,
                Place::Expr(base),
                format!("only tensors have elements; this is {described}"),
            ));
        };
        if positions.contains(&None) {
            return Type::ERROR;
        }
        if positions.len() != tensor.shape.rank() {
            let rank = tensor.shape.rank();
            let finding = Finding::new(
                codes::INDEX,
                Place::Head(expr),
                format!(
                    "`{tensor}` has {}, and {} given",
                    match rank {
                        1 => "1 axis".to_owned(),
                        rank => format!("{rank} axes"),
                    },
                    match positions.len() {
                        1 => "1 position is".to_owned(),
                        count => format!("{count} positions are"),
                    },
                ),
            );
            let finding = match rank {
                0 => finding.note("`.item()` reads the element of a rank-0 tensor"),
                _ => finding,
            };
            return self.refuse(finding);
        }
        for (axis, (position, extent)) in
            positions.iter().flatten().zip(tensor.shape.0.iter()).enumerate()
        {
            self.pending.push(Pending::Position {
                tensor: Ty::Tensor(tensor.clone()),
                axis,
                extent: *extent,
                position: *position,
            });
        }
        Type::scalar(tensor.elem)
    }

    /// A position: any integer.
    fn position(&mut self, position: ExprId) {
        let found = self.infer(position, None);
        let fits = match self.resolved(&found) {
            Type::Known(Ty::Error | Ty::Never) => true,
            Type::Known(Ty::Scalar(dtype)) => dtype.is_int(),
            Type::Known(_) => false,
            Type::Number(id) => !self.numbers.is_float(id),
        };
        if !fits {
            let described = self.describe(&found);
            self.give_up(&found);
            self.report(Finding::new(
                codes::MISMATCH,
                Place::Expr(position),
                format!("a position is an integer; this is {described}"),
            ));
        }
    }

    pub(super) fn matmul(
        &mut self,
        expr: ExprId,
        (lhs, left): (ExprId, &Type),
        (rhs, right): (ExprId, &Type),
    ) -> Type {
        let (Operand::Tensor(a), Operand::Tensor(b)) = (self.operand(left), self.operand(right))
        else {
            return self.no_operator(expr, "@", left, right);
        };
        if !self.same_elements(expr, "@", &a, &b) {
            return Type::ERROR;
        }
        match (&*a.shape.0, &*b.shape.0) {
            ([rows, inner], [other, columns]) if inner == other => {
                Type::Known(Ty::tensor(a.elem, [*rows, *columns]))
            }
            ([_, inner], [other, _]) => {
                let finding = Finding::new(
                    codes::SHAPE,
                    Place::Head(expr),
                    format!(
                        "inner extents differ: {} @ {} needs the {inner} columns on the left and the {other} rows on the right to agree",
                        a.shape, b.shape
                    ),
                );
                let finding = self.transposed(finding, &a, &b, (lhs, left), (rhs, right));
                self.refuse(finding)
            }
            _ => {
                let odd = if a.shape.rank() == 2 { &b } else { &a };
                self.refuse(Finding::new(
                    codes::SHAPE,
                    Place::Head(expr),
                    format!(
                        "`@` takes two matrices (rank 2), and `{odd}` has rank {}",
                        odd.shape.rank()
                    ),
                ))
            }
        }
    }

    /// Suggests to transpose an operand where that makes the product fit.
    fn transposed(
        &self,
        mut finding: Finding,
        a: &TensorTy,
        b: &TensorTy,
        lhs: (ExprId, &Type),
        rhs: (ExprId, &Type),
    ) -> Finding {
        let ([rows, inner], [other, columns]) = (&*a.shape.0, &*b.shape.0) else { return finding };
        for (fits, (operand, ty), side) in
            [(inner == columns, rhs, "right"), (rows == other, lhs, "left")]
        {
            if !fits {
                continue;
            }
            let borrowed = matches!(self.resolved(ty), Type::Known(Ty::Ref { .. }));
            let text = if borrowed { ".clone().t()" } else { ".t()" };
            finding = finding.note(format!("with `{text}` on the {side} operand the shapes fit"));
            if self.is_postfix(operand) {
                finding = finding.remedy(Remedy::InsertAfter(
                    Place::Expr(operand),
                    format!("transpose the {side} operand"),
                    text.to_owned(),
                ));
            }
        }
        finding
    }
}

fn unknown_constructor(callee: ExprId, name: &Name) -> Finding {
    let place = Place::Expr(callee);
    if LATER_CONSTRUCTORS.contains(&name.as_str()) {
        return Finding::new(
            codes::UNSUPPORTED,
            place,
            format!("`Tensor::{name}` is not supported yet"),
        );
    }
    let finding = Finding::new(
        codes::MEMBER,
        Place::Head(callee),
        format!("`Tensor` has no function `{name}`"),
    );
    let known = CONSTRUCTORS.iter().map(|(known, _)| *known);
    match similar(name, known) {
        Some(meant) => finding.note(format!("did you mean `{meant}`?")).remedy(Remedy::Replace(
            Place::Head(callee),
            format!("change to `{meant}`"),
            meant.to_owned(),
        )),
        None => finding,
    }
}

fn counted(entries: u64) -> String {
    if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") }
}

/// The shape of the transpose of a matrix.
pub(super) fn transposed_shape(shape: &Shape) -> Option<Shape> {
    match *shape.0 {
        [rows, columns] => Some(Shape::new([columns, rows])),
        _ => None,
    }
}
