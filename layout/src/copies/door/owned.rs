//! Copies to memory that they make, of any memory and of elements in row-major order.

use alloc::vec::Vec;
use core::borrow::Borrow;

use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, StaticLayout};
use crate::copies::{
    check::check, choose, door::dest::Dest, door::dest::DestSlots, error::CopyError,
    padding::Padding, related::CopiedAs, related::CopyTo, related::MapTo, slots::CopiedSlots,
};
use crate::memory::{
    Buffer, Memory, Place, SharedSlots, Storage, aligned::ALIGNMENT, aligned::Aligned,
    aligned::append_written, buffer::constructors, error::MemoryError, place::mapping::AtStrides,
    place::mapping::elements, place::row_major::RowMajor, storage::Values, stored::StoredIn,
};

impl<P: Place, S: Storage> Memory<P, S> {
    /// A new buffer with the layout `B`, aligned to 64 bytes. Its padding holds the default value (0 for numbers), and packed elements get a
    /// byte each.
    ///
    /// # Errors
    /// If sizes that are known at run time only do not go with the layout.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type Host = layout!(F32[3,5]);
    /// let host: Vec<f32> = (0..15).map(|number| number as f32).collect();
    /// let device = View::<Host>::new(&host)?.to::<layout!(F32[3,5]{1,0:T(2,2)})>()?;
    /// assert_eq!((device[[2, 3]], device.as_slice()[17]), (13.0, 13.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to<B: AnyLayout>(&self) -> Result<Buffer<B, S::Elem>, CopyError>
    where
        S::Elem: StoredIn<B> + Default,
        P: CopyTo<WithDims<B>>,
        S::Format: CopiedAs<Values<S::Elem>>,
    {
        let () = <S::Elem as StoredIn<B>>::HAS_SIZE;
        let layout = WithDims::<B>::checked_list(self.dims().as_ref())?;
        check(&self.place, &layout)?;
        let unused = S::Elem::default();
        let slots = Aligned::written(unused, layout.padded_elements(), ALIGNMENT, |memory| {
            self.new_memory(&layout, CopiedSlots::of_uninit(&[], memory, Some(unused)))
        });
        Ok(Memory::of_parts(layout, slots))
    }

    /// A new buffer with the layout `B` of what a function makes of each element, of its index and its value: see
    /// [`map_to`](Self::map_to). Its padding holds the default value (0 for numbers).
    ///
    /// # Errors
    /// As for [`to`](Self::to).
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// let pixels = View::<layout!(U8[2,2])>::new(&[0, 51, 102, 255])?;
    /// let plane = pixels.to_mapped::<layout!(F32[2,2]{0,1}), _>(|_, value| f32::from(value) / 255.0)?;
    /// assert_eq!(plane.as_slice(), [0.0, 0.4, 0.2, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_mapped<B: AnyLayout, U: StoredIn<B> + Default>(
        &self,
        function: impl FnMut(P::Index, S::Elem) -> U,
    ) -> Result<Buffer<B, U>, CopyError>
    where
        P: MapTo<WithDims<B>>,
        S::Elem: Copy + 'static,
    {
        let () = U::HAS_SIZE;
        let layout = WithDims::<B>::checked_list(self.dims().as_ref())?;
        let unused = U::default();
        let slots = Aligned::written(unused, layout.padded_elements(), ALIGNMENT, |memory| {
            self.mapped(&layout, CopiedSlots::of_uninit(&[], memory, Some(unused)), function)
        });
        Ok(Memory::of_parts(layout, slots))
    }

    /// Writes what a function makes of each element with the layout `B` to the beginning of memory: as [`map_to`](Self::map_to) and
    /// [`write_to`](Self::write_to) do.
    ///
    /// # Errors
    /// As for [`write_to`](Self::write_to).
    ///
    /// # Examples
    /// ```
    /// use layout::{Padding, View, layout};
    ///
    /// let rows = View::<layout!(S16[2,2])>::new(&[1, 2, 3, 4])?;
    /// let mut columns = Vec::new();
    /// rows.write_mapped::<layout!(F64[2,2]{0,1}), _, _>(&mut columns, Padding::Leave, |_, x| f64::from(x))?;
    /// assert_eq!(columns, [1.0, 3.0, 2.0, 4.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn write_mapped<'d, B: AnyLayout, U: StoredIn<B>, D: Dest<U> + ?Sized>(
        &self,
        dst: &'d mut D,
        padding: impl Into<Padding<U>>,
        function: impl FnMut(P::Index, S::Elem) -> U,
    ) -> Result<D::Out<'d>, CopyError>
    where
        P: MapTo<WithDims<B>>,
        S::Elem: Copy + 'static,
    {
        let () = U::HAS_SIZE;
        let layout = WithDims::<B>::checked_list(self.dims().as_ref())?;
        let slots = DestSlots::of(&[], &layout, padding)?;
        dst.write(slots, |slots| self.mapped(&layout, slots, function))
    }

    /// Writes what a function makes of each element.
    #[inline(always)]
    fn mapped<'d, U: Copy + 'static>(
        &self,
        to: &impl Place,
        slots: CopiedSlots<'_, 'd, U>,
        function: impl FnMut(P::Index, S::Elem) -> U,
    ) -> &'d mut [U]
    where
        S::Elem: Copy + 'static,
    {
        let source = self.slots.shared();
        if let Some(src) = source.whole_slice() {
            return choose::map(&self.place, to, src, slots, function);
        }
        let values = row_major(&self.place, source);
        choose::map(&AtStrides::row_major(self.dims()), to, &values, slots, function)
    }

    /// The elements in row-major order, without padding; packed ones with a byte each.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// let columns = View::<layout!(F32[2,3]{0,1})>::new(&[0.0, 3.0, 1.0, 4.0, 2.0, 5.0])?;
    /// assert_eq!(columns.to_row_major(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[doc(alias = "to_vec")]
    #[must_use]
    pub fn to_row_major(&self) -> Vec<S::Elem>
    where
        S::Elem: Copy + 'static,
    {
        row_major(&self.place, self.slots.shared())
    }
}

