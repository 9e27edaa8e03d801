//! Memory that the threads of a block share, and what a warp does with it together.

use crate::arrays::{Operands, Squares};

/// Memory that the threads of a block share. Positions are in bytes.
pub trait Shared {
    /// The part of a lane of four 8×8 matrices of 16-bit elements.
    type Matrices: Copy;

    /// The word at a position.
    ///
    /// # Safety
    /// The position is in the memory, and what was stored there was waited for.
    unsafe fn load(&self, at: u32) -> u32;

    /// Stores a word at a position.
    ///
    /// # Safety
    /// The position is in the memory, and no other thread uses it before the next wait.
    unsafe fn store(&self, at: u32, word: u32);

    /// Starts a copy of 16 bytes from global memory to a position, or of zeros.
    ///
    /// # Safety
    /// As for [`store`](Self::store); both addresses are multiples of 16.
    unsafe fn copy(&self, at: u32, from: Option<*const u16>);

    /// Loads four matrices: lanes 8·i to 8·i+7 say where the rows of matrix i are. A lane gets two elements of row
    /// `lane / 4` of each, or of this column if they are transposed.
    ///
    /// # Safety
    /// As for [`load`](Self::load). All lanes of the warp do it, each with its number.
    unsafe fn matrices<const TRANSPOSED: bool>(
        &self,
        lane: u32,
        at: impl Fn(u32) -> u32,
    ) -> Self::Matrices;

    /// Adds to a lane's part of 16×8 sums the product of 16×16 elements (the matrices `a`) and 16×8 (two of the matrices `b`:
    /// the first half, or the second one).
    ///
    /// # Safety
    /// All lanes of the warp do it, each with its number.
    unsafe fn multiply(
        lane: u32,
        a: Self::Matrices,
        b: Self::Matrices,
        half: usize,
        sums: &mut [f32; 4],
    );
}

/// Bytes that a kernel shares: of the squares of words, and of the operands for tensor cores.
pub const SIZES: [usize; 2] = [Squares::ELEMENTS * 4, 2 * Operands::ELEMENTS * 2];

#[cfg(target_arch = "nvptx64")]
pub use block::Block;

#[cfg(target_arch = "nvptx64")]
mod block {
    use core::arch::{asm, global_asm};
    use core::ptr::null;

    use super::{SIZES, Shared};

    // A `static` of Rust is in global memory: that of a block is declared in PTX. Bank 0 is at multiples of 128.
    global_asm!(".shared .align 128 .b8 SQUARES[{}];", const SIZES[0]);
    global_asm!(".shared .align 128 .b8 OPERANDS[{}];", const SIZES[1]);

    /// The memory of this block.
    #[derive(Clone, Copy, Debug)]
    pub struct Block {
        address: u32,
    }

    impl Block {
        /// The memory of a kernel of squares of words.
        #[inline(always)]
        pub fn squares() -> Block {
            let address;
            // SAFETY: This reads an address.
            unsafe {
                asm!("mov.u32 {}, SQUARES;", out(reg32) address, options(pure, nomem, nostack));
            }
            Block { address }
        }

        /// The memory of a kernel for tensor cores.
        #[inline(always)]
        pub fn operands() -> Block {
            let address;
            // SAFETY: This reads an address.
            unsafe {
                asm!("mov.u32 {}, OPERANDS;", out(reg32) address, options(pure, nomem, nostack));
            }
            Block { address }
        }

        /// Ends a group of this thread's copies.
        #[inline(always)]
        pub fn end_copies(&self) {
            // SAFETY: This changes no memory that is read before a wait.
            unsafe { asm!("cp.async.commit_group;", options(nostack)) }
        }

        /// Waits for all groups of this thread's copies but the last one.
        #[inline(always)]
        pub fn wait_for_copies(&self) {
            // SAFETY: This only waits.
            unsafe { asm!("cp.async.wait_group 1;", options(nostack)) }
        }
    }

    impl Shared for Block {
        type Matrices = [u32; 4];

        #[inline(always)]
        unsafe fn load(&self, at: u32) -> u32 {
            let word;
            // SAFETY: The caller says that the position is in the memory.
            unsafe {
                asm!("ld.shared.u32 {}, [{}];", out(reg32) word, in(reg32) self.address + at,
                    options(readonly, nostack));
            }
            word
        }

        #[inline(always)]
        unsafe fn store(&self, at: u32, word: u32) {
            // SAFETY: The caller says that the position is in the memory, and this thread's.
            unsafe {
                asm!("st.shared.u32 [{}], {};", in(reg32) self.address + at, in(reg32) word,
                    options(nostack));
            }
        }

        #[inline(always)]
        unsafe fn copy(&self, at: u32, from: Option<*const u16>) {
            let (from, bytes) = from.map_or((null(), 0), |from| (from, 16));
            // SAFETY: The caller says that the position is in the memory, and this thread's. What is not read is zeros.
            unsafe {
                asm!("{{ .reg .u64 from; cvta.to.global.u64 from, {1};",
                    "cp.async.cg.shared.global [{0}], [from], 16, {2}; }}",
                    in(reg32) self.address + at, in(reg64) from, in(reg32) bytes, options(nostack));
            }
        }

        #[inline(always)]
        unsafe fn matrices<const TRANSPOSED: bool>(
            &self,
            lane: u32,
            at: impl Fn(u32) -> u32,
        ) -> [u32; 4] {
            let at = self.address + at(lane);
            let [a, b, c, d];
            macro_rules! load {
                ($transposed:literal) => {
                    asm!(concat!("ldmatrix.sync.aligned.m8n8.x4", $transposed,
                        ".shared.b16 {{{}, {}, {}, {}}}, [{}];"), out(reg32) a, out(reg32) b, out(reg32) c,
                        out(reg32) d, in(reg32) at, options(readonly, nostack))
                };
            }
            // SAFETY: The caller says that the positions are in the memory.
            unsafe { if TRANSPOSED { load!(".trans") } else { load!("") } }
            [a, b, c, d]
        }

        #[inline(always)]
        unsafe fn multiply(_: u32, a: [u32; 4], b: [u32; 4], half: usize, sums: &mut [f32; 4]) {
            let [s, t, u, v] = sums;
            // SAFETY: This uses registers only.
            unsafe {
                asm!("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
                    "{{{0}, {1}, {2}, {3}}}, {{{4}, {5}, {6}, {7}}}, {{{8}, {9}}}, {{{0}, {1}, {2}, {3}}};",
                    inout(reg32) *s, inout(reg32) *t, inout(reg32) *u, inout(reg32) *v,
                    in(reg32) a[0], in(reg32) a[1], in(reg32) a[2], in(reg32) a[3],
                    in(reg32) b[2 * half], in(reg32) b[2 * half + 1], options(nomem, nostack));
            }
        }
    }
}
