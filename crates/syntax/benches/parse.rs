//! How fast texts become trees, on one core: `cargo bench -p neuro-syntax`.
//!
//! The least of many rounds is taken, since other work on the machine only ever adds time. What remains of it
//! cancels out in the last column: the time that parsing takes, in times of a plain pass of a generated lexer
//! over the same text. Another file can be measured: `cargo bench -p neuro-syntax -- some.nr`.

use logos::Logos;
use neuro_syntax::{NodeOrToken, SyntaxKind, parse};
use std::hint::black_box;
use std::time::{Duration, Instant};

const ROUNDS: usize = 200;

const PROGRAMS: &[(&str, &str)] = &[
    ("numbers and loops", include_str!("../src/tests/programs/fit.nr")),
    ("types and patterns", include_str!("../src/tests/programs/shapes.nr")),
    ("text", include_str!("../src/tests/programs/text.nr")),
];

/// The tokens of a plain lexer, which knows no strings with holes and no keywords.
#[derive(Logos, Debug, Clone, Copy)]
enum Plain {
    #[regex(r"[ \t\r]+")]
    Blank,
    #[token("\n")]
    NewLine,
    #[regex(r"//[^\n]*", allow_greedy = true)]
    Comment,
    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
    Word,
    #[regex(r"[0-9][0-9A-Za-z_]*")]
    Number,
    #[regex(r#""[^"\n]*""#)]
    Text,
    #[regex(r"[^ \t\r\na-zA-Z0-9_]", priority = 1)]
    Sign,
}

/// A text of at least that many bytes: a program again and again, with other names each time.
fn grown(program: &str, bytes: usize) -> String {
    let tree = parse(program).syntax_node();
    let mut out = String::with_capacity(bytes + program.len() * 2);
    let mut copy = 0usize;
    while out.len() < bytes {
        for element in tree.descendants_with_tokens() {
            let NodeOrToken::Token(token) = element else { continue };
            out.push_str(token.text());
            // Short names recur in every file, and so they do here.
            if token.kind() == SyntaxKind::IDENT && token.text().len() > 4 {
                out.push_str(&copy.to_string());
            }
        }
        copy += 1;
    }
    out
}

/// The least time that the work takes.
fn least(mut work: impl FnMut()) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed());
    }
    best
}

fn measure(name: &str, text: &str) {
    let errors = parse(text).errors.len();
    if errors > 0 {
        println!("{name} has {errors} mistakes");
    }
    // What drops a tree is no part of parsing.
    let mut parses = Vec::with_capacity(1);
    let parsing = {
        let mut best = Duration::MAX;
        for _ in 0..ROUNDS {
            parses.clear();
            let start = Instant::now();
            parses.push(black_box(parse(black_box(text))));
            best = best.min(start.elapsed());
        }
        best
    };
    let lexing = least(|| {
        black_box(Plain::lexer(black_box(text)).count());
    });
    let seconds = parsing.as_secs_f64();
    let lines = text.lines().count();
    println!(
        "{name:<20} {:>8} bytes {lines:>7} lines  {:>6.1} MB/s  {:>6.2} ms per 10,000 lines  {:>5.1} plain passes",
        text.len(),
        text.len() as f64 / seconds / 1e6,
        seconds * 1e3 * 10_000.0 / lines as f64,
        seconds / lexing.as_secs_f64(),
    );
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    for file in &files {
        match std::fs::read_to_string(file) {
            Ok(text) => measure(file, &text),
            Err(error) => eprintln!("{file}: {error}"),
        }
    }
    if files.is_empty() {
        for (name, program) in PROGRAMS {
            measure(name, &grown(program, 200_000));
        }
    }
}
