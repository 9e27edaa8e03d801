//! Writing lines around the cache, and stretches of bytes through it.

use core::ptr::copy_nonoverlapping;

use crate::relayout::kernel::raw::machine::Smallest;
use crate::relayout::kernel::raw::size::LINE;
use crate::relayout::kernel::raw::vector::Vector;

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

/// Bytes of a stretch above which `memcpy` is as fast.
const LONG: usize = 512;

/// Copies a stretch through the cache.
///
/// # Safety
/// `length` bytes are readable at `src` and writable at `dst`; they do not overlap. The processor has
/// the vector's instructions.
#[inline(always)]
pub(super) unsafe fn copy<V: Vector>(src: *const u8, dst: *mut u8, length: usize) {
    // SAFETY: what the caller vouches for; a run has a vector at least.
    unsafe {
        if !(Smallest::BYTES..=LONG).contains(&length) {
            copy_nonoverlapping(src, dst, length);
        } else if length < V::BYTES {
            run::<Smallest>(src, dst, length);
        } else {
            run::<V>(src, dst, length);
        }
    }
}

/// Copies a run by vectors, the last of which overlaps the one before it.
///
/// # Safety
/// As `copy`; `length` is at least a vector.
#[inline(always)]
pub(super) unsafe fn run<V: Vector>(src: *const u8, dst: *mut u8, length: usize) {
    let last = length - V::BYTES;
    let mut at = 0;
    // SAFETY: a vector at `last`, and before, ends within the run.
    unsafe {
        while at <= last {
            V::load(src.add(at)).store(dst.add(at));
            at += V::BYTES;
        }
        if at < length {
            V::load(src.add(last)).store(dst.add(last));
        }
    }
}
