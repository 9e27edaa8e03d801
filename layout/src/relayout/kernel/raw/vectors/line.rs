//! Writing stretches of bytes, around the cache by whole lines.

use core::ptr::copy_nonoverlapping;

use crate::relayout::kernel::raw::size::LINE;
use crate::relayout::kernel::raw::vector::Vector;

/// The end of a stretch that fills no line yet.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Carry {
    bytes: [u8; LINE],
    /// The bytes of the line that are held: from here ..
    from: usize,
    /// .. to here.
    to: usize,
    /// Address of the line.
    line: *mut u8,
}

impl Carry {
    pub(crate) const EMPTY: Carry =
        Carry { bytes: [0; LINE], from: 0, to: 0, line: core::ptr::null_mut() };

    /// Whether what is held goes on at `dst`.
    #[inline(always)]
    pub(crate) fn ends_at(&self, dst: *mut u8) -> bool {
        self.to > self.from && self.line.wrapping_add(self.to) == dst
    }

    /// Writes what is held.
    ///
    /// # Safety
    /// What was given to `put` can still be written to.
    #[inline(always)]
    pub(crate) unsafe fn flush(&mut self) {
        if self.to > self.from {
            let length = self.to - self.from;
            // SAFETY: the bytes that are held were given to `put` for this place in the line, and the caller
            // vouches that it can still be written to.
            unsafe {
                let held = self.bytes.as_ptr().add(self.from);
                // The line can begin before the destination.
                copy_nonoverlapping(held, self.line.wrapping_add(self.from), length);
            }
        }
        self.from = 0;
        self.to = 0;
    }

    /// Writes a stretch, whole lines around the cache; the rest of its last line is held, and filled by
    /// the next stretch if that goes on where this one ends.
    ///
    /// # Safety
    /// `length` bytes are readable at `src` and writable at `dst`, until the next `flush`; they do not
    /// overlap. The processor has the vector's instructions.
    #[inline(always)]
    pub(crate) unsafe fn put<V: Vector>(
        &mut self,
        mut src: *const u8,
        mut dst: *mut u8,
        length: usize,
    ) {
        let mut left = length;
        // SAFETY: every access stays within the `left` bytes at `src` and `dst`, or within `bytes`:
        // `phase + take` is at most `LINE`. A line is stored from `bytes` whole only if all of it was put.
        // Whole lines from `src` go to borders of lines, since `take` ends at one.
        unsafe {
            let phase = dst.addr() % LINE;
            let goes_on = self.ends_at(dst);
            if !goes_on {
                self.flush();
            }
            if phase != 0 {
                if !goes_on {
                    self.line = dst.wrapping_sub(phase);
                    self.from = phase;
                    self.to = phase;
                }
                let take = if left < LINE - phase { left } else { LINE - phase };
                self.hold::<V>(src, phase, take);
                self.to += take;
                if self.to < LINE {
                    return;
                }
                if self.from == 0 {
                    emit::<V>(self.bytes.as_ptr(), self.line);
                    self.to = 0;
                } else {
                    self.flush();
                }
                src = src.add(take);
                dst = dst.add(take);
                left -= take;
            }
            while left >= LINE {
                emit::<V>(src, dst);
                src = src.add(LINE);
                dst = dst.add(LINE);
                left -= LINE;
            }
            if left > 0 {
                self.hold::<V>(src, 0, left);
                self.line = dst;
                self.from = 0;
                self.to = left;
            }
        }
    }

    /// Holds less than a line, from byte `first` of the line on.
    ///
    /// # Safety
    /// `count` bytes are readable at `src`, and `first + count` is at most `LINE`. The processor has the vector's
    /// instructions.
    #[inline(always)]
    unsafe fn hold<V: Vector>(&mut self, src: *const u8, first: usize, count: usize) {
        let bytes = self.bytes.as_mut_ptr();
        // SAFETY: the caller vouches for the bytes at `src` and that they fit in the line.
        unsafe {
            if V::HAS_PARTS {
                // A load of the whole line need not wait for the line's part to be in the cache, which it is only after
                // all earlier stores.
                let line = V::load(bytes);
                line.with_part(src.wrapping_sub(first), first, count).store(bytes);
            } else {
                copy_nonoverlapping(src, bytes.add(first), count);
            }
        }
    }
}

/// Writes a line around the cache.
///
/// # Safety
/// `LINE` bytes are readable at `src` and writable at `dst`, which is aligned to a line. The processor
/// has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn emit<V: Vector>(src: *const u8, dst: *mut u8) {
    let mut at = 0;
    while at < LINE {
        // SAFETY: `at + V::BYTES` is at most `LINE`, which `V::BYTES` divides, so that `dst + at` is aligned.
        unsafe { V::load(src.add(at)).stream(dst.add(at)) };
        at += V::BYTES;
    }
}

/// Copies a stretch through the cache.
///
/// # Safety
/// `length` bytes are readable at `src` and writable at `dst`; they do not overlap. The processor has
/// the vector's instructions.
#[inline(always)]
pub(super) unsafe fn copy<V: Vector>(src: *const u8, dst: *mut u8, length: usize) {
    // SAFETY: what a turn of a loop touches ends at most at `length`, which the loop asks, and the last vector ends there.
    unsafe {
        if length < V::BYTES || length > 8 * V::BYTES {
            return copy_nonoverlapping(src, dst, length);
        }
        let mut at = 0;
        while at + 4 * V::BYTES <= length {
            let vectors = [0, 1, 2, 3].map(
                #[inline(always)]
                |i| V::load(src.add(at + i * V::BYTES)),
            );
            vectors[0].store(dst.add(at));
            vectors[1].store(dst.add(at + V::BYTES));
            vectors[2].store(dst.add(at + 2 * V::BYTES));
            vectors[3].store(dst.add(at + 3 * V::BYTES));
            at += 4 * V::BYTES;
        }
        while at + V::BYTES <= length {
            V::load(src.add(at)).store(dst.add(at));
            at += V::BYTES;
        }
        if at < length {
            let at = length - V::BYTES;
            V::load(src.add(at)).store(dst.add(at));
        }
    }
}
