//! Traits: which type has which, by which `impl` block or bound, and what is wrong with the blocks.
//!
//! * `known`: the methods of the traits that the language knows.
//! * `impls`: where the blocks of a trait are looked for, and whether one is about a type.
//! * `prove`: whether a type has a trait, and what its associated types are.
//! * `resolve`: what calls of methods of traits mean once types are known, and what types hide.
//! * `conform`: a method of a block against the declaration in its trait.
//! * `block`: a block as a whole: its members, the rules of its trait, other blocks like it.
//! * `stubs`: the text of members that are missing.
//! * `object`: whether a trait can stand behind `dyn`.
//!
//! A block is looked for in the file that asks, in those of what that file imports, and in the files of the
//! type, of its arguments and of the trait. A block stands in the file of its type or of its trait, so that
//! none is missed.

pub(crate) mod block;
pub(crate) mod conform;
pub(crate) mod impls;
pub(crate) mod known;
pub(crate) mod object;
pub(crate) mod prove;
mod resolve;
mod stubs;
mod unify;
pub(crate) mod walks;

pub(crate) use prove::{Project, Proof, any_assoc, part_has, project, prove};
pub(crate) use resolve::unseen_result;
pub use resolve::{
    behind_dyn, implementation, is_pool_aware, known_implementation, number_in_trait,
    pool_functions, revealed,
};
pub use walks::{Walk, walk_of};

use neuro_db::Db;

use crate::{Def, Ty};

/// Whether a struct derives a trait.
pub(crate) fn known_derive(db: &dyn Db, def: &Def, name: &str) -> bool {
    def.as_struct(db)
        .is_some_and(|item| crate::derives::derives(&neuro_hir::struct_data(db, item).attrs, name))
}

/// Whether the language prints values of a type.
pub(crate) fn printable(ty: &Ty) -> bool {
    match ty.peeled() {
        Ty::Scalar(dtype) => !dtype.is_half(),
        ty => matches!(ty, Ty::Char | Ty::Text),
    }
}
