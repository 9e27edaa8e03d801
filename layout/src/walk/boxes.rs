//! Parts that share no element: boxes, the slices along an axis, two halves.
#![allow(unsafe_code, reason = "the parts share no element")]

use core::iter::FusedIterator;

use crate::memory::Memory;
use crate::memory::PartOf;
use crate::memory::place::Place;
use crate::memory::storage::{AddressedMut, SharedSlots, Slots, SpreadMut, Storage};
use crate::order::{odometer::advance, region::SliceError};

/// Boxes of an array in row-major order: see [`Memory::boxes`].
#[derive(Clone, Debug)]
pub struct Boxes<P: Place, S> {
    place: P,
    slots: S,
    dims: P::Index,
    size: P::Index,
    next: Option<P::Index>,
}

impl<P: Place, S: Slots> Boxes<P, S> {
    #[inline]
    fn new(place: &P, slots: S, sizes: &[usize]) -> Result<Self, SliceError> {
        let dims = place.dims();
        let (mut size, mut next) = (dims, dims);
        let (given, rank) = (sizes.len(), dims.as_ref().len());
        if given != rank {
            return Err(SliceError::Rank { given, rank });
        }
        if let Some(dim) = sizes.iter().position(|&size| size == 0) {
            return Err(SliceError::EmptyBox { dim });
        }
        size.as_mut().copy_from_slice(sizes);
        next.as_mut().fill(0);
        let next = (!dims.as_ref().contains(&0)).then_some(next);
        Ok(Boxes { place: place.clone(), slots, dims, size, next })
    }

    fn axis(place: &P, slots: S, dim: usize) -> Result<Self, SliceError> {
        let mut size = place.dims();
        let rank = size.as_ref().len();
        let along = size.as_mut().get_mut(dim).ok_or(SliceError::Dim { dim, rank })?;
        let has_any = core::mem::replace(along, 1) > 0;
        // An array without elements has empty slices along its other dimensions.
        size.as_mut().iter_mut().for_each(|size| *size = (*size).max(1));
        let mut first = size;
        first.as_mut().fill(0);
        Ok(Boxes { next: has_any.then_some(first), ..Boxes::new(place, slots, size.as_ref())? })
    }
}

impl<P: Place, S: Slots> Iterator for Boxes<P, S> {
    type Item = Memory<P::Part, S>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let start = self.next?;
        let (mut limit, mut after) = (start, start);
        let (dims, size) = (self.dims.as_ref(), self.size.as_ref());
        for (dim, limit) in limit.as_mut().iter_mut().enumerate() {
            *limit = limit.saturating_add(size[dim]).min(dims[dim]);
        }
        let has_next = advance(after.as_mut(), (0..dims.len()).rev(), |dim| {
            (size[dim].min(dims[dim]), dims[dim])
        });
        self.next = has_next.then_some(after);
        // SAFETY: each box has multiples of the sizes to itself, and the slots of a stretch.
        let slots = unsafe { alias(&self.place, &self.slots, &start, &limit) };
        Some(Memory::of_parts(self.place.part(&start, &limit), slots))
    }
}

impl<P: Place, S: Slots> FusedIterator for Boxes<P, S> {}

/// The slots of a part.
///
/// # Safety
/// As for [`Slots::alias`]; parts share no coordinate of a dimension.
#[inline(always)]
unsafe fn alias<P: Place, S: Slots>(place: &P, slots: &S, start: &P::Index, limit: &P::Index) -> S {
    match place.stretch(start, limit) {
        // SAFETY: what is between coordinates of the most major dimension has all of these slots.
        Some(own) => unsafe { slots.alias_owning(own) },
        // SAFETY: the caller's promise.
        None => unsafe { slots.alias() },
    }
}

/// Two parts of an array.
type Halves<P, S> = [Memory<<P as Place>::Part, S>; 2];

fn split<P: Place, S: Slots>(
    place: &P,
    slots: S,
    dim: usize,
    at: usize,
) -> Result<[Memory<P::Part, S>; 2], SliceError> {
    let dims = place.dims();
    let rank = dims.as_ref().len();
    let size = *dims.as_ref().get(dim).ok_or(SliceError::Dim { dim, rank })?;
    if at > size {
        return Err(SliceError::Range { dim, size, start: 0, limit: at });
    }
    let (mut origin, mut middle, mut end) = (dims, dims, dims);
    origin.as_mut().fill(0);
    middle.as_mut().fill(0);
    (middle.as_mut()[dim], end.as_mut()[dim]) = (at, at);
    let halves = [[&origin, &end], [&middle, &dims]];
    Ok(halves.map(|[start, limit]| {
        // SAFETY: they share no coordinate of the dimension, and no slot of a stretch.
        let slots = unsafe { alias(place, &slots, start, limit) };
        Memory::of_parts(place.part(start, limit), slots)
    }))
}

