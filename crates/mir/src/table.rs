//! Values numbered by ids whose type does not carry the database's lifetime.

use std::fmt::{self, Debug, Formatter};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use la_arena::{Idx, RawIdx};

/// Values by id, like an arena: `K` only names the kind of id, `T` is what is kept.
#[derive(Clone, PartialEq, Eq, salsa::SalsaValue)]
pub struct Table<K, T> {
    values: Vec<T>,
    kind: PhantomData<fn() -> K>,
}

impl<K, T> Table<K, T> {
    /// An empty table.
    pub fn new() -> Self {
        Self { values: Vec::new(), kind: PhantomData }
    }

    /// Adds a value.
    pub fn alloc(&mut self, value: T) -> Idx<K> {
        let id = self.next_id();
        self.values.push(value);
        id
    }

    /// The id that the next value gets.
    pub fn next_id(&self) -> Idx<K> {
        id(self.values.len())
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The ids and values, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Idx<K>, &T)> + ExactSizeIterator {
        self.values.iter().enumerate().map(|(index, value)| (id(index), value))
    }

    /// The ids and values, in order, to be changed.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (Idx<K>, &mut T)> {
        self.values.iter_mut().enumerate().map(|(index, value)| (id(index), value))
    }

    /// The ids and values, in order, taken out.
    pub(crate) fn into_entries(self) -> impl Iterator<Item = (Idx<K>, T)> {
        self.values.into_iter().enumerate().map(|(index, value)| (id(index), value))
    }

    /// The values, in order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.values.iter()
    }
}

fn id<K>(index: usize) -> Idx<K> {
    Idx::from_raw(RawIdx::from_u32(index as u32))
}

fn index<K>(id: Idx<K>) -> usize {
    id.into_raw().into_u32() as usize
}

impl<K, T> Default for Table<K, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, T: Debug> Debug for Table<K, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.values).finish()
    }
}

impl<K, T> Index<Idx<K>> for Table<K, T> {
    type Output = T;

    fn index(&self, id: Idx<K>) -> &T {
        &self.values[index(id)]
    }
}

impl<K, T> IndexMut<Idx<K>> for Table<K, T> {
    fn index_mut(&mut self, id: Idx<K>) -> &mut T {
        &mut self.values[index(id)]
    }
}
