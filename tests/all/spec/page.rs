//! A page of the reference: its rules, its programs, and what they expect.

use std::ops::Range;
use std::path::Path;

/// A page.
pub(super) struct Page {
    /// The name of the file.
    pub(super) name: String,
    /// The number that the name begins with.
    pub(super) number: usize,
    pub(super) rules: Vec<Rule>,
    pub(super) blocks: Vec<Block>,
    /// The pages that it links to.
    pub(super) links: Vec<String>,
    /// The rules that it mentions.
    pub(super) mentions: Vec<String>,
}

/// A numbered rule.
#[derive(Debug)]
pub(super) struct Rule {
    /// Page, section, and place in the section.
    pub(super) number: [usize; 3],
    /// How many programs show it.
    pub(super) programs: usize,
}

impl Rule {
    pub(super) fn name(&self) -> String {
        let [page, section, place] = self.number;
        format!("R{page}.{section}.{place}")
    }
}

/// How much of what a block says is so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Mark {
    /// The diagnostics or the types are not those of the page yet.
    Pending,
    /// The compiler sees in it what the page says; it does not do yet what the page says.
    PendingRun,
    /// Everything.
    Holds,
}

impl Mark {
    /// The words behind the fence.
    pub(super) fn fence(self) -> &'static str {
        match self {
            Mark::Pending => "neuro pending",
            Mark::PendingRun => "neuro pending run",
            Mark::Holds => "neuro",
        }
    }

    fn of_fence(language: &str) -> Option<Mark> {
        [Mark::Pending, Mark::PendingRun, Mark::Holds]
            .into_iter()
            .find(|mark| mark.fence() == language)
    }
}

/// A fenced program.
pub(super) struct Block {
    /// The line of the page that the fence is on, from 1.
    pub(super) line: usize,
    pub(super) mark: Mark,
    /// The files, the root first.
    pub(super) files: Vec<File>,
    pub(super) findings: Vec<Finding>,
    /// What the blocks behind it show of its run.
    pub(super) promise: Option<Promise>,
}

/// A file of a program.
pub(super) struct File {
    pub(super) name: String,
    pub(super) text: String,
    /// For each line, its line of the page, from 1.
    lines: Vec<usize>,
}

/// What a program does when it runs.
#[derive(Default)]
pub(super) struct Promise {
    pub(super) stdout: String,
    /// What it says on standard error, when it ends in a panic.
    pub(super) stderr: Option<String>,
    pub(super) status: i32,
}

impl Block {
    /// The line of the page that a line of a file is on.
    pub(super) fn line_of(&self, file: usize, line: usize) -> usize {
        let line = self.files.get(file).and_then(|file| file.lines.get(line));
        line.copied().unwrap_or(self.line)
    }
}

/// What a page says about a place of a program.
pub(super) struct Finding {
    /// The number of the file.
    pub(super) file: usize,
    /// The line of the file, from 0.
    pub(super) line: usize,
    /// In characters, from 0.
    pub(super) columns: Range<usize>,
    pub(super) claim: Claim,
}

/// What is said.
pub(super) enum Claim {
    Diagnostic {
        /// `error`, `warning` or `info`.
        severity: String,
        code: Option<String>,
        /// What the message and its notes hold.
        words: Vec<String>,
    },
    /// The type, or the header, that a hover shows.
    Hover(String),
}

impl Finding {
    pub(super) fn is_syntax(&self) -> bool {
        matches!(&self.claim, Claim::Diagnostic { code: Some(code), .. } if code.starts_with("E01"))
    }
}

/// The line and the columns of a range, of what of it is on its first line; at least one column.
pub(super) fn columns(text: &str, range: Range<usize>) -> (usize, Range<usize>) {
    let line = text[..range.start].matches('\n').count();
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.start..range.end].find('\n').map_or(range.end, |at| range.start + at);
    let count = |text: &str| text.chars().count();
    let first = count(&text[start..range.start]);
    (line, first..first + count(&text[range.start..end]).max(1))
}

/// The offset in bytes of a column of a line.
pub(super) fn offset(text: &str, line: usize, column: usize) -> usize {
    let lines = text.split_inclusive('\n');
    let start = lines.clone().take(line).map(str::len).sum::<usize>();
    let line = lines.clone().nth(line).unwrap_or_default();
    start + line.chars().take(column).map(char::len_utf8).sum::<usize>()
}

impl Page {
    /// Reads a page; panics on one that is malformed.
    pub(super) fn read(path: &Path) -> Page {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("a page");
        let number = name.split('-').next().and_then(|digits| digits.parse().ok());
        let number = number.unwrap_or_else(|| panic!("{name} begins with no number"));
        let mut page = Page {
            name,
            number,
            rules: Vec::new(),
            blocks: Vec::new(),
            links: Vec::new(),
            mentions: Vec::new(),
        };
        let mut lines = text.lines().enumerate();
        while let Some((index, line)) = lines.next() {
            if let Some(language) = line.strip_prefix("```") {
                let body = lines.by_ref().take_while(|(_, line)| *line != "```");
                let body: Vec<_> = body.map(|(index, line)| (index + 1, line)).collect();
                page.fence(language, index + 1, &body);
            } else {
                page.prose(line);
            }
        }
        page
    }

