//! Strides that no layout has: of memory that says itself where its elements lie.
//!
//! A stride below 0 is its two's complement: offsets are sums modulo 2⁶⁴, and of their lowest bits where `usize` has fewer. All that
//! computes with them wraps around, and no sum of an element's is outside of its memory, since whoever makes a plan has looked. What a
//! kernel takes to be contiguous has strides above 0; its rows and columns may come one before another.

use crate::loops::{Loop, Plan};
use layout_core::Size;

/// Elements of the innermost loop from which on it is one of its own.
const LONG: Size = 16;

/// How far a step of a stride goes, in either direction.
pub(super) const fn distance(stride: Size) -> Size {
    stride.cast_signed().unsigned_abs()
}

impl Plan {
    /// Counts dimensions of one digit from their last value on, where its smaller stride is below 0: then it is above 0.
    pub(super) const fn turn_forward(&mut self) {
        each!(for i in 0..self.len as usize {
            let Loop { unit, extent, src, dst } = self.loops[i];
            let smaller = if src != 0 && distance(src) < distance(dst) { src } else { dst };
            let is_all = unit == 1 && extent == self.sizes[self.dims[i] as usize];
            if smaller.cast_signed() < 0 && is_all {
                let (last, strides) = (extent - 1, [src, dst]);
                each!(for side in 0..2 {
                    let skipped = strides[side].wrapping_mul(last);
                    self.first[side] = self.first[side].wrapping_add(skipped);
                });
                (self.loops[i].src, self.loops[i].dst) = (src.wrapping_neg(), dst.wrapping_neg());
            }
        });
    }

    /// For memory whose first element lies at these slots of the source and of the destination.
    // Inline: where both numbers have just been stored one by one, a load of them as one vector waits for the stores.
    #[inline(always)]
    pub const fn begin_at(&mut self, first: [Size; 2]) {
        each!(for side in 0..2 {
            self.first[side] = self.first[side].wrapping_add(first[side]);
        });
        if !self.has_layout_strides() {
            (self.exchanges_bits, self.is_scattered) = (false, true);
        }
    }

    /// Whether all strides are those of layouts: above 0, from slot 0 on.
    pub const fn has_layout_strides(&self) -> bool {
        let mut are = self.first[0] == 0 && self.first[1] == 0 && !self.is_scattered;
        if !self.is_general() {
            each!(for number in 0..self.len as usize {
                let digit = &self.loops[number];
                let is_forward = digit.src.cast_signed() > 0 && digit.dst.cast_signed() > 0;
                are &= digit.extent < 2 || is_forward;
            });
        }
        are
    }

    /// The loops that are nearest in the source and in the destination; that of the destination is none, if one loop is both and
    /// long, or if there is one.
    pub(super) const fn nearest(&self) -> [usize; 2] {
        let len = self.len as usize;
        let of_dst = self.nearest_of(1, len);
        let other = self.nearest_of(0, of_dst);
        let is_long = of_dst < len && self.loops[of_dst].extent >= LONG;
        if other == len || is_long && of_dst == self.nearest_of(0, len) {
            [of_dst, len]
        } else {
            [other, of_dst]
        }
    }

    /// The loop, but for one, with the smallest steps in the source (0) or in the destination (1).
    const fn nearest_of(&self, side: usize, but: usize) -> usize {
        let (mut nearest, mut steps) = (self.len as usize, 0);
        each!(for i in 0..self.len as usize {
            let Loop { extent, src, dst, .. } = self.loops[i];
            let step = distance([src, dst][side]);
            if extent > 1 && i != but && (nearest == self.len as usize || step < steps) {
                (nearest, steps) = (i, step);
            }
        });
        nearest
    }
}
