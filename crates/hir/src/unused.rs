//! What nothing uses.
//!
//! Uses are looked for by name alone, not by what the name stands for: so nothing that is used is ever called
//! unused, and sometimes nothing is said of what is.

use neuro_db::{AstId, Db, Name, SourceFile, Span, parse};
use neuro_syntax::{AstNode, ast};
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::{TextRange, TextSize};

use crate::items::import_entries;
use crate::mentions::mentions;
use crate::{
    Binding, Body, Container, Expr, Function, Item, LocalId, Resolution, TypeRef, file_items,
    functions_of, impl_data, is_exported, resolve_import, signature, tree,
};

/// The bindings and constants of a body that are never read. Those that begin with `_` are meant to be unused,
/// parameters belong to their signature, and the variable of a loop counts.
pub fn unused_locals(body: &Body) -> Vec<LocalId> {
    let mut read: FxHashSet<LocalId> = body.type_uses.iter().copied().collect();
    let mut written = FxHashSet::default();
    for (_, expr) in body.exprs.iter() {
        if let Expr::Assign { op: None, place, .. } = expr {
            written.insert(*place);
        }
    }
    for (id, expr) in body.exprs.iter() {
        if let Expr::Local(local) = expr
            && !written.contains(&id)
        {
            read.insert(*local);
        }
    }
    let unused = body.locals.iter().filter(|(local, declared)| {
        let counts = match declared.binding {
            Binding::Receiver | Binding::Param | Binding::ClosureParam | Binding::Loop => false,
            Binding::Let | Binding::Arm | Binding::Failure | Binding::Const => true,
        };
        counts
            && !declared.name.is_empty()
            && !declared.name.starts_with('_')
            && !read.contains(local)
    });
    unused.map(|(local, _)| local).collect()
}

/// The imports of a file that nothing in it names, by their index among all of the file.
#[salsa::tracked(returns(deref))]
pub fn unused_imports(db: &dyn Db, file: SourceFile) -> Vec<usize> {
    let found = file_items(db, file);
    let mut used: FxHashSet<&Name> = FxHashSet::default();
    for item in &found.items {
        used.extend(&mentions(db, *item).names);
    }
    for (_, binding) in &found.imports {
        // `import E::V` uses an imported `E`; the path of an import that binds its own first name does not.
        let first = binding.path.first().filter(|first| **first != binding.name);
        used.extend(first);
    }
    let imports = found.imports.iter().enumerate();
    let unused = imports.filter(|(index, (_, binding))| {
        !binding.exported
            && !binding.name.starts_with('_')
            && !used.contains(&binding.name)
            && !gives_methods(db, file, *index, &used)
    });
    unused.map(|(index, _)| index).collect()
}

/// Whether an import brings a trait of which a method is named: its methods are found where it is known.
fn gives_methods(db: &dyn Db, file: SourceFile, import: usize, used: &FxHashSet<&Name>) -> bool {
    let Ok(Resolution::Item(Item::Trait(found))) = resolve_import(db, file, import) else {
        return false;
    };
    let methods = functions_of(db, found.file(db), Container::Trait(found));
    methods.iter().any(|method| used.contains(&method.name(db)))
}

/// Where the name stands that an import binds. Reads positions: only to render.
pub fn import_span(db: &dyn Db, file: SourceFile, import: usize) -> Option<Span> {
    let Placed { id, start, item, entry } = place_of(db, file, import)?;
    let entry = import_entries(&item).into_iter().nth(entry)?;
    Some(Span::in_item(file, id, entry.name - start))
}

/// What to take away so that an import binds a name no longer: the whole import with its line, or an entry of its
/// list with a comma. Reads positions: only to render.
pub fn import_removal(db: &dyn Db, file: SourceFile, import: usize) -> Option<Span> {
    let Placed { item, entry, .. } = place_of(db, file, import)?;
    let text = file.text(db);
    let at = |offset: TextSize| usize::from(offset);
    let range = match item.entries() {
        Some(entries) if import_entries(&item).len() > 1 => {
            let all: Vec<TextRange> = entries
                .filter(|listed| listed.name_ref().is_some())
                .map(|listed| tree::trimmed_range(listed.syntax()))
                .collect();
            let own = *all.get(entry)?;
            match (all.get(entry + 1), entry.checked_sub(1).and_then(|before| all.get(before))) {
                (Some(next), _) => TextRange::new(own.start(), next.start()),
                (None, Some(before)) => TextRange::new(before.end(), own.end()),
                (None, None) => own,
            }
        }
        _ => {
            let own = tree::trimmed_range(item.syntax());
            let before = text.get(..at(own.start()))?;
            let behind = text.get(at(own.end())..)?;
            // The line goes with it, if nothing else stands there.
            let starts_line = before.is_empty() || before.ends_with('\n');
            match behind.find('\n') {
                Some(end) if starts_line && behind.get(..end)?.trim().is_empty() => {
                    let end = u32::try_from(end + 1).ok()?;
                    TextRange::new(own.start(), own.end() + TextSize::from(end))
                }
                _ => own,
            }
        }
    };
    Some(Span::in_file(file, range))
}

