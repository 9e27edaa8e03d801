//! Arrays row by row and tile by tile.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::{Deref, DerefMut, Index};

use layout_core::__private::native;
use layout_core::limits::MAX_DIMS;

use crate::dynamic::array::DynArray;
use crate::dynamic::error::DynError;
use crate::dynamic::layout::DynLayout;
use crate::types::index::DynIndex;
use crate::walk::odometer;
use crate::walk::run::Run;

/// Elements that are evenly spaced in memory along the most minor dimension, in memory `S`: see
/// [`View::rows`](crate::View::rows).
pub struct DynRow<S> {
    index: DynIndex,
    offset: usize,
    stride: usize,
    /// From the first element to the last.
    slots: S,
}

/// The slots from the first element of a row to the last.
#[inline(always)]
pub(super) fn slots_of<I>(run: &Run<I>, stride: usize) -> core::ops::Range<usize> {
    run.offset..run.offset + (run.length - 1) * stride + 1
}

impl<S> DynRow<S> {
    #[inline(always)]
    pub(super) fn new(run: Run<DynIndex>, stride: usize, slots: S) -> Self {
        DynRow { index: run.index, offset: run.offset, stride, slots }
    }

    /// Index of the first element, dimension 0 first. In a slice it counts from the slice's first element on.
    #[must_use]
    pub fn index(&self) -> DynIndex {
        self.index
    }

    /// Offset of the first element, in elements.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Slots of memory from one element of the row to the next.
    #[must_use]
    pub fn stride(&self) -> usize {
        self.stride
    }
}

// A row has an element at least.
#[allow(clippy::len_without_is_empty, reason = "it would always be false")]
impl<T: 'static, S: Deref<Target = [T]>> DynRow<S> {
    /// Number of elements, at least 1.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len().div_ceil(self.stride)
    }

    /// The elements as a slice, where they are consecutive: if the [`stride`](Self::stride) is 1. Loops over it are faster.
    #[inline(always)]
    #[must_use]
    pub fn as_slice(&self) -> Option<&[T]> {
        (self.stride == 1).then_some(&self.slots)
    }

    /// The elements in the order of the row.
    #[inline(always)]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &T> + DoubleEndedIterator {
        self.slots.iter().step_by(self.stride)
    }

    /// An element of the row; `None` past its end.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, at: usize) -> Option<&T> {
        self.slots.get(at.checked_mul(self.stride)?)
    }
}

impl<T: 'static, S: DerefMut<Target = [T]>> DynRow<S> {
    /// The elements in the order of the row, to write.
    #[inline(always)]
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut T> + DoubleEndedIterator {
        self.slots.iter_mut().step_by(self.stride)
    }
}

impl<T: 'static, S: Deref<Target = [T]>> Index<usize> for DynRow<S> {
    type Output = T;

    /// # Panics
    /// Past the end of the row.
    #[inline(always)]
    #[track_caller]
    fn index(&self, at: usize) -> &T {
        match self.get(at) {
            Some(element) => element,
            None => crate::memory::row::past_the_end(at, self.len()),
        }
    }
}

impl<S> fmt::Debug for DynRow<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = f.debug_struct("DynRow");
        row.field("index", &self.index).field("offset", &self.offset).finish_non_exhaustive()
    }
}

/// A tile of the outermost tiling, in memory `S`: see [`View::tiles`](crate::View::tiles).
pub struct DynTile<'l, S> {
    layout: &'l DynLayout,
    number: usize,
    slots: S,
}

impl<S> DynTile<'_, S> {
    /// Index of the tile's first element.
    #[must_use]
    pub fn origin(&self) -> DynIndex {
        let mut origin = [0; MAX_DIMS];
        // A tile was made of a grid.
        if let Ok(grid) = self.layout.grid() {
            let order = self.layout.shape().minor_to_major();
            odometer::numbered(
                self.number,
                order,
                |dim| native(grid.count[dim].factor),
                &mut origin,
            );
            origin.iter_mut().zip(grid.size).for_each(|(at, size)| *at *= native(size));
        }
        DynIndex::of(&origin, self.layout.dims().len())
    }

    /// Elements of the tile along each dimension, dimension 0 first: smaller than the tile at the edge of the array, 0 where
    /// the tile is padding alone.
    #[must_use]
    pub fn extent(&self) -> DynIndex {
        let (mut extent, origin) = ([0; MAX_DIMS], self.origin());
        for (dim, (at, size)) in origin.iter().zip(self.layout.dims()).enumerate() {
            let tile = self.layout.grid().map_or(0, |grid| native(grid.size[dim]));
            extent[dim] = size.saturating_sub(*at).min(tile);
        }
        DynIndex::of(&extent, origin.len())
    }

    /// Whether the tile has no padding of its dimensions.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let Ok(grid) = self.layout.grid() else { return false };
        self.extent().iter().zip(grid.size).all(|(extent, size)| *extent == native(size))
    }
}

impl<T: 'static, S: Deref<Target = [T]>> DynTile<'_, S> {
    /// The memory of the tile, padding included.
    #[inline(always)]
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.slots
    }
}

