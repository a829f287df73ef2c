//! Items, their attributes, members and parameters.

use super::{
    AstNode, Block, Expr, GenericParamList, Path, Type, TypeArgList, WhereClause, child,
    child_after, children, choices, nodes, token, tokens,
};
use crate::{SyntaxKind, SyntaxNode, SyntaxToken};
use rowan::ast::AstChildren;

nodes! {
    /// A whole file.
    SourceFile = SOURCE_FILE;
    /// `func f(..) -> T { .. }`, also a method; without a body only in a trait.
    Func = FUNC;
    /// `struct S { .. }`.
    Struct = STRUCT;
    /// `enum E { .. }`.
    Enum = ENUM;
    /// `trait T { .. }`.
    Trait = TRAIT;
    /// `impl T { .. }` or `impl Trait for T { .. }`.
    Impl = IMPL;
    /// `const NAME: T = value`, at the level of a file or in a block.
    Const = CONST;
    /// `newtype N = T`.
    Newtype = NEWTYPE;
    /// `type N = T`.
    TypeAlias = TYPE_ALIAS;
    /// `import a::b`.
    Import = IMPORT;
    /// `module m { .. }`.
    Module = MODULE;
    /// The members of a trait or of an `impl` block.
    AssocItemList = ASSOC_ITEM_LIST;
    /// `type A` in a trait, `type A = T` in an `impl` block.
    AssocType = ASSOC_TYPE;
    /// `@name(args)`.
    Attr = ATTR;
    /// One argument of an attribute: `Name`, or `label: value`.
    AttrArg = ATTR_ARG;
    /// The name that a declaration gives.
    Name = NAME;
    /// A use of a name.
    NameRef = NAME_REF;
    /// The parenthesised parameters of a function.
    ParamList = PARAM_LIST;
    /// `self`, `&self` or `&mut self`.
    SelfParam = SELF_PARAM;
    /// `name: T`, `label name: T` or `_ name: T`.
    Param = PARAM;
    /// The call-site label of a parameter: a name or `_`.
    ParamLabel = PARAM_LABEL;
    /// A field of a struct or of a struct-like variant.
    Field = FIELD;
    /// A variant of an enum.
    Variant = VARIANT;
    /// One entry of the braces of an import.
    ImportEntry = IMPORT_ENTRY;
}

choices! {
    /// An item of a file or of a module.
    Item {
        /// A function.
        Func(Func) = FUNC,
        /// A constant.
        Const(Const) = CONST,
        /// A struct.
        Struct(Struct) = STRUCT,
        /// An enum.
        Enum(Enum) = ENUM,
        /// A trait.
        Trait(Trait) = TRAIT,
        /// An `impl` block.
        Impl(Impl) = IMPL,
        /// A newtype.
        Newtype(Newtype) = NEWTYPE,
        /// A type alias.
        TypeAlias(TypeAlias) = TYPE_ALIAS,
        /// An import.
        Import(Import) = IMPORT,
        /// An inline module.
        Module(Module) = MODULE,
    }
    /// A member of a trait or of an `impl` block.
    AssocItem {
        /// A method or associated function.
        Func(Func) = FUNC,
        /// An associated type.
        Type(AssocType) = ASSOC_TYPE,
    }
}

/// The word `export` in front of an item.
pub type Export = SyntaxToken;

impl SourceFile {
    /// The items, in order.
    pub fn items(&self) -> AstChildren<Item> {
        children(self.syntax())
    }

    /// The attributes of the file itself (`@no_prelude`).
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }
}

impl Item {
    /// The keyword that says what the item is.
    pub fn keyword(&self) -> Option<SyntaxToken> {
        let kind = match self {
            Item::Func(_) => SyntaxKind::FUNC_KW,
            Item::Const(_) => SyntaxKind::CONST_KW,
            Item::Struct(_) => SyntaxKind::STRUCT_KW,
            Item::Enum(_) => SyntaxKind::ENUM_KW,
            Item::Trait(_) => SyntaxKind::TRAIT_KW,
            Item::Impl(_) => SyntaxKind::IMPL_KW,
            Item::Newtype(_) => SyntaxKind::NEWTYPE_KW,
            Item::TypeAlias(_) => SyntaxKind::TYPE_KW,
            Item::Import(_) => SyntaxKind::IMPORT_KW,
            Item::Module(_) => SyntaxKind::MODULE_KW,
        };
        token(self.syntax(), kind)
    }

    /// The declared name; `impl` blocks and imports have none.
    pub fn name(&self) -> Option<Name> {
        match self {
            Item::Impl(_) | Item::Import(_) => None,
            _ => child(self.syntax()),
        }
    }

    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The text of the documentation comment.
    pub fn doc_comment(&self) -> Option<String> {
        doc_comment(self.syntax())
    }

    /// The word `export`.
    pub fn export_token(&self) -> Option<Export> {
        token(self.syntax(), SyntaxKind::EXPORT_KW)
    }
}

