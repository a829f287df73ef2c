//! Types.

mod def;
mod display;
mod fold;
mod shape;
mod subst;

use std::sync::Arc;

use neuro_num::DType;

pub use def::{
    AssocTy, Bound, Collection, Def, DefKind, FnTy, GenericArg, OpaqueTy, Param, TraitDef,
};
pub(crate) use fold::Fold;
pub use shape::{Dim, Extent, ExtentVar, Formula, Shape};

/// A type. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ty {
    /// The type of what is wrong; it agrees with everything, so that one mistake is reported once.
    #[default]
    Error,
    /// The type of what never gives a value: `return`, `panic(..)`.
    Never,
    /// The type of what gives nothing.
    Void,
    /// A number or truth value.
    Scalar(DType),
    /// `char`.
    Char,
    /// `string`.
    Text,
    /// `Tensor<E, [..]>`.
    Tensor(TensorTy),
    /// `SparseTensor<E, [..], [..]>`.
    Sparse(Arc<SparseTy>),
    /// `&T` or `&mut T`.
    Ref {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The referent.
        inner: Arc<Ty>,
    },
    /// `(A, B)`, of at least two parts.
    Tuple(Arc<[Ty]>),
    /// `[T; N]`.
    Array {
        /// The element type.
        elem: Arc<Ty>,
        /// The number of elements.
        len: Extent,
    },
    /// `[T]`, behind a reference only.
    Slice(Arc<Ty>),
    /// `(A) -> R`: a function, a closure, a composition.
    Fn(Arc<FnTy>),
    /// A struct, enum or newtype of the program or the prelude.
    Adt {
        /// Which one.
        def: Def,
        /// What it is applied to, one for each of its parameters.
        args: Arc<[GenericArg]>,
    },
    /// A collection of the language.
    Collection {
        /// Which one.
        kind: Collection,
        /// What it is applied to.
        args: Arc<[Ty]>,
    },
    /// A type parameter of the item around.
    Param(Param),
    /// An associated type of a type that is not known.
    Assoc(Arc<AssocTy>),
    /// `dyn Trait`, behind a reference only.
    Dyn(Arc<Bound>),
    /// What a function declares to return as `impl Trait`.
    Opaque(Arc<OpaqueTy>),
    /// Not known yet. Never outside inference.
    Var(TyVar),
}

/// Names a type that inference has not found yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TyVar {
    pub(crate) id: u32,
    pub(crate) kind: VarKind,
}

impl TyVar {
    /// Whether it is the type of an integer literal.
    pub(crate) fn is_int(self) -> bool {
        self.kind == VarKind::Int
    }

    /// Whether it is the type of a float literal.
    pub(crate) fn is_float(self) -> bool {
        self.kind == VarKind::Float
    }
}

/// What an unknown type can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum VarKind {
    /// Any type.
    General,
    /// An integer type: that of a literal.
    Int,
    /// A float type: that of a literal.
    Float,
}

/// A tensor's type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TensorTy {
    /// The element type.
    pub elem: DType,
    /// The extents.
    pub shape: Shape,
}

/// The type of a sparse tensor: which entries it has is no part of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SparseTy {
    /// The element type.
    pub elem: DType,
    /// The axes of the rows.
    pub rows: Shape,
    /// The axes of the columns.
    pub cols: Shape,
}

impl SparseTy {
    /// The type with its zeros.
    pub fn dense(&self) -> TensorTy {
        TensorTy { elem: self.elem, shape: self.rows.join(&self.cols) }
    }
}

impl Ty {
    /// A tensor type of known extents.
    pub fn tensor(elem: DType, extents: impl AsRef<[u64]>) -> Self {
        Ty::Tensor(TensorTy { elem, shape: Shape::new(extents) })
    }

    /// A reference to this type.
    pub fn reference(self, mutable: bool) -> Self {
        Ty::Ref { mutable, inner: Arc::new(self) }
    }

    /// `bool`.
    pub const BOOL: Ty = Ty::Scalar(DType::Bool);

    /// Whether something is wrong in the type, which is told where it is written or found.
    pub fn is_wrong(&self) -> bool {
        self.any(&mut |part| *part == Ty::Error)
    }

    /// The type behind every reference.
    pub fn peeled(&self) -> &Ty {
        match self {
            Ty::Ref { inner, .. } => inner.peeled(),
            other => other,
        }
    }

    /// The tensor type behind every reference.
    pub fn as_tensor(&self) -> Option<&TensorTy> {
        match self.peeled() {
            Ty::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// The scalar type behind every reference.
    pub fn as_scalar(&self) -> Option<DType> {
        match self.peeled() {
            Ty::Scalar(dtype) => Some(*dtype),
            _ => None,
        }
    }

    /// Whether a use copies the value, as far as the type itself says it; everything else moves. `&mut`
    /// moves, except where it is reborrowed. A struct, an enum or a newtype counts as moving here: whether
    /// it is copied is said by its declaration.
    pub fn is_copy(&self) -> bool {
        match self {
            Ty::Tensor(_)
            | Ty::Sparse(_)
            | Ty::Text
            | Ty::Ref { mutable: true, .. }
            | Ty::Slice(_)
            | Ty::Adt { .. }
            | Ty::Collection { .. }
            | Ty::Param(_)
            | Ty::Assoc(_)
            | Ty::Dyn(_)
            | Ty::Opaque(_) => false,
            Ty::Tuple(parts) => parts.iter().all(Ty::is_copy),
            Ty::Array { elem, .. } => elem.is_copy(),
            Ty::Error
            | Ty::Never
            | Ty::Void
            | Ty::Scalar(_)
            | Ty::Char
            | Ty::Fn(_)
            | Ty::Var(_)
            | Ty::Ref { mutable: false, .. } => true,
        }
    }
}
