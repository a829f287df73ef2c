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

use la_arena::{Arena, ArenaMap, Idx};
use neuro_db::Name;
use neuro_hir::{BinaryOp, BuiltinTrait, CompareOp, ExprId, Function, UnaryOp};
use neuro_num::{DType, FormatSpec, MathFn, Scalar};
use neuro_types::{Arithmetic, Collection, GenericArg, Ty};

use crate::{Table, Unsupported};

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
    /// Where a map has the value under a key, a `u64` for [`Projection::Index`] as long as the map stays what it is; 0
    /// when there is none. The key is only read.
    Find,
    /// Drops a key of a map and its value, and says whether it was there. The key is only read.
    Remove,
    /// Copies of all keys of a map, a vector.
    Keys,
}

/// The traits of which the first methods compare the keys of a map: of a hash map `eq` and `hash`, of a tree `lt`.
pub fn key_traits(map: Collection) -> &'static [BuiltinTrait] {
    match map {
        Collection::BTreeMap => &[BuiltinTrait::Comparable],
        Collection::HashMap => &[BuiltinTrait::PartialEq, BuiltinTrait::Hashable],
        Collection::Vec | Collection::Chars | Collection::StringBuilder => &[],
    }
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
            CollectionOp::Find | CollectionOp::Keys => false,
        }
    }
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
}

/// An operation on text. The first operand is the text: a place of type `string`, behind every reference, unless it is
/// said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextOperation {
    /// Whether two texts have the same bytes, or have not.
    Equal(bool),
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
    /// A float: whether it is not-a-number.
    IsNan,
    /// A float: whether what it is towards zero is a value of an integer type.
    Holds(DType),
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

/// A place: a local, a part of it, or what it refers to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The local.
    pub local: LocalId,
    /// How to go on from there.
    pub projections: Vec<Projection>,
}

/// A step from a place to a place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Projection {
    /// To what a reference refers to.
    Deref,
    /// To a field of a struct, an element of a tuple, or what a newtype wraps.
    Field {
        /// Which one, in the order of the declaration.
        index: u32,
        /// Its type.
        ty: Ty,
    },
    /// To what a variant holds; only where a value is known to be of that variant.
    Payload {
        /// The variant, in the order of the declaration.
        variant: u32,
        /// Which of its parts.
        index: u32,
        /// Its type.
        ty: Ty,
    },
    /// To the element of an array at a known position, which is inside.
    Element(u64),
    /// To the element of an array, slice or vector at the position in a local of type `u64`; a
    /// [`StatementKind::Bounds`] precedes. To the value of a map where [`CollectionOp::Find`] says that it is.
    Index(LocalId),
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

impl Place {
    /// The place of a local.
    pub fn local(local: LocalId) -> Self {
        Self { local, projections: Vec::new() }
    }

    /// What the reference in this place refers to.
    #[must_use]
    pub fn deref(mut self) -> Self {
        self.projections.push(Projection::Deref);
        self
    }

    /// A part of what this place holds.
    #[must_use]
    pub fn part(mut self, projection: Projection) -> Self {
        self.projections.push(projection);
        self
    }

    /// Whether the place is behind a reference.
    pub fn is_behind_reference(&self) -> bool {
        self.projections.contains(&Projection::Deref)
    }
}

/// The type of what a step from a place of type `ty` leads to.
pub(crate) fn projected(ty: &Ty, projection: &Projection) -> Ty {
    match (projection, ty) {
        (Projection::Deref, Ty::Ref { inner, .. }) => (**inner).clone(),
        (Projection::Field { ty, .. } | Projection::Payload { ty, .. }, _) => ty.clone(),
        (Projection::Element(_) | Projection::Index(_), Ty::Array { elem, .. })
        | (Projection::Index(_), Ty::Slice(elem)) => (**elem).clone(),
        (Projection::Index(_), Ty::Collection { args, .. }) => {
            args.last().cloned().unwrap_or_default()
        }
        (Projection::Deref | Projection::Element(_) | Projection::Index(_), _) => Ty::Error,
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
