//! Bits of a number in the order of their places.

use layout_core::each;

use crate::kernel::raw::COUNTED;

/// Bits of a number, each by a name, in the order of their places.
#[derive(Clone, Copy)]
pub(super) struct Order {
    names: [u8; COUNTED],
    len: u8,
}

impl Order {
    pub(super) const EMPTY: Order = Order { names: [0; COUNTED], len: 0 };

    pub(super) const fn len(&self) -> usize {
        self.len as usize
    }

    /// The bit at a place.
    pub(super) const fn at(&self, place: usize) -> u8 {
        self.names[place]
    }

    pub(super) const fn push(&mut self, name: u8) {
        self.names[self.len as usize] = name;
        self.len += 1;
    }

    /// Takes all bits of another one that are not in it.
    pub(super) const fn add_all(&mut self, other: &Order) {
        each!(for place in 0..other.len() {
            self.add(other.at(place));
        });
    }

    /// Takes a bit if it is not in it.
    pub(super) const fn add(&mut self, name: u8) {
        if !self.has(name) {
            self.push(name);
        }
    }

    /// Puts a bit in a place, and says which one was there.
    pub(super) const fn replace(&mut self, place: usize, name: u8) -> u8 {
        core::mem::replace(&mut self.names[place], name)
    }

    /// The place of a bit, if it is in it.
    pub(super) const fn find(&self, name: u8) -> Option<usize> {
        each!(for place in 0..self.len() {
            if self.names[place] == name {
                return Some(place);
            }
        });
        None
    }

    pub(super) const fn has(&self, name: u8) -> bool {
        self.find(name).is_some()
    }

    pub(super) const fn swap(&mut self, a: usize, b: usize) {
        self.names.swap(a, b);
    }

    /// Whether the places have the same bits.
    pub(super) const fn is(&self, other: &Order) -> bool {
        each!(for place in 0..self.len() {
            if self.names[place] != other.names[place] {
                return false;
            }
        });
        self.len == other.len
    }

    /// What the bit of each name counts.
    pub(super) const fn strides(&self) -> [usize; COUNTED] {
        let mut strides = [0; COUNTED];
        each!(for place in 0..self.len() {
            strides[self.names[place] as usize] = 1 << place;
        });
        strides
    }

    /// The places from one on.
    pub(super) const fn after(&self, first: usize) -> Order {
        let mut after = Order::EMPTY;
        each!(for place in first..self.len() {
            after.push(self.names[place]);
        });
        after
    }

    /// The first places, as many as a length.
    pub(super) const fn first(&self, len: usize) -> Order {
        Order { len: if len < self.len() { len as u8 } else { self.len }, ..*self }
    }
}
