//! The product of two tiled matrices whose sizes are known at run time.
//!
//! A block computes a square of the result. It goes along a row of squares of the first operand and a column of the
//! second one, which all its threads load into shared memory.

use layout::WithDimsU32;

use crate::arrays::Matrix;
use crate::shared::Shared;
use crate::thread::Thread;

/// Rows and columns of a square, and threads along x.
pub const SQUARE: u32 = 32;
/// Threads along y; each computes the elements of so many rows.
pub const THREADS_Y: u32 = 8;
/// Elements of the result that a thread computes.
pub const PER_THREAD: usize = (SQUARE / THREADS_Y) as usize;
/// From one row of a square in shared memory to the next.
const PITCH: u32 = SQUARE + 1;
/// Where the square of the second operand begins.
const SECOND: u32 = SQUARE * PITCH;

/// A product of given sizes: `[rows, depth]` by `[depth, columns]`.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    a: WithDimsU32<Matrix>,
    b: WithDimsU32<Matrix>,
    c: WithDimsU32<Matrix>,
    depth: u32,
}

impl Product {
    /// A product of these sizes, with which the host has made the arrays.
    #[inline(always)]
    pub fn new(rows: u32, depth: u32, columns: u32) -> Product {
        Product {
            a: Matrix::with_dims_u32_unchecked([rows, depth]),
            b: Matrix::with_dims_u32_unchecked([depth, columns]),
            c: Matrix::with_dims_u32_unchecked([rows, columns]),
            depth,
        }
    }

    /// Blocks for the result: x, y.
    pub fn blocks(rows: u32, columns: u32) -> [u32; 2] {
        [columns.div_ceil(SQUARE), rows.div_ceil(SQUARE)]
    }

    /// Squares along the depth.
    #[inline(always)]
    pub fn steps(&self) -> u32 {
        self.depth.div_ceil(SQUARE)
    }

    /// Loads the squares of a step; outside of the operands they are 0.
    ///
    /// # Safety
    /// The pointers are those of arrays with these sizes, no thread uses the memory, and no other thread has the same
    /// position.
    #[inline(always)]
    pub unsafe fn load(
        &self,
        thread: Thread,
        step: u32,
        [a, b]: [*const f32; 2],
        shared: &impl Shared,
    ) {
        let [x, y] = thread.thread;
        for row in (y..SQUARE).step_by(THREADS_Y as usize) {
            let in_a = [thread.block[1] * SQUARE + row, step * SQUARE + x];
            let in_b = [step * SQUARE + row, thread.block[0] * SQUARE + x];
            for (layout, pointer, index, first) in
                [(&self.a, a, in_a, 0), (&self.b, b, in_b, SECOND)]
            {
                let number = match layout.checked_offset(index) {
                    // SAFETY: The index is in bounds.
                    Some(slot) => unsafe { *pointer.add(slot as usize) },
                    None => 0.0,
                };
                // SAFETY: The position is this thread's alone.
                unsafe { shared.store(first + row * PITCH + x, number) }
            }
        }
    }

    /// Adds the products of the loaded squares to the sums of a thread. All threads of the block have loaded before.
    ///
    /// # Safety
    /// The squares are loaded.
    #[inline(always)]
    pub unsafe fn add(&self, thread: Thread, shared: &impl Shared, sums: &mut [f32; PER_THREAD]) {
        let [x, y] = thread.thread;
        for k in 0..SQUARE {
            // SAFETY: These are positions in the two squares.
            unsafe {
                let b = shared.load(SECOND + k * PITCH + x);
                for (row, sum) in sums.iter_mut().enumerate() {
                    *sum += shared.load((y + row as u32 * THREADS_Y) * PITCH + k) * b;
                }
            }
        }
    }

    /// Stores the sums of a thread.
    ///
    /// # Safety
    /// The pointer is that of an array with these sizes, and no other thread has the same position.
    #[inline(always)]
    pub unsafe fn store(&self, thread: Thread, sums: &[f32; PER_THREAD], c: *mut f32) {
        let [x, y] = thread.thread;
        for (row, &sum) in sums.iter().enumerate() {
            let row = y + row as u32 * THREADS_Y;
            let index = [thread.block[1] * SQUARE + row, thread.block[0] * SQUARE + x];
            if let Some(slot) = self.c.checked_offset(index) {
                // SAFETY: The slot is in the array, and this thread's alone.
                unsafe { *c.add(slot as usize) = sum }
            }
        }
    }
}
