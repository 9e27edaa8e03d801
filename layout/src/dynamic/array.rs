//! Memory of a layout that is known at run time only.

// One struct for views and buffers, and no `unsafe`: rows to write are handed to a function one by one, and
// slices are not split, which would need the pointers of `memory/row.rs`.

use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;
use core::ops::{Deref, DerefMut, Index, IndexMut};

use crate::compiled::outside_of;
use crate::dynamic::error::DynError;
use crate::dynamic::layout::DynLayout;
use crate::memory::buffer::aligned::{ALIGNMENT, Aligned};
use crate::memory::print::debug;
use crate::memory::slots::with_slots;
use crate::memory::stored::DynStored;
use crate::types::index::{Coordinates, DynIndex};
use crate::walk::run::Run;

/// An array of a layout that is known at run time only, in memory `S`: [`DynView`], [`DynViewMut`] or [`DynBuffer`].
///
/// # Examples
/// ```
/// use layout::dynamic::DynLayout;
///
/// let layout = DynLayout::new(&"f32[3,5]{1,0:T(2,2)}".parse()?)?;
/// let mut buffer = layout.zeroed::<f32>()?;
/// buffer[[2, 3]] = 1.0;
/// assert_eq!((buffer.as_slice()[17], buffer.get(&[3, 0])), (1.0, None));
/// for (_, run) in buffer.runs_mut() {
///     run.iter_mut().for_each(|x| *x += 1.0);
/// }
/// assert_eq!((buffer[[2, 3]], buffer[[0, 0]]), (2.0, 1.0));
///
/// let error = layout.view(&[0_u16; 24]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`u16`, of 16 bits, does not store elements of `f32[3,5]{1,0:T(2,2)}`, which are `f32` and take 32 bits in memory\n  \
///      = help: `bytes_view` and `zeroed_bytes` take elements of every type"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct DynArray<S> {
    pub(super) layout: DynLayout,
    /// The slots of `layout`, padding included.
    pub(super) slots: S,
}

/// Elements that are read: [`DynLayout::view`] makes it.
pub type DynView<'a, T> = DynArray<&'a [T]>;

/// Elements that are read and written: [`DynLayout::view_mut`] makes it.
pub type DynViewMut<'a, T> = DynArray<&'a mut [T]>;

/// Elements in memory of its own, which begins at a multiple of 64 bytes: [`DynLayout::zeroed`] makes it.
pub type DynBuffer<T> = DynArray<Aligned<T>>;

