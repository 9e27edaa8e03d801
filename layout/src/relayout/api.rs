//! What users call.

use core::fmt;

use layout_core::__private::PaddingPlan;
use layout_core::{Digits, Fill};

use super::{Copying, Settings, fill};
use crate::any::{self, AnyLayout, stop};
use crate::array::Array;
use crate::element::Element;
use crate::list::{DimList, NumberList};
use crate::property::Properties;
use crate::stored::StoredAs;
use crate::tiles::TileSpec;
use crate::view::{View, ViewMut};

/// A layout of the same array as `B`: with the same dimensions and the same element type, however
/// either lies in memory.
///
/// # Examples
/// ```
/// use layout::{AnyLayout, SameArray, layout};
///
/// fn slots_apart<A: SameArray<B>, B: AnyLayout>() {}
///
/// slots_apart::<layout!(F32[3,5]), layout!(F32[3,5]{0,1:T(2,2)})>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{B}` are not layouts of one array",
    label = "other dimensions or another element type",
    note = "an array keeps its dimensions and its element type from one layout to another"
)]
// That the index and the element type are the same is left to the implementation: said here too, they
// could not be told apart from what `Layout<R>` says of them in generic code.
pub trait SameArray<B: AnyLayout>: AnyLayout {
    /// The sizes of the dimensions, which are the same for `B`.
    #[doc(hidden)]
    fn same_sizes(sizes: Self::Sizes) -> B::Sizes;

    /// The copy, for elements of so many bytes as `Self` has, if all sizes are known.
    #[doc(hidden)]
    const COPYING: &'static Copying<'static> = &Copying::new(
        known_digits::<Self>(),
        known_digits::<B>(),
        if Self::VALUE.element_bits().is_multiple_of(8) {
            Self::VALUE.element_bits() / 8
        } else {
            0
        },
    );
}

#[diagnostic::do_not_recommend]
impl<E, D, M, T, P, M2, T2, P2> SameArray<Array<E, D, M2, T2, P2>> for Array<E, D, M, T, P>
where
    E: Element,
    D: DimList,
    M: NumberList,
    T: TileSpec,
    P: Properties,
    M2: NumberList,
    T2: TileSpec,
    P2: Properties,
{
    fn same_sizes(sizes: D::Sizes) -> D::Sizes {
        sizes
    }
}

/// The digits, where all sizes are known: only then is a plan that is a constant used.
const fn known_digits<L: AnyLayout + ?Sized>() -> &'static Digits {
    if L::IS_FIXED { L::DIGITS } else { &Digits::SCALAR }
}

/// How to write the padding of a layout.
pub(super) trait Padded: AnyLayout {
    const PADDING: Option<&'static PaddingPlan> =
        match &PaddingPlan::new(known_digits::<Self>(), Self::SLOTS) {
            Some(plan) => Some(plan),
            None => None,
        };
}

impl<L: AnyLayout> Padded for L {}

/// What is written to the slots of the destination that hold no element: those of tiles that stick
/// out, of `PAD` and of `L`.
///
/// # Examples
/// ```
/// use layout::{Padding, layout, relayout};
///
/// type Host = layout!(S32[3]);
/// type Device = layout!(S32[3]{0:PAD(4)FILL(highest)});
/// let mut device = [7; 4];
/// relayout::<Host, Device, i32>(&[1, 2, 3], &mut device, Padding::Leave)?;
/// assert_eq!(device, [1, 2, 3, 7]);
/// relayout::<Host, Device, i32>(&[1, 2, 3], &mut device, Padding::Declared)?;
/// assert_eq!(device, [1, 2, 3, i32::MAX]);
/// # Ok::<(), layout::RelayoutError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding<T> {
    /// All bits zero, which of numbers is 0 (of `F8E8M0FNU`, which has no 0, it is 2⁻¹²⁷).
    Zero,
    /// Nothing: these slots keep what they hold.
    Leave,
    /// This value.
    Fill(T),
    /// The value that the layout's `FILL(..)` says, in the padding of tiles and of `L` too. The lowest
    /// and the highest value of a float are infinities if the type has them. Without `FILL`, with
    /// `FILL(unknown)`, and with the lowest or highest of complex numbers, which have none, nothing
    /// is written.
    Declared,
}

impl<T: Copy> Padding<T> {
    /// The value to write to a layout's padding.
    #[track_caller]
    pub(super) fn value<L: AnyLayout>(self) -> Option<T>
    where
        T: StoredAs<L::ElementKind>,
    {
        let bits = match self {
            Padding::Leave => return None,
            Padding::Fill(value) => return Some(value),
            Padding::Zero => Some(0),
            Padding::Declared => declared::<L>(),
        };
        let value = T::of_bits(bits?);
        assert!(
            value.is_some(),
            "the type of the elements does not say its values: implement `StoredAs::of_bits` or write `Padding::Fill`"
        );
        value
    }
}

