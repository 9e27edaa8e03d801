//! Memory with strides of its own: sub-matrices, leading dimensions, broadcasts, flipped axes.

#![allow(unsafe_code, reason = "the elements of strides have slots")]

use core::convert::identity;
use core::iter::FusedIterator;
use core::ops::Range;

use layout_core::__private::{Counts, Piece, Region as WalkedRegion};
use layout_core::Digits;
use layout_core::limits::MAX_DIMS;

use crate::compiled::outside_of;
use crate::memory::Memory;
use crate::memory::bits::{Narrow, Packed};
use crate::memory::place::mapping::{AtStrides, Form, Mapping};
use crate::memory::place::{Offsets, Place};
use crate::order::run::Run;
use crate::spec::{element::Bits, index::each_coordinate, sealed::Sealed};

errors! {
    /// Why strides do not go with a slice. Numbers are elements.
    pub enum StridesError {
        /// The element that lies farthest up is past the end of the slice.
        TooShort { needed: usize, given: usize } => "the last element needs a slice of ", needed,
            " elements, and the slice has ", given;
        /// An element lies before the beginning of the slice: strides are below 0.
        BeforeStart { needed: usize, first: usize } => "the strides go ", needed,
            " elements down from index 0, which lies at element ", first, " of the slice";
        /// The elements, or the slots that they span, are more than a `isize` counts.
        TooLarge => "the strides span more memory than there can be";
        /// Elements to write would share memory: the stride has to be as large at least, in either direction, as the slots
        /// that the dimensions with smaller strides take.
        Overlap { dim: usize, stride: isize, needed: usize } => "the stride ", Piece::Signed(stride as i64), " of dimension ",
            dim, " is less than the ", needed,
            " elements that the smaller strides span: elements to write share no memory";
    }
}

/// Slots that strides reach from index 0 on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// Slots before index 0.
    pub down: usize,
    /// Slots from the first one to the last.
    pub slots: usize,
}

impl Span {
    /// Of an array with no elements it is empty.
    #[inline(always)]
    pub(crate) fn new(dims: &[usize], strides: &[isize]) -> Result<Span, StridesError> {
        match Span::of_some(dims, strides) {
            Some(span) => Ok(span),
            None if dims.contains(&0) => Ok(Span { down: 0, slots: 0 }),
            None => Err(StridesError::TooLarge),
        }
    }

    /// `None` if there are no elements, or too many elements or slots.
    #[inline(always)]
    fn of_some(dims: &[usize], strides: &[isize]) -> Option<Span> {
        let (mut elements, mut down, mut all) = (1_usize, 0, 0_usize);
        for (&size, &stride) in dims.iter().zip(strides) {
            elements = elements.checked_mul(size)?;
            let reach = size.wrapping_sub(1).cast_signed().checked_mul(stride)?;
            all = all.checked_add(reach.unsigned_abs())?;
            down += reach.min(0).unsigned_abs();
        }
        // Both are counted from 1, so that no elements are too many.
        let most = isize::MAX.unsigned_abs();
        let span = Span { down, slots: all.wrapping_add(1) };
        (elements.wrapping_sub(1) < most && all < most).then_some(span)
    }

    /// Refuses strides of which two elements could share memory: each stride has to go past all that smaller ones reach. Strides that
    /// interleave without sharing memory, such as 2 and 3 of 3 and 2 elements, are refused too.
    #[inline(always)]
    pub(crate) fn check_apart(self, dims: &[usize], strides: &[isize]) -> Result<(), StridesError> {
        let all = || dims.iter().zip(strides);
        if self.slots == 0 || are_nested(all().rev()) || are_nested(all()) {
            return Ok(());
        }
        match overlap(dims, strides) {
            Some([dim, needed]) => Err(StridesError::Overlap { dim, stride: strides[dim], needed }),
            None => Ok(()),
        }
    }

    /// The range of a slice of `given` elements in which all lie, if index 0 lies at `first`.
    #[inline(always)]
    fn range(self, first: usize, given: usize) -> Result<Range<usize>, StridesError> {
        let Span { down, slots, .. } = self;
        if slots == 0 {
            return Ok(0..0);
        }
        let start =
            first.checked_sub(down).ok_or(StridesError::BeforeStart { needed: down, first })?;
        match start.checked_add(slots) {
            Some(end) if end <= given => Ok(start..end),
            end => Err(StridesError::TooShort { needed: end.unwrap_or(usize::MAX), given }),
        }
    }
}

