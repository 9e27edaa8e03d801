//! Contiguous runs.

// Straight code and no loop over the lines of a run: there the steps of the loads alternate, which the
// processor does not foresee, and 4096² of `f32` to panels of 32 columns took 1.6 times as long. Longer vectors
// chosen at the call were slower by a quarter for small panels (AMD Zen 5).

use core::mem::MaybeUninit;
use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::machine::Smallest;
use crate::kernel::raw::size::LINE;
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::task::KernelTask;

/// Copies the runs of the task's batches.
///
/// # Safety
/// The task is one of runs of `p` bytes, all of it lies within the source and the destination, and the processor has the vector's
/// instructions.
#[inline(always)]
pub(super) unsafe fn runs<V: Vector>(task: &mut KernelTask) {
    /// Runs of up to some vectors, by straight code.
    macro_rules! of_vectors {
        ($vector:ty; $($count:literal)*) => {
            match (task.p - 1) / <$vector>::BYTES {
                $($count => straight::<$vector, $count>(task),)*
                8..MANY => in_fours::<$vector>(task),
                _ => of_any_length(task),
            }
        };
    }
    // SAFETY: the task is the caller's. Its runs have at least a vector, and at most one more than the function copies.
    unsafe {
        if task.streams && task.p >= LINE {
            around_cache::<V>(task);
        } else if task.p >= V::BYTES {
            of_vectors!(V; 0 1 2 3 4 5 6 7);
        } else if task.p >= Smallest::BYTES {
            of_vectors!(Smallest; 0 1);
        } else if task.p >= u64::BYTES {
            of_vectors!(u64; 0 1);
        } else {
            of_any_length(task);
        }
    }
}

/// Runs of at most `N + 1` vectors: of several batches at a time where these follow one another in the source or in the destination,
/// so that lines are read or written as a whole.
///
/// # Safety
/// The conditions of `runs`; `p` is at least `N` vectors and one.
#[inline(always)]
unsafe fn straight<V: Vector, const N: usize>(task: &mut KernelTask) {
    /// Rows of panels of 16 to 64 bytes (`f32` `{0,1:T(8,1)}` to `{1,0}`) are 2 times as fast as one batch after another.
    const TOGETHER: usize = 4;
    let last = task.p - V::BYTES;
    let follow = task.q_src == task.p || task.p_dst == task.p;
    // SAFETY: the task has `p` bytes at each place of each batch.
    unsafe {
        while follow && task.q >= TOGETHER {
            for i in 0..task.count {
                let (src, dst) = task.place(i);
                unrolled!(batch in 0..TOGETHER, {
                    let (from, to) = (batch * task.q_src, batch * task.p_dst);
                    vectors::<V, N>(src.wrapping_add(from), dst.wrapping_add(to), last);
                });
            }
            for _ in 0..TOGETHER {
                task.next_batch();
            }
        }
        while task.q > 0 {
            for i in 0..task.count {
                let (src, dst) = task.place(i);
                vectors::<V, N>(src, dst, last);
            }
            task.next_batch();
        }
    }
}

/// Copies `N` vectors, and the `last` one, which overlaps those before it, of bytes some of which may be uninitialised, as those between
/// the fields of an element are. It is straight code, so that where runs are evenly spaced, what each load reads is as well: the processor
/// foresees that.
///
/// # Safety
/// `N` vectors and the one at `last` are readable at `src` and writable at `dst`, and the processor has their instructions.
#[inline(always)]
unsafe fn vectors<V: Vector, const N: usize>(src: *const u8, dst: *mut u8, last: usize) {
    const { assert!(size_of::<V>() == V::BYTES) }
    let mut loaded = [const { MaybeUninit::<V>::uninit() }; N];
    let from = |at: usize| src.wrapping_add(at).cast::<MaybeUninit<V>>();
    let to = |at: usize| dst.wrapping_add(at).cast::<MaybeUninit<V>>();
    // SAFETY: the caller vouches for each vector.
    unsafe {
        unrolled!(i in 0..N, { loaded[i] = from(i * V::BYTES).read_unaligned() });
        let end = from(last).read_unaligned();
        unrolled!(i in 0..N, { to(i * V::BYTES).write_unaligned(loaded[i]) });
        to(last).write_unaligned(end);
    }
}

/// Vectors from which on `memcpy` is as fast. 82 rows of 400 bytes take 4.7 ns a row in fours and 5.9 by `memcpy`, of 600 3.9 and 5.3, of 1000
/// 5.7 and 6.1, of 2000 11.3 and 10.6 (AMD Zen 5).
const MANY: usize = 28;

/// Runs of several times four vectors; the last four overlap those before them.
///
/// # Safety
/// The conditions of `runs`; `p` is four vectors at least.
#[inline(always)]
unsafe fn in_fours<V: Vector>(task: &mut KernelTask) {
    const FOUR: usize = 4;
    let (step, end) = (FOUR * V::BYTES, task.p - FOUR * V::BYTES);
    while task.q > 0 {
        for i in 0..task.count {
            let (src, dst) = task.place(i);
            let mut at = 0;
            loop {
                // SAFETY: the task has `p` bytes at each place, and four vectors end there at most.
                unsafe {
                    let (from, to) = (src.wrapping_add(at), dst.wrapping_add(at));
                    vectors::<V, { FOUR - 1 }>(from, to, step - V::BYTES);
                }
                if at == end {
                    break;
                }
                at = end.min(at + step);
            }
        }
        task.next_batch();
    }
}

/// By `memcpy`, which is as fast.
///
/// # Safety
/// The conditions of `runs`.
#[inline(always)]
unsafe fn of_any_length(task: &mut KernelTask) {
    while task.q > 0 {
        for i in 0..task.count {
            let (src, dst) = task.place(i);
            // SAFETY: the task has `p` bytes at each of its places.
            unsafe { copy_nonoverlapping(src, dst, task.p) };
        }
        task.next_batch();
    }
}

/// Runs whose whole lines go around the cache; the lines that a run shares with others go through it.
///
/// # Safety
/// The conditions of `runs`; `p` is a line at least.
#[inline(always)]
unsafe fn around_cache<V: Vector>(task: &mut KernelTask) {
    while task.q > 0 {
        for i in 0..task.count {
            let (src, dst) = task.place(i);
            let first = dst.addr().wrapping_neg() % LINE;
            let end = task.p - (task.p - first) % LINE;
            // SAFETY: the task has `p` bytes at each of its places, which are whole lines from the first one to the end.
            unsafe {
                copy_nonoverlapping(src, dst, first);
                let mut at = first;
                while at < end {
                    V::load(src.wrapping_add(at)).stream(dst.wrapping_add(at));
                    at += V::BYTES;
                }
                copy_nonoverlapping(src.wrapping_add(end), dst.wrapping_add(end), task.p - end);
            }
        }
        task.next_batch();
    }
}
