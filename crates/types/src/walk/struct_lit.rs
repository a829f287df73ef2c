//! Struct literals, of structs and of variants with fields.

use neuro_db::{Name, codes};
use neuro_hir::{ExprId, FieldInit, Item, Path, PathProblem, Resolution, TypeRef, resolve_path};
use neuro_num::DType;

use super::{Context, Why};
use crate::lower::Wanted;
use crate::{
    Callee, Def, Field, Finding, GenericArg, PathPart, Payload, Place, Remedy, Ty, enum_variants,
};

/// What a literal makes.
struct Made {
    /// Its type.
    ty: Ty,
    /// What its fields are declared with.
    args: Vec<GenericArg>,
    /// The fields.
    fields: Vec<Field>,
    /// The struct, where fields may be private; none of a variant.
    def: Option<Def>,
    /// Where the fields are declared: of an enum, the index of the variant.
    declared: (Def, Option<usize>),
    /// How messages call it.
    name: Name,
    /// Where it is named.
    place: Place,
}

impl<'db> Context<'db> {
    pub(super) fn infer_struct_lit(
        &mut self,
        expr: ExprId,
        path: &Path,
        fields: &[FieldInit],
        base: Option<ExprId>,
        hint: Option<&Ty>,
    ) -> Ty {
        let Some(made) = self.made(expr, path, hint) else {
            for field in fields {
                self.infer(field.value, None);
            }
            if let Some(base) = base {
                self.infer(base, None);
            }
            return Ty::Error;
        };
        let mut given: Vec<&Name> = Vec::new();
        for init in fields {
            if given.contains(&&init.name) {
                self.infer(init.value, None);
                self.report(Finding::new(
                    codes::FIELDS,
                    Place::Label(init.value),
                    format!("the field `{}` is given twice", init.name),
                ));
                continue;
            }
            given.push(&init.name);
            self.field_init(&made, init);
        }
        let is_field = |name: &Name| made.fields.iter().any(|field| field.name == *name);
        let unknown: Vec<&Name> = given.iter().copied().filter(|name| !is_field(name)).collect();
        // A field that is only misspelt is told once.
        let is_misspelt = |field: &&Field| {
            let known = [field.name.as_str()];
            unknown.iter().any(|name| neuro_hir::similar(name, known).is_some())
        };
        let missing: Vec<&Field> = made
            .fields
            .iter()
            .filter(|field| !given.contains(&&field.name) && !is_misspelt(field))
            .collect();
        match base {
            Some(base) => self.base(&made, base, &missing),
            None if missing.is_empty() => {}
            None => self.missing_fields(&made, &missing, fields),
        }
        made.ty
    }

    fn field_init(&mut self, made: &Made, init: &FieldInit) {
        let found = made.fields.iter().enumerate().find(|(_, field)| field.name == init.name);
        let Some((index, field)) = found else {
            self.infer(init.value, None);
            if init.name.is_empty() {
                return;
            }
            let place = Place::Label(init.value);
            let known: Vec<Name> = made.fields.iter().map(|field| field.name.clone()).collect();
            let finding = Finding::new(
                codes::MEMBER,
                place,
                format!("`{}` has no field `{}`", made.name, init.name),
            );
            let finding = self.did_you_mean(finding, place, &init.name, &known);
            return self.report(finding);
        };
        if let Some(def) = &made.def {
            self.visible_field(Place::Label(init.value), def, field);
        }
        let place = match made.declared.1 {
            Some(variant) => Place::Payload(variant, index),
            None => Place::Field(index),
        };
        let why = Why::Field {
            name: init.name.clone(),
            declared: Some((made.declared.0.clone(), place)),
        };
        self.check(init.value, &field.ty.apply(&made.args), &why);
    }

    /// `..base` gives what is missing.
    fn base(&mut self, made: &Made, base: ExprId, missing: &[&Field]) {
        self.check(base, &made.ty, &Why::Expected);
        let Some(def) = &made.def else {
            self.report(Finding::new(
                codes::FIELDS,
                Place::Expr(base),
                format!("`{}` is a variant, whose fields are all written", made.name),
            ));
            return;
        };
        for field in missing {
            self.visible_field(Place::Expr(base), def, field);
        }
    }