/// An import in its file.
struct Placed {
    id: AstId,
    /// Where the item begins.
    start: TextSize,
    item: ast::Import,
    /// Which of the names that the item binds.
    entry: usize,
}

/// The item of an import, and which of its names it is.
fn place_of(db: &dyn Db, file: SourceFile, import: usize) -> Option<Placed> {
    let mut imports = Vec::new();
    let mut next = 0;
    parse(db, file).tree()?.items().for_each(|item| number_imports(&item, &mut next, &mut imports));
    let mut entry = import;
    for (id, start, item) in imports {
        match entry.checked_sub(import_entries(&item).len()) {
            None => return Some(Placed { id, start, item, entry }),
            Some(rest) => entry = rest,
        }
    }
    None
}

/// The imports of an item and of what it holds, with the numbers of the items.
fn number_imports(
    item: &ast::Item,
    next: &mut u32,
    imports: &mut Vec<(AstId, TextSize, ast::Import)>,
) {
    let id = AstId(*next);
    *next += 1;
    let members = match item {
        ast::Item::Import(import) => {
            imports.push((id, item.syntax().text_range().start(), import.clone()));
            None
        }
        ast::Item::Module(module) => {
            return module.items().for_each(|item| number_imports(&item, next, imports));
        }
        ast::Item::Trait(item) => item.members(),
        ast::Item::Impl(block) => block.members(),
        ast::Item::Func(_)
        | ast::Item::Const(_)
        | ast::Item::Struct(_)
        | ast::Item::Enum(_)
        | ast::Item::Newtype(_)
        | ast::Item::TypeAlias(_) => None,
    };
    let functions = members.into_iter().flat_map(|list| list.items());
    *next += functions.filter(|member| matches!(member, ast::AssocItem::Func(_))).count() as u32;
}

/// The items of a file that nothing needs: neither `main`, nor what is exported, nor a function with a derivative,
/// which is run by itself. Nothing is said of a file without `main` that exports nothing: it is a sketch.
#[salsa::tracked(returns(deref))]
pub fn unused_items<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Item<'db>> {
    let items = &file_items(db, file).items;
    let begins = |item: &Item<'db>| match item {
        Item::Function(function) => {
            !function.is_member(db) && (function.name(db) == "main" || is_exported(db, *item))
        }
        item => is_exported(db, *item),
    };
    if !items.iter().any(begins) {
        return Vec::new();
    }
    let runs = |item: &Item<'db>| matches!(item, Item::Function(function) if is_run(db, *function));
    let mut open: Vec<Item<'db>> =
        items.iter().copied().filter(|item| begins(item) || runs(item)).collect();
    let mut by_name: FxHashMap<Name, Vec<Item<'db>>> = FxHashMap::default();
    for item in items {
        for name in reached_by(db, *item) {
            by_name.entry(name).or_default().push(*item);
        }
    }
    let mut used: FxHashSet<Item<'db>> = open.iter().copied().collect();
    while let Some(item) = open.pop() {
        let own = [item.name(db)];
        for name in mentions(db, item).names.iter().chain(&own) {
            for reached in by_name.get(name).into_iter().flatten() {
                if used.insert(*reached) {
                    open.push(*reached);
                }
            }
        }
    }
    let counts = |item: &Item<'db>| match item {
        Item::Impl(_) => false,
        Item::Function(function) => !function.is_member(db),
        Item::Const(_)
        | Item::Struct(_)
        | Item::Enum(_)
        | Item::Newtype(_)
        | Item::Alias(_)
        | Item::Trait(_) => true,
    };
    let named = |item: &Item<'db>| !matches!(item.name(db).as_str(), "" | "_");
    let unused = items.iter().copied().filter(|item| counts(item) && !used.contains(item));
    unused.filter(|item| named(item) && !item.name(db).starts_with('_')).collect()
}

/// Whether a function is run by itself: it has a derivative, which the editor and the command line evaluate.
fn is_run<'db>(db: &'db dyn Db, function: Function<'db>) -> bool {
    let attrs = &signature(db, function).attrs;
    attrs.iter().any(|attr| matches!(attr.name.as_str(), "grad" | "jacobian"))
}

/// The names by which an item is reached: its own, for a block the name of its type, and for what it holds the
/// same.
fn reached_by<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Name> {
    let of_block = |block| match &impl_data(db, block).self_ty {
        TypeRef::Path(path) => vec![Name::from(path.last_name())],
        _ => Vec::new(),
    };
    match item {
        Item::Impl(block) => of_block(block),
        Item::Function(function) => match function.container(db) {
            Container::Module(_) => vec![function.name(db)],
            Container::Impl(block) => of_block(block),
            Container::Trait(around) => vec![around.name(db)],
        },
        item => vec![item.name(db)],
    }
}
