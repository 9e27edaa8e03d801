//! Layouts: read, printed, changed, and their sizes.

#![allow(unsafe_code, reason = "names of C, and pointers of C by `border`")]

use core::ffi::c_char;
use core::mem::MaybeUninit;

use layout::ArrayShape;
use layout::shape::{Digits, Size};
use layout::shape::{Dim, UnknownSize, limits};
use layout::tpu::Tpu;

use crate::border::{free, given, hand_out, list, list_mut, place, string, text};
use crate::error::{Failure, TlCode, TlError, answer};

/// Most dimensions of an array.
pub const TL_MAX_DIMS: usize = 16;
/// A size that depends on one that is known at run time only.
pub const TL_UNKNOWN: u64 = u64::MAX;

const _: () = assert!(TL_MAX_DIMS == limits::MAX_DIMS && limits::MAX_SIZE < Size::MAX);

/// An array and its layout. `tl_layout_free` frees it.
#[derive(Debug)]
pub struct TlLayout {
    pub(crate) shape: ArrayShape,
    digits: Result<Digits, UnknownSize>,
}

/// Whether the size of a dimension is known.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlDimKind {
    /// `3`: the size.
    Static = 0,
    /// `<=3`: a bound; the layout is that of the bound.
    Bounded = 1,
    /// `?`: nothing; the size is TL_UNKNOWN.
    Unknown = 2,
}

/// A dimension.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TlDim {
    /// The size, or its bound.
    pub size: u64,
    /// Whether the size is known.
    pub kind: TlDimKind,
}

/// Sizes of a layout; TL_UNKNOWN where they depend on a size that is known at run time only.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TlSizes {
    /// Number of elements.
    pub elements: u64,
    /// Elements in memory, padding included.
    pub padded_elements: u64,
    /// Bytes in memory, padding included.
    pub bytes: u64,
    /// Bytes of the elements alone.
    pub unpadded_bytes: u64,
    /// Bits of an element in memory.
    pub element_bits: u64,
    /// Number of dimensions.
    pub rank: usize,
    /// The dimensions; those past the rank have the size 0.
    pub dims: [TlDim; TL_MAX_DIMS],
}

impl TlLayout {
    pub(crate) fn new(shape: ArrayShape) -> TlLayout {
        TlLayout { shape, digits: shape.digits() }
    }

    pub(crate) fn digits(&self) -> Result<&Digits, Failure> {
        self.digits.as_ref().map_err(Failure::of(TlCode::UnknownSize))
    }
}

/// The numbers of a list that has at most one for each dimension.
pub(crate) fn sizes(name: &str, list: &[u64]) -> Result<[Size; TL_MAX_DIMS], Failure> {
    let mut sizes = [0; TL_MAX_DIMS];
    if list.len() > sizes.len() {
        let rank = list.len();
        let message = format_args!(
            "`{name}` has {rank} numbers, but an array has at most {TL_MAX_DIMS} dimensions"
        );
        return Err(Failure::new(TlCode::Length, message));
    }
    for (to, from) in sizes.iter_mut().zip(list) {
        *to = *from as Size;
    }
    Ok(sizes)
}

/// Reads a layout in XLA's notation, as in `bf16[4096,300]{1,0:T(8,128)(2,1)}`. `text` has `length` bytes and need not end with
/// NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_parse(
    text: *const c_char,
    length: usize,
    layout: *mut *mut TlLayout,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || hand_out("layout", layout, || parsed(self::text("text", text, length)?)))
    }
}

/// Reads a layout as `tl_parse` does, from a text that ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_parse_string(
    text: *const c_char,
    layout: *mut *mut TlLayout,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe { answer(error, || hand_out("layout", layout, || parsed(string("text", text)?))) }
}

fn parsed(text: &str) -> Result<TlLayout, Failure> {
    ArrayShape::parse_const(text).map(TlLayout::new).map_err(Failure::of(TlCode::Text))
}

/// Frees a layout. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_layout_free(layout: *mut TlLayout) {
    // SAFETY: the caller's promise.
    unsafe { free(layout) };
}

