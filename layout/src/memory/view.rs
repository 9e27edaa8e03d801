//! Memory with a layout: borrowed views.

use core::fmt;
use core::ops::{Index, IndexMut};

use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout, outside, stop};
use crate::memory::stored::StoredAs;
use crate::walk::run::{Run, Runs};

/// A slice that is too short for a layout. Its numbers are elements, for packed elements bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooShort {
    /// What the layout needs, padding counted.
    pub needed: usize,
    /// What was given.
    pub given: usize,
}

impl fmt::Display for TooShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooShort { needed, given } = self;
        write!(f, "the layout needs a slice of {needed}, padding counted, and got one of {given}")
    }
}

impl core::error::Error for TooShort {}

/// Memory that is read with the layout `L`, its elements stored as `T`.
///
/// # Examples
/// ```
/// use layout::{View, layout};
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
/// let view = View::<A, f32>::new(&data)?;
/// assert_eq!(view[[2, 3]], 17.0);
/// assert_eq!(view.get([3, 0]), None);
/// let sum: f32 = view.runs().flat_map(|(_, run)| run).sum();
/// assert_eq!(sum, 124.0);
/// # Ok::<(), layout::TooShort>(())
/// ```
pub struct View<'a, L: AnyLayout, T> {
    /// As many as the layout has slots.
    slots: &'a [T],
    sizes: L::Sizes,
}

/// Memory that is read and written with the layout `L`, its elements stored as `T`.
///
/// # Examples
/// ```
/// use layout::{ViewMut, layout};
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// let mut data = [0.0; A::PADDED_ELEMENTS];
/// let mut view = ViewMut::<A, f32>::new(&mut data)?;
/// view[[2, 3]] = 1.0;
/// for (_, run) in view.runs_mut() {
///     run.iter_mut().for_each(|x| *x += 1.0);
/// }
/// assert_eq!((data[17], data[9]), (2.0, 0.0));
/// # Ok::<(), layout::TooShort>(())
/// ```
pub struct ViewMut<'a, L: AnyLayout, T> {
    /// As many as the layout has slots.
    slots: &'a mut [T],
    sizes: L::Sizes,
}

/// Stops the build if elements of the layout are not as large as the type.
const fn check<L: AnyLayout, T>() {
    const {
        let () = L::VALID;
        if 8 * size_of::<T>() != L::VALUE.element_bits() {
            stop(
                "the layout's elements have another size in memory than this type: see `ELEMENT_BITS`",
            );
        }
    }
}

impl<'a, L: AnyLayout, T> View<'a, L, T> {
    /// A view of the first `PADDED_ELEMENTS` of the slice. Does not compile for a layout with
    /// dimensions that are known at run time only: [`WithDims::view`] makes views of it.
    ///
    /// # Errors
    /// If the slice has fewer.
    pub const fn new(data: &'a [T]) -> Result<Self, TooShort>
    where
        T: StoredAs<L::Element>,
    {
        check::<L, T>();
        let sizes = const { compiled::known::<L>() };
        match data.split_at_checked(L::SLOTS) {
            Some((slots, _)) => Ok(View { slots, sizes }),
            None => Err(TooShort { needed: L::SLOTS, given: data.len() }),
        }
    }

    /// A view of a layout with these sizes.
    pub(crate) fn of(sizes: L::Sizes, data: &'a [T]) -> Result<Self, TooShort>
    where
        T: StoredAs<L::Element>,
    {
        check::<L, T>();
        let needed = compiled::slots::<L>(&sizes);
        match data.split_at_checked(needed) {
            Some((slots, _)) => Ok(View { slots, sizes }),
            None => Err(TooShort { needed, given: data.len() }),
        }
    }
}

impl<'a, L: AnyLayout, T> View<'a, L, T> {
    /// The element at an index; `None` outside the bounds of the array.
    #[inline(always)]
    pub fn get(&self, index: L::Index) -> Option<&'a T> {
        L::find(&self.sizes, &index).map(|offset| &self.slots[offset])
    }

    #[inline(always)]
    pub(crate) const fn sizes(&self) -> L::Sizes {
        self.sizes
    }

    /// The layout, with the sizes of its dimensions.
    pub const fn layout(&self) -> WithDims<L> {
        WithDims::of(self.sizes)
    }

    /// Sizes of the dimensions in elements, dimension 0 first.
    #[inline(always)]
    pub fn dims(&self) -> L::Index {
        L::dims(&self.sizes)
    }

    /// The memory, padding included.
    pub const fn as_slice(&self) -> &'a [T] {
        self.slots
    }

