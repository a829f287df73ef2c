//! The entries of a `HashMap`: in a row, with a table of hashes beside it that knows their places.

use hashbrown::HashTable;

use super::shape::{Functions, Shape};
use crate::vector::{Vector, vec_drop};

/// The entries. Each is its hash, its key, its value.
#[derive(Debug)]
pub(super) struct HashEntries {
    shape: Shape,
    functions: Functions,
    places: HashTable<u64>,
    entries: Vector,
}

/// Bytes of the hash in front of a key.
const HASH: u64 = 8;

impl HashEntries {
    pub(super) fn new(shape: Shape, functions: Functions) -> Self {
        Self { shape, functions, places: HashTable::new(), entries: Vector::EMPTY }
    }

    pub(super) fn len(&self) -> u64 {
        self.places.len() as u64
    }

    fn stride(&self) -> u64 {
        HASH + self.shape.entry_size()
    }

    /// The key of an entry.
    fn key(&self, place: u64) -> *mut u8 {
        self.entries.element(place, self.stride()).wrapping_add(HASH as usize)
    }

    fn value(&self, place: u64) -> *mut u8 {
        self.key(place).wrapping_add(self.shape.value_offset())
    }

    /// # Safety
    /// `key` is a key of this map.
    unsafe fn place(&self, hash: u64, key: *const u8) -> Option<u64> {
        // SAFETY: the places are those of entries.
        let same = |place: &u64| unsafe { self.shape.equal(self.functions, self.key(*place), key) };
        self.places.find(hash, same).copied()
    }

    /// # Safety
    /// `key` is a key of this map.
    pub(super) unsafe fn find(&self, key: *const u8) -> *mut u8 {
        // SAFETY: the caller promises it.
        let place = unsafe { self.place(self.shape.hash(self.functions, key), key) };
        place.map_or(std::ptr::null_mut(), |place| self.value(place))
    }

    /// # Safety
    /// `key` and `value` are those of this map, and not used afterwards.
    pub(super) unsafe fn insert(&mut self, key: *mut u8, value: *mut u8) {
        // SAFETY: the caller promises it; a new entry has room for its hash, a key and a value.
        unsafe {
            let hash = self.shape.hash(self.functions, key);
            if let Some(place) = self.place(hash, key) {
                self.shape.replace_value(self.value(place), value);
                return self.shape.drop_key(key);
            }
            let place = self.len();
            let stride = self.stride();
            let entry = self.entries.add(stride);
            entry.cast::<u64>().write(hash);
            self.shape.fill(entry.add(HASH as usize), key, value);
            let entries = &self.entries;
            self.places.insert_unique(hash, place, |place| {
                entries.element(*place, stride).cast::<u64>().read()
            });
        }
    }

    /// # Safety
    /// `key` is a key of this map.
    pub(super) unsafe fn remove(&mut self, key: *const u8) -> bool {
        // SAFETY: the places are those of entries; the last entry takes the place of the one that goes.
        unsafe {
            let hash = self.shape.hash(self.functions, key);
            let Some(place) = self.place(hash, key) else { return false };
            if let Ok(found) = self.places.find_entry(hash, |other| *other == place) {
                found.remove();
            }
            self.shape.drop_key(self.key(place));
            self.shape.drop_value(self.value(place));
            let last = self.len();
            let stride = self.stride();
            if place != last {
                let from = self.entries.element(last, stride);
                let moved = from.cast::<u64>().read();
                let to = self.entries.element(place, stride);
                to.copy_from_nonoverlapping(from, stride as usize);
                if let Some(number) = self.places.find_mut(moved, |other| *other == last) {
                    *number = place;
                }
            }
            self.entries.shorten(last);
            true
        }
    }

    /// # Safety
    /// The entries are as this map made them.
    pub(super) unsafe fn clear(&mut self) {
        for place in 0..self.len() {
            // SAFETY: each entry is dropped once, and then forgotten.
            unsafe {
                self.shape.drop_key(self.key(place));
                self.shape.drop_value(self.value(place));
            }
        }
        self.places.clear();
        self.entries.shorten(0);
    }

    /// The same entries once more, with texts of their own.
    ///
    /// # Safety
    /// The entries are as this map made them.
    pub(super) unsafe fn copy(&self) -> Self {
        let stride = self.stride();
        let mut row = Vector::EMPTY;
        for place in 0..self.len() {
            let from = self.entries.element(place, stride);
            // SAFETY: both have room for an entry, and what is not a text is the same in both.
            unsafe {
                let to = row.add(stride);
                to.copy_from_nonoverlapping(from, HASH as usize);
                self.shape.copy_entry(self.key(place), to.add(HASH as usize));
            }
        }
        Self {
            shape: self.shape,
            functions: self.functions,
            places: self.places.clone(),
            entries: row,
        }
    }

    pub(super) fn each_key(&self, visit: &mut dyn FnMut(*const u8)) {
        for place in 0..self.len() {
            visit(self.key(place));
        }
    }
}

impl Drop for HashEntries {
    fn drop(&mut self) {
        let stride = self.stride();
        // SAFETY: the row is this map's own, and its entries were dropped.
        unsafe { vec_drop(&mut self.entries, stride) };
    }
}
