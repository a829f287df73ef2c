//! Items of a file and what their headers say.

use neuro_db::{AstId, Db, Green, Name, SourceFile};
use text_size::TextRange;

use crate::TypeRef;

/// A function. Its identity is its file and name; a second one of the same name is told apart by order.
#[salsa::tracked(debug)]
pub struct Function<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// The name.
    #[returns(clone)]
    pub name: Name,
    /// The whole item, attributes and documentation included.
    #[tracked]
    pub source: Green,
    /// Which item of the file; read only to render positions.
    #[tracked]
    #[returns(copy)]
    pub ast_id: AstId,
}

/// A constant of a file.
#[salsa::tracked(debug)]
pub struct Const<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// The name.
    #[returns(clone)]
    pub name: Name,
    /// The whole item.
    #[tracked]
    pub source: Green,
    /// Which item of the file; read only to render positions.
    #[tracked]
    #[returns(copy)]
    pub ast_id: AstId,
}

/// What a name of a file can stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, salsa::SalsaValue)]
pub enum Item<'db> {
    /// A function.
    Function(Function<'db>),
    /// A constant.
    Const(Const<'db>),
}

/// The items of a file, in the order of the text. Of two with one name, the first is found.
#[derive(Clone, PartialEq, Eq, Debug, Default, salsa::SalsaValue)]
pub struct FileItems<'db> {
    /// All of them.
    pub items: Vec<Item<'db>>,
}

/// A function's header as written.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    /// The label at the call: `None` when only the name may be used, and then it is optional.
    pub label: Option<Name>,
    /// The name in the body.
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
