//! Memory to which a copy writes, by what holds the elements on both sides.
use core::borrow::Borrow;
use core::marker::PhantomData;
use core::slice;

use layout_copy::__private::packed::Extend;
use layout_copy::__private::{Plain, bytes, bytes_mut};
use layout_copy::OneByte;

use crate::memory::bits::BitOrder;
use crate::memory::{AddressedMut, Memory, Narrow, Packed, Packing, Place, SharedSlots, Spread};
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::error::CopyError;
use crate::relayout::padding::{Padding, fill_padding, padding_at};
use crate::relayout::places::{BitWidths, CopiedTo, Moved, check, elements};

/// Memory to which arrays in memory `S` are copied: see [`Memory::copy_to`].
#[diagnostic::on_unimplemented(
    message = "`{S}` cannot be copied to `{Self}`",
    label = "elements of another type, or not memory with a place for each element",
    note = "a copy goes to a `ViewMut`, `Buffer`, `SliceMut` or `StridedMut` whose layout has the source's element type: to a slice or a `Vec` write the layout `B` by `write_to::<B, _>(&mut slice, padding)`",
    note = "packed elements go to packed ones of as many bits, or one to a byte: from `U4[100,300]` to a `ViewMut<layout!(U4[100,300]), u8>`",
    note = "`map_to` makes elements of another type; of a reference, a `Box` or a guard of memory, write `&mut *it`",
    note = "`Memory<WithDims<L>, …>` is a `View`, `ViewMut` or `Buffer`, `Memory<Part<L>, …>` a `Slice`, and `Memory<Strides<R>, …>` a `Strided`"
)]
pub trait Destination<S> {
    /// An element of the memory.
    #[doc(hidden)]
    type Elem;

    /// Copies an array of the same sizes and elements.
    #[doc(hidden)]
    fn copy_from(&mut self, from: &S, padding: Padding<Self::Elem>) -> Result<(), CopyError>;
}

/// Memory with a place for each element, to which elements are mapped: see [`Memory::map_to`].
#[diagnostic::on_unimplemented(
    message = "elements cannot be mapped to `{Self}`",
    label = "not memory with a place for each element",
    note = "elements are mapped to a `ViewMut`, `Buffer`, `SliceMut` or `StridedMut`; `Copier::map` maps to a slice or a `Vec`",
    note = "of a reference, a `Box` or a guard of memory, write `&mut *it`"
)]
pub trait ElementsMut {
    /// Where the elements lie.
    type Place: Place;

    /// An element.
    type Elem: Copy + 'static;

    /// What holds them.
    #[doc(hidden)]
    type Slots: AddressedMut<Elem = Self::Elem>;

    #[doc(hidden)]
    fn memory(&mut self) -> &mut Memory<Self::Place, Self::Slots>;
}

impl<Q: Place, D: AddressedMut<Elem: Copy + 'static>> ElementsMut for Memory<Q, D> {
    type Place = Q;
    type Elem = D::Elem;
    type Slots = D;

    #[inline(always)]
    fn memory(&mut self) -> &mut Memory<Q, D> {
        self
    }
}

/// Layouts in which new memory is made of arrays in memory `S`, with elements `T`: see [`Memory::to`].
#[diagnostic::on_unimplemented(
    message = "`{S}` cannot be copied to memory of `{Self}` with elements `{T}`",
    label = "another number of dimensions, other sizes, or another element type"
)]
pub trait MadeOf<S, T>: Place {
    /// Copies to slots that need not hold anything before.
    #[doc(hidden)]
    fn write<'d>(&self, from: &S, slots: CopiedSlots<'_, 'd, T>) -> &'d mut [T];
}

/// Storage with elements of whole bytes, to read: `&[T]`, [`Spread`].
pub trait References: SharedSlots {}

impl<T> References for &[T] {}

impl<T> References for Spread<'_, T> {}

/// What is written to the padding of a place of packed elements.
fn packed_padding<V: OneByte>(place: &impl Place, padding: Padding<V>) -> Option<u8> {
    if !place.has_padding() {
        return None;
    }
    match padding {
        Padding::Leave => None,
        Padding::Zero => Some(0),
        Padding::Fill(value) => Some(value.byte()),
        Padding::Declared => place.declared().map(|bits| bits as u8),
    }
}

impl<P: CopiedTo<Q>, Q: Place, S: References<Elem: Moved>, D: AddressedMut<Elem = S::Elem>>
    Destination<Memory<P, S>> for Memory<Q, D>
{
    type Elem = S::Elem;

    #[inline]
    fn copy_from(
        &mut self,
        from: &Memory<P, S>,
        padding: Padding<S::Elem>,
    ) -> Result<(), CopyError> {
        check(from.place(), self.place())?;
        let padding = padding_at(self.place(), padding)?;
        let (to, slots) = self.parts_mut();
        let mut slots = slots.spread();
        if let (Some(src), Some(dst)) = (from.storage().whole_slice(), slots.whole()) {
            let slots = CopiedSlots::of(src, dst, padding);
            from.place().copy(to, slots);
            return Ok(());
        }
        // Of a part that others write beside it.
        P::copy_apart(from, &mut Memory::of_parts(to.clone(), slots));
        Ok(())
    }
}

impl<P, Q, S, T> MadeOf<Memory<P, S>, T> for Q
where
    P: CopiedTo<Q>,
    Q: Place,
    S: References<Elem = T>,
    T: Moved,
{
    #[inline]
    fn write<'d>(&self, from: &Memory<P, S>, slots: CopiedSlots<'_, 'd, T>) -> &'d mut [T] {
        if let Some(src) = from.storage().whole_slice() {
            return from.place().copy(self, slots.reading(src));
        }
        let dst = slots.initialised(from.iter().next().map(|(_, first)| *first.borrow()));
        for ((_, element), (_, slot)) in from.iter().zip(self.row_major()) {
            dst[slot] = *element.borrow();
        }
        dst
    }
}

