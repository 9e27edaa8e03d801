//! Memory to which arrays are copied and mapped.

use crate::copies::{
    check::check, error::CopyError, padding::Padding, padding::padding_at, related::CopiedAs,
    related::CopyTo, run, slots::CopiedSlots,
};
use crate::memory::storage::Format;
use crate::memory::{AddressedMut, Memory, Place, SharedSlots as _, Storage, StorageMut};

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

impl<P, S, Q, D> Destination<Memory<P, S>> for Memory<Q, D>
where
    P: CopyTo<Q>,
    Q: Place,
    S: Storage<Format: CopiedAs<D::Format>, Elem: Copy>,
    D: StorageMut<Elem: Copy + 'static, Format: Format<Unit: Copy + 'static>>,
{
    type Elem = D::Elem;

    #[inline]
    fn copy_from(
        &mut self,
        from: &Memory<P, S>,
        padding: Padding<D::Elem>,
    ) -> Result<(), CopyError> {
        check(&from.place, &self.place)?;
        let padding = padding_at(&self.place, padding)?;
        let src = from.slots.shared();
        let (place, dst) = (&self.place, &mut self.slots);
        if let (Some(src), Some((dst, first))) = (src.units(), dst.units_mut()) {
            let slots = CopiedSlots::of(&[], dst, None);
            let moved = (first > 0).then(|| place.beginning_at(first));
            let place = moved.as_ref().unwrap_or(place);
            S::Format::copied((&from.place, place), src, slots, padding)?;
            return Ok(());
        }
        // Of a part that others write beside it.
        run::one_by_one(&from.as_view(), self, S::Format::converted);
        Ok(())
    }
}
