//! Ranges of coordinates: where a slice of an array begins and ends.

use core::fmt;
use core::ops::{Bound, Range, RangeBounds};

use layout_core::__private::copy_sizes;
use layout_core::limits::MAX_DIMS;

use crate::compiled::{Compiled, stop};
use crate::order::tile::Tiled;
use crate::spec::{
    DimList, Dims, Element, NumberList, Properties, StaticDims, TileSpec, array::Array,
    index::DynIndex, list::count, sealed::Sealed,
};

errors! {
    /// Why a range of coordinates is refused.
    pub enum SliceError {
        /// A range exceeds its dimension, of `size` elements, or is reversed.
        Range { dim: usize, size: usize, start: usize, limit: usize } => "range ", start, "..", limit,
            if start > limit { " is reversed in" } else { " is out of bounds for" }, " dimension ", dim, " of size ", size;
        /// There are more or fewer ranges than dimensions.
        Rank { given: usize, rank: usize } => "an array of rank ", rank, " has as many ranges, and got ", given;
        /// Boxes are to have no element along a dimension.
        EmptyBox { dim: usize } => "boxes have size 0 in dimension ", dim, ": a box has 1 element or more";
        /// The array has no such dimension.
        Dim { dim: usize, rank: usize } => "dimension ", dim, " is out of range for an array of rank ", rank;
    }
}

/// The part of an array of the layout `L` that ranges of its coordinates cut out; they are in range.
/// [`Array::region`] makes it.
pub struct Region<L: Tiled> {
    pub(crate) start: L::Index,
    limit: L::Index,
}

impl<L: Tiled> Region<L> {
    /// Coordinates from one up to another.
    #[inline(always)]
    pub(crate) const fn of(start: L::Index, limit: L::Index) -> Self {
        Region { start, limit }
    }

    /// The place in the array of an index of this part.
    #[inline(always)]
    pub(crate) fn moved(&self, index: &L::Index) -> L::Index {
        let mut place = *index;
        for (coordinate, start) in place.as_mut().iter_mut().zip(self.start.as_ref()) {
            *coordinate += start;
        }
        place
    }

    /// Index of the first element, dimension 0 first.
    pub const fn start(&self) -> L::Index {
        self.start
    }

    /// The end of each range, dimension 0 first.
    pub const fn limit(&self) -> L::Index {
        self.limit
    }

    /// Elements along each dimension, dimension 0 first.
    #[inline(always)]
    pub fn dims(&self) -> L::Index {
        let mut dims = self.limit;
        for (size, start) in dims.as_mut().iter_mut().zip(self.start.as_ref()) {
            *size -= start;
        }
        dims
    }

    /// The index in the array of an index here, which has as many coordinates; `None` outside.
    #[inline(always)]
    pub(crate) fn place(&self, of: &[usize]) -> Option<L::Index> {
        let (mut place, limit) = (self.start, self.limit.as_ref());
        for (dim, coordinate) in place.as_mut().iter_mut().enumerate() {
            if of[dim] >= limit[dim] - *coordinate {
                return None;
            }
            *coordinate += of[dim];
        }
        Some(place)
    }

    /// Whether all of another region lies in this one.
    pub(crate) fn contains(&self, part: &Self) -> bool {
        let starts = self.start.as_ref().iter().zip(part.start.as_ref());
        let limits = self.limit.as_ref().iter().zip(part.limit.as_ref());
        starts
            .zip(limits)
            .all(|((start, part), (limit, end))| start <= part && part <= end && end <= limit)
    }

    /// The region with sizes as walks take them.
    pub(crate) fn walked(&self) -> layout_core::__private::Region {
        let mut region =
            layout_core::__private::Region { start: [0; MAX_DIMS], limit: [0; MAX_DIMS] };
        let rank = self.start.as_ref().len();
        copy_sizes(self.start.as_ref(), &mut region.start[..rank]);
        copy_sizes(self.limit.as_ref(), &mut region.limit[..rank]);
        region
    }
}

copy! { Region<L: Tiled> }

