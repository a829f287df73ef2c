//! What it costs to compute an element again.

use neuro_ir::OpKind;
use neuro_num::{BinOp, MathFn};

/// The greatest cost of a value that is computed again for each reader.
pub(crate) const CHEAP: u32 = 4;

/// About how many loads the computation of one element takes the time of; `operands` is the cost of the operands.
pub(crate) fn cost(kind: &OpKind, operands: u32) -> u32 {
    let own = match kind {
        // These are in buffers: an element is one load.
        OpKind::Dense(_)
        | OpKind::Sum { .. }
        | OpKind::MatMul { .. }
        | OpKind::Update { .. }
        | OpKind::Pack { .. }
        | OpKind::Push { .. }
        | OpKind::Pop { .. }
        | OpKind::Element
        | OpKind::Assert { .. }
        | OpKind::If
        | OpKind::While => return 1,
        OpKind::Const(_)
        | OpKind::Broadcast { .. }
        | OpKind::Reshape { .. }
        | OpKind::Detach
        | OpKind::Transpose { .. } => 0,
        OpKind::Unary { .. }
        | OpKind::Compare(_)
        | OpKind::Select
        | OpKind::Convert(_)
        | OpKind::Math(MathFn::Abs) => 1,
        OpKind::Binary { op, .. } => match op {
            BinOp::Div => 3,
            BinOp::Rem => 16,
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::Shr => 1,
        },
        OpKind::Math(MathFn::Sqrt) => 3,
        OpKind::Math(
            MathFn::Floor
            | MathFn::Ceil
            | MathFn::Round
            | MathFn::Trunc
            | MathFn::Min
            | MathFn::Max
            | MathFn::Copysign,
        ) => 4,
        OpKind::Math(
            MathFn::Exp
            | MathFn::Exp2
            | MathFn::Expm1
            | MathFn::Log
            | MathFn::Log2
            | MathFn::Log1p
            | MathFn::Sin
            | MathFn::Cos
            | MathFn::Tan
            | MathFn::Asin
            | MathFn::Acos
            | MathFn::Atan
            | MathFn::Sinh
            | MathFn::Cosh
            | MathFn::Tanh
            | MathFn::Erf
            | MathFn::Atan2
            | MathFn::Pow
            | MathFn::Hypot,
        ) => 16,
        OpKind::Scatter { dims } => 1 + dims.len() as u32,
    };
    operands.saturating_add(own)
}
