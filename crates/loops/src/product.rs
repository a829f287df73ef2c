//! Matrix products: which are calls of a kernel, and how the others run over their operands.

use neuro_ir::{Function, Op, OpKind, ValueId};

use crate::index::Position;
use crate::program::Index;

/// A product of at most this many multiplications is a loop nest; a larger one a call of a blocked kernel.
const SMALL_PRODUCT: usize = 2048;

/// A matrix product, its operands taken as they lie in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product {
    /// The left operand, past transposes.
    pub(crate) lhs: ValueId,
    /// The right operand, past transposes.
    pub(crate) rhs: ValueId,
    /// Rows of the product.
    pub(crate) rows: usize,
    /// The extent that is contracted.
    pub(crate) inner: usize,
    /// Columns of the product.
    pub(crate) columns: usize,
    /// `lhs` is stored transposed.
    pub(crate) transpose_lhs: bool,
    /// `rhs` is stored transposed.
    pub(crate) transpose_rhs: bool,
    float: bool,
    flags: (bool, bool),
}

impl Product {
    /// The product that `op`, a [`OpKind::MatMul`], makes.
    pub(crate) fn new(function: &Function, op: &Op) -> Product {
        let OpKind::MatMul { transpose_lhs, transpose_rhs, .. } = op.kind else {
            unreachable!("{} is no product", op.kind.name())
        };
        let (lhs, left) = past_transposes(function, op.operands[0], transpose_lhs);
        let (rhs, right) = past_transposes(function, op.operands[1], transpose_rhs);
        let extent = |value: ValueId, axis: usize| function.ty(value).dims[axis];
        Product {
            lhs,
            rhs,
            rows: extent(lhs, usize::from(left)),
            inner: extent(lhs, usize::from(!left)),
            columns: extent(rhs, usize::from(!right)),
            transpose_lhs: left,
            transpose_rhs: right,
            float: function.ty(lhs).dtype.is_float(),
            flags: (transpose_lhs, transpose_rhs),
        }
    }

    /// The iterations of the nest.
    pub(crate) fn multiplications(&self) -> usize {
        self.rows.saturating_mul(self.columns).saturating_mul(self.inner)
    }

    /// Whether a kernel makes the product; else a nest over rows, columns and the contracted extent does. Integer
    /// products may trap at any element, so they are nests.
    pub(crate) fn is_call(&self) -> bool {
        self.float && self.multiplications() > SMALL_PRODUCT
    }

    /// The position in the op's left operand, in the nest.
    pub(crate) fn lhs_position(&self) -> Position {
        let (row, inner) = (Index::counter(0, 3), Index::counter(2, 3));
        if self.flags.0 { [inner, row] } else { [row, inner] }.into_iter().collect()
    }

    /// The position in the op's right operand, in the nest.
    pub(crate) fn rhs_position(&self) -> Position {
        let (column, inner) = (Index::counter(1, 3), Index::counter(2, 3));
        if self.flags.1 { [column, inner] } else { [inner, column] }.into_iter().collect()
    }
}

fn past_transposes(function: &Function, mut value: ValueId, mut flag: bool) -> (ValueId, bool) {
    while let Some(op) = function.def(value)
        && let OpKind::Transpose { perm } = &op.kind
    {
        value = op.operands[0];
        flag ^= perm.as_slice() == [1, 0];
    }
    (value, flag)
}