/// Whether each stride of an array with elements goes past all that those before it reach.
#[inline(always)]
fn are_nested<'a>(mut loops: impl Iterator<Item = (&'a usize, &'a isize)>) -> bool {
    let mut reach = 0;
    loops.all(|(size, stride)| {
        let (distance, before) = (stride.unsigned_abs(), reach);
        reach += (size - 1) * distance;
        *size == 1 || distance > before
    })
}

/// A dimension of an array with elements whose stride does not go past what smaller ones reach, and what it should be.
#[inline(never)]
fn overlap(dims: &[usize], strides: &[isize]) -> Option<[usize; 2]> {
    let distance = |dim: usize| (strides[dim].unsigned_abs(), dim);
    (0..strides.len()).find_map(|dim| {
        let smaller = (0..strides.len()).filter(|other| distance(*other) < distance(dim));
        let needed = 1 + smaller.map(|other| (dims[other] - 1) * distance(other).0).sum::<usize>();
        (dims[dim] > 1 && distance(dim).0 < needed).then_some([dim, needed])
    })
}

/// Elements that lie a stride apart along each dimension: the place of a [`Strided`](crate::Strided).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strides<const R: usize> {
    /// Where index 0 lies.
    pub(crate) first: usize,
    pub(crate) dims: [usize; R],
    pub(crate) strides: [isize; R],
}

impl<const R: usize> Strides<R> {
    /// Where the elements lie in the range of a slice that has them all, and the range. They share no memory, if they are to be `APART`.
    #[inline(always)]
    pub(super) fn new<const APART: bool>(
        dims: [usize; R],
        strides: [isize; R],
        first: Option<usize>,
        given: usize,
    ) -> Result<(Strides<R>, Range<usize>), StridesError> {
        const { assert!(R <= MAX_DIMS, "an array has at most 16 dimensions") }
        let span = Span::new(&dims, &strides)?;
        let range = span.range(first.unwrap_or(span.down), given)?;
        if APART {
            span.check_apart(&dims, &strides)?;
        }
        Ok((Strides { first: span.down, dims, strides }, range))
    }

    /// The strides in elements, dimension 0 first.
    #[must_use]
    pub const fn strides(&self) -> [isize; R] {
        self.strides
    }
}

impl<const R: usize> Sealed for Strides<R> {}

impl<const R: usize> Mapping for Strides<R> {
    type Index = [usize; R];
    type Side = AtStrides<[usize; R]>;
    type Own = AtStrides<[usize; R]>;

    const FORM: Form = Form::Strides;

    #[inline(always)]
    fn side(&self) -> AtStrides<[usize; R]> {
        let mut at = AtStrides { first: self.first, dims: self.dims, strides: [0; R] };
        each_coordinate! { R, dim => at.strides[dim] = self.strides[dim].cast_unsigned() }
        at
    }

    #[inline(always)]
    fn own(&self) -> Option<AtStrides<[usize; R]>> {
        Some(self.side())
    }

    #[inline(always)]
    fn dims(&self) -> [usize; R] {
        self.dims
    }

    fn slots(&self) -> usize {
        Span::new(&self.dims, &self.strides).map_or(0, |span| span.slots)
    }

    #[inline(always)]
    fn offset(&self, index: &[usize; R]) -> usize {
        let steps = index.iter().zip(&self.strides);
        steps.fold(self.first, |offset, (at, stride)| {
            offset.wrapping_add(at.wrapping_mul(stride.cast_unsigned()))
        })
    }

    #[inline(always)]
    fn first(&self) -> usize {
        self.first
    }

    #[inline(always)]
    fn counts(&self) -> Counts {
        self.side().counts()
    }

    fn with_digits<A>(&self, then: impl FnOnce(&Digits, Option<&WalkedRegion>, usize) -> A) -> A {
        self.side().with_digits(then)
    }

    #[inline(always)]
    fn consecutive(&self) -> [usize; 2] {
        [if self.strides.last() == Some(&1) { usize::MAX } else { 1 }, 0]
    }
}

// SAFETY: the constructors asked that all elements are in the memory, and that those to write share none.
unsafe impl<const R: usize> Place for Strides<R> {
    type At<'i> = [usize; R];
    type Part = Self;
    type Offsets = Offsets<Self>;
    type Runs<'p> = StrideRuns<R>;

    #[inline(always)]
    fn find(&self, at: [usize; R]) -> Option<usize> {
        at.iter().zip(&self.dims).all(|(at, size)| at < size).then(|| self.offset(&at))
    }

    #[inline(always)]
    fn row_major(&self) -> Offsets<Self> {
        Offsets::new(*self)
    }

