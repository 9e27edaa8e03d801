//! A short list of numbers without a heap.

use core::ops::Deref;

use crate::base::text::part;

/// A list of at most `N` numbers; dereferences to a slice.
#[derive(Clone, Copy)]
pub struct List<const N: usize> {
    numbers: [usize; N],
    len: usize,
}

impl<const N: usize> List<N> {
    pub(crate) const fn new() -> Self {
        List { numbers: [0; N], len: 0 }
    }

    /// A list of the first `len` of the numbers.
    pub(crate) const fn of(numbers: &[usize; N], len: usize) -> Self {
        List { numbers: *numbers, len }
    }

    pub(crate) const fn push(&mut self, number: usize) {
        self.numbers[self.len] = number;
        self.len += 1;
    }

    pub(crate) const fn set(&mut self, at: usize, number: usize) {
        self.numbers[at] = number;
    }

    /// The numbers as a slice; usable in a `const`, unlike `*list`.
    pub const fn as_slice(&self) -> &[usize] {
        part(&self.numbers, 0, self.len)
    }
}

impl<const N: usize> Deref for List<N> {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        self.as_slice()
    }
}

impl<const N: usize> AsRef<[usize]> for List<N> {
    fn as_ref(&self) -> &[usize] {
        self.as_slice()
    }
}

impl<const N: usize> core::fmt::Debug for List<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_slice().fmt(f)
    }
}

/// A list equals any slice of the same numbers.
impl<T: AsRef<[usize]> + ?Sized, const N: usize> PartialEq<T> for List<N> {
    fn eq(&self, other: &T) -> bool {
        self.as_slice() == other.as_ref()
    }
}

impl<const N: usize> Eq for List<N> {}

/// Whether two lists hold the same numbers.
pub(crate) const fn same_numbers(a: &[usize], b: &[usize]) -> bool {
    let mut is_same = a.len() == b.len();
    let mut i = 0;
    while is_same && i < a.len() {
        is_same = a[i] == b[i];
        i += 1;
    }
    is_same
}
