//! Decisions about copies that rest on measurements, each with its reason.

use crate::loops::{Kernel, Loop, Plan};
use layout_core::Size;
use layout_core::base::width::{native, wrapped};

use crate::kernel::block::KernelBlock;
use crate::kernel::raw::LINE;

/// Bytes from which on stores go around the cache, if a block of the copy is whole lines: where the destination fits in it with the
/// source, that is slower.
///
/// | around ÷ through the cache, in time, `f32` to and from runs of | 2 MiB | 8 | 16 | 32 | 64 | 256 |
/// |---|---|---|---|---|---|---|
/// | 64 bytes | 2.7, 2.5 | 2.5, 1.7 | 3.3, 0.9 | 2.2, 0.4 | 3.5, 2.4 | 1.7, 2.3 |
/// | 128 bytes | 3.0, 1.8 | 1.6, 1.0 | 0.8, 0.6 | 0.6, 0.3 | 1.1, 1.4 | 1.1, 1.3 |
/// | 256 bytes | 1.5, 1.5 | 1.0, 0.9 | 0.5, 0.6 | 0.3, 0.6 | 0.5, 0.6 | 1.0, 1.1 |
/// | 4 KiB | 1.2, 1.3 | 0.9, 1.0 | 0.4, 0.7 | 0.4, 0.8 | 0.5, 0.5 | 0.6, 0.8 |
///
/// AMD EPYC (Zen 5), a third cache of 32 MiB, while other programs ran: the ratios of large arrays move by half.
pub(crate) const STREAMED: usize = 8 << 20;

/// Bytes from which on an array is spread over threads: what one copies while another is woken.
#[cfg(feature = "rayon")]
pub(crate) const SHARED: usize = 1 << 20;

/// How many times longer than requested a part may be, so that it consists of whole blocks of a kernel: the blocks of a
/// transpose read whole lines of memory.
pub const LARGER_BLOCKS: Size = 16;

/// Smallest length in bytes of a stretch of packed elements that is copied as bytes, if both layouts have it.
pub(crate) const LONG: usize = 64;

/// Where bits are exchanged, how many blocks later memory is needed when it is asked for.
pub(crate) const AHEAD: usize = 8;

/// How many of `count` blocks side by side in the source, `stride` bytes apart in the destination, are taken together, before the next
/// ones in the destination: so few pages are read at a time. Tiles of `{0,1:T(8,4)}` to rows are 1.3 times as fast as without parts.
///
/// Where they lie a page apart in the destination, they share sets of the first cache, as those of `f32[511,509]` to `{0,1:T(4,2)}` do:
///
/// | blocks | 1 | 2 | 4 | 8 | 16 |
/// |---|---|---|---|---|---|
/// | rows to tiles of columns, 128², 256², 512² of 1 to 8 bytes | 0.69 | 0.63 | 0.74 | 0.78 | 1 |
/// | 200², 1000² | 1.10 | 1.09 | 1.02 | 0.97 | 1 |
/// | tiles of columns to rows, 200², 1000² | 1.12 | 1.10 | 1.00 | 0.96 | 1 |
///
/// Time, geometric mean (AMD Zen 5). Few blocks lie in the first cache anyway.
pub(crate) const fn part_of(count: Size, stride: Size) -> usize {
    match stride.is_multiple_of(PAGE as Size) {
        _ if count <= 16 => 16,
        true => 2,
        false => 8,
    }
}

/// Bytes after which sets of the first cache repeat.
const PAGE: usize = 4096;

/// Bytes of a run that has whole lines enough to go around the cache: see [`STREAMED`].
const LONG_RUN: usize = 4 * LINE;

/// Bytes of a matrix from which on a transpose prefetches the next columns of its rows: the processor does not foresee that many rows. NCHW to
/// NHWC of 16×256×56² `f32` takes 3.6 ms then and 4.8 without, 1024² 0.23 and 0.25, 512² 31 µs and 35; 100² `f64`, which stays in the second
/// cache, 1.1 times as long (AMD Zen 5).
pub(crate) const PREFETCHED: usize = 128 << 10;

