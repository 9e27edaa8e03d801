//! Where the elements of an array lie: the layout of a whole array, or a part of one.
#![allow(unsafe_code, reason = "elements are found without a second check")]

pub(crate) mod digits;
pub(crate) mod inner;
pub(crate) mod mapping;
pub(crate) mod row_major;
pub(crate) mod strided;

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

use layout_core::__private::{Counts, NATIVE, Region as WalkedRegion, native};
use layout_core::{Digits, Dim, ElementType};

use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout, find, outside, outside_of};
use crate::memory::place::inner::Inner;
use crate::memory::place::mapping::{AtStrides, Form, Mapping, elements, its_own_side};
use crate::order::{
    grid, indices::IndicesRowMajor, odometer::advance, region::Region, region_walk::RegionRuns,
    run::Run, run::Runs,
};
use crate::spec::{element::Element, index::each_coordinate, sealed::Sealed};

/// Where the elements of an array lie in its memory: [`WithDims`], [`Part`], [`Strides`](super::Strides),
/// [`DynLayout`](crate::dynamic::DynLayout) and [`DynPart`](crate::dynamic::DynPart).
///
/// # Safety
/// Offsets are below the number of slots. Different elements have different offsets, and runs share no slot, but for strides whose memory
/// is only read.
pub unsafe trait Place: Mapping + Sealed {
    /// An index that is asked for: `[usize; R]`, or `&[usize]` where the rank is known at run time only.
    type At<'i>: Copy + AsRef<[usize]>;
    /// A part of the array.
    type Part: Place<Index = Self::Index>;
    /// Indices with their offsets, in row-major order.
    type Offsets: FusedIterator<Item = (Self::Index, usize)>;
    /// Runs of consecutive elements.
    type Runs<'p>: FusedIterator<Item = Run<Self::Index>>
    where
        Self: 'p;

    /// The offset of an element; `None` out of bounds.
    fn find(&self, at: Self::At<'_>) -> Option<usize>;

    /// The elements in row-major order.
    fn row_major(&self) -> Self::Offsets;

    /// The runs in the order of memory.
    fn runs(&self) -> Self::Runs<'_>;

    /// The dimension along which runs go.
    fn run_dim(&self) -> usize;

    /// The part from an index up to another, which are in bounds.
    fn part(&self, start: &Self::Index, limit: &Self::Index) -> Self::Part;

    /// The slots that a part alone has, if they are consecutive: between coordinates of the most major dimension.
    #[doc(hidden)]
    #[inline(always)]
    fn stretch(&self, _start: &Self::Index, _limit: &Self::Index) -> Option<Range<usize>> {
        None
    }

    /// The place of these elements in a slice that begins with this slot of the memory, the first of a [`stretch`](Self::stretch).
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    fn beginning_at(&self, slot: usize) -> Self {
        assert!(slot == 0, "a part of other places has no stretch");
        self.clone()
    }

    /// Panics: the index is out of bounds.
    #[doc(hidden)]
    #[track_caller]
    fn outside(&self, at: Self::At<'_>) -> !;
}

impl<L: AnyLayout> Sealed for WithDims<L> {}

impl<L: AnyLayout> Mapping for WithDims<L> {
    type Index = L::Index;
    its_own_side! {}

    const FORM: Form = Form::Layout;
    const DIGITS: Option<&'static Digits> = Some(L::DIGITS);
    const VARYING: u16 = varying::<L>();
    const SIZES: Option<&'static [usize]> = if L::IS_FIXED { Some(L::SIZES) } else { None };
    const SLOTS: Option<usize> = if size_of::<L::Sizes>() == 0 { Some(L::SLOTS) } else { None };

    #[inline(always)]
    fn dims(&self) -> L::Index {
        self.dims()
    }

    #[inline(always)]
    fn slots(&self) -> usize {
        self.padded_elements()
    }

    #[inline(always)]
    fn offset(&self, index: &L::Index) -> usize {
        find::find_unchecked::<L, NATIVE>(&self.sizes, index)
    }

    #[inline(always)]
    fn counts(&self) -> Counts {
        L::counts(&self.sizes)
    }

    fn with_digits<R>(&self, then: impl FnOnce(&Digits, Option<&WalkedRegion>, usize) -> R) -> R {
        // A bounded dimension has fewer elements than its bound.
        if const { size_of::<L::Sizes>() == 0 } {
            return then(L::DIGITS, None, 0);
        }
        then(&compiled::digits::<L>(&self.sizes), None, 0)
    }

    #[inline(always)]
    fn consecutive(&self) -> [usize; 2] {
        [consecutive::<L>(), 0]
    }

    #[inline(always)]
    fn has_padding(&self) -> bool {
        self.padded_elements() > self.elements()
    }

    fn declared(&self) -> Option<u128> {
        L::VALUE.fill()?.bits(L::Element::TYPE)
    }

    #[inline(always)]
    fn element(&self) -> Option<ElementType> {
        Some(L::Element::TYPE)
    }
}

/// The dimensions whose sizes a value says, as bits.
pub(crate) const fn varying<L: AnyLayout>() -> u16 {
    let mut set = 0;
    each!(for dim in 0..L::SIZES.len() {
        if !matches!(L::VALUE.dim(dim), Dim::Static(_)) {
            set |= 1 << dim;
        }
    });
    set
}

/// Elements of a layout that are consecutive, from each multiple of their number on.
const fn consecutive<L: AnyLayout>() -> usize {
    if L::WALK.scans_slots() { 1 } else { native(L::WALK.longest()) }
}

// SAFETY: the layout's arithmetic puts each element into a slot of its own, below `padded_elements`.
unsafe impl<L: AnyLayout> Place for WithDims<L> {
    type At<'i> = L::Index;
    type Part = Part<L>;
    type Offsets = IndicesRowMajor<L>;
    type Runs<'p> = Runs<L>;

    #[inline(always)]
    fn find(&self, at: L::Index) -> Option<usize> {
        find::find::<L, NATIVE>(&self.sizes, &at)
    }

    #[inline(always)]
    fn row_major(&self) -> IndicesRowMajor<L> {
        self.indices_row_major()
    }

    #[inline(always)]
    fn runs(&self) -> Runs<L> {
        self.runs()
    }

    #[inline(always)]
    fn run_dim(&self) -> usize {
        L::WALK.dim()
    }

    #[inline(always)]
    fn part(&self, start: &L::Index, limit: &L::Index) -> Part<L> {
        Part { layout: *self, region: Region::of(*start, *limit) }
    }

    #[inline(always)]
    fn stretch(&self, start: &L::Index, limit: &L::Index) -> Option<Range<usize>> {
        let (dim, size, step) = major::<L>(self)?;
        let (dims, [first, end]) = (self.dims(), [start, limit].map(|index| index.as_ref()[dim]));
        let is_all = |other: usize| {
            other == dim
                || start.as_ref()[other] == 0 && limit.as_ref()[other] == dims.as_ref()[other]
        };
        let ends = end.is_multiple_of(size) || end == dims.as_ref()[dim];
        let is_stretch = (0..dims.as_ref().len()).all(is_all) && ends && first.is_multiple_of(size);
        (is_stretch && first < end).then(|| first / size * step..end.div_ceil(size) * step)
    }

    #[track_caller]
    fn outside(&self, at: L::Index) -> ! {
        outside::<L>(&self.sizes, &at)
    }
}

/// A part of an array, cut out by a range of coordinates along each dimension.
///
/// Its elements stay where they are in the memory of the array, so it has no layout of its own.
// The last field is `Sized` for every `L`: then a missing bound is one error.
pub struct Part<L: AnyLayout> {
    pub(crate) region: Region<L>,
    pub(crate) layout: WithDims<L>,
}

copy! { Part<L: AnyLayout> }

impl<L: AnyLayout> fmt::Debug for Part<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.layout, self.region)
    }
}

