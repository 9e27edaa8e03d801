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
        if step == [1, 1] && src == dst {
            return copy(self.src, self.dst, at, count, src);
        }
        let extension = self.widths.extension();
        let [low, mask] = [src.min(dst), dst].map(|bits| ((1u16 << bits) - 1) as u8);
        for number in 0..count {
            let [from, to] = add(at, step, number);
            let (from, to) = (Place::of(from, src), Place::of(to, dst));
            let value = self.src[from.byte] >> from.shift & low;
            let value = extension.map_or(value, |step| step.word(value.into()) as u8);
            let byte = &mut self.dst[to.byte];
            *byte = *byte & !(mask << to.shift) | (value & mask) << to.shift;
        }
    }
}
