//! Copies of packed elements from and to strides.

use layout_copy::__private::packed::{Extend, Widths};
use layout_copy::__private::{bytes, bytes_mut};
use layout_copy::OneByte;

use crate::compiled::AnyLayout;
use crate::memory::packed::bits::{BitOrder, LowFirst};
use crate::memory::packed::strided::{PackedStrided, PackedStridedMut};
use crate::memory::packed::{PackedView, PackedViewMut};
use crate::memory::stored::{StoredAs, StoredIn};
use crate::memory::strided::{Strided, StridedMut};
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::relayout::destination::Destination;
use crate::relayout::packed::destination::pad;
use crate::relayout::packed::{copy_bits, packed_value};
use crate::relayout::padding::{Padding, fill_padding};
use crate::relayout::strided::loops::Between;
use crate::relayout::strided::same_sizes;
use crate::types::element::Bits;
use crate::types::sealed::Sealed;

#[diagnostic::do_not_recommend]
impl<T, const R: usize> Sealed for StridedMut<'_, T, R> {}

#[diagnostic::do_not_recommend]
impl<const BITS: usize, const R: usize, O: BitOrder> Sealed for PackedStridedMut<'_, BITS, R, O> {}

/// Copies between a layout and strides, of which at least one is packed: to the strides if `$to_strides` is true, else from them. Each side
/// gives the bits of an element, the order of bits, and its bytes.
macro_rules! copies {
    ($([$($of:tt)*] [$($bound:tt)*] $L:ident $to_strides:literal $from:ty => $to:ty, $padded:ty, $extend:expr, $pads:expr,
        |$src:ident, $dst:ident, $padding:ident| [$src_bits:expr, $src_order:ty, $read:expr] [$dst_bits:expr, $dst_order:ty, $written:expr] $place:expr, $layout:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$L, $($of)*, const R: usize> Destination<$from, $padded> for $to
        where
            $L: AnyLayout<Index = [usize; R]>,
            $($bound)*
        {
            fn copy(&mut self, $src: &$from, $padding: Padding<$padded>) {
                let $dst = self;
                same_sizes($src.dims(), $dst.dims());
                let () = $pads;
                let widths = Widths {
                    src: $src_bits as u32,
                    dst: $dst_bits as u32,
                    fixed: 0,
                    extend: $extend,
                    mirrors: [<$src_order>::IS_HIGH_FIRST, <$dst_order>::IS_HIGH_FIRST],
                };
                let sides = Between::<$L, $to_strides>::of(&$place, $layout.layout());
                copy_bits(sides, widths, $read, $written);
            }
        }
    )*};
}

copies! {
    [T, P: BitOrder] [T: OneByte + StoredAs<L::Element>] L false
        Strided<'_, T, R> => PackedViewMut<'_, L, P>, T, Extend::Zeros, pad(dst, packed_value::<L, _>(padding)),
        |src, dst, padding| [8, LowFirst, bytes(src.data)] [L::BITS, P, dst.as_mut_bytes()] src.place, dst;
    [T, O: BitOrder] [T: OneByte + StoredAs<L::Element>] L true
        PackedView<'_, L, O> => StridedMut<'_, T, R>, T, T::EXTEND.0, (),
        |src, dst, _padding| [L::BITS, O, src.as_bytes()] [8, LowFirst, bytes_mut(dst.data)] dst.place, src;
    [O: BitOrder, P: BitOrder, const BITS: usize] [L: AnyLayout<Width = Bits<BITS>>] L false
        PackedStrided<'_, BITS, R, O> => PackedViewMut<'_, L, P>, u8, Extend::Zeros, pad(dst, packed_value::<L, _>(padding)),
        |src, dst, padding| [BITS, O, src.bytes] [BITS, P, dst.as_mut_bytes()] src.place, dst;
    [O: BitOrder, P: BitOrder, const BITS: usize] [L: AnyLayout<Width = Bits<BITS>>] L true
        PackedView<'_, L, O> => PackedStridedMut<'_, BITS, R, P>, u8, Extend::Zeros, (),
        |src, dst, _padding| [BITS, O, src.as_bytes()] [BITS, P, dst.bytes] dst.place, src;
    [T, O: BitOrder, const BITS: usize] [T: StoredIn<L> + OneByte] L false
        PackedStrided<'_, BITS, R, O> => ViewMut<'_, L, T>, T, T::EXTEND.0, fill_padding(dst, padding),
        |src, dst, padding| [BITS, O, src.bytes] [8, LowFirst, bytes_mut(dst.as_mut_slice())] src.place, dst;
    [T, P: BitOrder, const BITS: usize] [T: StoredIn<L> + OneByte] L true
        View<'_, L, T> => PackedStridedMut<'_, BITS, R, P>, T, Extend::Zeros, (),
        |src, dst, _padding| [8, LowFirst, bytes(src.as_slice())] [BITS, P, dst.bytes] dst.place, src;
}
