//! One MIR operation as ops of a graph. Tensor code of functions that do not raise is compiled from
//! these too, so arithmetic on tensors exists once.

use neuro_hir::BinaryOp;
use neuro_ir as ir;
use neuro_ir::{BuildError, Dense, FunctionBuilder, Loc, OpKind, ValueId};
use neuro_mir::{NumberOp, Operation, arithmetic, binary_operation, comparison, unary_operation};
use neuro_num::{BinOp, CmpOp, DType, Overflow, Scalar, UnOp};
use neuro_types::Ty;

use super::{Checked, ir_type};

/// An operand of an operation that is raised by itself.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PieceOperand {
    /// A value of this type: a parameter of the graph.
    Value(Ty),
    /// A constant: part of the graph.
    Const(Scalar),
}

/// One operation as a graph: a parameter for each operand that is a [`PieceOperand::Value`], in order, and
/// one result. Every op has `loc(0)`.
///
/// # Errors
/// When the types do not suit the operation, which inference excludes.
pub fn raise_operation(
    op: &Operation,
    operands: &[PieceOperand],
    result: &Ty,
    checked: Checked,
) -> Result<ir::Function, BuildError> {
    let mut builder = FunctionBuilder::new("piece");
    let operands = piece_operands(&mut builder, operands)?;
    let result =
        ir_type(result).ok_or_else(|| unsuitable("piece", "the result has no element type"))?;
    let value = emit(&mut builder, op, &operands, &result, checked.overflow(), Loc(0))?;
    Ok(builder.finish([value]))
}

/// `target op= value` as a graph: the target and, unless it is a constant, the value are its parameters; the
/// result has the target's type and may be written into the target's buffer.
///
/// # Errors
/// When the types do not suit the operator, which inference excludes.
pub fn raise_in_place(
    op: BinaryOp,
    target: &Ty,
    value: &PieceOperand,
    checked: Checked,
) -> Result<ir::Function, BuildError> {
    let result = Ty::clone(target.peeled());
    let operands = [PieceOperand::Value(result.clone()), value.clone()];
    raise_operation(&Operation::Binary(op), &operands, &result, checked)
}

fn piece_operands(
    builder: &mut FunctionBuilder,
    operands: &[PieceOperand],
) -> Result<Vec<ValueId>, BuildError> {
    let mut values = Vec::with_capacity(operands.len());
    for (index, operand) in operands.iter().enumerate() {
        values.push(match operand {
            PieceOperand::Const(scalar) => builder.constant(*scalar),
            PieceOperand::Value(ty) => {
                let ty = ir_type(ty)
                    .ok_or_else(|| unsuitable("piece", "an operand has no element type"))?;
                builder.param(format!("operand{index}"), ty)
            }
        });
    }
    Ok(values)
}

fn unsuitable(op: &'static str, reason: &str) -> BuildError {
    BuildError { op, reason: reason.to_owned(), loc: None }
}

/// Adds the ops of an operation. The result has exactly the type `result`.
pub(super) fn emit(
    builder: &mut FunctionBuilder,
    op: &Operation,
    operands: &[ValueId],
    result: &ir::Type,
    overflow: Overflow,
    loc: Loc,
) -> Result<ValueId, BuildError> {
    let at = Some(loc);
    // Floats never overflow: their ops say so.
    let on_floats = operands.first().is_some_and(|operand| builder.ty(*operand).dtype.is_float());
    let overflow = if on_floats { Overflow::Wrap } else { overflow };
    let element = operands.first().map(|operand| builder.ty(*operand).dtype);
    if let Some(half) = element.filter(|dtype| dtype.is_half() && adds_up(op)) {
        let mut wide = Vec::with_capacity(operands.len());
        for operand in operands {
            wide.push(builder.convert(*operand, DType::F32, at)?);
        }
        let result = ir::Type { dtype: DType::F32, ..result.clone() };
        let value = emit(builder, op, &wide, &result, overflow, loc)?;
        return builder.convert(value, half, at);
    }
    let first =
        || operands.first().copied().ok_or_else(|| unsuitable("piece", "an operand is missing"));
    match op {
        Operation::Unary(op) => builder.unary(unary_operation(*op), overflow, first()?, at),
        Operation::Binary(BinaryOp::MatMul) => builder.op(
            OpKind::MatMul { transpose_lhs: false, transpose_rhs: false, overflow },
            operands,
            at,
        ),
        Operation::Binary(op) => {
            let op =
                binary_operation(*op).ok_or_else(|| unsuitable("binary", "not elementwise"))?;
            builder.broadcasting(OpKind::Binary { op, overflow }, operands, at)
        }
        Operation::Compare(op) => builder.op(OpKind::Compare(comparison(*op)), operands, at),
        Operation::Cast(dtype) => builder.convert(first()?, *dtype, at),
        Operation::Character => Err(unsuitable("character", "gives no number")),
        Operation::Math(function) => builder.broadcasting(OpKind::Math(*function), operands, at),
        Operation::Number(op) => number(builder, *op, operands, overflow, at),
        Operation::Sum => sum(builder, first()?, overflow, at),
        Operation::Mean => {
            let axes = all_axes(builder, first()?);
            builder.mean(first()?, &axes, at)
        }
        Operation::Item | Operation::Clone => first(),
        Operation::Element => builder.op(OpKind::Element, operands, at),
        Operation::Pack => pack(builder, operands, result, at),
        Operation::Fill => builder.stretch(first()?, &result.dims, at),
        Operation::Identity => identity(builder, result),
        Operation::Transpose => builder.transpose(first()?, &[1, 0], at),
        Operation::Detach => builder.op(OpKind::Detach, operands, at),
        Operation::NotYet => Err(unsuitable("not yet", "does not run")),
    }
}

