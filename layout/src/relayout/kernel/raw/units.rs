//! Slices of plain numbers as slices of integers of the same size, so that the kernels are compiled
//! once for each size.

use core::slice::{from_raw_parts, from_raw_parts_mut};

use crate::memory::stored::Plain;

/// A source and a destination, by the size of an element in bytes.
pub(in super::super) enum Units<'a> {
    One(&'a [u8], &'a mut [u8]),
    Two(&'a [u16], &'a mut [u16]),
    Four(&'a [u32], &'a mut [u32]),
    // Complex numbers are aligned as their parts.
    Eight(&'a [[u32; 2]], &'a mut [[u32; 2]]),
    Sixteen(&'a [[u64; 2]], &'a mut [[u64; 2]]),
}

/// Slices of plain numbers as units of their size; `None` for other types.
///
/// Whoever writes to the destination writes whole units that come from the source: every unit of a
/// `bool` is 0 or 1.
pub(in super::super) fn units<'a, T>(
    plain: Plain<T>,
    src: &'a [T],
    dst: &'a mut [T],
) -> Option<Units<'a>> {
    if !plain.is_plain() {
        return None;
    }
    Some(match size_of::<T>() {
        1 => cast(src, dst, Units::One),
        2 => cast(src, dst, Units::Two),
        4 => cast(src, dst, Units::Four),
        8 => cast(src, dst, Units::Eight),
        16 => cast(src, dst, Units::Sixteen),
        _ => return None,
    })
}

/// Both slices as slices of `U`, for a plain `T` of the same size.
fn cast<'a, T, U>(
    src: &'a [T],
    dst: &'a mut [T],
    of: fn(&'a [U], &'a mut [U]) -> Units<'a>,
) -> Units<'a> {
    assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() >= align_of::<U>());
    // SAFETY: `U` is as large as `T` and no more aligned, so that a slice of the one takes the same
    // bytes as a slice of the other of the same length; the borrows are handed on. `T` is plain
    // (`units` looked), that is one of the types of `stored.rs`: all bytes of it are initialised, so
    // that they are a `U`, an integer or an array of integers. Only kernels get `dst`, and they write
    // nothing but whole units of `src`, so that what they write are values of `T`.
    unsafe {
        of(
            from_raw_parts(src.as_ptr().cast(), src.len()),
            from_raw_parts_mut(dst.as_mut_ptr().cast(), dst.len()),
        )
    }
}

/// Elements of `N` bytes as units of their size; `None` where they are not aligned to one, or no unit has their
/// size.
pub(in super::super) fn units_of_bytes<'a, const N: usize>(
    src: &'a [[u8; N]],
    dst: &'a mut [[u8; N]],
) -> Option<Units<'a>> {
    match N {
        1 => aligned(src, dst, Units::One),
        2 => aligned(src, dst, Units::Two),
        4 => aligned(src, dst, Units::Four),
        8 => aligned(src, dst, Units::Eight),
        16 => aligned(src, dst, Units::Sixteen),
        _ => None,
    }
}

/// Both slices as slices of `U`, which has `N` bytes, if they are aligned to it.
fn aligned<'a, U, const N: usize>(
    src: &'a [[u8; N]],
    dst: &'a mut [[u8; N]],
    of: fn(&'a [U], &'a mut [U]) -> Units<'a>,
) -> Option<Units<'a>> {
    assert!(size_of::<U>() == N);
    let is_aligned = |address: usize| address.is_multiple_of(align_of::<U>());
    if !is_aligned(src.as_ptr().addr()) || !is_aligned(dst.as_ptr().addr()) {
        return None;
    }
    // SAFETY: `U` is an integer or an array of integers, of which all bytes are values, and has `N` bytes, so
    // that as many of them take the same bytes; both addresses are aligned to it; the borrows are handed on.
    Some(unsafe {
        of(
            from_raw_parts(src.as_ptr().cast(), src.len()),
            from_raw_parts_mut(dst.as_mut_ptr().cast(), dst.len()),
        )
    })
}