/// The elements of a place in row-major order.
fn row_major<P: Place, S: SharedSlots<Elem: Copy + 'static>>(place: &P, slots: S) -> Vec<S::Elem> {
    if let Some(src) = slots.whole_slice()
        && let Some(&first) = src.first()
    {
        let (dims, mut written) = (place.dims(), Vec::new());
        append_written(&mut written, elements(dims.as_ref()), |memory| {
            let slots = CopiedSlots::of_uninit(src, memory, Some(first));
            match RowMajor::of(place) {
                Some(to) => choose::copy_whole(place, &to, slots),
                None => choose::copy_whole(place, &AtStrides::row_major(dims), slots),
            }
        });
        return written;
    }
    if let Some(values) = slots.unpacked(place) {
        return values;
    }
    Memory::of_parts(place.clone(), slots)
        .indexed_iter()
        .map(|(_, element)| *element.borrow())
        .collect()
}

/// The slots of a layout with elements in row-major order.
pub(crate) fn of_row_major<T: Copy + 'static>(
    layout: &impl Place,
    elements: &[T],
    unused: T,
) -> Aligned<T> {
    Aligned::written(unused, layout.slots(), ALIGNMENT, |memory| {
        let slots = CopiedSlots::of_uninit(elements, memory, Some(unused));
        match RowMajor::of(layout) {
            Some(from) => choose::copy_whole(&from, layout, slots),
            None => choose::copy_whole(&AtStrides::row_major(layout.dims()), layout, slots),
        }
    })
}

constructors! {
    /// A buffer with elements in row-major order; padding holds the default value (0 for numbers).
    ///
    /// # Errors
    /// If there are more or fewer elements than the array has.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let buffer = Buffer::<layout!(S32[2,3]{0,1})>::from_row_major(&[0, 1, 2, 3, 4, 5])?;
    /// assert_eq!(buffer.as_slice(), [0, 3, 1, 4, 2, 5]);
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    fn from_row_major(elements: &[T]) -> Result<Buffer<L, T>, MemoryError>
        where (L: StaticLayout) (T: StoredIn<L> + Default) => |layout| buffer_of_row_major(layout, elements);
}

pub(super) fn buffer_of_row_major<L: AnyLayout, T: Copy + Default + 'static>(
    layout: WithDims<L>,
    elements: &[T],
) -> Result<Buffer<L, T>, MemoryError> {
    MemoryError::check_length(layout.elements(), elements.len())?;
    Ok(Memory::of_parts(layout, of_row_major(&layout, elements, T::default())))
}
