//! Copies of parts of arrays whose elements have 8 bits or less: stretch by stretch, or by a plan.

use core::slice;

use layout_copy::__private::packed::{self, Extend, Widths};
use layout_copy::__private::{bytes, bytes_mut};
use layout_copy::OneByte;
use layout_core::__private::{Region as WalkedRegion, native};
use layout_core::Index;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::packed::bits::{BitOrder, get, set};
use crate::memory::packed::slice::{PackedSlice, PackedSliceMut};
use crate::memory::slice::slice_mut::SliceMut;
use crate::memory::slice::{Slice, digits_of};
use crate::relayout::boxes::same_index;
use crate::relayout::packed::FEW;
use crate::relayout::slice::has_sizes;
use crate::walk::base::base;
use crate::walk::odometer::Counted;
use crate::walk::region::Region;
use crate::walk::region_walk::RegionRuns;

/// A part of an array whose elements have 8 bits or less, to read.
pub(super) trait PartBits<L: AnyLayout> {
    /// Whether the high bits of a byte are its first element.
    const IS_MIRRORED: bool;

    fn place(&self) -> (WithDims<L>, Region<L>);

    /// The memory of the whole array, if nobody writes any of it.
    fn memory(&self) -> Option<&[u8]>;

    /// The bits of an element of the part.
    fn bits(&self, index: L::Index) -> Option<u8>;
}

/// A part to write.
pub(super) trait PartBitsMut<L: AnyLayout> {
    const IS_MIRRORED: bool;

    fn place(&self) -> (WithDims<L>, Region<L>);

    fn memory_mut(&mut self) -> Option<&mut [u8]>;

    fn set_bits(&mut self, index: L::Index, bits: u8) -> Option<()>;
}

impl<L: AnyLayout, T: OneByte> PartBits<L> for Slice<'_, L, T> {
    const IS_MIRRORED: bool = false;

    fn place(&self) -> (WithDims<L>, Region<L>) {
        (self.layout(), self.as_region())
    }

    fn memory(&self) -> Option<&[u8]> {
        Slice::memory(self).map(bytes)
    }

    fn bits(&self, index: L::Index) -> Option<u8> {
        self.get(index).map(|value| value.byte())
    }
}

impl<L: AnyLayout, O: BitOrder> PartBits<L> for PackedSlice<'_, L, O> {
    const IS_MIRRORED: bool = O::IS_HIGH_FIRST;

    fn place(&self) -> (WithDims<L>, Region<L>) {
        (self.layout(), self.region)
    }

    fn memory(&self) -> Option<&[u8]> {
        Some(self.view.as_bytes())
    }

    fn bits(&self, index: L::Index) -> Option<u8> {
        let slot = self.layout().checked_offset(self.region.place(&index)?)?;
        Some(get::<L, O>(self.view.as_bytes(), slot))
    }
}

impl<L: AnyLayout, T: OneByte> PartBitsMut<L> for SliceMut<'_, L, T> {
    const IS_MIRRORED: bool = false;

    fn place(&self) -> (WithDims<L>, Region<L>) {
        (self.layout(), self.as_region())
    }

    fn memory_mut(&mut self) -> Option<&mut [u8]> {
        SliceMut::memory_mut(self).map(bytes_mut)
    }

    fn set_bits(&mut self, index: L::Index, bits: u8) -> Option<()> {
        bytes_mut(slice::from_mut(self.get_mut(index)?))[0] = bits;
        Some(())
    }
}

impl<L: AnyLayout, O: BitOrder> PartBitsMut<L> for PackedSliceMut<'_, L, O> {
    const IS_MIRRORED: bool = O::IS_HIGH_FIRST;

    fn place(&self) -> (WithDims<L>, Region<L>) {
        (self.layout(), self.region)
    }

    fn memory_mut(&mut self) -> Option<&mut [u8]> {
        Some(self.view.as_mut_bytes())
    }

    fn set_bits(&mut self, index: L::Index, bits: u8) -> Option<()> {
        let slot = self.layout().checked_offset(self.region.place(&index)?)?;
        set::<L, O>(self.view.as_mut_bytes(), slot, bits);
        Some(())
    }
}

