//! A gradient run: in the child the evaluation, in the parent the result.

use std::io::{self, PipeWriter};
use std::time::{Duration, Instant};

use neuro_codegen::{GradientEntry, Gradients, InputError};
use neuro_db::run::{GradientRun, RunEnd, Value};
use neuro_exec::{Event, Failure, FailureKind, FrameReader, FromWorker, RunId, write_frame};

use crate::child::Ended;

/// For how long evaluations are repeated to find the time of one.
const MEASURING: Duration = Duration::from_millis(20);

/// More evaluations than this are not needed to find it.
const MEASUREMENTS: usize = 100;

/// A compiled `@grad` function and the point at which it is evaluated.
pub(crate) struct Point {
    pub(crate) function: String,
    pub(crate) inputs: Vec<(String, Value)>,
    pub(crate) entry: GradientEntry,
    pub(crate) compile_us: f64,
}

/// Evaluates loss and gradients and reports them; gives the exit status of the child.
pub(crate) fn evaluate(point: &Point, run: RunId, report: &mut PipeWriter) -> i32 {
    match measured(point) {
        Ok((gradients, time_us)) => match send(point, run, gradients, time_us, report) {
            Ok(()) => 0,
            Err(error) => failed(&error),
        },
        Err(error) => failed(&error),
    }
}

fn failed(error: &dyn std::error::Error) -> i32 {
    eprintln!("{error}");
    1
}

/// The result, and the least time in microseconds that an evaluation took.
fn measured(point: &Point) -> Result<(Gradients, f64), InputError> {
    let inputs: Vec<Value> = point.inputs.iter().map(|(_, value)| value.clone()).collect();
    let begin = Instant::now();
    let gradients = point.entry.run(&inputs)?;
    let mut best = begin.elapsed();
    let mut evaluations = 1;
    while evaluations < MEASUREMENTS && begin.elapsed() < MEASURING {
        let before = Instant::now();
        point.entry.run(&inputs)?;
        best = best.min(before.elapsed());
        evaluations += 1;
    }
    Ok((gradients, best.as_nanos() as f64 / 1e3))
}

fn send(
    point: &Point,
    run: RunId,
    gradients: Gradients,
    time_us: f64,
    report: &mut PipeWriter,
) -> io::Result<()> {
    let name = |index: &usize| point.inputs.get(*index).map(|(name, _)| name.clone());
    let names = point.entry.wrt().iter().filter_map(name);
    let result = GradientRun {
        function: point.function.clone(),
        inputs: point.inputs.clone(),
        value: gradients.loss,
        gradients: names.zip(gradients.gradients).collect(),
        time_us,
        compile_us: point.compile_us,
        workspace_bytes: point.entry.work().workspace_bytes,
    };
    write_frame(report, &FromWorker { run, event: Event::Gradient(result) })
}

/// What the child reported; none when it ended before it could.
pub(crate) fn result(ended: &Ended) -> Result<Option<GradientRun>, Failure> {
    if ended.end != RunEnd::Exited(0) {
        return Ok(None);
    }
    let mut frames = FrameReader::default();
    frames.push(&ended.report);
    match frames.next_message() {
        Ok(Some(FromWorker { event: Event::Gradient(run), .. })) => Ok(Some(run)),
        Ok(_) | Err(_) => Err(Failure {
            kind: FailureKind::Internal,
            messages: vec!["the evaluation reported no result".to_owned()],
        }),
    }
}
