//! By what a map compares and hashes its keys.

use neuro_db::Db;
use neuro_hir::{BuiltinTrait, Item, file_items};
use neuro_types::{Collection, GenericArg, Ty, known_implementation};

use crate::Instance;

/// The functions of a map with keys of a type of the program: of a `HashMap` whether two are equal, and the hash of one,
/// of a `BTreeMap` whether one is less than another. Where the language compares such keys, it does so in a function
/// of the prelude.
pub fn key_functions<'db>(db: &'db dyn Db, map: Collection, key: &Ty) -> Vec<Instance<'db>> {
    let of = |of_trait: BuiltinTrait, name: &str| {
        if let Some((function, args)) = known_implementation(db, of_trait, 0, key) {
            return Some(Instance::new(db, function, args));
        }
        let function = file_items(db, db.prelude()).items.iter().find_map(|item| match item {
            Item::Function(function) if function.name(db) == name => Some(*function),
            _ => None,
        })?;
        Some(Instance::new(db, function, vec![GenericArg::Type(key.clone())]))
    };
    let functions = match map {
        Collection::BTreeMap => vec![of(BuiltinTrait::Comparable, "key_before")],
        Collection::HashMap => {
            let hash = known_implementation(db, BuiltinTrait::Hashable, 0, key);
            vec![
                of(BuiltinTrait::PartialEq, "same_key"),
                hash.map(|(function, args)| Instance::new(db, function, args)),
            ]
        }
        Collection::Vec | Collection::Chars | Collection::StringBuilder => Vec::new(),
    };
    functions.into_iter().flatten().collect()
}
