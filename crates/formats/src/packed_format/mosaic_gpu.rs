//! Arrays spread over the threads of a GPU, as JAX's Mosaic GPU says it.

use core::fmt;

use super::PackedFormatError;
use super::find::same;
use super::row::parsed;
use layout_core::analysis::DigitSequence;
use layout_core::limits::Size;
use layout_core::{ArrayShape, Tiles};
pub use layout_gpu::fragment::ThreadDim;
use layout_gpu::fragment::{Axis, Fragment, FragmentDigit};
use layout_notation::digit_order::DigitOrder;

/// `TiledLayout` of JAX's Mosaic GPU: a tiling, and the dimensions of the tiled array that count warps, lanes and the
/// elements of a vector register. Those that are left count registers.
///
/// The tiles are XLA's, so the tiling is a layout as it stands ([`tiles`](Self::tiles)). [`layout`](Self::layout) puts
/// the same elements in the order of the threads: warps, lanes, registers, elements of a register.
///
/// Defined by `jax/experimental/mosaic/gpu/fragmented_array.py`.
///
/// # Examples
/// ```
/// use layout_formats::packed_format::MosaicGpu;
///
/// let wgmma = MosaicGpu::find("WGMMA_LAYOUT").unwrap();
/// assert_eq!(wgmma.tiles().to_string(), "(64,8)(16,8)(8,8)(2)");
/// let shape = wgmma.layout(&"f16[64,8]".parse()?)?;
/// assert_eq!(shape.to_string(), "f16[64,8]{1,0:T(8,8)(2,1,1,2)}");
/// // Thread 5 of warp 1 holds row 16 + 1, columns 2 and 3.
/// assert_eq!(wgmma.thread_and_value_of(&"f16[64,8]".parse()?, &[17, 3]), Some((32 + 5, 1)));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct MosaicGpu {
    name: &'static str,
    /// The smallest array, and the tiles.
    text: &'static str,
    warps: &'static [ThreadDim],
    lanes: &'static [ThreadDim],
    vector: isize,
}

impl MosaicGpu {
    /// The layouts that Mosaic GPU has names for.
    pub const ALL: &'static [MosaicGpu] = NAMED;

    /// The layout of a name; case and punctuation do not matter.
    pub fn find(name: &str) -> Option<MosaicGpu> {
        Self::ALL.iter().copied().find(|layout| same(layout.name, name))
    }

    /// The name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The tiling.
    pub fn tiles(&self) -> Tiles {
        *self.smallest().tiles()
    }

    /// The smallest array, of which others are multiples, in the tiling alone: not in the order of the threads.
    pub fn smallest(&self) -> ArrayShape {
        parsed(self.text)
    }

    /// What counts the warps, the most major first.
    pub const fn warp_dims(&self) -> &'static [ThreadDim] {
        self.warps
    }

    /// What counts the lanes of a warp, the most major first.
    pub const fn lane_dims(&self) -> &'static [ThreadDim] {
        self.lanes
    }

    /// The dimension of the tiled array that counts the elements of a register, from the end.
    pub const fn vector_dim(&self) -> isize {
        self.vector
    }

    /// The array in the order of its threads: all values of the first thread, then those of the next one. Threads
    /// that hold the same values count once.
    ///
    /// # Errors
    /// If the array has another number of dimensions, or sizes that are not multiples of the tiling's.
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, PackedFormatError> {
        let fragment = self.fragment(array)?;
        let mut digits = DigitSequence::EMPTY;
        for axis in [Axis::Warp, Axis::Lane, Axis::Register] {
            let is_own = |part: &&FragmentDigit| part.axis == axis && !part.is_copy();
            for part in fragment.digits().iter().rev().filter(is_own) {
                digits.push(part.digit);
            }
        }
        DigitOrder::new(array.rank(), digits.as_slice())
            .and_then(|order| order.layout(array))
            .map_err(PackedFormatError::Order)
    }

    /// The first thread that holds an element, `warp * 32 + lane`, and the number of the value in it; `None` if
    /// the array or the index is not valid.
    pub fn thread_and_value_of(&self, array: &ArrayShape, index: &[Size]) -> Option<(Size, Size)> {
        let holder = self.fragment(array).ok()?.holder(index)?;
        Some((holder.warp * 32 + holder.lane, holder.register))
    }

    /// The array spread over registers, lanes and warps.
    ///
    /// # Errors
    /// Those of [`layout`](Self::layout).
    pub fn fragment(&self, array: &ArrayShape) -> Result<Fragment, PackedFormatError> {
        let smallest = self.smallest();
        if array.rank() != smallest.rank() {
            let (_, dims) = self.text.split_once('[').unwrap_or_default();
            let (dims, _) = dims.split_once(']').unwrap_or_default();
            let (format, rank) = (self.name, array.rank());
            return Err(PackedFormatError::Rank { format, dims, rank, lacks_ones: false });
        }
        for (dim, (size, own)) in array.dims().iter().zip(smallest.dims()).enumerate() {
            let (size, multiple) = (size.size(), own.size().unwrap_or(1));
            if !size.is_some_and(|size| size > 0 && size.is_multiple_of(multiple)) {
                let (format, name) = (self.name, "");
                return Err(PackedFormatError::Size { format, name, dim, size, multiple });
            }
        }
        let tiled = array.laid_out(smallest.minor_to_major(), smallest.tiles());
        let tiled = tiled.map_err(PackedFormatError::Shape)?;
        Fragment::tiled(&tiled, self.warps, self.lanes, self.vector, false)
            .map_err(PackedFormatError::Fragment)
    }
}

