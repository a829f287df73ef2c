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

/// A program over files in a row, of which each knows only the next.
const ROW: [(&str, &str); 5] = [
    (
        "main.nr",
        "import a::{made, slope}\nimport other::unused\n\n\
         func main() -> i32 {\n    val box = made()\n    println(\"{box.size()} {box.inner.depth}\")\n    0\n}\n\n\
         @grad\nexport func loss(w: &mut Tensor<f64, [2]>) -> Tensor<f64, []> {\n    Tensor::scalar(slope(w.sum()))\n}\n\n\
         export func sum() -> i32 { unused() }\n",
    ),
    (
        "a.nr",
        "import b::{Box, steep}\n\nexport func made() -> Box { Box::new(2) }\n\n\
         export func slope(x: f64) -> f64 { steep(x) * 2.0 }\n",
    ),
    (
        "b.nr",
        "import c::{Inner, square}\n\nexport struct Box {\n    export inner: Inner,\n}\n\n\
         impl Box {\n    func new(depth: i32) -> Box { Box { inner: Inner { depth } } }\n\n\
         \x20   func size(&self) -> i32 { self.inner.depth * 2 }\n}\n\n\
         export func steep(x: f64) -> f64 { square(x) + x }\n",
    ),
    (
        "c.nr",
        "export struct Inner {\n    export depth: i32,\n}\n\nexport func square(x: f64) -> f64 { x * x }\n",
    ),
    ("other.nr", "import far::away\n\nexport func unused() -> i32 { away() }\n"),
];

/// Files are read as they are needed, but nothing is published that was computed without them.
#[test]
fn the_first_diagnostics_know_every_file() {
    let scratch = Scratch::new("session-row");
    for (name, text) in ROW {
        scratch.write(name, text);
    }
    scratch.write("far.nr", "export func away() -> i32 { 7 }\n");
    let main = uri(&scratch.path().join("main.nr").to_string_lossy());
    let mut session = Session::start();
    let version = session.open(&main, ROW[0].1);
    let first = session.wait("textDocument/publishDiagnostics", |params| params["uri"] == main);
    assert_eq!((&first["version"], &first["diagnostics"]), (&json!(version), &json!([])));

    // Nothing was said of a file that only a body of another file needs, and yet a run has it.
    let run = session.run("neuro.run", json!({ "uri": main }));
    assert_eq!(session.finished(run)["status"], 0);
    assert_eq!(session.output(run, "stdout"), "4 2\n");

    // What stands at the end of the row concerns its beginning.
    let c = uri(&scratch.path().join("c.nr").to_string_lossy());
    session.open(&c, &ROW[3].1.replace("depth", "height"));
    wait_for(&mut session, &main, &["E0304"]);
    session.replace(&c, ROW[3].1);
    wait_for(&mut session, &main, &[]);
}

/// A run needs files of which the diagnostics of its document know nothing.
#[test]
fn a_run_reads_what_only_bodies_need() {
    let scratch = Scratch::new("session-bodies");
    let text = "import near::half\n\nfunc main() -> i32 { half() }\n";
    let main = uri(&scratch.write("main.nr", text));
    scratch.write("near.nr", "import far::away\n\nexport func half() -> i32 { away() / 2 }\n");
    scratch.write("far.nr", "export func away() -> i32 { 6 }\n");
    let mut session = Session::start();
    let version = session.open(&main, text);
    assert!(session.diagnostics(&main, version).is_empty());
    let run = session.run("neuro.run", json!({ "uri": main }));
    assert_eq!(session.finished(run)["status"], 3);
}