/// The text of the `///` lines in front of a declaration, without the slashes and one space.
pub(super) fn doc_comment(node: &SyntaxNode) -> Option<String> {
    let mut lines = Vec::new();
    for element in node.children_with_tokens() {
        match element.into_token() {
            Some(token) if token.kind() == SyntaxKind::DOC_COMMENT => {
                let text = token.text();
                let text = text.strip_prefix("///").unwrap_or(text).trim_end();
                lines.push(text.strip_prefix(' ').unwrap_or(text).to_owned());
            }
            Some(token) if token.kind().is_trivia() => {}
            _ => break,
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

impl Func {
    /// The text of the documentation comment.
    pub fn doc_comment(&self) -> Option<String> {
        doc_comment(self.syntax())
    }

    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The word `export`.
    pub fn export_token(&self) -> Option<Export> {
        token(self.syntax(), SyntaxKind::EXPORT_KW)
    }

    /// The word `func`.
    pub fn func_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::FUNC_KW)
    }

    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The generic parameters.
    pub fn generics(&self) -> Option<GenericParamList> {
        child(self.syntax())
    }

    /// The parameters.
    pub fn params(&self) -> Option<ParamList> {
        child(self.syntax())
    }

    /// The type behind `->`; absent means void.
    pub fn ret_type(&self) -> Option<Type> {
        let ret: SyntaxNode =
            self.syntax().children().find(|node| node.kind() == SyntaxKind::RET_TYPE)?;
        child(&ret)
    }

    /// The `where` clause.
    pub fn where_clause(&self) -> Option<WhereClause> {
        child(self.syntax())
    }

    /// The body.
    pub fn body(&self) -> Option<Block> {
        child(self.syntax())
    }
}

impl Attr {
    /// The name behind `@`.
    pub fn name(&self) -> Option<NameRef> {
        child(self.syntax())
    }

    /// The arguments in parentheses.
    pub fn args(&self) -> impl Iterator<Item = AttrArg> + use<> {
        self.syntax()
            .children()
            .filter(|node| node.kind() == SyntaxKind::ATTR_ARG_LIST)
            .flat_map(|list| children::<AttrArg>(&list))
    }
}

impl AttrArg {
    /// The label of `label: value`, or the whole of a bare argument (`Copy` of `@derive(Copy)`).
    pub fn name(&self) -> Option<NameRef> {
        child(self.syntax())
    }

    /// The value behind the colon.
    pub fn value(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl Name {
    /// The token: an identifier.
    pub fn token(&self) -> Option<SyntaxToken> {
        tokens(self.syntax()).next()
    }

    /// The name as text; empty when it is missing.
    pub fn text(&self) -> String {
        self.token().map(|token| token.text().to_owned()).unwrap_or_default()
    }
}

impl NameRef {
    /// The token: an identifier, an integer (`t.0`), `self` or `Self`.
    pub fn token(&self) -> Option<SyntaxToken> {
        tokens(self.syntax()).next()
    }

    /// The name as text; empty when it is missing.
    pub fn text(&self) -> String {
        self.token().map(|token| token.text().to_owned()).unwrap_or_default()
    }
}

impl ParamList {
    /// The receiver.
    pub fn self_param(&self) -> Option<SelfParam> {
        child(self.syntax())
    }

    /// The parameters, without the receiver.
    pub fn params(&self) -> AstChildren<Param> {
        children(self.syntax())
    }
}

impl SelfParam {
    /// The `&` of `&self`.
    pub fn amp_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::AMP)
    }

    /// The `mut` of `&mut self`.
    pub fn mut_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::MUT_KW)
    }

    /// The word `self`.
    pub fn self_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::SELF_KW)
    }
}

impl Param {
    /// The call-site label.
    pub fn label(&self) -> Option<ParamLabel> {
        child(self.syntax())
    }

    /// The name that the body sees.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The type.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
    }
}

impl ParamLabel {
    /// The label; `None` for `_`.
    pub fn text(&self) -> Option<String> {
        token(self.syntax(), SyntaxKind::IDENT).map(|token| token.text().to_owned())
    }

    /// Whether the argument must be positional (`_ name: T`).
    pub fn is_positional(&self) -> bool {
        token(self.syntax(), SyntaxKind::UNDERSCORE).is_some()
    }
}

impl Const {
    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The type.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
    }

    /// The value.
    pub fn value(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

/// The fields in a `FIELD_LIST` child.
fn fields(node: &SyntaxNode) -> impl Iterator<Item = Field> + use<> {
    node.children()
        .filter(|child| child.kind() == SyntaxKind::FIELD_LIST)
        .flat_map(|list| children::<Field>(&list))
}

impl Struct {
    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The generic parameters.
    pub fn generics(&self) -> Option<GenericParamList> {
        child(self.syntax())
    }

    /// The `where` clause.
    pub fn where_clause(&self) -> Option<WhereClause> {
        child(self.syntax())
    }

    /// The fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = Field> + use<> {
        fields(self.syntax())
    }
}

