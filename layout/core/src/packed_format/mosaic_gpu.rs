//! Arrays spread over the threads of a GPU, as JAX's Mosaic GPU says it.

use core::fmt;

use super::find::same;
use super::row::parsed;
use crate::digit_order::error::LayoutError;
use crate::digit_order::sequence::DigitSequence;
use crate::digit_order::{DigitOrder, DimDigit};
use crate::limits::Size;
use crate::shape::array::ArrayShape;
use crate::shape::tiles::Tiles;

/// What counts the warps or the lanes: a dimension of the tiled array, or copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThreadDim {
    /// A dimension of the tiled array, counted from the end: -1 is the most minor one.
    Dim(isize),
    /// So many hold the same (`Replicated`).
    Replicated(Size),
}

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
/// use layout::packed_format::MosaicGpu;
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
    /// [`Rank`](LayoutError::Rank) if the array has another number of dimensions, [`Blocks`](LayoutError::Blocks) if a
    /// size is not a multiple of the tiling's, and [`UnknownSize`](LayoutError::UnknownSize) for `?`.
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, LayoutError> {
        let tiled = self.tiled(array)?;
        let mut digits = DigitSequence::EMPTY;
        self.for_each(&tiled, |_, digit| {
            if let Some(digit) = digit {
                digits.push(digit);
            }
        });
        DigitOrder::new(array.rank(), digits.as_slice())?.layout(array)
    }

    /// The first thread that holds an element, `warp * 32 + lane`, and the number of the value in it; `None` if
    /// the array or the index is not valid.
    pub fn thread_and_value_of(&self, array: &ArrayShape, index: &[Size]) -> Option<(Size, Size)> {
        let tiled = self.tiled(array).ok()?;
        let is_in_range =
            |(at, dim): (&Size, &crate::Dim)| dim.size().is_some_and(|size| *at < size);
        if index.len() != array.rank() || !index.iter().zip(array.dims()).all(is_in_range) {
            return None;
        }
        let (mut thread, mut value) = (0, 0);
        self.for_each(&tiled, |counts, digit| {
            let of = match counts {
                Counted::Threads(_) => &mut thread,
                Counted::Values => &mut value,
            };
            *of = match (digit, counts) {
                (Some(digit), _) => {
                    let values = digit.values();
                    *of * values + index[digit.dim] / digit.weight % values
                }
                (None, Counted::Threads(copies)) => *of * copies,
                (None, Counted::Values) => *of,
            };
        });
        Some((thread, value))
    }

    /// The digits of the tiled array, which is not padded.
    fn tiled(&self, array: &ArrayShape) -> Result<DigitSequence, LayoutError> {
        let smallest = self.smallest();
        if array.rank() != smallest.rank() {
            return Err(LayoutError::Rank { given: smallest.rank(), array: array.rank() });
        }
        let mut digits = DigitSequence::EMPTY;
        for (dim, (size, own)) in array.dims().iter().zip(smallest.dims()).enumerate() {
            let size = size.size().ok_or(LayoutError::unknown(dim))?;
            let block = own.size().unwrap_or(1);
            if size == 0 || !size.is_multiple_of(block) {
                return Err(LayoutError::Blocks { dim, size, block });
            }
            digits.push(DimDigit { dim, weight: 1, size: Some(size) });
        }
        for (tile, sizes) in smallest.tiles().iter().enumerate() {
            if !digits.tile(sizes.iter().map(|size| size.size())) {
                return Err(LayoutError::Indivisible { tile });
            }
        }
        Ok(digits)
    }

    /// Goes over the digits of the tiled array, from the warps to the elements of a register; copies have none.
    fn for_each(&self, tiled: &DigitSequence, mut each: impl FnMut(Counted, Option<DimDigit>)) {
        let tiled = tiled.as_slice();
        let at = |from_end: isize| tiled.len().checked_add_signed(from_end);
        let part = |at: usize| tiled.get(at).copied();
        for dim in self.warps.iter().chain(self.lanes) {
            match *dim {
                ThreadDim::Dim(dim) => each(Counted::Threads(1), at(dim).and_then(part)),
                ThreadDim::Replicated(copies) => each(Counted::Threads(copies), None),
            }
        }
        let counts_threads = |number: usize| {
            self.warps
                .iter()
                .chain(self.lanes)
                .any(|counting| matches!(*counting, ThreadDim::Dim(dim) if at(dim) == Some(number)))
        };
        let vector = at(self.vector);
        for number in (0..tiled.len()).filter(|number| !counts_threads(*number)) {
            if Some(number) != vector {
                each(Counted::Values, part(number));
            }
        }
        each(Counted::Values, vector.and_then(part));
    }
}

/// What a digit of the tiled array counts.
#[derive(Clone, Copy)]
enum Counted {
    /// Warps or lanes, of which so many hold the same.
    Threads(Size),
    /// Registers or elements of one.
    Values,
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
    "TMA_INDICES_LAYOUT" "f32[16]{0:T(16)(4)}" [-2] [copies 32] -1;
    "TMA_INDICES_4_LAYOUT" "f32[4]{0:T(4)}" [copies 4] [copies 32] -1;
}
