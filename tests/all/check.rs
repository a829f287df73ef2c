//! `neurc check`: formats for other tools, levels of lints, projects, watching.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use neuro_tests::{Scratch, neurc};
use serde_json::Value;

const WRONG: &str = "func main() -> i32 {\n    val ö = true\n    ö + 1\n}\n";
const RIGHT: &str = "func main() -> i32 {\n    0\n}\n";
/// A program with one warning.
const ODD: &str =
    "func main() -> i32 {\n    mut n = 0\n    while true { if n > 3 { break } }\n    n\n}\n";
/// What names the lint of the warning.
const LINT: &str = "prefer_loop_over_while_true";

/// What a command did.
struct Done {
    status: i32,
    stdout: String,
    stderr: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().expect("no signal ends it"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

/// Checks in a folder.
fn check(folder: &Path, args: &[&str]) -> Done {
    let mut command = Command::new(neurc());
    command.arg("check").args(args).current_dir(folder).stdin(Stdio::null());
    command.output().expect("neurc starts").into()
}

#[test]
fn warnings_alone_are_no_failure_unless_they_are_denied() {
    let scratch = Scratch::new("check-deny");
    scratch.write("odd.nr", ODD);
    let line = "odd.nr:3:5: warning[W0101]: a loop that never ends by its condition is a `loop`\n";
    let done = check(scratch.path(), &["odd.nr", "--format", "short"]);
    assert_eq!((done.status, &*done.stdout), (0, line));
    let done = check(scratch.path(), &["odd.nr", "--format", "short", "--deny", "warnings"]);
    assert_eq!((done.status, &*done.stdout), (1, line));
    let done = check(scratch.path(), &["odd.nr"]);
    assert_eq!(done.stderr, "checked 1 file: 1 warning\n");
}

#[test]
fn a_project_sets_the_levels_of_lints() {
    let scratch = Scratch::new("check-levels");
    std::fs::create_dir(scratch.path().join("below")).expect("a folder");
    scratch.write("below/odd.nr", ODD);
    for (level, status, word) in
        [("allow", 0, None), ("warn", 0, Some("warning")), ("deny", 1, Some("error"))]
    {
        scratch.write("neuro.toml", &format!("[lints]\n{LINT} = \"{level}\"\n"));
        let done = check(&scratch.path().join("below"), &["odd.nr", "--format", "short"]);
        let found = word.map(|word| done.stdout.contains(&format!("odd.nr:3:5: {word}[W0101]")));
        assert_eq!(
            (done.status, found.unwrap_or(done.stdout.is_empty())),
            (status, true),
            "{level}"
        );
    }
    // A program with denied lints does not run.
    let mut run = Command::new(neurc());
    run.args(["run", "odd.nr"]).current_dir(scratch.path().join("below"));
    let done = Done::from(run.output().expect("neurc starts"));
    assert_eq!((done.status, done.stderr.contains("error[W0101]")), (1, true), "{}", done.stderr);
}

#[test]
fn standard_input_belongs_to_the_project_of_the_folder() {
    let scratch = Scratch::new("check-stdin");
    let odd = scratch.write("odd.nr", ODD);
    scratch.write("neuro.toml", &format!("[lints]\n{LINT} = \"deny\"\n"));
    let mut command = Command::new(neurc());
    command.args(["check", "-", "--format", "short"]).current_dir(scratch.path());
    command.stdin(std::fs::File::open(odd).expect("a file"));
    let done = Done::from(command.output().expect("neurc starts"));
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(done.stdout.starts_with("<stdin>:3:5: error[W0101]"), "{}", done.stdout);
}

#[test]
fn mistakes_in_a_project_file_are_told_at_their_place() {
    let scratch = Scratch::new("check-mistakes");
    scratch.write("right.nr", RIGHT);
    std::fs::create_dir(scratch.path().join("below")).expect("a folder");
    for (text, place) in [
        ("[lints]\nprefer_lop_over_while_true = \"deny\"\n", "neuro.toml:2:1"),
        ("[lints]\nprefer_loop_over_while_true = \"no\"\n", "neuro.toml:2:31"),
        ("[lint]\n", "neuro.toml:1:2"),
        ("[project]\nroots = [\"right.nr\", \"gone\"]\n", "neuro.toml:2:22"),
        ("[worker]\ntimeout_seconds = \"long\"\n", "neuro.toml:2:19"),
        ("[worker\n", "neuro.toml:1:8"),
    ] {
        scratch.write("neuro.toml", text);
        for format in ["human", "short", "json", "sarif", "github"] {
            let done = check(scratch.path(), &["--format", format]);
            assert_eq!(done.status, 2, "{text}: {}", done.stderr);
            let place_of = |value: &Value, line: &str, column: &str| {
                format!("neuro.toml:{}:{}", value[line], value[column])
            };
            match format {
                "json" => {
                    let found: Value = serde_json::from_str(&done.stdout).expect("an object");
                    let start = &found["range"]["start"];
                    assert_eq!(
                        (&found["code"], place_of(start, "line", "column")),
                        (&"E0801".into(), place.to_owned())
                    );
                }
                "sarif" => {
                    let log: Value = serde_json::from_str(&done.stdout).expect("a log");
                    check_sarif(&log);
                    let run = &log["runs"][0]["invocations"][0];
                    let told = &run["toolConfigurationNotifications"][0];
                    let region = &told["locations"][0]["physicalLocation"]["region"];
                    assert_eq!(run["executionSuccessful"], false);
                    assert_eq!(place_of(region, "startLine", "startColumn"), place);
                }
                _ => assert_eq!(done.stdout, "", "{text}"),
            }
            let place = match format {
                "github" => place.replacen(":", ",line=", 1).replace(':', ","),
                _ => place.to_owned(),
            };
            let place = place.split(',').take(2).collect::<Vec<_>>().join(",");
            assert!(done.stderr.contains(&place), "{text}: {place}: {}", done.stderr);
        }
        // The other commands that read the project tell the same.
        for args in [&["fmt", "--check"][..], &["run", "../right.nr"]] {
            if text.contains("roots") && args[0] == "run" {
                continue;
            }
            let mut command = Command::new(neurc());
            command.args(args).current_dir(scratch.path().join("below"));
            let done = Done::from(command.output().expect("neurc starts"));
            assert_eq!((done.status, &*done.stdout), (2, ""), "{args:?} {text}: {}", done.stderr);
            assert!(done.stderr.contains(&format!("../{place}")), "{args:?} {}", done.stderr);
        }
    }
    scratch.write("neuro.toml", "[lints]\nprefer_lop_over_while_true = \"deny\"\n");
    let done = check(scratch.path(), &["right.nr"]);
    assert!(done.stderr.contains("did you mean `prefer_loop_over_while_true`?"), "{}", done.stderr);
}

#[test]
fn a_project_names_its_roots() {
    let scratch = Scratch::new("check-roots");
    for folder in ["src/deep", "examples", "other"] {
        std::fs::create_dir_all(scratch.path().join(folder)).expect("a folder");
    }
    for path in ["src/deep/a.nr", "examples/b.nr", "other/c.nr", "d.nr"] {
        scratch.write(path, WRONG);
    }
    scratch.write("neuro.toml", "[project]\nroots = [\"src\", \"d.nr\"]\n");
    let files = |folder: &str| -> Vec<String> {
        let done = check(&scratch.path().join(folder), &["--format", "short"]);
        done.stdout.lines().filter_map(|line| line.split(':').next()).map(str::to_owned).collect()
    };
    assert_eq!(files("."), ["src/deep/a.nr", "d.nr"]);
    assert_eq!(files("src"), ["../src/deep/a.nr", "../d.nr"]);
    let mut command = Command::new(neurc());
    command.args(["fmt", "--check"]).current_dir(scratch.path().join("other"));
    let done = Done::from(command.output().expect("neurc starts"));
    assert_eq!((done.status, &*done.stderr), (0, "checked 2 files: all in style\n"));
}

#[test]
fn what_cannot_be_read_does_not_hide_the_rest() {
    let scratch = Scratch::new("check-unread");
    scratch.write("wrong.nr", WRONG);
    let done = check(scratch.path(), &["missing.nr", "wrong.nr", "--format", "short"]);
    assert_eq!((done.status, done.stdout.lines().count()), (2, 1), "{}", done.stdout);
    assert!(done.stderr.contains("`missing.nr`"), "{}", done.stderr);
}

#[test]
fn a_module_that_is_no_text_is_not_checked() {
    let scratch = Scratch::new("check-no-text");
    scratch.write("a.nr", "import b\n\nfunc main() -> i32 { b::f() }\n");
    std::fs::write(
        scratch.path().join("b.nr"),
        b"export func f() -> i32 { 1 }\n// \xC3\xA9 \xFF\n",
    )
    .expect("a file");
    let says = "error: `b.nr` is not UTF-8 text: the byte at 2:6 belongs to no character\n";
    for format in ["short", "json", "github"] {
        let done = check(scratch.path(), &["a.nr", "--format", format]);
        assert_eq!((done.status, &*done.stdout, &*done.stderr), (2, "", says));
    }
    let done = check(scratch.path(), &["a.nr", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&done.stdout).expect("a log");
    check_sarif(&log);
    let told = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(format!("error: {}\n", told["message"]["text"].as_str().unwrap_or_default()), says);
    let mut run = Command::new(neurc());
    run.args(["run", "a.nr"]).current_dir(scratch.path());
    let done = Done::from(run.output().expect("neurc starts"));
    assert_eq!((done.status, &*done.stderr), (2, says));
}

#[test]
fn a_project_file_that_is_no_text_is_told_before_anything_is_checked() {
    let scratch = Scratch::new("check-toml-no-text");
    scratch.write("wrong.nr", WRONG);
    std::fs::write(scratch.path().join("neuro.toml"), b"[lints]\n\xFF\n").expect("a file");
    for args in [&["--format", "short"][..], &["wrong.nr", "--format", "short"]] {
        let done = check(scratch.path(), args);
        let says =
            "error: `neuro.toml` is not UTF-8 text: the byte at 2:1 belongs to no character\n";
        assert_eq!((done.status, &*done.stdout, &*done.stderr), (2, "", says), "{args:?}");
    }
}

#[test]
fn a_log_says_that_nothing_could_be_read() {
    let scratch = Scratch::new("check-log-unread");
    let done = check(scratch.path(), &[".", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&done.stdout).expect("a log");
    check_sarif(&log);
    assert_eq!(
        (done.status, &log["runs"][0]["invocations"][0]["executionSuccessful"]),
        (2, &false.into())
    );
}

/// A pipe that nobody writes to would be waited for.
#[test]
fn pipes_are_no_sources() {
    let scratch = Scratch::new("check-pipe");
    scratch.write("a.nr", "import p\n\nfunc main() -> i32 { p::f() }\n");
    let pipe = scratch.path().join("p.nr");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts");
    assert!(made.success());
    let done = check(scratch.path(), &["--format", "short"]);
    assert_eq!((done.status, done.stdout.contains("there is no module `p`")), (1, true));
}

#[test]
fn a_byte_order_mark_is_no_column() {
    let scratch = Scratch::new("check-mark");
    scratch.write("a.nr", "\u{feff}func f() -> i32 { true }\n");
    let done = check(scratch.path(), &["a.nr", "--format", "short"]);
    assert!(done.stdout.starts_with("a.nr:1:19: error[E0301]"), "{}", done.stdout);
}

#[test]
fn github_gets_annotations() {
    let scratch = Scratch::new("check-github");
    std::fs::create_dir(scratch.path().join("a,b")).expect("a folder");
    scratch.write("a,b/50%.nr", WRONG);
    let done = check(scratch.path(), &["a,b", "--format", "github"]);
    let line = "::error file=a%2Cb/50%25.nr,line=3,endLine=3,col=9,endColumn=10,title=E0301%3A mismatched \
                types::expected `bool`, found an integer literal\n";
    assert_eq!((done.status, &*done.stdout, &*done.stderr), (1, line, ""));
}

/// What the published schema requires of the objects that a log has.
fn check_sarif(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    assert!(
        log["$schema"].as_str().is_some_and(|schema| schema.ends_with("sarif-schema-2.1.0.json"))
    );
    for run in log["runs"].as_array().expect("runs") {
        let driver = &run["tool"]["driver"];
        assert!(driver["name"].is_string() && driver["semanticVersion"].is_string());
        let done = &run["invocations"][0];
        let failed = ["toolExecutionNotifications", "toolConfigurationNotifications"]
            .iter()
            .flat_map(|kind| done[kind].as_array().into_iter().flatten())
            .inspect(|told| assert!(told["message"]["text"].is_string(), "{told}"))
            .count();
        assert_eq!(done["executionSuccessful"], failed == 0);
        assert_eq!(run["columnKind"], "unicodeCodePoints");
        let rules = driver["rules"].as_array().expect("rules");
        let mut ids = std::collections::BTreeSet::new();
        for rule in rules {
            assert!(ids.insert(rule["id"].as_str().expect("an id")), "ids are unique");
            for text in ["shortDescription", "fullDescription", "help"] {
                assert!(rule[text]["text"].as_str().is_some_and(|text| !text.is_empty()), "{rule}");
            }
            check_level(&rule["defaultConfiguration"]["level"]);
        }
        for result in run["results"].as_array().expect("results") {
            assert!(result["message"]["text"].is_string());
            check_level(&result["level"]);
            let rule = &rules[result["ruleIndex"].as_u64().expect("an index") as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            for location in result["locations"].as_array().expect("locations") {
                check_place(&location["physicalLocation"]);
            }
            for location in result["relatedLocations"].as_array().into_iter().flatten() {
                assert!(location["message"]["text"].is_string());
                check_place(&location["physicalLocation"]);
            }
            for fix in result["fixes"].as_array().into_iter().flatten() {
                for change in fix["artifactChanges"].as_array().expect("changes") {
                    assert!(change["artifactLocation"]["uri"].is_string());
                    for replacement in change["replacements"].as_array().expect("replacements") {
                        check_region(&replacement["deletedRegion"]);
                        assert!(replacement["insertedContent"]["text"].is_string());
                    }
                }
            }
        }
    }
}

fn check_level(level: &Value) {
    let level = level.as_str().expect("a level");
    assert!(["none", "note", "warning", "error"].contains(&level), "{level}");
}

fn check_place(place: &Value) {
    assert!(place["artifactLocation"]["uri"].is_string(), "{place}");
    check_region(&place["region"]);
}

fn check_region(region: &Value) {
    let number = |key: &str| region[key].as_u64().expect("a number");
    let start = (number("startLine"), number("startColumn"));
    assert!(start.0 >= 1 && start.1 >= 1 && start <= (number("endLine"), number("endColumn")));
    assert!(region["byteOffset"].is_u64() && region["byteLength"].is_u64());
}

#[test]
fn code_scanning_gets_a_log() {
    let scratch = Scratch::new("check-sarif");
    scratch.write("wrong.nr", WRONG);
    scratch.write("odd one.nr", ODD);
    scratch.write("twice.nr", "const x: i32 = 1\nconst x: i32 = 2\n");
    let done = check(scratch.path(), &[".", "--format", "sarif"]);
    assert_eq!((done.status, &*done.stderr), (1, ""));
    let log: Value = serde_json::from_str(&done.stdout).expect("JSON");
    check_sarif(&log);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let found: Vec<_> = results
        .iter()
        .map(|result| {
            let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            (word(uri), word(&result["ruleId"]), word(&result["level"]))
        })
        .collect();
    let expected = [
        ("odd%20one.nr", "W0101", "warning"),
        ("twice.nr", "E0202", "error"),
        ("wrong.nr", "E0301", "error"),
    ];
    let expected = expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned()));
    assert_eq!(found, expected);
    assert!(results[0]["fixes"][0]["description"]["text"].is_string());
    assert!(results[1]["relatedLocations"][0]["id"].is_u64());
    // A clean check has a log as well.
    scratch.write("right.nr", RIGHT);
    let done = check(scratch.path(), &["right.nr", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&done.stdout).expect("JSON");
    check_sarif(&log);
    assert_eq!((done.status, log["runs"][0]["results"].as_array().map(Vec::len)), (0, Some(0)));
}

#[test]
fn a_closed_pipe_ends_a_check_quietly() {
    let scratch = Scratch::new("check-pipe");
    let mut text = String::from("func main() -> i32 {\n");
    for _ in 0..2000 {
        text += "    1 + true\n";
    }
    scratch.write("many.nr", &(text + "}\n"));
    for format in ["human", "short", "json", "sarif", "github"] {
        let mut child = Command::new(neurc())
            .args(["check", "many.nr", "--format", format])
            .current_dir(scratch.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("neurc starts");
        drop(child.stdout.take());
        let done = child.wait_with_output().expect("it ends");
        assert_eq!(String::from_utf8_lossy(&done.stderr), "", "{format}");
        assert_eq!(done.status.code(), Some(141), "{format}");
    }
}

/// A check that watches, with the lines that it writes.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(neurc())
            .args(["check", "--watch", "--format", "short"])
            .args(args)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("neurc starts");
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let pass_on = |mut reader: Box<dyn BufRead + Send>,
                       sender: std::sync::mpsc::Sender<String>| {
            std::thread::spawn(move || {
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|length| length > 0) {
                    // The test may have ended.
                    let _ = sender.send(std::mem::take(&mut line));
                }
            });
        };
        pass_on(Box::new(stdout), sender.clone());
        pass_on(Box::new(stderr), sender);
        Self { child, lines }
    }

    /// Waits for a line that has these words. Others may come before it.
    fn wait_for(&self, words: &str) {
        self.wait_for_all(&[words]);
    }

    /// Waits for a line with each of these words, in any order: the two streams are read side by side.
    fn wait_for_all(&self, words: &[&str]) {
        let mut missing = words.to_vec();
        while !missing.is_empty() {
            let line = self.lines.recv_timeout(Duration::from_secs(60));
            let line = line.unwrap_or_else(|_| panic!("no line with {missing:?}"));
            missing.retain(|words| !line.contains(words));
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_watched_file_is_checked_when_it_changes() {
    let scratch = Scratch::new("check-watch");
    scratch.write("a.nr", RIGHT);
    let watch = Watch::start(scratch.path(), &["."]);
    watch.wait_for("checked 1 file: nothing to report");
    scratch.write("a.nr", WRONG);
    watch.wait_for_all(&["a.nr:3:9: error[E0301]", "checked 1 file: 1 error"]);
    // Editors write another file and put it in the place of the old one.
    let other = scratch.write("a.nr~", RIGHT);
    std::fs::rename(other, scratch.path().join("a.nr")).expect("a file");
    watch.wait_for("checked 1 file: nothing to report");
    std::fs::create_dir(scratch.path().join("new")).expect("a folder");
    scratch.write("new/b.nr", ODD);
    watch.wait_for("checked 2 files: 1 warning");
    scratch.write("neuro.toml", &format!("[lints]\n{LINT} = \"deny\"\n"));
    watch.wait_for("checked 2 files: 1 error");
    scratch.write("neuro.toml", "[lint]\n");
    watch.wait_for("neuro.toml:1:2: error[E0801]");
    scratch.write("neuro.toml", "");
    watch.wait_for("checked 2 files: 1 warning");
    std::fs::remove_file(scratch.path().join("new/b.nr")).expect("a file");
    watch.wait_for("checked 1 file: nothing to report");
}

#[test]
fn a_file_that_does_not_exist_yet_is_watched() {
    let scratch = Scratch::new("check-watch-new");
    let watch = Watch::start(scratch.path(), &["later.nr"]);
    watch.wait_for("cannot read `later.nr`");
    scratch.write("later.nr", WRONG);
    watch.wait_for("checked 1 file: 1 error");
    std::fs::create_dir_all(scratch.path().join("empty/deep")).expect("folders");
    let watch = Watch::start(scratch.path(), &["empty"]);
    watch.wait_for("`empty` contains no `.nr` file");
    scratch.write("empty/deep/later.nr", WRONG);
    watch.wait_for("checked 1 file: 1 error");
}

#[test]
fn standard_input_is_not_watched() {
    let scratch = Scratch::new("check-watch-stdin");
    let done = check(scratch.path(), &["--watch", "-"]);
    assert_eq!((done.status, &*done.stdout), (2, ""));
    assert!(done.stderr.contains("standard input"), "{}", done.stderr);
}