    fn missing_fields(&mut self, made: &Made, missing: &[&Field], fields: &[FieldInit]) {
        let shown: Vec<String> =
            missing.iter().map(|field| format!("`{}: {}`", field.name, field.ty)).collect();
        let what = if missing.len() == 1 { "field" } else { "fields" };
        let finding = Finding::new(
            codes::FIELDS,
            made.place,
            format!("this `{}` lacks the {what} {}", made.name, shown.join(", ")),
        );
        let written: Option<Vec<String>> = missing
            .iter()
            .map(|field| plain_value(&field.ty).map(|value| format!(", {}: {value}", field.name)))
            .collect();
        let finding = match (fields.last(), written) {
            (Some(last), Some(written)) => finding.remedy(Remedy::InsertAfter(
                Place::Expr(last.value),
                format!("add the {what}"),
                written.concat(),
            )),
            _ => finding,
        };
        self.report(finding);
    }

    /// What the path of a literal names; what is wrong is reported.
    fn made(&mut self, expr: ExprId, path: &Path, hint: Option<&Ty>) -> Option<Made> {
        if path.is_broken() {
            return None;
        }
        let place = Place::BodyPath(path.id, PathPart::Whole);
        if path.first().is_some_and(|first| first.name == "Self") {
            return self.made_of_self(expr, path);
        }
        let (resolution, segment) = match resolve_path(self.db, self.module, path) {
            Ok(resolution) => (resolution, path.segments.len().saturating_sub(1)),
            Err(PathProblem::Member { base: Resolution::Item(Item::Enum(item)), segment }) => {
                let name = path.segments.get(segment).map(|part| part.name.clone());
                let variants = &enum_variants(self.db, item).variants;
                let index =
                    variants.iter().position(|variant| Some(&variant.name) == name.as_ref());
                match index {
                    Some(index) => (Resolution::Variant(item, index), segment.saturating_sub(1)),
                    None => {
                        let known: Vec<Name> =
                            variants.iter().map(|variant| variant.name.clone()).collect();
                        let at = Place::BodyPath(path.id, PathPart::Segment(segment));
                        let word = name.unwrap_or_default();
                        let finding = Finding::new(
                            codes::MEMBER,
                            at,
                            format!("`{}` has no variant `{word}`", item.name(self.db)),
                        );
                        let finding = self.did_you_mean(finding, at, &word, &known);
                        self.report(finding);
                        return None;
                    }
                }
            }
            Err(reason) => {
                let problem = self.env.unknown(path, &reason, Wanted::Struct);
                let finding = problem.map(|problem| problem.finding(place, false));
                self.findings.extend(finding);
                return None;
            }
        };
        match resolution {
            Resolution::Item(Item::Struct(item)) => {
                let args = self.instantiate(Item::Struct(item), path, segment, &[])?;
                Some(self.made_struct(expr, Def::of_struct(self.db, item), args, hint))
            }
            Resolution::Item(Item::Alias(_)) => {
                let ty = self.written_type(place, &TypeRef::Path(path.clone()));
                self.made_of_type(expr, path, ty)
            }
            Resolution::Variant(item, index) => {
                let args = self.instantiate(Item::Enum(item), path, segment, &[])?;
                let def = Def::of_enum(self.db, item);
                self.made_variant(expr, path, def, index, args, hint)
            }
            Resolution::Unknown => None,
            other => {
                let what = crate::lower::kind(other);
                self.report(Finding::new(
                    codes::MISMATCH,
                    place,
                    format!(
                        "`{path}` is {what}, and only structs and variants are made with fields"
                    ),
                ));
                None
            }
        }
    }

    fn made_of_self(&mut self, expr: ExprId, path: &Path) -> Option<Made> {
        let Some(ty) = self.env.self_ty() else {
            self.report(Finding::new(
                codes::UNDECLARED,
                Place::BodyPath(path.id, PathPart::Segment(0)),
                "`Self` exists in `impl` blocks and traits only",
            ));
            return None;
        };
        self.made_of_type(expr, path, ty)
    }

