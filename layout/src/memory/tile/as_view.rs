//! A tile as an array of its own.

use layout_core::__private::native;

use crate::array::tile_of::FirstTile;
use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, Compiled, stop};
use crate::memory::tile::{Tile, TileMut};
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;

/// Stops the build if a tile is not laid out as its array is.
#[track_caller]
const fn check<L: FirstTile>() {
    let () = L::HAS_GRID;
    let () = <L::Within as Compiled>::VALID;
    if <L::Within as Compiled>::SLOTS != native(L::GRID.block.factor) {
        stop("a tile takes other memory than an array of its sizes")
    }
}

impl<'a, L, T> Tile<'a, L, T>
where
    L: FirstTile<Within: AnyLayout<Element = L::Element>>,
{
    /// The tile as an array, padding included: see [`TileOf`](crate::types::TileOf).
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
    /// let view = View::<A, f32>::new(&data)?;
    /// let tile = view.tile([1, 1]).unwrap();
    /// assert_eq!((tile.as_view()[[0, 1]], view[[2, 3]]), (17.0, 17.0));
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[must_use]
    pub fn as_view(&self) -> View<'a, L::Within, T> {
        const { check::<L>() };
        View::of_slots(WithDims::known(), self.as_slice())
    }
}

impl<L, T> TileMut<'_, L, T>
where
    L: FirstTile<Within: AnyLayout<Element = L::Element>>,
{
    /// The tile as an array to write, padding included: see [`TileOf`](crate::types::TileOf).
    #[must_use]
    pub fn as_view_mut(&mut self) -> ViewMut<'_, L::Within, T> {
        const { check::<L>() };
        ViewMut::of_slots(WithDims::known(), self.as_mut_slice())
    }
}
