//! Layouts of tiles in shared memory, by the names of other systems.
//!
//! Each function takes an array, of which the element type and the sizes count, and gives it the layout that the system
//! has under this name: an [`ArrayShape`] with a [`Swizzle`]. What the system refuses is an error. All but
//! [`triton_offset_bases`] are `const`, so that a tile can be a constant, and a wrong one a compile error.
//!
//! # Examples
//! ```
//! use layout::ArrayShape;
//! use layout::gpu::shared::{TileError, triton_nvmma_shared};
//!
//! const ROWS: ArrayShape = match ArrayShape::parse_const("f16[64,128]") {
//!     Ok(rows) => rows,
//!     Err(_) => panic!("not a shape"),
//! };
//! const TILE: ArrayShape = TileError::or_panic(triton_nvmma_shared(&ROWS, 128, false));
//! assert_eq!(TILE.to_string(), "f16[64,128]{1,0:T(64,64)}, swizzle = 128B");
//!
//! let narrow: ArrayShape = "f16[64,32]".parse()?;
//! assert_eq!(
//!     triton_nvmma_shared(&narrow, 128, false).unwrap_err().to_string(),
//!     "dimension 1 has 32 elements, which are not whole panels of 128 bytes: \
//!      write a multiple of 64, or another swizzle",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! As a constant, the same mistake stops the build with this text:
//! ```compile_fail,E0080
//! # use layout::ArrayShape;
//! # use layout::gpu::shared::{TileError, triton_nvmma_shared};
//! const NARROW: ArrayShape = match ArrayShape::parse_const("f16[64,32]") {
//!     Ok(rows) => rows,
//!     Err(_) => panic!("not a shape"),
//! };
//! const TILE: ArrayShape = TileError::or_panic(triton_nvmma_shared(&NARROW, 128, false));
//! println!("{TILE}");
//! ```

mod padded;

pub use padded::{triton_offset_bases, triton_padded_shared};

use super::mode::{Mode, span};
use crate::base::limits::{MAX_DIMS, MAX_SIZE, MAX_TILE_DIMS, MAX_TILES, Size};
use crate::base::list::List;
use crate::fault::Fault;
use crate::shape::{ArrayShape, Dim, ElementType, Fields, Swizzle, SwizzleUnit, TileDim, Tiles};

named! {
    /// Which dimension of an operand is contiguous in shared memory.
    pub enum Major {
        /// K, which the product sums over.
        K = "K",
        /// M or N.
        Mn = "MN",
    }
}

/// Triton's `SwizzledSharedLayout(vec, per_phase, max_phase, order)`: blocks of `vec` elements in a row are XORed with the
/// number of the row, divided by `per_phase`, modulo `max_phase`. `order` lists the dimensions, the fastest first.
///
/// # Errors
/// If a number or a size is not a power of two, as Triton requires, or `order` does not list the dimensions.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::gpu::shared::triton_swizzled_shared;
///
/// let array: ArrayShape = "f16[32,64]".parse()?;
/// let tile = triton_swizzled_shared(&array, 8, 2, 4, &[1, 0])?;
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
    each!(
        for &(name, value) in &[("vec", vec), ("per_phase", per_phase), ("max_phase", max_phase)] {
            if !value.is_power_of_two() {
                return Err(TileError::PowerOfTwo { name, value });
            }
        }
    );
    let plain = sound!(TileError, plain(array).laid_out(order, &Tiles::NONE));
    // Sizes by their logarithms: of a row, and of the rows.
    let mut logs = [0, 0];
    each!(for place in 0..plain.rank() {
        let value = ok!(size(&plain, plain.ordered_dim(place)));
        if !value.is_power_of_two() {
            return Err(TileError::PowerOfTwo { name: "a size", value });
        }
        if place < logs.len() {
            logs[place] = value.trailing_zeros();
        }
    });
    let (vec, per_phase) = (vec.trailing_zeros(), per_phase.trailing_zeros());
    let mut bits = max_phase.trailing_zeros();
    // An element stays in its row, and of the rows there are not more bits.
    each!(for &most in &[logs[0].saturating_sub(vec), logs[1].saturating_sub(per_phase)] {
        if bits > most {
            bits = most;
        }
    });
    if bits == 0 {
        return Ok(plain);
    }
    let shift = logs[0] + per_phase - vec;
    let swizzle = Swizzle::new(SwizzleUnit::Elements, bits as u8, vec as u8, shift as i8);
    Ok(sound!(TileError, plain.with_swizzle(sound!(TileError, swizzle))))
}

