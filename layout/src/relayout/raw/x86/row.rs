//! A row of the destination that is written piece by piece, around the cache by whole lines wherever it
//! begins.

use core::mem::MaybeUninit;
use core::ptr::{copy, copy_nonoverlapping};

use super::line::{LINE, emit};
use super::vector::Vector;

/// Bytes of a piece at most.
pub(super) const PIECE: usize = 256;
/// Bytes that are held.
const HELD: usize = 1024;

/// The bytes of a row that are not written yet.
#[repr(align(64))]
pub(super) struct Row {
    bytes: [MaybeUninit<u8>; HELD],
    /// The bytes that are held: from here ..
    from: usize,
    /// .. to here.
    to: usize,
    /// Where the first of `bytes` belongs: the beginning of a line.
    line: *mut u8,
}

impl Row {
    pub const EMPTY: Row =
        Row { bytes: [MaybeUninit::uninit(); HELD], from: 0, to: 0, line: core::ptr::null_mut() };

    /// Room for a piece that belongs to `dst`, where the caller writes all of it before the next call.
    ///
    /// # Safety
    /// `length` bytes are writable at `dst` until the next `flush`, and `length` is at most `PIECE`. The
    /// processor has the vector's instructions.
    #[inline(always)]
    pub unsafe fn room<V: Vector>(&mut self, dst: *mut u8, length: usize) -> *mut u8 {
        // SAFETY: after `drain` less than a line is held, so that a piece fits.
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
            let room = self.bytes.as_mut_ptr().cast::<u8>().add(self.to);
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
        let bytes = self.bytes.as_mut_ptr().cast::<u8>();
        let mut at = 0;
        // SAFETY: the bytes from `from` to `to` were written by the caller of `room`, and belong to
        // `line` and behind it; whole lines lie within.
        unsafe {
            if self.from > 0 {
                if self.to < LINE {
                    return;
                }
                copy_nonoverlapping(
                    bytes.add(self.from),
                    self.line.add(self.from),
                    LINE - self.from,
                );
                at = LINE;
            }
            while at + LINE <= self.to {
                emit::<V>(bytes.add(at), self.line.add(at));
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
    pub unsafe fn flush<V: Vector>(&mut self) {
        // SAFETY: as above; what `drain` leaves is less than a line.
        unsafe {
            self.drain::<V>();
            let held = self.bytes.as_ptr().cast::<u8>().add(self.from);
            copy_nonoverlapping(held, self.line.wrapping_add(self.from), self.to - self.from);
        }
        self.from = 0;
        self.to = 0;
    }
}
