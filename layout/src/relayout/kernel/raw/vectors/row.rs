//! Rows of the destination that begin anywhere in a line and are written in turns, around the cache by whole lines.

use core::ptr::{copy_nonoverlapping, null_mut};

use crate::relayout::kernel::raw::machine::prefetch;
use crate::relayout::kernel::raw::size::LINE;
use crate::relayout::kernel::raw::vector::Vector;
use crate::relayout::kernel::raw::vectors::line::emit;
use crate::relayout::policy::HELD_PIECE;

/// A row of the destination, and its bytes that are not written yet: those of the last piece and the line in which it began.
///
/// They are written when the next piece comes: a load of what several stores have written waits for all stores before them,
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
            if self.line.wrapping_add(self.to) == dst {
                self.drain::<V>();
            } else {
                self.flush::<V>();
                // Part of this line is another row's: it is read when this one's part is written.
                prefetch(dst);
                let phase = dst.addr() % LINE;
                self.line = dst.wrapping_sub(phase);
                self.from = phase;
                self.to = phase;
            }
            let room = self.bytes.as_mut_ptr().add(self.to);
            self.to += length;
            room
        }
    }

    /// Writes the whole lines that are held, and the end of the first one if it is held from its middle on.
    ///
    /// # Safety
    /// What was given to `room` can still be written to, and was written there. The processor has the
    /// vector's instructions.
    #[inline(always)]
    unsafe fn drain<V: Vector>(&mut self) {
        let whole = self.to / LINE * LINE;
        if whole == 0 {
            return;
        }
        let bytes = self.bytes.as_mut_ptr();
        let mut at = 0;
        // SAFETY: the bytes from `from` to `to` belong at the same distance from `line`, where the callers of `room` said
        // that it can be written. What is copied there lies within them: the end of the first line, then whole lines,
        // which are aligned in both places. The line that is moved lies within `bytes`, since `to` is less than their
        // number.
        unsafe {
            if self.from > 0 {
                let to = self.line.wrapping_add(self.from);
                copy_nonoverlapping(bytes.add(self.from), to, LINE - self.from);
                at = LINE;
            }
            while at < whole {
                emit::<V>(bytes.add(at), self.line.wrapping_add(at));
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
    /// As `drain`.
    pub(crate) unsafe fn flush<V: Vector>(&mut self) {
        // SAFETY: the caller vouches for what `drain` asks. What it leaves was written too, and belongs at the
        // same distance from `line`. If nothing is held, no bytes are copied, which may be from and to anywhere.
        unsafe {
            self.drain::<V>();
            let held = self.bytes.as_ptr().add(self.from);
            copy_nonoverlapping(held, self.line.wrapping_add(self.from), self.to - self.from);
        }
        self.from = 0;
        self.to = 0;
    }
}
