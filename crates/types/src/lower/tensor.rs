//! Tensor types as written.

use neuro_db::{Name, codes};
use neuro_hir::{DimRef, Item, Path, Resolution, TypeArg, TypeRef, resolve_path};
use neuro_num::DType;

use super::{At, Lowering, Problem, Site, Wanted};
use crate::generic_params::GenericKind;
use crate::{Dim, Extent, Shape, SparseTy, TensorTy, Ty};

impl Lowering<'_, '_> {
    /// `Tensor<E, [..]>`.
    pub(super) fn tensor(&mut self, path: &Path, segment: usize) -> Ty {
        let args = path.segments.get(segment).and_then(|part| part.args.as_deref());
        let form = "an element type and a shape, as in `Tensor<f32, [2, 3]>`";
        match args {
            None => self.wrong(
                At::Path(path.id),
                Problem::new(codes::AMBIGUOUS, format!("`Tensor` needs {form}")),
            ),
            Some([TypeArg::Type(elem), TypeArg::Shape(dims)]) => {
                let at = At::Arg(path.id, segment, 0);
                let Some(elem) = self.element(elem, at) else { return Ty::Error };
                self.tensor_of(path, segment, elem, dims)
            }
            Some(args) if args.iter().any(|arg| matches!(arg, TypeArg::Error)) => Ty::Error,
            Some([TypeArg::Type(_), TypeArg::Int(extent)]) => {
                let message = "the shape of a tensor stands in brackets";
                let problem = Problem::new(codes::GENERIC_ARGUMENTS, message);
                self.wrong(At::Arg(path.id, segment, 1), problem.meant(&format!("[{extent}]")))
            }
            Some(_) => self.wrong(
                At::Args(path.id, segment),
                Problem::new(codes::GENERIC_ARGUMENTS, format!("`Tensor` takes {form}")),
            ),
        }
    }

    /// `SparseTensor<E, [..], [..]>`.
    pub(super) fn sparse(&mut self, path: &Path, segment: usize) -> Ty {
        let args = path.segments.get(segment).and_then(|part| part.args.as_deref());
        let form = "an element type and the shapes of rows and columns, as in `SparseTensor<f64, [4], [4]>`";
        match args {
            Some([TypeArg::Type(elem), TypeArg::Shape(rows), TypeArg::Shape(cols)]) => {
                let Some(elem) = self.element(elem, At::Arg(path.id, segment, 0)) else {
                    return Ty::Error;
                };
                let rows = self.shape(path, (segment, 1), rows);
                let cols = self.shape(path, (segment, 2), cols);
                match (rows, cols) {
                    (Some(rows), Some(cols)) => {
                        Ty::Sparse(std::sync::Arc::new(SparseTy { elem, rows, cols }))
                    }
                    _ => Ty::Error,
                }
            }
            Some(args) if args.iter().any(|arg| matches!(arg, TypeArg::Error)) => Ty::Error,
            _ => {
                let at =
                    if args.is_some() { At::Args(path.id, segment) } else { At::Path(path.id) };
                let message = format!("`SparseTensor` needs {form}");
                self.wrong(at, Problem::new(codes::GENERIC_ARGUMENTS, message))
            }
        }
    }

    /// An element type: a number or a truth value.
    fn element(&mut self, elem: &TypeRef, at: At) -> Option<DType> {
        match self.part(elem) {
            Ty::Scalar(dtype) => Some(dtype),
            Ty::Error => None,
            other => {
                let message =
                    format!("the elements of a tensor are numbers or `bool`, not `{other}`");
                self.wrong(at, Problem::new(codes::MISMATCH, message));
                None
            }
        }
    }

    fn tensor_of(&mut self, path: &Path, segment: usize, elem: DType, dims: &[DimRef]) -> Ty {
        let Some(shape) = self.shape(path, (segment, 1), dims) else { return Ty::Error };
        let tensor = TensorTy { elem, shape };
        if !fits_memory(&tensor) {
            let message = format!("`{tensor}` has more elements than memory has addresses");
            return self.wrong(At::Path(path.id), Problem::new(codes::SHAPE, message));
        }
        Ty::Tensor(tensor)
    }

