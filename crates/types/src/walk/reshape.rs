//! Shape casts: the same elements with their axes in another order, or in another shape.

use neuro_db::codes;
use neuro_hir::{Expr, ExprId};

use super::Context;
use super::axes::axis_words;
use super::method::MethodCall;
use super::named::Takes;
use crate::{Dim, Extent, Finding, Place, Shape, TensorTy, Ty};

/// An extent of the list of `.reshape`.
enum Wanted {
    Extent(Extent),
    /// `-1`: what is left.
    Rest,
}

impl Context<'_> {
    /// `.permute([..])`
    pub(super) fn permute(&mut self, method: &MethodCall<'_>, tensor: &TensorTy) -> Ty {
        let Some(list) = self.one_list(method, "permute") else { return Ty::Error };
        if self.dynamic_axis(Place::Head(method.call), "`.permute()`", tensor) {
            if let Expr::Array(_) = self.expr(list) {
                self.infer_array_entry(list);
            }
            return Ty::Error;
        }
        let Some(axes) = self.axis_list(list, tensor, ".permute(..)") else { return Ty::Error };
        let rank = tensor.shape.rank();
        if let Some(missing) = (0..rank).find(|axis| !axes.iter().any(|(found, _)| found == axis)) {
            return self.refuse(
                Finding::new(
                    codes::INDEX,
                    Place::Expr(list),
                    format!("axis {} of `{tensor}` is missing", axis_words(tensor, missing)),
                )
                .note("`.permute` takes each axis once"),
            );
        }
        let order: Vec<usize> = axes.iter().map(|(axis, _)| *axis).collect();
        let dims = order.iter().filter_map(|axis| tensor.shape.dims().get(*axis)).cloned();
        let shape = Shape::of(dims);
        self.axes.insert(method.call, order);
        Ty::Tensor(TensorTy { elem: tensor.elem, shape })
    }

    /// `.reshape([..])`
    pub(super) fn reshape(&mut self, method: &MethodCall<'_>, tensor: &TensorTy) -> Ty {
        let Some(list) = self.one_list(method, "reshape") else { return Ty::Error };
        if self.dynamic_axis(Place::Head(method.call), "`.reshape()`", tensor) {
            if let Expr::Array(_) = self.expr(list) {
                self.infer_array_entry(list);
            }
            return Ty::Error;
        }
        let Expr::Array(entries) = self.expr(list) else {
            self.infer(list, None);
            return self.refuse(Finding::new(
                codes::MISMATCH,
                Place::Expr(list),
                "`.reshape(..)` takes a list of extents in brackets, as in `[3, -1]`",
            ));
        };
        self.record(list, Ty::Void);
        let mut wanted = Vec::new();
        let mut rest: Option<ExprId> = None;
        let mut wrong = false;
        for entry in entries {
            match self.extent_entry(*entry) {
                Some(Wanted::Rest) if rest.is_some() => {
                    let first = rest.unwrap_or(*entry);
                    self.report(
                        Finding::new(
                            codes::SHAPE,
                            Place::Expr(*entry),
                            "only one extent can be what is left: `-1` stands once",
                        )
                        .related(Place::Expr(first), "it stands here"),
                    );
                    wrong = true;
                }
                Some(Wanted::Rest) => {
                    rest = Some(*entry);
                    wanted.push(None);
                }
                Some(Wanted::Extent(extent)) => wanted.push(Some(extent)),
                None => wrong = true,
            }
        }
        let Some(total) = tensor.shape.size().filter(|_| !wrong) else { return Ty::Error };
        let product = wanted
            .iter()
            .flatten()
            .try_fold(Extent::Known(1), |product, extent| product.times(extent));
        let Some(product) = product else { return Ty::Error };
        let left = match rest {
            None if product == total => Extent::Known(1),
            None => {
                let finding = self.other_count(list, tensor, &total, &product);
                return self.refuse(finding);
            }
            Some(_) => match total.divided_by(&product) {
                Some(left) => left,
                None => {
                    return self.refuse(Finding::new(
                        codes::SHAPE,
                        Place::Expr(list),
                        format!(
                            "`{tensor}` has {total} elements, and the extents beside `-1` make {product}, of which {total} is no multiple"
                        ),
                    ));
                }
            },
        };
        let dims =
            wanted.into_iter().map(|extent| Dim::new(extent.unwrap_or_else(|| left.clone())));
        Ty::Tensor(TensorTy { elem: tensor.elem, shape: Shape::of(dims) })
    }

    fn other_count(
        &self,
        list: ExprId,
        tensor: &TensorTy,
        total: &Extent,
        product: &Extent,
    ) -> Finding {
        let finding = Finding::new(
            codes::SHAPE,
            Place::Expr(list),
            format!("`{tensor}` has {total} elements, and this shape has {product}"),
        );
        match (total.known(), product.known()) {
            (Some(_), Some(_)) => finding,
            _ => finding.note("a generic function is checked for all extents at once: the two are not the same number for all of them"),
        }
    }

    /// An extent of the list of `.reshape`; none after a report.
    fn extent_entry(&mut self, entry: ExprId) -> Option<Wanted> {
        if !self.position(entry) {
            return None;
        }
        self.absorbed(&self.type_of(entry)).is_none().then_some(())?;
        let place = Place::Expr(entry);
        let Some(sum) = self.sum_of(entry).ok().filter(|sum| !sum.is_dynamic()) else {
            self.report(
                Finding::new(
                    codes::SHAPE,
                    place,
                    "an extent is known while compiling, and this is not",
                )
                .note("it is made of literals, constants and constant parameters"),
            );
            return None;
        };
        match sum.constant() {
            Some(-1) => return Some(Wanted::Rest),
            Some(value) if value < 0 => {
                let message = format!(
                    "an extent is an integer from 0 up, or `-1` for what is left, not {value}"
                );
                self.report(Finding::new(codes::SHAPE, place, message));
                return None;
            }
            _ => {}
        }
        sum.extent().map(Wanted::Extent)
    }

    /// `.flatten()` and `.flatten(dims: [..])`
    pub(super) fn flatten(&mut self, method: &MethodCall<'_>, tensor: &TensorTy) -> Ty {
        let takes = Takes { plain: &[], labels: &["dims"] };
        let Some(given) = self.named_arguments(method.call, ".flatten()", takes, method.args)
        else {
            return Ty::Error;
        };
        if self.dynamic_axis(Place::Head(method.call), "`.flatten()`", tensor) {
            return Ty::Error;
        }
        let dims = tensor.shape.dims();
        let (first, last) = match given.get("dims") {
            None => (0, dims.len()),
            Some(list) => {
                let Some(axes) = self.axis_list(list, tensor, ".flatten(dims:)") else {
                    return Ty::Error;
                };
                let run: Vec<usize> = axes.iter().map(|(axis, _)| *axis).collect();
                let Some((first, last)) = run.first().copied().zip(run.last().copied()) else {
                    return self.refuse(Finding::new(
                        codes::SHAPE,
                        Place::Expr(list),
                        "`dims:` lists no axis",
                    ));
                };
                let odd = axes.windows(2).find(|pair| match pair {
                    [(a, _), (b, _)] => a + 1 != *b,
                    _ => false,
                });
                if let Some([(a, _), (b, entry)]) = odd {
                    let (a, b) = (axis_words(tensor, *a), axis_words(tensor, *b));
                    return self.refuse(
                        Finding::new(
                            codes::SHAPE,
                            Place::Expr(*entry),
                            format!("axis {b} of `{tensor}` does not follow axis {a}"),
                        )
                        .note(
                            "`.flatten` merges neighbours, in their order; `.permute` moves axes",
                        ),
                    );
                }
                self.axes.insert(method.call, run);
                (first, last + 1)
            }
        };
        let merged = Shape::of(dims.get(first..last).unwrap_or_default().iter().cloned()).size();
        let Some(merged) = merged else { return Ty::Error };
        let mut result: Vec<Dim> = dims.get(..first).unwrap_or_default().to_vec();
        result.push(Dim::new(merged));
        result.extend(dims.get(last..).unwrap_or_default().iter().cloned());
        Ty::Tensor(TensorTy { elem: tensor.elem, shape: Shape::of(result) })
    }

    /// The only argument of a method that takes a list.
    fn one_list(&mut self, method: &MethodCall<'_>, name: &str) -> Option<ExprId> {
        let shown = format!(".{name}(..)");
        let takes = Takes { plain: &["list"], labels: &[] };
        let given = self.named_arguments(method.call, &shown, takes, method.args)?;
        given.plain.first().copied()
    }
}
