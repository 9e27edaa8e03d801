//! The memory of a copy of typed elements, whose destination may hold nothing yet.
#![allow(unsafe_code, reason = "memory that was written is initialised")]

use core::mem::MaybeUninit;
use core::slice::from_raw_parts_mut;

use layout_copy::__private::{InlineMemory, Memory, Plain};

/// The slots of both sides, and what becomes of those that hold no element.
#[derive(Debug)]
#[allow(unnameable_types, reason = "the sealed trait `Dest` has it")]
pub struct CopiedSlots<'s, 'd, T> {
    plain: Plain<T>,
    src: &'s [T],
    dst: &'d mut [MaybeUninit<T>],
    is_initialised: bool,
    /// What is written to padding. `None` leaves it as it is, which memory that holds nothing can have only without padding.
    padding: Option<T>,
}

impl<'s, 'd, T: Copy + 'static> CopiedSlots<'s, 'd, T> {
    /// Of a destination that holds values.
    #[inline(always)]
    pub(super) fn of(src: &'s [T], dst: &'d mut [T], padding: Option<T>) -> Self {
        let len = dst.len();
        // SAFETY: it is the same memory, and nothing but values of `T` is written to it.
        let dst = unsafe { from_raw_parts_mut(dst.as_mut_ptr().cast(), len) };
        CopiedSlots { plain: Plain::of_type(), src, dst, is_initialised: true, padding }
    }

    /// Of one that may hold nothing yet. A copy has to write all of it.
    #[inline(always)]
    pub(super) fn of_uninit(
        src: &'s [T],
        dst: &'d mut [MaybeUninit<T>],
        padding: Option<T>,
    ) -> Self {
        CopiedSlots { plain: Plain::of_type(), src, dst, is_initialised: false, padding }
    }

    /// These slots, borrowed for a shorter time.
    pub(super) const fn again(&mut self) -> CopiedSlots<'_, '_, T> {
        let CopiedSlots { plain, src, ref mut dst, is_initialised, padding } = *self;
        CopiedSlots { plain, src, dst, is_initialised, padding }
    }

    /// These slots in a structure of their own.
    #[inline(always)]
    pub(super) const fn apart(self) -> Self {
        let CopiedSlots { plain, src, dst, is_initialised, padding } = self;
        CopiedSlots { plain, src, dst, is_initialised, padding }
    }

    /// What is written to padding, if the destination has more slots than these elements.
    #[inline(always)]
    fn padding(&self, elements: usize) -> Option<T> {
        let has_padding = elements < self.dst.len();
        assert!(
            self.is_initialised || !has_padding || self.padding.is_some(),
            "all slots of memory that holds nothing are written"
        );
        self.padding.filter(|_| has_padding)
    }

    /// Writes the padding, if the destination has more slots than these elements.
    #[inline(always)]
    pub(super) fn pad(
        &mut self,
        elements: usize,
        fill: impl FnOnce(&mut [MaybeUninit<T>], MaybeUninit<T>),
    ) {
        if let Some(value) = self.padding(elements) {
            fill(self.dst, MaybeUninit::new(value));
        }
    }

    /// For loops in the caller's code, and what they write to padding, if the destination has more slots than these elements.
    #[inline(always)]
    pub(super) fn for_loops(
        &mut self,
        elements: usize,
    ) -> (InlineMemory<'_, T>, Option<T>, Plain<T>) {
        let padding = self.padding(elements);
        (InlineMemory::of_uninit(self.src, self.dst), padding, self.plain)
    }

    /// For loops from elements of another type.
    #[inline(always)]
    pub(super) fn loops_from<'m, S: Copy>(&'m mut self, src: &'m [S]) -> InlineMemory<'m, S, T> {
        InlineMemory::of_uninit(src, self.dst)
    }

    /// Writes an element.
    pub(super) fn put(&mut self, slot: usize, value: T) {
        self.dst[slot] = MaybeUninit::new(value);
    }

    /// For kernels that write these elements, after `fill` wrote the padding.
    pub(super) fn for_kernels(
        mut self,
        elements: usize,
        fill: impl FnOnce(&mut [MaybeUninit<T>], MaybeUninit<T>),
    ) -> Memory<'d>
    where
        's: 'd,
    {
        self.pad(elements, fill);
        let CopiedSlots { plain, src, dst, is_initialised, .. } = self;
        if is_initialised {
            // SAFETY: it was given as such.
            Memory::of(plain, src, unsafe { written(dst) })
        } else {
            Memory::of_uninit(plain, src, dst)
        }
    }

    /// The source.
    pub(super) const fn source(&self) -> &'s [T] {
        self.src
    }

    /// A copy from another source.
    #[inline(always)]
    pub(super) fn reading<'r>(self, src: &'r [T]) -> CopiedSlots<'r, 'd, T> {
        let CopiedSlots { plain, dst, is_initialised, padding, .. } = self;
        CopiedSlots { plain, src, dst, is_initialised, padding }
    }

    /// These slots with a value for padding, if there is one.
    #[inline(always)]
    pub(super) fn padded(self, value: Option<T>) -> Self {
        let padding = if value.is_some() { value } else { self.padding };
        CopiedSlots { padding, ..self }
    }

    /// The destination, in which each slot holds a value: what padding becomes, or `or`, where it may have held nothing.
    pub(crate) fn initialised(self, or: Option<T>) -> &'d mut [T] {
        if !self.is_initialised {
            match self.padding.or(or) {
                Some(value) => self.dst.fill(MaybeUninit::new(value)),
                None => assert!(self.dst.is_empty(), "there is a value for each slot"),
            }
        }
        // SAFETY: all of it has just been written, or was given as initialised.
        unsafe { written(self.dst) }
    }

    /// The destination after a copy.
    ///
    /// # Safety
    /// Of a destination that may have held nothing, the copy has written every slot.
    #[inline(always)]
    pub(super) const unsafe fn copied(self) -> &'d mut [T] {
        // SAFETY: as the caller says, or it was given as such.
        unsafe { written(self.dst) }
    }
}

/// # Safety
/// All of it is initialised.
#[inline(always)]
const unsafe fn written<T>(memory: &mut [MaybeUninit<T>]) -> &mut [T] {
    let len = memory.len();
    // SAFETY: the same memory, of which the caller says that it holds values of `T`.
    unsafe { from_raw_parts_mut(memory.as_mut_ptr().cast(), len) }
}
