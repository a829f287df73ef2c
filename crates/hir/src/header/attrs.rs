//! Attributes as written, and where they stand.

use neuro_db::Name;
use neuro_syntax::{AstNode, SyntaxKind, ast};
use text_size::TextRange;

use crate::tree;

/// An attribute as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attr {
    /// The name after the `@`.
    pub name: Name,
    /// The arguments.
    pub args: Vec<AttrArg>,
}

/// An argument of an attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttrArg {
    /// The label, as `wrt` in `wrt: [w]`.
    pub label: Option<Name>,
    /// The value.
    pub value: AttrValue,
}

/// The value of an attribute's argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttrValue {
    /// A name.
    Name(Name),
    /// A path with dots and positions, as written: `self.head.w`.
    Path(String),
    /// An integer.
    Int(u64),
    /// A truth value.
    Bool(bool),
    /// A list.
    List(Vec<AttrValue>),
    /// An entry of a list with a name of its own: `b: self.head.b`.
    Aliased(Name, Box<AttrValue>),
    /// Anything else; the text as written.
    Other(String),
}

impl AttrValue {
    /// Whether it is, or lists, a path from the receiver.
    pub fn begins_at_self(&self) -> bool {
        match self {
            AttrValue::Name(name) => name == "self",
            AttrValue::Path(text) => text.trim_start().starts_with("self"),
            AttrValue::List(entries) => entries.iter().any(AttrValue::begins_at_self),
            AttrValue::Aliased(_, value) => value.begins_at_self(),
            AttrValue::Int(_) | AttrValue::Bool(_) | AttrValue::Other(_) => false,
        }
    }
}

/// Where the parts of an attribute stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AttrRanges {
    /// The whole attribute, from its `@`.
    pub whole: TextRange,
    /// The name after the `@`, or the whole attribute if there is none.
    pub name: TextRange,
    /// The arguments.
    pub args: Vec<AttrArgRanges>,
}

/// Where the parts of an attribute's argument stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AttrArgRanges {
    /// The whole argument.
    pub whole: TextRange,
    /// The label, if one is written.
    pub label: Option<TextRange>,
    /// The value; the whole argument where a syntax error left none.
    pub value: TextRange,
    /// The entries of a list, in order.
    pub entries: Vec<TextRange>,
}

pub(super) fn lower_attr(attr: &ast::Attr) -> Attr {
    Attr {
        name: tree::name_ref_text(attr.name()),
        args: attr.args().map(|arg| lower_attr_arg(&arg)).collect(),
    }
}

fn lower_attr_arg(arg: &ast::AttrArg) -> AttrArg {
    let name = tree::name_ref_text(arg.name());
    match arg.value() {
        Some(value) => AttrArg { label: Some(name), value: attr_value(&value) },
        // `label:` without its value is a label still; a bare name is a value.
        None if has_colon(arg) => {
            AttrArg { label: Some(name), value: AttrValue::Other(String::new()) }
        }
        None => AttrArg { label: None, value: AttrValue::Name(name) },
    }
}

fn has_colon(arg: &ast::AttrArg) -> bool {
    arg.syntax().children_with_tokens().any(|element| element.kind() == SyntaxKind::COLON)
}

fn attr_value(value: &ast::Expr) -> AttrValue {
    let other = || AttrValue::Other(tree::text(value.syntax()));
    match value {
        ast::Expr::Literal(literal) => match literal.kind() {
            Some(ast::LiteralKind::Int(int)) => match int.value() {
                Ok(int) => AttrValue::Int(int.value),
                Err(_) => other(),
            },
            Some(ast::LiteralKind::Bool(value)) => AttrValue::Bool(value),
            Some(ast::LiteralKind::Float(_) | ast::LiteralKind::Char(_)) | None => other(),
        },
        ast::Expr::Path(path) => match path.path().and_then(|path| path.as_single_name()) {
            Some(name) => AttrValue::Name(Name::from(name.text())),
            None => other(),
        },
        ast::Expr::Field(_) | ast::Expr::Index(_) => AttrValue::Path(tree::text(value.syntax())),
        ast::Expr::Array(array) => {
            AttrValue::List(array.elements().map(|entry| attr_value(&entry)).collect())
        }
        ast::Expr::Aliased(aliased) => {
            let value = aliased.expr().map_or_else(other, |value| attr_value(&value));
            AttrValue::Aliased(tree::name_text(aliased.alias()), Box::new(value))
        }
        _ => other(),
    }
}

pub(super) fn attr_ranges(attr: &ast::Attr) -> AttrRanges {
    let whole = tree::trimmed_range(attr.syntax());
    AttrRanges {
        whole,
        name: attr.name().map_or(whole, |name| tree::trimmed_range(name.syntax())),
        args: attr.args().map(|arg| attr_arg_ranges(&arg)).collect(),
    }
}

fn attr_arg_ranges(arg: &ast::AttrArg) -> AttrArgRanges {
    let whole = tree::trimmed_range(arg.syntax());
    let value = arg.value();
    let labelled = value.is_some() || has_colon(arg);
    let entries = match &value {
        Some(ast::Expr::Array(array)) => {
            array.elements().map(|entry| tree::trimmed_range(entry.syntax())).collect()
        }
        _ => Vec::new(),
    };
    AttrArgRanges {
        whole,
        label: arg.name().filter(|_| labelled).map(|name| tree::trimmed_range(name.syntax())),
        value: value.map_or(whole, |value| tree::trimmed_range(value.syntax())),
        entries,
    }
}
