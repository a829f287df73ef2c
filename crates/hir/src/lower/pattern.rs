//! Patterns.

use neuro_db::{Name, codes};
use neuro_syntax::{AstNode, SyntaxNode, ast};
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
    bound: Vec<(Name, TextRange)>,
    /// Whether they stand in one of several alternatives, which may bind none.
    alternatives: bool,
}

impl Lowering<'_> {
    pub(super) fn alloc_pat(&mut self, pat: Pat, range: TextRange) -> PatId {
        let id = self.out.body.pats.alloc(pat);
        self.out.source_map.insert_pat(id, range);
        id
    }

    /// A pattern that may be missing in `parent`; then the parser has reported it.
    pub(super) fn lower_pat_opt(
        &mut self,
        pat: Option<ast::Pat>,
        parent: &SyntaxNode,
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
                start: lower_literal(bounds.start().as_ref()),
                end: lower_literal(bounds.end().as_ref()),
                end_kind: match bounds.is_inclusive() {
                    true => RangeEnd::Inclusive,
                    false => RangeEnd::Exclusive,
                },
            },
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
            ast::Pat::Or(or) => {
                let before = std::mem::replace(&mut names.alternatives, true);
                let alternatives = self.lower_pats(or.alternatives(), binder, names);
                names.alternatives = before;
                Pat::Or(alternatives)
            }
        };
        self.alloc_pat(lowered, range)
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
                self.out.source_map.insert_field(pat, range);
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
        if names.alternatives && !name.is_empty() {
            let message =
                format!("`{name}` is bound in one of several alternatives, which may bind nothing");
            self.refuse(codes::PATTERN, range, message);
        } else if let Some((_, first)) = names.bound.iter().find(|(bound, _)| *bound == name)
            && !name.is_empty()
        {
            let related = Some((*first, "first bound here"));
            let message = format!("the pattern binds `{name}` twice");
            let code = codes::DUPLICATE;
            self.out.findings.push(LoweringFinding { code, range, message, related });
        } else {
            names.bound.push((name.clone(), range));
        }
        self.declare(name, binder.mutable, binder.binding, range, binder.ty)
    }

    /// Whether a bare name in a pattern is a variant.
    fn is_variant(&self, name: &Name) -> bool {
        !name.is_empty() && matches!(self.resolve(name), Some(Resolution::Variant(..)))
    }
}

fn lower_literal(literal: Option<&ast::LiteralPat>) -> PatLiteral {
    let Some(literal) = literal else { return PatLiteral::Error };
    let negative = literal.minus_token().is_some();
    if literal.string().is_some() {
        return PatLiteral::Text;
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
