//! Programs as files: object files, and the text of the code that goes into them.

use std::collections::HashSet;

use neuro_db::Db;
use neuro_hir::Function;

use crate::abi::Target;
use crate::compiler::{Options, clif};
use crate::error::CompileError;
use crate::function::{Built, build, source_text};
use crate::imports::Linking;
use crate::machine;
use crate::object::ObjectFile;
use crate::sites::positions;

/// The object file of a program: linked with the run-time library, it is an executable. The program must be free of
/// errors.
///
/// # Errors
/// When a function does not hold what the checks promise, or there is no code generator for this machine.
pub fn build_program(
    db: &dyn Db,
    main: Function<'_>,
    options: Options,
) -> Result<Vec<u8>, CompileError> {
    let root = Target::start(db, main, options.overflow())?;
    let mut file = ObjectFile::new(main.file(db).path(db))?;
    let (mut open, mut seen) = (vec![root], HashSet::from([root]));
    while let Some(target) = open.pop() {
        let Built { function, unit, callees, .. } = build(db, target, file.isa(), Linking::Object)?;
        file.define(&target.name(db), function, &unit, &positions(db, &unit.sites))?;
        open.extend(callees.into_iter().filter(|callee| seen.insert(*callee)));
    }
    file.entry_point(&root.name(db))?;
    file.finish()
}

/// The text of the same code before register allocation.
///
/// # Errors
/// As for [`build_program`].
pub fn program_clif(
    db: &dyn Db,
    main: Function<'_>,
    options: Options,
) -> Result<String, CompileError> {
    let root = Target::start(db, main, options.overflow())?;
    each_text(db, root, |target, built| clif(&target.name(db), built))
}

/// The text of every function of a program as it is before it becomes code: a graph where it is compiled from one,
/// else its body.
///
/// # Errors
/// As for [`build_program`].
pub fn program_ir(
    db: &dyn Db,
    main: Function<'_>,
    options: Options,
) -> Result<String, CompileError> {
    let root = Target::start(db, main, options.overflow())?;
    each_text(db, root, |target, _| format!("; {}\n{}", target.name(db), source_text(db, *target)))
}

/// The texts of all the code that `root` reaches, with a line between them.
fn each_text<'db>(
    db: &'db dyn Db,
    root: Target<'db>,
    show: impl Fn(&Target<'db>, &Built<'db>) -> String,
) -> Result<String, CompileError> {
    let isa = machine::isa(Linking::Object)?;
    let mut texts = Vec::new();
    let (mut open, mut seen) = (vec![root], HashSet::from([root]));
    while let Some(target) = open.pop() {
        let built = build(db, target, &*isa, Linking::Object)?;
        texts.push(show(&target, &built));
        open.extend(built.callees.into_iter().filter(|callee| seen.insert(*callee)));
    }
    Ok(texts.join("\n"))
}
