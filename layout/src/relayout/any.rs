//! Copies of elements of any type and size: a layout says where they lie, not what they are.

use core::mem::MaybeUninit;

use layout_copy::__private::{self as copying, Memory, Plain};
use layout_core::{ArrayShape, Size};

use crate::array::same_array::SameArray;
use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
#[cfg(feature = "alloc")]
use crate::memory::buffer::aligned::written_vec;
use crate::memory::strided::Strided;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::copy;
use crate::relayout::choice::layouts::copy_sized;
use crate::relayout::copier::CopyError;
use crate::relayout::copy::counterpart;
use crate::relayout::error::RelayoutError;
use crate::relayout::strided::loops::Between;
use crate::relayout::value::element_bits::ElementBits;
use crate::relayout::value::error::RelayoutPlanError;
use crate::relayout::value::{NO_STRIDES, Relayout, SidesStrides};

impl<L: AnyLayout> WithDims<L> {
    /// Copies an array from this layout to the layout `B`, with elements of any type: of the layouts, only the dimensions, the order and the
    /// tiles count, and the type of their elements does not. Padding becomes the value, or stays as it is with `None`.
    ///
    /// Numbers of Rust, and arrays of few of them, are copied as fast as by [`relayout`](crate::relayout()). Elements of other types
    /// are moved whole, one after another: their bytes may be uninitialised.
    ///
    /// # Errors
    /// If a slice is too short, in elements; nothing is written then.
    ///
    /// # Panics
    /// If the array does not fit in 2⁶³−1 elements with the padding of `B`, where sizes are known at run time only.
    ///
    /// # Examples
    /// ```
    /// use layout::layout;
    ///
    /// type Rows = layout!(U8[?,?]);
    /// type Columns = layout!(U8[?,?]{0,1});
    /// // Pixels of three bytes.
    /// let image = [[0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 3, 3], [4, 4, 4], [5, 5, 5]];
    /// let mut turned = [[9; 3]; 6];
    /// Rows::with_dims([2, 3])?.relayout_any::<Columns, [u8; 3]>(&image, &mut turned, None)?;
    /// assert_eq!(turned, [[0; 3], [3; 3], [1; 3], [4; 3], [2; 3], [5; 3]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn relayout_any<B, T>(
        &self,
        src: &[T],
        dst: &mut [T],
        padding: Option<T>,
    ) -> Result<(), RelayoutError>
    where
        L: SameArray<B>,
        B: AnyLayout,
        T: Copy + 'static,
    {
        let to = counterpart::<L, B>(self);
        let src = RelayoutError::source(src, self.padded_elements())?;
        let dst = RelayoutError::destination(dst, to.padded_elements())?;
        copy_sized::<L, B, T>(*self, to, CopiedSlots::of(Plain::of_type(), src, dst, padding));
        Ok(())
    }

    /// Like [`relayout_any`](Self::relayout_any), to memory that may hold nothing yet: all slots of `B` are written, and returned. Padding becomes
    /// the value.
    ///
    /// # Errors
    /// If a slice is too short, in elements; nothing is written then.
    ///
    /// # Panics
    /// Under the conditions of [`relayout_any`](Self::relayout_any).
    #[track_caller]
    pub fn relayout_any_uninit<'a, B, T>(
        &self,
        src: &[T],
        dst: &'a mut [MaybeUninit<T>],
        padding: T,
    ) -> Result<&'a mut [T], RelayoutError>
    where
        L: SameArray<B>,
        B: AnyLayout,
        T: Copy + 'static,
    {
        let to = counterpart::<L, B>(self);
        let src = RelayoutError::source(src, self.padded_elements())?;
        let dst = RelayoutError::destination(dst, to.padded_elements())?;
        let slots = CopiedSlots::of_uninit(Plain::of_type(), src, dst, padding);
        Ok(copy_sized::<L, B, T>(*self, to, slots))
    }
}

impl<T: Copy + 'static, const R: usize> Strided<'_, T, R> {
    /// Copies the array to memory of the layout `B`, with elements of any type: see [`WithDims::relayout_any`]. Padding becomes the
    /// value, or stays as it is with `None`.
    ///
    /// # Errors
    /// If the sizes do not go with `B`. If the slice is too short, in elements. Nothing is written then.
    ///
    /// # Examples
    /// A function that packs matrices of whatever there is:
    /// ```
    /// use layout::copies::CopyError;
    /// use layout::{Strided, layout};
    ///
    /// type Panels<const NR: usize> = layout!(F32[?,?]{0,1:T(NR,1)});
    ///
    /// fn pack<T: Copy + 'static>(matrix: &Strided<'_, T, 2>, zero: T, panels: &mut [T]) -> Result<(), CopyError> {
    ///     matrix.relayout_any::<Panels<2>>(panels, Some(zero))
    /// }
    ///
    /// let mut panels = [9_i64; 8];
    /// pack(&Strided::new(&[0, 1, 2, 7, 3, 4, 5], [2, 3], [4, 1])?, 0, &mut panels)?;
    /// assert_eq!(panels, [0, 1, 3, 4, 2, 0, 5, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn relayout_any<B>(&self, dst: &mut [T], padding: Option<T>) -> Result<(), CopyError>
    where
        B: AnyLayout<Index = [usize; R]>,
    {
        let layout = WithDims::<B>::checked(&self.dims())?;
        let dst = RelayoutError::destination(dst, layout.padded_elements())?;
        let slots = CopiedSlots::of(Plain::of_type(), self.data, dst, padding);
        copy(Between::<B, false>::of(&self.place, layout), slots);
        Ok(())
    }

