//! The trait of layouts, for generic code.

use layout_core::{ArrayShape, ElementType};

use crate::compiled::{AnyLayout, StaticLayout};
use crate::types::array::Array;
use crate::types::element::Element;
use crate::types::list::{Dims, NumberList, StaticDims};
use crate::types::property::Properties;
use crate::types::tiles::{TileSpec, Tiles};
use crate::walk::indices::{Indices, IndicesRowMajor, Paddings};
use crate::walk::run::Runs;

/// The layout of an array of `R` dimensions, for code that is generic over layouts.
///
/// The constants and functions are those of [`Array`], where they are described; an array's
/// type has them without this trait too, and there they can be used in a `const`.
///
/// All sizes are part of the type. A bound for layouts with `?` too is `AnyLayout<Index = [usize; R]>`, and
/// [`TiledBy`](crate::TiledBy) fixes the order and the tiles.
///
/// # Examples
/// ```
/// use layout::{Layout, layout};
///
/// fn sum<L: Layout<2>>(data: &[f32]) -> f32 {
///     let mut sum = 0.0;
///     for i in 0..L::DIMS[0] {
///         for j in 0..L::DIMS[1] {
///             sum += data[L::offset([i, j])];
///         }
///     }
///     sum
/// }
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// assert_eq!(sum::<A>(&[1.0; A::PADDED_ELEMENTS]), 15.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the layout of an array of {R} dimensions",
    label = "expected a layout of {R} dimensions",
    note = "`layout!` makes layouts, as in `layout!(F32[3,5]{{1,0:T(2,2)}})`",
    note = "with dimensions that are known at run time only (`?`), take a `WithDims<L>` or a `View<'_, L, T>` where `L: AnyLayout<Index = [usize; {R}]>`"
)]
pub trait Layout<const R: usize>: StaticLayout + AnyLayout<Index = [usize; R]> {
    /// The same layout as a value.
    const SHAPE: &'static ArrayShape;
    /// Number of dimensions.
    const RANK: usize;
    /// Number of dimensions greater than 1.
    const TRUE_RANK: usize;
    /// Sizes of the dimensions in elements, dimension 0 first.
    const DIMS: [usize; R];
    /// Numbers of the dimensions, the most minor first.
    const MINOR_TO_MAJOR: [usize; R];
    /// Type of the elements as a value.
    const ELEMENT_TYPE: ElementType;
    /// Elements of the array.
    const ELEMENTS: usize;
    /// Slots for elements in memory, all padding counted.
    const PADDED_ELEMENTS: usize;
    /// Bits that an element takes in memory.
    const ELEMENT_BITS: usize;
    /// Bytes of the elements alone.
    const UNPADDED_BYTES: usize;
    /// Size in memory in bytes, padding included.
    const BYTES: usize;
    /// Padded bytes divided by unpadded bytes.
    const EXPANSION: f64;
    /// Bytes in memory by XLA's `ArraySize`.
    const XLA_ARRAY_BYTES: usize;
    /// The memory space.
    const MEMORY_SPACE: i8;
    /// Bounds of the array in memory, the most major first.
    const PHYSICAL_DIMS: &'static [usize];
    /// The canonical text.
    const TEXT: &'static str;
    /// The dimension along which runs go.
    const RUN_DIM: usize;
    /// Elements along the most minor dimension that are contiguous in every row.
    const CONTIGUOUS_RUN: usize;
    /// Slots from one element to the next of a row; does not compile where elements of a row need not be evenly
    /// spaced.
    const ROW_STRIDE: usize;
    /// Whether an offset is the sum of the coordinates times `strides`.
    const IS_AFFINE: bool;
    /// Slots of a tile of the outermost tiling; compile error if tiles are not contiguous.
    const TILE_ELEMENTS: usize;
    /// Tiles of the outermost tiling along each dimension; compile error if tiles are not
    /// contiguous.
    const TILE_COUNTS: [usize; R];

