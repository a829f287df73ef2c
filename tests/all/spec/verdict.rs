//! Whether the compiler finds in a program what the page says, and whether the program does it.

use std::fmt::Write as _;

use neuro_db::{Diagnostic, RootDatabase, SourceFile};
use neuro_tests::{Scratch, run_neurc};
use text_size::TextSize;

use super::page::{self, Block, Claim, Finding, Mark, Page, Promise};

/// What the codes of the lints on unused names begin with.
const UNUSED: &str = "W02";

/// What holds of a block, and what is not as it says.
pub(super) struct Verdict {
    pub(super) mark: Mark,
    pub(super) faults: String,
}

/// Judges a block.
pub(super) fn judge(page: &Page, block: &Block) -> Verdict {
    let checked = std::panic::catch_unwind(|| check(page, block));
    let faults =
        checked.unwrap_or_else(|_| format!("{}:{}: the compiler panics\n", page.name, block.line));
    if !faults.is_empty() {
        return Verdict { mark: Mark::Pending, faults };
    }
    let faults = block.promise.as_ref().map_or(String::new(), |promise| run(page, block, promise));
    let mark = if faults.is_empty() { Mark::Holds } else { Mark::PendingRun };
    Verdict { mark, faults }
}

/// What is found otherwise than the page says.
fn check(page: &Page, block: &Block) -> String {
    let mut db = RootDatabase::default();
    let files: Vec<SourceFile> =
        block.files.iter().map(|file| db.set_text(&file.name, &file.text)).collect();
    let mut faults = String::new();
    let mut expected: Vec<&Finding> = block.findings.iter().collect();
    for (number, file) in files.iter().enumerate() {
        for diagnostic in neuro_ide::diagnostics(&db, *file) {
            let range = diagnostic.span.absolute(&db);
            let text = &block.files[number].text;
            let place = page::columns(text, usize::from(range.start())..usize::from(range.end()));
            let found = expected.iter().position(|finding| {
                finding.file == number
                    && (finding.line, finding.columns.clone()) == place
                    && tells(&diagnostic, &finding.claim)
            });
            match found {
                Some(index) => drop(expected.remove(index)),
                // A program that shows one thing need not use everything that it declares.
                None if diagnostic.code.as_str().starts_with(UNUSED) => {}
                None => not_expected(page, block, (number, &place), &diagnostic, &mut faults),
            }
        }
    }
    for finding in expected {
        missing(&db, page, block, (files[finding.file], finding), &mut faults);
    }
    faults
}

/// Whether a diagnostic is the one that the page tells of.
fn tells(diagnostic: &Diagnostic, claim: &Claim) -> bool {
    let Claim::Diagnostic { severity, code, words } = claim else { return false };
    let mut text = diagnostic.message.clone();
    for note in &diagnostic.notes {
        let _ = write!(text, "\n{note}");
    }
    for related in &diagnostic.related {
        let _ = write!(text, "\n{}", related.message);
    }
    for fix in &diagnostic.fixes {
        let _ = write!(text, "\n{}", fix.title);
    }
    severity == diagnostic.severity.name()
        && code.as_ref().is_none_or(|code| code == diagnostic.code.as_str())
        && words.iter().all(|word| text.contains(word))
}

fn not_expected(
    page: &Page,
    block: &Block,
    (file, (line, columns)): (usize, &(usize, std::ops::Range<usize>)),
    diagnostic: &Diagnostic,
    faults: &mut String,
) {
    let text = block.files[file].text.lines().nth(*line).unwrap_or_default();
    let _ = writeln!(
        faults,
        "{}:{}: not expected: {}[{}]: {}\n    {text}\n    {}{}",
        page.name,
        block.line_of(file, *line),
        diagnostic.severity.name(),
        diagnostic.code.as_str(),
        diagnostic.message,
        " ".repeat(columns.start),
        "^".repeat(columns.len()),
    );
}

/// Tells of a finding that no diagnostic is; a hover is looked at here.
fn missing(
    db: &RootDatabase,
    page: &Page,
    block: &Block,
    (file, finding): (SourceFile, &Finding),
    faults: &mut String,
) {
    let text = &block.files[finding.file].text;
    let what = match &finding.claim {
        Claim::Diagnostic { severity, code, words } => {
            let code = code.as_ref().map_or(String::new(), |code| format!("[{code}]"));
            format!("expected: {severity}{code}: {}", words.join(" … "))
        }
        Claim::Hover(expected) => {
            let at = page::offset(text, finding.line, finding.columns.start);
            let at = TextSize::try_from(at).expect("a short program");
            let shown = neuro_ide::hover(db, file, at).map(|hover| hover.markdown);
            let shown = shown.as_deref().and_then(|text| text.lines().nth(1)).unwrap_or_default();
            if shows(shown, expected) {
                return;
            }
            format!("hover shows `{shown}`, not `{expected}`")
        }
    };
    let line = text.lines().nth(finding.line).unwrap_or_default();
    let _ = writeln!(
        faults,
        "{}:{}: {what}\n    {line}\n    {}{}",
        page.name,
        block.line_of(finding.file, finding.line),
        " ".repeat(finding.columns.start),
        "^".repeat(finding.columns.len()),
    );
}

/// Whether the first line of a hover is a type, or declares something of it.
fn shows(line: &str, expected: &str) -> bool {
    let declared = format!(": {expected}");
    line == expected || line.ends_with(&declared) || line.contains(&format!("{declared} = "))
}

/// What a run does otherwise than the page says.
fn run(page: &Page, block: &Block, promise: &Promise) -> String {
    let scratch = Scratch::new(&format!("{}-{}", page.number, block.line));
    for file in &block.files {
        if let Some((folder, _)) = file.name.rsplit_once('/') {
            std::fs::create_dir_all(scratch.path().join(folder)).expect("a folder");
        }
        scratch.write(&file.name, &file.text);
    }
    let root = scratch.path().join(&block.files[0].name);
    let output = run_neurc(&["run", &root.to_string_lossy()]);
    let folder = format!("{}/", scratch.path().display());
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).replace(&folder, "");
        text.lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>()
    };
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    let status = output.status.code().unwrap_or(-1);
    let panics = promise.stderr.as_ref().is_none_or(|expected| stderr.contains(expected.trim()));
    if stdout.trim_end() == promise.stdout.trim_end() && status == promise.status && panics {
        return String::new();
    }
    let place = format!("{}:{}", page.name, block.line);
    format!("{place}: ends with status {status}, prints\n{stdout}\nand reports\n{stderr}\n")
}
