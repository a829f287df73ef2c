//! What `@grad` and `@jacobian` say of a function's signature: the facts that borrows and derivatives both read.

mod arguments;
mod spec;
mod wrt;

use neuro_db::codes;
use neuro_db::{Db, Name};
use neuro_hir::{Attr, AttrValue, Container, Function, Module, Signature};
use neuro_num::DType;

use crate::{Extent, Finding, FnSig, Place, Remedy, TensorTy, TraitDef, Ty, fn_sig};
use arguments::Written;

pub use spec::{DiffForm, DiffOrder, DiffSpec, Expectation, Expected, Kept, Wrt, WrtBase, WrtStep};

/// How many bytes a dense Hessian may have.
const HESSIAN_BYTES: u64 = 1 << 30;

/// A function's derivative facts together with what is wrong with them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DiffSpecResult {
    /// The facts; none without `@grad`, or when the header is wrong.
    pub spec: Option<DiffSpec>,
    /// What is wrong with the attribute or the header.
    pub findings: Vec<Finding>,
}

/// What `@grad` or `@jacobian` asks of a function, read off its header alone. A function of a trait is
/// differentiated in every type that has it, if its declaration in the trait says so.
pub fn diff_spec<'db>(db: &'db dyn Db, function: Function<'db>) -> &'db DiffSpecResult {
    static NOTHING: DiffSpecResult = DiffSpecResult { spec: None, findings: Vec::new() };
    // Most functions have no attribute, and nothing is kept for them.
    let is_plain = neuro_hir::signature(db, function).attrs.is_empty()
        && !matches!(function.container(db), Container::Impl(_));
    if is_plain { &NOTHING } else { asked_spec(db, function) }
}

#[salsa::tracked]
fn asked_spec<'db>(db: &'db dyn Db, function: Function<'db>) -> DiffSpecResult {
    let written = neuro_hir::signature(db, function);
    let mut header = Header {
        db,
        module: function.module(db),
        name: function.name(db),
        written,
        sig: fn_sig(db, function),
        findings: Vec::new(),
    };
    header.conflicts();
    let spec = match header.asked(&written.attrs) {
        Some((written, form)) => header.spec(written, form),
        None => {
            let declared = declaration(db, function);
            let attrs = declared.map(|function| &neuro_hir::signature(db, function).attrs);
            let asked = attrs.and_then(|attrs| header.asked(attrs));
            let before = header.findings.len();
            let spec = asked.and_then(|(written, form)| header.spec(written, form));
            // What is wrong with the attribute is told where it stands.
            header.findings.truncate(before);
            spec
        }
    };
    let expected = header.expected();
    let spec = spec.map(|spec| DiffSpec { expected, ..spec });
    DiffSpecResult { spec: spec.filter(|_| header.findings.is_empty()), findings: header.findings }
}

/// The declaration in its trait of a function of an `impl` block.
fn declaration<'db>(db: &'db dyn Db, function: Function<'db>) -> Option<Function<'db>> {
    let Container::Impl(block) = function.container(db) else { return None };
    neuro_hir::impl_data(db, block).trait_ref.as_ref()?;
    let Some(TraitDef::Item(def)) = &crate::impl_header(db, block).of_trait else { return None };
    let item = def.as_trait(db)?;
    let functions = neuro_hir::functions_of(db, item.file(db), Container::Trait(item));
    functions.iter().copied().find(|found| found.name(db) == function.name(db))
}

/// Whether a derivative goes through elements of this type.
fn differentiable(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F64)
}

/// A header under examination.
struct Header<'a> {
    db: &'a dyn Db,
    module: Module<'a>,
    name: Name,
    written: &'a Signature,
    sig: &'a FnSig,
    findings: Vec<Finding>,
}

impl<'a> Header<'a> {
    fn report(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// The attribute that asks for a derivative.
    fn asked<'b>(&self, attrs: &'b [Attr]) -> Option<(Written<'b>, DiffForm)> {
        attrs.iter().enumerate().find_map(|(index, attr)| {
            let form = match attr.name.as_str() {
                "grad" => DiffForm::Gradient,
                "jacobian" => DiffForm::Jacobian,
                _ => return None,
            };
            Some((Written { index, attr }, form))
        })
    }

    /// Attributes that exclude each other, or that need another one.
    fn conflicts(&mut self) {
        let attrs = &self.written.attrs;
        let of = |name: &str| attrs.iter().position(|attr| attr.name == name);
        let conflict = |one: &str, other: &str, why: &str| {
            let (index, second) = (of(one)?, of(other)?);
            let message = format!("`@{one}` cannot share a function with `@{other}`");
            Some(
                Finding::new(codes::GRAD_CONFLICT, Place::Attr(index), message)
                    .related(Place::Attr(second), why),
            )
        };
        let differentiated = "the function is differentiated here";
        let found = conflict("no_grad", "grad", differentiated)
            .or_else(|| conflict("no_grad", "jacobian", differentiated))
            .or_else(|| conflict("jacobian", "grad", "its loss is differentiated here"));
        self.findings.extend(found);
    }

