//! The header of a function.

use neuro_db::{Db, Name};
use neuro_syntax::{AstNode, ast};
use text_size::TextRange;

use super::{Attr, AttrRanges, Generics, GenericsRanges, attrs, generics, name_range, type_range};
use crate::lower::types::TypeLowering;
use crate::path_map::PathMap;
use crate::{Function, TypeRef, tree};

/// A function's header as written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    /// The attributes.
    pub attrs: Vec<Attr>,
    /// The documentation comment, without its slashes.
    pub doc: Option<String>,
    /// The generic parameters and the `where` clause.
    pub generics: Generics,
    /// The receiver of a method.
    pub receiver: Option<Receiver>,
    /// The parameters, the receiver left out.
    pub params: Vec<Param>,
    /// The return type; none for a function that gives nothing.
    pub ret: Option<TypeRef>,
    /// Whether `export` stands before it.
    pub exported: bool,
    /// Whether a body follows; only in a trait none may.
    pub has_body: bool,
}

/// How a method takes what it is called on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Receiver {
    /// `&self`.
    ByRef,
    /// `&mut self`.
    ByMut,
    /// `self`.
    ByValue,
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

/// Where the parts of a header stand, relative to the function. Lists have an entry for each of the
/// [`Signature`]'s.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SignatureRanges {
    /// The word `func`, or the first word of the item.
    pub keyword: TextRange,
    /// The function's name, or its keyword if it has none.
    pub name: TextRange,
    /// The generic parameters and the `where` clause.
    pub generics: GenericsRanges,
    /// The receiver, if there is one.
    pub receiver: Option<TextRange>,
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
    /// The paths in the types of the header.
    pub paths: PathMap,
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

/// The header of a function as written.
#[salsa::tracked]
pub fn signature<'db>(db: &'db dyn Db, function: Function<'db>) -> Signature {
    let lowered = lower(db, function, PathMap::forgetting());
    lowered.map(|lowered| lowered.signature).unwrap_or_default()
}

/// Where the parts of a function's header stand.
#[salsa::tracked]
pub fn signature_ranges<'db>(db: &'db dyn Db, function: Function<'db>) -> SignatureRanges {
    let lowered = lower(db, function, PathMap::default());
    lowered
        .map(|lowered| ranges(&lowered.func, lowered.generics, lowered.paths))
        .unwrap_or_default()
}

/// A header, and what its ranges are made of.
struct Lowered {
    signature: Signature,
    func: ast::Func,
    generics: GenericsRanges,
    paths: PathMap,
}

/// One walk gives both, since the numbers of the paths connect them.
fn lower<'db>(db: &'db dyn Db, function: Function<'db>, paths: PathMap) -> Option<Lowered> {
    let func = ast::Func::cast(tree::node(function.source(db)))?;
    let mut types = TypeLowering::noting(paths);
    let (generics, ranges) =
        generics::lower(db, function.module(db), &mut types, func.generics(), func.where_clause());
    let mut signature = Signature {
        attrs: func.attrs().map(|attr| attrs::lower_attr(&attr)).collect(),
        doc: func.doc_comment(),
        generics,
        receiver: receiver(&func).map(|receiver| lower_receiver(&receiver)),
        params: params(&func).map(|param| lower_param(&mut types, &param)).collect(),
        ret: func.ret_type().map(|ty| types.lower(&ty)),
        exported: func.export_token().is_some(),
        has_body: func.body().is_some(),
    };
    signature.params.shrink_to_fit();
    Some(Lowered { signature, func, generics: ranges, paths: types.paths })
}

fn ranges(func: &ast::Func, generics: GenericsRanges, paths: PathMap) -> SignatureRanges {
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
        generics,
        receiver: receiver(func).map(|receiver| tree::trimmed_range(receiver.syntax())),
        params: params(func).map(|param| param_ranges(&param)).collect(),
        ret: type_range(func.ret_type()),
        attrs: func.attrs().map(|attr| attrs::attr_ranges(&attr)).collect(),
        header: whole.intersect(start.cover(end)).unwrap_or(keyword),
        body,
        paths,
    }
}

/// The parameters of a function, its receiver left out.
pub(crate) fn params(func: &ast::Func) -> impl Iterator<Item = ast::Param> + use<> {
    func.params().into_iter().flat_map(|list| list.params())
}

fn receiver(func: &ast::Func) -> Option<ast::SelfParam> {
    func.params()?.self_param()
}

fn lower_receiver(receiver: &ast::SelfParam) -> Receiver {
    match (receiver.amp_token(), receiver.mut_token()) {
        (Some(_), Some(_)) => Receiver::ByMut,
        (Some(_), None) => Receiver::ByRef,
        (None, _) => Receiver::ByValue,
    }
}

fn lower_param(types: &mut TypeLowering, param: &ast::Param) -> Param {
    let label = param.label().map(|label| match label.text() {
        Some(text) => Name::from(text),
        None => Name::new_static("_"),
    });
    Param { label, name: tree::name_text(param.name()), ty: types.lower_opt(param.ty()) }
}

fn param_ranges(param: &ast::Param) -> ParamRanges {
    let whole = tree::trimmed_range(param.syntax());
    let name = name_range(param.name()).unwrap_or(whole);
    ParamRanges {
        whole,
        label: param.label().map(|label| tree::trimmed_range(label.syntax())),
        name,
        ty: type_range(param.ty()).unwrap_or(name),
    }
}
