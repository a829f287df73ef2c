//! How an item is named from a module: for what fixes write.

use neuro_db::{Db, Name};

use crate::names::{exported_names, is_inside};
use crate::{
    Item, Module, Resolution, file_items, item_of_name, module_title, resolve_import, resolve_name,
};

/// A path by which a module names an item: its name alone where that is visible, else one that leads through
/// the module that has it.
pub fn spelling<'db>(db: &'db dyn Db, from: Module<'db>, item: Item<'db>) -> String {
    let name = item.name(db);
    if resolve_name(db, from, name.clone()) == Some(Resolution::Item(item)) {
        return name.to_string();
    }
    let through = imported_modules(db, from)
        .find(|(_, module)| item_of_name(db, *module, name.clone()) == Some(item));
    match through {
        Some((module, _)) => format!("{module}::{name}"),
        None => format!("{}::{name}", module_title(db, item.module(db))),
    }
}

/// A path to what an imported module shows under a name.
pub fn shown_elsewhere(db: &dyn Db, from: Module<'_>, name: &Name) -> Option<String> {
    let mut modules = imported_modules(db, from);
    let (module, _) = modules.find(|(_, module)| exported_names(db, *module).contains(name))?;
    Some(format!("{module}::{name}"))
}

/// The modules that imports bind around a module, and the names that they have there.
fn imported_modules<'db>(
    db: &'db dyn Db,
    from: Module<'db>,
) -> impl Iterator<Item = (Name, Module<'db>)> {
    let file = from.file(db);
    let imports = file_items(db, file).imports.iter().enumerate();
    imports.filter(move |(_, (inside, _))| is_inside(db, from, *inside)).filter_map(
        move |(number, (_, binding))| match resolve_import(db, file, number) {
            Ok(Resolution::Module(module)) => Some((binding.name.clone(), module)),
            _ => None,
        },
    )
}
