//! Parts of views to write.
#![allow(
    unsafe_code,
    reason = "the elements of a part are places in the memory of the whole array"
)]

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};
use core::ptr::NonNull;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::print::debug;
use crate::memory::row::{Row, RowMut};
use crate::memory::slice::part::ArrayPart;
use crate::memory::slice::{Slice, outside, reads};
use crate::memory::tile::{Tile, TileMut};
use crate::walk::region::{Ranges, Region, SliceError};
use crate::walk::run::Run;

/// A part of a view, cut out by a range of coordinates along each dimension, to read and write:
/// [`ViewMut::slice_mut`](crate::ViewMut::slice_mut) makes it.
///
/// Its elements stay where they are in the memory of the view, so that it has no layout of its own.
/// Indices count from its first element on. Slices that [`split_at_mut`](Self::split_at_mut) makes
/// share no element, so threads can use them at the same time although their memory can be interleaved.
pub struct SliceMut<'a, L: AnyLayout, T> {
    /// Its elements belong to this slice alone.
    part: ArrayPart<L, T>,
    /// Whether nobody else has any of the array, so that all of its memory is this slice's.
    is_alone: bool,
    memory: PhantomData<&'a mut [T]>,
}

// SAFETY: it is a `&mut` to each of its elements, beside sizes and indices, which are numbers.
unsafe impl<L: AnyLayout, T: Send> Send for SliceMut<'_, L, T> {}
// SAFETY: a shared reference to it gives shared references to its elements, and copies of sizes and indices.
unsafe impl<L: AnyLayout, T: Sync> Sync for SliceMut<'_, L, T> {}

