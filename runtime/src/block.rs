//! Tensor blocks: a header of 64 bytes, then the elements.
//!
//! A handle is the address of a header. The handle of nothing is null, and releasing nothing does nothing.
//! A block comes from the heap or from the arena of a `pool` block; its gradient always from the heap.

use std::alloc::Layout;
use std::cell::Cell;

use crate::memory::{alloc, dealloc};
use crate::{panics, pool};

/// Where the elements start, counted from the handle.
pub const DATA_OFFSET: usize = 64;

/// Where the gradient's handle lies in the header: a reference to a gradient is `handle + 8`.
pub const GRADIENT_OFFSET: usize = 8;

/// The header of a tensor.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Block {
    /// Bytes of the elements.
    bytes: u64,
    /// The buffer of the gradient slot, or null. An emptied slot keeps its buffer for the next gradient.
    gradient: *mut Block,
    /// Whether the slot holds a gradient.
    gradient_full: bool,
    /// Whether the block is arena memory.
    in_arena: bool,
}

/// The handle of a block; null is nothing.
pub type Handle = *mut Block;

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
}

/// Blocks of this thread that are alive: tensors, their gradients and residuals. A program that has ended
/// leaves none.
pub fn live_blocks() -> i64 {
    LIVE.get()
}

/// Counts a block that came to be.
pub(crate) fn born() {
    LIVE.set(LIVE.get() + 1);
}

/// Counts a block that went.
pub(crate) fn died() {
    LIVE.set(LIVE.get() - 1);
}

fn layout(bytes: u64) -> Layout {
    let size = usize::try_from(bytes).ok().and_then(|bytes| bytes.checked_add(DATA_OFFSET));
    let layout = size.and_then(|size| Layout::from_size_align(size, DATA_OFFSET).ok());
    layout.unwrap_or_else(|| panics::out_of_memory())
}

/// # Safety
/// `address` is aligned memory for a header, followed by `bytes` bytes.
unsafe fn init(address: *mut u8, bytes: u64, in_arena: bool) -> Handle {
    if address.is_null() {
        panics::out_of_memory();
    }
    let handle: Handle = address.cast();
    let gradient = std::ptr::null_mut();
    // SAFETY: the caller promises memory for it.
    unsafe { handle.write(Block { bytes, gradient, gradient_full: false, in_arena }) };
    born();
    handle
}

/// A heap block for `bytes` bytes of elements, which are not initialised.
#[unsafe(export_name = "neuro_block_new")]
pub extern "C" fn block_new(bytes: u64) -> Handle {
    // SAFETY: the layout has the size of a header at least, and is that of the block.
    unsafe { init(alloc(layout(bytes)), bytes, false) }
}

/// A block in the arena of the open pool `pool`.
#[unsafe(export_name = "neuro_block_new_in_pool")]
pub(crate) extern "C" fn block_new_in_pool(pool: u64, bytes: u64) -> Handle {
    let address = pool::allocate(pool, layout(bytes).size());
    // SAFETY: the arena gives aligned memory of the layout's size, or null.
    unsafe { init(address, bytes, true) }
}

/// Releases a block and its gradient; nothing when the handle is null.
///
/// # Safety
/// `handle` is null or a live block, which is not used afterwards.
#[unsafe(export_name = "neuro_block_drop")]
pub unsafe extern "C" fn block_drop(handle: Handle) {
    if handle.is_null() {
        return;
    }
    // SAFETY: the block is live, and so is its gradient, a heap block that only its header refers to.
    unsafe {
        let Block { bytes, gradient, in_arena, .. } = handle.read();
        block_drop(gradient);
        if !in_arena {
            dealloc(handle.cast(), layout(bytes));
        }
    }
    died();
}

