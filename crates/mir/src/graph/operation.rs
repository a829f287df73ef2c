//! Operations: what is computed of operands, without a look at who owns them.

use neuro_hir::{BinaryOp, CompareOp, UnaryOp};
use neuro_num::{DType, MathFn};
use neuro_types::Arithmetic;

use super::Operand;

/// A row of elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sequence {
    /// An array.
    Array,
    /// A slice.
    Slice,
    /// A vector.
    Vec,
}

/// What happens to a collection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CollectionOp {
    /// Puts a value behind the last element of a vector.
    Push,
    /// Takes the last element of a vector, which is not empty.
    Pop,
    /// Drops all that it holds.
    Clear,
    /// Puts a value under a key of a map.
    Insert,
    /// Where a map has the value under a key, a `u64` for
    /// [`Projection::Index`](super::Projection::Index) as long as the map stays what it is; 0
    /// when there is none. The key is only read.
    Find,
    /// Drops a key of a map and its value, and says whether it was there. The key is only read.
    Remove,
    /// Copies of all keys of a map, a vector.
    Keys,
    /// A map with copies of all that a map holds.
    Copy,
}

impl CollectionOp {
    /// Whether the collection is another one afterwards.
    pub fn changes(self) -> bool {
        match self {
            CollectionOp::Push
            | CollectionOp::Pop
            | CollectionOp::Clear
            | CollectionOp::Insert
            | CollectionOp::Remove => true,
            CollectionOp::Find | CollectionOp::Keys | CollectionOp::Copy => false,
        }
    }
}

/// A range of positions, of type `u64`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The first one.
    pub start: Operand,
    /// The last bound.
    pub end: Operand,
    /// Whether the last bound belongs to it.
    pub inclusive: bool,
}

/// An operation on scalars and tensors.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// `-`, `!`, `~` of a scalar or, elementwise, a tensor.
    Unary(UnaryOp),
    /// Scalars, or elementwise with broadcasting; `@` is here too.
    Binary(BinaryOp),
    /// Scalars.
    Compare(CompareOp),
    /// A scalar to another type.
    Cast(DType),
    /// An integer to the character of this number; U+FFFD where there is none.
    Character,
    /// A function of the table, on scalars or elementwise.
    Math(MathFn),
    /// A method of numbers that neither operator nor function is.
    Number(NumberOp),
    /// The sum of all elements, a scalar, in the order that the language fixes.
    Sum,
    /// The sum divided by the number of elements.
    Mean,
    /// The element of a rank-0 tensor.
    Item,
    /// The element at the positions that follow the tensor among the operands.
    Element,
    /// A tensor of the operands, row-major.
    Pack,
    /// A tensor whose elements all are the operand; also `Tensor::scalar`.
    Fill,
    /// The identity matrix.
    Identity,
    /// A copy with empty slots.
    Clone,
    /// The transpose of a matrix.
    Transpose,
    /// A copy that the derivative takes for a constant.
    Detach,
    /// Something that does not run yet, and only looks at its operands: in graphs that the checks read, and in no
    /// other.
    NotYet,
}

/// An operation on text. The first operand is the text: a place of type `string`, behind every reference, unless it is
/// said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextOperation {
    /// Whether two texts have the same bytes, or have not.
    Equal(bool),
    /// A number that equal texts have in common, a `u64`.
    Hash,
    /// The number of bytes, a `u64`; also of characters that are left.
    Length,
    /// A view of a part: of the view that is the first operand, from a position of type `u64` to another. The program
    /// ends where there is no such part.
    Slice {
        /// Whether the last position belongs to it.
        inclusive: bool,
        /// Whether positions are those of characters, not of bytes.
        characters: bool,
    },
    /// The characters of the view that is the first operand.
    Chars,
    /// Takes a character off the characters that a `&mut` refers to; [`NO_CHARACTER`] when there are no more.
    Next,
}

/// What stands for no character where one is expected.
pub const NO_CHARACTER: u32 = u32::MAX;

/// An operation of scalars that programs reach by a method. But for a shift none of them ends a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NumberOp {
    /// Integers: the low bits of the result.
    Wrapping(Arithmetic),
    /// Integers: the value of the type that is nearest to the result.
    Saturating(Arithmetic),
    /// Integers: whether the result is a value of the type.
    Fits(Arithmetic),
    /// Integers: the bits moved towards the lowest one; the sign stays.
    Shr,
    /// Integers, truth values, characters: a number that equal ones have in common, a `u64`.
    Hash,
    /// A float: whether it is not-a-number.
    IsNan,
    /// A float: whether what it is towards zero is a value of an integer type.
    Holds(DType),
}
