//! Places between which arrays are copied, and the way that is best for each pair.

use layout_copy::__private::packed::{self, Extend, Widths};
use layout_copy::__private::{self as copying, InlineMemory};
use layout_copy::Settings;
use layout_core::__private::{Region as WalkedRegion, native};
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Index, Size};

use crate::array::same_array::{SameArray, SameDims, SameElement};
use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::place::base;
use crate::memory::strided;
use crate::memory::{AddressedMut, Memory, Part, Place, Strides};
use crate::relayout::boxes::Whole;
use crate::relayout::boxes::map::map_box;
use crate::relayout::choice::copied_slots::CopiedSlots as Slots;
use crate::relayout::choice::{copy, copy_by_kernels};
use crate::relayout::destination::References;
use crate::relayout::error::CopyError;
use crate::relayout::packed::{Copied, copy_bits};
use crate::relayout::padding::{fill_before_of, fill_padding, with_padding_plan};
use crate::relayout::parts::{self, Sided};
use crate::relayout::sides::Sides;

/// Bits of elements on both sides, as a type.
pub trait BitWidths {
    /// Bits of an element of the source.
    const SRC: usize;
    /// Bits of one of the destination.
    const DST: usize;
    /// What the bits become in a byte.
    const EXTEND: Extend = Extend::Zeros;
    /// Whether the first element of a byte is its high bits.
    const MIRRORS: [bool; 2];

    /// All of these.
    const WIDTHS: Widths = Widths {
        src: Self::SRC as u32,
        dst: Self::DST as u32,
        fixed: 0,
        extend: Self::EXTEND,
        mirrors: Self::MIRRORS,
    };
}

/// The bytes of packed elements on both sides.
pub(crate) type Bytes<'a> = (&'a [u8], &'a mut [u8]);

/// Elements that are moved: those of any type that is `Copy`.
pub trait Moved: Copy + 'static {}

impl<T: Copy + 'static> Moved for T {}

/// Places from which an array is copied to a place `Q`.
///
/// What is written here works for any two places: a plan is made of their digits. Pairs that can be copied faster say how.
#[diagnostic::on_unimplemented(
    message = "an array at `{Self}` is not copied to `{Q}`",
    label = "another number of dimensions, other sizes, or another element type"
)]
pub trait CopiedTo<Q: Place>: Place {
    /// Copies slots of whole elements. Returns the destination, all of which holds values.
    #[doc(hidden)]
    #[inline]
    fn copy<'d, T: Moved>(&self, to: &Q, slots: Slots<'_, 'd, T>) -> &'d mut [T] {
        copy_by_digits(self, to, slots)
    }

    /// Copies where others write beside one of the parts.
    #[doc(hidden)]
    fn copy_apart<S, D, T>(from: &Memory<Self, S>, to: &mut Memory<Q, D>)
    where
        S: References<Elem = T>,
        D: AddressedMut<Elem = T>,
        T: Copy,
    {
        for ((_, element), (_, place)) in from.iter().zip(to.iter_mut()) {
            *place = *core::borrow::Borrow::<T>::borrow(&element);
        }
    }

    /// Copies elements of which one side at least is narrower than a byte, and writes the padding.
    #[doc(hidden)]
    fn copy_bits<W: BitWidths>(&self, to: &Q, padding: Option<u8>, (src, dst): Bytes<'_>) {
        pad::<W>(to, padding, dst);
        bits_by_digits(self, to, W::WIDTHS, (src, dst));
    }
}

/// Places from which elements are mapped to a place `Q`, as other elements.
#[diagnostic::on_unimplemented(
    message = "an array at `{Self}` is not mapped to `{Q}`",
    label = "another number of dimensions, or other sizes"
)]
pub trait MappedTo<Q: Place>: Place {
    /// Writes what a function makes of each element. False if it is not done: then element by element is best.
    #[doc(hidden)]
    #[inline(always)]
    fn map<T: Moved, U: Moved>(
        &self,
        _: &Q,
        _: &[T],
        _: &mut [U],
        _: &mut impl FnMut(Self::Index, T) -> U,
    ) -> bool {
        false
    }
}

/// Whether both have an array of the same sizes and elements.
#[inline(always)]
pub(super) fn check(from: &impl Place, to: &impl Place) -> Result<(), CopyError> {
    check_dims(from.dims().as_ref(), to.dims().as_ref())?;
    match (from.element(), to.element()) {
        (Some(source), Some(destination)) if source != destination => {
            Err(CopyError::OtherElements { source, destination })
        }
        _ => Ok(()),
    }
}

/// Whether the sizes of two arrays are the same.
#[inline(always)]
pub(crate) fn check_dims(from: &[usize], to: &[usize]) -> Result<(), CopyError> {
    // Number by number: a vector of numbers that were just written one by one takes long to load.
    let differ = from.iter().zip(to).fold(0, |differ, (a, b)| differ | (a ^ b));
    if differ != 0 || from.len() != to.len() { Err(other_dims(from, to)) } else { Ok(()) }
}

