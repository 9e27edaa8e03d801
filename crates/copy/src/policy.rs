//! Decisions about copies that rest on measurements, each with its reason.

use crate::plan::{Kernel, Loop, Plan};
use layout_core::Size;
use layout_core::base::width::{native, wrapped};

use crate::kernel::block::KernelBlock;
use crate::kernel::raw::LINE;

/// Bytes from which on stores go around the cache: where the destination fits in it with the source, that is slower. Transposes
/// to 8 MiB take 0.8 to 1.3 times as long around a cache of 32 MiB that is theirs alone, and 0.5 to 0.9 times where other programs use it.
pub const STREAMED: usize = 8 << 20;

/// Bytes from which on an array is spread over threads: what one copies while another is woken.
#[cfg(feature = "rayon")]
pub(crate) const SHARED: usize = 1 << 20;

/// How many times longer than requested a part may be, so that it consists of whole blocks of a kernel: the blocks of a
/// transpose read whole lines of memory.
pub const LARGER_BLOCKS: Size = 16;

/// Smallest length in bytes of a stretch of packed elements that is copied as bytes, if both layouts have it.
pub(crate) const LONG: usize = 64;

/// Where bits are exchanged, the distance of prefetches in bytes: in blocks of one pass, and in blocks of
/// several passes.
pub(crate) const AHEAD: [usize; 2] = [1024, 16384];

/// Largest number of blocks in a row of a grid for which later rows are prefetched, rather than later blocks of this row.
pub(crate) const SHORT_ROW: usize = 16;

/// Distance of prefetches in later rows, in bytes.
pub(crate) const ROWS_AHEAD: usize = 256;

/// The size of a grid of blocks: how many are consecutive in the source, and how many in the destination. Blocks of one pass
/// come first, then those of several. A grid reads few pages, and writes adjacent lines: transposes are 1.1 times as fast as
/// row by row. Where a loop has fewer values, more of the other one are taken, up to `SHORT_ROW`: rows from tiles of 16 bytes are
/// 1.1 to 1.4 times as fast, since less is left to each call.
pub(crate) const PARTS: [[usize; 2]; 2] = [[32, 4], [8, 4]];

/// Distance of prefetches along rows, in bytes. The processor prefetches within a page, but not into the next one: so the code
/// prefetches the next rows before these end.
pub(crate) const ALONG_ROWS: usize = 2048;

/// Distance of prefetches in blocks. It is less than the number of ways of a cache, since blocks are often a power of two
/// apart and then share a set.
pub(crate) const BLOCKS_AHEAD: usize = 6;

/// Smallest length in bytes of a block that the processor prefetches by itself.
pub(crate) const LONG_BLOCK: usize = 2048;

/// Whether to prefetch the memory of short blocks. For consecutive blocks, prefetches cost more than they save with the smallest
/// vectors.
#[inline]
pub(crate) const fn asks_ahead(length: usize, follows: bool, vector: usize) -> bool {
    length < LONG_BLOCK && !(follows && vector < 32)
}

/// Number of rows of the destination that are written in turns past the cache. Their lines are held until they are whole; this
/// many fit in the first cache together with the source.
pub(crate) const HELD_ROWS: usize = 32;

/// Bytes of a row that are held beside the line in which they begin: with those, all held rows fit in the first cache.
pub(crate) const HELD_PIECE: usize = 256;

/// Whether runs of a length that are not whole lines wait for one another around the cache, `turns` of them at a time: a run that goes
/// on where the one before ends fills the line that this one began. Through the cache short ones are 2 to 6 times as fast.
#[inline(always)]
pub(crate) const fn waits(length: usize, turns: usize) -> bool {
    turns == 1 && length <= 256
}

/// Whether a copy of elements of `size` bytes goes by the order of the source and not by that of the destination. `around` says of
/// stores around the cache whether all rows begin with lines: then lines are whole in any order. Other rows are held until lines are
/// whole, so that those that begin within the innermost loop over the source have to be few.
pub(crate) fn goes_by_source(
    plan: &Plan,
    block: &KernelBlock,
    size: usize,
    around: Option<bool>,
) -> bool {
    let is_tiled = plan.is_source_tiled;
    match around {
        Some(is_aligned) => is_aligned || is_tiled && holds_rows(plan, block),
        None => is_tiled && !is_scattered(plan, block, size) || writes_lines(block, size),
    }
}

/// The innermost loop outside of the kernel, in the order of the source.
fn innermost(plan: &Plan) -> Option<&Loop> {
    let number = plan.by_source[..plan.kernel_loops.into()].last()?;
    Some(&plan.loops[usize::from(*number)])
}

fn holds_rows(plan: &Plan, block: &KernelBlock) -> bool {
    let rows = match block.kernel {
        Kernel::Run => 1,
        Kernel::Deinterleave if block.q.total == block.q.minor => block.p.total,
        _ => return false,
    };
    innermost(plan)
        .is_some_and(|innermost| native(innermost.extent).saturating_mul(rows) <= HELD_ROWS)
}

/// Whether a block of single elements is whole lines of the destination, which are then whole in any order. In the order of the source
/// each of its lines is read once, in turn: from rows of 8 KiB to panels of 128 bytes that is 4 to 16 times as fast.
fn writes_lines(block: &KernelBlock, size: usize) -> bool {
    let elements = block.q.total.saturating_mul(block.p.total).saturating_mul(block.wide);
    let [_, extent] = block.span(block.q.total, block.p.total, 1);
    let is_dense = extent == elements && elements.saturating_mul(size).is_multiple_of(LINE);
    block.kernel == Kernel::Strided && is_dense
}

