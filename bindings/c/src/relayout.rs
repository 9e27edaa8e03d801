//! Copies between two layouts, on bytes.

#![allow(unsafe_code, reason = "names of C, and pointers of C by `border`")]

use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::ops::Range;

use layout::CopyError;
use layout::{Padding, Plan};

use crate::border::{free, given, hand_out, list_mut, lists, place};
use crate::error::{Failure, TlCode, TlError, answer};
use crate::layout::TlLayout;
use crate::offsets::TlRange;

/// A planned copy of an array from one layout to another. `tl_relayout_free` frees it. It does not need the layouts any more.
#[derive(Debug)]
pub struct TlRelayout(Plan);

/// Threads of the caller use them at once.
const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<TlRelayout>();
    shared::<TlLayout>();
};

/// How a copy fills the padding of the destination.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlPaddingKind {
    /// Bits that are 0.
    Zero = 0,
    /// Nothing.
    Leave = 1,
    /// The element whose bits are `bits`.
    Fill = 2,
    /// The value of the layout's `FILL(..)`; nothing without `FILL`.
    Declared = 3,
}

/// The padding that a copy writes to the destination. `{0}` is TL_PADDING_KIND_ZERO.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TlPadding {
    /// A TlPaddingKind.
    pub kind: u32,
    /// The bits of an element, for TL_PADDING_KIND_FILL: the low 64 first.
    pub bits: [u64; 2],
}

impl TlPadding {
    fn value(self) -> Result<Padding<u128>, Failure> {
        let [low, high] = self.bits.map(u128::from);
        let is = |kind: TlPaddingKind| self.kind == kind as u32;
        match () {
            () if is(TlPaddingKind::Zero) => Ok(Padding::Zero),
            () if is(TlPaddingKind::Leave) => Ok(Padding::Leave),
            () if is(TlPaddingKind::Fill) => Ok(Padding::Fill(high << 64 | low)),
            () if is(TlPaddingKind::Declared) => Ok(Padding::Declared),
            () => {
                let message =
                    format_args!("`padding.kind` is {}, which is not a TlPaddingKind", self.kind);
                Err(Failure::new(TlCode::Value, message))
            }
        }
    }
}

/// Plans the copy of an array from one layout to another. All sizes have to be known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_relayout_new(
    from: *const TlLayout,
    to: *const TlLayout,
    relayout: *mut *mut TlRelayout,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || {
            hand_out("relayout", relayout, || {
                let (from, to) = (given("from", from)?, given("to", to)?);
                Ok(TlRelayout(Plan::new(&from.shape, &to.shape).map_err(failure)?))
            })
        })
    }
}

/// Frees a relayout. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_relayout_free(relayout: *mut TlRelayout) {
    // SAFETY: the caller's promise.
    unsafe { free(relayout) };
}

/// Copies the array: `source` has `source_length` bytes, `destination` `destination_length`. Memory past that of the layouts
/// stays as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_relayout_run(
    relayout: *const TlRelayout,
    source: *const c_void,
    source_length: usize,
    destination: *mut c_void,
    destination_length: usize,
    padding: TlPadding,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || {
            let TlRelayout(relayout) = given("relayout", relayout)?;
            let source = ("source", source.cast(), source_length);
            let destination = ("destination", destination.cast(), destination_length);
            // All bytes are valid.
            let (source, destination) = lists::<u8, u8>(source, destination)?;
            let padding = padding.value()?;
            relayout.run_bytes(source, destination, padding).map_err(failure)
        })
    }
}

/// Ranges of the destination's bytes for `tl_relayout_run_part`, one after another, each of about `bytes`. Writes as many as fit
/// into `parts`, which has room for `capacity`. `count` becomes the number of all; a `capacity` of 0 asks for that only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_relayout_parts(
    relayout: *const TlRelayout,
    bytes: usize,
    parts: *mut TlRange,
    capacity: usize,
    count: *mut usize,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || {
            let (relayout, count) = (given("relayout", relayout)?, place("count", count)?);
            let parts = list_mut("parts", parts.cast::<MaybeUninit<TlRange>>(), capacity)?;
            let ranges = relayout.0.parts(bytes);
            count.write(ranges.len());
            for (to, Range { start, end }) in parts.iter_mut().zip(ranges) {
                to.write(TlRange { start: start as u64, end: end as u64 });
            }
            Ok(())
        })
    }
}

/// Copies what lies in a range of the destination's bytes, padding too: what `tl_relayout_run` writes there. `destination` is
/// that range, of `destination_length` bytes, and `source` the whole source, of `source_length`. The range begins and ends where
/// elements do. Threads may copy different parts at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_relayout_run_part(
    relayout: *const TlRelayout,
    part: TlRange,
    source: *const c_void,
    source_length: usize,
    destination: *mut c_void,
    destination_length: usize,
    padding: TlPadding,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || {
            let TlRelayout(relayout) = given("relayout", relayout)?;
            let source = ("source", source.cast(), source_length);
            let destination = ("destination", destination.cast(), destination_length);
            // All bytes are valid.
            let (source, destination) = lists::<u8, u8>(source, destination)?;
            let padding = padding.value()?;
            // No destination has more bytes than a `usize` counts.
            let [start, end] =
                [part.start, part.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
            let part = relayout.part(start..end).map_err(failure)?;
            part.run_bytes(source, destination, padding).map_err(failure)
        })
    }
}

fn failure(error: CopyError) -> Failure {
    let code = match error {
        // Memory of C is bytes, not a slice.
        CopyError::TooShort { side, needed, given } => {
            let message =
                format_args!("`{side}` needs {needed} bytes, padding counted, and has {given}");
            return Failure::new(TlCode::Length, message);
        }
        CopyError::UnknownSize(_) => TlCode::UnknownSize,
        CopyError::Part { .. } | CopyError::OnePart { .. } => TlCode::OutOfBounds,
        _ => TlCode::NoCopy,
    };
    Failure::new(code, error)
}