impl<L: Tiled> fmt::Debug for Region<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges = self.start.as_ref().iter().zip(self.limit.as_ref());
        f.debug_list().entries(ranges.map(|(start, limit)| start..limit)).finish()
    }
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// A part of the array, for [`View::region`](crate::View::region): in a `const`, the compiler checks the ranges.
    ///
    /// Does not compile for a layout with bounded dimensions, of which a view can have fewer elements.
    ///
    /// # Panics
    /// If a range exceeds its dimension or is reversed; in a `const`, that stops the build.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[16,256]{1,0:T(8,128)});
    /// let data = [1.0; A::PADDED_ELEMENTS];
    /// let slice = View::<A, f32>::new(&data)?.region(const { A::region([8..16, 0..128]) });
    /// assert_eq!(slice.dims(), [8, 128]);
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[track_caller]
    pub const fn region<const R: usize>(ranges: [Range<usize>; R]) -> Region<Self>
    where
        D: StaticDims + Dims<R>,
    {
        const {
            let () = <Self as Compiled>::VALID;
            if size_of::<D::Sizes>() != 0 {
                stop("a bounded dimension has as many elements as a view says: slice the view");
            }
        }
        let (mut start, mut limit) = ([0; R], [0; R]);
        each!(for dim in 0..R {
            (start[dim], limit[dim]) = (ranges[dim].start, ranges[dim].end);
            let size = <Self as Compiled>::SIZES[dim];
            if start[dim] > limit[dim] || limit[dim] > size {
                let error = SliceError::Range { dim, size, start: start[dim], limit: limit[dim] };
                panic!("{}", error.line().as_str())
            }
        });
        Region { start, limit }
    }
}

/// Ranges of coordinates, one for each dimension, dimension 0 first: a tuple of ranges, each of any
/// kind (`2..5`, `..`, `3..=4`), or an array of ranges of one kind; for arrays whose rank is known at run time only also a
/// slice of them. `I` is an index.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not give one range for each dimension of an array indexed by `{I}`",
    note = "a slice is a tuple of ranges, as in `view.slice((8..16, ..))`"
)]
pub trait Ranges<I>: Sealed {
    /// Start and end of each range in an array of these sizes.
    #[doc(hidden)]
    fn within(&self, dims: &I) -> Result<[I; 2], SliceError>;
}

/// Start and end of a range of a dimension.
#[inline(always)]
fn resolve(
    range: &impl RangeBounds<usize>,
    dim: usize,
    size: usize,
) -> Result<(usize, usize), SliceError> {
    // What is above the largest number leaves every dimension.
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let limit = match range.end_bound() {
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&limit) => limit,
        Bound::Unbounded => size,
    };
    if start > limit || limit > size {
        return Err(SliceError::Range { dim, size, start, limit });
    }
    Ok((start, limit))
}

#[diagnostic::do_not_recommend]
impl<Q, const R: usize> Sealed for [Q; R] {}

#[diagnostic::do_not_recommend]
impl<Q: RangeBounds<usize>, const R: usize> Ranges<[usize; R]> for [Q; R] {
    #[inline(always)]
    fn within(&self, dims: &[usize; R]) -> Result<[[usize; R]; 2], SliceError> {
        let mut ends = [[0; R]; 2];
        for (dim, range) in self.iter().enumerate() {
            (ends[0][dim], ends[1][dim]) = resolve(range, dim, dims[dim])?;
        }
        Ok(ends)
    }
}

#[diagnostic::do_not_recommend]
impl<Q> Sealed for &[Q] {}

/// For arrays whose rank is known at run time only.
#[diagnostic::do_not_recommend]
impl<Q: RangeBounds<usize>> Ranges<DynIndex> for &[Q] {
    fn within(&self, dims: &DynIndex) -> Result<[DynIndex; 2], SliceError> {
        let (given, rank) = (self.len(), dims.len());
        if given != rank {
            return Err(SliceError::Rank { given, rank });
        }
        let mut ends = [[0; MAX_DIMS]; 2];
        for (dim, range) in self.iter().enumerate() {
            (ends[0][dim], ends[1][dim]) = resolve(range, dim, dims[dim])?;
        }
        Ok(ends.map(|ends| DynIndex::of(&ends, rank)))
    }
}

#[diagnostic::do_not_recommend]
impl<Q: RangeBounds<usize>, const R: usize> Ranges<DynIndex> for [Q; R] {
    fn within(&self, dims: &DynIndex) -> Result<[DynIndex; 2], SliceError> {
        self.as_slice().within(dims)
    }
}

fn ends(range: &impl RangeBounds<usize>) -> (Bound<usize>, Bound<usize>) {
    (range.start_bound().cloned(), range.end_bound().cloned())
}

macro_rules! ranges {
    ($($q:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<I, $($q: RangeBounds<usize>),*> Ranges<I> for ($($q,)*)
        where
            [(Bound<usize>, Bound<usize>); count!($($q)*)]: Ranges<I>,
        {
            #[inline(always)]
            #[allow(non_snake_case, reason = "values are named as their types")]
            fn within(&self, dims: &I) -> Result<[I; 2], SliceError> {
                let ($($q,)*) = self;
                [$(ends($q)),*].within(dims)
            }
        }
    };
}

crate::spec::list::shorter! { ranges A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 }