impl<L: AnyLayout> Sealed for Part<L> {}

impl<L: AnyLayout> Mapping for Part<L> {
    type Index = L::Index;
    type Side = AtStrides<L::Index>;
    type Own = Inner<L>;

    const FORM: Form = if !L::SIZES.is_empty() && L::DIGITS.strides().is_some() {
        Form::Strides
    } else {
        Form::Tiles
    };
    const IS_PART: bool = true;

    /// Its strides, if it has some.
    #[inline(always)]
    fn side(&self) -> AtStrides<L::Index> {
        let origin = L::ORIGIN;
        let mut at = AtStrides { first: self.offset(&origin), dims: self.dims(), strides: origin };
        each_coordinate! { L::SIZES.len(), dim => {
            let mut next = origin;
            next.as_mut()[dim] += 1;
            // Of one element along the dimension, any number does.
            at.strides.as_mut()[dim] = self.offset(&next).wrapping_sub(at.first);
        } }
        at
    }

    /// Where it begins on borders of tiles, all digits count from 0 on there.
    #[inline(always)]
    fn own(&self) -> Option<Inner<L>> {
        let (start, sizes): (L::Index, _) = (self.region.start(), self.layout.sizes);
        let mut is_own = const { matches!(Self::FORM, Form::Strides) };
        if const { L::VALUE.grid().is_ok() && L::SWIZZLE.is_none() } && !is_own {
            is_own = true;
            each_coordinate! { L::SIZES.len(), dim => {
                let size = grid::size::<L>(&sizes, dim).max(1);
                is_own &= start.as_ref()[dim].is_multiple_of(size);
            } }
        }
        let first = || self.layout.offset_unchecked(start);
        is_own.then(|| Inner { layout: self.layout, dims: self.dims(), first: first() })
    }

    #[inline(always)]
    fn dims(&self) -> L::Index {
        self.region.dims()
    }

