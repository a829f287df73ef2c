//! The trees of small programs, in the format of the tree-sitter command line, which also updates them.

use neuro_tests::root;

/// A case of a corpus: its title, the program, and the tree; no tree for a program with a mistake.
struct Case<'a> {
    title: &'a str,
    program: &'a str,
    tree: Option<String>,
}

/// Reads the cases of a file: a title between two lines of `=`, the program, a line of `-`, the tree.
fn cases(text: &str) -> Vec<Case<'_>> {
    let mut parts = text.split("====================\n").skip(1);
    let mut cases = Vec::new();
    while let (Some(head), Some(body)) = (parts.next(), parts.next()) {
        let (title, wrong) = match head.trim_end().split_once('\n') {
            Some((title, attribute)) => (title, attribute == ":error"),
            None => (head.trim_end(), false),
        };
        let (program, tree) = body.split_once("\n---\n").expect("a line between program and tree");
        let tree = (!wrong).then(|| one_line(tree));
        cases.push(Case { title, program: program.trim_start_matches('\n'), tree });
    }
    cases
}

/// A tree with single spaces between its nodes.
fn one_line(tree: &str) -> String {
    tree.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn trees_are_those_of_the_corpus() {
    let mut count = 0;
    for entry in
        std::fs::read_dir(root().join("syntax/tree-sitter-neuro/test/corpus")).expect("a corpus")
    {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a corpus");
        for case in cases(&text) {
            count += 1;
            let tree = super::parse(case.program);
            let title = format!("{}: {}", path.display(), case.title);
            assert_eq!(tree.root_node().has_error(), case.tree.is_none(), "{title}");
            assert_eq!(super::has_error(case.program), case.tree.is_none(), "{title}: the parser");
            if let Some(wanted) = case.tree {
                let found = tree.root_node().to_sexp();
                // The corpus has no names of fields.
                let found: Vec<_> =
                    found.split_whitespace().filter(|word| !word.ends_with(':')).collect();
                assert_eq!(found.join(" "), wanted, "{title}");
            }
        }
    }
    assert!(count > 20, "{count} cases");
}
