//! Items, their attributes, members and parameters.
//!
//! Made from `syntax/neuro.ungram` by `tests::grammar`: edit that instead.

use crate::ast::*;

nodes! {
    /// A whole file.
    SourceFile = SOURCE_FILE;
    /// `func f(..) -> T { .. }`, also a method; without a body only in a trait.
    Func = FUNC;
    /// `-> T`.
    RetType = RET_TYPE;
    /// The parenthesised parameters of a function.
    ParamList = PARAM_LIST;
    /// `self`, `&self` or `&mut self`.
    SelfParam = SELF_PARAM;
    /// `name: T`, `label name: T` or `_ name: T`.
    Param = PARAM;
    /// The call-site label of a parameter: a name or `_`.
    ParamLabel = PARAM_LABEL;
    /// `struct S { .. }`.
    Struct = STRUCT;
    /// The fields of a struct or of a struct-like variant.
    FieldList = FIELD_LIST;
    /// A field of a struct or of a struct-like variant.
    Field = FIELD;
    /// `enum E { .. }`.
    Enum = ENUM;
    /// The variants of an enum.
    VariantList = VARIANT_LIST;
    /// A variant of an enum.
    Variant = VARIANT;
    /// The payload types of a tuple-like variant.
    TupleFieldList = TUPLE_FIELD_LIST;
    /// `trait T { .. }`.
    Trait = TRAIT;
    /// `impl T { .. }` or `impl Trait for T { .. }`.
    Impl = IMPL;
    /// The members of a trait or of an `impl` block.
    AssocItemList = ASSOC_ITEM_LIST;
    /// `type A` in a trait, `type A = T` in an `impl` block.
    AssocType = ASSOC_TYPE;
    /// `const NAME: T = value`, at the level of a file or in a block.
    Const = CONST;
    /// `newtype N = T`.
    Newtype = NEWTYPE;
    /// `type N = T`.
    TypeAlias = TYPE_ALIAS;
    /// `import a::b`.
    Import = IMPORT;
    /// The path of an import.
    ImportPath = IMPORT_PATH;
    /// The entries in the braces of an import.
    ImportList = IMPORT_LIST;
    /// One entry of the braces of an import.
    ImportEntry = IMPORT_ENTRY;
    /// `as name`, in an import.
    Rename = RENAME;
    /// `module m { .. }`.
    Module = MODULE;
    /// The items of a module.
    ItemList = ITEM_LIST;
    /// `@name(args)`.
    Attr = ATTR;
    /// The arguments of an attribute.
    AttrArgList = ATTR_ARG_LIST;
    /// One argument of an attribute: `Name`, or `label: value`.
    AttrArg = ATTR_ARG;
    /// The name that a declaration gives.
    Name = NAME;
    /// A use of a name.
    NameRef = NAME_REF;
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

impl SourceFile {
    /// The attributes of the file itself (`@no_prelude`).
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The items, in order.
    pub fn items(&self) -> AstChildren<Item> {
        children(self.syntax())
    }
}

impl Func {
    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The word `export`.
    pub fn export_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::EXPORT_KW)
    }

    /// The word `func`.
    pub fn func_token(&self) -> Option<Token> {
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

    /// `-> T`; absent means void.
    pub fn result(&self) -> Option<RetType> {
        child(self.syntax())
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

impl RetType {
    /// The type.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
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
    pub fn amp_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::AMP)
    }

    /// The lifetime of `&'a self`.
    pub fn lifetime_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::LIFETIME)
    }

    /// The `mut` of `&mut self`.
    pub fn mut_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::MUT_KW)
    }

    /// The word `self`.
    pub fn self_token(&self) -> Option<Token> {
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

impl Struct {
    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The word `export`.
    pub fn export_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::EXPORT_KW)
    }

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

    /// The fields in braces.
    pub fn field_list(&self) -> Option<FieldList> {
        child(self.syntax())
    }
}

impl FieldList {
    /// The fields, in order.
    pub fn fields(&self) -> AstChildren<Field> {
        children(self.syntax())
    }
}

impl Field {
    /// The word `export`.
    pub fn export_token(&self) -> Option<Token> {
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
    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The word `export`.
    pub fn export_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::EXPORT_KW)
    }

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

    /// The variants in braces.
    pub fn variant_list(&self) -> Option<VariantList> {
        child(self.syntax())
    }
}

impl VariantList {
    /// The variants, in order.
    pub fn variants(&self) -> AstChildren<Variant> {
        children(self.syntax())
    }
}

impl Variant {
    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The payload types of a tuple-like variant.
    pub fn tuple_field_list(&self) -> Option<TupleFieldList> {
        child(self.syntax())
    }

    /// The fields of a struct-like variant.
    pub fn field_list(&self) -> Option<FieldList> {
        child(self.syntax())
    }
}

impl TupleFieldList {
    /// The types, in order.
    pub fn types(&self) -> AstChildren<Type> {
        children(self.syntax())
    }
}

impl Trait {
    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The word `export`.
    pub fn export_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::EXPORT_KW)
    }

    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The generic parameters, which traits do not have yet.
    pub fn generics(&self) -> Option<GenericParamList> {
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

impl Impl {
    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
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
    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The type behind `=`.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
    }
}

impl Const {
    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The word `export`.
    pub fn export_token(&self) -> Option<Token> {
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

    /// The value.
    pub fn value(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl Newtype {
    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The word `export`.
    pub fn export_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::EXPORT_KW)
    }

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
    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The aliased type.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
    }
}

impl Import {
    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The word `export`.
    pub fn export_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::EXPORT_KW)
    }

    /// The path in front of any braces.
    pub fn import_path(&self) -> Option<ImportPath> {
        child(self.syntax())
    }

    /// The entries in braces.
    pub fn import_list(&self) -> Option<ImportList> {
        child(self.syntax())
    }
}

impl ImportPath {
    /// The segments, in order.
    pub fn segments(&self) -> AstChildren<NameRef> {
        children(self.syntax())
    }
}

impl ImportList {
    /// The entries, in order.
    pub fn entries(&self) -> AstChildren<ImportEntry> {
        children(self.syntax())
    }
}

impl ImportEntry {
    /// The imported name.
    pub fn name_ref(&self) -> Option<NameRef> {
        child(self.syntax())
    }
}

impl Rename {
    /// The new name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }
}

impl Module {
    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The items in braces.
    pub fn item_list(&self) -> Option<ItemList> {
        child(self.syntax())
    }
}

impl ItemList {
    /// The items, in order.
    pub fn items(&self) -> AstChildren<Item> {
        children(self.syntax())
    }
}

impl Attr {
    /// The name behind `@`.
    pub fn name(&self) -> Option<NameRef> {
        child(self.syntax())
    }

    /// The arguments in parentheses.
    pub fn attr_arg_list(&self) -> Option<AttrArgList> {
        child(self.syntax())
    }
}

impl AttrArgList {
    /// The arguments, in order.
    pub fn args(&self) -> AstChildren<AttrArg> {
        children(self.syntax())
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
