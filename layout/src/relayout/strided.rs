//! Copies from and to memory with strides of its own.

use layout_copy::__private::{self as copying, Memory};
use layout_copy::Settings;
use layout_core::Size;

use crate::compiled::{self, AnyLayout};
use crate::memory::stored::StoredIn;
use crate::memory::strided::{Strided, StridedMut};
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::relayout::padding::{Padding, fill_padding};
use layout_copy::__private::Plain;

/// Stops a copy between arrays of other sizes.
#[track_caller]
pub(super) fn same_sizes(from: &[usize], to: &[usize]) {
    assert_eq!(from, to, "an array keeps its sizes when it is copied");
}

impl<T, const R: usize> Strided<'_, T, R> {
    /// Copies the array to a view with the layout `B`, which has as many elements along each dimension.
    ///
    /// Rows that lie side by side in memory are copied as fast as a view's, and transposes too, wherever rows begin; along flipped axes and
    /// with steps between the elements, one element at a time. Each call makes the plan, which takes about a microsecond: keep a
    /// [`StridedRelayout`](crate::copies::StridedRelayout) for small copies.
    ///
    /// # Panics
    /// If the view has other sizes. If `T` is a type of your own without [`of_bits`](crate::StoredAs::of_bits), and the
    /// padding is asked to be `Zero` or `Declared` with a `FILL`.
    #[track_caller]
    pub fn relayout_to<B>(&self, to: &mut ViewMut<'_, B, T>, padding: Padding<T>)
    where
        B: AnyLayout<Index = [usize; R]>,
        T: StoredIn<B>,
    {
        same_sizes(&self.dims(), to.dims().as_ref());
        let [src, dst] = [self.place.digits(), compiled::digits::<B>(&to.sizes())];
        fill_padding(&dst, to, padding);
        let memory = Memory::of(T::PLAIN_HERE, self.data, to.as_mut_slice());
        let first = [self.place.first as Size, 0];
        copying::copy_from([&src, &dst], first, memory, size_of::<T>(), &Settings::default());
    }

    /// Copies the array to other strides, elements of any type. What lies between the elements there stays as it is.
    ///
    /// # Panics
    /// If the destination has other sizes.
    #[track_caller]
    pub fn relayout_to_strided(&self, to: &mut StridedMut<'_, T, R>)
    where
        T: Copy + 'static,
    {
        same_sizes(&self.dims(), &to.dims());
        let digits = [&self.place.digits(), &to.place.digits()];
        let first = [self.place.first, to.place.first].map(|first| first as Size);
        let memory = Memory::of(Plain::of_type(), self.data, to.data);
        copying::copy_from(digits, first, memory, size_of::<T>(), &Settings::default());
    }
}

impl<L: AnyLayout, T> View<'_, L, T> {
    /// Copies the array to memory with strides of its own. What lies between the elements there stays as it is.
    ///
    /// # Panics
    /// If the destination has other sizes.
    ///
    /// # Examples
    /// ```
    /// use layout::{StridedMut, View, layout};
    ///
    /// type Tiles = layout!(S32[2,3]{1,0:T(2,2)});
    /// let view = View::<Tiles, i32>::new(&[0, 1, 3, 4, 2, 9, 5, 9])?;
    /// // Rows of 5, of which 3 are written.
    /// let mut rows = [7; 8];
    /// view.relayout_to_strided(&mut StridedMut::new(&mut rows, [2, 3], [5, 1])?);
    /// assert_eq!(rows, [0, 1, 2, 7, 7, 3, 4, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn relayout_to_strided<const R: usize>(&self, to: &mut StridedMut<'_, T, R>)
    where
        L: AnyLayout<Index = [usize; R]>,
        T: StoredIn<L>,
    {
        same_sizes(self.dims().as_ref(), &to.dims());
        let digits = [&compiled::digits::<L>(&self.sizes()), &to.place.digits()];
        let first = [0, to.place.first as Size];
        let memory = Memory::of(T::PLAIN_HERE, self.as_slice(), to.data);
        copying::copy_from(digits, first, memory, size_of::<T>(), &Settings::default());
    }
}
