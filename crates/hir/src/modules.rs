//! Which file a name of a module stands for, and which files a program may need.

use std::collections::BTreeSet;

use neuro_db::{Db, Name, Presence, RootDatabase, SourceFile, file_at};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::mentions::mentions;
use crate::names::in_module;
use crate::{Module, Resolution, file_items, resolve_name};

/// A set that remembers the order in which it was filled.
type FxIndexSet<T> = indexmap::IndexSet<T, FxBuildHasher>;

/// How the file is called that makes a folder a module.
const FOLDER_MODULE: &str = "mod.nr";

/// The folder of a path, with the separator behind it; empty for a path of one part.
fn folder(path: &str) -> &str {
    let end = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    path.get(..end).unwrap_or_default()
}

/// The paths where the module of a name would be, seen from a file: the first that is there counts.
fn candidates(beside: &str, name: &str) -> [String; 2] {
    let folder = folder(beside);
    [format!("{folder}{name}/{FOLDER_MODULE}"), format!("{folder}{name}.nr")]
}

/// The module of a name beside a file.
pub(crate) fn module_beside<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    name: &str,
) -> Option<Module<'db>> {
    let found = candidates(file.path(db), name).iter().find_map(|path| file_at(db, path))?;
    // A file is no module of its own.
    (found != file).then(|| Module::of_file(db, found))
}

/// The module of a name inside a module that is a file: only a folder has children.
pub(crate) fn child_module<'db>(
    db: &'db dyn Db,
    module: Module<'db>,
    name: &str,
) -> Option<Module<'db>> {
    if module.inline(db).is_empty() && is_folder(module.file(db).path(db)) {
        module_beside(db, module.file(db), name)
    } else {
        None
    }
}

fn is_folder(path: &str) -> bool {
    path.get(folder(path).len()..) == Some(FOLDER_MODULE)
}

/// How messages call a module: the last name of an inline one, or the file's name without its ending; a folder's
/// name for its `mod.nr`.
pub fn module_title<'db>(db: &'db dyn Db, module: Module<'db>) -> String {
    if let Some(name) = module.inline(db).last() {
        return name.to_string();
    }
    let path = module.file(db).path(db);
    let last = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let name = last(path);
    match is_folder(path) {
        true => last(folder(path).trim_end_matches(['/', '\\'])),
        false => name.strip_suffix(".nr").unwrap_or(&name).to_owned(),
    }
}

/// What is met where a path leads through files.
enum Met {
    /// A file.
    File(SourceFile),
    /// A path of which nobody has said whether a file is there.
    Unknown(String),
}

/// What a file says of other files.
#[derive(Clone, PartialEq, Eq, Debug, Default, salsa::SalsaValue)]
struct Links {
    /// Those that it leads to, each once.
    files: Vec<SourceFile>,
    /// The paths of which nobody has said whether a file is there, sorted.
    unknown: Vec<String>,
}

/// What a file says of other files. Equal after every edit that leads to the same ones.
#[salsa::tracked]
fn links(db: &dyn Db, file: SourceFile) -> Links {
    let mut files = FxIndexSet::default();
    let mut unknown = BTreeSet::new();
    each_path(db, file, &mut |met| match met {
        Met::File(found) => {
            files.insert(found);
        }
        Met::Unknown(path) => {
            unknown.insert(path);
        }
    });
    Links { files: files.into_iter().collect(), unknown: unknown.into_iter().collect() }
}

/// The paths at which a file may need another file that nobody has spoken of yet, sorted. Tell the database
/// what is there, and ask again: modules that are found may say more.
pub fn module_candidates(db: &dyn Db, file: SourceFile) -> Vec<String> {
    links(db, file).unknown.clone()
}

/// The files that a file needs, directly or through others, as far as the database knows them; the file itself
/// comes first.
pub fn needed_files(db: &dyn Db, root: SourceFile) -> Vec<SourceFile> {
    needed_by_all(db, &[root])
}

/// The files that some files need, directly or through others, each once; those themselves come first.
pub fn needed_by_all(db: &dyn Db, roots: &[SourceFile]) -> Vec<SourceFile> {
    let mut found: FxIndexSet<SourceFile> = roots.iter().copied().collect();
    let mut next = 0;
    while let Some(file) = found.get_index(next).copied() {
        next += 1;
        found.extend(&links(db, file).files);
    }
    found.into_iter().collect()
}

/// Which of some files may need one of those that changed, directly or through other files that are known: those
/// that mention its module by name, those that mention these, and so on. Follows no path, and so asks for no file.
pub fn users_of(
    db: &RootDatabase,
    files: &[SourceFile],
    changed: &[SourceFile],
) -> Vec<SourceFile> {
    let mut mentioned_by: FxHashMap<&Name, Vec<SourceFile>> = FxHashMap::default();
    for file in db.files() {
        for name in mentioned_modules(db, file) {
            mentioned_by.entry(name).or_default().push(file);
        }
    }
    let mut users = FxHashSet::default();
    let mut open = changed.to_vec();
    while let Some(file) = open.pop() {
        let title = Name::from(module_title(db, Module::of_file(db, file)));
        let by_name = mentioned_by.get(&title).into_iter().flatten();
        open.extend(by_name.filter(|user| users.insert(**user)));
    }
    files.iter().copied().filter(|file| users.contains(file)).collect()
}

