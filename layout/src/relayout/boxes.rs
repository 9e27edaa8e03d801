//! Copies of whole arrays, tiles or planes, as boxes whose elements lie alike wherever a box is.

pub(super) mod map;
mod planes;
mod tiles;

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use layout_core::__private::Counts;
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Size};

use crate::array::same_array::SameDims;
use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout};
use crate::memory::stored::StoredIn;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::copy;
use crate::relayout::sides::{Side, Sides, varying};
use crate::walk::odometer::Counted;

/// Which boxes of an array.
pub(super) trait Boxes {
    /// Their size along each dimension; 0 for the whole dimension.
    const SIZE: &'static [Size; MAX_DIMS] = &[0; MAX_DIMS];
    /// Whether none of them ends with the array before it has its size.
    const ARE_FULL: bool = false;
}

/// The one box that is the array.
pub(super) struct Whole;

impl Boxes for Whole {}

/// A box of an array, as the side of a copy.
pub(super) struct InBox<L: AnyLayout, K> {
    layout: WithDims<L>,
    /// Where its first element lies.
    first: usize,
    dims: L::Index,
    kind: PhantomData<K>,
}

copy! { InBox<L: AnyLayout, K> }

impl<L: AnyLayout, K: Boxes> Side for InBox<L, K> {
    type Index = L::Index;

    const DIGITS: Option<&'static Digits> = Some(L::DIGITS);

    const VARYING: u16 = varying::<L>();

    const BOX: Option<(&'static [Size; MAX_DIMS], bool)> = Some((K::SIZE, K::ARE_FULL));

    #[inline(always)]
    fn dims(&self) -> L::Index {
        self.dims
    }

    #[inline(always)]
    fn counts(&self) -> Counts {
        L::counts(&self.layout.sizes())
    }

    #[inline(always)]
    fn first(&self) -> usize {
        self.first
    }

    fn digits(&self) -> Digits {
        compiled::digits::<L>(&self.layout.sizes())
    }

    /// The memory is the box's alone, and small.
    fn fill<T: Copy + 'static>(&self, dst: &mut [MaybeUninit<T>], value: MaybeUninit<T>) {
        dst.fill(value);
    }
}

/// The sides of a copy of a box, given its origin, its extent, and the slots of both arrays before those of the memory.
#[inline(always)]
pub(super) fn sides_of<A: SameDims<B>, B: AnyLayout, K: Boxes>(
    (of_a, of_b): (&WithDims<A>, &WithDims<B>),
    [origin, extent]: &[A::Index; 2],
    [before_src, before_dst]: [usize; 2],
) -> Sides<InBox<A, K>, InBox<B, K>> {
    let first = of_a.offset_unchecked(*origin) - before_src;
    let from = InBox { layout: *of_a, first, dims: *extent, kind: PhantomData };
    let first = of_b.offset_unchecked(same_index::<A, B>(origin)) - before_dst;
    let dims = same_index::<A, B>(extent);
    Sides::of(from, InBox { layout: *of_b, first, dims, kind: PhantomData })
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
    let [origin, extent] = at;
    let mut slots = CopiedSlots::of(src, dst, padding);
    if extent.as_ref().contains(&0) {
        slots.pad(0, |dst, value| dst.fill(value));
    } else if const { Sides::<InBox<A, K>, InBox<B, K>>::TEMPLATE.is_some() } {
        copy(sides_of::<A, B, K>(layouts, at, before), slots);
    } else {
        slots.pad(extent.as_ref().iter().product(), |dst, value| dst.fill(value));
        each_element::<A, B>(layouts, origin, *extent, |_, from, to| {
            slots.put(to - before[1], src[from - before[0]]);
        });
    }
}

/// Calls a function with the index and both offsets of each element of a box, for layouts that share no split.
#[inline]
pub(super) fn each_element<A: SameDims<B>, B: AnyLayout>(
    (of_a, of_b): (&WithDims<A>, &WithDims<B>),
    origin: &A::Index,
    extent: A::Index,
    mut visit: impl FnMut(A::Index, usize, usize),
) {
    for mut index in Counted::<A>::new(extent, B::VALUE.minor_to_major()) {
        for (coordinate, first) in index.as_mut().iter_mut().zip(origin.as_ref()) {
            *coordinate += first;
        }
        let in_b = of_b.offset_unchecked(same_index::<A, B>(&index));
        visit(index, of_a.offset_unchecked(index), in_b);
    }
}

/// An index of the one layout as one of the other.
#[inline(always)]
pub(super) fn same_index<A: AnyLayout, B: AnyLayout>(index: &A::Index) -> B::Index {
    let mut same = B::ORIGIN;
    same.as_mut().copy_from_slice(index.as_ref());
    same
}
