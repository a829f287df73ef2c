//! Run actions: programs and derivatives in the worker, and what the client is told of them.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use crossbeam_channel::Sender;
use neuro_db::run::{GradientRun, Limit, RunEnd};
use neuro_exec::{
    Event, Launch, Limits, Run, RunId, RunKind, RunRequest, Stream, Worker, gradient_report,
};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::runtime::Handle;
use tower_lsp::Client;
use tower_lsp::lsp_types::MessageType;

use crate::documents::document_key;
use crate::main_loop::Message;
use crate::panics::Panic;
use crate::protocol::{
    CommandArgument, InitializationOptions, RunFinished, RunFinishedParams, RunOutput,
    RunOutputParams,
};

/// The status of a program that a signal ended, as shells report it.
const ABORTED: i32 = 134;

/// A file as a run sees it.
pub(crate) struct RunText {
    pub(crate) path: String,
    pub(crate) text: Arc<str>,
    /// The client's number of the text; 0 for what is not open.
    pub(crate) version: i32,
}

/// The workers and the runs that have not ended.
///
/// A worker executes one run after another, so programs and gradients have one each: a gradient need not wait
/// for the end of a program.
pub(crate) struct Runs {
    client: Client,
    runtime: Handle,
    main_loop: Sender<Message>,
    options: InitializationOptions,
    programs: Option<Worker>,
    gradients: Option<Worker>,
    /// The number of the next run: what the client knows it by.
    next: u64,
    active: Arc<Mutex<HashMap<u64, ActiveRun>>>,
}

/// A run that has not ended.
struct ActiveRun {
    document: String,
    /// Whether a gradient is computed, else a program runs.
    gradient: bool,
    /// What the worker knows it by.
    id: RunId,
}

impl Runs {
    pub(crate) fn new(
        client: Client,
        runtime: Handle,
        options: InitializationOptions,
        main_loop: Sender<Message>,
    ) -> Self {
        Self {
            client,
            runtime,
            main_loop,
            options,
            programs: None,
            gradients: None,
            next: 0,
            active: Arc::default(),
        }
    }

    /// Starts a run on the texts as they are now, unsaved ones included. Its events follow as notifications.
    /// An earlier run of the same kind on the document ends: nobody looks at it any more. Limits that the
    /// project does not set are those of the client.
    pub(crate) fn start(
        &mut self,
        argument: CommandArgument,
        gradient: bool,
        texts: &[RunText],
        project: Limits,
    ) -> Result<u64, String> {
        if self.options.trusted == Some(false) {
            return Err("nothing runs in a workspace that is not trusted".to_owned());
        }
        let uri = argument.uri.ok_or("a run needs the address of a document")?;
        let root = document_key(&uri);
        if texts.iter().all(|text| text.path != root) {
            return Err("the document is not open".to_owned());
        }
        let kind = if gradient {
            let function =
                argument.function.ok_or("a gradient run needs the name of a function")?;
            RunKind::Gradient { function, inputs: argument.inputs.unwrap_or_default(), seed: 0 }
        } else {
            RunKind::Program { flush_lines: true }
        };
        let own = &self.options.worker;
        let limits = Limits {
            wall_ms: project.wall_ms.or(Some(own.timeout_seconds.saturating_mul(1000))),
            memory_mib: project.memory_mib.or(Some(own.memory_mib)),
        };
        self.stop_where(|run| run.document == root && run.gradient == gradient);
        let worker = self.worker(gradient)?;
        worker.keep_only(|path| texts.iter().any(|text| text.path == path));
        for text in texts {
            worker.set_text(&text.path, Arc::clone(&text.text), text.version);
        }
        let run = worker.run(RunRequest { root: root.clone(), kind, opt_level: 0, limits });
        let number = self.next;
        self.next += 1;
        let active = ActiveRun { document: root, gradient, id: run.id };
        self.active.lock().insert(number, active);
        self.follow(number, run);
        Ok(number)
    }

    /// Ends the runs of a document, or all.
    pub(crate) fn stop(&self, argument: &CommandArgument) {
        let only = argument.uri.as_ref().map(document_key);
        self.stop_where(|run| only.as_ref().is_none_or(|only| *only == run.document));
    }

    fn stop_where(&self, ends: impl Fn(&ActiveRun) -> bool) {
        for run in self.active.lock().values().filter(|run| ends(run)) {
            let worker = if run.gradient { &self.gradients } else { &self.programs };
            if let Some(worker) = worker {
                worker.stop(run.id);
            }
        }
    }

    /// Kills the workers; the next run starts another.
    pub(crate) fn restart(&mut self) {
        self.programs = None;
        self.gradients = None;
    }

