//! The product of two tiled matrices whose sizes are known at run time.
//!
//! A block computes a square of the result. It goes along a row of squares of the first operand and a column of the
//! second one, which all its threads load into shared memory.

use layout::types::WithDimsU32;

use crate::arrays::{Matrix, Squares};
use crate::conflict_free;
use crate::shared::Shared;
use crate::thread::Thread;

/// Rows and columns of a square, and threads along x.
pub const SQUARE: u32 = 32;
/// Threads along y; each computes the elements of so many rows.
pub const THREADS_Y: u32 = 8;
/// Elements of the result that a thread computes.
pub const PER_THREAD: usize = (SQUARE / THREADS_Y) as usize;

/// The element of the lane's column in a row; the rows of the second operand follow those of the first.
pub const fn row(lane: u32, row: u32) -> [u32; 3] {
    [row / SQUARE, row % SQUARE, lane]
}

// Rows have no conflicts without a swizzle or padding, and an element that all lanes load has none.
conflict_free! { Squares, 4 bytes: row, below 64 }

/// The byte of an element in the two squares.
#[inline(always)]
fn byte(index: [u32; 3]) -> u32 {
    Squares::offset_u32_unchecked(index) * 4
}

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
        // Not a loop over both operands: where LLVM leaves one, the layouts are in local memory.
        let load = |layout: &WithDimsU32<Matrix>, pointer: *const f32, index, line| {
            let number = match layout.checked_offset(index) {
                // SAFETY: The index is in bounds.
                Some(slot) => unsafe { *pointer.add(slot as usize) },
                None => 0.0,
            };
            // SAFETY: The position is this thread's alone.
            unsafe { shared.store(byte(row(x, line)), number.to_bits()) }
        };
        for line in (y..SQUARE).step_by(THREADS_Y as usize) {
            load(&self.a, a, [thread.block[1] * SQUARE + line, step * SQUARE + x], line);
            let in_b = [step * SQUARE + line, thread.block[0] * SQUARE + x];
            load(&self.b, b, in_b, SQUARE + line);
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
                let load = |index| f32::from_bits(shared.load(byte(index)));
                let b = load(row(x, SQUARE + k));
                for (line, sum) in (0..).zip(&mut *sums) {
                    *sum += load([0, y + line * THREADS_Y, k]) * b;
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
