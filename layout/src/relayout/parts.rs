//! Copies of parts of arrays whose layouts are types.

use layout_copy::__private::packed::{self, Widths};
use layout_core::__private::native;

use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, Compiled};
use crate::memory::{AddressedMut, Memory, Part, Place, Strides};
use crate::relayout::boxes::same_index;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::copy as copy_sides;
use crate::relayout::destination::References;
use crate::relayout::places::{copy_by_digits, written};
use crate::relayout::strided::loops::{Between, OfRank};
use crate::types::index::{IndexArray, Visitor};
use crate::walk::region::Region;
use crate::walk::region_walk::RegionRuns;

/// An array whose layout is a type, or a part of one.
pub(super) trait OfLayout<I: IndexArray>: Place<Index = I> {
    type Layout: AnyLayout<Index = I>;

    /// Whether it is all of the array.
    const IS_WHOLE: bool;

    fn of(&self) -> (WithDims<Self::Layout>, Region<Self::Layout>);
}

impl<L: AnyLayout> OfLayout<L::Index> for WithDims<L> {
    type Layout = L;

    const IS_WHOLE: bool = true;

    #[inline(always)]
    fn of(&self) -> (WithDims<L>, Region<L>) {
        (*self, Region::of(L::ORIGIN, self.dims()))
    }
}

impl<L: AnyLayout> OfLayout<L::Index> for Part<L> {
    type Layout = L;

    const IS_WHOLE: bool = false;

    #[inline(always)]
    fn of(&self) -> (WithDims<L>, Region<L>) {
        (self.layout, self.region)
    }
}

/// Whether elements lie a stride apart along each dimension.
const fn has_strides<L: AnyLayout>() -> bool {
    !L::SIZES.is_empty() && L::DIGITS.strides().is_some()
}

/// Where a part with strides lies.
struct PartPlace<I> {
    first: usize,
    strides: I,
}

impl<I: IndexArray> PartPlace<I> {
    #[inline(always)]
    fn new<L: AnyLayout<Index = I>>(layout: &WithDims<L>, start: I) -> Self {
        let mut place = PartPlace { first: layout.offset_unchecked(start), strides: L::ORIGIN };
        for (dim, stride) in place.strides.as_mut().iter_mut().enumerate() {
            let mut next = start;
            next.as_mut()[dim] += 1;
            // Of one element along the dimension, any number does.
            *stride = layout.offset_unchecked(next).wrapping_sub(place.first);
        }
        place
    }

    #[inline(always)]
    fn offset(&self, index: &I) -> usize {
        let steps = index.as_ref().iter().zip(self.strides.as_ref());
        steps.fold(self.first, |offset, (at, stride)| offset.wrapping_add(at.wrapping_mul(*stride)))
    }
}

/// The place of a part with strides, if elements along the runs of `R` are consecutive in it, and there are at most so many such runs.
#[inline(always)]
fn place_with_runs<L: AnyLayout, R: AnyLayout<Index = L::Index>>(
    (layout, part): &(WithDims<L>, Region<L>),
    elements: usize,
    most: usize,
) -> Option<PartPlace<L::Index>> {
    if const { !has_strides::<L>() || R::WALK.scans_slots() } {
        return None;
    }
    let (dim, place) = (const { R::WALK.dim() }, PartPlace::new(layout, part.start()));
    let longest = part.dims().as_ref()[dim].min(const { native(R::WALK.longest()) });
    (place.strides.as_ref()[dim] == 1 && elements <= most.saturating_mul(longest)).then_some(place)
}

/// A copy between parts that both have strides.
struct ByStrides<'s, 'd, I, T> {
    places: [PartPlace<I>; 2],
    slots: CopiedSlots<'s, 'd, T>,
}

impl<'d, I: IndexArray, T: Copy + 'static> Visitor for ByStrides<'_, 'd, I, T> {
    type Output = &'d mut [T];

    #[inline(always)]
    fn visit<const R: usize>(self, dims: &mut [usize; R]) -> &'d mut [T] {
        let places = self.places.each_ref().map(|place| Strides {
            first: place.first,
            dims: *dims,
            strides: core::array::from_fn(|dim| place.strides.as_ref()[dim].cast_signed()),
        });
        copy_sides(OfRank(places), self.slots)
    }
}

/// Elements up to which a copy is best made one by one, and run by run.
const FEW: usize = 256;

/// Copies between arrays, of which one at least is a part of another one.
#[inline]
pub(super) fn copy<'d, I, P, Q, T>(from: &P, to: &Q, slots: CopiedSlots<'_, 'd, T>) -> &'d mut [T]
where
    I: IndexArray,
    P: OfLayout<I>,
    Q: OfLayout<I>,
    T: Copy + 'static,
{
    let ((of_a, a), (of_b, b)) = (from.of(), to.of());
    let (are_a, are_b) = const { (has_strides::<P::Layout>(), has_strides::<Q::Layout>()) };
    if are_a && Q::IS_WHOLE {
        let place = PartPlace::new(&of_a, a.start());
        return copy_sides(Between::<_, false>::at(place.first, place.strides, of_b), slots);
    }
    if are_b && P::IS_WHOLE {
        let place = PartPlace::new(&of_b, b.start());
        return copy_sides(Between::<_, true>::at(place.first, place.strides, of_a), slots);
    }
    let mut dims = from.dims();
    if are_a && are_b {
        let places = [PartPlace::new(&of_a, a.start()), PartPlace::new(&of_b, b.start())];
        return dims.visit(ByStrides { places, slots });
    }
    by_runs(from, to, slots)
}

