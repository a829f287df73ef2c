//! Which nests run several iterations at once, and the vector form of their instructions.
//!
//! Iterations that run at once are of a loop that no sum crosses, so every element is computed as before, by the same
//! correctly rounded operations.

use cranelift_codegen::ir::{
    Endianness, InstBuilder, MemFlagsData, Type, Value, condcodes::FloatCC, types,
};
use cranelift_frontend::FunctionBuilder;
use neuro_loops::{Index, Inst, Nest, Op, Program, Reg, Sink, SumOrder, SumPlace};
use neuro_num::{BinOp, CmpOp, DType, MathFn, UnOp};
use rustc_hash::FxHashSet;

/// How a nest runs several iterations of one loop at once.
#[derive(Clone, Debug)]
pub(super) struct Parallel {
    /// The loop.
    pub(super) number: usize,
    /// The type of every element.
    pub(super) dtype: DType,
    /// The scalars that differ between iterations of the loop.
    pub(super) varying: FxHashSet<Reg>,
    /// How many vectors are computed side by side where there are enough iterations.
    pub(super) unroll: usize,
}

/// Bodies with at most this many varying instructions are computed for several vectors side by side.
const UNROLL_LIMIT: usize = 12;
/// Vectors side by side.
const UNROLL: usize = 4;

/// The vector of 16 bytes, and its number of lanes.
pub(super) fn vector_type(dtype: DType) -> (Type, usize) {
    if dtype == DType::F32 { (types::F32X4, 4) } else { (types::F64X2, 2) }
}

/// The plan for a nest; none if its code has to run iteration by iteration.
pub(super) fn plan(program: &Program, nest: &Nest) -> Option<Parallel> {
    let (number, value, target) = parallel_loop(nest)?;
    let dtype = program.dtype(value);
    if !matches!(dtype, DType::F32 | DType::F64)
        || target.is_some_and(|index| index.strides[number] != 1)
    {
        return None;
    }
    let (_, width) = vector_type(dtype);
    if (nest.extents[number] as usize) < width {
        return None;
    }
    let mut body = Body { program, number, dtype, varying: FxHashSet::default() };
    if !nest.body.iter().all(|inst| body.suits(inst)) {
        return None;
    }
    let unroll = if body.varying.len() <= UNROLL_LIMIT { UNROLL } else { 1 };
    Some(Parallel { number, dtype, varying: body.varying, unroll })
}

/// A body that is examined, operands first.
struct Body<'p> {
    program: &'p Program,
    number: usize,
    dtype: DType,
    varying: FxHashSet<Reg>,
}

impl Body<'_> {
    /// Whether the instruction has a vector form or needs none. Masks are the only varying values that are no floats;
    /// nothing but a choice takes one.
    fn suits(&mut self, inst: &Inst) -> bool {
        if !self.varies(&inst.op) {
            return true;
        }
        self.varying.insert(inst.dest);
        let float = self.program.dtype(inst.dest) == self.dtype;
        match &inst.op {
            Op::Load(access) => float && access.index.strides[self.number] == 1,
            Op::Compare { lhs, .. } => self.program.dtype(*lhs) == self.dtype,
            Op::Select { condition, .. } => float && self.varying.contains(condition),
            Op::Math(MathFn::Sqrt | MathFn::Abs, _)
            | Op::Unary { op: UnOp::Neg, .. }
            | Op::Binary { op: BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div, .. } => float,
            // Every other function is called.
            Op::Math(..)
            | Op::Unary { op: UnOp::Not, .. }
            | Op::Binary {
                op: BinOp::Rem | BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr,
                ..
            }
            | Op::Const(_)
            | Op::Convert(_)
            | Op::AtPosition(_)
            | Op::Element { .. } => false,
        }
    }

    fn varies(&self, op: &Op) -> bool {
        let mut varies = match op {
            Op::Load(access) => access.index.strides[self.number] != 0,
            Op::AtPosition(axes) => axes.iter().any(|(index, _)| index.strides[self.number] != 0),
            Op::Const(_)
            | Op::Math(..)
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Convert(_)
            | Op::Element { .. } => false,
        };
        op.for_each_operand(|reg| varies |= self.varying.contains(&reg));
        varies
    }
}

