//! The layout within one tile, and the one without tiles, as types that follow from a layout's without
//! arithmetic.
#![allow(unnameable_types, reason = "steps that compute a type; users name the result")]

use crate::array::same_array::SameArray;
use crate::compiled::AnyLayout;
use crate::types::array::Array;
use crate::types::list::Descending;
use crate::types::{
    DimList, Element, LayoutTypes, NumberList, Properties, TileSpec, Tiles, Untiled,
};

/// The layout without its tiles; all else, `PAD` and other properties among it, stays.
///
/// # Examples
/// ```
/// use layout::types::UntiledOf;
/// use layout::layout;
///
/// type A = UntiledOf<layout!(BF16[512,1024]{0,1:T(8,128)(2,1)S(1)})>;
/// assert_eq!(A::TEXT, "bf16[512,1024]{0,1:S(1)}");
/// ```
// An alias: associated types of types themselves are not stable.
pub type UntiledOf<A> = <A as Untile>::WithoutTiles;

/// A layout that has one without its tiles: see [`UntiledOf`].
///
/// # Examples
/// ```
/// use layout::types::Untile;
/// use layout::{Buffer, StoredIn, View, layout};
///
/// /// The array without its tiles.
/// fn untiled<L: Untile>(view: View<L, f32>) -> Buffer<L::WithoutTiles, f32>
/// where
///     f32: StoredIn<L>,
/// {
///     view.to_layout::<L::WithoutTiles>()
/// }
///
/// type A = layout!(F32[2,3]{1,0:T(2,2)});
/// let view = View::<A, f32>::new(&[0.0, 1.0, 3.0, 4.0, 2.0, 9.0, 5.0, 9.0])?;
/// assert_eq!(untiled(view).as_slice(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
/// # Ok::<(), layout::TooShort>(())
/// ```
pub trait Untile: SameArray<<Self as Untile>::WithoutTiles> + Sized {
    /// The layout without its tiles.
    type WithoutTiles: SameArray<Self>
        + AnyLayout<
            Index = <Self as LayoutTypes>::Index,
            Element = <Self as LayoutTypes>::Element,
            Width = <Self as LayoutTypes>::Width,
        >;
}

#[diagnostic::do_not_recommend]
impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Untile
    for Array<E, D, M, T, P>
{
    type WithoutTiles = Array<E, D, M, Untiled, P>;
}

/// The layout within one tile of the outermost tiling of `A`: an array of the tile's own sizes, the most
/// major first, in the default order, with the tiles that come after. The element size and the memory
/// space of `A` stay, other properties are those of the array as a whole.
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
/// type A = layout!(BF16[64,512,1024]{1,2,0:T(8,128)(2,1)S(1)});
/// type Within = TileOf<A>;
/// assert_eq!(Within::TEXT, "bf16[8,128]{1,0:T(2,1)S(1)}");
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
impl<E, D, M, T, P> FirstTile for Array<E, D, M, Tiles<T>, P>
where
    Self: AnyLayout,
    E: Element,
    T: TakenApart<First: DimList + Descending>,
    P: Properties,
{
    type Within = Array<E, T::First, <T::First as Descending>::Order, Tiles<T::Rest>, P::Storage>;
}

/// A list of at least one tile.
pub trait TakenApart {
    /// The first tile.
    type First;
    /// The others.
    type Rest: crate::types::list::TileList;
}

macro_rules! taken_apart {
    () => {};
    ($first:ident $($rest:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$first, $($rest: crate::types::list::TileShape),*> TakenApart for ($first, $($rest,)*) {
            type First = $first;
            type Rest = ($($rest,)*);
        }
    };
}

crate::types::list::shorter! { taken_apart A0 A1 A2 A3 A4 A5 A6 A7 }
