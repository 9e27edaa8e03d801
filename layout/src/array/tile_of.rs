//! The layout within one tile, as a type that follows from a layout's without arithmetic.
#![allow(unnameable_types, reason = "steps that compute a type; users name the result")]

use crate::compiled::AnyLayout;
use crate::spec::array::Array;
use crate::spec::list::{Descending, TileList, TileShape, shorter};
use crate::spec::{DimList, Element, Properties, Tiles};

/// The layout within one tile of the outermost tiling of `A`: an array of the tile's own sizes, the most
/// major first, in the default order, with the tiles that come after. The element size of `A` stays; other
/// properties are those of the array as a whole.
///
/// The dimensions are those of the tile, not of the array: `T(8,128)` is 8 of the second most minor
/// dimension by 128 of the most minor one, whichever these are. [`Tile::as_view`](crate::walks::Tile::as_view) makes views of it. A
/// layout without tiles, or whose first tile combines dimensions, has none.
///
/// # Examples
/// ```
/// use layout::types::TileOf;
/// use layout::layout;
///
/// type A = layout!(S4[64,512,1024]{1,2,0:T(8,128)(2,1)E(4)S(1)});
/// type Within = TileOf<A>;
/// assert_eq!(Within::TEXT, "s4[8,128]{1,0:T(2,1)E(4)}");
/// assert_eq!(Within::PADDED_ELEMENTS, A::TILE_ELEMENTS);
/// ```
// An alias: associated types of types themselves are not stable.
pub type TileOf<A> = <A as FirstTile>::Within;

/// A layout with tiles: see [`TileOf`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tile that is an array",
    note = "the layout needs tiles, and the first one must not combine dimensions (`*`)"
)]
pub trait FirstTile: AnyLayout {
    /// The layout within one tile.
    type Within: AnyLayout;
}

#[diagnostic::do_not_recommend]
impl<E: Element, D, M, T: TakenApart<First: DimList + Descending>, P: Properties> FirstTile
    for Array<E, D, M, Tiles<T>, P>
where
    Self: AnyLayout,
{
    type Within =
        Array<E, T::First, <T::First as Descending>::Order, Tiles<T::Rest>, P::ElementSize>;
}

/// A list of at least one tile.
pub trait TakenApart {
    /// The first tile.
    type First;
    /// The others.
    type Rest: TileList;
}

macro_rules! taken_apart {
    () => {};
    ($first:ident $($rest:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$first, $($rest: TileShape),*> TakenApart for ($first, $($rest,)*) {
            type First = $first;
            type Rest = ($($rest,)*);
        }
    };
}

shorter! { taken_apart A0 A1 A2 A3 A4 A5 A6 A7 }
