//! Compiling and running a text in this process or in a forked one.

use std::io::Read;
use std::os::fd::FromRawFd;

use neuro_db::{Db, Diagnostic, RootDatabase, Severity, SourceFile};
use neuro_hir::{Function, Item, file_items};
use neuro_runtime::{live_blocks, output, signals};

use crate::{Compiler, Options};

pub(super) const CHECKED: Options = Options { checked: true };
pub(super) const WRAPPING: Options = Options { checked: false };

/// A database with one file.
pub(super) fn database(text: &str) -> (RootDatabase, SourceFile) {
    let mut db = RootDatabase::default();
    let file = db.set_text("test.nr", text);
    (db, file)
}

/// The function called `name` of a text without errors.
pub(super) fn function<'db>(db: &'db dyn Db, file: SourceFile, name: &str) -> Function<'db> {
    let mut found = None;
    for item in &file_items(db, file).items {
        let Item::Function(function) = *item else { continue };
        let wrong: Vec<&Diagnostic> = neuro_hir::diagnostics(db, function)
            .iter()
            .chain(neuro_types::diagnostics(db, function))
            .chain(neuro_mir::diagnostics(db, function))
            .chain(neuro_grad::diagnostics(db, function))
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        if function.name(db) == name {
            found = Some(function);
        }
    }
    found.unwrap_or_else(|| panic!("there is no {name}"))
}

/// What a program prints, and its status. Nothing that it made may be left.
pub(super) fn run_with(text: &str, options: Options) -> (String, i32) {
    let (db, file) = database(text);
    let mut compiler = Compiler::new().expect("a compiler");
    let program = compiler.compile_program(&db, function(&db, file, "main"), options);
    let program = program.expect("a program");
    let before = live_blocks();
    let (status, printed) = output::capture(|| program.run());
    assert_eq!(live_blocks(), before, "blocks are left");
    (String::from_utf8(printed).expect("text"), status)
}

/// What a program prints, the same at every level.
pub(super) fn run(text: &str) -> String {
    let (printed, status) = run_with(text, CHECKED);
    assert_eq!(run_with(text, WRAPPING), (printed.clone(), status));
    assert_eq!(status, 0);
    printed
}

/// The statements of `main`.
pub(super) fn main_of(statements: &str) -> String {
    format!("func main() -> i32 {{\n{statements}\n0\n}}\n")
}

/// What a program writes to both streams in a forked process, and the signal that ended it.
pub(super) fn run_forked(text: &str, options: Options) -> (String, i32) {
    let (db, file) = database(text);
    let mut compiler = Compiler::new().expect("a compiler");
    let program = compiler.compile_program(&db, function(&db, file, "main"), options);
    let program = program.expect("a program");
    let mut ends = [0; 2];
    // SAFETY: the child runs the program on its own copy of everything and never returns.
    unsafe {
        assert_eq!(libc::pipe(ends.as_mut_ptr()), 0);
        let process = libc::fork();
        if process == 0 {
            libc::dup2(ends[1], libc::STDOUT_FILENO);
            libc::dup2(ends[1], libc::STDERR_FILENO);
            signals::install();
            let status = program.run();
            libc::_exit(status);
        }
        libc::close(ends[1]);
        let mut printed = String::new();
        std::fs::File::from_raw_fd(ends[0]).read_to_string(&mut printed).expect("text");
        let mut status = 0;
        libc::waitpid(process, &mut status, 0);
        (printed, libc::WTERMSIG(status))
    }
}
