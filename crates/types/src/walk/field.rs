//! Fields of structs, elements of tuples, what a newtype wraps.

use neuro_db::{Name, codes};
use neuro_hir::ExprId;

use super::Context;
use crate::{
    Def, DefKind, Field, Finding, Method, Place, Remedy, Ty, newtype_inner, struct_fields,
};

impl Context<'_> {
    /// `base.name`, through any number of references.
    pub(super) fn infer_field(&mut self, expr: ExprId, base: ExprId, name: &Name) -> Ty {
        let found = self.infer(base, None);
        if let Some(absorbed) = self.absorbed(&found) {
            return absorbed;
        }
        let found = self.settled(base, &found);
        if name.is_empty() || found == Ty::Error {
            return Ty::Error;
        }
        let Ty::Adt { def, args } = found.peeled() else {
            return self.no_field(expr, &found, name, &[]);
        };
        let fields = self.fields_of(def);
        match fields.iter().find(|field| field.name == *name) {
            Some(field) => {
                let ty = field.ty.apply(args);
                self.visible_field(Place::Head(expr), def, field);
                ty
            }
            None => {
                let known: Vec<Name> = fields.iter().map(|field| field.name.clone()).collect();
                self.no_field(expr, &found, name, &known)
            }
        }
    }

    /// The fields of a struct; none of anything else.
    pub(super) fn fields_of(&self, def: &Def) -> Vec<Field> {
        match def.as_struct(self.db) {
            Some(item) => struct_fields(self.db, item).fields.clone(),
            None => Vec::new(),
        }
    }

    /// Reports a field that another module keeps to itself.
    pub(super) fn visible_field(&mut self, place: Place, def: &Def, field: &Field) {
        if field.exported || def.home(self.db) == self.module {
            return;
        }
        let name = &field.name;
        let index = self.fields_of(def).iter().position(|found| found.name == *name);
        let finding = Finding::new(
            codes::PRIVATE,
            place,
            format!("the field `{name}` of `{}` is private to its module", def.name()),
        )
        .note(format!("`export` before the field makes it visible: `export {name}: {}`", field.ty));
        let finding = match index {
            Some(index) => {
                finding.elsewhere(def.clone(), Place::FieldName(index), "it is declared here")
            }
            None => finding,
        };
        self.report(finding);
    }

    fn no_field(&mut self, expr: ExprId, found: &Ty, name: &Name, known: &[Name]) -> Ty {
        let described = self.describe(found);
        let place = Place::Head(expr);
        self.give_up(found);
        let finding =
            Finding::new(codes::MEMBER, place, format!("{described} has no field `{name}`"));
        let methods = crate::methods::associated_names(&self.env, found.peeled());
        let is_method = methods.contains(name)
            || crate::MemberOf::of(found).is_some_and(|of| of.find(name).is_some())
            || (found.as_tensor().is_some() && crate::Method::from_name(name).is_some());
        let no_arguments = matches!(
            crate::Method::from_name(name),
            Some(Method::Grad | Method::Item | Method::Clone | Method::Transpose)
        ) || name == "len";
        let finding = if is_method && no_arguments {
            let title = format!("call `.{name}()`");
            finding
                .note(format!("it is a method: call it with `.{name}()`"))
                .remedy(Remedy::InsertAfter(place, title, "()".to_owned()))
        } else if is_method {
            finding.note(format!("it is a method: call it with `.{name}(..)`"))
        } else {
            match found.peeled() {
                Ty::Tensor(tensor) if matches!(name.as_str(), "shape" | "size" | "ndim" | "dtype") => {
                    finding.note(format!(
                        "elements and shape belong to the type, `{tensor}`; generic code names extents: `Tensor<f32, [N, M]>`"
                    ))
                }
                Ty::Tensor(_) if name == "T" => {
                    finding.note("the transpose is `.t()`, which consumes the tensor")
                }
                Ty::Text | Ty::Array { .. } | Ty::Slice(_) | Ty::Collection { .. }
                    if matches!(name.as_str(), "length" | "size" | "count") =>
                {
                    finding.note("the length is `.len()`").remedy(Remedy::Replace(
                        place,
                        "write `len()`".to_owned(),
                        "len()".to_owned(),
                    ))
                }
                Ty::Adt { def, .. } if def.kind() == DefKind::Enum => {
                    finding.note("what an enum holds is read with `match`")
                }
                _ => self.did_you_mean(finding, place, name, known),
            }
        };
        self.refuse(finding)
    }

    /// `base.0`: an element of a tuple, or what a newtype wraps.
    pub(super) fn infer_tuple_field(&mut self, expr: ExprId, base: ExprId, index: u32) -> Ty {
        let found = self.infer(base, None);
        if let Some(absorbed) = self.absorbed(&found) {
            return absorbed;
        }
        let found = self.settled(base, &found);
        match found.peeled() {
            Ty::Error => Ty::Error,
            Ty::Tuple(parts) => match parts.get(index as usize) {
                Some(part) => part.clone(),
                None => self.refuse(Finding::new(
                    codes::MEMBER,
                    Place::Head(expr),
                    format!(
                        "`{found}` has {} elements, and the last one is `.{}`",
                        parts.len(),
                        parts.len().saturating_sub(1)
                    ),
                )),
            },
            Ty::Adt { def, args } if def.kind() == DefKind::Newtype && index == 0 => {
                match def.as_newtype(self.db) {
                    Some(item) => newtype_inner(self.db, item).ty.apply(args),
                    None => Ty::Error,
                }
            }
            _ => {
                let described = self.describe(&found);
                self.give_up(&found);
                self.refuse(Finding::new(
                    codes::MEMBER,
                    Place::Head(expr),
                    format!("{described} has no element `.{index}`: only tuples and newtypes do"),
                ))
            }
        }
    }
}
