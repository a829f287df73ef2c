//! What a map knows of its keys and values.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;

use crate::text::{Text, copied, dropped, view};

/// What keys are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum KeyKind {
    /// Bits: an integer without a sign, a truth value, a character.
    Unsigned,
    /// An integer with a sign.
    Signed,
    /// A text.
    Text,
    /// A value of a type of the program.
    User,
}

/// What the keys and values of a map are, as generated code says it in constant data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Shape {
    /// Bytes of a key.
    pub key_size: u64,
    /// Bytes of a value.
    pub value_size: u64,
    /// What keys are.
    pub key: KeyKind,
    /// 1 where values are texts.
    pub text_values: u32,
    /// 1 where keys are in order.
    pub ordered: u64,
}

/// Functions of the program for keys of its own types: of a hash map whether two are equal and the hash of one, of a
/// tree whether one is less than another, and nothing.
#[derive(Clone, Copy, Debug)]
pub struct Functions {
    pub(crate) first: *const u8,
    pub(crate) second: *const u8,
}

type Test = unsafe extern "C" fn(*const u8, *const u8) -> u8;
type Hash = unsafe extern "C" fn(*const u8) -> u64;

impl Functions {
    /// # Safety
    /// `first` takes two keys and gives a truth value; both are keys.
    unsafe fn test(self, left: *const u8, right: *const u8) -> bool {
        // SAFETY: the caller promises it.
        unsafe { std::mem::transmute::<*const u8, Test>(self.first)(left, right) & 1 != 0 }
    }
}

