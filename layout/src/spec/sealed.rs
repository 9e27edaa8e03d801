//! What keeps other crates from implementing the traits that `unsafe` code relies on.

/// A part of a layout's type, or ranges of coordinates: types of this crate, tuples and arrays.
///
/// Memory hands out elements without a check because the sizes of a layout stay what they are, and
/// because ranges are in bounds. An implementation in another crate could break both without `unsafe`.
///
/// ```compile_fail
/// struct Mine;
/// impl layout::walks::Ranges<[usize; 2]> for Mine {
///     fn within(&self, _: &[usize; 2]) -> Result<[[usize; 2]; 2], layout::walks::SliceError> {
///         Ok([[0, 0], [1000, 1000]])
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot implement a trait of a layout's parts",
    label = "only types of `layout` do",
    note = "`unsafe` code relies on what these traits say"
)]
#[allow(unnameable_types, reason = "sealed")]
pub trait Sealed {}

// They hold one packed element.
impl Sealed for u8 {}
impl Sealed for i8 {}
impl Sealed for bool {}
