//! The set of ops. Each one's rules are in its module under `ops`; the matches here name every op, so that a new one is a
//! list of compile errors.

use neuro_num::{BinOp, CmpOp, DType, MathFn, Overflow, Scalar, UnOp};
use smallvec::{SmallVec, smallvec};
use smol_str::SmolStr;

use crate::{
    Axes, Dims, Type,
    ops::{arithmetic, constant, control, element, matmul, shape, sum},
};

/// What an op does. A tensor operand of an elementwise op has exactly the extents of the others: stretching is an
/// op of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OpKind {
    /// A scalar constant.
    Const(Scalar),
    /// A tensor constant.
    Dense(constant::Dense),
    /// Elementwise operation on one operand. Integer negation can overflow.
    Unary {
        /// Which.
        op: UnOp,
        /// What an integer result does that does not fit.
        overflow: Overflow,
    },
    /// Elementwise operation on two operands. On integers division by zero always traps.
    Binary {
        /// Which.
        op: BinOp,
        /// What an integer result does that does not fit.
        overflow: Overflow,
    },
    /// Elementwise function of the table.
    Math(MathFn),
    /// Elementwise comparison; gives `bool`.
    Compare(CmpOp),
    /// Elementwise choice: mask (`bool`), value where true, value where false. A scalar mask chooses a whole operand.
    Select,
    /// Elementwise cast.
    Convert(DType),
    /// A tensor stretched to `dims`: its axis `i` becomes axis `axes[i]`, an extent of 1 repeats, all other axes of the
    /// result repeat. `axes` ascends.
    Broadcast {
        /// The result's extents.
        dims: Dims,
        /// Where the operand's axes go.
        axes: Axes,
    },
    /// The same row-major elements under other extents.
    Reshape {
        /// The result's extents.
        dims: Dims,
    },
    /// Axes in another order: axis `i` of the result is axis `perm[i]` of the operand.
    Transpose {
        /// The order.
        perm: Axes,
    },
    /// Sum over some axes, which are dropped. Each run is the elements along those axes in row-major order, added in the
    /// language's order of folds. `axes` ascends.
    Sum {
        /// The summed axes.
        axes: Axes,
        /// What an integer sum does that does not fit.
        overflow: Overflow,
    },
    /// Matrix product, adding in increasing contracted index from zero.
    MatMul {
        /// The left operand is stored transposed.
        transpose_lhs: bool,
        /// The right operand is stored transposed.
        transpose_rhs: bool,
        /// What an integer result does that does not fit.
        overflow: Overflow,
    },
    /// The element of a tensor at scalar integer positions, one for each axis; out of bounds traps.
    Element,
    /// Zeros of `dims` except one element: a scalar, then its positions. All zeros when a position is out of bounds. The
    /// adjoint of an element read.
    Scatter {
        /// The result's extents.
        dims: Dims,
    },
    /// A tensor with one element replaced: the tensor, a scalar, then its positions, one for each axis. Computed in the
    /// tensor's own memory where nothing else reads it any more.
    Update {
        /// The scalar is added to the element; without it, it takes the element's place. Out of bounds a
        /// replacement traps and an addition, which only derivatives make, of an element that was read before,
        /// changes nothing.
        add: bool,
    },
    /// A tensor from its elements in row-major order, scalars all.
    Pack {
        /// The result's extents.
        dims: Dims,
    },
    /// The operand itself, which a derivative takes for a constant.
    Detach,
    /// Traps with `message` when its scalar operand is false; without one, the panic says that an assertion failed.
    /// No result.
    Assert {
        /// What the panic says.
        message: SmolStr,
    },
    /// One of two regions by a scalar condition; the results are those of the region taken.
    If,
    /// Puts its operands on the history as one frame. No result. Traps when the history takes more memory than it
    /// may.
    Push {
        /// Which frame; a [`OpKind::Pop`] with the same number takes it back.
        frame: u32,
    },
    /// Takes the last frame from the history: its values are the results.
    Pop {
        /// Which frame.
        frame: u32,
        /// The types of its values.
        types: Vec<Type>,
    },
    /// Carried values through a loop. The operands are their first values; region 0 takes them and gives the condition,
    /// region 1 takes them and gives the next ones. The results are the last ones.
    While,
}

