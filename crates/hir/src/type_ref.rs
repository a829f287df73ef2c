//! Types as written.

use neuro_db::Name;

use crate::{LocalId, Path};

/// A type as written, not yet checked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeRef {
    /// A syntax error stands here; nothing more is said about it.
    Error,
    /// A name with its arguments: `f32`, `a::Point`, `Vec<i32>`, `Tensor<f32, [2, 3]>`.
    Path(Path),
    /// `Self`.
    SelfType,
    /// `Self::Item`; the id is that of the whole path.
    SelfAssoc(Path),
    /// `&T` or `&mut T`. A lifetime says nothing that is kept.
    Ref {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The referent.
        inner: Box<TypeRef>,
    },
    /// `[T]`.
    Slice(Box<TypeRef>),
    /// `[T; N]`.
    Array {
        /// The element type.
        elem: Box<TypeRef>,
        /// The length as written.
        len: Extent,
    },
    /// `(A, B)`.
    Tuple(Vec<TypeRef>),
    /// `(A, B) -> R`.
    Fn {
        /// The parameters.
        params: Vec<TypeRef>,
        /// The result.
        ret: Box<TypeRef>,
    },
    /// `dyn Trait`.
    Dyn(Bound),
    /// `impl Trait`.
    Impl(Bound),
}

/// An argument between the angle brackets of a path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeArg {
    /// A type; a bare name may also be a constant or a constant parameter.
    Type(TypeRef),
    /// A constant of the body that the argument stands in.
    Local(LocalId),
    /// An integer, perhaps negative.
    Int(i128),
    /// A shape.
    Shape(Vec<DimRef>),
    /// A lifetime, which says nothing.
    Lifetime,
    /// A syntax error or another literal, already reported.
    Error,
}

/// An axis of a shape as written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DimRef {
    /// The axis name, as `rows` in `[rows: 4]`.
    pub name: Option<Name>,
    /// The extent.
    pub extent: Extent,
}

/// An extent as written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// A number.
    Known(u64),
    /// A constant, a constant parameter or a shape parameter: always one name.
    Name(Path),
    /// A constant of the body that the extent stands in.
    Local(LocalId),
    /// `?`.
    Dynamic,
    /// A syntax error stands here.
    Error,
}

/// A trait as a bound: `Trait`, `Trait<Item = T>`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bound {
    /// The trait.
    pub path: Path,
    /// The associated types that are pinned.
    pub bindings: Vec<(Name, TypeRef)>,
}
