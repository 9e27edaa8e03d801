//! What is constant of a layout: its shape, sizes and bounds, of an array's type and of the trait
//! [`Layout`](crate::Layout).

use layout_core::__private::native;
use layout_core::{ArrayShape, ElementType, List, Size, xla};

use crate::array::constants;
use crate::compiled::{Compiled, KNOWN_AT_RUN_TIME, stop};
use crate::text::text;
use crate::types::array::Array;
use crate::types::{DimList, Element, NumberList, Properties, TileSpec};
use crate::walk::grid::{self, TileIndex};

/// The constants, which `$how!` declares.
macro_rules! each_constant {
    ($how:ident) => { $how! {
    /// Elements of the array.
    ELEMENTS: usize = constants::known(Self::SHAPE.elements());

    /// Slots for elements in memory: the padding of `PAD`, of all tiles and of `L` counted.
    PADDED_ELEMENTS: usize = constants::known(Self::SHAPE.padded_elements());

    /// Size in memory in bytes, as XLA documents it: padding and `L` included, packed as `E` says.
    BYTES: usize = constants::known(Self::SHAPE.bytes());

    /// Bytes of the elements alone, without any padding.
    UNPADDED_BYTES: usize = constants::known(Self::SHAPE.unpadded_bytes());

    /// Padded bytes divided by unpadded bytes: [`BYTES`](Self::BYTES) by
    /// [`UNPADDED_BYTES`](Self::UNPADDED_BYTES); 1 for an array without elements.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// const _: () = assert!(A::EXPANSION <= 2.0);
    /// assert_eq!(A::EXPANSION, 1.6);
    /// ```
    EXPANSION: f64 = match Self::SHAPE.expansion() {
        Some(expansion) => expansion,
        None => stop(KNOWN_AT_RUN_TIME),
    };

    /// Number of dimensions.
    RANK: usize = Self::SHAPE.rank();

    /// Number of dimensions greater than 1.
    TRUE_RANK: usize = xla::true_num_dimensions(Self::SHAPE);

    /// Type of the elements.
    ELEMENT_TYPE: ElementType = Self::SHAPE.element_type();

    /// Bits that an element takes in memory: as `E(n)` says, else its width in whole bytes.
    ELEMENT_BITS: usize = native(Self::SHAPE.element_bits());

    /// The canonical text, as XLA prints it.
    TEXT: &'static str = {
        let () = <Self as Compiled>::VALID;
        text::<Self>()
    };

    /// The layout as a value.
    SHAPE: &'static ArrayShape = {
        let () = <Self as Compiled>::VALID;
        <Self as Compiled>::VALUE
    };

    /// Bounds of the array in memory, the most major first: the last shape of
    /// pad–reshape–transpose, without `L`. An array without elements takes no memory, whatever
    /// bounds `PAD` and tiles give it.
    PHYSICAL_DIMS: &'static [usize] = match &constants::native_list(Self::SHAPE.physical_dims()) {
        Some(dims) => dims.as_slice(),
        None => stop(KNOWN_AT_RUN_TIME),
    };

    /// The memory space, `S(n)`; 0 if not said.
    MEMORY_SPACE: i8 = Self::SHAPE.memory_space();

    /// Bytes in memory as XLA's `ShapeUtil::ArraySize` counts them: see
    /// [`xla::array_size`](crate::xla::array_size).
    XLA_ARRAY_BYTES: usize = constants::known(xla::array_size(Self::SHAPE));

    /// Slots of memory that a tile of the outermost tiling takes, padding included; without tiles
    /// those of the array. Compile error if tiles are not contiguous.
    TILE_ELEMENTS: usize = {
        let () = <Self as Compiled>::VALID;
        grid::tile_elements::<Self>()
    };

    /// Bytes to which every tile of the outermost tiling is aligned in memory that is aligned to so
    /// many itself: the largest power of two that divides the bytes of a tile. Does not compile where
    /// tiles are not contiguous.
    ///
    /// # Examples
    /// ```
    /// use layout::layout;
    ///
    /// assert_eq!(<layout!(F32[512,1000]{1,0:T(8,128)})>::TILE_ALIGNMENT, 4096);
    /// assert_eq!(<layout!(F32[100,60]{1,0:T(6,10)})>::TILE_ALIGNMENT, 16);
    /// ```
    TILE_ALIGNMENT: usize = grid::alignment::<Self>(Self::TILE_ELEMENTS);

    /// Alignment of every row of a tile in bytes, if the memory has it too: the largest power of two
    /// that divides the bytes of a row, padding counted. Does not compile where
    /// tiles have no contiguous rows.
    ///
    /// # Examples
    /// ```
    /// use layout::layout;
    ///
    /// assert_eq!(<layout!(F32[512,1000]{1,0:T(8,128)})>::ROW_ALIGNMENT, 512);
    /// ```
    ROW_ALIGNMENT: usize = {
        let () = <Self as Compiled>::HAS_ROWS;
        match <Self as Compiled>::GRID.size[<Self as Compiled>::MINOR] {
            _ if <Self as Compiled>::SIZES.is_empty() => grid::alignment::<Self>(1),
            0 => grid::alignment::<Self>(1),
            elements => grid::alignment::<Self>(native(elements)),
        }
    };

    /// Slots of memory from one element to the next of a [row](crate::View::rows): 1, or how many rows a later tile
    /// interleaves. Does not compile where elements of a row need not be evenly spaced.
    ///
    /// # Examples
    /// ```
    /// use layout::layout;
    ///
    /// assert_eq!(<layout!(F32[512,1000]{1,0:T(8,128)})>::ROW_STRIDE, 1);
    /// assert_eq!(<layout!(BF16[512,1000]{1,0:T(8,128)(2,1)})>::ROW_STRIDE, 2);
    /// ```
    ROW_STRIDE: usize = {
        let () = <Self as Compiled>::HAS_EVEN_ROWS;
        native(<Self as Compiled>::ROWS.stride())
    };

    /// Elements along the most minor dimension that are contiguous in memory wherever a block of so
    /// many begins at a multiple of it: the width of vector loads that fits every row. 1 where runs
    /// are found slot by slot, see [`runs`](Self::runs). Where that is a dimension of unknown size, all
    /// of it is contiguous, and this is the most that there can be.
    ///
    /// # Examples
    /// ```
    /// use layout::layout;
    ///
    /// assert_eq!(<layout!(F32[512,1000]{1,0:T(8,128)})>::CONTIGUOUS_RUN, 128);
    /// assert_eq!(<layout!(F32[512,1000])>::CONTIGUOUS_RUN, 1000);
    /// assert_eq!(<layout!(BF16[512,1000]{1,0:T(8,128)(2,1)})>::CONTIGUOUS_RUN, 1);
    /// ```
    CONTIGUOUS_RUN: usize = native(<Self as Compiled>::WALK.contiguous(<Self as Compiled>::MINOR));

    /// The dimension along which [runs](Self::runs) go: the one whose next element lies in the next
    /// slot of memory, or the most minor one where there is none.
    RUN_DIM: usize = <Self as Compiled>::WALK.dim();

    /// Whether an offset is the sum of the coordinates times [`strides`](Self::strides).
    IS_AFFINE: bool = <Self as Compiled>::DIGITS.strides().is_some();
    } };
}

