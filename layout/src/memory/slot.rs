//! Elements found without a check at run time: proved by the compiler, or by the caller.
#![allow(unsafe_code, reason = "the checks are what this module leaves out")]

use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;

use layout_core::__private::{NATIVE, native};

use crate::array::with_dims::WithDims;
use crate::compiled::find;
use crate::compiled::{AnyLayout, stop};
use crate::memory::tile::{Tile, TileMut};
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::types::array::Array;
use crate::types::element::Element;
use crate::types::list::{Dims, NumberList, StaticDims};
use crate::types::property::Properties;
use crate::types::tiles::TileSpec;
use crate::walk::grid::{TilePlace, block};
use crate::walk::region::{Region, SliceError};
use crate::walk::region_walk::{Counted, RegionRuns, RegionTiles};
use crate::walk::run::Run;

/// The place of an element of the layout `L`, known to be in range; [`Array::slot`] makes it.
pub struct Slot<L> {
    /// The offset of an element.
    offset: usize,
    layout: PhantomData<L>,
}

impl<L> Slot<L> {
    /// Position in memory, in elements.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }
}

impl<L> Clone for Slot<L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Slot<L> {}

impl<L> fmt::Debug for Slot<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Slot").field(&self.offset).finish()
    }
}

impl<E, D, M, T, P> Array<E, D, M, T, P>
where
    E: Element,
    D: StaticDims,
    M: NumberList,
    T: TileSpec,
    P: Properties,
{
    /// The place of an element, for views: in a `const`, the compiler checks the index.
    ///
    /// Does not compile for a layout with bounded dimensions, of which a view can have fewer elements.
    ///
    /// # Panics
    /// If a coordinate is not below its dimension; in a `const`, that stops the build.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data = [1.0; A::PADDED_ELEMENTS];
    /// let view = View::<A, f32>::new(&data)?;
    /// assert_eq!(view.at(const { A::slot([2, 3]) }), &1.0);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[track_caller]
    #[must_use]
    pub const fn slot<const R: usize>(index: [usize; R]) -> Slot<Self>
    where
        D: Dims<R>,
    {
        const {
            if size_of::<D::Sizes>() != 0 {
                stop("a bounded dimension has as many elements as a view says: index the view");
            }
        }
        Slot { offset: Self::offset(index), layout: PhantomData }
    }
}

impl<'a, L: AnyLayout, T> View<'a, L, T> {
    /// The element at a place that is known to be in range: no check at run time.
    #[inline(always)]
    #[must_use]
    pub const fn at(&self, slot: Slot<L>) -> &'a T {
        // SAFETY: a view has as many slots as its layout with the view's sizes. `Array::slot`, which alone
        // makes a slot, asked that all sizes are part of the layout's type, so that these are the same, and
        // that the index is in range: its offset is below their number.
        unsafe { &*self.as_slice().as_ptr().add(slot.offset) }
    }

    /// The element at an index, without looking whether this is in range.
    ///
    /// # Safety
    /// Every coordinate has to be below its dimension.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data = [1.0; A::PADDED_ELEMENTS];
    /// let view = View::<A, f32>::new(&data)?;
    /// // SAFETY: 2 is below 3, and 3 below 5.
    /// assert_eq!(unsafe { view.get_unchecked([2, 3]) }, &1.0);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub unsafe fn get_unchecked(&self, index: L::Index) -> &'a T {
        // SAFETY: a view has as many slots as its layout with the view's sizes, and the caller vouches that
        // the index is in range: its offset is below their number.
        unsafe {
            self.as_slice().get_unchecked(find::find_unchecked::<L, NATIVE>(&self.sizes(), &index))
        }
    }
}

impl<L: AnyLayout, T> ViewMut<'_, L, T> {
    /// The element at a place that is in range.
    #[inline(always)]
    #[must_use]
    pub const fn at(&self, slot: Slot<L>) -> &T {
        self.as_view().at(slot)
    }

    /// The element at a place that is in range, to write.
    #[inline(always)]
    #[must_use]
    pub const fn at_mut(&mut self, slot: Slot<L>) -> &mut T {
        // SAFETY: as for `View::at`.
        unsafe { &mut *self.as_mut_slice().as_mut_ptr().add(slot.offset) }
    }

    /// The element at an index, to write, without looking whether this is in range.
    ///
    /// # Safety
    /// Every coordinate has to be below its dimension.
    #[inline(always)]
    #[must_use]
    pub unsafe fn get_unchecked_mut(&mut self, index: L::Index) -> &mut T {
        let offset = find::find_unchecked::<L, NATIVE>(&self.sizes(), &index);
        // SAFETY: as for `View::get_unchecked`.
        unsafe { self.as_mut_slice().get_unchecked_mut(offset) }
    }
}

