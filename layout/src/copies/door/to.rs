//! Copies from any memory to any other.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::borrow::Borrow;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
#[cfg(feature = "alloc")]
use crate::compiled::StaticLayout;
use crate::copies::check::{check, check_dims};
use crate::copies::choose;
use crate::copies::door::dest::{Dest, DestSlots};
use crate::copies::door::destination::{Destination, ElementsMut};
use crate::copies::error::CopyError;
use crate::copies::padding::{Padding, fill_padding, padding_at};
use crate::copies::related::{CopiedAs, CopyTo, MapTo};
use crate::copies::run;
use crate::copies::slots::CopiedSlots;
#[cfg(feature = "alloc")]
use crate::memory::Buffer;
#[cfg(feature = "alloc")]
use crate::memory::aligned::{ALIGNMENT, Aligned, append_written};
#[cfg(feature = "alloc")]
use crate::memory::buffer::constructors;
#[cfg(feature = "alloc")]
use crate::memory::error::MemoryError;
#[cfg(feature = "alloc")]
use crate::memory::place::mapping::{AtStrides, elements};
#[cfg(feature = "alloc")]
use crate::memory::place::row_major::RowMajor;
use crate::memory::storage::Values;
use crate::memory::stored::StoredIn;
use crate::memory::{Memory, Place, SharedSlots, Storage, StorageMut};

/// Copies.
impl<P: Place, S: Storage> Memory<P, S> {
    /// Copies the array to other memory, without allocating: between layouts, parts, strides and values, between packed memory and memory
    /// with a byte for each element. A part and strides have no padding, so `padding` says nothing then.
    ///
    /// It does not compile for an array of other dimensions, or another element type; sizes that are known at run time only are compared
    /// then. Signed packed elements keep their sign in a byte; of a value in a byte the low bits are packed.
    ///
    /// A copy of small arrays is a loop in the caller's code; larger ones take kernels, which with `std` use the best vectors of the
    /// machine, and with `rayon` several threads.
    ///
    /// # Errors
    /// If sizes or elements differ, or the element type does not say the value of the padding that is asked for. Nothing is written then.
    ///
    /// # Examples
    /// ```
    /// use layout::{Padding, Strided, View, ViewMut, layout};
    ///
    /// type Rows = layout!(F32[2,3]);
    /// type Columns = layout!(F32[2,3]{0,1:T(2,2)});
    /// let rows = View::<Rows>::new(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])?;
    /// let mut columns = [9.0; 8];
    /// rows.copy_to(&mut ViewMut::<Columns>::new(&mut columns)?, 0.0)?;
    /// assert_eq!(columns, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0, 0.0, 0.0]);
    ///
    /// // A window of it, from strides: here the transpose.
    /// let turned = Strided::new(&[6.0, 7.0, 8.0, 9.0], [2, 2], [1, 2])?;
    /// let mut view = ViewMut::<Columns>::new(&mut columns)?;
    /// turned.copy_to(&mut view.slice_mut((.., 1..))?, Padding::Leave)?;
    /// assert_eq!((view[[0, 1]], view[[0, 2]], view[[1, 1]]), (6.0, 8.0, 7.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A block of single bits into a bitmap, clipped at its edge:
    /// ```
    /// use layout::{Padding, PackedView, PackedViewMut, layout};
    ///
    /// let block = PackedView::<layout!(PRED[4,8]{1,0:E(1)})>::new(&[0xff; 4])?.high_first();
    /// type Bitmap = layout!(PRED[6,16]{1,0:E(1)});
    /// let mut bytes = [0; Bitmap::BYTES];
    /// let mut bitmap = PackedViewMut::<Bitmap>::new(&mut bytes)?.high_first();
    /// let [height, width] = bitmap.dims();
    /// let (y, x) = (4, 6);
    /// let mut part = bitmap.slice_mut((y..height.min(y + 4), x..width.min(x + 8)))?;
    /// let [rows, columns] = part.dims();
    /// block.slice((..rows, ..columns))?.copy_to(&mut part, Padding::Leave)?;
    /// assert_eq!(bytes[8..], [0b0000_0011, 0b1111_1100, 0b0000_0011, 0b1111_1100]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "relayout")]
    #[doc(alias = "pack")]
    #[doc(alias = "unpack")]
    #[inline]
    pub fn copy_to<M>(
        &self,
        to: &mut M,
        padding: impl Into<Padding<M::Elem>>,
    ) -> Result<(), CopyError>
    where
        M: Destination<Memory<P, S>> + ?Sized,
    {
        to.copy_from(self, padding.into())
    }

