//! Tests of the front end's side of the worker.

use super::*;
use crate::{Limits, RunKind};

fn launch(program: &str, args: &[&str]) -> Launch {
    Launch { program: program.into(), args: args.iter().map(Into::into).collect() }
}

fn request() -> RunRequest {
    RunRequest {
        root: "a.nr".to_owned(),
        kind: RunKind::Program { flush_lines: false },
        opt_level: 0,
        limits: Limits::default(),
    }
}

#[test]
fn a_worker_that_dies_ends_its_runs_and_is_started_again() {
    let worker = Worker::start(launch("sh", &["-c", "head -c 4 >/dev/null; exit 3"])).unwrap();
    for _ in 0..2 {
        worker.set_text("a.nr", "\n", 1);
        let run = worker.run(request());
        let Event::WorkerLost { message } = run.events.recv().unwrap() else {
            panic!("another event came first");
        };
        assert!(message.contains("exit status: 3"), "{message}");
        assert!(run.events.recv().is_err(), "the channel ends with the last event");
    }
}

#[test]
fn a_restart_ends_only_the_runs_before_it() {
    let worker = Worker::start(launch("sleep", &["60"])).unwrap();
    let before = worker.run(request());
    worker.restart();
    let after = worker.run(request());
    let event = before.events.recv().unwrap();
    assert_eq!(event, Event::WorkerLost { message: "the worker was restarted".to_owned() });
    assert!(after.events.try_recv().is_err());
    drop(worker);
    assert!(after.events.recv().unwrap().is_last());
}

#[test]
fn what_cannot_be_started_is_said_at_once() {
    assert!(Worker::start(launch("/no/such/program", &[])).is_err());
}
