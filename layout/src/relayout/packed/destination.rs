//! The copies from and to packed views and slices, by what is the source and what is the destination.

use layout_copy::__private::packed::{self, Extend, FixedPair, Widths};
use layout_copy::__private::{PaddingPlan, bytes, bytes_mut};
use layout_copy::OneByte;
use layout_core::Size;

use crate::array::same_array::SameArray;
use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
#[cfg(feature = "alloc")]
use crate::memory::buffer::Buffer;
use crate::memory::packed::bits::{BitOrder, LowFirst};
use crate::memory::packed::slice::{PackedSlice, PackedSliceMut};
use crate::memory::packed::strided::PackedStrided;
use crate::memory::packed::{PackedView, PackedViewMut};
use crate::memory::slice::slice_mut::SliceMut;
use crate::memory::slice::{Slice, digits_of};
use crate::memory::stored::StoredIn;
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::relayout::choice::layouts::OfSizes;
use crate::relayout::copy::other_sizes;
use crate::relayout::destination::Destination;
use crate::relayout::packed::part::copy_part;
use crate::relayout::packed::{Copied, copy_bits, packed_value};
use crate::relayout::padding::{FILLED_WHOLE, Padding, fill_padding};
use crate::relayout::slice::has_sizes;
use crate::types::element::PackedWidth;
use crate::types::sealed::Sealed;

/// Writes the padding of a packed view, before its elements: its value is the low bits.
pub(super) fn pad<L: AnyLayout, O: BitOrder>(to: &mut PackedViewMut<'_, L, O>, value: Option<u8>) {
    let (bits, mirrors) = (L::BITS as u32, [false, O::IS_HIGH_FIRST]);
    let widths = Widths { src: bits, dst: bits, fixed: 0, extend: Extend::Zeros, mirrors };
    let (layout, bytes) = (to.layout(), to.as_mut_bytes());
    let slots = layout.padded_elements();
    // A plan takes longer than to fill all slots.
    if value.is_none() || bytes.len() <= FILLED_WHOLE {
        return packed::pad(bytes, widths, value, None, slots);
    }
    digits_of::<L, _>(&layout, |digits| {
        let plan = PaddingPlan::new(digits, slots as Size);
        packed::pad(bytes, widths, value, plan.as_ref(), slots);
    });
}

/// Panics unless two arrays have the same sizes.
#[track_caller]
fn same_sizes<A: AnyLayout, B: AnyLayout>(a: &WithDims<A>, b: &WithDims<B>) {
    let (a, b) = (a.dims(), b.dims());
    if a.as_ref() != b.as_ref() {
        other_sizes(A::VALUE, [a.as_ref(), b.as_ref()]);
    }
}

#[diagnostic::do_not_recommend]
impl<L: AnyLayout, O: BitOrder> Sealed for PackedViewMut<'_, L, O> {}

#[diagnostic::do_not_recommend]
impl<L: AnyLayout, O: BitOrder> Sealed for PackedSliceMut<'_, L, O> {}

