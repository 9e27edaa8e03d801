//! Views row by row, whether the elements of a row are consecutive or not.
#![allow(unsafe_code, reason = "the memory of rows can be interleaved, which slices cannot say")]

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};
use core::ptr::NonNull;

use layout_core::__private::native;

use crate::compiled::AnyLayout;
use crate::walk::run::{Run, RunWalk};

/// Where a row lies: `run.length` slots, `STRIDE` from one to the next, all in the memory that `rows` was given.
pub(super) struct RowSlots<L: AnyLayout, T> {
    first: NonNull<T>,
    run: Run<L::Index>,
}

impl<L: AnyLayout, T> RowSlots<L, T> {
    const STRIDE: usize = native(L::ROWS.stride());

    /// The rows of a walk that comes to them in the order of memory, or cuts them after that. They share no slot.
    #[inline(always)]
    pub(super) fn rows(
        slots: NonNull<[T]>,
        walk: impl FusedIterator<Item = Run<L::Index>>,
    ) -> impl FusedIterator<Item = Self> {
        let () = L::HAS_EVEN_ROWS;
        // A row is one lane of consecutive memory, from `start` on. Rows whose memory is interleaved come after one
        // another; all before those end at `floor`, and they at `end`.
        let (mut floor, mut end, mut lane) = (0, 0, 0);
        walk.map(move |run| {
            let at = run.offset % Self::STRIDE;
            let start = run.offset - at;
            // A row shares no slot with those that end where it starts or before, nor with other lanes.
            if start >= end {
                floor = end;
            } else {
                assert!(floor <= start && lane < at, "rows come in the order of memory");
            }
            let left = slots.len().saturating_sub(start);
            assert!(
                0 < run.length && run.length <= left / Self::STRIDE,
                "a view has a slot for each element"
            );
            (lane, end) = (at, end.max(start + run.length * Self::STRIDE));
            // SAFETY: from `start` on there are slots for `run.length` elements, at least one, and the row begins
            // less than `STRIDE` after that.
            RowSlots { first: unsafe { slots.cast::<T>().add(run.offset) }, run }
        })
    }

    /// The slot of an element of the row.
    ///
    /// # Safety
    /// `at` has to be below `run.length`, and the memory borrowed.
    #[inline(always)]
    unsafe fn slot(&self, at: usize) -> NonNull<T> {
        // SAFETY: the slots up to `run.length` are in the memory, as `rows` has asked.
        unsafe { self.first.add(at * Self::STRIDE) }
    }
}

copy! { RowSlots<L: AnyLayout, T> }

/// Elements that are evenly spaced in memory along the most minor dimension, to read: see [`View::rows`](crate::View::rows).
pub struct Row<'a, L: AnyLayout, T> {
    place: RowSlots<L, T>,
    memory: PhantomData<&'a [T]>,
}

/// Elements that are evenly spaced in memory along the most minor dimension, to read and write: see
/// [`ViewMut::rows_mut`](crate::ViewMut::rows_mut).
///
/// Rows share no element, so that threads can use them at the same time although their memory can be interleaved.
pub struct RowMut<'a, L: AnyLayout, T> {
    // Its slots belong to it alone.
    place: RowSlots<L, T>,
    memory: PhantomData<&'a mut [T]>,
}

// SAFETY: it is a `&` to each of its elements, beside an index and sizes, which are numbers.
unsafe impl<L: AnyLayout, T: Sync> Send for Row<'_, L, T> {}
// SAFETY: as above.
unsafe impl<L: AnyLayout, T: Sync> Sync for Row<'_, L, T> {}
// SAFETY: it is a `&mut` to each of its elements, beside an index and sizes, which are numbers.
unsafe impl<L: AnyLayout, T: Send> Send for RowMut<'_, L, T> {}
// SAFETY: a shared reference to it gives shared references to its elements, and copies of numbers.
unsafe impl<L: AnyLayout, T: Sync> Sync for RowMut<'_, L, T> {}

