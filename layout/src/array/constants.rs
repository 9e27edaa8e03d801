//! What is constant of a layout: its shape, sizes and bounds, of an array's type and of the trait
//! [`Layout`](crate::Layout).

use layout_core::__private::native;
use layout_core::limits::{MAX_DIMS, MAX_SIZE};
use layout_core::{ArrayShape, ElementType, Size};

use crate::array::constants;
use crate::compiled::{AnyLayout, Compiled, KNOWN_AT_RUN_TIME, stop};
use crate::order::grid;
use crate::spec::array::Array;
use crate::spec::text::text;
use crate::spec::{DimList, Element, LayoutTypes, NumberList, Properties, TileSpec};

/// The constants, which `$how!` declares. The word before each says what a layout with `?` has of it:
/// - `of_any_size`: the value, which is the same for all sizes;
/// - `if_known`: the value is an `Option`, and the build stops where it is `None`, because it depends on a size that is not
///   known.
macro_rules! each_constant {
    ($how:ident) => { $how! {
    /// Number of elements of the array; a dimension `<=N` counts as `N`.
    #[doc(alias = "len")]
    if_known ELEMENTS: usize = constants::size(<Self as Compiled>::VALUE.elements());

    /// Size in memory in elements, with the padding of `PAD`, of all tiles and of `L`: the length of a slice that holds the
    /// array.
    if_known PADDED_ELEMENTS: usize = constants::if_known::<Self, _>(<Self as Compiled>::SLOTS);

    /// Size in memory in bytes, as XLA documents it: padding and `L` included, packed as `E` says.
    if_known BYTES: usize = constants::size(<Self as Compiled>::VALUE.bytes());

    /// Bytes of the elements alone, without any padding.
    if_known UNPADDED_BYTES: usize = constants::size(<Self as Compiled>::VALUE.unpadded_bytes());

    /// Padded bytes divided by unpadded bytes: [`BYTES`](Self::BYTES) by
    /// [`UNPADDED_BYTES`](Self::UNPADDED_BYTES); 1 for an array without elements.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// const _: () = assert!(A::EXPANSION <= 2.0);
    /// assert_eq!(A::EXPANSION, 1.6);
    /// ```
    if_known EXPANSION: f64 = <Self as Compiled>::VALUE.expansion();

    /// Number of dimensions.
    of_any_size RANK: usize = <Self as Compiled>::VALUE.rank();

    /// Number of dimensions greater than 1.
    if_known TRUE_RANK: usize =
        constants::if_known::<Self, _>(<Self as Compiled>::VALUE.true_rank());

    /// Type of the elements.
    of_any_size ELEMENT_TYPE: ElementType = <Self as Compiled>::VALUE.element_type();

    /// Bits of an element in memory: those of `E(n)`, or else the width of its type rounded up to bytes.
    of_any_size ELEMENT_BITS: usize = native(<Self as Compiled>::VALUE.element_bits());

    /// The canonical text, as XLA prints it.
    of_any_size TEXT: &'static str = text::<Self>();

    /// The layout as a value: an [`ArrayShape`](crate::ArrayShape).
    of_any_size SHAPE: &'static ArrayShape = <Self as Compiled>::VALUE;

    /// Bounds of the array in memory, the most major first: the last shape of
    /// pad–reshape–transpose, without `L`. An array without elements takes no memory, although
    /// `PAD` and tiles may give it bounds.
    if_known PHYSICAL_DIMS: &'static [usize] = match <Self as Compiled>::BOUNDS {
        Some(dims) => Some(dims.as_slice()),
        None => None,
    };

    /// The memory space, `S(n)`; 0 by default.
    of_any_size MEMORY_SPACE: i8 = <Self as Compiled>::VALUE.memory_space();

    /// Bytes in memory as XLA's `ShapeUtil::ArraySize` counts them: see
    /// [`ArrayShape::xla_bytes`].
    if_known XLA_ARRAY_BYTES: usize = constants::size(<Self as Compiled>::VALUE.xla_bytes());

    /// Size of a tile of the outermost tiling in memory, in elements, padding included; without tiles
    /// that of the array. Compile error if tiles are not contiguous.
    if_known TILE_ELEMENTS: usize = {
        let () = <Self as Compiled>::HAS_GRID;
        grid::tile_elements::<Self>()
    };

    /// Alignment of every tile of the outermost tiling in bytes, if the memory is aligned to it too:
    /// the largest power of two that divides the bytes of a tile. Compile error if tiles are not
    /// contiguous.
    ///
    /// # Examples
    /// ```
    /// use layout::layout;
    ///
    /// assert_eq!(<layout!(F32[512,1000]{1,0:T(8,128)})>::TILE_ALIGNMENT, 4096);
    /// assert_eq!(<layout!(F32[100,60]{1,0:T(6,10)})>::TILE_ALIGNMENT, 16);
    /// ```
    if_known TILE_ALIGNMENT: usize = {
        let () = <Self as Compiled>::HAS_GRID;
        match grid::tile_elements::<Self>() {
            Some(elements) => Some(grid::alignment::<Self>(elements)),
            None => None,
        }
    };

    /// Alignment of every row of a tile in bytes, if the memory is aligned to it too: the largest power
    /// of two that divides the bytes of a row, padding included. Compile error if rows of tiles are
    /// not contiguous.
    ///
    /// # Examples
    /// ```
    /// use layout::layout;
    ///
    /// assert_eq!(<layout!(F32[512,1000]{1,0:T(8,128)})>::ROW_ALIGNMENT, 512);
    /// ```
    if_known ROW_ALIGNMENT: usize = {
        let () = <Self as Compiled>::HAS_ROWS;
        match <Self as Compiled>::GRID.size[<Self as Compiled>::MINOR] {
            _ if <Self as Compiled>::SIZES.is_empty() => Some(grid::alignment::<Self>(1)),
            0 => constants::if_known::<Self, _>(grid::alignment::<Self>(1)),
            elements => Some(grid::alignment::<Self>(native(elements))),
        }
    };

    /// Distance in memory from one element of a [row](crate::View::rows) to the next, in elements: 1, or the number of rows
    /// that a later tile interleaves. Compile error if elements of a row need not be evenly spaced.
    ///
    /// # Examples
    /// ```
    /// use layout::layout;
    ///
    /// assert_eq!(<layout!(F32[512,1000]{1,0:T(8,128)})>::ROW_STRIDE, 1);
    /// assert_eq!(<layout!(BF16[512,1000]{1,0:T(8,128)(2,1)})>::ROW_STRIDE, 2);
    /// ```
    of_any_size ROW_STRIDE: usize = {
        let () = <Self as Compiled>::HAS_EVEN_ROWS;
        native(<Self as Compiled>::ROWS.stride())
    };

    /// The width of vector loads that fits every row, in elements: each block of this many elements along
    /// the most minor dimension is contiguous in memory, if it begins at a multiple of this number. 1 where
    /// runs are found slot by slot, see [`runs`](Self::runs). Compile error if all of a `?` dimension is contiguous.
    ///
    /// # Examples
    /// ```
    /// use layout::layout;
    ///
    /// assert_eq!(<layout!(F32[512,1000]{1,0:T(8,128)})>::CONTIGUOUS_RUN, 128);
    /// assert_eq!(<layout!(F32[512,1000])>::CONTIGUOUS_RUN, 1000);
    /// assert_eq!(<layout!(BF16[512,1000]{1,0:T(8,128)(2,1)})>::CONTIGUOUS_RUN, 1);
    /// ```
    if_known CONTIGUOUS_RUN: usize =
        match <Self as Compiled>::WALK.contiguous(<Self as Compiled>::MINOR) {
            MAX_SIZE => constants::if_known::<Self, _>(native(MAX_SIZE)),
            elements => Some(native(elements)),
        };

    /// The dimension along which [runs](Self::runs) go: the one whose next element is in the next slot
    /// of memory, or the most minor dimension if no dimension has that.
    of_any_size RUN_DIM: usize = <Self as Compiled>::WALK.dim();

    /// Whether each offset is the sum of the coordinates times [`strides`](Self::strides); with `?`, whether this holds for
    /// all sizes.
    of_any_size IS_AFFINE: bool = <Self as Compiled>::DIGITS.strides().is_some();
    } };
}

