//! Copies between arrays whose layouts are types, parts of them, and strides.

use core::ops::Range;

use layout_copy::__private::packed;
use layout_core::__private::native;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::{AddressedMut, Memory, Part, Place, Strides};
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::copy as copy_sides;
use crate::relayout::destination::References;
use crate::relayout::packed::copy_bits as copy_bits_of_sides;
use crate::relayout::places::{BitWidths, Bytes, bits_by_digits, copy_by_digits, pad, written};
use crate::relayout::sides::{AtStrides, Side, Sides};
use crate::types::index::{IndexArray, each_coordinate};

/// A place that is a side of a copy, or a part of one.
pub(super) trait Sided: Place<Index: IndexArray> {
    /// The side that all of the array is.
    type Whole: Side<Index = Self::Index>;

    /// Whether it is all of the array.
    const IS_WHOLE: bool = true;
    /// Whether it is a part whose elements lie a stride apart along each dimension.
    const HAS_STRIDES: bool = false;
    /// Whether digits say where it begins.
    const HAS_DIGITS: bool = true;

    fn whole(&self) -> Self::Whole;

    /// Elements along the dimension of runs that are consecutive, from each multiple of their number on, and the coordinate of the first
    /// element.
    fn consecutive(&self) -> [usize; 2];

    /// Its strides, if it has some.
    #[inline(always)]
    fn strides(&self) -> AtStrides<Self::Index> {
        let mut first = self.dims();
        first.as_mut().fill(0);
        let mut at = AtStrides { first: self.offset(&first), dims: self.dims(), strides: first };
        each_coordinate! { <Self::Index as IndexArray>::RANK, dim => {
            let mut next = first;
            next.as_mut()[dim] += 1;
            // Of one element along the dimension, any number does.
            at.strides.as_mut()[dim] = self.offset(&next).wrapping_sub(at.first);
        } }
        at
    }
}

impl<L: AnyLayout> Sided for WithDims<L> {
    type Whole = Self;

    #[inline(always)]
    fn whole(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn consecutive(&self) -> [usize; 2] {
        [consecutive::<L>(), 0]
    }
}

impl<L: AnyLayout> Sided for Part<L> {
    type Whole = WithDims<L>;

    const IS_WHOLE: bool = false;
    const HAS_STRIDES: bool = !L::SIZES.is_empty() && L::DIGITS.strides().is_some();

    #[inline(always)]
    fn whole(&self) -> WithDims<L> {
        self.layout
    }

    #[inline(always)]
    fn consecutive(&self) -> [usize; 2] {
        let first = self.region.start();
        [consecutive::<L>(), first.as_ref().get(L::WALK.dim()).map_or(0, |first| *first)]
    }
}

impl<const R: usize> Sided for Strides<R> {
    type Whole = AtStrides<[usize; R]>;

    const HAS_DIGITS: bool = false;

    #[inline(always)]
    fn whole(&self) -> AtStrides<[usize; R]> {
        let mut at = AtStrides { first: self.first, dims: self.dims, strides: [0; R] };
        each_coordinate! { R, dim => at.strides[dim] = self.strides[dim].cast_unsigned() }
        at
    }

