//! Tensor maps: what `cuTensorMapEncodeTiled` is given for an array in global memory and a tile in shared memory.
//!
//! TMA copies a box of a global array into shared memory. [`TensorMap`] takes the layouts of both: the array, dense or with
//! a pitch (`PAD`), and the tile that one copy writes, with its swizzle. A tile with tiles of its own, or a global array
//! with tiles, takes more dimensions of the map. So the tile that TMA writes is the tile that
//! [`Descriptor`](super::descriptor::Descriptor) reads.
//!
//! Rules and codes are those of `cuda.h`.
//!
//! # Examples
//! ```
//! use layout::ArrayShape;
//! use layout::gpu::tensor_map::{TensorMap, TensorMapError, TensorMapOptions};
//!
//! const ARRAY: ArrayShape = match ArrayShape::parse_const("bf16[1000,4096]{1,0:PAD(1000,4112)}") {
//!     Ok(array) => array,
//!     Err(_) => panic!("not a shape"),
//! };
//! const TILE: ArrayShape = match ArrayShape::parse_const("bf16[128,64]") {
//!     Ok(rows) => match rows.with_swizzle(layout::Swizzle::MODE_128B) {
//!         Ok(tile) => tile,
//!         Err(_) => panic!("not whole blocks"),
//!     },
//!     Err(_) => panic!("not a shape"),
//! };
//! const MAP: TensorMap =
//!     TensorMapError::or_panic(TensorMap::new(&ARRAY, &TILE, &TensorMapOptions::DEFAULT));
//! // Dimensions of the map are innermost first.
//! assert_eq!(MAP.global_dim(), [4096, 1000]);
//! assert_eq!(MAP.global_strides(), [8224]);
//! assert_eq!(MAP.box_dim(), [64, 128]);
//! assert_eq!((MAP.data_type(), MAP.swizzle()), (9, 3));
//! assert_eq!(MAP.shared_alignment(), 1024);
//!
//! let wide = "bf16[128,128]".parse::<ArrayShape>()?.with_swizzle(layout::Swizzle::MODE_128B)?;
//! assert_eq!(
//!     TensorMap::new(&ARRAY, &wide, &TensorMapOptions::DEFAULT).unwrap_err().to_string(),
//!     "the innermost box has 256 bytes, more than the 128 of the swizzle: \
//!      write a tile of 64 elements there, or panels of so many",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::shared::swizzle_of;
use crate::base::limits::{MAX_BOUNDS, MAX_DIMS, Size};
use crate::base::text::{Text, part};
use crate::base::width::least;
use crate::fault::Fault;
use crate::shape::{ArrayShape, Dim, ElementType, Swizzle, TileDim};

/// Most dimensions of a map.
const MAX_RANK: usize = 5;
/// Most elements of a box along a dimension.
const MAX_BOX: Size = 256;

/// Swizzles with their codes: of `cuda.h`, then `swizzle_mode` and `swizzle_atomicity` of `tensormap.replace`, and bytes of
/// a line, 0 for any number.
const SWIZZLES: [(Swizzle, u32, u32, u32, Size); 5] = [
    (Swizzle::NONE, 0, 0, 0, 0),
    (Swizzle::MODE_32B, 1, 1, 0, 32),
    (Swizzle::MODE_64B, 2, 2, 0, 64),
    (Swizzle::MODE_128B, 3, 3, 0, 128),
    (Swizzle::MODE_128B_ATOM_32B, 4, 3, 1, 128),
];

/// `CUtensorMapInterleave`: how channels of images are interleaved. The values are the codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interleave {
    /// Not at all.
    None = 0,
    /// Slices of 16 bytes (`NC/8HWC8` with elements of 2 bytes).
    Bytes16 = 1,
    /// Slices of 32 bytes (`NC/16HWC16` with elements of 2 bytes).
    Bytes32 = 2,
}

/// `CUtensorMapL2promotion`: what the L2 cache fetches at once. The values are the codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum L2Promotion {
    /// What is asked for.
    None = 0,
    /// 64 bytes.
    Bytes64 = 1,
    /// 128 bytes.
    Bytes128 = 2,
    /// 256 bytes.
    Bytes256 = 3,
}