/// Those that have a number for each dimension: arrays of the type that `$how!` gives them.
macro_rules! each_list {
    ($how:ident) => {
        $how! {
        /// Sizes of the dimensions in elements, dimension 0 first; a dimension `<=N` has `N`. Compile error with `?`:
        /// [`WithDims::dims`](crate::WithDims::dims) has the sizes.
        if_known DIMS = constants::if_known::<Self, _>(<Self as LayoutTypes>::DimTypes::SIZES);

        /// Numbers of the dimensions, the most minor (fastest varying in memory) first.
        of_any_size MINOR_TO_MAJOR = constants::OfLayout::<Self>::ORDER;

        /// Sizes of a tile of the outermost tiling in elements, dimension 0 first: for `T(8,128)` they are 8 and 128 in the two
        /// most minor dimensions, 1 in others. Without tiles the sizes of the array. Compile error if tiles are not contiguous.
        ///
        /// # Examples
        /// ```
        /// type A = layout::layout!(F32[3,500,1000]{2,1,0:T(8,128)});
        /// assert_eq!((A::TILE_DIMS, A::TILE_COUNTS), ([1, 8, 128], [3, 63, 8]));
        /// ```
        if_known TILE_DIMS = {
            let () = <Self as Compiled>::HAS_GRID;
            constants::OfLayout::<Self>::TILE
        };

        /// Number of tiles of the outermost tiling along each dimension, dimension 0 first. Compile error if
        /// tiles are not contiguous.
        if_known TILE_COUNTS = {
            let () = <Self as Compiled>::HAS_GRID;
            constants::OfLayout::<Self>::TILES
        };
        }
    };
}

