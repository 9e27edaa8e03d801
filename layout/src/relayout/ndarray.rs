//! Copies from and to arrays of the crate `ndarray`.

use layout_core::Digits;
use ndarray::{Array, ArrayView, IntoDimension};

use crate::compiled::{self, AnyLayout};
use crate::memory::ndarray::{Dim, dims};
use crate::memory::stored::StoredAs;
use crate::memory::view::{View, ViewMut};
use crate::relayout::kernel::copying::Copying;
use crate::relayout::kernel::settings::Settings;
use crate::relayout::padding::{Padding, fill_padding};
use crate::walk::region_walk::Counted;

impl<L: AnyLayout<Index: IntoDimension>, T> View<'_, L, T> {
    /// The array copied to one of `ndarray`, in its own order of memory, whatever the layout.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[2,3]{1,0:T(2,2)});
    /// let view = View::<A, f32>::new(&[0.0, 1.0, 3.0, 4.0, 2.0, 9.0, 5.0, 9.0])?;
    /// assert_eq!(view.to_ndarray(), ndarray::array![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    pub fn to_ndarray(&self) -> Array<T, Dim<L::Index>>
    where
        T: StoredAs<L::Element> + Default,
    {
        let [src, dst] =
            [compiled::digits::<L>(&self.sizes()), row_major::<L>(self.dims().as_ref())];
        let mut elements = alloc::vec![T::default(); dst.elements()];
        let copying = Copying::new(&src, &dst, size_of::<T>());
        let plain = <T as StoredAs<L::Element>>::PLAIN;
        copying.run(plain, self.as_slice(), &mut elements, &Settings::default());
        match Array::from_shape_vec(dims(self.dims()), elements) {
            Ok(array) => array,
            Err(error) => unreachable!("{error}"),
        }
    }
}

impl<L: AnyLayout<Index: IntoDimension>, T> ViewMut<'_, L, T> {
    /// Copies an array of `ndarray`, in whatever order it lies in memory.
    ///
    /// # Panics
    /// If it has other sizes. If `T` is a type of your own without [`of_bits`](StoredAs::of_bits), and
    /// the padding is asked to be `Zero` or `Declared` with a `FILL`.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, Padding, layout};
    ///
    /// let array = ndarray::array![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]];
    /// let mut buffer = Buffer::<layout!(F32[2,3]{1,0:T(2,2)}), f32>::filled(9.0);
    /// buffer.as_view_mut().copy_from_ndarray(&array.view(), Padding::Zero);
    /// assert_eq!(buffer.as_slice(), [0.0, 1.0, 3.0, 4.0, 2.0, 0.0, 5.0, 0.0]);
    /// ```
    #[track_caller]
    pub fn copy_from_ndarray(
        &mut self,
        array: &ArrayView<'_, T, Dim<L::Index>>,
        padding: Padding<T>,
    ) where
        T: StoredAs<L::Element>,
    {
        let sizes = self.dims();
        assert_eq!(array.shape(), sizes.as_ref(), "a copy keeps the sizes of an array");
        let dst = compiled::digits::<L>(&self.sizes());
        fill_padding(&dst, self, padding);
        if let Some(elements) = array.as_slice() {
            let src = row_major::<L>(sizes.as_ref());
            let copying = Copying::new(&src, &dst, size_of::<T>());
            let plain = <T as StoredAs<L::Element>>::PLAIN;
            copying.run(plain, elements, self.as_mut_slice(), &Settings::default());
            return;
        }
        for (index, element) in Counted::<L>::row_major(sizes).zip(array.iter()) {
            self[index] = *element;
        }
    }
}

/// An array of these sizes as `ndarray` lays it out.
fn row_major<L: AnyLayout>(dims: &[usize]) -> Digits {
    match Digits::new(&L::VALUE.row_major_of(dims)) {
        Some(digits) => digits,
        None => unreachable!("every size is known"),
    }
}
