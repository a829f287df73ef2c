//! Modules, and what items stand in.
#![expect(missing_docs, reason = "what salsa's attributes make carries no documentation")]

use neuro_db::{Db, Name, SourceFile};

use crate::{Impl, Trait};

/// A module: a file, or an inline `module` block in one.
#[salsa::interned(debug)]
pub struct Module<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// The names of the inline blocks around it, outermost first; none for the file itself.
    #[returns(ref)]
    pub inline: Vec<Name>,
}

impl<'db> Module<'db> {
    /// The module that a file is.
    pub fn of_file(db: &'db dyn Db, file: SourceFile) -> Self {
        Module::new(db, file, Vec::new())
    }

    /// The inline module of a name inside this one.
    pub fn child(self, db: &'db dyn Db, name: Name) -> Self {
        let mut inline = self.inline(db).clone();
        inline.push(name);
        Module::new(db, self.file(db), inline)
    }

    /// The module around an inline one.
    pub fn parent(self, db: &'db dyn Db) -> Option<Self> {
        let (_, outer) = self.inline(db).split_last()?;
        Some(Module::new(db, self.file(db), outer.to_vec()))
    }
}

/// What an item stands in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, salsa::SalsaValue)]
pub enum Container<'db> {
    /// A module.
    Module(Module<'db>),
    /// An `impl` block, whose functions are methods and associated functions.
    Impl(Impl<'db>),
    /// A trait.
    Trait(Trait<'db>),
}

impl<'db> Container<'db> {
    /// The module that it is or stands in.
    pub fn module(self, db: &'db dyn Db) -> Module<'db> {
        match self {
            Container::Module(module) => module,
            Container::Impl(block) => block.module(db),
            Container::Trait(item) => item.module(db),
        }
    }
}
