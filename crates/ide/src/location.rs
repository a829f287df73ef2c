//! From names and offsets to functions.

use neuro_db::{Db, SourceFile, Span};
use neuro_hir::{Function, Item, file_items, resolve, signature_ranges};
use text_size::{TextRange, TextSize};

/// The function whose item holds an offset, and the offset in the item.
pub fn function_at<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    offset: TextSize,
) -> Option<(Function<'db>, TextSize)> {
    neuro_hir::function_at(db, file, offset)
}

/// The function of a file with this name.
pub fn find_function<'db>(db: &'db dyn Db, file: SourceFile, name: &str) -> Option<Function<'db>> {
    match resolve(db, file, name)? {
        Item::Function(function) => Some(function),
        _ => None,
    }
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
