//! Pointers of C as references and slices: checked for null, for alignment, and for overlap of what is read and written.

#![allow(unsafe_code, reason = "pointers of C become slices here")]

use core::ffi::c_char;
use core::mem::MaybeUninit;
use core::ops::Range;
use core::slice;

use crate::error::{Failure, TlCode};

/// What a pointer has to point to, or an error that names it.
pub(crate) fn given<T>(name: &str, pointer: Option<T>) -> Result<T, Failure> {
    pointer.ok_or_else(|| Failure::new(TlCode::Pointer, format_args!("`{name}` is NULL")))
}

/// Writes what a handle is made of, or NULL.
pub(crate) fn hand_out<T>(
    name: &str,
    handle: Option<&mut MaybeUninit<Option<Box<T>>>>,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Result<(), Failure> {
    let handle = given(name, handle)?.write(None);
    *handle = Some(Box::new(make()?));
    Ok(())
}

/// The addresses of a list; those of an empty one are 0..0. Refuses what no list of C can be.
fn addresses<T>(name: &str, start: *const T, length: usize) -> Result<Range<usize>, Failure> {
    let fail = |code, why: &str| Err(Failure::new(code, format_args!("`{name}` {why}")));
    if length == 0 {
        return Ok(0..0);
    }
    if start.is_null() {
        return fail(TlCode::Pointer, "is NULL");
    }
    if !start.is_aligned() {
        return fail(TlCode::Pointer, "is not aligned to its elements");
    }
    let bytes = length.checked_mul(size_of::<T>()).filter(|bytes| *bytes <= isize::MAX as usize);
    match bytes.and_then(|bytes| start.addr().checked_add(bytes)) {
        Some(end) => Ok(start.addr()..end),
        None => fail(TlCode::Length, "is longer than memory"),
    }
}

/// A list that is read.
///
/// # Safety
/// If `start` is not null, it points to `length` elements, which nobody writes while `'a` lasts.
pub(crate) unsafe fn list<'a, T>(
    name: &str,
    start: *const T,
    length: usize,
) -> Result<&'a [T], Failure> {
    if addresses(name, start, length)?.is_empty() {
        return Ok(&[]);
    }
    // SAFETY: not null, aligned, no longer than memory; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts(start, length) })
}

/// A list that is written.
///
/// # Safety
/// If `start` is not null, it points to `length` elements, which nobody else reads or writes while `'a` lasts. They are
/// valid values of `T`: bytes are, and so is `MaybeUninit`.
pub(crate) unsafe fn list_mut<'a, T>(
    name: &str,
    start: *mut T,
    length: usize,
) -> Result<&'a mut [T], Failure> {
    if addresses(name, start, length)?.is_empty() {
        return Ok(&mut []);
    }
    // SAFETY: as in `list`.
    Ok(unsafe { slice::from_raw_parts_mut(start, length) })
}

/// A list that is read and one that is written, each with its name. They must not overlap.
///
/// # Safety
/// That of `list` and that of `list_mut`, but that the lists may overlap.
pub(crate) unsafe fn lists<'a, T, U>(
    (from_name, from, from_length): (&str, *const T, usize),
    (to_name, to, to_length): (&str, *mut U, usize),
) -> Result<(&'a [T], &'a mut [U]), Failure> {
    // Before there is a slice of either.
    let read = addresses(from_name, from, from_length)?;
    let written = addresses(to_name, to, to_length)?;
    if read.start < written.end && written.start < read.end {
        return Err(Failure::new(
            TlCode::Overlap,
            format_args!(
                "`{to_name}` overlaps `{from_name}`: what is written needs memory of its own"
            ),
        ));
    }
    // SAFETY: the caller's promise, and they do not overlap.
    unsafe { Ok((list(from_name, from, from_length)?, list_mut(to_name, to, to_length)?)) }
}

/// A text.
///
/// # Safety
/// That of `list`.
pub(crate) unsafe fn text<'a>(
    name: &str,
    start: *const c_char,
    length: usize,
) -> Result<&'a str, Failure> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { list(name, start.cast::<u8>(), length)? };
    str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Failure::new(TlCode::Text, format_args!("`{name}` is not UTF-8 from byte {at} on"))
    })
}
