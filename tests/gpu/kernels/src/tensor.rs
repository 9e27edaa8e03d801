//! The product of two row-major matrices of 16-bit elements on tensor cores, of sizes known at run time.
//!
//! A block computes a square of the result, a warp 16 of its rows. While it multiplies two squares of the operands, it
//! copies the next two into shared memory (`cp.async`). The swizzle of 128 bytes lets `ldmatrix` load rows of 16 bytes
//! that lie below one another.

use layout::types::WithDimsU32;

use crate::arrays::{HalfRows, Operands, Rows};
use crate::conflict_free;
use crate::shared::Shared;
use crate::thread::Thread;

/// Rows and columns of a square.
pub const SQUARE: u32 = 64;
/// Threads along y, which are warps.
pub const WARPS: u32 = 4;
/// Sums of a thread: of each 8 columns.
pub type Sums = [[f32; 4]; 8];
/// Where the squares of the second operand begin.
const SECOND: u32 = Operands::ELEMENTS as u32 * 2;

/// The first of 8 elements that a lane copies: a warp copies 4 rows at once, of 16 that a square has.
pub const fn copied(lane: u32, rows: u32) -> [u32; 3] {
    [rows / 16, rows % 16 * 4 + lane / 8, lane % 8 * 8]
}

/// The first of 8 elements that a lane loads as a row of a matrix; four matrices are a piece of 16×16, of 16 that a square has.
pub const fn loaded(lane: u32, piece: u32) -> [u32; 3] {
    [piece / 16, piece / 4 % 4 * 16 + lane % 16, piece % 4 * 16 + lane / 16 * 8]
}

conflict_free! { Operands, 16 bytes: copied, below 32, loaded, below 32 }

/// The byte of an element in a square.
#[inline(always)]
fn byte(index: [u32; 3]) -> u32 {
    Operands::offset_u32_unchecked(index) * 2
}

/// A product of given sizes: `[rows, depth]` by `[depth, columns]`.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    a: WithDimsU32<HalfRows>,
    b: WithDimsU32<HalfRows>,
    c: WithDimsU32<Rows>,
    depth: u32,
}

impl Product {
    /// A product of these sizes, with which the host has made the arrays. The last two are multiples of 8.
    #[inline(always)]
    pub fn new(rows: u32, depth: u32, columns: u32) -> Product {
        Product {
            a: HalfRows::with_dims_u32_unchecked([rows, depth]),
            b: HalfRows::with_dims_u32_unchecked([depth, columns]),
            c: Rows::with_dims_u32_unchecked([rows, columns]),
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

    /// Starts to copy the squares of a step; outside of the operands they are 0.
    ///
    /// # Safety
    /// The pointers are those of arrays with these sizes, at multiples of 16. No thread uses the squares of the last step but
    /// one, and no other thread has the same position.
    #[inline(always)]
    pub unsafe fn copy(
        &self,
        thread: Thread,
        step: u32,
        [a, b]: [*const u16; 2],
        shared: &impl Shared,
    ) {
        let [lane, warp] = thread.thread;
        let copy = |layout: &WithDimsU32<HalfRows>, pointer: *const u16, index, at| {
            let from = layout.checked_offset(index);
            // SAFETY: The index is in bounds, and with it 8 elements. The position is this thread's alone.
            unsafe { shared.copy(at, from.map(|slot| pointer.add(slot as usize))) }
        };
        for rows in (warp..16).step_by(WARPS as usize) {
            let at = copied(lane, step % 2 * 16 + rows);
            let in_a = [thread.block[1] * SQUARE + at[1], step * SQUARE + at[2]];
            let in_b = [step * SQUARE + at[1], thread.block[0] * SQUARE + at[2]];
            copy(&self.a, a, in_a, byte(at));
            copy(&self.b, b, in_b, SECOND + byte(at));
        }
    }

    /// Adds the products of the squares of a step to the sums of a thread. All threads of the block have copied before.
    ///
    /// # Safety
    /// The squares are copied.
    #[inline(always)]
    pub unsafe fn add<S: Shared>(&self, thread: Thread, step: u32, shared: &S, sums: &mut Sums) {
        let ([lane, warp], square) = (thread.thread, step % 2 * 16);
        for k in 0..4 {
            // SAFETY: These are positions in the squares, and all lanes do the same.
            unsafe {
                let rows = |lane| byte(loaded(lane, square + warp * 4 + k));
                let a = shared.matrices::<false>(lane, rows);
                for (n, [first, second]) in (0..).zip(sums.as_chunks_mut().0) {
                    let rows = |lane| SECOND + byte(loaded(lane, square + k * 4 + n));
                    let b = shared.matrices::<true>(lane, rows);
                    S::multiply(lane, a, b, 0, first);
                    S::multiply(lane, a, b, 1, second);
                }
            }
        }
    }

    /// Stores the sums of a thread.
    ///
    /// # Safety
    /// The pointer is that of an array with these sizes, and no other thread has the same position.
    #[inline(always)]
    pub unsafe fn store(&self, thread: Thread, sums: &Sums, c: *mut f32) {
        let [lane, warp] = thread.thread;
        let first_row = thread.block[1] * SQUARE + warp * 16 + lane / 4;
        let first_column = thread.block[0] * SQUARE + lane % 4 * 2;
        for (n, sums) in (0..).zip(sums) {
            for (k, &sum) in (0..).zip(sums) {
                let index = [first_row + k / 2 * 8, first_column + n * 8 + k % 2];
                if let Some(slot) = self.c.checked_offset(index) {
                    // SAFETY: The slot is in the array, and this thread's alone.
                    unsafe { *c.add(slot as usize) = sum }
                }
            }
        }
    }
}
