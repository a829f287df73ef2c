//! How fast texts become trees, on one core: `cargo bench -p neuro-syntax`.
//!
//! The least of many rounds is taken, since other work on the machine only ever adds time. What remains of it
//! cancels out in the last column: the time that parsing takes, in times of a plain pass of a generated lexer
//! over the same text. Memory comes from the allocator that `neurc` uses.
//!
//! Other files can be measured, and fewer rounds run: `cargo bench -p neuro-syntax -- --rounds=1 some.nr`.

use logos::Logos;
use mimalloc::MiMalloc;
use neuro_syntax::{NodeOrToken, SyntaxKind, parse};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const ROUNDS: usize = 200;

/// Dense programs, each of which stresses a part of the grammar.
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

/// The programs again and again, with other names each time, as long as what there is does not suffice.
fn grown(programs: &[String], suffices: impl Fn(&str) -> bool) -> String {
    let mut out = String::new();
    for copy in 0.. {
        for program in programs {
            if suffices(&out) {
                return out;
            }
            push_renamed(&mut out, program, copy);
        }
    }
    out
}

/// Adds a program whose names are those of a copy with that number.
fn push_renamed(out: &mut String, program: &str, copy: usize) {
    for element in parse(program).syntax_node().descendants_with_tokens() {
        let NodeOrToken::Token(token) = element else { continue };
        out.push_str(token.text());
        // Short names recur in every file, and so they do here.
        if token.kind() == SyntaxKind::IDENT && token.text().len() > 4 {
            out.push_str(&copy.to_string());
        }
    }
}

/// The programs of the repository's examples and run-time tests, in the order of their paths.
fn examples() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths: Vec<_> = ["examples", "tests/run"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "nr"))
        .collect();
    paths.sort();
    let texts = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    texts.filter(|text| parse(text).errors.is_empty()).collect()
}

/// The least time that some work takes on what is made for each round; making and dropping do not count.
fn least<T>(rounds: usize, mut work: impl FnMut() -> T) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..rounds {
        let start = Instant::now();
        let result = black_box(work());
        best = best.min(start.elapsed());
        drop(result);
    }
    best
}

fn measure(name: &str, text: &str, rounds: usize) {
    let errors = parse(text).errors.len();
    if errors > 0 {
        println!("{name} has {errors} mistakes");
    }
    let parsing = least(rounds, || parse(black_box(text)));
    let lexing = least(rounds, || Plain::lexer(black_box(text)).count());
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
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rounds = args.iter().find_map(|arg| arg.strip_prefix("--rounds=")?.parse().ok());
    let rounds = rounds.unwrap_or(ROUNDS);
    let files: Vec<&String> = args.iter().filter(|arg| !arg.starts_with('-')).collect();
    for file in &files {
        match std::fs::read_to_string(file) {
            Ok(text) => measure(file, &text, rounds),
            Err(error) => eprintln!("{file}: {error}"),
        }
    }
    if files.is_empty() {
        for (name, program) in PROGRAMS {
            let text = grown(&[(*program).to_owned()], |text| text.len() >= 200_000);
            measure(name, &text, rounds);
        }
        let file = grown(&examples(), |text| text.lines().count() >= 10_000);
        measure("a long file", &file, rounds);
    }
}
