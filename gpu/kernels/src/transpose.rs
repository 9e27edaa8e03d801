//! The transpose of a tiled array, through squares in shared memory: both arrays are accessed along their rows.

use layout::Layout;

use crate::shared::Shared;
use crate::thread::Thread;

/// Rows and columns of a square, and threads along x.
pub const SQUARE: u32 = 32;
/// Threads along y; each moves the elements of so many rows.
pub const THREADS_Y: u32 = 8;
/// From one row of a square in shared memory to the next: a column is in different banks.
const PITCH: u32 = SQUARE + 1;

/// Blocks for the transpose of `L`: x, y.
pub const fn blocks(dims: [usize; 2]) -> [u32; 2] {
    [(dims[1] as u32).div_ceil(SQUARE), (dims[0] as u32).div_ceil(SQUARE)]
}

/// Loads the square of a block.
///
/// # Safety
/// The pointer is that of an array of `L`, the memory of a square is not in use, and no other thread has the same position.
#[inline(always)]
pub unsafe fn load<L: Layout<2>>(thread: Thread, src: *const f32, shared: &impl Shared) {
    let [x, y] = thread.thread;
    for row in (y..SQUARE).step_by(THREADS_Y as usize) {
        let index = [thread.block[1] * SQUARE + row, thread.block[0] * SQUARE + x];
        if let Some(slot) = L::checked_offset_u32(index) {
            // SAFETY: The slot is in the array, and the position is this thread's alone.
            unsafe { shared.store(row * PITCH + x, *src.add(slot as usize)) }
        }
    }
}

/// Stores the transpose of the square. All threads of the block have loaded before.
///
/// # Safety
/// The pointer is that of an array of `L`, which is the transpose, and no other thread has the same position.
#[inline(always)]
pub unsafe fn store<L: Layout<2>>(thread: Thread, shared: &impl Shared, dst: *mut f32) {
    let [x, y] = thread.thread;
    for row in (y..SQUARE).step_by(THREADS_Y as usize) {
        let index = [thread.block[0] * SQUARE + row, thread.block[1] * SQUARE + x];
        if let Some(slot) = L::checked_offset_u32(index) {
            // SAFETY: The element was loaded, since its index is in bounds; its slot is this thread's alone.
            unsafe { *dst.add(slot as usize) = shared.load(x * PITCH + row) }
        }
    }
}
