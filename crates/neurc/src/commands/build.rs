//! `neurc build`: makes an executable, an object file, or the text that the code generator is given.

mod file;
mod link;

use std::path::Path;

use neuro_codegen::{CompileError, Options, build_program, program_clif, program_ir};
use neuro_db::Db;
use neuro_hir::Function;
use neuro_ide::needed_files;

use super::{CLEAN, FINDINGS, Outcome, run};
use crate::cli::{BuildArgs, Emit};
use crate::output;
use crate::source::{Loaded, STDIN};

/// Builds a program.
pub(crate) fn execute(args: &BuildArgs) -> Outcome {
    let mut program = Loaded::read(&args.file)?;
    let to = output_path(args)?;
    if let Some(source) = source_at(&program, &to) {
        return Err(format!(
            "the result would overwrite `{source}`, a source of the program: choose another file with `-o`"
        ));
    }
    if let Some(status) = run::refused(&mut program)? {
        return Ok(status);
    }
    let db = &program.db;
    let main = neuro_ide::find_function(db, program.root, "main");
    let main = main.ok_or_else(|| {
        let path = &args.file;
        format!("`{path}` has no function `main`, with which a program starts: write `func main() -> i32 {{ .. }}`")
    })?;
    if let Some(reason) = neuro_mir::does_not_run(db, main) {
        run::show(db, &[reason]);
        return Ok(FINDINGS);
    }
    let options = Options { checked: args.optimization.level == 0 };
    emit(db, main, args.emit, options, &to)?;
    output::report(&format!("built `{}` from `{}`\n", to, args.file));
    Ok(CLEAN)
}

fn emit(
    db: &dyn Db,
    main: Function<'_>,
    emit: Emit,
    options: Options,
    to: &str,
) -> Result<(), String> {
    let internal = |error: CompileError| format!("internal error: {error}");
    match emit {
        Emit::Exe => link::executable(&build_program(db, main, options).map_err(internal)?, to),
        Emit::Obj => {
            file::write(to, &build_program(db, main, options).map_err(internal)?, file::Kind::Data)
        }
        Emit::Ir => {
            let text = program_ir(db, main, options).map_err(internal)?;
            file::write(to, text.as_bytes(), file::Kind::Data)
        }
        Emit::Clif => {
            let text = program_clif(db, main, options).map_err(internal)?;
            file::write(to, text.as_bytes(), file::Kind::Data)
        }
    }
}

/// Where the result goes.
fn output_path(args: &BuildArgs) -> Result<String, String> {
    if let Some(output) = &args.output {
        return match output.is_empty() {
            true => Err("`-o` names no file".to_owned()),
            false => Ok(output.clone()),
        };
    }
    if args.file == STDIN {
        return Err(
            "a program from standard input has no name: say with `-o OUT` where it goes".to_owned()
        );
    }
    let extension = match args.emit {
        Emit::Exe => std::env::consts::EXE_EXTENSION,
        Emit::Obj => "o",
        Emit::Ir => "ir",
        Emit::Clif => "clif",
    };
    Ok(Path::new(&args.file).with_extension(extension).display().to_string())
}

/// The source of the program that is the file at `path`.
fn source_at(program: &Loaded, path: &str) -> Option<String> {
    let output = std::fs::canonicalize(path).ok()?;
    let files = needed_files(&program.db, program.root);
    let mut sources = files.into_iter().map(|file| file.path(&program.db).clone());
    sources.find(|source| std::fs::canonicalize(source).is_ok_and(|source| source == output))
}
