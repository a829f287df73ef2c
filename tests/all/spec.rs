//! The language reference (`tests/spec`): every program in it shows what it says.
//!
//! A fenced `neuro` block is a whole file. A line that begins with `//` and has carets is no part of the
//! program: it tells of a diagnostic of the line above, `//   ^^^ error[E0101]: text`, under what the
//! diagnostic points at. Carets in the first two columns are written `//<^^`: behind `//<` columns count
//! from the first. The message holds the text. A block without such lines has no mistake.
//! The programs of a rule are the blocks behind it, up to the next rule.

mod page;

use std::fmt::Write as _;

use neuro_tests::root;
use page::{Block, Page};

/// The pages in order.
fn pages() -> Vec<Page> {
    let folder = root().join("tests/spec");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
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
    let pages = pages();
    let blocks = pages.iter().flat_map(|page| page.blocks.iter().map(move |block| (page, block)));
    blocks
        .map(|(page, block)| (format!("{}:{}", page.name, block.line), block.program.clone()))
        .collect()
}

/// What of a block is wrong while only the parser looks at it.
fn check_syntax(page: &Page, block: &Block, report: &mut String) {
    let text = &block.program;
    let mut expected: Vec<_> = block.findings.iter().filter(|f| f.is_syntax()).collect();
    for error in neuro_syntax::parse(text).errors {
        let (line, columns) =
            page::columns(text, usize::from(error.range.start())..usize::from(error.range.end()));
        let found = expected.iter().position(|finding| {
            finding.line == line
                && finding.columns == columns
                && error.message.contains(&finding.text)
        });
        match found {
            Some(index) => {
                expected.remove(index);
            }
            None => {
                let _ = writeln!(
                    report,
                    "{}:{}: not expected, at columns {columns:?}: {}\n    {}",
                    page.name,
                    block.line_of(line),
                    error.message,
                    text.lines().nth(line).unwrap_or_default(),
                );
            }
        }
    }
    for finding in expected {
        let _ = writeln!(
            report,
            "{}:{}: expected at columns {:?}: {}",
            page.name,
            block.line_of(finding.line),
            finding.columns,
            finding.text,
        );
    }
}

#[test]
fn programs_parse_as_they_say() {
    let mut report = String::new();
    let (mut whole, mut pending) = (0, 0);
    for page in pages() {
        for block in &page.blocks {
            check_syntax(&page, block, &mut report);
            if block.needs_later_stages() { pending += 1 } else { whole += 1 }
        }
    }
    println!("reference: {whole} programs checked whole, {pending} only parsed so far");
    assert!(report.is_empty(), "{report}");
    assert!(whole > 0);
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
