//! `neuro.toml` in an editor: levels of lints, mistakes in it, limits of runs.

use neuro_tests::Scratch;
use serde_json::{Value, json};

use super::client::{Session, at};

/// A program with one warning.
const ODD: &str =
    "func main() -> i32 {\n    mut n = 0\n    while true { if n > 3 { break } }\n    n\n}\n";

const DENY: &str = "[lints]\nprefer_loop_over_while_true = \"deny\"\n";
const ERROR: u64 = 1;
const WARNING: u64 = 2;

fn uri(path: &str) -> String {
    format!("file://{path}")
}

/// The severities of diagnostics with a code.
fn severities(diagnostics: &[Value], code: &str) -> Vec<u64> {
    let ours = diagnostics.iter().filter(|found| found["code"] == code);
    ours.map(|found| found["severity"].as_u64().expect("a severity")).collect()
}

/// Waits until a document is published with one finding of a severity, or with none.
fn wait_for(session: &mut Session, uri: &str, code: &str, expected: &[u64]) -> Value {
    session.wait("textDocument/publishDiagnostics", |params| {
        let diagnostics = params["diagnostics"].as_array().expect("a list");
        params["uri"] == uri && severities(diagnostics, code) == expected
    })
}

/// Tells the server that a project file changed.
fn tell_changed(session: &mut Session, uri: &str) {
    let changes = json!([{ "uri": uri, "type": 2 }]);
    session.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
}

#[test]
fn a_project_sets_the_levels_in_the_editor() {
    let scratch = Scratch::new("session-levels");
    let program = uri(&scratch.write("odd.nr", ODD));
    let project = scratch.path().join("neuro.toml").to_string_lossy().into_owned();
    let mut session = Session::start();
    let version = session.open(&program, ODD);
    let found = session.diagnostics(&program, version);
    assert_eq!(severities(&found, "W0101"), [WARNING]);

    scratch.write("neuro.toml", DENY);
    tell_changed(&mut session, &uri(&project));
    wait_for(&mut session, &program, "W0101", &[ERROR]);
    // What is typed is taken before it is saved.
    session.open(&uri(&project), DENY);
    session.replace(&uri(&project), &DENY.replace("deny", "allow"));
    wait_for(&mut session, &program, "W0101", &[]);
    // Without being saved it is gone with its editor.
    let params = json!({ "textDocument": { "uri": uri(&project) } });
    session.notify("textDocument/didClose", params);
    wait_for(&mut session, &program, "W0101", &[ERROR]);

    std::fs::remove_file(&project).expect("a file");
    tell_changed(&mut session, &uri(&project));
    wait_for(&mut session, &program, "W0101", &[WARNING]);
}

#[test]
fn a_saved_document_looks_for_its_project_anew() {
    let scratch = Scratch::new("session-saved");
    let program = uri(&scratch.write("odd.nr", ODD));
    let mut session = Session::start();
    session.open(&program, ODD);
    wait_for(&mut session, &program, "W0101", &[WARNING]);
    scratch.write("neuro.toml", DENY);
    session.notify("textDocument/didSave", json!({ "textDocument": { "uri": program } }));
    wait_for(&mut session, &program, "W0101", &[ERROR]);
}

#[test]
fn mistakes_of_a_project_are_shown_in_its_file() {
    let scratch = Scratch::new("session-mistakes");
    let program = uri(&scratch.write("odd.nr", ODD));
    let text = "[project]\nroots = [\"gone\"]\n[lint]\n";
    let project = uri(&scratch.write("neuro.toml", text));
    let mut session = Session::start();
    session.open(&program, ODD);
    let shown = wait_for(&mut session, &project, "E0801", &[ERROR, ERROR]);
    let start = |index: usize| shown["diagnostics"][index]["range"]["start"].clone();
    let mut starts = [start(0), start(1)];
    starts.sort_by_key(|start| start["line"].as_u64());
    assert_eq!(starts, [at(1, 9), at(2, 1)]);

    // In an editor the closest word is offered, and nothing that only programs have.
    session.open(&project, text);
    wait_for(&mut session, &project, "E0801", &[ERROR, ERROR]);
    let range = json!({ "start": at(2, 1), "end": at(2, 2) });
    let params = json!({ "textDocument": { "uri": project }, "range": range, "context": { "diagnostics": [] } });
    let actions = session.request("textDocument/codeAction", params);
    assert_eq!(actions[0]["title"], "did you mean `lints`?", "{actions}");
    assert_eq!(actions.as_array().map(Vec::len), Some(1));
    assert_eq!(session.hover(&project, at(2, 1)), None);
    session.replace(&project, "[lints]\n");
    wait_for(&mut session, &project, "E0801", &[]);
}

#[test]
fn a_project_limits_the_runs_in_the_editor() {
    let scratch = Scratch::new("session-limits");
    let text = "func main() -> i32 {\n    loop {}\n}\n";
    let program = uri(&scratch.write("endless.nr", text));
    scratch.write("neuro.toml", "[worker]\ntimeout_seconds = 1\n");
    let mut session = Session::start();
    session.open(&program, text);
    let run = session.run("neuro.run", json!({ "uri": program }));
    let finished = session.finished(run);
    assert_eq!((&finished["status"], &finished["limit"]), (&json!(134), &json!("time")));
}

#[test]
fn a_client_that_can_is_asked_to_tell_changes() {
    let watched = json!({ "didChangeWatchedFiles": { "dynamicRegistration": true } });
    let mut session = Session::with(json!({ "capabilities": { "workspace": watched } }));
    let params = session.wait("client/registerCapability", |_| true);
    let registration = &params["registrations"][0];
    assert_eq!(registration["method"], "workspace/didChangeWatchedFiles");
    let watchers = &registration["registerOptions"]["watchers"];
    assert_eq!(
        watchers,
        &json!([{ "globPattern": "**/neuro.toml" }, { "globPattern": "**/*.nr" }])
    );
}
