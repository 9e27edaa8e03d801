//! Stretches of bytes.

use core::mem::MaybeUninit;
use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::machine::Smallest;
use crate::kernel::raw::vector::Vector;

/// Bytes of a stretch above which `memcpy` is as fast.
const LONG: usize = 2048;

/// Copies a stretch.
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

/// A vector of bytes some of which may be uninitialised, as those between the fields of an element are.
///
/// # Safety
/// A vector is readable at `from`, and the processor has its instructions.
#[inline(always)]
unsafe fn load<V: Vector>(from: *const u8) -> MaybeUninit<V> {
    const { assert!(size_of::<V>() == V::BYTES) }
    // SAFETY: the caller vouches for the bytes, and nothing is asked of their values.
    unsafe { from.cast::<MaybeUninit<V>>().read_unaligned() }
}

/// Stores what was loaded.
///
/// # Safety
/// A vector is writable at `to`, and the processor has its instructions.
#[inline(always)]
unsafe fn store<V: Vector>(vector: MaybeUninit<V>, to: *mut u8) {
    // SAFETY: the caller vouches for the bytes.
    unsafe { to.cast::<MaybeUninit<V>>().write_unaligned(vector) };
}

/// Copies `N` vectors, and the `last` one, which overlaps those before it. It is straight code, so that where runs are evenly spaced,
/// what each load reads is as well: the processor foresees that.
///
/// # Safety
/// `N` vectors and the one at `last` are readable at `src` and writable at `dst`, and the processor has their instructions.
#[inline(always)]
pub(super) unsafe fn vectors<V: Vector, const N: usize>(src: *const u8, dst: *mut u8, last: usize) {
    let mut loaded = [const { MaybeUninit::uninit() }; N];
    // SAFETY: the caller vouches for each vector.
    unsafe {
        unrolled!(i in 0..N, { loaded[i] = load::<V>(src.wrapping_add(i * V::BYTES)) });
        let end = load::<V>(src.wrapping_add(last));
        unrolled!(i in 0..N, { store(loaded[i], dst.wrapping_add(i * V::BYTES)) });
        store(end, dst.wrapping_add(last));
    }
}

/// Copies a run by vectors, the last of which overlaps the one before it.
///
/// # Safety
/// The conditions of `copy`; `length` is at least a vector.
#[inline(always)]
pub(super) unsafe fn run<V: Vector>(src: *const u8, dst: *mut u8, length: usize) {
    let last = length - V::BYTES;
    let mut at = dst.addr().wrapping_neg() % V::BYTES;
    // SAFETY: a vector at `last`, and before, ends within the run.
    unsafe {
        if at > 0 {
            store(load::<V>(src), dst);
        }
        while at + 4 * V::BYTES <= length {
            vectors::<V, 3>(src.wrapping_add(at), dst.wrapping_add(at), 3 * V::BYTES);
            at += 4 * V::BYTES;
        }
        while at <= last {
            store(load::<V>(src.wrapping_add(at)), dst.wrapping_add(at));
            at += V::BYTES;
        }
        if at < length {
            store(load::<V>(src.wrapping_add(last)), dst.wrapping_add(last));
        }
    }
}
