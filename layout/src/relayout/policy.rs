//! Decisions about copies that rest on measurements, each with its reason.

use layout_core::__private::{Kernel, Plan};
use layout_core::{Size, each};

use crate::relayout::kernel::raw::{LINE, Vectors};

/// Bytes from which on stores go around the cache: where the destination fits in it with the source, that is slower.
pub(super) const STREAMED: usize = 8 << 20;

/// Bytes from which on an array is spread over threads: what one copies while another is woken.
#[cfg(feature = "rayon")]
pub(super) const SHARED: usize = 1 << 20;

/// How many times as long as is asked for a part may be, so that it has whole blocks of a kernel: those of a transpose read
/// whole lines of memory.
pub(super) const LARGER_BLOCKS: Size = 16;

/// Bytes from which on a stretch of packed elements that both layouts have is copied as it is.
pub(super) const LONG: usize = 64;

/// Where bits are exchanged, bytes between what is read and what is asked for ahead: of blocks of one pass, and of blocks of
/// several passes.
pub(super) const AHEAD: [usize; 2] = [1024, 16384];

/// Blocks of a row of a grid up to which later rows are asked for ahead, and not later blocks of the same row.
pub(super) const SHORT_ROW: usize = 16;

/// Bytes between what is read and what is asked for ahead in later rows.
pub(super) const ROWS_AHEAD: usize = 256;

/// The size of a grid of blocks: how many follow one another in the source, and how many in the destination. Blocks of one
/// pass come first, then those of several. What a grid reads is in few pages, and the lines that it writes are next to each
/// other: transposes are 1.1 times as fast as row by row.
pub(super) const PARTS: [[usize; 2]; 2] = [[32, 4], [8, 4]];

/// Bytes from which on bits are exchanged where elements take whole bytes: it is planned for each copy, in a microsecond.
const EXCHANGED: Size = 64 << 10;

/// Whether bits are exchanged where elements take whole bytes, `element` of them: in arrays whose stretches are shorter than a
/// line. Where they are very short, as from tiles to tiles of the transpose, that is 4 to 16 times as fast. Longer ones, as the
/// operands of AMX, are 1.3 times as fast in large arrays, for which the kernels of rows wait for memory, and slower in
/// those that are in the cache. Where the array ends within blocks, elements are moved without vectors, so that such arrays are
/// left to the kernels. The answer is the smallest vectors for which all of this holds.
pub(super) const fn exchanges(plan: &Plan, element: usize) -> Option<Vectors> {
    let bytes = element as Size * plan.wide;
    let (mut q, mut p, mut total) = (1, 1, bytes);
    each!(for number in 0..plan.len as usize {
        let digit = &plan.loops[number];
        let is_whole =
            plan.sizes[plan.dims[number] as usize].is_multiple_of(digit.unit * digit.extent);
        if !is_whole
            || !(digit.extent.is_power_of_two() || digit.extent.is_multiple_of(LINE as Size))
        {
            return None;
        }
        if number < plan.fine as usize {
            total = total.saturating_mul(digit.extent);
        }
        if number >= plan.p as usize && number < plan.fine as usize {
            p *= digit.extent;
        } else if number >= plan.inner as usize && number < plan.p as usize {
            q *= digit.extent;
        }
    });
    let stretch = match plan.kernel {
        Kernel::Transpose if p < q => p,
        Kernel::Transpose => q,
        Kernel::Interleave => p,
        // The more minor digit of `q`.
        Kernel::Deinterleave => plan.loops[plan.p as usize - 1].extent,
        _ => return None,
    };
    // Squares of 16 bytes are transposed in registers, as rows are that have as many together.
    let short = match (plan.kernel, bytes) {
        (Kernel::Transpose, 1) => 7,
        (Kernel::Transpose, _) => 15,
        (Kernel::Interleave, 4..) => LINE as Size - 1,
        (Kernel::Deinterleave, _) if p * bytes > 16 => LINE as Size - 1,
        _ => 8,
    };
    let is_large = total >= STREAMED as Size && !matches!(plan.kernel, Kernel::Deinterleave);
    let from = if stretch * bytes <= 8 { EXCHANGED } else { 16 * EXCHANGED };
    if stretch * bytes <= short && total >= from {
        Some(Vectors::Eight)
    } else if stretch * bytes < LINE as Size && is_large {
        Some(Vectors::ThirtyTwo)
    } else {
        None
    }
}
