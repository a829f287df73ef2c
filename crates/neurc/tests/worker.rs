//! Runs of the real worker through the front end's side of it: output, ends, limits, stopping, crashes.

use std::time::{Duration, Instant};

use neuro_db::run::{Limit, RunEnd};
use neuro_exec::{
    Event, Failure, FailureKind, IrStage, Launch, Limits, Run, RunKind, RunRequest, Stream, Worker,
};
use serde_json::{Map, json};

/// Longer than any run here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn worker(text: &str) -> Worker {
    let program = env!("CARGO_BIN_EXE_neurc").into();
    let worker = Worker::start(Launch { program, args: vec!["worker".into()] }).unwrap();
    worker.set_text("a.nr", text, 1);
    worker
}

fn request(kind: RunKind) -> RunRequest {
    RunRequest { root: "a.nr".to_owned(), kind, opt_level: 0, limits: Limits::default() }
}

fn program() -> RunRequest {
    request(RunKind::Program { flush_lines: false })
}

/// What a run printed, and its last event.
struct Seen {
    stdout: String,
    stderr: String,
    others: Vec<Event>,
    last: Event,
}

fn watch(run: &Run) -> Seen {
    let (mut stdout, mut stderr, mut others) = (String::new(), String::new(), Vec::new());
    loop {
        match run.events.recv_timeout(PATIENCE).expect("the run ends") {
            Event::Output { stream: Stream::Stdout, text } => stdout += &text,
            Event::Output { stream: Stream::Stderr, text } => stderr += &text,
            last if last.is_last() => return Seen { stdout, stderr, others, last },
            other => others.push(other),
        }
    }
}

#[test]
fn a_program_prints_and_gives_its_status() {
    let worker = worker("func main() -> i32 {\n    println(\"∂ of é\")\n    return 7\n}\n");
    let seen = watch(&worker.run(program()));
    assert_eq!((&*seen.stdout, &*seen.stderr), ("∂ of é\n", ""));
    assert_eq!(seen.last, Event::Finished(RunEnd::Exited(7)));
    assert_eq!(seen.others, [Event::Started { versions: vec![("a.nr".to_owned(), 1)] }]);
}

#[test]
fn runs_follow_each_other_on_the_texts_of_their_time() {
    let text = |status: i32| format!("func main() -> i32 {{\n    return {status}\n}}\n");
    let worker = worker(&text(1));
    let first = worker.run(program());
    worker.set_text("a.nr", text(2), 2);
    let second = worker.run(program());
    assert_eq!(watch(&first).last, Event::Finished(RunEnd::Exited(1)));
    let second = watch(&second);
    assert_eq!(second.last, Event::Finished(RunEnd::Exited(2)));
    assert_eq!(second.others, [Event::Started { versions: vec![("a.nr".to_owned(), 2)] }]);
}

#[test]
fn a_panic_keeps_what_was_printed_and_the_worker() {
    let worker = worker(
        "func main() -> i32 {\n    println(\"before\")\n    val zero = 0\n    return 1 / zero\n}\n",
    );
    for _ in 0..2 {
        let seen = watch(&worker.run(program()));
        assert_eq!(seen.stdout, "before\n");
        assert_eq!(seen.stderr, "panic: division by zero at a.nr:4:12\n");
        assert_eq!(seen.last, Event::Finished(RunEnd::Aborted { signal: 6 }));
    }
}

#[test]
fn a_stack_that_overflows_is_a_panic() {
    let worker = worker(
        "func deeper(n: i64) -> i64 {\n    return deeper(n + 1) + 1\n}\n\n\
         func main() -> i32 {\n    return deeper(0) as i32\n}\n",
    );
    let seen = watch(&worker.run(program()));
    assert_eq!(seen.stderr, "panic: stack overflow\n");
    assert_eq!(seen.last, Event::Finished(RunEnd::Aborted { signal: 6 }));
}

const FOREVER: &str = "func main() -> i32 {\n    mut n = 0\n    while true {\n        n = n ^ 1\n    }\n    return n\n}\n";

#[test]
fn time_is_limited() {
    let worker = worker(FOREVER);
    let mut request = program();
    request.limits.wall_ms = Some(100);
    let before = Instant::now();
    assert_eq!(watch(&worker.run(request)).last, Event::Finished(RunEnd::Limit(Limit::Time)));
    assert!(before.elapsed() >= Duration::from_millis(100));
}

#[test]
fn memory_is_limited() {
    let worker = worker(
        "func main() -> i32 {\n    val large = Tensor::<f64, [64000000]>::zeros()\n    \
         println(\"{large[3]}\")\n    return 0\n}\n",
    );
    let mut request = program();
    request.limits.memory_mib = Some(64);
    let seen = watch(&worker.run(request.clone()));
    assert_eq!(seen.stderr, "panic: out of memory\n");
    assert_eq!(seen.last, Event::Finished(RunEnd::Limit(Limit::Memory)));
    request.limits.memory_mib = Some(1024);
    assert_eq!(watch(&worker.run(request)).stdout, "0.0\n");
}