/// `CUtensorMapFloatOOBfill`: what a copy writes for elements outside the array. The values are the codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutOfBounds {
    /// Zeros.
    Zero = 0,
    /// NaN, in arrays of floats.
    Nan = 1,
}

/// `CUtensorMapDataType`. The values are the codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataType {
    /// 8 bits of any type.
    U8 = 0,
    /// Unsigned integers of 16 bits.
    U16 = 1,
    /// Unsigned integers of 32 bits.
    U32 = 2,
    /// Integers of 32 bits.
    S32 = 3,
    /// Unsigned integers of 64 bits.
    U64 = 4,
    /// Integers of 64 bits.
    S64 = 5,
    /// Floats of 16 bits.
    F16 = 6,
    /// Floats of 32 bits.
    F32 = 7,
    /// Floats of 64 bits.
    F64 = 8,
    /// `bf16`.
    Bf16 = 9,
    /// Floats of 32 bits, denormals as zeros.
    F32Ftz = 10,
    /// Floats rounded to `tf32`.
    Tf32 = 11,
    /// Floats rounded to `tf32`, denormals as zeros.
    Tf32Ftz = 12,
}

impl DataType {
    /// The type for elements of an array; `None` if TMA has none.
    pub const fn of(element: ElementType) -> Option<DataType> {
        Some(match (element, element.bits()) {
            (ElementType::F16, _) => DataType::F16,
            (ElementType::BF16, _) => DataType::Bf16,
            (ElementType::F32, _) => DataType::F32,
            (ElementType::F64, _) => DataType::F64,
            (ElementType::S32, _) => DataType::S32,
            (ElementType::S64, _) => DataType::S64,
            (_, 8) => DataType::U8,
            (_, 16) => DataType::U16,
            (_, 32) => DataType::U32,
            (_, 64) => DataType::U64,
            _ => return None,
        })
    }

    /// Bits of an element.
    pub const fn bits(self) -> Size {
        match self {
            DataType::U8 => 8,
            DataType::U16 | DataType::F16 | DataType::Bf16 => 16,
            DataType::U64 | DataType::S64 | DataType::F64 => 64,
            _ => 32,
        }
    }

    /// The code of `tensormap.replace.elemtype`, which counts otherwise than `cuda.h`.
    pub const fn replace_code(self) -> u32 {
        match self {
            DataType::F32Ftz => 8,
            DataType::F64 => 9,
            DataType::Bf16 => 10,
            _ => self as u32,
        }
    }
}

/// What a tensor map says besides the layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorMapOptions {
    /// Interleaved channels.
    pub interleave: Interleave,
    /// What the L2 cache fetches.
    pub l2_promotion: L2Promotion,
    /// What is written outside the array.
    pub out_of_bounds: OutOfBounds,
    /// The type that TMA takes the elements for, if not the one of the array.
    pub data_type: Option<DataType>,
    /// Elements of the array from one element of the tile to the next along each dimension, dimension 0 first.
    pub element_strides: [u32; MAX_DIMS],
}

impl TensorMapOptions {
    /// No interleaving, 128 bytes for the L2 cache (as Triton has it), zeros outside, every element.
    pub const DEFAULT: TensorMapOptions = TensorMapOptions {
        interleave: Interleave::None,
        l2_promotion: L2Promotion::Bytes128,
        out_of_bounds: OutOfBounds::Zero,
        data_type: None,
        element_strides: [1; MAX_DIMS],
    };
}

/// The arguments of `cuTensorMapEncodeTiled`, but for the address of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorMap {
    data_type: DataType,
    rank: usize,
    global_dim: [u64; MAX_RANK],
    /// In bytes; the first one is not handed over.
    strides: [u64; MAX_RANK],
    box_dim: [u32; MAX_RANK],
    element_strides: [u32; MAX_RANK],
    /// Its place among the swizzles.
    swizzle: usize,
    options: TensorMapOptions,
}

