//! What must not end a session, and what must.

use std::process::Command;
use std::time::Instant;

use serde_json::json;

use super::client::{PATIENCE, Session, at};

const URI: &str = "file:///somewhere/guard.nr";

/// The server still answers.
fn assert_alive(session: &mut Session) {
    session.open(URI, "func alive() -> i32 { 1 }\n");
    assert!(session.hover(URI, at(0, 6)).expect("a hover").contains("alive"));
}

#[test]
fn broken_messages_do_not_end_the_session() {
    let mut session = Session::start();
    for body in
        ["{\"jsonrpc\":", "", "nonsense", "{\"jsonrpc\":\"2.0\",\"id\":1,", "[", "\u{1F9E0}"]
    {
        session.send_body(body);
        assert_alive(&mut session);
    }
}

#[test]
fn requests_that_make_no_sense_are_answered_with_errors() {
    let mut session = Session::start();
    for (method, params) in [
        ("textDocument/hover", json!({ "textDocument": 3 })),
        ("neuro/nothing", json!({})),
        ("workspace/executeCommand", json!({ "command": "neuro.fly", "arguments": [] })),
        ("workspace/executeCommand", json!({ "command": "neuro.run", "arguments": [7] })),
        ("workspace/executeCommand", json!({ "command": "neuro.run", "arguments": [] })),
        ("neuro/derivative", json!({ "textDocument": { "uri": URI }, "position": at(0, 0) })),
    ] {
        let id = session.ask(method, params.clone());
        let error = session.answer(id).expect_err("an error");
        assert_ne!(error["code"], -32603, "no internal error: {method} {params}: {error}");
    }
    assert_alive(&mut session);
}

#[test]
fn requests_before_initialize_are_refused() {
    let mut session = Session::silent();
    let params = json!({ "textDocument": { "uri": URI }, "position": at(0, 0) });
    let id = session.ask("textDocument/hover", params);
    assert_eq!(session.answer(id).expect_err("refused")["code"], -32002);
}

#[test]
fn exit_ends_the_process_though_the_input_stays_open() {
    let mut session = Session::start();
    session.request("shutdown", json!(null));
    session.notify("exit", json!(null));
    assert_eq!(session.ended().code(), Some(0));

    let mut session = Session::start();
    session.notify("exit", json!(null));
    assert_eq!(session.ended().code(), Some(1), "without shutdown");
}

#[test]
fn the_end_of_the_input_ends_the_process() {
    let mut session = Session::start();
    session.open(URI, "func main() -> i32 {\n    println(\"on\")\n    loop { }\n}\n");
    let run = session.run("neuro.run", json!({ "uri": URI }));
    session.wait("neuro/runOutput", |params| params["run"] == run);
    session.close_input();
    let before = Instant::now();
    session.ended();
    assert!(before.elapsed().as_secs() < 10, "promptly, with a program running");
}

#[test]
fn the_server_does_not_outlive_its_client() {
    let mut gone = Command::new("true").spawn().expect("a process");
    let process_id = gone.id();
    gone.wait().expect("it ends");
    let mut session = Session::silent();
    session.ask("initialize", json!({ "processId": process_id, "capabilities": {} }));
    session.ended();
}

#[test]
fn a_cancelled_request_is_answered() {
    let mut session = Session::start();
    let text = "func f(n: i64) -> i64 { n + 1 }\n".replace('f', "g");
    session.open(URI, &text);
    let mut ids = Vec::new();
    for _ in 0..20 {
        let params = json!({ "textDocument": { "uri": URI }, "position": at(0, 5) });
        let id = session.ask("textDocument/hover", params);
        session.notify("$/cancelRequest", json!({ "id": id }));
        ids.push(id);
    }
    for id in ids {
        if let Err(error) = session.answer(id) {
            assert_eq!(error["code"], -32800, "{error}");
        }
    }
    session.notify("$/cancelRequest", json!({ "id": 999_999 }));
    assert_alive(&mut session);
}

