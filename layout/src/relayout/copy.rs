//! Copying whole arrays whose elements take whole bytes.

use layout_copy::Settings;
use layout_copy::bitcast::OtherArray;
use layout_core::{ArrayShape, Fault, Index};

use crate::array::same_array::SameArray;
use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, StaticLayout};
#[cfg(feature = "alloc")]
use crate::memory::buffer::Buffer;
use crate::memory::stored::StoredIn;
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::copy_by_kernels;
use crate::relayout::choice::layouts::{OfConstants, copy_sized};
use crate::relayout::copier::Copier;
use crate::relayout::destination::Destination;
use crate::relayout::error::CopyError;
use crate::relayout::padding::{Padding, padding_value};

/// Copies an array from the layout `A` to the layout `B`, its elements stored as `T`.
///
/// It reads the first `A::PADDED_ELEMENTS` elements of the source, and writes the first `B::PADDED_ELEMENTS` of the
/// destination; `padding` says what it writes to the padding among them, a value or a [`Padding`]. The rest of the destination is not
/// changed. The plan of the copy is a constant. Where code is optimised, arrays of up to some kilobytes are copied by loops in the
/// caller's code, as fast as by loops by hand; in a `const`, use [`copy_const`](crate::copy_const). For larger ones there are kernels:
/// with the feature `std` they use the best vectors of the machine, found at run time, and with `rayon` several threads.
///
/// It does not compile for layouts of other dimensions or another element type. For sizes that are known only at run time, and for a
/// `Vec` or uninitialised memory as the destination, use [`Copier`](crate::Copier); for elements narrower than a byte
/// [`PackedView::relayout_to`](crate::PackedView::relayout_to).
///
/// # Errors
/// If a slice is too short. If there is padding, `padding` is `Zero`, or `Declared` with a `FILL`, and `T` is a type of your own without
/// [`of_bits`](crate::StoredAs::of_bits). Nothing is written then.
///
/// # Examples
/// ```
/// use layout::{Padding, copy, layout};
///
/// type Host = layout!(F32[3,5]);
/// type Device = layout!(F32[3,5]{1,0:T(2,2)});
/// let host: Vec<f32> = (0..15).map(|number| number as f32).collect();
/// let mut device = [1.0; Device::PADDED_ELEMENTS];
/// copy::<Host, Device, _>(&host, &mut device, 0.0)?;
/// assert_eq!(device[..10], [0.0, 1.0, 5.0, 6.0, 2.0, 3.0, 7.0, 8.0, 4.0, 0.0]);
///
/// let mut back = [0.0; 15];
/// copy::<Device, Host, _>(&device, &mut back, Padding::Leave)?;
/// assert_eq!(back[..], host);
/// # Ok::<(), layout::copies::CopyError>(())
/// ```
pub fn copy<A, B, T>(
    src: &[T],
    dst: &mut [T],
    padding: impl Into<Padding<T>>,
) -> Result<(), CopyError>
where
    A: SameArray<B> + StaticLayout,
    B: StaticLayout,
    T: StoredIn<A> + StoredIn<B>,
{
    let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
    Copier::<A, B>::new().copy(src, dst, padding)
}

/// Copies as [`copy`] does, by kernels with the vectors, the kind of stores and the threads that the settings say; arrays of
/// all sizes.
///
/// # Errors
/// Those of [`copy`].
///
/// # Examples
/// Leaves the copy in the caches, since it is read at once:
/// ```
/// use layout::copies::{Settings, copy_with};
/// use layout::{Padding, layout};
///
/// type Host = layout!(F32[3,5]);
/// type Device = layout!(F32[3,5]{1,0:T(2,2)});
/// let host: Vec<f32> = (0..15).map(|number| number as f32).collect();
/// let mut device = [1.0; Device::PADDED_ELEMENTS];
/// let read_at_once = Settings { streams: Some(false), ..Settings::default() };
/// copy_with::<Host, Device, _>(&host, &mut device, Padding::Zero, &read_at_once)?;
/// assert_eq!(device.iter().sum::<f32>(), 105.0);
/// # Ok::<(), layout::copies::CopyError>(())
/// ```
pub fn copy_with<A, B, T>(
    src: &[T],
    dst: &mut [T],
    padding: impl Into<Padding<T>>,
    settings: &Settings,
) -> Result<(), CopyError>
where
    A: SameArray<B> + StaticLayout,
    B: StaticLayout,
    T: StoredIn<A> + StoredIn<B>,
{
    let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
    Copier::<A, B>::new().copy_by(src, dst, padding, |slots| {
        copy_by_kernels(&OfConstants::<A, B>::PAIR, slots, settings)
    })
}

/// Panics since two views have different sizes.
#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn other_sizes(shape: &ArrayShape, dims: [&[usize]; 2]) -> ! {
    let [a, b] = dims.map(|dims| shape.row_major_of(&Index::of_native(dims)));
    panic!("{}", OtherArray::new(&a, &b))
}

