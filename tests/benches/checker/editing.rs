//! What an editor waits for.

use std::time::{Duration, Instant};

use neuro_tests::client::{Session, at, position_of};
use neuro_tests::{Random, Scratch, workspace};
use serde_json::json;

use super::Workspace;
use super::batch::memory_of;
use super::table::{Table, percentile};

/// How many edits are measured, and how many come before.
const EDITS: usize = 100;
const WARM: usize = 10;

/// What is asked right after an edit, if the server offers it: its name, capability and method, and how many
/// milliseconds an answer may take.
const ASKED: [(&str, &str, &str, f64); 3] = [
    ("hover", "hoverProvider", "textDocument/hover", 3.0),
    ("completion", "completionProvider", "textDocument/completion", 10.0),
    ("definition", "definitionProvider", "textDocument/definition", 5.0),
];

/// What is asked of a workspace, in milliseconds and megabytes.
pub(crate) struct Targets {
    start: Option<f64>,
    edit: (Option<f64>, f64),
    burst: Option<f64>,
    memory: Option<f64>,
}

/// Of 10,000 lines.
pub(crate) const SMALL: Targets =
    Targets { start: Some(20.0), edit: (Some(1.0), 3.0), burst: Some(10.0), memory: Some(30.0) };
/// Of 100,000 lines.
pub(crate) const LARGE: Targets =
    Targets { start: Some(30.0), edit: (Some(1.0), 3.0), burst: Some(10.0), memory: Some(45.0) };
/// Of one file of 10,000 lines.
pub(crate) const SINGLE: Targets =
    Targets { start: None, edit: (None, 20.0), burst: None, memory: None };

/// A document that is open in a session.
struct Open<'a> {
    session: &'a mut Session,
    uri: String,
    /// Where one character is replaced again and again: line and column.
    spot: (usize, usize),
}

impl Open<'_> {
    /// Replaces the character; gives the version.
    fn type_digit(&mut self, digit: usize) -> i64 {
        let (line, column) = self.spot;
        let range = json!({ "start": at(line, column), "end": at(line, column + 1) });
        let text = digit.to_string();
        self.session.change(&self.uri, json!([{ "range": range, "text": text }]))
    }

    /// From the edit to its diagnostics.
    fn edit(&mut self, digit: usize) -> Duration {
        let begin = Instant::now();
        let version = self.type_digit(digit);
        self.session.diagnostics(&self.uri, version);
        begin.elapsed()
    }
}

/// Measures a session with a workspace: the module that imports most stands in the middle of it.
pub(crate) fn measure(table: &mut Table, what: &str, workspace: &Workspace, targets: &Targets) {
    let name = |row: &str| format!("server, {what}: {row}");
    let rows = ["start", "edit", "hover", "completion", "definition", "31 edits", "memory"];
    if !rows.iter().any(|row| table.wants_some(&name(row))) {
        return;
    }
    let middle = format!("part{}", workspace.modules.len() / 2);
    let document = if workspace.modules.len() == 1 { "main" } else { &middle };
    let (uri, text) = workspace.document(document);
    let mut starts: Vec<f64> = (0..5).map(|_| started(&uri, text).1).collect();
    starts.sort_by(f64::total_cmp);
    table.row(&name("start to first diagnostics"), starts[0], "ms", targets.start);

    let (mut session, _) = started(&uri, text);
    let pid = session.pid();
    table.row(&name("memory after open"), memory_of(pid, "VmRSS"), "MB", targets.memory);
    let spot = digit_in(text, "sum -= self.offset", "val bias = by * 0.");
    let hovered = position_of(text, "bias", 0);
    let mut open = Open { session: &mut session, uri: uri.clone(), spot };
    let times = sorted((0..WARM + EDITS).map(|n| open.edit(n % 10)).skip(WARM));
    table.row(&name("edit p50"), percentile(&times, 50), "ms", targets.edit.0);
    table.row(&name("edit p95"), percentile(&times, 95), "ms", Some(targets.edit.1));

    let idle = sorted((0..EDITS).map(|_| {
        let begin = Instant::now();
        open.session.hover(&uri, hovered.clone());
        begin.elapsed()
    }));
    table.row(&name("hover p95"), percentile(&idle, 95), "ms", Some(0.3));
    for (what, capability, method, target) in ASKED {
        let row = name(&format!("{what} right after an edit p95"));
        if !open.session.offers(capability) {
            continue;
        }
        let times = sorted((0..EDITS).map(|n| {
            let version = open.type_digit(n % 10);
            let document = json!({ "uri": uri });
            let asked = json!({ "textDocument": document, "position": hovered });
            let begin = Instant::now();
            open.session.request(method, asked);
            let elapsed = begin.elapsed();
            open.session.diagnostics(&uri, version);
            elapsed
        }));
        table.row(&row, percentile(&times, 95), "ms", Some(target));
    }

    let bursts = sorted((0..EDITS / 5).map(|_| {
        for n in 0..30 {
            open.type_digit(n % 10);
        }
        let begin = Instant::now();
        let version = open.type_digit(5);
        open.session.diagnostics(&uri, version);
        begin.elapsed()
    }));
    table.row(
        &name("31 edits, last to its diagnostics p50"),
        percentile(&bursts, 50),
        "ms",
        targets.burst,
    );
    for n in 0..4_000 {
        open.type_digit(n % 10);
        if n % 40 == 0 {
            open.edit(n / 40 % 10);
        }
    }
    let (before, grown) = (memory_of(pid, "VmRSS"), {
        for n in 0..4_000 {
            open.edit(n % 10);
        }
        memory_of(pid, "VmRSS")
    });
    table.row(&name("memory that 4,000 edits add"), (grown / before - 1.0) * 100.0, "%", Some(2.0));
}