impl Shape {
    /// The bytes of the shape, as constant data.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(size_of::<Shape>());
        bytes.extend(self.key_size.to_ne_bytes());
        bytes.extend(self.value_size.to_ne_bytes());
        bytes.extend((self.key as u32).to_ne_bytes());
        bytes.extend(self.text_values.to_ne_bytes());
        bytes.extend(self.ordered.to_ne_bytes());
        bytes
    }

    /// Where the value lies behind a key.
    pub(super) fn value_offset(&self) -> usize {
        self.key_size.next_multiple_of(8) as usize
    }

    /// Bytes of a key and its value, from one to the next.
    pub(super) fn entry_size(&self) -> u64 {
        self.value_offset() as u64 + self.value_size.next_multiple_of(8)
    }

    /// The bits of a key that is a number, zero-extended.
    ///
    /// # Safety
    /// `key` is a key of at most 8 bytes.
    unsafe fn number(&self, key: *const u8) -> u64 {
        let mut bytes = [0; 8];
        // SAFETY: the caller promises it.
        unsafe { key.copy_to_nonoverlapping(bytes.as_mut_ptr(), self.key_size.min(8) as usize) };
        u64::from_le_bytes(bytes)
    }

    /// # Safety
    /// `key` is a key, and `functions` are those of keys.
    pub(super) unsafe fn hash(&self, functions: Functions, key: *const u8) -> u64 {
        let mut hasher = FixedState::with_seed(0).build_hasher();
        // SAFETY: the caller promises it.
        unsafe {
            match self.key {
                KeyKind::Unsigned | KeyKind::Signed => hasher.write_u64(self.number(key)),
                KeyKind::Text => hasher.write(view(key.cast())),
                KeyKind::User => {
                    let hash = std::mem::transmute::<*const u8, Hash>(functions.second);
                    hasher.write_u64(hash(key));
                }
            }
        }
        hasher.finish()
    }

    /// # Safety
    /// As for [`Self::hash`], of both.
    pub(super) unsafe fn equal(
        &self,
        functions: Functions,
        left: *const u8,
        right: *const u8,
    ) -> bool {
        // SAFETY: the caller promises it.
        unsafe {
            match self.key {
                KeyKind::Unsigned | KeyKind::Signed => self.number(left) == self.number(right),
                KeyKind::Text => view(left.cast()) == view(right.cast()),
                KeyKind::User => functions.test(left, right),
            }
        }
    }

    /// A number whose order is that of the keys, where two keys differ in it.
    ///
    /// # Safety
    /// `key` is a key.
    pub(super) unsafe fn rank(&self, key: *const u8) -> u64 {
        // SAFETY: the caller promises it.
        unsafe {
            match self.key {
                KeyKind::Unsigned => self.number(key),
                // The sign, moved to the top, is the other way round.
                KeyKind::Signed => {
                    let unused = 64 - 8 * self.key_size.clamp(1, 8) as u32;
                    (self.number(key) << unused) ^ (1 << 63)
                }
                KeyKind::Text => {
                    let text = view(key.cast());
                    let mut start = [0; 8];
                    let length = text.len().min(8);
                    start[..length].copy_from_slice(&text[..length]);
                    u64::from_be_bytes(start)
                }
                KeyKind::User => 0,
            }
        }
    }

    /// The order of keys of one rank.
    ///
    /// # Safety
    /// As for [`Self::equal`].
    pub(super) unsafe fn order(
        &self,
        functions: Functions,
        left: *const u8,
        right: *const u8,
    ) -> Ordering {
        // SAFETY: the caller promises it.
        unsafe {
            match self.key {
                KeyKind::Unsigned | KeyKind::Signed => Ordering::Equal,
                KeyKind::Text => view(left.cast()).cmp(view(right.cast())),
                KeyKind::User if functions.test(left, right) => Ordering::Less,
                KeyKind::User if functions.test(right, left) => Ordering::Greater,
                KeyKind::User => Ordering::Equal,
            }
        }
    }

    /// Copies a key to where there is none.
    ///
    /// # Safety
    /// `from` is a key, and `to` has room for one.
    pub(super) unsafe fn copy_key(&self, from: *const u8, to: *mut u8) {
        // SAFETY: the caller promises it.
        unsafe {
            match self.key {
                KeyKind::Text => to.cast::<Text>().write(copied(from.cast())),
                KeyKind::Unsigned | KeyKind::Signed | KeyKind::User => {
                    to.copy_from_nonoverlapping(from, self.key_size as usize);
                }
            }
        }
    }

    /// Copies a key and its value to where there is none.
    ///
    /// # Safety
    /// `from` is an entry, and `to` has room for one.
    pub(super) unsafe fn copy_entry(&self, from: *const u8, to: *mut u8) {
        // SAFETY: the caller promises it.
        unsafe {
            self.copy_key(from, to);
            let (from, to) = (from.add(self.value_offset()), to.add(self.value_offset()));
            match self.text_values != 0 {
                true => to.cast::<Text>().write(copied(from.cast())),
                false => to.copy_from_nonoverlapping(from, self.value_size as usize),
            }
        }
    }

    /// # Safety
    /// `key` is a key that is not used afterwards.
    pub(super) unsafe fn drop_key(&self, key: *mut u8) {
        if self.key == KeyKind::Text {
            // SAFETY: the caller promises it.
            unsafe { dropped(key.cast()) };
        }
    }

    /// # Safety
    /// `value` is a value that is not used afterwards.
    pub(super) unsafe fn drop_value(&self, value: *mut u8) {
        if self.text_values != 0 {
            // SAFETY: the caller promises it.
            unsafe { dropped(value.cast()) };
        }
    }

    /// Puts a value where the old one goes.
    ///
    /// # Safety
    /// Both are values; `new` is not used afterwards.
    pub(super) unsafe fn replace_value(&self, old: *mut u8, new: *const u8) {
        // SAFETY: the caller promises it.
        unsafe {
            self.drop_value(old);
            old.copy_from_nonoverlapping(new, self.value_size as usize);
        }
    }

    /// Puts a key and its value where there is none.
    ///
    /// # Safety
    /// There is room for an entry; the key and the value are not used afterwards.
    pub(super) unsafe fn fill(&self, entry: *mut u8, key: *const u8, value: *const u8) {
        // SAFETY: the caller promises it.
        unsafe {
            entry.copy_from_nonoverlapping(key, self.key_size as usize);
            let at = entry.add(self.value_offset());
            at.copy_from_nonoverlapping(value, self.value_size as usize);
        }
    }
}