/// How many blocks in which the array ends are left to a walk. Where there are more, the edges of the array are copied by plans of their own:
/// such a block takes some 50 ns more than a whole one, a plan a microsecond. `f32[14,512,7,25]` from `{2,1,3,0:T(4,4)}` to `{2,0,1,3}` takes 0.36 ms so, and 6.1 in one
/// walk; `f32[256,3]` from `{1,0:T(3,5)}` to `{0,1:T(2,2)}` 0.73 µs and 5.1 (Zen 5).
const MANY_CUTS: usize = 64;

/// A transpose whose blocks have this many elements moves those that are cut as fast as whole ones.
const SMALL_BLOCK: usize = 16;

/// Whether the edges of an array are copied by plans of their own, if it has edges and a walk would come to `cuts` blocks in which it ends.
pub(crate) const fn copies_edges_apart(block: &KernelBlock, cuts: usize) -> bool {
    let is_small = block.q.total.saturating_mul(block.p.total) < SMALL_BLOCK;
    cuts > MANY_CUTS && (is_small || !matches!(block.kernel, Kernel::Transpose))
}

/// Whether stores of elements of `size` bytes go around the cache.
pub(crate) const fn streams(block: &KernelBlock, size: usize) -> bool {
    let run = block.p.total.saturating_mul(block.wide * size);
    matches!(block.kernel, Kernel::Run) && run >= LONG_RUN
}

/// Whether a copy of elements of `size` bytes goes by the order of the source and not by that of the destination.
pub(crate) const fn goes_by_source(plan: &Plan, block: &KernelBlock, size: usize) -> bool {
    plan.is_source_tiled && !is_scattered(plan, block, size) || writes_lines(block, size)
}

/// Whether a block of single elements is whole lines of the destination, which are then whole in any order. In the order of the source
/// each of its lines is read once, in turn: from rows of 8 KiB to panels of 128 bytes that is 4 to 16 times as fast.
const fn writes_lines(block: &KernelBlock, size: usize) -> bool {
    let elements = block.q.total.saturating_mul(block.p.total).saturating_mul(block.wide);
    let [_, extent] = block.span(block.q.total, block.p.total, 1);
    let is_dense = extent == elements && elements.saturating_mul(size).is_multiple_of(LINE);
    matches!(block.kernel, Kernel::Strided) && is_dense
}

/// Whether runs that are neighbours in the source lie in so few sets of the first cache in the destination that lines are evicted
/// before they are whole. From panels of 32 and 64 bytes to rows of 4 KiB the order of the destination is 2 to 4 times as fast; to rows
/// of other lengths it has 0.2 to 0.9 of the speed.
const fn is_scattered(plan: &Plan, block: &KernelBlock, size: usize) -> bool {
    if plan.kernel_loops == 0 {
        return false;
    }
    let innermost = plan.by_source[plan.kernel_loops as usize - 1];
    let Loop { extent, dst, .. } = plan.loops[innermost as usize];
    let (count, stride) = (native(extent), wrapped(dst).wrapping_mul(size));
    let [run, rows, stride] = match block.kernel {
        Kernel::Run => [block.p.total, 1, stride],
        Kernel::Deinterleave => [block.q.total, block.p.total, block.p.near[1].wrapping_mul(size)],
        _ => return false,
    };
    let (length, count) = (run.saturating_mul(block.wide * size), count.saturating_mul(rows));
    let alike = sharing(count, stride);
    alike > WAYS && length.saturating_mul(count) <= LINE * alike
}

/// Columns of a strip that is transposed, after which the next rows come. Each is a page of the destination.
pub(crate) const STRIP_COLUMNS: usize = 512;

/// Largest number of rows that are transposed before their next columns, so that what is read of the source stays in the first
/// cache.
pub(crate) const ROWS: usize = 4 * LINE;

/// Lines that these rows are of a column. More of them of four bytes are faster by 1.1 to 1.5 where columns share places in the second
/// cache, since a line that is not whole at the end of the rows is then read again.
#[inline]
pub(crate) const fn column_lines(element: usize) -> usize {
    if element == 4 { 16 } else { 4 }
}

/// Ways of a first cache of 32 KiB.
const WAYS: usize = 8;

/// Columns, a stride apart, that share a set of the first cache, whose sets repeat after a page.
const fn sharing(columns: usize, stride: usize) -> usize {
    if stride.is_multiple_of(LINE) {
        columns / (PAGE >> (stride | PAGE).trailing_zeros())
    } else {
        1
    }
}
