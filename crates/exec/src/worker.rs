//! The front end's side of the worker.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::process::Process;
use crate::{Event, FromWorker, RunId, RunRequest, ToWorker};

/// Events of a run that may wait for their reader before the program is made to wait.
const EVENTS_IN_FLIGHT: usize = 256;

/// How the worker process is started.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The executable.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl Launch {
    /// This executable's own `worker` command.
    pub fn own() -> io::Result<Launch> {
        Ok(Launch { program: std::env::current_exe()?, args: vec!["worker".into()] })
    }
}

/// A worker process, started again whenever it has died, and the texts that it is to know.
///
/// No method waits for the worker. Dropping it kills the process and whatever it runs.
pub struct Worker {
    shared: Arc<Shared>,
}

/// A run that was asked for.
pub struct Run {
    /// Its name, for [`Worker::stop`].
    pub id: RunId,
    /// What happens, up to an event that [is the last](Event::is_last). It has to be read to its end or
    /// dropped: a program whose output nobody reads is made to wait.
    pub events: Receiver<Event>,
}

struct Shared {
    launch: Launch,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    texts: BTreeMap<String, Text>,
    /// The files that the worker is not to know any more.
    forgotten: Vec<String>,
    /// The runs that have not ended.
    runs: HashMap<RunId, RunState>,
    next_run: u64,
    process: Option<Process>,
    /// Counts processes: the end of one ends its own runs and no others.
    generation: u64,
}

struct RunState {
    events: Sender<Event>,
    /// Which process executes it.
    generation: u64,
}

struct Text {
    text: Arc<str>,
    version: i32,
    /// Whether the present process has it.
    sent: bool,
}

impl Worker {
    /// Starts a worker.
    pub fn start(launch: Launch) -> io::Result<Worker> {
        let shared = Arc::new(Shared { launch, state: Mutex::default() });
        shared.start_process(&mut shared.state())?;
        Ok(Worker { shared })
    }

    /// Gives a file its text. It travels with the next run, so this is cheap enough for every keystroke.
    pub fn set_text(&self, path: &str, text: impl Into<Arc<str>>, version: i32) {
        let text = Text { text: text.into(), version, sent: false };
        self.shared.state().texts.insert(path.to_owned(), text);
    }

    /// Forgets every file but some.
    pub fn keep_only(&self, keep: impl Fn(&str) -> bool) {
        let state = &mut *self.shared.state();
        let forgotten = &mut state.forgotten;
        state.texts.retain(|path, _| {
            let stays = keep(path);
            if !stays {
                forgotten.push(path.clone());
            }
            stays
        });
    }

    /// Asks for a run on the texts as they are now. Runs are executed in the order of the calls.
    pub fn run(&self, request: RunRequest) -> Run {
        let (sender, events) = bounded(EVENTS_IN_FLIGHT);
        let mut state = self.shared.state();
        let id = RunId(state.next_run);
        state.next_run += 1;
        if state.process.is_none()
            && let Err(error) = self.shared.start_process(&mut state)
        {
            let message = format!("the worker cannot be started: {error}");
            // The channel is new and has room.
            let _ = sender.send(Event::WorkerLost { message });
            return Run { id, events };
        }
        state.send_texts();
        let generation = state.generation;
        state.runs.insert(id, RunState { events: sender, generation });
        state.send(ToWorker::Run { run: id, request });
        Run { id, events }
    }

    /// Asks for the end of a run; it then ends as stopped, unless it ends otherwise before.
    pub fn stop(&self, run: RunId) {
        self.shared.state().send(ToWorker::Stop { run });
    }

    /// Kills the process; the next run starts another. Runs that have not ended lose their worker.
    pub fn restart(&self) {
        let process = self.shared.state().process.take();
        if let Some(process) = process {
            // Its reader sees the end of the pipe and tells the runs.
            process.kill();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.restart();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // No code that holds the lock can leave the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start_process(self: &Arc<Self>, state: &mut State) -> io::Result<()> {
        state.generation += 1;
        let generation = state.generation;
        let (events, end) = (Arc::clone(self), Arc::clone(self));
        let process = Process::start(
            &self.launch,
            move |message| events.deliver(message),
            move |error| end.process_ended(generation, error),
        )?;
        state.process = Some(process);
        for text in state.texts.values_mut() {
            text.sent = false;
        }
        Ok(())
    }

    fn deliver(&self, FromWorker { run, event }: FromWorker) {
        let mut state = self.state();
        let sender = match event.is_last() {
            true => state.runs.remove(&run).map(|run| run.events),
            false => state.runs.get(&run).map(|run| run.events.clone()),
        };
        // Sending may wait for the reader of the events, who may be asking for the lock.
        drop(state);
        if let Some(sender) = sender {
            // Nobody listens any more: the run goes on, unheard.
            let _ = sender.send(event);
        }
    }

    fn process_ended(&self, generation: u64, error: Option<io::Error>) {
        let mut state = self.state();
        let process = match state.generation == generation {
            true => state.process.take(),
            false => None,
        };
        let lost: Vec<RunState> = {
            let is_lost = |_: &RunId, run: &mut RunState| run.generation == generation;
            state.runs.extract_if(is_lost).map(|(_, run)| run).collect()
        };
        drop(state);
        let message = match process {
            Some(process) => {
                // After a broken frame the process still lives.
                let status = process.kill();
                let reason = error.map_or(status, |error| error.to_string());
                format!("the worker ended unexpectedly ({reason})")
            }
            None => "the worker was restarted".to_owned(),
        };
        for run in lost {
            // Nobody may be listening any more.
            let _ = run.events.send(Event::WorkerLost { message: message.clone() });
        }
    }
}

impl State {
    fn send(&self, message: ToWorker) {
        if let Some(process) = &self.process {
            process.send(message);
        }
    }

    fn send_texts(&mut self) {
        let Some(process) = &self.process else {
            return;
        };
        for path in self.forgotten.drain(..) {
            process.send(ToWorker::Forget { path });
        }
        for (path, text) in self.texts.iter_mut().filter(|(_, text)| !text.sent) {
            process.send(ToWorker::SetText {
                path: path.clone(),
                text: text.text.to_string(),
                version: text.version,
            });
            text.sent = true;
        }
    }
}

#[cfg(test)]
mod tests;