/// Parts to read.
impl<P: Place, S: Storage> Memory<P, S> {
    /// Boxes of a size, in elements along each dimension, that make up the array, in row-major order. They are smaller at its edges. Where
    /// one lies in the array, its `as_region().start()` says.
    ///
    /// # Errors
    /// If a size is 0.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let image = Buffer::<layout!(U8[4,6])>::from_fn(|[y, x]| (10 * y + x) as u8);
    /// let corners = image.boxes([2, 4])?.map(|part| (part[[0, 0]], part.dims()));
    /// assert!(corners.eq([(0, [2, 4]), (4, [2, 2]), (20, [2, 4]), (24, [2, 2])]));
    /// # Ok::<(), layout::walks::SliceError>(())
    /// ```
    #[inline]
    pub fn boxes(&self, size: P::At<'_>) -> Result<Boxes<P, PartOf<'_, S>>, SliceError> {
        Boxes::new(&self.place, self.slots.shared().part(), size.as_ref())
    }

    /// The slices along a dimension, each of one coordinate of it.
    ///
    /// # Errors
    /// If there is no such dimension.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let buffer = Buffer::<layout!(S32[2,3]{0,1})>::from_fn(|[i, j]| (3 * i + j) as i32);
    /// let sums = buffer.iter_axis(1)?.map(|column| column.indexed_iter().map(|(_, x)| x).sum::<i32>());
    /// assert!(sums.eq([3, 5, 7]));
    /// # Ok::<(), layout::walks::SliceError>(())
    /// ```
    pub fn iter_axis(&self, dim: usize) -> Result<Boxes<P, PartOf<'_, S>>, SliceError> {
        Boxes::axis(&self.place, self.slots.shared().part(), dim)
    }

    /// The two parts before and from a coordinate of a dimension on.
    ///
    /// # Errors
    /// If there is no such dimension, or the coordinate is past its end.
    pub fn split_at(&self, dim: usize, at: usize) -> Result<Halves<P, PartOf<'_, S>>, SliceError> {
        split(&self.place, self.slots.shared().part(), dim, at)
    }
}

/// Parts to write: of a `ViewMut`, `Buffer`, `SliceMut` or `StridedMut`. Threads can write different ones at the same time.
impl<P: Place, S: AddressedMut> Memory<P, S> {
    /// Boxes to write: see [`boxes`](Self::boxes).
    ///
    /// # Errors
    /// If a size is 0.
    #[inline]
    pub fn boxes_mut(
        &mut self,
        size: P::At<'_>,
    ) -> Result<Boxes<P, SpreadMut<'_, S::Elem>>, SliceError> {
        Boxes::new(&self.place, self.slots.spread(), size.as_ref())
    }

    /// The slices along a dimension, to write: see [`iter_axis`](Self::iter_axis). `par_bridge()` of the crate `rayon` gives them to threads,
    /// as it does with [`boxes_mut`](Self::boxes_mut).
    ///
    /// # Errors
    /// If there is no such dimension.
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout};
    ///
    /// let mut data = [1.0_f32; 6];
    /// let mut view = ViewMut::<layout!(F32[2,3]), f32>::new(&mut data)?;
    /// for (number, mut row) in view.iter_axis_mut(0)?.enumerate() {
    ///     row.fill(number as f32);
    /// }
    /// assert_eq!(data, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter_axis_mut(
        &mut self,
        dim: usize,
    ) -> Result<Boxes<P, SpreadMut<'_, S::Elem>>, SliceError> {
        Boxes::axis(&self.place, self.slots.spread(), dim)
    }

    /// Two parts to write: see [`split_at`](Self::split_at).
    ///
    /// # Errors
    /// If there is no such dimension, or the coordinate is past its end.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let mut buffer = Buffer::<layout!(S32[4,6]{1,0:T(2,2)})>::zeroed();
    /// let [mut left, mut right] = buffer.split_at_mut(1, 3)?;
    /// std::thread::scope(|threads| {
    ///     threads.spawn(|| left.fill(1));
    ///     right.fill(2);
    /// });
    /// assert_eq!((buffer[[3, 2]], buffer[[3, 3]]), (1, 2));
    /// # Ok::<(), layout::walks::SliceError>(())
    /// ```
    pub fn split_at_mut(
        &mut self,
        dim: usize,
        at: usize,
    ) -> Result<Halves<P, SpreadMut<'_, S::Elem>>, SliceError> {
        split(&self.place, self.slots.spread(), dim, at)
    }
}

/// Parts for as long as the memory is borrowed: of a `Slice` or a `SliceMut`.
impl<P: Place, S: Slots> Memory<P, S> {
    /// The boxes: see [`boxes`](Self::boxes).
    ///
    /// # Errors
    /// If a size is 0.
    pub fn into_boxes(self, size: P::At<'_>) -> Result<Boxes<P, S>, SliceError> {
        Boxes::new(&self.place, self.slots, size.as_ref())
    }

    /// The slices along a dimension: see [`iter_axis`](Self::iter_axis).
    ///
    /// # Errors
    /// If there is no such dimension.
    pub fn into_axis(self, dim: usize) -> Result<Boxes<P, S>, SliceError> {
        Boxes::axis(&self.place, self.slots, dim)
    }

    /// Two parts: see [`split_at`](Self::split_at).
    ///
    /// # Errors
    /// If there is no such dimension, or the coordinate is past its end.
    pub fn into_halves(self, dim: usize, at: usize) -> Result<[Memory<P::Part, S>; 2], SliceError> {
        split(&self.place, self.slots, dim, at)
    }
}
