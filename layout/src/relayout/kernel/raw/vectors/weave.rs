//! Rows of the source side by side, and the reverse, by zipping and unzipping vectors.

use core::array::from_fn;
use core::ptr::copy_nonoverlapping;

use crate::relayout::kernel::raw::machine::{Smallest, prefetch};
use crate::relayout::kernel::raw::size::LINE;
use crate::relayout::kernel::raw::vector::Vector;
use crate::relayout::kernel::raw::vectors::ahead::{Along, ask_ahead};
use crate::relayout::kernel::raw::vectors::task::KernelTask;
use crate::relayout::policy::{HELD_PIECE, HELD_ROWS};

/// `K` rows of elements of `W` bytes, and one row that has their elements in turns. The first `TAKEN` of the rows are taken
/// from it, or, if that is 0, it is put together from all of them. What is read is not written to.
pub(super) struct Weave<const W: usize, const K: usize, const TAKEN: usize> {
    pub woven: *mut u8,
    pub rows: [*mut u8; K],
}

impl<const W: usize, const K: usize, const TAKEN: usize> Weave<W, K, TAKEN> {
    /// Rows that lie `apart`.
    #[inline(always)]
    pub(super) fn new(woven: *mut u8, first: *mut u8, apart: usize) -> Self {
        let rows = from_fn(
            #[inline(always)]
            |row| first.wrapping_add(row * apart),
        );
        Weave { woven, rows }
    }

    /// Moves `N` vectors of each row, from byte `at` of it on, around the cache if `streams`.
    ///
    /// # Safety
    /// On the side that is read, `N` vectors of each row are readable there, and writable on the other side, at multiples of
    /// a vector if `streams`. The processor has the vector's instructions.
    #[inline(always)]
    unsafe fn vectors<V: Vector, const N: usize>(&self, at: usize, streams: bool) {
        const { assert!(TAKEN > 0 || N == 1) };
        // SAFETY: vector `i` of a row begins `i * V::BYTES` after `at`, and `K` times as far in the woven row.
        unsafe {
            if TAKEN == 0 {
                let mut vectors = [V::load(self.rows[0].add(at)); K];
                let mut row = 1;
                while row < K {
                    vectors[row] = V::load(self.rows[row].add(at));
                    row += 1;
                }
                return V::store_zipped::<W, K>(vectors, self.woven.add(at * K), streams);
            }
            let mut vectors = [V::load_unzipped::<W, K>(self.woven.add(at * K)); N];
            let mut i = 1;
            while i < N {
                vectors[i] = V::load_unzipped::<W, K>(self.woven.add((at + i * V::BYTES) * K));
                i += 1;
            }
            let mut row = 0;
            while row < TAKEN {
                let mut i = 0;
                while i < N {
                    vectors[i][row].write(self.rows[row].add(at + i * V::BYTES), streams);
                    i += 1;
                }
                row += 1;
            }
        }
    }

    /// Moves whole vectors of each row, `N` at once. Returns where that ends, less than these before `length`.
    ///
    /// # Safety
    /// As `vectors`, for the `length` bytes of each row; `at` is a multiple of what is moved at once.
    #[inline(always)]
    pub(super) unsafe fn whole<V: Vector, const N: usize>(
        &self,
        mut at: usize,
        length: usize,
        streams: bool,
    ) -> usize {
        while at + N * V::BYTES <= length {
            // SAFETY: the vectors end at most at `length`.
            unsafe { self.vectors::<V, N>(at, streams) };
            at += N * V::BYTES;
        }
        at
    }

    /// Moves all from byte `at` of each row on, through the cache.
    ///
    /// # Safety
    /// `length` bytes of each row, and `K` times as many of the woven one, are readable on the side that is read and writable
    /// on the other one; they are whole elements. The processor has the vector's instructions.
    #[inline(always)]
    pub(super) unsafe fn rest<V: Vector>(&self, at: usize, length: usize) {
        // SAFETY: the caller vouches for `length` bytes.
        unsafe {
            let at = self.whole::<V, 1>(at, length, false);
            self.short(at, length, false);
        }
    }

    /// Moves what is less than a vector of each row, from byte `at` on, in the smallest vectors. The last one overlaps what is
    /// before it.
    ///
    /// # Safety
    /// As `rest`; if `streams`, all rows that are written are at `at` at multiples of a vector.
    #[inline(always)]
    unsafe fn short(&self, mut at: usize, length: usize, streams: bool) {
        if at < length && length < Smallest::BYTES {
            // SAFETY: the caller vouches for `length` bytes.
            return unsafe { self.elements(length) };
        }
        while at < length {
            let is_whole = at + Smallest::BYTES <= length;
            if !is_whole {
                at = length - Smallest::BYTES;
            }
            // SAFETY: the vectors end at most at `length`, and those that go around the cache follow one another from the
            // first `at`.
            unsafe { self.vectors::<Smallest, 1>(at, streams && is_whole) };
            at += Smallest::BYTES;
        }
    }

    /// Moves rows of less than the smallest vector. Out of line, so that it takes no registers from the loop over the vectors.
    ///
    /// # Safety
    /// As `rest`.
    #[cold]
    #[inline(never)]
    unsafe fn elements(&self, length: usize) {
        for at in (0..length).step_by(W) {
            // SAFETY: `length` is a multiple of `W`, so that an element at `at` ends at most there.
            unsafe { self.element(at) };
        }
    }

    /// Moves the element at byte `at` of each row.
    ///
    /// # Safety
    /// The elements are readable on the side that is read, and writable on the other one.
    #[inline(always)]
    pub(super) unsafe fn element(&self, at: usize) {
        let count = if TAKEN == 0 { K } else { TAKEN };
        let mut row = 0;
        while row < count {
            // SAFETY: the caller vouches for the elements.
            unsafe {
                let (own, woven) = (self.rows[row].add(at), self.woven.add(at * K + row * W));
                let (from, to) = if TAKEN == 0 { (own, woven) } else { (woven, own) };
                copy_nonoverlapping(from, to, W);
            }
            row += 1;
        }
    }
}

