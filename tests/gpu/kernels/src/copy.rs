//! Copies between row-major arrays and tiled ones.
//!
//! Each thread moves `PER_THREAD` elements that are `THREADS` apart, so that neighbours access neighbours, and enough
//! loads are under way at once.

use layout::Layout;

use crate::thread::Thread;

/// Threads of a block.
pub const THREADS: u32 = 256;
/// Elements that a thread moves.
pub const PER_THREAD: u32 = 4;

/// Blocks for an array of so many slots.
pub const fn blocks(slots: usize) -> u32 {
    (slots as u32).div_ceil(THREADS * PER_THREAD)
}

/// Does something for each slot that is a thread's.
#[inline(always)]
fn each_slot(thread: Thread, mut action: impl FnMut(u32)) {
    let first = thread.block[0] * (THREADS * PER_THREAD) + thread.thread[0];
    for k in 0..PER_THREAD {
        action(first + k * THREADS);
    }
}

/// Fills the slots of a tiled array: each with its element of a row-major one, and padding with a value.
///
/// # Safety
/// The pointers are those of arrays with the elements and the slots of `L`. No other thread has the same position.
#[inline(always)]
pub unsafe fn to_tiles<L: Layout<2>, T: Copy>(
    thread: Thread,
    src: *const T,
    dst: *mut T,
    padding: T,
) {
    let columns = L::DIMS[1] as u32;
    each_slot(thread, |slot| {
        if slot < L::PADDED_ELEMENTS as u32 {
            let element = match L::index_u32(slot) {
                // SAFETY: The index is in bounds.
                Some([i, j]) => unsafe { *src.add((i * columns + j) as usize) },
                None => padding,
            };
            // SAFETY: There is such a slot, and it is this thread's alone.
            unsafe { *dst.add(slot as usize) = element }
        }
    });
}

/// Collects the elements of a tiled array in row-major order.
///
/// # Safety
/// As for [`to_tiles`].
#[inline(always)]
pub unsafe fn from_tiles<L: Layout<2>, T: Copy>(thread: Thread, src: *const T, dst: *mut T) {
    let columns = L::DIMS[1] as u32;
    each_slot(thread, |element| {
        let index = [element / columns, element % columns];
        if let Some(slot) = L::checked_offset_u32(index) {
            // SAFETY: The index is in bounds, and the element is this thread's alone.
            unsafe { *dst.add(element as usize) = *src.add(slot as usize) }
        }
    });
}