/// Memory of the layout. All functions give an error if `T` does not store the elements of the layout. Buffers panic if so much
/// memory cannot be allocated, as vectors do.
impl DynLayout {
    /// A view of the first [`padded_elements`](Self::padded_elements) of the slice.
    ///
    /// # Errors
    /// If the slice has fewer, or `T` does not store the elements.
    pub fn view<'a, T: DynStored>(&self, data: &'a [T]) -> Result<DynView<'a, T>, DynError> {
        self.check_stored::<T>()?;
        let slots = data.get(..self.padded_elements());
        let slots = slots.ok_or_else(|| self.wrong_slots(data.len()))?;
        Ok(DynArray { layout: self.clone(), slots })
    }

    /// A view of the first [`padded_elements`](Self::padded_elements) of the slice, to write.
    ///
    /// # Errors
    /// If the slice has fewer, or `T` does not store the elements.
    pub fn view_mut<'a, T: DynStored>(
        &self,
        data: &'a mut [T],
    ) -> Result<DynViewMut<'a, T>, DynError> {
        self.check_stored::<T>()?;
        let given = data.len();
        let slots = data.get_mut(..self.padded_elements());
        let slots = slots.ok_or_else(|| self.wrong_slots(given))?;
        Ok(DynArray { layout: self.clone(), slots })
    }

    /// A buffer in which every slot holds the default value (0 for numbers).
    ///
    /// # Errors
    /// If `T` does not store the elements.
    pub fn zeroed<T: DynStored + Default>(&self) -> Result<DynBuffer<T>, DynError> {
        self.filled(T::default())
    }

    /// A buffer in which every slot, padding included, holds a value.
    ///
    /// # Errors
    /// If `T` does not store the elements.
    pub fn filled<T: DynStored>(&self, value: T) -> Result<DynBuffer<T>, DynError> {
        self.check_stored::<T>()?;
        let slots = Aligned::filled(value, self.padded_elements(), ALIGNMENT);
        Ok(DynArray { layout: self.clone(), slots })
    }

    /// A buffer with the elements that a function returns for their indices, called in row-major order. Padding holds the
    /// default value.
    ///
    /// # Errors
    /// If `T` does not store the elements.
    pub fn from_fn<T: DynStored + Default>(
        &self,
        mut element: impl FnMut(&[usize]) -> T,
    ) -> Result<DynBuffer<T>, DynError> {
        let mut buffer = self.zeroed()?;
        for (index, offset) in self.indices_row_major() {
            buffer.slots[offset] = element(&index);
        }
        Ok(buffer)
    }

    /// A buffer of the slots in a vector, padding included, which are not copied.
    ///
    /// # Errors
    /// If the vector has another number of slots, or `T` does not store the elements.
    pub fn from_vec<T: DynStored>(&self, slots: Vec<T>) -> Result<DynBuffer<T>, DynError> {
        self.check_stored::<T>()?;
        if slots.len() != self.padded_elements() {
            return Err(self.wrong_slots(slots.len()));
        }
        Ok(DynArray { layout: self.clone(), slots: Aligned::of_vec(slots) })
    }
}

impl<S> DynArray<S> {
    /// The layout.
    #[must_use]
    pub fn layout(&self) -> &DynLayout {
        &self.layout
    }

    /// Sizes of the dimensions in elements, dimension 0 first.
    #[must_use]
    pub fn dims(&self) -> &[usize] {
        self.layout.dims()
    }

    /// The memory, padding included: of a view for as long as it is borrowed.
    #[must_use]
    pub fn into_memory(self) -> S {
        self.slots
    }

    /// Gives the memory another shape of the same elements in row-major order, if none has to move.
    ///
    /// # Errors
    /// If an element would move: the text names both layouts and the first such element. The array then stays as it is.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    ///
    /// let matrix = DynLayout::new(&"s32[8,256]{1,0:T(8,128)}".parse()?)?;
    /// let mut buffer = matrix.from_fn(|index| (256 * index[0] + index[1]) as i32)?;
    /// buffer.reshape(&DynLayout::new(&"s32[1,8,256]{2,1,0:T(8,128)}".parse()?)?)?;
    /// assert_eq!(buffer[[0, 3, 200]], 968);
    ///
    /// let flat = DynLayout::new(&"s32[2048]".parse()?)?;
    /// assert_eq!(
    ///     buffer.reshape(&flat).unwrap_err().to_string(),
    ///     "memory of `s32[1,8,256]{2,1,0:T(8,128)}` is not memory of `s32[2048]{0}`: \
    ///      [0,0,128] is at offset 1024, but [128] of the result at offset 128"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reshape(&mut self, to: &DynLayout) -> Result<(), DynError> {
        self.layout = self.layout.reshaped(to)?;
        Ok(())
    }

    /// Gives the memory the layout of the transposed array, if no element has to move. Dimension `i` of the result is
    /// dimension `permutation[i]` of the array.
    ///
    /// # Errors
    /// If an element would move, or the list is not a permutation of the dimensions. The array then stays as it is.
    pub fn transpose(&mut self, permutation: &[usize], to: &DynLayout) -> Result<(), DynError> {
        self.layout = self.layout.transposed(permutation, to)?;
        Ok(())
    }
}