    /// The runs, in the order of memory.
    fn runs() -> Runs<Self>
    where
        Self: Sized;

    /// Elements from one index to the next along each dimension, if the layout is affine.
    fn strides() -> Option<[usize; R]>;

    /// Every index with its offset, in the order of memory.
    fn indices() -> Indices<Self>
    where
        Self: Sized;

    /// Every index with its offset, in row-major order.
    fn indices_row_major() -> IndicesRowMajor<Self>
    where
        Self: Sized;

    /// The ranges of slots that hold no element, in the order of memory.
    fn paddings() -> Paddings<Self>
    where
        Self: Sized;

    /// Position of an element in memory, in elements.
    ///
    /// # Panics
    /// If a coordinate is not below its dimension.
    #[track_caller]
    fn offset(index: [usize; R]) -> usize;

    /// Position of an element in memory; unspecified if out of bounds.
    fn offset_unchecked(index: [usize; R]) -> usize;

    /// Position of an element in memory; `None` outside the bounds.
    fn checked_offset(index: [usize; R]) -> Option<usize>;

    /// The element at a position; `None` for padding and beyond the end.
    fn index(offset: usize) -> Option<[usize; R]>;

    /// Whether a slot of memory holds no element.
    fn is_padding(offset: usize) -> bool;

    /// As [`offset`](Self::offset), in 32 bits; does not compile where slots are not counted in 32 bits.
    ///
    /// # Panics
    /// If a coordinate is not below its dimension.
    #[track_caller]
    fn offset_u32(index: [u32; R]) -> u32;

    /// As [`offset_unchecked`](Self::offset_unchecked), in 32 bits.
    fn offset_u32_unchecked(index: [u32; R]) -> u32;

    /// As [`checked_offset`](Self::checked_offset), in 32 bits.
    fn checked_offset_u32(index: [u32; R]) -> Option<u32>;

    /// As [`index`](Self::index), in 32 bits.
    fn index_u32(offset: u32) -> Option<[u32; R]>;

    /// As [`is_padding`](Self::is_padding), in 32 bits.
    fn is_padding_u32(offset: u32) -> bool;

    /// Size of a dimension, counted from the end if negative.
    ///
    /// # Panics
    /// If there is no such dimension.
    #[track_caller]
    fn dim(dim: isize) -> usize;

    /// The offset of each element in row-major order. Takes time linear in the number of elements.
    ///
    /// Does not compile if `N` is not `ELEMENTS`, or an entry does not fit.
    fn offset_table<const N: usize>() -> [usize; N];

    /// [`offset_table`](Self::offset_table) of bytes.
    ///
    /// Does not compile if `N` is not `ELEMENTS`, or an entry does not fit.
    fn offset_table_u8<const N: usize>() -> [u8; N];

    /// [`offset_table`](Self::offset_table) of 16-bit numbers.
    ///
    /// Does not compile if `N` is not `ELEMENTS`, or an entry does not fit.
    fn offset_table_u16<const N: usize>() -> [u16; N];

    /// [`offset_table`](Self::offset_table) of 32-bit numbers.
    ///
    /// Does not compile if `N` is not `ELEMENTS`, or an entry does not fit.
    fn offset_table_u32<const N: usize>() -> [u32; N];

    /// For each slot of memory the row-major number of its element, the maximum for padding. Takes time
    /// linear in the number of slots.
    ///
    /// Does not compile if `N` is not `PADDED_ELEMENTS`, or an entry does not fit.
    fn element_table<const N: usize>() -> [usize; N];

    /// [`element_table`](Self::element_table) of bytes.
    ///
    /// Does not compile if `N` is not `PADDED_ELEMENTS`, or an entry does not fit.
    fn element_table_u8<const N: usize>() -> [u8; N];

    /// [`element_table`](Self::element_table) of 16-bit numbers.
    ///
    /// Does not compile if `N` is not `PADDED_ELEMENTS`, or an entry does not fit.
    fn element_table_u16<const N: usize>() -> [u16; N];

