//! Why the compiler refuses a kernel, and what it would accept.

use core::fmt;

use layout_core::__private::Text;

use super::index::MAX_AXES;
use super::kernel::Body;
use super::operand::OperandRole;
use layout_core::{ElementType, Size};

/// The nearest sizes that would be legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Legal {
    /// The largest one below.
    pub down: Option<Size>,
    /// The smallest one above.
    pub up: Option<Size>,
}

errors! {
    /// What is wrong.
    pub enum Reason {
        /// Of the last two dimensions, a block takes all or multiples of a tile.
        LastTwo { dim: usize, is_last: bool, size: Size, of: Size, unit: Size, legal: Legal } => "its block has ", size,
            if is_last { " column" } else { " row" }, if size == 1 { " (a squeezed dimension counts as 1)" } else { "s" },
            ", dimension ", dim, ", which is neither a multiple of ", unit, " nor the whole ", of, &legal.phrase();
        /// In one dimension, a block is the whole array or has one of few lengths.
        Length { size: Size, of: Size, bits: Size, legal: Legal } => "its block has ", size,
            " elements, which is neither the whole ", of, " nor a multiple of ", &match bits {
                2 => phrase!("2048"),
                _ => phrase!("1024 nor a power of two from ", least_length(bits)),
            }, &legal.phrase();
        /// An operand outside of VMEM and SMEM is not cut into blocks.
        NotWhole => "an operand in HBM or ANY is not cut into blocks; leave the block shape and the index map away, and copy \
            what a step needs in the kernel";
        /// An array without dimensions has no window.
        Scalar => "an array without dimensions has no window; put it into SMEM, whole, or reshape it to [1, 1]";
        /// A window has one buffer or two.
        Buffers { buffers: u32 } => "a window has 1 buffer or 2, not ", buffers as Size;
        /// Kernels have no such elements.
        Element { element: ElementType } => "kernels have no elements of `", element.name(), "`; use bf16 or 32 bits";
        /// Parts of words are not stored.
        Packed { element: ElementType, unit: Size } => "a block of `", element.name(),
            "` in one dimension is stored in whole words only: its length must be a multiple of ", unit;
        /// The TPU does not compute with these elements.
        Arithmetic { body: Body, element: ElementType } => "kernels have no `", body.name(), "` of `", element.name(),
            "` on this TPU; convert blocks to 32 bits first (matmul: bf16)";
        /// Indices count elements along all dimensions or along none.
        Mixed { dim: usize } => "indices of its block count elements (pl.Element) along some dimensions, and blocks along \
            dimension ", dim, "; use pl.Element for all dimensions that are not squeezed, or for none";
        /// A block does not begin before its array.
        LowPadding { dim: usize } => "its pl.Element has padding before dimension ", dim, ", which the compiler does not \
            support; pad the array instead: padding=(0, n) is supported";
        /// A size that varies from step to step.
        BoundedSlice { dim: usize } => "the compiler does not support pl.BoundedSlice, dimension ", dim,
            "; use pl.Element, or leave the array in HBM and copy what a step needs in the kernel";
        /// A block whose index counts elements begins where a tile begins.
        Step { dim: usize, unit: Size } => "its block must begin at a multiple of ", unit, " along dimension ", dim,
            ", and the compiler has to see that it does; let the index map return a multiple of ", unit,
            " times an index of the grid";
        /// The compiler fails on arrays of 2-bit elements that it lays out in another order.
        Order => "the compiler lays this array of 2-bit elements out in another order of dimensions, and fails when it copies \
            it; use 4 or 8 bits";
        /// The compiler fails on windows of 2-bit elements in SMEM.
        Smem2Bit => "the compiler fails on windows of 2 bits in SMEM; use 32 bits there";
        /// The block has another number of dimensions than the array.
        Rank => "its block has another number of dimensions than its array, or the array has too many; squeezed dimensions count";
        /// The grid has more axes than are counted here.
        Axes { axes: usize } => "the grid has ", axes, " axes, more than the ", MAX_AXES, " that are counted here";
        /// The compiler accepts a grid without steps, but such a kernel writes nothing.
        NoSteps { axis: usize } => "axis ", axis, " of the grid has size 0, so that the kernel has no step";
        /// The compiler counts steps in 32 bits.
        Steps { most: Size } => "the grid has more steps than the compiler counts, which are ", most, "; make blocks larger";
        /// A block has elements along each dimension.
        NoElements { dim: usize } => "its block has no elements along dimension ", dim;
        /// What this generation does was not measured.
        Generation => "kernels were measured for v4, v5e, v5p, v6e and v7x only; name one of these";
        /// The compiler's own memory is too small.
        InternalScratch { bytes: Size, least: Size } => "the compiler needs ", least, " bytes of internal scratch, not ", bytes;
        /// The windows and the scratch take more VMEM than the kernel gets.
        Vmem { bytes: Size, limit: Size, most: Size } => "windows and scratch take ", bytes,
            " bytes of VMEM, and the kernel gets ", limit, "; make blocks smaller", &match limit < most && bytes <= most {
                true => phrase!(", or ask for more: vmem_limit_bytes goes up to ", most),
                false => phrase!(""),
            };
        /// Windows and scratch take more SMEM than there is.
        Smem { bytes: Size, limit: Size } => "windows and scratch take ", bytes, " bytes of SMEM, and there are ", limit,
            "; a row takes 512 bytes, however short";
    }
}

/// Why the compiler refuses a kernel. Its text says what would be legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub reason: Reason,
    /// The number of the operand among all, its role, and its number among those of its role; `None` if the kernel as a whole is
    /// refused.
    pub operand: Option<(usize, OperandRole, usize)>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, role, number)) = self.operand {
            write!(f, "{role} {number}: ")?;
        }
        write!(f, "{}", self.reason)
    }
}

impl core::error::Error for Refusal {}

impl Legal {
    /// What would be legal, as the end of a text.
    const fn phrase(self) -> Text<320> {
        match (self.down, self.up) {
            (Some(down), Some(up)) => phrase!("; ", down, " or ", up, " would be legal"),
            (Some(one), None) | (None, Some(one)) => phrase!("; ", one, " would be legal"),
            (None, None) => phrase!(""),
        }
    }

    /// The nearest legal sizes to `size`, where all multiples of `unit` are legal.
    pub(super) fn near(size: Size, unit: Size, is_legal: impl Fn(&Size) -> bool) -> Legal {
        Legal {
            down: (size.saturating_sub(unit).max(1)..size).rev().find(&is_legal),
            up: (size.saturating_add(1)..=size.saturating_add(unit)).find(&is_legal),
        }
    }
}

/// The shortest block in one dimension that is a power of two.
pub(super) const fn least_length(bits: Size) -> Size {
    super::window::LANES * (32 / bits)
}