/// Whether an operation adds up many elements: of half precision in `f32`, rounded once at the end.
fn adds_up(op: &Operation) -> bool {
    matches!(op, Operation::Sum | Operation::Mean | Operation::Binary(BinaryOp::MatMul))
}

/// A method of numbers.
fn number(
    builder: &mut FunctionBuilder,
    op: NumberOp,
    operands: &[ValueId],
    overflow: Overflow,
    at: Option<Loc>,
) -> Result<ValueId, BuildError> {
    match op {
        NumberOp::Wrapping(op) => {
            let op = OpKind::Binary { op: arithmetic(op), overflow: Overflow::Wrap };
            builder.broadcasting(op, operands, at)
        }
        NumberOp::Shr => {
            builder.broadcasting(OpKind::Binary { op: BinOp::Shr, overflow }, operands, at)
        }
        // Not-a-number alone is not equal to itself.
        NumberOp::IsNan => {
            let [value] = operands else { return Err(unsuitable("is_nan", "has one operand")) };
            let same = builder.op(OpKind::Compare(CmpOp::Eq), &[*value, *value], at)?;
            builder.unary(UnOp::Not, Overflow::Wrap, same, at)
        }
        NumberOp::Hash => Err(unsuitable("hash", "has no derivative")),
        NumberOp::Saturating(_) => Err(unsuitable("saturating", "has no derivative yet")),
        NumberOp::Fits(_) => Err(unsuitable("checked", "has no derivative yet")),
        NumberOp::Holds(_) => Err(unsuitable("to_checked", "has no derivative yet")),
    }
}

fn all_axes(builder: &FunctionBuilder, value: ValueId) -> Vec<usize> {
    (0..builder.ty(value).rank()).collect()
}

fn sum(
    builder: &mut FunctionBuilder,
    value: ValueId,
    overflow: Overflow,
    at: Option<Loc>,
) -> Result<ValueId, BuildError> {
    let axes = all_axes(builder, value).into_iter().collect();
    builder.op(OpKind::Sum { axes, overflow }, &[value], at)
}

/// A tensor literal; one constant if all its leaves are.
fn pack(
    builder: &mut FunctionBuilder,
    leaves: &[ValueId],
    result: &ir::Type,
    at: Option<Loc>,
) -> Result<ValueId, BuildError> {
    let function = builder.so_far();
    let constants: Option<Vec<Scalar>> = leaves
        .iter()
        .map(|leaf| match function.def(*leaf)?.kind {
            OpKind::Const(scalar) => Some(scalar),
            _ => None,
        })
        .collect();
    match constants.and_then(|data| Dense::new(result.clone(), data)) {
        Some(dense) => Ok(builder.dense(dense)),
        None => builder.pack(leaves, &result.dims, at),
    }
}

fn identity(builder: &mut FunctionBuilder, result: &ir::Type) -> Result<ValueId, BuildError> {
    let [rows, columns] = result.dims[..] else {
        return Err(unsuitable("dense", "an identity is a matrix"));
    };
    let data: Vec<Scalar> = (0..rows * columns)
        .map(|at| {
            if at / columns == at % columns {
                Scalar::one(result.dtype)
            } else {
                Scalar::zero(result.dtype)
            }
        })
        .collect();
    Dense::new(result.clone(), data)
        .map(|dense| builder.dense(dense))
        .ok_or_else(|| unsuitable("dense", "the elements do not fit"))
}