/// The loop whose iterations do not meet in a sum, the value, and where it is put if in memory.
fn parallel_loop(nest: &Nest) -> Option<(usize, Reg, Option<&Index>)> {
    let loops = nest.extents.len();
    match &nest.sink {
        Sink::Store { value, to } => Some((loops.checked_sub(1)?, *value, Some(&to.index))),
        Sink::Sum { value, run, order: SumOrder::Sequential, to, .. } => match to {
            SumPlace::Element(access) => {
                Some((loops.checked_sub(run + 1)?, *value, Some(&access.index)))
            }
            SumPlace::Scalar(_) => None,
        },
        // The lanes of one run.
        Sink::Sum { value, run: 1, order: SumOrder::Lanes { .. }, .. } => {
            Some((loops - 1, *value, None))
        }
        Sink::Sum { order: SumOrder::Lanes { .. }, .. } => None,
    }
}

/// The vector form of an instruction that varies; its operands are vectors.
pub(super) fn arithmetic(
    builder: &mut FunctionBuilder<'_>,
    op: &Op,
    dtype: DType,
    mut operand: impl FnMut(&mut FunctionBuilder<'_>, Reg) -> Value,
) -> Value {
    let (ty, _) = vector_type(dtype);
    match op {
        Op::Math(function, operands) => {
            let value = operand(builder, operands[0]);
            match function {
                MathFn::Abs => builder.ins().fabs(value),
                _ => builder.ins().sqrt(value),
            }
        }
        Op::Unary { operand: reg, .. } => {
            let value = operand(builder, *reg);
            builder.ins().fneg(value)
        }
        Op::Binary { op, lhs, rhs, .. } => {
            let (lhs, rhs) = (operand(builder, *lhs), operand(builder, *rhs));
            match op {
                BinOp::Sub => builder.ins().fsub(lhs, rhs),
                BinOp::Mul => builder.ins().fmul(lhs, rhs),
                BinOp::Div => builder.ins().fdiv(lhs, rhs),
                _ => builder.ins().fadd(lhs, rhs),
            }
        }
        Op::Compare { op, lhs, rhs } => {
            let (lhs, rhs) = (operand(builder, *lhs), operand(builder, *rhs));
            let mask = compare(builder, *op, lhs, rhs);
            let flags = MemFlagsData::new().with_endianness(Endianness::Little);
            builder.ins().bitcast(ty, flags, mask)
        }
        Op::Select { condition, then, otherwise } => {
            let mask = operand(builder, *condition);
            let (then, otherwise) = (operand(builder, *then), operand(builder, *otherwise));
            builder.ins().bitselect(mask, then, otherwise)
        }
        Op::Const(_) | Op::Convert(_) | Op::Load(_) | Op::AtPosition(_) | Op::Element { .. } => {
            unreachable!("not planned as a vector")
        }
    }
}

fn compare(builder: &mut FunctionBuilder<'_>, op: CmpOp, lhs: Value, rhs: Value) -> Value {
    let condition = match op {
        CmpOp::Eq => FloatCC::Equal,
        CmpOp::Lt => FloatCC::LessThan,
        CmpOp::Le => FloatCC::LessThanOrEqual,
        CmpOp::Gt => FloatCC::GreaterThan,
        CmpOp::Ge => FloatCC::GreaterThanOrEqual,
        // Ordered and not equal; the back end has no such vector comparison.
        CmpOp::Ne => {
            let below = builder.ins().fcmp(FloatCC::LessThan, lhs, rhs);
            let above = builder.ins().fcmp(FloatCC::GreaterThan, lhs, rhs);
            return builder.ins().bor(below, above);
        }
    };
    builder.ins().fcmp(condition, lhs, rhs)
}
