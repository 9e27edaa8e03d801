//! Copying whole arrays whose elements take whole bytes.

use layout_copy::Settings;

use crate::array::{same_array::SameArray, with_dims::WithDims};
use crate::compiled::StaticLayout;
use crate::copies::{
    door::copier::Copier, door::dest::Dest as _, door::dest::DestSlots, error::CopyError,
    padding::Padding, run,
};
use crate::memory::stored::StoredIn;

/// Copies an array from the layout `A` to the layout `B`, its elements stored as `T`.
///
/// It reads the first `A::PADDED_ELEMENTS` elements of the source, and writes the first `B::PADDED_ELEMENTS` of the
/// destination; `padding` says what it writes to the padding among them, a value or a [`Padding`]. The rest of the destination is not
/// changed. The plan of the copy is a constant. Where code is optimised, arrays of up to some kilobytes are copied by loops in the
/// caller's code, as fast as by loops by hand; in a `const`, use [`copy_const`](crate::copies::copy_const). For larger ones there are kernels:
/// with the feature `std` they use the best vectors of the machine, found at run time, and with `rayon` several threads.
///
/// It does not compile for layouts of other dimensions or another element type. For sizes that are known only at run time, and for a
/// `Vec` or uninitialised memory as the destination, use [`Copier`](crate::Copier); for elements narrower than a byte
/// [`Memory::copy_to`](crate::Memory::copy_to).
///
/// # Errors
/// If a slice is too short. If there is padding, `padding` is `Zero`, or `Declared` with a `FILL`, and `T` is a type of your own, whose 0
/// nobody knows: give the value. Nothing is written then.
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
/// # Ok::<(), layout::CopyError>(())
/// ```
#[inline]
pub fn copy<A: SameArray<B> + StaticLayout, B: StaticLayout, T: StoredIn<A> + StoredIn<B>>(
    src: &[T],
    dst: &mut [T],
    padding: impl Into<Padding<T>>,
) -> Result<(), CopyError> {
    let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
    Copier::<A, B>::copy((WithDims::known(), WithDims::known()), src, dst, padding)
}

/// For tests: copies as [`copy`] does, by kernels with the vectors and the threads that the settings say; arrays of all sizes.
///
/// # Errors
/// Those of [`copy`].
///
/// # Examples
/// On this thread alone, whatever the size:
/// ```
/// use layout::__private::copy_with;
/// use layout::copies::Settings;
/// use layout::{Padding, layout};
///
/// type Host = layout!(F32[3,5]);
/// type Device = layout!(F32[3,5]{1,0:T(2,2)});
/// let host: Vec<f32> = (0..15).map(|number| number as f32).collect();
/// let mut device = [1.0; Device::PADDED_ELEMENTS];
/// let alone = Settings { threads: Some(false), ..Settings::default() };
/// copy_with::<Host, Device, _>(&host, &mut device, Padding::Zero, &alone)?;
/// assert_eq!(device.iter().sum::<f32>(), 105.0);
/// # Ok::<(), layout::CopyError>(())
/// ```
pub fn copy_with<A: SameArray<B> + StaticLayout, B: StaticLayout, T: StoredIn<A> + StoredIn<B>>(
    src: &[T],
    dst: &mut [T],
    padding: impl Into<Padding<T>>,
    settings: &Settings,
) -> Result<(), CopyError> {
    let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
    let constant = run::constant::<WithDims<A>, WithDims<B>, T>();
    let (of_a, of_b) = (WithDims::<A>::known(), WithDims::<B>::known());
    let src = CopyError::source(src, of_a.padded_elements())?;
    dst.write(DestSlots::of(src, &of_b, padding)?, |slots| constant.copy(slots, settings))
}
