//! Layouts of tiles in shared memory, by the names of other systems.
//!
//! A tile in shared memory is an array whose layout has a [`Swizzle`]. Each function takes the element type and the sizes of
//! an array and returns it in the layout that the system has under this name. [`mma_tile`] is the tile of CuTe, TVM and
//! cubecl. What a system refuses is an error.
//!
//! All but [`triton_offset_bases`] are `const`: a tile can be a constant, and a wrong one stops the build.
//!
//! # Examples
//! ```
//! use layout_gpu::shared::{TileError, triton_nvmma_shared};
//! use layout::ArrayShape;
//! use layout::shape::Swizzle;
//!
//! type Rows = layout::layout!(F16[64,128]);
//! const TILE: ArrayShape =
//!     TileError::or_panic(triton_nvmma_shared(Rows::SHAPE, Swizzle::MODE_128B, false));
//! assert_eq!(TILE.to_string(), "f16[64,128]{1,0:T(64,64)}, swizzle = 128B");
//!
//! let narrow: ArrayShape = "f16[64,32]".parse()?;
//! assert_eq!(
//!     triton_nvmma_shared(&narrow, Swizzle::MODE_128B, false).unwrap_err().to_string(),
//!     "dimension 1 has 32 elements, which are not whole panels of 128 bytes: \
//!      write a multiple of 64, or another swizzle",
//! );
//! # Ok::<(), layout::Error>(())
//! ```
//!
//! In a constant, the same mistake stops the build with the same text:
//! ```compile_fail,E0080
//! # use layout_gpu::shared::{TileError, triton_nvmma_shared};
//! # use layout::ArrayShape;
//! # use layout::shape::Swizzle;
//! type Narrow = layout::layout!(F16[64,32]);
//! const TILE: ArrayShape =
//!     TileError::or_panic(triton_nvmma_shared(Narrow::SHAPE, Swizzle::MODE_128B, false));
//! println!("{TILE}");
//! ```

mod padded;

pub use padded::{triton_offset_bases, triton_padded_shared};

use super::swizzle_codes::SwizzleCodes;
use layout_core::base::width::least;
use layout_core::limits::{MAX_DIMS, MAX_SIZE, MAX_TILE_DIMS, MAX_TILES, Size};
use layout_core::{ArrayShape, Dim, Fault, List, Swizzle, SwizzleUnit, TileDim, Tiles};

/// The tile that tensor cores read: lines cut into panels as wide as the swizzle, one panel after another.
///
/// Lines run along dimension `contiguous`. A panel is as wide as the swizzle's span, or 16 bytes without a swizzle, and has
/// all lines. The dimensions before the last one are the lines together; for a matrix, dimension 0 can be the contiguous
/// one.
///
/// | system | its name | here |
/// |---|---|---|
/// | TVM | `mma_shared_layout(dtype, mode, shape)` | the last dimension; modes 0 to 3 are without a swizzle, 32B, 64B, 128B |
/// | cubecl | `WgmmaTileLayout` of `[MN,K]` | 1 if K-major, 0 if MN-major |
/// | CuTe | the atoms `K_SW128`, `MN_INTER`, … over `[MN,K]`, by `tile_to_shape` | the same; `INTER` is without a swizzle, `MN_SW128_32B` is 128B_ATOM_32B |
///
/// One atom of CuTe is the tile of 8 lines of one panel.
///
/// # Errors
/// If the swizzle is not a mode of the hardware, if lines are not whole panels, and if they are not groups of 8.
///
/// # Examples
/// ```
/// use layout_gpu::shared::mma_tile;
/// use layout::ArrayShape;
/// use layout::shape::Swizzle;
///
/// let array: ArrayShape = "f16[128,64]".parse()?;
/// let tile = |contiguous, swizzle| mma_tile(&array, contiguous, swizzle).unwrap().to_string();
/// assert_eq!(tile(1, Swizzle::MODE_128B), "f16[128,64]{1,0}, swizzle = 128B");
/// assert_eq!(tile(0, Swizzle::MODE_128B), "f16[128,64]{0,1:T(64,64)}, swizzle = 128B");
/// assert_eq!(tile(1, Swizzle::NONE), "f16[128,64]{1,0:T(128,8)}");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias("mma_shared_layout", "WgmmaTileLayout", "tile_to_shape", "K_SW128", "MN_SW128"))]
pub const fn mma_tile(
    array: &ArrayShape,
    contiguous: usize,
    swizzle: Swizzle,
) -> Result<ArrayShape, TileError> {
    panels(array, contiguous, swizzle, Panels { unswizzled: 16, group: 8 })
}

