//! Copies between arrays whose layouts are known at run time only.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use layout_core::ArrayShape;

use crate::dynamic::array::{DynArray, DynBuffer};
use crate::dynamic::bytes::DynBytes;
use crate::dynamic::error::DynError;
use crate::dynamic::layout::DynLayout;
use crate::memory::buffer::aligned::Aligned;
use crate::memory::stored::DynStored;
use crate::relayout::{Padding, Plan, Side};

impl Plan {
    /// Copies between arrays of the planned layouts.
    pub(crate) fn run_on<T, S, D>(
        &self,
        from: &DynArray<S>,
        to: &mut DynArray<D>,
        padding: Padding<T>,
    ) -> Result<(), DynError>
    where
        T: DynStored,
        S: Deref<Target = [T]>,
        D: DerefMut<Target = [T]>,
    {
        self.check([from.layout(), to.layout()])?;
        let value = padding.value_of(|| self.declared(), T::of_bits)?;
        self.run_elements(from.as_slice(), to.as_mut_slice(), value);
        Ok(())
    }

    /// Whether the plan is one of these layouts.
    fn check(&self, layouts: [&DynLayout; 2]) -> Result<(), DynError> {
        let planned = [(Side::Source, self.source()), (Side::Destination, self.destination())];
        for ((side, planned), layout) in planned.into_iter().zip(layouts) {
            if planned != layout.shape() {
                let shapes = Box::new([*planned, *layout.shape()]);
                return Err(DynError::OtherPlan { side, shapes });
            }
        }
        Ok(())
    }
}

impl<T: DynStored, S: Deref<Target = [T]>> DynArray<S> {
    /// The array in a new buffer with another layout, its padding the default value.
    ///
    /// # Errors
    /// If the layouts are of different arrays, or of elements that take other bits in memory.
    pub fn to_layout(&self, to: &DynLayout) -> Result<DynBuffer<T>, DynError>
    where
        T: Default,
    {
        let plan = Plan::new(self.layout.shape(), to.shape())?;
        let mut buffer = to.zeroed()?;
        plan.run_on(self, &mut buffer, Padding::Leave)?;
        Ok(buffer)
    }

    /// The elements in row-major order, copied.
    #[must_use]
    pub fn to_vec(&self) -> Vec<T>
    where
        T: Default,
    {
        let host = host_of(self.layout.shape());
        match host.and_then(|host| self.to_layout(&host)) {
            Ok(rows) => rows.into_vec(),
            // Elements of sizes that are not copied.
            Err(_) => self.iter().map(|(_, element)| *element).collect(),
        }
    }
}

/// The layout of the array in row-major order, without padding.
pub(super) fn host_of(shape: &ArrayShape) -> Result<DynLayout, DynError> {
    DynLayout::new(&shape.row_major())
}

impl DynLayout {
    /// A buffer with the elements of a list in row-major order, its padding the default value.
    ///
    /// # Errors
    /// If the list has another number of elements, or `T` does not store them.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    ///
    /// let layout = DynLayout::new(&"s32[2,3]{0,1}".parse()?)?;
    /// let buffer = layout.from_row_major(&[0, 1, 2, 3, 4, 5])?;
    /// assert_eq!((buffer.as_slice(), buffer.to_vec()), (&[0, 3, 1, 4, 2, 5][..], vec![0, 1, 2, 3, 4, 5]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_row_major<T: DynStored + Default>(
        &self,
        elements: &[T],
    ) -> Result<DynBuffer<T>, DynError> {
        let (of, needed, given) = ("elements in row-major order", self.elements(), elements.len());
        if needed != given {
            return Err(DynError::length(self.shape(), of, needed, given));
        }
        host_of(self.shape())?.view(elements)?.to_layout(self)
    }
}

impl<B: Deref<Target = [u8]>> DynBytes<B> {
    /// Copies the array to another layout: see [`Plan::run`]. Each call makes the plan.
    ///
    /// # Errors
    /// If the layouts are of different arrays, or of elements of sizes that are not copied.
    pub fn relayout_to<D: DerefMut<Target = [u8]>>(
        &self,
        to: &mut DynBytes<D>,
        padding: Padding<u128>,
    ) -> Result<(), DynError> {
        let plan = Plan::new(self.layout().shape(), to.layout().shape())?;
        match plan.run(self.as_bytes(), to.as_mut_bytes(), padding) {
            Ok(()) => Ok(()),
            Err(error) => unreachable!("{error}"),
        }
    }

    /// The array in a new buffer with another layout, its padding 0.
    ///
    /// # Errors
    /// If the layouts are of different arrays, or of elements of sizes that are not copied.
    pub fn to_layout(&self, to: &DynLayout) -> Result<DynBytes<Aligned<u8>>, DynError> {
        let mut buffer = to.zeroed_bytes();
        self.relayout_to(&mut buffer, Padding::Leave)?;
        Ok(buffer)
    }
}
