//! What is read of an array in any memory.
#![allow(unsafe_code, reason = "a place and its slots go together")]

use core::borrow::Borrow;
use core::fmt;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::{
    Item, Memory, PartOf, Shared, place::Part, place::Place, place::strided::Strides,
    storage::SharedSlots, storage::Slots, storage::Storage, walked::Walked,
};
use crate::order::region::{Ranges, SliceError};

/// Reading.
impl<P: Place, S: Storage> Memory<P, S> {
    /// Sizes of the dimensions in elements, dimension 0 first.
    #[doc(alias = "shape")]
    #[inline(always)]
    #[must_use]
    pub fn dims(&self) -> P::Index {
        self.place.dims()
    }

    /// The array to read: of a view for as long as its memory is borrowed, else for as long as this is.
    #[inline(always)]
    #[must_use]
    pub fn as_view(&self) -> Memory<P, Shared<'_, S>> {
        Memory::of_parts(self.place.clone(), self.slots.shared())
    }

    /// The element at an index; `None` outside the bounds of the array. Packed elements come by value, others by reference.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, index: P::At<'_>) -> Option<Item<'_, S>> {
        let slot = self.place.find(index)?;
        // SAFETY: it is an element of the place.
        Some(unsafe { self.slots.shared().item(slot) })
    }

    /// The elements with their indices in row-major order: for any layout, the last dimension varies fastest.
    /// [`runs`](Self::runs) is faster, in the order of memory.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[2,3]{0,1});
    /// let view = View::<A, f32>::new(&[0.0, 3.0, 1.0, 4.0, 2.0, 5.0])?;
    /// assert_eq!(view.indexed_iter().nth(4), Some(([1, 1], &4.0)));
    /// assert!(view.indexed_iter().map(|(_, x)| *x).eq([0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[doc(alias = "into_iter")]
    #[inline(always)]
    pub fn indexed_iter(&self) -> Walked<P::Offsets, Shared<'_, S>> {
        // SAFETY: offsets are of elements of the place.
        unsafe { Walked::new(self.place.row_major(), self.slots.shared()) }
    }

    /// The runs with their elements, in the order of memory: elements that are consecutive in memory and along one dimension. Padding is
    /// left out. This is the fastest way to visit every element of any layout.
    ///
    /// In a slice, indices count from its first element on, and offsets from the first slot of the memory. Runs of strides come in
    /// row-major order.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
    /// let view = View::<A, f32>::new(&data)?;
    /// let (run, elements) = view.runs().nth(1).unwrap();
    /// assert_eq!((run.index, elements), ([1, 0], &[2.0, 3.0][..]));
    /// assert_eq!(view.runs().map(|(_, elements)| elements.len()).sum::<usize>(), 15);
    ///
    /// let slice = view.slice((1.., 1..4))?;
    /// let runs = slice.runs().map(|(run, elements)| (run.index, elements)).collect::<Vec<_>>();
    /// assert_eq!(runs[..2], [([0, 0], &[3.0][..]), ([0, 1], &[6.0, 7.0])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn runs(&self) -> Walked<P::Runs<'_>, Shared<'_, S>> {
        // SAFETY: runs are of elements of the place.
        unsafe { Walked::new(self.place.runs(), self.slots.shared()) }
    }

    /// The part of the array in ranges of coordinates, one for each dimension, dimension 0 first. Its elements stay where they are; indices
    /// count from its first element on.
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    ///
    /// # Examples
    /// ```
    /// use layout::{PackedView, View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
    /// let slice = View::<A, f32>::new(&data)?.slice((1.., 2..5))?;
    /// assert_eq!((slice.dims(), slice[[1, 2]]), ([2, 3], 20.0));
    ///
    /// let packed = PackedView::<layout!(U4[2,4]{1,0:E(4)})>::new(&[0x21, 0x43, 0x65, 0x87])?;
    /// let slice = packed.slice((1.., 1..3))?;
    /// assert_eq!((slice.dims(), slice.get([0, 1]), slice.get([0, 2])), ([1, 2], Some(7), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn slice(
        &self,
        ranges: impl Ranges<P::Index>,
    ) -> Result<Memory<P::Part, PartOf<'_, S>>, SliceError> {
        Ok(Memory::of_parts(part(&self.place, ranges)?, self.slots.shared().part()))
    }
}

