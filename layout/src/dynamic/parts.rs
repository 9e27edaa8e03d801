//! Copies from and to parts of arrays.

use alloc::boxed::Box;
use core::ops::{Deref, DerefMut};

use layout_copy::__private::{self as copying, Memory, PaddingPlan};
use layout_copy::Settings;
use layout_core::__private::native;
use layout_core::{Index, Size};

use crate::dynamic::array::DynArray;
use crate::dynamic::error::DynError;
use crate::dynamic::layout::row_major;
use crate::dynamic::slice::{DynSlice, whole};
use crate::memory::stored::DynStored;
use crate::relayout::{CopyError, Padding, Plan};
use crate::types::sealed::Sealed;
use crate::walk::base::base;

/// Elements up to which a plan takes longer than a copy of each element by itself.
const FEW: usize = 32;

/// Where a copy of elements of type `T` writes: a [`DynArray`], or a part of one, a [`DynSlice`].
#[diagnostic::on_unimplemented(
    message = "elements of `{T}` cannot be copied to `{Self}`",
    label = "not where a copy of these elements writes",
    note = "a copy goes to a `DynArray` or a `DynSlice` whose memory can be written"
)]
pub trait DynDestination<T>: Sealed {
    /// Copies an array, and writes the padding.
    #[doc(hidden)]
    fn copy_array(&mut self, from: &DynArray<&[T]>, padding: Padding<T>) -> Result<(), DynError>;

    /// Copies a part of an array.
    #[doc(hidden)]
    fn copy_slice(&mut self, from: &DynSlice<&[T]>, padding: Padding<T>) -> Result<(), DynError>;
}

impl<S> Sealed for DynArray<S> {}
impl<S> Sealed for DynSlice<S> {}

impl<T: DynStored, D: DerefMut<Target = [T]>> DynDestination<T> for DynArray<D> {
    fn copy_array(&mut self, from: &DynArray<&[T]>, padding: Padding<T>) -> Result<(), DynError> {
        Plan::new(from.layout().shape(), self.layout().shape())?.run_on(from, self, padding)
    }

    fn copy_slice(&mut self, from: &DynSlice<&[T]>, padding: Padding<T>) -> Result<(), DynError> {
        let mut all = whole(self.as_view_mut());
        check(from, &all)?;
        let (layout, slots) = (all.layout().clone(), all.array.slots.len());
        let declared = || layout.shape().fill()?.bits(layout.shape().element_type());
        if slots > layout.elements()
            && let Some(value) = padding.value_of(declared, T::of_bits)?
        {
            let plan = PaddingPlan::new(layout.digits(), slots as Size);
            copying::fill(plan.as_ref(), slots, all.array.slots, value);
        }
        copy(from, &mut all);
        Ok(())
    }
}

impl<T: DynStored, D: DerefMut<Target = [T]>> DynDestination<T> for DynSlice<D> {
    fn copy_array(&mut self, from: &DynArray<&[T]>, padding: Padding<T>) -> Result<(), DynError> {
        self.copy_slice(&whole(from.clone()), padding)
    }

    fn copy_slice(&mut self, from: &DynSlice<&[T]>, _: Padding<T>) -> Result<(), DynError> {
        check(from, self)?;
        copy(from, self);
        Ok(())
    }
}

/// Whether one part can be copied to another one.
fn check<S, D>(from: &DynSlice<S>, to: &DynSlice<D>) -> Result<(), DynError> {
    let [a, b] = [from.layout().shape(), to.layout().shape()];
    let (source, destination) = (a.element_type(), b.element_type());
    if source != destination {
        return Err(CopyError::OtherElements { source, destination }.into());
    }
    if from.dims() != to.dims() {
        return Err(DynError::OtherSizes(Box::new([from.dims, to.dims])));
    }
    Ok(())
}

/// Copies a part to another one of its sizes.
fn copy<T, D>(from: &DynSlice<&[T]>, to: &mut DynSlice<D>)
where
    T: DynStored,
    D: DerefMut<Target = [T]>,
{
    let elements = from.dims().iter().product::<usize>();
    if elements <= FEW {
        for index in row_major(from.dims) {
            if let (Some(value), Some(place)) = (from.get(&index), to.get_mut(&index)) {
                *place = *value;
            }
        }
        return;
    }
    let regions = [from.region(), to.region()];
    let (a, b) = (from.layout().clone(), to.layout().clone());
    let (src, dst) = (from.array.slots, &mut *to.array.slots);
    let (size, settings) = (size_of::<T>(), &Settings::default());
    match (base(a.digits(), &regions[0]), base(b.digits(), &regions[1])) {
        (Some(first_src), Some(first_dst)) => {
            let dims = Index::of_native(from.dims());
            let digits = [&a.digits().with_dims(&dims), &b.digits().with_dims(&dims)];
            let (src, dst) = (&src[native(first_src)..], &mut dst[native(first_dst)..]);
            copying::copy(digits, Memory::of(T::PLAIN, src, dst), size, settings);
        }
        _ => {
            let memory = Memory::of(T::PLAIN, src, dst);
            copying::copy_part([a.digits(), b.digits()], &regions, memory, size, settings);
        }
    }
}

impl<T: DynStored, S: Deref<Target = [T]>> DynArray<S> {
    /// Copies the array to another layout, or to a part of another array, a [`DynSlice`], as fast as
    /// [`copy`](crate::copy()). Each call makes the plan, which takes a few microseconds: to copy often, keep a
    /// [`Plan`]. A part has no padding.
    ///
    /// # Errors
    /// If the layouts are of different arrays, or of elements that take other bits in memory; if a part has other sizes.
    ///
    /// # Panics
    /// If `T` is a type of your own without [`of_bits`](DynStored::of_bits), and the padding is asked to be `Zero`, or
    /// `Declared` with a `FILL`.
    pub fn relayout_to(
        &self,
        to: &mut impl DynDestination<T>,
        padding: Padding<T>,
    ) -> Result<(), DynError> {
        to.copy_array(&self.as_view(), padding)
    }
}

impl<T: DynStored, S: Deref<Target = [T]>> DynSlice<S> {
    /// Copies the part to an array of its sizes, or to a part of another one, whatever its layout. Each call makes the plan. A part
    /// has no padding: nothing but its elements is written.
    ///
    /// # Errors
    /// If the element types or the sizes differ.
    ///
    /// # Panics
    /// Under the conditions of [`DynArray::relayout_to`].
    ///
    /// # Examples
    /// ```
    /// use layout::Padding;
    /// use layout::dynamic::DynLayout;
    ///
    /// let rows = DynLayout::new(&"s32[3,5]".parse()?)?;
    /// let tiled = DynLayout::new(&"s32[4,4]{1,0:T(2,2)}".parse()?)?;
    /// let from = rows.from_fn(|index| (10 * index[0] + index[1]) as i32)?;
    /// let mut to = tiled.zeroed()?;
    /// from.slice((1.., 2..))?.relayout_to(&mut to.slice_mut((2.., 1..))?, Padding::Leave)?;
    /// assert_eq!((to[[2, 1]], to[[3, 3]], to[[2, 0]]), (12, 24, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn relayout_to(
        &self,
        to: &mut impl DynDestination<T>,
        padding: Padding<T>,
    ) -> Result<(), DynError> {
        to.copy_slice(&self.as_slice(), padding)
    }
}