/// Triton's `NVMMASharedLayout(swizzle_byte_width, element_bitwidth, transposed)`: rows cut into panels as wide as the span
/// of the swizzle, 32, 64 or 128 bytes. The bits are those of the elements. Dimensions before the last one are rows;
/// `transposed` takes the columns of a matrix as rows. A span of 0 is no swizzle and no panels.
///
/// # Errors
/// If the span is another one, or if a row is not whole panels.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::gpu::shared::triton_nvmma_shared;
///
/// let array: ArrayShape = "bf16[128,64]".parse()?;
/// let tile = triton_nvmma_shared(&array, 64, true)?;
/// assert_eq!(tile.to_string(), "bf16[128,64]{0,1:T(64,32)}, swizzle = 64B");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn triton_nvmma_shared(
    array: &ArrayShape,
    span: Size,
    transposed: bool,
) -> Result<ArrayShape, TileError> {
    if span == 0 {
        let order = ok!(panel_order(array, transposed));
        return Ok(sound!(TileError, plain(array).laid_out(order.as_slice(), &Tiles::NONE)));
    }
    panels(array, ok!(swizzle_of(span)), transposed, 1, false)
}

/// Triton's `NVMMASharedLayout` with `fp4_padded`: each byte has two 4-bit floats, and 8 bytes of padding follow every 8.
/// The array has the bytes as elements. The swizzle is that of 128 bytes.
///
/// # Errors
/// If the elements are not bytes, or if a row is not whole panels of 64 of them.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::gpu::shared::triton_fp4_padded_shared;
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
    panels(array, Swizzle::MODE_128B, false, 1, true)
}

/// TVM's `mma_shared_layout(dtype, swizzle_mode, shape)`: panels as wide as the span of the mode, 16 bytes without a
/// swizzle. Modes are 0 (none), 1 (32 bytes), 2 (64) and 3 (128).
///
/// # Errors
/// If the mode is another one, or if the array is not whole panels of 8 rows.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::gpu::shared::tvm_mma_shared;
///
/// let array: ArrayShape = "f16[64,64]".parse()?;
/// assert_eq!(tvm_mma_shared(&array, 0)?.to_string(), "f16[64,64]{1,0:T(64,8)}");
/// assert_eq!(tvm_mma_shared(&array, 3)?.to_string(), "f16[64,64]{1,0}, swizzle = 128B");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn tvm_mma_shared(array: &ArrayShape, mode: u32) -> Result<ArrayShape, TileError> {
    if mode > 3 {
        return Err(TileError::Mode { mode });
    }
    let swizzle = ok!(swizzle_of(if mode == 0 { 0 } else { 16 << mode }));
    panels(array, swizzle, false, LINES, false)
}

/// cubecl's `WgmmaTileLayout` of an operand `[MN,K]`: panels along K or along MN, as wide as the span of the swizzle, or
/// 16 bytes for a span of 0.
///
/// # Errors
/// If the span is another one, if lines are not whole panels or not groups of 8, and if elements that are MN-major do not
/// have 16 bits.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::gpu::shared::{Major, cubecl_wgmma_tile};
///
/// let operand: ArrayShape = "f16[128,64]".parse()?;
/// let tile = cubecl_wgmma_tile(&operand, Major::Mn, 128)?;
/// assert_eq!(tile.to_string(), "f16[128,64]{0,1:T(64,64)}, swizzle = 128B");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn cubecl_wgmma_tile(
    operand: &ArrayShape,
    major: Major,
    span: Size,
) -> Result<ArrayShape, TileError> {
    let bits = operand.element_bits();
    if matches!(major, Major::Mn) && bits != 16 {
        return Err(TileError::MnMajor { bits });
    }
    panels(operand, ok!(swizzle_of(span)), matches!(major, Major::Mn), LINES, false)
}

/// A canonical atom of shared memory for `wgmma` and `tcgen05`, as CuTe has it: 8 lines of the swizzle's span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CuteAtom {
    /// The name in CuTe DSL.
    pub name: &'static str,
    /// The dimension that is contiguous.
    pub major: Major,
    /// The swizzle.
    pub swizzle: Swizzle,
}