    /// [`element_table`](Self::element_table) of 32-bit numbers.
    ///
    /// Does not compile if `N` is not `PADDED_ELEMENTS`, or an entry does not fit.
    fn element_table_u32<const N: usize>() -> [u32; N];
}

/// Functions of the trait that are those of the type.
macro_rules! forward {
    ($($name:ident($($argument:ident: $type:ty)?) $(<$n:ident>)? -> $result:ty,)*) => {$(
        #[inline(always)]
        fn $name $(<const $n: usize>)? ($($argument: $type)?) -> $result {
            Self::$name($($argument)?)
        }
    )*};
}

#[diagnostic::do_not_recommend]
impl<E, D, M, T, P, const R: usize> Layout<R> for Array<E, D, M, Tiles<T>, P>
where
    E: Element,
    D: Dims<R> + StaticDims,
    M: NumberList<Array = [usize; R]>,
    Tiles<T>: TileSpec,
    P: Properties,
{
    const SHAPE: &'static ArrayShape = Self::SHAPE;
    const RANK: usize = Self::RANK;
    const TRUE_RANK: usize = Self::TRUE_RANK;
    const DIMS: [usize; R] = Self::DIMS;
    const MINOR_TO_MAJOR: [usize; R] = Self::MINOR_TO_MAJOR;
    const ELEMENT_TYPE: ElementType = Self::ELEMENT_TYPE;
    const ELEMENTS: usize = Self::ELEMENTS;
    const PADDED_ELEMENTS: usize = Self::PADDED_ELEMENTS;
    const ELEMENT_BITS: usize = Self::ELEMENT_BITS;
    const UNPADDED_BYTES: usize = Self::UNPADDED_BYTES;
    const BYTES: usize = Self::BYTES;
    const EXPANSION: f64 = Self::EXPANSION;
    const XLA_ARRAY_BYTES: usize = Self::XLA_ARRAY_BYTES;
    const MEMORY_SPACE: i8 = Self::MEMORY_SPACE;
    const PHYSICAL_DIMS: &'static [usize] = Self::PHYSICAL_DIMS;
    const TEXT: &'static str = Self::TEXT;
    const RUN_DIM: usize = Self::RUN_DIM;
    const CONTIGUOUS_RUN: usize = Self::CONTIGUOUS_RUN;
    const ROW_STRIDE: usize = Self::ROW_STRIDE;
    const IS_AFFINE: bool = Self::IS_AFFINE;
    const TILE_ELEMENTS: usize = Self::TILE_ELEMENTS;
    const TILE_COUNTS: [usize; R] = Self::TILE_COUNTS;

    forward! {
        runs() -> Runs<Self>,
        strides() -> Option<[usize; R]>,
        indices() -> Indices<Self>,
        indices_row_major() -> IndicesRowMajor<Self>,
        paddings() -> Paddings<Self>,
        offset(index: [usize; R]) -> usize,
        offset_unchecked(index: [usize; R]) -> usize,
        checked_offset(index: [usize; R]) -> Option<usize>,
        index(offset: usize) -> Option<[usize; R]>,
        is_padding(offset: usize) -> bool,
        offset_u32(index: [u32; R]) -> u32,
        offset_u32_unchecked(index: [u32; R]) -> u32,
        checked_offset_u32(index: [u32; R]) -> Option<u32>,
        index_u32(offset: u32) -> Option<[u32; R]>,
        is_padding_u32(offset: u32) -> bool,
        dim(dim: isize) -> usize,
        offset_table() <N> -> [usize; N],
        offset_table_u8() <N> -> [u8; N],
        offset_table_u16() <N> -> [u16; N],
        offset_table_u32() <N> -> [u32; N],
        element_table() <N> -> [usize; N],
        element_table_u8() <N> -> [u8; N],
        element_table_u16() <N> -> [u16; N],
        element_table_u32() <N> -> [u32; N],
    }
}
