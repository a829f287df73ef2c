//! Both parsers on programs with a token too many, too few, or in the wrong place.
//!
//! A damaged program is no promise: the grammar recovers by its own lights. What holds is that it always gives
//! a tree, that it accepts nearly everything that the parser accepts, with the same items, and how often the
//! two agree that there is a mistake.

use std::collections::HashSet;
use std::fmt::Write as _;

use neuro_syntax::NodeOrToken;
use neuro_tests::Random;
use tree_sitter::{InputEdit, Point};

/// How many damaged programs a run looks at; with `NEURO_FULL_SWEEPS`, many times as many.
fn sample() -> usize {
    if std::env::var_os("NEURO_FULL_SWEEPS").is_some() { 20_000 } else { 400 }
}

/// The tokens of a program, what is between them included.
fn tokens(text: &str) -> Vec<String> {
    let root = neuro_syntax::parse(text).syntax_node();
    let elements = root.descendants_with_tokens();
    elements.filter_map(NodeOrToken::into_token).map(|token| token.text().to_owned()).collect()
}

/// One way to damage a program at a token.
fn damaged(tokens: &[String], at: usize, way: usize) -> String {
    let mut tokens = tokens.to_vec();
    let next = (at + 1) % tokens.len();
    match way {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, tokens[at].clone()),
        _ => tokens.swap(at, next),
    }
    tokens.concat()
}

/// The first mistake that the parser finds, and its line.
fn first_mistake(text: &str) -> String {
    let errors = neuro_syntax::parse(text).errors;
    errors.first().map_or_else(String::new, |error| {
        let line = text[..error.range.start().into()].matches('\n').count();
        format!("{}\n    {}", error.message, text.lines().nth(line).unwrap_or_default())
    })
}

/// The lines around a place.
fn around(text: &str, at: usize) -> String {
    let line = text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
    let lines: Vec<_> = text.lines().skip(line.saturating_sub(2)).take(5).collect();
    lines.join("\n")
}

/// What came out of many damaged programs.
#[derive(Default)]
struct Tally {
    programs: usize,
    agree: usize,
    /// Accepted by the parser, refused by the grammar.
    too_strict: Vec<String>,
    /// Refused by the parser, accepted by the grammar.
    too_lenient: Vec<String>,
    /// Items of programs without a mistake that the grammar finds elsewhere or not at all.
    other_items: Vec<String>,
    /// Items that the parser finds, and how many of them the grammar finds at the same place.
    items: usize,
    found: usize,
}

impl Tally {
    fn add(&mut self, name: &str, text: &str, at: usize) {
        self.programs += 1;
        let ours_wrong = super::has_error(text);
        let theirs_wrong = super::parse(text).root_node().has_error();
        match (ours_wrong, theirs_wrong) {
            _ if ours_wrong == theirs_wrong => self.agree += 1,
            (true, _) => self.too_lenient.push(format!("{name}: {}", first_mistake(text))),
            (false, _) => self.too_strict.push(format!("{name}\n{}", around(text, at))),
        }
        let theirs: HashSet<_> = super::items::of_grammar(text).into_iter().collect();
        let ours = super::items::of_parser(text);
        self.items += ours.len();
        self.found += ours.iter().filter(|item| theirs.contains(item)).count();
        if !ours_wrong && !theirs_wrong {
            for item in ours.iter().filter(|item| !theirs.contains(item)) {
                self.other_items.push(format!("{name}: {item:?}\n{}", around(text, at)));
            }
        }
    }
}

