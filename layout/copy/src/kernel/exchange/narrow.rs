//! Elements one by one, for layouts that share no split, and stretches that both layouts have.

use crate::kernel::block::{Mover, add};
use crate::kernel::exchange::bits::{Place, copy};
use crate::kernel::exchange::widths::Widths;

/// Moves elements of less than a byte.
pub(crate) struct Narrow<'a> {
    pub widths: Widths,
    pub src: &'a [u8],
    pub dst: &'a mut [u8],
    /// The slots at which the elements begin.
    pub at: [usize; 2],
}

impl Mover for Narrow<'_> {
    fn elements(&mut self, at: [usize; 2], count: usize, step: [usize; 2]) {
        let Widths { src, dst, .. } = self.widths;
        let at = add(self.at, at, 1);
        let mirrors = [0, 1].map(|side| self.widths.mirror(side));
        if step == [1, 1] && src == dst {
            return copy(self.src, self.dst, at, count, src, mirrors);
        }
        let [low, mask] = [src.min(dst), dst].map(|bits| ((1u16 << bits) - 1) as u8);
        for number in 0..count {
            let [from, to] = add(at, step, number);
            let (from, to) =
                (Place::mirrored(from, src, mirrors[0]), Place::mirrored(to, dst, mirrors[1]));
            let value = self.src[from.byte] >> from.shift & low;
            let byte = &mut self.dst[to.byte];
            *byte = *byte & !(mask << to.shift) | self.widths.widened(value) << to.shift;
        }
    }
}