    /// The runs of the layout with their elements, in the order of memory.
    #[inline(always)]
    pub fn runs(&self) -> impl Iterator<Item = (Run<L::Index>, &'a [T])> + use<'a, L, T> {
        let slots = self.slots;
        Runs::<L>::new(self.sizes).map(move |run| (run, &slots[run.range()]))
    }
}

impl<L: AnyLayout, T> Clone for View<'_, L, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: AnyLayout, T> Copy for View<'_, L, T> {}

impl<L: AnyLayout, T> Index<L::Index> for View<'_, L, T> {
    type Output = T;

    /// # Panics
    /// If a coordinate is not below its dimension.
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: L::Index) -> &T {
        element::<L, T>(&self.sizes, self.slots, &index)
    }
}

impl<'a, L: AnyLayout, T> ViewMut<'a, L, T> {
    /// A view of the first `PADDED_ELEMENTS` of the slice. Does not compile for a layout with
    /// dimensions that are known at run time only: [`WithDims::view_mut`] makes views of it.
    ///
    /// # Errors
    /// If the slice has fewer.
    pub const fn new(data: &'a mut [T]) -> Result<Self, TooShort>
    where
        T: StoredAs<L::Element>,
    {
        check::<L, T>();
        let (sizes, given) = (const { compiled::known::<L>() }, data.len());
        match data.split_at_mut_checked(L::SLOTS) {
            Some((slots, _)) => Ok(ViewMut { slots, sizes }),
            None => Err(TooShort { needed: L::SLOTS, given }),
        }
    }

    /// A view of a layout with these sizes.
    pub(crate) fn of(sizes: L::Sizes, data: &'a mut [T]) -> Result<Self, TooShort>
    where
        T: StoredAs<L::Element>,
    {
        check::<L, T>();
        let (needed, given) = (compiled::slots::<L>(&sizes), data.len());
        match data.split_at_mut_checked(needed) {
            Some((slots, _)) => Ok(ViewMut { slots, sizes }),
            None => Err(TooShort { needed, given }),
        }
    }
}

impl<'a, L: AnyLayout, T> ViewMut<'a, L, T> {
    /// The memory for as long as it is borrowed.
    pub(crate) fn into_slots(self) -> &'a mut [T] {
        self.slots
    }
}

impl<L: AnyLayout, T> ViewMut<'_, L, T> {
    /// The same to read only.
    pub const fn as_view(&self) -> View<'_, L, T> {
        View { slots: self.slots, sizes: self.sizes }
    }

    #[inline(always)]
    pub(crate) const fn sizes(&self) -> L::Sizes {
        self.sizes
    }

    /// The layout, with the sizes of its dimensions.
    pub const fn layout(&self) -> WithDims<L> {
        WithDims::of(self.sizes)
    }

    /// Sizes of the dimensions in elements, dimension 0 first.
    #[inline(always)]
    pub fn dims(&self) -> L::Index {
        L::dims(&self.sizes)
    }

    /// The element at an index; `None` outside the bounds of the array.
    #[inline(always)]
    pub fn get(&self, index: L::Index) -> Option<&T> {
        self.as_view().get(index)
    }

    /// The element at an index, to write; `None` outside the bounds of the array.
    #[inline(always)]
    pub fn get_mut(&mut self, index: L::Index) -> Option<&mut T> {
        L::find(&self.sizes, &index).map(|offset| &mut self.slots[offset])
    }

    /// The memory, padding included.
    pub const fn as_slice(&self) -> &[T] {
        self.slots
    }

    /// The memory, padding included, to write.
    pub const fn as_mut_slice(&mut self) -> &mut [T] {
        self.slots
    }

    /// The runs of the layout with their elements, in the order of memory.
    #[inline(always)]
    pub fn runs(&self) -> impl Iterator<Item = (Run<L::Index>, &[T])> {
        self.as_view().runs()
    }

    /// The runs of the layout with their elements to write, in the order of memory. They are
    /// disjoint.
    #[inline(always)]
    pub fn runs_mut(&mut self) -> impl Iterator<Item = (Run<L::Index>, &mut [T])> {
        let mut rest = &mut *self.slots;
        let mut start = 0;
        Runs::<L>::new(self.sizes).map(move |run| {
            let (_, from_here) = core::mem::take(&mut rest).split_at_mut(run.offset - start);
            let (elements, behind) = from_here.split_at_mut(run.length);
            rest = behind;
            start = run.offset + run.length;
            (run, elements)
        })
    }
}

