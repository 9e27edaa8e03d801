//! Slices of plain numbers as slices of integers of the same size, so that the kernels are compiled
//! once for each size.

use core::slice::{from_raw_parts, from_raw_parts_mut};

use crate::memory::stored::Plain;

/// Both slices as slices of `U`, for a plain `T` of the same size.
///
/// Whoever writes to the destination writes whole units that come from the source: every unit of a
/// `bool` is 0 or 1.
///
/// # Panics
/// If `T` is not plain, or of another size.
pub(in super::super) fn cast<'a, T, U>(
    plain: Plain<T>,
    src: &'a [T],
    dst: &'a mut [T],
) -> (&'a [U], &'a mut [U]) {
    assert!(plain.is_plain());
    assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() >= align_of::<U>());
    // SAFETY: `U` is as large as `T` and no more aligned, so that a slice of the one takes the same
    // bytes as a slice of the other of the same length; the borrows are handed on. `T` is plain,
    // that is one of the types of `stored.rs`: all bytes of it are initialised, so
    // that they are a `U`, an integer or an array of integers. Only kernels get `dst`, and they write
    // nothing but whole units of `src`, so that what they write are values of `T`.
    unsafe {
        (
            from_raw_parts(src.as_ptr().cast(), src.len()),
            from_raw_parts_mut(dst.as_mut_ptr().cast(), dst.len()),
        )
    }
}

/// What the kernels move.
///
/// # Safety
/// All bytes of a unit are initialised, and any bytes are a unit.
pub unsafe trait Unit: Copy + Send + Sync + 'static {}

// SAFETY: integers and arrays of them have no padding, and any bytes are one of them.
unsafe impl Unit for u8 {}
// SAFETY: as above.
unsafe impl Unit for u16 {}
// SAFETY: as above.
unsafe impl Unit for u32 {}
// SAFETY: as above.
unsafe impl Unit for [u32; 2] {}
// SAFETY: as above.
unsafe impl Unit for [u64; 2] {}

/// Slices of units as bytes. Who writes to the destination is in this crate, and writes whole units of the source.
pub(in super::super) fn bytes_of_units<'a, U: Unit>(
    src: &'a [U],
    dst: &'a mut [U],
) -> (&'a [u8], &'a mut [u8]) {
    let bytes = [size_of_val(src), size_of_val(dst)];
    // SAFETY: all bytes of a unit are initialised, and whatever bytes are written are units. The slices take so many bytes;
    // the borrows are handed on.
    unsafe {
        (
            from_raw_parts(src.as_ptr().cast(), bytes[0]),
            from_raw_parts_mut(dst.as_mut_ptr().cast(), bytes[1]),
        )
    }
}

/// Elements of `N` bytes as slices of `U`, which has as many; `None` where they are not aligned to it.
pub(in super::super) fn aligned<'a, U, const N: usize>(
    src: &'a [[u8; N]],
    dst: &'a mut [[u8; N]],
) -> Option<(&'a [U], &'a mut [U])> {
    const { assert!(size_of::<U>() == N) };
    let is_aligned = |address: usize| address.is_multiple_of(align_of::<U>());
    if !is_aligned(src.as_ptr().addr()) || !is_aligned(dst.as_ptr().addr()) {
        return None;
    }
    // SAFETY: `U` is an integer or an array of integers, of which all bytes are values, and has `N` bytes, so
    // that as many of them take the same bytes; both addresses are aligned to it; the borrows are handed on.
    Some(unsafe {
        (
            from_raw_parts(src.as_ptr().cast(), src.len()),
            from_raw_parts_mut(dst.as_mut_ptr().cast(), dst.len()),
        )
    })
}