impl fmt::Debug for MosaicGpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MosaicGpu").field(&self.name).finish()
    }
}

/// The name.
impl fmt::Display for MosaicGpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The named layouts: name, smallest array with its tiles, what counts warps and lanes, the dimension of a vector.
macro_rules! named {
    ($($name:literal $text:literal [$($warps:tt)*] [$($lanes:tt)*] $vector:literal;)*) => {
        const NAMED: &[MosaicGpu] = &[$(MosaicGpu {
            name: $name,
            text: $text,
            warps: &thread_dims!($($warps)*),
            lanes: &thread_dims!($($lanes)*),
            vector: $vector,
        }),*];
    };
}

macro_rules! thread_dims {
    ($($(copies $copies:literal)? $(- $dim:literal)?),*) => {
        [$($(ThreadDim::Replicated($copies))? $(ThreadDim::Dim(-$dim))?),*]
    };
}

named! {
    "WGMMA_LAYOUT" "f32[64,8]{1,0:T(64,8)(16,8)(8,8)(2)}" [-7] [-3, -2] -1;
    "WGMMA_LAYOUT_ACC_32BIT" "f32[64,8]{1,0:T(64,8)(16,8)(8,8)(2)(1)}" [-8] [-4, -3] -1;
    "WGMMA_LAYOUT_8BIT" "f32[64,16]{1,0:T(64,16)(16,16)(8,16)(4)}" [-7] [-3, -2] -1;
    "WGMMA_LAYOUT_UPCAST_2X" "f32[64,16]{1,0:T(64,16)(16,16)(8,16)(8)(4)}" [-8] [-4, -2, -3] -1;
    "WGMMA_LAYOUT_UPCAST_4X" "f32[64,32]{1,0:T(64,32)(16,32)(8,32)(8)}" [-7] [-3, -2] -1;
    "WGMMA_TRANSPOSED_LAYOUT" "f32[64,8]{1,0:T(64,8)(16,8)(8,8)(2,2)(2,1)}" [-10] [-6, -3, -5] -2;
    "WGMMA_ROW_LAYOUT" "f32[64]{0:T(64)(16)(8)(1)}" [-4] [-2, copies 4] -1;
    "WGMMA_COL_LAYOUT" "f32[8]{0:T(8)(2)}" [copies 4] [copies 8, -2] -1;
    "TCGEN05_LAYOUT" "f32[128,8]{1,0:T(128,8)(32,8)(8,8)(2)}" [-7] [-3, -2] -1;
    "TCGEN05_TRANSPOSED_LAYOUT" "f32[128,8]{1,0:T(128,8)(32,8)(8,8)(2,2)(2,1)}" [-10] [-6, -3, -5] -2;
    "TCGEN05_ROW_LAYOUT" "f32[128]{0:T(128)(32)(8)(1)}" [-4] [-2, copies 4] -1;
    "TCGEN05_COL_LAYOUT" "f32[8]{0:T(8)(2)}" [copies 4] [copies 8, -2] -1;
    "TMEM_NATIVE_LAYOUT" "f32[128,2]{1,0:T(128,2)(32,2)}" [-4] [-2] -1;
    "tcgen05.scales_layout" "f32[128,4]{1,0:T(128,4)(32,1)}" [copies 4] [-2] -3;
    "tcgen05.sparse_meta_layout" "f32[128,16]{1,0:T(128,16)(32,1)(16,1)(8,1)}" [-8] [-2, -4, -6] -7;
    "TMA_INDICES_LAYOUT" "f32[16]{0:T(16)(4)}" [-2] [copies 32] -1;
    "TMA_INDICES_4_LAYOUT" "f32[4]{0:T(4)}" [copies 4] [copies 32] -1;
}