/// Triton's `NVMMASharedLayout(swizzle_byte_width, element_bitwidth, transposed)`: rows cut into panels as wide as the
/// swizzle, or not cut without one.
///
/// The swizzle is that of the byte width (none for 0), and the bits are those of the elements. The dimensions before the
/// last one are the rows together. `transposed` takes the columns of a matrix as rows.
///
/// # Errors
/// If the swizzle is not a mode of the hardware, or if rows are not whole panels.
///
/// # Examples
/// ```
/// use layout::shape::Swizzle;
/// use layout_gpu::shared::triton_nvmma_shared;
///
/// let tile = triton_nvmma_shared(&"bf16[128,64]".parse()?, Swizzle::MODE_64B, true)?;
/// assert_eq!(tile.to_string(), "bf16[128,64]{0,1:T(64,32)}, swizzle = 64B");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn triton_nvmma_shared(
    array: &ArrayShape,
    swizzle: Swizzle,
    transposed: bool,
) -> Result<ArrayShape, TileError> {
    let contiguous = if transposed { 0 } else { array.rank().saturating_sub(1) };
    panels(array, contiguous, swizzle, Panels { unswizzled: 0, group: 1 })
}

/// Triton's `NVMMASharedLayout` with `fp4_padded`: 8 bytes of padding follow every 8 bytes, each of which has two 4-bit
/// floats.
///
/// The elements of the array are these bytes. The swizzle is that of 128 bytes.
///
/// # Errors
/// If the elements are not bytes, or if rows are not whole panels of 64 of them.
///
/// # Examples
/// ```
/// use layout_gpu::shared::triton_fp4_padded_shared;
///
/// let tile = triton_fp4_padded_shared(&"u8[16,64]".parse()?)?;
/// assert_eq!(tile.to_string(), "u8[16,64]{1,0:T(8)(16)}, swizzle = 128B");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn triton_fp4_padded_shared(array: &ArrayShape) -> Result<ArrayShape, TileError> {
    let bits = array.element_bits();
    if bits != 8 {
        return Err(TileError::Element { bits });
    }
    let contiguous = array.rank().saturating_sub(1);
    let packed = panels(array, contiguous, Swizzle::NONE, Panels { unswizzled: 64, group: 1 });
    let padded = ok!(triton_padded_shared(&ok!(packed), &[(8, 8)]));
    Ok(shape_ok!(TileError, padded.with_swizzle(Swizzle::MODE_128B)))
}

/// Triton's `SwizzledSharedLayout(vec, per_phase, max_phase, order)`: blocks of `vec` elements in a row are XORed with the
/// number of the row, divided by `per_phase`, modulo `max_phase`.
///
/// `order` lists the dimensions, the most minor (fastest varying) first.
///
/// # Errors
/// If a number or a size is not a power of two, as Triton requires, or `order` does not list the dimensions.
///
/// # Examples
/// ```
/// use layout_gpu::shared::triton_swizzled_shared;
///
/// let tile = triton_swizzled_shared(&"f16[32,64]".parse()?, 8, 2, 4, &[1, 0])?;
/// assert_eq!(tile.to_string(), "f16[32,64]{1,0}, swizzle = elements<2,3,4>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn triton_swizzled_shared(
    array: &ArrayShape,
    vec: Size,
    per_phase: Size,
    max_phase: Size,
    order: &[usize],
) -> Result<ArrayShape, TileError> {
    let plain = shape_ok!(TileError, array.laid_out(order, &Tiles::NONE));
    ok!(power_of_two("vec", vec));
    ok!(power_of_two("per_phase", per_phase));
    ok!(power_of_two("max_phase", max_phase));
    each!(for dim in 0..plain.rank() {
        ok!(power_of_two("a size", ok!(size(&plain, dim))));
    });
    if plain.rank() < 2 {
        return Ok(plain);
    }
    let columns = ok!(size(&plain, order[0]));
    let rows = ok!(size(&plain, order[1]));
    // An element stays in its row, and there are not more phases than rows.
    let phases = least(max_phase, least(columns / vec, rows / per_phase));
    if phases <= 1 {
        return Ok(plain);
    }
    let shift = (columns / vec * per_phase).trailing_zeros();
    let (bits, base) = (phases.trailing_zeros(), vec.trailing_zeros());
    let swizzle = Swizzle::new(SwizzleUnit::Elements, bits as u8, base as u8, shift as i8);
    Ok(shape_ok!(TileError, plain.with_swizzle(shape_ok!(TileError, swizzle))))
}

/// What systems have of their own in panels.
struct Panels {
    /// Bytes of a line of a panel without a swizzle; 0 for whole lines.
    unswizzled: Size,
    /// What the number of lines is a multiple of.
    group: Size,
}