/// The value of a constant.
macro_rules! constant {
    (of_any_size $value:expr) => {{
        let () = <Self as Compiled>::VALID;
        $value
    }};
    (if_known $value:expr) => {{
        let () = <Self as Compiled>::VALID;
        match $value {
            Some(value) => value,
            None => stop(KNOWN_AT_RUN_TIME),
        }
    }};
}

macro_rules! of_array {
    ($($(#[$doc:meta])* $sizes:ident $name:ident: $type:ty = $value:expr;)*) => {$(
        $(#[$doc])*
        pub const $name: $type = constant!($sizes $value);
    )*};
    ($($(#[$doc:meta])* $sizes:ident $name:ident = $value:expr;)*) => {$(
        $(#[$doc])*
        pub const $name: D::Index = constant!($sizes $value);
    )*};
}

pub(super) use {constant, each_constant, each_list};

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P>
where
    D::Index: OfLayout<Self>,
{
    each_list! { of_array }
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    each_constant! { of_array }
}

/// The type of an index, used for a layout's constants that have one number for each dimension.
#[allow(unnameable_types, reason = "every index implements it")]
pub trait OfLayout<L>: Sized {
    /// Numbers of the dimensions, the most minor first.
    const ORDER: Self;
    /// Elements of a tile of the outermost tiling; `None` if a number is known at run time only.
    const TILE: Option<Self>;
    /// Tiles of the outermost tiling.
    const TILES: Option<Self>;
}

#[diagnostic::do_not_recommend]
impl<L: AnyLayout, const R: usize> OfLayout<L> for [usize; R] {
    // A type that is a layout has an index of its rank.
    const ORDER: [usize; R] = match L::VALUE.minor_to_major().first_chunk() {
        Some(order) => *order,
        None => [0; R],
    };
    const TILE: Option<[usize; R]> = known_numbers::<L, R>(&L::GRID.size);
    const TILES: Option<[usize; R]> = tiles::<L, R>();
}

/// The first numbers of a list with one for each dimension; 0 for those that are known only at run time.
const fn known_numbers<L: AnyLayout, const R: usize>(
    numbers: &[Size; MAX_DIMS],
) -> Option<[usize; R]> {
    let mut known = [0; R];
    each!(for dim in 0..R {
        known[dim] = native(numbers[dim]);
        if known[dim] == 0 && !L::IS_FIXED {
            return None;
        }
    });
    Some(known)
}

/// Tiles along each dimension, if all are known.
const fn tiles<L: AnyLayout, const R: usize>() -> Option<[usize; R]> {
    let mut counts = [0; MAX_DIMS];
    each!(for dim in 0..R {
        counts[dim] = some!(L::GRID.count[dim].known());
    });
    if L::VALUE.is_unbounded() { None } else { known_numbers::<L, R>(&counts) }
}

/// A number that all sizes together determine.
pub(super) const fn if_known<L: Compiled, N: Copy>(number: N) -> Option<N> {
    if L::IS_FIXED { Some(number) } else { None }
}

/// A size as a number of the target.
pub(super) const fn size(size: Option<Size>) -> Option<usize> {
    Some(native(some!(size)))
}
