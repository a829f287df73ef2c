//! Types as written.

use neuro_db::Name;

/// A type as written, not yet checked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeRef {
    /// A syntax error stands here; nothing more is said about it.
    Error,
    /// A plain name, as `f32`.
    Name(Name),
    /// `&T` or `&mut T`.
    Ref {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The referent.
        inner: Box<TypeRef>,
    },
    /// `Tensor<E, [..]>`: any name applied to an element type and a shape.
    Tensor {
        /// The element type.
        elem: Box<TypeRef>,
        /// The axes.
        dims: Vec<DimRef>,
    },
    /// `[T; N]`.
    Array {
        /// The element type.
        elem: Box<TypeRef>,
        /// The length as written.
        len: Extent,
    },
    /// Any other type of the language, as written: refused where it is used.
    Unsupported(String),
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
    /// A constant or a shape parameter.
    Name(Name),
    /// `?`.
    Dynamic,
    /// A syntax error stands here.
    Error,
}
