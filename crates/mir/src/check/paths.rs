//! How places of one local lie to each other.

use crate::{Place, Projection};

/// Whether two steps from one place lead to places that have nothing in common. Positions that are known only at
/// run time may be any.
fn apart(a: &Projection, b: &Projection) -> bool {
    match (a, b) {
        (Projection::Field { index: a, .. }, Projection::Field { index: b, .. }) => a != b,
        (Projection::Element(a), Projection::Element(b)) => a != b,
        (Projection::Element(at), Projection::Rest(first))
        | (Projection::Rest(first), Projection::Element(at)) => at < first,
        (
            Projection::Payload { variant: a, index: first, .. },
            Projection::Payload { variant: b, index: second, .. },
        ) => (a, first) != (b, second),
        (
            Projection::Deref
            | Projection::Field { .. }
            | Projection::Payload { .. }
            | Projection::Element(_)
            | Projection::Rest(_)
            | Projection::Index(_),
            _,
        ) => false,
    }
}

/// Whether a use of `used` touches what is borrowed: the borrowed place itself, something behind it, or what it
/// is a part of.
pub(super) fn touches(borrowed: &Place, used: &Place) -> bool {
    if borrowed.local != used.local
        || borrowed.projections.iter().zip(&used.projections).any(|(a, b)| apart(a, b))
    {
        return false;
    }
    match borrowed.projections.get(used.projections.len()..) {
        // What is behind a reference is no part of what holds the reference.
        Some(beyond) => !beyond.contains(&Projection::Deref),
        None => true,
    }
}

/// The part of a local that a place is in, as far as it is followed by name: up to the first reference, and up to
/// the first step to more than one part.
pub(super) fn tracked(place: &Place) -> &[Projection] {
    let end = place.projections.iter().position(|projection| match projection {
        Projection::Deref | Projection::Rest(_) | Projection::Index(_) => true,
        Projection::Field { .. } | Projection::Payload { .. } | Projection::Element(_) => false,
    });
    &place.projections[..end.unwrap_or(place.projections.len())]
}
