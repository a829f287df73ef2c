//! Hundreds of edits, with hovers between them, must leave the server where a fresh check starts.

use std::path::PathBuf;

use neuro_tests::{Random, Scratch, run_neurc};
use serde_json::{Value, json};

use super::client::{Session, at};

/// How many edits a session gets.
const EDITS: usize = 500;

/// A program with characters of one to four bytes, in code, text and comments.
const MODEL: &str = "\
// Ein Modell: y = ξ·w, 𝒳 ⊂ ℝ³, 🧠
const ANZAHL: i64 = 3

/* Größe des Schritts: α */
@grad(wrt: [größe])
func verlust(größe: &mut Tensor<f64, [ANZAHL]>, ξ: &Tensor<f64, [ANZAHL]>) -> Tensor<f64, []> {
    val δ = größe - ξ // δ = w − ξ
    Tensor::scalar((&δ * &δ).sum())
}

func summe(n: i64) -> i64 {
    mut s: i64 = 0 /* 𝛁 */
    for i in 0..n { s += i }
    s
}

func main() -> i32 {
    mut größe: Tensor<f64, [3]> = [0.5, 1.5, 2.5]
    val ξ: Tensor<f64, [3]> = [1.0, 1.0, 1.0]
    for schritt in 0..3 {
        val l = verlust(&mut größe, &ξ)
        l.backward()
        größe -= 0.1 * größe.grad()
        println(\"🧠 {schritt}: ∑ = {l.item():.3} – é\")
    }
    summe(n: 4) as i32
}
";

/// What gets typed.
const TYPED: &[&str] = &[
    "",
    "",
    "",
    "é",
    "𝒳",
    "🧠",
    "\"",
    "{",
    "}",
    "(",
    ")",
    "\n",
    " ",
    "// ",
    "/*",
    "*/",
    "1",
    "x",
    "+ ",
    "val ",
    ": i32",
    "@grad\n",
    "func ",
    "→",
    "größe",
    "ξ.",
    "[0]",
    "&mut ",
    "\n}\nfunc neu() -> i32 { 1 }\n",
    "'",
    "@",
];

/// A replacement in the model of the text.
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

impl Edit {
    /// Applies it; gives the edit that takes it back.
    fn apply(&self, text: &mut String) -> Edit {
        let old = text[self.start..self.end].to_owned();
        text.replace_range(self.start..self.end, &self.text);
        Edit { start: self.start, end: self.start + self.text.len(), text: old }
    }

    fn random(random: &mut Random, text: &str) -> Edit {
        let start = boundary(text, random.below(text.len() + 1));
        let length = if random.below(3) == 0 { random.below(30) } else { random.below(3) };
        let end = boundary(text, (start + length).min(text.len()));
        Edit { start, end: end.max(start), text: random.choose(TYPED).to_string() }
    }
}

/// The nearest place before that a position can name: not inside a character, nor inside a line end.
fn boundary(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset)
        || (text[..offset].ends_with('\r') && text[offset..].starts_with('\n'))
    {
        offset -= 1;
    }
    offset
}

/// The position of an offset, counted in the units of an encoding.
fn position(text: &str, offset: usize, encoding: &str) -> Value {
    let before = &text[..offset];
    let line = &before[before.rfind('\n').map_or(0, |newline| newline + 1)..];
    let column = match encoding {
        "utf-8" => line.len(),
        "utf-16" => line.encode_utf16().count(),
        _ => line.chars().count(),
    };
    at(before.matches('\n').count(), column)
}

fn range(text: &str, start: usize, end: usize, encoding: &str) -> Value {
    json!({ "start": position(text, start, encoding), "end": position(text, end, encoding) })
}

/// What `neurc check` finds in a text, in the form in which a server publishes it.
fn checked(path: &PathBuf, text: &str, encoding: &str) -> Vec<Value> {
    std::fs::write(path, text).expect("a file");
    let output = run_neurc(&["check", "--format", "json", &path.to_string_lossy()]);
    let stdout = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let published = |line: &str| {
        let finding: Value = serde_json::from_str(line).expect("JSON lines");
        let offset = |end: &str| finding["range"][end]["offset"].as_u64().expect("bytes") as usize;
        let severities = ["error", "warning", "info"];
        let severity = severities.iter().position(|name| finding["severity"] == *name);
        let notes = finding["notes"].as_array().expect("notes").iter();
        let notes: String =
            notes.map(|note| format!("\nnote: {}", note.as_str().expect("a text"))).collect();
        json!({
            "code": finding["code"],
            "severity": severity.expect("a severity") + 1,
            "message": finding["message"].as_str().expect("a text").to_owned() + &notes,
            "range": range(text, offset("start"), offset("end"), encoding),
            "related": finding["related"].as_array().expect("a list").len(),
        })
    };
    stdout.lines().map(published).collect()
}

