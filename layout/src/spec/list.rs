//! Numbers as types, and tuples of them as lists.
#![allow(
    private_bounds,
    unnameable_types,
    reason = "nobody else names what a layout is compiled to"
)]

use layout_core::__private::native;
use layout_core::limits::MAX_SIZE;
use layout_core::{Dim, Size, TileDim, Tiles};

use crate::spec::{index::IndexArray, sealed::Sealed};

/// The number `N` as a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct C<const N: usize>;

/// A dimension of at most `N` elements (`<=N`), laid out as if there were `N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AtMost<const N: usize>;

/// `*` in a tile: the dimension is combined with the next more minor one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Star;

/// A dimension whose size is known at run time only (`?`): see
/// [`with_dims`](crate::Array::with_dims).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dyn;

/// A dimension: `C<N>`, `AtMost<N>` or `Dyn`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the size of a dimension",
    note = "a dimension is `C<N>`, `AtMost<N>` or `Dyn`"
)]
// No name that one could ask of a layout: the compiler would suggest this trait.
pub trait DimType: Sealed + 'static {
    #[doc(hidden)]
    const AS_DIM: Dim;
    /// The size or the bound; if there is none, the most that there can be.
    #[doc(hidden)]
    const AS_SIZE: usize;
    /// What a value of the layout holds of the dimension.
    #[doc(hidden)]
    type SizeValue: Copy + Send + Sync + 'static;
    /// What it holds where nothing is said at run time, if something is known then.
    #[doc(hidden)]
    const KNOWN: Option<Self::SizeValue>;
    /// What is stored of a size known at run time: the size, and the number of tiles along it, so that offsets do not
    /// divide. `divisor` is the first tile's size along the dimension.
    #[doc(hidden)]
    fn value(size: usize, divisor: usize) -> Self::SizeValue;
    #[doc(hidden)]
    fn size(value: Self::SizeValue) -> usize;
    /// Tiles along the dimension, where it is unknown and nothing else counts in it.
    #[doc(hidden)]
    #[inline(always)]
    fn count(value: Self::SizeValue) -> usize {
        let _ = value;
        0
    }
}

impl<const N: usize> Sealed for C<N> {}
impl<const N: usize> Sealed for AtMost<N> {}
impl Sealed for Dyn {}
impl Sealed for Star {}

impl<const N: usize> DimType for C<N> {
    const AS_DIM: Dim = Dim::Static(N as Size);
    const AS_SIZE: usize = N;
    type SizeValue = ();
    const KNOWN: Option<()> = Some(());

    fn value(_: usize, _: usize) {}

    #[inline(always)]
    fn size((): ()) -> usize {
        N
    }
}

impl<const N: usize> DimType for AtMost<N> {
    const AS_DIM: Dim = Dim::Bounded(N as Size);
    const AS_SIZE: usize = N;
    type SizeValue = usize;
    const KNOWN: Option<usize> = Some(N);

    fn value(size: usize, _: usize) -> usize {
        size
    }

    #[inline(always)]
    fn size(value: usize) -> usize {
        value
    }
}

/// An unknown size with what it is divided by to count, so that no offset has to divide.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    size: usize,
    count: usize,
}

impl DimType for Dyn {
    const AS_DIM: Dim = Dim::Unbounded;
    const AS_SIZE: usize = native(MAX_SIZE);
    type SizeValue = Known;
    const KNOWN: Option<Known> = None;

    fn value(size: usize, divisor: usize) -> Known {
        Known { size, count: native(Tiles::covering(size as Size, divisor as Size)) }
    }

    #[inline(always)]
    fn size(value: Known) -> usize {
        value.size
    }

    #[inline(always)]
    fn count(value: Known) -> usize {
        value.count
    }
}

/// A dimension whose size is part of the type: `C<N>` or `AtMost<N>`.
pub trait StaticDim: DimType {}
impl<const N: usize> StaticDim for C<N> {}
impl<const N: usize> StaticDim for AtMost<N> {}

/// A dimension that is laid out with its size: `C<N>` or `Dyn`. `<=N` always takes the memory of its bound.
#[diagnostic::on_unimplemented(
    message = "expected a layout whose sizes, order and tiles determine its memory, found one with `{Self}`",
    label = "this layout has a bounded dimension",
    note = "`<=N` always takes the memory of its bound: a kernel that finds elements by `offset` or by walks can take `LooselyTiledBy` instead of `TiledBy`"
)]
pub trait LaidOutBySize: DimType {}
impl<const N: usize> LaidOutBySize for C<N> {}
impl LaidOutBySize for Dyn {}

