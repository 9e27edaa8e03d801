//! A short list of numbers without a heap.

use core::ops::Deref;

use crate::base::limits::Size;
use crate::base::width::native;

/// A list of at most `N` numbers; dereferences to a slice.
///
/// The numbers are sizes, or those of dimensions (`List<N, usize>`).
#[derive(Clone, Copy)]
pub struct List<const N: usize, T = Size> {
    numbers: [T; N],
    len: usize,
}

/// What a list holds: `Size` and `usize`, which are one type on 64-bit targets, and digits of a fragment.
#[doc(hidden)]
pub trait Number: Copy {
    #[doc(hidden)]
    const ZERO: Self;
}

impl Number for usize {
    const ZERO: usize = 0;
}

#[cfg(not(target_pointer_width = "64"))]
impl Number for Size {
    const ZERO: Size = 0;
}

/// Dimensions of an array in memory, most major first: as many as there can be under any tiles.
pub type Bounds = List<64>;

impl<const N: usize, T: Number> Default for List<N, T> {
    fn default() -> Self {
        List::new()
    }
}

impl<const N: usize, T: Number> List<N, T> {
    /// No numbers.
    pub const fn new() -> Self {
        List { numbers: [T::ZERO; N], len: 0 }
    }

    /// A list of the first `len` of the numbers.
    #[doc(hidden)]
    pub const fn of(numbers: &[T; N], len: usize) -> Self {
        List { numbers: *numbers, len }
    }

    /// Appends a number.
    ///
    /// # Panics
    /// If the list is full.
    pub const fn push(&mut self, number: T) {
        self.numbers[self.len] = number;
        self.len += 1;
    }

    /// Replaces a number.
    ///
    /// # Panics
    /// If `at` is not below `N`.
    pub const fn set(&mut self, at: usize, number: T) {
        self.numbers[at] = number;
    }

    /// The numbers as a slice; usable in a `const`, unlike `*list`.
    pub const fn as_slice(&self) -> &[T] {
        subslice(&self.numbers, 0, self.len)
    }
}

impl<const N: usize> List<N> {
    /// Coordinates or sizes of the target as those of the core.
    #[doc(hidden)]
    pub const fn of_native(numbers: &[usize]) -> List<N> {
        let mut list = List::new();
        each!(for i in 0..numbers.len() {
            list.push(numbers[i] as Size);
        });
        list
    }

    /// The reverse, for a layout's type.
    #[doc(hidden)]
    pub const fn to_native(&self) -> List<N, usize> {
        let mut list = List::new();
        each!(for i in 0..self.len {
            list.push(native(self.numbers[i]));
        });
        list
    }
}

impl<const N: usize, T: Number> Deref for List<N, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<const N: usize, T: Number> AsRef<[T]> for List<N, T> {
    fn as_ref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<const N: usize, T: Number> AsMut<[T]> for List<N, T> {
    fn as_mut(&mut self) -> &mut [T] {
        &mut self.numbers[..self.len]
    }
}

impl<const N: usize, T: Number + core::fmt::Debug> core::fmt::Debug for List<N, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_slice().fmt(f)
    }
}

/// A list equals any slice of the same numbers.
impl<T: Number + PartialEq, L: AsRef<[T]> + ?Sized, const N: usize> PartialEq<L> for List<N, T> {
    fn eq(&self, other: &L) -> bool {
        self.as_slice() == other.as_ref()
    }
}

impl<const N: usize, T: Number + Eq> Eq for List<N, T> {}

macro_rules! same {
    ($(#[$doc:meta] $name:ident $int:ident,)*) => {$(
        #[$doc]
        pub const fn $name(a: &[$int], b: &[$int]) -> bool {
            if a.len() != b.len() {
                return false;
            }
            each!(for i in 0..a.len() {
                if a[i] != b[i] {
                    return false;
                }
            });
            true
        }
    )*};
}

// A `const fn` cannot compare numbers of a generic type.
same! {
    /// Whether two lists hold the same sizes.
    same_numbers Size,
    /// Whether two lists hold the same numbers of dimensions.
    same_dim_numbers usize,
    /// Whether two lists hold the same bytes.
    bytes_equal u8,
}

/// `items[start..end]`, which slices do not offer in a `const`.
pub const fn subslice<T>(items: &[T], start: usize, end: usize) -> &[T] {
    let (items, _) = items.split_at(end);
    // A `const` pays by the call.
    if start == 0 { items } else { items.split_at(start).1 }
}