impl TensorMap {
    /// The map for copies between an array in global memory and a tile of it in shared memory, which has as many
    /// dimensions. The tile's sizes are the box, its swizzle that of the copy.
    ///
    /// The box may reach past the array. Each tile of the tile's layout takes dimensions of its own, as in Mosaic.
    ///
    /// # Errors
    /// If TMA cannot write this tile from this array: each rule with what to write.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout::gpu::tensor_map::{TensorMap, TensorMapOptions};
    ///
    /// let array: ArrayShape = "f32[256,512]".parse()?;
    /// let tile: ArrayShape = "f32[64,32]{1,0:T(8,16)}".parse()?;
    /// let map = TensorMap::new(&array, &tile, &TensorMapOptions::DEFAULT)?;
    /// assert_eq!(map.global_dim(), [16, 8, 32, 32]);
    /// assert_eq!(map.box_dim(), [16, 8, 2, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn new(
        global: &ArrayShape,
        tile: &ArrayShape,
        options: &TensorMapOptions,
    ) -> Result<TensorMap, TensorMapError> {
        let data_type = ok!(data_type_of(global, tile, options));
        let swizzle = ok!(swizzle_number(tile));
        let mut map = TensorMap {
            data_type,
            rank: 0,
            global_dim: [1; MAX_RANK],
            strides: [0; MAX_RANK],
            box_dim: [1; MAX_RANK],
            element_strides: [1; MAX_RANK],
            swizzle,
            options: *options,
        };
        ok!(map.add_pieces(global, tile));
        ok!(map.check());
        Ok(map)
    }

    /// Adds the dimensions: pieces of the tile's dimensions, the most minor first, and then what of the array is above
    /// them.
    const fn add_pieces(
        &mut self,
        global: &ArrayShape,
        tile: &ArrayShape,
    ) -> Result<(), TensorMapError> {
        let from = ok!(Pieces::of(global, false));
        let to = ok!(Pieces::of(tile, true));
        let mut used = [false; MAX_BOUNDS];
        each!(for i in (0..to.count).rev() {
            let Piece { dim, mut weight, mut size, .. } = to.list[i];
            let is_top = to.is_top(i);
            loop {
                let at = from.holding(dim, weight);
                let piece = from.list[at];
                used[at] = true;
                let end = piece.weight * piece.size;
                if !weight.is_multiple_of(piece.weight) || !end.is_multiple_of(weight) {
                    let multiple = if end < weight { weight } else { piece.weight };
                    return Err(TensorMapError::Cut { dim, size: end, multiple });
                }
                let stride = weight / piece.weight * piece.stride;
                let values = end / weight;
                if from.is_top(at) || size <= values {
                    let count = if is_top { values } else { size };
                    if count > values || (!is_top && !values.is_multiple_of(count)) {
                        return Err(TensorMapError::Cut {
                            dim,
                            size: end,
                            multiple: weight * size,
                        });
                    }
                    let is_whole = is_top && from.is_top(at) && weight == 1;
                    ok!(self.push(dim, count, stride, size, is_whole));
                    break;
                }
                if !size.is_multiple_of(values) {
                    return Err(TensorMapError::Cut {
                        dim,
                        size: to.list[i].size,
                        multiple: values,
                    });
                }
                ok!(self.push(dim, values, stride, values, false));
                (weight, size) = (weight * values, size / values);
            }
        });
        each!(for i in (0..from.count).rev() {
            if !used[i] {
                let piece = from.list[i];
                ok!(self.push(piece.dim, piece.size, piece.stride, 1, false));
            }
        });
        Ok(())
    }

    /// Adds a dimension of the map, with a stride in elements. Only a whole dimension of the array may be strided.
    const fn push(
        &mut self,
        dim: usize,
        size: Size,
        stride: Size,
        of_box: Size,
        is_whole: bool,
    ) -> Result<(), TensorMapError> {
        if self.rank == MAX_RANK {
            return Err(TensorMapError::Rank { rank: MAX_RANK + 1 });
        }
        let step = self.options.element_strides[dim];
        if step == 0 || step > 8 || (step > 1 && (!is_whole || self.rank == 0)) {
            return Err(TensorMapError::ElementStride { dim, stride: step });
        }
        let of_box = of_box.saturating_mul(step as Size);
        if of_box == 0 || of_box > MAX_BOX {
            return Err(TensorMapError::Box { dim, size: of_box });
        }
        if size == 0 || size as u64 > 1 << 32 {
            return Err(TensorMapError::Size { dim, size });
        }
        // Sizes in bytes are sizes of an array.
        let stride = stride * (self.data_type.bits() / 8);
        if self.rank == 0 && stride != self.data_type.bits() / 8 {
            return Err(TensorMapError::Inner { dim });
        }
        let unit = if matches!(self.options.interleave, Interleave::Bytes32) { 32 } else { 16 };
        if self.rank > 0 && (!stride.is_multiple_of(unit) || stride as u64 >= 1 << 40) {
            return Err(TensorMapError::Stride { dim, stride, unit });
        }
        self.global_dim[self.rank] = size as u64;
        self.strides[self.rank] = stride as u64;
        self.box_dim[self.rank] = of_box as u32;
        self.element_strides[self.rank] = step;
        self.rank += 1;
        Ok(())
    }

    /// The rules that are not of one dimension.
    const fn check(&self) -> Result<(), TensorMapError> {
        let bytes = self.box_dim[0] as Size * (self.data_type.bits() / 8);
        let is_interleaved = !matches!(self.options.interleave, Interleave::None);
        if self.rank == 0 || (is_interleaved && self.rank < 3) {
            return Err(TensorMapError::Rank { rank: self.rank });
        }
        if matches!(self.options.interleave, Interleave::Bytes32) && self.swizzle() != 1 {
            return Err(TensorMapError::InterleavedSwizzle);
        }
        if !is_interleaved && !bytes.is_multiple_of(16) {
            return Err(TensorMapError::InnerBox { bytes, element: self.data_type.bits() / 8 });
        }
        let span = SWIZZLES[self.swizzle].4;
        if !is_interleaved && span > 0 && bytes > span {
            return Err(TensorMapError::Span { bytes, span, element: self.data_type.bits() / 8 });
        }
        Ok(())
    }

    /// `tensorDataType`.
    pub const fn data_type(&self) -> u32 {
        self.data_type as u32
    }

    /// `tensorRank`.
    pub const fn rank(&self) -> u32 {
        self.rank as u32
    }

    /// `globalDim`: sizes of the array, innermost dimension first.
    pub const fn global_dim(&self) -> &[u64] {
        part(&self.global_dim, 0, self.rank)
    }

    /// `globalStrides`: bytes from one index to the next along each dimension but the innermost.
    pub const fn global_strides(&self) -> &[u64] {
        part(&self.strides, 1, self.rank)
    }

    /// `boxDim`: sizes of what a copy moves.
    pub const fn box_dim(&self) -> &[u32] {
        part(&self.box_dim, 0, self.rank)
    }

    /// `elementStrides`.
    pub const fn element_strides(&self) -> &[u32] {
        part(&self.element_strides, 0, self.rank)
    }

    /// `interleave`.
    pub const fn interleave(&self) -> u32 {
        self.options.interleave as u32
    }

    /// `swizzle`.
    pub const fn swizzle(&self) -> u32 {
        SWIZZLES[self.swizzle].1
    }

    /// `l2Promotion`.
    pub const fn l2_promotion(&self) -> u32 {
        self.options.l2_promotion as u32
    }

    /// `oobFill`.
    pub const fn oob_fill(&self) -> u32 {
        self.options.out_of_bounds as u32
    }

    /// What the address of the array has to be a multiple of, in bytes.
    pub const fn global_alignment(&self) -> u64 {
        if matches!(self.options.interleave, Interleave::Bytes32) { 32 } else { 16 }
    }

    /// What the address of the tile has to be a multiple of, in bytes: 128, or the period of the swizzle if that is more.
    pub const fn shared_alignment(&self) -> u32 {
        let period = SWIZZLES[self.swizzle].0.period() as u32;
        if period > 128 { period } else { 128 }
    }

    /// Checks the addresses of the array and of the tile.
    ///
    /// # Errors
    /// If one is not a multiple of its alignment.
    pub const fn check_addresses(&self, global: u64, shared: u32) -> Result<(), TensorMapError> {
        let (of_global, of_shared) = (self.global_alignment(), self.shared_alignment());
        if !global.is_multiple_of(of_global) {
            return Err(TensorMapError::Address { space: "global", alignment: of_global });
        }
        if !shared.is_multiple_of(of_shared) {
            return Err(TensorMapError::Address { space: "shared", alignment: of_shared as u64 });
        }
        Ok(())
    }

    /// The values for `tensormap.replace`, where they are other than the arguments.
    pub const fn replace(&self) -> TensorMapReplace {
        TensorMapReplace {
            rank: self.rank() - 1,
            elemtype: self.data_type.replace_code(),
            interleave_layout: self.interleave(),
            swizzle_mode: SWIZZLES[self.swizzle].2,
            swizzle_atomicity: SWIZZLES[self.swizzle].3,
            fill_mode: self.oob_fill(),
        }
    }
}

