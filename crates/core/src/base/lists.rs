//! Short lists of numbers, one after another, without a heap.

use crate::base::limits::Size;
use crate::base::list::{bytes_equal, same_numbers, subslice};

/// At most `LISTS` lists of `NUMBERS` numbers in all. What is not used is 0, so that equal lists have equal fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Lists<const LISTS: usize, const NUMBERS: usize> {
    pub(crate) numbers: [Size; NUMBERS],
    /// The end of each list among the numbers.
    ends: [u8; LISTS],
    count: u8,
}

impl<const LISTS: usize, const NUMBERS: usize> Lists<LISTS, NUMBERS> {
    pub(crate) const NONE: Self = Lists { numbers: [0; NUMBERS], ends: [0; LISTS], count: 0 };

    pub(crate) const fn len(&self) -> usize {
        self.count as usize
    }

    /// Where a list begins among all numbers; of the one past the last, where it would begin.
    pub(crate) const fn start(&self, list: usize) -> usize {
        if list == 0 { 0 } else { self.ends[list - 1] as usize }
    }

    /// The numbers of a list.
    pub(crate) const fn get(&self, list: usize) -> &[Size] {
        subslice(&self.numbers, self.start(list), self.ends[list] as usize)
    }

    /// The numbers of all lists.
    pub(crate) const fn all(&self) -> &[Size] {
        subslice(&self.numbers, 0, self.start(self.len()))
    }

    pub(crate) const fn set(&mut self, list: usize, at: usize, number: Size) {
        self.numbers[self.start(list) + at] = number;
    }

    /// Begins another list. False if there is no room.
    pub(crate) const fn begin(&mut self) -> bool {
        let list = self.count as usize;
        if list == LISTS {
            return false;
        }
        self.ends[list] = if list == 0 { 0 } else { self.ends[list - 1] };
        self.count += 1;
        true
    }

    /// Appends a number to the last list. False if there is no list, or no room.
    pub(crate) const fn push(&mut self, number: Size) -> bool {
        if self.count == 0 {
            return false;
        }
        let end = &mut self.ends[self.count as usize - 1];
        if *end as usize == NUMBERS {
            return false;
        }
        self.numbers[*end as usize] = number;
        *end += 1;
        true
    }

    /// Whether the lists are equal; in a `const`.
    pub(crate) const fn is_same(&self, other: &Self) -> bool {
        self.count == other.count
            && bytes_equal(&self.ends, &other.ends)
            && same_numbers(self.all(), other.all())
    }
}
