//! The entries of a `BTreeMap`: each in memory of its own, in a tree that compares their keys.

use std::alloc::Layout;
use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::shape::{Functions, Shape};
use crate::memory::{alloc, dealloc};
use crate::panics;

/// The entries. Each is its key, its value.
#[derive(Debug)]
pub(super) struct TreeEntries {
    shape: Shape,
    functions: Functions,
    entries: BTreeSet<Key>,
}

/// A key of the tree, or one that is looked for; it carries how it is compared.
#[derive(Debug)]
struct Key {
    rank: u64,
    /// Where the key lies, and behind it its value, if it is one of the tree.
    entry: *mut u8,
    shape: Shape,
    functions: Functions,
}

/// A key of a tree with its value, once more: only trees are cloned, never what is looked for.
impl Clone for Key {
    fn clone(&self) -> Self {
        let entry = new_entry(&self.shape);
        // SAFETY: the key is one of a tree, and there is room for an entry.
        unsafe { self.shape.copy_entry(self.entry, entry) };
        Self { entry, ..*self }
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank.cmp(&other.rank).then_with(|| {
            // SAFETY: both are keys of the same map.
            unsafe { self.shape.order(self.functions, self.entry, other.entry) }
        })
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Key {}

fn layout(shape: &Shape) -> Layout {
    let size = usize::try_from(shape.entry_size().max(1)).ok();
    let layout = size.and_then(|size| Layout::from_size_align(size, 16).ok());
    layout.unwrap_or_else(|| panics::out_of_memory())
}

/// Room for a key and its value.
fn new_entry(shape: &Shape) -> *mut u8 {
    // SAFETY: the size is not zero.
    let entry = unsafe { alloc(layout(shape)) };
    if entry.is_null() {
        panics::out_of_memory();
    }
    entry
}

impl TreeEntries {
    pub(super) fn new(shape: Shape, functions: Functions) -> Self {
        Self { shape, functions, entries: BTreeSet::new() }
    }

    pub(super) fn len(&self) -> u64 {
        self.entries.len() as u64
    }

    /// The same entries once more, with texts of their own.
    pub(super) fn copy(&self) -> Self {
        Self { shape: self.shape, functions: self.functions, entries: self.entries.clone() }
    }

    /// # Safety
    /// `key` is a key of this map.
    unsafe fn wanted(&self, key: *const u8) -> Key {
        Key {
            // SAFETY: the caller promises it.
            rank: unsafe { self.shape.rank(key) },
            entry: key.cast_mut(),
            shape: self.shape,
            functions: self.functions,
        }
    }

    fn value(&self, entry: *mut u8) -> *mut u8 {
        entry.wrapping_add(self.shape.value_offset())
    }

    /// # Safety
    /// `key` is a key of this map.
    pub(super) unsafe fn find(&self, key: *const u8) -> *mut u8 {
        // SAFETY: the caller promises it.
        let found = self.entries.get(&unsafe { self.wanted(key) });
        found.map_or(std::ptr::null_mut(), |found| self.value(found.entry))
    }

    /// # Safety
    /// `key` and `value` are those of this map, and not used afterwards.
    pub(super) unsafe fn insert(&mut self, key: *mut u8, value: *mut u8) {
        // SAFETY: the caller promises it; a new entry has room for a key and a value.
        unsafe {
            let mut new = self.wanted(key);
            if let Some(found) = self.entries.get(&new) {
                self.shape.replace_value(self.value(found.entry), value);
                return self.shape.drop_key(key);
            }
            let entry = new_entry(&self.shape);
            self.shape.fill(entry, key, value);
            new.entry = entry;
            self.entries.insert(new);
        }
    }

    /// # Safety
    /// `entry` is an entry that was taken out of the tree.
    unsafe fn release(&self, entry: *mut u8) {
        // SAFETY: the caller promises it; the memory was given for an entry.
        unsafe {
            self.shape.drop_key(entry);
            self.shape.drop_value(self.value(entry));
            dealloc(entry, layout(&self.shape));
        }
    }

    /// # Safety
    /// `key` is a key of this map.
    pub(super) unsafe fn remove(&mut self, key: *const u8) -> bool {
        // SAFETY: the caller promises it.
        unsafe {
            let wanted = self.wanted(key);
            let Some(found) = self.entries.take(&wanted) else { return false };
            self.release(found.entry);
            true
        }
    }

    /// # Safety
    /// The entries are as this map made them.
    pub(super) unsafe fn clear(&mut self) {
        for key in std::mem::take(&mut self.entries) {
            // SAFETY: each entry is released once.
            unsafe { self.release(key.entry) };
        }
    }

    pub(super) fn each_key(&self, visit: &mut dyn FnMut(*const u8)) {
        for key in &self.entries {
            visit(key.entry);
        }
    }
}
