//! Where a thread stands in its grid.

/// A thread: its position in its block, and the block's in the grid.
#[derive(Clone, Copy, Debug)]
pub struct Thread {
    /// Position in the block: x, y.
    pub thread: [u32; 2],
    /// Position of the block in the grid: x, y, z.
    pub block: [u32; 3],
}

/// The thread that runs this.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn this() -> Thread {
    use core::arch::nvptx::*;
    // SAFETY: These read special registers, which every thread has.
    unsafe {
        Thread {
            thread: [_thread_idx_x(), _thread_idx_y()],
            block: [_block_idx_x(), _block_idx_y(), _block_idx_z()],
        }
    }
}

/// The thread that runs this.
#[cfg(target_arch = "amdgpu")]
#[inline(always)]
pub fn this() -> Thread {
    use core::arch::amdgpu::*;
    Thread {
        thread: [workitem_id_x(), workitem_id_y()],
        block: [workgroup_id_x(), workgroup_id_y(), workgroup_id_z()],
    }
}

/// Waits until all threads of the block are here, and sees what they wrote.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn wait_for_block() {
    // SAFETY: Every thread of a block calls this equally often.
    unsafe { core::arch::nvptx::_syncthreads() }
}
