//! The history of a sweep: a stack of frames in one piece of memory, which grows by doubling. What a loop keeps of its
//! iterations is there until the reverse sweep takes it back.
//!
//! Its header lies at the start of the residual block, where generated code moves the top itself; the memory is used
//! again by the next sweep of the thread.

use std::alloc::Layout;
use std::cell::RefCell;

use crate::chunks::ALIGN;
use crate::memory::{alloc, dealloc, realloc};
use crate::panics;

/// Bytes of a header in the residual block.
pub const HISTORY_HEADER: u64 = 64;
/// Where in the header the address above the last frame is.
pub const HISTORY_TOP: i32 = 0;
/// Where in the header the address above the memory is.
pub const HISTORY_END: i32 = 8;

/// Bytes of a history when its first frame is pushed.
const FIRST: usize = 64 << 10;
/// The number of histories whose memory is kept for the next sweeps.
const SPARE: usize = 4;

/// What generated code and this module know of a history.
#[repr(C)]
pub(crate) struct Header {
    top: *mut u8,
    end: *mut u8,
    start: *mut u8,
}

#[derive(Default)]
struct Spare(Vec<(*mut u8, usize)>);

thread_local! {
    static SPARE_MEMORY: RefCell<Spare> = RefCell::default();
}

/// Makes an empty history.
///
/// # Safety
/// `header` has room for [`HISTORY_HEADER`] bytes.
pub(crate) unsafe fn open(header: *mut u8) {
    let null = std::ptr::null_mut();
    let (start, size) = SPARE_MEMORY.with(|spare| spare.borrow_mut().0.pop()).unwrap_or((null, 0));
    let end = start.wrapping_add(size);
    // SAFETY: the caller promises it; residual blocks are aligned.
    unsafe { header.cast::<Header>().write(Header { top: start, end, start }) };
}

/// Gives the memory of a history back.
///
/// # Safety
/// `header` is that of an open history.
pub(crate) unsafe fn close(header: *mut u8) {
    // SAFETY: the caller promises it.
    let Header { end, start, .. } = unsafe { header.cast::<Header>().read() };
    if start.is_null() {
        return;
    }
    let size = end as usize - start as usize;
    let kept = SPARE_MEMORY.with(|spare| {
        let spare = &mut spare.borrow_mut().0;
        let room = spare.len() < SPARE;
        if room {
            spare.push((start, size));
        }
        room
    });
    if !kept {
        // SAFETY: allocated in `history_grow` with this layout.
        unsafe { dealloc(start, Layout::from_size_align_unchecked(size, ALIGN)) };
    }
}

/// Makes room for a frame of `bytes` bytes; 0 when the history would take more than `limit` bytes.
///
/// # Safety
/// `header` is that of an open history.
#[unsafe(export_name = "neuro_history_grow")]
pub(crate) unsafe extern "C" fn history_grow(header: *mut u8, bytes: u64, limit: u64) -> u64 {
    // SAFETY: the caller promises it.
    let header = unsafe { &mut *header.cast::<Header>() };
    let used = header.top as usize - header.start as usize;
    let size = header.end as usize - header.start as usize;
    let needed = used.saturating_add(usize::try_from(bytes).unwrap_or(usize::MAX));
    if needed as u64 > limit {
        return 0;
    }
    let grown = size.saturating_mul(2).max(needed).max(FIRST);
    let Ok(layout) = Layout::from_size_align(grown, ALIGN) else { panics::out_of_memory() };
    // SAFETY: neither size is zero; the old one is that of the allocation.
    let start = unsafe {
        if header.start.is_null() {
            alloc(layout)
        } else {
            realloc(header.start, Layout::from_size_align_unchecked(size, ALIGN), grown)
        }
    };
    if start.is_null() {
        panics::out_of_memory();
    }
    // SAFETY: within the allocation, or at its end.
    *header = unsafe { Header { top: start.add(used), end: start.add(grown), start } };
    1
}

impl Drop for Spare {
    fn drop(&mut self) {
        for (start, size) in self.0.drain(..) {
            // SAFETY: allocated in `history_grow` with this layout.
            unsafe { dealloc(start, Layout::from_size_align_unchecked(size, ALIGN)) };
        }
    }
}
