//! Parts of arrays, cut out by ranges of coordinates.

use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;
use core::ops::{Deref, DerefMut, Index, IndexMut};

use layout_core::__private::{Region, Walk, copy_sizes, native};
use layout_core::limits::MAX_DIMS;

use crate::compiled::outside_of;
use crate::dynamic::array::DynArray;
use crate::dynamic::error::DynError;
use crate::dynamic::layout::{DynLayout, row_major};
use crate::dynamic::walk::{DynRow, slots_of};
use crate::memory::print::debug;
use crate::memory::slots::with_slots;
use crate::types::index::{Coordinates, DynIndex};
use crate::walk::region::{Ranges, SliceError};
use crate::walk::region_walk::RegionCursor;
use crate::walk::run::Run;

/// A part of an array, cut out by a range of coordinates along each dimension: [`DynArray::slice`] makes it.
///
/// Its elements stay where they are in the memory of the array, so that it has no layout of its own. Indices count from its
/// first element on.
///
/// # Examples
/// ```
/// use layout::dynamic::DynLayout;
///
/// let layout = DynLayout::new(&"s32[3,5]{1,0:T(2,2)}".parse()?)?;
/// let mut buffer = layout.from_fn(|index| (5 * index[0] + index[1]) as i32)?;
/// let slice = buffer.slice((1.., 1..4))?;
/// assert_eq!((slice.dims(), slice[[1, 2]]), (&[2, 3][..], 13));
/// assert_eq!(slice.to_vec(), [6, 7, 8, 11, 12, 13]);
///
/// buffer.slice_mut((.., ..1))?.fill(0);
/// assert_eq!((buffer[[2, 0]], buffer[[2, 1]]), (0, 11));
/// assert_eq!(
///     buffer.slice((1.., ..6)).unwrap_err().to_string(),
///     "range 0..6 is out of bounds for dimension 1 of size 5"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct DynSlice<S> {
    pub(super) array: DynArray<S>,
    pub(super) start: DynIndex,
    pub(super) dims: DynIndex,
}

impl<S> DynSlice<S> {
    /// The layout of the array that the slice is a part of.
    #[must_use]
    pub fn layout(&self) -> &DynLayout {
        &self.array.layout
    }

    /// Index of its first element in the array.
    #[must_use]
    pub fn start(&self) -> &[usize] {
        &self.start
    }

    /// Elements along each dimension, dimension 0 first.
    #[must_use]
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The part that ranges of its own coordinates cut out.
    fn cut(self, ranges: impl Ranges<DynIndex>) -> Result<Self, SliceError> {
        let [start, limit] = ranges.within(&self.dims)?;
        let rank = start.len();
        let (mut first, mut dims) = ([0; MAX_DIMS], [0; MAX_DIMS]);
        for dim in 0..rank {
            (first[dim], dims[dim]) = (self.start[dim] + start[dim], limit[dim] - start[dim]);
        }
        let [start, dims] = [first, dims].map(|list| DynIndex::of(&list, rank));
        Ok(DynSlice { start, dims, ..self })
    }

    /// Where it lies.
    pub(super) fn region(&self) -> Region {
        let rank = self.dims.len();
        let mut region = Region { start: [0; MAX_DIMS], limit: [0; MAX_DIMS] };
        copy_sizes(&self.start, &mut region.start[..rank]);
        copy_sizes(&self.dims, &mut region.limit[..rank]);
        region.limit.iter_mut().zip(region.start).for_each(|(limit, start)| *limit += start);
        region
    }

    /// The offset of an element.
    fn offset(&self, index: &[usize]) -> Option<usize> {
        let rank = self.dims.len();
        if index.len() != rank || index.iter().zip(&*self.dims).any(|(at, size)| at >= size) {
            return None;
        }
        let mut place = [0; MAX_DIMS];
        (0..rank).for_each(|dim| place[dim] = self.start[dim] + index[dim]);
        Some(self.array.layout.offset_unchecked(&place[..rank]))
    }

    /// The runs or rows of a walk, cut to the slice.
    fn walked<'w>(&self, walk: &'w Walk) -> impl FusedIterator<Item = Run<DynIndex>> + use<'w, S> {
        let rank = self.dims.len();
        let mut cursor = RegionCursor::new(walk, self.region());
        core::iter::from_fn(move || {
            let run = cursor.next(walk)?;
            let index = run.coordinates(rank);
            Some(Run { index, offset: native(run.offset), length: native(run.length) })
        })
        .fuse()
    }
}

