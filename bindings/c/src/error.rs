//! What went wrong: a code and a text, in memory of the caller.

// The caller owns the memory of errors, a text of fixed length: nobody frees it, and there is no global "last
// error" that threads would share. A panic becomes `TL_CODE_BUG`, since a server that copies weights should
// survive our mistake; handles are never changed, so a panic damages none.

#![allow(unsafe_code, reason = "the caller's memory is a pointer of C")]

use core::ffi::c_char;
use core::fmt::{self, Write as _};
use core::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Bytes of an error's text, with the NUL that ends it. Longer texts are cut.
pub const TL_ERROR_TEXT: usize = 4096;

/// The result of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlCode {
    /// Success.
    Ok = 0,
    /// A pointer is NULL, or not aligned to what it points to.
    Pointer = 1,
    /// A list or a buffer is too short or too long for the layout.
    Length = 2,
    /// Memory that the function writes overlaps memory that it reads, or other memory that it writes.
    Overlap = 3,
    /// A text is not UTF-8, or cannot be read; the error marks the place.
    Text = 4,
    /// The layout cannot exist: a size contradicts it, or TPUs have no default for it.
    Layout = 5,
    /// A size is known at run time only (`?`): `tl_layout_with_dims` gives it.
    UnknownSize = 6,
    /// An index, an offset or a part is out of bounds.
    OutOfBounds = 7,
    /// The slot at the offset is padding.
    Padding = 8,
    /// The elements are not one range of bytes without other elements.
    NotContiguous = 9,
    /// The library cannot copy between these layouts.
    NoCopy = 10,
    /// A number is not a value of its enumeration.
    Value = 11,
    /// A bug in the library. The contents of memory that the call writes are unspecified.
    Bug = 12,
}

/// The text of an error, in UTF-8, ended by NUL; empty if there is none.
#[repr(C)]
#[derive(Debug)]
pub struct TlError {
    /// The text: what is wrong, the text with the fault marked if one was read, what to write instead.
    pub text: [MaybeUninit<c_char>; TL_ERROR_TEXT],
}

/// No address of one is misaligned.
const _: () = assert!(align_of::<TlError>() == 1);

impl TlError {
    fn set(&mut self, text: &[u8]) {
        for (to, from) in self.text.iter_mut().zip(text.iter().chain(&[0])) {
            to.write(*from as c_char);
        }
    }
}

/// Why a call fails: a code and its text.
pub(crate) struct Failure {
    code: TlCode,
    text: [u8; TL_ERROR_TEXT - 1],
    length: usize,
}

impl Failure {
    pub(crate) fn new(code: TlCode, text: impl fmt::Display) -> Failure {
        let mut failure = Failure { code, text: [0; TL_ERROR_TEXT - 1], length: 0 };
        // A text without room left is cut there.
        let _ = write!(failure, "{text}");
        failure
    }

    /// For `map_err`.
    pub(crate) fn of<E: fmt::Display>(code: TlCode) -> impl Fn(E) -> Failure {
        move |error| Failure::new(code, error)
    }
}

impl fmt::Write for Failure {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.text.len() - self.length;
        let mut end = text.len().min(room);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.text[self.length..self.length + end].copy_from_slice(&text.as_bytes()[..end]);
        self.length += end;
        if end < text.len() { Err(fmt::Error) } else { Ok(()) }
    }
}

/// Runs a function of the interface and returns its code. Nothing unwinds into C. All input is checked, so a panic is a
/// bug. Handles are never changed, so a panic does not damage one.
///
/// # Safety
/// If `error` is not null, it points to memory of a `TlError`.
pub(crate) unsafe fn answer(
    error: *mut TlError,
    function: impl FnOnce() -> Result<(), Failure>,
) -> TlCode {
    let answer = catch_unwind(AssertUnwindSafe(function))
        .unwrap_or_else(|_| Err(Failure::new(TlCode::Bug, "a bug of tiled-layout: it panicked")));
    let (code, text) = match &answer {
        Ok(()) => (TlCode::Ok, &[][..]),
        Err(failure) => (failure.code, &failure.text[..failure.length]),
    };
    // SAFETY: the caller's promise; it is always aligned, and the function that used other memory has ended.
    if let Some(error) = unsafe { error.as_mut() } {
        error.set(text);
    }
    code
}

#[cfg(test)]
mod tests {
    use core::ptr;

    use super::*;

    #[test]
    fn a_panic_is_a_code() {
        let mut error = TlError { text: [MaybeUninit::uninit(); TL_ERROR_TEXT] };
        let mut code = |function: fn() -> Result<(), Failure>| {
            // SAFETY: memory of an error, or null.
            unsafe {
                assert_eq!(answer(&mut error, function), answer(ptr::null_mut(), function));
                answer(&mut error, function)
            }
        };
        assert_eq!(code(|| panic!("on purpose")), TlCode::Bug);
        assert_eq!(code(|| Ok(())), TlCode::Ok);
    }

    /// Texts are cut between characters, and nothing follows the cut.
    #[test]
    fn long_texts_are_cut() {
        let long = "é".repeat(TL_ERROR_TEXT);
        let failure = Failure::new(TlCode::Text, format_args!("{long}{}", "after"));
        assert_eq!(failure.length, TL_ERROR_TEXT - 2);
        let kept = core::str::from_utf8(&failure.text[..failure.length]).unwrap();
        assert!(kept.chars().all(|character| character == 'é'));
    }
}
