//! Copies from and to memory with strides of its own.

pub(crate) mod loops;
mod map;
#[cfg(feature = "ndarray")]
mod ndarray;

use core::mem::MaybeUninit;

use layout_copy::__private::Plain;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
#[cfg(feature = "alloc")]
use crate::memory::buffer::aligned::written_vec;
use crate::memory::stored::StoredIn;
use crate::memory::strided::{Strided, StridedMut};
use crate::memory::view::{Needs, TooShort, View};
use crate::memory::view_mut::ViewMut;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::copy;
use crate::relayout::copy::with_dims;
use crate::relayout::destination::Destination;
#[cfg(feature = "alloc")]
use crate::relayout::error::CopyError;
use crate::relayout::padding::{Padding, padding_value};
use crate::relayout::strided::loops::{Between, OfRank};

/// Stops a copy between arrays of other sizes.
#[inline(always)]
#[track_caller]
pub(super) fn same_sizes<const R: usize>(from: [usize; R], to: [usize; R]) {
    // One by one, as they are in registers, and with the message elsewhere, which needs them in memory.
    if !from.iter().eq(&to) {
        other_sizes(from, to);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn other_sizes<const R: usize>(from: [usize; R], to: [usize; R]) {
    assert_eq!(from, to, "an array keeps its sizes when it is copied");
}

#[diagnostic::do_not_recommend]
impl<B, T, const R: usize> Destination<Strided<'_, T, R>, T> for ViewMut<'_, B, T>
where
    B: AnyLayout<Index = [usize; R]>,
    T: StoredIn<B>,
{
    #[inline]
    fn copy(&mut self, from: &Strided<'_, T, R>, padding: Padding<T>) {
        same_sizes(from.dims(), self.dims());
        let (layout, dst) = (self.layout(), self.as_mut_slice());
        let padding = padding_value::<B, T>(padding, dst.len() > layout.elements());
        let slots = CopiedSlots::of(T::PLAIN_HERE, from.data, dst, padding);
        copy(Between::<B, false>::of(&from.place, layout), slots);
    }
}

impl<T, const R: usize> Strided<'_, T, R> {
    /// Copies the array to a view with as many elements along each dimension. An array of elements of one byte
    /// ([`OneByte`](crate::copies::OneByte)) can also go to a [`PackedViewMut`](crate::PackedViewMut), which takes the low bits of each.
    ///
    /// The compiler makes the plan, as for a [`Copier`](crate::Copier): only the strides are filled in at the call. Small arrays are copied by
    /// loops in the caller's code, within some nanoseconds. So are arrays of any size in which no two elements are neighbours in memory. Other
    /// large arrays are copied as fast as a view, wherever rows begin.
    ///
    /// # Panics
    /// If the view has other sizes. If `T` is a type of your own without [`of_bits`](crate::StoredAs::of_bits), and the
    /// padding is asked to be `Zero` or `Declared` with a `FILL`.
    #[inline]
    #[track_caller]
    pub fn relayout_to(&self, to: &mut impl Destination<Self, T>, padding: Padding<T>) {
        to.copy(self, padding);
    }

    /// Copies the array to other strides, elements of any type. What lies between the elements there stays as it is.
    ///
    /// # Panics
    /// If the destination has other sizes.
    #[inline]
    #[track_caller]
    pub fn relayout_to_strided(&self, to: &mut StridedMut<'_, T, R>)
    where
        T: Copy + 'static,
    {
        same_sizes(self.dims(), to.dims());
        let slots = CopiedSlots::of(Plain::of_type(), self.data, to.data, None);
        copy(OfRank([self.place, to.place]), slots);
    }

    /// Copies the array to memory that may hold nothing yet: see [`View::relayout_uninit`].
    ///
    /// # Errors
    /// If the memory is too short; nothing is written then.
    ///
    /// # Panics
    /// If a size is another than a static dimension's of `B` or above a bound, or if a count does not fit in `isize::MAX`.
    #[inline]
    #[track_caller]
    pub fn relayout_uninit<'a, B>(
        &self,
        memory: &'a mut [MaybeUninit<T>],
        padding: T,
    ) -> Result<ViewMut<'a, B, T>, TooShort>
    where
        B: AnyLayout<Index = [usize; R]>,
        T: StoredIn<B>,
    {
        let () = T::HAS_SIZE;
        let layout = with_dims::<B>(&self.dims());
        let memory = TooShort::first_mut(memory, layout.padded_elements(), Needs::elements::<B>())?;
        Ok(ViewMut::of_slots(layout, self.copy_uninit(layout, memory, padding)))
    }

    /// The array in a new `Vec` that is written once: all slots of the layout `B`, in the order of memory. The padding among them becomes
    /// `padding`. See [`Copier::run`](crate::Copier::run).
    ///
    /// # Errors
    /// If the sizes do not go with `B`.
    ///
    /// # Examples
    /// ```
    /// use layout::{Strided, layout};
    ///
    /// // Two columns of rows of three, in panels of two rows.
    /// let columns = Strided::new(&[0, 1, 9, 2, 3, 9, 4, 5], [3, 2], [3, 1])?;
    /// let panels = columns.relayout_to_vec::<layout!(S32[?,?]{1,0:T(2,1)})>(7)?;
    /// assert_eq!(panels, [0, 2, 1, 3, 4, 7, 5, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn relayout_to_vec<B>(&self, padding: T) -> Result<alloc::vec::Vec<T>, CopyError>
    where
        B: AnyLayout<Index = [usize; R]>,
        T: StoredIn<B>,
    {
        let () = T::HAS_SIZE;
        let layout = WithDims::<B>::checked(&self.dims())?;
        Ok(written_vec(padding, layout.padded_elements(), |memory| {
            self.copy_uninit(layout, memory, padding)
        }))
    }

    /// The array in a new buffer with the layout `B`, its padding the default value (0 for numbers).
    ///
    /// # Panics
    /// Under the conditions of [`relayout_uninit`](Self::relayout_uninit).
    #[cfg(feature = "alloc")]
    #[track_caller]
    #[must_use]
    pub fn to_layout<B>(&self) -> crate::Buffer<B, T>
    where
        B: AnyLayout<Index = [usize; R]>,
        T: StoredIn<B> + Default,
    {
        let () = T::HAS_SIZE;
        let layout = with_dims::<B>(&self.dims());
        crate::Buffer::of_written(layout, T::default(), |memory| {
            self.copy_uninit(layout, memory, T::default())
        })
    }

    /// Copies to memory of a layout with the sizes of the array.
    #[inline(always)]
    fn copy_uninit<'a, B>(
        &self,
        layout: WithDims<B>,
        memory: &'a mut [MaybeUninit<T>],
        padding: T,
    ) -> &'a mut [T]
    where
        B: AnyLayout,
        T: StoredIn<B>,
    {
        let slots = CopiedSlots::of_uninit(T::PLAIN_HERE, self.data, memory, padding);
        copy(Between::<B, false>::of(&self.place, layout), slots)
    }
}

impl<L: AnyLayout, T> View<'_, L, T> {
    /// Copies the array to memory with strides of its own. What lies between the elements there stays as it is. It is as fast as
    /// [the way there](Strided::relayout_to).
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
    #[inline]
    #[track_caller]
    pub fn relayout_to_strided<const R: usize>(&self, to: &mut StridedMut<'_, T, R>)
    where
        L: AnyLayout<Index = [usize; R]>,
        T: StoredIn<L>,
    {
        same_sizes(self.dims(), to.dims());
        let slots = CopiedSlots::of(T::PLAIN_HERE, self.as_slice(), to.data, None);
        copy(Between::<L, true>::of(&to.place, self.layout()), slots);
    }
}