/// Values of the fields of `tensormap.replace` that are not those of `cuTensorMapEncodeTiled`. `box_dim`, `global_dim`,
/// `global_stride` and `element_stride` are the same, and PTX has no field for the L2 cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorMapReplace {
    /// Dimensions, less 1.
    pub rank: u32,
    /// Element type by PTX's codes.
    pub elemtype: u32,
    /// Interleave.
    pub interleave_layout: u32,
    /// Span of the swizzle.
    pub swizzle_mode: u32,
    /// Unit of the swizzle.
    pub swizzle_atomicity: u32,
    /// What is written outside the array.
    pub fill_mode: u32,
}

/// The tile that Triton moves by one copy of a block: a span of the swizzle along the last dimension, and at most 256
/// elements along others. A span of 0 is no swizzle.
///
/// # Errors
/// If no swizzle has this span, or if a span does not divide the block.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::gpu::tensor_map::{copies, triton_tile};
///
/// let block: ArrayShape = "f16[256,256]".parse()?;
/// let tile = triton_tile(&block, 128)?;
/// assert_eq!(tile.to_string(), "f16[256,64]{1,0}, swizzle = 128B");
/// assert_eq!(copies(&block, &tile), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn triton_tile(block: &ArrayShape, span: Size) -> Result<ArrayShape, TensorMapError> {
    let swizzle = match swizzle_of(span) {
        _ if span == 0 => Swizzle::NONE,
        Ok(swizzle) => swizzle,
        Err(_) => return Err(TensorMapError::Swizzle),
    };
    let mut fields = block.fields().order_alone();
    fields.set_default_order();
    each!(for dim in 0..block.rank() {
        let Dim::Static(size) = block.dim(dim) else {
            return Err(TensorMapError::UnknownSize { dim });
        };
        let mut of_box = least(size, MAX_BOX);
        if dim + 1 == block.rank() && span > 0 {
            of_box = 8 * span / block.element_bits();
            if of_box == 0 || !size.is_multiple_of(of_box) {
                return Err(TensorMapError::Cut { dim, size, multiple: of_box });
            }
        }
        fields.dims[dim] = Dim::Static(of_box);
    });
    fields.swizzle = swizzle;
    match fields.checked() {
        Ok(tile) => Ok(tile),
        Err(fault) => Err(TensorMapError::Shape(fault)),
    }
}