/// The types at a region's two ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionType {
    /// Of its parameters.
    pub params: Vec<Type>,
    /// Of its results.
    pub results: Vec<Type>,
}

impl OpKind {
    /// The name in IR text and messages.
    pub fn name(&self) -> &'static str {
        match self {
            OpKind::Const(_) => "const",
            OpKind::Dense(_) => "dense",
            OpKind::Unary { op, .. } => op.name(),
            OpKind::Binary { op, .. } => op.name(),
            OpKind::Math(function) => function.name(),
            OpKind::Compare(op) => op.name(),
            OpKind::Select => "select",
            OpKind::Convert(_) => "convert",
            OpKind::Broadcast { .. } => "broadcast",
            OpKind::Reshape { .. } => "reshape",
            OpKind::Transpose { .. } => "transpose",
            OpKind::Sum { .. } => "sum",
            OpKind::MatMul { .. } => "matmul",
            OpKind::Element => "element",
            OpKind::Scatter { .. } => "scatter",
            OpKind::Update { add: false } => "update",
            OpKind::Update { add: true } => "accumulate",
            OpKind::Pack { .. } => "pack",
            OpKind::Detach => "detach",
            OpKind::Assert { .. } => "assert",
            OpKind::If => "if",
            OpKind::While => "while",
            OpKind::Push { .. } => "push",
            OpKind::Pop { .. } => "pop",
        }
    }

    /// One line of documentation.
    pub fn doc(&self) -> &'static str {
        match self {
            OpKind::Const(_) => "a scalar constant",
            OpKind::Dense(_) => "a tensor constant, row-major",
            OpKind::Unary { op: UnOp::Neg, .. } => "elementwise negative",
            OpKind::Unary { op: UnOp::Not, .. } => "elementwise complement",
            OpKind::Binary { op, .. } => match op {
                BinOp::Add => "elementwise sum",
                BinOp::Sub => "elementwise difference",
                BinOp::Mul => "elementwise product",
                BinOp::Div => "elementwise quotient; integers truncate, by zero they trap",
                BinOp::Rem => "elementwise remainder with the sign of the dividend",
                BinOp::And => "elementwise conjunction of bits",
                BinOp::Or => "elementwise disjunction of bits",
                BinOp::Xor => "elementwise exclusive disjunction of bits",
                BinOp::Shl => "elementwise shift to the left",
                BinOp::Shr => "elementwise shift to the right",
            },
            OpKind::Math(function) => function.row().doc,
            OpKind::Compare(_) => "elementwise comparison; with not-a-number always false",
            OpKind::Select => "elementwise choice by a mask",
            OpKind::Convert(_) => "elementwise cast",
            OpKind::Broadcast { .. } => "stretches: operand axis i becomes result axis axes[i]",
            OpKind::Reshape { .. } => "the same row-major elements under other extents",
            OpKind::Transpose { .. } => {
                "axes in another order: result axis i is operand axis perm[i]"
            }
            OpKind::Sum { .. } => "sum over axes in the language's order of folds",
            OpKind::MatMul { .. } => "matrix product, added in increasing contracted index",
            OpKind::Element => "one element; traps out of bounds",
            OpKind::Scatter { .. } => "zeros but for one element",
            OpKind::Update { add: false } => {
                "the tensor with one element replaced; traps out of bounds"
            }
            OpKind::Update { add: true } => "the tensor with a scalar added to one element",
            OpKind::Pack { .. } => "a tensor from its elements",
            OpKind::Detach => "the operand, constant to derivatives",
            OpKind::Assert { .. } => "traps when false",
            OpKind::If => "one of two regions by a condition",
            OpKind::While => "carried values through a loop",
            OpKind::Push { .. } => "keeps values for the reverse sweep, of each iteration its own",
            OpKind::Pop { .. } => "takes back the values that were kept last",
        }
    }

    /// The types of the results, or why the operands do not suit.
    pub fn infer(
        &self,
        operands: &[&Type],
        regions: &[RegionType],
    ) -> Result<SmallVec<[Type; 1]>, String> {
        let one: Result<Type, String> = match self {
            OpKind::Const(value) => constant::infer_const(*value, operands),
            OpKind::Dense(dense) => constant::infer_dense(dense, operands),
            OpKind::Unary { op, .. } => arithmetic::infer_unary(*op, operands),
            OpKind::Binary { op, .. } => arithmetic::infer_binary(*op, operands),
            OpKind::Math(function) => arithmetic::infer_math(*function, operands),
            OpKind::Compare(_) => arithmetic::infer_compare(operands),
            OpKind::Select => arithmetic::infer_select(operands),
            OpKind::Convert(dtype) => arithmetic::infer_convert(*dtype, operands),
            OpKind::Broadcast { dims, axes } => shape::infer_broadcast(dims, axes, operands),
            OpKind::Reshape { dims } => shape::infer_reshape(dims, operands),
            OpKind::Transpose { perm } => shape::infer_transpose(perm, operands),
            OpKind::Sum { axes, .. } => sum::infer(axes, operands),
            OpKind::MatMul { transpose_lhs, transpose_rhs, .. } => {
                matmul::infer(*transpose_lhs, *transpose_rhs, operands)
            }
            OpKind::Element => element::infer_element(operands),
            OpKind::Scatter { dims } => element::infer_scatter(dims, operands),
            OpKind::Update { .. } => element::infer_update(operands),
            OpKind::Pack { dims } => element::infer_pack(dims, operands),
            OpKind::Detach => shape::infer_detach(operands),
            OpKind::Assert { .. } => return control::infer_assert(operands),
            OpKind::If => return control::infer_if(operands, regions),
            OpKind::While => return control::infer_while(operands, regions),
            OpKind::Push { .. } => return control::infer_push(operands),
            OpKind::Pop { types, .. } => return control::infer_pop(types, operands),
        };
        if !regions.is_empty() {
            return Err("takes no regions".to_owned());
        }
        one.map(|ty| smallvec![ty])
    }

    /// Whether the op itself (its regions aside) can end the program. `operands` are the operands' types; positions and
    /// divisors that happen to be constants do not count.
    pub fn can_trap(&self, operands: &[&Type]) -> bool {
        let int = operands.first().is_some_and(|ty| ty.dtype.is_int());
        match self {
            OpKind::Unary { op: UnOp::Neg, overflow } => int && *overflow == Overflow::Trap,
            OpKind::Binary { op, overflow } => {
                operands.first().is_some_and(|ty| op.can_trap(ty.dtype, *overflow))
            }
            OpKind::Sum { overflow, .. } | OpKind::MatMul { overflow, .. } => {
                int && *overflow == Overflow::Trap
            }
            OpKind::Element => operands.len() > 1,
            OpKind::Update { add: false } => operands.len() > 2,
            OpKind::Assert { .. } | OpKind::Push { .. } => true,
            OpKind::Const(_)
            | OpKind::Dense(_)
            | OpKind::Unary { op: UnOp::Not, .. }
            | OpKind::Math(_)
            | OpKind::Compare(_)
            | OpKind::Select
            | OpKind::Convert(_)
            | OpKind::Broadcast { .. }
            | OpKind::Reshape { .. }
            | OpKind::Detach
            | OpKind::Transpose { .. }
            | OpKind::Scatter { .. }
            | OpKind::Update { add: true }
            | OpKind::Pack { .. }
            | OpKind::Pop { .. }
            | OpKind::If
            | OpKind::While => false,
        }
    }

    /// Whether the op changes or reads the history, so that it stays where it is among those that do.
    pub fn is_history(&self) -> bool {
        matches!(self, OpKind::Push { .. } | OpKind::Pop { .. })
    }
}
