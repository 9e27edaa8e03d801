//! Copies of whole arrays, tiles or planes, as boxes whose elements lie alike wherever a box is.

pub(super) mod map;
mod planes;
mod tiles;

use crate::array::same_array::SameDims;
use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::Place;
use crate::memory::stored::StoredIn;
use crate::relayout::choose::between;
use crate::relayout::pair::{Boxes, InBox, Pair};
use crate::relayout::run::each;
use crate::relayout::slots::CopiedSlots;

/// The pair of a box, given its origin, its extent, and the slots of both arrays before those of the memory.
#[inline(always)]
pub(super) fn pair_of<A: SameDims<B>, B: AnyLayout, K: Boxes>(
    (of_a, of_b): (&WithDims<A>, &WithDims<B>),
    [origin, extent]: &[A::Index; 2],
    before: [usize; 2],
) -> Pair<InBox<A, K>, InBox<B, K>> {
    let mut limit = *origin;
    for (limit, extent) in limit.as_mut().iter_mut().zip(extent.as_ref()) {
        *limit += extent;
    }
    let in_b = [*origin, limit].map(|index| same_index::<A, B>(&index));
    Pair::of(
        InBox::of(of_a.part(origin, &limit), before[0]),
        InBox::of(of_b.part(&in_b[0], &in_b[1]), before[1]),
    )
}

/// Copies a box. Slots that hold no element get the padding, if there is one: then the destination has to be the memory of the box alone.
#[inline(always)]
pub(super) fn copy_box<A, B, K, T>(
    layouts: (&WithDims<A>, &WithDims<B>),
    at: &[A::Index; 2],
    before: [usize; 2],
    src: &[T],
    dst: &mut [T],
    padding: Option<T>,
) where
    A: SameDims<B>,
    B: AnyLayout,
    K: Boxes,
    T: StoredIn<B>,
{
    let [_, extent] = at;
    let mut slots = CopiedSlots::of(src, dst, padding);
    if extent.as_ref().contains(&0) {
        return slots.pad(0, |dst, value| dst.fill(value));
    }
    let pair = pair_of::<A, B, K>(layouts, at, before);
    if const { Pair::<InBox<A, K>, InBox<B, K>>::TEMPLATE.is_some() } {
        between(pair, slots);
    } else {
        slots.pad(extent.as_ref().iter().product(), |dst, value| dst.fill(value));
        each(&pair.from, &pair.to, |_, from, to| slots.put(to, src[from]));
    }
}

/// An index of the one layout as one of the other.
#[inline(always)]
pub(super) fn same_index<A: AnyLayout, B: AnyLayout>(index: &A::Index) -> B::Index {
    let mut same = B::ORIGIN;
    same.as_mut().copy_from_slice(index.as_ref());
    same
}