/// # Safety
/// The task is one of a kernel that interleaves `K` rows of elements of `W` bytes, all of it lies within the
/// source and the destination, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn interleave<V: Vector, const W: usize, const K: usize>(task: &mut KernelTask) {
    let length = task.p * W;
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let weave = Weave::<W, K, 0>::new(dst, src.cast_mut(), task.q_src);
        let streams = task.streams && dst.addr().is_multiple_of(LINE);
        let along = Along::of::<K>(task, i, length);
        let mut at = 0;
        // SAFETY: each of the task's `K` rows of the source, `q_src` apart, has `length` bytes, its destination `K` times as
        // many, and `at + V::BYTES` is at most `length`. Streams go to multiples of vectors past `dst`, which is
        // aligned to a line then.
        unsafe {
            while at + V::BYTES <= length {
                if task.streams && at.is_multiple_of(LINE) {
                    ask::<K>(&weave.rows, along.ahead(at));
                }
                weave.vectors::<V, 1>(at, streams);
                at += V::BYTES;
            }
            weave.short(at, length, streams && (length * K).is_multiple_of(LINE));
        }
    }
}

/// Asks for the memory so many bytes past the beginnings of rows.
#[inline(always)]
pub(super) fn ask<const K: usize>(rows: &[*mut u8; K], ahead: usize) {
    let mut row = 0;
    while row < K {
        prefetch(rows[row].wrapping_add(ahead));
        row += 1;
    }
}

/// # Safety
/// The task is one of a kernel that takes `K` rows of elements of `W` bytes apart, all of it lies within the
/// source and the destination, which can be written until `rows` are flushed, and the processor has the
/// vector's instructions.
#[inline(always)]
pub(super) unsafe fn deinterleave<V: Vector, const W: usize, const K: usize>(
    task: &mut KernelTask,
) {
    let length = task.q * W;
    let borders = [task.dst.addr(), task.step[1], task.p_dst];
    let is_aligned = borders.iter().all(|border| border % LINE == 0);
    if task.streams && !is_aligned && (length >= LINE || task.turns(length) == 1) {
        // SAFETY: what the caller vouches for.
        return unsafe { deinterleave_anywhere::<V, W, K>(task, length) };
    }
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let weave = Weave::<W, K, K>::new(src.cast_mut(), dst, task.p_dst);
        let mut at = 0;
        // SAFETY: the source has `K * length` bytes, each of the `K` rows of the destination `length`. Rows that go around
        // the cache are aligned to lines, and are written in whole ones.
        unsafe {
            if task.streams && is_aligned {
                ask_ahead::<V>(task, i, K * length);
                // Two lines at a time where a vector is one.
                at = match V::BYTES {
                    16 => weave.whole::<V, 4>(at, length, true),
                    _ => weave.whole::<V, 2>(at, length, true),
                };
                if V::BYTES == LINE {
                    at = weave.whole::<V, 1>(at, length, true);
                }
            }
            weave.rest::<V>(at, length);
        }
    }
}

/// Rows that begin anywhere in a line, around the cache.
///
/// # Safety
/// As `deinterleave`; `length` is the bytes of a row.
#[inline(always)]
unsafe fn deinterleave_anywhere<V: Vector, const W: usize, const K: usize>(
    task: &mut KernelTask,
    length: usize,
) {
    const { assert!(K <= HELD_ROWS) };
    let turns = task.turns(length);
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        ask_ahead::<V>(task, i, K * length);
        let mut at = 0;
        while at < length {
            let part = if length - at < HELD_PIECE { length - at } else { HELD_PIECE };
            let mut weave = Weave::<W, K, K>::new(src.wrapping_add(at * K).cast_mut(), dst, 0);
            // SAFETY: the source has `K * length` bytes, each of the `K` rows of the destination `length`, and `at + part`
            // is at most `length`. A room has `part` bytes, at most `HELD_PIECE`, and `rest` writes all of them.
            unsafe {
                let mut row = 0;
                while row < K {
                    let held = &mut task.rows[(i % turns * K + row) % HELD_ROWS];
                    weave.rows[row] = held.room::<V>(dst.add(row * task.p_dst + at), part);
                    row += 1;
                }
                weave.rest::<V>(0, part);
            }
            at += part;
        }
    }
}

/// Contiguous runs.
///
/// # Safety
/// The task is one of runs of `p` bytes, all of it lies within the source and the destination, which can be
/// written until `rows` are flushed, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn runs<V: Vector>(task: &mut KernelTask) {
    // A short one that stands alone is an end of a row, whose line another one has begun.
    let streams = task.streams && (task.count > 1 || task.p >= LINE);
    let turns = task.turns(task.p);
    if streams && !task.rows[0].ends_at(task.dst) {
        // Part of the first lines is other rows', where the rows begin within lines.
        for i in 0..task.count.min(turns) {
            let dst = task.place(i).1;
            if !dst.addr().is_multiple_of(LINE) {
                prefetch(dst);
            }
        }
    }
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        if streams {
            ask_ahead::<V>(task, i, task.p);
        }
        // SAFETY: the task has `p` bytes at each of its places, in the source and in the destination, which is
        // borrowed until its kernel's last `flush`. A task has one kernel, and this one asks for no `room`.
        unsafe {
            if streams {
                task.rows[i % turns].put::<V>(src, dst, task.p);
            } else {
                super::line::copy::<V>(src, dst, task.p);
            }
        }
    }
}