/// What the server published, in the same form.
fn published(diagnostics: &[Value]) -> Vec<Value> {
    let same = |diagnostic: &Value| {
        json!({
            "code": diagnostic["code"],
            "severity": diagnostic["severity"],
            "message": diagnostic["message"],
            "range": diagnostic["range"],
            "related": diagnostic["relatedInformation"].as_array().map_or(0, Vec::len),
        })
    };
    diagnostics.iter().map(same).collect()
}

/// A client with its model of the text.
struct Editor {
    session: Session,
    random: Random,
    encoding: &'static str,
    uri: String,
    text: String,
    version: i64,
    /// The edits that lead back to the first text, the last one first to apply.
    undo: Vec<Edit>,
    hovers: Vec<i64>,
    edits: usize,
}

impl Editor {
    /// Sends a notification with one to three edits, and asks something at once.
    fn step(&mut self, forward: bool) {
        let mut changes = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let back = if forward { None } else { self.undo.pop() };
            if !forward && back.is_none() {
                break;
            }
            let is_new = back.is_none();
            let edit = back.unwrap_or_else(|| Edit::random(&mut self.random, &self.text));
            let mut place = range(&self.text, edit.start, edit.end, self.encoding);
            if self.random.below(4) == 0 {
                self.reach_out(&mut place, edit.end);
            }
            changes.push(json!({ "range": place, "text": edit.text }));
            let inverse = edit.apply(&mut self.text);
            if is_new {
                self.undo.push(inverse);
            }
            self.edits += 1;
        }
        self.version = self.session.change(&self.uri, json!(changes));
        let offset = boundary(&self.text, self.random.below(self.text.len() + 1));
        let position = position(&self.text, offset, self.encoding);
        let params = json!({ "textDocument": { "uri": self.uri }, "position": position });
        self.hovers.push(self.session.ask("textDocument/hover", params));
    }

    /// Lets a range that ends at the end of a line, or of the text, end behind it: that means the same.
    fn reach_out(&mut self, place: &mut Value, end: usize) {
        let rest = &self.text[end..];
        let far = i32::MAX as usize;
        let more = if self.random.below(3) == 0 { far } else { 1 + self.random.below(1000) };
        if rest.is_empty() {
            let line = self.text.matches('\n').count() + more;
            place["end"] = at(line, self.random.below(9));
        } else if rest.starts_with('\n') || rest.starts_with("\r\n") {
            let character = place["end"]["character"].as_u64().expect("a column");
            place["end"]["character"] = json!(character + more as u64);
        }
    }

    fn agrees_with_a_fresh_check(&mut self, path: &PathBuf) -> usize {
        let diagnostics = self.session.diagnostics(&self.uri, self.version);
        let expected = checked(path, &self.text, self.encoding);
        assert_eq!(published(&diagnostics), expected, "text:\n{}", self.text);
        expected.len()
    }
}

fn session_of_edits(encoding: &'static str, seed: u64, model: &str) {
    let scratch = Scratch::new(&format!("edits-{encoding}-{seed}"));
    let path = scratch.path().join("modell.nr");
    let mut editor = Editor {
        session: Session::counting_in(encoding),
        random: Random::of_test(seed),
        encoding,
        uri: format!("file://{}", path.display()),
        text: model.to_owned(),
        version: 0,
        undo: Vec::new(),
        hovers: Vec::new(),
        edits: 0,
    };
    editor.version = editor.session.open(&editor.uri, model);
    assert_eq!(editor.agrees_with_a_fresh_check(&path), 0, "the model is right");
    let mut repairs = 0;
    while editor.edits < EDITS {
        for _ in 0..1 + editor.random.below(4) {
            editor.step(true);
        }
        while !editor.undo.is_empty() {
            editor.step(false);
        }
        assert_eq!(editor.text, model);
        repairs += 1;
        if repairs % 16 == 0 {
            assert_eq!(editor.agrees_with_a_fresh_check(&path), 0, "repaired");
        }
        for id in std::mem::take(&mut editor.hovers) {
            if let Err(error) = editor.session.answer(id) {
                assert_eq!(error["code"], -32801, "only a changed text is no answer: {error}");
            }
        }
    }
    // Broken for good, in a way that is seen.
    let mut found = 0;
    while found == 0 {
        editor.step(true);
        found = editor.agrees_with_a_fresh_check(&path);
    }
    for _ in 0..4 {
        editor.step(true);
    }
    editor.agrees_with_a_fresh_check(&path);
    while !editor.undo.is_empty() {
        editor.step(false);
    }
    assert_eq!(editor.agrees_with_a_fresh_check(&path), 0, "repaired at the end");
    for method in ["window/showMessage", "window/logMessage"] {
        assert!(!editor.session.has_arrived(method), "typing is no reason for {method}");
    }
}

#[test]
fn edits_in_utf_16() {
    session_of_edits("utf-16", 1, MODEL);
}

#[test]
fn edits_in_utf_8() {
    session_of_edits("utf-8", 2, MODEL);
}

#[test]
fn edits_in_a_text_with_crlf() {
    session_of_edits("utf-16", 3, &MODEL.replace('\n', "\r\n"));
}
