//! Whether the arms of a `match` leave nothing out, and whether each of them is reached.

use neuro_db::{Name, codes};
use neuro_hir::{
    Arm, Enum, ExprId, FieldPat, Item, Pat, PatId, PatLiteral, RangeEnd, Resolution, resolve_name,
    spelling,
};
use neuro_num::{DType, Scalar};

use super::Context;
use crate::items::{enum_variants, newtype_inner, struct_fields};
use crate::usefulness::{Pattern, Space, Split, Usefulness};
use crate::{Def, Extent, Finding, GenericArg, Payload, Place, Remedy, Ty};

/// How many cases are written out; more become `_`.
const LISTED: usize = 6;
/// Arrays that are longer are not taken apart.
const LONGEST: u64 = 64;

impl Context<'_> {
    /// Reports what no arm matches, and arms that no value reaches.
    pub(super) fn arms_complete(&mut self, expr: ExprId, ty: &Ty, arms: &[Arm]) {
        let ty = self.resolved(ty);
        if matches!(ty.peeled(), Ty::Error | Ty::Never) {
            return;
        }
        let mut patterns = Vec::new();
        for arm in arms {
            // What is wrong in a pattern is reported, and says nothing about the others.
            let Some(pattern) = self.pattern(arm.pat, &ty) else { return };
            patterns.push(pattern);
        }
        let values = Values { context: self };
        let mut taken: Vec<Pattern> = Vec::new();
        let mut unreached = Vec::new();
        let mut check = Usefulness::new(&values);
        for (arm, pattern) in arms.iter().zip(&patterns) {
            let alternatives: Vec<(PatId, &Pattern)> =
                match (&values.context.body.pats[arm.pat], pattern) {
                    (Pat::Or(pats), Pattern::Or(parts)) => {
                        pats.iter().copied().zip(parts).collect()
                    }
                    _ => vec![(arm.pat, pattern)],
                };
            let mut before = taken.clone();
            for (pat, pattern) in alternatives {
                match check.reached(&before, pattern, &ty) {
                    Ok(true) => {}
                    Ok(false) => unreached.push(pat),
                    Err(_) => break,
                }
                before.push(pattern.clone());
            }
            if arm.guard.is_none() {
                taken.push(pattern.clone());
            }
        }
        // An arm that takes everything decides it without a look at the cases.
        let missing = if taken.iter().any(Pattern::takes_all) {
            Ok(Vec::new())
        } else {
            Usefulness::new(&values).missing(&taken, &ty)
        };
        let shown = missing.map(|missing| {
            let whole = missing.len() > LISTED || missing.iter().any(|it| values.is_open(it));
            let mut words: Vec<String> =
                missing.iter().map(|pattern| values.text(pattern, &ty)).collect();
            words.dedup();
            (words, whole)
        });
        self.tell_unreached(arms, &unreached);
        match shown {
            Ok((words, _)) if words.is_empty() => {}
            Ok((words, whole)) => self.left_out(expr, &words, whole, arms.is_empty()),
            Err(_) => self.report(
                Finding::new(
                    codes::NOT_EXHAUSTIVE,
                    Place::Head(expr),
                    "these are too many cases to see whether one is left out",
                )
                .note("an arm with `_` takes what is left"),
            ),
        }
    }

    /// Reports patterns that no value reaches.
    fn tell_unreached(&mut self, arms: &[Arm], unreached: &[PatId]) {
        // A name that was meant to be a variant takes what others would, and is told.
        let hides = |arm: &Arm| match &self.body.pats[arm.pat] {
            Pat::Bind(local) => self.is_hiding(*local),
            _ => false,
        };
        if arms.iter().any(hides) {
            return;
        }
        for pat in unreached {
            let message = match &self.body.pats[*pat] {
                Pat::Range { start, end, end_kind } => empty_range(start, end, *end_kind),
                _ => None,
            };
            let message = message.unwrap_or_else(|| {
                "no value reaches this pattern: those in front of it take them all".to_owned()
            });
            self.report(Finding::new(codes::UNREACHABLE_ARM, Place::Pat(*pat), message));
        }
    }

    /// Reports the cases that no arm takes.
    fn left_out(&mut self, expr: ExprId, words: &[String], whole: bool, none: bool) {
        let mut listed: Vec<String> =
            words.iter().take(LISTED).map(|word| format!("`{word}`")).collect();
        if words.len() > LISTED {
            listed.push(format!("{} more", words.len() - LISTED));
        }
        let message = format!("no arm takes {}", listed.join(", "));
        let alone = words.len() == 1 && words.first().is_some_and(|word| word == "_");
        let message = match (none, alone) {
            (true, _) => "this `match` has no arms".to_owned(),
            (false, true) => "no arm takes the other values, as `_` does".to_owned(),
            (false, false) if whole => format!("{message}; `_` takes the rest"),
            (false, false) => message,
        };
        let arms: String = if whole {
            "    _ => panic(\"not written yet\")\n".to_owned()
        } else {
            words.iter().map(|word| format!("    {word} => panic(\"not written yet\")\n")).collect()
        };
        let title =
            if whole || words.len() == 1 { "write an arm for it" } else { "write arms for them" };
        self.report(
            Finding::new(codes::NOT_EXHAUSTIVE, Place::Head(expr), message)
                .note("every value has an arm; one with a condition behind `if` does not count")
                .remedy(Remedy::InsertBefore(
                    Place::LastBrace(expr),
                    title.to_owned(),
                    format!("\n{arms}"),
                )),
        );
    }

    /// A pattern as it is written; none where something is wrong in it.
    fn pattern(&self, pat: PatId, ty: &Ty) -> Option<Pattern> {
        let ty = self.resolved(ty);
        let ty = ty.peeled();
        if *ty == Ty::Error {
            return None;
        }
        match &self.body.pats[pat] {
            Pat::Missing => None,
            Pat::Wildcard | Pat::Bind(_) => Some(Pattern::Any),
            Pat::Literal(literal) => match literal {
                PatLiteral::Bool(value) => Some(Pattern::Bool(*value)),
                PatLiteral::Text(text) => Some(Pattern::Text(text.clone()?)),
                PatLiteral::Int { .. } | PatLiteral::Char(_) => {
                    let number = number(literal, ty)?;
                    Some(Pattern::Numbers(number, number))
                }
                PatLiteral::Float { .. } | PatLiteral::Error => None,
            },
            Pat::Range { start, end, end_kind } => {
                let (low, high) = (number(start, ty)?, number(end, ty)?);
                let high = match end_kind {
                    RangeEnd::Exclusive => high - 1,
                    RangeEnd::Inclusive => high,
                };
                // An empty range matches nothing.
                let empty = low > high;
                Some(if empty { Pattern::Or(Vec::new()) } else { Pattern::Numbers(low, high) })
            }
            Pat::Tuple(parts) => match ty {
                Ty::Tuple(types) if types.len() == parts.len() => {
                    let parts =
                        parts.iter().zip(types.iter()).map(|(pat, ty)| self.pattern(*pat, ty));
                    Some(Pattern::Product(parts.collect::<Option<_>>()?))
                }
                _ => None,
            },
            Pat::Array { elements, .. } => {
                let Ty::Array { elem, len } = ty else { return None };
                let parts = elements.iter().map(|pat| self.pattern(*pat, elem));
                let mut parts = parts.collect::<Option<Vec<_>>>()?;
                if parts.iter().all(|part| *part == Pattern::Any) {
                    return Some(Pattern::Any);
                }
                match len {
                    Extent::Known(len) if *len <= LONGEST => {
                        parts.resize(*len as usize, Pattern::Any);
                        Some(Pattern::Product(parts))
                    }
                    // What is not taken apart is one of endlessly many.
                    _ => Some(Pattern::Text(Name::from(format!("{pat:?}")))),
                }
            }
            Pat::Variant { elements, .. } => {
                let index = *self.variants.get(&pat)?;
                let types = self.payload(ty, index)?;
                if types.len() != elements.len() {
                    return None;
                }
                let parts = elements.iter().zip(&types).map(|(pat, ty)| self.pattern(*pat, ty));
                Some(Pattern::Variant(index, parts.collect::<Option<_>>()?))
            }
            Pat::Path(_) => {
                let index = *self.variants.get(&pat)?;
                let none = self.payload(ty, index)?.is_empty();
                none.then_some(Pattern::Variant(index, Vec::new()))
            }
            Pat::Struct { fields, .. } => self.fields_pattern(pat, fields, ty),
            Pat::Or(alternatives) => {
                let parts = alternatives.iter().map(|pat| self.pattern(*pat, ty));
                Some(Pattern::Or(parts.collect::<Option<_>>()?))
            }
        }
    }

    /// The pattern of a struct, or of a variant with fields.
    fn fields_pattern(&self, pat: PatId, fields: &[FieldPat], ty: &Ty) -> Option<Pattern> {
        let Ty::Adt { def, args } = ty else { return None };
        let (known, index) = match def.as_struct(self.db) {
            Some(item) => (&struct_fields(self.db, item).fields, None),
            None => {
                let index = *self.variants.get(&pat)?;
                let item = def.as_enum(self.db)?;
                match &enum_variants(self.db, item).variants.get(index)?.payload {
                    Payload::Fields(fields) => (fields, Some(index)),
                    Payload::Unit | Payload::Tuple(_) => return None,
                }
            }
        };
        let mut parts = vec![Pattern::Any; known.len()];
        for field in fields {
            let position = known.iter().position(|known| known.name == field.name)?;
            let ty = known.get(position)?.ty.apply(args);
            *parts.get_mut(position)? = self.pattern(field.pat, &ty)?;
        }
        Some(match index {
            Some(index) => Pattern::Variant(index, parts),
            None => Pattern::Product(parts),
        })
    }

    /// The types of what a variant holds.
    fn payload(&self, ty: &Ty, index: usize) -> Option<Vec<Ty>> {
        let Ty::Adt { def, args } = ty else { return None };
        let item = def.as_enum(self.db)?;
        let variant = enum_variants(self.db, item).variants.get(index)?;
        Some(variant.payload.types().into_iter().map(|ty| ty.apply(args)).collect())
    }
}