pub(super) use each_constant;

macro_rules! of_array {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $value:expr;)*) => {$(
        $(#[$doc])*
        pub const $name: $type = $value;
    )*};
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// Sizes of the dimensions in elements, dimension 0 first; of `<=N` the bound.
    pub const DIMS: D::Index = {
        let () = <Self as Compiled>::VALID;
        D::SIZES
    };

    /// Numbers of the dimensions, the most minor (fastest varying in memory) first.
    pub const MINOR_TO_MAJOR: M::AsArray = {
        let () = <Self as Compiled>::VALID;
        M::ARRAY
    };

    each_constant! { of_array }
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P>
where
    D::Index: TileIndex<Self>,
{
    /// Elements of a tile of the outermost tiling along each dimension, dimension 0 first: of `T(8,128)` 8 and 128 of the
    /// two most minor dimensions, 1 of others. Without tiles those of the array. Compile error if tiles are not contiguous.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,500,1000]{2,1,0:T(8,128)});
    /// assert_eq!((A::TILE_DIMS, A::TILE_COUNTS), ([1, 8, 128], [3, 63, 8]));
    /// ```
    pub const TILE_DIMS: D::Index = {
        let () = <Self as Compiled>::HAS_GRID;
        <D::Index as TileIndex<Self>>::DIMS
    };

    /// Tiles of the outermost tiling along each dimension, dimension 0 first. Does not compile where
    /// tiles are not contiguous.
    pub const TILE_COUNTS: D::Index = {
        let () = <Self as Compiled>::HAS_GRID;
        <D::Index as TileIndex<Self>>::COUNTS
    };
}

/// A size of a type; stops the build where it is known at run time only.
#[track_caller]
pub(super) const fn known(size: Option<Size>) -> usize {
    match size {
        Some(size) => native(size),
        None => stop(KNOWN_AT_RUN_TIME),
    }
}

pub(super) const fn native_list<const N: usize>(list: Option<List<N>>) -> Option<List<N, usize>> {
    match list {
        Some(list) => Some(list.to_native()),
        None => None,
    }
}
