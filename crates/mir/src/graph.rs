//! MIR: blocks of statements over places.
//!
//! Invariants, relied upon by raising and by code generation:
//! * A place that holds a tensor or a text holds one or nothing. Moving out of a place leaves nothing in it, and
//!   dropping nothing does nothing: no drop flags are needed. An aggregate whose parts hold nothing is nothing,
//!   so that a part may be moved out of it and the rest is dropped with the whole.
//! * A `&string` is a view: what it refers to is the text itself. So a place may go on from it by
//!   [`Projection::Deref`], and nothing is moved there.
//! * An [`Operation`] or [`TextOperation`] only reads its operands, [`TextOperation::Next`] excepted. Where the language consumes an operand, a
//!   [`StatementKind::Drop`] with [`DropReason::Consumed`] follows.
//! * An assignment of what owns memory is preceded by the drop of the value that it displaces.
//! * The place of an aggregate that is given a value is none that its operands read.
//! * A function value refers to its captures, and never outlives the call that made it.
//! * Calls return or end the program: nothing unwinds, so a call is a statement.
//! * Every local that owns something is dropped on every path to a [`Terminator::Return`], the returned
//!   one excepted.

mod operation;
mod place;

use la_arena::{Arena, ArenaMap, Idx};
use neuro_db::Name;
use neuro_hir::{BinaryOp, ExprId, Function};
use neuro_num::{FormatSpec, Scalar};
use neuro_types::{GenericArg, Ty};

use crate::{Table, Unsupported};

pub use operation::{
    CollectionOp, NO_CHARACTER, NumberOp, Operation, Range, Sequence, TextOperation,
};
pub(crate) use place::projected;
pub use place::{Place, Projection};

/// Names a local of one body, printed `_3`.
pub type LocalId = Idx<Local>;
/// Names a block of one body, printed `bb3`.
pub type BlockId = Idx<BlockKey>;
/// Names a pair of a `@grad` call and its `.backward()`.
pub type SweepId = Idx<SweepKey>;
/// The kind of [`BlockId`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockKey {}

/// The kind of [`SweepId`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SweepKey {}

/// Names a `pool` block.
pub type PoolId = Idx<Pool>;

/// A function's control-flow graph.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct Body<'db> {
    /// The locals: parameters, bindings, temporaries.
    pub locals: Arena<Local>,
    /// The parameters, in order.
    pub params: Vec<LocalId>,
    /// Where the result is put before [`Terminator::Return`]; none for a function that gives nothing.
    pub ret: Option<LocalId>,
    /// The blocks.
    pub blocks: Table<BlockKey, Block<'db>>,
    /// The first block.
    pub entry: BlockId,
    /// The pairs of `@grad` calls and their `.backward()`.
    pub sweeps: Table<SweepKey, Sweep<'db>>,
    /// The `pool` blocks.
    pub pools: Arena<Pool>,
    /// The expression of the function value whose code this is; none for a function.
    pub value: Option<ExprId>,
    /// Where the captures are that outlive an iteration; none when there are no such.
    pub kept: Option<LocalId>,
    /// The loops over ranges, by their headers: what the blocks do is also said here.
    pub ranges: ArenaMap<BlockId, RangeLoop>,
    /// What keeps the function from having a graph, though it type checks; then the graph is empty.
    pub unsupported: Option<Unsupported>,
}

/// What a `for` over a range counts. All operands are read before the loop and stay what they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RangeLoop {
    /// The loop variable, assigned at the start of each iteration.
    pub var: LocalId,
    /// The first bound.
    pub start: Operand,
    /// The last bound.
    pub end: Operand,
    /// Whether the last bound belongs to the range.
    pub inclusive: bool,
    /// Whether the range is walked from its end.
    pub reversed: bool,
    /// The stride; positive.
    pub step: Operand,
}

/// A local.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// Its type. For [`LocalKind::Residuals`] and [`LocalKind::Kept`] it is [`Ty::Void`]: these have no type in the
    /// language.
    pub ty: Ty,
    /// Its name in the program; none for a temporary.
    pub name: Option<Name>,
    /// What it is.
    pub kind: LocalKind,
    /// The innermost `pool` block around its declaration: a tensor that is built into this local and
    /// stays in the pool comes from the pool's arena.
    pub pool: Option<PoolId>,
}

/// What a local is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalKind {
    /// A parameter.
    Param,
    /// A binding of the program.
    Binding(neuro_hir::LocalId),
    /// A value of an expression.
    Temporary,
    /// The residual block of a sweep: nothing before the forward sweep, nothing after the reverse sweep.
    Residuals(SweepId),
    /// The captures of function values that outlive an iteration: nothing until there are such, and released
    /// when the function is left.
    Kept,
}

/// The code of a function value.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub enum Code<'db> {
    /// A function of the program.
    Function {
        /// The function.
        function: Function<'db>,
        /// What it is applied to.
        generics: Vec<GenericArg>,
    },
    /// The expression that stands for it in the function around: a closure, a composition, or the name of what
    /// makes a value. Its body is [`crate::value_body`].
    Expr(ExprId),
}

