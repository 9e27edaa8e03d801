//! What a copy writes to the padding of its destination.

use layout_copy::__private::{PaddingPlan, Plain};
use layout_core::Size;

use crate::copies::error::CopyError;
use crate::memory::place::mapping::{Form, Mapping};
use layout_copy::__private::{fill, fill_elements};

/// What a copy writes to padding: the slots of the destination that hold no element, since tiles extend
/// past the array, or because of `PAD` or `L`.
///
/// # Examples
/// ```
/// use layout::{Padding, copy, layout};
///
/// type Host = layout!(S32[3]);
/// type Device = layout!(S32[3]{0:PAD(4)FILL(highest)});
/// let mut device = [7; 4];
/// copy::<Host, Device, _>(&[1, 2, 3], &mut device, Padding::Leave)?;
/// assert_eq!(device, [1, 2, 3, 7]);
/// copy::<Host, Device, _>(&[1, 2, 3], &mut device, Padding::Declared)?;
/// assert_eq!(device, [1, 2, 3, i32::MAX]);
/// // A value alone is `Padding::Fill` of it.
/// copy::<Host, Device, _>(&[1, 2, 3], &mut device, 9)?;
/// assert_eq!(device, [1, 2, 3, 9]);
/// # Ok::<(), layout::CopyError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding<T> {
    /// All bits zero: 0 for numbers (2⁻¹²⁷ for `F8E8M0FNU`, which has no 0).
    Zero,
    /// Nothing: these slots keep what they hold. In memory that held nothing, they become [`Zero`](Self::Zero).
    Leave,
    /// This value.
    Fill(T),
    /// The value of the layout's `FILL(..)`, in the padding of tiles and of `L` too. The lowest and the
    /// highest value of a float are infinities if the type has them. Nothing is written without `FILL`,
    /// with `FILL(unknown)`, and with the lowest or highest value of complex numbers, which have none.
    Declared,
}

impl<T> From<T> for Padding<T> {
    fn from(value: T) -> Self {
        Padding::Fill(value)
    }
}

impl<T: Copy + 'static> Padding<T> {
    /// The value to write to the padding of a place, if it has some; `declared` gives the bits that its layout declares.
    #[inline(always)]
    pub(crate) fn value(
        self,
        has_padding: bool,
        declared: impl FnOnce() -> Option<u128>,
    ) -> Result<Option<T>, CopyError> {
        let bits = match self {
            _ if !has_padding => None,
            Padding::Leave => None,
            Padding::Fill(value) => return Ok(Some(value)),
            Padding::Zero => Some(0),
            Padding::Declared => declared(),
        };
        match bits {
            Some(bits) => Plain::of_bits(bits).map(Some).ok_or(CopyError::NoPadding),
            None => Ok(None),
        }
    }
}

/// The value to write to the padding of a place.
#[inline(always)]
pub(super) fn padding_at<T: Copy + 'static>(
    place: &impl Mapping,
    padding: Padding<T>,
) -> Result<Option<T>, CopyError> {
    padding.value(place.has_padding(), || place.declared())
}

/// Writes a value to the slots that hold no element, before those that do are written.
pub(super) fn fill_padding<M: Mapping, T: Copy + 'static>(to: &M, dst: &mut [T], value: T) {
    if matches!(M::FORM, Form::Strides) {
        // All memory between elements is someone else's.
        return;
    }
    with_padding_plan(to, size_of_val(dst), |plan| fill(plan, dst.len(), dst, value));
}

/// The plan of a place's padding; `None` if it takes longer than to write all `bytes`.
pub(super) fn with_padding_plan(
    to: &impl Mapping,
    bytes: usize,
    then: impl FnOnce(Option<&PaddingPlan>),
) {
    if bytes <= FILLED_WHOLE {
        return then(None);
    }
    to.with_digits(|digits, _, _| {
        then(PaddingPlan::new(&digits.view(), to.slots() as Size).as_ref())
    });
}

/// Bytes up to which it takes no longer to fill all slots than to plan where those without an element are.
///
/// | all ÷ padding alone, `f32` to `T(8,128)` (AMD Zen 5) | 51 KiB | 102 KiB | 204 KiB | 409 KiB | 1.2 MiB |
/// |---|---|---|---|---|---|
/// | rows of 100; of 300 | 0.7 | 0.8 | 1.0 | 1.1 | 1.2 |
/// | rows of 30 | | | 0.6 | 0.6 | |
pub(super) const FILLED_WHOLE: usize = 256 << 10;

/// Writes a value to the padding of elements of `size` bytes, each made by `of`.
pub(super) fn pad<B: Copy + 'static>(
    padding: Option<&PaddingPlan>,
    size: usize,
    dst: &mut [B],
    value: u128,
    of: fn(u8) -> B,
) {
    // Bytes past those of the value are 0.
    let bytes = value.to_le_bytes();
    let last = if cfg!(target_endian = "big") { size - 1 } else { 0 };
    fill_elements(padding, [size, 1], dst, |element| {
        for (at, to) in element.iter_mut().enumerate() {
            *to = of(bytes.get(at.abs_diff(last)).map_or(0, |byte| *byte));
        }
    });
}