    fn worker(&mut self, gradient: bool) -> Result<&Worker, String> {
        let worker = if gradient { &mut self.gradients } else { &mut self.programs };
        match worker {
            Some(worker) => Ok(worker),
            empty => {
                let started = Launch::own().and_then(Worker::start);
                let worker =
                    started.map_err(|error| format!("the worker cannot be started: {error}"))?;
                Ok(empty.insert(worker))
            }
        }
    }

    /// Passes a run's events on to the client, on a thread of its own.
    fn follow(&self, number: u64, run: Run) {
        let (client, runtime) = (self.client.clone(), self.runtime.clone());
        let active = Arc::clone(&self.active);
        let main_loop = self.main_loop.clone();
        let tell = !self.options.shows_runs;
        std::thread::spawn(move || {
            let mut result = None;
            let mut errors = String::new();
            for event in run.events {
                match event {
                    Event::Output { stream, text } => {
                        let stream = match stream {
                            Stream::Stdout => "stdout",
                            Stream::Stderr => {
                                errors.push_str(&text);
                                "stderr"
                            }
                        };
                        let output =
                            RunOutputParams { run: number, stream: stream.to_owned(), text };
                        runtime.block_on(client.send_notification::<RunOutput>(output));
                    }
                    Event::Gradient(gradient) => result = Some(gradient),
                    Event::Started { .. } | Event::Text(_) => {}
                    Event::Failed(_) | Event::Finished(_) | Event::WorkerLost { .. } => {
                        active.lock().remove(&number);
                        let aborted = matches!(event, Event::Finished(RunEnd::Aborted { .. }));
                        if let Some(panic) = Panic::parse(&errors).filter(|_| aborted) {
                            // The main loop ends only with the process.
                            let _ = main_loop.send(Message::Panicked(panic));
                        }
                        let finished = finished(number, &event, result.as_ref());
                        if tell {
                            let (level, text) = summary(&finished, result.as_ref());
                            runtime.block_on(client.show_message(level, text));
                        }
                        runtime.block_on(client.send_notification::<RunFinished>(finished));
                        break;
                    }
                }
            }
        });
    }
}

/// The notification that ends a run.
fn finished(run: u64, end: &Event, result: Option<&GradientRun>) -> RunFinishedParams {
    let mut finished = RunFinishedParams {
        run,
        status: 0,
        signal: None,
        limit: None,
        message: None,
        function: None,
        value: None,
        inputs: None,
        gradients: None,
    };
    if let Some(mut report) = result.map(gradient_report) {
        finished.function = result.map(|result| result.function.clone());
        finished.value = report.get_mut("value").map(Value::take);
        finished.inputs = report.get_mut("inputs").map(Value::take);
        finished.gradients = report.get_mut("gradients").map(Value::take);
    }
    match end {
        Event::Finished(RunEnd::Exited(status)) => finished.status = *status,
        Event::Finished(RunEnd::Aborted { signal }) => {
            finished.status = ABORTED;
            finished.signal = Some(*signal);
            finished.message =
                Some("the program panicked or crashed; its output says why".to_owned());
        }
        Event::Finished(RunEnd::Limit(limit)) => {
            let (word, sentence) = match limit {
                Limit::Time => ("time", "the program took longer than the time limit allows"),
                Limit::Memory => ("memory", "the program needed more than the memory limit allows"),
            };
            finished.status = ABORTED;
            finished.limit = Some(word.to_owned());
            finished.message = Some(format!(
                "{sentence} (`[worker]` in `neuro.toml`, or the setting `neuro.worker`)"
            ));
        }
        Event::Finished(RunEnd::Stopped) => {
            finished.status = ABORTED;
            finished.message = Some("the run was stopped".to_owned());
        }
        Event::Failed(failure) => {
            finished.status = match failure.kind {
                neuro_exec::FailureKind::Diagnostics => 1,
                neuro_exec::FailureKind::Request | neuro_exec::FailureKind::Internal => 2,
            };
            finished.message = Some(failure.messages.join("\n"));
        }
        Event::WorkerLost { message } => {
            finished.status = 2;
            finished.message = Some(message.clone());
        }
        // No other event ends a run.
        Event::Started { .. } | Event::Output { .. } | Event::Gradient(_) | Event::Text(_) => {}
    }
    finished
}

/// What a client without a view of its own is told.
fn summary(finished: &RunFinishedParams, result: Option<&GradientRun>) -> (MessageType, String) {
    match (result, &finished.message) {
        (Some(run), _) => {
            let mut text = format!("{}: loss {}", run.function, run.value);
            for (name, gradient) in &run.gradients {
                let norm = gradient.data.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
                let _ = write!(text, ", |∂loss/∂{name}| {norm:.6}");
            }
            (MessageType::INFO, text)
        }
        (None, Some(message)) => (MessageType::ERROR, message.clone()),
        (None, None) => {
            (MessageType::INFO, format!("the program ended with status {}", finished.status))
        }
    }
}
