//! From an object file to an executable, with the system's C compiler as linker.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::file::{self, Kind};
use crate::source::reason;

/// The linker, unless `CC` names another.
const LINKER: &str = "cc";

/// What the run-time library needs of the system, and what is left out of the executable.
const FLAGS: &[&str] = if cfg!(target_os = "macos") {
    &["-Wl,-dead_strip", "-lm"]
} else {
    &[
        "-Wl,--gc-sections",
        "-Wl,--strip-debug",
        "-lgcc_s",
        "-lutil",
        "-lrt",
        "-lpthread",
        "-lm",
        "-ldl",
    ]
};

/// The run-time library, if it is a part of this program.
#[cfg(feature = "embed-runtime")]
const LIBRARY: Option<&[u8]> = Some(include_bytes!(env!("NEURO_RUNTIME_LIBRARY")));
#[cfg(not(feature = "embed-runtime"))]
const LIBRARY: Option<&[u8]> = None;

/// Its name as a file.
const LIBRARY_NAME: &str = "libneuro_runtime.a";

/// Links the object file of a program into the executable `to`.
pub(super) fn executable(object: &[u8], to: &str) -> Result<(), String> {
    let folder = Folder::new()?;
    let path = folder.write("program.o", object)?;
    let library = library(&folder)?;
    let result = folder.0.join("program");
    let linker = std::env::var("CC").ok().filter(|name| !name.trim().is_empty());
    let linker = linker.unwrap_or_else(|| LINKER.to_owned());
    let mut words = linker.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(LINKER));
    command.args(words).arg("-o").arg(&result).arg(&path).arg(&library).args(FLAGS);
    let linked = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!(
            "there is no `{linker}`, which links executables: install a C compiler such as gcc or clang, name yours in the \
             variable CC, or write an object file with `--emit obj`"
        ),
        _ => format!("cannot start the linker `{linker}`: {}", reason(&error)),
    })?;
    if !linked.status.success() {
        let said = String::from_utf8_lossy(&linked.stderr);
        return Err(format!(
            "the linker `{linker}` failed ({}):\n{}",
            linked.status,
            said.trim_end()
        ));
    }
    let program = fs::read(&result)
        .map_err(|error| format!("the linker `{linker}` gave no executable: {}", reason(&error)))?;
    file::write(to, &program, Kind::Program)
}

/// Where the run-time library is: written into the folder if it is a part of this program, else beside it.
fn library(folder: &Folder) -> Result<PathBuf, String> {
    if let Some(library) = LIBRARY {
        return folder.write(LIBRARY_NAME, library);
    }
    let own = std::env::current_exe()
        .map_err(|error| format!("cannot find myself: {}", reason(&error)))?;
    let path = own.with_file_name(LIBRARY_NAME);
    match path.is_file() {
        true => Ok(path),
        false => Err(format!(
            "there is no run-time library `{}`: this neurc was built without it (feature `embed-runtime`)",
            path.display()
        )),
    }
}

/// A folder of our own for what the linker reads and writes, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, String> {
        let folders = std::env::temp_dir();
        let mut number = 0;
        loop {
            let path = folders.join(format!("neurc-build-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => {
                    let (folders, reason) = (folders.display(), reason(&error));
                    return Err(format!(
                        "cannot make a folder in `{folders}` for the linker: {reason}"
                    ));
                }
            }
        }
    }

    fn write(&self, name: &str, contents: &[u8]) -> Result<PathBuf, String> {
        let path = self.0.join(name);
        let written = fs::write(&path, contents);
        written.map_err(|error| {
            let (path, reason) = (Path::display(&path), reason(&error));
            format!(
                "cannot write `{path}` for the linker: {reason}; TMPDIR can name another folder"
            )
        })?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind is the system's to clean.
        let _ = fs::remove_dir_all(&self.0);
    }
}
