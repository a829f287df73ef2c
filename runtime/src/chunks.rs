//! Bump memory in chunks that keep their address.

use std::alloc::Layout;

use crate::memory::{alloc, dealloc};

/// Alignment of everything that is handed out.
pub(crate) const ALIGN: usize = 64;

/// Bytes of the first chunk; each further one doubles the total.
const FIRST: usize = 64 << 10;

/// Chunks of raw memory, filled from the front. Memory is kept for reuse when the top moves down.
#[derive(Default)]
pub(crate) struct Chunks {
    chunks: Vec<Chunk>,
    top: Mark,
}

struct Chunk {
    start: *mut u8,
    size: usize,
}

/// A position: everything below it is in use.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    chunk: usize,
    offset: usize,
}

impl Chunks {
    /// The current top.
    pub(crate) fn mark(&self) -> Mark {
        self.top
    }

    /// Gives back everything above `mark`.
    pub(crate) fn restore(&mut self, mark: Mark) {
        self.top = mark;
    }

    /// `size` bytes on a multiple of [`ALIGN`]; null when the system has no more.
    pub(crate) fn allocate(&mut self, size: usize) -> *mut u8 {
        let Some(size) = size.checked_next_multiple_of(ALIGN) else {
            return std::ptr::null_mut();
        };
        loop {
            match self.chunks.get(self.top.chunk) {
                Some(chunk) if chunk.size - self.top.offset >= size => {
                    // SAFETY: `offset + size` is within the chunk.
                    let address = unsafe { chunk.start.add(self.top.offset) };
                    self.top.offset += size;
                    return address;
                }
                Some(_) => self.top = Mark { chunk: self.top.chunk + 1, offset: 0 },
                None => {
                    if !self.grow(size) {
                        return std::ptr::null_mut();
                    }
                }
            }
        }
    }

    fn grow(&mut self, size: usize) -> bool {
        let total: usize = self.chunks.iter().map(|chunk| chunk.size).sum();
        let size = size.max(total).max(FIRST);
        let Ok(layout) = Layout::from_size_align(size, ALIGN) else { return false };
        // SAFETY: the size is not zero.
        let start = unsafe { alloc(layout) };
        if !start.is_null() {
            self.chunks.push(Chunk { start, size });
        }
        !start.is_null()
    }
}

impl Drop for Chunks {
    fn drop(&mut self) {
        for chunk in &self.chunks {
            // SAFETY: allocated in `grow` with this very layout.
            unsafe { dealloc(chunk.start, Layout::from_size_align_unchecked(chunk.size, ALIGN)) }
        }
    }
}
