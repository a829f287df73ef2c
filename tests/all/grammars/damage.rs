//! Both parsers on programs with a token too many, too few, or in the wrong place.
//!
//! A damaged program is no promise: the grammar recovers by its own lights. What holds is that it never
//! fails, that a program that the parser accepts is accepted by the grammar, and how often the two agree.

use std::collections::HashSet;
use std::fmt::Write as _;

use neuro_syntax::NodeOrToken;
use neuro_tests::Random;

/// Damaged programs in a run. `NEURO_LONG` asks for every single change of every program.
const SAMPLE: usize = 400;

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
        let (ours, theirs) = (super::has_error(text), super::parse(text).root_node().has_error());
        match (ours, theirs) {
            _ if ours == theirs => self.agree += 1,
            (true, _) => self.too_lenient.push(format!("{name}: {}", first_mistake(text))),
            (false, _) => self.too_strict.push(format!("{name}\n{}", around(text, at))),
        }
        let theirs: HashSet<_> = super::items::of_grammar(text).into_iter().collect();
        let ours = super::items::of_parser(text);
        self.items += ours.len();
        self.found += ours.iter().filter(|item| theirs.contains(item)).count();
        if !super::has_error(text) {
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
    if std::env::var_os("NEURO_LONG").is_some() {
        for (program, tokens) in tokens.iter().enumerate() {
            (0..tokens.len()).for_each(|at| (0..3).for_each(|way| add(program, at, way)));
        }
    } else {
        let mut random = Random::of_test(20);
        for _ in 0..SAMPLE {
            let program = random.below(programs.len());
            add(program, random.below(tokens[program].len()), random.below(3));
        }
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
        for text in &tally.too_lenient {
            println!("the grammar accepts {text}");
        }
    }
    for item in tally.other_items.iter().take(5) {
        let _ = writeln!(report, "the grammar does not find: {item}");
    }
    assert!(report.is_empty(), "{report}");
    assert!(rate(tally.agree, tally.programs) > 97.0);
    assert!(rate(tally.found, tally.items) > 90.0);
}
