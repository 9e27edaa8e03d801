//! Tensor maps: what `cuTensorMapEncodeTiled` is given for an array in global memory and a tile in shared memory.
//!
//! TMA copies a box of a global array into shared memory. [`TensorMap`] takes the layouts of both: the array, dense or with
//! a pitch (`PAD`), and the tile that one copy writes, with its swizzle. A tile with tiles of its own takes more
//! dimensions of the map. So the tile that TMA writes is the tile that
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
//! assert_eq!(MAP.rank, 2);
//! assert_eq!(MAP.global_dim[..2], [4096, 1000]);
//! assert_eq!(MAP.global_strides[..1], [8224]);
//! assert_eq!(MAP.box_dim[..2], [64, 128]);
//! assert_eq!((MAP.data_type, MAP.swizzle), (9, 3));
//! assert_eq!(MAP.shared_alignment, 1024);
//!
//! let wide = "bf16[128,128]".parse::<ArrayShape>()?.with_swizzle(layout::Swizzle::MODE_128B)?;
//! assert_eq!(
//!     TensorMap::new(&ARRAY, &wide, &TensorMapOptions::DEFAULT).unwrap_err().to_string(),
//!     "a line of the tile has 256 bytes, but one of the swizzle has 128: \
//!      write a tile of 64 elements there, panels of so many, or `PAD` to so many",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::mode::Mode;
use crate::analysis::digit::{Digit, DigitSource};
use crate::analysis::digits::Digits;
use crate::analysis::tiling::Tiling;
use crate::base::limits::{MAX_DIMS, Size};
use crate::base::width::least;
use crate::fault::Fault;
use crate::shape::{ArrayShape, Dim, ElementType, Fields};

/// Most dimensions of a map.
const MAX_RANK: usize = 5;
/// Most elements of a box along a dimension.
const MAX_BOX: Size = 256;

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

/// What a tensor map says besides the layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorMapOptions {
    /// Interleaved channels.
    pub interleave: Interleave,
    /// What the L2 cache fetches.
    pub l2_promotion: L2Promotion,
    /// What is written outside the array.
    pub out_of_bounds: OutOfBounds,
    /// Elements of the array from one element of the tile to the next along each dimension, dimension 0 first.
    pub element_strides: [u32; MAX_DIMS],
}

impl TensorMapOptions {
    /// No interleaving, 128 bytes for the L2 cache (as Triton has it), zeros outside, every element.
    pub const DEFAULT: TensorMapOptions = TensorMapOptions {
        interleave: Interleave::None,
        l2_promotion: L2Promotion::Bytes128,
        out_of_bounds: OutOfBounds::Zero,
        element_strides: [1; MAX_DIMS],
    };
}

/// The arguments of `cuTensorMapEncodeTiled`, but for the address of the array, by their names and codes. Of the lists the
/// first [`rank`](Self::rank) entries count (one less of the strides), the innermost dimension first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TensorMap {
    /// `tensorDataType`.
    pub data_type: u32,
    /// `tensorRank`.
    pub rank: usize,
    /// `globalDim`: sizes of the array.
    pub global_dim: [u64; MAX_RANK],
    /// `globalStrides`: bytes from one index to the next along each dimension but the innermost.
    pub global_strides: [u64; MAX_RANK],
    /// `boxDim`: sizes of what a copy moves.
    pub box_dim: [u32; MAX_RANK],
    /// `elementStrides`.
    pub element_strides: [u32; MAX_RANK],
    /// `interleave`.
    pub interleave: u32,
    /// `swizzle`.
    pub swizzle: u32,
    /// `l2Promotion`.
    pub l2_promotion: u32,
    /// `oobFill`.
    pub oob_fill: u32,
    /// What the address of the array has to be a multiple of, in bytes.
    pub global_alignment: u64,
    /// What the address of the tile has to be a multiple of, in bytes: 128, or the period of the swizzle if that is more.
    pub shared_alignment: u64,
    /// Fields of `tensormap.replace` where PTX has other codes: `elemtype`, `swizzle_mode` and `swizzle_atomicity`. Its
    /// `rank` is one less than that of the driver.
    pub replace: [u32; 3],
}