#[test]
fn runs_are_stopped_while_they_run_and_while_they_wait() {
    let worker = worker(FOREVER);
    let running = worker.run(program());
    let waiting = worker.run(program());
    assert!(matches!(running.events.recv_timeout(PATIENCE), Ok(Event::Started { .. })));
    worker.stop(waiting.id);
    worker.stop(running.id);
    for run in [running, waiting] {
        let seen = watch(&run);
        assert_eq!(seen.last, Event::Finished(RunEnd::Stopped));
    }
}

#[test]
fn a_program_that_prints_without_end_is_stopped() {
    let worker = worker(
        "func main() -> i32 {\n    while true {\n        println(\"on\")\n    }\n    return 0\n}\n",
    );
    let run = worker.run(program());
    for event in run.events.iter().take(1000) {
        assert!(!event.is_last());
    }
    worker.stop(run.id);
    assert_eq!(watch(&run).last, Event::Finished(RunEnd::Stopped));
}

#[test]
fn lines_are_flushed_when_somebody_watches() {
    let worker = worker(
        "func main() -> i32 {\n    println(\"now\")\n    while true {\n    }\n    return 0\n}\n",
    );
    let run = worker.run(request(RunKind::Program { flush_lines: true }));
    let output = run.events.iter().find(|event| matches!(event, Event::Output { .. }));
    assert_eq!(output, Some(Event::Output { stream: Stream::Stdout, text: "now\n".to_owned() }));
    worker.stop(run.id);
    assert_eq!(watch(&run).last, Event::Finished(RunEnd::Stopped));
}

#[test]
fn what_does_not_check_is_not_run() {
    let worker = worker("func main() -> i32 {\n    return true\n}\n");
    let Event::Failed(Failure { kind, messages }) = watch(&worker.run(program())).last else {
        panic!("it was run");
    };
    assert_eq!(kind, FailureKind::Diagnostics);
    assert!(messages[0].starts_with("a.nr:2: error[E0301]: "), "{messages:?}");
}

const GRADIENT: &str = "@grad(wrt: [w])\n\
    func loss(w: &mut Tensor<f64, [2]>, scale: f64) -> Tensor<f64, []> {\n    \
    val square = &*w * &*w\n    return Tensor::scalar(square.sum() * scale)\n}\n";

fn gradient(inputs: serde_json::Value) -> RunRequest {
    let inputs: Map<_, _> = inputs.as_object().unwrap().clone();
    request(RunKind::Gradient { function: "loss".to_owned(), inputs, seed: 0 })
}

#[test]
fn a_gradient_is_evaluated_where_asked() {
    let worker = worker(GRADIENT);
    let seen = watch(&worker.run(gradient(json!({"w": [3, -0.5], "scale": 2}))));
    assert_eq!(seen.last, Event::Finished(RunEnd::Exited(0)), "{}", seen.stderr);
    let [Event::Started { .. }, Event::Gradient(run)] = &seen.others[..] else {
        panic!("{:?}", seen.others);
    };
    assert_eq!(run.value, 2.0 * (9.0 + 0.25));
    assert_eq!(run.gradients[0].0, "w");
    assert_eq!(run.gradients[0].1.data, [12.0, -2.0]);
    assert!(run.time_us > 0.0 && run.compile_us > 0.0);
}

#[test]
fn requests_that_do_not_fit_are_refused() {
    let worker = worker(GRADIENT);
    let refused = |request: RunRequest| match watch(&worker.run(request)).last {
        Event::Failed(Failure { kind: FailureKind::Request, messages }) => messages.join("; "),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(program()), "`a.nr` has no function `main`");
    let wrong = json!({"w": [1], "x": 0});
    let message = "`loss` has no parameter `x`; `w` needs a list of 2 where [1] stands";
    assert_eq!(refused(gradient(wrong)), message);
    let function = "none".to_owned();
    let ir = RunKind::Ir { function, stage: IrStage::Clif };
    assert_eq!(refused(request(ir)), "`a.nr` has no function `none`");
}

#[test]
fn code_is_shown() {
    let worker = worker(GRADIENT);
    let function = "loss".to_owned();
    let seen = watch(&worker.run(request(RunKind::Ir { function, stage: IrStage::Clif })));
    let [Event::Text(text)] = &seen.others[..] else { panic!("{:?}", seen.last) };
    assert!(text.contains("reverse_sweep") && text.contains("block0"), "{text}");
}
