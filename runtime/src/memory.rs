//! Where compiled programs take their memory: the system's allocator.
//!
//! The compiler around a program may use another one, which takes address space ahead of its needs. A limit
//! on a program's memory counts from what its process has, so it would not hold.

use std::alloc::{GlobalAlloc, Layout, System};

/// Memory for a layout of at least one byte, uninitialised; null when there is none.
///
/// # Safety
/// As for [`GlobalAlloc::alloc`].
pub(crate) unsafe fn alloc(layout: Layout) -> *mut u8 {
    // SAFETY: the caller's promise is the one asked for.
    unsafe { System.alloc(layout) }
}

/// Gives memory back.
///
/// # Safety
/// As for [`GlobalAlloc::dealloc`]; the memory comes from [`alloc`] or [`realloc`].
pub(crate) unsafe fn dealloc(start: *mut u8, layout: Layout) {
    // SAFETY: the caller's promise is the one asked for.
    unsafe { System.dealloc(start, layout) }
}

/// Memory of another size with the same content; null when there is none, and the old memory stays.
///
/// # Safety
/// As for [`GlobalAlloc::realloc`]; the memory comes from [`alloc`] or [`realloc`].
pub(crate) unsafe fn realloc(start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
    // SAFETY: the caller's promise is the one asked for.
    unsafe { System.realloc(start, layout, size) }
}
