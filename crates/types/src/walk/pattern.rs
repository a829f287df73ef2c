//! Patterns: what they take apart, and the types of the names that they bind.

use std::sync::Arc;

use neuro_db::{Name, codes};
use neuro_hir::{Expr, FieldPat, LocalId, Pat, PatId, PatLiteral, Path};
use neuro_num::{DType, Scalar};

use super::Context;
use crate::{
    Def, DefKind, Extent, Field, Finding, GenericArg, PathPart, Payload, Place, Remedy, Ty,
};

/// The fields of the struct or variant that a pattern takes apart.
struct Known {
    fields: Vec<Field>,
    args: Arc<[GenericArg]>,
    /// The struct, whose fields may be private.
    def: Option<Def>,
}

impl Context<'_> {
    /// Binds the names of a pattern that always matches, as in `val (a, b) = ..`.
    pub(super) fn bind(&mut self, pat: PatId, ty: &Ty) {
        self.bind_pattern(pat, ty, true);
    }

    /// Binds the names of a pattern that may not match, as in a `match` arm.
    pub(super) fn bind_refutable(&mut self, pat: PatId, ty: &Ty) {
        self.bind_pattern(pat, ty, false);
    }

    fn bind_pattern(&mut self, pat: PatId, ty: &Ty, always: bool) {
        let ty = &self.resolved(ty);
        match &self.body.pats[pat] {
            Pat::Missing | Pat::Wildcard => {}
            Pat::Bind(local) => {
                if !always {
                    self.check_hiding(*local, ty);
                }
                self.bind_shared(pat, *local, ty.clone());
            }
            Pat::Tuple(parts) => self.bind_tuple(pat, parts, ty, always),
            Pat::Array { elements, rest } => {
                self.bind_array(
                    pat,
                    elements,
                    rest.and_then(|rest| rest.local),
                    rest.is_some(),
                    ty,
                    always,
                );
            }
            Pat::Struct { path, fields, rest } => {
                self.bind_struct(pat, path, fields, *rest, ty, always);
            }
            Pat::Variant { path, elements } => {
                self.refuse_refutable(pat, always);
                self.bind_variant(pat, path, elements, ty, always);
            }
            Pat::Path(path) => {
                self.refuse_refutable(pat, always);
                if let Some(named) = self.variant_of(pat, path, ty)
                    && !matches!(named.payload, Payload::Unit)
                {
                    let form = match &named.payload {
                        Payload::Tuple(types) => {
                            format!("({})", vec!["_"; types.len()].join(", "))
                        }
                        Payload::Unit | Payload::Fields(_) => " { .. }".to_owned(),
                    };
                    self.report(Finding::new(
                        codes::PATTERN_TYPE,
                        Place::Pat(pat),
                        format!("`{path}` holds something: write `{path}{form}`"),
                    ));
                }
            }
            Pat::Literal(literal) => {
                self.refuse_refutable(pat, always);
                self.pattern_literal(pat, literal, ty);
            }
            Pat::Range { start, end, .. } => {
                self.refuse_refutable(pat, always);
                self.pattern_literal(pat, start, ty);
                self.pattern_literal(pat, end, ty);
            }
            Pat::Or(alternatives) => {
                for alternative in alternatives {
                    self.bind_pattern(*alternative, ty, always);
                }
            }
        }
    }

    fn refuse_refutable(&mut self, pat: PatId, always: bool) {
        if always {
            self.report(
                Finding::new(
                    codes::PATTERN_TYPE,
                    Place::Pat(pat),
                    "this pattern need not match, and a plain binding always does",
                )
                .note("`val .. = e else { .. }` says what happens when it does not match"),
            );
        }
    }

    fn bind_local(&mut self, local: LocalId, ty: Ty) {
        self.locals.insert(local, ty);
    }

    /// Binds a name that other alternatives may have bound already; they bind the same type.
    fn bind_shared(&mut self, pat: PatId, local: LocalId, ty: Ty) {
        let Some(before) = self.locals.get(local).cloned() else {
            return self.bind_local(local, ty);
        };
        if !self.table.unify(&before, &ty) {
            let (before, ty) = (self.resolved(&before), self.resolved(&ty));
            let name = &self.body.locals[local].name;
            self.report(
                Finding::new(
                    codes::MISMATCH,
                    Place::Pat(pat),
                    format!("`{name}` is `{before}` in another alternative, and `{ty}` here"),
                )
                .related(Place::Local(local), format!("`{before}` is bound here")),
            );
        }
    }

    /// The names of a pattern that does not fit get the type that absorbs what follows.
    fn bind_parts(&mut self, parts: &[PatId], always: bool) {
        for part in parts {
            self.bind_pattern(*part, &Ty::Error, always);
        }
    }

    /// The type of a part of a value: of what is only borrowed, a part that is not copied is lent.
    fn lent(&self, whole: &Ty, part: &Ty) -> Ty {
        match whole {
            Ty::Ref { mutable, .. }
                if !matches!(part, Ty::Error | Ty::Ref { .. })
                    && !crate::is_copy(self.db, self.env.generics(), part) =>
            {
                part.clone().reference(*mutable)
            }
            _ => part.clone(),
        }
    }

    fn bind_tuple(&mut self, pat: PatId, parts: &[PatId], ty: &Ty, always: bool) {
        match ty.peeled() {
            Ty::Tuple(types) if types.len() == parts.len() => {
                for (part, of) in parts.iter().zip(types.iter()) {
                    let part_ty = self.lent(ty, of);
                    self.bind_pattern(*part, &part_ty, always);
                }
            }
            Ty::Error | Ty::Never => self.bind_parts(parts, always),
            Ty::Tuple(types) => {
                self.report(Finding::new(
                    codes::MISMATCH,
                    Place::Pat(pat),
                    format!(
                        "this takes a tuple of {} apart, and `{ty}` has {}",
                        parts.len(),
                        types.len()
                    ),
                ));
                self.bind_parts(parts, always);
            }
            _ => {
                self.no_fit(pat, "a tuple", ty);
                self.bind_parts(parts, always);
            }
        }
    }

    fn bind_array(
        &mut self,
        pat: PatId,
        elements: &[PatId],
        rest: Option<LocalId>,
        open: bool,
        ty: &Ty,
        always: bool,
    ) {
        let Ty::Array { elem, len } = ty.peeled() else {
            if !matches!(ty.peeled(), Ty::Error | Ty::Never) {
                self.no_fit(pat, "an array", ty);
            }
            self.bind_parts(elements, always);
            if let Some(rest) = rest {
                self.bind_local(rest, Ty::Error);
            }
            return;
        };
        let part = self.lent(ty, elem);
        for element in elements {
            self.bind_pattern(*element, &part, always);
        }
        let count = elements.len() as u64;
        let left = match len.known() {
            Some(len) => len.checked_sub(count).map(Extent::Known),
            None => len.minus(&Extent::Known(count)),
        };
        let fits = match (&left, open) {
            (Some(Extent::Known(0)), false) | (Some(_), true) => true,
            (Some(_) | None, _) => false,
        };
        if !fits {
            let message = if open {
                format!("this takes {count} elements or more, and `{ty}` has {len}")
            } else {
                format!("this takes {count} elements, and `{ty}` has {len}")
            };
            let finding = Finding::new(codes::MISMATCH, Place::Pat(pat), message);
            let finding =
                if open { finding } else { finding.note("`..` leaves the others out: `[a, ..]`") };
            self.report(finding);
        }
        if let Some(rest) = rest {
            let ty = match left {
                Some(len) => Ty::Array { elem: Arc::clone(elem), len },
                None => Ty::Error,
            };
            self.bind_local(rest, ty);
        }
    }

    fn bind_variant(&mut self, pat: PatId, path: &Path, elements: &[PatId], ty: &Ty, always: bool) {
        let Some(named) = self.variant_of(pat, path, ty) else {
            return self.bind_parts(elements, always);
        };
        match &named.payload {
            Payload::Tuple(types) if types.len() == elements.len() => {
                for (element, of) in elements.iter().zip(types) {
                    let part = self.lent(ty, &self.resolved(&of.apply(&named.args)));
                    self.bind_pattern(*element, &part, always);
                }
            }
            Payload::Tuple(types) => {
                let holds = match types.len() {
                    1 => "1 value".to_owned(),
                    count => format!("{count} values"),
                };
                self.report(Finding::new(
                    codes::PATTERN_TYPE,
                    Place::Pat(pat),
                    format!("`{path}` holds {holds}, and this names {}", elements.len()),
                ));
                self.bind_parts(elements, always);
            }
            Payload::Unit => {
                self.report(Finding::new(
                    codes::PATTERN_TYPE,
                    Place::Pat(pat),
                    format!("`{path}` holds nothing, and is written without parentheses"),
                ));
                self.bind_parts(elements, always);
            }
            Payload::Fields(fields) => {
                let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
                self.report(Finding::new(
                    codes::PATTERN_TYPE,
                    Place::Pat(pat),
                    format!("`{path}` holds fields: write `{path} {{ {} }}`", names.join(", ")),
                ));
                self.bind_parts(elements, always);
            }
        }
    }

    fn bind_struct(
        &mut self,
        pat: PatId,
        path: &Path,
        fields: &[FieldPat],
        rest: bool,
        ty: &Ty,
        always: bool,
    ) {
        let Some(Known { fields: known, args, def }) = self.known_fields(pat, path, ty, always)
        else {
            let parts: Vec<PatId> = fields.iter().map(|field| field.pat).collect();
            return self.bind_parts(&parts, always);
        };
        let mut seen: Vec<&Name> = Vec::new();
        for field in fields {
            if seen.contains(&&field.name) {
                self.report(Finding::new(
                    codes::FIELDS,
                    Place::PatField(field.pat),
                    format!("the field `{}` is named twice", field.name),
                ));
            }
            seen.push(&field.name);
            let Some(found) = known.iter().find(|known| known.name == field.name) else {
                self.no_such_field(path, field, &known);
                self.bind_pattern(field.pat, &Ty::Error, always);
                continue;
            };
            if let Some(def) = &def {
                self.visible_field(Place::PatField(field.pat), def, found);
            }
            let part = self.lent(ty, &self.resolved(&found.ty.apply(&args)));
            self.bind_pattern(field.pat, &part, always);
        }
        if !rest {
            self.every_field(path, &known, &seen);
        }
    }

    /// The fields that a struct pattern may name; none when the pattern does not fit, which is reported.
    fn known_fields(&mut self, pat: PatId, path: &Path, ty: &Ty, always: bool) -> Option<Known> {
        if let Ty::Adt { def, args } = ty.peeled()
            && def.kind() == DefKind::Struct
        {
            let names = self.names_struct(pat, path, def);
            return names.then(|| Known {
                fields: self.fields_of(def),
                args: Arc::clone(args),
                def: Some(def.clone()),
            });
        }
        self.refuse_refutable(pat, always);
        let named = self.variant_of(pat, path, ty)?;
        match named.payload {
            Payload::Fields(fields) => Some(Known { fields, args: named.args, def: None }),
            Payload::Unit | Payload::Tuple(_) => {
                self.report(Finding::new(
                    codes::PATTERN_TYPE,
                    Place::Pat(pat),
                    format!("`{path}` has no named fields"),
                ));
                None
            }
        }
    }

    fn no_such_field(&mut self, path: &Path, field: &FieldPat, known: &[Field]) {
        let names: Vec<Name> = known.iter().map(|known| known.name.clone()).collect();
        let place = Place::PatField(field.pat);
        let finding =
            Finding::new(codes::MEMBER, place, format!("`{path}` has no field `{}`", field.name));
        let finding = self.did_you_mean(finding, place, &field.name, &names);
        let finding = match (&self.body.pats[field.pat], finding.remedies.as_slice()) {
            // The shorthand names a local, too.
            (Pat::Bind(local), [Remedy::Replace(_, title, meant)])
                if self.body.locals[*local].name == field.name =>
            {
                let uses = self.body.exprs.iter().filter_map(|(expr, what)| {
                    matches!(what, Expr::Local(used) if used == local).then_some(Place::Expr(expr))
                });
                let places = std::iter::once(place).chain(uses);
                let renamed = places.map(|place| (place, meant.clone())).collect();
                let remedy = Remedy::ReplaceAll(renamed, title.clone());
                Finding { remedies: vec![remedy], ..finding }
            }
            _ => finding,
        };
        self.report(finding);
    }

    /// Reports the fields that a pattern without `..` does not name.
    fn every_field(&mut self, path: &Path, known: &[Field], seen: &[&Name]) {
        let missing: Vec<String> = known
            .iter()
            .filter(|field| !seen.contains(&&field.name))
            .map(|field| format!("`{}`", field.name))
            .collect();
        // A field that does not exist is likely the one that is missing.
        let known_only = seen.iter().all(|name| known.iter().any(|field| field.name == **name));
        if missing.is_empty() || !known_only {
            return;
        }
        let what = if missing.len() == 1 { "field" } else { "fields" };
        self.report(
            Finding::new(
                codes::FIELDS,
                Place::BodyPath(path.id, PathPart::Whole),
                format!("this pattern does not name the {what} {}", missing.join(", ")),
            )
            .note("`..` leaves the others out"),
        );
    }

    pub(super) fn no_fit(&mut self, pat: PatId, what: &str, ty: &Ty) {
        let described = self.describe(ty);
        self.report(Finding::new(
            codes::MISMATCH,
            Place::Pat(pat),
            format!("this takes {what} apart, and the value is {described}"),
        ));
    }

    /// A literal in a pattern is of the type of what is matched.
    fn pattern_literal(&mut self, pat: PatId, literal: &PatLiteral, ty: &Ty) {
        let peeled = self.resolved(ty).peeled().clone();
        let place = Place::Pat(pat);
        let other = |what: &str, context: &Self| {
            let described = context.describe(&peeled);
            (codes::MISMATCH, format!("this matches {what}, and the value is {described}"))
        };
        let problem = match (literal, &peeled) {
            (_, Ty::Error | Ty::Never) | (PatLiteral::Error, _) => None,
            (PatLiteral::Int { negative, value, suffix }, Ty::Scalar(dtype)) if dtype.is_int() => {
                let suffixed = suffix.as_deref().and_then(DType::from_name);
                let magnitude = i128::from(*value);
                let number = if *negative { -magnitude } else { magnitude };
                match suffixed {
                    Some(found) if found != *dtype => {
                        let what = format!("a literal of type `{found}`");
                        Some(other(&what, self))
                    }
                    _ if Scalar::int(*dtype, number).is_none() => Some((
                        codes::LITERAL,
                        format!("`{number}` does not fit `{dtype}`, so it never matches"),
                    )),
                    _ => None,
                }
            }
            (PatLiteral::Int { .. }, Ty::Var(var)) if var.is_int() => None,
            (PatLiteral::Char(_), Ty::Char)
            | (PatLiteral::Bool(_), Ty::Scalar(DType::Bool))
            | (PatLiteral::Text(Some(_)), Ty::Text) => None,
            (PatLiteral::Float { .. }, _) => Some((
                codes::MISMATCH,
                "floats are compared with `==`, not matched with a pattern".to_owned(),
            )),
            (PatLiteral::Text(None), _) => Some((
                codes::PATTERN_TYPE,
                "a pattern has no holes: text is matched as it stands".to_owned(),
            )),
            (PatLiteral::Text(Some(_)), _) => Some(other("text", self)),
            (PatLiteral::Int { .. }, _) => Some(other("an integer", self)),
            (PatLiteral::Char(_), _) => Some(other("a character", self)),
            (PatLiteral::Bool(_), _) => Some(other("a truth value", self)),
        };
        if let Some((code, message)) = problem {
            self.report(Finding::new(code, place, message));
        }
    }
}