#[test]
fn quick_changes_keep_their_order() {
    let mut session = Session::start();
    let head = "const N: i64 = 1";
    session.open(URI, &format!("{head}\nfunc f() -> i64 {{ N }}\n"));
    let mut version = 0;
    for digit in 0..12_usize {
        let place = at(0, head.len() + digit);
        let range = json!({ "start": place, "end": place });
        let text = (digit % 10).to_string();
        version = session.change(URI, json!([{ "range": range, "text": text }]));
    }
    let hover = session.hover(URI, at(1, 18)).expect("a constant");
    assert!(hover.contains("N: i64 = 1012345678901"), "{hover}");
    assert!(session.diagnostics(URI, version).is_empty());
}

#[test]
fn deep_nesting_does_not_end_the_server() {
    let mut session = Session::start();
    let deep = 100_000;
    for body in [
        "(".repeat(deep),
        format!("{}1{}", "(".repeat(deep), ")".repeat(deep)),
        "[".repeat(deep),
        "{".repeat(deep),
        format!("{}1", "-".repeat(deep)),
        format!("1{}", " + 1".repeat(deep / 10)),
        "if true { ".repeat(deep / 10),
        "&".repeat(deep),
        format!("if true {{ 1 }} {}", "else if true { 1 } ".repeat(deep / 20)),
        "loss(".repeat(deep / 5),
        "\"{".repeat(deep / 2),
        "/*".repeat(deep),
        "1 as i32 ".repeat(deep / 10),
    ] {
        let start = &body[..10];
        let version = session.open(URI, &format!("func f() -> i32 {{ {body} }}\n"));
        let before = Instant::now();
        let count = session.diagnostics(URI, version).len();
        assert!(count <= 1000, "{start}: {count} diagnostics are more than anybody reads");
        session.hover(URI, at(0, 5));
        assert!(before.elapsed() < PATIENCE / 2, "{start}: {:?}", before.elapsed());
    }
    assert_alive(&mut session);
}

#[test]
#[cfg(target_os = "linux")]
fn huge_shapes_take_no_memory_while_they_are_typed() {
    let mut session = Session::start();
    let head = "const N: i64 = 1";
    let text = format!(
        "{head}\n\
@grad\n\
func f(w: &mut Tensor<f64, [N, N]>) -> Tensor<f64, []> {{\n\
    val big = Tensor::<f64, [N, N]>::ones()\n\
    Tensor::scalar((w @ &big + w).sum())\n\
}}\n\
func main() -> i32 {{\n\
    val t: Tensor<f32, [N, 1000000000]> = Tensor::zeros()\n\
    t[0, 0] as i32\n\
}}\n"
    );
    session.open(URI, &text);
    for digit in 0..12 {
        let place = at(0, head.len() + digit);
        let range = json!({ "start": place, "end": place });
        let version = session.change(URI, json!([{ "range": range, "text": "0" }]));
        session.diagnostics(URI, version);
        session.hover(URI, at(2, 6));
        let params = json!({ "textDocument": { "uri": URI }, "position": at(2, 6) });
        let id = session.ask("neuro/derivative", params);
        // There may be none of this size; that is no internal error.
        if let Err(error) = session.answer(id) {
            assert_ne!(error["code"], -32603, "{error}");
        }
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", session.pid()));
    let status = status.expect("the server lives");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(kilobytes < 300 << 10, "the peak was {kilobytes} kB");
}

#[test]
fn positions_beyond_everything_are_the_end() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let mut session = Session::counting_in(encoding);
        session.open(URI, "// é\nfunc f() -> i32 { 𝒳 }\n");
        let far = [0, 1, i32::MAX as usize, u32::MAX as usize];
        for (line, character) in far.iter().flat_map(|line| far.map(|column| (*line, column))) {
            let params = json!({ "textDocument": { "uri": URI }, "position": at(line, character) });
            let id = session.ask("textDocument/hover", params);
            session.answer(id).expect("an answer");
        }
        let end = u32::MAX as usize;
        let range = json!({ "start": at(1, 0), "end": at(1, end) });
        session.change(URI, json!([{ "range": range, "text": "func" }]));
        let range = json!({ "start": at(1, end), "end": at(end, end) });
        let version = session.change(URI, json!([{ "range": range, "text": " g() -> i32 { 1 }" }]));
        assert!(session.diagnostics(URI, version).is_empty(), "{encoding}");
        assert!(session.hover(URI, at(1, 5)).expect("a hover").contains("func g"));
    }
}
