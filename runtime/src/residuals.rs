//! The store of residuals: what a forward sweep keeps for its reverse sweep, and the scratch memory of
//! kernels.
//!
//! Last in, first out: nested calls release in the opposite order. A block that is released while others lie
//! above it is freed together with them.

use std::cell::RefCell;

use crate::chunks::{ALIGN, Chunks, Mark};
use crate::{block, history, panics};

#[derive(Default)]
struct Store {
    chunks: Chunks,
    blocks: Vec<Entry>,
}

struct Entry {
    address: *mut u8,
    /// The top before the block.
    below: Mark,
    released: bool,
    /// Whether it begins with the header of a history.
    history: bool,
}

thread_local! {
    static STORE: RefCell<Store> = RefCell::default();
}

/// A block of `bytes` bytes, not initialised, aligned as tensors are.
#[unsafe(export_name = "neuro_residuals_new")]
pub(crate) extern "C" fn residuals_new(bytes: u64) -> *mut u8 {
    new(bytes, false)
}

/// The same with an empty history, whose header is the start of the block.
#[unsafe(export_name = "neuro_residuals_new_with_history")]
pub(crate) extern "C" fn residuals_new_with_history(bytes: u64) -> *mut u8 {
    let address = new(bytes.max(history::HISTORY_HEADER), true);
    // SAFETY: the block is that large.
    unsafe { history::open(address) };
    address
}

fn new(bytes: u64, history: bool) -> *mut u8 {
    STORE.with(|store| {
        let store = &mut *store.borrow_mut();
        let below = store.chunks.mark();
        let size = usize::try_from(bytes).unwrap_or(usize::MAX).max(ALIGN);
        let address = store.chunks.allocate(size);
        if address.is_null() {
            panics::out_of_memory();
        }
        store.blocks.push(Entry { address, below, released: false, history });
        block::born();
        address
    })
}

/// Releases a block; nothing when it is null.
#[unsafe(export_name = "neuro_residuals_drop")]
pub(crate) extern "C" fn residuals_drop(address: *mut u8) {
    if address.is_null() {
        return;
    }
    STORE.with(|store| {
        let store = &mut *store.borrow_mut();
        if let Some(entry) = store.blocks.iter_mut().rev().find(|entry| entry.address == address) {
            entry.released = true;
            if entry.history {
                // SAFETY: it was opened with the block.
                unsafe { history::close(address) };
            }
            block::died();
        }
        while let Some(entry) = store.blocks.pop_if(|entry| entry.released) {
            store.chunks.restore(entry.below);
        }
    });
}

/// How many blocks there are.
pub(crate) fn count() -> usize {
    STORE.with(|store| store.borrow().blocks.len())
}

/// Releases every block but the oldest so many.
pub(crate) fn drop_above(count: usize) {
    let above = |store: &RefCell<Store>| {
        let store = store.borrow();
        let all = store.blocks.iter().skip(count).filter(|entry| !entry.released);
        all.map(|entry| entry.address).collect::<Vec<_>>()
    };
    STORE.with(above).into_iter().rev().for_each(|address| residuals_drop(address));
}