/// A pair of a call and its `.backward()`.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct Sweep<'db> {
    /// The differentiated function.
    pub function: Function<'db>,
    /// The arguments of both sweeps, one for each parameter, each a [`Operand::Copy`] or a constant: the
    /// sweeps only read, and the places are untouched from the call to the `.backward()`. Differentiated
    /// parameters, and others that are passed by reference, are operands of reference type; tensors
    /// passed by value are operands of tensor type, in a local that this body keeps for the sweep.
    pub args: Vec<Operand>,
    /// Where the loss is put.
    pub loss: LocalId,
    /// Where the residuals are.
    pub residuals: LocalId,
    /// The call.
    pub call: ExprId,
    /// The `.backward()`.
    pub backward: ExprId,
}

/// A `pool` block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pool {
    /// Its name.
    pub name: Option<Name>,
    /// The pool around it.
    pub parent: Option<PoolId>,
    /// The expression.
    pub expr: ExprId,
}

/// A block: statements that always run together.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct Block<'db> {
    /// Its part in the structure of the program.
    pub kind: BlockKind,
    /// The statements.
    pub statements: Vec<Statement<'db>>,
    /// How it ends.
    pub terminator: Terminator,
}

/// What the structure of the program knows of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockKind {
    /// Nothing.
    Plain,
    /// The head of a loop: reached from before the loop and from the end of each iteration.
    LoopHeader {
        /// Where the loop is left to.
        exit: BlockId,
    },
}

/// A statement and the expression that it comes from.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct Statement<'db> {
    /// What happens.
    pub kind: StatementKind<'db>,
    /// The expression: where a trap of this statement is reported, and what a hover finds.
    pub expr: ExprId,
}

/// What happens.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub enum StatementKind<'db> {
    /// Puts a value in a place that holds nothing, or a value that needs no drop.
    Assign {
        /// The place.
        place: Place,
        /// The value.
        value: Rvalue,
    },
    /// `place op= value` into the tensor's own buffer; the value is broadcast up to the place's shape.
    InPlace {
        /// The tensor.
        place: Place,
        /// The operator.
        op: BinaryOp,
        /// The right operand, a tensor or a scalar; only read.
        value: Operand,
    },
    /// `tensor[i, j] = value`.
    SetElement {
        /// The tensor.
        tensor: Place,
        /// A position for each axis, of integer types.
        positions: Vec<Operand>,
        /// The element.
        value: Operand,
    },
    /// Ends the program unless a position, of type `u64`, is less than a length. A negative position is a great
    /// one without its sign.
    Bounds {
        /// The position.
        position: Operand,
        /// The length.
        length: Operand,
        /// What it is a position in.
        of: Sequence,
    },
    /// Changes the collection in a place, or asks it for something.
    Collection {
        /// Where the result is put, which holds nothing; none when there is none or nobody wants it.
        dest: Option<Place>,
        /// What happens.
        op: CollectionOp,
        /// The collection.
        place: Place,
        /// What the operation is given. What is moved becomes part of the collection.
        args: Vec<Operand>,
    },
    /// Calls a function of the program.
    Call {
        /// Where the result is put; none when it gives nothing.
        dest: Option<Place>,
        /// The function.
        function: Function<'db>,
        /// What the function is applied to, one for each of its generic parameters. In the body of a generic
        /// function they may speak of its own.
        generics: Vec<GenericArg>,
        /// The arguments, one for each parameter, the receiver first. What is passed by value and no copy is
        /// moved, and the callee drops it.
        args: Vec<Operand>,
    },
    /// Puts a function value in a place.
    FunctionValue {
        /// The place.
        dest: Place,
        /// What runs when it is called.
        code: Code<'db>,
        /// The captures, of which the value takes the address.
        captures: Option<Place>,
        /// Whether the value may be used when the captures lie there no more: then it gets a copy of its own,
        /// which the function releases when it is left.
        kept: bool,
    },
    /// Calls a function value.
    CallValue {
        /// Where the result is put; none when it gives nothing.
        dest: Option<Place>,
        /// The function value, or a reference to it.
        callee: Operand,
        /// The arguments, one for each parameter, passed as in [`StatementKind::Call`].
        args: Vec<Operand>,
    },
    /// Calls a method through a reference to a value of any type that has its trait.
    CallDyn {
        /// Where the result is put; none when it gives nothing.
        dest: Option<Place>,
        /// The trait's function.
        function: Function<'db>,
        /// The arguments, the reference first, passed as in [`StatementKind::Call`].
        args: Vec<Operand>,
    },
    /// Runs the forward sweep of a pair: the loss is put in its place and the residuals are kept.
    Forward(SweepId),
    /// Runs the reverse sweep of a pair: fills the gradient slots of the differentiated arguments and
    /// releases the residuals.
    Backward(SweepId),
    /// Empties the slots of a tensor.
    ZeroGrad(Place),
    /// Releases what a place holds, if it holds anything, and leaves nothing in it.
    Drop {
        /// The place.
        place: Place,
        /// Why.
        reason: DropReason,
    },
    /// Puts pieces at the end of the text or builder in a place, which may be read by them.
    Append {
        /// The place.
        place: Place,
        /// The pieces.
        parts: Vec<PrintPart>,
    },
    /// Leaves an empty text in a builder, and its room.
    ClearText(Place),
    /// Prints pieces to standard output.
    Print {
        /// The pieces.
        parts: Vec<PrintPart>,
        /// Whether a line feed follows.
        newline: bool,
    },
    /// The start of a `pool` block.
    PoolEnter(PoolId),
    /// The end of a `pool` block; what its arena gave is released.
    PoolExit(PoolId),
}

