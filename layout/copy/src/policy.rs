//! Decisions about copies that rest on measurements, each with its reason.

use crate::plan::{Kernel, Plan};
use layout_core::Size;
use layout_core::base::width::native;

use crate::kernel::block::KernelBlock;
use crate::kernel::raw::LINE;

/// Bytes from which on stores go around the cache: where the destination fits in it with the source, that is slower.
pub const STREAMED: usize = 8 << 20;

/// Bytes from which on an array is spread over threads: what one copies while another is woken.
#[cfg(feature = "rayon")]
pub(crate) const SHARED: usize = 1 << 20;

/// How many times as long as is asked for a part may be, so that it has whole blocks of a kernel: those of a transpose read
/// whole lines of memory.
pub const LARGER_BLOCKS: Size = 16;

/// Bytes from which on a stretch of packed elements that both layouts have is copied as it is.
pub(crate) const LONG: usize = 64;

/// Where bits are exchanged, bytes between what is read and what is asked for ahead: of blocks of one pass, and of blocks of
/// several passes.
pub(crate) const AHEAD: [usize; 2] = [1024, 16384];

/// Blocks of a row of a grid up to which later rows are asked for ahead, and not later blocks of the same row.
pub(crate) const SHORT_ROW: usize = 16;

/// Bytes between what is read and what is asked for ahead in later rows.
pub(crate) const ROWS_AHEAD: usize = 256;

/// The size of a grid of blocks: how many follow one another in the source, and how many in the destination. Blocks of one
/// pass come first, then those of several. What a grid reads is in few pages, and the lines that it writes are next to each
/// other: transposes are 1.1 times as fast as row by row.
pub(crate) const PARTS: [[usize; 2]; 2] = [[32, 4], [8, 4]];

/// Bytes ahead that are asked for along rows. The processor foresees what follows, but not across pages, and begins anew in
/// each: so the next rows are asked for before these end.
pub(crate) const ALONG_ROWS: usize = 2048;

/// Blocks ahead that are asked for: fewer than a cache has places for one remainder of an address, since blocks are often a
/// power of two apart.
pub(crate) const BLOCKS_AHEAD: usize = 6;

/// Bytes from which on a block is long enough for the processor to foresee the rest of it.
pub(crate) const LONG_BLOCK: usize = 2048;

/// Whether the memory of short blocks is asked for. Of blocks that follow one another that costs more than it spares with the
/// smallest vectors.
#[inline]
pub(crate) const fn asks_ahead(length: usize, follows: bool, vector: usize) -> bool {
    length < LONG_BLOCK && !(follows && vector < 32)
}

/// Rows of the destination that are written in turns around the cache, whose lines are held until they are whole: as many as
/// fit in the first cache with what is read.
pub(crate) const HELD_ROWS: usize = 32;

/// Bytes of a row that are held beside the line in which they begin: with those, all held rows fit in the first cache.
pub(crate) const HELD_PIECE: usize = 256;

/// Whether a copy goes by the order of the source and not by that of the destination. `around` says of stores around the cache
/// whether all rows begin with lines: then lines are whole in any order. Other rows are held until lines are whole, so that those
/// that begin within the innermost loop over the source have to be few.
pub(crate) fn goes_by_source(plan: &Plan, block: &KernelBlock, around: Option<bool>) -> bool {
    let is_tiled = plan.is_source_tiled;
    around.map_or(is_tiled, |is_aligned| is_aligned || is_tiled && holds_rows(plan, block))
}

fn holds_rows(plan: &Plan, block: &KernelBlock) -> bool {
    let rows = match block.kernel {
        Kernel::Run => 1,
        Kernel::Deinterleave if block.q.total == block.q.minor => block.p.total,
        _ => return false,
    };
    let innermost = plan.by_source[..plan.inner.into()].last();
    innermost.is_some_and(|&number| {
        native(plan.loops[usize::from(number)].extent).saturating_mul(rows) <= HELD_ROWS
    })
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

/// Rows that are transposed before the next columns of them, at most: what is read and what is written is in the first cache.
pub(crate) const ROWS: usize = 2 * LINE;

/// Lines that these rows are of a column. Around the cache, rows of elements of four bytes and more are asked for ahead so far
/// apart that fewer of them are faster: by 1.1 to 1.6, most where they lie a power of two apart and share places in the second
/// cache.
#[inline]
pub(crate) const fn column_lines(streams: bool, element: usize) -> usize {
    if streams && element >= 4 { 2 } else { 4 }
}

/// Lines of a column that are held where columns begin within lines: an odd number, so that columns do not share a place in the
/// cache, and few, so that the rows of a step that do so in the source, and what is asked for ahead of them, stay in it.
pub(crate) const HELD_LINES: usize = 5;

/// Whether a column's line is not in the cache any more when its next part comes, since so many columns share their place there:
/// more than half of the ways of a cache of 32 KiB, whose places repeat after a page. They are a stride apart.
#[inline]
pub(crate) const fn collides(columns: usize, stride: usize) -> bool {
    const WAYS: usize = 8;
    const REPEAT: usize = 4096;
    let shared = 1 << (stride | REPEAT).trailing_zeros();
    columns / (REPEAT / shared) > WAYS / 2
}

/// Pieces of the general path after which memory is asked for: what it takes some of them to be written.
pub(crate) const PIECES_AHEAD: usize = 8;

/// Bytes of a piece that are asked for at most: the processor foresees the rest.
pub(crate) const PIECE_ASKED: usize = 512;

/// Bytes that rows of the source may lie off a line on which the memory of all is asked for: that stays in the second cache.
pub(crate) const OFF_LINE: usize = 128 << 10;