impl TensorMap {
    /// The map for copies between an array in global memory and a tile of it in shared memory, which has as many
    /// dimensions. The tile's sizes are the box, its swizzle is that of the copy, and what the copy writes is the tile.
    ///
    /// The box may reach past the array. Each tile of the tile's layout takes dimensions of its own, as in Mosaic. An array
    /// with tiles takes a tile that is tiled so.
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
    /// assert_eq!(map.global_dim[..map.rank], [16, 8, 32, 32]);
    /// assert_eq!(map.box_dim[..map.rank], [16, 8, 2, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn new(
        global: &ArrayShape,
        tile: &ArrayShape,
        options: &TensorMapOptions,
    ) -> Result<TensorMap, TensorMapError> {
        let element = global.element_type();
        let bytes = element.bytes();
        let Some((data_type, elemtype)) = data_type(element) else {
            return Err(TensorMapError::Element { element });
        };
        if global.rank() != tile.rank() || element as u8 != tile.element_type() as u8 {
            return Err(TensorMapError::OtherArray { global: global.rank(), tile: tile.rank() });
        }
        if global.element_bits() != 8 * bytes || tile.element_bits() != 8 * bytes {
            return Err(TensorMapError::Element { element });
        }
        if matches!(options.out_of_bounds, OutOfBounds::Nan) && !element.is_float() {
            return Err(TensorMapError::NanFill { element });
        }
        let Some(mode) = Mode::of(tile) else { return Err(TensorMapError::Swizzle) };
        let is_wide = matches!(options.interleave, Interleave::Bytes32);
        let mut map = TensorMap {
            data_type,
            rank: 0,
            global_dim: [1; MAX_RANK],
            global_strides: [0; MAX_RANK],
            box_dim: [1; MAX_RANK],
            element_strides: [1; MAX_RANK],
            interleave: options.interleave as u32,
            swizzle: mode.codes[2],
            l2_promotion: options.l2_promotion as u32,
            oob_fill: options.out_of_bounds as u32,
            global_alignment: if is_wide { 32 } else { 16 },
            shared_alignment: if mode.period() > 128 { mode.period() as u64 } else { 128 },
            replace: [elemtype, mode.codes[3], (mode.lines < 8) as u32],
        };
        let line = ok!(map.add_dims(global, tile, options));
        ok!(map.check(&mode, bytes, line));
        Ok(map)
    }

    /// Adds the dimensions: those of memory that the array would have in the tile's layout, the most minor first. Returns
    /// the bytes of a line of the tile.
    const fn add_dims(
        &mut self,
        global: &ArrayShape,
        tile: &ArrayShape,
        options: &TensorMapOptions,
    ) -> Result<Size, TensorMapError> {
        let is_tiled = !tile.tiles().is_empty();
        if tile.tail_padding_alignment() != 1 || (is_tiled && tile.is_widened()) {
            return Err(TensorMapError::Padded);
        }
        if !global.swizzle().is_none() {
            return Err(TensorMapError::GlobalSwizzle);
        }
        each!(for dim in 0..global.rank() {
            match (global.dim(dim), tile.dim(dim)) {
                (Dim::Static(1..), Dim::Static(1..)) => {}
                _ => return Err(TensorMapError::Size { dim }),
            }
        });
        let digits = Digits::with_unknowns(global);
        let order = tile.minor_to_major();
        let like_tile = sound!(TensorMapError, global.laid_out(order, tile.tiles()));
        let (of_box, all) = (Tiling::tiled(tile.fields()), Tiling::tiled(like_tile.fields()));
        if (is_tiled && !same_size(tile, &of_box)) || !same_size(&like_tile, &all) {
            return Err(TensorMapError::Ragged);
        }
        let bytes = global.element_type().bytes();
        let (mut next, mut line) = (1, 0);
        each!(for at in (0..all.len()).rev() {
            let (size, width) = (all.entry(at).bound.factor, of_box.entry(at).bound.factor);
            // Of too many dimensions those of size 1 are left out.
            if size == 1 && width == 1 && all.len() > MAX_RANK {
                continue;
            }
            let digit = all.entry(at).digit;
            let DigitSource::Dim(dim) = digit.source() else {
                return Err(TensorMapError::Combined);
            };
            // `PAD` may widen the innermost dimension.
            let box_size = match tile.dim(dim) {
                Dim::Static(of_tile) if !is_tiled => of_tile,
                _ => width,
            };
            if self.rank > 0 && box_size != width {
                return Err(TensorMapError::Padded);
            }
            let stride = if size == 1 { Some(next) } else { stride_of(&digits, &digit, size) };
            let Some(stride) = stride else { return Err(TensorMapError::Combined) };
            let step = if size == 1 { 1 } else { options.element_strides[dim] };
            if step == 0 || step > 8 || (step > 1 && (!digit.is_whole() || self.rank == 0)) {
                return Err(TensorMapError::ElementStride { dim, step });
            }
            if self.rank == 0 {
                line = width * bytes;
                if stride != 1 {
                    return Err(TensorMapError::Inner { dim });
                }
            }
            ok!(self.push(dim, size, stride * bytes, box_size.saturating_mul(step as Size)));
            self.element_strides[self.rank - 1] = step;
            next = stride * size;
        });
        Ok(line)
    }

    /// Adds a dimension of the map, with its stride in bytes.
    const fn push(
        &mut self,
        dim: usize,
        size: Size,
        stride: Size,
        box_size: Size,
    ) -> Result<(), TensorMapError> {
        let at = self.rank;
        if at == MAX_RANK {
            return Err(TensorMapError::Rank { rank: MAX_RANK + 1 });
        }
        if box_size > MAX_BOX {
            return Err(TensorMapError::Box { dim, size: box_size });
        }
        if size as u64 > 1 << 32 {
            return Err(TensorMapError::TooLong { dim, size });
        }
        if at > 0 {
            if !(stride as u64).is_multiple_of(self.global_alignment) || stride as u64 >= 1 << 40 {
                let unit = self.global_alignment as Size;
                return Err(TensorMapError::Stride { dim, stride, unit });
            }
            self.global_strides[at - 1] = stride as u64;
        }
        (self.global_dim[at], self.box_dim[at]) = (size as u64, box_size as u32);
        self.rank += 1;
        Ok(())
    }

    /// The rules that are not of one dimension, for a tile whose lines have some bytes in shared memory.
    const fn check(&self, mode: &Mode, element: Size, line: Size) -> Result<(), TensorMapError> {
        let (bytes, span) = (self.box_dim[0] as Size * element, mode.span());
        let is_interleaved = self.interleave != Interleave::None as u32;
        if self.rank < if is_interleaved { 3 } else { 1 } {
            return Err(TensorMapError::Rank { rank: self.rank });
        }
        if self.interleave == Interleave::Bytes32 as u32 && self.swizzle != 1 {
            return Err(TensorMapError::InterleavedSwizzle);
        }
        if !is_interleaved && !bytes.is_multiple_of(16) {
            return Err(TensorMapError::InnerBox { bytes, element });
        }
        // Shorter lines are as far apart as the swizzle is wide.
        let is_swizzled = !is_interleaved && !mode.swizzle.is_none();
        match line != if is_swizzled { span } else { bytes } {
            true if is_swizzled => Err(TensorMapError::Span { line, span, element }),
            true => Err(TensorMapError::Padded),
            false => Ok(()),
        }
    }

    /// Checks the addresses of the array and of the tile.
    ///
    /// # Errors
    /// If one is not a multiple of its alignment.
    pub const fn check_addresses(&self, global: u64, shared: u64) -> Result<(), TensorMapError> {
        each!(for &(space, address, alignment) in
            &[("global", global, self.global_alignment), ("shared", shared, self.shared_alignment),]
        {
            if !address.is_multiple_of(alignment) {
                return Err(TensorMapError::Address { space, alignment });
            }
        });
        Ok(())
    }
}

