//! Copies from any memory to any other.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::borrow::Borrow;

#[cfg(feature = "alloc")]
use layout_copy::__private::{Plain, bytes_mut};

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
#[cfg(feature = "alloc")]
use crate::compiled::StaticLayout;
#[cfg(feature = "alloc")]
use crate::memory::Buffer;
#[cfg(feature = "alloc")]
use crate::memory::aligned::{ALIGNMENT, Aligned, append_written};
#[cfg(feature = "alloc")]
use crate::memory::bits::{BitOrder, Packing};
#[cfg(feature = "alloc")]
use crate::memory::buffer::constructors;
#[cfg(feature = "alloc")]
use crate::memory::error::MemoryError;
use crate::memory::stored::StoredIn;
use crate::memory::{AddressedMut, Memory, Place, Shared, SharedSlots, Storage};
#[cfg(feature = "alloc")]
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::dest::{Dest, DestSlots};
#[cfg(feature = "alloc")]
use crate::relayout::destination::Unpacked;
use crate::relayout::destination::{Destination, ElementsMut, MadeOf};
use crate::relayout::error::CopyError;
use crate::relayout::padding::{Padding, fill_padding, padding_at};
#[cfg(feature = "alloc")]
use crate::relayout::places::{BitWidths, RowMajor, bits_by_digits, copy_by_digits, elements};
use crate::relayout::places::{MappedTo, check, check_dims};

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
    pub fn copy_to<'s, M>(
        &'s self,
        to: &mut M,
        padding: impl Into<Padding<M::Elem>>,
    ) -> Result<(), CopyError>
    where
        M: Destination<Memory<P, Shared<'s, S>>> + ?Sized,
    {
        to.copy_from(&self.as_view(), padding.into())
    }

    /// Writes what a function makes of each element: of its index, dimension 0 first, and its value. The order of calls is that of the
    /// destination's memory, but where a side is a part, packed or known at run time only: there it is row-major.
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
        P: MappedTo<M::Place>,
        S::Elem: Copy + 'static,
    {
        let to = to.memory();
        check_dims(self.dims().as_ref(), to.dims().as_ref())?;
        let padding = padding_at(to.place(), padding.into())?;
        let (place, slots) = to.parts_mut();
        let mut slots = slots.spread();
        let Some(dst) = slots.whole() else {
            for ((index, element), (_, place)) in
                self.iter().zip(Memory::of_parts(place.clone(), slots).iter_mut())
            {
                *place = function(index, *element.borrow());
            }
            return Ok(());
        };
        if let Some(value) = padding {
            fill_padding(place, dst, value);
        }
        if place.dims().as_ref().contains(&0) {
            return Ok(());
        }
        let source = self.storage().shared();
        if let Some(src) = source.whole_slice()
            && self.place().map(place, src, dst, &mut function)
        {
            return Ok(());
        }
        #[cfg(feature = "alloc")]
        if let Some(values) = source.unpacked(self.place()) {
            map_row_major::<P, M::Place, _, _>(self.place(), place, &values, dst, function);
            return Ok(());
        }
        for ((index, element), (_, slot)) in self.iter().zip(place.row_major()) {
            dst[slot] = function(index, *element.borrow());
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
    pub fn to<'s, B: AnyLayout>(&'s self) -> Result<Buffer<B, S::Elem>, CopyError>
    where
        S::Elem: StoredIn<B> + Default,
        WithDims<B>: MadeOf<Memory<P, Shared<'s, S>>, S::Elem>,
    {
        let () = <S::Elem as StoredIn<B>>::HAS_SIZE;
        let layout = WithDims::<B>::checked_list(self.dims().as_ref())?;
        let (from, unused) = (self.as_view(), S::Elem::default());
        check(self.place(), &layout)?;
        let slots = Aligned::written(unused, layout.padded_elements(), ALIGNMENT, |memory| {
            layout.write(&from, CopiedSlots::of_uninit(&[], memory, Some(unused)))
        });
        Ok(Memory::of_parts(layout, slots))
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
        row_major(self.place(), self.storage().shared())
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
    pub fn write_to<'s, 'd, B, D>(
        &'s self,
        dst: &'d mut D,
        padding: impl Into<Padding<S::Elem>>,
    ) -> Result<D::Out<'d>, CopyError>
    where
        B: AnyLayout,
        S::Elem: StoredIn<B>,
        D: Dest<S::Elem> + ?Sized,
        WithDims<B>: MadeOf<Memory<P, Shared<'s, S>>, S::Elem>,
    {
        let layout = WithDims::<B>::checked_list(self.dims().as_ref())?;
        let from = self.as_view();
        check(self.place(), &layout)?;
        dst.write(DestSlots::of(&[], &layout, padding)?, |slots| layout.write(&from, slots))
    }
}

/// The elements of a place in row-major order.
#[cfg(feature = "alloc")]
fn row_major<P: Place, S: SharedSlots<Elem: Copy + 'static>>(place: &P, slots: S) -> Vec<S::Elem> {
    let dims = place.dims();
    let elements = elements(dims.as_ref());
    if let Some(src) = slots.whole_slice()
        && let Some(&first) = src.first()
    {
        let mut written = Vec::new();
        append_written(&mut written, elements, |memory| {
            let slots = CopiedSlots::of_uninit(src, memory, Some(first));
            copy_by_digits(place, &RowMajor(dims.as_ref()), slots)
        });
        return written;
    }
    if let Some(values) = slots.unpacked(place) {
        return values;
    }
    Memory::of_parts(place.clone(), slots).iter().map(|(_, element)| *element.borrow()).collect()
}

/// Writes what a function makes of values in row-major order, run by run of the destination.
#[cfg(feature = "alloc")]
fn map_row_major<P: Place, Q: Place, T: Copy, U>(
    from: &P,
    to: &Q,
    values: &[T],
    dst: &mut [U],
    mut function: impl FnMut(P::Index, T) -> U,
) {
    let dims = from.dims();
    let stride_of = |dim: usize| dims.as_ref()[dim + 1..].iter().product::<usize>();
    for run in to.runs() {
        let (mut index, at) = (dims, run.index.as_ref());
        index.as_mut().copy_from_slice(at);
        let first = at.iter().enumerate().fold(0, |sum, (dim, at)| sum + at * stride_of(dim));
        let dim = to.run_dim();
        let stride = if run.length > 1 { stride_of(dim) } else { 1 };
        let places = dst[run.range()].iter_mut().zip(values[first..].iter().step_by(stride));
        for (place, value) in places {
            *place = function(index, *value);
            if let Some(coordinate) = index.as_mut().get_mut(dim) {
                *coordinate += 1;
            }
        }
    }
}

/// The values of packed elements in row-major order.
#[cfg(feature = "alloc")]
pub(crate) fn unpacked<F: Packing, O: BitOrder>(
    place: &impl Place,
    packed: &[u8],
) -> Vec<F::Value> {
    let dims = place.dims();
    let Some(zero) = Plain::of_bits(0) else { return Vec::new() };
    let mut values = alloc::vec![zero; elements(dims.as_ref())];
    let widths = Unpacked::<F, O, F::Value>::WIDTHS;
    let to = &RowMajor(dims.as_ref());
    bits_by_digits(place, to, widths, (packed, bytes_mut(&mut values)));
    values
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
        copy_by_digits(&RowMajor(layout.dims().as_ref()), layout, slots)
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
