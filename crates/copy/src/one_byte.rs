//! Types that hold one element of less than a byte.

/// How an element becomes a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extend {
    /// Zeros.
    Zeros,
    /// Copies of the highest bit.
    Sign,
    /// Of the element, one bit counts.
    One,
}

/// Types that hold one sub-byte element per byte: `u8`, `i8` and `bool`.
///
/// # Examples
/// ```
/// use layout::copies::OneByte;
/// use layout::element;
/// use layout::types::StoredAs;
///
/// fn stores_s4<T: OneByte + StoredAs<element::S4>>() {}
///
/// stores_s4::<i8>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold one packed element",
    label = "expected `u8`, `i8` or `bool`",
    note = "unsigned integers and floats are unpacked to `u8`, signed integers to `i8`, `PRED` to `bool` or `u8`"
)]
pub trait OneByte: sealed::OneByte + Copy + 'static {
    #[doc(hidden)]
    const EXTEND: Extend;

    #[doc(hidden)]
    fn byte(self) -> u8;
}

impl OneByte for u8 {
    const EXTEND: Extend = Extend::Zeros;

    fn byte(self) -> u8 {
        self
    }
}

impl OneByte for i8 {
    // Only signed integers are stored as `i8`.
    const EXTEND: Extend = Extend::Sign;

    fn byte(self) -> u8 {
        self as u8
    }
}

impl OneByte for bool {
    const EXTEND: Extend = Extend::One;

    fn byte(self) -> u8 {
        u8::from(self)
    }
}

mod sealed {
    #[allow(unnameable_types, reason = "it is sealed")]
    pub trait OneByte {}

    impl OneByte for u8 {}
    impl OneByte for i8 {}
    impl OneByte for bool {}
}
