//! What function values captured that outlive the iteration that made them: copies, released all together when
//! the function that made them is left.
//!
//! Each copy lies behind a header that leads to the copy before it.

use std::alloc::Layout;

use crate::{block, memory, panics};

#[repr(C, align(16))]
struct Header {
    /// The copy that was made before this one; null for the first.
    before: *mut u8,
    /// How many bytes the copy has.
    bytes: usize,
}

const HEADER: usize = size_of::<Header>();

fn layout(bytes: usize) -> Layout {
    let size = bytes.checked_add(HEADER);
    let layout = size.and_then(|size| Layout::from_size_align(size, align_of::<Header>()).ok());
    layout.unwrap_or_else(|| panics::out_of_memory())
}

/// Copies captures; gives the address of the copy.
///
/// # Safety
/// `from` points to `bytes` bytes; `before` is null or came from this function.
#[unsafe(export_name = "neuro_captures_keep")]
pub(crate) unsafe extern "C" fn captures_keep(
    before: *mut u8,
    from: *const u8,
    bytes: u64,
) -> *mut u8 {
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    // SAFETY: a layout with a header is not empty.
    let start = unsafe { memory::alloc(layout(bytes)) };
    if start.is_null() {
        panics::out_of_memory();
    }
    block::born();
    // SAFETY: the memory has room for both and is aligned for the header; the caller promises the source.
    unsafe {
        start.cast::<Header>().write(Header { before, bytes });
        let copy = start.add(HEADER);
        copy.copy_from_nonoverlapping(from, bytes);
        copy
    }
}

/// Releases copies from the last one back.
///
/// # Safety
/// `last` is null or came from [`captures_keep`], and none of the copies is used any more.
#[unsafe(export_name = "neuro_captures_release")]
pub(crate) unsafe extern "C" fn captures_release(last: *mut u8) {
    let mut copy = last;
    while !copy.is_null() {
        // SAFETY: each copy lies behind its header, in memory of that layout.
        unsafe {
            let start = copy.sub(HEADER);
            let Header { before, bytes } = start.cast::<Header>().read();
            memory::dealloc(start, layout(bytes));
            copy = before;
        }
        block::died();
    }
}