impl CuteAtom {
    /// All of them.
    pub const ALL: [CuteAtom; 9] = [
        CuteAtom { name: "K_INTER", major: Major::K, swizzle: Swizzle::NONE },
        CuteAtom { name: "K_SW32", major: Major::K, swizzle: Swizzle::MODE_32B },
        CuteAtom { name: "K_SW64", major: Major::K, swizzle: Swizzle::MODE_64B },
        CuteAtom { name: "K_SW128", major: Major::K, swizzle: Swizzle::MODE_128B },
        CuteAtom { name: "MN_INTER", major: Major::Mn, swizzle: Swizzle::NONE },
        CuteAtom { name: "MN_SW32", major: Major::Mn, swizzle: Swizzle::MODE_32B },
        CuteAtom { name: "MN_SW64", major: Major::Mn, swizzle: Swizzle::MODE_64B },
        CuteAtom { name: "MN_SW128", major: Major::Mn, swizzle: Swizzle::MODE_128B },
        CuteAtom { name: "MN_SW128_32B", major: Major::Mn, swizzle: Swizzle::MODE_128B_ATOM_32B },
    ];

    /// The atom of a name.
    pub const fn from_name(name: &str) -> Option<CuteAtom> {
        each!(for atom in &CuteAtom::ALL {
            if name.eq_ignore_ascii_case(atom.name) {
                return Some(*atom);
            }
        });
        None
    }

    /// The atom for an element type, `[MN,K]`.
    ///
    /// # Errors
    /// If the elements do not fill 16 bytes.
    ///
    /// # Examples
    /// ```
    /// use layout::ElementType;
    /// use layout::gpu::shared::CuteAtom;
    ///
    /// let atom = CuteAtom::from_name("MN_SW64").unwrap().atom(ElementType::BF16)?;
    /// assert_eq!(atom.to_string(), "bf16[32,8]{0,1}, swizzle = 64B");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn atom(&self, element: ElementType) -> Result<ArrayShape, TileError> {
        let mut fields = *ArrayShape::scalar(element).fields();
        let columns = Dim::Static(ok!(elements_in(span(self.swizzle), fields.element_bits())));
        let is_k = matches!(self.major, Major::K);
        fields.rank = 2;
        fields.dims[0] = if is_k { Dim::Static(LINES) } else { columns };
        fields.dims[1] = if is_k { columns } else { Dim::Static(LINES) };
        fields.set_default_order();
        // A few bytes in the default order.
        self.tile(&fields.trusted())
    }

    /// The atom repeated over an operand `[MN,K]`, along its lines first: CuTe's `tile_to_shape`.
    ///
    /// # Errors
    /// If the operand is not whole atoms.
    pub const fn tile(&self, operand: &ArrayShape) -> Result<ArrayShape, TileError> {
        panels(operand, self.swizzle, matches!(self.major, Major::Mn), LINES, false)
    }
}

/// Lines that a swizzle repeats over, and that tensor cores take at once.
const LINES: Size = 8;

/// The order of dimensions of panels, the most minor first: as they are, or the columns of a matrix as its rows.
const fn panel_order(
    array: &ArrayShape,
    transposed: bool,
) -> Result<List<MAX_DIMS, usize>, TileError> {
    let rank = array.rank();
    if rank < 2 || (transposed && rank > 2) {
        return Err(if rank < 2 { TileError::NoRows } else { TileError::Transposed { rank } });
    }
    let mut order = List::new();
    each!(for dim in 0..rank {
        order.push(if transposed { dim } else { rank - 1 - dim });
    });
    Ok(order)
}