/// A part of a view, cut out by a range of coordinates along each dimension, to read and write:
/// [`ViewMut::slice_mut`] makes it.
///
/// Its elements stay where they are in the memory of the view, so that it has no layout of its own.
/// Indices count from its first element on. Slices that [`split_at_mut`](Self::split_at_mut) makes
/// share no element, so threads can use them at the same time although their memory can be interleaved.
// The slots of the elements in `region` belong to it alone. A layout gives different elements
// different offsets, so that slices whose regions are disjoint share no slot. Nothing here reaches a slot
// that is not one of those elements', but for the padding of a tile all of whose elements are among them.
pub struct SliceMut<'a, L: AnyLayout, T> {
    /// All slots of the view.
    slots: NonNull<[T]>,
    layout: WithDims<L>,
    region: Region<L>,
    memory: PhantomData<&'a mut [T]>,
}

// SAFETY: it is a `&mut` to each of its elements, beside sizes and indices, which are numbers.
unsafe impl<L: AnyLayout, T: Send> Send for SliceMut<'_, L, T> {}
// SAFETY: a shared reference to it gives shared references to its elements, and copies of sizes and indices.
unsafe impl<L: AnyLayout, T: Sync> Sync for SliceMut<'_, L, T> {}

impl<'a, L: AnyLayout, T> SliceMut<'a, L, T> {
    /// The part of a view.
    pub(crate) fn new(layout: WithDims<L>, slots: &'a mut [T], region: Region<L>) -> Self {
        SliceMut { slots: NonNull::from(slots), layout, region, memory: PhantomData }
    }

    /// The layout of the view that the slice is a part of: [`as_region`](Self::as_region) says which.
    #[must_use]
    pub const fn layout(&self) -> WithDims<L> {
        self.layout
    }

    /// Where the slice lies in its view.
    #[must_use]
    pub const fn as_region(&self) -> Region<L> {
        self.region
    }

