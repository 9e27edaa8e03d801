//! Tensor maps: what `cuTensorMapEncodeTiled` is given for an array in global memory and a tile in shared memory.
//!
//! TMA copies a box of a global array into shared memory. [`TensorMap`] takes both layouts: that of the array, dense or
//! with a pitch (`PAD`), and that of the tile which one copy writes, with its swizzle. Each tile (`T(8,16)`) of the tile's
//! layout takes dimensions of the map. The tile that TMA writes is thus the tile that
//! [`Descriptor`](super::descriptor::Descriptor) reads.
//!
//! Rules and codes are those of `cuda.h`.
//!
//! # Examples
//! ```
//! use layout::ArrayShape;
//! use layout_gpu::tensor_map::{TensorMap, TensorMapError};
//!
//! type Array = layout::layout!(BF16[1000,4096]{1,0:PAD(1000,4112)});
//! type Tile = layout::layout!(BF16[128,64], swizzle = 128B);
//! const MAP: TensorMap = TensorMapError::or_panic(TensorMap::new(Array::SHAPE, Tile::SHAPE));
//! // Dimensions of the map are innermost first.
//! assert_eq!(MAP.rank, 2);
//! assert_eq!(MAP.global_dim[..2], [4096, 1000]);
//! assert_eq!(MAP.global_strides[..1], [8224]);
//! assert_eq!(MAP.box_dim[..2], [64, 128]);
//! assert_eq!((MAP.data_type, MAP.swizzle), (9, 3));
//! assert_eq!(MAP.shared_alignment, 1024);
//!
//! let wide: ArrayShape = "bf16[128,128], swizzle = 128B".parse()?;
//! assert_eq!(
//!     TensorMap::new(Array::SHAPE, &wide).unwrap_err().to_string(),
//!     "a line of the tile has 256 bytes, but TMA writes lines of 128: \
//!      write a tile of 64 elements there, panels of 64, or `PAD` to 64",
//! );
//! # Ok::<(), layout::Error>(())
//! ```

use super::swizzle_codes::SwizzleCodes;
use layout_core::analysis::Tiling;
use layout_core::analysis::{Digit, DigitSource, Term};
use layout_core::base::text::Piece;
use layout_core::limits::Size;
use layout_core::{ArrayShape, Digits, Dim, ElementType, Fault};

/// Most dimensions of a map.
const MAX_RANK: usize = 5;
/// Most elements of a box along a dimension.
const MAX_BOX: Size = 256;
/// What the address of the array and its strides are multiples of, in bytes.
const UNIT: Size = 16;

/// The arguments of `cuTensorMapEncodeTiled` by their names and codes, but for the address of the array.
///
/// Of the lists the first [`rank`](Self::rank) entries count (one fewer of the strides), the innermost dimension first.
/// Two arguments are always the same and not here: `interleave` is `CU_TENSOR_MAP_INTERLEAVE_NONE` (0), and all
/// `elementStrides` are 1.
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
    /// `swizzle`.
    pub swizzle: u32,
    /// `l2Promotion`, what the L2 cache fetches at once: 0 what is asked for, 1 64 bytes, 2 128 bytes (as in Triton, and here
    /// unless it is set), 3 256 bytes.
    pub l2_promotion: u32,
    /// `oobFill`: 0, for zeros outside the array, or 1 after [`with_nan_fill`](Self::with_nan_fill).
    pub oob_fill: u32,
    /// Alignment of the tile's address in bytes: 128, or the period of the swizzle if that is more.
    pub shared_alignment: u64,
    /// ArrayFields of `tensormap.replace` where PTX has other codes: `elemtype`, `swizzle_mode` and `swizzle_atomicity`. Its
    /// `rank` is one less than that of the driver.
    pub replace: [u32; 3],
    element: ElementType,
}