#[test]
fn both_parsers_on_damaged_programs() {
    let programs: Vec<_> =
        super::programs().into_iter().filter(|(_, text)| !super::has_error(text)).collect();
    let tokens: Vec<_> = programs.iter().map(|(_, text)| tokens(text)).collect();
    let mut tally = Tally::default();
    let mut add = |program: usize, at: usize, way: usize| {
        let name = format!("{} {at} {way}", programs[program].0);
        let offset = tokens[program][..at].iter().map(String::len).sum();
        tally.add(&name, &damaged(&tokens[program], at, way), offset);
    };
    let mut random = Random::of_test(20);
    for _ in 0..sample() {
        let program = random.below(programs.len());
        add(program, random.below(tokens[program].len()), random.below(3));
    }
    let rate = |part: usize, whole: usize| 100.0 * part as f64 / whole as f64;
    println!(
        "damaged programs: {} of {} agree on a mistake ({:.2} %), {} of {} items found ({:.2} %)",
        tally.agree,
        tally.programs,
        rate(tally.agree, tally.programs),
        tally.found,
        tally.items,
        rate(tally.found, tally.items),
    );
    let mut report = String::new();
    for text in tally.too_strict.iter().take(5) {
        let _ = writeln!(report, "the grammar refuses: {text}");
    }
    if std::env::var_os("NEURO_SHOW").is_some() {
        tally.too_lenient.iter().for_each(|text| println!("the grammar accepts {text}"));
    }
    for item in tally.other_items.iter().take(5) {
        let _ = writeln!(report, "the grammar does not find: {item}");
    }
    // The parser reads some texts that nobody means, such as `a.. + b`.
    assert!(tally.too_strict.len() <= tally.programs / 1000, "{report}");
    assert!(tally.other_items.is_empty(), "{report}");
    assert!(rate(tally.agree, tally.programs) > 99.0);
    assert!(rate(tally.found, tally.items) > 90.0);
}

/// What an editor sees behind an edit is what it would see in a new file: the scanner keeps nothing to itself.
#[test]
fn edited_trees_are_those_of_the_new_text() {
    let mut random = Random::of_test(21);
    let programs = super::programs();
    let mut parser = super::parser();
    for _ in 0..sample() {
        let (name, text) = random.choose(&programs);
        let tokens = tokens(text);
        let (at, way) = (random.below(tokens.len()), random.below(3));
        let new = damaged(&tokens, at, way);
        let common = text.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        let rest = text.len().min(new.len()) - common;
        let same_end =
            text.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count();
        let end = same_end.min(rest);
        let mut tree = parser.parse(text, None).expect("a tree");
        tree.edit(&InputEdit {
            start_byte: common,
            old_end_byte: text.len() - end,
            new_end_byte: new.len() - end,
            start_position: point(text, common),
            old_end_position: point(text, text.len() - end),
            new_end_position: point(&new, new.len() - end),
        });
        let edited = parser.parse(&new, Some(&tree)).expect("a tree");
        // Behind a mistake the two may recover in other ways.
        let fresh = parser.parse(&new, None).expect("a tree");
        assert_eq!(
            edited.root_node().has_error(),
            fresh.root_node().has_error(),
            "{name} {at} {way}"
        );
        if !fresh.root_node().has_error() {
            let (edited, fresh) = (edited.root_node().to_sexp(), fresh.root_node().to_sexp());
            assert_eq!(edited, fresh, "{name} {at} {way}\n{}", around(&new, common));
        }
    }
}

fn point(text: &str, at: usize) -> Point {
    let before = &text.as_bytes()[..at];
    let line = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    Point::new(before.iter().filter(|byte| **byte == b'\n').count(), at - line)
}

/// Cut anywhere, a program still has a tree that covers it.
#[test]
fn every_cut_has_a_tree() {
    let mut random = Random::of_test(22);
    let programs = super::programs();
    for _ in 0..sample() {
        let (_, text) = random.choose(&programs);
        let mut bounds = [random.below(text.len() + 1), random.below(text.len() + 1)];
        bounds.sort_unstable();
        let [start, end] = bounds.map(|at| text.floor_char_boundary(at));
        let tree = super::parse(&text[start..end]);
        assert!(tree.root_node().end_byte() <= end - start);
    }
}