/// Copies between arrays of which one at least has tiles: few elements run by run, more by a plan.
#[inline(never)]
fn by_runs<'d, I, P, Q, T>(from: &P, to: &Q, slots: CopiedSlots<'_, 'd, T>) -> &'d mut [T]
where
    I: IndexArray,
    P: OfLayout<I>,
    Q: OfLayout<I>,
    T: Copy + 'static,
{
    let (place_a, place_b) = (from.of(), to.of());
    let elements = from.dims().as_ref().iter().product::<usize>();
    if let Some(place) = place_with_runs::<P::Layout, Q::Layout>(&place_a, elements, FEW) {
        let (src, dst) = written(to, elements, slots);
        for run in to.runs() {
            dst[run.range()].copy_from_slice(&src[place.offset(&run.index)..][..run.length]);
        }
        return dst;
    }
    if let Some(place) = place_with_runs::<Q::Layout, P::Layout>(&place_b, elements, FEW) {
        let (src, dst) = written(to, elements, slots);
        for run in from.runs() {
            dst[place.offset(&run.index)..][..run.length].copy_from_slice(&src[run.range()]);
        }
        return dst;
    }
    if elements <= FEW {
        let (src, dst) = written(to, elements, slots);
        for ((_, from), (_, to)) in from.offsets().zip(to.offsets()) {
            dst[to] = src[from];
        }
        return dst;
    }
    copy_by_digits(from, to, slots)
}

/// Copies to a part where others write beside it.
pub(super) fn copy_apart<I, P, Q, S, D, T>(from: &Memory<P, S>, to: &mut Memory<Q, D>)
where
    I: IndexArray,
    P: OfLayout<I>,
    Q: OfLayout<I>,
    S: References<Elem = T>,
    D: AddressedMut<Elem = T>,
    T: Copy,
{
    let place = from.place().of();
    if let Some(src) = from.storage().whole_slice()
        && let Some(place) = place_with_runs::<P::Layout, Q::Layout>(&place, 0, usize::MAX)
    {
        for (run, slots) in to.runs_mut() {
            slots.copy_from_slice(&src[place.offset(&run.index)..][..run.length]);
        }
        return;
    }
    for ((_, element), (_, place)) in from.iter().zip(to.iter_mut()) {
        *place = *core::borrow::Borrow::<T>::borrow(&element);
    }
}

/// Copies few packed elements by stretches that are consecutive on both sides. False if it is not done.
#[inline(always)]
pub(super) fn bits_by_stretches<I: IndexArray, P: OfLayout<I>, Q: OfLayout<I>>(
    from: &P,
    to: &Q,
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
) -> bool {
    const FEW: usize = 128;
    let ((of_a, a), (of_b, b)) = (from.of(), to.of());
    if const { P::Layout::WALK.scans_slots() || !RegionRuns::<Q::Layout, false>::IS_IN_ORDER } {
        return false;
    }
    let (dims, dim) = (b.dims(), const { Q::Layout::WALK.dim() });
    let longest = const {
        let [a, b] = [P::Layout::WALK, Q::Layout::WALK];
        match a.dim() == b.dim() {
            true if a.longest() < b.longest() => native(a.longest()),
            true => native(b.longest()),
            false => 1,
        }
    };
    let elements = dims.as_ref().iter().product::<usize>();
    let along = dims.as_ref().get(dim).map_or(1, |size| longest.min(*size));
    if elements > FEW.saturating_mul(along) {
        return false;
    }
    // Stretches that go on where the last one ends, in both memories, are one.
    let (mut first, mut length) = ([0; 2], 0);
    for run in RegionRuns::<Q::Layout, false>::new(of_b.sizes(), b) {
        let mut index = a.moved(&same_index::<Q::Layout, P::Layout>(&run.index));
        let mut done = 0;
        while done < run.length {
            let at = [of_a.offset_unchecked(index), run.offset + done];
            let mut count = 1;
            if let Some(coordinate) = index.as_mut().get_mut(dim) {
                if longest > 1 {
                    let longest = const { native(P::Layout::WALK.longest()) };
                    count = (longest - *coordinate % longest).min(run.length - done);
                }
                *coordinate += count;
            }
            done += count;
            if at == first.map(|slot| slot + length) {
                length += count;
                continue;
            }
            if length > 0 {
                packed::stretch(widths, src, dst, first, length);
            }
            (first, length) = (at, count);
        }
    }
    packed::stretch(widths, src, dst, first, length);
    true
}
