//! Moving elements in safe code: what no kernel is for.

use core::mem::MaybeUninit;

use crate::kernel::block::{Mover, add};

/// Moves elements between slices.
pub(crate) struct Portable<'a> {
    pub src: &'a [MaybeUninit<u8>],
    pub dst: &'a mut [MaybeUninit<u8>],
    pub size: usize,
}

impl Mover for Portable<'_> {
    fn elements(&mut self, at: [usize; 2], count: usize, step: [usize; 2]) {
        let at = at.map(|slot| slot.wrapping_mul(self.size));
        if step == [1, 1] {
            return self.line::<0>(at, 1, [0; 2], count * self.size);
        }
        let step = step.map(|slots| slots.wrapping_mul(self.size));
        match self.size {
            1 => self.line::<1>(at, count, step, 1),
            2 => self.line::<2>(at, count, step, 2),
            4 => self.line::<4>(at, count, step, 4),
            8 => self.line::<8>(at, count, step, 8),
            16 => self.line::<16>(at, count, step, 16),
            bytes => self.line::<0>(at, count, step, bytes),
        }
    }
}

impl Portable<'_> {
    /// `bytes` bytes at each of some places, which are `N` if that is not 0.
    fn line<const N: usize>(
        &mut self,
        at: [usize; 2],
        count: usize,
        step: [usize; 2],
        bytes: usize,
    ) {
        let bytes = if N == 0 { bytes } else { N };
        for number in 0..count {
            let [from, to] = add(at, step, number);
            self.dst[to..][..bytes].copy_from_slice(&self.src[from..][..bytes]);
        }
    }
}
