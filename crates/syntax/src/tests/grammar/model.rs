//! What the grammar says: sections, rules, and the parts of rules that have accessors.

use std::collections::{BTreeSet, HashMap};
use ungrammar::{Grammar, Node, Rule};

/// The grammar with its comments.
pub(super) struct Model {
    pub(super) grammar: Grammar,
    pub(super) sections: Vec<Section>,
}

/// The rules under one heading, which make one generated file.
pub(super) struct Section {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) rules: Vec<RuleDoc>,
}

/// A rule.
pub(super) struct RuleDoc {
    pub(super) node: Node,
    pub(super) name: String,
    pub(super) doc: String,
    /// What the comments say of the parts, by the name of the accessor.
    parts: HashMap<String, String>,
}

/// A part of a rule that has an accessor.
pub(super) struct Part {
    /// The name of the accessor; of a token, without its ending.
    pub(super) name: String,
    pub(super) of: PartOf,
    pub(super) many: bool,
    pub(super) doc: String,
}

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartOf {
    Node(Node),
    Token(ungrammar::Token),
}

impl RuleDoc {
    /// What the comments say of an alternative of a choice.
    pub(super) fn variant_doc(&self, label: Option<&str>, rule: &str) -> &str {
        let name = label.map_or_else(|| snake(rule), str::to_owned);
        let doc = self.parts.get(&name);
        doc.unwrap_or_else(|| panic!("the grammar does not say what `{rule}` is in {}", self.name))
    }
}

impl Model {
    /// Reads the grammar; panics where it makes no sense, which fails the test.
    pub(super) fn read(text: &str) -> Model {
        let grammar: Grammar = text.parse().unwrap_or_else(|error| panic!("neuro.ungram{error}"));
        let nodes: HashMap<&str, Node> =
            grammar.iter().map(|node| (grammar[node].name.as_str(), node)).collect();
        let mut sections: Vec<Section> = Vec::new();
        let mut comment = String::new();
        for line in text.lines() {
            if let Some(text) = line.strip_prefix("// ") {
                if let Some(name) = text.strip_prefix("== ").and_then(|t| t.strip_suffix(" ==")) {
                    let (name, doc) = (name.to_owned(), String::new());
                    sections.push(Section { name, doc, rules: Vec::new() });
                } else {
                    comment = text.to_owned();
                }
                continue;
            }
            let Some(section) = sections.last_mut() else { continue };
            if line.is_empty() {
                if section.doc.is_empty() {
                    section.doc = std::mem::take(&mut comment);
                }
                continue;
            }
            let (code, doc) = match line.split_once("// ") {
                Some((code, doc)) => (code, doc.trim()),
                None => (line, ""),
            };
            let mut code = code.trim();
            if !line.starts_with(' ') {
                let (name, rest) = code.split_once('=').expect("a rule begins with `Name =`");
                let (name, doc) = (name.trim().to_owned(), std::mem::take(&mut comment));
                assert!(!doc.is_empty(), "the grammar does not say what `{name}` is");
                let parts = HashMap::new();
                section.rules.push(RuleDoc { node: nodes[name.as_str()], name, doc, parts });
                code = rest;
            }
            if let Some(rule) = section.rules.last_mut()
                && !doc.is_empty()
            {
                let part = first_part(code)
                    .unwrap_or_else(|| panic!("nothing to document in `{line}` of {}", rule.name));
                rule.parts.insert(part, doc.to_owned());
            }
        }
        Model { grammar, sections }
    }

    pub(super) fn rules(&self) -> impl Iterator<Item = &RuleDoc> {
        self.sections.iter().flat_map(|section| &section.rules)
    }

    /// The alternatives of a rule that only chooses between nodes, each with its label.
    pub(super) fn choice(&self, node: Node) -> Option<Vec<(Option<&str>, Node)>> {
        let Rule::Alt(alternatives) = &self.grammar[node].rule else { return None };
        let choices = alternatives.iter().map(|rule| match rule {
            Rule::Node(node) => Some((None, *node)),
            Rule::Labeled { label, rule } => match &**rule {
                Rule::Node(node) => Some((Some(label.as_str()), *node)),
                _ => None,
            },
            _ => None,
        });
        choices.collect()
    }

    /// The names of the rules whose nodes a rule stands for: its own, or those it chooses between.
    pub(super) fn concrete(&self, node: Node) -> BTreeSet<&str> {
        match self.choice(node) {
            None => BTreeSet::from([self.grammar[node].name.as_str()]),
            Some(choices) => {
                choices.into_iter().flat_map(|(_, choice)| self.concrete(choice)).collect()
            }
        }
    }

    /// The parts of a rule that have generated accessors.
    pub(super) fn parts(&self, rule: &RuleDoc) -> Vec<Part> {
        let mut parts = Vec::new();
        self.collect(rule, &self.grammar[rule.node].rule, None, false, &mut parts);
        let ambiguous: Vec<bool> = parts
            .iter()
            .map(|part| {
                parts.iter().any(|other| other.name != part.name && self.overlap(part, other))
            })
            .collect();
        let mut ambiguous = ambiguous.into_iter();
        parts.retain(|part| {
            let keep = !ambiguous.next().unwrap_or_default() && part.name != "_";
            let undocumented = keep && part.doc.is_empty();
            assert!(
                !undocumented,
                "the grammar does not say what `{}` is of {}",
                part.name, rule.name
            );
            keep
        });
        parts
    }

    fn overlap(&self, a: &Part, b: &Part) -> bool {
        match (a.of, b.of) {
            (PartOf::Node(a), PartOf::Node(b)) => !self.concrete(a).is_disjoint(&self.concrete(b)),
            (PartOf::Token(a), PartOf::Token(b)) => a == b,
            _ => false,
        }
    }

    fn collect(
        &self,
        doc: &RuleDoc,
        rule: &Rule,
        label: Option<&str>,
        many: bool,
        parts: &mut Vec<Part>,
    ) {
        let of = match rule {
            Rule::Seq(rules) | Rule::Alt(rules) => {
                for rule in rules {
                    self.collect(doc, rule, None, many, parts);
                }
                return;
            }
            Rule::Opt(rule) => return self.collect(doc, rule, label, many, parts),
            Rule::Rep(rule) => return self.collect(doc, rule, label, true, parts),
            Rule::Labeled { label, rule } => {
                return self.collect(doc, rule, Some(label), many, parts);
            }
            Rule::Node(node) => PartOf::Node(*node),
            Rule::Token(_) if label.is_none() => return,
            Rule::Token(token) => PartOf::Token(*token),
        };
        let name = match (of, label) {
            (_, Some(label)) => label.to_owned(),
            (PartOf::Node(node), None) => snake(&self.grammar[node].name),
            (PartOf::Token(_), None) => return,
        };
        if let Some(known) = parts.iter_mut().find(|part| part.name == name && part.of == of) {
            known.many = true;
            return;
        }
        let text = doc.parts.get(&name).cloned().unwrap_or_default();
        parts.push(Part { name, of, many, doc: text });
    }
}

/// The name of the first part of a line that has an accessor.
fn first_part(code: &str) -> Option<String> {
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        if c == '\'' {
            rest = rest[1..].split_once('\'').map_or("", |(_, rest)| rest);
            continue;
        }
        let length = rest.find(|c: char| !c.is_alphabetic() && c != '_').unwrap_or(rest.len());
        if length == 0 {
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let word = &rest[..length];
        let labels = rest[length..].starts_with(':');
        return Some(if labels { word.to_owned() } else { snake(word) });
    }
    None
}

/// `FooBar` as `foo_bar`.
pub(super) fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
