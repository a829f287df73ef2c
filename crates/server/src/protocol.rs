//! Our own requests, notifications and commands. `docs/protocol.md` describes them for clients.

use lsp_types::notification::Notification;
use lsp_types::{Position, Range, TextDocumentIdentifier, Url};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Runs the program of a file.
pub(crate) const RUN: &str = "neuro.run";
/// Runs a derivative at sample inputs.
pub(crate) const GRADIENT: &str = "neuro.gradient";
/// Ends the runs of a file, or all.
pub(crate) const STOP: &str = "neuro.stop";
/// Gives a derivative as text.
pub(crate) const DERIVATIVE: &str = "neuro.derivative";
/// Kills the worker; the next run starts another.
pub(crate) const RESTART_WORKER: &str = "neuro.restartWorker";

/// Every command that the server executes.
pub(crate) const COMMANDS: &[&str] = &[RUN, GRADIENT, STOP, DERIVATIVE, RESTART_WORKER];

/// The argument of a command.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct CommandArgument {
    /// The document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<Url>,
    /// The function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<String>,
    /// The stage of a derivative's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stage: Option<String>,
    /// Values of parameters, as `neurc grad --inputs` takes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inputs: Option<serde_json::Map<String, Value>>,
}

/// Parameters of `neuro/derivative`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DerivativeParams {
    /// The document.
    pub(crate) text_document: TextDocumentIdentifier,
    /// A position in the function.
    pub(crate) position: Position,
    /// `primal`, `derivative`, `optimised` or `loops`; `derivative` if left out.
    pub(crate) stage: Option<String>,
}

/// Result of `neuro/derivative`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct DerivativeResult {
    /// The text.
    pub(crate) text: String,
    /// The function.
    pub(crate) function: String,
    /// Whether the text is of an older state of the document.
    pub(crate) stale: bool,
    /// Which lines, counted from 0, come from which range of the document.
    pub(crate) map: Vec<LineOrigin>,
}

/// A line and where it comes from.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LineOrigin {
    /// The line.
    pub(crate) line: u32,
    /// The range.
    pub(crate) range: Range,
}

/// `neuro/runOutput`: a program printed something.
pub(crate) enum RunOutput {}

impl Notification for RunOutput {
    type Params = RunOutputParams;
    const METHOD: &'static str = "neuro/runOutput";
}

/// What was printed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RunOutputParams {
    /// The run.
    pub(crate) run: u64,
    /// `stdout` or `stderr`.
    pub(crate) stream: String,
    /// The text.
    pub(crate) text: String,
}

/// `neuro/runFinished`: a run ended.
pub(crate) enum RunFinished {}

impl Notification for RunFinished {
    type Params = RunFinishedParams;
    const METHOD: &'static str = "neuro/runFinished";
}

/// How a run ended and what it gave.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RunFinishedParams {
    /// The run.
    pub(crate) run: u64,
    /// The exit status; 134 after a panic, 2 when nothing could be run, 1 when the program has errors.
    pub(crate) status: i32,
    /// The signal that ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signal: Option<i32>,
    /// The limit that ended it: `time` or `memory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<String>,
    /// Why nothing ran, or what ended the run, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// The function of a gradient run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<String>,
    /// The loss of a gradient run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<Value>,
    /// The inputs of a gradient run, by parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inputs: Option<Value>,
    /// The gradients, by parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) gradients: Option<Value>,
}

/// `neuro/serverStatus`: how the server is.
pub(crate) enum ServerStatus {}

impl Notification for ServerStatus {
    type Params = ServerStatusParams;
    const METHOD: &'static str = "neuro/serverStatus";
}

/// How the server is.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ServerStatusParams {
    /// `ok`, `warning` or `error`.
    pub(crate) health: String,
    /// Whether nothing is being computed.
    pub(crate) quiescent: bool,
    /// More, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
}

/// What the client says at the start.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct InitializationOptions {
    /// Limits of run actions.
    pub(crate) worker: WorkerOptions,
    /// Whether the user trusts the workspace; nothing runs where not.
    pub(crate) trusted: Option<bool>,
    /// Whether the client shows `neuro/runFinished` itself; else a message tells the result.
    pub(crate) shows_runs: bool,
}

/// Limits of run actions.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct WorkerOptions {
    /// Wall-clock time.
    pub(crate) timeout_seconds: u64,
    /// Memory.
    #[serde(rename = "memoryMiB")]
    pub(crate) memory_mib: u64,
}

impl Default for WorkerOptions {
    fn default() -> Self {
        Self { timeout_seconds: 60, memory_mib: 2048 }
    }
}
