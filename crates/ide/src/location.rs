//! From names and offsets to functions.

use neuro_db::{Db, SourceFile, Span};
use neuro_hir::{
    Container, Function, Item, TypeRef, file_items, impl_data, resolve, signature_ranges,
};
use text_size::{TextRange, TextSize};

/// The function whose item holds an offset, and the offset in the item.
pub fn function_at<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    offset: TextSize,
) -> Option<(Function<'db>, TextSize)> {
    neuro_hir::function_at(db, file, offset)
}

/// The function of a file with this name: `name`, `module::name` of a module in braces, or `Type::name` of a
/// method. Of several the first in the order of the text.
pub fn find_function<'db>(db: &'db dyn Db, file: SourceFile, name: &str) -> Option<Function<'db>> {
    if let Some(Item::Function(function)) = resolve(db, file, name) {
        return Some(function);
    }
    let (_, last) = name.rsplit_once("::")?;
    let is_meant = |function: &Function<'db>| {
        let mut path = function.module(db).inline(db).join("::");
        let of_type = match function.container(db) {
            Container::Module(_) => None,
            Container::Impl(block) => match &impl_data(db, block).self_ty {
                TypeRef::Path(path) => Some(path.last_name()),
                _ => None,
            },
            // The functions of a trait are not run by themselves.
            Container::Trait(_) => return false,
        };
        for part in of_type.into_iter().chain([last]) {
            if !path.is_empty() {
                path += "::";
            }
            path += part;
        }
        path == name
    };
    file_items(db, file).functions().filter(|function| function.name(db) == last).find(is_meant)
}

/// Where a function's name stands in its file.
pub fn name_range<'db>(db: &'db dyn Db, function: Function<'db>) -> TextRange {
    let name = signature_ranges(db, function).name;
    Span::in_item(function.file(db), function.ast_id(db), name).absolute(db)
}

/// The functions of a file that can be run, in the order of the text.
pub(crate) fn functions<'db>(
    db: &'db dyn Db,
    file: SourceFile,
) -> impl Iterator<Item = Function<'db>> {
    file_items(db, file).functions().filter(move |function| !function.is_member(db))
}