/// Bits of the value that a layout declares for its padding.
pub(super) fn declared<L: AnyLayout>() -> Option<u128> {
    L::VALUE.fill().and_then(|fill: Fill| fill.bits(L::ElementKind::TYPE))
}

/// One of the two sides of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What is read.
    Source,
    /// What is written.
    Destination,
}

/// A slice that is too short for its layout. Its numbers are elements, for packed elements bytes.
///
/// # Examples
/// ```
/// use layout::{Padding, Side, layout, relayout};
///
/// type A = layout!(F32[3,5]);
/// type B = layout!(F32[3,5]{1,0:T(2,2)});
/// let error = relayout::<A, B, f32>(&[0.0; 15], &mut [0.0; 15], Padding::Zero).unwrap_err();
/// assert_eq!((error.side, error.needed, error.given), (Side::Destination, 24, 15));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RelayoutError {
    /// Which one it is; the source, if both are.
    pub side: Side,
    /// What the layout needs, padding counted.
    pub needed: usize,
    /// What was given.
    pub given: usize,
}

impl RelayoutError {
    /// The first `needed` of a source.
    pub(super) fn source<T>(src: &[T], needed: usize) -> Result<&[T], RelayoutError> {
        let given = src.len();
        src.get(..needed).ok_or(RelayoutError { side: Side::Source, needed, given })
    }

    /// The first `needed` of a destination.
    pub(super) fn destination<T>(dst: &mut [T], needed: usize) -> Result<&mut [T], RelayoutError> {
        let given = dst.len();
        dst.get_mut(..needed).ok_or(RelayoutError { side: Side::Destination, needed, given })
    }
}

impl fmt::Display for RelayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RelayoutError { side, needed, given } = self;
        let side = match side {
            Side::Source => "source",
            Side::Destination => "destination",
        };
        write!(
            f,
            "the layout of the {side} needs a slice of {needed}, padding counted, and got one of {given}"
        )
    }
}

impl core::error::Error for RelayoutError {}

/// Copies an array from the layout `A` to the layout `B`, its elements stored as `T`.
///
/// The first `A::PADDED_ELEMENTS` of the source are read and the first `B::PADDED_ELEMENTS` of the
/// destination written, the padding among them as `padding` says; what lies behind is not touched.
/// The plan of the copy is a constant. With the feature `std` the best vectors of the machine are
/// found at run time, and with `rayon` large arrays are spread over its threads.
///
/// It does not compile for layouts of other dimensions or another element type.
///
/// # Errors
/// If a slice is too short; nothing is written then.
///
/// # Panics
/// If `T` is a type of your own without [`of_bits`](StoredAs::of_bits), and the padding is asked to be
/// `Zero` or `Declared` with a `FILL`.
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
    A: SameArray<B>,
    B: AnyLayout,
    T: StoredAs<B::ElementKind>,
{
    const { check::<A, B, T>() };
    copy::<A, B, T>(src, dst, padding, &Settings::default())
}

/// [`relayout`] as the settings say.
///
/// # Errors
/// If a slice is too short.
#[track_caller]
pub fn relayout_with<A, B, T>(
    src: &[T],
    dst: &mut [T],
    padding: Padding<T>,
    settings: &Settings,
) -> Result<(), RelayoutError>
where
    A: SameArray<B>,
    B: AnyLayout,
    T: StoredAs<B::ElementKind>,
{
    const { check::<A, B, T>() };
    copy::<A, B, T>(src, dst, padding, settings)
}

#[track_caller]
fn copy<A, B, T>(
    src: &[T],
    dst: &mut [T],
    padding: Padding<T>,
    settings: &Settings,
) -> Result<(), RelayoutError>
where
    A: SameArray<B>,
    B: AnyLayout,
    T: StoredAs<B::ElementKind>,
{
    let src = RelayoutError::source(src, A::SLOTS)?;
    let dst = RelayoutError::destination(dst, B::SLOTS)?;
    copy_planned::<A, B, T>(src, dst, padding, settings);
    Ok(())
}