/// The tile that Triton moves by one copy of a block: a span of the swizzle along the last dimension, and at most 256
/// elements along others. A span of 0 is no swizzle.
///
/// # Errors
/// If no swizzle has this span, or if the last dimension is not whole spans.
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
    let Some(swizzle) = Mode::of_span(span) else { return Err(TensorMapError::Swizzle) };
    let mut fields = Fields { swizzle, ..block.fields().order_alone() };
    fields.set_default_order();
    each!(for dim in 0..block.rank() {
        let Dim::Static(size) = block.dim(dim) else { return Err(TensorMapError::Size { dim }) };
        let line = 8 * span / block.element_bits();
        let of_box = if dim + 1 == block.rank() && line > 0 { line } else { least(size, MAX_BOX) };
        if of_box > 0 && !size.is_multiple_of(of_box) && of_box == line {
            return Err(TensorMapError::Ragged);
        }
        fields.dims[dim] = Dim::Static(of_box);
    });
    Ok(sound!(TensorMapError, fields.checked()))
}

/// How many copies of a tile fill a block of as many dimensions.
pub const fn copies(block: &ArrayShape, tile: &ArrayShape) -> Size {
    let mut copies: Size = 1;
    each!(for dim in 0..block.rank() {
        if let (Some(size), Some(of_tile @ 1..)) = (block.dim(dim).size(), tile.dim(dim).size()) {
            copies = copies.saturating_mul(size.div_ceil(of_tile));
        }
    });
    copies
}

/// The codes of an element type: `CUtensorMapDataType`, and `elemtype` of `tensormap.replace`.
const fn data_type(element: ElementType) -> Option<(u32, u32)> {
    Some(match (element, element.bytes()) {
        (ElementType::S32, _) => (3, 3),
        (ElementType::S64, _) => (5, 5),
        (ElementType::F16, _) => (6, 6),
        (ElementType::F32, _) => (7, 7),
        (ElementType::F64, _) => (8, 9),
        (ElementType::BF16, _) => (9, 10),
        // Bits of any other type.
        (_, 1) => (0, 0),
        (_, 2) => (1, 1),
        (_, 4) => (2, 2),
        (_, 8) => (4, 4),
        _ => return None,
    })
}