    #[inline(always)]
    fn consecutive(&self) -> [usize; 2] {
        [if self.strides.last() == Some(&1) { usize::MAX } else { 1 }, 0]
    }
}

/// Elements of a layout that are consecutive, from each multiple of their number on.
const fn consecutive<L: AnyLayout>() -> usize {
    if L::WALK.scans_slots() { 1 } else { native(L::WALK.longest()) }
}

/// Copies slots of whole elements.
#[inline(always)]
pub(super) fn copy<'d, P: Sided, Q: Sided<Index = P::Index>, T: Copy + 'static>(
    from: &P,
    to: &Q,
    slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    match const { [P::IS_WHOLE, Q::IS_WHOLE, P::HAS_STRIDES, Q::HAS_STRIDES] } {
        [true, true, ..] => copy_sides(Sides::of(from.whole(), to.whole()), slots),
        [_, true, true, _] => copy_sides(Sides::of(from.strides(), to.whole()), slots),
        [true, _, _, true] => copy_sides(Sides::of(from.whole(), to.strides()), slots),
        [_, _, true, true] => copy_sides(Sides::of(from.strides(), to.strides()), slots),
        _ => copy_tiled(from, to, slots),
    }
}

/// Copies between parts of which one at least has no strides: few elements stretch by stretch, more by a plan.
#[inline(never)]
fn copy_tiled<'d, P: Sided, Q: Sided<Index = P::Index>, T: Copy + 'static>(
    from: &P,
    to: &Q,
    slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    if are_many(from, to) {
        return copy_by_digits(from, to, slots);
    }
    let (src, dst) = written(to, from.dims().as_ref().iter().product(), slots);
    each_stretch(from, to, |[from, to], length| {
        dst[to..][..length].copy_from_slice(&src[from..][..length]);
    });
    dst
}

/// Copies to memory that others write beside it.
pub(super) fn copy_apart<P, Q, S, D, T>(from: &Memory<P, S>, to: &mut Memory<Q, D>)
where
    P: Sided,
    Q: Sided<Index = P::Index>,
    S: References<Elem = T>,
    D: AddressedMut<Elem = T>,
    T: Copy,
{
    let Some(src) = from.storage().whole_slice() else {
        for ((_, element), (_, place)) in from.iter().zip(to.iter_mut()) {
            *place = *core::borrow::Borrow::<T>::borrow(&element);
        }
        return;
    };
    let (from, dim) = (from.place(), to.place().run_dim());
    for (run, slots) in to.runs_mut() {
        let mut index = from.dims();
        index.as_mut().copy_from_slice(run.index.as_ref());
        each_piece(from, index, dim, run.length, |at, range| {
            slots[range.clone()].copy_from_slice(&src[at..][..range.len()]);
        });
    }
}

/// Copies elements of which one side at least is narrower than a byte, and writes the padding.
pub(super) fn copy_bits<W: BitWidths, P: Sided, Q: Sided<Index = P::Index>>(
    from: &P,
    to: &Q,
    padding: Option<u8>,
    (src, dst): Bytes<'_>,
) {
    pad::<W>(to, padding, dst);
    if const { P::IS_WHOLE && Q::IS_WHOLE } {
        let sides = Sides::of(from.whole(), to.whole());
        return copy_bits_of_sides(sides, W::WIDTHS, src, dst);
    }
    if are_many(from, to) {
        return bits_by_digits(from, to, W::WIDTHS, (src, dst));
    }
    // Stretches that go on where the last one ends, in both memories, are one.
    let (mut first, mut length) = ([0; 2], 0);
    each_stretch(from, to, |at, count| {
        if at == first.map(|slot| slot + length) {
            length += count;
            return;
        }
        packed::stretch(W::WIDTHS, src, dst, first, length);
        (first, length) = (at, count);
    });
    packed::stretch(W::WIDTHS, src, dst, first, length);
}

/// Does something with each stretch of elements that are consecutive on both sides: with where it begins, and its length.
#[inline(always)]
fn each_stretch<P: Sided, Q: Sided<Index = P::Index>>(
    from: &P,
    to: &Q,
    mut then: impl FnMut([usize; 2], usize),
) {
    let dim = to.run_dim();
    for run in to.runs() {
        each_piece(from, run.index, dim, run.length, |at, range| {
            then([at, run.offset + range.start], range.len());
        });
    }
}

/// Does something with each consecutive piece of some elements along a dimension: with where it begins, and which of them it is.
#[inline(always)]
fn each_piece<P: Sided>(
    from: &P,
    mut index: P::Index,
    dim: usize,
    length: usize,
    mut then: impl FnMut(usize, Range<usize>),
) {
    let [longest, first] = if from.run_dim() == dim { from.consecutive() } else { [1, 0] };
    let mut done = 0;
    while done < length {
        let at = first + index.as_ref().get(dim).map_or(0, |at| *at);
        let end = done + (longest - at % longest).min(length - done);
        then(from.offset(&index), done..end);
        if let Some(coordinate) = index.as_mut().get_mut(dim) {
            *coordinate += end - done;
        }
        done = end;
    }
}

/// Stretches up to which a copy is best made one by one.
const FEW: usize = 256;

/// Whether a part has so many elements that a plan of digits is best.
#[inline(always)]
fn are_many<P: Sided, Q: Sided<Index = P::Index>>(from: &P, to: &Q) -> bool {
    if const { !P::HAS_DIGITS || !Q::HAS_DIGITS } {
        return false;
    }
    let (dims, dim) = (from.dims(), to.run_dim());
    let along = if from.run_dim() == dim { from.consecutive()[0] } else { 1 };
    let along = along.min(to.consecutive()[0]).min(*dims.as_ref().get(dim).unwrap_or(&1));
    dims.as_ref().iter().product::<usize>() > FEW.saturating_mul(along)
}
