//! Which Rust types store the elements of which XLA type.
#![allow(unnameable_types, reason = "steps of bounds")]

// Traits ask, so a packed layout in a plain view is an error under `cargo check`. Only the size of a user's own
// type is checked where code is generated.

use layout_core::__private::Text;
use layout_core::ElementType;

use crate::compiled::{AnyLayout, stop};
use crate::spec::{element, element::Element, layout_types::LayoutTypes};

/// A Rust type that stores elements of the XLA type `E`. Each element takes `W` in memory:
/// [`Bits<N>`](crate::element::Bits), whole bytes.
///
/// Implemented for the numbers of Rust, for bytes that hold the 8-bit floats or types narrower than
/// a byte, for `u16` as the bits of 16-bit floats, and for arrays of two numbers as complex
/// ones. For a type of your own, implement it: `impl StoredAs<element::F8E4M3FN> for MyFloat {}`.
///
/// By default, `W` is the size of the elements in a layout without `E(n)`. With `E(32)`, `PRED` is stored as `u32`, which
/// is `StoredAs<element::PRED, element::Bits<32>>`. In the bounds of generic code, use [`StoredIn<L>`](StoredIn), which
/// takes a layout.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not store elements of `{E}` that take `{W}` in memory",
    label = "another type stores elements of `{E}`, `{W}` each",
    note = "`F32` is stored as `f32`, `S32` as `i32`, `PRED` as `bool` or `u8`, 16-bit floats as `u16`, `S4` one to a byte as `i8`"
)]
pub trait StoredAs<E: Element, W = <E as Element>::InMemory>: Copy + 'static {}

/// A Rust type that stores the elements of the layout `L`: [`StoredAs`] its element type, in the size that they have in it.
///
/// # Examples
/// ```
/// use layout::{Buffer, Layout, layout, types::StoredIn};
///
/// fn ones<L: Layout<2>>() -> Buffer<L, f32>
/// where
///     f32: StoredIn<L>,
/// {
///     Buffer::filled(1.0)
/// }
/// assert_eq!(ones::<layout!(F32[2,3]{0,1})>()[[1, 2]], 1.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not store the elements of this layout",
    note = "`F32` is stored as `f32`, `S32` as `i32`, `PRED` as `bool` or `u8`, 16-bit floats as `u16`, `S4` one to a byte as `i8`",
    note = "generic code asks for this in a bound, as in `where {Self}: StoredIn<L>`"
)]
pub trait StoredIn<L: AnyLayout>: StoredAs<L::Element, L::Width> {
    /// Stops the build if the type has another size than the elements: one of your own can.
    #[doc(hidden)]
    const HAS_SIZE: () = {
        let () = L::VALID;
        let (bits, stored) = (L::BITS, 8 * size_of::<Self>());
        if bits != stored {
            let mut text = Text::<128>::new();
            say!(
                text,
                "elements take ",
                bits,
                " bits in memory, and the type that is said to store them has ",
                stored
            );
            stop(text.as_str())
        }
    };
}

impl<L: AnyLayout, T: StoredAs<L::Element, L::Width>> StoredIn<L> for T {}

/// A Rust type that stores the elements of layouts which are known at run time only: see [`dynamic`](crate::dynamic).
///
/// It is the run-time side of [`StoredAs`], implemented for the same types. For a type of your own, implement it too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not store elements of layouts that are known at run time",
    note = "the numbers of Rust and `bool` do; elements of any type are bits in a `DynBytesView`"
)]
pub trait DynStored: Copy + 'static {
    /// The types of XLA whose elements it can store, each where an element takes as many bits in memory as the type has.
    const ELEMENT_TYPES: &'static [ElementType];
}

/// The type that stores an element of a layout by default.
pub(crate) type DefaultOf<L> = <<L as LayoutTypes>::Element as Element>::Stored;

macro_rules! packed {
    () => {
        u8
    };
    ($packed:ty) => {
        $packed
    };
}

/// Nothing implements it: its message is what the compiler says of packed elements where whole bytes are expected.
#[diagnostic::on_unimplemented(
    message = "elements that take `{Self}` share bytes: own packed memory in a `Vec<u8>` of `A::BYTES`",
    label = "expected a layout whose elements take whole bytes",
    note = "`PackedView::<A>::new(&bytes)` reads it, and `PackedViewMut::<A>::new(&mut bytes)` writes it",
    note = "without `E(n)` each element takes whole bytes: a `Buffer<layout!(U4[3,5])>` has one in each `u8`"
)]
pub trait WholeBytes<E> {}

/// Elements that are stored as `T`.
pub trait AlsoStoredAs<T> {}

/// Implementations that never hold, so that the compiler comes to the message of [`WholeBytes`].
macro_rules! never_stored {
    ($($bits:literal)*) => {$(
        #[doc(hidden)]
        impl<T: element::sealed::PackedAs + Copy + 'static, E: Element> StoredAs<E, element::Bits<$bits>> for T
        where
            element::Bits<$bits>: WholeBytes<E>
        {}
    )*};
}

never_stored! { 1 2 4 }

/// Which Rust types store which elements. `as` gives the type as which packed elements are read, if it is not `u8`. After `|` are
/// elements that another type stores by default.
macro_rules! stored {
    ($($stored:ty $(as $packed:ty)?: $width:literal, $($element:ident)* $(| $($other:ident)*)?;)*) => {$(
        const _: () = assert!($width == 8 * size_of::<$stored>());

        impl element::sealed::PackedAs for $stored {
            type Packed = packed!($($packed)?);
        }

        $(impl element::sealed::StoredBy for element::$element {
            type Stored = $stored;
            type Packed = <$stored as element::sealed::PackedAs>::Packed;
        })*

        #[diagnostic::do_not_recommend]
        impl<E: Element + AlsoStoredAs<$stored>> StoredAs<E, element::Bits<$width>> for $stored {}

        $(impl AlsoStoredAs<$stored> for element::$element {})*
        $($(impl AlsoStoredAs<$stored> for element::$other {})*)?

        impl DynStored for $stored {
            const ELEMENT_TYPES: &'static [ElementType] =
                &[$(ElementType::$element,)* $($(ElementType::$other,)*)?];
        }
    )*};
}

stored! {
    bool: 8, PRED;
    u8: 8, U1 U2 U4 U8 F4E2M1FN F6E2M3FN F6E3M2FN F8E3M4 F8E4M3 F8E4M3FN F8E4M3FNUZ F8E4M3B11FNUZ F8E5M2
        F8E5M2FNUZ F8E8M0FNU | PRED;
    i8 as i8: 8, S1 S2 S4 S8;
    u16: 16, U16 F16 BF16 | PRED;
    i16: 16, S16;
    u32: 32, U32 | PRED;
    i32: 32, S32;
    f32: 32, F32;
    u64: 64, U64;
    i64: 64, S64;
    f64: 64, F64;
    [f32; 2]: 64, C64;
    [f64; 2]: 128, C128;
}

#[cfg(feature = "half")]
stored! {
    half::f16: 16, | F16;
    half::bf16: 16, | BF16;
}
