//! Patterns.

use neuro_db::{Name, codes};
use neuro_syntax::AstNode;
use neuro_syntax::ast::{self, Node};
use text_size::TextRange;

use super::{Lowering, LoweringFinding};
use crate::{
    ArrayRest, Binding, FieldPat, LocalId, Pat, PatId, PatLiteral, RangeEnd, Resolution, tree,
};

/// How the names of a pattern are bound.
#[derive(Clone, Copy)]
pub(super) struct Binder {
    /// Whether every name is `mut`.
    pub(super) mutable: bool,
    /// What kind of local each name is.
    pub(super) binding: Binding,
    /// The type that is written behind the pattern.
    pub(super) ty: Option<TextRange>,
    /// Whether a bare name may be a variant.
    pub(super) variants: bool,
}

/// The names that a pattern has bound so far.
#[derive(Default)]
pub(super) struct Names {
    bound: Vec<BoundName>,
    /// In a later alternative: the names of the first one, whose locals it shares.
    shared: Option<Vec<BoundName>>,
}

#[derive(Clone)]
struct BoundName {
    name: Name,
    range: TextRange,
    local: LocalId,
}

impl Lowering<'_> {
    pub(super) fn alloc_pat(&mut self, pat: Pat, range: TextRange) -> PatId {
        let id = self.out.body.pats.alloc(pat);
        self.note(|map| map.insert_pat(id, range));
        id
    }

    /// A pattern that may be missing in `parent`; then the parser has reported it.
    pub(super) fn lower_pat_opt(
        &mut self,
        pat: Option<ast::Pat>,
        parent: &Node,
        binder: &mut Binder,
        names: &mut Names,
    ) -> PatId {
        match pat {
            Some(pat) => self.lower_pat(&pat, binder, names),
            None => {
                let range = tree::token_or_first(None, parent);
                self.alloc_pat(Pat::Missing, range)
            }
        }
    }

    pub(super) fn lower_pat(
        &mut self,
        pat: &ast::Pat,
        binder: &mut Binder,
        names: &mut Names,
    ) -> PatId {
        let range = tree::trimmed_range(pat.syntax());
        let lowered = match pat {
            ast::Pat::Wildcard(_) => Pat::Wildcard,
            ast::Pat::Ident(ident) => {
                let name = tree::name_text(ident.name());
                if binder.variants && self.is_variant(&name) {
                    Pat::Path(self.types.name_path(name, range))
                } else {
                    Pat::Bind(self.bind(name, range, binder, names))
                }
            }
            ast::Pat::Literal(literal) => Pat::Literal(lower_literal(Some(literal))),
            ast::Pat::Range(bounds) => Pat::Range {
                start: Box::new(lower_literal(bounds.start().as_ref())),
                end: Box::new(lower_literal(bounds.end().as_ref())),
                end_kind: match bounds.is_inclusive() {
                    true => RangeEnd::Inclusive,
                    false => RangeEnd::Exclusive,
                },
            },
            // Empty parentheses are reported where they are read.
            ast::Pat::Tuple(tuple) if tuple.elements().next().is_none() => Pat::Missing,
            ast::Pat::Tuple(tuple) => Pat::Tuple(self.lower_pats(tuple.elements(), binder, names)),
            ast::Pat::Array(array) => self.lower_array_pat(array, binder, names),
            ast::Pat::Rest(_) => {
                self.refuse(
                    codes::SYNTAX,
                    range,
                    "`..` stands only at the end of an array pattern",
                );
                Pat::Missing
            }
            ast::Pat::Variant(variant) => Pat::Variant {
                path: self.pat_path(variant.path(), range),
                elements: self.lower_pats(variant.elements(), binder, names),
            },
            ast::Pat::Struct(pattern) => self.lower_struct_pat(pattern, binder, names),
            ast::Pat::Path(path) => Pat::Path(self.pat_path(path.path(), range)),
            ast::Pat::Or(or) => Pat::Or(self.lower_alternatives(or, binder, names)),
        };
        self.alloc_pat(lowered, range)
    }

    /// Alternatives bind the same names: one local stands for a name in all of them.
    fn lower_alternatives(
        &mut self,
        or: &ast::OrPat,
        binder: &mut Binder,
        names: &mut Names,
    ) -> Vec<PatId> {
        binder.ty = None;
        let outer = names.bound.clone();
        let mut alternatives = or.alternatives();
        let Some(first) = alternatives.next() else { return Vec::new() };
        let mut lowered = vec![self.lower_pat(&first, binder, names)];
        let own = names.bound.split_off(outer.len().min(names.bound.len()));
        let mut shared = names.shared.clone().unwrap_or_default();
        shared.extend(own.iter().cloned());
        for alternative in alternatives {
            names.bound.clone_from(&outer);
            let before = names.shared.replace(shared.clone());
            let reported = self.out.findings.len();
            lowered.push(self.lower_pat(&alternative, binder, names));
            names.shared = before;
            let bound = names.bound.get(outer.len()..).unwrap_or_default();
            let lacks = |own: &&BoundName| bound.iter().all(|bound| bound.name != own.name);
            // A name that is bound here only says more.
            if let Some(lacking) = own.iter().find(lacks)
                && self.out.findings.len() == reported
            {
                let name = lacking.name.clone();
                self.out.findings.push(LoweringFinding {
                    code: codes::PATTERN,
                    range: tree::trimmed_range(alternative.syntax()),
                    message: format!("this alternative does not bind `{name}`"),
                    related: Some((lacking.range, "bound here")),
                });
            }
        }
        names.bound = outer;
        names.bound.extend(own);
        lowered
    }

    fn lower_pats(
        &mut self,
        pats: impl Iterator<Item = ast::Pat>,
        binder: &mut Binder,
        names: &mut Names,
    ) -> Vec<PatId> {
        binder.ty = None;
        pats.map(|pat| self.lower_pat(&pat, binder, names)).collect()
    }

    fn pat_path(&mut self, path: Option<ast::Path>, range: TextRange) -> crate::Path {
        match path {
            Some(path) => self.types.lower_path(&path),
            None => self.types.no_path(range),
        }
    }

    fn lower_array_pat(
        &mut self,
        array: &ast::ArrayPat,
        binder: &mut Binder,
        names: &mut Names,
    ) -> Pat {
        binder.ty = None;
        let mut elements = Vec::new();
        let mut rest: Option<ArrayRest> = None;
        for element in array.elements() {
            match element {
                ast::Pat::Rest(found) => {
                    let local = found.name().map(|name| {
                        let range = tree::trimmed_range(name.syntax());
                        self.bind(Name::from(name.text()), range, binder, names)
                    });
                    if rest.is_some() {
                        let range = tree::trimmed_range(found.syntax());
                        self.refuse(codes::SYNTAX, range, "an array pattern has one `..`");
                    }
                    rest = rest.or(Some(ArrayRest { local }));
                }
                element => {
                    if rest.is_some() {
                        let range = tree::trimmed_range(element.syntax());
                        self.refuse(codes::SYNTAX, range, "`..` stands last in an array pattern");
                    }
                    elements.push(self.lower_pat(&element, binder, names));
                }
            }
        }
        Pat::Array { elements, rest }
    }

    fn lower_struct_pat(
        &mut self,
        pattern: &ast::StructPat,
        binder: &mut Binder,
        names: &mut Names,
    ) -> Pat {
        binder.ty = None;
        let path = self.pat_path(pattern.path(), tree::trimmed_range(pattern.syntax()));
        let fields = pattern
            .fields()
            .map(|field| {
                let name = tree::name_ref_text(field.name_ref());
                let range = field.name_ref().map_or_else(
                    || tree::trimmed_range(field.syntax()),
                    |name| tree::trimmed_range(name.syntax()),
                );
                let pat = match field.pat() {
                    Some(pat) => self.lower_pat(&pat, binder, names),
                    None => {
                        let local = self.bind(name.clone(), range, binder, names);
                        self.alloc_pat(Pat::Bind(local), range)
                    }
                };
                self.note(|map| map.insert_field(pat, range));
                FieldPat { name, pat }
            })
            .collect();
        Pat::Struct { path, fields, rest: pattern.rest().is_some() }
    }

    /// Binds a name of a pattern.
    pub(super) fn bind(
        &mut self,
        name: Name,
        range: TextRange,
        binder: &Binder,
        names: &mut Names,
    ) -> LocalId {
        let twice = names.bound.iter().find(|bound| bound.name == name && !name.is_empty());
        if let Some(first) = twice {
            let related = Some((first.range, "first bound here"));
            let message = format!("the pattern binds `{name}` twice");
            let code = codes::DUPLICATE;
            self.out.findings.push(LoweringFinding { code, range, message, related });
            return self.declare(name, binder.mutable, binder.binding, range, binder.ty);
        }
        let known = names.shared.as_ref().map(|shared| shared.iter().find(|own| own.name == name));
        let local = match known {
            Some(Some(own)) => own.local,
            None => self.declare(name.clone(), binder.mutable, binder.binding, range, binder.ty),
            Some(None) => {
                if !name.is_empty() {
                    let message = format!(
                        "`{name}` is bound in this alternative only; a variant that is not imported is written with its enum"
                    );
                    self.refuse(codes::PATTERN, range, message);
                }
                self.declare(name.clone(), binder.mutable, binder.binding, range, binder.ty)
            }
        };
        names.bound.push(BoundName { name, range, local });
        local
    }

    /// Whether a bare name in a pattern is a variant.
    fn is_variant(&self, name: &Name) -> bool {
        !name.is_empty() && matches!(self.resolve(name), Some(Resolution::Variant(..)))
    }
}