/// How many copies of a tile fill a block of as many dimensions.
pub const fn copies(block: &ArrayShape, tile: &ArrayShape) -> Size {
    let mut copies: Size = 1;
    each!(for dim in 0..block.rank() {
        if let (Some(size), Some(of_tile)) = (block.dim(dim).size(), tile.dim(dim).size()) {
            copies = copies.saturating_mul(size.div_ceil(if of_tile == 0 { 1 } else { of_tile }));
        }
    });
    copies
}

const fn data_type_of(
    global: &ArrayShape,
    tile: &ArrayShape,
    options: &TensorMapOptions,
) -> Result<DataType, TensorMapError> {
    let element = global.element_type();
    if global.rank() != tile.rank() || element as u8 != tile.element_type() as u8 {
        return Err(TensorMapError::OtherArray { global: global.rank(), tile: tile.rank() });
    }
    let data_type = match (DataType::of(element), options.data_type) {
        (Some(own), None) => own,
        (Some(own), Some(given)) if own.bits() == given.bits() => given,
        _ => return Err(TensorMapError::Element { element }),
    };
    if global.element_bits() != element.bits() || tile.element_bits() != element.bits() {
        return Err(TensorMapError::Element { element });
    }
    if matches!(options.out_of_bounds, OutOfBounds::Nan) && !element.is_float() {
        return Err(TensorMapError::NanFill { element });
    }
    Ok(data_type)
}