/// A heap block with the same elements and an empty slot.
///
/// # Safety
/// `handle` is a live block whose elements are initialised.
#[unsafe(export_name = "neuro_block_clone")]
pub unsafe extern "C" fn block_clone(handle: Handle) -> Handle {
    // SAFETY: live, and both blocks have `bytes` bytes of elements.
    unsafe {
        let copy = block_new((*handle).bytes);
        copy_elements(handle, copy);
        copy
    }
}

/// A copy in the arena of the open pool `pool`, with an empty slot.
///
/// # Safety
/// As for [`block_clone`].
#[unsafe(export_name = "neuro_block_clone_in_pool")]
pub(crate) unsafe extern "C" fn block_clone_in_pool(pool: u64, handle: Handle) -> Handle {
    // SAFETY: as in `block_clone`.
    unsafe {
        let copy = block_new_in_pool(pool, (*handle).bytes);
        copy_elements(handle, copy);
        copy
    }
}

/// # Safety
/// Both are live and have the same number of bytes.
unsafe fn copy_elements(from: Handle, to: Handle) {
    // SAFETY: the elements follow the headers of two distinct blocks.
    unsafe {
        let bytes = (*from).bytes as usize;
        std::ptr::copy_nonoverlapping(elements(from), elements(to), bytes);
    }
}

/// The block itself when it is heap memory; otherwise a heap block that takes over its elements and its
/// gradient, so that it may outlive the pool.
///
/// # Safety
/// `handle` is null or a live block, which is not used afterwards.
#[unsafe(export_name = "neuro_block_to_heap")]
pub(crate) unsafe extern "C" fn block_to_heap(handle: Handle) -> Handle {
    // SAFETY: live unless null; the old block is emptied before it is released.
    unsafe {
        if handle.is_null() || !(*handle).in_arena {
            return handle;
        }
        let copy = block_clone(handle);
        (*copy).gradient = std::mem::replace(&mut (*handle).gradient, std::ptr::null_mut());
        (*copy).gradient_full = (*handle).gradient_full;
        block_drop(handle);
        copy
    }
}

/// The address of the elements.
///
/// # Safety
/// `handle` is a live block.
pub unsafe fn elements(handle: Handle) -> *mut u8 {
    // SAFETY: the elements follow the header.
    unsafe { handle.cast::<u8>().add(DATA_OFFSET) }
}

/// The gradient of a tensor, if it has one.
///
/// # Safety
/// `handle` is a live block.
pub unsafe fn gradient(handle: Handle) -> Option<Handle> {
    // SAFETY: live.
    unsafe { (*handle).gradient_full.then_some((*handle).gradient) }
}

/// The buffer that the gradient is about to be written to; from here on the slot counts as full.
///
/// # Safety
/// `handle` is a live block.
#[unsafe(export_name = "neuro_gradient_fill")]
pub(crate) unsafe extern "C" fn gradient_fill(handle: Handle) -> Handle {
    // SAFETY: live; the slot is null or a live heap block.
    unsafe {
        if (*handle).gradient.is_null() {
            (*handle).gradient = block_new((*handle).bytes);
        }
        (*handle).gradient_full = true;
        (*handle).gradient
    }
}

/// The address of the place that holds the gradient's handle. Panics when the slot is empty.
///
/// # Safety
/// `handle` is a live block.
#[unsafe(export_name = "neuro_gradient_place")]
pub(crate) unsafe extern "C" fn gradient_place(
    handle: Handle,
    unit: u64,
    site: u32,
) -> *mut Handle {
    // SAFETY: live.
    unsafe {
        if !(*handle).gradient_full {
            panics::panic(panics::PanicKind::EmptyGradient as u32, unit, site);
        }
        &raw mut (*handle).gradient
    }
}

/// Empties the slot. Its buffer stays for the next gradient.
///
/// # Safety
/// `handle` is a live block.
#[unsafe(export_name = "neuro_gradient_clear")]
pub(crate) unsafe extern "C" fn gradient_clear(handle: Handle) {
    // SAFETY: live.
    unsafe { (*handle).gradient_full = false }
}
