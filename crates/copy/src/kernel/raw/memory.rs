//! The memory of a copy as bytes, so that what copies is compiled once for all types of elements.

use core::mem::MaybeUninit;
use core::slice::{from_raw_parts, from_raw_parts_mut};

use crate::one_byte::OneByte;
use crate::plain::Plain;

/// The source and the destination of a copy. The type of the elements is not known here, so a copy may only write whole
/// elements of the source to places of elements in the destination.
#[derive(Debug)]
// Uninitialised memory is never read: to fill the whole destination with zeros first took a quarter of a large
// copy.
pub struct Memory<'a> {
    pub(in super::super) src: &'a [MaybeUninit<u8>],
    pub(in super::super) dst: &'a mut [MaybeUninit<u8>],
    pub(in super::super) bytes: Plainness,
}

/// Whether all bytes of elements are initialised and any bytes are elements. Only this file says that they are.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Plainness {
    are_plain: bool,
    /// Whether the destination's are initialised before the copy, too.
    is_dst_initialised: bool,
}

impl<'a> Memory<'a> {
    /// Elements of a type.
    pub fn of<T: Copy>(plain: Plain<T>, src: &'a [T], dst: &'a mut [T]) -> Memory<'a> {
        let length = dst.len();
        // SAFETY: the same memory. What is written to it are elements of the source, values of `T`.
        let dst = unsafe { from_raw_parts_mut(dst.as_mut_ptr().cast(), length) };
        let mut memory = Memory::of_uninit(plain, src, dst);
        memory.bytes.is_dst_initialised = true;
        memory
    }

    /// Elements of a type, to memory that may hold none yet.
    pub fn of_uninit<T: Copy>(
        plain: Plain<T>,
        src: &'a [T],
        dst: &'a mut [MaybeUninit<T>],
    ) -> Memory<'a> {
        let bytes = [size_of_val(src), size_of_val(dst)];
        // SAFETY: a byte that may be uninitialised needs no stricter alignment than `T`, and these are all bytes of the slices,
        // whose borrows are handed on. Elements written whole are values of `T`.
        let (src, dst) = unsafe {
            (
                from_raw_parts(src.as_ptr().cast(), bytes[0]),
                from_raw_parts_mut(dst.as_mut_ptr().cast(), bytes[1]),
            )
        };
        Memory { src, dst, bytes: Plainness::new(plain, false) }
    }

    /// Bytes that may be elements of any size.
    pub fn of_bytes(src: &'a [u8], dst: &'a mut [u8]) -> Memory<'a> {
        let lengths = [src.len(), dst.len()];
        // SAFETY: the same bytes. All that is written comes from the source, all of whose bytes are initialised.
        let (src, dst) = unsafe {
            (
                from_raw_parts(src.as_ptr().cast(), lengths[0]),
                from_raw_parts_mut(dst.as_mut_ptr().cast(), lengths[1]),
            )
        };
        Memory { src, dst, bytes: Plainness::new(Plain::<u8>::YES, true) }
    }

    /// This memory, borrowed for a shorter time.
    pub fn again(&mut self) -> Memory<'_> {
        Memory { src: self.src, dst: self.dst, bytes: self.bytes }
    }

    /// Whether vectors may be loaded from the source, and stored to the destination.
    pub(in super::super) fn are_plain(&self) -> bool {
        self.bytes.are_plain
    }

    /// Both as bytes, if vectors may be loaded from the source.
    pub(in super::super::super) fn plain(&mut self) -> Option<(&[u8], Destination<'_>)> {
        let Plainness { are_plain, is_dst_initialised: is_initialised } = self.bytes;
        if !are_plain {
            return None;
        }
        // SAFETY: all bytes of plain elements are initialised.
        let src = unsafe { from_raw_parts(self.src.as_ptr().cast(), self.src.len()) };
        Some((src, Destination { bytes: self.dst, is_initialised }))
    }
}

/// Bytes that a copy writes.
#[derive(Debug)]
pub(crate) struct Destination<'a> {
    pub(in super::super) bytes: &'a mut [MaybeUninit<u8>],
    is_initialised: bool,
}

impl<'a> Destination<'a> {
    /// Of bytes that are initialised.
    pub(crate) fn of(bytes: &'a mut [u8]) -> Destination<'a> {
        Destination { bytes: Memory::of_bytes(&[], bytes).dst, is_initialised: true }
    }

    /// All of the bytes.
    #[cfg(feature = "rayon")]
    pub(crate) fn all(&mut self) -> &mut [u8] {
        self.part(0, self.bytes.len())
    }

    /// Some of the bytes. All of them are written, but for those that are initialised already.
    #[inline(always)]
    pub(crate) fn part(&mut self, first: usize, length: usize) -> &mut [u8] {
        let part = &mut self.bytes[first..][..length];
        if !self.is_initialised {
            part.fill(MaybeUninit::new(0));
        }
        // SAFETY: they are initialised, and stay so: what is written comes from the source.
        unsafe { from_raw_parts_mut(part.as_mut_ptr().cast(), length) }
    }

    /// Some of the bytes, if there are as many that are initialised already.
    #[inline(always)]
    pub(crate) fn initialised(&mut self, first: usize, length: usize) -> Option<&mut [u8]> {
        let is_there = first.checked_add(length).is_some_and(|end| end <= self.bytes.len());
        if is_there && self.is_initialised { Some(self.part(first, length)) } else { None }
    }
}

impl Plainness {
    const fn new<T>(plain: Plain<T>, is_dst_initialised: bool) -> Plainness {
        Plainness { are_plain: plain.is_plain(), is_dst_initialised }
    }
}

/// Elements of a byte as bytes.
pub fn bytes<T: OneByte>(elements: &[T]) -> &[u8] {
    const { assert!(size_of::<T>() == 1) };
    // SAFETY: the trait is sealed: `T` is `u8`, `i8` or `bool`, all of whose bytes are initialised and which are one
    // byte each.
    unsafe { from_raw_parts(elements.as_ptr().cast(), elements.len()) }
}

/// [`bytes`] to write to: only values of `T` may be written, so of `bool` only 0 and 1.
pub fn bytes_mut<T: OneByte>(elements: &mut [T]) -> &mut [u8] {
    const { assert!(size_of::<T>() == 1) };
    // SAFETY: as in `bytes`. `layout` writes values of `T`: for `bool` the lowest bit of
    // each byte alone (`Extend::One`).
    unsafe { from_raw_parts_mut(elements.as_mut_ptr().cast(), elements.len()) }
}
