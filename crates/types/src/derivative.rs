//! What `@grad` says of a function's signature: the facts that borrows and derivatives both read.

use neuro_db::codes;
use neuro_db::{Db, Name};
use neuro_hir::{Attr, AttrArg, AttrValue, Function, Signature};
use neuro_num::DType;

use crate::{Finding, FnSig, Place, Remedy, Ty, fn_sig};
use neuro_hir::similar;

/// The derivative that a `@grad` function asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiffSpec {
    /// The differentiated parameters, by index, in the order of the parameters.
    pub wrt: Vec<usize>,
    /// The order.
    pub order: DiffOrder,
    /// The element type of the loss.
    pub loss: DType,
}

/// The order of a derivative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DiffOrder {
    /// Gradients.
    First,
    /// Gradients and Hessians.
    Second,
}

/// A function's derivative facts together with what is wrong with them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DiffSpecResult {
    /// The facts; none without `@grad`, or when the header is wrong.
    pub spec: Option<DiffSpec>,
    /// What is wrong with the attribute or the header.
    pub findings: Vec<Finding>,
}

/// What `@grad` asks of a function, read off its header alone.
#[salsa::tracked]
pub fn diff_spec<'db>(db: &'db dyn Db, function: Function<'db>) -> DiffSpecResult {
    let written = neuro_hir::signature(db, function);
    let mut header = Header {
        name: function.name(db),
        written,
        sig: fn_sig(db, function),
        findings: Vec::new(),
    };
    header.no_grad();
    let attr = written.attrs.iter().enumerate().find(|(_, attr)| attr.name == "grad");
    let spec = attr.and_then(|(index, attr)| header.grad(index, attr));
    DiffSpecResult { spec: spec.filter(|_| header.findings.is_empty()), findings: header.findings }
}

/// A header under examination.
struct Header<'a> {
    name: Name,
    written: &'a Signature,
    sig: &'a FnSig,
    findings: Vec<Finding>,
}

