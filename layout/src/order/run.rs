//! Walking over a layout in the order of memory: runs.

use core::ops::Range;

#[cfg(feature = "rayon")]
use layout_core::__private::{NATIVE, copy_sizes};
use layout_core::__private::{Position, Walk, copy_native, native};
use layout_core::analysis::Term;
use layout_core::{Dim, Size};

#[cfg(feature = "rayon")]
use crate::compiled::find;
use crate::compiled::{self, AnyLayout};

/// Elements that follow one another both in memory and along one dimension,
/// [`RUN_DIM`](crate::Array::RUN_DIM).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Run<I> {
    /// Index of the first element, dimension 0 first.
    pub index: I,
    /// Offset of the first element, in elements.
    pub offset: usize,
    /// Number of elements, at least 1.
    pub length: usize,
}

impl<I> Run<I> {
    /// Where the run lies in memory, in elements.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.length
    }
}

/// Counts digits up, the fastest first, and returns after the first that has a further value. Unrolled with each counter
/// a constant, so that the coordinates stay in registers.
macro_rules! count_up {
    ($count:expr, $number:ident => $counter:expr, $digit:ident => $has_next:expr) => {
        count_up! { @ $count, $number => $counter, $digit => $has_next, 0 1 2 3 4 5 6 7 }
        let mut $number = 8;
        while $number < const { $count } {
            let $digit = $counter;
            if $has_next {
                return;
            }
            $number += 1;
        }
    };
    (@ $count:expr, $number:ident => $counter:expr, $digit:ident => $has_next:expr, $($k:literal)*) => {$(
        if const { $count > $k } {
            let counter = const {
                let $number = $k;
                if $count > $number { Some($counter) } else { None }
            };
            if let Some($digit) = counter
                && $has_next
            {
                return;
            }
        }
    )*};
}

/// What every walk is: fused, a copy of its fields where it is cloned, and its first field where it is printed. `derive`
/// would ask the same of the layout.
macro_rules! walk {
    ($walk:ident<L $(, const $rows:ident: bool)?> { $first:ident $(, $field:ident)* }) => {
        impl<L: AnyLayout $(, const $rows: bool)?> core::iter::FusedIterator for $walk<L $(, $rows)?> {}

        impl<L: AnyLayout $(, const $rows: bool)?> Clone for $walk<L $(, $rows)?> {
            fn clone(&self) -> Self {
                $walk { $first: self.$first.clone() $(, $field: self.$field.clone())* }
            }
        }

        impl<L: AnyLayout $(, const $rows: bool)?> core::fmt::Debug for $walk<L $(, $rows)?> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($walk))
                    .field(stringify!($first), &self.$first)
                    .finish_non_exhaustive()
            }
        }
    };
}

pub(super) use count_up;
pub(crate) use walk;

/// A walk from run to run, or from row to row.
pub struct RunWalk<L: AnyLayout, const ROWS: bool> {
    position: Position,
    pub(super) sizes: L::Sizes,
    /// Further values of the digit that counts fastest, where the length of runs does not depend on it: as many runs follow
    /// without a look at any other digit.
    further: Size,
    /// Runs that are left, where runs are not found slot by slot. Loops that do not ask for it do not
    /// count it.
    left: usize,
}

impl<L: AnyLayout, const ROWS: bool> RunWalk<L, ROWS> {
    pub(crate) const WALK: &'static Walk = if ROWS { L::ROWS } else { L::WALK };

    /// Whether all have the same length: the size of their dimension is part of the type, and a multiple of it.
    const IS_EVEN: bool = match L::VALUE.dims() {
        _ if Self::WALK.scans_slots() => false,
        [] => true,
        dims => match dims[Self::WALK.dim()] {
            Dim::Static(size) => size.is_multiple_of(Self::WALK.longest()),
            _ => false,
        },
    };

    /// The digit that counts fastest, if it counts along another dimension than runs go. Where all runs have one length, there is
    /// little to look at anyway.
    const FASTEST: Option<Term> = if Self::IS_EVEN
        || Self::WALK.scans_slots()
        || Self::WALK.counters() == 0
        || Self::WALK.counter(0).dim() == Self::WALK.dim()
    {
        None
    } else {
        Some(Self::WALK.counter(0))
    };

    #[inline(always)]
    pub(crate) fn new(sizes: L::Sizes) -> Self {
        const { L::VALID }
        let (dims, mut runs) =
            (L::dims(&sizes), RunWalk { position: Position::START, sizes, further: 0, left: 1 });
        if dims.as_ref().contains(&0) {
            return runs;
        }
        // Runs begin at multiples of the longest one, in each line of elements.
        for (dim, size) in dims.as_ref().iter().enumerate() {
            let is_along = dim == const { Self::WALK.dim() };
            let longest = const { native(Self::WALK.longest()) };
            runs.left *= if is_along { size.div_ceil(longest) } else { *size };
        }
        if const { Self::WALK.scans_slots() } {
            runs.position = scan::<L>(&sizes, 0);
        } else {
            runs.position.length = runs.length();
            runs.further = runs.further();
        }
        runs
    }

    /// Length of the run at the position.
    #[inline(always)]
    fn length(&self) -> Size {
        if const { Self::IS_EVEN } {
            return const { Self::WALK.longest() };
        }
        let dim = const { Self::WALK.dim() };
        Self::WALK.length(L::dims(&self.sizes).as_ref()[dim] as Size - self.position.index[dim])
    }

