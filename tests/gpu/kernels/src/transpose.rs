//! The transpose of a row-major array, through squares in shared memory.
//!
//! A block moves a square of 32 words by as many rows as it has columns; `N` elements are a word. Its rows are loaded, and
//! its columns are stored as rows: global memory sees neighbours. The swizzle lets a warp load a column of words at once.

use layout::Layout;

use crate::arrays::{HalfSquare, Square};
use crate::conflict_free;
use crate::shared::Shared;
use crate::thread::Thread;

/// Threads of a block, along x and y.
pub const THREADS: [u32; 2] = [32, 8];

/// The first element of a lane's word in a row.
pub const fn row<const N: usize>(lane: u32, row: u32) -> [u32; 2] {
    [row, lane * N as u32]
}

/// The first element of a lane's word in a column of words: of its first rows for the first number, and so on.
pub const fn column<const N: usize>(lane: u32, number: u32) -> [u32; 2] {
    let n = N as u32;
    [lane * n + number % n, number / n * n]
}

conflict_free! { Square, 4 bytes: row::<1>, below 32, column::<1>, below 32 }
conflict_free! { HalfSquare, 4 bytes: row::<2>, below 64, column::<2>, below 64 }

/// Blocks for an array: x, y.
pub fn blocks<const N: usize>([rows, columns]: [u32; 2]) -> [u32; 2] {
    [columns, rows].map(|size| size.div_ceil(32 * N as u32))
}

/// The byte of a square's element.
#[inline(always)]
fn byte<S: Layout<2>, const N: usize>(index: [u32; 2]) -> u32 {
    S::offset_u32_unchecked(index) * (4 / N as u32)
}

/// Loads a square `S`.
///
/// # Safety
/// The pointer is that of an array with these sizes, which are multiples of `N`. No thread uses the memory, and no other
/// thread has the same position.
#[inline(always)]
pub unsafe fn load<S: Layout<2>, const N: usize>(
    thread: Thread,
    [rows, columns]: [u32; 2],
    src: *const u32,
    shared: &impl Shared,
) {
    let (n, [x, y]) = (N as u32, thread.thread);
    for number in (y..32 * n).step_by(THREADS[1] as usize) {
        let at = row::<N>(x, number);
        let [i, j] = [thread.block[1] * 32 * n + at[0], thread.block[0] * 32 * n + at[1]];
        if i < rows && j < columns {
            // SAFETY: The index is in bounds, and the position is this thread's alone.
            unsafe { shared.store(byte::<S, N>(at), *src.add(((i * columns + j) / n) as usize)) }
        }
    }
}

/// Stores the transpose of the loaded square.
///
/// # Safety
/// As for [`load`], of an array of the sizes the other way round. The square is loaded.
#[inline(always)]
pub unsafe fn store<S: Layout<2>, const N: usize>(
    thread: Thread,
    [rows, columns]: [u32; 2],
    shared: &impl Shared,
    dst: *mut u32,
) {
    let (n, bits, [x, y]) = (N as u32, 32 / N as u32, thread.thread);
    let j = thread.block[1] * 32 * n + x * n;
    for number in (y..32).step_by(THREADS[1] as usize) {
        // N by N elements.
        let mut words = [0; N];
        for (k, word) in (0..).zip(&mut words) {
            // SAFETY: The position is in the square.
            *word = unsafe { shared.load(byte::<S, N>(column::<N>(x, number * n + k))) };
        }
        for k in 0..n {
            let i = thread.block[0] * 32 * n + number * n + k;
            let mut word = 0;
            for (place, from) in (0..).zip(&words) {
                word |= (from >> (k * bits) & u32::MAX >> (32 - bits)) << (place * bits);
            }
            if i < columns && j < rows {
                // SAFETY: The index is in bounds, and the word is this thread's alone.
                unsafe { *dst.add(((i * rows + j) / n) as usize) = word }
            }
        }
    }
}
