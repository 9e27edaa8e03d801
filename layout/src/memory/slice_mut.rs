//! Parts of views to write: what can be said without looking at memory.

use core::fmt;
use core::ops::{Index, IndexMut};

use crate::compiled::AnyLayout;
use crate::memory::print::debug;
use crate::memory::slice::{Slice, outside};
use crate::memory::slot::SliceMut;
use crate::memory::view_mut::ViewMut;
use crate::walk::region::{self, Ranges, Region, SliceError};
use crate::walk::region_walk::Counted;

impl<L: AnyLayout, T> ViewMut<'_, L, T> {
    /// The part of the array in ranges of coordinates: see [`View::slice`](crate::View::slice).
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    pub fn slice(&self, ranges: impl Ranges<L::Index>) -> Result<Slice<'_, L, T>, SliceError> {
        self.as_view().slice(ranges)
    }

    /// The part of the array that a constant names: see [`View::region`](crate::View::region).
    ///
    /// # Panics
    /// If the region is one of a larger view, of a layout whose sizes are known at run time only.
    #[track_caller]
    #[must_use]
    pub fn region(&self, region: Region<L>) -> Slice<'_, L, T> {
        self.as_view().region(region)
    }

    /// The part of the array in ranges of coordinates, to write: see
    /// [`View::slice`](crate::View::slice).
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let mut data = [0.0; A::PADDED_ELEMENTS];
    /// let mut view = ViewMut::<A, f32>::new(&mut data)?;
    /// let mut slice = view.slice_mut((1.., ..2))?;
    /// slice.fill(1.0);
    /// slice[[1, 1]] = 2.0;
    /// assert_eq!((view[[0, 0]], view[[1, 0]], view[[2, 1]]), (0.0, 1.0, 2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slice_mut(
        &mut self,
        ranges: impl Ranges<L::Index>,
    ) -> Result<SliceMut<'_, L, T>, SliceError> {
        self.reborrow().into_whole().into_slice(ranges)
    }

    /// The part of the array that a constant names, whose ranges the compiler has checked, to write: see
    /// [`Array::region`](crate::Array::region).
    ///
    /// # Panics
    /// If the region is one of a larger view, of a layout whose sizes are known at run time only.
    #[track_caller]
    #[must_use]
    pub fn region_mut(&mut self, region: Region<L>) -> SliceMut<'_, L, T> {
        self.reborrow().into_whole().part(region)
    }

    /// The slices of one element along a dimension, in the order of its coordinate: see
    /// [`View::iter_axis`](crate::View::iter_axis).
    ///
    /// # Errors
    /// If the array has no such dimension.
    pub fn iter_axis(
        &self,
        dim: usize,
    ) -> Result<impl Iterator<Item = Slice<'_, L, T>>, SliceError> {
        self.as_view().iter_axis(dim)
    }

    /// The parts before a coordinate along a dimension, and from it on.
    ///
    /// # Errors
    /// If the array has no such dimension, or the coordinate exceeds its size.
    pub fn split_at(&self, dim: usize, at: usize) -> Result<[Slice<'_, L, T>; 2], SliceError> {
        self.as_view().split_at(dim, at)
    }

    /// The parts before a coordinate along a dimension, and from it on, to write: see
    /// [`SliceMut::split_at_mut`].
    ///
    /// # Errors
    /// If the array has no such dimension, or the coordinate exceeds its size.
    pub fn split_at_mut(
        &mut self,
        dim: usize,
        at: usize,
    ) -> Result<[SliceMut<'_, L, T>; 2], SliceError> {
        self.reborrow().into_whole().split_at_mut(dim, at)
    }

    /// The slices of one element along a dimension, in the order of its coordinate, to write. They share
    /// no element.
    ///
    /// # Errors
    /// If the array has no such dimension.
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout};
    ///
    /// type A = layout!(S32[3,5]{1,0:T(2,2)});
    /// let mut data = [0; A::PADDED_ELEMENTS];
    /// let mut view = ViewMut::<A, i32>::new(&mut data)?;
    /// for (number, mut column) in view.iter_axis_mut(1)?.enumerate() {
    ///     column.fill(number as i32);
    /// }
    /// assert_eq!(view.as_slice()[..6], [0, 1, 0, 1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter_axis_mut(
        &mut self,
        dim: usize,
    ) -> Result<impl Iterator<Item = SliceMut<'_, L, T>>, SliceError> {
        self.reborrow().into_whole().into_axis(dim)
    }

    /// The elements with their indices to write, in row-major order: the last dimension fastest,
    /// whatever the layout. [`runs_mut`](Self::runs_mut) is faster, in the order of memory.
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout};
    ///
    /// type A = layout!(F32[2,3]{0,1});
    /// let mut data = [0.0; 6];
    /// let mut view = ViewMut::<A, f32>::new(&mut data)?;
    /// view.iter_mut().for_each(|([i, j], x)| *x = (3 * i + j) as f32);
    /// assert_eq!(data, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[inline(always)]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (L::Index, &mut T)> {
        self.reborrow().into_whole().into_elements()
    }
}