impl<L: AnyLayout, T> Index<L::Index> for ViewMut<'_, L, T> {
    type Output = T;

    /// # Panics
    /// If a coordinate is not below its dimension.
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: L::Index) -> &T {
        element::<L, T>(&self.sizes, self.slots, &index)
    }
}

impl<L: AnyLayout, T> IndexMut<L::Index> for ViewMut<'_, L, T> {
    /// # Panics
    /// If a coordinate is not below its dimension.
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: L::Index) -> &mut T {
        element_mut::<L, T>(&self.sizes, self.slots, &index)
    }
}

/// The element at an index that has to be in range.
#[inline(always)]
#[track_caller]
pub(crate) fn element<'a, L: AnyLayout, T>(
    sizes: &L::Sizes,
    slots: &'a [T],
    index: &L::Index,
) -> &'a T {
    match L::find(sizes, index) {
        Some(offset) => &slots[offset],
        None => outside::<L>(sizes, index),
    }
}

/// The same, to write.
#[inline(always)]
#[track_caller]
pub(crate) fn element_mut<'a, L: AnyLayout, T>(
    sizes: &L::Sizes,
    slots: &'a mut [T],
    index: &L::Index,
) -> &'a mut T {
    match L::find(sizes, index) {
        Some(offset) => &mut slots[offset],
        None => outside::<L>(sizes, index),
    }
}

impl<L: AnyLayout, T: fmt::Debug> fmt::Debug for View<'_, L, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View({} ", L::VALUE)?;
        f.debug_list().entries(self.slots).finish()?;
        f.write_str(")")
    }
}

impl<L: AnyLayout, T: fmt::Debug> fmt::Debug for ViewMut<'_, L, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_view().fmt(f)
    }
}

impl<L: AnyLayout> WithDims<L> {
    /// A view of the first [`padded_elements`](Self::padded_elements) of the slice.
    ///
    /// # Errors
    /// If the slice has fewer.
    pub fn view<'a, T>(&self, data: &'a [T]) -> Result<View<'a, L, T>, TooShort>
    where
        T: StoredAs<L::Element>,
    {
        View::of(self.sizes(), data)
    }

    /// A view of the first [`padded_elements`](Self::padded_elements) of the slice, to write.
    ///
    /// # Errors
    /// If the slice has fewer.
    pub fn view_mut<'a, T>(&self, data: &'a mut [T]) -> Result<ViewMut<'a, L, T>, TooShort>
    where
        T: StoredAs<L::Element>,
    {
        ViewMut::of(self.sizes(), data)
    }
}
