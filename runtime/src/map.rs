//! Maps: what generated code calls of `HashMap` and `BTreeMap`.
//!
//! A place of a map is one word, the address of a `Map`, or nothing. The library knows of keys and values how many
//! bytes they have and which of them are texts; keys of the program's own types it compares and hashes by the
//! program's functions.

mod hash;
mod shape;
mod tree;

use crate::block::{born, died};
use crate::vector::Vector;
pub use shape::{Functions, KeyKind, Shape};

use hash::HashEntries;
use tree::TreeEntries;

/// A map that exists.
#[derive(Debug)]
pub(crate) struct Map {
    shape: Shape,
    entries: Entries,
}

#[derive(Debug)]
enum Entries {
    Hash(HashEntries),
    Tree(TreeEntries),
}

/// Puts a value under a key in the map of a place, which is made if there is none. Takes both over.
///
/// # Safety
/// `place` is that of a map, `shape` says what its keys and values are, `functions` are those of the keys, `key` and
/// `value` are the addresses of a key and a value.
#[unsafe(export_name = "neuro_map_insert")]
pub(crate) unsafe extern "C" fn map_insert(
    place: *mut *mut Map,
    shape: *const Shape,
    first: *const u8,
    second: *const u8,
    key: *mut u8,
    value: *mut u8,
) {
    // SAFETY: the caller promises it; a map is made once and dropped once.
    unsafe {
        if (*place).is_null() {
            born();
            let shape = shape.read();
            let functions = Functions { first, second };
            let entries = match shape.ordered != 0 {
                true => Entries::Tree(TreeEntries::new(shape, functions)),
                false => Entries::Hash(HashEntries::new(shape, functions)),
            };
            *place = Box::into_raw(Box::new(Map { shape, entries }));
        }
        match &mut (**place).entries {
            Entries::Hash(entries) => entries.insert(key, value),
            Entries::Tree(entries) => entries.insert(key, value),
        }
    }
}

/// The address of the value under a key; null when there is none.
///
/// # Safety
/// `map` is null or a live map, and `key` the address of one of its keys.
#[unsafe(export_name = "neuro_map_find")]
pub(crate) unsafe extern "C" fn map_find(map: *const Map, key: *const u8) -> *mut u8 {
    // SAFETY: the caller promises it.
    unsafe {
        match map.as_ref().map(|map| &map.entries) {
            Some(Entries::Hash(entries)) => entries.find(key),
            Some(Entries::Tree(entries)) => entries.find(key),
            None => std::ptr::null_mut(),
        }
    }
}

/// Drops a key and its value; 1 if there were any.
///
/// # Safety
/// As for [`map_find`].
#[unsafe(export_name = "neuro_map_remove")]
pub(crate) unsafe extern "C" fn map_remove(map: *mut Map, key: *const u8) -> u8 {
    // SAFETY: the caller promises it.
    unsafe {
        u8::from(match map.as_mut().map(|map| &mut map.entries) {
            Some(Entries::Hash(entries)) => entries.remove(key),
            Some(Entries::Tree(entries)) => entries.remove(key),
            None => false,
        })
    }
}

/// How many keys there are.
///
/// # Safety
/// `map` is null or a live map.
#[unsafe(export_name = "neuro_map_length")]
pub(crate) unsafe extern "C" fn map_length(map: *const Map) -> u64 {
    // SAFETY: the caller promises it.
    match unsafe { map.as_ref() }.map(|map| &map.entries) {
        Some(Entries::Hash(entries)) => entries.len(),
        Some(Entries::Tree(entries)) => entries.len(),
        None => 0,
    }
}

/// Drops all keys and values.
///
/// # Safety
/// `map` is null or a live map.
#[unsafe(export_name = "neuro_map_clear")]
pub(crate) unsafe extern "C" fn map_clear(map: *mut Map) {
    // SAFETY: the caller promises it.
    unsafe {
        match map.as_mut().map(|map| &mut map.entries) {
            Some(Entries::Hash(entries)) => entries.clear(),
            Some(Entries::Tree(entries)) => entries.clear(),
            None => {}
        }
    }
}

/// Puts copies of all keys behind each other in a vector, which is empty.
///
/// # Safety
/// `map` is null or a live map, and `keys` an empty vector of its keys.
#[unsafe(export_name = "neuro_map_keys")]
pub(crate) unsafe extern "C" fn map_keys(map: *const Map, keys: *mut Vector) {
    // SAFETY: the caller promises it.
    unsafe {
        let Some(map) = map.as_ref() else { return };
        let mut add = |key: *const u8| {
            let room = (*keys).add(map.shape.key_size);
            map.shape.copy_key(key, room);
        };
        match &map.entries {
            Entries::Hash(entries) => entries.each_key(&mut add),
            Entries::Tree(entries) => entries.each_key(&mut add),
        }
    }
}

/// A map with copies of all that a map holds; null for none.
///
/// # Safety
/// `map` is null or a live map.
#[unsafe(export_name = "neuro_map_copy")]
pub(crate) unsafe extern "C" fn map_copy(map: *const Map) -> *mut Map {
    // SAFETY: the caller promises it.
    unsafe {
        let Some(map) = map.as_ref() else { return std::ptr::null_mut() };
        born();
        let entries = match &map.entries {
            Entries::Hash(entries) => Entries::Hash(entries.copy()),
            Entries::Tree(entries) => Entries::Tree(entries.copy()),
        };
        Box::into_raw(Box::new(Map { shape: map.shape, entries }))
    }
}

/// Drops the map of a place with all that it holds, and leaves nothing.
///
/// # Safety
/// `place` is that of a map.
#[unsafe(export_name = "neuro_map_drop")]
pub(crate) unsafe extern "C" fn map_drop(place: *mut *mut Map) {
    // SAFETY: the caller promises it; the map was made by `map_insert`.
    unsafe {
        let map = place.replace(std::ptr::null_mut());
        if !map.is_null() {
            map_clear(map);
            drop(Box::from_raw(map));
            died();
        }
    }
}
