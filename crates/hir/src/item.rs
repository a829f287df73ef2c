//! Items: what a module, an `impl` block or a trait holds.
//!
//! An item's identity is its file, what it stands in, and its name; a second one of the same name is told
//! apart by order. So an edit elsewhere leaves it what it is, and all that is known of it.
#![expect(missing_docs, reason = "what salsa's attributes make carries no documentation")]

use neuro_db::{AstId, Db, Green, Name, SourceFile};

use crate::{Container, Module};

/// A function, method or associated function.
#[salsa::tracked(debug)]
pub struct Function<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// What it stands in.
    #[returns(copy)]
    pub container: Container<'db>,
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

/// A constant of a module.
#[salsa::tracked(debug)]
pub struct Const<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// The module that it stands in.
    #[returns(copy)]
    pub module: Module<'db>,
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

/// A struct.
#[salsa::tracked(debug)]
pub struct Struct<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// The module that it stands in.
    #[returns(copy)]
    pub module: Module<'db>,
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

/// An enum.
#[salsa::tracked(debug)]
pub struct Enum<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// The module that it stands in.
    #[returns(copy)]
    pub module: Module<'db>,
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

/// A newtype.
#[salsa::tracked(debug)]
pub struct Newtype<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// The module that it stands in.
    #[returns(copy)]
    pub module: Module<'db>,
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

/// A type alias.
#[salsa::tracked(debug)]
pub struct Alias<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// The module that it stands in.
    #[returns(copy)]
    pub module: Module<'db>,
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

/// A trait.
#[salsa::tracked(debug)]
pub struct Trait<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// The module that it stands in.
    #[returns(copy)]
    pub module: Module<'db>,
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

/// An `impl` block.
#[salsa::tracked(debug)]
pub struct Impl<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// The module that it stands in.
    #[returns(copy)]
    pub module: Module<'db>,
    /// The header as written, without white space that says nothing: it tells the blocks of a module apart.
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

/// An item of any kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, salsa::Supertype, salsa::SalsaValue)]
pub enum Item<'db> {
    /// A function, method or associated function.
    Function(Function<'db>),
    /// A constant.
    Const(Const<'db>),
    /// A struct.
    Struct(Struct<'db>),
    /// An enum.
    Enum(Enum<'db>),
    /// A newtype.
    Newtype(Newtype<'db>),
    /// A type alias.
    Alias(Alias<'db>),
    /// A trait.
    Trait(Trait<'db>),
    /// An `impl` block.
    Impl(Impl<'db>),
}

impl<'db> Function<'db> {
    /// The module that it stands in, perhaps inside of an `impl` block or a trait.
    pub fn module(self, db: &'db dyn Db) -> Module<'db> {
        self.container(db).module(db)
    }

    /// Its name with what it stands in, as it is told apart from every other function of its file:
    /// `units::grams`, `impl Shape for Circle::area`.
    pub fn path(self, db: &'db dyn Db) -> String {
        let mut parts: Vec<Name> = self.module(db).inline(db).clone();
        match self.container(db) {
            Container::Module(_) => {}
            Container::Impl(block) => parts.push(block.name(db)),
            Container::Trait(around) => parts.push(around.name(db)),
        }
        parts.push(self.name(db));
        parts.join("::")
    }

    /// Whether it stands in an `impl` block or a trait.
    pub fn is_member(self, db: &'db dyn Db) -> bool {
        !matches!(self.container(db), Container::Module(_))
    }
}

impl<'db> Item<'db> {
    /// The file.
    pub fn file(self, db: &'db dyn Db) -> SourceFile {
        match self {
            Item::Function(function) => function.file(db),
            Item::Const(constant) => constant.file(db),
            Item::Struct(item) => item.file(db),
            Item::Enum(item) => item.file(db),
            Item::Newtype(item) => item.file(db),
            Item::Alias(item) => item.file(db),
            Item::Trait(item) => item.file(db),
            Item::Impl(block) => block.file(db),
        }
    }

    /// The module that it stands in.
    pub fn module(self, db: &'db dyn Db) -> Module<'db> {
        match self {
            Item::Function(function) => function.module(db),
            Item::Const(constant) => constant.module(db),
            Item::Struct(item) => item.module(db),
            Item::Enum(item) => item.module(db),
            Item::Newtype(item) => item.module(db),
            Item::Alias(item) => item.module(db),
            Item::Trait(item) => item.module(db),
            Item::Impl(block) => block.module(db),
        }
    }

    /// The name; empty where a syntax error left none. Of an `impl` block, its header.
    pub fn name(self, db: &'db dyn Db) -> Name {
        match self {
            Item::Function(function) => function.name(db),
            Item::Const(constant) => constant.name(db),
            Item::Struct(item) => item.name(db),
            Item::Enum(item) => item.name(db),
            Item::Newtype(item) => item.name(db),
            Item::Alias(item) => item.name(db),
            Item::Trait(item) => item.name(db),
            Item::Impl(block) => block.name(db),
        }
    }

    /// The whole item, attributes and documentation included.
    pub fn source(self, db: &'db dyn Db) -> &'db Green {
        match self {
            Item::Function(function) => function.source(db),
            Item::Const(constant) => constant.source(db),
            Item::Struct(item) => item.source(db),
            Item::Enum(item) => item.source(db),
            Item::Newtype(item) => item.source(db),
            Item::Alias(item) => item.source(db),
            Item::Trait(item) => item.source(db),
            Item::Impl(block) => block.source(db),
        }
    }

    /// Which item of the file. Changes when an item above comes or goes: read it only to render.
    pub fn ast_id(self, db: &'db dyn Db) -> AstId {
        match self {
            Item::Function(function) => function.ast_id(db),
            Item::Const(constant) => constant.ast_id(db),
            Item::Struct(item) => item.ast_id(db),
            Item::Enum(item) => item.ast_id(db),
            Item::Newtype(item) => item.ast_id(db),
            Item::Alias(item) => item.ast_id(db),
            Item::Trait(item) => item.ast_id(db),
            Item::Impl(block) => block.ast_id(db),
        }
    }

    /// What it is, as in messages: `a struct`.
    pub fn kind(self) -> &'static str {
        match self {
            Item::Function(_) => "a function",
            Item::Const(_) => "a constant",
            Item::Struct(_) => "a struct",
            Item::Enum(_) => "an enum",
            Item::Newtype(_) => "a newtype",
            Item::Alias(_) => "a type alias",
            Item::Trait(_) => "a trait",
            Item::Impl(_) => "an `impl` block",
        }
    }
}
