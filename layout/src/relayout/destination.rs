//! Where copies write: views, buffers, and parts of them.

use crate::array::same_array::SameArray;
use crate::compiled::AnyLayout;
#[cfg(feature = "alloc")]
use crate::memory::buffer::Buffer;
use crate::memory::slice::Slice;
use crate::memory::slice::slice_mut::SliceMut;
use crate::memory::stored::StoredIn;
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::relayout::copy::copy_view;
use crate::relayout::padding::Padding;
use crate::relayout::slice::{copy_slice, copy_to_slice};
use crate::types::sealed::Sealed;

/// Where a copy of `S`, a [`View`] or a [`Slice`] with elements of type `T`, writes: a [`ViewMut`] or a [`Buffer`], or a part of
/// one, a [`SliceMut`].
///
/// Elements narrower than a byte go to and from [`PackedViewMut`](crate::PackedViewMut) and
/// [`PackedSliceMut`](crate::PackedSliceMut) too, from packed memory (`T` is then `u8`, the bits of padding) and from one element a byte.
///
/// From a view to a view or a buffer, both have to be layouts of one array, which the compiler checks ([`SameArray`]). To and
/// from slices the element type and the number of dimensions are the same; sizes are compared when the copy is made.
#[diagnostic::on_unimplemented(
    message = "`{S}` cannot be copied to `{Self}`",
    label = "not where a copy of these elements writes",
    note = "a copy goes to a `ViewMut`, a `Buffer` or a `SliceMut` whose elements and number of dimensions are the source's",
    note = "packed elements go to packed memory of as many bits, or one a byte; strides go to strides by `relayout_to_strided`"
)]
pub trait Destination<S, T>: Sealed {
    /// Copies the elements, and writes the padding.
    #[doc(hidden)]
    #[track_caller]
    fn copy(&mut self, from: &S, padding: Padding<T>);
}

macro_rules! arrays {
    ($($of:ty: $view:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<L: AnyLayout, T> Sealed for $of {}

        impl<A: SameArray<L>, L: AnyLayout, T: StoredIn<L>> Destination<View<'_, A, T>, T> for $of {
            #[inline]
            fn copy(&mut self, from: &View<'_, A, T>, padding: Padding<T>) {
                copy_view(from, &mut self.$view(), padding);
            }
        }

        impl<A, L, T> Destination<Slice<'_, A, T>, T> for $of
        where
            A: AnyLayout,
            L: AnyLayout<Index = A::Index, Element = A::Element>,
            T: StoredIn<L>,
        {
            fn copy(&mut self, from: &Slice<'_, A, T>, padding: Padding<T>) {
                copy_slice(from, &mut self.$view(), padding);
            }
        }
    )*};
}

arrays! { ViewMut<'_, L, T>: reborrow; }

#[cfg(feature = "alloc")]
arrays! { Buffer<L, T>: as_view_mut; }

#[diagnostic::do_not_recommend]
impl<L: AnyLayout, T> Sealed for SliceMut<'_, L, T> {}

impl<A, L, T> Destination<Slice<'_, A, T>, T> for SliceMut<'_, L, T>
where
    A: AnyLayout,
    L: AnyLayout<Index = A::Index, Element = A::Element>,
    T: StoredIn<L>,
{
    fn copy(&mut self, from: &Slice<'_, A, T>, _: Padding<T>) {
        copy_to_slice(from, self);
    }
}

impl<A, L, T> Destination<View<'_, A, T>, T> for SliceMut<'_, L, T>
where
    A: AnyLayout,
    L: AnyLayout<Index = A::Index, Element = A::Element>,
    T: StoredIn<L>,
{
    fn copy(&mut self, from: &View<'_, A, T>, _: Padding<T>) {
        copy_to_slice(&Slice::whole(from.layout(), from.as_slice()), self);
    }
}
