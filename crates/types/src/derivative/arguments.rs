//! The arguments of `@grad`, `@jacobian` and `@expect`.

use neuro_db::codes;
use neuro_hir::{Attr, AttrValue, similar};
use neuro_syntax::{AttributeArgument, AttributeValue, attribute};

use super::{Expectation, Expected, Header};
use crate::{DiffForm, DiffOrder, Finding, Kept, Place, Remedy};

/// An attribute of a function, by its number.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    pub(super) index: usize,
    pub(super) attr: &'a Attr,
}

impl<'a> Written<'a> {
    /// The argument of a label, and its number.
    pub(super) fn argument(&self, label: &str) -> Option<(usize, &'a AttrValue)> {
        let args = self.attr.args.iter().enumerate();
        args.filter(|(_, arg)| arg.label.as_deref() == Some(label))
            .map(|(index, arg)| (index, &arg.value))
            .next()
    }

    pub(super) fn place(&self, arg: usize) -> Place {
        Place::AttrArg(self.index, arg)
    }
}

impl Header<'_> {
    /// Refuses arguments that an attribute does not have.
    pub(super) fn known_arguments(&mut self, written: Written<'_>) {
        let name = &written.attr.name;
        let known: &[AttributeArgument] = attribute(name).map_or(&[], |attribute| attribute.args);
        for (arg_index, arg) in written.attr.args.iter().enumerate() {
            let place = Place::AttrLabel(written.index, arg_index);
            let label = arg.label.as_deref();
            if label.is_some_and(|label| known.iter().any(|known| known.label == label)) {
                continue;
            }
            let labels = known.iter().map(|known| known.label);
            let listed: Vec<String> = labels.clone().map(|label| format!("`{label}:`")).collect();
            let message = match label {
                Some(label) => format!("`@{name}` has no argument `{label}:`"),
                None => format!("the arguments of `@{name}` have labels: {}", listed.join(", ")),
            };
            let finding = Finding::new(codes::ATTRIBUTE, place, message);
            self.report(match label.and_then(|label| similar(label, labels)) {
                Some(meant) => finding.note(format!("did you mean `{meant}:`?")).remedy(
                    Remedy::Replace(place, format!("change to `{meant}`"), meant.to_owned()),
                ),
                None if label.is_some() => finding.note(format!("it takes {}", listed.join(", "))),
                None => finding,
            });
        }
    }

    pub(super) fn order(&mut self, written: Written<'_>) -> Option<DiffOrder> {
        match written.argument("order") {
            None | Some((_, AttrValue::Int(1))) => Some(DiffOrder::First),
            Some((_, AttrValue::Int(2))) => Some(DiffOrder::Second),
            Some((arg, _)) => {
                let message = "the derivative order is 1 or 2";
                self.report(Finding::new(codes::ORDER, written.place(arg), message));
                None
            }
        }
    }

    /// How a Hessian or Jacobian is kept; none after a report.
    pub(super) fn kept(
        &mut self,
        written: Written<'_>,
        form: DiffForm,
        order: Option<DiffOrder>,
    ) -> Option<Kept> {
        let sparse = match written.argument("sparse") {
            None | Some((_, AttrValue::Bool(false))) => None,
            Some((arg, AttrValue::Bool(true))) => Some(arg),
            Some((arg, _)) => {
                let message = "`sparse:` is `true` or `false`";
                self.report(Finding::new(codes::ATTRIBUTE, written.place(arg), message));
                return None;
            }
        };
        if let Some(arg) = sparse
            && form == DiffForm::Gradient
            && order == Some(DiffOrder::First)
        {
            self.report(self.sparse_gradient(written, arg));
            return None;
        }
        let Some((arg, value)) = written.argument("triangle") else {
            return Some(if sparse.is_some() { Kept::Sparse } else { Kept::Dense });
        };
        let kept = match value {
            AttrValue::Name(name) if name == "lower" => Kept::Lower,
            AttrValue::Name(name) if name == "upper" => Kept::Upper,
            other => {
                let place = written.place(arg);
                let finding =
                    Finding::new(codes::ATTRIBUTE, place, "`triangle:` is `lower` or `upper`");
                self.report(match other {
                    AttrValue::Name(name) => meant(finding, place, name, &["lower", "upper"]),
                    _ => finding,
                });
                return None;
            }
        };
        if sparse.is_none() {
            let place = written.place(arg);
            self.report(
                Finding::new(
                    codes::ATTRIBUTE,
                    place,
                    "`triangle:` needs `sparse: true`: a dense Hessian is kept as a whole",
                )
                .remedy(Remedy::InsertAfter(
                    place,
                    "keep it sparse".to_owned(),
                    ", sparse: true".to_owned(),
                )),
            );
            return None;
        }
        Some(kept)
    }

    fn sparse_gradient(&self, written: Written<'_>, arg: usize) -> Finding {
        let finding = Finding::new(
            codes::ORDER,
            Place::AttrLabel(written.index, arg),
            "`sparse:` keeps a Hessian compact, and a derivative of order 1 has none",
        );
        let (title, text) = ("differentiate twice".to_owned(), "order: 2");
        finding.remedy(match written.argument("order") {
            Some((order, _)) => Remedy::Replace(written.place(order), title, "2".to_owned()),
            None => Remedy::InsertAfter(written.place(arg), title, format!(", {text}")),
        })
    }

    /// What `@expect` says.
    pub(super) fn expectations(&mut self, written: Written<'_>) -> Vec<Expectation> {
        self.known_arguments(written);
        let known = attribute("expect").map_or(&[][..], |attribute| attribute.args);
        if written.attr.args.is_empty() {
            let keys: Vec<String> =
                known.iter().map(|known| format!("`{}:`", known.label)).collect();
            let finding = Finding::new(
                codes::ATTRIBUTE,
                Place::Attr(written.index),
                "`@expect` says what is expected, and this says nothing",
            );
            self.report(finding.note(format!("it takes {}", keys.join(", "))));
        }
        let mut expected = Vec::new();
        for (arg_index, arg) in written.attr.args.iter().enumerate() {
            let Some(key) = &arg.label else { continue };
            let Some(known) = known.iter().find(|known| known.label == key.as_str()) else {
                continue;
            };
            let place = written.place(arg_index);
            let value = match (known.value, &arg.value) {
                (AttributeValue::Int(..), AttrValue::Int(value)) => Expected::Count(*value),
                (AttributeValue::Word(words), AttrValue::Name(name))
                    if words.contains(&name.as_str()) =>
                {
                    Expected::Strategy(name.clone())
                }
                (AttributeValue::Word(words), value) => {
                    let listed: Vec<String> =
                        words.iter().map(|word| format!("`{word}`")).collect();
                    let message = format!("`{key}:` is one of {}", listed.join(", "));
                    let finding = Finding::new(codes::ATTRIBUTE, place, message);
                    self.report(match value {
                        AttrValue::Name(name) => meant(finding, place, name, words),
                        _ => finding,
                    });
                    continue;
                }
                _ => {
                    let message = format!("`{key}:` is a number from 0 up");
                    self.report(Finding::new(codes::ATTRIBUTE, place, message));
                    continue;
                }
            };
            expected.push(Expectation {
                key: key.clone(),
                value,
                place: (written.index, arg_index),
            });
        }
        expected
    }
}

/// Asks whether another word is meant.
fn meant(finding: Finding, place: Place, name: &str, words: &[&'static str]) -> Finding {
    match similar(name, words.iter().copied()) {
        Some(meant) => finding.note(format!("did you mean `{meant}`?")).remedy(Remedy::Replace(
            place,
            format!("change to `{meant}`"),
            meant.to_owned(),
        )),
        None => finding,
    }
}
