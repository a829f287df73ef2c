//! Programs as files: object files, and the text of the code that goes into them.

use std::collections::HashSet;

use cranelift_module::Linkage;
use neuro_db::{Db, SourceFile};
use neuro_hir::Function;

use crate::abi::Target;
use crate::compiler::{Options, clif};
use crate::error::CompileError;
use crate::exports::{NotExported, exports};
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
    add_all(db, &mut file, vec![root])?;
    file.entry_point(&root.name(db))?;
    file.finish(options.inlines())
}

/// The object file of the functions of a file that C can call, with the entry point if there is a `main`; and those
/// that C cannot call. The file must be free of errors.
///
/// # Errors
/// As for [`build_program`].
pub fn build_library(
    db: &dyn Db,
    source: SourceFile,
    main: Option<Function<'_>>,
    options: Options,
) -> Result<(Vec<u8>, Vec<NotExported>), CompileError> {
    let mut file = ObjectFile::new(source.path(db))?;
    let mut roots = Vec::new();
    let (found, refused) = exports(db, source);
    for export in found {
        for wrapper in export.wrappers(db, options.overflow(), file.isa())? {
            file.define(&wrapper.name, Linkage::Export, wrapper.function, &wrapper.unit, &[])?;
            roots.extend(wrapper.callees);
        }
    }
    let start = main.map(|main| Target::start(db, main, options.overflow())).transpose()?;
    roots.extend(start);
    add_all(db, &mut file, roots)?;
    if let Some(start) = start {
        file.entry_point(&start.name(db))?;
    }
    Ok((file.finish(options.inlines())?, refused))
}

/// Adds what `open` holds and all that it reaches.
fn add_all<'db>(
    db: &'db dyn Db,
    file: &mut ObjectFile,
    mut open: Vec<Target<'db>>,
) -> Result<(), CompileError> {
    let mut seen = HashSet::new();
    open.retain(|target| seen.insert(*target));
    while let Some(target) = open.pop() {
        let Built { function, unit, callees, .. } = build(db, target, file.isa(), Linking::Object)?;
        let sites = positions(db, &unit.sites);
        file.define(&target.name(db), Linkage::Local, function, &unit, &sites)?;
        open.extend(callees.into_iter().filter(|callee| seen.insert(*callee)));
    }
    Ok(())
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
