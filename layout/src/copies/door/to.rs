//! Copies from any memory to any other.

use core::borrow::Borrow;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::copies::{
    check::check, check::check_dims, choose, door::dest::Dest, door::dest::DestSlots,
    door::destination::Destination, door::destination::ElementsMut, error::CopyError,
    padding::Padding, padding::fill_padding, padding::padding_at, related::CopiedAs,
    related::CopyTo, related::MapTo, run, slots::CopiedSlots,
};
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
    pub fn copy_to<M: Destination<Memory<P, S>> + ?Sized>(
        &self,
        to: &mut M,
        padding: impl Into<Padding<M::Elem>>,
    ) -> Result<(), CopyError> {
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
                let from = crate::memory::place::mapping::AtStrides::row_major(self.dims());
                choose::map(&from, place, &values, slots, function);
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
    pub fn write_to<'d, B: AnyLayout, D: Dest<S::Elem> + ?Sized>(
        &self,
        dst: &'d mut D,
        padding: impl Into<Padding<S::Elem>>,
    ) -> Result<D::Out<'d>, CopyError>
    where
        S::Elem: StoredIn<B>,
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
    pub(super) fn new_memory<'d, B: AnyLayout>(
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