    /// Writes what a function makes of each element: of its index, dimension 0 first, and its value. The order of calls is that of the
    /// destination's memory. It is row-major where a layout is known at run time only, where parts begin within tiles, and where layouts share
    /// no split; of packed elements it may be either.
    ///
    /// Packed elements are unpacked to a byte each before.
    ///
    /// # Errors
    /// As for [`copy_to`](Self::copy_to).
    ///
    /// # Examples
    /// ```
    /// use layout::{PackedView, Padding, Strided, layout};
    ///
    /// // Pixels of bytes, rows of 4, to planes of floats.
    /// let pixels = [0_u8, 255, 0, 0, 51, 102, 0, 0];
    /// let image = Strided::new(&pixels, [2, 2], [4, 1])?;
    /// let mut plane = [0.0; 4];
    /// let mut view = layout::ViewMut::<layout!(F32[2,2])>::new(&mut plane)?;
    /// image.map_to(&mut view, Padding::Leave, |_, value| f32::from(value) / 255.0)?;
    /// assert_eq!(plane, [0.0, 1.0, 0.2, 0.4]);
    ///
    /// // Quantized weights, with a scale for each row.
    /// let weights = PackedView::<layout!(S4[2,2]{1,0:E(4)})>::new(&[0x21, 0xf3])?;
    /// let scales = [0.5, 2.0];
    /// let mut view = layout::ViewMut::<layout!(F32[2,2])>::new(&mut plane)?;
    /// weights.map_to(&mut view, Padding::Leave, |[row, _], value| scales[row] * f32::from(value))?;
    /// assert_eq!(plane, [0.5, 1.0, 6.0, -2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "dequantize")]
    #[inline]
    pub fn map_to<M: ElementsMut + ?Sized>(
        &self,
        to: &mut M,
        padding: impl Into<Padding<M::Elem>>,
        mut function: impl FnMut(P::Index, S::Elem) -> M::Elem,
    ) -> Result<(), CopyError>
    where
        P: MapTo<M::Place>,
        S::Elem: Copy + 'static,
    {
        let to = to.memory();
        check_dims(self.dims().as_ref(), to.dims().as_ref())?;
        let padding = padding_at(&to.place, padding.into())?;
        let source = self.slots.shared();
        let (place, dst) = (&to.place, &mut to.slots);
        if let Some((dst, first)) = dst.units_mut() {
            let slots = CopiedSlots::of(&[], dst, padding);
            let moved = (first > 0).then(|| place.beginning_at(first));
            let place = moved.as_ref().unwrap_or(place);
            if let Some(src) = source.whole_slice() {
                choose::map(&self.place, place, src, slots, function);
                return Ok(());
            }
            #[cfg(feature = "alloc")]
            if let Some(values) = source.unpacked(&self.place) {
                choose::map(&AtStrides::row_major(self.dims()), place, &values, slots, function);
                return Ok(());
            }
        }
        if let Some((value, (dst, 0))) = padding.zip(dst.units_mut()) {
            fill_padding(place, dst, value);
        }
        for ((index, element), (_, place)) in self.indexed_iter().zip(to.indexed_iter_mut()) {
            *place = function(index, *element.borrow());
        }
        Ok(())
    }

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
    #[cfg(feature = "alloc")]
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
    #[cfg(feature = "alloc")]
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
    #[cfg(feature = "alloc")]
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
    #[cfg(feature = "alloc")]
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
    #[cfg(feature = "alloc")]
    #[doc(alias = "to_vec")]
    #[must_use]
    pub fn to_row_major(&self) -> Vec<S::Elem>
    where
        S::Elem: Copy + 'static,
    {
        row_major(&self.place, self.slots.shared())
    }