/// Copies of one kind of source and one of padding to packed views and slices.
macro_rules! to_packed {
    ($([$($parameter:ident),*] [$($bound:tt)*] $padded:ty, $view:ty, $slice:ty, $order:ty,
        |$of_view:ident| $whole:expr, $bytes:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<A, L, P, $($parameter),*> Destination<$view, $padded> for PackedViewMut<'_, L, P>
        where
            A: SameArray<L>,
            L: AnyLayout<Width: PackedWidth>,
            P: BitOrder,
            $($bound)*
        {
            fn copy(&mut self, $of_view: &$view, padding: Padding<$padded>) {
                same_sizes(&$of_view.layout(), &self.layout());
                let (value, src) = (packed_value::<L, $padded>(padding), $bytes);
                if const { size_of::<A::Sizes>() == 0 } {
                    return Copied::<A, L, u8, $order, P>::run(value, src, self.as_mut_bytes());
                }
                pad(self, value);
                let sides = OfSizes::of($of_view.layout(), self.layout());
                let widths = Copied::<A, L, u8, $order, P>::WIDTHS.padded(value);
                copy_bits(sides, widths, src, self.as_mut_bytes());
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A, L, P, $($parameter),*> Destination<$slice, $padded> for PackedViewMut<'_, L, P>
        where
            A: AnyLayout,
            L: AnyLayout<Index = A::Index, Element = A::Element, Width: PackedWidth>,
            P: BitOrder,
            $($bound)*
        {
            fn copy(&mut self, from: &$slice, padding: Padding<$padded>) {
                has_sizes(from.dims().as_ref(), self.dims().as_ref());
                pad(self, packed_value::<L, $padded>(padding));
                copy_part(from, &mut PackedSliceMut::whole(self.reborrow()), Extend::Zeros);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A, L, P, $($parameter),*> Destination<$slice, $padded> for PackedSliceMut<'_, L, P>
        where
            A: AnyLayout,
            L: AnyLayout<Index = A::Index, Element = A::Element, Width: PackedWidth>,
            P: BitOrder,
            $($bound)*
        {
            fn copy(&mut self, from: &$slice, _: Padding<$padded>) {
                copy_part(from, self, Extend::Zeros);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A, L, P, $($parameter),*> Destination<$view, $padded> for PackedSliceMut<'_, L, P>
        where
            A: AnyLayout,
            L: AnyLayout<Index = A::Index, Element = A::Element, Width: PackedWidth>,
            P: BitOrder,
            $($bound)*
        {
            fn copy(&mut self, $of_view: &$view, _: Padding<$padded>) {
                copy_part(&$whole, self, Extend::Zeros);
            }
        }
    )*};
}

to_packed! {
    [T] [T: StoredIn<A> + OneByte] T, View<'_, A, T>, Slice<'_, A, T>, LowFirst,
        |view| Slice::whole(view.layout(), view.as_slice()), bytes(view.as_slice());
    [O] [L: AnyLayout<Width = A::Width>, O: BitOrder] u8, PackedView<'_, A, O>, PackedSlice<'_, A, O>, O,
        |view| PackedSlice::whole(*view), view.as_bytes();
}

/// Copies from packed memory to one element a byte.
macro_rules! unpacked {
    ($($of:ty: $view:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<A, L, O, T> Destination<PackedView<'_, A, O>, T> for $of
        where
            A: SameArray<L>,
            L: AnyLayout,
            O: BitOrder,
            T: StoredIn<L> + OneByte,
        {
            fn copy(&mut self, from: &PackedView<'_, A, O>, padding: Padding<T>) {
                let mut to = self.$view();
                same_sizes(&from.layout(), &to.layout());
                fill_padding(&mut to, padding);
                let (layout, src) = (to.layout(), from.as_bytes());
                let dst = bytes_mut(to.as_mut_slice());
                if const { size_of::<A::Sizes>() == 0 } {
                    return Copied::<A, L, T, O, LowFirst>::run(None, src, dst);
                }
                let widths = Copied::<A, L, T, O, LowFirst>::WIDTHS;
                copy_bits(OfSizes::of(from.layout(), layout), widths, src, dst);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A, L, O, T> Destination<PackedSlice<'_, A, O>, T> for $of
        where
            A: AnyLayout,
            L: AnyLayout<Index = A::Index, Element = A::Element>,
            O: BitOrder,
            T: StoredIn<L> + OneByte,
        {
            fn copy(&mut self, from: &PackedSlice<'_, A, O>, padding: Padding<T>) {
                let mut to = self.$view();
                has_sizes(from.dims().as_ref(), to.dims().as_ref());
                fill_padding(&mut to, padding);
                SliceMut::whole(to.layout(), to.as_mut_slice()).copy(from, padding);
            }
        }
    )*};
}

unpacked! { ViewMut<'_, L, T>: reborrow; }

#[cfg(feature = "alloc")]
unpacked! { Buffer<L, T>: as_view_mut; }

#[diagnostic::do_not_recommend]
impl<A, L, O, T> Destination<PackedSlice<'_, A, O>, T> for SliceMut<'_, L, T>
where
    A: AnyLayout,
    L: AnyLayout<Index = A::Index, Element = A::Element>,
    O: BitOrder,
    T: StoredIn<L> + OneByte,
{
    fn copy(&mut self, from: &PackedSlice<'_, A, O>, _: Padding<T>) {
        copy_part(from, self, T::EXTEND.0);
    }
}

#[diagnostic::do_not_recommend]
impl<A, L, O, T> Destination<PackedView<'_, A, O>, T> for SliceMut<'_, L, T>
where
    A: AnyLayout,
    L: AnyLayout<Index = A::Index, Element = A::Element>,
    O: BitOrder,
    T: StoredIn<L> + OneByte,
{
    fn copy(&mut self, from: &PackedView<'_, A, O>, padding: Padding<T>) {
        self.copy(&PackedSlice::whole(*from), padding);
    }
}

/// The methods that copy.
macro_rules! copies {
    ($($name:ident<[$($constant:ident)*] $($parameter:ident: $bound:ident),*>;)*) => {$(
        impl<$($parameter: $bound,)* $(const $constant: usize),*> $name<'_, $($constant,)* $($parameter),*> {
            /// Copies the elements to a packed view or a packed slice, whose elements have as many bits; or, one a byte, to a view, a
            /// buffer or a slice of `u8`, `i8` or `bool` ([`Destination`]). Each side has its order of bits
            /// ([`high_first`](PackedView::high_first)). The bits of signed integers are extended with their sign. A whole array goes to
            /// strides too: packed ones ([`PackedStridedMut`](crate::PackedStridedMut)), and those of bytes
            /// ([`StridedMut`](crate::StridedMut)); an array with strides goes to a whole view. There is no padding between strides.
            ///
            /// Of packed destinations, `padding` is the low bits of a `u8`; elements that share a byte with those of a slice keep their
            /// values. [`View::relayout_to`] and [`Slice::relayout_to`] copy from one element a byte to packed ones.
            ///
            /// # Panics
            /// If the destination has other sizes.
            ///
            /// # Examples
            /// From a bitmap whose first pixel is a high bit to pages of a display, whose first row is a low one:
            /// ```
            /// use layout::{Padding, PackedView, PackedViewMut, layout};
            ///
            /// type Bitmap = layout!(PRED[8,8]{1,0:E(1)});
            /// type Pages = layout!(PRED[8,8]{0,1:E(1)});
            /// let bitmap = PackedView::<Bitmap>::new(&[0b1100_0000, 0, 0, 0, 0, 0, 0, 0b1000_0000])?.high_first();
            /// let mut pages = [0; 8];
            /// bitmap.relayout_to(&mut PackedViewMut::<Pages>::new(&mut pages)?, Padding::Leave);
            /// assert_eq!(pages[..3], [0b1000_0001, 0b0000_0001, 0]);
            /// # Ok::<(), layout::TooShort>(())
            /// ```
            #[doc(alias = "unpack")]
            #[doc(alias = "repack")]
            #[track_caller]
            pub fn relayout_to<T>(&self, to: &mut impl Destination<Self, T>, padding: Padding<T>) {
                to.copy(self, padding);
            }
        }
    )*};
}

copies! {
    PackedView<[] L: AnyLayout, O: BitOrder>;
    PackedSlice<[] L: AnyLayout, O: BitOrder>;
    PackedStrided<[BITS R] O: BitOrder>;
}