fn lower_literal(literal: Option<&ast::LiteralPat>) -> PatLiteral {
    let Some(literal) = literal else { return PatLiteral::Error };
    let negative = literal.minus_token().is_some();
    if let Some(string) = literal.string() {
        let mut text = String::new();
        for part in string.parts() {
            match part {
                ast::StringPart::Text { value, .. } => text += &value,
                ast::StringPart::Hole(_) => return PatLiteral::Text(None),
            }
        }
        return PatLiteral::Text(Some(Name::from(text)));
    }
    // The parser reports a literal that has no value.
    match literal.literal().and_then(|literal| literal.kind()) {
        Some(ast::LiteralKind::Int(int)) => match int.value() {
            Ok(value) => PatLiteral::Int {
                negative,
                value: value.value,
                suffix: value.suffix.map(Name::new_static),
            },
            Err(_) => PatLiteral::Error,
        },
        Some(ast::LiteralKind::Float(float)) => match float.value() {
            Ok((digits, suffix)) => PatLiteral::Float {
                negative,
                digits: Name::from(digits),
                suffix: suffix.map(Name::new_static),
            },
            Err(_) => PatLiteral::Error,
        },
        Some(ast::LiteralKind::Char(value)) => value.map_or(PatLiteral::Error, PatLiteral::Char),
        Some(ast::LiteralKind::Bool(value)) => PatLiteral::Bool(value),
        None => PatLiteral::Error,
    }
}
