//! The memory of vectors.
//!
//! A vector is three words: the address of its elements, how many there are, and for how many there is room. All
//! zero is an empty one that has no memory. Generated code reads and writes the elements itself.

use std::alloc::Layout;

use crate::block::{born, died};
use crate::memory::{alloc, dealloc, realloc};
use crate::panics;

/// The header of a vector.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Vector {
    address: *mut u8,
    length: u64,
    room: u64,
}

/// The alignment of the elements: that of no type is greater.
const ALIGN: usize = 16;

/// The least memory that is taken, in bytes.
const LEAST: u64 = 64;

fn layout(size: u64, room: u64) -> Layout {
    let bytes = size.checked_mul(room).and_then(|bytes| usize::try_from(bytes).ok());
    let layout = bytes.and_then(|bytes| Layout::from_size_align(bytes, ALIGN).ok());
    layout.unwrap_or_else(|| panics::out_of_memory())
}

/// Makes room for one more element of so many bytes at least.
///
/// # Safety
/// `vector` is the header of a vector whose elements have `size` bytes.
#[unsafe(export_name = "neuro_vec_grow")]
pub(crate) unsafe extern "C" fn vec_grow(vector: *mut Vector, size: u64) {
    // SAFETY: the header is valid, and its memory was given by this function for its room.
    unsafe {
        let Vector { address, room, .. } = vector.read();
        if size == 0 {
            (*vector).address = std::ptr::without_provenance_mut(ALIGN);
            (*vector).room = u64::MAX;
            return;
        }
        let more = room.saturating_mul(2).max(LEAST.div_ceil(size)).max(4);
        let wanted = layout(size, more);
        let address = if room == 0 {
            born();
            alloc(wanted)
        } else {
            realloc(address, layout(size, room), wanted.size())
        };
        if address.is_null() {
            panics::out_of_memory();
        }
        (*vector).address = address;
        (*vector).room = more;
    }
}

/// Releases the memory of a vector, whose elements were dropped, and leaves an empty one.
///
/// # Safety
/// As for [`vec_grow`].
#[unsafe(export_name = "neuro_vec_drop")]
pub(crate) unsafe extern "C" fn vec_drop(vector: *mut Vector, size: u64) {
    // SAFETY: as in `vec_grow`.
    unsafe {
        let Vector { address, room, .. } = vector.replace(Vector::EMPTY);
        if room > 0 && size > 0 {
            dealloc(address, layout(size, room));
            died();
        }
    }
}

impl Vector {
    pub(crate) const EMPTY: Vector = Vector { address: std::ptr::null_mut(), length: 0, room: 0 };

    /// The address of an element of so many bytes.
    pub(crate) fn element(&self, place: u64, size: u64) -> *mut u8 {
        self.address.wrapping_add((place * size) as usize)
    }

    /// The address of a new last element, which is not initialised.
    pub(crate) fn add(&mut self, size: u64) -> *mut u8 {
        if self.length == self.room {
            // SAFETY: this is the header of a vector, whose elements all have this size.
            unsafe { vec_grow(self, size) };
        }
        self.length += 1;
        self.element(self.length - 1, size)
    }

    /// Forgets the elements behind the first so many.
    pub(crate) fn shorten(&mut self, length: u64) {
        self.length = length;
    }
}
