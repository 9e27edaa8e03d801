//! Copies of whole arrays, tiles or planes, as boxes whose elements lie alike wherever a box is.

pub(super) mod map;
mod planes;
mod tiles;

use core::marker::PhantomData;

use layout_copy::__private::{
    self as copying, InlineMemory, InlineNest, Memory, Nested, Plain, PlanTemplate,
};
use layout_copy::Settings;
use layout_core::limits::MAX_DIMS;
use layout_core::{Index, Size};

use crate::array::same_array::SameDims;
use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::stored::StoredIn;
use crate::relayout::choice::FEW_BYTES;
use crate::relayout::choice::layouts::varying;
use crate::walk::odometer::Counted;

/// Which boxes of an array.
pub(super) trait Boxes<A: AnyLayout, B: AnyLayout> {
    /// Their size along each dimension; 0 for the whole dimension.
    const SIZE: [Size; MAX_DIMS];
    /// Whether none of them ends with the array before it has its size.
    const ARE_FULL: bool = false;
}

/// The one box that is the array.
pub(super) struct Whole;

impl<A: AnyLayout, B: AnyLayout> Boxes<A, B> for Whole {
    const SIZE: [Size; MAX_DIMS] = [0; MAX_DIMS];
}

/// The loops of the boxes of a pair of layouts.
pub(super) struct BoxesOf<A, B, K>(PhantomData<(A, B, K)>);

impl<A: SameDims<B>, B: AnyLayout, K: Boxes<A, B>> BoxesOf<A, B, K> {
    /// `None` if the layouts share no split, or if boxes lie otherwise in some places.
    const TEMPLATE: &'static Option<PlanTemplate> =
        &PlanTemplate::of_box([A::DIGITS, B::DIGITS], varying::<A>(), &K::SIZE, K::ARE_FULL);

    const LOOPS: &'static Option<InlineNest> = &match Self::TEMPLATE {
        Some(template) => InlineNest::new(template),
        None => None,
    };

    /// Whether there are loops for the caller's code.
    pub(super) const HAS_NEST: bool = Self::LOOPS.is_some();

    /// Elements up to which kernels are not worth a plan.
    const FEW: usize = match Self::LOOPS {
        None => 0,
        Some(nest) if nest.is_spread() => usize::MAX,
        _ => FEW_BYTES / (A::BITS / 8),
    };
}

impl<A: SameDims<B>, B: AnyLayout, K: Boxes<A, B>> Nested for BoxesOf<A, B, K> {
    const NEST: &'static InlineNest = match Self::LOOPS {
        Some(nest) => nest,
        None => InlineNest::NONE,
    };
}

/// Copies the box at an origin, given each array's memory without the slots before the first ones. Slots that hold no element
/// get the padding, if there is one: then the destination has to be the memory of the box alone. To fill all of it first is faster
/// than to look for the gaps.
#[inline(always)]
pub(super) fn copy_box<A, B, K, T>(
    (of_a, of_b): (&WithDims<A>, &WithDims<B>),
    [origin, extent]: [&A::Index; 2],
    [first_src, first_dst]: [usize; 2],
    src: &[T],
    dst: &mut [T],
    padding: Option<T>,
) where
    A: SameDims<B>,
    B: AnyLayout,
    K: Boxes<A, B>,
    T: StoredIn<B>,
{
    let elements: usize = extent.as_ref().iter().product();
    if let Some(value) = padding
        && dst.len() > elements
    {
        dst.fill(value);
    }
    if elements > 0
        && let Some(template) = BoxesOf::<A, B, K>::TEMPLATE
    {
        let counts = [&A::counts(&of_a.sizes()), &B::counts(&of_b.sizes())];
        let src = &src[of_a.offset_unchecked(*origin) - first_src..];
        let dst = &mut dst[of_b.offset_unchecked(same_index::<A, B>(origin)) - first_dst..];
        if const { BoxesOf::<A, B, K>::HAS_NEST && BoxesOf::<A, B, K>::NEST.is_same() } {
            let (sizes, strides) = BoxesOf::<A, B, K>::NEST.sized(extent.as_ref(), counts);
            // Elements that end where they are many are one stretch.
            if let Some([[_, last], _]) = BoxesOf::<A, B, K>::NEST.reach(&sizes, &strides)
                && last == elements - 1
            {
                return dst[..elements].copy_from_slice(&src[..elements]);
            }
        }
        if elements <= const { BoxesOf::<A, B, K>::FEW } {
            let (sizes, strides) = BoxesOf::<A, B, K>::NEST.sized(extent.as_ref(), counts);
            let memory = InlineMemory::of(src, dst);
            assert!(memory.copy::<BoxesOf<A, B, K>>(&sizes, &strides), "{TOO_SHORT}");
        } else {
            copy_by_kernels::<A, B, T>(template, (of_a, of_b), extent.as_ref(), src, dst);
        }
        return;
    }
    each_element::<A, B>((of_a, of_b), origin, *extent, |_, from, to| {
        dst[to - first_dst] = src[from - first_src];
    });
}

/// What cannot be, since lengths are checked before.
pub(super) const TOO_SHORT: &str = "a slice is shorter than its layout";

/// It takes the sizes: counts of which the address is taken are written out for each box.
#[cold]
#[inline(never)]
fn copy_by_kernels<A: AnyLayout, B: AnyLayout, T: StoredIn<B>>(
    template: &PlanTemplate,
    (of_a, of_b): (&WithDims<A>, &WithDims<B>),
    extent: &[usize],
    src: &[T],
    dst: &mut [T],
) {
    let counts = [&A::counts(&of_a.sizes()), &B::counts(&of_b.sizes())];
    let plan = template.plan(Index::of_native(extent).as_slice(), counts, size_of::<T>() as Size);
    let memory = Memory::of(Plain::of_type(), src, dst);
    copying::copy_loops(&plan, memory, size_of::<T>(), &Settings::default());
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
