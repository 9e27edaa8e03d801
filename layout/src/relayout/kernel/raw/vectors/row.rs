//! A row of the destination that is written piece by piece, around the cache by whole lines wherever it
//! begins.

use core::array::from_fn;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::{copy, copy_nonoverlapping, null_mut};

use crate::relayout::kernel::raw::vectors::line::{LINE, emit};
use crate::relayout::kernel::raw::vectors::vector::Vector;

/// Bytes of a piece at most.
pub(super) const PIECE: usize = 256;
/// Bytes that are held.
const HELD: usize = 1024;

/// Where the bytes of `N` rows are held.
#[repr(align(64))]
pub(super) struct Memory<const N: usize> {
    _rows: [[u8; HELD]; N],
}

/// The bytes of a row that are not written yet.
pub(super) struct Row<'a> {
    /// `HELD` bytes, of which those are initialised that are held.
    bytes: *mut u8,
    /// The bytes that are held: from here ..
    from: usize,
    /// .. to here.
    to: usize,
    /// Where the first of `bytes` belongs: the beginning of a line, which can lie before the destination, so
    /// that only `wrapping_add` starts from here.
    line: *mut u8,
    lives: PhantomData<&'a mut u8>,
}

impl Row<'_> {
    /// Rows that hold nothing, in memory that begins at a line. It is not written: that takes as long as
    /// a small array.
    #[inline(always)]
    pub(crate) fn of<const N: usize>(memory: &mut MaybeUninit<Memory<N>>) -> [Row<'_>; N] {
        let first = memory.as_mut_ptr().cast::<u8>();
        from_fn(|number| Row {
            bytes: first.wrapping_add(number * HELD),
            from: 0,
            to: 0,
            line: null_mut(),
            lives: PhantomData,
        })
    }

    /// Room for a piece that belongs to `dst`.
    ///
    /// # Safety
    /// `length` bytes are writable at `dst` until the next `flush`, and `length` is at most `PIECE`. The
    /// caller writes all of the room before the next call of any function of this row. The processor has the
    /// vector's instructions.
    #[inline(always)]
    pub(crate) unsafe fn room<V: Vector>(&mut self, dst: *mut u8, length: usize) -> *mut u8 {
        // SAFETY: earlier rooms were written, and belong where their callers said. After `flush` and after
        // `drain` the piece begins within the first line, and `LINE + PIECE` is at most `HELD`; otherwise the
        // piece was found to fit.
        unsafe {
            if self.to == self.from || self.line.wrapping_add(self.to) != dst {
                self.flush::<V>();
                let phase = dst.addr() % LINE;
                self.line = dst.wrapping_sub(phase);
                self.from = phase;
                self.to = phase;
            } else if self.to + length > HELD {
                self.drain::<V>();
            }
            let room = self.bytes.add(self.to);
            self.to += length;
            room
        }
    }

    /// Writes the whole lines that are held.
    ///
    /// # Safety
    /// What was given to `room` can still be written to, and was written there. The processor has the
    /// vector's instructions.
    unsafe fn drain<V: Vector>(&mut self) {
        let bytes = self.bytes;
        let mut at = 0;
        // SAFETY: the bytes from `from` to `to` were written by the callers of `room`, and belong at the same
        // distance from `line`, where they said that it can be written. What is copied here lies within them:
        // the end of the first line if that was reached, then whole lines, which are aligned in both places
        // since the memory begins at a line. What is left moves within the memory.
        unsafe {
            if self.from > 0 {
                if self.to < LINE {
                    return;
                }
                let to = self.line.wrapping_add(self.from);
                copy_nonoverlapping(bytes.add(self.from), to, LINE - self.from);
                at = LINE;
            }
            while at + LINE <= self.to {
                emit::<V>(bytes.add(at), self.line.wrapping_add(at));
                at += LINE;
            }
            copy(bytes.add(at), bytes, self.to - at);
        }
        self.line = self.line.wrapping_add(at);
        self.from = 0;
        self.to -= at;
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
            let held = self.bytes.add(self.from);
            copy_nonoverlapping(held, self.line.wrapping_add(self.from), self.to - self.from);
        }
        self.from = 0;
        self.to = 0;
    }
}