impl<T: 'static, S: Deref<Target = [T]>> DynArray<S> {
    /// The memory, padding included.
    #[inline(always)]
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.slots
    }

    /// The array to read.
    #[must_use]
    pub fn as_view(&self) -> DynView<'_, T> {
        DynArray { layout: self.layout.clone(), slots: &self.slots }
    }

    /// The element at an index; `None` if it is out of bounds, or has another number of coordinates.
    #[inline]
    #[must_use]
    pub fn get(&self, index: &[usize]) -> Option<&T> {
        self.layout.offset(index).map(|offset| &self.slots[offset])
    }

    /// The elements with their indices in row-major order: for any layout, the last dimension varies fastest.
    /// [`runs`](Self::runs) is faster, in the order of memory.
    pub fn iter(&self) -> impl Iterator<Item = (DynIndex, &T)> {
        self.layout.indices_row_major().map(|(index, offset)| (index, &self.slots[offset]))
    }

    /// The runs of the layout with their elements, in the order of memory: see [`View::runs`](crate::View::runs).
    #[inline(always)]
    pub fn runs(&self) -> impl FusedIterator<Item = (Run<DynIndex>, &[T])> {
        let slots = self.as_slice();
        self.layout.runs().map(move |run| {
            let elements = &slots[run.range()];
            (run, elements)
        })
    }
}

impl<T: 'static, S: DerefMut<Target = [T]>> DynArray<S> {
    /// The memory, padding included, to write.
    #[inline(always)]
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.slots
    }

    /// The array to read and write.
    #[must_use]
    pub fn as_view_mut(&mut self) -> DynViewMut<'_, T> {
        DynArray { layout: self.layout.clone(), slots: &mut self.slots }
    }

    /// The element at an index, to write; `None` if it is out of bounds, or has another number of coordinates.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, index: &[usize]) -> Option<&mut T> {
        self.layout.offset(index).map(|offset| &mut self.slots[offset])
    }

    /// The runs of the layout with their elements to write, in the order of memory.
    #[inline(always)]
    pub fn runs_mut(&mut self) -> impl FusedIterator<Item = (Run<DynIndex>, &mut [T])> {
        with_slots(self.layout.runs(), &mut *self.slots, 0)
    }

    /// Writes a value to each element. Padding stays as it is.
    pub fn fill(&mut self, value: T)
    where
        T: Copy,
    {
        self.runs_mut().for_each(|(_, run)| run.fill(value));
    }
}

impl<T> DynBuffer<T> {
    /// The slots, padding included: see [`Buffer::into_vec`](crate::Buffer::into_vec).
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.slots.into_vec()
    }
}

impl<T: 'static, S: Deref<Target = [T]>, I: Coordinates> Index<I> for DynArray<S> {
    type Output = T;

    /// # Panics
    /// If the index is out of bounds, or has another number of coordinates.
    #[inline]
    #[track_caller]
    fn index(&self, index: I) -> &T {
        match self.get(index.as_ref()) {
            Some(element) => element,
            None => outside(&self.layout, index.as_ref()),
        }
    }
}

impl<T: 'static, S: DerefMut<Target = [T]>, I: Coordinates> IndexMut<I> for DynArray<S> {
    /// # Panics
    /// If the index is out of bounds, or has another number of coordinates.
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut T {
        match self.layout.offset(index.as_ref()) {
            Some(offset) => &mut self.slots[offset],
            None => outside(&self.layout, index.as_ref()),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn outside(layout: &DynLayout, index: &[usize]) -> ! {
    outside_of(layout, layout.dims(), index)
}

/// Arrays are equal if their sizes and elements are; their layouts and their padding are not compared.
impl<S, R, T: 'static, U: 'static> PartialEq<DynArray<R>> for DynArray<S>
where
    S: Deref<Target = [T]>,
    R: Deref<Target = [U]>,
    T: PartialEq<U>,
{
    fn eq(&self, other: &DynArray<R>) -> bool {
        self.dims() == other.dims() && self.iter().map(|(_, x)| x).eq(other.iter().map(|(_, x)| x))
    }
}

impl<T: fmt::Debug + 'static, S: Deref<Target = [T]>> fmt::Debug for DynArray<S> {
    /// The layout and the first elements in row-major order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, "DynArray", format_args!("{}", self.layout), self.iter())
    }
}