/// A session with the document open and its first diagnostics, and how long they took.
fn started(uri: &str, text: &str) -> (Session, f64) {
    let begin = Instant::now();
    let mut session = Session::start();
    let version = session.open(uri, text);
    let found = session.diagnostics(uri, version);
    assert!(found.is_empty(), "the workspace has no mistakes: {found:?}");
    (session, begin.elapsed().as_secs_f64() * 1e3)
}

/// Where the first digit behind some words stands, in the middle of the text: after a word that comes before.
fn digit_in(text: &str, before: &str, words: &str) -> (usize, usize) {
    let middle = text.len() / 2;
    let from = text[..middle].rfind(before).map_or(0, |at| at);
    let start = from + text[from..].find(words).expect("the words are there") + words.len();
    let line = text[..start].matches('\n').count();
    (line, start - text[..start].rfind('\n').map_or(0, |newline| newline + 1))
}

fn sorted(times: impl Iterator<Item = Duration>) -> Vec<f64> {
    let mut times: Vec<f64> = times.map(|time| time.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// A signature changes that fifty open files use.
pub(crate) fn dependents(table: &mut Table, scratch: &Scratch) {
    let one = "a signature that 50 files use changes: an open one p95";
    let all = "a signature that 50 files use changes: all of them p95";
    if !table.wants(one) && !table.wants(all) {
        return;
    }
    let mut modules = workspace::modules(3_000, &mut Random::of_test(1));
    let shared = |ty: &str| format!("export func shared(x: {ty}) -> {ty} {{ x }}\n");
    modules.push(workspace::Module { name: "shared".to_owned(), text: shared("f32") });
    for n in 0..50 {
        let text = format!(
            "import shared::shared\n\nexport func user{n}(y: f32) -> f32 {{\n    val z = shared(y)\n    z * {n}.0\n}}\n"
        );
        modules.push(workspace::Module { name: format!("user{n}"), text });
    }
    let workspace = Workspace::of_modules(scratch, "dependents", modules);
    let mut session = Session::start();
    let (uri, text) = workspace.document("shared");
    let version = session.open(&uri, text);
    session.diagnostics(&uri, version);
    let users: Vec<(String, i64)> = (0..50)
        .map(|n| {
            let (uri, text) = workspace.document(&format!("user{n}"));
            let version = session.open(&uri, text);
            session.diagnostics(&uri, version);
            (uri, version)
        })
        .collect();
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for n in 0..40 {
        let begin = Instant::now();
        let ty = if n % 2 == 0 { "f64" } else { "f32" };
        session.replace(&uri, &shared(ty));
        for (index, (user, version)) in users.iter().enumerate() {
            let found = session.diagnostics(user, *version);
            assert_eq!(found.is_empty(), ty == "f32", "{found:?}");
            if index == 0 {
                first.push(begin.elapsed());
            }
        }
        last.push(begin.elapsed());
    }
    table.row(one, percentile(&sorted(first.into_iter()), 95), "ms", Some(5.0));
    table.row(all, percentile(&sorted(last.into_iter()), 95), "ms", Some(50.0));
}
