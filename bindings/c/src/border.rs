//! Pointers of C as references and slices: checked for null, for alignment, and for overlap of what is read and written.
//!
//! Every function checks all of its pointers here before it reads or writes through one. What is left to the caller is what
//! nobody can check: that memory is there, as long as the lengths say, and that nobody else writes it meanwhile.

// `Option<&TlLayout>` as a parameter would be checked for null by the compiler, but a misaligned address in it
// is undefined behaviour before the first line runs. So functions take raw pointers. What is written is a
// `Place`, not a reference, since C may give one address twice. Overlap is refused before there are slices.
// Numbers that C chooses are never an `enum`, of which a wrong value would be undefined behaviour.

#![allow(unsafe_code, reason = "pointers of C become references and slices here")]

use core::ffi::{CStr, c_char};
use core::ops::Range;
use core::{ptr, slice};

use crate::error::{Failure, TlCode};

/// What a pointer points to, or an error that names it.
///
/// # Safety
/// If `pointer` is neither null nor misaligned, it points to a value that nobody changes while `'a` lasts.
pub(crate) unsafe fn given<'a, T>(name: &str, pointer: *const T) -> Result<&'a T, Failure> {
    checked(name, pointer)?;
    // SAFETY: not null, aligned; the rest is the caller's promise.
    Ok(unsafe { &*pointer })
}

/// Memory for one value: a pointer rather than a reference, since a program in C may give the same address twice.
pub(crate) struct Place<T>(*mut T);

impl<T> Place<T> {
    pub(crate) fn write(&self, value: T) {
        // SAFETY: `place` has checked it, and its caller has promised the rest.
        unsafe { self.0.write(value) }
    }
}

/// Memory for one value that is written, or an error that names it.
///
/// # Safety
/// If `pointer` is neither null nor misaligned, it points to memory of a `T`, as long as the place lasts.
pub(crate) unsafe fn place<T>(name: &str, pointer: *mut T) -> Result<Place<T>, Failure> {
    checked(name, pointer)?;
    Ok(Place(pointer))
}

/// Writes what a handle is made of, or NULL.
///
/// # Safety
/// That of `place`.
pub(crate) unsafe fn hand_out<T>(
    name: &str,
    handle: *mut *mut T,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let handle = unsafe { place(name, handle)? };
    handle.write(ptr::null_mut());
    handle.write(Box::into_raw(Box::new(make()?)));
    Ok(())
}

/// Frees what `hand_out` gave. It returns no code, and ignores null and misaligned addresses.
///
/// # Safety
/// If `handle` is neither null nor misaligned, `hand_out` gave it, and nobody uses it any more.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if checked("", handle).is_ok() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// Refuses what points to no value.
fn checked<T>(name: &str, pointer: *const T) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::new(TlCode::Pointer, format_args!("`{name}` is NULL")));
    }
    if !pointer.is_aligned() {
        let message = format_args!(
            "`{name}` is not aligned: {pointer:p} is not a multiple of {}",
            align_of::<T>()
        );
        return Err(Failure::new(TlCode::Pointer, message));
    }
    Ok(())
}

/// The addresses of a list; those of an empty one are 0..0. Refuses what no list of C can be.
fn addresses<T>(name: &str, start: *const T, length: usize) -> Result<Range<usize>, Failure> {
    if length == 0 {
        return Ok(0..0);
    }
    checked(name, start)?;
    let bytes = length.checked_mul(size_of::<T>()).filter(|bytes| *bytes <= isize::MAX as usize);
    match bytes.and_then(|bytes| start.addr().checked_add(bytes)) {
        Some(end) => Ok(start.addr()..end),
        None => Err(Failure::new(TlCode::Length, format_args!("`{name}` is longer than memory"))),
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
    utf8(name, unsafe { list(name, start.cast::<u8>(), length)? })
}

/// A text that ends with NUL.
///
/// # Safety
/// If `start` is not null, it points to bytes up to a NUL, which nobody writes while `'a` lasts.
pub(crate) unsafe fn string<'a>(name: &str, start: *const c_char) -> Result<&'a str, Failure> {
    checked(name, start)?;
    // SAFETY: not null; the rest is the caller's promise.
    utf8(name, unsafe { CStr::from_ptr(start) }.to_bytes())
}

fn utf8<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, Failure> {
    str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Failure::new(TlCode::Text, format_args!("`{name}` is not UTF-8 from byte {at} on"))
    })
}