/// The place of a tile's swizzle among those of TMA.
const fn swizzle_number(tile: &ArrayShape) -> Result<usize, TensorMapError> {
    if let Ok(swizzle) = tile.swizzle().on_bytes(tile.element_bits()) {
        each!(for i in 0..SWIZZLES.len() {
            if swizzle.xor_bits().is_same(SWIZZLES[i].0.xor_bits()) {
                return Ok(i);
            }
        });
    }
    Err(TensorMapError::Swizzle)
}

/// A piece of a dimension, as a layout's tiles cut it: `size` values of the coordinate by `weight`.
#[derive(Clone, Copy)]
struct Piece {
    dim: usize,
    weight: Size,
    size: Size,
    /// Elements from one value to the next.
    stride: Size,
}

/// The dimensions of memory, the most major first.
struct Pieces {
    list: [Piece; MAX_BOUNDS],
    count: usize,
}

impl Pieces {
    /// The pieces of a layout whose tiles divide the array. A tile in shared memory has no gaps; the array may have `PAD`
    /// if it has no tiles.
    const fn of(shape: &ArrayShape, is_shared: bool) -> Result<Pieces, TensorMapError> {
        if shape.padded_dimensions().is_some() && (is_shared || !shape.tiles().is_empty()) {
            return Err(TensorMapError::Padded);
        }
        if !is_shared && !shape.swizzle().is_none() {
            return Err(TensorMapError::GlobalSwizzle);
        }
        let none = Piece { dim: 0, weight: 1, size: 1, stride: 1 };
        let mut pieces = Pieces { list: [none; MAX_BOUNDS], count: shape.rank() };
        each!(for i in 0..pieces.count {
            let dim = shape.ordered_dim(pieces.count - 1 - i);
            let Dim::Static(size) = shape.dim(dim) else {
                return Err(TensorMapError::UnknownSize { dim });
            };
            pieces.list[i] = Piece { dim, size, ..none };
        });
        each!(for tile in 0..shape.tiles().len() {
            ok!(pieces.cut(shape, tile));
        });
        let is_tiled = !shape.tiles().is_empty();
        let mut stride: Size = 1;
        each!(for i in (0..pieces.count).rev() {
            let piece = &mut pieces.list[i];
            piece.stride = stride;
            stride =
                stride.saturating_mul(if is_tiled { piece.size } else { shape.width(piece.dim) });
        });
        Ok(pieces)
    }

    /// Applies a tile: the inner parts of what it covers move after all others, in their order.
    const fn cut(&mut self, shape: &ArrayShape, tile: usize) -> Result<(), TensorMapError> {
        let entries = shape.tiles().len_of(tile);
        if entries > self.count {
            return Err(TensorMapError::Combined { tile });
        }
        let first = self.count - entries;
        // Pieces that `*` combines have to be whole: they move as they are.
        let (mut kept, mut inner, mut moved) = (first, [self.list[0]; MAX_BOUNDS], 0);
        let (mut combined, mut run): (Size, usize) = (1, 0);
        each!(for entry in 0..entries {
            let piece = self.list[first + entry];
            combined = combined.saturating_mul(piece.size);
            run += 1;
            if let TileDim::Size(size) = shape.tiles().dim(tile, entry) {
                if run == 1 {
                    if size == 0 || !piece.size.is_multiple_of(size) {
                        let Piece { dim, weight, .. } = piece;
                        let (size, multiple) = (piece.size * weight, size.saturating_mul(weight));
                        return Err(TensorMapError::Cut { dim, size, multiple });
                    }
                    let (weight, values) = (piece.weight * size, piece.size / size);
                    self.list[kept] = Piece { weight, size: values, ..piece };
                    inner[moved] = Piece { size, ..piece };
                    (kept, moved) = (kept + 1, moved + 1);
                } else if combined == size {
                    each!(for i in 0..run {
                        inner[moved] = self.list[first + entry + 1 - run + i];
                        moved += 1;
                    });
                } else {
                    return Err(TensorMapError::Combined { tile });
                }
                (combined, run) = (1, 0);
            }
        });
        each!(for i in 0..moved {
            self.list[kept + i] = inner[i];
        });
        self.count = kept + moved;
        Ok(())
    }