/// The methods that read a row: `$a` is the lifetime of the references that they return.
macro_rules! reads {
    ($row:ident<$a:lifetime> $($declared:lifetime)?) => {
        // A row has an element at least.
        #[allow(clippy::len_without_is_empty, reason = "it would always be false")]
        impl<$($declared,)? L: AnyLayout, T> $row<$a, L, T> {
            /// Slots of memory from one element of a row to the next:
            /// [`ROW_STRIDE`](crate::Array::ROW_STRIDE).
            pub const STRIDE: usize = RowSlots::<L, T>::STRIDE;

            /// Index of the first element, dimension 0 first. In a slice it counts from the slice's first
            /// element on.
            #[inline(always)]
            #[must_use]
            pub fn index(&self) -> L::Index {
                self.place.run.index
            }

            /// Offset of the first element, in elements.
            #[inline(always)]
            #[must_use]
            pub fn offset(&self) -> usize {
                self.place.run.offset
            }

            /// Number of elements, at least 1.
            #[inline(always)]
            #[must_use]
            pub fn len(&self) -> usize {
                self.place.run.length
            }

            /// The elements in the order of the row.
            #[inline(always)]
            pub fn iter(
                &self,
            ) -> impl ExactSizeIterator<Item = &$a T> + DoubleEndedIterator + FusedIterator + use<$a, L, T>
            {
                let place = self.place;
                // SAFETY: these are the elements of the row, and their memory is borrowed as long.
                (0..self.len()).map(move |at| unsafe { place.slot(at).as_ref() })
            }

            /// An element of the row; `None` past its end.
            #[inline(always)]
            #[must_use]
            pub fn get(&self, at: usize) -> Option<&$a T> {
                // SAFETY: it is an element of the row, and its memory is borrowed as long.
                (at < self.len()).then(|| unsafe { self.place.slot(at).as_ref() })
            }
        }

        impl<L: AnyLayout, T> Index<usize> for $row<'_, L, T> {
            type Output = T;

            /// # Panics
            /// Past the end of the row.
            #[inline(always)]
            #[track_caller]
            fn index(&self, at: usize) -> &T {
                match self.get(at) {
                    Some(element) => element,
                    None => past_the_end(at, self.len()),
                }
            }
        }

        impl<L: AnyLayout, T> fmt::Debug for $row<'_, L, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($row)).field("run", &self.place.run).finish_non_exhaustive()
            }
        }
    };
}

reads! { Row<'a> 'a }
reads! { RowMut<'_> }

impl<'a, L: AnyLayout, T> Row<'a, L, T> {
    /// # Safety
    /// The memory has to be borrowed for `'a`, and nobody may write the row's elements during that time.
    #[inline(always)]
    pub(super) unsafe fn of(place: RowSlots<L, T>) -> Self {
        Row { place, memory: PhantomData }
    }
}

copy! { Row<'a, L: AnyLayout, T> }

impl<'a, L: AnyLayout, T> RowMut<'a, L, T> {
    /// # Safety
    /// The memory has to be borrowed for `'a`, and nobody else may use the row's elements during that time.
    #[inline(always)]
    pub(super) unsafe fn of(place: RowSlots<L, T>) -> Self {
        RowMut { place, memory: PhantomData }
    }

    /// The row to read only.
    #[inline(always)]
    #[must_use]
    pub fn as_row(&self) -> Row<'_, L, T> {
        Row { place: self.place, memory: PhantomData }
    }

    /// The elements in the order of the row, to write, for as long as the array is borrowed.
    #[inline(always)]
    pub fn into_elements(
        self,
    ) -> impl ExactSizeIterator<Item = &'a mut T> + DoubleEndedIterator + FusedIterator + use<'a, L, T>
    {
        // SAFETY: these are the elements of the row, which the iterator has taken, and their memory is borrowed
        // for `'a`. Different elements have different slots, since `STRIDE` is not 0.
        (0..self.len()).map(move |at| unsafe { self.place.slot(at).as_mut() })
    }

    /// The elements in the order of the row, to write.
    #[inline(always)]
    pub fn iter_mut(
        &mut self,
    ) -> impl ExactSizeIterator<Item = &mut T> + DoubleEndedIterator + FusedIterator {
        RowMut::<L, T> { place: self.place, memory: PhantomData }.into_elements()
    }

    /// An element of the row, to write; `None` past its end.
    #[inline(always)]
    #[must_use]
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        // SAFETY: it is an element of the row, which is borrowed for as long.
        (at < self.len()).then(|| unsafe { self.place.slot(at).as_mut() })
    }
}

impl<L: AnyLayout, T> IndexMut<usize> for RowMut<'_, L, T> {
    /// # Panics
    /// Past the end of the row.
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, at: usize) -> &mut T {
        let length = self.len();
        match self.get_mut(at) {
            Some(element) => element,
            None => past_the_end(at, length),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn past_the_end(at: usize, length: usize) -> ! {
    panic!("element {at} is past the end of a row of {length}")
}

/// The rows of a view.
#[inline(always)]
pub(super) fn rows<L: AnyLayout, T>(
    sizes: L::Sizes,
    slots: &[T],
) -> impl FusedIterator<Item = Row<'_, L, T>> {
    let rows = RowSlots::rows(NonNull::from(slots), RunWalk::<L, true>::new(sizes));
    // SAFETY: the memory is borrowed as long as the rows are.
    rows.map(|place| unsafe { Row::of(place) })
}

/// The rows of a view to write.
#[inline(always)]
pub(super) fn rows_mut<L: AnyLayout, T>(
    sizes: L::Sizes,
    slots: &mut [T],
) -> impl FusedIterator<Item = RowMut<'_, L, T>> {
    let rows = RowSlots::rows(NonNull::from(slots), RunWalk::<L, true>::new(sizes));
    // SAFETY: the memory is borrowed as long as the rows are, and rows share no slot.
    rows.map(|place| unsafe { RowMut::of(place) })
}
