//! A function's body: expressions in an arena, local names resolved.

use la_arena::{Arena, Idx};
use neuro_db::Name;

use crate::TypeRef;

/// Names an expression of one body.
pub type ExprId = Idx<Expr>;
/// Names a local (parameter or binding) of one body.
pub type LocalId = Idx<Local>;

/// A body. Two bodies that differ only in white space and comments are equal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// The expressions.
    pub exprs: Arena<Expr>,
    /// The parameters and bindings, in the order of the text.
    pub locals: Arena<Local>,
    /// The parameters, in order; one for each of the signature's.
    pub params: Vec<LocalId>,
    /// The body's block; for a constant, its value.
    pub root: Option<ExprId>,
}

/// A parameter or a binding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// The name; `_` binds nothing.
    pub name: Name,
    /// Whether it is declared with `mut`.
    pub mutable: bool,
    /// What kind of binding it is.
    pub binding: Binding,
}

/// How a local came to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binding {
    /// A parameter.
    Param,
    /// `val` or `mut`.
    Let,
    /// The variable of a `for`.
    Loop,
}

/// An expression. What only groups (parentheses) has no node of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A syntax error stands here.
    Missing,
    /// A literal that is no text.
    Literal(Literal),
    /// Text: pieces and holes.
    Text(Vec<FormatPart>),
    /// A parameter or binding.
    Local(LocalId),
    /// A name that is no local: an item, or undeclared.
    Name(Name),
    /// `Type::name`, where the type may be given in full: `Tensor::<f32, [2]>::zeros`.
    Assoc {
        /// The type's name.
        base: Name,
        /// The type in full, if arguments were written.
        ty: Option<TypeRef>,
        /// The function's name.
        name: Name,
    },
    /// `-x`, `!x`, `~x`.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: ExprId,
    },
    /// Arithmetic, bitwise and matrix operators.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand.
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
    },
    /// A comparison.
    Compare {
        /// The operator.
        op: CompareOp,
        /// The left operand.
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
    },
    /// `&&`, `||`: the right side runs only when it decides.
    Logic {
        /// The operator.
        op: LogicOp,
        /// The left operand.
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
    },
    /// `&x`, `&mut x`.
    Borrow {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The place.
        operand: ExprId,
    },
    /// `*r`.
    Deref(ExprId),
    /// A call of a function or an associated function.
    Call {
        /// What is called.
        callee: ExprId,
        /// The arguments as written.
        args: Vec<Arg>,
    },
    /// A call of one of the names that the language itself provides, not shadowed by an item or local.
    BuiltinCall {
        /// Which one.
        builtin: Builtin,
        /// The arguments as written.
        args: Vec<Arg>,
    },
    /// `receiver.name(..)`.
    MethodCall {
        /// The receiver.
        receiver: ExprId,
        /// The method's name.
        name: Name,
        /// Types given by turbofish.
        type_args: Vec<TypeRef>,
        /// The arguments as written.
        args: Vec<Arg>,
    },
    /// `base[..]`.
    Index {
        /// What is indexed.
        base: ExprId,
        /// An entry for each axis.
        args: Vec<IndexArg>,
    },
    /// `x as T`.
    Cast {
        /// The operand.
        operand: ExprId,
        /// The target.
        ty: TypeRef,
    },
    /// `[a, b]`: an array, or a tensor where one is expected.
    Array(Vec<ExprId>),
    /// `{ .. }`.
    Block {
        /// The statements.
        stmts: Vec<Stmt>,
        /// The value, if the last thing is an expression.
        tail: Option<ExprId>,
    },
    /// `if`. `else if` is an `if` in the other branch.
    If {
        /// The condition.
        cond: ExprId,
        /// The first branch, a block.
        then: ExprId,
        /// The other branch.
        otherwise: Option<ExprId>,
    },
    /// `while`.
    While {
        /// The label.
        label: Option<Name>,
        /// The condition.
        cond: ExprId,
        /// The body, a block.
        body: ExprId,
    },
    /// `loop`.
    Loop {
        /// The label.
        label: Option<Name>,
        /// The body, a block.
        body: ExprId,
    },
    /// `for x in a..b`, with `.rev()` and `.step(n)`.
    ForRange {
        /// The label.
        label: Option<Name>,
        /// The loop variable.
        var: LocalId,
        /// The first bound.
        start: ExprId,
        /// The last bound.
        end: ExprId,
        /// Whether the last bound is left out or kept.
        end_kind: RangeEnd,
        /// Whether `.rev()` follows.
        reversed: bool,
        /// The stride of `.step(n)`.
        step: Option<ExprId>,
        /// The body, a block.
        body: ExprId,
    },
    /// `return`.
    Return(Option<ExprId>),
    /// `break`.
    Break {
        /// The label.
        label: Option<Name>,
    },
    /// `continue`.
    Continue {
        /// The label.
        label: Option<Name>,
    },
    /// `place = value`, `place += value`. Gives nothing.
    Assign {
        /// The operator of a compound assignment.
        op: Option<BinaryOp>,
        /// What is assigned.
        place: ExprId,
        /// The new value, or the right operand.
        value: ExprId,
    },
    /// `pool { .. }`. Gives nothing.
    Pool {
        /// Its name, for messages.
        name: Option<Name>,
        /// The body, a block.
        body: ExprId,
    },
    /// Part of the language that is not supported yet; already reported.
    Unsupported(UnsupportedExpr),
}

