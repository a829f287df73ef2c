//! The arenas of `pool` blocks.
//!
//! One arena for each depth of nesting, so that a value of an outer pool may be made while an inner one is
//! open. Sibling pools reuse the same bytes.

use std::cell::RefCell;

use crate::chunks::Chunks;

#[derive(Default)]
struct Pools {
    /// By depth; those at `open` and above are free.
    arenas: Vec<Chunks>,
    open: usize,
}

thread_local! {
    static POOLS: RefCell<Pools> = RefCell::default();
}

/// Opens a pool and gives the number under which values are made in it.
#[unsafe(export_name = "neuro_pool_enter")]
pub(crate) extern "C" fn pool_enter() -> u64 {
    POOLS.with(|pools| {
        let pools = &mut *pools.borrow_mut();
        if pools.open == pools.arenas.len() {
            pools.arenas.push(Chunks::default());
        }
        pools.open += 1;
        (pools.open - 1) as u64
    })
}

/// How many pools are open: the number of the next one.
pub(crate) fn count() -> u64 {
    POOLS.with(|pools| pools.borrow().open as u64)
}

/// Closes a pool, and every pool that was opened in it: their memory is free.
#[unsafe(export_name = "neuro_pool_exit")]
pub(crate) extern "C" fn pool_exit(pool: u64) {
    POOLS.with(|pools| {
        let pools = &mut *pools.borrow_mut();
        for arena in pools.arenas.iter_mut().skip(pool as usize) {
            arena.restore(Default::default());
        }
        pools.open = pool as usize;
    });
}

/// Memory of an open pool; null when there is no more.
pub(crate) fn allocate(pool: u64, size: usize) -> *mut u8 {
    POOLS.with(|pools| match pools.borrow_mut().arenas.get_mut(pool as usize) {
        Some(arena) => arena.allocate(size),
        None => std::ptr::null_mut(),
    })
}
