//! `neurc build`: makes an executable, an object file or library for C, or the text on the way there.

mod file;
mod link;

use std::path::Path;

use neuro_codegen::{
    CompileError, NotExported, Options, build_library, build_program, program_clif, program_ir,
};
use neuro_db::{RootDatabase, SourceFile};
use neuro_hir::Function;
use neuro_ide::needed_files;

use super::{CLEAN, Outcome, run};
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
    if let Some(status) = run::refused(&mut program, "main")? {
        return Ok(status);
    }
    let job = Job::new(&program, args, &to);
    job.emit(args.emit)?;
    output::report(&format!("built `{to}` from `{}`\n", args.file));
    Ok(CLEAN)
}

/// What is to be built, and where it goes.
struct Job<'a> {
    db: &'a RootDatabase,
    root: SourceFile,
    main: Option<Function<'a>>,
    options: Options,
    /// The file as it was given.
    file: &'a str,
    to: &'a str,
}

impl<'a> Job<'a> {
    fn new(program: &'a Loaded, args: &'a BuildArgs, to: &'a str) -> Self {
        let (db, root) = (&program.db, program.root);
        let main = neuro_ide::find_function(db, root, "main");
        let options = Options { checked: args.optimization.level == 0 };
        Self { db, root, main, options, file: &args.file, to }
    }

    fn emit(&self, emit: Emit) -> Result<(), String> {
        let Job { db, options, to, .. } = *self;
        match emit {
            Emit::Exe => {
                let object = build_program(db, self.main()?, options).map_err(internal)?;
                link::executable(&object, to)
            }
            Emit::Obj => file::write(to, &self.library()?, file::Kind::Data),
            Emit::Lib => link::library(&self.library()?, to),
            Emit::Ir => {
                let text = program_ir(db, self.main()?, options).map_err(internal)?;
                file::write(to, text.as_bytes(), file::Kind::Data)
            }
            Emit::Clif => {
                let text = program_clif(db, self.main()?, options).map_err(internal)?;
                file::write(to, text.as_bytes(), file::Kind::Data)
            }
        }
    }

    fn main(&self) -> Result<Function<'a>, String> {
        self.main.ok_or_else(|| {
            format!(
                "`{}` has no function `main`, with which a program starts: write `func main() -> i32 {{ .. }}`, or \
                 build its functions for C with `--emit obj`",
                self.file
            )
        })
    }

    /// The object file of what C can call. Says what it cannot.
    fn library(&self) -> Result<Vec<u8>, String> {
        let built = build_library(self.db, self.root, self.main, self.options);
        let (object, refused) = built.map_err(internal)?;
        for NotExported { function, reason } in refused {
            output::report(&format!("note: C cannot call `{function}`: {reason}\n"));
        }
        Ok(object)
    }
}

fn internal(error: CompileError) -> String {
    format!("internal error: {error}")
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
        Emit::Lib => "a",
        Emit::Ir => "ir",
        Emit::Clif => "clif",
    };
    let mut path = Path::new(&args.file).with_extension(extension);
    if args.emit == Emit::Lib {
        // As linkers look for it.
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        path.set_file_name(format!("lib{name}"));
    }
    Ok(path.display().to_string())
}

/// The source of the program that is the file at `path`.
fn source_at(program: &Loaded, path: &str) -> Option<String> {
    let output = std::fs::canonicalize(path).ok()?;
    let files = needed_files(&program.db, program.root);
    let mut sources = files.into_iter().map(|file| file.path(&program.db).clone());
    sources.find(|source| std::fs::canonicalize(source).is_ok_and(|source| source == output))
}
