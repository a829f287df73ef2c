//! Programs with one token changed, cut or moved, and texts of any tokens: every one is read to its end.
//!
//! A sample of all cases is taken, another one each time; its seed is printed, and `NEURO_SWEEP_SEED` repeats it.
//! `NEURO_FULL_SWEEPS=1` takes every case of every program of the repository.

use super::grammar::Conformity;
use super::properties::SOUP;
use super::{PROGRAMS, checked, full_sweeps};
use crate::{NodeOrToken, SyntaxKind};
use std::ops::Range;
use std::path::Path;

/// How many cases of a kind a sample has.
const SAMPLE: usize = 100;

/// A program of that many bytes is too long to be read once for each of its tokens.
const LONG: usize = 20_000;

/// Numbers that look random: xorshift with multiplication.
struct Random(u64);

impl Random {
    fn new() -> Self {
        let given = std::env::var("NEURO_SWEEP_SEED").ok().and_then(|seed| seed.parse().ok());
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos());
        let seed = given.unwrap_or(now as u64 | 1);
        println!("NEURO_SWEEP_SEED={seed}");
        Self(seed)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound.max(1)
    }

    /// The cases to take of that many.
    fn sample(&mut self, count: usize) -> Vec<usize> {
        if full_sweeps() || count <= SAMPLE {
            return (0..count).collect();
        }
        (0..SAMPLE).map(|_| self.below(count)).collect()
    }
}

/// The programs to change: those of the tests, and in full all of the repository.
fn programs() -> Vec<String> {
    fn collect(folder: &Path, programs: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if path.is_dir() && !hidden && !path.ends_with("target") {
                collect(&path, programs);
            } else if path.extension().is_some_and(|extension| extension == "nr") {
                let text = std::fs::read_to_string(&path);
                programs.extend(text.ok().filter(|text| text.len() < LONG));
            }
        }
    }
    let mut programs: Vec<String> = PROGRAMS.iter().map(|program| (*program).to_owned()).collect();
    if full_sweeps() {
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), &mut programs);
    }
    programs
}

/// What holds for every text: see [`checked`]; and a text without mistakes has a tree of the grammar.
fn check(text: &str, grammar: &Conformity) {
    let parse = checked(text);
    if parse.errors.is_empty()
        && let Err(message) = grammar.check_tree(&parse.syntax_node())
    {
        panic!("read without a message: {message}\nin\n{text}");
    }
}

/// The places of the tokens that mean something.
fn tokens(program: &str) -> Vec<Range<usize>> {
    let tokens = checked(program).syntax_node().descendants_with_tokens();
    let tokens = tokens.filter_map(|element| match element {
        NodeOrToken::Token(token) if !token.kind().is_trivia() => Some(token.text_range()),
        _ => None,
    });
    tokens.map(Range::<usize>::from).collect()
}

/// Makes a change at each token, or at a sample of them.
fn sweep(change: impl Fn(&str, &[Range<usize>], usize) -> String) {
    let mut random = Random::new();
    let grammar = Conformity::new();
    for program in programs() {
        let tokens = tokens(&program);
        for index in random.sample(tokens.len()) {
            check(&change(&program, &tokens, index), &grammar);
        }
    }
}

#[test]
fn every_prefix_is_read() {
    let mut random = Random::new();
    let grammar = Conformity::new();
    for program in programs() {
        // Every character of the programs of the tests, every token of the others.
        let places: Vec<usize> = if PROGRAMS.contains(&program.as_str()) {
            program.char_indices().map(|(at, _)| at).collect()
        } else {
            tokens(&program).into_iter().map(|token| token.end).collect()
        };
        for index in random.sample(places.len()) {
            check(&program[..places[index]], &grammar);
        }
    }
}

#[test]
fn every_token_can_be_left_out() {
    sweep(|program, tokens, index| {
        let token = &tokens[index];
        format!("{}{}", &program[..token.start], &program[token.end..])
    });
}

#[test]
fn every_token_can_be_doubled() {
    sweep(|program, tokens, index| {
        let token = tokens[index].clone();
        format!("{} {}", &program[..token.end], &program[token.start..])
    });
}

#[test]
fn every_token_can_be_swapped_with_the_next() {
    sweep(|program, tokens, index| {
        let (first, second) = (&tokens[index], tokens.get(index + 1).unwrap_or(&tokens[index]));
        let between = &program[first.end.min(second.start)..second.start];
        format!(
            "{}{}{between}{}{}",
            &program[..first.start],
            &program[second.clone()],
            &program[first.clone()],
            &program[second.end.max(first.end)..]
        )
    });
}

/// Another token in place of each one.
#[test]
fn every_token_can_be_replaced() {
    let random = std::cell::RefCell::new(Random::new());
    sweep(|program, tokens, index| {
        let token = &tokens[index];
        let word = SOUP[random.borrow_mut().below(SOUP.len())];
        format!("{} {word} {}", &program[..token.start], &program[token.end..])
    });
}

#[test]
fn any_tokens_are_read() {
    let mut random = Random::new();
    let grammar = Conformity::new();
    let count = if full_sweeps() { 100_000 } else { SAMPLE };
    for _ in 0..count {
        let length = random.below(40);
        let words: Vec<&str> = (0..length).map(|_| SOUP[random.below(SOUP.len())]).collect();
        let text = words.join(if random.below(2) == 0 { " " } else { "" });
        check(&text, &grammar);
        check(&format!("func f() {{\n    {text}\n}}\n"), &grammar);
    }
}

/// The kinds of trees are all that a program needs: none is made for the sake of mistakes.
#[test]
fn a_program_without_mistakes_has_no_error_nodes() {
    for program in programs() {
        let parse = checked(&program);
        let mut nodes = parse.syntax_node().descendants();
        assert!(!parse.errors.is_empty() || nodes.all(|node| node.kind() != SyntaxKind::ERROR));
    }
}
