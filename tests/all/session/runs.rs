//! Run actions: programs and derivatives that run in the worker, and every way in which they end.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{PATIENCE, Session, at};

const URI: &str = "file:///somewhere/run.nr";

/// Runs a program that is saved nowhere: how it ended, and what it printed to both streams.
fn run(session: &mut Session, text: &str) -> (Value, String, String) {
    session.open(URI, text);
    let run = session.run("neuro.run", json!({ "uri": URI }));
    let finished = session.finished(run);
    (finished, session.output(run, "stdout"), session.output(run, "stderr"))
}

#[test]
fn a_gradient_has_the_values_of_the_derivative() {
    let mut session = Session::start();
    let text = "\
@grad
func bowl(w: &mut Tensor<f64, [3]>, shift: f64) -> Tensor<f64, []> {
    Tensor::scalar((w * w).sum() + shift * w[1])
}
";
    session.open(URI, text);
    let argument = json!({
        "uri": URI, "function": "bowl",
        "inputs": { "w": { "shape": [3], "dtype": "f64", "data": [1.0, -2.0, 0.5] }, "shift": 4.0 },
    });
    let run = session.run("neuro.gradient", argument);
    let finished = session.finished(run);
    assert_eq!(finished["status"], 0, "{finished}");
    assert_eq!(finished["function"], "bowl");
    // 1 + 4 + 0.25 - 8, and 2 w + (0, 4, 0).
    assert_eq!(finished["value"], -2.75);
    let gradient = json!({ "shape": [3], "dtype": "f64", "data": [2.0, 0.0, 1.0] });
    assert_eq!(finished["gradients"], json!({ "w": gradient }));
    assert_eq!(finished["inputs"]["shift"], 4.0);

    // Samples for what is missing: the gradient belongs to the inputs that are told.
    let argument = json!({ "uri": URI, "function": "bowl", "inputs": { "shift": 0.0 } });
    let run = session.run("neuro.gradient", argument);
    let finished = session.finished(run);
    let numbers = |value: &Value| -> Vec<f64> {
        let data = value["data"].as_array().expect("a list");
        data.iter().map(|element| element.as_f64().expect("a number")).collect()
    };
    let inputs = numbers(&finished["inputs"]["w"]);
    let doubled: Vec<f64> = inputs.iter().map(|input| 2.0 * input).collect();
    assert_eq!(numbers(&finished["gradients"]["w"]), doubled);
    assert!(inputs.iter().all(|input| (-1.0..1.0).contains(input)), "{inputs:?}");
}

