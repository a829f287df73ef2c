//! The derivative as text, each line with the words that it comes from.

use neuro_db::{Db, SourceFile, Span};
use neuro_grad::{Checked, DerivativeError, Site, Stage, stage_graph};
use neuro_hir::{Function, source_map};
use neuro_mir::Instance;
use text_size::TextRange;

/// What is shown of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ViewStage {
    /// A graph.
    Graph(Stage),
    /// The loop nests of the simplified derivative.
    Loops,
}

impl ViewStage {
    /// The stage of this name, as commands and requests spell it.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "primal" => Some(ViewStage::Graph(Stage::Primal)),
            "derivative" => Some(ViewStage::Graph(Stage::Derivative)),
            "optimised" => Some(ViewStage::Graph(Stage::Optimised)),
            "loops" => Some(ViewStage::Loops),
            _ => None,
        }
    }
}

/// A text that follows the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DerivativeView {
    /// The text.
    pub text: String,
    /// The lines that come from a known place, in order.
    pub lines: Vec<ViewLine>,
}

/// Where a line comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewLine {
    /// The line of the view, from 0.
    pub line: u32,
    /// The place in the file of the function.
    pub range: TextRange,
}

/// A stage of a function as text.
///
/// # Errors
/// A sentence that says why there is nothing to show.
pub fn derivative_view<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    stage: ViewStage,
) -> Result<DerivativeView, String> {
    let name = function.name(db);
    if crate::has_errors(&crate::diagnostics(db, function.file(db))) {
        return Err(format!("`{name}` has no graph while its file has errors"));
    }
    if let Some(reason) = neuro_mir::does_not_run(db, function) {
        return Err(format!("`{name}` {}", reason.message));
    }
    let instance = Instance::plain(db, function);
    let graph = |stage| {
        stage_graph(db, instance, Checked::Yes, stage).map_err(|error| explain(&name, &error))
    };
    let (text, sites) = match stage {
        ViewStage::Graph(stage) => {
            let (graph, sites) = graph(stage)?;
            (graph.to_string(), sites)
        }
        ViewStage::Loops => {
            let (graph, sites) = graph(Stage::Optimised)?;
            (neuro_loops::lower(&graph).to_string(), sites)
        }
    };
    let lines = text
        .lines()
        .enumerate()
        .filter_map(|(line, text)| {
            let range = line_range(db, function.file(db), text, &sites)?;
            Some(ViewLine { line: u32::try_from(line).ok()?, range })
        })
        .collect();
    Ok(DerivativeView { text, lines })
}

fn explain(name: &str, error: &DerivativeError<'_>) -> String {
    match error {
        DerivativeError::NoSpec => format!("`{name}` asks for no derivative: it has no `@grad`"),
        DerivativeError::NotRaised(reason) => {
            format!("`{name}` is no graph: it contains {}", reason.what)
        }
        DerivativeError::NoRule { what, .. } => {
            format!("`{name}` has no derivative: there is no rule for {what}")
        }
    }
}

/// The place of the last `loc(n)` of a line, if it is in the file.
fn line_range(db: &dyn Db, file: SourceFile, line: &str, sites: &[Site<'_>]) -> Option<TextRange> {
    let (_, rest) = line.rsplit_once("loc(")?;
    let number: usize = rest.split_once(')')?.0.parse().ok()?;
    let Site { function, expr } = *sites.get(number)?;
    if function.file(db) != file {
        return None;
    }
    let range = source_map(db, function).expr(expr);
    Some(Span::in_item(file, function.ast_id(db), range).absolute(db))
}
