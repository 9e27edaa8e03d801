//! Contiguous runs.

use crate::kernel::raw::machine::{Smallest, prefetch};
use crate::kernel::raw::size::LINE;
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::ahead::ask_ahead;
use crate::kernel::raw::vectors::line;
use crate::kernel::raw::vectors::task::KernelTask;

/// Copies the runs of the task's batches.
///
/// # Safety
/// The task is one of runs of `p` bytes, all of it lies within the source and the destination, which can be
/// written until `rows` are flushed, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn runs<V: Vector>(task: &mut KernelTask) {
    // A short one that stands alone is an end of a row, whose line another one has begun.
    let streams = task.streams && (task.count > 1 || task.p >= LINE);
    // SAFETY: the task is the caller's.
    unsafe {
        if streams {
            for _ in 0..task.q {
                around_cache::<V>(task);
                task.next_batch();
            }
        } else if task.p.is_multiple_of(V::BYTES) {
            of_vectors::<V>(task);
        } else if task.p.is_multiple_of(Smallest::BYTES) {
            of_vectors::<Smallest>(task);
        } else {
            of_any_length::<V>(task);
        }
    }
}

/// Runs of vectors: where there are few, by straight code.
///
/// # Safety
/// The conditions of `runs`; `p` is a multiple of the vector.
#[inline(always)]
unsafe fn of_vectors<V: Vector>(task: &mut KernelTask) {
    // SAFETY: the task is the caller's, and its runs have as many vectors.
    unsafe {
        match task.p / V::BYTES {
            1 => straight::<V, 1>(task),
            2 => straight::<V, 2>(task),
            3 => straight::<V, 3>(task),
            4 => straight::<V, 4>(task),
            6 => straight::<V, 6>(task),
            8 => straight::<V, 8>(task),
            _ => of_any_length::<V>(task),
        }
    }
}

/// Runs of `N` vectors: of several batches at a time where these follow one another in the source, so that its lines are read as
/// a whole.
///
/// # Safety
/// The conditions of `runs`; `p` is `N` vectors.
#[inline(always)]
unsafe fn straight<V: Vector, const N: usize>(task: &mut KernelTask) {
    const TOGETHER: usize = 4;
    let length = N * V::BYTES;
    // SAFETY: the task has `length` bytes at each place of each batch.
    unsafe {
        while task.q >= TOGETHER && (task.q_src == length || task.p_dst == length) {
            for i in 0..task.count {
                let (src, dst) = task.place(i);
                unrolled!(batch in 0..TOGETHER, {
                    let (from, to) = (batch * task.q_src, batch * task.p_dst);
                    line::vectors::<V, N>(src.wrapping_add(from), dst.wrapping_add(to));
                });
            }
            for _ in 0..TOGETHER {
                task.next_batch();
            }
        }
        while task.q > 0 {
            for i in 0..task.count {
                let (src, dst) = task.place(i);
                line::vectors::<V, N>(src, dst);
            }
            task.next_batch();
        }
    }
}

/// # Safety
/// The conditions of `runs`.
#[inline(always)]
unsafe fn of_any_length<V: Vector>(task: &mut KernelTask) {
    while task.q > 0 {
        for i in 0..task.count {
            let (src, dst) = task.place(i);
            // SAFETY: the task has `p` bytes at each of its places.
            unsafe { line::copy::<V>(src, dst, task.p) };
        }
        task.next_batch();
    }
}

/// A batch of runs, around the cache.
///
/// # Safety
/// The conditions of `runs`.
#[inline(always)]
unsafe fn around_cache<V: Vector>(task: &mut KernelTask) {
    let turns = task.turns(task.p);
    if !task.rows[0].ends_at(task.dst) {
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
        ask_ahead::<V>(task, i, task.p);
        // SAFETY: the task has `p` bytes at each of its places, in the source and in the destination, which is
        // borrowed until its kernel's last `flush`. A task has one kernel, and this one asks for no `room`.
        unsafe { task.rows[i % turns].put::<V>(src, dst, task.p) };
    }
}
