//! Literals: numbers, characters, truth values, and strings with holes.

use super::{AstNode, Hole, Literal, StringLit, Token, first_own_token, token};
use crate::SyntaxKind;
use rowan::TextRange;

/// What a [`Literal`] is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiteralKind {
    /// An integer.
    Int(IntLit),
    /// A float.
    Float(FloatLit),
    /// A character; `None` when it is malformed.
    Char(Option<char>),
    /// A truth value.
    Bool(bool),
}

impl Literal {
    /// The token.
    pub fn token(&self) -> Option<Token> {
        first_own_token(self.syntax())
    }

    /// What the literal is.
    pub fn kind(&self) -> Option<LiteralKind> {
        let token = self.token()?;
        Some(match token.kind() {
            SyntaxKind::INT => LiteralKind::Int(IntLit { token }),
            SyntaxKind::FLOAT => LiteralKind::Float(FloatLit { token }),
            SyntaxKind::CHAR => LiteralKind::Char(crate::text::char_value(token.text())),
            SyntaxKind::TRUE_KW => LiteralKind::Bool(true),
            SyntaxKind::FALSE_KW => LiteralKind::Bool(false),
            _ => return None,
        })
    }
}

/// An integer token.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IntLit {
    token: Token,
}

/// A float token.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FloatLit {
    token: Token,
}

pub use crate::numbers::{IntValue, NumberError};

impl IntLit {
    /// The integer that a token is.
    pub fn cast(token: Token) -> Option<Self> {
        (token.kind() == SyntaxKind::INT).then_some(Self { token })
    }

    /// The token.
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// The magnitude and the suffix; the parser has reported what is an error here.
    pub fn value(&self) -> Result<IntValue, NumberError> {
        crate::numbers::int_value(self.token.text())
    }
}

impl FloatLit {
    /// The token.
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// The digits without underscores and suffix, as every float parser reads them, and the suffix.
    pub fn value(&self) -> Result<(String, Option<&'static str>), NumberError> {
        crate::numbers::float_value(self.token.text())
    }
}

/// A part of a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StringPart {
    /// Text, with escapes replaced and the indentation of a block string removed.
    Text {
        /// The text.
        value: String,
        /// Where it stands.
        range: TextRange,
    },
    /// A hole.
    Hole(Hole),
}

impl StringLit {
    /// Whether the string has a hole.
    pub fn has_holes(&self) -> bool {
        self.holes().next().is_some()
    }

    /// Whether the string is written between triple quotes.
    pub fn is_block(&self) -> bool {
        token(self.syntax(), SyntaxKind::STRING_START).is_some_and(|token| token.text().len() == 3)
    }

    /// The text of a string without holes.
    pub fn value(&self) -> Option<String> {
        let mut value = String::new();
        for part in self.parts() {
            match part {
                StringPart::Text { value: text, .. } => value.push_str(&text),
                StringPart::Hole(_) => return None,
            }
        }
        Some(value)
    }

    /// The parts, in order; empty texts are left out.
    pub fn parts(&self) -> Vec<StringPart> {
        crate::text::string_parts(self)
    }
}

impl Hole {
    /// The format; `None` when there is none or it is malformed (the parser has reported it).
    pub fn spec(&self) -> Option<FormatSpec> {
        FormatSpec::parse(self.spec_token()?.text()).ok()
    }
}

pub use crate::format_spec::{Align, FormatKind, FormatSpec};