impl Field {
    /// The text of the documentation comment.
    pub fn doc_comment(&self) -> Option<String> {
        doc_comment(self.syntax())
    }

    /// The word `export`.
    pub fn export_token(&self) -> Option<Export> {
        token(self.syntax(), SyntaxKind::EXPORT_KW)
    }

    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The type.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
    }
}

impl Enum {
    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The generic parameters.
    pub fn generics(&self) -> Option<GenericParamList> {
        child(self.syntax())
    }

    /// The variants, in order.
    pub fn variants(&self) -> impl Iterator<Item = Variant> + use<> {
        self.syntax()
            .children()
            .filter(|node| node.kind() == SyntaxKind::VARIANT_LIST)
            .flat_map(|list| children::<Variant>(&list))
    }
}

impl Variant {
    /// The text of the documentation comment.
    pub fn doc_comment(&self) -> Option<String> {
        doc_comment(self.syntax())
    }

    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The payload types of a tuple-like variant.
    pub fn payload(&self) -> impl Iterator<Item = Type> + use<> {
        self.syntax()
            .children()
            .filter(|node| node.kind() == SyntaxKind::TUPLE_FIELD_LIST)
            .flat_map(|list| children::<Type>(&list))
    }

    /// The fields of a struct-like variant.
    pub fn fields(&self) -> impl Iterator<Item = Field> + use<> {
        fields(self.syntax())
    }
}

impl Trait {
    /// The generic parameters, which traits do not have yet.
    pub fn generics(&self) -> Option<GenericParamList> {
        child(self.syntax())
    }

    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The members.
    pub fn members(&self) -> Option<AssocItemList> {
        child(self.syntax())
    }
}

impl Impl {
    /// The type arguments of the trait of `impl Trait<X> for T`.
    pub fn trait_args(&self) -> Option<TypeArgList> {
        self.trait_path()?.segments().last()?.type_args()
    }

    /// The type behind `for`.
    pub fn for_type(&self) -> Option<Type> {
        child_after(self.syntax(), SyntaxKind::FOR_KW)
    }

    /// The generic parameters.
    pub fn generics(&self) -> Option<GenericParamList> {
        child(self.syntax())
    }

    /// The trait of `impl Trait for T`.
    pub fn trait_path(&self) -> Option<Path> {
        child(self.syntax())
    }

    /// The type that the block belongs to.
    pub fn self_type(&self) -> Option<Type> {
        child(self.syntax())
    }

    /// The `where` clause.
    pub fn where_clause(&self) -> Option<WhereClause> {
        child(self.syntax())
    }

    /// The members.
    pub fn members(&self) -> Option<AssocItemList> {
        child(self.syntax())
    }
}

impl AssocItemList {
    /// The members, in order.
    pub fn items(&self) -> AstChildren<AssocItem> {
        children(self.syntax())
    }
}

impl AssocType {
    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The type behind `=`.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
    }
}

impl Newtype {
    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The wrapped type.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
    }
}

impl TypeAlias {
    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The aliased type.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
    }
}

/// The new name of a `RENAME` child.
fn rename(node: &SyntaxNode) -> Option<Name> {
    let rename = node.children().find(|child| child.kind() == SyntaxKind::RENAME)?;
    child(&rename)
}

impl Import {
    /// The word `export`.
    pub fn export_token(&self) -> Option<Export> {
        token(self.syntax(), SyntaxKind::EXPORT_KW)
    }

    /// The segments of the path in front of any braces.
    pub fn path(&self) -> impl Iterator<Item = NameRef> + use<> {
        self.syntax()
            .children()
            .filter(|node| node.kind() == SyntaxKind::IMPORT_PATH)
            .flat_map(|path| children::<NameRef>(&path))
    }

    /// The name behind `as`.
    pub fn rename(&self) -> Option<Name> {
        rename(self.syntax())
    }

    /// The entries in braces; `None` without braces.
    pub fn entries(&self) -> Option<AstChildren<ImportEntry>> {
        let list = self.syntax().children().find(|node| node.kind() == SyntaxKind::IMPORT_LIST)?;
        Some(children(&list))
    }
}

impl ImportEntry {
    /// The imported name.
    pub fn name_ref(&self) -> Option<NameRef> {
        child(self.syntax())
    }

    /// The name behind `as`.
    pub fn rename(&self) -> Option<Name> {
        rename(self.syntax())
    }
}

impl Module {
    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The items, in order.
    pub fn items(&self) -> impl Iterator<Item = Item> + use<> {
        self.syntax()
            .children()
            .filter(|node| node.kind() == SyntaxKind::ITEM_LIST)
            .flat_map(|list| children::<Item>(&list))
    }
}