    /// Like [`relayout_any`](Self::relayout_any), to memory that may hold nothing yet: all slots of `B` are written, and returned. Padding becomes
    /// the value.
    ///
    /// # Errors
    /// Under the conditions of [`relayout_any`](Self::relayout_any).
    #[inline]
    pub fn relayout_any_uninit<'a, B>(
        &self,
        dst: &'a mut [MaybeUninit<T>],
        padding: T,
    ) -> Result<&'a mut [T], CopyError>
    where
        B: AnyLayout<Index = [usize; R]>,
    {
        let layout = WithDims::<B>::checked(&self.dims())?;
        let dst = RelayoutError::destination(dst, layout.padded_elements())?;
        let slots = CopiedSlots::of_uninit(Plain::of_type(), self.data, dst, padding);
        Ok(copy(Between::<B, false>::of(&self.place, layout), slots))
    }

    /// Like [`relayout_any`](Self::relayout_any), to a new `Vec` that is written once: all slots of `B`, in the order of memory. Padding becomes
    /// the value.
    ///
    /// # Errors
    /// If the sizes do not go with `B`.
    ///
    /// # Examples
    /// ```
    /// use layout::{Strided, layout};
    ///
    /// // Pixels 1 and 2 of two rows of four.
    /// let image = [1, 2, 3, 4, 5, 6, 7, 8].map(|number| [number, 0, number]);
    /// let part = Strided::new(&image[1..], [2, 2], [4, 1])?;
    /// let pixels = part.relayout_any_to_vec::<layout!(U8[?,?])>([0; 3])?;
    /// assert_eq!(pixels, [[2, 0, 2], [3, 0, 3], [6, 0, 6], [7, 0, 7]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn relayout_any_to_vec<B>(&self, padding: T) -> Result<alloc::vec::Vec<T>, CopyError>
    where
        B: AnyLayout<Index = [usize; R]>,
    {
        let layout = WithDims::<B>::checked(&self.dims())?;
        Ok(written_vec(padding, layout.padded_elements(), |memory| {
            let slots = CopiedSlots::of_uninit(Plain::of_type(), self.data, memory, padding);
            copy(Between::<B, false>::of(&self.place, layout), slots)
        }))
    }
}

impl Relayout {
    /// Plans the copy of an array with elements of so many bytes, 3, 12 or 24 for instance: of the layouts, only the dimensions, the order and the
    /// tiles count. A value for padding has its bits in the first 16 bytes of an element; the others are 0.
    ///
    /// # Errors
    /// Those of [`new`](Self::new) but for the sizes of elements.
    ///
    /// # Panics
    /// If `bytes` is 0.
    ///
    /// # Examples
    /// ```
    /// use layout::Relayout;
    ///
    /// let rows = "u8[2,3]".parse()?;
    /// let columns = "u8[2,3]{0,1}".parse()?;
    /// let relayout = Relayout::with_element_bytes(&rows, &columns, size_of::<[f32; 3]>())?;
    /// let points: Vec<[f32; 3]> = (0..6).map(|number| [number as f32; 3]).collect();
    /// let mut turned = [[0.0; 3]; 6];
    /// relayout.run_any(&points, &mut turned, None)?;
    /// assert_eq!(turned.map(|point| point[2]), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn with_element_bytes(
        from: &ArrayShape,
        to: &ArrayShape,
        bytes: usize,
    ) -> Result<Relayout, RelayoutPlanError> {
        assert!(bytes > 0, "an element has at least one byte");
        let bits = bytes.checked_mul(8).filter(|bits| *bits <= isize::MAX as usize);
        let bits = bits.ok_or(RelayoutPlanError::TooLarge { bytes: bytes as Size })?;
        Relayout::between([from, to], &NO_STRIDES, ElementBits([bits; 2]))
    }

    /// Copies elements of any type that takes as many bytes as the plan's. Padding becomes the value, or stays as it is with `None`.
    ///
    /// # Errors
    /// If a slice is too short, in elements; nothing is written then.
    ///
    /// # Panics
    /// If `T` has another size than the plan's elements.
    #[track_caller]
    pub fn run_any<T: Copy + 'static>(
        &self,
        src: &[T],
        dst: &mut [T],
        padding: Option<T>,
    ) -> Result<(), RelayoutError> {
        self.run_any_strided(&NO_STRIDES, src, dst, padding)
    }

    /// [`run_any`](Self::run_any) of sides that have these strides.
    #[track_caller]
    pub(super) fn run_any_strided<T: Copy + 'static>(
        &self,
        strides: &SidesStrides,
        src: &[T],
        dst: &mut [T],
        padding: Option<T>,
    ) -> Result<(), RelayoutError> {
        let (size, planned) = (size_of::<T>(), self.element_bytes());
        assert!(size == planned, "the plan has elements of {planned} bytes, and these take {size}");
        let src = RelayoutError::source(src, self.slots[0])?;
        let dst = RelayoutError::destination(dst, self.slots[1])?;
        if let Some(value) = padding.filter(|_| self.has_padding) {
            copying::fill(self.padding.as_ref(), dst.len(), dst, value);
        }
        self.move_elements(strides, Memory::of(Plain::of_type(), src, dst), size);
        Ok(())
    }
}