    /// Whether a piece has the most major part of its dimension.
    const fn is_top(&self, at: usize) -> bool {
        let Piece { dim, weight, .. } = self.list[at];
        each!(for i in 0..self.count {
            // Of pieces with one weight, those above it have one value each.
            let other = &self.list[i];
            if other.dim == dim && (other.weight > weight || (other.weight == weight && i < at)) {
                return false;
            }
        });
        true
    }

    /// The piece that counts a weight of a dimension: the one with the greatest weight up to it.
    const fn holding(&self, dim: usize, weight: Size) -> usize {
        let mut found = 0;
        let mut greatest = 0;
        each!(for i in 0..self.count {
            let piece = &self.list[i];
            if piece.dim == dim && piece.weight <= weight && piece.weight >= greatest {
                if piece.weight > greatest || self.list[found].size == 1 {
                    found = i;
                }
                greatest = piece.weight;
            }
        });
        found
    }
}

/// Why TMA cannot copy a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TensorMapError {
    /// The tile has another rank or other elements than the array.
    OtherArray {
        /// Dimensions of the array.
        global: usize,
        /// Dimensions of the tile.
        tile: usize,
    },
    /// TMA does not have elements of this type, or not in as many bits.
    Element {
        /// The type.
        element: ElementType,
    },
    /// Elements are no floats, so none is NaN.
    NanFill {
        /// The type.
        element: ElementType,
    },
    /// A size is known at run time only.
    UnknownSize {
        /// The dimension.
        dim: usize,
    },
    /// TMA does not have the tile's swizzle.
    Swizzle,
    /// The array has a swizzle.
    GlobalSwizzle,
    /// Interleaved channels of 32 bytes have another swizzle than that of 32 bytes.
    InterleavedSwizzle,
    /// The tile has `PAD`, or the array has it and tiles too.
    Padded,
    /// A tile combines parts of dimensions.
    Combined {
        /// The number of the tile.
        tile: usize,
    },
    /// Tiles do not divide a dimension.
    Cut {
        /// The dimension.
        dim: usize,
        /// Its size, or that of a part.
        size: Size,
        /// What it should be a multiple of.
        multiple: Size,
    },
    /// The map has too many dimensions, or too few for interleaved channels.
    Rank {
        /// Its dimensions.
        rank: usize,
    },
    /// What is contiguous in the tile is not in the array.
    Inner {
        /// The dimension.
        dim: usize,
    },
    /// A dimension has no elements, or too many.
    Size {
        /// The dimension.
        dim: usize,
        /// Its size.
        size: Size,
    },
    /// A stride is not a multiple of 16 bytes, or too long.
    Stride {
        /// The dimension.
        dim: usize,
        /// The stride in bytes.
        stride: Size,
        /// What it should be a multiple of.
        unit: Size,
    },
    /// A box has no elements along a dimension, or too many.
    Box {
        /// The dimension.
        dim: usize,
        /// Elements of the array that it covers.
        size: Size,
    },
    /// The innermost box is not a multiple of 16 bytes.
    InnerBox {
        /// Its bytes.
        bytes: Size,
        /// Bytes of an element.
        element: Size,
    },
    /// The innermost box is wider than the swizzle.
    Span {
        /// Its bytes.
        bytes: Size,
        /// Bytes of the swizzle's lines.
        span: Size,
        /// Bytes of an element.
        element: Size,
    },
    /// An element stride is not 1 to 8, or not 1 where it has to be.
    ElementStride {
        /// The dimension.
        dim: usize,
        /// The stride.
        stride: u32,
    },
    /// An address is not aligned.
    Address {
        /// The memory.
        space: &'static str,
        /// What it should be a multiple of.
        alignment: u64,
    },
    /// The tile is not a valid shape.
    Shape(Fault),
}