/// Whether runs that are neighbours in the source lie in so few sets of the first cache in the destination that lines are evicted
/// before they are whole. From panels of 32 and 64 bytes to rows of 4 KiB the order of the destination is 2 to 4 times as fast; to rows
/// of other lengths it has 0.2 to 0.9 of the speed.
fn is_scattered(plan: &Plan, block: &KernelBlock, size: usize) -> bool {
    let Some(&Loop { extent, dst, .. }) = innermost(plan) else { return false };
    let (count, stride) = (native(extent), wrapped(dst).wrapping_mul(size));
    let (length, alike) = (block.p.total.saturating_mul(block.wide * size), sharing(count, stride));
    block.kernel == Kernel::Run && alike > WAYS && length.saturating_mul(count) <= LINE * alike
}

/// Where rows are put together to lines, or taken apart: bytes ahead that are asked for of a row of which a line has a part.
pub(crate) const LINES_AHEAD: usize = 8 * LINE;

/// Tiles of a row of less than a line each after which the next rows come: as many as a cache has places for one remainder of
/// an address, since tiles are often a power of two apart.
pub(crate) const SHORT_STRIP: usize = 8;

/// Sets of such rows that are asked for ahead.
pub(crate) const SHORT_AHEAD: usize = 8;

/// Where squares are transposed, bytes of a source row that are asked for ahead.
pub(crate) const SQUARES_AHEAD: usize = 4 * LINE;

/// Columns of a strip that is transposed, after which the next rows come. Each is a page of the destination: around the cache as
/// many as the second TLB holds of 4 KiB (1,536 to 3,072 on processors since 2015), which is up to 1.8 times as fast as 512.
#[inline]
pub(crate) const fn strip_columns(streams: bool) -> usize {
    if streams { 2048 } else { 512 }
}

/// Largest number of rows that are transposed before their next columns, so that what is read of the source stays in the first
/// cache.
pub(crate) const ROWS: usize = 4 * LINE;

/// Lines that these rows are of a column. Around the cache, rows of elements of one byte and of four and more are asked for ahead so
/// far apart that fewer of them are faster: by 1.1 to 1.6, most where they lie a power of two apart and share places in the second
/// cache. Through it, more of them of four bytes are faster by 1.1 to 1.5 where columns share such places, since a line that is not
/// whole at the end of the rows is then read again.
#[inline]
pub(crate) const fn column_lines(streams: bool, element: usize) -> usize {
    match element {
        2 if streams => 4,
        _ if streams => 2,
        4 => 16,
        _ => 4,
    }
}

/// Number of lines of a column that are held around the cache where columns begin within lines. It is odd, so that columns do not
/// share a set of the cache. It is small, so that the rows of a step that share a set in the source, and their prefetches, stay in
/// the cache.
pub(crate) const HELD_LINES: usize = 5;

/// Ways of a first cache of 32 KiB.
const WAYS: usize = 8;

/// Columns, a stride apart, that share a set of the first cache, whose sets repeat after a page.
#[inline]
const fn sharing(columns: usize, stride: usize) -> usize {
    const REPEAT: usize = 4096;
    // After so many columns one lies less than a line from where the first one lies in a page.
    let lines = stride.wrapping_add(LINE / 2) / LINE * LINE;
    let apart = REPEAT >> (lines | REPEAT).trailing_zeros();
    let distance = lines.abs_diff(stride).saturating_mul(apart);
    let (all, alike) = (columns / apart, LINE / if distance == 0 { 1 } else { distance });
    if distance == 0 || all < alike { all } else { alike }
}

/// Whether more columns, a stride apart, share a set of a first cache of 32 KiB than it has ways.
#[inline]
pub(crate) const fn are_crowded(columns: usize, stride: usize) -> bool {
    sharing(columns, stride) > WAYS
}

/// Rows of which the lines of all columns are put together elsewhere before they are written, 0 if none are: a column's line would be
/// evicted from the cache before its next part is written.
///
/// Columns that begin within lines have a line in each of two sets: copies are 1.2 to 1.8 times as fast if more of them share a set
/// than a cache of 32 KiB has ways. Of others the lines are put together two at a time, but for vectors of a line, which write each at
/// once: these gain by it where a block has few columns (8 bytes, 1.3 to 1.6 times as fast).
#[inline]
pub(crate) const fn staged_rows(columns: usize, stride: usize, vector: usize) -> usize {
    let (alike, are_lines) = (sharing(columns, stride), stride.is_multiple_of(LINE));
    if alike > 2 * WAYS || alike >= WAYS && !are_lines {
        ROWS
    } else if alike > WAYS / 2 && are_lines && (vector < LINE || columns <= WAYS) {
        2 * columns
    } else {
        0
    }
}

/// How many pieces ahead the general path prefetches: writing that many takes as long as a load.
pub(crate) const PIECES_AHEAD: usize = 8;

/// Largest number of bytes of a piece that are prefetched; the processor prefetches the rest by itself.
pub(crate) const PIECE_ASKED: usize = 512;

/// Bytes that rows of the source may lie off a line on which the memory of all is asked for: that stays in the second cache.
pub(crate) const OFF_LINE: usize = 128 << 10;