/// The array with its lines cut into panels as wide as the swizzle, one after another. The lines are a multiple of
/// `unit`. With `fp4` 8 bytes of padding follow every 8.
const fn panels(
    array: &ArrayShape,
    swizzle: Swizzle,
    transposed: bool,
    unit: Size,
    fp4: bool,
) -> Result<ArrayShape, TileError> {
    let order = ok!(panel_order(array, transposed));
    let order = order.as_slice();
    let columns = ok!(size(array, order[0]));
    let mut lines: Size = 1;
    each!(for place in 1..order.len() {
        lines = lines.saturating_mul(ok!(size(array, order[place])));
    });
    if !lines.is_multiple_of(unit) {
        return Err(TileError::Lines { lines });
    }
    let span = span(swizzle) >> fp4 as u32;
    let panel = ok!(elements_in(span, array.element_bits()));
    if columns == 0 || !columns.is_multiple_of(panel) {
        return Err(TileError::Row { dim: order[0], size: columns, span, panel });
    }
    let mut tiles = Tiles::NONE;
    // One panel is the rows as they are.
    if columns > panel {
        push_tile(&mut tiles, order.len() - 1, lines);
        tiles.push(TileDim::Size(panel));
    }
    if fp4 {
        push_tile(&mut tiles, 1, 8);
        push_tile(&mut tiles, 1, 16);
    }
    let rows = sound!(TileError, plain(array).laid_out(order, &tiles));
    Ok(sound!(TileError, rows.with_swizzle(swizzle)))
}

/// The swizzle of a span.
const fn swizzle_of(span: Size) -> Result<Swizzle, TileError> {
    match Mode::of_span(span) {
        Some(swizzle) => Ok(swizzle),
        None => Err(TileError::Span { span }),
    }
}

/// Adds a tile that combines some dimensions and has one size for them. False if there are too many.
const fn push_tile(tiles: &mut Tiles, dims: usize, size: Size) -> bool {
    // `begin` alone would leave a tile without entries.
    if tiles.len() == MAX_TILES || tiles.entries() + dims > MAX_TILE_DIMS || !tiles.begin() {
        return false;
    }
    each!(for _dim in 1..dims {
        tiles.push(TileDim::Combined);
    });
    tiles.push(TileDim::Size(size))
}

/// The array without a swizzle.
pub(super) const fn plain(array: &ArrayShape) -> ArrayShape {
    // Without it all others are valid still.
    Fields { swizzle: Swizzle::NONE, ..*array.fields() }.trusted()
}

/// Elements that fill some bytes.
const fn elements_in(bytes: Size, bits: Size) -> Result<Size, TileError> {
    if bits > 0 && 128 % bits == 0 {
        Ok(8 * bytes / bits)
    } else {
        Err(TileError::Element { bits })
    }
}

const fn size(array: &ArrayShape, dim: usize) -> Result<Size, TileError> {
    match array.dim(dim) {
        Dim::Static(size) => Ok(size),
        _ => Err(TileError::UnknownSize { dim }),
    }
}

errors! {
    /// Why an array has no layout of a name.
    pub enum TileError {
        /// The array has less than two dimensions.
        NoRows => "an array needs rows and columns here: write at least 2 dimensions";
        /// Only matrices are transposed.
        Transposed { rank: usize } => "an array of rank ", rank,
            " is not transposed: write a matrix, or the dimensions in the other order";
        /// A size is known at run time only.
        UnknownSize { dim: usize } => "the size of dimension ", dim, " is not known: write a number";
        /// Elements do not fill 16 bytes, or are not those that the layout takes.
        Element { bits: Size } => "elements of ", bits,
            " bits are not those of this layout: write a type of 8, 16 or 32 bits (8 for `fp4_padded`)";
        /// Elements of this width cannot be MN-major.
        MnMajor { bits: Size } => "elements of ", bits, " bits cannot be MN-major, only those of 16: write K-major";
        /// No swizzle has this span.
        Span { span: Size } => "no swizzle has a span of ", span, " bytes: write 0, 32, 64 or 128";
        /// No swizzle has this number.
        Mode { mode: u32 } => "no swizzle has the mode ", mode as Size,
            ": write 0 (none), 1 (32 bytes), 2 (64) or 3 (128)";
        /// A number is not a power of two.
        PowerOfTwo { name: &'static str, value: Size } => name, " is ", value, ", not a power of two: write ",
            if value < MAX_SIZE { value.next_power_of_two() } else { 1 };
        /// A row is not whole panels.
        Row { dim: usize, size: Size, span: Size, panel: Size } => "dimension ", dim, " has ", size,
            " elements, which are not whole panels of ", span, " bytes: write a multiple of ", panel,
            ", or another swizzle";
        /// The lines are not groups of 8.
        Lines { lines: Size } => lines, " lines are not groups of 8, over which a swizzle repeats: write ",
            (lines / LINES + 1) * LINES;
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