impl Header<'_> {
    fn report(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    fn no_grad(&mut self) {
        let attrs = &self.written.attrs;
        let Some(index) = attrs.iter().position(|attr| attr.name == "no_grad") else { return };
        if let Some(grad) = attrs.iter().position(|attr| attr.name == "grad") {
            self.report(
                Finding::new(
                    codes::GRAD_CONFLICT,
                    Place::Attr(index),
                    "`@no_grad` cannot share a function with `@grad`",
                )
                .related(Place::Attr(grad), "the function is differentiated here"),
            );
        }
    }

    /// `None` when the header has no derivative; what is wrong has been reported.
    fn grad(&mut self, attr_index: usize, attr: &Attr) -> Option<DiffSpec> {
        let order = self.order(attr_index, attr);
        let loss = self.loss();
        let labelled = |label: &str| {
            attr.args.iter().enumerate().find(|(_, arg)| arg.label.as_deref() == Some(label))
        };
        let wrt = match labelled("wrt") {
            Some((arg_index, arg)) => self.listed(attr_index, arg_index, arg)?,
            None => self.every_tensor(),
        };
        let remedy = attr.args.is_empty().then_some(attr_index);
        for index in &wrt {
            self.differentiated(*index, remedy);
        }
        let wrong = self.sig.params.iter().any(|param| *param.ty.peeled() == Ty::Error);
        if wrong {
            return None;
        }
        if wrt.is_empty() && labelled("wrt").is_none() {
            self.report(Finding::new(
                codes::DIFFERENTIATED_PARAMETER,
                Place::FunctionName,
                format!("`{}` has no tensor parameter to differentiate", self.name),
            ));
        }
        Some(DiffSpec { wrt, order: order?, loss: loss? })
    }

    fn order(&mut self, attr_index: usize, attr: &Attr) -> Option<DiffOrder> {
        let mut order = Some(DiffOrder::First);
        for (arg_index, arg) in attr.args.iter().enumerate() {
            let place = Place::AttrArg(attr_index, arg_index);
            match (arg.label.as_deref(), &arg.value) {
                (Some("wrt"), _) | (Some("order"), AttrValue::Int(1)) => {}
                (Some("order"), AttrValue::Int(2)) => {
                    order = None;
                    self.report(Finding::new(
                        codes::UNSUPPORTED,
                        place,
                        "a derivative of order 2 is not supported yet",
                    ));
                }
                (Some("order"), _) => {
                    order = None;
                    self.report(Finding::new(
                        codes::ORDER,
                        place,
                        "the derivative order is 1 or 2",
                    ));
                }
                (Some(label @ ("accumulate" | "sparse")), _) => self.report(Finding::new(
                    codes::UNSUPPORTED,
                    place,
                    format!("`{label}:` is not supported yet"),
                )),
                (label, _) => {
                    let place = Place::AttrLabel(attr_index, arg_index);
                    self.report(unknown_argument(place, label));
                }
            }
        }
        order
    }

    fn loss(&mut self) -> Option<DType> {
        let form = "a `@grad` function returns its loss, `Tensor<f32, []>` or `Tensor<f64, []>`";
        let wrong = |message: String| Finding::new(codes::LOSS_TYPE, Place::ReturnType, message);
        let finding = match &self.sig.ret {
            Ty::Error => return None,
            Ty::Tensor(tensor) if tensor.elem.is_float() && tensor.shape.rank() == 0 => {
                return Some(tensor.elem);
            }
            Ty::Void => wrong(format!("{form}; `{}` returns nothing", self.name)),
            Ty::Scalar(dtype) if dtype.is_float() => {
                let ty = Ty::tensor(*dtype, []).to_string();
                wrong(format!("{form}, not `{dtype}`"))
                    .note("wrap the number that is returned: `Tensor::scalar(..)`")
                    .remedy(Remedy::Replace(Place::ReturnType, format!("return `{ty}`"), ty))
            }
            Ty::Tensor(tensor) if tensor.elem.is_float() => {
                wrong(format!("{form}, not `{tensor}`"))
                    .note("reduce it to one number: `Tensor::scalar(x.mean())`")
            }
            other => wrong(format!("{form}, not `{other}`")),
        };
        self.report(finding);
        None
    }

    /// Without `wrt:`, every parameter that is a tensor.
    fn every_tensor(&self) -> Vec<usize> {
        let params = self.sig.params.iter().enumerate();
        params.filter(|(_, param)| param.ty.as_tensor().is_some()).map(|(index, _)| index).collect()
    }

    /// The parameters that `wrt:` lists; `None` when the list says nothing usable.
    fn listed(&mut self, attr_index: usize, arg_index: usize, arg: &AttrArg) -> Option<Vec<usize>> {
        let place = Place::AttrArg(attr_index, arg_index);
        let AttrValue::List(entries) = &arg.value else {
            self.report(Finding::new(
                codes::WRT_ENTRY,
                place,
                "`wrt:` takes a list of parameters, as in `wrt: [w, b]`",
            ));
            return None;
        };
        if entries.is_empty() {
            self.report(
                Finding::new(codes::WRT_ENTRY, place, "`wrt:` lists no parameter")
                    .note("leave `wrt:` out to differentiate every tensor parameter"),
            );
            return None;
        }
        let mut wrt = Vec::new();
        for (entry_index, entry) in entries.iter().enumerate() {
            let place = Place::AttrListEntry(attr_index, arg_index, entry_index);
            match self.entry(place, entry) {
                Some(index) if wrt.contains(&index) => {
                    let name = self.param_name(index);
                    self.report(Finding::new(
                        codes::WRT_ENTRY,
                        place,
                        format!("`{name}` is listed twice"),
                    ));
                }
                Some(index) => wrt.push(index),
                None => {}
            }
        }
        wrt.sort_unstable();
        Some(wrt)
    }

    /// The parameter that an entry of `wrt:` names.
    fn entry(&mut self, place: Place, entry: &AttrValue) -> Option<usize> {
        let wrong = |message: String| Finding::new(codes::WRT_ENTRY, place, message);
        let finding = match entry {
            AttrValue::Name(name) if name == "self" => {
                wrong(format!("`{}` has no receiver: `self` exists in methods only", self.name))
            }
            AttrValue::Path(path) if path.starts_with("self.") => {
                wrong(format!("`{}` has no receiver: `self` exists in methods only", self.name))
            }
            AttrValue::Name(name) => match self.param(name) {
                Some((index, ty)) if ty.as_tensor().is_some() || *ty == Ty::Error => {
                    return Some(index);
                }
                Some((_, ty)) => wrong(format!(
                    "`{name}` is no tensor, and only tensors have gradients; it is `{ty}`"
                )),
                None => self.unknown_entry(place, name),
            },
            AttrValue::Path(path) => Finding::new(
                codes::UNSUPPORTED,
                place,
                format!("the path `{path}` in `wrt:` is not supported yet"),
            ),
            AttrValue::Int(_) | AttrValue::Bool(_) | AttrValue::List(_) | AttrValue::Other(_) => {
                wrong("an entry of `wrt:` is the name of a parameter".to_owned())
            }
        };
        self.report(finding);
        None
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

    fn param(&self, name: &str) -> Option<(usize, &Ty)> {
        let params = self.sig.params.iter().enumerate();
        params
            .filter(|(_, param)| param.name == name)
            .map(|(index, param)| (index, &param.ty))
            .next()
    }

    fn param_name(&self, index: usize) -> Name {
        self.sig.params.get(index).map(|param| param.name.clone()).unwrap_or_default()
    }

    /// Checks that a parameter can receive a gradient. `bare_attr` is a `@grad` without arguments, to
    /// which a `wrt:` can be added that leaves the parameter out.
    fn differentiated(&mut self, index: usize, bare_attr: Option<usize>) {
        let Some(param) = self.sig.params.get(index) else { return };
        let ty = &param.ty;
        let Some(tensor) = ty.as_tensor() else { return };
        let fits =
            matches!(ty, Ty::Ref { mutable: true, inner } if matches!(**inner, Ty::Tensor(_)));
        let float = tensor.elem.is_float();
        if fits && float {
            return;
        }
        let place = Place::ParamType(index);
        let name = &param.name;
        let mut finding = if float {
            Finding::new(
                codes::DIFFERENTIATED_PARAMETER,
                place,
                format!(
                    "the differentiated parameter `{name}` must be `&mut {tensor}`, not `{ty}`"
                ),
            )
            .note("`.backward()` writes its gradient into the caller's tensor")
        } else {
            Finding::new(
                codes::DIFFERENTIATED_PARAMETER,
                place,
                format!(
                    "the differentiated parameter `{name}` must be a `&mut` tensor of `f32` or `f64`; its elements are `{}`",
                    tensor.elem
                ),
            )
        };
        let title = format!("take `{name}` by `&mut`");
        match ty {
            Ty::Tensor(_) if float => {
                finding = finding.remedy(Remedy::InsertBefore(place, title, "&mut ".to_owned()));
            }
            Ty::Ref { mutable: false, inner } if float && matches!(**inner, Ty::Tensor(_)) => {
                finding = finding.remedy(Remedy::InsertBefore(
                    Place::ParamReferent(index),
                    title,
                    "mut ".to_owned(),
                ));
            }
            _ => {}
        }
        if let Some(remedy) = bare_attr.and_then(|attr| self.leave_out(attr, index)) {
            finding = finding.remedy(remedy);
        }
        self.report(finding);
    }

    /// A `wrt:` with the parameters that can receive a gradient, if there are any.
    fn leave_out(&self, attr: usize, index: usize) -> Option<Remedy> {
        let fitting: Vec<&str> = self
            .sig
            .params
            .iter()
            .filter(|param| {
                matches!(&param.ty, Ty::Ref { mutable: true, inner } if inner.as_tensor().is_some_and(|tensor| tensor.elem.is_float()))
            })
            .map(|param| param.name.as_str())
            .collect();
        let title = format!("make `{}` a constant", self.param_name(index));
        (!fitting.is_empty()).then(|| {
            Remedy::InsertAfter(
                Place::Attr(attr),
                title,
                format!("(wrt: [{}])", fitting.join(", ")),
            )
        })
    }
}

fn unknown_argument(place: Place, label: Option<&str>) -> Finding {
    let message = match label {
        Some(label) => format!("`@grad` has no argument `{label}:`"),
        None => "the arguments of `@grad` have labels: `wrt:`, `order:`".to_owned(),
    };
    let finding = Finding::new(codes::ATTRIBUTE, place, message);
    match label.and_then(|label| similar(label, ["wrt", "order"])) {
        Some(meant) => finding.note(format!("did you mean `{meant}:`?")),
        None => finding,
    }
}