#[test]
fn what_is_no_number_is_told_as_text() {
    let mut session = Session::start();
    let text = "\
@grad
func slope(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> {
    Tensor::scalar(w.log().sum())
}
";
    session.open(URI, text);
    let inputs = json!({ "w": { "shape": [2], "dtype": "f32", "data": [0.0, 2.0] } });
    let argument = json!({ "uri": URI, "function": "slope", "inputs": inputs });
    let run = session.run("neuro.gradient", argument);
    let finished = session.finished(run);
    assert_eq!(finished["value"], "-inf", "{finished}");
    assert_eq!(finished["gradients"]["w"]["data"], json!(["inf", 0.5]));
}

#[test]
fn a_gradient_of_nothing_says_why() {
    let mut session = Session::start();
    session.open(URI, "func plain(x: f64) -> f64 { x }\n");
    let run = session.run("neuro.gradient", json!({ "uri": URI, "function": "absent" }));
    let finished = session.finished(run);
    assert_eq!(finished["status"], 2, "{finished}");
    assert!(finished["message"].as_str().expect("a message").contains("absent"), "{finished}");
    let run = session.run("neuro.gradient", json!({ "uri": URI, "function": "plain" }));
    let finished = session.finished(run);
    assert_eq!(finished["status"], 2, "{finished}");
    assert!(finished["message"].as_str().expect("a message").contains("@grad"), "{finished}");
}

#[test]
fn unsaved_text_runs() {
    let mut session = Session::start();
    let (finished, stdout, stderr) =
        run(&mut session, "func main() -> i32 {\n    println(\"∂ = {6 * 7}\")\n    41\n}\n");
    assert_eq!((&finished["status"], &*stdout, &*stderr), (&json!(41), "∂ = 42\n", ""));
    assert!(finished["signal"].is_null() && finished["limit"].is_null(), "{finished}");
    session.replace(URI, "func main() -> i32 {\n    print(\"again\")\n    0\n}\n");
    let again = session.run("neuro.run", json!({ "uri": URI }));
    assert_eq!(session.finished(again)["status"], 0);
    assert_eq!(session.output(again, "stdout"), "again");
}

#[test]
fn a_program_with_errors_does_not_run() {
    let mut session = Session::start();
    let (finished, stdout, _) = run(&mut session, "func main() -> i32 { missing }\n");
    assert_eq!((&finished["status"], &*stdout), (&json!(1), ""), "{finished}");
    assert!(finished["message"].as_str().expect("a message").contains("missing"), "{finished}");
}

#[test]
fn panics_end_with_134_and_say_where() {
    let mut session = Session::start();
    let division = "func main() -> i32 {\n    mut zero = 0\n    zero += 0\n    7 / zero\n}\n";
    let slot = "func main() -> i32 {\n    val w: Tensor<f32, [1]> = [1.0]\n    val g = w.grad()\n    println(\"{g[0]}\")\n    0\n}\n";
    for (text, message) in [
        (division, "panic: division by zero at run.nr:4:5\n"),
        (slot, "panic: empty gradient slot at run.nr:3:13\n"),
    ] {
        let (finished, _, stderr) = run(&mut session, text);
        assert_eq!(finished["status"], 134, "{finished}");
        // The file is named by the path of the document.
        let message = message.replace("run.nr", "/somewhere/run.nr");
        assert_eq!(stderr, message);
        assert_eq!(finished["signal"], 6);
        assert!(finished["message"].is_string(), "{finished}");
    }
}

#[test]
fn endless_recursion_is_told_as_such() {
    let mut session = Session::start();
    let text =
        "func down(n: i64) -> i64 { 1 + down(n + 1) }\nfunc main() -> i32 { down(0) as i32 }\n";
    let (finished, _, stderr) = run(&mut session, text);
    assert_eq!(finished["status"], 134, "{finished}");
    assert!(stderr.contains("stack overflow"), "{stderr:?}");
}

#[test]
fn a_looping_program_leaves_the_server_free_and_can_be_stopped() {
    let mut session = Session::start();
    let text = "func main() -> i32 {\n    println(\"started\")\n    loop { }\n}\n";
    session.open(URI, text);
    let run = session.run("neuro.run", json!({ "uri": URI }));
    session.wait("neuro/runOutput", |params| params["run"] == run && params["text"] == "started\n");
    for _ in 0..20 {
        let before = Instant::now();
        assert!(session.hover(URI, at(0, 5)).is_some());
        assert!(before.elapsed() < Duration::from_secs(5), "the server answers meanwhile");
    }
    assert!(!session.has_arrived("neuro/runFinished"));
    session.command("neuro.stop", json!({ "uri": URI }));
    let finished = session.finished(run);
    assert_eq!(finished["status"], 134);
    assert!(finished["message"].as_str().expect("a message").contains("stopped"), "{finished}");
}

#[test]
fn time_and_memory_are_limited() {
    let limits = json!({ "timeoutSeconds": 1, "memoryMiB": 256 });
    let options = json!({ "worker": limits, "showsRuns": true });
    let mut session = Session::with(json!({ "initializationOptions": options }));
    let (finished, _, _) = run(&mut session, "func main() -> i32 {\n    loop { }\n}\n");
    assert_eq!(finished["limit"], "time", "{finished}");
    let hungry = "\
func main() -> i32 {
    val t: Tensor<f64, [20000, 20000]> = Tensor::ones()
    println(\"{t[0, 0]}\")
    0
}
";
    let (finished, stdout, _) = run(&mut session, hungry);
    assert_eq!((&finished["limit"], &*stdout), (&json!("memory"), ""), "{finished}");
    assert!(finished["message"].as_str().expect("a message").contains("memory"), "{finished}");
    let (finished, stdout, _) = run(&mut session, "func main() -> i32 { print(\"ok\")\n 0 }\n");
    assert_eq!((&finished["status"], &*stdout), (&json!(0), "ok"), "a limit ends one run");
}

/// The process ids of a process's children.
fn children(parent: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("processes").flatten() {
        let Ok(status) = std::fs::read_to_string(entry.path().join("status")) else { continue };
        if status.lines().any(|line| line == format!("PPid:\t{parent}")) {
            found.extend(entry.file_name().to_string_lossy().parse::<u32>());
        }
    }
    found
}

#[test]
#[cfg(target_os = "linux")]
fn a_killed_worker_is_told_and_replaced() {
    let mut session = Session::start();
    session.open(URI, "func main() -> i32 {\n    println(\"on\")\n    loop { }\n}\n");
    let run = session.run("neuro.run", json!({ "uri": URI }));
    session.wait("neuro/runOutput", |params| params["run"] == run);
    let workers = children(session.pid());
    assert_eq!(workers.len(), 1, "one worker");
    let programs = children(workers[0]);
    assert_eq!(programs.len(), 1, "one program");
    let kill = Command::new("kill").args(["-9", &workers[0].to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let finished = session.finished(run);
    assert_eq!(finished["status"], 2);
    let message = finished["message"].as_str().expect("a message");
    assert!(message.contains("worker"), "{message}");

    session.replace(URI, "func main() -> i32 {\n    print(\"next\")\n    3\n}\n");
    let next = session.run("neuro.run", json!({ "uri": URI }));
    assert_eq!(session.finished(next)["status"], 3);
    assert_eq!(session.output(next, "stdout"), "next");
    let end = Instant::now() + PATIENCE;
    while std::path::Path::new(&format!("/proc/{}", programs[0])).exists() {
        assert!(Instant::now() < end, "the program of the killed worker lives on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The server is to be small, and programs are to be fast.
#[test]
#[cfg(target_os = "linux")]
fn only_programs_have_huge_pages() {
    let enabled = |process: u32| {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("THP_enabled:"));
        line.map(|value| value.trim().to_owned())
    };
    let mut session = Session::start();
    session.open(URI, "func main() -> i32 {\n    println(\"on\")\n    loop { }\n}\n");
    let run = session.run("neuro.run", json!({ "uri": URI }));
    session.wait("neuro/runOutput", |params| params["run"] == run);
    let worker = children(session.pid())[0];
    let program = children(worker)[0];
    // Older systems do not tell.
    if let Some(of_server) = enabled(session.pid()) {
        assert_eq!(of_server, "0");
        assert_eq!(enabled(worker).as_deref(), Some("1"));
        assert_eq!(enabled(program).as_deref(), Some("1"));
    }
}

#[test]
fn a_restarted_worker_ends_its_runs() {
    let mut session = Session::start();
    session.open(URI, "func main() -> i32 {\n    println(\"on\")\n    loop { }\n}\n");
    let run = session.run("neuro.run", json!({ "uri": URI }));
    session.wait("neuro/runOutput", |params| params["run"] == run);
    session.command("neuro.restartWorker", json!({}));
    let finished = session.finished(run);
    assert_eq!(finished["status"], 2, "{finished}");
    session.replace(URI, "func main() -> i32 { 5 }\n");
    let next = session.run("neuro.run", json!({ "uri": URI }));
    assert_eq!(session.finished(next)["status"], 5);
}

#[test]
fn nothing_runs_where_nothing_is_trusted() {
    let mut session = Session::with(json!({ "initializationOptions": { "trusted": false } }));
    session.open(URI, "func main() -> i32 { 0 }\n");
    let params = json!({ "command": "neuro.run", "arguments": [{ "uri": URI }] });
    let id = session.ask("workspace/executeCommand", params);
    let error = session.answer(id).expect_err("refused");
    assert!(error["message"].as_str().expect("a text").contains("trusted"), "{error}");
}

#[test]
fn a_client_that_shows_no_runs_gets_a_message() {
    let mut session = Session::with(json!({}));
    session.open(URI, "func main() -> i32 { 9 }\n");
    let run = session.run("neuro.run", json!({ "uri": URI }));
    let message = session.wait("window/showMessage", |_| true);
    assert!(message["message"].as_str().expect("a text").contains('9'), "{message}");
    session.finished(run);
}

#[test]
fn a_panic_is_marked_until_the_next_run() {
    let mut session = Session::start();
    let text =
        "func main() -> i32 {\n    mut zero = 0\n    zero += 0\n    val é = 7 / zero\n    é\n}\n";
    let (finished, ..) = run(&mut session, text);
    assert_eq!(finished["status"], 134, "{finished}");
    let published = session.wait("textDocument/publishDiagnostics", |params| {
        params["diagnostics"][0]["code"] == "panic"
    });
    let start = &published["diagnostics"][0]["range"]["start"];
    assert_eq!(*start, json!({ "line": 3, "character": 12 }));
    session.run("neuro.run", json!({ "uri": URI }));
    session.wait("textDocument/publishDiagnostics", |params| {
        params["diagnostics"].as_array().is_some_and(Vec::is_empty)
    });
}

#[test]
fn a_gradient_does_not_wait_for_a_program() {
    let mut session = Session::start();
    let text = "\
@grad
func square(w: &mut Tensor<f64, []>) -> Tensor<f64, []> {
    w * w
}
func main() -> i32 {
    loop { }
}
";
    session.open(URI, text);
    let program = session.run("neuro.run", json!({ "uri": URI }));
    let inputs = json!({ "w": { "shape": [], "dtype": "f64", "data": [3.0] } });
    let argument = json!({ "uri": URI, "function": "square", "inputs": inputs });
    let gradient = session.run("neuro.gradient", argument);
    assert_eq!(session.finished(gradient)["gradients"]["w"]["data"], json!([6.0]));
    // The same program again: the one that runs ends.
    let again = session.run("neuro.run", json!({ "uri": URI }));
    assert_eq!(session.finished(program)["message"], "the run was stopped");
    session.command("neuro.stop", json!({}));
    assert_eq!(session.finished(again)["message"], "the run was stopped");
}

#[test]
fn a_document_without_a_file_runs() {
    let mut session = Session::start();
    let uri = "untitled:Untitled-1";
    let version =
        session.open(uri, "func main() -> i32 {\n    println(\"no file\")\n    missing\n}\n");
    assert_eq!(session.diagnostics(uri, version).len(), 1);
    session
        .replace(uri, "func main() -> i32 {\n    println(\"no file\")\n    panic(\"over\")\n}\n");
    let run = session.run("neuro.run", json!({ "uri": uri }));
    assert_eq!(session.finished(run)["status"], 134);
    assert_eq!(session.output(run, "stdout"), "no file\n");
    assert_eq!(session.output(run, "stderr"), format!("panic: over at {uri}:3:5\n"));
    let published = session.wait("textDocument/publishDiagnostics", |params| {
        params["diagnostics"][0]["code"] == "panic"
    });
    assert_eq!(published["diagnostics"][0]["range"]["start"], at(2, 4));
}

#[test]
fn programs_of_two_documents_run_one_after_another() {
    let mut session = Session::start();
    let (one, other) = ("file:///somewhere/one.nr", "file:///somewhere/other.nr");
    session.open(one, "func main() -> i32 {\n    print(\"one\")\n    1\n}\n");
    session.open(other, "func main() -> i32 {\n    print(\"other\")\n    2\n}\n");
    let first = session.run("neuro.run", json!({ "uri": one }));
    let second = session.run("neuro.run", json!({ "uri": other }));
    assert_eq!(session.finished(first)["status"], 1);
    assert_eq!(session.finished(second)["status"], 2);
    assert_eq!(session.output(first, "stdout"), "one");
    assert_eq!(session.output(second, "stdout"), "other");
    session.notify("textDocument/didClose", json!({ "textDocument": { "uri": one } }));
    let params = json!({ "command": "neuro.run", "arguments": [{ "uri": one }] });
    let id = session.ask("workspace/executeCommand", params);
    let error = session.answer(id).expect_err("a closed document does not run");
    assert!(error["message"].as_str().expect("a text").contains("not open"), "{error}");
}