/// Dimensions that are laid out with their sizes.
pub trait LaidOutBySizes {}

/// A number: `C<N>`.
pub trait NumberType: Sealed + 'static {
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
pub trait TileDimType: Sealed + 'static {
    #[doc(hidden)]
    const TILE_DIM: TileDim;
}

impl<const N: usize> TileDimType for C<N> {
    const TILE_DIM: TileDim = TileDim::Size(N as Size);
}

impl TileDimType for Star {
    const TILE_DIM: TileDim = TileDim::Combined;
}

/// A list of dimensions, dimension 0 first: a tuple of `C<N>`, `AtMost<N>` and `Dyn`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of dimensions",
    note = "dimensions are a tuple of at most 16 `C<N>`, `AtMost<N>` or `Dyn`"
)]
pub trait DimList: Sealed + 'static {
    /// `[usize; RANK]`.
    type Index: IndexArray;
    /// What a value of the layout holds of its dimensions.
    #[doc(hidden)]
    type Sizes: Copy + Send + Sync + 'static;
    /// What it holds where nothing is said at run time, if no dimension is unknown then.
    #[doc(hidden)]
    const KNOWN: Option<Self::Sizes>;
    /// What a value holds for these sizes. The first tile divides each dimension by its divisor.
    #[doc(hidden)]
    fn sizes(dims: &Self::Index, divisor: impl Fn(usize) -> usize) -> Self::Sizes;
    #[doc(hidden)]
    fn dims(sizes: &Self::Sizes) -> Self::Index;
    /// Tiles along each dimension that is unknown; 0 for the others.
    #[doc(hidden)]
    fn divided(sizes: &Self::Sizes) -> Self::Index;
    #[doc(hidden)]
    const SIZES: Self::Index;
    #[doc(hidden)]
    const SIZE_LIST: &'static [usize];
    #[doc(hidden)]
    const DIMS: &'static [Dim];
}

/// The list of dimensions `D`.
pub trait SameSizes<D: DimList>: DimList {
    fn same(sizes: Self::Sizes) -> D::Sizes;
}

#[diagnostic::do_not_recommend]
impl<D: DimList> SameSizes<D> for D {
    #[inline(always)]
    fn same(sizes: D::Sizes) -> D::Sizes {
        sizes
    }
}

/// A list of dimensions whose sizes are part of the type.
#[diagnostic::on_unimplemented(
    message = "the layout has dimensions that are known at run time only (`?`)",
    label = "its sizes are not part of the type",
    note = "`A::with_dims([..])?` gives the sizes: the value has the same functions, such as `offset(index)` and `view(data)`"
)]
pub trait StaticDims: DimList {}

/// A list of `R` dimensions.
#[diagnostic::on_unimplemented(
    message = "the array does not have {R} dimensions",
    label = "an index has one coordinate for each dimension"
)]
pub trait Dims<const R: usize>: DimList<Index = [usize; R]> {}

#[diagnostic::do_not_recommend]
impl<const R: usize, D: DimList<Index = [usize; R]>> Dims<R> for D {}

/// A list of numbers: a tuple of `C<N>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of numbers",
    note = "a list of numbers is a tuple of at most 32 `C<N>`: an order of dimensions is written `order!(1, 0)`, the most minor one first"
)]
pub trait NumberList: Sealed + 'static {
    /// An array of them.
    type AsArray: Copy;
    #[doc(hidden)]
    const ARRAY: Self::AsArray;
    #[doc(hidden)]
    const NUMBERS: &'static [usize];
    /// The numbers as sizes.
    #[doc(hidden)]
    const AS_SIZES: &'static [Size];
}

/// One tile, the most major entry first: a tuple of `C<N>` and `Star`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tile",
    note = "a tile is a tuple of at most 32 `C<N>` or `Star`"
)]
pub trait TileShape: Sealed + 'static {
    #[doc(hidden)]
    const TILE: &'static [TileDim];
}

/// Tiles in the order in which they are applied: a tuple of tuples.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of tiles",
    note = "tiles are a tuple of at most 8 tuples of `C<N>` or `Star`"
)]
pub trait TileList: Sealed + 'static {
    #[doc(hidden)]
    const TILES: &'static [&'static [TileDim]];
}

/// What is known of all dimensions, if there is something of each.
macro_rules! known {
    () => { Some(()) };
    ($($d:ident)*) => {
        if $($d::KNOWN.is_some())&&* { Some(($($d::KNOWN.unwrap(),)*)) } else { None }
    };
}

