//! What views offer, on buffers: without writing `as_view()` or `as_view_mut()`.

use core::iter::FusedIterator;
use core::ops::{Index, IndexMut};

use crate::compiled::AnyLayout;
use crate::memory::block::{Block, BlockMut, Chunks};
use crate::memory::buffer::Buffer;
use crate::memory::slice::Slice;
use crate::memory::slot::{SliceMut, Slot};
use crate::memory::tile::{Tile, TileMut};
use crate::memory::view::{element, element_mut};
use crate::walk::region::{Ranges, Region, SliceError};
use crate::walk::run::Run;

/// Access to elements, as of a [`View`](crate::View) and a [`ViewMut`](crate::ViewMut).
///
/// # Examples
/// ```
/// use layout::{Buffer, layout};
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// let mut buffer = Buffer::<A, f32>::zeroed();
/// buffer.iter_mut().for_each(|([i, j], x)| *x = (5 * i + j) as f32);
/// assert_eq!(buffer.get([2, 3]), Some(&13.0));
/// assert_eq!(buffer.runs().map(|(_, run)| run.len()).max(), Some(2));
/// assert_eq!(buffer.tiles().count(), 6);
/// assert_eq!(buffer.slice((1.., ..2))?.to_vec(), [5.0, 6.0, 10.0, 11.0]);
/// # Ok::<(), layout::SliceError>(())
/// ```
impl<L: AnyLayout, T> Buffer<L, T> {
    /// The element at an index; `None` outside the bounds of the array.
    #[inline]
    #[must_use]
    pub fn get(&self, index: L::Index) -> Option<&T> {
        self.as_view().get(index)
    }

    /// The element at an index, to write; `None` outside the bounds of the array.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, index: L::Index) -> Option<&mut T> {
        let offset = self.layout().checked_offset(index)?;
        Some(&mut self.as_mut_slice()[offset])
    }

    /// The element at a place that is in range: see [`View::at`](crate::View::at).
    #[inline]
    #[must_use]
    pub fn at(&self, slot: Slot<L>) -> &T {
        self.as_view().at(slot)
    }

    /// The element at a place that is in range, to write: see [`View::at`](crate::View::at).
    #[inline]
    #[must_use]
    pub fn at_mut(&mut self, slot: Slot<L>) -> &mut T {
        &mut self.as_mut_slice()[slot.offset()]
    }

    /// The elements with their indices in row-major order: see [`View::iter`](crate::View::iter).
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (L::Index, &T)> + FusedIterator {
        self.as_view().iter()
    }

    /// The elements with their indices to write, in row-major order: see
    /// [`ViewMut::iter_mut`](crate::ViewMut::iter_mut).
    #[inline]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (L::Index, &mut T)> {
        self.as_view_mut().into_whole().into_elements()
    }

    /// The runs of the layout with their elements, in the order of memory: see
    /// [`View::runs`](crate::View::runs).
    #[inline]
    pub fn runs(&self) -> impl FusedIterator<Item = (Run<L::Index>, &[T])> {
        self.as_view().runs()
    }

    /// The runs of the layout with their elements to write, in the order of memory. They are disjoint.
    #[inline]
    pub fn runs_mut(&mut self) -> impl FusedIterator<Item = (Run<L::Index>, &mut [T])> {
        self.as_view_mut().into_runs()
    }

    /// The tiles of the outermost tiling, in the order of memory: see
    /// [`View::tiles`](crate::View::tiles).
    #[inline]
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = Tile<'_, L, T>> + FusedIterator {
        let () = L::HAS_GRID;
        self.as_view().tiles()
    }

    /// The tiles of the outermost tiling to write, in the order of memory. They are disjoint.
    #[inline]
    pub fn tiles_mut(
        &mut self,
    ) -> impl ExactSizeIterator<Item = TileMut<'_, L, T>> + FusedIterator {
        let () = L::HAS_GRID;
        self.as_view_mut().into_tiles()
    }

    /// The tile at a position in the grid, dimension 0 first; `None` outside `TILE_COUNTS`.
    #[must_use]
    pub fn tile(&self, tile: L::Index) -> Option<Tile<'_, L, T>> {
        let () = L::HAS_GRID;
        self.as_view().tile(tile)
    }

    /// The tile at a position in the grid, dimension 0 first, to write; `None` outside
    /// `TILE_COUNTS`.
    #[must_use]
    pub fn tile_mut(&mut self, tile: L::Index) -> Option<TileMut<'_, L, T>> {
        let () = L::HAS_GRID;
        self.as_view_mut().into_tile(tile)
    }

    /// The tiles of a level as blocks of memory: see [`View::blocks`](crate::View::blocks).
    #[inline]
    pub fn blocks<const LEVEL: usize>(
        &self,
    ) -> impl ExactSizeIterator<Item = Block<'_, L, T>> + DoubleEndedIterator + FusedIterator {
        let _ = Chunks::<L, LEVEL>::LENGTH;
        self.as_view().blocks::<LEVEL>()
    }

    /// The tiles of a level as blocks of memory to write. They are disjoint.
    #[inline]
    pub fn blocks_mut<const LEVEL: usize>(
        &mut self,
    ) -> impl ExactSizeIterator<Item = BlockMut<'_, L, T>> + DoubleEndedIterator + FusedIterator
    {
        let _ = Chunks::<L, LEVEL>::LENGTH;
        self.as_view_mut().into_blocks::<LEVEL>()
    }

    /// The part of the array in ranges of coordinates: see [`View::slice`](crate::View::slice).
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    pub fn slice(&self, ranges: impl Ranges<L::Index>) -> Result<Slice<'_, L, T>, SliceError> {
        self.as_view().slice(ranges)
    }

    /// The part of the array in ranges of coordinates, to write: see
    /// [`View::slice`](crate::View::slice).
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    pub fn slice_mut(
        &mut self,
        ranges: impl Ranges<L::Index>,
    ) -> Result<SliceMut<'_, L, T>, SliceError> {
        self.as_view_mut().into_whole().into_slice(ranges)
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

    /// The part of the array that a constant names, to write: see
    /// [`View::region`](crate::View::region).
    ///
    /// # Panics
    /// If the region is one of a larger view, of a layout whose sizes are known at run time only.
    #[track_caller]
    #[must_use]
    pub fn region_mut(&mut self, region: Region<L>) -> SliceMut<'_, L, T> {
        self.as_view_mut().into_whole().part(region)
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

    /// The slices of one element along a dimension to write, in the order of its coordinate. They share
    /// no element.
    ///
    /// # Errors
    /// If the array has no such dimension.
    pub fn iter_axis_mut(
        &mut self,
        dim: usize,
    ) -> Result<impl Iterator<Item = SliceMut<'_, L, T>>, SliceError> {
        self.as_view_mut().into_whole().into_axis(dim)
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
        self.as_view_mut().into_whole().split_at_mut(dim, at)
    }
}

impl<L: AnyLayout, T> Index<L::Index> for Buffer<L, T> {
    type Output = T;

    /// # Panics
    /// If a coordinate is not below its dimension.
    #[track_caller]
    fn index(&self, index: L::Index) -> &T {
        element(&self.layout(), self.as_slice(), index)
    }
}

impl<L: AnyLayout, T> IndexMut<L::Index> for Buffer<L, T> {
    /// # Panics
    /// If a coordinate is not below its dimension.
    #[track_caller]
    fn index_mut(&mut self, index: L::Index) -> &mut T {
        element_mut(&self.layout(), self.as_mut_slice(), index)
    }
}
