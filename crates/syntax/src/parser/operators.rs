//! Which operators there are between two operands, and how tightly they bind.

use super::Parser;
use super::token_set::TokenSet;
use crate::SyntaxKind;
use crate::ast::BinOp;

/// How tightly operators bind; a greater number binds more tightly.
pub(super) mod level {
    pub(in crate::parser) const PIPE: u8 = 1;
    pub(in crate::parser) const COMPOSE: u8 = 2;
    pub(in crate::parser) const RANGE: u8 = 3;
    pub(in crate::parser) const COALESCE: u8 = 4;
    pub(in crate::parser) const OR: u8 = 5;
    pub(in crate::parser) const AND: u8 = 6;
    pub(in crate::parser) const COMPARE: u8 = 7;
    pub(in crate::parser) const BIT_OR: u8 = 8;
    pub(in crate::parser) const BIT_XOR: u8 = 9;
    pub(in crate::parser) const BIT_AND: u8 = 10;
    pub(in crate::parser) const SHIFT: u8 = 11;
    pub(in crate::parser) const SUM: u8 = 12;
    pub(in crate::parser) const PRODUCT: u8 = 13;
    pub(in crate::parser) const MATMUL: u8 = 14;
    pub(in crate::parser) const CAST: u8 = 15;
}

/// An operator between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Infix {
    /// The kind of its token in the tree.
    pub(super) kind: SyntaxKind,
    /// How many tokens of the lexer it is made of.
    pub(super) tokens: usize,
    pub(super) level: u8,
}

/// How tightly a binary operator binds.
fn binary_level(op: BinOp) -> u8 {
    match op {
        BinOp::Mul | BinOp::Div | BinOp::Rem => level::PRODUCT,
        BinOp::Add | BinOp::Sub => level::SUM,
        BinOp::MatMul => level::MATMUL,
        BinOp::Shl => level::SHIFT,
        BinOp::BitAnd => level::BIT_AND,
        BinOp::BitXor => level::BIT_XOR,
        BinOp::BitOr => level::BIT_OR,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => level::COMPARE,
        BinOp::And => level::AND,
        BinOp::Or => level::OR,
        BinOp::Coalesce => level::COALESCE,
        BinOp::Compose => level::COMPOSE,
        BinOp::Pipe => level::PIPE,
    }
}

/// What an operator between two operands begins with, names excepted: of this language, and of others.
static OPERATORS: TokenSet = TokenSet::new(&[
    SyntaxKind::PLUS,
    SyntaxKind::MINUS,
    SyntaxKind::STAR,
    SyntaxKind::SLASH,
    SyntaxKind::PERCENT,
    SyntaxKind::AT,
    SyntaxKind::AMP,
    SyntaxKind::PIPE,
    SyntaxKind::PIPE2,
    SyntaxKind::PIPE_GT,
    SyntaxKind::CARET,
    SyntaxKind::TILDE,
    SyntaxKind::SHL,
    SyntaxKind::EQ,
    SyntaxKind::EQ2,
    SyntaxKind::NEQ,
    SyntaxKind::LT,
    SyntaxKind::LT_EQ,
    SyntaxKind::GT,
    SyntaxKind::QUESTION,
    SyntaxKind::DOT2,
    SyntaxKind::DOT2_EQ,
    SyntaxKind::AS_KW,
    SyntaxKind::IN_KW,
]);

impl Parser<'_> {
    /// Whether an operator between two operands may stand here: most expressions end without a closer look.
    pub(super) fn at_operator(&self) -> bool {
        let kind = self.current();
        OPERATORS.contains(kind) || kind == SyntaxKind::IDENT && !self.at_new_line()
    }

    /// The operator that stands here between two operands.
    pub(super) fn infix(&self) -> Option<Infix> {
        let (kind, tokens) = self.joined_operator()?;
        let level = match kind {
            SyntaxKind::AS_KW => level::CAST,
            SyntaxKind::DOT2 | SyntaxKind::DOT2_EQ => level::RANGE,
            _ => binary_level(BinOp::from_kind(kind)?),
        };
        if self.at_new_line() && !continues_line(kind) {
            return None;
        }
        Some(Infix { kind, tokens, level })
    }

    /// The operator here, joined from its characters; none when an assignment follows it directly.
    fn joined_operator(&self) -> Option<(SyntaxKind, usize)> {
        let next = if self.joined(0) { self.nth(1) } else { SyntaxKind::EOF };
        let (kind, tokens) = match (self.current(), next) {
            (SyntaxKind::AMP, SyntaxKind::AMP) => (SyntaxKind::AMP2, 2),
            (SyntaxKind::GT, SyntaxKind::EQ) => return Some((SyntaxKind::GT_EQ, 2)),
            (SyntaxKind::GT, SyntaxKind::GT) => (SyntaxKind::COMPOSE, 2),
            (SyntaxKind::QUESTION, SyntaxKind::QUESTION) => {
                // `e??` followed by nothing is two postfix operators.
                return self.expr_starts_at(2).then_some((SyntaxKind::QUESTION2, 2));
            }
            (SyntaxKind::PLUS | SyntaxKind::MINUS, _) if self.at_increment() => return None,
            (kind, _) => (kind, 1),
        };
        // `a &= b` is no operator between operands, although it begins with one.
        self.compound_operator().is_none().then_some((kind, tokens))
    }

    /// Whether `??` stands here between two operands.
    pub(super) fn at_coalesce(&self) -> bool {
        matches!(self.joined_operator(), Some((SyntaxKind::QUESTION2, _)))
    }
}

/// Whether a line that begins with the operator continues the line before.
///
/// So do the operators that cannot begin an expression; `||` and `&&` can, as a closure and as a
/// borrow of a borrow, but nobody begins a line with these.
fn continues_line(kind: SyntaxKind) -> bool {
    !matches!(
        kind,
        SyntaxKind::STAR
            | SyntaxKind::MINUS
            | SyntaxKind::AMP
            | SyntaxKind::PIPE
            | SyntaxKind::AT
            | SyntaxKind::DOT2
            | SyntaxKind::DOT2_EQ
    )
}

/// Whether the operator gives a number or a truth value.
pub(super) fn computes(kind: SyntaxKind) -> bool {
    let sum = matches!(
        kind,
        SyntaxKind::PLUS
            | SyntaxKind::MINUS
            | SyntaxKind::STAR
            | SyntaxKind::SLASH
            | SyntaxKind::PERCENT
            | SyntaxKind::AS_KW
    );
    sum || binds_less_than_shift(kind)
}

/// Whether the operator, which computes, binds less tightly than a shift.
pub(super) fn binds_less_than_shift(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::AMP
            | SyntaxKind::AMP2
            | SyntaxKind::CARET
            | SyntaxKind::EQ2
            | SyntaxKind::NEQ
            | SyntaxKind::LT
            | SyntaxKind::LT_EQ
            | SyntaxKind::GT_EQ
            | SyntaxKind::QUESTION2
    )
}