    /// Writes the array with the layout `B` to the beginning of memory ([`Dest`]): a slice, a `Vec`, which grows if it is too short, or
    /// memory that holds nothing before, which comes back as elements.
    ///
    /// # Errors
    /// As for [`copy_to`](Self::copy_to), and if the memory is too short.
    ///
    /// # Examples
    /// ```
    /// use core::mem::MaybeUninit;
    /// use layout::{Strided, layout};
    ///
    /// type Panels = layout!(F32[?,2]{0,1:T(2,1)});
    /// // Two columns of rows of three.
    /// let columns = Strided::new(&[0.0, 1.0, 9.0, 2.0, 3.0], [2, 2], [3, 1])?;
    /// let mut memory = [MaybeUninit::uninit(); 4];
    /// let panels = columns.write_to::<Panels, _>(&mut memory, 0.0)?;
    /// assert_eq!(panels, [0.0, 1.0, 2.0, 3.0]);
    ///
    /// let mut grown = Vec::new();
    /// columns.write_to::<Panels, _>(&mut grown, 0.0)?;
    /// assert_eq!(grown, [0.0, 1.0, 2.0, 3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn write_to<'d, B, D>(
        &self,
        dst: &'d mut D,
        padding: impl Into<Padding<S::Elem>>,
    ) -> Result<D::Out<'d>, CopyError>
    where
        B: AnyLayout,
        S::Elem: StoredIn<B>,
        D: Dest<S::Elem> + ?Sized,
        P: CopyTo<WithDims<B>>,
        S::Format: CopiedAs<Values<S::Elem>>,
    {
        let layout = WithDims::<B>::checked_list(self.dims().as_ref())?;
        check(&self.place, &layout)?;
        let slots = DestSlots::of(&[], &layout, padding)?;
        dst.write(slots, |slots| self.new_memory(&layout, slots))
    }

    /// Writes memory that may have held nothing.
    #[inline(always)]
    fn new_memory<'d, B: AnyLayout>(
        &self,
        layout: &WithDims<B>,
        slots: CopiedSlots<'_, 'd, S::Elem>,
    ) -> &'d mut [S::Elem]
    where
        S::Elem: Copy + 'static,
        P: CopyTo<WithDims<B>>,
        S::Format: CopiedAs<Values<S::Elem>>,
    {
        let source = self.slots.shared();
        if let Some(src) = source.units() {
            return S::Format::copied((&self.place, layout), src, slots, None)
                .unwrap_or_else(|error| unreachable!("{error}"));
        }
        let dst = slots.initialised(self.indexed_iter().next().map(|(_, first)| *first.borrow()));
        run::one_by_one(&self.as_view(), &mut Memory::of_parts(*layout, &mut *dst), |element| {
            element
        });
        dst
    }
}

/// The elements of a place in row-major order.
#[cfg(feature = "alloc")]
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
#[cfg(feature = "alloc")]
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

#[cfg(feature = "alloc")]
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

#[cfg(feature = "alloc")]
pub(super) fn buffer_of_row_major<L, T>(
    layout: WithDims<L>,
    elements: &[T],
) -> Result<Buffer<L, T>, MemoryError>
where
    L: AnyLayout,
    T: Copy + Default + 'static,
{
    MemoryError::check_length(layout.elements(), elements.len())?;
    Ok(Memory::of_parts(layout, of_row_major(&layout, elements, T::default())))
}
