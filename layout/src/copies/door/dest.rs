//! The slices, arrays and vectors that copies write.

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};
use core::mem::MaybeUninit;

use layout_copy::__private::Plain;

use crate::copies::{error::CopyError, padding::Padding, padding::padding_at, slots::CopiedSlots};
#[cfg(feature = "alloc")]
use crate::memory::aligned::append_written;
use crate::memory::place::mapping::Mapping;
use crate::spec::sealed::Sealed;

/// Memory that a copy writes: `[T]`, `[T; N]`, `Box<[T]>`, `Vec<T>`, and `[MaybeUninit<T>]` or `[MaybeUninit<T>; N]`.
///
/// The result of a copy is [`Out`](Self::Out): for memory that may hold nothing yet the elements that were written, else `()`. The
/// slots of a layout are the first ones; those past them are not changed. A `Vec` with fewer slots is cleared and gets exactly those
/// of the layout.
///
/// # Examples
/// ```
/// use core::mem::MaybeUninit;
/// use layout::{Copier, Padding, layout};
///
/// type Rows = layout!(F32[?,?]);
/// type Panels = layout!(F32[?,?]{0,1:T(2,1)});
/// const PACK: Copier<Rows, Panels> = Copier::new();
/// let rows = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
///
/// let mut grown = Vec::new();
/// PACK.run([2, 3], &rows, &mut grown, 9.0)?;
/// assert_eq!(grown, [0.0, 1.0, 3.0, 4.0, 2.0, 9.0, 5.0, 9.0]);
///
/// let mut memory = [MaybeUninit::uninit(); 100];
/// let written: &mut [f32] = PACK.run([2, 3], &rows, &mut memory, Padding::Zero)?;
/// assert_eq!(written, [0.0, 1.0, 3.0, 4.0, 2.0, 0.0, 5.0, 0.0]);
/// # Ok::<(), layout::CopyError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a copy of `{T}` does not write to `{Self}`",
    label = "not memory for elements of type `{T}`",
    note = "a copy writes to `&mut [T]`, `&mut [T; N]`, `&mut Vec<T>`, `&mut Box<[T]>` and `&mut [MaybeUninit<T>]`"
)]
pub trait Dest<T: Copy + 'static>: Sealed {
    /// What a copy returns: `()`, or the elements that it wrote to memory that may have held nothing.
    type Out<'d>
    where
        Self: 'd;

    /// Calls `copy` with the slots that it is to write, and with the source.
    #[doc(hidden)]
    fn write<'d>(
        &'d mut self,
        slots: DestSlots<'_, T>,
        copy: impl for<'m> FnOnce(CopiedSlots<'_, 'm, T>) -> &'m mut [T],
    ) -> Result<Self::Out<'d>, CopyError>;
}

/// The source of a copy, and how many slots it writes.
#[derive(Clone, Copy, Debug)]
#[allow(unnameable_types, reason = "the sealed trait `Dest` has it")]
pub struct DestSlots<'s, T> {
    pub(in crate::copies) src: &'s [T],
    pub(in crate::copies) needed: usize,
    /// Whether some of them hold no element.
    pub(in crate::copies) has_padding: bool,
    /// What is written to these.
    pub(in crate::copies) padding: Option<T>,
    /// What is written to them where they held nothing.
    pub(in crate::copies) unused: Option<T>,
}

impl<'s, T: Copy + 'static> DestSlots<'s, T> {
    /// Of a layout.
    #[inline(always)]
    pub(in crate::copies) fn of(
        src: &'s [T],
        layout: &impl Mapping,
        padding: impl Into<Padding<T>>,
    ) -> Result<Self, CopyError> {
        let (needed, has_padding) = (layout.slots(), layout.has_padding());
        let padding = padding_at(layout, padding.into())?;
        let unused = if has_padding { padding.or_else(|| Plain::of_bits(0)) } else { None };
        Ok(DestSlots { src, needed, has_padding, padding, unused })
    }

    /// The slots of memory that may hold nothing.
    #[inline(always)]
    fn uninit<'d>(
        self,
        dst: &'d mut [MaybeUninit<T>],
    ) -> Result<CopiedSlots<'s, 'd, T>, CopyError> {
        if self.has_padding && self.unused.is_none() {
            return Err(CopyError::NoPadding);
        }
        let dst = CopyError::destination(dst, self.needed)?;
        Ok(CopiedSlots::of_uninit(self.src, dst, self.unused))
    }
}

impl<T> Sealed for [T] {}

impl<T: Copy + 'static> Dest<T> for [T] {
    type Out<'d> = ();

    #[inline(always)]
    fn write<'d>(
        &'d mut self,
        DestSlots { src, needed, padding, .. }: DestSlots<'_, T>,
        copy: impl for<'m> FnOnce(CopiedSlots<'_, 'm, T>) -> &'m mut [T],
    ) -> Result<(), CopyError> {
        let dst = CopyError::destination(self, needed)?;
        copy(CopiedSlots::of(src, dst, padding));
        Ok(())
    }
}

impl<T: Copy + 'static> Dest<T> for [MaybeUninit<T>] {
    type Out<'d> = &'d mut [T];

    #[inline(always)]
    fn write<'d>(
        &'d mut self,
        slots: DestSlots<'_, T>,
        copy: impl for<'m> FnOnce(CopiedSlots<'_, 'm, T>) -> &'m mut [T],
    ) -> Result<&'d mut [T], CopyError> {
        Ok(copy(slots.uninit(self)?))
    }
}

#[cfg(feature = "alloc")]
impl<T> Sealed for Vec<T> {}

#[cfg(feature = "alloc")]
impl<T: Copy + 'static> Dest<T> for Vec<T> {
    type Out<'d> = ();

    #[inline]
    fn write<'d>(
        &'d mut self,
        slots: DestSlots<'_, T>,
        copy: impl for<'m> FnOnce(CopiedSlots<'_, 'm, T>) -> &'m mut [T],
    ) -> Result<(), CopyError> {
        let needed = slots.needed;
        if self.len() >= needed {
            return self.as_mut_slice().write(slots, copy);
        }
        if slots.has_padding && slots.unused.is_none() {
            return Err(CopyError::NoPadding);
        }
        self.clear();
        append_written(self, needed, |memory| {
            copy(CopiedSlots::of_uninit(slots.src, memory, slots.unused))
        });
        Ok(())
    }
}

#[cfg(feature = "alloc")]
impl<T> Sealed for Box<[T]> {}

/// Memory that is a slice.
macro_rules! slices {
    ($($(#[$feature:meta])? [$($parameter:tt)*] $of:ty => $slice:ty;)*) => {$(
        $(#[$feature])?
        impl<T: Copy + 'static, $($parameter)*> Dest<T> for $of {
            type Out<'d> = <$slice as Dest<T>>::Out<'d>;

            #[inline(always)]
            fn write<'d>(
                &'d mut self,
                slots: DestSlots<'_, T>,
                copy: impl for<'m> FnOnce(CopiedSlots<'_, 'm, T>) -> &'m mut [T],
            ) -> Result<Self::Out<'d>, CopyError> {
                <$slice as Dest<T>>::write(self, slots, copy)
            }
        }
    )*};
}

slices! {
    [const N: usize] [T; N] => [T];
    [const N: usize] [MaybeUninit<T>; N] => [MaybeUninit<T>];
    #[cfg(feature = "alloc")] [] Box<[T]> => [T];
}