/// The sizes of a layout.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_layout_sizes(
    layout: *const TlLayout,
    sizes: *mut TlSizes,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || {
            let (shape, sizes) = (&given("layout", layout)?.shape, place("sizes", sizes)?);
            let known = |size: Option<Size>| size.map_or(TL_UNKNOWN, |size| size as u64);
            let mut dims = [TlDim { size: 0, kind: TlDimKind::Static }; TL_MAX_DIMS];
            for (to, dim) in dims.iter_mut().zip(shape.dims()) {
                let kind = match dim {
                    Dim::Static(_) => TlDimKind::Static,
                    Dim::Bounded(_) => TlDimKind::Bounded,
                    Dim::Unbounded => TlDimKind::Unknown,
                };
                *to = TlDim { size: known(dim.size()), kind };
            }
            sizes.write(TlSizes {
                elements: known(shape.elements()),
                padded_elements: known(shape.padded_elements()),
                bytes: known(shape.bytes()),
                unpadded_bytes: known(shape.unpadded_bytes()),
                element_bits: shape.element_bits() as u64,
                rank: shape.rank(),
                dims,
            });
            Ok(())
        })
    }
}

/// Writes the layout as text, ended by NUL. `length` becomes the number of bytes before the NUL; if they do not fit, the code is
/// TL_CODE_LENGTH. `text` has `capacity` bytes; 0 of them ask for `length` only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_layout_text(
    layout: *const TlLayout,
    text: *mut c_char,
    capacity: usize,
    length: *mut usize,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || {
            let (shape, length) = (&given("layout", layout)?.shape, place("length", length)?);
            let text = list_mut("text", text.cast::<MaybeUninit<u8>>(), capacity)?;
            let written = shape.text();
            let written = written.as_str().as_bytes();
            length.write(written.len());
            if text.is_empty() {
                return Ok(());
            }
            if text.len() <= written.len() {
                let needed = written.len() + 1;
                let message =
                    format_args!("the text takes {needed} bytes, and `capacity` is {capacity}");
                return Err(Failure::new(TlCode::Length, message));
            }
            for (to, from) in text.iter_mut().zip(written.iter().chain(&[0])) {
                to.write(*from);
            }
            Ok(())
        })
    }
}

/// The layout with the sizes of all its dimensions: `dims` has `rank` of them, dimension 0 first. A bounded dimension stays
/// bounded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_layout_with_dims(
    layout: *const TlLayout,
    dims: *const u64,
    rank: usize,
    sized: *mut *mut TlLayout,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || {
            hand_out("sized", sized, || {
                let shape = &given("layout", layout)?.shape;
                let dims = sizes("dims", list("dims", dims, rank)?)?;
                let sized = shape.with_dims(&dims[..rank]).map_err(Failure::of(TlCode::Layout))?;
                Ok(TlLayout::new(sized))
            })
        })
    }
}

/// The layout that a TPU's compiler gives the array as a parameter of a program: its order, tiles and `E`. `tpu` is the name
/// of a generation, such as `v6e`: `length` bytes, which need not end with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_layout_with_default_layout(
    layout: *const TlLayout,
    tpu: *const c_char,
    length: usize,
    chosen: *mut *mut TlLayout,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || {
            hand_out("chosen", chosen, || {
                let shape = &given("layout", layout)?.shape;
                let name = text("tpu", tpu, length)?;
                let tpu = Tpu::from_name(name).ok_or_else(|| no_tpu(name))?;
                let code = shape.unknown_size().map_or(TlCode::Layout, |_| TlCode::UnknownSize);
                let chosen = shape.with_default_layout(tpu).map_err(Failure::of(code))?;
                Ok(TlLayout::new(chosen))
            })
        })
    }
}

fn no_tpu(name: &str) -> Failure {
    let name = name.get(..40).unwrap_or(name);
    let message = format_args!("unknown TPU {name:?}\n  = help: write one of {}", Tpu::NAMES);
    Failure::new(TlCode::Text, message)
}