impl TensorMapError {
    pub(crate) const fn line(&self) -> Text<640> {
        use TensorMapError::*;
        match *self {
            OtherArray { global, tile } => text!(
                "a tile of rank ",
                tile,
                " is not of this array of rank ",
                global,
                ": write the same element type, and a size of 1 for each dimension that the tile lacks"
            ),
            Element { element } => text!(
                "TMA does not copy `",
                element.name(),
                "` in this width: write elements of 8, 16, 32 or 64 bits"
            ),
            NanFill { element } => {
                text!("`", element.name(), "` has no NaN: write `OutOfBounds::Zero`")
            }
            UnknownSize { dim } => {
                text!("the size of dimension ", dim, " is not known: write a number")
            }
            Swizzle => {
                text!("TMA does not have this swizzle: write 32B, 64B, 128B, 128B_ATOM_32B or none")
            }
            GlobalSwizzle => {
                text!("TMA reads global memory without a swizzle: write it after the tile")
            }
            InterleavedSwizzle => {
                text!(
                    "channels in slices of 32 bytes take the swizzle 32B: write it after the tile"
                )
            }
            Padded => text!(
                "TMA writes tiles without gaps: write `PAD` for the array in global memory, and without tiles"
            ),
            Combined { tile } => text!(
                "tile ",
                tile,
                " takes parts of dimensions that `*` combines: write whole ones, or a tile for each"
            ),
            Cut { dim, size, multiple } => text!(
                "tiles cut ",
                size,
                " elements of dimension ",
                dim,
                " into parts of ",
                multiple,
                ": write a multiple of the one for the other"
            ),
            Rank { rank } => text!(
                "the map has ",
                rank,
                " dimensions",
                if rank > MAX_RANK { " or more" } else { "" },
                ", but TMA takes 1 to 5 (3 to 5 with interleaved channels): write fewer tiles, or join dimensions"
            ),
            Inner { dim } => text!(
                "dimension ",
                dim,
                " is contiguous in the tile, but not in the array: write the order of the array"
            ),
            Size { dim, size } => text!(
                "dimension ",
                dim,
                " has ",
                size,
                " elements in the map, but TMA takes 1 to 2^32: write a size in this range"
            ),
            Stride { dim, stride, unit } => text!(
                "indices of dimension ",
                dim,
                " are ",
                stride,
                " bytes apart, but TMA takes multiples of ",
                unit,
                " below 2^40: write `PAD` to ",
                stride.next_multiple_of(unit),
                " bytes"
            ),
            Box { dim, size } => text!(
                "the box covers ",
                size,
                " elements of dimension ",
                dim,
                ", but TMA takes 1 to 256: write a smaller tile and several copies"
            ),
            InnerBox { bytes, element } => text!(
                "the innermost box has ",
                bytes,
                " bytes, not a multiple of 16: write a tile of ",
                bytes.next_multiple_of(16) / element,
                " elements there"
            ),
            Span { bytes, span, element } => text!(
                "the innermost box has ",
                bytes,
                " bytes, more than the ",
                span,
                " of the swizzle: write a tile of ",
                span / element,
                " elements there, or panels of so many"
            ),
            ElementStride { dim, stride } => text!(
                "the element stride of dimension ",
                dim,
                " is ",
                stride as crate::Size,
                ": write 1 to 8, and 1 for the innermost dimension and for those that tiles cut"
            ),
            Address { space, alignment } => text!(
                "the ",
                space,
                " address is not a multiple of ",
                alignment as crate::Size,
                ": align it to ",
                alignment as crate::Size,
                " bytes"
            ),
            Shape(fault) => fault.line(),
        }
    }
}

const_error!(TensorMapError);