#[cold]
#[inline(never)]
fn other_dims(from: &[usize], to: &[usize]) -> CopyError {
    let (source, destination) = (from.len(), to.len());
    let dim = from.iter().zip(to).position(|(a, b)| a != b);
    match dim.filter(|_| source == destination) {
        Some(dim) => CopyError::OtherSize { dim, source: from[dim], destination: to[dim] },
        None => CopyError::OtherRank { source, destination },
    }
}

/// Writes bits to the slots of a place that hold no element.
pub(super) fn pad<W: BitWidths>(to: &impl Place, padding: Option<u8>, dst: &mut [u8]) {
    let Some(value) = padding else { return };
    let (bits, mirrors) = (W::DST as u32, [false, W::MIRRORS[1]]);
    let widths = Widths { src: bits, dst: bits, fixed: 0, extend: Extend::Zeros, mirrors };
    let bytes = dst.len();
    with_padding_plan(to, bytes, |plan| packed::pad(dst, widths, Some(value), plan, to.slots()));
}

/// What has digits: a place, or rows in row-major order.
pub(super) trait Described {
    fn sizes(&self) -> Index;

    fn described(&self, then: impl FnOnce(&Digits, Option<&WalkedRegion>, usize));
}

impl<P: Place> Described for P {
    fn sizes(&self) -> Index {
        Index::of_native(self.dims().as_ref())
    }

    fn described(&self, then: impl FnOnce(&Digits, Option<&WalkedRegion>, usize)) {
        self.with_digits(then);
    }
}

/// An array of these sizes in row-major order, without padding.
pub(super) struct RowMajor<'d>(pub &'d [usize]);

impl Described for RowMajor<'_> {
    fn sizes(&self) -> Index {
        Index::of_native(self.0)
    }

    fn described(&self, then: impl FnOnce(&Digits, Option<&WalkedRegion>, usize)) {
        let strides = (0..self.0.len()).map(|dim| elements(&self.0[dim + 1..]).cast_signed());
        then(&strided::digits(&self.sizes(), strides), None, 0);
    }
}

/// Elements of an array of these sizes: the others of an array without elements may be any.
pub(super) fn elements(dims: &[usize]) -> usize {
    if dims.contains(&0) { 0 } else { dims.iter().product() }
}

/// The slots at which two places begin, and digits from there on; or the digits of both whole arrays, where these begin, and the parts.
fn by_base(
    from: &impl Described,
    to: &impl Described,
    then: impl FnOnce([&Digits; 2], [Size; 2], Option<&[WalkedRegion; 2]>),
) {
    let dims = from.sizes();
    from.described(|a, part_a, first_a| {
        to.described(|b, part_b, first_b| {
            let first = [first_a as Size, first_b as Size];
            if part_a.is_none() && part_b.is_none() {
                return then([a, b], first, None);
            }
            if let (Some(src), Some(dst)) = (base(a, part_a, first_a), base(b, part_b, first_b)) {
                let digits = [&a.with_dims(&dims), &b.with_dims(&dims)];
                return then(digits, [src as Size, dst as Size], None);
            }
            let regions = [region(&dims, part_a), region(&dims, part_b)];
            then([a, b], first, Some(&regions));
        });
    });
}

/// A part as digits take it: all of a place that is none.
fn region(dims: &[Size], part: Option<&WalkedRegion>) -> WalkedRegion {
    let mut whole = WalkedRegion { start: [0; MAX_DIMS], limit: [0; MAX_DIMS] };
    whole.limit[..dims.len()].copy_from_slice(dims);
    part.copied().unwrap_or(whole)
}

/// Moves bits by a plan of both places' digits.
pub(super) fn bits_by_digits(
    from: &impl Described,
    to: &impl Described,
    widths: Widths,
    (src, dst): Bytes<'_>,
) {
    if from.sizes().contains(&0) {
        return;
    }
    by_base(from, to, |digits, first, parts| match parts {
        None => packed::copy_from(digits, widths, src, dst, first.map(native)),
        Some(parts) => packed::copy_part(digits, first, parts, widths, src, dst),
    });
}

/// Copies by a plan of both places' digits.
#[cold]
#[inline(never)]
pub(super) fn copy_by_digits<'d, T: Moved>(
    from: &impl Described,
    to: &impl Described,
    slots: Slots<'_, 'd, T>,
) -> &'d mut [T] {
    let (dims, size, settings) = (from.sizes(), size_of::<T>(), &Settings::default());
    let elements = if dims.contains(&0) { 0 } else { native(dims.iter().product()) };
    let fill = |dst: &mut [_], value| {
        to.described(|digits, _, _| fill_before_of(digits, dst, value));
    };
    copy_by_kernels(slots, elements, fill, |memory| {
        by_base(from, to, |digits, first, parts| match parts {
            None => copying::copy(digits, first, memory, size, settings),
            Some(parts) => copying::copy_part(digits, first, parts, memory, size, settings),
        });
    })
}

