//! How C passes the values of a type, and how it is given them.

use cranelift_codegen::ir::{Type, types::I32, types::I64};
use neuro_db::Db;
use neuro_mir::has_drop;
use neuro_types::Ty;

use crate::block;
use crate::layout::{self, layout};
use crate::scalar::register_type;

/// How C passes an argument.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Passed {
    /// A number.
    Scalar(Type),
    /// The address of a number.
    Pointer(Type),
    /// The address of the elements of an array, which is where the array is.
    Array,
    /// The address of a tensor's elements.
    Tensor { bytes: u64, access: Access },
    /// Part by part, what lies in a place of so many bytes.
    Place { bytes: u64, access: Access, parts: Vec<Part> },
}

/// What a function may do with what it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    /// It is the function's own.
    Owned,
    /// It is looked at.
    Shared,
    /// It is changed where it is.
    Mutable,
}

/// A part of a value.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Part {
    /// Where it lies in its place.
    pub(super) offset: u64,
    pub(super) kind: Kind,
}

/// What a part is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A number: its value, or its address where it is changed.
    Number(Type),
    /// The elements of an array: their address.
    Elements { bytes: u64 },
    /// The elements of a tensor: their address.
    Tensor { bytes: u64 },
    /// A text, which is copied: its address and its length.
    Text,
    /// What is only referred to, a text or numbers: its address and its length.
    View,
}

/// What C is given back.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Given {
    Nothing,
    Scalar(Type),
    /// Elements, at an address behind all arguments.
    Tensor {
        bytes: u64,
    },
    /// Part by part, each at an address behind all arguments.
    Place {
        bytes: u64,
        parts: Vec<Part>,
    },
}

impl Given {
    /// How many addresses C passes for it.
    pub(super) fn addresses(&self) -> usize {
        match self {
            Given::Nothing | Given::Scalar(_) => 0,
            Given::Tensor { .. } => 1,
            Given::Place { parts, .. } => {
                parts.iter().map(|part| if part.kind == Kind::Text { 2 } else { 1 }).sum()
            }
        }
    }
}

impl Passed {
    /// The types of what C passes for it.
    pub(super) fn registers(&self) -> Vec<Type> {
        match self {
            Passed::Scalar(register) => vec![*register],
            Passed::Pointer(_) | Passed::Array | Passed::Tensor { .. } => vec![I64],
            Passed::Place { access, parts, .. } => parts
                .iter()
                .flat_map(|part| match part.kind {
                    Kind::Number(_) if *access == Access::Mutable => vec![I64],
                    Kind::Number(register) => vec![register],
                    Kind::Elements { .. } | Kind::Tensor { .. } => vec![I64],
                    Kind::Text | Kind::View => vec![I64, I64],
                })
                .collect(),
        }
    }

    /// Whether it fits a slot of eight bytes.
    pub(super) fn fits_slot(&self) -> bool {
        match self {
            Passed::Scalar(_) | Passed::Pointer(_) | Passed::Tensor { .. } => true,
            Passed::Array | Passed::Place { .. } => false,
        }
    }
}

/// Numbers that C has.
fn number(ty: &Ty) -> Option<Type> {
    if *ty == Ty::Char {
        return Some(I32);
    }
    let dtype = ty.as_scalar().filter(|dtype| !dtype.is_half())?;
    Some(register_type(dtype))
}

/// Bytes of a tensor whose shape is known and whose elements C has.
fn tensor_bytes(ty: &Ty) -> Option<u64> {
    let Ty::Tensor(tensor) = ty else { return None };
    number(&Ty::Scalar(tensor.elem))?;
    tensor.shape.known()?;
    Some(block::bytes_of(tensor))
}

/// Whether a type is that of arrays of numbers, also in several layers.
fn is_numbers(ty: &Ty) -> bool {
    match ty {
        Ty::Array { elem, len } => {
            len.known().is_some() && (number(elem).is_some() || is_numbers(elem))
        }
        _ => false,
    }
}

/// Whether a reference is two words: to a text, or to a row of numbers.
fn is_view(inner: &Ty) -> bool {
    match inner {
        Ty::Text => true,
        Ty::Slice(elem) => number(elem).is_some() || is_numbers(elem),
        _ => false,
    }
}

/// How C passes a value of a type; none if it cannot.
pub(super) fn passed(db: &dyn Db, ty: &Ty) -> Option<Passed> {
    let (access, inner) = match ty {
        Ty::Ref { inner, .. } if is_view(inner) => (Access::Shared, ty),
        Ty::Ref { mutable: true, inner } => (Access::Mutable, &**inner),
        Ty::Ref { inner, .. } => (Access::Shared, &**inner),
        _ => (Access::Owned, ty),
    };
    match number(inner) {
        Some(register) if access == Access::Owned => return Some(Passed::Scalar(register)),
        Some(register) => return Some(Passed::Pointer(register)),
        None => {}
    }
    if is_numbers(inner) {
        return Some(Passed::Array);
    }
    if let Some(bytes) = tensor_bytes(inner) {
        return Some(Passed::Tensor { bytes, access });
    }
    let mut parts = Vec::new();
    flatten(db, inner, 0, &mut parts)?;
    // What a text becomes has no place in C.
    let changes = parts.iter().any(|part| matches!(part.kind, Kind::Text | Kind::View));
    if access == Access::Mutable && changes {
        return None;
    }
    Some(Passed::Place { bytes: layout(db, inner).size, access, parts })
}

/// How C is given a value of a type; none if it cannot be.
pub(super) fn given(db: &dyn Db, ty: &Ty) -> Option<Given> {
    if *ty == Ty::Void {
        return Some(Given::Nothing);
    }
    if let Some(register) = number(ty) {
        return Some(Given::Scalar(register));
    }
    if let Some(bytes) = tensor_bytes(ty) {
        return Some(Given::Tensor { bytes });
    }
    let mut parts = Vec::new();
    flatten(db, ty, 0, &mut parts)?;
    // What a view refers to may be gone.
    let kept = parts.iter().all(|part| part.kind != Kind::View);
    kept.then(|| Given::Place { bytes: layout(db, ty).size, parts })
}

/// The parts of a value that lies at an offset, in the order of their declaration; none where one has no counterpart in
/// C, or where something of the program runs when the value ends.
fn flatten(db: &dyn Db, ty: &Ty, offset: u64, parts: &mut Vec<Part>) -> Option<()> {
    let kind = match ty {
        Ty::Text => Some(Kind::Text),
        Ty::Ref { mutable: false, inner } if is_view(inner) => Some(Kind::View),
        Ty::Ref { mutable: true, inner } if matches!(**inner, Ty::Slice(_)) && is_view(inner) => {
            Some(Kind::View)
        }
        _ if is_numbers(ty) => Some(Kind::Elements { bytes: layout(db, ty).size }),
        _ => number(ty)
            .map(Kind::Number)
            .or_else(|| tensor_bytes(ty).map(|bytes| Kind::Tensor { bytes })),
    };
    if let Some(kind) = kind {
        parts.push(Part { offset, kind });
        return Some(());
    }
    if has_drop(db, ty) {
        return None;
    }
    neuro_mir::parts(db, ty)?;
    for (at, part) in layout::offsets(db, ty) {
        flatten(db, &part, offset + at, parts)?;
    }
    Some(())
}
