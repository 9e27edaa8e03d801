//! Parts of an array in memory, which can be interleaved with other parts.
#![allow(
    unsafe_code,
    reason = "the memory of a part can be interleaved with that of others, which slices cannot say"
)]

use core::ptr::NonNull;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::row::RowSlots;
use crate::walk::grid::{TilePlace, block};
use crate::walk::odometer::advance;
use crate::walk::region::Region;
use crate::walk::region_walk::{RegionRuns, RegionTiles};
use crate::walk::run::Run;

/// The elements in a region of an array, as places in the memory of the whole array. Who has it vouches that the memory is
/// borrowed, and that nobody else writes these elements (or, to write them, uses them).
///
/// A layout gives different elements different offsets, so that parts whose regions are disjoint share no slot. Nothing
/// here leads to a slot that is not one of those elements', but for the padding of a tile all of whose elements are among
/// them. No walk comes to a slot twice.
pub(in crate::memory) struct ArrayPart<L: AnyLayout, T> {
    /// All slots of the array.
    pub(in crate::memory) slots: NonNull<[T]>,
    pub(in crate::memory) layout: WithDims<L>,
    pub(in crate::memory) region: Region<L>,
}

copy! { ArrayPart<L: AnyLayout, T> }

impl<L: AnyLayout, T> ArrayPart<L, T> {
    /// A part that lies in this one.
    #[track_caller]
    pub(in crate::memory) fn cut(self, region: Region<L>) -> Self {
        assert!(self.region.contains(&region), "{region:?} is not part of {:?}", self.region);
        ArrayPart { region, ..self }
    }

    /// The slot of an element of the part.
    #[inline(always)]
    pub(in crate::memory) fn slot(&self, index: &L::Index) -> Option<NonNull<T>> {
        let place = self.region.place(index)?;
        let offset = self.layout.offset_unchecked(place);
        assert!(offset < self.slots.len(), "a view has a slot for each element");
        // SAFETY: the offset is below the length of the memory.
        Some(unsafe { self.slots.cast::<T>().add(offset) })
    }

    /// Consecutive slots of the array.
    #[inline(always)]
    fn stretch(&self, start: usize, length: usize) -> NonNull<[T]> {
        assert!(
            start <= self.slots.len() && length <= self.slots.len() - start,
            "a view has a slot for each element"
        );
        // SAFETY: the stretch begins within the memory, or at its end.
        NonNull::slice_from_raw_parts(unsafe { self.slots.cast::<T>().add(start) }, length)
    }

    /// The elements with their indices in row-major order.
    #[inline(always)]
    pub(in crate::memory) fn elements(self) -> impl Iterator<Item = (L::Index, NonNull<T>)> {
        let dims = self.region.dims();
        let mut next = (!dims.as_ref().contains(&0)).then_some(L::ORIGIN);
        core::iter::from_fn(move || {
            let index = next?;
            let mut after = index;
            let order = (0..L::ORIGIN.as_ref().len()).rev();
            next = advance(after.as_mut(), order, |dim| (1, dims.as_ref()[dim])).then_some(after);
            Some((index, self.slot(&index)?))
        })
    }

    /// The runs with their slots, in the order of memory.
    #[inline(always)]
    pub(in crate::memory) fn runs(self) -> impl Iterator<Item = (Run<L::Index>, NonNull<[T]>)> {
        let mut end = 0;
        RegionRuns::<L, false>::new(self.layout.sizes(), self.region).map(move |run| {
            assert!(end <= run.offset, "runs come in the order of memory");
            end = run.offset + run.length;
            (run, self.stretch(run.offset, run.length))
        })
    }

    /// The rows of tiles, cut to the region.
    #[inline(always)]
    pub(in crate::memory) fn rows(
        &self,
    ) -> impl core::iter::FusedIterator<Item = RowSlots<L, T>> + use<L, T> {
        RowSlots::rows(self.slots, RegionRuns::<L, true>::new(self.layout.sizes(), self.region))
    }

    /// The tiles that make up the part, if it is made up of tiles, in the order of memory.
    pub(in crate::memory) fn tiles(
        self,
    ) -> Option<impl Iterator<Item = (TilePlace<L>, NonNull<[T]>)>> {
        let sizes = self.layout.sizes();
        let tiles = RegionTiles::new(&self.region, sizes)?;
        let mut end = 0;
        Some(tiles.filter_map(move |tile| {
            let (number, length) = (TilePlace::<L>::number(&sizes, &tile)?, block::<L>(&sizes));
            let start = number * length;
            assert!(end <= start, "tiles come in the order of memory");
            end = start + length;
            Some((TilePlace::of(&sizes, tile), self.stretch(start, length)))
        }))
    }

    /// Writes a value to each element.
    ///
    /// # Safety
    /// Nobody else may use the elements.
    pub(in crate::memory) unsafe fn fill(self, value: T)
    where
        T: Copy,
    {
        let rows = RegionRuns::<L, true>::new(self.layout.sizes(), self.region);
        let stride = rows.stride();
        for run in rows {
            let slots = self.stretch(run.offset, (run.length - 1) * stride + 1).cast::<T>();
            for at in 0..run.length {
                // SAFETY: the slot is in the stretch, and is that of an element of this part.
                unsafe { slots.add(at * stride).write(value) };
            }
        }
    }
}