impl<A, B> CopiedTo<WithDims<B>> for WithDims<A>
where
    A: SameArray<B>,
    B: AnyLayout,
{
    #[inline]
    fn copy<'d, T: Moved>(&self, to: &WithDims<B>, slots: Slots<'_, 'd, T>) -> &'d mut [T] {
        copy(Sides::of(*self, *to), slots)
    }

    fn copy_bits<W: BitWidths>(
        &self,
        to: &WithDims<B>,
        padding: Option<u8>,
        (src, dst): Bytes<'_>,
    ) {
        if const { size_of::<A::Sizes>() == 0 } {
            return Copied::<A, B, W>::run(Sides::of(*self, *to), padding, src, dst);
        }
        pad::<W>(to, padding, dst);
        copy_bits(Sides::of(*self, *to), W::WIDTHS, src, dst);
    }
}

/// Between arrays, parts of them, and strides.
macro_rules! sides {
    ($([$($parameter:tt)*] $from:ty => $to:ty;)*) => {$(
        impl<$($parameter)*> CopiedTo<$to> for $from {
            #[inline]
            fn copy<'d, T: Moved>(&self, to: &$to, slots: Slots<'_, 'd, T>) -> &'d mut [T] {
                parts::copy(self, to, slots)
            }

            fn copy_apart<S, D, T>(from: &Memory<Self, S>, to: &mut Memory<$to, D>)
            where
                S: References<Elem = T>,
                D: AddressedMut<Elem = T>,
                T: Copy,
            {
                parts::copy_apart(from, to);
            }

            fn copy_bits<W: BitWidths>(&self, to: &$to, padding: Option<u8>, bytes: Bytes<'_>) {
                parts::copy_bits::<W, _, _>(self, to, padding, bytes);
            }
        }
    )*};
}

sides! {
    [B: AnyLayout<Index = [usize; R]>, const R: usize] Strides<R> => WithDims<B>;
    [A: AnyLayout<Index = [usize; R]>, const R: usize] WithDims<A> => Strides<R>;
    [const R: usize] Strides<R> => Strides<R>;
    [A: AnyLayout<Index = [usize; R]>, const R: usize] Part<A> => Strides<R>;
    [B: AnyLayout<Index = [usize; R]>, const R: usize] Strides<R> => Part<B>;
    [A: SameElement<B>, B: AnyLayout<Index = A::Index>] Part<A> => WithDims<B>;
    [A: SameElement<B>, B: AnyLayout<Index = A::Index>] WithDims<A> => Part<B>;
    [A: SameElement<B>, B: AnyLayout<Index = A::Index>] Part<A> => Part<B>;
}

impl<A: SameDims<B>, B: AnyLayout> MappedTo<WithDims<B>> for WithDims<A> {
    #[inline(always)]
    fn map<T: Moved, U: Moved>(
        &self,
        to: &WithDims<B>,
        src: &[T],
        dst: &mut [U],
        function: &mut impl FnMut(A::Index, T) -> U,
    ) -> bool {
        let mut slots = Slots::of(&[], dst, None);
        let whole = [A::ORIGIN, self.dims()];
        map_box::<A, B, Whole, T, U>((self, to), whole, [0; 2], src, &mut slots, function);
        true
    }
}

/// From strides.
macro_rules! mapped_by_loops {
    ($([$($parameter:tt)*] $to:ty;)*) => {$(
        impl<$($parameter)* const R: usize> MappedTo<$to> for Strides<R> {
            #[inline(always)]
            fn map<T: Moved, U: Moved>(
                &self,
                to: &$to,
                src: &[T],
                dst: &mut [U],
                function: &mut impl FnMut([usize; R], T) -> U,
            ) -> bool {
                Sides::of(self.whole(), to.whole()).map(InlineMemory::of(src, dst), function)
            }
        }
    )*};
}

mapped_by_loops! {
    [B: AnyLayout<Index = [usize; R]>,] WithDims<B>;
    [] Strides<R>;
}

/// Between places of which elements are mapped one by one.
macro_rules! mapped {
    ($([$($parameter:tt)*] $from:ty => $to:ty;)*) => {$(
        impl<$($parameter)*> MappedTo<$to> for $from {}
    )*};
}

mapped! {
    [A: AnyLayout<Index = [usize; R]>, const R: usize] WithDims<A> => Strides<R>;
    [A: AnyLayout<Index = [usize; R]>, const R: usize] Part<A> => Strides<R>;
    [B: AnyLayout<Index = [usize; R]>, const R: usize] Strides<R> => Part<B>;
    [A: AnyLayout, B: AnyLayout<Index = A::Index>] Part<A> => WithDims<B>;
    [A: AnyLayout, B: AnyLayout<Index = A::Index>] WithDims<A> => Part<B>;
    [A: AnyLayout, B: AnyLayout<Index = A::Index>] Part<A> => Part<B>;
}

/// Both slices, all of whose slots hold values, the padding among them.
pub(super) fn written<'s, 'd, T: Moved>(
    to: &impl Place,
    elements: usize,
    mut slots: Slots<'s, 'd, T>,
) -> (&'s [T], &'d mut [T]) {
    slots.pad(elements, |dst, value| fill_padding(to, dst, value));
    let src = slots.source();
    (src, slots.initialised(src.first().copied()))
}
