//! Rows of the destination that begin anywhere in a line, around the cache by whole lines.

use core::ptr::{copy_nonoverlapping, null_mut};

use crate::kernel::raw::machine::{Smallest, prefetch};
use crate::kernel::raw::size::LINE;
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::line::emit;
use crate::policy::HELD_PIECE;

/// A row of the destination, and its bytes that are not written yet: the end of what was `put`, which fills no line, or the
/// last piece that was given `room` and the line in which it began.
///
/// Such a piece is written when the next one comes: a load of what several stores have written waits for all stores before them,
/// and those around the cache take long. A row lies within a page: a store that runs into the next one takes ten times as
/// long.
#[derive(Clone, Copy)]
#[repr(align(512))]
pub(super) struct HeldRow {
    bytes: [u8; LINE + HELD_PIECE],
    /// The bytes that are held: from here, in the first line, ..
    from: usize,
    /// .. to here.
    to: usize,
    /// Where the first of `bytes` belongs: the beginning of a line, which can lie before the destination, so
    /// that only `wrapping_add` starts from here.
    line: *mut u8,
}

impl HeldRow {
    pub(crate) const EMPTY: HeldRow =
        HeldRow { bytes: [0; LINE + HELD_PIECE], from: 0, to: 0, line: null_mut() };

    /// Whether what is held goes on at `dst`.
    #[inline(always)]
    pub(crate) fn ends_at(&self, dst: *mut u8) -> bool {
        self.line.wrapping_add(self.to) == dst
    }

    /// Writes what is held, and goes on at `dst`.
    ///
    /// # Safety
    /// The conditions of `flush`.
    #[inline(always)]
    unsafe fn begin(&mut self, dst: *mut u8) {
        if self.to > self.from {
            // SAFETY: what the caller vouches for.
            unsafe { self.flush() };
        }
        let phase = dst.addr() % LINE;
        self.line = dst.wrapping_sub(phase);
        self.from = phase;
        self.to = phase;
    }

    /// Room for a piece that belongs to `dst`.
    ///
    /// # Safety
    /// `length` bytes are writable at `dst` until the next `flush`, and `length` is at most `HELD_PIECE`. The
    /// caller writes all of the room before the next call of any function of this row. The processor has the
    /// vector's instructions.
    #[inline(always)]
    pub(crate) unsafe fn room<V: Vector>(&mut self, dst: *mut u8, length: usize) -> *mut u8 {
        // SAFETY: earlier rooms were written, and belong where their callers said. The piece begins within the first line.
        unsafe {
            if self.ends_at(dst) {
                self.drain::<V>();
            } else {
                self.begin(dst);
                // Part of this line is another row's: it is read when this one's part is written.
                prefetch(dst);
            }
            let room = self.bytes.as_mut_ptr().add(self.to);
            self.to += length;
            room
        }
    }

    /// Writes a stretch, whole lines around the cache; the rest of its last line is held, and filled by
    /// the next stretch if that goes on where this one ends.
    ///
    /// # Safety
    /// `length` bytes are readable at `src` and writable at `dst`, until the next `flush`; they do not
    /// overlap. `room` is not used for this row. The processor has the vector's instructions.
    #[inline(always)]
    pub(crate) unsafe fn put<V: Vector>(
        &mut self,
        mut src: *const u8,
        mut dst: *mut u8,
        length: usize,
    ) {
        let mut left = length;
        // SAFETY: every access stays within the `left` bytes at `src` and `dst`, or within the first line of `bytes`, of which
        // all from `from` to `to` was put. Whole lines from `src` go to borders of lines, since what fills the line that
        // is held ends at one.
        unsafe {
            if !self.ends_at(dst) {
                self.begin(dst);
            }
            // What is held ends there; the address need not be loaded.
            let phase = dst.addr() % LINE;
            if phase > 0 {
                let take = if left < LINE - phase { left } else { LINE - phase };
                self.hold::<V>(src, phase, take);
                if self.to < LINE {
                    return;
                }
                if self.from == 0 {
                    emit::<V>(self.bytes.as_ptr(), self.line, true);
                    self.to = 0;
                } else {
                    self.flush();
                }
                src = src.add(take);
                dst = dst.add(take);
                left -= take;
            }
            while left >= LINE {
                emit::<V>(src, dst, true);
                src = src.add(LINE);
                dst = dst.add(LINE);
                left -= LINE;
            }
            self.line = dst;
            if left > 0 {
                self.hold::<V>(src, 0, left);
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
        self.to = first + count;
    }

    /// Writes the whole lines that are held, and the end of the first one if it is held from its middle on.
    ///
    /// # Safety
    /// The conditions of `flush`, and the processor has the vector's instructions.
    #[inline(always)]
    unsafe fn drain<V: Vector>(&mut self) {
        let whole = self.to / LINE * LINE;
        if whole == 0 {
            return;
        }
        let bytes = self.bytes.as_mut_ptr();
        let mut at = 0;
        // SAFETY: the bytes from `from` to `to` belong at the same distance from `line`, where the callers of `room` and `put`
        // said that it can be written. What is copied there lies within them: the end of the first line, then whole lines,
        // which are aligned in both places. The line that is moved lies within `bytes`, since `to` is less than their
        // number; it is initialised, as all of them are.
        unsafe {
            if self.from > 0 {
                let to = self.line.wrapping_add(self.from);
                copy_nonoverlapping(bytes.add(self.from), to, LINE - self.from);
                at = LINE;
            }
            while at < whole {
                emit::<V>(bytes.add(at), self.line.wrapping_add(at), true);
                at += LINE;
            }
            let mut byte = 0;
            while byte < LINE {
                V::load(bytes.add(whole + byte)).store(bytes.add(byte));
                byte += V::BYTES;
            }
        }
        self.line = self.line.wrapping_add(whole);
        self.from = 0;
        self.to -= whole;
    }

    /// Writes all that is held.
    ///
    /// # Safety
    /// What was given to `room` and to `put` can still be written to, and a room was written. The processor has the smallest
    /// vector's instructions.
    #[inline]
    pub(crate) unsafe fn flush(&mut self) {
        // SAFETY: the caller vouches for what `drain` asks. What it leaves was written too, and belongs at the
        // same distance from `line`.
        unsafe {
            self.drain::<Smallest>();
            let held = self.bytes.as_ptr().add(self.from);
            copy_nonoverlapping(held, self.line.wrapping_add(self.from), self.to - self.from);
        }
        self.from = 0;
        self.to = 0;
    }
}
