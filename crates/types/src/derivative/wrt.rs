//! The entries of `wrt:`: parameters, and paths from a parameter to a tensor inside it.

use neuro_db::{Name, codes};
use neuro_hir::{AttrValue, Resolution, resolve_name, similar};

use super::arguments::Written;
use super::{Header, differentiable};
use crate::{Extent, Finding, Place, Remedy, Ty, Wrt, WrtBase, WrtStep, struct_fields};

/// An entry that is wrong, and why; nothing of one whose mistake is reported elsewhere.
type Wrong = Option<Finding>;

impl Header<'_> {
    /// What `wrt:` lists; none when the list says nothing usable.
    pub(super) fn listed(
        &mut self,
        written: Written<'_>,
        arg: usize,
        value: &AttrValue,
    ) -> Option<Vec<Wrt>> {
        let place = written.place(arg);
        let AttrValue::List(entries) = value else {
            let finding = Finding::new(
                codes::WRT_ENTRY,
                place,
                "`wrt:` takes a list of parameters, as in `wrt: [w, b]`",
            );
            self.report(match value {
                AttrValue::Name(name) => finding.remedy(Remedy::Replace(
                    place,
                    "put it into a list".to_owned(),
                    format!("[{name}]"),
                )),
                AttrValue::Path(path) => finding.remedy(Remedy::Replace(
                    place,
                    "put it into a list".to_owned(),
                    format!("[{path}]"),
                )),
                _ => finding,
            });
            return None;
        };
        if entries.is_empty() {
            self.report(
                Finding::new(codes::WRT_ENTRY, place, "`wrt:` lists no parameter")
                    .note("leave `wrt:` out to differentiate every tensor parameter"),
            );
            return None;
        }
        let mut found: Vec<Wrt> = Vec::new();
        for (entry_index, entry) in entries.iter().enumerate() {
            let place = Place::AttrListEntry(written.index, arg, entry_index);
            match self.entry(place, entry) {
                Ok(wrt) => {
                    if let Some(finding) = again(place, &wrt, &found) {
                        self.report(finding);
                    } else {
                        found.push(wrt);
                    }
                }
                Err(finding) => self.findings.extend(finding),
            }
        }
        found.sort_by_key(|wrt| (wrt.base, !wrt.path.is_empty()));
        Some(found)
    }

    fn entry(&self, place: Place, entry: &AttrValue) -> Result<Wrt, Wrong> {
        match entry {
            AttrValue::Name(name) => self.path(place, name, &[], None),
            AttrValue::Path(text) => {
                let (base, steps) = self.steps(place, text)?;
                self.path(place, &base, &steps, None)
            }
            AttrValue::Aliased(alias, inner) => match &**inner {
                AttrValue::Name(name) => self.path(place, name, &[], Some(alias)),
                AttrValue::Path(text) => {
                    let (base, steps) = self.steps(place, text)?;
                    self.path(place, &base, &steps, Some(alias))
                }
                _ => Err(Some(no_entry(place))),
            },
            AttrValue::Int(_) | AttrValue::Bool(_) | AttrValue::List(_) | AttrValue::Other(_) => {
                Err(Some(no_entry(place)))
            }
        }
    }

    /// The parts of a path as written.
    fn steps(&self, place: Place, text: &str) -> Result<(Name, Vec<WrtStep>), Wrong> {
        let text: String = text.split_whitespace().collect();
        let end = text.find(['.', '[']).unwrap_or(text.len());
        let (base, mut rest) = text.split_at(end);
        let mut steps = Vec::new();
        while !rest.is_empty() {
            if let Some(field) = rest.strip_prefix('.') {
                let end = field.find(['.', '[']).unwrap_or(field.len());
                let (name, after) = field.split_at(end);
                steps.push(WrtStep::Field(Name::from(name)));
                rest = after;
            } else {
                let inner = rest.strip_prefix('[').and_then(|inner| inner.split_once(']'));
                let Some((position, after)) = inner else { return Err(Some(no_entry(place))) };
                steps.push(self.position(place, position)?);
                rest = after;
            }
        }
        Ok((Name::from(base), steps))
    }

    /// What stands between brackets: a number, a constant, or `..`.
    fn position(&self, place: Place, text: &str) -> Result<WrtStep, Wrong> {
        if text == ".." {
            return Ok(WrtStep::Every);
        }
        let digits: String = text.chars().filter(|c| *c != '_').collect();
        if let Ok(position) = digits.parse() {
            return Ok(WrtStep::Element(position));
        }
        let constant = match resolve_name(self.db, self.module, Name::from(text)) {
            Some(Resolution::Item(neuro_hir::Item::Const(constant))) => {
                crate::const_value(self.db, constant).value.and_then(|value| value.as_int())
            }
            _ => None,
        };
        constant.and_then(|value| u64::try_from(value).ok()).map(WrtStep::Element).ok_or_else(
            || {
                Some(
                    Finding::new(
                        codes::WRT_ENTRY,
                        place,
                        format!("the position `[{text}]` of a path is a number or a constant"),
                    )
                    .note("`[..]` stands for every element"),
                )
            },
        )
    }

    /// The tensor that a path leads to.
    fn path(
        &self,
        place: Place,
        base: &Name,
        steps: &[WrtStep],
        alias: Option<&Name>,
    ) -> Result<Wrt, Wrong> {
        let wrong = |message: String| Finding::new(codes::WRT_ENTRY, place, message);
        let (at, ty, words) = if base == "self" {
            let Some(receiver) = &self.sig.receiver else {
                return Err(Some(wrong(format!(
                    "`{}` has no receiver: `self` exists in methods only",
                    self.name
                ))));
            };
            (WrtBase::Receiver, receiver, "self".to_owned())
        } else {
            let Some((index, ty)) = self.param(base) else {
                return Err(Some(self.unknown_entry(place, base)));
            };
            (WrtBase::Param(index), ty, base.to_string())
        };
        if *ty.peeled() == Ty::Error {
            return Err(None);
        }
        if steps.is_empty() {
            return match (at, ty.as_tensor()) {
                (WrtBase::Param(_), Some(tensor)) => {
                    let name = Some(alias.unwrap_or(base).clone());
                    Ok(Wrt { name, base: at, path: Vec::new(), tensor: tensor.clone() })
                }
                _ => Err(Some(self.no_tensor(place, &words, ty))),
            };
        }
        if !matches!(ty, Ty::Ref { mutable: true, .. }) {
            return Err(Some(self.not_lent(place, at, &words, ty)));
        }
        let mut ty = ty.peeled().clone();
        let mut words = words;
        for step in steps {
            ty = self.step(place, &mut words, &ty, step)?;
        }
        match &ty {
            Ty::Tensor(tensor) if differentiable(tensor.elem) => Ok(Wrt {
                name: alias.cloned(),
                base: at,
                path: steps.to_vec(),
                tensor: tensor.clone(),
            }),
            Ty::Tensor(tensor) => Err(Some(wrong(format!(
                "the elements of `{words}` are `{}`, and only `f32` and `f64` have derivatives",
                tensor.elem
            )))),
            Ty::Error => Err(None),
            other => Err(Some(self.no_tensor(place, &words, other))),
        }
    }

    /// The type behind one more step.
    fn step(&self, place: Place, words: &mut String, ty: &Ty, step: &WrtStep) -> Result<Ty, Wrong> {
        let wrong = |message: String| Some(Finding::new(codes::WRT_ENTRY, place, message));
        match (step, ty) {
            (_, Ty::Error) => Err(None),
            (WrtStep::Field(name), Ty::Adt { def, args }) => {
                let Some(item) = def.as_struct(self.db) else {
                    return Err(wrong(format!("`{words}` is a `{ty}`, and has no fields")));
                };
                let fields = &struct_fields(self.db, item).fields;
                let Some(field) = fields.iter().find(|field| field.name == *name) else {
                    let finding = Finding::new(
                        codes::WRT_ENTRY,
                        place,
                        format!("there is no field `{name}` in `{ty}`"),
                    );
                    return Err(Some(
                        match similar(name, fields.iter().map(|field| field.name.as_str())) {
                            Some(meant) => finding.note(format!("did you mean `{meant}`?")),
                            None => finding,
                        },
                    ));
                };
                if !field.exported {
                    let index = fields.iter().position(|field| field.name == *name);
                    let finding = Finding::new(
                        codes::WRT_ENTRY,
                        place,
                        format!("the field `{name}` of `{ty}` is not exported, and its gradient is read from outside"),
                    )
                    .note(format!("declare it as `export {name}`"));
                    return Err(Some(match index {
                        Some(index) => finding.elsewhere(
                            def.clone(),
                            Place::FieldName(index),
                            format!("`{name}` is declared here"),
                        ),
                        None => finding,
                    }));
                }
                words.push_str(&format!(".{name}"));
                Ok(field.ty.apply(args))
            }
            (WrtStep::Field(name), other) => {
                Err(wrong(format!("`{words}` is `{other}`, and has no field `{name}`")))
            }
            (WrtStep::Element(position), Ty::Array { elem, len }) => {
                if let Extent::Known(len) = len
                    && position >= len
                {
                    return Err(wrong(format!(
                        "position {position} is outside `{words}`, an array of {len}"
                    )));
                }
                words.push_str(&format!("[{position}]"));
                Ok((**elem).clone())
            }
            (WrtStep::Every, Ty::Array { elem, .. }) => {
                words.push_str("[..]");
                Ok((**elem).clone())
            }
            (WrtStep::Element(_) | WrtStep::Every, other) => {
                Err(wrong(format!("`{words}` is `{other}`, and only arrays have elements here")))
            }
        }
    }

    /// A path through something that is not lent mutably.
    fn not_lent(&self, place: Place, at: WrtBase, words: &str, ty: &Ty) -> Finding {
        let finding = Finding::new(
            codes::WRT_ENTRY,
            place,
            format!(
                "a path through `{words}` needs `&mut {words}`: `.backward()` writes the gradient there"
            ),
        );
        let (WrtBase::Param(index), Ty::Ref { mutable: false, .. }) = (at, ty) else {
            return match (at, ty) {
                (WrtBase::Param(index), _) => finding.remedy(Remedy::InsertBefore(
                    Place::ParamType(index),
                    format!("take `{words}` by `&mut`"),
                    "&mut ".to_owned(),
                )),
                (WrtBase::Receiver, _) => finding.remedy(Remedy::Replace(
                    Place::Receiver,
                    "take `&mut self`".to_owned(),
                    "&mut self".to_owned(),
                )),
            };
        };
        finding.remedy(Remedy::InsertBefore(
            Place::ParamReferent(index),
            format!("take `{words}` by `&mut`"),
            "mut ".to_owned(),
        ))
    }

    fn no_tensor(&self, place: Place, words: &str, ty: &Ty) -> Finding {
        let shown = ty.peeled();
        let finding = Finding::new(
            codes::WRT_ENTRY,
            place,
            format!("`{words}` is no tensor, and only tensors have gradients; it is `{ty}`"),
        );
        match shown {
            Ty::Adt { .. } => finding.note(format!("name the tensors inside it: `{words}.field`")),
            Ty::Array { .. } => finding
                .note(format!("`{words}[..]` stands for every element, `{words}[0]` for one")),
            _ => finding,
        }
    }

    fn unknown_entry(&self, place: Place, name: &str) -> Finding {
        let finding = Finding::new(
            codes::WRT_ENTRY,
            place,
            format!("`{}` has no parameter `{name}`", self.name),
        );
        match similar(name, self.sig.params.iter().map(|param| param.name.as_str())) {
            Some(meant) => finding
                .note(format!("did you mean `{meant}`?"))
                .remedy(Remedy::Replace(place, format!("change to `{meant}`"), meant.to_owned())),
            None => finding,
        }
    }
}

/// An entry that says again what another one said.
fn again(place: Place, wrt: &Wrt, found: &[Wrt]) -> Option<Finding> {
    let wrong = |message: String| Some(Finding::new(codes::WRT_ENTRY, place, message));
    if found.iter().any(|found| found.overlaps(wrt)) {
        return wrong(match &wrt.name {
            Some(name) => format!("`{name}` is listed twice"),
            None => "this is listed twice".to_owned(),
        });
    }
    let name = wrt.name.as_ref()?;
    if found.iter().any(|found| found.name.as_ref() == Some(name)) {
        return wrong(format!("two entries are called `{name}`"));
    }
    None
}

fn no_entry(place: Place) -> Finding {
    Finding::new(
        codes::WRT_ENTRY,
        place,
        "an entry of `wrt:` is the name of a parameter, or a path from one, as in `self.head.w`",
    )
}