impl<'a, L: AnyLayout, T> ViewMut<'a, L, T> {
    /// All of the array as a slice, for as long as the memory is borrowed.
    pub(super) fn into_whole(self) -> SliceMut<'a, L, T> {
        let (layout, region) = (self.layout(), Region::whole(self.dims()));
        SliceMut::new(layout, self.into_slots(), region)
    }
}

impl<'a, L: AnyLayout, T> SliceMut<'a, L, T> {
    /// Elements along each dimension, dimension 0 first.
    #[must_use]
    pub fn dims(&self) -> L::Index {
        self.as_region().dims()
    }

    /// A part of the slice, which it becomes: see [`View::slice`](crate::View::slice).
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    pub fn into_slice(self, ranges: impl Ranges<L::Index>) -> Result<Self, SliceError> {
        let region = self.as_region().part(ranges)?;
        Ok(self.part(region))
    }

    /// The slices of one element along a dimension, in the order of its coordinate. They share no element.
    ///
    /// # Errors
    /// If the array has no such dimension.
    pub fn into_axis(
        self,
        dim: usize,
    ) -> Result<impl Iterator<Item = Self> + use<'a, L, T>, SliceError> {
        let size = region::size(self.dims().as_ref(), dim)?;
        let mut rest = Some(self);
        Ok((0..size).filter_map(move |_| {
            let [first, others] = rest.take()?.split_at_mut(dim, 1).ok()?;
            rest = Some(others);
            Some(first)
        }))
    }

    /// The elements with their indices in row-major order, the last dimension fastest.
    pub fn iter(&self) -> impl Iterator<Item = (L::Index, &T)> {
        Counted::<L>::row_major(self.dims())
            .filter_map(move |index| Some((index, self.get(index)?)))
    }

    /// The elements in row-major order, copied.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn to_vec(&self) -> alloc::vec::Vec<T>
    where
        T: Copy,
    {
        self.iter().map(|(_, element)| *element).collect()
    }
}

impl<L: AnyLayout, T> Index<L::Index> for SliceMut<'_, L, T> {
    type Output = T;

    /// # Panics
    /// If a coordinate is not below the slice's size.
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: L::Index) -> &T {
        match self.get(index) {
            Some(element) => element,
            None => outside::<L>(&self.as_region(), &index),
        }
    }
}

impl<L: AnyLayout, T> IndexMut<L::Index> for SliceMut<'_, L, T> {
    /// # Panics
    /// If a coordinate is not below the slice's size.
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: L::Index) -> &mut T {
        let region = self.as_region();
        match self.get_mut(index) {
            Some(element) => element,
            None => outside::<L>(&region, &index),
        }
    }
}

impl<L: AnyLayout, T: fmt::Debug> fmt::Debug for SliceMut<'_, L, T> {
    /// The layout of the view, the ranges, and the first elements in row-major order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = format_args!("{:?} {:?}", self.layout(), self.as_region());
        debug(f, "SliceMut", what, self.iter())
    }
}
