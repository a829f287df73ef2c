//! Whether trees are as the grammar says.

use super::super::{PROGRAMS, checked};
use super::model::Model;
use super::tokens::tokens;
use super::{GRAMMAR, model};
use crate::{NodeOrToken, SyntaxElement, SyntaxNode};
use std::collections::{BTreeSet, HashMap};
use ungrammar::Rule;

/// The grammar, to hold trees against.
pub(in crate::tests) struct Conformity {
    model: Model,
    /// The kind of a token by its text in the grammar.
    kinds: HashMap<String, String>,
    /// The index of a rule by the kind of its nodes.
    rules: HashMap<String, (usize, usize)>,
}

impl Conformity {
    pub(in crate::tests) fn new() -> Self {
        let model = Model::read(GRAMMAR);
        let kinds = tokens().into_iter().map(|token| (token.text, token.kind)).collect();
        let sections = model.sections.iter().enumerate();
        let rules = sections.flat_map(|(section, rules)| {
            let rules = rules.rules.iter().enumerate();
            rules.map(move |(rule, doc)| (model::snake(&doc.name).to_uppercase(), (section, rule)))
        });
        let rules = rules.collect();
        Self { model, kinds, rules }
    }

    /// What is not as the grammar says in a tree without mistakes.
    pub(in crate::tests) fn check_tree(&self, root: &SyntaxNode) -> Result<(), String> {
        root.descendants().try_for_each(|node| self.check(&node))
    }

    /// Where in the children a match of the rule can end that begins at `start`.
    fn ends(&self, rule: &Rule, children: &[SyntaxElement], start: usize) -> BTreeSet<usize> {
        match rule {
            Rule::Labeled { rule, .. } => self.ends(rule, children, start),
            Rule::Node(node) => match children.get(start) {
                Some(NodeOrToken::Node(child)) => {
                    let kind = format!("{:?}", child.kind());
                    let fits = |name: &str| model::snake(name).to_uppercase() == kind;
                    let fits = self.model.concrete(*node).into_iter().any(fits);
                    fits.then_some(start + 1).into_iter().collect()
                }
                _ => BTreeSet::new(),
            },
            Rule::Token(token) => match children.get(start) {
                Some(NodeOrToken::Token(child)) => {
                    let kind = self.kinds.get(&self.model.grammar[*token].name);
                    let fits = kind.is_some_and(|kind| *kind == format!("{:?}", child.kind()));
                    fits.then_some(start + 1).into_iter().collect()
                }
                _ => BTreeSet::new(),
            },
            Rule::Seq(rules) => rules.iter().fold(BTreeSet::from([start]), |starts, rule| {
                starts.into_iter().flat_map(|start| self.ends(rule, children, start)).collect()
            }),
            Rule::Alt(rules) => {
                rules.iter().flat_map(|rule| self.ends(rule, children, start)).collect()
            }
            Rule::Opt(rule) => {
                let mut ends = self.ends(rule, children, start);
                ends.insert(start);
                ends
            }
            Rule::Rep(rule) => {
                let mut ends = BTreeSet::from([start]);
                let mut new = ends.clone();
                while !new.is_empty() {
                    let next = new.iter().flat_map(|start| self.ends(rule, children, *start));
                    new = next.filter(|end| !ends.contains(end)).collect();
                    ends.extend(&new);
                }
                ends
            }
        }
    }

    /// Whether the children of a node are what its rule says.
    fn check(&self, node: &SyntaxNode) -> Result<(), String> {
        let kind = format!("{:?}", node.kind());
        let Some((section, rule)) = self.rules.get(&kind) else {
            return Err(format!("no rule for {kind}: {}", node.text()));
        };
        let rule = &self.model.sections[*section].rules[*rule];
        let children: Vec<SyntaxElement> =
            node.children_with_tokens().filter(|child| !child.kind().is_trivia()).collect();
        let ends = self.ends(&self.model.grammar[rule.node].rule, &children, 0);
        if ends.contains(&children.len()) {
            return Ok(());
        }
        let kinds: Vec<String> =
            children.iter().map(|child| format!("{:?}", child.kind())).collect();
        Err(format!("{kind} is no `{}`: {}\n{}", rule.name, kinds.join(" "), node.text()))
    }
}

/// Every kind of node occurs in the programs, and every node is what its rule says.
#[test]
fn trees_follow_the_grammar() {
    let conformity = Conformity::new();
    let model = &conformity.model;
    let mut seen = BTreeSet::new();
    for program in PROGRAMS {
        for node in checked(program).syntax_node().descendants() {
            seen.insert(format!("{:?}", node.kind()));
            if let Err(message) = conformity.check(&node) {
                panic!("{message}");
            }
        }
    }
    let missing: Vec<&str> = model
        .rules()
        .filter(|rule| model.choice(rule.node).is_none())
        .map(|rule| rule.name.as_str())
        .filter(|name| !seen.contains(&model::snake(name).to_uppercase()))
        .collect();
    assert_eq!(missing, [""; 0], "no program has these");
}