/// Moves the elements of a part, stretch by stretch of what runs of both layouts have in common, if these are so few that a plan takes
/// longer. False if it is not done.
#[inline(always)]
fn by_stretches<A, B>(
    (of_a, a): &(WithDims<A>, Region<A>),
    (of_b, b): &(WithDims<B>, Region<B>),
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
) -> bool
where
    A: AnyLayout,
    B: AnyLayout,
{
    if const { A::WALK.scans_slots() || !RegionRuns::<B, false>::IS_IN_ORDER } {
        return false;
    }
    let (dims, dim) = (b.dims(), const { B::WALK.dim() });
    let longest = if const { A::WALK.dim() == B::WALK.dim() } {
        const {
            native(if A::WALK.longest() < B::WALK.longest() {
                A::WALK.longest()
            } else {
                B::WALK.longest()
            })
        }
    } else {
        1
    };
    let elements = dims.as_ref().iter().product::<usize>();
    let along = dims.as_ref().get(dim).map_or(1, |size| longest.min(*size));
    if elements > FEW.saturating_mul(along) {
        return false;
    }
    // Stretches that go on where the last one ends, in both memories, are one.
    let (mut first, mut length) = ([0; 2], 0);
    for run in RegionRuns::<B, false>::new(of_b.sizes(), *b) {
        let mut index = same_index::<B, A>(&run.index);
        for (coordinate, first) in index.as_mut().iter_mut().zip(a.start().as_ref()) {
            *coordinate += first;
        }
        let mut done = 0;
        while done < run.length {
            let at = [of_a.offset_unchecked(index), run.offset + done];
            let mut count = 1;
            if let Some(coordinate) = index.as_mut().get_mut(dim) {
                if longest > 1 {
                    let longest = const { native(A::WALK.longest()) };
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

/// Moves the elements of a part by a plan that is made now.
fn by_plan<A, B>(
    (of_a, of_b): (&WithDims<A>, &WithDims<B>),
    dims: &[usize],
    regions: &[WalkedRegion; 2],
    widths: Widths,
    (src, dst): (&[u8], &mut [u8]),
) where
    A: AnyLayout,
    B: AnyLayout,
{
    digits_of::<A, _>(of_a, |a| {
        digits_of::<B, _>(of_b, |b| match (base(a, &regions[0]), base(b, &regions[1])) {
            (Some(from), Some(to)) => {
                let dims = Index::of_native(dims);
                let digits = [&a.with_dims(&dims), &b.with_dims(&dims)];
                packed::copy_from(digits, widths, src, dst, [from, to].map(native));
            }
            _ => packed::copy_part([a, b], regions, widths, src, dst),
        });
    });
}

/// Copies a part to another one of its sizes.
#[track_caller]
pub(super) fn copy_part<A, B, S, D>(from: &S, to: &mut D, extend: Extend)
where
    A: AnyLayout,
    B: AnyLayout,
    S: PartBits<A>,
    D: PartBitsMut<B>,
{
    let (places_a @ (of_a, a), places_b @ (of_b, b)) = (&from.place(), &to.place());
    let (dims, mirrors) = (a.dims(), [S::IS_MIRRORED, D::IS_MIRRORED]);
    has_sizes(dims.as_ref(), b.dims().as_ref());
    let widths = Widths { src: A::BITS as u32, dst: B::BITS as u32, fixed: 0, extend, mirrors };
    let elements = dims.as_ref().iter().product::<usize>();
    if let (Some(src), Some(dst)) = (from.memory(), to.memory_mut()) {
        if by_stretches(places_a, places_b, widths, src, dst) {
            return;
        }
        if elements > FEW {
            return by_plan(
                (of_a, of_b),
                dims.as_ref(),
                &[a.walked(), b.walked()],
                widths,
                (src, dst),
            );
        }
    }
    if elements > 0 {
        for index in Counted::<B>::new(b.dims(), B::VALUE.minor_to_major()) {
            if let Some(bits) = from.bits(same_index::<B, A>(&index)) {
                to.set_bits(index, widths.widened(bits));
            }
        }
    }
}
