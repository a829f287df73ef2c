//! Where the parts of a value lie: the size and alignment of every type, and the offsets of its parts.
//!
//! Parts lie in the order of their declaration, each at the next address that its type allows. Nobody outside of
//! compiled code sees this layout.

use cranelift_codegen::ir::Type;
use neuro_db::Db;
use neuro_mir::{is_view, parts, variants};
use neuro_types::{Collection, Ty};

use crate::abi::value_type;

/// How values of a type are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repr {
    /// There is nothing to keep.
    Nothing,
    /// In a register.
    Register(Type),
    /// In memory; where a value is passed or given, that is its address.
    Memory(Layout),
}

/// The room that a value takes, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) size: u64,
    /// A power of two.
    pub(crate) align: u64,
}

impl Layout {
    const NOTHING: Layout = Layout { size: 0, align: 1 };
}

/// The number of the variant, at the start of an enum. What the variant holds follows it, so that bytes of zero are
/// a first variant that holds nothing.
const TAG: Layout = Layout { size: 4, align: 4 };

/// A value of two words: an address and what belongs to it.
pub(crate) const PAIR: Layout = Layout { size: 16, align: 8 };

/// The header of a vector: the address of its elements, how many there are, and for how many there is room.
const VEC: Layout = Layout { size: 24, align: 8 };

/// A map: its address, or nothing.
const MAP: Layout = Layout { size: 8, align: 8 };

/// Where the second word of a pair is, and the number of elements in the header of a vector.
pub(crate) const LENGTH_OFFSET: i32 = 8;

/// Where the header of a vector says for how many elements there is room.
pub(crate) const ROOM_OFFSET: i32 = 16;

/// Whether a value of a type is two words that own nothing. A place of such a type need not be memory.
pub(crate) fn is_pair(ty: &Ty) -> bool {
    matches!(ty, Ty::Ref { inner, .. } if matches!(**inner, Ty::Slice(_)))
}

/// Whether a value of a type is the address and the number of bytes of a text: a text or what grows into one, a view of
/// one. It always lies in memory.
pub(crate) fn is_text(ty: &Ty) -> bool {
    match ty {
        Ty::Text => true,
        Ty::Collection { kind, .. } => match kind {
            Collection::StringBuilder | Collection::Chars => true,
            Collection::Vec | Collection::HashMap | Collection::BTreeMap => false,
        },
        Ty::Ref { .. } => is_view(ty),
        Ty::Error
        | Ty::Never
        | Ty::Void
        | Ty::Scalar(_)
        | Ty::Char
        | Ty::Tensor(_)
        | Ty::Tuple(_)
        | Ty::Array { .. }
        | Ty::Slice(_)
        | Ty::Fn(_)
        | Ty::Adt { .. }
        | Ty::Param(_)
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Sparse(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => false,
    }
}

/// How values of a type are kept.
pub(crate) fn repr(db: &dyn Db, ty: &Ty) -> Repr {
    if let Some(register) = value_type(ty) {
        return Repr::Register(register);
    }
    if is_text(ty) {
        return Repr::Memory(PAIR);
    }
    match ty {
        Ty::Tuple(_) | Ty::Array { .. } | Ty::Adt { .. } => Repr::Memory(layout(db, ty)),
        Ty::Ref { .. } => Repr::Memory(PAIR),
        Ty::Collection { kind: Collection::Vec, .. } => Repr::Memory(VEC),
        Ty::Collection { kind: Collection::HashMap | Collection::BTreeMap, .. } => {
            Repr::Memory(MAP)
        }
        Ty::Error
        | Ty::Never
        | Ty::Void
        | Ty::Scalar(_)
        | Ty::Char
        | Ty::Text
        | Ty::Tensor(_)
        | Ty::Slice(_)
        | Ty::Fn(_)
        | Ty::Collection { .. }
        | Ty::Sparse(_)
        | Ty::Param(_)
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => Repr::Nothing,
    }
}

/// The room that a value of a type takes. Saturates.
pub(crate) fn layout(db: &dyn Db, ty: &Ty) -> Layout {
    if let Some(register) = value_type(ty) {
        let size = u64::from(register.bytes());
        return Layout { size, align: size };
    }
    if is_text(ty) {
        return PAIR;
    }
    match ty {
        Ty::Ref { .. } => return PAIR,
        Ty::Collection { kind: Collection::Vec, .. } => return VEC,
        Ty::Collection { kind: Collection::HashMap | Collection::BTreeMap, .. } => return MAP,
        _ => {}
    }
    if let Ty::Array { elem, len } = ty {
        let element = layout(db, elem);
        let size = element.size.saturating_mul(len.known().unwrap_or(0));
        return Layout { size, align: element.align };
    }
    if let Some(all) = variants(db, ty) {
        let mut whole = TAG;
        for payload in all {
            let (end, align) = sequence(db, &payload, TAG, &mut |_, _| {});
            whole = Layout { size: whole.size.max(end), align: whole.align.max(align) };
        }
        return Layout { size: round_up(whole.size, whole.align), align: whole.align };
    }
    let start = Layout::NOTHING;
    let (size, align) = sequence(db, &parts(db, ty).unwrap_or_default(), start, &mut |_, _| {});
    Layout { size: round_up(size, align), align }
}

/// The offset of a part of a struct, tuple or newtype.
pub(crate) fn offset(db: &dyn Db, ty: &Ty, index: u32) -> u64 {
    offsets(db, ty).get(index as usize).map_or(0, |(offset, _)| *offset)
}

/// The offset and type of each part of a struct, tuple or newtype.
pub(crate) fn offsets(db: &dyn Db, ty: &Ty) -> Vec<(u64, Ty)> {
    let all = parts(db, ty).unwrap_or_default();
    let mut found = Vec::with_capacity(all.len());
    sequence(db, &all, Layout::NOTHING, &mut |offset, part| found.push((offset, part.clone())));
    found
}

/// The offset and type of each part that a variant of an enum holds.
pub(crate) fn payload_offsets(db: &dyn Db, ty: &Ty, variant: u32) -> Vec<(u64, Ty)> {
    let all = variants(db, ty).unwrap_or_default();
    let Some(payload) = all.get(variant as usize) else { return Vec::new() };
    let mut found = Vec::with_capacity(payload.len());
    sequence(db, payload, TAG, &mut |offset, part| found.push((offset, part.clone())));
    found
}

/// Lays parts out one after another behind a start; gives the end of the last one and the alignment of all.
fn sequence(db: &dyn Db, all: &[Ty], start: Layout, found: &mut dyn FnMut(u64, &Ty)) -> (u64, u64) {
    let mut whole = start;
    for part in all {
        let Layout { size, align } = layout(db, part);
        let start = round_up(whole.size, align);
        found(start, part);
        whole = Layout { size: start.saturating_add(size), align: whole.align.max(align) };
    }
    (whole.size, whole.align)
}

fn round_up(size: u64, align: u64) -> u64 {
    size.checked_next_multiple_of(align).unwrap_or(u64::MAX)
}