impl TensorMap {
    /// The map for copies between an array in global memory and a tile of it in shared memory, which has as many
    /// dimensions. The tile's sizes are the box, its swizzle is that of the copy, and what the copy writes is the tile.
    ///
    /// The box may extend past the array. Each tile of the tile's layout takes dimensions of its own, as in Mosaic. If the
    /// array has tiles, the tile has to have the same.
    ///
    /// # Errors
    /// If TMA cannot write this tile from this array: each rule with what to write.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout_gpu::tensor_map::TensorMap;
    ///
    /// let array: ArrayShape = "f32[256,512]".parse()?;
    /// let tile: ArrayShape = "f32[64,32]{1,0:T(8,16)}".parse()?;
    /// let map = TensorMap::new(&array, &tile)?;
    /// assert_eq!(map.global_dim[..map.rank], [16, 8, 32, 32]);
    /// assert_eq!(map.box_dim[..map.rank], [16, 8, 2, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn new(global: &ArrayShape, tile: &ArrayShape) -> Result<TensorMap, TensorMapError> {
        let element = global.element_type();
        if global.rank() != tile.rank() {
            return Err(TensorMapError::OtherRank { global: global.rank(), tile: tile.rank() });
        }
        if element as u8 != tile.element_type() as u8 {
            let tile = tile.element_type();
            return Err(TensorMapError::OtherElement { global: element, tile });
        }
        let bits = 8 * element.bytes();
        let is_whole = global.element_bits() == bits && tile.element_bits() == bits;
        let (Some((data_type, elemtype)), true) = (data_type(element), is_whole) else {
            return Err(TensorMapError::Element { element });
        };
        let mode = match SwizzleCodes::of(tile.swizzle(), bits) {
            Some(mode) if global.swizzle().is_none() => mode,
            _ => return Err(TensorMapError::Swizzle),
        };
        let mut map = TensorMap {
            data_type,
            rank: 0,
            global_dim: [1; MAX_RANK],
            global_strides: [0; MAX_RANK],
            box_dim: [1; MAX_RANK],
            swizzle: mode.tma,
            l2_promotion: 2,
            oob_fill: 0,
            shared_alignment: if mode.period() > 128 { mode.period() as u64 } else { 128 },
            replace: [elemtype, mode.ptx, (mode.lines < 8) as u32],
            element,
        };
        ok!(map.add_dims(global, tile, &mode));
        Ok(map)
    }

    /// The map with NaN in place of zeros outside the array.
    ///
    /// # Errors
    /// If the elements are not floats.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout_gpu::tensor_map::TensorMap;
    ///
    /// let array: ArrayShape = "f32[256,512]".parse()?;
    /// let tile: ArrayShape = "f32[64,32]".parse()?;
    /// assert_eq!(TensorMap::new(&array, &tile)?.with_nan_fill()?.oob_fill, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn with_nan_fill(self) -> Result<TensorMap, TensorMapError> {
        let element = self.element;
        if !element.is_float() {
            return Err(TensorMapError::NanFill { element });
        }
        Ok(TensorMap { oob_fill: 1, ..self })
    }

    /// Adds the dimensions: those of memory that the array would have in the tile's layout, the most minor first.
    const fn add_dims(
        &mut self,
        global: &ArrayShape,
        tile: &ArrayShape,
        mode: &SwizzleCodes,
    ) -> Result<(), TensorMapError> {
        if tile.tail_padding_alignment() != 1 {
            return Err(TensorMapError::Padded);
        }
        each!(for dim in 0..global.rank() {
            match (global.dims()[dim], tile.dims()[dim]) {
                (Dim::Static(1..), Dim::Static(1..)) => {}
                _ => return Err(TensorMapError::Size { dim }),
            }
        });
        let digits = Digits::with_unknowns(global);
        let (of_array, of_box) = (ok!(tiled_like(global, tile)), ok!(tiled_like(tile, tile)));
        // With `PAD`.
        let in_memory = Tiling::of(tile);
        let bytes = global.element_type().bytes();
        // The stride where the dimension follows the one before without a gap.
        let mut next: Size = bytes;
        each!(for at in (0..of_array.entries().len()).rev() {
            let Term { bound, digit, .. } = of_array.entries()[at];
            let (size, box_size) = (bound.factor, of_box.entries()[at].bound.factor);
            let width = in_memory.entries()[at].bound.factor;
            // Of too many dimensions those of size 1 are left out.
            if size == 1 && width == 1 && of_array.entries().len() > MAX_RANK {
                continue;
            }
            let DigitSource::Dim(dim) = digit.source() else {
                return Err(TensorMapError::Combined);
            };
            // No copy takes a step along a dimension of one index.
            let stride = match stride_of(&digits, dim, &digit, size) {
                _ if size == 1 && self.rank == 0 => bytes,
                _ if size == 1 => next.next_multiple_of(UNIT),
                Some(stride) => stride * bytes,
                None => return Err(TensorMapError::Combined),
            };
            if self.rank == 0 {
                ok!(check_line(mode, dim, stride, [box_size, width], bytes));
            } else if box_size != width {
                return Err(TensorMapError::Padded);
            }
            ok!(self.push(dim, size, stride, box_size));
            next = stride * size;
        });
        if self.rank == 0 { Err(TensorMapError::Rank { rank: 0 }) } else { Ok(()) }
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
            if !stride.is_multiple_of(UNIT) || stride as u64 >= 1 << 40 {
                return Err(TensorMapError::Stride { dim, stride });
            }
            self.global_strides[at - 1] = stride as u64;
        }
        (self.global_dim[at], self.box_dim[at]) = (size as u64, box_size as u32);
        self.rank += 1;
        Ok(())
    }

    /// Checks the addresses of the array and of the tile.
    ///
    /// # Errors
    /// If one is not a multiple of its alignment.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout_gpu::tensor_map::TensorMap;
    ///
    /// let array: ArrayShape = "f32[256,512]".parse()?;
    /// let tile: ArrayShape = "f32[64,32]".parse()?;
    /// let map = TensorMap::new(&array, &tile)?;
    /// assert!(map.check_addresses(0x7f00_0000_0000, 1024).is_ok());
    /// assert!(map.check_addresses(0x7f00_0000_0008, 1024).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn check_addresses(&self, global: u64, shared: u64) -> Result<(), TensorMapError> {
        let spaces = [("global", global, UNIT as u64), ("shared", shared, self.shared_alignment)];
        each!(for &(space, address, alignment) in &spaces {
            if !address.is_multiple_of(alignment) {
                return Err(TensorMapError::Address { space, alignment });
            }
        });
        Ok(())
    }
}