/// Why a place is dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DropReason {
    /// An operator, method or call took the value.
    Consumed,
    /// Its scope ends.
    ScopeEnd,
    /// Another value takes its place.
    Displaced,
    /// A temporary that was read.
    Temporary,
}

/// A value that is put in a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rvalue {
    /// A scalar, a reference, or a tensor that is moved.
    Use(Operand),
    /// A reference to a place.
    Ref {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The place.
        place: Place,
    },
    /// A reference to a place, with the functions by which its type has the trait that the type of the result
    /// speaks of.
    Object {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The place.
        place: Place,
    },
    /// A reference to the gradient slot of a tensor; panics if the slot is empty.
    Gradient(Place),
    /// A struct, tuple, newtype or array of its parts, in the order of the declaration.
    Aggregate(Vec<Operand>),
    /// An enum's variant of what it holds, in the order of the declaration.
    Variant {
        /// Which one, in the order of the declaration.
        variant: u32,
        /// What it holds.
        parts: Vec<Operand>,
    },
    /// The number of the variant that an enum in a place is of, a `u32`.
    Tag(Place),
    /// A text of pieces. What is constant as a whole takes no memory; only that is given as a `&string`.
    Text(Vec<PrintPart>),
    /// An operation on text.
    TextOperation {
        /// Which one.
        op: TextOperation,
        /// What it reads.
        operands: Vec<Operand>,
    },
    /// A collection that holds nothing.
    Empty,
    /// How many elements or entries the slice or collection in a place has, a `u64`.
    Length(Place),
    /// A reference to the elements of an array, slice or vector in a place.
    Slice {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The row.
        place: Place,
        /// Which elements; none for all. The program ends if the row does not have them.
        range: Option<Range>,
    },
    /// An operation on scalars and tensors. Shapes are those of the operands' types and of the place that
    /// receives the result; broadcasting is implied.
    Operation {
        /// Which one.
        op: Operation,
        /// What it reads.
        operands: Vec<Operand>,
    },
}

/// What an operation or a call is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// Reads a place. A tensor is only looked at.
    Copy(Place),
    /// Takes the value out of a place.
    Move(Place),
    /// A constant scalar.
    Const(Scalar),
}

/// A piece of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrintPart {
    /// Characters.
    Text(String),
    /// A value.
    Value {
        /// The value, a scalar, a character or a text.
        value: Operand,
        /// Its type, references removed.
        ty: Ty,
        /// How.
        spec: FormatSpec,
        /// The hole or operand that it stands in.
        expr: ExprId,
    },
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// Goes on elsewhere.
    Goto(BlockId),
    /// Goes on in one of two blocks.
    Branch {
        /// The condition.
        cond: Operand,
        /// Where to when it is true.
        then: BlockId,
        /// Where to when it is false.
        otherwise: BlockId,
        /// Where both meet again, if they do.
        join: Option<BlockId>,
    },
    /// Leaves the function.
    Return,
    /// Ends the program with a message.
    Panic {
        /// Which of the forms of the message.
        kind: neuro_hir::Builtin,
        /// The message of `panic(..)`.
        message: Vec<PrintPart>,
        /// Where.
        expr: ExprId,
    },
    /// Never reached.
    Unreachable,
}

impl LocalKind {
    /// Whether the local owns what no type of the language says.
    pub(crate) fn is_hidden_owner(self) -> bool {
        match self {
            LocalKind::Residuals(_) | LocalKind::Kept => true,
            LocalKind::Param | LocalKind::Binding(_) | LocalKind::Temporary => false,
        }
    }
}

impl Body<'_> {
    /// The type of a place.
    pub fn place_ty(&self, place: &Place) -> Ty {
        let mut ty = self.locals[place.local].ty.clone();
        for projection in &place.projections {
            ty = projected(&ty, projection);
        }
        ty
    }

    /// The type of an operand.
    pub fn operand_ty(&self, operand: &Operand) -> Ty {
        match operand {
            Operand::Copy(place) | Operand::Move(place) => self.place_ty(place),
            Operand::Const(scalar) => Ty::Scalar(scalar.dtype()),
        }
    }
}

/// The blocks that control can go to from here.
pub fn successors(terminator: &Terminator) -> impl Iterator<Item = BlockId> + use<> {
    let pair = match terminator {
        Terminator::Goto(target) => [Some(*target), None],
        Terminator::Branch { then, otherwise, .. } => [Some(*then), Some(*otherwise)],
        Terminator::Return | Terminator::Panic { .. } | Terminator::Unreachable => [None, None],
    };
    pair.into_iter().flatten()
}
