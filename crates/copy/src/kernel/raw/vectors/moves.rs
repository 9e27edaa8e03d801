//! Elements that no vector takes apart, moved one by one: of any type, since nothing is computed of their bytes, which may be
//! uninitialised.

use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::vectors::task::KernelTask;

/// Hands the sizes of elements that are moved one by one to a macro, each with how many bytes are moved with one.
macro_rules! moved_sizes {
    ($then:ident) => {
        $then! { 1 1, 2 2, 3 4, 4 4, 6 8, 8 8, 12 16, 16 16, 24 24, 32 32, 48 48 }
    };
}
pub(in crate::kernel::raw) use moved_sizes;

/// Rows of the source put together in turns, taken apart or transposed, of elements of `W` bytes. In the middle of a block an
/// element is moved with what follows it as `WIDE` bytes, of which the next one overwrites the rest.
///
/// # Safety
/// The task is one of a kernel for rows or squares of such elements, and all of it lies within the source and the destination.
#[inline(always)]
pub(super) unsafe fn moves<const W: usize, const WIDE: usize>(task: &KernelTask) {
    const { assert!(W <= WIDE && WIDE < 2 * W) };
    let steps = [task.q_axis.near[0], task.p_axis.near[1]];
    task.grids(usize::MAX, |[from, to], [rows, columns]| {
        for i in 0..task.count {
            let (src, dst) = task.place(i);
            let (src, dst) = (src.wrapping_add(from), dst.wrapping_add(to));
            // SAFETY: these are the elements of the task's block at some values of `q` and `p`, which lie side by side, the former in
            // the destination, the latter in the source.
            unsafe {
                if rows == 2 {
                    few::<W, 2>(src, dst, steps, columns);
                } else {
                    grid::<W, WIDE>(src, dst, steps[0], steps[1], rows, columns);
                }
            }
        }
    });
}

/// `ROWS` rows: a column of them at a time.
///
/// # Safety
/// So many rows lie `row` bytes apart in the source, and columns `column` bytes apart in the destination, both of elements of `W`
/// bytes. These wrap around.
#[inline(always)]
unsafe fn few<const W: usize, const ROWS: usize>(
    mut src: *const u8,
    mut dst: *mut u8,
    [row, column]: [usize; 2],
    columns: usize,
) {
    for _ in 0..columns {
        unrolled!(i in 0..ROWS, {
            // SAFETY: the caller vouches for the element.
            unsafe {
                copy_nonoverlapping(src.wrapping_add(row.wrapping_mul(i)), dst.wrapping_add(i * W), W)
            };
        });
        (src, dst) = (src.wrapping_add(W), dst.wrapping_add(column));
    }
}

/// Rows of a block: so few that rows and columns that are a power of two apart stay in the first cache.
const ROWS: usize = 16;

/// Any number of rows, some of them at a time.
///
/// # Safety
/// The conditions of `few`.
#[inline(never)]
pub(in crate::kernel::raw) unsafe fn grid<const W: usize, const WIDE: usize>(
    mut src: *const u8,
    mut dst: *mut u8,
    row: usize,
    column: usize,
    mut rows: usize,
    columns: usize,
) {
    if rows >= ROWS {
        let blocks = rows / ROWS * ROWS;
        // SAFETY: these are some of the rows.
        unsafe { many::<W, WIDE>(src, dst, [row, column], [blocks, columns]) };
        (src, dst) = (src.wrapping_add(row.wrapping_mul(blocks)), dst.wrapping_add(blocks * W));
        rows -= blocks;
    }
    macro_rules! next {
        ($rows:literal) => {
            // SAFETY: so many rows are left.
            unsafe { few::<W, $rows>(src, dst, [row, column], columns) };
            (src, dst) = (src.wrapping_add(row.wrapping_mul($rows)), dst.wrapping_add($rows * W));
        };
    }
    while rows >= 4 {
        next!(4);
        rows -= 4;
    }
    if rows >= 2 {
        next!(2);
        rows -= 2;
    }
    if rows > 0 {
        // SAFETY: one is left.
        unsafe { few::<W, 1>(src, dst, [row, column], columns) };
    }
}

/// Blocks of `ROWS` rows. Out of line: what it holds in registers would make each small grid's call as long.
///
/// # Safety
/// The conditions of `few`; the number of rows is a multiple of `ROWS`.
#[inline(never)]
unsafe fn many<const W: usize, const WIDE: usize>(
    src: *const u8,
    dst: *mut u8,
    [row, column]: [usize; 2],
    [rows, columns]: [usize; 2],
) {
    let mut first = 0;
    while first < rows {
        let (mut from, mut to) =
            (src.wrapping_add(row.wrapping_mul(first)), dst.wrapping_add(first * W));
        // SAFETY: these are some of the rows. What is read beyond an element is that of the next column, what is written that of the
        // next row, which comes later.
        unsafe {
            for _ in 1..columns {
                column_of::<W, WIDE>(from, to, row);
                (from, to) = (from.wrapping_add(W), to.wrapping_add(column));
            }
            column_of::<W, W>(from, to, row);
        }
        first += ROWS;
    }
}

/// Elements of `ROWS` rows, `WIDE` bytes of all but the last.
///
/// # Safety
/// So many are readable at `from`, `row` bytes apart, and writable side by side at `to`.
#[inline(always)]
unsafe fn column_of<const W: usize, const WIDE: usize>(from: *const u8, to: *mut u8, row: usize) {
    // SAFETY: the caller vouches for each element.
    unsafe {
        unrolled!(i in 0..ROWS - 1, {
            copy_nonoverlapping(from.wrapping_add(row.wrapping_mul(i)), to.wrapping_add(i * W), WIDE);
        });
        let last = ROWS - 1;
        copy_nonoverlapping(
            from.wrapping_add(row.wrapping_mul(last)),
            to.wrapping_add(last * W),
            W,
        );
    }
}
