//! Operators in the words of `neuro_num`.

use neuro_hir::{BinaryOp, CompareOp, UnaryOp};
use neuro_num::{BinOp, CmpOp, UnOp};
use neuro_types::Arithmetic;

/// The operation of a prefix operator.
pub fn unary_operation(op: UnaryOp) -> UnOp {
    match op {
        UnaryOp::Neg => UnOp::Neg,
        UnaryOp::Not | UnaryOp::BitNot => UnOp::Not,
    }
}

/// The elementwise operation of an operator; none for the matrix product.
pub fn binary_operation(op: BinaryOp) -> Option<BinOp> {
    match op {
        BinaryOp::Add => Some(BinOp::Add),
        BinaryOp::Sub => Some(BinOp::Sub),
        BinaryOp::Mul => Some(BinOp::Mul),
        BinaryOp::Div => Some(BinOp::Div),
        BinaryOp::Rem => Some(BinOp::Rem),
        BinaryOp::BitAnd => Some(BinOp::And),
        BinaryOp::BitOr => Some(BinOp::Or),
        BinaryOp::BitXor => Some(BinOp::Xor),
        BinaryOp::Shl => Some(BinOp::Shl),
        BinaryOp::MatMul => None,
    }
}

/// The comparison of a comparison operator.
pub fn comparison(op: CompareOp) -> CmpOp {
    match op {
        CompareOp::Eq => CmpOp::Eq,
        CompareOp::Ne => CmpOp::Ne,
        CompareOp::Lt => CmpOp::Lt,
        CompareOp::Le => CmpOp::Le,
        CompareOp::Gt => CmpOp::Gt,
        CompareOp::Ge => CmpOp::Ge,
    }
}

/// The operation of a method that says what happens when a result does not fit.
pub fn arithmetic(op: Arithmetic) -> BinOp {
    match op {
        Arithmetic::Add => BinOp::Add,
        Arithmetic::Sub => BinOp::Sub,
        Arithmetic::Mul => BinOp::Mul,
    }
}
