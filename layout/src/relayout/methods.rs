//! Copies of what has a view or a slice: listed once.

#[cfg(feature = "alloc")]
use crate::array::same_array::SameArray;
use crate::compiled::AnyLayout;
#[cfg(feature = "alloc")]
use crate::memory::buffer::Buffer;
use crate::memory::slice::Slice;
use crate::memory::slice::slice_mut::SliceMut;
#[cfg(feature = "alloc")]
use crate::memory::stored::StoredIn;
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::relayout::destination::Destination;
use crate::relayout::padding::Padding;

macro_rules! copied {
    ($($of:ty;)*) => {$(
        /// Copies to other layouts: those of [`View`](crate::View).
        impl<L: AnyLayout, T> $of {
            /// Copies the array to a view, a buffer or a slice: see [`View::relayout_to`](crate::View::relayout_to).
            ///
            /// # Panics
            /// Under the conditions of [`View::relayout_to`](crate::View::relayout_to).
            #[inline]
            #[track_caller]
            pub fn relayout_to<'a>(
                &'a self,
                to: &mut impl Destination<View<'a, L, T>, T>,
                padding: Padding<T>,
            ) {
                self.as_view().relayout_to(to, padding);
            }

            /// The array in a new buffer with the layout `B`: see [`View::to_layout`](crate::View::to_layout).
            ///
            /// # Panics
            /// Under the conditions of [`View::to_layout`](crate::View::to_layout).
            #[cfg(feature = "alloc")]
            #[track_caller]
            #[must_use]
            pub fn to_layout<B>(&self) -> Buffer<B, T>
            where
                L: SameArray<B>,
                B: AnyLayout,
                T: StoredIn<B> + Default,
            {
                self.as_view().to_layout()
            }

            /// Copies the elements to a `Vec` in row-major order: see [`View::to_vec`](crate::View::to_vec).
            #[cfg(feature = "alloc")]
            #[must_use]
            pub fn to_vec(&self) -> alloc::vec::Vec<T>
            where
                T: StoredIn<L>,
            {
                self.as_view().to_vec()
            }
        }
    )*};
}

copied! { ViewMut<'_, L, T>; }

#[cfg(feature = "alloc")]
copied! { Buffer<L, T>; }

impl<L: AnyLayout, T> SliceMut<'_, L, T> {
    /// Copies the slice to a view, a buffer or a slice: see [`Slice::relayout_to`](crate::Slice::relayout_to). A slice that was split
    /// off others is copied run by run or element by element, since other threads may write the memory between its elements.
    ///
    /// # Panics
    /// Under the conditions of [`Slice::relayout_to`](crate::Slice::relayout_to).
    #[track_caller]
    pub fn relayout_to<'a>(
        &'a self,
        to: &mut impl Destination<Slice<'a, L, T>, T>,
        padding: Padding<T>,
    ) {
        self.as_shared().relayout_to(to, padding);
    }

    /// The slice in a new buffer with the layout `B`: see [`Slice::to_layout`](crate::Slice::to_layout).
    ///
    /// # Panics
    /// Under the conditions of [`Slice::to_layout`](crate::Slice::to_layout).
    #[cfg(feature = "alloc")]
    #[track_caller]
    #[must_use]
    pub fn to_layout<B>(&self) -> Buffer<B, T>
    where
        B: AnyLayout<Index = L::Index, Element = L::Element>,
        T: StoredIn<B> + Default,
    {
        self.as_shared().to_layout()
    }
}