/// The array with its lines along a dimension cut into panels, one after another.
const fn panels(
    array: &ArrayShape,
    contiguous: usize,
    swizzle: Swizzle,
    of_system: Panels,
) -> Result<ArrayShape, TileError> {
    let (rank, bits, group) = (array.rank(), array.element_bits(), of_system.group);
    let Some(mode) = SwizzleCodes::of(swizzle, bits) else { return Err(TileError::Swizzle) };
    if rank < 2 || contiguous >= rank || (rank > 2 && contiguous != rank - 1) {
        return Err(TileError::Rank { rank, contiguous });
    }
    let mut order: List<MAX_DIMS, usize> = List::new();
    order.push(contiguous);
    let columns = ok!(size(array, contiguous));
    let mut lines: Size = 1;
    each!(for dim in (0..rank).rev() {
        if dim != contiguous {
            order.push(dim);
            lines *= ok!(size(array, dim));
        }
    });
    if !lines.is_multiple_of(group) {
        return Err(TileError::Lines { lines, group });
    }
    let span = if swizzle.is_none() { of_system.unswizzled } else { mode.span() };
    if bits == 0 || 128 % bits != 0 {
        return Err(TileError::Element { bits });
    }
    let panel = if span == 0 { columns } else { 8 * span / bits };
    if columns < panel || !columns.is_multiple_of(panel) {
        return Err(TileError::Row { dim: contiguous, size: columns, span, panel });
    }
    let mut tiles = Tiles::NONE;
    // One panel is the lines as they are.
    if columns > panel {
        push_tile(&mut tiles, rank - 1, lines);
        tiles.push(TileDim::Size(panel));
    }
    let tile = shape_ok!(TileError, array.laid_out(order.as_slice(), &tiles));
    Ok(shape_ok!(TileError, tile.with_swizzle(swizzle)))
}

/// Adds a tile that combines some dimensions and has one size for them. False if there are too many.
const fn push_tile(tiles: &mut Tiles, dims: usize, size: Size) -> bool {
    // `begin` alone would leave a tile without entries.
    if tiles.entries() + dims > MAX_TILE_DIMS || !tiles.begin() {
        return false;
    }
    each!(for _dim in 1..dims {
        tiles.push(TileDim::Combined);
    });
    tiles.push(TileDim::Size(size))
}

const fn size(array: &ArrayShape, dim: usize) -> Result<Size, TileError> {
    match array.dims()[dim] {
        Dim::Static(size) => Ok(size),
        _ => Err(TileError::UnknownSize { dim }),
    }
}

const fn power_of_two(name: &'static str, value: Size) -> Result<(), TileError> {
    if value.is_power_of_two() { Ok(()) } else { Err(TileError::PowerOfTwo { name, value }) }
}

errors! {
    /// Why an array has no layout of a name.
    pub enum TileError {
        /// The array has fewer than two dimensions, or more and the contiguous one is not the last one.
        Rank { rank: usize, contiguous: usize } => "dimension ", contiguous, " of rank ", rank,
            " is not one that lines run along: write a matrix, or more dimensions of which the last one is contiguous";
        /// A size is known at run time only.
        UnknownSize { dim: usize } => "the size of dimension ", dim, " is not known: write a number";
        /// Elements do not fill 16 bytes, or are not those that the layout takes.
        Element { bits: Size } => "elements of ", bits,
            " bits are not those of this layout: write a type of 8, 16 or 32 bits (8 for `fp4_padded`)";
        /// The hardware does not have the swizzle.
        Swizzle => "tensor cores do not have this swizzle: write 32B, 64B, 128B, 128B_ATOM_32B or none";
        /// A number is not a power of two.
        PowerOfTwo { name: &'static str, value: Size } => name, " is ", value, ", not a power of two: write ",
            if value < MAX_SIZE { value.next_power_of_two() } else { 1 };
        /// A row is not whole panels.
        Row { dim: usize, size: Size, span: Size, panel: Size } => "dimension ", dim, " has ", size,
            " elements, which are not whole panels of ", span, " bytes: write a multiple of ", panel,
            ", or another swizzle";
        /// The lines are not whole groups, over which a swizzle repeats.
        Lines { lines: Size, group: Size } => lines, " lines are not groups of ", group,
            ", over which a swizzle repeats: write a multiple of ", group;
        /// An interval of padding does not contain those before it.
        Interval { interval: Size, padding: Size, before: Size } => "padding of ", padding,
            " elements after every ", interval, " does not nest: write a smaller padding and a multiple of ", before;
        /// A base is not a step along one dimension.
        Base { number: usize } => "offset base ", number,
            " is not a step along one dimension: write one power of two and zeros";
        /// The bases together are not all elements of the array, once.
        Bases => "the offset bases are not all elements of the array once: write each power of two below each size";
        /// The layout takes more tiles than there can be.
        TooManyTiles => "this takes more than ", MAX_TILES, " tiles, or more than ", MAX_TILE_DIMS,
            " sizes in them: write fewer pairs of padding, or bases in longer runs along a dimension";
        /// The array is not valid in this layout.
        Shape { fault: Fault } => &fault.line();
    }
}
