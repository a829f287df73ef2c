//! What a function's header says, and where it says it.

use neuro_db::{Db, Name};
use neuro_syntax::{AstNode, SyntaxKind, ast};
use text_size::TextRange;

use crate::item::unsupported_names;
use crate::lower::types::TypeLowering;
use crate::{Function, TypeRef, tree};

/// A function's header as written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    /// The attributes.
    pub attrs: Vec<Attr>,
    /// The documentation comment, without its slashes.
    pub doc: Option<String>,
    /// The parameters.
    pub params: Vec<Param>,
    /// The return type; none for a function that gives nothing.
    pub ret: Option<TypeRef>,
    /// Whether `export` stands before it.
    pub exported: bool,
}

/// A parameter as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// The label at the call: `None` when only the name may be used, and then it is optional. The
    /// label `_` says that no label may be used.
    pub label: Option<Name>,
    /// The name in the body; empty where a syntax error left none.
    pub name: Name,
    /// The type.
    pub ty: TypeRef,
}

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
    /// Anything else; the text as written.
    Other(String),
}

/// Where the parts of a header stand, relative to the function. Lists have an entry for each of the
/// [`Signature`]'s.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SignatureRanges {
    /// The word `func`, or the first word of the item.
    pub keyword: TextRange,
    /// The function's name, or its keyword if it has none.
    pub name: TextRange,
    /// The parameters.
    pub params: Vec<ParamRanges>,
    /// The return type, if there is one.
    pub ret: Option<TextRange>,
    /// The attributes.
    pub attrs: Vec<AttrRanges>,
    /// From the first word of the item, attributes included, to the body.
    pub header: TextRange,
    /// The body with its braces, if there is one.
    pub body: Option<TextRange>,
}

impl SignatureRanges {
    /// The return type, or the function's name if there is none.
    pub fn ret_or_name(&self) -> TextRange {
        self.ret.unwrap_or(self.name)
    }
}

/// Where the parts of a parameter stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ParamRanges {
    /// The whole parameter.
    pub whole: TextRange,
    /// The label, if one is written.
    pub label: Option<TextRange>,
    /// The name, or the whole parameter if there is none.
    pub name: TextRange,
    /// The type, or the name if there is none.
    pub ty: TextRange,
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

/// The header of a function as written.
#[salsa::tracked]
pub fn signature<'db>(db: &'db dyn Db, function: Function<'db>) -> Signature {
    let Some(func) = ast::Func::cast(tree::node(function.source(db))) else {
        return Signature::default();
    };
    let types = TypeLowering::of_function(unsupported_names(db, function.file(db)), &func);
    Signature {
        attrs: func.attrs().map(|attr| lower_attr(&attr)).collect(),
        doc: func.doc_comment(),
        params: params(&func).map(|param| lower_param(&types, &param)).collect(),
        ret: func.ret_type().map(|ty| types.lower(&ty)),
        exported: func.export_token().is_some(),
    }
}

/// Where the parts of a function's header stand.
#[salsa::tracked]
pub fn signature_ranges<'db>(db: &'db dyn Db, function: Function<'db>) -> SignatureRanges {
    let Some(func) = ast::Func::cast(tree::node(function.source(db))) else {
        return SignatureRanges::default();
    };
    let whole = tree::trimmed_range(func.syntax());
    let keyword = tree::token_or_first(func.func_token(), func.syntax());
    let start = func.attrs().next().map_or(keyword, |attr| tree::trimmed_range(attr.syntax()));
    let body = func.body().map(|body| tree::trimmed_range(body.syntax()));
    let end = func
        .syntax()
        .children()
        .filter(|node| !ast::Block::can_cast(node.kind()))
        .last()
        .map_or(keyword, |node| tree::trimmed_range(&node));
    SignatureRanges {
        keyword,
        name: name_range(func.name()).unwrap_or(keyword),
        params: params(&func).map(|param| param_ranges(&param)).collect(),
        ret: func.ret_type().map(|ty| tree::trimmed_range(ty.syntax())),
        attrs: func.attrs().map(|attr| attr_ranges(&attr)).collect(),
        header: whole.intersect(start.cover(end)).unwrap_or(keyword),
        body,
    }
}

/// The parameters of a function, its receiver left out.
pub(crate) fn params(func: &ast::Func) -> impl Iterator<Item = ast::Param> + use<> {
    func.params().into_iter().flat_map(|list| list.params())
}

fn lower_param(types: &TypeLowering<'_>, param: &ast::Param) -> Param {
    let label = param.label().map(|label| match label.text() {
        Some(text) => Name::from(text),
        None => Name::new_static("_"),
    });
    Param { label, name: tree::name_text(param.name()), ty: types.lower_opt(param.ty()) }
}

fn lower_attr(attr: &ast::Attr) -> Attr {
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
        _ => other(),
    }
}

fn name_range(name: Option<ast::Name>) -> Option<TextRange> {
    name.and_then(|name| name.token()).map(|token| token.text_range())
}

fn param_ranges(param: &ast::Param) -> ParamRanges {
    let whole = tree::trimmed_range(param.syntax());
    let name = name_range(param.name()).unwrap_or(whole);
    ParamRanges {
        whole,
        label: param.label().map(|label| tree::trimmed_range(label.syntax())),
        name,
        ty: param.ty().map_or(name, |ty| tree::trimmed_range(ty.syntax())),
    }
}

fn attr_ranges(attr: &ast::Attr) -> AttrRanges {
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
