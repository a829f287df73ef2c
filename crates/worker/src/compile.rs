//! From a request to something that can run, or to the reason why not.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use neuro_codegen::{CompileError, Compiler, Options, Program};
use neuro_db::{Diagnostic, RootDatabase, Severity, SourceFile, line_index};
use neuro_exec::{Failure, FailureKind, IrStage, RunKind, RunRequest};
use neuro_hir::Function;

use crate::gradient::Point;
use crate::inputs;

/// What a request was made into.
pub(crate) enum Artifact {
    /// A program.
    Program(Program),
    /// A function with the point at which it is to be evaluated.
    Gradient(Box<Point>),
    /// A text that was asked for.
    Text(String),
}

/// The code generator with its finished code; made when it is first needed.
#[derive(Default)]
pub(crate) struct Backend {
    compiler: Option<Compiler>,
}

impl Backend {
    /// Checks and compiles what a request asks for.
    pub(crate) fn compile(
        &mut self,
        db: &RootDatabase,
        request: &RunRequest,
    ) -> Result<Artifact, Failure> {
        let compiled = catch_unwind(AssertUnwindSafe(|| self.checked(db, request)));
        compiled.unwrap_or_else(|panic| {
            // Whatever state it was left in, it is made anew.
            self.compiler = None;
            Err(internal(format!("the compiler failed: {}", panic_text(&*panic))))
        })
    }

    fn checked(&mut self, db: &RootDatabase, request: &RunRequest) -> Result<Artifact, Failure> {
        let root = &request.root;
        let file = db.file(root).ok_or_else(|| refused(format!("`{root}` was given no text")))?;
        let errors = errors(db, file);
        if !errors.is_empty() {
            return Err(Failure { kind: FailureKind::Diagnostics, messages: errors });
        }
        let find = |name: &str| {
            let function = neuro_ide::find_function(db, file, name);
            let function =
                function.ok_or_else(|| refused(format!("`{root}` has no function `{name}`")))?;
            match neuro_mir::does_not_run(db, function) {
                Some(reason) => Err(refused(line(db, &reason))),
                None => Ok(function),
            }
        };
        let options = Options { checked: request.opt_level == 0 };
        let compiler = self.compiler()?;
        match &request.kind {
            RunKind::Program { .. } => {
                let main = find("main")?;
                let program = compiler.compile_program(db, main, options).map_err(not_compiled)?;
                Ok(Artifact::Program(program))
            }
            RunKind::Gradient { function: name, inputs: given, seed } => {
                let function = find(name)?;
                if neuro_types::diff_spec(db, function).spec.is_none() {
                    let message = format!("`{name}` has no gradient: it is not marked `@grad`");
                    return Err(refused(message));
                }
                let inputs = inputs::values(name, neuro_types::fn_sig(db, function), given, *seed);
                let inputs =
                    inputs.map_err(|messages| Failure { kind: FailureKind::Request, messages })?;
                point(compiler, db, function, inputs, options)
            }
            RunKind::Ir { function, stage: IrStage::Clif } => {
                let function = find(function)?;
                let text = compiler.clif(db, function, options).map_err(not_compiled)?;
                Ok(Artifact::Text(text))
            }
        }
    }

    fn compiler(&mut self) -> Result<&mut Compiler, Failure> {
        let compiler = match self.compiler.take() {
            Some(compiler) => compiler,
            None => Compiler::new().map_err(not_compiled)?,
        };
        Ok(self.compiler.insert(compiler))
    }
}

fn point(
    compiler: &mut Compiler,
    db: &RootDatabase,
    function: Function<'_>,
    inputs: Vec<(String, neuro_db::run::Value)>,
    options: Options,
) -> Result<Artifact, Failure> {
    let begin = Instant::now();
    let entry = compiler.compile_gradient(db, function, options).map_err(not_compiled)?;
    let compile_us = begin.elapsed().as_nanos() as f64 / 1e3;
    let function = function.name(db).to_string();
    Ok(Artifact::Gradient(Box::new(Point { function, inputs, entry, compile_us })))
}

/// A line for each error of a file and of those that it needs.
fn errors(db: &RootDatabase, root: SourceFile) -> Vec<String> {
    let files = neuro_ide::needed_files(db, root);
    let diagnostics = files.into_iter().flat_map(|file| neuro_ide::diagnostics(db, file));
    let diagnostics: Vec<Diagnostic> = diagnostics.collect();
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(|error| line(db, error)).collect()
}

/// A diagnostic in one line.
fn line(db: &RootDatabase, error: &Diagnostic) -> String {
    let file = error.span.file;
    let position = line_index(db, file).line_col(error.span.absolute(db).start());
    let (path, line) = (file.path(db), position.line + 1);
    format!("{path}:{line}: error[{}]: {}", error.code.as_str(), error.message)
}

fn refused(message: String) -> Failure {
    Failure { kind: FailureKind::Request, messages: vec![message] }
}

fn internal(message: String) -> Failure {
    Failure { kind: FailureKind::Internal, messages: vec![message] }
}

fn not_compiled(error: CompileError) -> Failure {
    internal(error.to_string())
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic")
}