    /// The same slice for a shorter time: to hand it on by value and use it again afterwards.
    #[must_use]
    pub fn reborrow(&mut self) -> SliceMut<'_, L, T> {
        SliceMut { memory: PhantomData, ..*self }
    }

    /// A part of the slice that lies in it.
    #[track_caller]
    pub(crate) fn part(self, region: Region<L>) -> Self {
        assert!(self.region.contains(&region), "{region:?} is not part of {:?}", self.region);
        SliceMut { region, ..self }
    }

    /// The two parts before and from a coordinate along a dimension. They share no element,
    /// though their memory can be interleaved.
    ///
    /// # Errors
    /// If the array has no such dimension, or the coordinate exceeds its size.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// type A = layout!(F32[300,500]{1,0:T(8,128)});
    /// let mut buffer = Buffer::<A, f32>::zeroed();
    /// let mut view = buffer.as_view_mut();
    /// let [mut left, mut right] = view.split_at_mut(1, 250)?;
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| left.fill(1.0));
    ///     right[[299, 249]] = 2.0;
    /// });
    /// assert_eq!((buffer[[299, 249]], buffer[[299, 250]], buffer[[299, 499]]), (1.0, 0.0, 2.0));
    /// # Ok::<(), layout::SliceError>(())
    /// ```
    pub fn split_at_mut(self, dim: usize, at: usize) -> Result<[Self; 2], SliceError> {
        // The two regions are disjoint: coordinate `at` of the dimension ends the one and begins the other.
        let SliceMut { slots, layout, .. } = self;
        let parts = self.region.split(dim, at)?;
        Ok(parts.map(|region| SliceMut { slots, layout, region, memory: PhantomData }))
    }

    /// The offset of an element of the slice.
    #[inline(always)]
    fn offset(&self, index: &L::Index) -> Option<usize> {
        let place = self.region.place(index)?;
        let offset = self.layout.offset_unchecked(place);
        self.has(offset);
        Some(offset)
    }

    /// Asks that the memory has a slot, as it has for each element.
    #[inline(always)]
    fn has(&self, slot: usize) {
        assert!(slot < self.slots.len(), "a view has a slot for each element");
    }

    /// The element at an index; `None` outside the slice.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, index: L::Index) -> Option<&T> {
        let offset = self.offset(&index)?;
        // SAFETY: the offset is below the length of the memory, which is borrowed for `'a`. The slot is
        // that of an element of this slice, whose `&mut` are all borrowed from it.
        Some(unsafe { self.slots.cast::<T>().add(offset).as_ref() })
    }

    /// The element at an index, to write; `None` outside the slice.
    #[inline(always)]
    #[must_use]
    pub fn get_mut(&mut self, index: L::Index) -> Option<&mut T> {
        let offset = self.offset(&index)?;
        // SAFETY: as for `get`, and this slice is borrowed for as long.
        Some(unsafe { self.slots.cast::<T>().add(offset).as_mut() })
    }

    /// The elements with their indices in row-major order, to write: see [`iter_mut`](Self::iter_mut).
    #[inline(always)]
    pub(super) fn into_elements(
        self,
    ) -> impl Iterator<Item = (L::Index, &'a mut T)> + use<'a, L, T> {
        Counted::<L>::row_major(self.region.dims()).filter_map(move |index| {
            let offset = self.offset(&index)?;
            // SAFETY: the offset is below the length of the memory, which is borrowed for `'a`. The slot
            // is that of an element of this slice, which this iterator has taken. No slot is handed
            // out twice: `Counted` comes to each index once, and different elements have different slots.
            Some((index, unsafe { self.slots.cast::<T>().add(offset).as_mut() }))
        })
    }

    /// The elements with their indices to write, in row-major order, the last dimension fastest.
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout};
    ///
    /// type A = layout!(S32[3,5]{1,0:T(2,2)});
    /// let mut data = [0; A::PADDED_ELEMENTS];
    /// let mut view = ViewMut::<A, i32>::new(&mut data)?;
    /// let mut slice = view.slice_mut((1.., ..2))?;
    /// for ([i, j], x) in slice.iter_mut() {
    ///     *x = 10 * i as i32 + j as i32;
    /// }
    /// assert_eq!(slice.to_vec(), [0, 1, 10, 11]);
    /// assert_eq!((view[[0, 1]], view[[1, 1]], view[[2, 1]]), (0, 1, 11));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (L::Index, &mut T)> {
        self.reborrow().into_elements()
    }

    /// Writes a value to each element of the slice. Padding stays as it is.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let mut buffer = Buffer::<layout!(S32[3,5]{1,0:T(2,2)}), i32>::zeroed();
    /// buffer.as_view_mut().slice_mut((1.., ..2))?.fill(7);
    /// assert_eq!(buffer.to_vec(), [0, 0, 0, 0, 0, 7, 7, 0, 0, 0, 7, 7, 0, 0, 0]);
    /// # Ok::<(), layout::SliceError>(())
    /// ```
    pub fn fill(&mut self, value: T)
    where
        T: Copy,
    {
        const { L::VALID }
        // Along the most minor dimension, elements are evenly spaced from each multiple of `longest` on.
        let (longest, stride) = const {
            match L::ROWS.by_slot() {
                true => (1, 1),
                false => (native(L::ROWS.longest()), native(L::ROWS.stride())),
            }
        };
        let (start, limit) = (self.region.start(), self.region.limit());
        let (start, limit) = (start.as_ref(), limit.as_ref());
        if self.region.dims().as_ref().contains(&0) {
            return;
        }
        let mut index = self.region.start();
        loop {
            let length = match index.as_ref().get(L::MINOR) {
                Some(at) => (limit[L::MINOR] - at).min(longest - at % longest),
                None => 1,
            };
            let first = self.layout.offset_unchecked(index);
            let last = first + (length - 1) * stride;
            self.has(last);
            for at in 0..length {
                // SAFETY: the slots are in the memory, and are those of elements of this slice.
                unsafe { self.slots.cast::<T>().add(first + at * stride).write(value) };
            }
            let mut step = length;
            let mut order = const { L::VALUE.minor_to_major() }.iter();
            loop {
                let Some(&dim) = order.next() else { return };
                index.as_mut()[dim] += step;
                if index.as_ref()[dim] < limit[dim] {
                    break;
                }
                index.as_mut()[dim] = start[dim];
                step = 1;
            }
        }
    }

    /// The memory of the view. What is not in the slice's elements, nor in padding of tiles that all belong to it, is
    /// not for it to reach.
    pub(super) fn memory(&self) -> NonNull<[T]> {
        self.slots
    }

    /// The runs with their memory, which is that of elements of this slice: disjoint, and in the order of
    /// memory.
    fn run_slots(&self) -> impl Iterator<Item = (Run<L::Index>, NonNull<[T]>)> + use<L, T> {
        let slots = self.slots;
        let mut end = 0;
        RegionRuns::<L, false>::new(self.layout.sizes(), self.region).map(move |run| {
            assert!(end <= run.offset, "runs come in the order of memory");
            end = run.offset + run.length;
            assert!(end <= slots.len(), "a view has a slot for each element");
            // SAFETY: the run begins within the memory, or at its end.
            let first = unsafe { slots.cast::<T>().add(run.offset) };
            (run, NonNull::slice_from_raw_parts(first, run.length))
        })
    }

    /// The runs of the layout, cut to the slice, with their elements, in the order of memory: see
    /// [`Slice::runs`](crate::Slice::runs).
    pub fn runs(&self) -> impl Iterator<Item = (Run<L::Index>, &[T])> {
        // SAFETY: the slots are those of elements of this slice, which is borrowed for as long.
        self.run_slots().map(|(run, slots)| (run, unsafe { slots.as_ref() }))
    }

    /// The runs of the layout, cut to the slice, with their elements to write, in the order of memory. They
    /// are disjoint.
    pub fn runs_mut(&mut self) -> impl Iterator<Item = (Run<L::Index>, &mut [T])> {
        // SAFETY: as for `runs`, and runs are disjoint, so that no slot is handed out twice while this
        // slice is borrowed.
        self.run_slots().map(|(run, mut slots)| (run, unsafe { slots.as_mut() }))
    }

    /// The tiles that make up the slice with their memory: disjoint, and in the order of memory. Each
    /// element of a tile is one of this slice, so that no other slice that is in use at the same time has
    /// an element there, and none but this one, which has all of them, reaches the tile's padding.
    fn tile_slots(&self) -> Option<impl Iterator<Item = (TilePlace<L>, NonNull<[T]>)> + use<L, T>> {
        let (slots, sizes) = (self.slots, self.layout.sizes());
        let tiles = RegionTiles::new(&self.region, sizes)?;
        let mut end = 0;
        Some(tiles.filter_map(move |tile| {
            let (number, length) = (TilePlace::<L>::number(&sizes, &tile)?, block::<L>(&sizes));
            let start = number * length;
            assert!(end <= start, "tiles come in the order of memory");
            end = start + length;
            assert!(end <= slots.len(), "a view has the slots of each tile");
            // SAFETY: the tile begins within the memory, or at its end.
            let first = unsafe { slots.cast::<T>().add(start) };
            Some((TilePlace::of(&sizes, tile), NonNull::slice_from_raw_parts(first, length)))
        }))
    }

    /// The tiles of the outermost tiling that make up the slice, in the order of memory: see
    /// [`Slice::tiles`](crate::Slice::tiles).
    pub fn tiles(&self) -> Option<impl Iterator<Item = Tile<'_, L, T>>> {
        let sizes = self.layout.sizes();
        Some(self.tile_slots()?.map(move |(place, slots)| {
            // SAFETY: the slots belong to this slice, as `tile_slots` says, and it is borrowed for as long.
            Tile::new(place, unsafe { slots.as_ref() }, sizes)
        }))
    }

    /// The tiles of the outermost tiling that make up the slice, to write, in the order of memory: see
    /// [`Slice::tiles`](crate::Slice::tiles). They are disjoint.
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout};
    ///
    /// type A = layout!(F32[20,256]{1,0:T(8,128)});
    /// let mut data = [0.0; A::PADDED_ELEMENTS];
    /// let mut view = ViewMut::<A, f32>::new(&mut data)?;
    /// let [_, mut right] = view.split_at_mut(1, 128)?;
    /// for mut tile in right.tiles_mut().unwrap() {
    ///     tile.as_mut_slice().fill(1.0);
    /// }
    /// assert_eq!((view[[19, 127]], view[[0, 128]], view[[19, 255]]), (0.0, 1.0, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tiles_mut(&mut self) -> Option<impl Iterator<Item = TileMut<'_, L, T>>> {
        let sizes = self.layout.sizes();
        Some(self.tile_slots()?.map(move |(place, mut slots)| {
            // SAFETY: as for `tiles`, and tiles are disjoint, so that no slot is handed out twice while this
            // slice is borrowed.
            TileMut::new(place, unsafe { slots.as_mut() }, sizes)
        }))
    }
}