    /// What `@expect` says.
    fn expected(&mut self) -> Vec<Expectation> {
        let attrs = &self.written.attrs;
        let Some(index) = attrs.iter().position(|attr| attr.name == "expect") else {
            return Vec::new();
        };
        let Some(attr) = attrs.get(index) else { return Vec::new() };
        if self.asked(attrs).is_none() {
            let message = "`@expect` speaks of a derivative, and this function has none";
            let note = "put `@grad` or `@jacobian` in front of it";
            let finding = Finding::new(codes::GRAD_CONFLICT, Place::Attr(index), message);
            self.report(finding.note(note));
            return Vec::new();
        }
        self.expectations(Written { index, attr })
    }

    /// `None` when the header has no derivative; what is wrong has been reported.
    fn spec(&mut self, written: Written<'_>, form: DiffForm) -> Option<DiffSpec> {
        self.known_arguments(written);
        let order = self.order(written);
        let kept = self.kept(written, form, order);
        let result = match form {
            DiffForm::Gradient => self.loss(),
            DiffForm::Jacobian => self.result(),
        };
        let list = written.argument("wrt");
        self.receiver(list.map(|(_, value)| value));
        let wrt = match list {
            Some((arg, value)) => self.listed(written, arg, value)?,
            None => self.every_tensor(),
        };
        let bare = written.attr.args.is_empty().then_some(written.index);
        for entry in &wrt {
            if let (WrtBase::Param(index), true) = (entry.base, entry.path.is_empty()) {
                self.differentiated(index, bare);
            }
        }
        let wrong = self.sig.params.iter().any(|param| *param.ty.peeled() == Ty::Error);
        if wrong {
            return None;
        }
        if wrt.is_empty() && list.is_none() {
            self.report(Finding::new(
                codes::DIFFERENTIATED_PARAMETER,
                Place::FunctionName,
                format!("`{}` has no tensor parameter to differentiate", self.name),
            ));
        }
        let (order, kept) = (order?, kept?);
        if order == DiffOrder::Second && kept == Kept::Dense {
            self.hessian_size(written, &wrt);
        }
        Some(DiffSpec { form, wrt, order, kept, result: result?, expected: Vec::new() })
    }

    /// Refuses a dense Hessian that no memory has room for.
    fn hessian_size(&mut self, written: Written<'_>, wrt: &[Wrt]) {
        for entry in wrt {
            let Some(elements) = entry.tensor.shape.elements() else { continue };
            let size = entry.tensor.elem.size() as u64;
            let bytes = elements.checked_mul(elements).and_then(|all| all.checked_mul(size));
            if bytes.is_some_and(|bytes| bytes <= HESSIAN_BYTES) {
                continue;
            }
            let what = match &entry.name {
                Some(name) => format!("`{name}`"),
                None => "this parameter".to_owned(),
            };
            let place = written
                .argument("order")
                .map_or(Place::Attr(written.index), |(arg, _)| written.place(arg));
            let message = format!(
                "the Hessian of {what} would have {elements} rows and columns: more than 1 GiB"
            );
            self.report(
                Finding::new(codes::ORDER, place, message)
                    .note("`sparse: true` keeps only the entries that can be other than zero; `.hvp(..)` multiplies with a Hessian that is never built, and needs no `order: 2`")
                    .remedy(Remedy::InsertAfter(place, "keep it sparse".to_owned(), ", sparse: true".to_owned())),
            );
            return;
        }
    }

    /// A receiver is lent: both sweeps read it. A path through it is told where it is listed.
    fn receiver(&mut self, list: Option<&AttrValue>) {
        let Some(receiver) = &self.sig.receiver else { return };
        let listed = list.is_some_and(AttrValue::begins_at_self);
        if matches!(receiver, Ty::Ref { .. } | Ty::Error) || listed {
            return;
        }
        let message = format!("a method that is differentiated takes `&self`, not `{receiver}`");
        self.report(
            Finding::new(codes::DIFFERENTIATED_PARAMETER, Place::Receiver, message)
                .note("`.backward()` reads the receiver again, after the call")
                .remedy(Remedy::Replace(
                    Place::Receiver,
                    "take `&self`".to_owned(),
                    "&self".to_owned(),
                )),
        );
    }

