//! Which file a name of a module stands for, and which files a program may need.

use std::collections::BTreeSet;

use neuro_db::{Db, Name, Presence, RootDatabase, SourceFile, file_at};
use neuro_syntax::{AstNode, ast};
use rustc_hash::FxHashSet;

use crate::names::in_module;
use crate::{Item, Module, Resolution, file_items, resolve_name, tree};

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

/// The paths at which a file may need another file that nobody has spoken of yet, sorted. Tell the database
/// what is there, and ask again: modules that are found may say more.
pub fn module_candidates(db: &dyn Db, file: SourceFile) -> Vec<String> {
    let mut wanted = BTreeSet::new();
    each_path(db, file, &mut |met| {
        if let Met::Unknown(path) = met {
            wanted.insert(path);
        }
    });
    wanted.into_iter().collect()
}

/// The files that a file needs, directly or through others, as far as the database knows them; the file itself
/// comes first.
pub fn needed_files(db: &dyn Db, root: SourceFile) -> Vec<SourceFile> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(file) = found.get(next).copied() {
        next += 1;
        each_path(db, file, &mut |met| match met {
            Met::File(file) if !found.contains(&file) => found.push(file),
            Met::File(_) | Met::Unknown(_) => {}
        });
    }
    found
}

/// Tells the database of every file that some files need, directly or through others. `read` gives the text at
/// a path, or nothing if no file is there.
pub fn load_modules(
    db: &mut RootDatabase,
    roots: &[SourceFile],
    read: &mut dyn FnMut(&str) -> Option<String>,
) {
    let mut open = roots.to_vec();
    let mut seen = FxHashSet::default();
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
                        db.set_text(&path, &text);
                    }
                    None => db.set_absent(&path),
                }
            }
        }
        seen.insert(file);
        each_path(db, file, &mut |met| match met {
            Met::File(found) if !seen.contains(&found) && !open.contains(&found) => {
                open.push(found);
            }
            Met::File(_) | Met::Unknown(_) => {}
        });
    }
}

/// Follows the imports and the paths of a file through other files.
fn each_path(db: &dyn Db, file: SourceFile, visit: &mut dyn FnMut(Met)) {
    for (module, binding) in &file_items(db, file).imports {
        follow(db, *module, &binding.path, visit);
    }
    for item in &file_items(db, file).items {
        for path in qualified_paths(db, *item) {
            follow(db, item.module(db), path, visit);
        }
    }
}

/// Follows a path through files as far as it is known.
fn follow(db: &dyn Db, module: Module<'_>, path: &[Name], visit: &mut dyn FnMut(Met)) {
    let Some((first, rest)) = path.split_first() else { return };
    let mut current = match resolve_name(db, module, first.clone()) {
        Some(Resolution::Module(found)) => {
            visit(Met::File(found.file(db)));
            found
        }
        // An import that leads nowhere yet may be this one.
        None | Some(Resolution::Unknown) => match look(db, module.file(db), first, visit) {
            Some(found) => found,
            None => return,
        },
        Some(_) => return,
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

/// The paths of an item that have several parts, without their arguments. What it holds has its own.
#[salsa::tracked(returns(deref))]
fn qualified_paths<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Vec<Name>> {
    let mut found = Vec::new();
    let mut nodes = tree::node(item.source(db)).preorder();
    while let Some(event) = nodes.next() {
        let neuro_syntax::WalkEvent::Enter(node) = event else { continue };
        if ast::Func::can_cast(node.kind()) && node.parent().is_some() {
            nodes.skip_subtree();
            continue;
        }
        let Some(path) = ast::Path::cast(node) else { continue };
        let names: Vec<Name> =
            path.segments().map(|segment| tree::name_ref_text(segment.name())).collect();
        if names.len() > 1 && !found.contains(&names) {
            found.push(names);
        }
    }
    found
}
