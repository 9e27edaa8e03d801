//! Layouts that are known at run time only, and parts of such arrays, as places.
#![allow(unsafe_code, reason = "elements are found without a second check")]

use core::fmt;
use core::iter::FusedIterator;

use layout_core::__private::{Region as WalkedRegion, Walk, native};
use layout_core::{ArrayShape, Digits, ElementType};

use crate::compiled::outside_of;
use crate::dynamic::layout::{DynLayout, ValueRuns};
use crate::memory::{
    Memory, Place, place::Offsets, place::mapping::Form, place::mapping::Mapping, read::indexed,
};
use crate::order::{region::Region, region_walk::RegionCursor, run::Run};
use crate::spec::{index::Coordinates, index::DynIndex, sealed::Sealed};

impl Sealed for DynLayout {}

impl Mapping for DynLayout {
    type Index = DynIndex;
    type Side = Self;
    type Own = Self;

    const FORM: Form = Form::Value;

    fn side(&self) -> Self {
        self.clone()
    }

    fn dims(&self) -> DynIndex {
        *self.dims_list()
    }

    fn slots(&self) -> usize {
        self.padded_elements()
    }

    #[inline]
    fn offset(&self, index: &DynIndex) -> usize {
        self.offset_unchecked(index)
    }

    fn with_digits<R>(&self, then: impl FnOnce(&Digits, Option<&WalkedRegion>, usize) -> R) -> R {
        then(self.digits(), None, 0)
    }

    fn has_padding(&self) -> bool {
        self.padded_elements() > self.elements()
    }

    fn declared(&self) -> Option<u128> {
        DynLayout::shape(self).fill()?.bits(DynLayout::shape(self).element_type())
    }

    fn element(&self) -> Option<ElementType> {
        Some(DynLayout::shape(self).element_type())
    }

    fn shape(&self) -> Option<&ArrayShape> {
        Some(DynLayout::shape(self))
    }
}

// SAFETY: the layout's digits put each element into a slot of its own, below `padded_elements`.
unsafe impl Place for DynLayout {
    type At<'i> = &'i [usize];
    type Part = DynPart;
    type Offsets = Offsets<Self>;
    type Runs<'p> = ValueRuns<'p>;

    #[inline]
    fn find(&self, at: &[usize]) -> Option<usize> {
        self.checked_offset(at)
    }

    fn row_major(&self) -> Offsets<Self> {
        Offsets::new(self.clone())
    }

    #[inline(always)]
    fn runs(&self) -> ValueRuns<'_> {
        self.value_runs()
    }

    fn run_dim(&self) -> usize {
        self.run_walk().dim()
    }

    fn part(&self, start: &DynIndex, limit: &DynIndex) -> DynPart {
        DynPart { layout: self.clone(), region: Region::of(*start, *limit) }
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn outside(&self, at: &[usize]) -> ! {
        outside_of(self, self.dims(), at)
    }
}

/// A part of an array whose layout is known at run time only, cut out by a range of coordinates along each dimension.
#[derive(Clone)]
pub struct DynPart {
    layout: DynLayout,
    region: Region<DynLayout>,
}

impl DynPart {
    /// The layout of the array that this is a part of.
    #[must_use]
    pub fn layout(&self) -> &DynLayout {
        &self.layout
    }

    /// Index of the first element in the array.
    #[must_use]
    pub fn start(&self) -> &[usize] {
        &self.region.start
    }

    pub(super) fn walked<'w>(&self, walk: &'w Walk) -> PartRuns<'w> {
        let rank = self.region.start.len();
        PartRuns { walk, cursor: RegionCursor::new(walk, self.region.walked()), rank }
    }
}

impl fmt::Debug for DynPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}+{:?}", self.layout, self.region.start, self.region.dims())
    }
}

impl Sealed for DynPart {}

impl Mapping for DynPart {
    type Index = DynIndex;
    type Side = Self;
    type Own = Self;

    const FORM: Form = Form::Value;
    const IS_PART: bool = true;

    fn side(&self) -> Self {
        self.clone()
    }

    fn dims(&self) -> DynIndex {
        self.region.dims()
    }

    fn slots(&self) -> usize {
        self.layout.padded_elements()
    }

    fn offset(&self, index: &DynIndex) -> usize {
        self.layout.offset_unchecked(&self.region.moved(index))
    }

    fn with_digits<R>(&self, then: impl FnOnce(&Digits, Option<&WalkedRegion>, usize) -> R) -> R {
        then(self.layout.digits(), Some(&self.region.walked()), 0)
    }

    fn element(&self) -> Option<ElementType> {
        self.layout.element()
    }
}

// SAFETY: its elements are some of the array's.
unsafe impl Place for DynPart {
    type At<'i> = &'i [usize];
    type Part = DynPart;
    type Offsets = Offsets<Self>;
    type Runs<'p> = PartRuns<'p>;

    fn find(&self, at: &[usize]) -> Option<usize> {
        let has_rank = at.len() == self.region.start.len();
        let place = has_rank.then(|| self.region.place(at)).flatten()?;
        Some(self.layout.offset_unchecked(&place))
    }

    fn row_major(&self) -> Offsets<Self> {
        Offsets::new(self.clone())
    }

    fn runs(&self) -> PartRuns<'_> {
        self.walked(self.layout.run_walk())
    }

    fn run_dim(&self) -> usize {
        self.layout.run_walk().dim()
    }

    fn part(&self, start: &DynIndex, limit: &DynIndex) -> DynPart {
        let region = Region::of(self.region.moved(start), self.region.moved(limit));
        DynPart { layout: self.layout.clone(), region }
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn outside(&self, at: &[usize]) -> ! {
        let dims = self.dims();
        outside_of(&format_args!("a slice of {dims:?}"), &dims, at)
    }
}

/// The runs of a part, in the order of memory.
#[derive(Clone, Debug)]
pub struct PartRuns<'w> {
    walk: &'w Walk,
    cursor: RegionCursor,
    rank: usize,
}

impl Iterator for PartRuns<'_> {
    type Item = Run<DynIndex>;

    #[inline]
    fn next(&mut self) -> Option<Run<DynIndex>> {
        let run = self.cursor.next(self.walk)?;
        let index = run.coordinates(self.rank);
        Some(Run { index, offset: native(run.offset), length: native(run.length) })
    }
}

impl FusedIterator for PartRuns<'_> {}

indexed! {
    [I: Coordinates] DynLayout, I, |index| index.as_ref();
    [I: Coordinates] DynPart, I, |index| index.as_ref();
}

impl<S> Memory<DynLayout, S> {
    /// The layout.
    #[must_use]
    pub const fn layout(&self) -> &DynLayout {
        &self.place
    }
}

impl<S> Memory<DynPart, S> {
    /// Which part of which array it is.
    #[must_use]
    pub const fn as_region(&self) -> &DynPart {
        &self.place
    }
}