impl<T: 'static, S: DerefMut<Target = [T]>> DynTile<'_, S> {
    /// The memory of the tile to write, padding included.
    #[inline(always)]
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.slots
    }
}

impl<S> fmt::Debug for DynTile<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tile = f.debug_struct("DynTile");
        tile.field("origin", &self.origin()).field("extent", &self.extent()).finish_non_exhaustive()
    }
}

impl DynLayout {
    /// Slots of a tile, and of all tiles.
    fn blocks(&self) -> Result<[usize; 2], DynError> {
        let block = native(self.grid()?.block.factor).max(1);
        let digits = self.digits();
        Ok([block, if digits.elements() == 0 { 0 } else { native(digits.size()) }])
    }
}

impl<T: 'static, S: Deref<Target = [T]>> DynArray<S> {
    /// The rows of the tiles in the order of memory: see [`View::rows`](crate::View::rows).
    ///
    /// # Errors
    /// If elements of a row are not evenly spaced.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    ///
    /// // Two rows side by side in each 32-bit word.
    /// let layout = DynLayout::new(&"u16[3,200]{1,0:T(8,128)(2,1)}".parse()?)?;
    /// let buffer = layout.from_fn(|index| (1000 * index[0] + index[1]) as u16)?;
    /// let mut sums = [0; 3];
    /// for row in buffer.rows()? {
    ///     sums[row.index()[0]] += row.iter().map(|&x| u32::from(x)).sum::<u32>();
    /// }
    /// assert_eq!(sums, [19_900, 219_900, 419_900]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn rows(&self) -> Result<impl FusedIterator<Item = DynRow<&[T]>>, DynError> {
        let (rows, slots) = (self.layout.row_walk()?, self.as_slice());
        let stride = native(rows.walk().stride());
        Ok(rows.map(move |run| {
            let elements = &slots[slots_of(&run, stride)];
            DynRow::new(run, stride, elements)
        }))
    }

    /// The tiles of the outermost tiling in the order of memory; without tiles the whole array is one.
    ///
    /// # Errors
    /// If tiles are not consecutive memory.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    ///
    /// let layout = DynLayout::new(&"f32[3,5]{1,0:T(2,2)}".parse()?)?;
    /// let buffer = layout.filled(1.0_f32)?;
    /// let last = buffer.tiles()?.last().unwrap();
    /// assert_eq!((last.origin().to_vec(), last.extent().to_vec()), (vec![2, 4], vec![1, 1]));
    /// assert_eq!((buffer.tiles()?.len(), last.as_slice().len()), (6, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn tiles(
        &self,
    ) -> Result<impl ExactSizeIterator<Item = DynTile<'_, &[T]>> + DoubleEndedIterator, DynError>
    {
        let [block, end] = self.layout.blocks()?;
        let tiles = self.as_slice()[..end].chunks_exact(block).enumerate();
        Ok(tiles.map(|(number, slots)| DynTile { layout: &self.layout, number, slots }))
    }

    /// The tile at a position in the grid, dimension 0 first; `None` outside of
    /// [`tile_counts`](DynLayout::tile_counts), and where tiles are not consecutive memory.
    #[must_use]
    pub fn tile(&self, tile: &[usize]) -> Option<DynTile<'_, &[T]>> {
        let ([block, _], grid) = (self.layout.blocks().ok()?, self.layout.grid().ok()?);
        let order = self.layout.shape().minor_to_major();
        if tile.len() != order.len() {
            return None;
        }
        let number = odometer::number(tile, order, |dim| native(grid.count[dim].factor))?;
        let slots = self.as_slice().get(number * block..)?.get(..block)?;
        Some(DynTile { layout: &self.layout, number, slots })
    }
}

impl<T: 'static, S: DerefMut<Target = [T]>> DynArray<S> {
    /// Calls with each of the rows of the tiles to write, in the order of memory: see [`rows`](Self::rows).
    ///
    /// # Errors
    /// If elements of a row are not evenly spaced. Nothing was called then.
    #[inline(always)]
    pub fn for_each_row_mut(
        &mut self,
        mut each: impl FnMut(DynRow<&mut [T]>),
    ) -> Result<(), DynError> {
        let (rows, slots) = (self.layout.row_walk()?, &mut *self.slots);
        let stride = native(rows.walk().stride());
        for run in rows {
            let elements = &mut slots[slots_of(&run, stride)];
            each(DynRow::new(run, stride, elements));
        }
        Ok(())
    }

    /// The tiles of the outermost tiling to write, in the order of memory: see [`tiles`](Self::tiles). Threads can write
    /// different ones at the same time.
    ///
    /// # Errors
    /// If tiles are not consecutive memory.
    #[inline(always)]
    pub fn tiles_mut(
        &mut self,
    ) -> Result<impl ExactSizeIterator<Item = DynTile<'_, &mut [T]>> + DoubleEndedIterator, DynError>
    {
        let [block, end] = self.layout.blocks()?;
        let layout = &self.layout;
        let tiles = self.slots[..end].chunks_exact_mut(block).enumerate();
        Ok(tiles.map(move |(number, slots)| DynTile { layout, number, slots }))
    }
}
