//! From an object file to an executable or a static library, with the system's C compiler and archiver.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::file::{self, Kind};
use crate::source::reason;

/// The linker, unless `CC` names another.
const LINKER: &str = "cc";

/// What makes static libraries.
const ARCHIVER: &str = "ar";

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
    let library = runtime(&folder)?;
    let result = folder.0.join("program");
    let linker = std::env::var("CC").ok().filter(|name| !name.trim().is_empty());
    let linker = linker.unwrap_or_else(|| LINKER.to_owned());
    let mut words = linker.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(LINKER));
    command.args(words).arg("-o").arg(&result).arg(&path).arg(&library).args(FLAGS);
    let advice = "executables are linked with it. Install a C compiler such as gcc or clang, name yours in the variable \
                  CC, or write an object file with `--emit obj`";
    run(command, &linker, advice)?;
    let program = fs::read(&result)
        .map_err(|error| format!("the linker `{linker}` gave no executable: {}", reason(&error)))?;
    file::write(to, &program, Kind::Program)
}

/// Makes a static library `to` of an object file and the run-time library.
pub(super) fn library(object: &[u8], to: &str) -> Result<(), String> {
    let folder = Folder::new()?;
    let whole = folder.0.join("whole.a");
    let copied = fs::copy(runtime(&folder)?, &whole);
    copied.map_err(|error| format!("cannot write `{}`: {}", whole.display(), reason(&error)))?;
    let name = Path::new(to).with_extension("o");
    let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let object = folder.write(&name, object)?;
    let mut command = Command::new(ARCHIVER);
    command.arg("rs").arg(&whole).arg(&object);
    run(command, ARCHIVER, "static libraries are made with it; `--emit obj` needs none")?;
    let library = fs::read(&whole).map_err(|error| reason(&error))?;
    file::write(to, &library, Kind::Data)
}

/// Runs a tool of the system. `advice` is for those who do not have it.
fn run(mut command: Command, name: &str, advice: &str) -> Result<(), String> {
    let done = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no `{name}`: {advice}"),
        _ => format!("cannot start `{name}`: {}", reason(&error)),
    })?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    Err(format!("`{name}` failed ({}):\n{}", done.status, said.trim_end()))
}

/// Where the run-time library is: written into the folder if it is a part of this program, else beside it.
fn runtime(folder: &Folder) -> Result<PathBuf, String> {
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