/// The number of a literal, if it is one of the type. Characters are numbered without the gap in their codes.
fn number(literal: &PatLiteral, ty: &Ty) -> Option<i128> {
    match (literal, ty) {
        (PatLiteral::Int { negative, value, .. }, Ty::Scalar(dtype)) if dtype.is_int() => {
            let magnitude = i128::from(*value);
            let number = if *negative { -magnitude } else { magnitude };
            // The end of a range may be one behind the last value.
            let (min, max) = dtype.int_range()?;
            (min..=max + 1).contains(&number).then_some(number)
        }
        (PatLiteral::Char(value), Ty::Char) => Some(char_number(*value)),
        _ => None,
    }
}

/// How a range has no values, if it has none.
fn empty_range(start: &PatLiteral, end: &PatLiteral, end_kind: RangeEnd) -> Option<String> {
    let (low, high, low_text, high_text) = match (start, end) {
        (
            PatLiteral::Int { negative, value, .. },
            PatLiteral::Int { negative: below, value: last, .. },
        ) => {
            let signed = |negative: bool, value: u64| match negative {
                true => -i128::from(value),
                false => i128::from(value),
            };
            let (low, high) = (signed(*negative, *value), signed(*below, *last));
            (low, high, low.to_string(), high.to_string())
        }
        (PatLiteral::Char(low), PatLiteral::Char(high)) => {
            (char_number(*low), char_number(*high), format!("{low:?}"), format!("{high:?}"))
        }
        _ => return None,
    };
    match end_kind {
        _ if low > high => Some(format!("this range is empty: {low_text} is above {high_text}")),
        RangeEnd::Exclusive if low == high => {
            Some(format!("this range is empty: it ends before {high_text}, where it begins"))
        }
        RangeEnd::Exclusive | RangeEnd::Inclusive => None,
    }
}

