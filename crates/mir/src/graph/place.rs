//! Places: where values are, and how parts of them are found.

use neuro_types::{Extent, Ty};

use super::LocalId;

/// A place: a local, a part of it, or what it refers to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The local.
    pub local: LocalId,
    /// How to go on from there.
    pub projections: Vec<Projection>,
}

/// A step from a place to a place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Projection {
    /// To what a reference refers to.
    Deref,
    /// To a field of a struct, an element of a tuple, or what a newtype wraps.
    Field {
        /// Which one, in the order of the declaration.
        index: u32,
        /// Its type.
        ty: Ty,
    },
    /// To what a variant holds; only where a value is known to be of that variant.
    Payload {
        /// The variant, in the order of the declaration.
        variant: u32,
        /// Which of its parts.
        index: u32,
        /// Its type.
        ty: Ty,
    },
    /// To the element of an array at a known position, which is inside.
    Element(u64),
    /// To the elements of an array from a known position on, an array of fewer; they are only lent.
    Rest(u64),
    /// To the element of an array, slice or vector at the position in a local of type `u64`; a
    /// [`StatementKind::Bounds`](super::StatementKind::Bounds) precedes. To the value of a map
    /// where [`CollectionOp::Find`](super::CollectionOp::Find) says that it is.
    Index(LocalId),
}

impl Place {
    /// The place of a local.
    pub fn local(local: LocalId) -> Self {
        Self { local, projections: Vec::new() }
    }

    /// What the reference in this place refers to.
    #[must_use]
    pub fn deref(mut self) -> Self {
        self.projections.push(Projection::Deref);
        self
    }

    /// A part of what this place holds.
    #[must_use]
    pub fn part(mut self, projection: Projection) -> Self {
        self.projections.push(projection);
        self
    }

    /// Whether the place is behind a reference.
    pub fn is_behind_reference(&self) -> bool {
        self.projections.contains(&Projection::Deref)
    }
}

/// The type of what a step from a place of type `ty` leads to.
pub(crate) fn projected(ty: &Ty, projection: &Projection) -> Ty {
    match (projection, ty) {
        (Projection::Deref, Ty::Ref { inner, .. }) => (**inner).clone(),
        (Projection::Field { ty, .. } | Projection::Payload { ty, .. }, _) => ty.clone(),
        (Projection::Element(_) | Projection::Index(_), Ty::Array { elem, .. })
        | (Projection::Index(_), Ty::Slice(elem)) => (**elem).clone(),
        (Projection::Rest(first), Ty::Array { elem, len }) => {
            let left = len.known().map(|len| Extent::Known(len.saturating_sub(*first)));
            Ty::Array { elem: elem.clone(), len: left.unwrap_or_else(|| len.clone()) }
        }
        (Projection::Index(_), Ty::Collection { args, .. }) => {
            args.last().cloned().unwrap_or_default()
        }
        (
            Projection::Deref | Projection::Element(_) | Projection::Rest(_) | Projection::Index(_),
            _,
        ) => Ty::Error,
    }
}
