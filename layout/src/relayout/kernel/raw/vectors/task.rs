//! What a kernel is told to do.

use crate::relayout::kernel::block::Axis;
use crate::relayout::kernel::raw::vectors::row::HeldRow;
use crate::relayout::policy::HELD_ROWS;

/// What a kernel does, in bytes: `count` blocks, evenly spaced, of `q` by `p` elements; for runs `p` is
/// their length. `q` lies `q_src` apart in the source where it is one digit, and so on.
pub(super) struct KernelTask<'a> {
    pub src: *const u8,
    pub dst: *mut u8,
    pub count: usize,
    pub step: [usize; 2],
    pub q: usize,
    pub p: usize,
    pub q_src: usize,
    pub p_dst: usize,
    pub q_axis: Axis,
    pub p_axis: Axis,
    /// Rows of the destination that later blocks go on with, one for each of `HELD_ROWS` blocks; none where stores do not go
    /// around the cache.
    pub rows: &'a mut [HeldRow],
    /// Whether the general path's stores go around the cache.
    pub streams: bool,
}

impl KernelTask<'_> {
    /// Where a block lies.
    #[inline(always)]
    pub(super) fn place(&self, i: usize) -> (*const u8, *mut u8) {
        (self.src.wrapping_add(i * self.step[0]), self.dst.wrapping_add(i * self.step[1]))
    }

    /// After how many blocks one may go on with the rows of the first: with so many bytes of a row, each block does where
    /// they follow one another in the destination.
    #[inline(always)]
    pub(super) fn turns(&self, length: usize) -> usize {
        if self.step[1] == length { 1 } else { HELD_ROWS }
    }
}

impl Axis {
    /// The axis in bytes, of elements of that size.
    pub(super) fn scaled(&self, size: usize) -> Axis {
        let scale = |[src, dst]: [usize; 2]| [src * size, dst * size];
        let mut axis = *self;
        (axis.near, axis.far) = (scale(self.near), scale(self.far));
        axis
    }

    /// Where a value of the counter lies, and those that follow it.
    #[inline(always)]
    pub(super) fn offsets(&self, first: usize, side: usize, to: &mut [usize]) {
        let (near, far) = (self.near[side], self.far[side]);
        let mut minor = first;
        let mut base = 0;
        if first >= self.minor {
            minor = first % self.minor;
            base = first / self.minor * far;
        }
        for offset in to {
            *offset = base + minor * near;
            minor += 1;
            if minor == self.minor {
                minor = 0;
                base += far;
            }
        }
    }
}
