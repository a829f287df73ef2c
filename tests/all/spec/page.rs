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

/// A fenced program.
pub(super) struct Block {
    /// The line of the page that the fence is on, from 1.
    pub(super) line: usize,
    pub(super) program: String,
    /// For each line of the program, its line of the page, from 1.
    lines: Vec<usize>,
    pub(super) findings: Vec<Finding>,
    /// Whether the block behind it shows what the program prints.
    pub(super) prints: bool,
}

impl Block {
    /// The line of the page that a line of the program is on.
    pub(super) fn line_of(&self, line: usize) -> usize {
        self.lines.get(line).copied().unwrap_or(self.line)
    }

    /// Whether more than the parser is needed to see that the block is right.
    pub(super) fn needs_later_stages(&self) -> bool {
        self.prints || self.findings.iter().any(|finding| !finding.is_syntax())
    }
}

/// A diagnostic that a program has.
pub(super) struct Finding {
    /// The line of the program, from 0.
    pub(super) line: usize,
    /// In characters, from 0.
    pub(super) columns: Range<usize>,
    code: String,
    /// A part of the message.
    pub(super) text: String,
}

impl Finding {
    pub(super) fn is_syntax(&self) -> bool {
        self.code.starts_with("E01")
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
        match language {
            "neuro" => {
                self.blocks.push(program(&self.name, line, body));
                let rule = self.rules.last_mut();
                rule.unwrap_or_else(|| {
                    panic!("a program of {} in front of every rule", self.name)
                })
                .programs += 1;
            }
            "output" => {
                self.blocks.last_mut().expect("a program in front of its output").prints = true
            }
            "text" => {}
            _ => panic!("{}:{line}: a fence of {language:?}", self.name),
        }
    }
}

/// Tells the lines of a program from those about it.
fn program(page: &str, line: usize, body: &[(usize, &str)]) -> Block {
    let mut block = Block {
        line,
        program: String::new(),
        lines: Vec::new(),
        findings: Vec::new(),
        prints: false,
    };
    for (at, text) in body {
        if let Some(finding) = finding(text, block.lines.len()) {
            block
                .findings
                .push(finding.unwrap_or_else(|| panic!("{page}:{at}: malformed: {text}")));
            continue;
        }
        block.program.push_str(text);
        block.program.push('\n');
        block.lines.push(*at);
    }
    block
}

/// The diagnostic that a line tells of, if it tells of one; the inner option is empty when it is malformed.
fn finding(text: &str, lines: usize) -> Option<Option<Finding>> {
    let rest = text.trim_start().strip_prefix("//")?;
    let (rest, shift) = rest.strip_prefix('<').map_or((rest, 0), |rest| (rest, 3));
    let carets = rest.trim_start();
    if !carets.starts_with('^') {
        return None;
    }
    let length = carets.len() - carets.trim_start_matches('^').len();
    let first = text.len() - carets.len() - shift;
    let parse = || {
        let (code, message) = carets[length..].trim().strip_prefix("error[")?.split_once("]:")?;
        Some(Finding {
            line: lines.checked_sub(1)?,
            columns: first..first + length,
            code: code.to_owned(),
            text: message.trim().to_owned(),
        })
    };
    Some(parse())
}
