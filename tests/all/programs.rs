//! Programs that say at their end what they print.
//!
//! `// out: text` is a line of standard output and `// tail: text` an end of it without a new line,
//! `// stderr: text` is a line of standard error, `// status: 3` the exit status if it is not 0. What stands
//! behind `// run: -O0` holds at that level only; without such lines the same holds at every level.

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::Output;

use neuro_tests::{root, run_neurc};

/// The levels that each program runs at: the checked one, and one that wraps.
const LEVELS: &[&str] = &["-O0", "-O2"];

/// What a program does.
#[derive(Default, PartialEq, Debug)]
pub(super) struct Behaviour {
    stdout: String,
    stderr: String,
    status: i32,
}

impl Behaviour {
    /// Whether the program comes to its end.
    pub(super) fn ends_by_itself(&self) -> bool {
        self.status < 128
    }
}

impl From<Output> for Behaviour {
    /// Of a program that ended; what a signal ended has the status that a shell gives it.
    fn from(output: Output) -> Self {
        let signal = || output.status.signal().map(|signal| 128 + signal);
        Self {
            stdout: without_blanks(&output.stdout),
            stderr: without_blanks(&output.stderr),
            status: output.status.code().or_else(signal).unwrap_or(-1),
        }
    }
}

/// What the comments of a program promise for a level.
pub(super) fn promised(text: &str, level: &str) -> Behaviour {
    let mut promised = Behaviour::default();
    let mut counts = !text.lines().any(|line| line.starts_with("// run: "));
    for line in text.lines() {
        if let Some(levels) = line.strip_prefix("// run: ") {
            counts = levels == level;
        } else if !counts {
            continue;
        } else if let Some(out) = line.strip_prefix("// out:") {
            promised.stdout += out.strip_prefix(' ').unwrap_or(out);
            promised.stdout.push('\n');
        } else if let Some(tail) = line.strip_prefix("// tail: ") {
            promised.stdout += tail;
        } else if let Some(error) = line.strip_prefix("// stderr: ") {
            promised.stderr += error;
            promised.stderr.push('\n');
        } else if let Some(status) = line.strip_prefix("// status: ") {
            promised.status = status.parse().expect("a status");
        }
    }
    promised
}

/// Blanks at the ends of lines do not count: no editor keeps them.
fn without_blanks(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let lines = text.split('\n').map(|line| line.trim_end_matches(' '));
    lines.collect::<Vec<_>>().join("\n")
}

/// What a program does at a level.
fn observed(path: &str, level: &str) -> Behaviour {
    run_neurc(&["run", level, path]).into()
}

/// The programs of a folder, by their paths from the project's folder.
pub(super) fn programs(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut programs: Vec<String> =
        names.filter(|name| name.ends_with(".nr")).map(|name| format!("{folder}/{name}")).collect();
    programs.sort();
    programs
}

pub(super) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("a text")
}

/// Checks every program with two threads; `fault` tells what is wrong with one.
pub(super) fn all_hold(programs: &[String], fault: impl Fn(&str) -> Option<String> + Sync) {
    let (even, odd): (Vec<_>, Vec<_>) =
        programs.iter().enumerate().partition(|(index, _)| index % 2 == 0);
    let check = |half: Vec<(usize, &String)>| -> Vec<String> {
        half.into_iter().filter_map(|(_, path)| fault(path)).collect()
    };
    let faults = std::thread::scope(|scope| {
        let other = scope.spawn(|| check(odd));
        let mut faults = check(even);
        faults.extend(other.join().expect("no check panics"));
        faults
    });
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), programs.len(), faults.join("\n"));
}

#[test]
fn programs_do_what_they_promise() {
    let programs = programs("tests/run");
    assert!(programs.len() >= 25, "the programs are found");
    all_hold(&programs, |path| {
        let text = read(path);
        let different = |level: &&&str| promised(&text, level) != observed(path, level);
        let level = LEVELS.iter().find(different)?;
        let (promised, observed) = (promised(&text, level), observed(path, level));
        Some(format!("{path} at {level}\npromised: {promised:#?}\nobserved: {observed:#?}"))
    });
}

/// The file that pins what an example prints.
fn pinned(path: &str) -> PathBuf {
    let name = path.rsplit('/').next().unwrap_or(path).replace(".nr", ".out");
    root().join("tests/examples").join(name)
}

#[test]
fn examples_print_what_is_pinned() {
    let programs = programs("examples");
    assert!(!programs.is_empty(), "the examples are found");
    all_hold(&programs, |path| {
        let observed = observed(path, "-O0");
        if observed.status != 0 || !observed.stderr.is_empty() {
            return Some(format!("{path}: {observed:#?}"));
        }
        let pin = pinned(path);
        let expected = std::fs::read_to_string(&pin).unwrap_or_default();
        if expected != observed.stdout && std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&pin, &observed.stdout).expect("the file is writable");
            return None;
        }
        let fault = || format!("{path}: not as in {}:\n{}", pin.display(), observed.stdout);
        (expected != observed.stdout).then(fault)
    });
}

#[test]
fn levels_do_not_change_what_examples_print() {
    all_hold(&programs("examples"), |path| {
        let (checked, wrapping) = (observed(path, "-O0"), observed(path, "-O3"));
        (checked != wrapping).then(|| format!("{path}: {checked:#?} {wrapping:#?}"))
    });
}