/// An expression that is only named in a diagnostic, with the operands that are still checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsupportedExpr {
    /// What it is, as in "a closure".
    pub what: &'static str,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// `val x: T = e`, `mut x = e`.
    Let {
        /// The binding.
        local: LocalId,
        /// The annotation.
        ty: Option<TypeRef>,
        /// The initial value.
        init: ExprId,
    },
    /// An expression whose value is dropped.
    Expr(ExprId),
}

/// An argument of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arg {
    /// Its label.
    pub label: Option<Name>,
    /// Its value.
    pub value: ExprId,
}

/// An entry between the brackets of an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IndexArg {
    /// A position.
    At(ExprId),
    /// A range or `..`; not supported yet and already reported.
    Range,
}

/// A literal that is no text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// An integer: magnitude and suffix.
    Int(u64, Option<Name>),
    /// A float: the digits as written without underscores and suffix, and the suffix.
    Float(Name, Option<Name>),
    /// `true` or `false`.
    Bool(bool),
    /// A character.
    Char(char),
}

/// A piece of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatPart {
    /// Characters, escapes resolved.
    Text(String),
    /// A hole.
    Hole {
        /// What is shown.
        value: ExprId,
        /// How, as written after the colon, already checked to be well formed.
        spec: Option<neuro_syntax::ast::FormatSpec>,
    },
}

/// `..` or `..=`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RangeEnd {
    /// `a..b`.
    Exclusive,
    /// `a..=b`.
    Inclusive,
}

/// A prefix operator on values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
    /// `~`
    BitNot,
}

/// An operator whose operands are always evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    Shl,
    /// `@`
    MatMul,
}

/// A comparison operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// A short-circuit operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LogicOp {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// A function of the language itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `print(text)`
    Print,
    /// `println(text)`
    Println,
    /// `panic(text)`
    Panic,
    /// `assert(condition)`
    Assert,
    /// `unreachable()`
    Unreachable,
}

impl Builtin {
    /// The name that it is called by.
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Print => "print",
            Builtin::Println => "println",
            Builtin::Panic => "panic",
            Builtin::Assert => "assert",
            Builtin::Unreachable => "unreachable",
        }
    }

    /// The builtin of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Builtin::Print, Builtin::Println, Builtin::Panic, Builtin::Assert, Builtin::Unreachable]
            .into_iter()
            .find(|builtin| builtin.name() == name)
    }
}