    /// A shape as written; none if something is wrong in it.
    fn shape(
        &mut self,
        path: &Path,
        (segment, arg): (usize, usize),
        dims: &[DimRef],
    ) -> Option<Shape> {
        let mut names: Vec<&Name> = Vec::new();
        let mut lowered = Vec::new();
        let mut wrong = false;
        for (axis, dim) in dims.iter().enumerate() {
            let at = At::Dim(path.id, segment, arg, axis);
            if let Some(name) = &dim.name {
                if names.contains(&name) {
                    let message = format!("two axes of one shape are called `{name}`");
                    self.wrong(at, Problem::new(codes::SHAPE, message));
                    wrong = true;
                }
                names.push(name);
            }
            match self.extent(&dim.extent, at) {
                Some(extent) => lowered.push(Dim { name: dim.name.clone(), extent }),
                None => wrong = true,
            }
        }
        (!wrong).then(|| Shape::of(lowered))
    }

    /// The extent that a name stands for: a constant parameter or a constant.
    pub(super) fn named_extent(&mut self, path: &Path, at: At) -> Option<Extent> {
        if path.is_broken() {
            return None;
        }
        // The length of an array stands alone.
        let at = if at == At::Whole { At::Path(path.id) } else { at };
        if let Some(name) = path.as_name()
            && let Some((param, found)) = self.env.generics.find(name)
        {
            match found.kind {
                GenericKind::Const { .. } => return Some(Extent::Param(param)),
                GenericKind::Type { .. } => {
                    let message = format!("an extent is a number, and `{name}` is a type");
                    let note =
                        format!("a parameter that is a number is declared as `const {name}: u32`");
                    self.wrong(at, Problem::new(codes::MISMATCH, message).note(note));
                    return None;
                }
            }
        }
        let what = match resolve_path(self.env.db, self.env.module, path) {
            Ok(Resolution::Item(Item::Const(constant))) => {
                let constant = crate::const_value(self.env.db, constant);
                let value = constant.value?;
                let Some(number) = value.as_int() else {
                    let message = format!(
                        "an extent is an integer from 0 up, and `{path}` is `{value}` of type `{}`",
                        constant.ty
                    );
                    self.wrong(at, Problem::new(codes::SHAPE, message));
                    return None;
                };
                if number < 0 {
                    let message = format!(
                        "an extent is an integer from 0 up, and `{path}` is `{value}` of type `{}`",
                        constant.ty
                    );
                    self.wrong(at, Problem::new(codes::SHAPE, message));
                    return None;
                }
                return self.number(number, "it", at);
            }
            Ok(Resolution::Unknown) => return None,
            Ok(resolution) => super::kind(resolution),
            Err(reason) => {
                let problem = self.env.unknown(path, &reason, Wanted::Constant);
                self.problems.extend(problem.map(|problem| match path.as_name() {
                    Some(name) if self.env.site == Site::Item && problem.is_bare() => problem.note(
                        format!("a parameter of the type declares it: `<const {name}: u32>`"),
                    ),
                    _ => problem,
                }));
                return None;
            }
        };
        let message = format!("an extent is a number or a constant, and `{path}` is {what}");
        self.wrong(at, Problem::new(codes::MISMATCH, message));
        None
    }
}

/// Whether the elements have addresses, as far as their number is known.
fn fits_memory(tensor: &TensorTy) -> bool {
    let size = tensor.elem.size() as u64;
    let mut known = tensor.shape.dims().iter().filter_map(|dim| dim.extent.known());
    let bytes = known.try_fold(size, |product, extent| product.checked_mul(extent));
    bytes.is_some_and(|bytes| i64::try_from(bytes).is_ok())
}