/// The part of a place in ranges.
#[inline(always)]
pub(super) fn part<P: Place>(
    place: &P,
    ranges: impl Ranges<P::Index>,
) -> Result<P::Part, SliceError> {
    let [start, limit] = ranges.within(&place.dims())?;
    Ok(place.part(&start, &limit))
}

/// Where the elements lie.
impl<L: AnyLayout, S> Memory<WithDims<L>, S> {
    /// The layout, with the sizes of its dimensions.
    #[inline(always)]
    #[must_use]
    pub const fn layout(&self) -> WithDims<L> {
        self.place
    }
}

/// By place, so that an index of another type or length is told what it should be.
macro_rules! indexed {
    ($([$($parameter:tt)*] $place:ty, $index:ty, |$given:ident| $at:expr;)*) => {$(
        impl<$($parameter)*, S: $crate::memory::Addressed> core::ops::Index<$index>
            for $crate::Memory<$place, S>
        {
            type Output = S::Elem;

            /// # Panics
            /// If the index is out of bounds.
            #[inline(always)]
            #[track_caller]
            fn index(&self, $given: $index) -> &S::Elem {
                let at = $at;
                match $crate::memory::Place::find(&self.place, at) {
                    // SAFETY: it is an element of the place.
                    Some(slot) => unsafe { self.slots.at(slot) },
                    None => $crate::memory::Place::outside(&self.place, at),
                }
            }
        }

        impl<$($parameter)*, S: $crate::memory::AddressedMut> core::ops::IndexMut<$index>
            for $crate::Memory<$place, S>
        {
            /// # Panics
            /// If the index is out of bounds.
            #[inline(always)]
            #[track_caller]
            fn index_mut(&mut self, $given: $index) -> &mut S::Elem {
                let at = $at;
                match $crate::memory::Place::find(&self.place, at) {
                    // SAFETY: it is an element of the place.
                    Some(slot) => unsafe { self.slots.at_mut(slot) },
                    None => $crate::memory::Place::outside(&self.place, at),
                }
            }
        }
    )*};
}

#[cfg(all(feature = "alloc", feature = "relayout"))]
pub(crate) use indexed;

indexed! {
    [L: AnyLayout] WithDims<L>, L::Index, |index| index;
    [L: AnyLayout] Part<L>, L::Index, |index| index;
    [const R: usize] Strides<R>, [usize; R], |index| index;
}

/// Arrays are equal if their sizes and elements are; their layouts and their padding are not compared.
impl<P: Place, Q: Place<Index = P::Index>, S: Storage<Elem: PartialEq<R::Elem>>, R: Storage>
    PartialEq<Memory<Q, R>> for Memory<P, S>
{
    fn eq(&self, other: &Memory<Q, R>) -> bool {
        let elements = self.indexed_iter().zip(other.indexed_iter());
        self.dims() == other.dims()
            && elements.into_iter().all(|((_, a), (_, b))| a.borrow() == b.borrow())
    }
}

impl<P: Place, S: Storage<Elem: Eq>> Eq for Memory<P, S> {}

/// How many elements `Debug` prints of an array; of a longer one, `..` follows.
const PRINTED: usize = 16;

/// The place and the first elements in row-major order.
impl<P: Place + fmt::Debug, S: Storage<Elem: fmt::Debug>> fmt::Debug for Memory<P, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memory({:?} ", self.place)?;
        let (mut elements, mut list) = (self.indexed_iter(), f.debug_list());
        for (_, element) in elements.by_ref().take(PRINTED) {
            list.entry(element.borrow());
        }
        match elements.next() {
            Some(_) => list.finish_non_exhaustive()?,
            None => list.finish()?,
        }
        f.write_str(")")
    }
}
