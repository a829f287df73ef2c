//! The language reference (`tests/spec`): every program in it shows what it says.
//!
//! A fenced `neuro` block is a whole file, named `main.nr`; a line `// file: name.nr` begins another one. A line
//! that begins with `//` and has carets is no part of the program. It tells of a diagnostic of the line above,
//! `//   ^^^ error[E0101]: text`, under what the diagnostic points at, or of a type, `//  ^ hover: i32`, that
//! hover shows there. Carets in the first two columns are written `//<^^`: behind `//<` columns count from the
//! first. The message, or a note of it, holds the text; `one … other` are texts that it holds both; the code
//! may be left out. A block without such lines has no mistake. A block of `output`, of `output exit 3`, or of
//! `panic` behind a program says what it prints, how it ends, and what it reports.
//!
//! What the compiler does not do yet is marked: `neuro pending` when it finds something else than the page
//! says, `neuro pending run` when only the run is missing. A mark that is not needed any more is a failure;
//! `UPDATE_EXPECT=1` writes the marks anew. `--nocapture` tells what each pending block waits for.
//!
//! The pages on syntax show fragments, so only what the parser finds counts there.
//! The programs of a rule are the blocks behind it, up to the next rule.

mod page;
mod verdict;

use std::fmt::Write as _;
use std::path::PathBuf;

use neuro_tests::root;
use page::{Block, Claim, Mark, Page};
use verdict::{Verdict, judge};

/// The last page on syntax: the programs up to it are fragments, whose names need not be declared.
const SYNTAX: usize = 9;

fn folder() -> PathBuf {
    root().join("tests/spec")
}

/// The pages in order.
fn pages() -> Vec<Page> {
    let mut paths: Vec<_> = std::fs::read_dir(folder())
        .expect("the reference")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .filter(|path| !path.ends_with("README.md"))
        .collect();
    paths.sort();
    paths.iter().map(|path| Page::read(path)).collect()
}

/// The programs of the reference, each with its place.
pub(crate) fn programs() -> Vec<(String, String)> {
    let mut programs = Vec::new();
    for page in pages() {
        for block in &page.blocks {
            for file in &block.files {
                programs.push((format!("{}:{}", page.name, block.line), file.text.clone()));
            }
        }
    }
    programs
}

/// What of a block is wrong while only the parser looks at it.
fn check_syntax(page: &Page, block: &Block, report: &mut String) {
    let mut expected: Vec<_> = block.findings.iter().filter(|f| f.is_syntax()).collect();
    for (number, file) in block.files.iter().enumerate() {
        let text = &file.text;
        for error in neuro_syntax::parse(text).errors {
            let range = usize::from(error.range.start())..usize::from(error.range.end());
            let place = page::columns(text, range);
            let found = expected.iter().position(|finding| {
                let says = |word: &String| error.message.contains(word);
                finding.file == number
                    && (finding.line, finding.columns.clone()) == place
                    && matches!(&finding.claim, Claim::Diagnostic { words, .. } if words.iter().all(says))
            });
            match found {
                Some(index) => drop(expected.remove(index)),
                None => {
                    let _ = writeln!(
                        report,
                        "{}:{}: not expected, at columns {:?}: {}\n    {}",
                        page.name,
                        block.line_of(number, place.0),
                        place.1,
                        error.message,
                        text.lines().nth(place.0).unwrap_or_default(),
                    );
                }
            }
        }
    }
    for finding in expected {
        let Claim::Diagnostic { words, .. } = &finding.claim else { continue };
        let _ = writeln!(
            report,
            "{}:{}: expected at columns {:?}: {}",
            page.name,
            block.line_of(finding.file, finding.line),
            finding.columns,
            words.join(" … "),
        );
    }
}

