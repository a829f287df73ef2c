//! Programs as the command line names them.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use neuro_db::{RootDatabase, SourceFile};
use neuro_ide::{PROJECT_FILE, load_modules};

/// What stands for standard input.
pub(crate) const STDIN: &str = "-";

/// The most bytes of a source file. Something that never ends, or is no program, is not read to its end.
const MOST: u64 = 32 << 20;

/// How standard input is called in messages.
const STDIN_NAME: &str = "<stdin>";

/// A file that was read.
pub(crate) struct Source {
    /// Its path as it was given, `-` for standard input.
    pub(crate) name: String,
    /// Its path in messages.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

impl Source {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &str) -> Result<Source, String> {
        if path == STDIN {
            let bytes = read_all(io::stdin().lock())
                .map_err(|error| format!("cannot read standard input: {}", reason(&error)))?;
            return Self::new(path, STDIN_NAME, bytes);
        }
        let bytes = File::open(path)
            .and_then(read_all)
            .map_err(|error| format!("cannot read `{path}`: {}", reason(&error)))?;
        Self::new(path, path, bytes)
    }

    fn new(name: &str, path: &str, bytes: Vec<u8>) -> Result<Source, String> {
        let text = String::from_utf8(bytes).map_err(|error| no_text(path, error.as_bytes()))?;
        Ok(Source { name: name.to_owned(), path: path.to_owned(), text })
    }
}

/// Says where a file is no text.
fn no_text(path: &str, bytes: &[u8]) -> String {
    let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let line = text.matches('\n').count() + 1;
    let start = text.rfind('\n').map_or(0, |newline| newline + 1);
    let mark = usize::from(start == 0 && text.starts_with(BYTE_ORDER_MARK));
    let column = text.get(start..).unwrap_or_default().chars().count() - mark + 1;
    format!("`{path}` is not UTF-8 text: the byte at {line}:{column} belongs to no character")
}

/// What some editors put in front of a text. It is no part of the first line.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Everything that there is to read.
fn read_all(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        let message =
            format!("a source file has at most {} MiB; split it into modules", MOST >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// A file, and those that it needs.
pub(crate) struct Loaded {
    pub(crate) db: RootDatabase,
    pub(crate) root: SourceFile,
    /// The path of the root as it was given.
    pub(crate) name: String,
}

impl Loaded {
    /// Reads a file, or standard input for `-`, and what it needs.
    pub(crate) fn read(path: &str) -> Result<Self, String> {
        let source = Source::read(path)?;
        let mut db = RootDatabase::default();
        let root = db.set_text(&source.path, &source.text);
        let mut no_text = Vec::new();
        load_modules(&mut db, &[root], &mut |path| {
            let module = read_module(path)?;
            no_text.extend(module.no_text);
            Some(module.text)
        });
        match no_text.into_iter().next() {
            Some(message) => Err(message),
            None => Ok(Self { db, root, name: source.name }),
        }
    }

    /// The path of the root in messages.
    pub(crate) fn path(&self) -> String {
        self.root.path(&self.db).clone()
    }
}

/// The file of a module.
pub(crate) struct ModuleText {
    /// Its text, as well as it can be read.
    pub(crate) text: String,
    /// Why it is no text, if it is none.
    pub(crate) no_text: Option<String>,
}

/// Reads a module's file; nothing if no file is there. What is none, such as a pipe, may never end.
pub(crate) fn read_module(path: &str) -> Option<ModuleText> {
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let bytes = File::open(path).and_then(read_all).ok()?;
    Some(match String::from_utf8(bytes) {
        Ok(text) => ModuleText { text, no_text: None },
        Err(error) => ModuleText {
            text: String::from_utf8_lossy(error.as_bytes()).into_owned(),
            no_text: Some(no_text(path, error.as_bytes())),
        },
    })
}

/// Splits `FILE::FUNC`.
pub(crate) fn split_function(target: &str) -> Result<(&str, &str), String> {
    match target.split_once("::") {
        Some((file, function)) if !file.is_empty() && !function.is_empty() => Ok((file, function)),
        _ => Err(format!("`{target}` names no function: write FILE::FUNC, as in `model.nr::loss`")),
    }
}

/// What paths stand for.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Expanded {
    /// Files, each once.
    pub(crate) files: Vec<String>,
    /// The folders that were looked into.
    pub(crate) folders: Vec<PathBuf>,
}

impl Expanded {
    /// What paths stand for: a file for itself, a folder for every `.nr` file in it, in the order of their names.
    ///
    /// # Errors
    ///
    /// Says which folder cannot be read or holds no such file. What was found and looked into by then is there.
    pub(crate) fn add(&mut self, paths: &[String]) -> Result<(), String> {
        for path in paths {
            if path == STDIN || !Path::new(path).is_dir() {
                self.files.push(path.clone());
                continue;
            }
            let before = self.files.len();
            walk(Path::new(path), self)?;
            if self.files.len() == before {
                return Err(format!("`{path}` contains no `.nr` file"));
            }
        }
        // One file may have several names.
        let mut seen = HashSet::new();
        let file = |name: &String| fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name));
        self.files.retain(|name| seen.insert(file(name)));
        Ok(())
    }
}

