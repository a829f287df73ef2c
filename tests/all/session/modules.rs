//! Modules in an editor: files that are not open, files that come and go, files that are typed.

use neuro_tests::Scratch;
use serde_json::{Value, json};

use super::client::Session;

const MAIN: &str =
    "import stats::mean\n\nfunc main() -> i32 {\n    println(\"{mean(1.0, 3.0)}\")\n    0\n}\n";
const STATS: &str = "export func mean(a: f64, b: f64) -> f64 { (a + b) / 2.0 }\n";

fn uri(path: &str) -> String {
    format!("file://{path}")
}

/// Waits until a document is published with findings of these codes.
fn wait_for(session: &mut Session, uri: &str, expected: &[&str]) {
    session.wait("textDocument/publishDiagnostics", |params| {
        let diagnostics = params["diagnostics"].as_array().expect("a list");
        let codes: Vec<&Value> = diagnostics.iter().map(|found| &found["code"]).collect();
        params["uri"] == uri && codes == expected
    });
}

/// Tells the server that a file changed: 1 came, 2 changed, 3 went.
fn tell(session: &mut Session, uri: &str, kind: u32) {
    let changes = json!([{ "uri": uri, "type": kind }]);
    session.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
}

#[test]
fn a_module_is_read_from_disk_until_it_is_open() {
    let scratch = Scratch::new("session-modules");
    let main = uri(&scratch.write("main.nr", MAIN));
    let stats = uri(&scratch.path().join("stats.nr").to_string_lossy());
    let mut session = Session::start();
    session.open(&main, MAIN);
    wait_for(&mut session, &main, &["E0201"]);

    scratch.write("stats.nr", STATS);
    tell(&mut session, &stats, 1);
    wait_for(&mut session, &main, &[]);
    let run = session.run("neuro.run", json!({ "uri": main }));
    assert_eq!(session.finished(run)["status"], 0);

    // What is changed on disk is read again.
    scratch.write("stats.nr", &STATS.replace("mean", "median"));
    tell(&mut session, &stats, 2);
    wait_for(&mut session, &main, &["E0201"]);

    // What is open is taken as it is typed, and as it is on disk when it is closed.
    session.open(&stats, STATS);
    wait_for(&mut session, &main, &[]);
    session.replace(&stats, &STATS.replace("export ", ""));
    wait_for(&mut session, &main, &["E0206"]);
    session.notify("textDocument/didClose", json!({ "textDocument": { "uri": stats } }));
    wait_for(&mut session, &main, &["E0201"]);

    // A file may become a folder.
    std::fs::remove_file(scratch.path().join("stats.nr")).expect("a file");
    std::fs::create_dir(scratch.path().join("stats")).expect("a folder");
    let folder = uri(&scratch.write("stats/mod.nr", STATS));
    tell(&mut session, &stats, 3);
    tell(&mut session, &folder, 1);
    wait_for(&mut session, &main, &[]);
    let run = session.run("neuro.run", json!({ "uri": main }));
    assert_eq!(session.finished(run)["status"], 0);
}