/// Whether tiles divide the array, so that it has no padding.
const fn same_size(shape: &ArrayShape, tiling: &Tiling) -> bool {
    matches!(shape.elements(), Some(elements) if elements == tiling.size())
}

/// Elements between values of a digit in a layout, if it is a part of one of the layout's digits.
const fn stride_of(digits: &Digits, digit: &Digit, size: Size) -> Option<Size> {
    each!(for term in digits.terms() {
        let Digit { source, div, modulus, .. } = term.digit;
        let is_below = modulus == 0 || digit.div * size <= div * modulus;
        if source == digit.source && digit.div.is_multiple_of(div) && is_below {
            return Some(digit.div / div * term.stride.factor);
        }
    });
    None
}

errors! {
    /// Why TMA cannot copy a tile.
    pub enum TensorMapError {
        /// The tile has another rank or other elements than the array.
        OtherArray { global: usize, tile: usize } => "a tile of rank ", tile, " is not of this array of rank ", global,
            ": write the same element type, and a size of 1 for each dimension that the tile lacks";
        /// TMA does not have elements of this type, or not in as many bits.
        Element { element: ElementType } => "TMA does not copy `", element.name(),
            "` in this width: write elements of 8, 16, 32 or 64 bits";
        /// Elements have no NaN.
        NanFill { element: ElementType } => "`", element.name(), "` has no NaN: write `OutOfBounds::Zero`";
        /// TMA does not have the tile's swizzle.
        Swizzle => "TMA does not have this swizzle: write 32B, 64B, 128B, 128B_ATOM_32B or none";
        /// The array has a swizzle.
        GlobalSwizzle => "TMA reads global memory without a swizzle: write it after the tile";
        /// Interleaved channels of 32 bytes have another swizzle than that of 32 bytes.
        InterleavedSwizzle => "channels in slices of 32 bytes take the swizzle 32B: write it after the tile";
        /// The tile has gaps.
        Padded => "TMA writes tiles without gaps: write `PAD` for the array, or for lines shorter than a swizzle";
        /// A size is 0 or known at run time only.
        Size { dim: usize } => "dimension ", dim, " of the array or the tile has no size above 0: write a number";
        /// Tiles extend past the array or the tile.
        Ragged => "tiles extend past the array or the tile: write sizes that are multiples of those of the tiles";
        /// A dimension of the tile is none of the array's memory.
        Combined => "tiles take the array's memory apart: write a tile with the tiles of the array, without `*`";
        /// The map has too many dimensions, or too few for interleaved channels.
        Rank { rank: usize } => "the map has ", rank, " dimensions", if rank > MAX_RANK { " or more" } else { "" },
            ", but TMA takes 1 to 5 (3 to 5 with interleaved channels): write fewer tiles, or join dimensions";
        /// What is contiguous in the tile is not in the array.
        Inner { dim: usize } => "dimension ", dim,
            " is contiguous in the tile, but not in the array: write the order of the array";
        /// A dimension has too many elements.
        TooLong { dim: usize, size: Size } => "dimension ", dim, " has ", size,
            " elements in the map, but TMA takes at most 2^32: write a map of a part of the array";
        /// A stride is not a multiple of 16 bytes, or too long.
        Stride { dim: usize, stride: Size, unit: Size } => "indices of dimension ", dim, " are ", stride,
            " bytes apart, but TMA takes multiples of ", unit,
            " below 2^40: write `PAD`, or a map of a part of the array";
        /// A box has too many elements along a dimension.
        Box { dim: usize, size: Size } => "the box covers ", size, " elements of dimension ", dim,
            ", but TMA takes 1 to 256: write a smaller tile and several copies";
        /// The innermost box is not a multiple of 16 bytes.
        InnerBox { bytes: Size, element: Size } => "the innermost box has ", bytes,
            " bytes, not a multiple of 16: write a tile of ", bytes.next_multiple_of(16) / element, " elements there";
        /// The lines of the tile are not as wide as the swizzle.
        Span { line: Size, span: Size, element: Size } => "a line of the tile has ", line,
            " bytes, but one of the swizzle has ", span, ": write a tile of ", span / element,
            " elements there, panels of so many, or `PAD` to so many";
        /// An element stride is not 1 to 8, or not 1 where it has to be.
        ElementStride { dim: usize, step: u32 } => "the element stride of dimension ", dim, " is ", step as crate::Size,
            ": write 1 to 8, and 1 for the innermost dimension and for those that tiles cut";
        /// An address is not aligned.
        Address { space: &'static str, alignment: u64 } => "the ", space, " address is not a multiple of ",
            alignment as crate::Size, ": align it to ", alignment as crate::Size, " bytes";
        /// The tile or the array is not a valid shape.
        Shape { fault: Fault } => &fault.line();
    }
}