/// Checks the innermost dimension, of which the tile has some elements and its line, padded by `PAD`, perhaps more.
const fn check_line(
    mode: &SwizzleCodes,
    dim: usize,
    stride: Size,
    [in_box, in_line]: [Size; 2],
    element: Size,
) -> Result<(), TensorMapError> {
    if stride != element {
        return Err(TensorMapError::Inner { dim });
    }
    let (bytes, line) = (in_box * element, in_line * element);
    let written = if mode.swizzle.is_none() { bytes } else { mode.span() };
    if line != written {
        return Err(TensorMapError::Line { line, written, element });
    }
    if bytes.is_multiple_of(UNIT) {
        Ok(())
    } else {
        Err(TensorMapError::InnerBox { bytes, element })
    }
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

/// The bounds of an array in the order and with the tiles of another one. The tiles have to divide it.
const fn tiled_like(array: &ArrayShape, other: &ArrayShape) -> Result<Tiling, TensorMapError> {
    let tiled = shape_ok!(TensorMapError, array.laid_out(other.minor_to_major(), other.tiles()));
    let tiling = Tiling::of(&tiled);
    match tiled.elements() {
        Some(elements) if elements == tiling.size() => Ok(tiling),
        _ => Err(TensorMapError::Ragged),
    }
}

/// Elements between values of a digit of a dimension in a layout, if it is a part of one of the layout's digits.
const fn stride_of(digits: &Digits, dim: usize, digit: &Digit, size: Size) -> Option<Size> {
    each!(for term in digits.terms() {
        let (of, div) = (term.digit, term.digit.div());
        let is_below = match of.modulus() {
            Some(modulus) => digit.div() * size <= div * modulus,
            None => true,
        };
        if let DigitSource::Dim(own) = of.source()
            && own == dim
            && is_below
            && digit.div().is_multiple_of(div)
        {
            return Some(digit.div() / div * term.stride.factor);
        }
    });
    None
}

errors! {
    /// Why TMA cannot copy a tile.
    pub enum TensorMapError {
        /// The tile has another rank than the array.
        OtherRank { global: usize, tile: usize } => "the tile has ", Piece::Counted(tile, "dimension"),
            ", but the array has ", global, ": write a tile of ", global,
            ", with a size of 1 for each dimension of which it takes one index";
        /// The tile has other elements than the array.
        OtherElement { global: ElementType, tile: ElementType } => "the tile has elements of `", tile.name(),
            "`, but the array has `", global.name(), "`: write the same element type for both";
        /// TMA does not have elements of this type, or not in as many bits.
        Element { element: ElementType } => "TMA does not copy `", element.name(),
            "` in this width: write elements of 8, 16, 32 or 64 bits";
        /// Elements have no NaN.
        NanFill { element: ElementType } => "`", element.name(), "` has no NaN: write zeros";
        /// TMA does not have the tile's swizzle, or the array has one.
        Swizzle => "TMA does not have this swizzle: write 32B, 64B, 128B, 128B_ATOM_32B or none for the tile, and none for the array";
        /// The tile has gaps.
        Padded => "TMA writes tiles without gaps: write `PAD` for the array, or for lines shorter than a swizzle";
        /// A size is 0 or known at run time only.
        Size { dim: usize } => "dimension ", dim, " of the array or the tile has no size above 0: write a number";
        /// Tiles extend past the array or the tile.
        Ragged => "tiles extend past the array or the tile: write sizes that are multiples of those of the tiles";
        /// A dimension of the tile is none of the array's memory.
        Combined => "tiles take the array's memory apart: write a tile with the tiles of the array, without `*`";
        /// The map has too many dimensions, or none.
        Rank { rank: usize } => "the map has ", rank, " dimensions", if rank > MAX_RANK { " or more" } else { "" },
            ", but TMA takes 1 to 5: write fewer tiles, or join dimensions";
        /// What is contiguous in the tile is not in the array.
        Inner { dim: usize } => "dimension ", dim,
            " is contiguous in the tile, but not in the array: write the order of the array";
        /// A dimension has too many elements.
        TooLong { dim: usize, size: Size } => "dimension ", dim, " has ", size,
            " elements in the map, but TMA takes at most 2^32: write a map of a part of the array";
        /// A stride is not a multiple of 16 bytes, or too long.
        Stride { dim: usize, stride: Size } => "indices of dimension ", dim, " are ", stride,
            " bytes apart, but TMA takes multiples of ", UNIT,
            " below 2^40: write `PAD`, or a map of a part of the array";
        /// A box has too many elements along a dimension.
        Box { dim: usize, size: Size } => "the box covers ", size, " elements of dimension ", dim,
            ", but TMA takes 1 to 256: write a smaller tile and several copies";
        /// The innermost box is not a multiple of 16 bytes.
        InnerBox { bytes: Size, element: Size } => "the innermost box has ", bytes,
            " bytes, not a multiple of 16: write a tile of ", bytes.next_multiple_of(UNIT) / element, " elements there";
        /// The lines of the tile are not as wide as those that TMA writes.
        Line { line: Size, written: Size, element: Size } => "a line of the tile has ", line,
            " bytes, but TMA writes lines of ", written, ": write a tile of ", written / element,
            " elements there, panels of ", written / element, ", or `PAD` to ", written / element;
        /// An address is not aligned.
        Address { space: &'static str, alignment: u64 } => "the ", space, " address is not a multiple of ",
            alignment as Size, ": align it to ", alignment as Size, " bytes";
        /// The tile or the array is not a valid shape.
        Shape { fault: Fault } => &fault.line();
    }
}