    fn prose(&mut self, line: &str) {
        if let Some((name, _)) = line.strip_prefix("**R").and_then(|rest| rest.split_once("**")) {
            let number: Vec<_> =
                name.split('.').map(|part| part.parse().expect("a number")).collect();
            let number = number.try_into().unwrap_or_else(|_| panic!("{}: R{name}", self.name));
            self.rules.push(Rule { number, programs: 0 });
        }
        for link in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            self.links.extend(link.strip_suffix(".md").map(|name| format!("{name}.md")));
        }
        for word in line.split(|c: char| !(c.is_alphanumeric() || c == '.')) {
            let digits = word.trim_end_matches('.').strip_prefix('R').unwrap_or_default();
            if digits.split('.').filter(|part| part.parse::<usize>().is_ok()).count() == 3 {
                self.mentions.push(format!("R{digits}"));
            }
        }
    }

    fn fence(&mut self, language: &str, line: usize, body: &[(usize, &str)]) {
        if let Some(mark) = Mark::of_fence(language) {
            self.blocks.push(program(&self.name, mark, line, body));
            let rule = self.rules.last_mut();
            rule.unwrap_or_else(|| panic!("a program of {} in front of every rule", self.name))
                .programs += 1;
            return;
        }
        if language == "text" {
            return;
        }
        let block = self.blocks.last_mut().expect("a program in front of what it does");
        let promise = block.promise.get_or_insert_default();
        let text: String = body.iter().map(|(_, line)| format!("{line}\n")).collect();
        let exit = language.strip_prefix("output exit ").and_then(|status| status.parse().ok());
        match (language, exit) {
            ("output", _) => promise.stdout = text,
            ("panic", _) => {
                promise.stderr = Some(text);
                promise.status = 134;
            }
            (_, Some(status)) => {
                promise.stdout = text;
                promise.status = status;
            }
            _ => panic!("{}:{line}: a fence of {language:?}", self.name),
        }
    }
}

/// Tells the lines of a program from those about it.
fn program(page: &str, mark: Mark, line: usize, body: &[(usize, &str)]) -> Block {
    let mut block = Block { line, mark, files: Vec::new(), findings: Vec::new(), promise: None };
    for (at, text) in body {
        if let Some(name) = text.strip_prefix("// file: ") {
            block.files.push(empty_file(name));
            continue;
        }
        if block.files.is_empty() {
            block.files.push(empty_file("main.nr"));
        }
        let number = block.files.len() - 1;
        let file = &mut block.files[number];
        if let Some(finding) = finding(text, number, file.lines.len()) {
            block
                .findings
                .push(finding.unwrap_or_else(|| panic!("{page}:{at}: malformed: {text}")));
            continue;
        }
        file.text.push_str(text);
        file.text.push('\n');
        file.lines.push(*at);
    }
    if block.files.is_empty() {
        block.files.push(empty_file("main.nr"));
    }
    block
}

fn empty_file(name: &str) -> File {
    File { name: name.trim().to_owned(), text: String::new(), lines: Vec::new() }
}

/// What a line says of the line above, if it does; the inner option is empty when it is malformed.
fn finding(text: &str, file: usize, lines: usize) -> Option<Option<Finding>> {
    let rest = text.trim_start().strip_prefix("//")?;
    let (rest, shift) = rest.strip_prefix('<').map_or((rest, 0), |rest| (rest, 3));
    let carets = rest.trim_start();
    if !carets.starts_with('^') {
        return None;
    }
    let length = carets.len() - carets.trim_start_matches('^').len();
    let first = text.len() - carets.len() - shift;
    let parse = || {
        Some(Finding {
            file,
            line: lines.checked_sub(1)?,
            columns: first..first + length,
            claim: claim(carets[length..].trim())?,
        })
    };
    Some(parse())
}

/// `error[E0301]: one … another`, `warning: text`, `hover: type`.
fn claim(text: &str) -> Option<Claim> {
    let (head, rest) = text.split_once(": ")?;
    if head == "hover" {
        return Some(Claim::Hover(rest.trim().to_owned()));
    }
    let (severity, code) = match head.split_once('[') {
        Some((severity, code)) => (severity, Some(code.strip_suffix(']')?.to_owned())),
        None => (head, None),
    };
    if !["error", "warning", "info"].contains(&severity) {
        return None;
    }
    let words = rest.split('…').map(|part| part.trim().to_owned()).collect();
    Some(Claim::Diagnostic { severity: severity.to_owned(), code, words })
}