impl<T: 'static, S: Deref<Target = [T]>> DynSlice<S> {
    /// The element at an index; `None` outside of the slice.
    #[must_use]
    pub fn get(&self, index: &[usize]) -> Option<&T> {
        self.offset(index).map(|offset| &self.array.slots[offset])
    }

    /// The elements with their indices in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = (DynIndex, &T)> {
        row_major(self.dims).filter_map(|index| Some((index, self.get(&index)?)))
    }

    /// The elements in row-major order, copied.
    #[must_use]
    pub fn to_vec(&self) -> Vec<T>
    where
        T: Copy,
    {
        self.iter().map(|(_, element)| *element).collect()
    }

    /// The runs of the layout, cut to the slice, with their elements, in the order of memory. Offsets count from the
    /// beginning of the array's memory.
    pub fn runs(&self) -> impl FusedIterator<Item = (Run<DynIndex>, &[T])> {
        let runs = self.walked(self.array.layout.run_walk());
        runs.map(|run| {
            let elements = &self.array.slots[run.range()];
            (run, elements)
        })
    }

    /// The rows of the tiles, cut to the slice, in the order of memory.
    ///
    /// # Errors
    /// If elements of a row are not evenly spaced.
    pub fn rows(&self) -> Result<impl FusedIterator<Item = DynRow<&[T]>>, DynError> {
        let walk = self.array.layout.row_walk()?.walk();
        let stride = native(walk.stride());
        Ok(self.walked(walk).map(move |run| {
            let elements = &self.array.slots[slots_of(&run, stride)];
            DynRow::new(run, stride, elements)
        }))
    }

    /// A part of the slice.
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed, or if there is not one for each dimension.
    pub fn slice(&self, ranges: impl Ranges<DynIndex>) -> Result<DynSlice<&[T]>, DynError> {
        let DynSlice { array, start, dims } = self;
        Ok(DynSlice { array: array.as_view(), start: *start, dims: *dims }.cut(ranges)?)
    }
}

impl<T: 'static, S: DerefMut<Target = [T]>> DynSlice<S> {
    /// The element at an index, to write; `None` outside of the slice.
    #[must_use]
    pub fn get_mut(&mut self, index: &[usize]) -> Option<&mut T> {
        self.offset(index).map(|offset| &mut self.array.slots[offset])
    }

    /// The runs of the layout, cut to the slice, with their elements to write, in the order of memory.
    pub fn runs_mut(&mut self) -> impl FusedIterator<Item = (Run<DynIndex>, &mut [T])> {
        let runs = self.walked(self.array.layout.run_walk());
        with_slots(runs, &mut *self.array.slots, 0)
    }

    /// Writes a value to each element.
    pub fn fill(&mut self, value: T)
    where
        T: Copy,
    {
        self.runs_mut().for_each(|(_, run)| run.fill(value));
    }
}

impl<T: 'static, S: Deref<Target = [T]>> DynArray<S> {
    /// The part of the array in ranges of coordinates, one for each dimension: `(1.., ..4)`, or an array of ranges.
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed, or if there is not one for each dimension.
    pub fn slice(&self, ranges: impl Ranges<DynIndex>) -> Result<DynSlice<&[T]>, DynError> {
        Ok(whole(self.as_view()).cut(ranges)?)
    }
}

impl<T: 'static, S: DerefMut<Target = [T]>> DynArray<S> {
    /// The part of the array in ranges of coordinates, to write: see [`slice`](Self::slice).
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed, or if there is not one for each dimension.
    pub fn slice_mut(
        &mut self,
        ranges: impl Ranges<DynIndex>,
    ) -> Result<DynSlice<&mut [T]>, DynError> {
        Ok(whole(self.as_view_mut()).cut(ranges)?)
    }
}

impl<S> DynArray<S> {
    /// The part of the array in ranges of coordinates, with its memory: of a view for as long as it is borrowed. See
    /// [`slice`](Self::slice).
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed, or if there is not one for each dimension.
    pub fn into_slice(self, ranges: impl Ranges<DynIndex>) -> Result<DynSlice<S>, DynError> {
        Ok(whole(self).cut(ranges)?)
    }
}

/// All of an array.
pub(super) fn whole<S>(array: DynArray<S>) -> DynSlice<S> {
    let dims = *array.layout.dims_list();
    DynSlice { start: DynIndex::of(&[0; MAX_DIMS], dims.len()), dims, array }
}

impl<T: 'static, S: Deref<Target = [T]>, I: Coordinates> Index<I> for DynSlice<S> {
    type Output = T;

    /// # Panics
    /// If the index is outside of the slice, or has another number of coordinates.
    #[track_caller]
    fn index(&self, index: I) -> &T {
        match self.get(index.as_ref()) {
            Some(element) => element,
            None => outside(&self.dims, index.as_ref()),
        }
    }
}

impl<T: 'static, S: DerefMut<Target = [T]>, I: Coordinates> IndexMut<I> for DynSlice<S> {
    /// # Panics
    /// If the index is outside of the slice, or has another number of coordinates.
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut T {
        match self.offset(index.as_ref()) {
            Some(offset) => &mut self.array.slots[offset],
            None => outside(&self.dims, index.as_ref()),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn outside(dims: &[usize], index: &[usize]) -> ! {
    outside_of(&format_args!("a slice of {dims:?}"), dims, index)
}

impl<T: fmt::Debug + 'static, S: Deref<Target = [T]>> fmt::Debug for DynSlice<S> {
    /// The layout of the array, and the first elements in row-major order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = format_args!("{} {:?}+{:?}", self.layout(), self.start, self.dims);
        debug(f, "DynSlice", what, self.iter())
    }
}
