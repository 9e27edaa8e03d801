//! Packed elements copied where only digits say how, and unpacked all at once.

use layout_copy::__private::bytes_mut;
use layout_copy::__private::packed::{self, Widths};
use layout_copy::OneByte;
use layout_core::__private::native;

use crate::memory::place::mapping::{AtStrides, Mapping, with_digits};

/// Copies elements of which one side at least is narrower than a byte, by a plan of both sides' digits.
pub(crate) fn copied_by_digits(
    from: &impl Mapping,
    to: &impl Mapping,
    widths: Widths,
    (src, dst): (&[u8], &mut [u8]),
) {
    if from.dims().as_ref().contains(&0) {
        return;
    }
    with_digits(from, to, |digits, first, parts| match parts {
        None => packed::copy_from(digits, widths, src, dst, first.map(native)),
        Some(parts) => packed::copy_part(digits, first, parts, widths, src, dst),
    });
}

/// Writes the elements of a place to `values` in row-major order; in memory they have `bits` bits each.
pub(crate) fn unpack<T: OneByte>(
    place: &impl Mapping,
    bytes: &[u8],
    (bits, is_high_first): (usize, bool),
    values: &mut [T],
) {
    let mirrors = [is_high_first, false];
    let widths = Widths { src: bits as u32, dst: 8, fixed: 0, extend: T::EXTEND, mirrors };
    let row_major = AtStrides::row_major(place.dims());
    copied_by_digits(place, &row_major, widths, (bytes, bytes_mut(values)));
}