/// The files that paths stand for.
///
/// # Errors
///
/// Those of [`Expanded::add`].
pub(crate) fn expand(paths: &[String]) -> Result<Vec<String>, String> {
    let mut expanded = Expanded::default();
    expanded.add(paths)?;
    Ok(expanded.files)
}

/// Folders that hold no sources of a project.
fn is_foreign(name: &str) -> bool {
    name.starts_with('.') || name == "target" || name == "node_modules"
}

/// Whether a folder belongs to another language that uses the same ending.
fn is_noir(folder: &Path) -> bool {
    folder.join("Nargo.toml").is_file() && !folder.join(PROJECT_FILE).is_file()
}

/// Whether something in a folder is a file, perhaps by a link. That a link leads nowhere is told when it is read;
/// a pipe is not waited for.
fn may_be_read(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |found| found.is_file())
}

fn walk(folder: &Path, found: &mut Expanded) -> Result<(), String> {
    let cannot =
        |error: &io::Error| format!("cannot read `{}`: {}", folder.display(), reason(error));
    found.folders.push(folder.to_owned());
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| cannot(&error))? {
        entries.push(entry.map_err(|error| cannot(&error))?);
    }
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(|error| cannot(&error))?;
        let path = entry.path();
        // A link to a folder is not followed: it could lead back.
        if kind.is_dir() {
            if !is_foreign(&entry.file_name().to_string_lossy()) && !is_noir(&path) {
                walk(&path, found)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "nr") && may_be_read(&path)
        {
            let path = path.strip_prefix(".").unwrap_or(&path);
            found.files.push(path.display().to_string());
        }
    }
    Ok(())
}

/// What the system says, without the number of the error.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_not_read() {
        let endless = read_all(io::repeat(b' ')).map_err(|error| reason(&error));
        let message = "a source file has at most 32 MiB; split it into modules";
        assert_eq!(endless, Err(message.to_owned()));
        assert_eq!(read_all(&b"func"[..]).ok().as_deref(), Some(&b"func"[..]));
    }

    #[test]
    fn functions_are_named_behind_their_file() {
        assert_eq!(split_function("a/b.nr::f"), Ok(("a/b.nr", "f")));
        assert_eq!(split_function("b.nr::Type::f"), Ok(("b.nr", "Type::f")));
        for wrong in ["b.nr", "b.nr::", "::f", ""] {
            assert!(split_function(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn folders_stand_for_their_files() {
        let root = std::env::temp_dir().join(format!("neurc-expand-{}", std::process::id()));
        for file in
            ["b.nr", "a/c.nr", "a/c.txt", ".hidden/d.nr", "target/e.nr", "zk/Nargo.toml", "zk/f.nr"]
        {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let path = |file: &str| root.join(file).display().to_string();
        let given = [root.display().to_string(), path("b.nr"), "-".to_owned()];
        let mut found = Expanded::default();
        found.add(&given).unwrap();
        assert_eq!(found.files, [path("a/c.nr"), path("b.nr"), "-".to_owned()]);
        assert_eq!(found.folders, [root.clone(), root.join("a")]);
        let twice = [path("b.nr"), path("a/../b.nr")];
        assert_eq!(expand(&twice), Ok(vec![path("b.nr")]));
        assert!(expand(&[path("none")]).is_ok_and(|files| files == [path("none")]));
        // What is named is taken.
        assert!(expand(&[path("zk")]).is_ok_and(|files| files == [path("zk/f.nr")]));
        fs::remove_file(path("a/c.nr")).unwrap();
        assert!(expand(&[path("a")]).is_err_and(|message| message.contains("no `.nr` file")));
        fs::remove_dir_all(root).unwrap();
    }
}