/// Stops the build if elements have another size than the type that stores them, or if not all sizes are
/// known.
#[track_caller]
const fn check<A: AnyLayout, B: AnyLayout, T>() {
    any::both_known::<A, B>();
    let bits = 8 * size_of::<T>();
    if bits != A::VALUE.element_bits() || bits != B::VALUE.element_bits() {
        stop(
            "a layout's elements have another size in memory than this type: see `ELEMENT_BITS`; `pack` and `unpack` copy elements narrower than a byte",
        );
    }
}

/// Copies by a plan that is a constant. The slices are as long as the layouts ask.
#[track_caller]
fn copy_planned<A, B, T>(src: &[T], dst: &mut [T], padding: Padding<T>, settings: &Settings)
where
    A: SameArray<B>,
    B: AnyLayout,
    T: StoredAs<B::ElementKind>,
{
    if const { B::SLOTS > B::DIGITS.elements() }
        && let Some(value) = padding.value::<B>()
    {
        fill(B::PADDING, B::SLOTS, dst, value);
    }
    A::COPYING.run(<T as StoredAs<B::ElementKind>>::PLAIN, src, dst, settings);
}

/// Writes the padding of a view, given its digits.
#[track_caller]
pub(crate) fn fill_padding<L, T>(digits: &Digits, to: &mut ViewMut<'_, L, T>, padding: Padding<T>)
where
    L: AnyLayout,
    T: StoredAs<L::ElementKind>,
{
    let slots = to.as_slice().len();
    if slots > digits.elements()
        && let Some(value) = padding.value::<L>()
    {
        fill(PaddingPlan::new(digits, slots).as_ref(), slots, to.as_mut_slice(), value);
    }
}

/// Copies by a plan that is made for sizes known at run time only.
#[track_caller]
fn copy_sized<A, B, T>(from: &View<'_, A, T>, to: &mut ViewMut<'_, B, T>, padding: Padding<T>)
where
    A: SameArray<B>,
    B: AnyLayout,
    T: StoredAs<B::ElementKind>,
{
    let [src, dst] = [any::digits::<A>(&from.sizes()), any::digits::<B>(&to.sizes())];
    fill_padding(&dst, to, padding);
    let copying = Copying::new(&src, &dst, size_of::<T>());
    let plain = <T as StoredAs<B::ElementKind>>::PLAIN;
    copying.run(plain, from.as_slice(), to.as_mut_slice(), &Settings::default());
}

impl<L: AnyLayout, T> View<'_, L, T> {
    /// Copies the array to a view with the layout `B`, without allocating; see
    /// [`relayout`](crate::relayout()).
    ///
    /// It does not compile for a layout of other dimensions or another element type. Where sizes are
    /// known at run time only, the plan of the copy is made for each call.
    ///
    /// # Panics
    /// If `T` is a type of your own without [`of_bits`](StoredAs::of_bits), and the padding is asked
    /// to be `Zero` or `Declared` with a `FILL`. If the views have other sizes, of dimensions whose sizes
    /// are known at run time only.
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
    #[track_caller]
    pub fn relayout_to<B>(&self, to: &mut ViewMut<'_, B, T>, padding: Padding<T>)
    where
        L: SameArray<B>,
        B: AnyLayout,
        T: StoredAs<B::ElementKind>,
    {
        let (from_dims, to_dims) = (self.dims(), to.dims());
        assert_eq!(from_dims.as_ref(), to_dims.as_ref(), "views of one array have the same sizes");
        // Of a bounded dimension only the valid elements are copied.
        if const { size_of::<L::Sizes>() == 0 } {
            copy_planned::<L, B, T>(
                self.as_slice(),
                to.as_mut_slice(),
                padding,
                &Settings::default(),
            );
        } else {
            copy_sized::<L, B, T>(self, to, padding);
        }
    }

    /// The array in a new buffer with the layout `B`, its padding the default value, which of numbers
    /// is 0.
    ///
    /// It does not compile for a layout of other dimensions or another element type.
    ///
    /// # Panics
    /// If the array does not fit in 2⁶³−1 bits with the padding of `B`, where sizes are known at run
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
    pub fn to_layout<B>(&self) -> crate::Buffer<B, T>
    where
        L: SameArray<B>,
        B: AnyLayout,
        T: StoredAs<B::ElementKind> + Default,
    {
        let mut dims = B::ORIGIN;
        dims.as_mut().copy_from_slice(self.dims().as_ref());
        if let Err(error) = B::VALUE.with_dims(dims.as_ref()) {
            panic!("{error}");
        }
        let sizes = B::sizes(&dims);
        let mut buffer = crate::Buffer::of(sizes, T::default(), crate::buffer::ALIGNMENT);
        self.relayout_to::<B>(&mut buffer.as_view_mut(), Padding::Leave);
        buffer
    }
}
