//! Properties of every text: nothing panics, nothing is lost, and a second run changes nothing.

use super::corpus::programs;
use super::edits::apply;
use super::{CONSTRUCTS, assert_same_again, formatted, long_lines};
use crate::format::{format, format_edits};
use crate::{NodeOrToken, SyntaxKind, parse};

/// Numbers that repeat with their seed.
struct Random(u64);

impl Random {
    /// A seed of the environment, or of the clock; it is printed, and shown when the test fails.
    fn new() -> Self {
        let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let clock = clock.map_or(1, |time| u64::from(time.subsec_nanos()));
        let seed = std::env::var("NEURO_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = seed.unwrap_or(clock);
        println!("NEURO_SEED={seed}");
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % end.max(1)
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// How often something is tried: sampled, or in full.
fn rounds(sampled: usize, full: usize) -> usize {
    if std::env::var_os("NEURO_FULL_SWEEPS").is_some() { full } else { sampled }
}

/// What holds for a text with or without mistakes; gives whether it was formatted.
fn survives(text: &str) -> bool {
    let Ok(once) = format(text) else {
        assert_ne!(parse(text).errors, [], "not formatted:\n{text}\n{:?}", format(text));
        return false;
    };
    assert_same_again(text, &once);
    let edits = format_edits(text).expect("edits");
    assert_eq!(apply(text, &edits), once, "edits of:\n{text}");
    true
}

/// A text in pieces: each token with what stands in front of it.
fn pieces(text: &str) -> Vec<(String, String)> {
    let root = parse(text).syntax_node();
    let mut pieces = Vec::new();
    let mut gap = String::new();
    for event in root.preorder_with_tokens() {
        let crate::WalkEvent::Enter(NodeOrToken::Token(token)) = event else { continue };
        let in_string = token.parent_ancestors().any(|node| node.kind() == SyntaxKind::STRING_LIT);
        if token.kind().is_trivia() && !in_string {
            gap.push_str(token.text());
        } else if in_string && token.kind() != SyntaxKind::STRING_START {
            if let Some((_, text)) = pieces.last_mut() {
                let text: &mut String = text;
                text.push_str(token.text());
            }
        } else {
            pieces.push((std::mem::take(&mut gap), token.text().to_owned()));
        }
    }
    pieces.push((gap, String::new()));
    pieces
}

fn join(pieces: &[(String, String)]) -> String {
    pieces.iter().flat_map(|(gap, token)| [gap.as_str(), token.as_str()]).collect()
}

/// The items and the statements of the constructs, each a small program.
fn items() -> Vec<String> {
    let root = parse(CONSTRUCTS).syntax_node();
    let mut items: Vec<String> = root.children().map(|item| format!("{}\n", item.text())).collect();
    // Functions are covered by their statements.
    items.retain(|item| item.lines().count() < 40);
    let blocks = root.descendants().filter(|node| node.kind() == SyntaxKind::BLOCK);
    let statements = blocks.flat_map(|block| block.children());
    items.extend(statements.map(|node| format!("func f() {{\n    {}\n}}\n", node.text())));
    items
}

#[test]
fn prefixes_survive() {
    let mut random = Random::new();
    let step = rounds(CONSTRUCTS.len() / 60, 1);
    let first = random.below(step);
    for (at, _) in CONSTRUCTS.char_indices().skip(first).step_by(step) {
        survives(&CONSTRUCTS[..at]);
    }
}

#[test]
fn programs_with_a_token_left_out_twice_or_swapped_survive() {
    let mut random = Random::new();
    let items: Vec<_> = items().iter().map(|item| pieces(item)).collect();
    for _ in 0..rounds(400, 20_000) {
        let mut pieces = items[random.below(items.len())].clone();
        let at = random.below(pieces.len());
        match random.below(3) {
            0 => {
                pieces.remove(at);
            }
            1 => pieces.insert(at, pieces[at].clone()),
            _ => {
                let other = random.below(pieces.len());
                pieces.swap(at, other);
            }
        }
        let text = format!("func a( ) {{ }}\n{}\nfunc b( ) {{ }}\n", join(&pieces));
        survives(&text);
    }
}

#[test]
fn soups_of_tokens_survive() {
    let mut random = Random::new();
    let words: Vec<String> =
        pieces(CONSTRUCTS).into_iter().map(|(_, token)| token).filter(|t| !t.is_empty()).collect();
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.sort_unstable();
    words.dedup();
    words.extend([
        "\n",
        "\n",
        "// c\n",
        "/* c */",
        "/* a\n b */",
        "/// d\n",
        "\"",
        "/*",
        "\r\n",
        "\0",
        "é",
    ]);
    for _ in 0..rounds(600, 50_000) {
        let length = random.below(30);
        let glue = if random.below(4) == 0 { "" } else { " " };
        let soup: Vec<&str> = (0..length).map(|_| random.pick(&words)).collect();
        let soup = soup.join(glue);
        survives(&soup);
        survives(&format!("func f() {{ {soup} }}\nfunc g( ) {{ }}"));
    }
}

/// Comments and new lines wherever they leave a program without mistakes.
#[test]
fn comments_and_new_lines_anywhere_are_kept() {
    const GAPS: &[&str] = &[
        " // one\n",
        " // one\n",
        "\n// one\n",
        "\n\n// one\n\n// two\n\n",
        " /* one */ ",
        "/* one */",
        "\n/* one */\n",
        " /* one */\n",
        "/* one\n   two */",
        "\n",
        "\n\n\n",
        "   ",
        " /* one */ // two\n",
        "\r\n",
    ];
    let mut random = Random::new();
    let items: Vec<_> = items().iter().map(|item| pieces(item)).collect();
    let (mut tried, mut clean) = (0, 0);
    for _ in 0..rounds(1_500, 60_000) {
        let mut pieces = items[random.below(items.len())].clone();
        for _ in 0..=random.below(3) {
            let at = random.below(pieces.len());
            let gap = random.pick(GAPS);
            pieces[at].0 = if random.below(2) == 0 {
                format!("{}{gap}", pieces[at].0)
            } else {
                gap.to_owned()
            };
        }
        let text = join(&pieces);
        tried += 1;
        if parse(&text).errors.is_empty() {
            clean += 1;
            formatted(&text);
        }
        survives(&text);
    }
    assert!(clean * 4 > tried, "{clean} of {tried} programs had no mistakes");
}

/// Programs whose names are longer or shorter than they were.
#[test]
fn names_of_any_length_fit() {
    let mut random = Random::new();
    let items: Vec<_> = items().iter().map(|item| pieces(item)).collect();
    for _ in 0..rounds(600, 30_000) {
        let mut pieces = items[random.below(items.len())].clone();
        let scale = random.below(30);
        for (_, token) in &mut pieces {
            let is_name =
                token.chars().all(|c| c.is_ascii_lowercase() || c == '_') && token.len() > 1;
            if is_name && !is_word(token) {
                *token = format!("n{}", "o".repeat(random.below(scale + 1)));
            }
        }
        let text = join(&pieces);
        if parse(&text).errors.is_empty() {
            let formatted = formatted(&text);
            assert_eq!(long_lines(&formatted), [""; 0], "{formatted}");
        }
    }
}

/// Whether the grammar gives a word a meaning.
fn is_word(token: &str) -> bool {
    crate::KEYWORDS.iter().any(|keyword| keyword.text == token) || token == "no_prelude"
}

#[test]
fn other_line_ends_are_kept() {
    for (_, text) in programs() {
        let text = text.replace("\r\n", "\n");
        let windows = text.replace('\n', "\r\n");
        let expected = formatted(&text).replace('\n', "\r\n");
        assert_eq!(formatted(&windows), expected);
    }
    assert_eq!(formatted("\u{feff}func a( ) { }"), "\u{feff}func a() {}\n");
}

#[test]
fn deep_and_long_programs_are_formatted() {
    let program = |body: String| format!("func f( ) {{\n  {body}\n}}\n");
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("f(", ")"),
        ("{ ", " }"),
        ("if a { ", " }"),
        ("-", ""),
        ("|a| ", ""),
    ] {
        survives(&program(format!("{}1{}", open.repeat(200), close.repeat(200))));
        survives(&program(format!("{}1{}", open.repeat(10_000), close.repeat(10_000))));
    }
    for link in [" + a", ".b", ".b()", "(1)", "[0]", " ?? a", "?", " as i64", " |> f", " && a"] {
        assert!(survives(&program(format!("val x = a{}", link.repeat(4_000)))));
    }
    assert!(survives(&program(format!("if a {{ }}{}", " else if a { }".repeat(3_000)))));
}
