//! Going through a type: rebuilding it with parts replaced.

use std::sync::Arc;

use crate::{AssocTy, Bound, Extent, FnTy, GenericArg, OpaqueTy, Shape, SparseTy, TensorTy, Ty};

/// What replaces parts of a type.
pub(crate) trait Fold {
    /// The replacement of a type; none to go into its parts.
    fn ty(&mut self, ty: &Ty) -> Option<Ty>;
    /// The replacement of an extent.
    fn extent(&mut self, extent: &Extent) -> Extent;
}

impl Ty {
    /// The type with its parts replaced. What contains nothing that could be replaced is shared.
    pub(crate) fn fold(&self, by: &mut dyn Fold) -> Ty {
        if let Some(ty) = by.ty(self) {
            return ty;
        }
        match self {
            Ty::Error
            | Ty::Never
            | Ty::Void
            | Ty::Scalar(_)
            | Ty::Char
            | Ty::Text
            | Ty::Param(_)
            | Ty::Var(_) => self.clone(),
            Ty::Tensor(tensor) => {
                Ty::Tensor(TensorTy { elem: tensor.elem, shape: tensor.shape.fold(by) })
            }
            Ty::Sparse(sparse) => Ty::Sparse(Arc::new(SparseTy {
                elem: sparse.elem,
                rows: sparse.rows.fold(by),
                cols: sparse.cols.fold(by),
            })),
            Ty::Ref { mutable, inner } => {
                Ty::Ref { mutable: *mutable, inner: Arc::new(inner.fold(by)) }
            }
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| part.fold(by)).collect()),
            Ty::Array { elem, len } => {
                Ty::Array { elem: Arc::new(elem.fold(by)), len: by.extent(len) }
            }
            Ty::Slice(elem) => Ty::Slice(Arc::new(elem.fold(by))),
            Ty::Fn(function) => Ty::Fn(Arc::new(FnTy {
                params: function.params.iter().map(|param| param.fold(by)).collect(),
                ret: function.ret.fold(by),
            })),
            Ty::Adt { def, args } => Ty::Adt { def: def.clone(), args: fold_args(args, by) },
            Ty::Collection { kind, args } => {
                Ty::Collection { kind: *kind, args: args.iter().map(|arg| arg.fold(by)).collect() }
            }
            Ty::Assoc(assoc) => Ty::Assoc(Arc::new(AssocTy {
                of: assoc.of.fold(by),
                of_trait: assoc.of_trait.clone(),
                name: assoc.name.clone(),
            })),
            Ty::Dyn(bound) => Ty::Dyn(Arc::new(bound.fold(by))),
            Ty::Opaque(opaque) => Ty::Opaque(Arc::new(OpaqueTy {
                function: opaque.function.clone(),
                file: opaque.file,
                args: fold_args(&opaque.args, by),
                bounds: opaque.bounds.iter().map(|bound| bound.fold(by)).collect(),
            })),
        }
    }

    /// Whether a part of the type satisfies `test`; the type itself is a part.
    pub fn any(&self, test: &mut dyn FnMut(&Ty) -> bool) -> bool {
        struct Search<'a> {
            test: &'a mut dyn FnMut(&Ty) -> bool,
            found: bool,
        }
        impl Fold for Search<'_> {
            fn ty(&mut self, ty: &Ty) -> Option<Ty> {
                self.found = self.found || (self.test)(ty);
                self.found.then_some(Ty::Error)
            }
            fn extent(&mut self, extent: &Extent) -> Extent {
                extent.clone()
            }
        }
        let mut search = Search { test, found: false };
        self.fold(&mut search);
        search.found
    }
}

/// Arguments with their parts replaced.
pub(crate) fn fold_args(args: &[GenericArg], by: &mut dyn Fold) -> Arc<[GenericArg]> {
    args.iter()
        .map(|arg| match arg {
            GenericArg::Type(ty) => GenericArg::Type(ty.fold(by)),
            GenericArg::Const(extent) => GenericArg::Const(by.extent(extent)),
        })
        .collect()
}

impl Shape {
    pub(crate) fn fold(&self, by: &mut dyn Fold) -> Shape {
        Shape::of(
            self.dims()
                .iter()
                .map(|dim| crate::Dim { name: dim.name.clone(), extent: by.extent(&dim.extent) }),
        )
    }
}

impl Bound {
    pub(crate) fn fold(&self, by: &mut dyn Fold) -> Bound {
        Bound {
            of_trait: self.of_trait.clone(),
            assoc: self.assoc.iter().map(|(name, ty)| (name.clone(), ty.fold(by))).collect(),
        }
    }
}
