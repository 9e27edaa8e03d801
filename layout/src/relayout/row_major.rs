//! Copies from and to lists of the elements in row-major order.

#[cfg(all(feature = "alloc", feature = "serde"))]
mod serialize;

use alloc::vec::Vec;

use layout_copy::Settings;
use layout_core::{Digits, Index};

use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout};
use crate::memory::buffer::aligned::written_vec;
use crate::memory::buffer::{Buffer, WrongLength, constructors};
use crate::memory::stored::StoredIn;
use crate::memory::view::View;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::copy_by_kernels;

/// The digits of an array of the view's sizes in row-major order.
fn row_major<L: AnyLayout>(dims: &[usize]) -> Digits {
    match L::VALUE.row_major_of(&Index::of_native(dims)).digits() {
        Ok(digits) => digits,
        Err(error) => unreachable!("{error}"),
    }
}

impl<L: AnyLayout, T> View<'_, L, T> {
    /// Copies the elements to a `Vec` in row-major order: for any layout, the last dimension varies fastest.
    ///
    /// It copies as fast as [`relayout_to`](Self::relayout_to), but plans the copy in each call.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[2,3]{1,0:T(2,2)});
    /// let view = View::<A, f32>::new(&[0.0, 1.0, 3.0, 4.0, 2.0, 9.0, 5.0, 9.0])?;
    /// assert_eq!(view.to_vec(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[must_use]
    pub fn to_vec(&self) -> Vec<T>
    where
        T: StoredIn<L>,
    {
        let Some(&first) = self.as_slice().first() else { return Vec::new() };
        let src = compiled::digits::<L>(&self.sizes());
        let dst = row_major::<L>(self.dims().as_ref());
        let count = self.layout().elements();
        written_vec(first, count, |memory| {
            let slots = CopiedSlots::of_uninit(T::PLAIN_HERE, self.as_slice(), memory, first);
            copy_by_kernels(&[&src, &dst], slots, &Settings::default())
        })
    }
}

constructors! {
    /// Copies a list in row-major order into a new buffer; padding holds the default value (0 for
    /// numbers).
    ///
    /// It copies as fast as [`copy`](crate::copy()), but plans the copy in each call.
    ///
    /// # Errors
    /// If the list does not have as many elements as the array.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// type A = layout!(F32[2,3]{1,0:T(2,2)});
    /// let buffer = Buffer::<A>::from_row_major(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])?;
    /// assert_eq!(buffer.as_slice(), [0.0, 1.0, 3.0, 4.0, 2.0, 0.0, 5.0, 0.0]);
    /// # Ok::<(), layout::WrongLength>(())
    /// ```
    fn from_row_major(elements: &[T]) -> Result<Buffer<L, T>, WrongLength>
        where T: Default => |layout| buffer_of_row_major(layout, elements);
}

/// Looks at no type: the functions that users call do.
pub(super) fn buffer_of_row_major<L, T>(
    layout: WithDims<L>,
    elements: &[T],
) -> Result<Buffer<L, T>, WrongLength>
where
    L: AnyLayout,
    T: StoredIn<L> + Default,
{
    WrongLength::check(layout.elements(), elements.len())?;
    let digits = [row_major::<L>(layout.dims().as_ref()), compiled::digits::<L>(&layout.sizes())];
    let [src, dst] = &digits;
    Ok(Buffer::of_written(layout, T::default(), |memory| {
        let slots = CopiedSlots::of_uninit(T::PLAIN_HERE, elements, memory, T::default());
        copy_by_kernels(&[src, dst], slots, &Settings::default())
    }))
}
