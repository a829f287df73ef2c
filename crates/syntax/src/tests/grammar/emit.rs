//! The text of the generated files.

use super::model::{Model, Part, PartOf, Section, snake};
use super::tokens::tokens;
use std::fmt::Write as _;

const NOTICE: &str =
    "//!\n//! Made from `syntax/neuro.ungram` by `tests::grammar`: edit that instead.\n";

/// The endings that the name of a variant drops.
const ENDINGS: [&str; 6] = ["Expr", "Type", "Pat", "Stmt", "Param", "Arg"];

fn kind(rule: &str) -> String {
    snake(rule).to_uppercase()
}

/// The file that declares the kinds.
pub(super) fn kinds(model: &Model) -> String {
    let mut kinds: Vec<(String, String)> =
        tokens().into_iter().map(|token| (token.kind, token.name)).collect();
    kinds.push(("ERROR".to_owned(), "an error".to_owned()));
    for rule in model.rules().filter(|rule| model.choice(rule.node).is_none()) {
        kinds.push((kind(&rule.name), snake(&rule.name).replace('_', " ")));
    }
    let mut out = format!(
        "//! The list of the kinds of tokens and nodes, and the name of each for messages.\n{NOTICE}
/// The kind of a token or of a node of the syntax tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
#[expect(
    non_camel_case_types,
    missing_docs,
    reason = \"a kind is spelled as trees print it, and is named after its text or its grammar rule\"
)]
pub enum SyntaxKind {{\n"
    );
    for (kind, _) in &kinds {
        let _ = writeln!(out, "    {kind},");
    }
    out.push_str("}\n\n/// Every kind, at the index that is its number.\n");
    out.push_str("pub(super) const ALL: &[SyntaxKind] = &[\n");
    for (kind, _) in &kinds {
        let _ = writeln!(out, "    SyntaxKind::{kind},");
    }
    out.push_str(
        "];

impl SyntaxKind {
    /// How a message calls this kind: quoted text for fixed tokens, words for the rest.
    pub fn name(self) -> &'static str {
        match self {\n",
    );
    for (kind, name) in &kinds {
        let _ = writeln!(out, "            SyntaxKind::{kind} => {name:?},");
    }
    out.push_str("        }\n    }\n}\n");
    out
}

/// The file that declares the nodes of a section.
pub(super) fn nodes(model: &Model, section: &Section) -> String {
    let mut nodes = String::new();
    let mut choices = String::new();
    let mut accessors = String::new();
    for rule in &section.rules {
        let Some(alternatives) = model.choice(rule.node) else {
            let _ =
                writeln!(nodes, "    /// {}\n    {} = {};", rule.doc, rule.name, kind(&rule.name));
            emit_accessors(model, &rule.name, &model.parts(rule), &mut accessors);
            continue;
        };
        // How a choice between choices is cast is written by hand.
        if alternatives.iter().any(|(_, node)| model.choice(*node).is_some()) {
            continue;
        }
        let _ = writeln!(choices, "    /// {}\n    {} {{", rule.doc, rule.name);
        for (label, node) in alternatives {
            let name = &model.grammar[node].name;
            let variant = label.unwrap_or_else(|| {
                ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
            });
            let doc = rule.variant_doc(label, name);
            let _ =
                writeln!(choices, "        /// {doc}\n        {variant}({name}) = {},", kind(name));
        }
        choices.push_str("    }\n");
    }
    let mut out = format!("//! {}\n{NOTICE}\nuse crate::ast::*;\n", section.doc);
    let _ = write!(out, "\nnodes! {{\n{nodes}}}\n");
    if !choices.is_empty() {
        let _ = write!(out, "\nchoices! {{\n{choices}}}\n");
    }
    out.push_str(&accessors);
    out
}

fn emit_accessors(model: &Model, rule: &str, parts: &[Part], out: &mut String) {
    if parts.is_empty() {
        return;
    }
    let _ = write!(out, "\nimpl {rule} {{");
    for (index, part) in parts.iter().enumerate() {
        let gap = if index == 0 { "\n" } else { "\n\n" };
        let (name, result, body) = match part.of {
            PartOf::Token(token) => {
                let text = &model.grammar[token].name;
                let kind = tokens().into_iter().find(|known| known.text == *text);
                let kind = kind.unwrap_or_else(|| panic!("unknown token '{text}'")).kind;
                let body = format!("token(self.syntax(), SyntaxKind::{kind})");
                (format!("{}_token", part.name), "Option<Token>".to_owned(), body)
            }
            PartOf::Node(node) => {
                let ty = &model.grammar[node].name;
                let name = part.name.clone();
                if part.many {
                    (name, format!("AstChildren<{ty}>"), "children(self.syntax())".to_owned())
                } else {
                    (name, format!("Option<{ty}>"), "child(self.syntax())".to_owned())
                }
            }
        };
        let _ = write!(
            out,
            "{gap}    /// {}\n    pub fn {name}(&self) -> {result} {{\n        {body}\n    }}",
            part.doc
        );
    }
    out.push_str("\n}\n");
}
