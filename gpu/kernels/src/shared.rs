//! Memory that the threads of a block share.

/// Memory of `f32`s that the threads of a block share.
pub trait Shared {
    /// The number at a position.
    ///
    /// # Safety
    /// The position is in the memory, and what was stored there was waited for.
    unsafe fn load(&self, at: u32) -> f32;

    /// Stores a number at a position.
    ///
    /// # Safety
    /// The position is in the memory, and no other thread uses it before the next wait.
    unsafe fn store(&self, at: u32, number: f32);
}

/// Most `f32`s that a kernel here shares.
pub const SIZE: usize = 2 * 32 * 33;

#[cfg(target_arch = "nvptx64")]
pub use block::Block;

#[cfg(target_arch = "nvptx64")]
mod block {
    use core::arch::{asm, global_asm};

    use super::{SIZE, Shared};

    // A `static` of Rust is in global memory: that of a block is declared in PTX.
    global_asm!(".shared .align 16 .b8 BLOCK_MEMORY[{}];", const SIZE * 4);

    /// The memory of this block.
    #[derive(Clone, Copy, Debug)]
    pub struct Block {
        address: u32,
    }

    impl Block {
        /// The memory; a kernel uses it for one purpose at a time.
        #[inline(always)]
        pub fn memory() -> Block {
            let address;
            // SAFETY: This reads an address.
            unsafe {
                asm!("mov.u32 {}, BLOCK_MEMORY;", out(reg32) address, options(pure, nomem, nostack));
            }
            Block { address }
        }
    }

    impl Shared for Block {
        #[inline(always)]
        unsafe fn load(&self, at: u32) -> f32 {
            let number;
            // SAFETY: The caller says that the position is in the memory.
            unsafe {
                asm!("ld.shared.f32 {}, [{}];", out(reg32) number, in(reg32) self.address + at * 4,
                    options(readonly, nostack));
            }
            number
        }

        #[inline(always)]
        unsafe fn store(&self, at: u32, number: f32) {
            // SAFETY: The caller says that the position is in the memory, and this thread's.
            unsafe {
                asm!("st.shared.f32 [{}], {};", in(reg32) self.address + at * 4, in(reg32) number,
                    options(nostack));
            }
        }
    }
}
