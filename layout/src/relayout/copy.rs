//! Copying whole arrays whose elements take whole bytes.

mod short_digits;

use layout_copy::__private::Plan;
use layout_copy::bitcast::OtherArray;
use layout_core::__private::{DigitsView, native};
use layout_core::{ArrayShape, Fault, Index, Size};

use crate::array::same_array::{SameArray, known_digits};
use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, StaticLayout};
#[cfg(feature = "alloc")]
use crate::memory::buffer::Buffer;
use crate::memory::stored::StoredIn;
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::relayout::copier::copy_sized;
use crate::relayout::copy::short_digits::ShortDigits;
use crate::relayout::destination::Destination;
use crate::relayout::error::RelayoutError;
use crate::relayout::inline::{copy_known, is_inlined};
use crate::relayout::padding::{Padded, Padding, declared};
#[cfg(feature = "alloc")]
use crate::relayout::uninit;
use layout_copy::__private::{Copying, InlineMemory, Kernels, Memory, PreparedPlan, fill};
use layout_copy::Settings;

/// A copy between two layouts of one array, planned once for each pair.
pub(super) trait Planned<B: AnyLayout>: SameArray<B> {
    #[doc(hidden)]
    const PLAN: Plan =
        Plan::new(known_digits::<Self>(), known_digits::<B>(), Self::ELEMENT_BYTES as Size);
    #[doc(hidden)]
    const PREPARED: &'static PreparedPlan = &PreparedPlan::of(Self::PLAN);
    /// A constant of its own: pairs with the same kernels share it.
    #[doc(hidden)]
    const KERNELS: &'static Kernels = &Kernels::of(&Self::PLAN, Self::ELEMENT_BYTES);
    #[doc(hidden)]
    const ELEMENT_BYTES: usize = if Self::BITS.is_multiple_of(8) { Self::BITS / 8 } else { 0 };
    /// Both layouts, where the plan does not say it all.
    #[doc(hidden)]
    const SHORT_DIGITS: &'static Option<[DigitsView<'static>; 2]> =
        &general_digits::<Self, B>(&Self::PLAN);
}

impl<A: SameArray<B>, B: AnyLayout> Planned<B> for A {}

/// The digits of a layout in few bytes, which programs hold.
trait Shortened: AnyLayout {
    const SHORT: &'static Option<ShortDigits> = &ShortDigits::new(known_digits::<Self>());
}

impl<L: AnyLayout + ?Sized> Shortened for L {}

/// The digits of both layouts, if the plan is a general one.
pub(super) const fn general_digits<A, B>(plan: &Plan) -> Option<[DigitsView<'static>; 2]>
where
    A: AnyLayout + ?Sized,
    B: AnyLayout,
{
    if plan.is_general() { Some([short_digits::<A>(), short_digits::<B>()]) } else { None }
}

const fn short_digits<L: AnyLayout + ?Sized>() -> DigitsView<'static> {
    match L::SHORT {
        Some(short) => short.view(),
        None => known_digits::<L>().view(),
    }
}

/// Copies an array from the layout `A` to the layout `B`, its elements stored as `T`.
///
/// It reads the first `A::PADDED_ELEMENTS` elements of the source, and writes the first `B::PADDED_ELEMENTS` of the
/// destination; `padding` says what it writes to the padding among them. The rest of the destination is not changed. The
/// plan of the copy is a constant. Where code is optimised, arrays of up to some kilobytes are copied by loops in the caller's
/// code, as fast as by loops by hand; in a `const`, use [`relayout_const`](crate::relayout_const). For larger ones there are
/// kernels: with the feature `std` they use the best vectors of the machine, found at run time, and with `rayon` several threads.
///
/// It does not compile for layouts of other dimensions or another element type. For sizes that are known only at run time
/// use [`Copier`](crate::Copier) or [`View::relayout_to`]; for elements narrower than a byte [`pack`](crate::pack()) and [`unpack`](crate::unpack()).
///
/// # Errors
/// If a slice is too short; nothing is written then.
///
/// # Panics
/// If `T` is a type of your own without [`of_bits`](crate::StoredAs::of_bits), and `padding` is `Zero`, or `Declared` with
/// a `FILL`.
///
/// # Examples
/// ```
/// use layout::{Padding, layout, relayout};
///
/// type Host = layout!(F32[3,5]);
/// type Device = layout!(F32[3,5]{1,0:T(2,2)});
/// let host: Vec<f32> = (0..15).map(|number| number as f32).collect();
/// let mut device = [1.0; Device::PADDED_ELEMENTS];
/// relayout::<Host, Device, f32>(&host, &mut device, Padding::Zero)?;
/// assert_eq!(device[..10], [0.0, 1.0, 5.0, 6.0, 2.0, 3.0, 7.0, 8.0, 4.0, 0.0]);
///
/// let mut back = [0.0; 15];
/// relayout::<Device, Host, f32>(&device, &mut back, Padding::Leave)?;
/// assert_eq!(back[..], host);
/// # Ok::<(), layout::RelayoutError>(())
/// ```
#[track_caller]
pub fn relayout<A, B, T>(src: &[T], dst: &mut [T], padding: Padding<T>) -> Result<(), RelayoutError>
where
    A: SameArray<B> + StaticLayout,
    B: StaticLayout,
    T: StoredIn<A> + StoredIn<B>,
{
    let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
    let src = RelayoutError::source(src, A::SLOTS)?;
    let dst = RelayoutError::destination(dst, B::SLOTS)?;
    copy_planned::<A, B, T>(src, dst, padding);
    Ok(())
}