/// The layout of an array with these sizes.
#[inline]
#[track_caller]
pub(super) fn with_dims<B: AnyLayout>(dims: &B::Index) -> WithDims<B> {
    match WithDims::<B>::checked(dims) {
        Ok(layout) => layout,
        Err(fault) => refused(B::VALUE, dims.as_ref(), &fault),
    }
}

/// The other layout of an array.
#[inline(always)]
#[track_caller]
pub(super) fn counterpart<A: SameArray<B>, B: AnyLayout>(layout: &WithDims<A>) -> WithDims<B> {
    match WithDims::<B>::counterpart(layout) {
        Ok(layout) => layout,
        Err(fault) => refused(B::VALUE, layout.dims().as_ref(), &fault),
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn refused(layout: &ArrayShape, dims: &[usize], fault: &Fault) -> ! {
    panic!("an array of {dims:?} does not go with {layout}: {fault}")
}

/// Copies an array to another view, and writes the padding.
#[inline]
#[track_caller]
pub(super) fn copy_view<A, B, T>(
    from: &View<'_, A, T>,
    to: &mut ViewMut<'_, B, T>,
    padding: Padding<T>,
) where
    A: SameArray<B>,
    B: AnyLayout,
    T: StoredIn<B>,
{
    let (from_dims, to_dims) = (from.dims(), to.dims());
    if from_dims.as_ref() != to_dims.as_ref() {
        other_sizes(A::VALUE, [from_dims.as_ref(), to_dims.as_ref()]);
    }
    let (of_a, of_b) = (from.layout(), to.layout());
    let dst = to.as_mut_slice();
    let padding = padding_value::<B, T>(padding, dst.len() > of_a.elements());
    copy_sized::<A, B, T>(
        of_a,
        of_b,
        CopiedSlots::of(T::PLAIN_HERE, from.as_slice(), dst, padding),
    );
}

impl<L: AnyLayout, T> View<'_, L, T> {
    /// Copies the array to a view or a buffer of another layout, or to a slice of one ([`Destination`]), without allocating; see
    /// [`copy`](crate::copy()). A slice as the destination has no padding: see
    /// [`Slice::relayout_to`](crate::Slice::relayout_to).
    ///
    /// It does not compile for a layout of other dimensions or another element type. Of sizes that are known only at run
    /// time it is as fast as a [`Copier`](crate::Copier); a slice as the destination is written as
    /// [`Slice::relayout_to`](crate::Slice::relayout_to) says.
    ///
    /// # Panics
    /// If `T` is a type of your own without [`of_bits`](crate::StoredAs::of_bits), and `padding` is `Zero`, or
    /// `Declared` with a `FILL`. If the destination has other sizes; for a view this can only happen with sizes
    /// that are known only at run time.
    ///
    /// # Examples
    /// ```
    /// use layout::{Padding, View, ViewMut, layout};
    ///
    /// type Rows = layout!(F32[2,3]);
    /// type Columns = layout!(F32[2,3]{0,1});
    /// let mut columns = [0.0; 6];
    /// let view = View::<Rows, f32>::new(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])?;
    /// view.relayout_to(&mut ViewMut::<Columns, f32>::new(&mut columns)?, Padding::Leave);
    /// assert_eq!(columns, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn relayout_to(&self, to: &mut impl Destination<Self, T>, padding: Padding<T>) {
        to.copy(self, padding);
    }

    /// Copies the array to a new buffer with the layout `B`; its padding holds the default value (0 for
    /// numbers).
    ///
    /// It does not compile for a layout of other dimensions or another element type.
    ///
    /// # Panics
    /// If the array does not fit in 2⁶³−1 bytes with the padding of `B`, where sizes are known at run
    /// time only.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type Host = layout!(F32[3,5]);
    /// let host: Vec<f32> = (0..15).map(|number| number as f32).collect();
    /// let device = View::<Host, f32>::new(&host)?.to_layout::<layout!(F32[3,5]{1,0:T(2,2)})>();
    /// assert_eq!(device[[2, 3]], 13.0);
    /// assert_eq!(device.as_slice()[17], 13.0);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn to_layout<B>(&self) -> Buffer<B, T>
    where
        L: SameArray<B>,
        B: AnyLayout,
        T: StoredIn<B> + Default,
    {
        let () = T::HAS_SIZE;
        let (from, to, unused) = (self.layout(), counterpart::<L, B>(&self.layout()), T::default());
        Buffer::of_written(to, unused, |memory| {
            let slots = CopiedSlots::of_uninit(T::PLAIN_HERE, self.as_slice(), memory, unused);
            copy_sized::<L, B, T>(from, to, slots)
        })
    }
}
