//! Operators.

use crate::SyntaxKind;

/// A binary operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinOp {
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
    /// `@`
    MatMul,
    /// `<<`
    Shl,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
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
    /// `&&`
    And,
    /// `||`
    Or,
    /// `??`
    Coalesce,
    /// `>>`
    Compose,
    /// `|>`
    Pipe,
}

impl BinOp {
    /// The operator that a token is.
    pub fn from_kind(kind: SyntaxKind) -> Option<Self> {
        Some(match kind {
            SyntaxKind::PLUS => BinOp::Add,
            SyntaxKind::MINUS => BinOp::Sub,
            SyntaxKind::STAR => BinOp::Mul,
            SyntaxKind::SLASH => BinOp::Div,
            SyntaxKind::PERCENT => BinOp::Rem,
            SyntaxKind::AT => BinOp::MatMul,
            SyntaxKind::SHL => BinOp::Shl,
            SyntaxKind::AMP => BinOp::BitAnd,
            SyntaxKind::CARET => BinOp::BitXor,
            SyntaxKind::PIPE => BinOp::BitOr,
            SyntaxKind::EQ2 => BinOp::Eq,
            SyntaxKind::NEQ => BinOp::Ne,
            SyntaxKind::LT => BinOp::Lt,
            SyntaxKind::LT_EQ => BinOp::Le,
            SyntaxKind::GT => BinOp::Gt,
            SyntaxKind::GT_EQ => BinOp::Ge,
            SyntaxKind::AMP2 => BinOp::And,
            SyntaxKind::PIPE2 => BinOp::Or,
            SyntaxKind::QUESTION2 => BinOp::Coalesce,
            SyntaxKind::COMPOSE => BinOp::Compose,
            SyntaxKind::PIPE_GT => BinOp::Pipe,
            _ => return None,
        })
    }

    /// The operator as text.
    pub fn text(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Rem => "%",
            BinOp::MatMul => "@",
            BinOp::Shl => "<<",
            BinOp::BitAnd => "&",
            BinOp::BitXor => "^",
            BinOp::BitOr => "|",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
            BinOp::And => "&&",
            BinOp::Or => "||",
            BinOp::Coalesce => "??",
            BinOp::Compose => ">>",
            BinOp::Pipe => "|>",
        }
    }

    /// Whether this is one of the six comparisons, which do not chain.
    pub fn is_comparison(self) -> bool {
        matches!(self, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)
    }
}

/// The operator of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssignOp {
    /// `=`
    Assign,
    /// `+=`
    Add,
    /// `-=`
    Sub,
    /// `*=`
    Mul,
    /// `/=`
    Div,
    /// `%=`
    Rem,
}

impl AssignOp {
    /// The operator that a token is.
    pub fn from_kind(kind: SyntaxKind) -> Option<Self> {
        Some(match kind {
            SyntaxKind::EQ => AssignOp::Assign,
            SyntaxKind::PLUS_EQ => AssignOp::Add,
            SyntaxKind::MINUS_EQ => AssignOp::Sub,
            SyntaxKind::STAR_EQ => AssignOp::Mul,
            SyntaxKind::SLASH_EQ => AssignOp::Div,
            SyntaxKind::PERCENT_EQ => AssignOp::Rem,
            _ => return None,
        })
    }

    /// The arithmetic of a compound assignment; `None` for `=`.
    pub fn binary(self) -> Option<BinOp> {
        Some(match self {
            AssignOp::Assign => return None,
            AssignOp::Add => BinOp::Add,
            AssignOp::Sub => BinOp::Sub,
            AssignOp::Mul => BinOp::Mul,
            AssignOp::Div => BinOp::Div,
            AssignOp::Rem => BinOp::Rem,
        })
    }
}

/// A prefix operator, borrows excepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PrefixOp {
    /// `-`
    Neg,
    /// `!`
    Not,
    /// `~`
    BitNot,
    /// `*`
    Deref,
}

impl PrefixOp {
    /// The operator that a token is.
    pub fn from_kind(kind: SyntaxKind) -> Option<Self> {
        Some(match kind {
            SyntaxKind::MINUS => PrefixOp::Neg,
            SyntaxKind::BANG => PrefixOp::Not,
            SyntaxKind::TILDE => PrefixOp::BitNot,
            SyntaxKind::STAR => PrefixOp::Deref,
            _ => return None,
        })
    }
}
