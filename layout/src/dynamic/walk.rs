//! Rows and tiles of arrays whose layout is known at run time only.
#![allow(unsafe_code, reason = "rows and tiles have slots of their own")]

use layout_core::__private::native;
use layout_core::limits::MAX_DIMS;

use crate::dynamic::error::DynError;
use crate::dynamic::layout::{DynLayout, ValueRuns};
use crate::dynamic::place::{DynPart, PartRuns};
use crate::memory::walked::{ByNumber, Lies, Numbered, Walked};
use crate::memory::{AddressedMut, Memory, Shared, SpreadMut, Storage, Stretch};
use crate::order::{odometer, tile::Tile, tile::Tiled};
use crate::spec::index::DynIndex;
use crate::walk::row::Rows;

impl Tiled for DynLayout {
    type Index = DynIndex;
    type Sizes = ();
}

/// The tiles of a layout, without memory.
pub type DynTiles<'l> = Numbered<TilesOf<'l>>;

/// A layout, and the slots of each of its tiles.
#[derive(Clone, Debug)]
pub struct TilesOf<'l> {
    layout: &'l DynLayout,
    length: usize,
}

impl ByNumber for TilesOf<'_> {
    type Item = Tile<DynLayout>;

    fn item(&self, number: usize) -> Tile<DynLayout> {
        self.layout.tile(number, self.length)
    }
}

impl DynLayout {
    /// Where the tile of a number lies; each has `length` slots.
    fn tile(&self, number: usize, length: usize) -> Tile<DynLayout> {
        let (mut origin, mut extent, mut is_full) = ([0; MAX_DIMS], [0; MAX_DIMS], true);
        // Only layouts with a grid have tiles.
        if let Ok(grid) = self.grid() {
            let (order, count) = (self.shape().minor_to_major(), &grid.count);
            odometer::numbered(number, order, |dim| native(count[dim].factor), &mut origin);
            for (dim, size) in self.dims().iter().enumerate() {
                let of_tile = native(grid.size[dim]);
                origin[dim] *= of_tile;
                extent[dim] = size.saturating_sub(origin[dim]).min(of_tile);
                is_full &= extent[dim] == of_tile;
            }
        }
        let [origin, extent] = [origin, extent].map(|list| DynIndex::of(&list, self.dims().len()));
        Tile { origin, extent, sizes: (), is_full, start: number * length, length, slots: () }
    }

    fn tiles(&self) -> Result<DynTiles<'_>, DynError> {
        let length = native(self.grid()?.block.factor).max(1);
        let slots = if self.elements() == 0 { 0 } else { native(self.digits().size()) };
        Ok(Numbered::new(TilesOf { layout: self, length }, slots / length))
    }

    fn numbered(&self, tile: &[usize]) -> Option<Tile<DynLayout>> {
        let (mut tiles, grid) = (self.tiles().ok()?, self.grid().ok()?);
        let order = self.shape().minor_to_major();
        if tile.len() != order.len() {
            return None;
        }
        let number = odometer::number(tile, order, |dim| native(grid.count[dim].factor))?;
        tiles.nth(number)
    }

    fn rows(&self) -> Result<Rows<ValueRuns<'_>>, DynError> {
        let rows = self.row_walk()?;
        let (dim, stride) = (rows.walk().dim(), native(rows.walk().stride()));
        Ok(Rows::new(rows, dim, stride))
    }
}

impl DynPart {
    fn rows(&self) -> Result<Rows<PartRuns<'_>>, DynError> {
        let walk = self.layout().row_walk()?.walk();
        Ok(Rows::new(self.walked(walk), walk.dim(), native(walk.stride())))
    }
}

/// Rows and tiles of an array whose layout is known at run time only.
impl<S: Storage> Memory<DynLayout, S> {
    /// The rows of the tiles in the order of memory: elements that are evenly spaced along the most minor dimension.
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
    ///     sums[row.index()[0]] += row.indexed_iter().map(|(_, &x)| u32::from(x)).sum::<u32>();
    /// }
    /// assert_eq!(sums, [19_900, 219_900, 419_900]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn rows(&self) -> Result<Walked<Rows<ValueRuns<'_>>, Shared<'_, S>>, DynError> {
        // SAFETY: rows are of elements of the array.
        Ok(unsafe { Walked::new(self.place.rows()?, self.slots.shared()) })
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
    #[inline]
    pub fn tiles(&self) -> Result<Walked<DynTiles<'_>, Shared<'_, S>>, DynError> {
        // SAFETY: tiles are of slots of the array.
        Ok(unsafe { Walked::new(self.place.tiles()?, self.slots.shared()) })
    }

    /// The tile at a position in the grid, dimension 0 first; `None` outside of
    /// [`tile_counts`](DynLayout::tile_counts), and where tiles are not consecutive memory.
    #[must_use]
    pub fn tile(&self, tile: &[usize]) -> Option<Tile<DynLayout, Stretch<'_, S>>> {
        let tile = self.place.numbered(tile)?;
        // SAFETY: it is of slots of the array.
        Some(unsafe { tile.with(&mut self.slots.shared()) })
    }
}

/// Rows and tiles to write: of a `DynViewMut` or a `DynBuffer`.
impl<S: AddressedMut> Memory<DynLayout, S> {
    /// The rows of the tiles to write, in the order of memory: see [`rows`](Self::rows).
    ///
    /// # Errors
    /// If elements of a row are not evenly spaced.
    #[inline]
    pub fn rows_mut(
        &mut self,
    ) -> Result<Walked<Rows<ValueRuns<'_>>, SpreadMut<'_, S::Elem>>, DynError> {
        let (layout, slots) = (&self.place, &mut self.slots);
        // SAFETY: rows are of elements of the array, and share none.
        Ok(unsafe { Walked::new(layout.rows()?, slots.spread()) })
    }

    /// The tiles of the outermost tiling to write, in the order of memory: see [`tiles`](Self::tiles).
    ///
    /// # Errors
    /// If tiles are not consecutive memory.
    #[inline]
    pub fn tiles_mut(&mut self) -> Result<Walked<DynTiles<'_>, SpreadMut<'_, S::Elem>>, DynError> {
        let (layout, slots) = (&self.place, &mut self.slots);
        // SAFETY: tiles are of slots of the array, and share none.
        Ok(unsafe { Walked::new(layout.tiles()?, slots.spread()) })
    }
}

/// Rows of a part.
impl<S: Storage> Memory<DynPart, S> {
    /// The rows of the tiles, cut to the part, in the order of memory.
    ///
    /// # Errors
    /// If elements of a row are not evenly spaced.
    pub fn rows(&self) -> Result<Walked<Rows<PartRuns<'_>>, Shared<'_, S>>, DynError> {
        // SAFETY: rows are of elements of the part.
        Ok(unsafe { Walked::new(self.place.rows()?, self.slots.shared()) })
    }
}