/// The codes that are no characters, and how many they are.
const GAP: (i128, i128) = (0xD800, 0x800);

fn char_number(value: char) -> i128 {
    let code = i128::from(u32::from(value));
    if code < GAP.0 { code } else { code - GAP.1 }
}

fn numbered_char(number: i128) -> char {
    let code = if number < GAP.0 { number } else { number + GAP.1 };
    u32::try_from(code).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Types as what their values are made of.
struct Values<'a, 'db> {
    context: &'a Context<'db>,
}

impl Space for Values<'_, '_> {
    type Ty = Ty;

    fn split(&self, ty: &Ty) -> Split<Ty> {
        let db = self.context.db;
        let ty = self.context.resolved(ty);
        match ty.peeled() {
            Ty::Scalar(DType::Bool) => Split::Bool,
            Ty::Scalar(dtype) => match dtype.int_range() {
                Some((min, max)) => Split::Numbers(min, max),
                None => Split::Endless,
            },
            Ty::Char => Split::Numbers(0, char_number(char::MAX)),
            Ty::Tuple(parts) => Split::Product(parts.to_vec()),
            Ty::Array { elem, len: Extent::Known(len) } if *len <= LONGEST => {
                Split::Product(vec![(**elem).clone(); *len as usize])
            }
            Ty::Adt { def, args } => {
                let applied = |ty: &Ty| ty.apply(args);
                if let Some(item) = def.as_struct(db) {
                    let fields = &struct_fields(db, item).fields;
                    return Split::Product(fields.iter().map(|field| applied(&field.ty)).collect());
                }
                if let Some(item) = def.as_newtype(db) {
                    return Split::Product(vec![applied(&newtype_inner(db, item).ty)]);
                }
                let Some(item) = def.as_enum(db) else { return Split::Endless };
                let variants = enum_variants(db, item).variants.iter();
                let parts = |types: Vec<&Ty>| types.into_iter().map(applied).collect();
                Split::Sum(variants.map(|variant| parts(variant.payload.types())).collect())
            }
            Ty::Error
            | Ty::Never
            | Ty::Void
            | Ty::Text
            | Ty::Tensor(_)
            | Ty::Ref { .. }
            | Ty::Array { .. }
            | Ty::Slice(_)
            | Ty::Fn(_)
            | Ty::Collection { .. }
            | Ty::Param(_)
            | Ty::Assoc(_)
            | Ty::Dyn(_)
            | Ty::Sparse(_)
            | Ty::Opaque(_)
            | Ty::Var(_) => Split::Endless,
        }
    }
}

impl Values<'_, '_> {
    /// Whether a case is one of more than people list.
    fn is_open(&self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Any => false,
            Pattern::Bool(_) => false,
            Pattern::Numbers(..) | Pattern::Text(_) => true,
            Pattern::Product(parts) | Pattern::Variant(_, parts) | Pattern::Or(parts) => {
                parts.iter().any(|part| self.is_open(part))
            }
        }
    }

    /// A pattern as people write it.
    fn text(&self, pattern: &Pattern, ty: &Ty) -> String {
        let ty = self.context.resolved(ty);
        let ty = ty.peeled();
        match pattern {
            Pattern::Any => "_".to_owned(),
            Pattern::Bool(value) => value.to_string(),
            Pattern::Numbers(low, high) if low == high => number_text(*low, ty),
            Pattern::Numbers(low, high) => {
                format!("{}..={}", number_text(*low, ty), number_text(*high, ty))
            }
            Pattern::Text(text) => format!("{text:?}"),
            Pattern::Or(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.text(part, ty)).collect();
                parts.join(" | ")
            }
            Pattern::Product(parts) => match ty {
                Ty::Adt { def, args } => {
                    let fields = def.as_struct(self.context.db).map(|item| {
                        let fields = &struct_fields(self.context.db, item).fields;
                        fields.iter().map(|field| (field.name.clone(), field.ty.apply(args)))
                    });
                    self.fields(def.name(), fields.into_iter().flatten().collect(), parts)
                }
                Ty::Tuple(types) => self.list("(", parts, types, ")"),
                Ty::Array { elem, .. } => {
                    let types = vec![(**elem).clone(); parts.len()];
                    self.list("[", parts, &types, "]")
                }
                _ => "_".to_owned(),
            },
            Pattern::Variant(index, parts) => match ty {
                Ty::Adt { def, args } => self.variant(def, args, *index, parts),
                _ => "_".to_owned(),
            },
        }
    }

    fn variant(&self, def: &Def, args: &[GenericArg], index: usize, parts: &[Pattern]) -> String {
        let db = self.context.db;
        let Some(item) = def.as_enum(db) else { return "_".to_owned() };
        let Some(variant) = enum_variants(db, item).variants.get(index) else {
            return "_".to_owned();
        };
        let name = self.variant_name(item, index, &variant.name);
        match &variant.payload {
            Payload::Unit => name,
            Payload::Tuple(types) => {
                let types: Vec<Ty> = types.iter().map(|ty| ty.apply(args)).collect();
                self.list(&format!("{name}("), parts, &types, ")")
            }
            Payload::Fields(fields) => {
                let fields = fields.iter().map(|field| (field.name.clone(), field.ty.apply(args)));
                self.fields(&name, fields.collect(), parts)
            }
        }
    }

    /// A variant by its name alone where that is visible.
    fn variant_name(&self, item: Enum<'_>, index: usize, name: &Name) -> String {
        let module = self.context.module;
        let visible = resolve_name(self.context.db, module, name.clone())
            == Some(Resolution::Variant(item, index));
        if visible {
            return name.to_string();
        }
        format!("{}::{name}", spelling(self.context.db, module, Item::Enum(item)))
    }

    fn list(&self, open: &str, parts: &[Pattern], types: &[Ty], close: &str) -> String {
        let parts: Vec<String> =
            parts.iter().zip(types).map(|(part, ty)| self.text(part, ty)).collect();
        format!("{open}{}{close}", parts.join(", "))
    }

    fn fields(&self, name: &str, fields: Vec<(Name, Ty)>, parts: &[Pattern]) -> String {
        let mut shown: Vec<String> = Vec::new();
        let mut left_out = false;
        for ((field, ty), part) in fields.iter().zip(parts) {
            match part {
                Pattern::Any => left_out = true,
                part => shown.push(format!("{field}: {}", self.text(part, ty))),
            }
        }
        if left_out || shown.is_empty() {
            shown.push("..".to_owned());
        }
        format!("{name} {{ {} }}", shown.join(", "))
    }
}

fn number_text(number: i128, ty: &Ty) -> String {
    match ty {
        Ty::Char => format!("{:?}", numbered_char(number)),
        Ty::Scalar(dtype) => Scalar::int(*dtype, number)
            .map_or_else(|| number.to_string(), |value| value.to_string()),
        _ => number.to_string(),
    }
}