    /// Goes on to the next run.
    #[inline(always)]
    fn advance(&mut self) {
        if const { Self::WALK.scans_slots() } {
            self.position = scan::<L>(&self.sizes, self.position.offset + self.position.length);
            return;
        }
        if let Some(counter) = const { Self::FASTEST }
            && self.further > 0
        {
            self.further -= 1;
            self.position.index[counter.dim()] += counter.digit.div();
            self.position.offset += counter.stride.value(&L::counts(&self.sizes));
            return;
        }
        self.advance_any();
        self.further = self.further();
    }

    #[inline(always)]
    fn advance_any(&mut self) {
        count_up! {
            Self::WALK.counters(), number => Self::WALK.counter(number),
            counter => self.count(&counter)
        }
        self.position.length = 0;
    }

    /// Further values of the digit that counts fastest.
    #[inline(always)]
    fn further(&self) -> Size {
        let Some(counter) = (const { Self::FASTEST }) else { return 0 };
        let size = L::dims(&self.sizes).as_ref()[counter.dim()] as Size;
        counter.further(&self.position, size)
    }

    /// Counts a digit up. False if it has no further value.
    #[inline(always)]
    fn count(&mut self, counter: &Term) -> bool {
        let has_next = count::<L>(&self.sizes, &mut self.position, counter);
        if has_next {
            self.position.length = self.length();
        }
        has_next
    }
}

#[cfg(feature = "rayon")]
impl<L: AnyLayout> RunWalk<L, false> {
    /// A walk over the same layout from the run on that holds the first element of some slots; `None` if
    /// there is none.
    pub(crate) fn at_slots(&self, mut slots: Range<usize>) -> Option<Self> {
        let sizes = self.sizes;
        let (mut offset, mut index) =
            slots.find_map(|slot| Some((slot, find::element::<L, NATIVE>(&sizes, slot)?)))?;
        let dim = L::WALK.dim();
        // How many are left is not asked of this walk, which ends at a slot.
        let mut runs = RunWalk { position: Position::START, sizes, further: 0, left: usize::MAX };
        if L::WALK.scans_slots() {
            while let Some(before) = index.as_ref().get(dim).and_then(|at| at.checked_sub(1)) {
                let mut at = index;
                at.as_mut()[dim] = before;
                if find::find_unchecked::<L, NATIVE>(&sizes, &at) + 1 != offset {
                    break;
                }
                (index, offset) = (at, offset - 1);
            }
            runs.position = scan::<L>(&sizes, offset as Size);
            return Some(runs);
        }
        if let Some(at) = index.as_mut().get_mut(dim) {
            // Runs begin at multiples of the longest one.
            let within = *at % native(L::WALK.longest());
            (*at, offset) = (*at - within, offset - within);
        }
        copy_sizes(index.as_ref(), &mut runs.position.index[..index.as_ref().len()]);
        runs.position.offset = offset as Size;
        runs.position.length = runs.length();
        runs.further = runs.further();
        Some(runs)
    }

    /// Offset of the next run; unspecified at the end.
    pub(crate) fn offset(&self) -> usize {
        native(self.position.offset)
    }
}

/// The first run at or after a slot, found slot by slot.
fn scan<L: AnyLayout>(sizes: &L::Sizes, slot: Size) -> Position {
    if const { size_of::<L::Sizes>() == 0 } {
        return L::WALK.scan(slot);
    }
    L::WALK.slots_of(&compiled::digits::<L>(sizes)).scan(slot)
}

/// The index at a position.
#[inline(always)]
pub(super) fn index<L: AnyLayout>(position: &Position) -> L::Index {
    let mut index = L::ORIGIN;
    let rank = index.as_ref().len();
    copy_native(&position.index[..rank], index.as_mut());
    index
}

impl<L: AnyLayout, const ROWS: bool> Iterator for RunWalk<L, ROWS> {
    type Item = Run<L::Index>;

    #[inline(always)]
    fn next(&mut self) -> Option<Run<L::Index>> {
        if self.position.length == 0 {
            return None;
        }
        let index = index::<L>(&self.position);
        let Position { offset, mut length, .. } = self.position;
        if const { Self::IS_EVEN } {
            // It is that already; said here, it is a constant to LLVM.
            length = const { Self::WALK.longest() };
        }
        self.advance();
        self.left = self.left.wrapping_sub(1);
        Some(Run { index, offset: native(offset), length: native(length) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self.position.length {
            0 => (0, Some(0)),
            _ if Self::WALK.scans_slots() => (1, None),
            _ => (self.left, Some(self.left)),
        }
    }
}

walk! { RunWalk<L, const ROWS: bool> { position, sizes, further, left } }

/// The runs of a layout in the order of memory: see [`Array::runs`](crate::Array::runs).
pub type Runs<L> = RunWalk<L, false>;

/// Counts a digit up. False if it has no further value.
#[inline(always)]
pub(super) fn count<L: AnyLayout>(
    sizes: &L::Sizes,
    position: &mut Position,
    counter: &Term,
) -> bool {
    let size = L::dims(sizes).as_ref()[counter.dim()] as Size;
    let stride = counter.stride.value(&L::counts(sizes));
    counter.count(position, size, stride)
}
