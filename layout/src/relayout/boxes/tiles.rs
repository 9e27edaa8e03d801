//! Copies tile by tile.

use core::marker::PhantomData;

use layout_core::Size;
use layout_core::limits::MAX_DIMS;

use crate::array::same_array::{SameArray, SameDims};
use crate::compiled::AnyLayout;
use crate::memory::stored::StoredIn;
use crate::memory::tile::Tile;
use crate::relayout::boxes::{copy_box, same_index};
use crate::relayout::copier::Copier;
use crate::relayout::error::CopyError;
use crate::relayout::padding::{Padding, padding_at};
use crate::relayout::pair::Boxes;
use crate::walk::tiles::LayoutTiles;

/// The tiles of the destination.
struct Tiles<B, const ARE_FULL: bool>(PhantomData<B>);

impl<B: AnyLayout, const ARE_FULL: bool> Boxes for Tiles<B, ARE_FULL> {
    const SIZE: &'static [Size; MAX_DIMS] = &B::GRID.size;
    const ARE_FULL: bool = ARE_FULL;
}

impl<A: SameDims<B>, B: AnyLayout> Copier<A, B> {
    /// Copies an array as [`run`](Self::run) does, tile by tile of the destination's outermost tiling in the order of memory, and
    /// calls a function with each tile and its memory as soon as it is written, while it is in the first cache: for sums,
    /// checksums, or work on the elements themselves. The memory is that of [`Tile::range`], padding included; tiles of
    /// padding alone come too. Without tiles, the array is one tile.
    ///
    /// It does not compile if the tiles are not contiguous.
    ///
    /// # Errors
    /// Under the conditions of [`run`](Self::run). Nothing is written then.
    ///
    /// # Panics
    /// If the function does; tiles that it was not called for keep what they hold.
    ///
    /// # Examples
    /// Packs panels of four columns, and sums each:
    /// ```
    /// use layout::{Copier, Padding, layout};
    ///
    /// type Rows = layout!(S8[?,?]);
    /// type Panels = layout!(S8[?,?]{0,1:T(4,2)});
    /// const PACK: Copier<Rows, Panels> = Copier::new();
    ///
    /// let (mut panels, mut sums) = ([0; 16], [0; 2]);
    /// PACK.tiles([2, 5], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], &mut panels, Padding::Zero, |tile, memory| {
    ///     let [_, column] = tile.origin();
    ///     sums[column / 4] += memory.iter().map(|&value| i32::from(value)).sum::<i32>();
    /// })?;
    /// assert_eq!(sums, [40, 15]);
    /// assert_eq!(panels[..8], [1, 6, 2, 7, 3, 8, 4, 9]);
    /// # Ok::<(), layout::CopyError>(())
    /// ```
    #[inline]
    pub fn tiles<T>(
        &self,
        dims: A::Index,
        src: &[T],
        dst: &mut [T],
        padding: impl Into<Padding<T>>,
        mut finished: impl FnMut(Tile<B>, &mut [T]),
    ) -> Result<(), CopyError>
    where
        A: SameArray<B>,
        T: StoredIn<A> + StoredIn<B>,
    {
        let () = B::HAS_GRID;
        let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
        let (of_a, of_b) = Self::layouts(&dims)?;
        let src = CopyError::source(src, of_a.padded_elements())?;
        let dst = CopyError::destination(dst, of_b.padded_elements())?;
        let padding = padding_at(&of_b, padding.into())?;
        let (mut end, sides) = (0, (&of_a, &of_b));
        for tile in LayoutTiles::<B>::new(of_b.sizes()) {
            let memory = &mut dst[tile.range()];
            let at = &[tile.origin(), tile.extent()].map(|index| same_index::<B, A>(&index));
            let first = [0, tile.range().start];
            if tile.is_full() {
                copy_box::<A, B, Tiles<B, true>, T>(sides, at, first, src, memory, padding);
            } else {
                copy_box::<A, B, Tiles<B, false>, T>(sides, at, first, src, memory, padding);
            }
            end = tile.range().end;
            finished(tile, memory);
        }
        if let Some(value) = padding {
            dst[end..].fill(value);
        }
        Ok(())
    }
}
