//! From indices to offsets and back, and the bytes of a slice.

#![allow(unsafe_code, reason = "names of C, and pointers of C by `border`")]

use core::mem::MaybeUninit;

use layout::shape::Size;
use layout::shape::analysis::NotAddressable;

use crate::border::{given, list, list_mut, lists, place};
use crate::error::{Failure, TlCode, TlError, answer};
use crate::layout::{TlLayout, sizes};

/// A range of numbers: the first one, and the one after the last.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TlRange {
    /// The first one.
    pub start: u64,
    /// The one after the last.
    pub end: u64,
}

/// The offset of an element in memory, in elements, padding included. `index` has `rank` coordinates, that of dimension 0
/// first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_layout_offset(
    layout: *const TlLayout,
    index: *const u64,
    rank: usize,
    offset: *mut u64,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || write_offsets(layout, ("index", index), rank, 1, ("offset", offset)))
    }
}

/// The offsets of `count` elements. `indices` has the `rank` coordinates of the first element, then those of the second one,
/// and so on; `offsets` has room for `count` numbers. If an index is out of bounds, the offsets before its own have been
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_layout_offsets(
    layout: *const TlLayout,
    indices: *const u64,
    rank: usize,
    count: usize,
    offsets: *mut u64,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || {
            write_offsets(layout, ("indices", indices), rank, count, ("offsets", offsets))
        })
    }
}

/// The lists, each with its name in C.
///
/// # Safety
/// That of `border`'s functions.
unsafe fn write_offsets(
    layout: *const TlLayout,
    (indices_name, indices): (&str, *const u64),
    rank: usize,
    count: usize,
    (offsets_name, offsets): (&str, *mut u64),
) -> Result<(), Failure> {
    // Where the product exceeds all numbers, this is a length that no list has.
    let indices = (indices_name, indices, rank.saturating_mul(count));
    let offsets = (offsets_name, offsets.cast::<MaybeUninit<u64>>(), count);
    // SAFETY: the caller's promise.
    let (layout, (indices, offsets)) =
        unsafe { (given("layout", layout)?, lists(indices, offsets)?) };
    let digits = layout.digits()?;
    same_rank(rank, digits.rank())?;
    for (number, to) in offsets.iter_mut().enumerate() {
        let index = sizes(indices_name, &indices[number * rank..(number + 1) * rank])?;
        let index = &index[..rank];
        if let Some(dim) = (0..rank).find(|dim| index[*dim] >= digits.dim(*dim)) {
            let one = if count > 1 { &format!("index {number}, ") } else { "" };
            let size = digits.dim(dim);
            let message =
                format_args!("{one}{index:?} is out of bounds: dimension {dim} has size {size}");
            return Err(Failure::new(TlCode::OutOfBounds, message));
        }
        to.write(digits.offset_unchecked(index) as u64);
    }
    Ok(())
}

/// The index of the element at an offset: `index` has room for `rank` coordinates. The code is TL_CODE_PADDING if the slot is
/// padding.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_layout_index(
    layout: *const TlLayout,
    offset: u64,
    index: *mut u64,
    rank: usize,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || {
            let layout = given("layout", layout)?;
            let index = list_mut("index", index.cast::<MaybeUninit<u64>>(), rank)?;
            same_rank(rank, layout.shape.rank())?;
            let found = element(layout, offset)?.ok_or_else(|| {
                Failure::new(TlCode::Padding, format_args!("offset {offset} is padding"))
            })?;
            for (to, coordinate) in index.iter_mut().zip(found.as_slice()) {
                to.write(*coordinate as u64);
            }
            Ok(())
        })
    }
}

/// Whether the slot at an offset is padding.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_layout_is_padding(
    layout: *const TlLayout,
    offset: u64,
    is_padding: *mut bool,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || {
            let (layout, is_padding) = (given("layout", layout)?, place("is_padding", is_padding)?);
            is_padding.write(element(layout, offset)?.is_none());
            Ok(())
        })
    }
}

/// The range of bytes that holds the elements whose index begins with the `count` coordinates of `index`, with their padding and
/// no other elements.
/// The code is TL_CODE_NOT_CONTIGUOUS if these elements are not one range, for instance since tiles mix them with others; the
/// text names one of the others. With a swizzle, and with some `*`, the function visits every element of the memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_layout_byte_range(
    layout: *const TlLayout,
    index: *const u64,
    count: usize,
    range: *mut TlRange,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || {
            let (layout, range) = (given("layout", layout)?, place("range", range)?);
            let index = list("index", index, count)?;
            let found = layout.shape.slice_bytes(&sizes("index", index)?[..count]);
            let found = found.map_err(|error| {
                let code = match error {
                    NotAddressable::UnknownSize(_) => TlCode::UnknownSize,
                    NotAddressable::Coordinates { .. } => TlCode::Length,
                    NotAddressable::OutOfBounds { .. } => TlCode::OutOfBounds,
                    _ => TlCode::NotContiguous,
                };
                Failure::new(code, format_args!("{error}"))
            })?;
            range.write(TlRange { start: found.start as u64, end: found.end as u64 });
            Ok(())
        })
    }
}

/// The index at an offset, if it is not padding.
fn element(layout: &TlLayout, offset: u64) -> Result<Option<layout::shape::Index>, Failure> {
    let digits = layout.digits()?;
    let slots = layout.shape.padded_elements().unwrap_or(0) as u64;
    if offset >= slots {
        let message = format_args!("offset {offset} is past the end: memory has {slots} elements");
        return Err(Failure::new(TlCode::OutOfBounds, message));
    }
    Ok(digits.index(offset as Size))
}

fn same_rank(given: usize, rank: usize) -> Result<(), Failure> {
    if given == rank {
        return Ok(());
    }
    Err(Failure::new(TlCode::Length, NotAddressable::Coordinates { given, rank }))
}