    #[inline(always)]
    fn runs(&self) -> StrideRuns<R> {
        let (mut rows, length) =
            (*self, if self.strides.last() == Some(&1) { self.dims[R - 1] } else { 1 });
        if let Some(last) = rows.dims.last_mut().filter(|_| length != 1) {
            *last = (*last).min(1);
        }
        StrideRuns { rows: Offsets::new(rows), length }
    }

    #[inline(always)]
    fn run_dim(&self) -> usize {
        R.saturating_sub(1)
    }

    #[inline(always)]
    fn part(&self, start: &[usize; R], limit: &[usize; R]) -> Self {
        let dims = core::array::from_fn(|dim| limit[dim] - start[dim]);
        Strides { first: self.offset(start), dims, strides: self.strides }
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn outside(&self, at: [usize; R]) -> ! {
        outside_of(&format_args!("an array of {:?}", self.dims), &self.dims, &at)
    }
}

/// Runs of elements along the last dimension in row-major order; of one element each, if its stride is not 1.
#[derive(Clone, Debug)]
pub struct StrideRuns<const R: usize> {
    rows: Offsets<Strides<R>>,
    length: usize,
}

impl<const R: usize> Iterator for StrideRuns<R> {
    type Item = Run<[usize; R]>;

    #[inline(always)]
    fn next(&mut self) -> Option<Run<[usize; R]>> {
        let (index, offset) = self.rows.next()?;
        Some(Run { index, offset, length: self.length })
    }
}

impl<const R: usize> FusedIterator for StrideRuns<R> {}

impl<const R: usize, S> Memory<Strides<R>, S> {
    /// The strides in elements, dimension 0 first.
    #[must_use]
    pub const fn strides(&self) -> [isize; R] {
        self.place.strides
    }
}

/// Bytes with packed elements. Nothing asks how many there are: strides have no slots after one another.
const fn packed<B, const BITS: usize>(bytes: B) -> Packed<B, Narrow<Bits<BITS>>> {
    Packed::new(bytes, Narrow::FORMAT, 0)
}

/// The units of memory, of some slots each, that hold these slots, and where the first slot lies in them.
fn within(slots: Range<usize>, per_unit: usize) -> (Range<usize>, usize) {
    (slots.start / per_unit..slots.end.div_ceil(per_unit), slots.start % per_unit)
}

/// Constructors of arrays with strides; elements that are `$apart` share no memory.
macro_rules! constructors {
    ($([$($parameter:tt)*] $storage:ty, $a:lifetime ($($mut:ident)?) $T:ty, $apart:literal, $per_byte:expr, $slots:expr, $more:literal;)*) => {$(
        impl<$a, $($parameter)*, const R: usize> Memory<Strides<R>, $storage> {
            /// An array of these sizes and strides, in elements, dimension 0 first. Its lowest element in memory is the first of the slice:
            /// index 0 itself, if no stride is below 0.
            ///
            /// # Errors
            /// If the slice does not reach the last element; the error counts elements.
            #[doc = $more]
            #[inline]
            pub fn new(data: &$a $($mut)? [$T], dims: [usize; R], strides: [isize; R]) -> Result<Self, StridesError> {
                Self::placed(data, None, dims, strides)
            }

            /// Like [`new`](Self::new), with index 0 at element `first` of the slice.
            ///
            /// # Errors
            /// If an element lies outside of the slice.
            #[doc = $more]
            pub fn at(
                data: &$a $($mut)? [$T],
                first: usize,
                dims: [usize; R],
                strides: [isize; R],
            ) -> Result<Self, StridesError> {
                Self::placed(data, Some(first), dims, strides)
            }

            #[inline(always)]
            fn placed(
                data: &$a $($mut)? [$T],
                first: Option<usize>,
                dims: [usize; R],
                strides: [isize; R],
            ) -> Result<Self, StridesError> {
                let given = data.len().saturating_mul($per_byte);
                let (mut place, range) = Strides::new::<$apart>(dims, strides, first, given)?;
                let (range, first) = within(range, $per_byte);
                place.first += first;
                Ok(Memory::of_parts(place, $slots(&$($mut)? data[range])))
            }
        }
    )*};
}

constructors! {
    [T] &'a [T], 'a () T, false, 1, identity, "";
    [T] &'a mut [T], 'a (mut) T, true, 1, identity, "If elements could share memory: each stride has to go past all that smaller ones reach.";
    [const BITS: usize] Packed<&'a [u8], Narrow<Bits<BITS>>>, 'a () u8, false, const { 8 / BITS }, packed, "";
    [const BITS: usize] Packed<&'a mut [u8], Narrow<Bits<BITS>>>, 'a (mut) u8, true, const { 8 / BITS }, packed, "If elements could share memory: each stride has to go past all that smaller ones reach.";
}
