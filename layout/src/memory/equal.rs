//! Comparing arrays: views and buffers are equal if their elements are.
//!
//! Padding is not an element, and one array can have two layouts.

use crate::array::same_array::SameArray;
use crate::compiled::AnyLayout;
#[cfg(feature = "alloc")]
use crate::memory::buffer::Buffer;
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;

macro_rules! compared {
    ($($left:ty => $right:ty;)*) => {$(
        /// Arrays are equal if their sizes and elements are; their layouts and their padding are not compared.
        impl<L, B, T, U> PartialEq<$right> for $left
        where
            L: SameArray<B>,
            B: AnyLayout,
            T: PartialEq<U>,
        {
            fn eq(&self, other: &$right) -> bool {
                self.dims().as_ref() == other.dims().as_ref()
                    && self.iter().map(|(_, x)| x).eq(other.iter().map(|(_, x)| x))
            }
        }
    )*};
}

compared! {
    View<'_, L, T> => View<'_, B, U>;
    View<'_, L, T> => ViewMut<'_, B, U>;
    ViewMut<'_, L, T> => View<'_, B, U>;
    ViewMut<'_, L, T> => ViewMut<'_, B, U>;
}

#[cfg(feature = "alloc")]
compared! {
    Buffer<L, T> => Buffer<B, U>;
    Buffer<L, T> => View<'_, B, U>;
    Buffer<L, T> => ViewMut<'_, B, U>;
    View<'_, L, T> => Buffer<B, U>;
    ViewMut<'_, L, T> => Buffer<B, U>;
}

impl<L: SameArray<L>, T: Eq> Eq for View<'_, L, T> {}

impl<L: SameArray<L>, T: Eq> Eq for ViewMut<'_, L, T> {}

#[cfg(feature = "alloc")]
impl<L: SameArray<L>, T: Eq> Eq for Buffer<L, T> {}
