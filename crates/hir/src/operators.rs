//! Operators, and the functions that the language itself provides.

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
    /// `einsum("ij,jk->ik", a, b)`
    Einsum,
}

impl Builtin {
    /// Every one of them.
    pub const ALL: [Builtin; 6] = [
        Builtin::Print,
        Builtin::Println,
        Builtin::Panic,
        Builtin::Assert,
        Builtin::Unreachable,
        Builtin::Einsum,
    ];

    /// The name that it is called by.
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Print => "print",
            Builtin::Println => "println",
            Builtin::Panic => "panic",
            Builtin::Assert => "assert",
            Builtin::Unreachable => "unreachable",
            Builtin::Einsum => "einsum",
        }
    }

    /// The builtin of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Builtin::ALL.into_iter().find(|builtin| builtin.name() == name)
    }
}
