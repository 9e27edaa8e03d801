//! Elements of one format copied to memory of another one: as values, or as bits, by the same road.

use core::slice;

use layout_copy::__private::packed::{Extend, Widths};
use layout_copy::__private::{Plain, bytes, bytes_mut};
use layout_copy::OneByte;

use crate::copies::{
    bits::copy_bits, choose, error::CopyError, padding::fill_padding, related::CopiedAs,
    slots::CopiedSlots,
};
use crate::memory::{
    Narrow, Packing, Place, bits::BitOrder, place::mapping::elements, storage::Values,
};
use crate::spec::element::PackedValue;

const fn widths(bits: [usize; 2], extend: Extend, mirrors: [bool; 2]) -> Widths {
    Widths { src: bits[0] as u32, dst: bits[1] as u32, fixed: 0, extend, mirrors }
}

impl<T: Copy + 'static> CopiedAs<Values<T>> for Values<T> {
    #[inline(always)]
    fn copied<'d, P: Place, Q: Place>(
        (from, to): (&P, &Q),
        src: &[T],
        slots: CopiedSlots<'_, 'd, T>,
        padding: Option<T>,
    ) -> Result<&'d mut [T], CopyError> {
        Ok(choose::copy(from, to, slots.padded(padding).reading(src)))
    }

    #[inline(always)]
    fn converted(element: T) -> T {
        element
    }
}

#[diagnostic::do_not_recommend]
impl<F: Packing, O: BitOrder, T: OneByte> CopiedAs<Values<T>> for Narrow<F, O> {
    const WIDTHS: Widths = widths([F::BITS, 8], T::EXTEND, [O::IS_HIGH_FIRST, false]);

    fn copied<'d, P: Place, Q: Place>(
        places @ (from, to): (&P, &Q),
        src: &[u8],
        slots: CopiedSlots<'_, 'd, T>,
        padding: Option<T>,
    ) -> Result<&'d mut [T], CopyError> {
        let mut slots = slots.padded(padding);
        slots.pad(elements(from.dims().as_ref()), |dst, value| fill_padding(to, dst, value));
        let dst = slots.initialised(Plain::of_bits(0));
        copy_bits::<Self, Values<T>, _, _>(places, None, (src, bytes_mut(dst)));
        Ok(dst)
    }

    fn converted(element: F::Value) -> T {
        let Some(mut value) = Plain::of_bits(0) else { unreachable!("it is a number or `bool`") };
        let widths = <Self as CopiedAs<Values<T>>>::WIDTHS;
        bytes_mut(slice::from_mut(&mut value))[0] =
            widths.widened(element.byte() & 0xff >> (8 - F::BITS));
        value
    }
}

#[diagnostic::do_not_recommend]
impl<F: Packing, O: BitOrder, T: OneByte> CopiedAs<Narrow<F, O>> for Values<T> {
    const WIDTHS: Widths = widths([8, F::BITS], Extend::Zeros, [false, O::IS_HIGH_FIRST]);

    fn copied<'d, P: Place, Q: Place>(
        places: (&P, &Q),
        src: &[T],
        slots: CopiedSlots<'_, 'd, u8>,
        padding: Option<F::Value>,
    ) -> Result<&'d mut [u8], CopyError> {
        let (padding, dst) = (padding.map(OneByte::byte), slots.initialised(None));
        copy_bits::<Self, Narrow<F, O>, _, _>(places, padding, (bytes(src), dst));
        Ok(dst)
    }

    fn converted(element: T) -> F::Value {
        *F::Value::of_bits(element.byte() & 0xff >> (8 - F::BITS), const { F::BITS as u32 })
    }
}

#[diagnostic::do_not_recommend]
impl<F: Packing, O: BitOrder, G: Packing<Width = F::Width>, U: BitOrder> CopiedAs<Narrow<G, U>>
    for Narrow<F, O>
{
    const WIDTHS: Widths =
        widths([F::BITS, F::BITS], Extend::Zeros, [O::IS_HIGH_FIRST, U::IS_HIGH_FIRST]);

    fn copied<'d, P: Place, Q: Place>(
        places: (&P, &Q),
        src: &[u8],
        slots: CopiedSlots<'_, 'd, u8>,
        padding: Option<G::Value>,
    ) -> Result<&'d mut [u8], CopyError> {
        let (padding, dst) = (padding.map(OneByte::byte), slots.initialised(None));
        copy_bits::<Self, Narrow<G, U>, _, _>(places, padding, (src, dst));
        Ok(dst)
    }

    fn converted(element: F::Value) -> G::Value {
        *G::Value::of_bits(element.byte() & 0xff >> (8 - F::BITS), const { F::BITS as u32 })
    }
}
