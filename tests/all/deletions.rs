//! Well-typed programs without one of their tokens: nothing panics, nothing is said twice, little is said at
//! all, since one mistake was made.

use neuro_db::RootDatabase;
use neuro_tests::Random;

/// Deletions in each run of the gate; all of them with `NEURO_FULL_SWEEPS`.
const SAMPLE: usize = 1500;

#[test]
fn a_missing_token_is_one_mistake() {
    let mut db = RootDatabase::default();
    let programs: Vec<_> = crate::spec::programs()
        .into_iter()
        .filter(|(_, text)| {
            let file = db.set_text("whole.nr", text);
            neuro_ide::diagnostics(&db, file).is_empty()
        })
        .collect();
    let places: Vec<_> = programs
        .iter()
        .flat_map(|(name, text)| tokens(text).into_iter().map(move |token| (name, text, token)))
        .collect();
    println!("{} programs, {} tokens", programs.len(), places.len());
    let mut random = Random::of_test(29);
    let full = std::env::var_os("NEURO_FULL_SWEEPS").is_some();
    let count = if full { places.len() } else { SAMPLE };
    let mut counts = Vec::new();
    let mut worst = (0, String::new());
    for nth in 0..count {
        let (name, text, token) = &places[if full { nth } else { random.below(places.len()) }];
        let cut = format!("{}{}", &text[..token.start], &text[token.end..]);
        let file = db.set_text("cut.nr", &cut);
        let found = neuro_ide::diagnostics(&db, file);
        let mut said: Vec<_> =
            found.iter().map(|found| (found.code, found.span, found.message.clone())).collect();
        said.sort_by_key(|(code, span, _)| (*code, span.absolute(&db).start()));
        let all = said.len();
        said.dedup();
        assert_eq!(all, said.len(), "{name}: something is said twice of\n{cut}\n{found:#?}");
        if all > worst.0 {
            worst = (all, format!("{name} without `{}`", &text[token.clone()]));
        }
        counts.push(all);
    }
    counts.sort_unstable();
    let at = |part: f64| counts[(part * (counts.len() - 1) as f64) as usize];
    println!("diagnostics a deletion: median {}, 90 % {}, 99 % {}", at(0.5), at(0.9), at(0.99));
    println!("most: {} for {}", worst.0, worst.1);
    assert!(at(0.5) <= 3);
    assert!(at(0.9) <= 5);
}

/// The ranges of the tokens that are no space, line end or comment.
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    use neuro_syntax::AstNode;
    let Some(tree) = neuro_syntax::parse(text).tree() else { return Vec::new() };
    tree.syntax()
        .descendants_with_tokens()
        .filter_map(|element| element.into_token())
        .filter(|token| {
            !token.kind().is_trivia() && token.kind() != neuro_syntax::SyntaxKind::NEWLINE
        })
        .map(|token| token.text_range().into())
        .collect()
}