/// Packed elements to one a byte.
pub(super) struct Unpacked<F, O, T>(PhantomData<(F, O, T)>);

impl<F: Packing, O: BitOrder, T: OneByte> BitWidths for Unpacked<F, O, T> {
    const SRC: usize = F::BITS;
    const DST: usize = 8;
    const EXTEND: Extend = T::EXTEND;
    const MIRRORS: [bool; 2] = [O::IS_HIGH_FIRST, false];
}

/// One a byte to packed elements.
struct PackedFrom<F, O>(PhantomData<(F, O)>);

impl<F: Packing, O: BitOrder> BitWidths for PackedFrom<F, O> {
    const SRC: usize = 8;
    const DST: usize = F::BITS;
    const MIRRORS: [bool; 2] = [false, O::IS_HIGH_FIRST];
}

/// Packed elements to packed ones of as many bits.
struct Repacked<F, O, U>(PhantomData<(F, O, U)>);

impl<F: Packing, O: BitOrder, U: BitOrder> BitWidths for Repacked<F, O, U> {
    const SRC: usize = F::BITS;
    const DST: usize = F::BITS;
    const MIRRORS: [bool; 2] = [O::IS_HIGH_FIRST, U::IS_HIGH_FIRST];
}

#[diagnostic::do_not_recommend]
impl<P, Q, F, O, D, T> Destination<Memory<P, Packed<&[u8], Narrow<F, O>>>> for Memory<Q, D>
where
    P: CopiedTo<Q>,
    Q: Place,
    F: Packing,
    O: BitOrder,
    D: AddressedMut<Elem = T>,
    T: OneByte,
{
    type Elem = T;

    fn copy_from(
        &mut self,
        from: &Memory<P, Packed<&[u8], Narrow<F, O>>>,
        padding: Padding<T>,
    ) -> Result<(), CopyError> {
        check(from.place(), self.place())?;
        let padding = padding_at(self.place(), padding)?;
        let (to, slots) = self.parts_mut();
        let mut slots = slots.spread();
        if let Some(dst) = slots.whole() {
            if let Some(value) = padding {
                fill_padding(to, dst, value);
            }
            let src = from.storage().bytes();
            from.place().copy_bits::<Unpacked<F, O, T>>(to, None, (src, bytes_mut(dst)));
            return Ok(());
        }
        let widths = Unpacked::<F, O, T>::WIDTHS;
        for ((_, value), (_, place)) in
            from.iter().zip(Memory::of_parts(to.clone(), slots).iter_mut())
        {
            bytes_mut(slice::from_mut(place))[0] =
                widths.widened(value.byte() & 0xff >> (8 - F::BITS));
        }
        Ok(())
    }
}

impl<P, Q, F, O, T> MadeOf<Memory<P, Packed<&[u8], Narrow<F, O>>>, T> for Q
where
    P: CopiedTo<Q>,
    Q: Place,
    F: Packing,
    O: BitOrder,
    T: OneByte + 'static,
{
    fn write<'d>(
        &self,
        from: &Memory<P, Packed<&[u8], Narrow<F, O>>>,
        mut slots: CopiedSlots<'_, 'd, T>,
    ) -> &'d mut [T] {
        slots.pad(elements(from.dims().as_ref()), |dst, value| fill_padding(self, dst, value));
        let (dst, src) = (slots.initialised(Plain::of_bits(0)), from.storage().bytes());
        from.place().copy_bits::<Unpacked<F, O, T>>(self, None, (src, bytes_mut(dst)));
        dst
    }
}

#[diagnostic::do_not_recommend]
impl<P, Q, S, F, O, T> Destination<Memory<P, S>> for Memory<Q, Packed<&mut [u8], Narrow<F, O>>>
where
    P: CopiedTo<Q>,
    Q: Place,
    S: References<Elem = T>,
    F: Packing,
    O: BitOrder,
    T: OneByte,
{
    type Elem = F::Value;

    fn copy_from(
        &mut self,
        from: &Memory<P, S>,
        padding: Padding<F::Value>,
    ) -> Result<(), CopyError> {
        check(from.place(), self.place())?;
        let padding = packed_padding(self.place(), padding);
        let (to, slots) = self.parts_mut();
        if let Some(src) = from.storage().whole_slice() {
            from.place().copy_bits::<PackedFrom<F, O>>(
                to,
                padding,
                (bytes(src), slots.bytes_mut()),
            );
            return Ok(());
        }
        for ((_, element), (_, slot)) in from.iter().zip(to.row_major()) {
            Narrow::<F, O>::set_bits(slots.bytes_mut(), slot, element.borrow().byte());
        }
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<P, Q, F, O, G, U> Destination<Memory<P, Packed<&[u8], Narrow<F, O>>>>
    for Memory<Q, Packed<&mut [u8], Narrow<G, U>>>
where
    P: CopiedTo<Q>,
    Q: Place,
    F: Packing,
    O: BitOrder,
    G: Packing<Width = F::Width>,
    U: BitOrder,
{
    type Elem = G::Value;

    fn copy_from(
        &mut self,
        from: &Memory<P, Packed<&[u8], Narrow<F, O>>>,
        padding: Padding<G::Value>,
    ) -> Result<(), CopyError> {
        check(from.place(), self.place())?;
        let padding = packed_padding(self.place(), padding);
        let (to, slots) = self.parts_mut();
        let src = from.storage().bytes();
        from.place().copy_bits::<Repacked<F, O, U>>(to, padding, (src, slots.bytes_mut()));
        Ok(())
    }
}