/// Copies as [`relayout`] does, by kernels with the vectors, the kind of stores and the threads that the settings say; arrays of
/// all sizes.
///
/// # Errors
/// If a slice is too short; nothing is written then.
///
/// # Panics
/// Under the conditions of [`relayout`].
///
/// # Examples
/// Leaves the copy in the caches, since it is read at once:
/// ```
/// use layout::copies::{Settings, relayout_with};
/// use layout::{Padding, layout};
///
/// type Host = layout!(F32[3,5]);
/// type Device = layout!(F32[3,5]{1,0:T(2,2)});
/// let host: Vec<f32> = (0..15).map(|number| number as f32).collect();
/// let mut device = [1.0; Device::PADDED_ELEMENTS];
/// let read_at_once = Settings { streams: Some(false), ..Settings::default() };
/// relayout_with::<Host, Device, f32>(&host, &mut device, Padding::Zero, &read_at_once)?;
/// assert_eq!(device.iter().sum::<f32>(), 105.0);
/// # Ok::<(), layout::RelayoutError>(())
/// ```
#[track_caller]
pub fn relayout_with<A, B, T>(
    src: &[T],
    dst: &mut [T],
    padding: Padding<T>,
    settings: &Settings,
) -> Result<(), RelayoutError>
where
    A: SameArray<B> + StaticLayout,
    B: StaticLayout,
    T: StoredIn<A> + StoredIn<B>,
{
    let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
    let src = RelayoutError::source(src, A::SLOTS)?;
    let dst = RelayoutError::destination(dst, B::SLOTS)?;
    copy_by_kernels::<A, B, T>(src, dst, padding_of::<B, T>(padding), settings);
    Ok(())
}

/// Copies by a plan that is a constant. The slices are as long as the layouts ask.
#[inline]
#[track_caller]
fn copy_planned<A, B, T>(src: &[T], dst: &mut [T], padding: Padding<T>)
where
    A: SameArray<B>,
    B: AnyLayout,
    T: StoredIn<B>,
{
    let padding = padding_of::<B, T>(padding);
    if const { is_inlined::<A, B>(native(B::DIGITS.elements()), size_of::<T>()) }
        && copy_known::<A, B, T>(InlineMemory::of(src, dst), padding)
    {
        return;
    }
    copy_by_kernels::<A, B, T>(src, dst, padding, &Settings::default());
}

/// What is written to the padding of a layout whose sizes are known, if it has any.
#[track_caller]
fn padding_of<B: AnyLayout, T: StoredIn<B>>(padding: Padding<T>) -> Option<T> {
    match const { B::SLOTS as Size > B::DIGITS.elements() } {
        true => padding.value::<B>(declared::<B>),
        false => None,
    }
}

/// Copies by the kernels, as planned.
fn copy_by_kernels<A, B, T>(src: &[T], dst: &mut [T], padding: Option<T>, settings: &Settings)
where
    A: SameArray<B>,
    B: AnyLayout,
    T: StoredIn<B>,
{
    if let Some(value) = padding {
        fill(B::PADDING, B::SLOTS, dst, value);
    }
    let memory = Memory::of(T::PLAIN_HERE, src, dst);
    let (prepared, kernels) = (<A as Planned<B>>::PREPARED, <A as Planned<B>>::KERNELS);
    let copying = Copying::of(prepared, kernels, <A as Planned<B>>::SHORT_DIGITS.as_ref());
    // A program has the kernels and the walk of its plans alone.
    if const { <A as Planned<B>>::PLAN.is_general() } {
        copying.run_general(memory, size_of::<T>(), settings);
    } else {
        copying.run_loops(memory, size_of::<T>(), settings);
    }
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
        Err(fault) => has_no_room(&fault),
    }
}

/// The other layout of an array.
#[inline(always)]
#[track_caller]
pub(super) fn counterpart<A: SameArray<B>, B: AnyLayout>(layout: &WithDims<A>) -> WithDims<B> {
    match WithDims::<B>::checked_sizes(A::same_sizes(layout.sizes())) {
        Ok(layout) => layout,
        Err(fault) => has_no_room(&fault),
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn has_no_room(fault: &Fault) -> ! {
    panic!("{fault}")
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
    // Of a bounded dimension only the valid elements are copied.
    if const { size_of::<A::Sizes>() == 0 } {
        copy_planned::<A, B, T>(from.as_slice(), to.as_mut_slice(), padding);
    } else {
        let (of_a, of_b) = (WithDims::of(from.sizes()), WithDims::of(to.sizes()));
        copy_sized::<A, B, T>(of_a, of_b, from.as_slice(), to.as_mut_slice(), padding);
    }
}

impl<L: AnyLayout, T> View<'_, L, T> {
    /// Copies the array to a view or a buffer of another layout, or to a slice of one ([`Destination`]), without allocating; see
    /// [`relayout`](crate::relayout()). A slice as the destination has no padding: see
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
        let layout = counterpart::<L, B>(&WithDims::of(self.sizes()));
        Buffer::of_written(layout, T::default(), |memory| {
            uninit::copy_view(self, &layout, memory, T::default())
        })
    }
}
