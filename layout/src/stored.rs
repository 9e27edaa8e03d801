//! Which Rust types store the elements of which XLA type.

use crate::element::{self, Element};

/// A Rust type whose values are elements of the XLA type `E` in memory.
///
/// Implemented for the numbers of Rust, for bytes that hold the 8-bit floats or types narrower than
/// a byte, for `u16` as the bits of 16-bit floats, and for arrays of two numbers as complex
/// ones. For a type of your own, implement it: `impl StoredAs<element::F8E4M3FN> for MyFloat {}`.
///
/// The size is checked apart, since `E(n)` can ask for another one: a view whose elements have
/// another size than its layout's does not compile.
#[diagnostic::on_unimplemented(
    message = "elements of type `{E}` are not stored as `{Self}`",
    label = "another type stores `{E}`",
    note = "`F32` is stored as `f32`, `S32` as `i32`, `PRED` as `bool` or `u8`, 16-bit floats as `u16`"
)]
pub trait StoredAs<E: Element>: Copy + 'static {}

macro_rules! stored {
    ($($stored:ty: $($element:ident)*;)*) => {
        $($(
            #[diagnostic::do_not_recommend]
            impl StoredAs<element::$element> for $stored {}
        )*)*
    };
}

stored! {
    bool: PRED;
    u8: PRED U1 U2 U4 U8 F4E2M1FN F6E2M3FN F6E3M2FN F8E3M4 F8E4M3 F8E4M3FN F8E4M3FNUZ F8E4M3B11FNUZ
        F8E5M2 F8E5M2FNUZ F8E8M0FNU;
    i8: S1 S2 S4 S8;
    u16: PRED U16 F16 BF16;
    i16: S16;
    u32: PRED U32;
    i32: S32;
    f32: F32;
    u64: U64;
    i64: S64;
    f64: F64;
    [f32; 2]: C64;
    [f64; 2]: C128;
}

#[cfg(feature = "half")]
stored! {
    half::f16: F16;
    half::bf16: BF16;
}