    /// What a literal makes whose path is `Self`, `Self::Variant` or an alias.
    fn made_of_type(&mut self, expr: ExprId, path: &Path, ty: Ty) -> Option<Made> {
        let Ty::Adt { def, args } = &ty else {
            if ty != Ty::Error {
                self.report(Finding::new(
                    codes::MISMATCH,
                    Place::BodyPath(path.id, PathPart::Whole),
                    format!("`{ty}` is not made with fields"),
                ));
            }
            return None;
        };
        match (def.as_enum(self.db), path.segments.get(1)) {
            (Some(item), Some(variant)) => {
                let variants = &enum_variants(self.db, item).variants;
                let index = variants.iter().position(|found| found.name == variant.name);
                let Some(index) = index else {
                    self.report(Finding::new(
                        codes::MEMBER,
                        Place::BodyPath(path.id, PathPart::Segment(1)),
                        format!("`{ty}` has no variant `{}`", variant.name),
                    ));
                    return None;
                };
                self.made_variant(expr, path, def.clone(), index, args.to_vec(), None)
            }
            _ => Some(self.made_struct(expr, def.clone(), args.to_vec(), None)),
        }
    }

    fn made_struct(
        &mut self,
        expr: ExprId,
        def: Def,
        args: Vec<GenericArg>,
        hint: Option<&Ty>,
    ) -> Made {
        let ty = Ty::Adt { def: def.clone(), args: args.clone().into() };
        if let Some(hint) = hint {
            self.table.unify(&ty, hint);
        }
        if let Some(item) = def.item(self.db) {
            self.note_args(expr, item, args.clone(), Place::Head(expr));
        }
        let fields = self.fields_of(&def);
        let (name, declared) = (def.name().clone(), (def.clone(), None));
        let place = Place::Head(expr);
        Made { ty, args, fields, def: Some(def), declared, name, place }
    }

    fn made_variant(
        &mut self,
        expr: ExprId,
        path: &Path,
        def: Def,
        index: usize,
        args: Vec<GenericArg>,
        hint: Option<&Ty>,
    ) -> Option<Made> {
        let item = def.as_enum(self.db)?;
        let variant = enum_variants(self.db, item).variants.get(index)?;
        let Payload::Fields(fields) = &variant.payload else {
            self.report(Finding::new(
                codes::MISMATCH,
                Place::BodyPath(path.id, PathPart::Whole),
                format!("the variant `{}` has no named fields", variant.name),
            ));
            return None;
        };
        let ty = Ty::Adt { def: def.clone(), args: args.clone().into() };
        if let Some(hint) = hint {
            self.table.unify(&ty, hint);
        }
        self.callees.insert(expr, Callee::Variant(item, index));
        self.note_args(expr, Item::Enum(item), args.clone(), Place::Head(expr));
        Some(Made {
            ty,
            args,
            fields: fields.clone(),
            def: None,
            declared: (def, Some(index)),
            name: variant.name.clone(),
            place: Place::BodyPath(
                path.id,
                PathPart::Segment(path.segments.len().saturating_sub(1)),
            ),
        })
    }
}

/// A value to start from where a field is missing, for the types that have an obvious one.
fn plain_value(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Scalar(DType::Bool) => Some("false"),
        Ty::Scalar(dtype) if dtype.is_float() => Some("0.0"),
        Ty::Scalar(_) => Some("0"),
        Ty::Text => Some("\"\""),
        Ty::Error
        | Ty::Never
        | Ty::Void
        | Ty::Char
        | Ty::Tensor(_)
        | Ty::Sparse(_)
        | Ty::Ref { .. }
        | Ty::Tuple(_)
        | Ty::Array { .. }
        | Ty::Slice(_)
        | Ty::Fn(_)
        | Ty::Adt { .. }
        | Ty::Collection { .. }
        | Ty::Param(_)
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => None,
    }
}
