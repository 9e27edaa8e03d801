//! XLA's element types as types, under XLA's names in upper case.

use layout_copy::OneByte;
use layout_core::ElementType;

use crate::spec::sealed::Sealed;

/// An element type of XLA.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of XLA",
    note = "element types are in `layout::element`"
)]
pub trait Element: Sealed + 'static {
    /// The element type as a value.
    const TYPE: ElementType;

    /// The size of an element in a layout without `E(n)`: its width, rounded up to whole bytes.
    type InMemory;

    /// The Rust type that stores an element by default: `f32` for `F32`, `bool` for `PRED`, `u16` for 16-bit floats, `u8`
    /// for 8-bit floats, `[f32; 2]` for `C64`.
    type Stored: Copy + Default + 'static;

    /// The type as which packed elements are read: `i8` for signed integers, `u8` for all others (the bits of floats).
    type Packed: PackedValue;
}

/// A type as which packed elements are read: `i8` for signed integers, `u8` for all others.
pub trait PackedValue:
    OneByte + Sealed + Copy + core::fmt::Debug + PartialEq + Send + Sync + 'static
{
    /// The value of an element of this many bits.
    #[doc(hidden)]
    fn of_bits(bits: u8, width: u32) -> &'static Self;

    /// The low bits of a value; `None` if it needs more.
    #[doc(hidden)]
    fn to_bits(self, width: u32) -> Option<u8>;
}

impl PackedValue for u8 {
    #[inline(always)]
    fn of_bits(bits: u8, _: u32) -> &'static u8 {
        static VALUES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        &VALUES[usize::from(bits) % VALUES.len()]
    }

    #[inline(always)]
    fn to_bits(self, width: u32) -> Option<u8> {
        (self >> width == 0).then_some(self)
    }
}

impl PackedValue for i8 {
    #[inline(always)]
    fn of_bits(bits: u8, width: u32) -> &'static i8 {
        static VALUES: [i8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1];
        let unused = 8 - width;
        let extended = ((bits << unused) as i8 >> unused) as u8;
        &VALUES[usize::from(extended) % VALUES.len()]
    }

    #[inline(always)]
    fn to_bits(self, width: u32) -> Option<u8> {
        let unused = 8 - width;
        (self << unused >> unused == self).then_some(self as u8)
    }
}

/// The number of bits that an element takes in memory, as a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits<const N: usize>;

/// Bits of an element that shares bytes with others: [`Bits<1>`](Bits), `Bits<2>` and `Bits<4>`.
#[diagnostic::on_unimplemented(
    message = "elements that take `{Self}` in memory are not packed",
    label = "expected a layout with `E(1)`, `E(2)` or `E(4)`",
    note = "`E(4)` packs elements to 4 bits, as in `layout!(S4[3,5]{{1,0:E(4)}})`; a `View` reads elements of whole bytes",
    note = "generic code asks for it by `L: AnyLayout<Width: PackedWidth>`"
)]
pub trait PackedWidth: Sealed {}

impl<const N: usize> Sealed for Bits<N> {}
impl PackedWidth for Bits<1> {}
impl PackedWidth for Bits<2> {}
impl PackedWidth for Bits<4> {}

/// Bits that elements of the type `E` take where the layout has no `E(n)`.
#[diagnostic::on_unimplemented(
    message = "expected a layout whose elements of `{E}` have their own size, found one whose `E(n)` gives them `{Self}`",
    label = "another size of the elements",
    note = "leave `E(n)` out of the layout; a kernel for elements of another size can take `LooselyTiledBy` instead of `TiledBy`"
)]
pub trait OwnWidth<E> {}

macro_rules! in_bytes {
    ($($bits:literal => $in_bytes:literal,)*) => {$(
        impl sealed::InBytes for Bits<$bits> {
            type InMemory = Bits<$in_bytes>;
        }
    )*};
}

// Listed, since the documentation shows a calculation in a type as it is written.
in_bytes! { 1 => 8, 2 => 8, 4 => 8, 8 => 8, 16 => 16, 32 => 32, 64 => 64, 128 => 128, }

pub(crate) mod sealed {
    #![allow(unnameable_types, reason = "steps that compute types of `Element`, which users name")]

    /// The type as which packed elements of this type are read.
    pub trait PackedAs {
        type Packed: super::PackedValue;
    }

    /// The type that stores an element by default.
    pub trait StoredBy {
        type Stored: Copy + Default + 'static;
        type Packed: super::PackedValue;
    }

    /// Bits of a type, rounded up to whole bytes.
    pub trait InBytes {
        type InMemory;
    }
}

macro_rules! define {
    ($($variant:ident $name:literal $bits:literal ($values:expr),)*) => {$(
        #[doc = concat!("`", $name, "`: ", $bits, "-bit elements.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $variant;

        impl Sealed for $variant {}

        impl Element for $variant {
            const TYPE: ElementType = ElementType::$variant;
            type InMemory = <Bits<$bits> as sealed::InBytes>::InMemory;
            type Stored = <$variant as sealed::StoredBy>::Stored;
            type Packed = <$variant as sealed::StoredBy>::Packed;
        }

        #[diagnostic::do_not_recommend]
        impl OwnWidth<$variant> for <Bits<$bits> as sealed::InBytes>::InMemory {}
    )*};
}

layout_core::__for_each_element_type!(define);
