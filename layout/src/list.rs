//! Numbers as types, and tuples of them as lists.

use layout_spec::{Dim, TileDim};

use crate::any::AnyLayout;
use crate::eval;

/// The number `N` as a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct C<const N: usize>;

/// A dimension of at most `N` elements (`<=N`), laid out as if there were `N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AtMost<const N: usize>;

/// `*` in a tile: the dimension is combined with the next more minor one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Star;

/// A dimension: `C<N>` or `AtMost<N>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the size of a dimension",
    note = "a dimension is `C<N>` or `AtMost<N>`"
)]
pub trait DimType: 'static {
    #[doc(hidden)]
    const DIM: Dim;
    #[doc(hidden)]
    const SIZE: usize;
}

impl<const N: usize> DimType for C<N> {
    const DIM: Dim = Dim::Static(N);
    const SIZE: usize = N;
}

impl<const N: usize> DimType for AtMost<N> {
    const DIM: Dim = Dim::Bounded(N);
    const SIZE: usize = N;
}

/// A number: `C<N>`.
pub trait NumberType: 'static {
    #[doc(hidden)]
    const NUMBER: usize;
}

impl<const N: usize> NumberType for C<N> {
    const NUMBER: usize = N;
}

/// An entry of a tile: `C<N>` or `Star`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tile size",
    note = "a tile size is `C<N>` or `Star`"
)]
pub trait TileDimType: 'static {
    #[doc(hidden)]
    const TILE_DIM: TileDim;
}

impl<const N: usize> TileDimType for C<N> {
    const TILE_DIM: TileDim = TileDim::Size(N);
}

impl TileDimType for Star {
    const TILE_DIM: TileDim = TileDim::Combined;
}

/// A list of dimensions, dimension 0 first: a tuple of `C<N>` and `AtMost<N>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of dimensions",
    note = "dimensions are a tuple of at most 16 `C<N>` or `AtMost<N>`"
)]
pub trait DimList: 'static {
    /// `[usize; RANK]`.
    type Index: Copy + core::fmt::Debug + PartialEq + AsRef<[usize]> + AsMut<[usize]> + 'static;
    #[doc(hidden)]
    const ORIGIN: Self::Index;
    #[doc(hidden)]
    fn find<L: AnyLayout>(index: &Self::Index) -> Option<usize>;
    #[doc(hidden)]
    fn find_unchecked<L: AnyLayout>(index: &Self::Index) -> usize;
    #[doc(hidden)]
    const RANK: usize;
    #[doc(hidden)]
    const SIZES: Self::Index;
    #[doc(hidden)]
    const SIZE_LIST: &'static [usize];
    #[doc(hidden)]
    const DIMS: &'static [Dim];
}

/// Numbers of tiles along the dimensions, which only the layout as a whole knows.
pub trait TileCounts<L>: DimList {
    #[doc(hidden)]
    const COUNTS: Self::Index;
}

/// A list of `R` dimensions.
#[diagnostic::on_unimplemented(
    message = "the array does not have {R} dimensions",
    label = "an index has one coordinate for each dimension"
)]
pub trait Dims<const R: usize>: DimList<Index = [usize; R]> {}

/// A list of numbers: a tuple of `C<N>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of numbers",
    note = "a list of numbers is a tuple of at most 32 `C<N>`"
)]
pub trait NumberList: 'static {
    /// An array of them.
    type Array: Copy;
    #[doc(hidden)]
    const ARRAY: Self::Array;
    #[doc(hidden)]
    const NUMBERS: &'static [usize];
}

/// One tile, the most major entry first: a tuple of `C<N>` and `Star`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tile",
    note = "a tile is a tuple of at most 32 `C<N>` or `Star`"
)]
pub trait Tile: 'static {
    #[doc(hidden)]
    const TILE: &'static [TileDim];
}

/// Tiles in the order in which they are applied: a tuple of tuples.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of tiles",
    note = "tiles are a tuple of at most 8 tuples of `C<N>` or `Star`"
)]
pub trait TileList: 'static {
    #[doc(hidden)]
    const TILES: &'static [&'static [TileDim]];
}

macro_rules! count {
    () => { 0 };
    ($first:ident $($rest:ident)*) => { 1 + count!($($rest)*) };
}

/// Implements a list trait by `$one!` for tuples of the names and of all that are shorter.
macro_rules! shorter {
    ($one:ident) => { $one! {} };
    ($one:ident $first:ident $($rest:ident)*) => {
        $one! { $first $($rest)* }
        $crate::list::shorter! { $one $($rest)* }
    };
}

macro_rules! dims {
    ($($d:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($d: DimType),*> DimList for ($($d,)*) {
            type Index = [usize; count!($($d)*)];
            const ORIGIN: Self::Index = [0; count!($($d)*)];
            const RANK: usize = count!($($d)*);
            const SIZES: Self::Index = [$($d::SIZE),*];
            const SIZE_LIST: &'static [usize] = &[$($d::SIZE),*];
            const DIMS: &'static [Dim] = &[$($d::DIM),*];

            #[inline(always)]
            fn find<L: AnyLayout>(index: &Self::Index) -> Option<usize> {
                if eval::is_outside::<L, _>(index) {
                    return None;
                }
                Some(eval::offset::<L, _>(index))
            }

            #[inline(always)]
            fn find_unchecked<L: AnyLayout>(index: &Self::Index) -> usize {
                eval::offset::<L, _>(index)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<L: AnyLayout, $($d: DimType),*> TileCounts<L> for ($($d,)*) {
            const COUNTS: Self::Index = {
                let mut counts = Self::ORIGIN;
                let mut dim = 0;
                while dim < counts.len() {
                    counts[dim] = L::GRID.count[dim];
                    dim += 1;
                }
                counts
            };
        }

        #[diagnostic::do_not_recommend]
        impl<$($d: DimType),*> Dims<{ count!($($d)*) }> for ($($d,)*) {}
    };
}

macro_rules! numbers {
    ($($n:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($n: NumberType),*> NumberList for ($($n,)*) {
            type Array = [usize; count!($($n)*)];
            const ARRAY: Self::Array = [$($n::NUMBER),*];
            const NUMBERS: &'static [usize] = &[$($n::NUMBER),*];
        }
    };
}

macro_rules! tile {
    ($($t:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($t: TileDimType),*> Tile for ($($t,)*) {
            const TILE: &'static [TileDim] = &[$($t::TILE_DIM),*];
        }
    };
}

macro_rules! tiles {
    ($($t:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($t: Tile),*> TileList for ($($t,)*) {
            const TILES: &'static [&'static [TileDim]] = &[$($t::TILE),*];
        }
    };
}

pub(crate) use shorter;

shorter! { dims A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 }
shorter! { numbers A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15
A16 A17 A18 A19 A20 A21 A22 A23 A24 A25 A26 A27 A28 A29 A30 A31 }
shorter! { tile A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15
A16 A17 A18 A19 A20 A21 A22 A23 A24 A25 A26 A27 A28 A29 A30 A31 }
shorter! { tiles A0 A1 A2 A3 A4 A5 A6 A7 }
