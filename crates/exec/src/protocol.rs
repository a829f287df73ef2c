//! What a front end and the worker say to each other.
//!
//! The worker's standard input carries frames of [`ToWorker`], its standard output frames of
//! [`FromWorker`] and nothing else; its standard error is the front end's own. A frame is the length of
//! its content as 32 bits, little-endian, followed by the content in JSON.
//!
//! Texts and requests are applied in the order in which they are sent: a run sees exactly the texts that
//! were sent before it. Runs are executed one after the other. [`ToWorker::Stop`] is the exception: it
//! overtakes what waits. When standard input ends, the worker ends, and a program that it runs with it.
//!
//! Every run is answered by any number of events, of which the last and only the last is
//! [`Event::Failed`] or [`Event::Finished`].

use neuro_db::run::{GradientRun, RunEnd};
use serde::{Deserialize, Serialize};

/// Names a run of one [`crate::Worker`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct RunId(pub u64);

/// A message to the worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ToWorker {
    /// A file has this text from now on.
    SetText {
        /// The path as it is shown in messages.
        path: String,
        /// The whole text.
        text: String,
        /// The text's version; only handed back, never compared.
        version: i32,
    },
    /// A file is no longer there.
    Forget {
        /// The path that it had.
        path: String,
    },
    /// Something is to be run.
    Run {
        /// The name that its events carry.
        run: RunId,
        /// What.
        request: RunRequest,
    },
    /// A run is to end. Nothing happens when it has ended already.
    Stop {
        /// Which one.
        run: RunId,
    },
}

/// What is to be run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRequest {
    /// The file that the program starts in, by a path that was given a text.
    pub root: String,
    /// What to do with it.
    pub kind: RunKind,
    /// `-O0` to `-O3`: 0 checks integer arithmetic, the others wrap.
    pub opt_level: u8,
    /// What ends it.
    pub limits: Limits,
}

/// The kinds of runs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum RunKind {
    /// Runs `main`.
    Program {
        /// Whether each line of output is passed on at once, as a terminal wants it.
        flush_lines: bool,
    },
    /// Evaluates a `@grad` function and its gradients at one point.
    Gradient {
        /// The function's name.
        function: String,
        /// Values by parameter name, in the form of `neurc grad --inputs`.
        inputs: serde_json::Map<String, serde_json::Value>,
        /// Which sample stands for the inputs that are not given; 0 is the usual one.
        seed: u64,
    },
    /// Compiles a function and gives back a text of it; runs nothing.
    Ir {
        /// The function's name.
        function: String,
        /// Which text.
        stage: IrStage,
    },
}

/// A view that only the back end can give.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum IrStage {
    /// The code generator's input.
    Clif,
}

/// What ends a run that does not end by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    /// Wall-clock time from the program's start, in milliseconds.
    pub wall_ms: Option<u64>,
    /// Memory that the program may take beyond what the compiler itself holds.
    pub memory_mib: Option<u64>,
}

/// A message of the worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FromWorker {
    /// The run that it belongs to.
    pub run: RunId,
    /// What happened.
    pub event: Event,
}

/// Something that happened in a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Event {
    /// The program is compiled and starts.
    Started {
        /// The texts that it was made of and their versions.
        versions: Vec<(String, i32)>,
    },
    /// The program printed something. Pieces end between characters, not at lines.
    Output {
        /// Where.
        stream: Stream,
        /// What.
        text: String,
    },
    /// What a gradient run gave.
    Gradient(#[serde(with = "crate::float::gradient_run")] GradientRun),
    /// The text that was asked for.
    Text(String),
    /// Nothing was run. Ends the run.
    Failed(Failure),
    /// The program ended. Ends the run.
    Finished(RunEnd),
    /// The worker itself ended, and this run with it; the next run starts it again. Ends the run.
    /// Never sent by the worker.
    #[serde(skip)]
    WorkerLost {
        /// What is known of it, for people.
        message: String,
    },
}

impl Event {
    /// Whether no event of the same run follows.
    pub fn is_last(&self) -> bool {
        match self {
            Event::Failed(_) | Event::Finished(_) | Event::WorkerLost { .. } => true,
            Event::Started { .. } | Event::Output { .. } | Event::Gradient(_) | Event::Text(_) => {
                false
            }
        }
    }
}

/// A stream that a program prints to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Why nothing was run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// Whose fault it is.
    pub kind: FailureKind,
    /// Sentences for people, in lower case; of a program that does not check, a line for each error.
    pub messages: Vec<String>,
}

/// Whose fault it is that nothing was run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FailureKind {
    /// The program has errors.
    Diagnostics,
    /// The request does not fit the program: no such function, an input of another shape.
    Request,
    /// The compiler has a bug, or the system refused a resource.
    Internal,
}