macro_rules! count {
    () => { 0 };
    ($first:ident $($rest:ident)*) => { 1 + $crate::spec::list::count!($($rest)*) };
}

/// Implements a list trait by `$one!` for tuples of the names and of all that are shorter.
macro_rules! shorter {
    ($one:ident $([$($with:tt)*])?) => { $one! { $($($with)*)? } };
    ($one:ident $([$($with:tt)*])? $first:ident $($rest:ident)*) => {
        $one! { $($($with)*)? $first $($rest)* }
        $crate::spec::list::shorter! { $one $([$($with)*])? $($rest)* }
    };
}

/// The numbers of dimensions in the default order: the last one is the most minor.
pub trait Descending {
    type Order: NumberList;
}

/// The number of each is how many come after it.
macro_rules! descending {
    ([$($order:ty,)*]) => { ($($order,)*) };
    ([$($order:ty,)*] $first:ident $($rest:ident)*) => {
        descending!([$($order,)* C<{ count!($($rest)*) }>,] $($rest)*)
    };
}

macro_rules! dims {
    ($($d:ident)*) => {
        #[allow(non_snake_case, reason = "values are named as their types")]
        #[allow(unused_mut, unused_variables, clippy::unused_unit, reason = "of `()`")]
        #[diagnostic::do_not_recommend]
        impl<$($d: DimType),*> DimList for ($($d,)*) {
            type Index = [usize; count!($($d)*)];
            const SIZES: Self::Index = [$($d::AS_SIZE),*];
            const SIZE_LIST: &'static [usize] = &[$($d::AS_SIZE),*];
            const DIMS: &'static [Dim] = &[$($d::AS_DIM),*];
            type Sizes = ($($d::SizeValue,)*);
            const KNOWN: Option<Self::Sizes> = known!($($d)*);

            fn sizes(dims: &Self::Index, divisor: impl Fn(usize) -> usize) -> Self::Sizes {
                let mut dim = 0..;
                let mut next = || dim.next().unwrap_or(0);
                ($({
                    let dim = next();
                    $d::value(dims[dim], divisor(dim))
                },)*)
            }

            #[inline(always)]
            fn dims(&($($d,)*): &Self::Sizes) -> Self::Index {
                [$(<$d as DimType>::size($d)),*]
            }

            #[inline(always)]
            fn divided(&($($d,)*): &Self::Sizes) -> Self::Index {
                [$(<$d as DimType>::count($d)),*]
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($d),*> Descending for ($($d,)*) {
            type Order = descending!([] $($d)*);
        }

        #[diagnostic::do_not_recommend]
        impl<$($d: StaticDim),*> StaticDims for ($($d,)*) {}

        impl<$($d: LaidOutBySize),*> LaidOutBySizes for ($($d,)*) {}
    };
}

macro_rules! numbers {
    ($($n:ident)*) => {
        // Of every list: this one has the most entries.
        #[diagnostic::do_not_recommend]
        impl<$($n),*> Sealed for ($($n,)*) {}

        #[diagnostic::do_not_recommend]
        impl<$($n: NumberType),*> NumberList for ($($n,)*) {
            type AsArray = [usize; count!($($n)*)];
            const ARRAY: Self::AsArray = [$($n::NUMBER),*];
            const NUMBERS: &'static [usize] = &[$($n::NUMBER),*];
            const AS_SIZES: &'static [Size] = &[$($n::NUMBER as Size),*];
        }
    };
}

/// A list of types, whose constant is the list of theirs.
macro_rules! constants {
    ($List:ident::$LIST:ident of $Type:ident::$CONSTANT:ident: $Item:ty; $($t:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($t: $Type),*> $List for ($($t,)*) {
            const $LIST: &'static [$Item] = &[$($t::$CONSTANT),*];
        }
    };
}

pub(crate) use {constants, count, shorter};

shorter! { dims A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 }
shorter! { numbers A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15
A16 A17 A18 A19 A20 A21 A22 A23 A24 A25 A26 A27 A28 A29 A30 A31 }
shorter! { constants [TileShape::TILE of TileDimType::TILE_DIM: TileDim;] A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15
A16 A17 A18 A19 A20 A21 A22 A23 A24 A25 A26 A27 A28 A29 A30 A31 }
shorter! { constants [TileList::TILES of TileShape::TILE: &'static [TileDim];] A0 A1 A2 A3 A4 A5 A6 A7 }
