//! Writing results: whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::source::reason;

/// What a file is for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// It is read.
    Data,
    /// It is run.
    Program,
}

/// Writes a file. What was there before is replaced at once when all is written, and stays if that fails.
pub(super) fn write(to: &str, contents: &[u8], kind: Kind) -> Result<(), String> {
    let cannot = |error: &io::Error| format!("cannot write `{to}`: {}", reason(error));
    let path = Path::new(to);
    let mode = if kind == Kind::Program { 0o777 } else { 0o666 };
    match fs::metadata(path) {
        Ok(known) if known.is_dir() => return Err(format!("cannot write `{to}`: it is a folder")),
        // A device is written to, not replaced.
        Ok(known) if !known.is_file() => {
            return fs::write(path, contents).map_err(|error| cannot(&error));
        }
        Ok(_) | Err(_) => {}
    }
    let draft = Draft(beside(path));
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(&draft.0)
        .and_then(|mut file| file.write_all(contents).and_then(|()| file.sync_data()))
        .and_then(|()| fs::rename(&draft.0, path));
    written.map_err(|error| cannot(&error))
}

/// A name of our own in the folder of a file.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
}

/// A file that is removed unless it got another name.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        // It is not there any more if all went well.
        let _ = fs::remove_file(&self.0);
    }
}