    fn loss(&mut self) -> Option<TensorTy> {
        let form = "a `@grad` function returns its loss, `Tensor<f32, []>` or `Tensor<f64, []>`";
        let wrong = |message: String| Finding::new(codes::LOSS_TYPE, Place::ReturnType, message);
        let finding = match &self.sig.ret {
            Ty::Error => return None,
            Ty::Tensor(tensor) if differentiable(tensor.elem) && tensor.shape.rank() == 0 => {
                return Some(tensor.clone());
            }
            Ty::Void => wrong(format!("{form}; `{}` returns nothing", self.name)),
            Ty::Scalar(dtype) if differentiable(*dtype) => {
                let ty = Ty::tensor(*dtype, []).to_string();
                wrong(format!("{form}, not `{dtype}`"))
                    .note("wrap the number that is returned: `Tensor::scalar(..)`")
                    .remedy(Remedy::WrapResult(ty))
            }
            Ty::Tensor(tensor) if differentiable(tensor.elem) => wrong(format!(
                "{form}, not `{tensor}`"
            ))
            .note(
                "reduce it to one number, `Tensor::scalar(x.mean())`, or ask for its `@jacobian`",
            ),
            other => wrong(format!("{form}, not `{other}`")),
        };
        self.report(finding);
        None
    }

    /// What a Jacobian is of: a tensor of known shape.
    fn result(&mut self) -> Option<TensorTy> {
        let form = "a `@jacobian` function returns a tensor of `f32` or `f64` of known extents";
        let wrong =
            |message: String| Finding::new(codes::JACOBIAN_RESULT, Place::ReturnType, message);
        let finding = match &self.sig.ret {
            Ty::Error => return None,
            Ty::Tensor(tensor) if differentiable(tensor.elem) => {
                if !tensor.shape.dims().iter().any(|dim| dim.extent == Extent::Dynamic) {
                    return Some(tensor.clone());
                }
                wrong(format!("{form}, and this has the extent `?`: `{tensor}`"))
            }
            Ty::Void => wrong(format!("{form}; `{}` returns nothing", self.name)),
            Ty::Scalar(dtype) if differentiable(*dtype) => {
                let ty = Ty::tensor(*dtype, []).to_string();
                wrong(format!("{form}, not `{dtype}`"))
                    .note("wrap the number that is returned: `Tensor::scalar(..)`")
                    .remedy(Remedy::WrapResult(ty))
            }
            other => wrong(format!("{form}, not `{other}`")),
        };
        self.report(finding);
        None
    }

    /// Without `wrt:`, every parameter that is a tensor.
    fn every_tensor(&self) -> Vec<Wrt> {
        let params = self.sig.params.iter().enumerate();
        params
            .filter_map(|(index, param)| {
                Some(Wrt {
                    name: Some(param.name.clone()),
                    base: WrtBase::Param(index),
                    path: Vec::new(),
                    tensor: param.ty.as_tensor()?.clone(),
                })
            })
            .collect()
    }

    fn param(&self, name: &str) -> Option<(usize, &'a Ty)> {
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
        let float = differentiable(tensor.elem);
        let dynamic = tensor.shape.dims().iter().any(|dim| dim.extent == Extent::Dynamic);
        if fits && float && !dynamic {
            return;
        }
        let place = Place::ParamType(index);
        let name = &param.name;
        let mut finding = if float && dynamic {
            Finding::new(
                codes::DIFFERENTIATED_PARAMETER,
                place,
                format!("the differentiated parameter `{name}` has the extent `?`, and a gradient needs to know it: `{tensor}`"),
            )
            .note("write the extent, or a name for it: `[N]`")
        } else if float {
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
            _ if dynamic => {}
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
            if self.left_out_with_others(&remedy, index) {
                return;
            }
            finding = finding.remedy(remedy);
        }
        self.report(finding);
    }

    /// Whether a parameter is left out by the very change that was offered for one before it: then it belongs to
    /// that finding.
    fn left_out_with_others(&mut self, remedy: &Remedy, index: usize) -> bool {
        let Remedy::InsertAfter(_, _, text) = remedy else { return false };
        let name = self.param_name(index);
        let same =
            |known: &Remedy| matches!(known, Remedy::InsertAfter(_, _, known) if known == text);
        let offered = |finding: &&mut Finding| finding.remedies.last().is_some_and(same);
        let Some(first) = self.findings.iter_mut().find(offered) else { return false };
        first
            .related
            .push((Place::ParamType(index), format!("`{name}` cannot receive a gradient, either")));
        // Any of them by `&mut` would leave the others wrong.
        first.remedies.drain(..first.remedies.len().saturating_sub(1));
        if let Some(Remedy::InsertAfter(_, title, _)) = first.remedies.last_mut() {
            *title = format!("differentiate by the others only: `@grad{text}`");
        }
        true
    }

    /// A `wrt:` with the parameters that can receive a gradient, if there are any.
    fn leave_out(&self, attr: usize, index: usize) -> Option<Remedy> {
        let fitting: Vec<&str> = self
            .sig
            .params
            .iter()
            .enumerate()
            .filter(|(found, param)| {
                let known = |tensor: &TensorTy| {
                    differentiable(tensor.elem)
                        && tensor.shape.dims().iter().all(|dim| dim.extent != Extent::Dynamic)
                };
                *found != index
                    && matches!(&param.ty, Ty::Ref { mutable: true, inner } if inner.as_tensor().is_some_and(known))
            })
            .map(|(_, param)| param.name.as_str())
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