    #[inline(always)]
    fn slots(&self) -> usize {
        self.layout.padded_elements()
    }

    #[inline(always)]
    fn offset(&self, index: &L::Index) -> usize {
        self.layout.offset_unchecked(self.region.moved(index))
    }

    #[inline(always)]
    fn first(&self) -> usize {
        self.side().first
    }

    #[inline(always)]
    fn counts(&self) -> Counts {
        self.side().counts()
    }

    fn with_digits<R>(&self, then: impl FnOnce(&Digits, Option<&WalkedRegion>, usize) -> R) -> R {
        self.layout.with_digits(|digits, _, _| then(digits, Some(&self.region.walked()), 0))
    }

    #[inline(always)]
    fn consecutive(&self) -> [usize; 2] {
        let first = self.region.start();
        [consecutive::<L>(), first.as_ref().get(L::WALK.dim()).map_or(0, |first| *first)]
    }

    #[inline(always)]
    fn element(&self) -> Option<ElementType> {
        Some(L::Element::TYPE)
    }
}

// SAFETY: its elements are some of the array's.
unsafe impl<L: AnyLayout> Place for Part<L> {
    type At<'i> = L::Index;
    type Part = Part<L>;
    type Offsets = Offsets<Self>;
    type Runs<'p> = RegionRuns<L, false>;

    #[inline(always)]
    fn find(&self, at: L::Index) -> Option<usize> {
        Some(self.layout.offset_unchecked(self.region.place(at.as_ref())?))
    }

    #[inline(always)]
    fn row_major(&self) -> Offsets<Self> {
        Offsets::new(*self)
    }

    #[inline(always)]
    fn runs(&self) -> RegionRuns<L, false> {
        RegionRuns::new(self.layout.sizes, self.region)
    }

    #[inline(always)]
    fn run_dim(&self) -> usize {
        L::WALK.dim()
    }

    #[inline(always)]
    fn part(&self, start: &L::Index, limit: &L::Index) -> Part<L> {
        let region = Region::of(self.region.moved(start), self.region.moved(limit));
        Part { region, ..*self }
    }

    #[inline(always)]
    fn beginning_at(&self, slot: usize) -> Self {
        let Some((dim, size, step)) = major::<L>(&self.layout).filter(|_| slot > 0) else {
            return *self;
        };
        let mut bounds: [L::Index; 2] = [self.region.start(), self.region.limit()];
        for index in &mut bounds {
            index.as_mut()[dim] -= slot / step * size;
        }
        Part { region: Region::of(bounds[0], bounds[1]), ..*self }
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn outside(&self, at: L::Index) -> ! {
        let dims = self.dims();
        outside_of(&format_args!("a slice of {dims:?}"), dims.as_ref(), at.as_ref())
    }
}

/// The elements of a place in row-major order, each found by its index, which is counted up in place: it may be large.
#[derive(Clone, Debug)]
pub struct Offsets<P: Mapping> {
    place: P,
    dims: P::Index,
    index: P::Index,
    left: usize,
}

impl<P: Mapping> Offsets<P> {
    #[inline(always)]
    pub(crate) fn new(place: P) -> Self {
        let dims = place.dims();
        let (mut index, left) = (dims, elements(dims.as_ref()));
        index.as_mut().fill(0);
        Offsets { place, dims, index, left }
    }
}

impl<P: Mapping> Iterator for Offsets<P> {
    type Item = (P::Index, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(P::Index, usize)> {
        self.left = self.left.checked_sub(1)?;
        let found = (self.index, self.place.offset(&self.index));
        let dims = self.dims.as_ref();
        advance(self.index.as_mut(), (0..dims.len()).rev(), |dim| (1, dims[dim]));
        Some(found)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<P: Mapping> ExactSizeIterator for Offsets<P> {}

impl<P: Mapping> FusedIterator for Offsets<P> {}

/// The most major dimension, the elements along it whose slots are consecutive, and how many slots they take; `None` if there are none.
#[inline(always)]
fn major<L: AnyLayout>(layout: &WithDims<L>) -> Option<(usize, usize, usize)> {
    let &dim = const { L::VALUE.minor_to_major().last() }?;
    if const { L::VALUE.grid().is_err() || !L::SWIZZLE.is_none() } || layout.elements() == 0 {
        return None;
    }
    let sizes = layout.sizes;
    if const { L::DIGITS.strides().is_some() } {
        let mut next = L::ORIGIN;
        next.as_mut()[dim] = 1;
        return (layout.dims().as_ref()[dim] > 1).then(|| (dim, 1, layout.offset_unchecked(next)));
    }
    let tiles = grid::counts::<L>(&sizes);
    let minor = L::VALUE.minor_to_major().iter().filter(|other| **other != dim);
    let step = minor.fold(grid::block::<L>(&sizes), |step, other| step * tiles.as_ref()[*other]);
    Some((dim, grid::size::<L>(&sizes, dim).max(1), step))
}