/// The names in a file that may be those of modules, sorted: every part of an import, and of the paths of its items.
/// Equal after nearly every edit.
#[salsa::tracked(returns(deref))]
fn mentioned_modules(db: &dyn Db, file: SourceFile) -> Box<[Name]> {
    let imports = file_items(db, file).imports.iter().flat_map(|(_, binding)| &binding.path);
    let paths = paths_of_items(db, file).iter().flat_map(|path| &path.names);
    let names: BTreeSet<&Name> = imports.chain(paths).collect();
    names.into_iter().cloned().collect()
}

/// Tells the database of every file that some files need, directly or through others. `read` gives the text at
/// a path, or nothing if no file is there.
pub fn load_modules(
    db: &mut RootDatabase,
    roots: &[SourceFile],
    read: &mut dyn FnMut(&str) -> Option<String>,
) {
    let mut open = roots.to_vec();
    let mut seen: FxHashSet<SourceFile> = open.iter().copied().collect();
    while let Some(file) = open.pop() {
        // What was found may say what a longer path means, so the file is asked until it wants no more.
        loop {
            let wanted = module_candidates(db, file);
            if wanted.is_empty() {
                break;
            }
            for path in wanted {
                match read(&path) {
                    Some(text) => {
                        db.set_text_of_disk(&path, &text);
                    }
                    None => db.set_absent(&path),
                }
            }
        }
        open.extend(links(db, file).files.iter().filter(|found| seen.insert(**found)));
    }
}

/// Computes what is read off a file alone, whatever others there are.
pub fn prepare(db: &dyn Db, file: SourceFile) {
    for item in &file_items(db, file).items {
        mentions(db, *item);
    }
}

/// Follows the imports and the paths of a file through other files.
fn each_path(db: &dyn Db, file: SourceFile, visit: &mut dyn FnMut(Met)) {
    for (module, binding) in &file_items(db, file).imports {
        follow(db, *module, &binding.path, true, visit);
    }
    for path in paths_of_items(db, file) {
        follow(db, path.module, &path.names, false, visit);
    }
}

/// A path of several parts, and the module that it stands in.
#[derive(Clone, PartialEq, Eq, Hash, Debug, salsa::SalsaValue)]
struct PlacedPath<'db> {
    module: Module<'db>,
    names: Vec<Name>,
}

/// The paths of the items of a file, each once, with the module that they stand in. Equal after nearly every edit, so
/// that nothing is followed anew.
#[salsa::tracked(returns(deref))]
fn paths_of_items<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<PlacedPath<'db>> {
    let mut found = FxIndexSet::default();
    for item in &file_items(db, file).items {
        let module = item.module(db);
        for path in &mentions(db, *item).paths {
            found.insert(PlacedPath { module, names: path.clone() });
        }
    }
    found.into_iter().collect()
}

/// Follows a path through files as far as it is known; that of an import begins with a module, also where it brings an
/// item of the same name.
fn follow(
    db: &dyn Db,
    module: Module<'_>,
    path: &[Name],
    of_import: bool,
    visit: &mut dyn FnMut(Met),
) {
    let Some((first, rest)) = path.split_first() else { return };
    let mut current = match resolve_name(db, module, first.clone()) {
        Some(Resolution::Module(found)) => {
            visit(Met::File(found.file(db)));
            found
        }
        // An import that leads nowhere yet may be this one.
        found if of_import || matches!(found, None | Some(Resolution::Unknown)) => {
            match look(db, module.file(db), first, visit) {
                Some(found) => found,
                None => return,
            }
        }
        Some(_) | None => return,
    };
    for name in rest {
        let folder = current.inline(db).is_empty() && is_folder(current.file(db).path(db));
        current = match in_module(db, current, name) {
            Some(Resolution::Module(inner)) => inner,
            None if folder => match look(db, current.file(db), name, visit) {
                Some(found) => found,
                None => return,
            },
            Some(_) | None => return,
        };
    }
}

/// The module of a name beside a file.
fn look<'db>(
    db: &'db dyn Db,
    beside: SourceFile,
    name: &str,
    visit: &mut dyn FnMut(Met),
) -> Option<Module<'db>> {
    for path in candidates(beside.path(db), name) {
        match *db.place(&path).presence(db) {
            Presence::Unknown => visit(Met::Unknown(path)),
            Presence::There(found) if found == beside => return None,
            Presence::There(found) => {
                visit(Met::File(found));
                return Some(Module::of_file(db, found));
            }
            Presence::Absent => {}
        }
    }
    None
}