#[test]
fn programs_parse_as_they_say() {
    let mut report = String::new();
    for page in pages().iter().filter(|page| page.number <= SYNTAX) {
        for block in &page.blocks {
            check_syntax(page, block, &mut report);
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// Judges the blocks of the pages on meaning, and the fragments that say what they print; with two threads.
fn judgements(pages: &[Page]) -> Vec<(&Page, &Block, Verdict)> {
    let blocks: Vec<_> = pages
        .iter()
        .flat_map(|page| page.blocks.iter().map(move |block| (page, block)))
        .filter(|(page, block)| page.number > SYNTAX || block.promise.is_some())
        .collect();
    let half = |parity: usize| {
        let mine = blocks.iter().enumerate().filter(move |(index, _)| index % 2 == parity);
        mine.map(|(index, (page, block))| (index, *page, *block, judge(page, block)))
            .collect::<Vec<_>>()
    };
    let mut judged = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        let mut judged = half(0);
        judged.extend(other.join().expect("no check panics"));
        judged
    });
    judged.sort_by_key(|(index, ..)| *index);
    judged.into_iter().map(|(_, page, block, verdict)| (page, block, verdict)).collect()
}

#[test]
fn programs_mean_what_they_say() {
    let pages = pages();
    let judged = judgements(&pages);
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut report = String::new();
    let mut counts = [0; 3];
    for (page, block, verdict) in &judged {
        counts[verdict.mark as usize] += 1;
        if verdict.mark != Mark::Holds {
            println!("{}", verdict.faults);
        }
        let place = format!("{}:{}", page.name, block.line);
        if verdict.mark == block.mark {
            continue;
        }
        if update {
            println!("{place}: {} becomes {}", block.mark.fence(), verdict.mark.fence());
        } else if verdict.mark > block.mark {
            let _ = writeln!(
                report,
                "{place}: no longer `{}` but `{}`: UPDATE_EXPECT=1 writes the marks",
                block.mark.fence(),
                verdict.mark.fence()
            );
        } else {
            report.push_str(&verdict.faults);
        }
    }
    if update {
        write_marks(&judged);
    }
    let [pending, pending_run, holds] = counts;
    println!("reference: {holds} programs hold, {pending} pending, {pending_run} pending to run");
    assert!(report.is_empty(), "{report}");
}

/// Writes the marks of the blocks into the pages.
fn write_marks(judged: &[(&Page, &Block, Verdict)]) {
    for page in judged.chunk_by(|(a, ..), (b, ..)| a.name == b.name) {
        let path = folder().join(&page[0].0.name);
        let text = std::fs::read_to_string(&path).expect("a page");
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        for (_, block, verdict) in page {
            lines[block.line - 1] = format!("```{}", verdict.mark.fence());
        }
        std::fs::write(&path, lines.join("\n") + "\n").expect("the page is writable");
    }
}

#[test]
fn every_rule_has_a_program() {
    let pages = pages();
    let without: Vec<_> =
        pages.iter().flat_map(|page| &page.rules).filter(|rule| rule.programs == 0).collect();
    assert!(without.is_empty(), "rules without a program: {without:#?}");
}

/// A rule is numbered by its page, its section and its place in it, so that links to it stay.
#[test]
fn rules_are_numbered_in_order() {
    for page in pages() {
        let mut last = (0, 0);
        for rule in &page.rules {
            let [number, section, place] = rule.number;
            assert_eq!(number, page.number, "{}: {}", page.name, rule.name());
            let follows =
                section == last.0 && place == last.1 + 1 || section == last.0 + 1 && place == 1;
            assert!(follows, "{}: {} follows {last:?}", page.name, rule.name());
            last = (section, place);
        }
        assert!(!page.rules.is_empty(), "{} has no rule", page.name);
    }
}

#[test]
fn links_lead_somewhere() {
    let pages = pages();
    let names: Vec<_> = pages.iter().map(|page| page.name.as_str()).collect();
    let rules: Vec<_> = pages.iter().flat_map(|page| &page.rules).map(page::Rule::name).collect();
    let contents =
        std::fs::read_to_string(root().join("tests/spec/README.md")).expect("the contents");
    for page in &pages {
        assert!(contents.contains(&format!("({})", page.name)), "the contents lack {}", page.name);
        for link in &page.links {
            assert!(names.contains(&link.as_str()), "{}: no page {link}", page.name);
        }
        for mention in &page.mentions {
            assert!(rules.contains(mention), "{}: no rule {mention}", page.name);
        }
    }
}
