//! `neurc ir`: views of a function on its way to machine code.

use neuro_exec::{IrStage, Limits, RunKind, RunRequest};
use neuro_grad::Stage as GraphStage;
use neuro_ide::ViewStage;
use neuro_types::diff_spec;

use super::{CLEAN, Outcome, follow, run};
use crate::cli::{IrArgs, IrFormat, Stage};
use crate::output;
use crate::source::{Loaded, split_function};

/// Prints a view.
pub(crate) fn execute(args: &IrArgs) -> Outcome {
    let (path, function) = split_function(&args.function)?;
    let mut program = Loaded::read(path)?;
    if let Some(status) = run::wrong(&mut program)? {
        return Ok(status);
    }
    let IrFormat::Text = args.format;
    let db = &program.db;
    let found = neuro_ide::find_function(db, program.root, function);
    let found = found.ok_or_else(|| format!("`{path}` has no function `{function}`"))?;
    let usual = || match diff_spec(db, found).spec {
        Some(_) => Stage::Derivative,
        None => Stage::Primal,
    };
    let stage = match args.stage.unwrap_or_else(usual) {
        Stage::Primal => ViewStage::Graph(GraphStage::Primal),
        Stage::Derivative => ViewStage::Graph(GraphStage::Derivative),
        Stage::Optimised => ViewStage::Graph(GraphStage::Optimised),
        Stage::Loops => ViewStage::Loops,
        Stage::Clif => return code(args, &program, function),
    };
    let view = neuro_ide::derivative_view(db, found, stage)?;
    output::finish(&line_ended(view.text), CLEAN)
}

/// What the code generator is given; only the worker has one.
fn code(args: &IrArgs, program: &Loaded, function: &str) -> Outcome {
    let request = RunRequest {
        root: program.path(),
        kind: RunKind::Ir { function: function.to_owned(), stage: IrStage::Clif },
        opt_level: args.optimization.level,
        limits: Limits::default(),
    };
    let followed = follow::follow(program, request)?;
    match followed.text {
        Some(text) => output::finish(&line_ended(text), followed.status),
        None => Ok(followed.status),
    }
}

fn line_ended(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