reads! { SliceMut<'_> }

impl<'a, L: AnyLayout, T> SliceMut<'a, L, T> {
    /// All of an array.
    #[inline(always)]
    pub(crate) fn whole(layout: WithDims<L>, slots: &'a mut [T]) -> Self {
        let region = Region::whole(layout.dims());
        let part = ArrayPart { slots: NonNull::from(slots), layout, region };
        SliceMut { part, is_alone: true, memory: PhantomData }
    }

    /// The memory of the whole array; `None` where others may use parts of it.
    pub(crate) fn memory_mut(&mut self) -> Option<&mut [T]> {
        match self.is_alone {
            // SAFETY: nobody else has any of it, and this slice is borrowed for as long.
            true => Some(unsafe { self.part.slots.as_mut() }),
            false => None,
        }
    }

    /// Borrows the slice for a shorter time: pass the result by value, and use the slice again afterwards.
    #[must_use]
    pub fn reborrow(&mut self) -> SliceMut<'_, L, T> {
        SliceMut { memory: PhantomData, ..*self }
    }

    /// The slice to read only.
    #[inline(always)]
    #[must_use]
    pub fn as_shared(&self) -> Slice<'_, L, T> {
        // SAFETY: the elements belong to this slice, which is borrowed for as long; and so does all memory, if it is alone.
        unsafe { Slice::of_part(self.part, self.is_alone) }
    }

    /// The slices of one element along a dimension, in the order of its coordinate.
    ///
    /// # Errors
    /// If the array has no such dimension.
    pub fn iter_axis(
        &self,
        dim: usize,
    ) -> Result<impl Iterator<Item = Slice<'_, L, T>>, SliceError> {
        self.as_shared().iter_axis(dim)
    }

    /// The boxes of a size that make up the slice, to read: see [`View::boxes`](crate::View::boxes).
    ///
    /// # Errors
    /// If a size is 0.
    pub fn boxes(
        &self,
        size: L::Index,
    ) -> Result<impl Iterator<Item = Slice<'_, L, T>>, SliceError> {
        self.as_shared().boxes(size)
    }

    /// A part of the slice that lies in it.
    #[track_caller]
    pub(in crate::memory) fn cut(self, region: Region<L>) -> Self {
        SliceMut { part: self.part.cut(region), ..self }
    }

    /// One of disjoint parts of the slice, which is used no more.
    fn one_of(&self, region: Region<L>) -> Self {
        let part = ArrayPart { region, ..self.part };
        SliceMut { part, is_alone: false, memory: PhantomData }
    }

    /// A part of the slice, which it becomes: see [`View::slice`](crate::View::slice).
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    #[inline(always)]
    pub fn into_slice(self, ranges: impl Ranges<L::Index>) -> Result<Self, SliceError> {
        let region = self.as_region().part(ranges)?;
        Ok(self.cut(region))
    }

    /// The slices of one element along a dimension, in the order of its coordinate. They share no element.
    ///
    /// # Errors
    /// If the array has no such dimension.
    pub fn into_axis(
        self,
        dim: usize,
    ) -> Result<impl Iterator<Item = Self> + use<'a, L, T>, SliceError> {
        // Disjoint: each has a coordinate of the dimension to itself.
        let regions = self.part.region.axis(dim)?;
        Ok(regions.map(move |region| self.one_of(region)))
    }

    /// The boxes of a size that make up the slice, to write: see [`View::boxes`](crate::View::boxes). They share no element.
    ///
    /// # Errors
    /// If a size is 0.
    pub fn into_boxes(
        self,
        size: L::Index,
    ) -> Result<impl Iterator<Item = Self> + use<'a, L, T>, SliceError> {
        // Disjoint: each has multiples of the sizes to itself.
        let regions = self.part.region.boxes(size)?;
        Ok(regions.map(move |region| self.one_of(region)))
    }

    /// The two parts before and from a coordinate along a dimension. They share no element,
    /// though their memory can be interleaved.
    ///
    /// # Errors
    /// If the array has no such dimension, or the coordinate exceeds its size.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// type A = layout!(F32[300,500]{1,0:T(8,128)});
    /// let mut buffer = Buffer::<A, f32>::zeroed();
    /// let mut view = buffer.as_view_mut();
    /// let [mut left, mut right] = view.split_at_mut(1, 250)?;
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| left.fill(1.0));
    ///     right[[299, 249]] = 2.0;
    /// });
    /// assert_eq!((buffer[[299, 249]], buffer[[299, 250]], buffer[[299, 499]]), (1.0, 0.0, 2.0));
    /// # Ok::<(), layout::walks::SliceError>(())
    /// ```
    pub fn split_at_mut(self, dim: usize, at: usize) -> Result<[Self; 2], SliceError> {
        // The two regions are disjoint: coordinate `at` of the dimension ends the one and begins the other.
        let parts = self.part.region.split(dim, at)?;
        Ok(parts.map(|region| self.one_of(region)))
    }

    /// The element at an index, to write; `None` outside the slice.
    #[inline(always)]
    #[must_use]
    pub fn get_mut(&mut self, index: L::Index) -> Option<&mut T> {
        // SAFETY: the element belongs to this slice, which is borrowed for as long.
        self.part.slot(&index).map(|mut slot| unsafe { slot.as_mut() })
    }

    /// The elements with their indices in row-major order, to write: see [`iter_mut`](Self::iter_mut).
    #[inline(always)]
    pub(in crate::memory) fn into_elements(
        self,
    ) -> impl Iterator<Item = (L::Index, &'a mut T)> + use<'a, L, T> {
        // SAFETY: the elements belong to this slice, which the iterator has taken, and each comes once.
        self.part.elements().map(|(index, mut slot)| (index, unsafe { slot.as_mut() }))
    }

    /// The elements with their indices to write, in row-major order, the last dimension fastest.
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout};
    ///
    /// type A = layout!(S32[3,5]{1,0:T(2,2)});
    /// let mut data = [0; A::PADDED_ELEMENTS];
    /// let mut view = ViewMut::<A, i32>::new(&mut data)?;
    /// let mut slice = view.slice_mut((1.., ..2))?;
    /// for ([i, j], x) in slice.iter_mut() {
    ///     *x = 10 * i as i32 + j as i32;
    /// }
    /// assert_eq!(slice.to_vec(), [0, 1, 10, 11]);
    /// assert_eq!((view[[0, 1]], view[[1, 1]], view[[2, 1]]), (0, 1, 11));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (L::Index, &mut T)> {
        self.reborrow().into_elements()
    }

    /// The runs of the layout, cut to the slice, with their elements to write, in the order of memory. They
    /// are disjoint.
    #[inline(always)]
    pub fn runs_mut(&mut self) -> impl Iterator<Item = (Run<L::Index>, &mut [T])> {
        // SAFETY: the elements belong to this slice, which is borrowed for as long, and runs are disjoint.
        self.part.runs().map(|(run, mut slots)| (run, unsafe { slots.as_mut() }))
    }

    /// The rows of the tiles, cut to the slice, to write: see [`Slice::rows`]. They share no element.
    #[inline(always)]
    pub fn rows_mut(&mut self) -> impl FusedIterator<Item = RowMut<'_, L, T>> {
        let () = L::HAS_EVEN_ROWS;
        // SAFETY: the elements belong to this slice, which is borrowed for as long, and rows share no slot.
        self.part.rows().map(|place| unsafe { RowMut::of(place) })
    }

    /// The tiles of the outermost tiling that make up the slice, to write, in the order of memory: see
    /// [`Slice::tiles`](crate::Slice::tiles). They are disjoint.
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout};
    ///
    /// type A = layout!(F32[20,256]{1,0:T(8,128)});
    /// let mut data = [0.0; A::PADDED_ELEMENTS];
    /// let mut view = ViewMut::<A, f32>::new(&mut data)?;
    /// let [_, mut right] = view.split_at_mut(1, 128)?;
    /// for mut tile in right.tiles_mut().unwrap() {
    ///     tile.as_mut_slice().fill(1.0);
    /// }
    /// assert_eq!((view[[19, 127]], view[[0, 128]], view[[19, 255]]), (0.0, 1.0, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tiles_mut(&mut self) -> Option<impl Iterator<Item = TileMut<'_, L, T>>> {
        let () = L::HAS_GRID;
        let sizes = self.part.layout.sizes();
        let tiles = self.part.tiles()?;
        Some(tiles.map(move |(place, mut slots)| {
            // SAFETY: the elements belong to this slice, which is borrowed for as long. Tiles are disjoint, and none but
            // this slice, which has all of a tile's elements, reaches its padding.
            TileMut { place, slots: unsafe { slots.as_mut() }, sizes }
        }))
    }

    /// Writes a value to each element of the slice. Padding stays as it is.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let mut buffer = Buffer::<layout!(S32[3,5]{1,0:T(2,2)}), i32>::zeroed();
    /// buffer.slice_mut((1.., ..2))?.fill(7);
    /// assert_eq!(buffer.to_vec(), [0, 0, 0, 0, 0, 7, 7, 0, 0, 0, 7, 7, 0, 0, 0]);
    /// # Ok::<(), layout::walks::SliceError>(())
    /// ```
    pub fn fill(&mut self, value: T)
    where
        T: Copy,
    {
        // SAFETY: the elements belong to this slice, which is borrowed for as long.
        unsafe { self.part.fill(value) }
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
