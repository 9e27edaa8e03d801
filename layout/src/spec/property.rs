//! The properties of a layout as types.
//!
//! A layout's properties are a tuple of these in XLA's order; `layout!` writes it.

use core::marker::PhantomData;

use layout_core::__private::PropertyValue;
use layout_core::{Fill, Size, SwizzleUnit};

use crate::spec::element::{Bits, OwnWidth};
use crate::spec::list::{NumberList, NumberType, constants, shorter};
use crate::spec::sealed::Sealed;

/// A property of a layout.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a property of a layout",
    note = "properties are in `layout::types::property`"
)]
pub trait Property: Sealed + 'static {
    #[doc(hidden)]
    const VALUE: PropertyValue<'static>;
    /// The size of an element in memory, if the property says it, or else what the others say.
    #[doc(hidden)]
    type ElementWidth<Else>;
    /// The property alone if it says the size of an element in memory, or else what the others say.
    #[doc(hidden)]
    type ElementSize<Else: Properties>: Properties;
}

/// A property that leaves the elements where sizes, order and tiles put them, and adds no memory. `E` is the type of the
/// elements.
#[diagnostic::on_unimplemented(
    message = "expected a layout whose sizes, order and tiles determine its memory, found one with `{Self}`",
    label = "this layout has padding or a swizzle of its own",
    note = "`PAD` and `L` add memory, and a swizzle moves elements: leave them out of the layout; a kernel that finds elements by `offset` or by walks can take `LooselyTiledBy` instead of `TiledBy`"
)]
pub trait AddsNoMemory<E> {}

/// `PAD(3,5)`: widths to which the dimensions are padded before tiling, a tuple of `C<N>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pad<W>(PhantomData<W>);

/// `FILL(zero)`: what stands in the padding of `PAD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FillWith<V>(PhantomData<V>);

/// What stands in padding: a type of this module.
pub trait FillType: Sealed + 'static {
    #[doc(hidden)]
    const FILL: Fill;
}

macro_rules! fills {
    ($($name:ident $text:literal,)*) => {$(
        #[doc = concat!("`FILL(", $text, ")`.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name;

        impl Sealed for $name {}

        impl FillType for $name {
            const FILL: Fill = Fill::$name;
        }
    )*};
}

fills! {
    Zero "zero",
    One "one",
    Lowest "lowest",
    Highest "highest",
    Unknown "unknown",
}

/// `L(N)`: the number of elements in memory is rounded up to a multiple of `N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TailAlignment<const N: usize>;

/// `E(N)`: an element takes `N` bits in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ElementSize<const N: usize>;

/// What `layout!` writes for an `E(N)` that does not hold the elements, so that the compiler warns.
#[deprecated(
    note = "this `E` gives elements fewer bits than their type has, which XLA accepts; `#[allow(deprecated)]` if it is meant"
)]
#[doc(hidden)]
pub type TooFewBits<const N: usize> = ElementSize<N>;

/// `S(N)`: the memory space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Space<const N: i8>;

/// `SC(0:16)(1:8)`: split configurations, a tuple of `Split`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Splits<S>(PhantomData<S>);

/// One split configuration: a physical dimension (0 the most major) and a tuple of indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Split<D, I>(PhantomData<(D, I)>);

/// One split configuration.
pub trait SplitType: Sealed + 'static {
    #[doc(hidden)]
    const SPLIT: (usize, &'static [Size]);
}

impl<D, I> Sealed for Split<D, I> {}

impl<D: NumberType, I: NumberList> SplitType for Split<D, I> {
    const SPLIT: (usize, &'static [Size]) = (D::NUMBER, I::AS_SIZES);
}

/// Split configurations: a tuple of `Split`.
pub trait SplitList: 'static {
    #[doc(hidden)]
    const SPLITS: &'static [(usize, &'static [Size])];
}

/// `M(N)`: bytes of metadata before the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MetadataPrefix<const N: usize>;

/// `swizzle = bytes<B,M,S>`, and `128B` for `SwizzleBytes<3, 4, 3>`: CuTe's `Swizzle<B,M,S>` on offsets in bytes. It is
/// the last property, and not one of XLA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SwizzleBytes<const B: u8, const M: u8, const S: i8>;

/// `swizzle = elements<B,M,S>`: CuTe's `Swizzle<B,M,S>` on offsets in elements. It is the last property, and not one of
/// XLA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SwizzleElements<const B: u8, const M: u8, const S: i8>;

macro_rules! properties {
    ($([$($of:tt)*] $property:ty: $value:expr, $width:ty, $size:ty;)*) => {$(
        impl<$($of)*> Sealed for $property {}

        impl<$($of)*> Property for $property {
            const VALUE: PropertyValue<'static> = $value;
            type ElementWidth<Else> = $width;
            type ElementSize<Else: Properties> = $size;
        }
    )*};
}

properties! {
    [W: NumberList] Pad<W>: PropertyValue::Padding(W::AS_SIZES), Else, Else;
    [V: FillType] FillWith<V>: PropertyValue::Fill(V::FILL), Else, Else;
    [const N: usize] TailAlignment<N>: PropertyValue::TailAlignment(N as Size), Else, Else;
    [const N: usize] ElementSize<N>:
        PropertyValue::ElementSize(N as Size), Bits<N>, (Self,);
    [const N: i8] Space<N>: PropertyValue::MemorySpace(N), Else, Else;
    [S: SplitList] Splits<S>: PropertyValue::Splits(S::SPLITS), Else, Else;
    [const N: usize] MetadataPrefix<N>: PropertyValue::MetadataPrefix(N as Size), Else, Else;
    [const B: u8, const M: u8, const S: i8] SwizzleBytes<B, M, S>:
        PropertyValue::Swizzle(SwizzleUnit::Bytes, (B, M, S)), Else, Else;
    [const B: u8, const M: u8, const S: i8] SwizzleElements<B, M, S>:
        PropertyValue::Swizzle(SwizzleUnit::Elements, (B, M, S)), Else, Else;
}

#[diagnostic::do_not_recommend]
impl<V, E> AddsNoMemory<E> for FillWith<V> {}

impl<const N: usize, E> AddsNoMemory<E> for ElementSize<N> where Bits<N>: OwnWidth<E> {}

#[diagnostic::do_not_recommend]
impl<const N: i8, E> AddsNoMemory<E> for Space<N> {}

#[diagnostic::do_not_recommend]
impl<S, E> AddsNoMemory<E> for Splits<S> {}

#[diagnostic::do_not_recommend]
impl<const N: usize, E> AddsNoMemory<E> for MetadataPrefix<N> {}

/// The properties of a layout: a tuple in XLA's order.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of properties",
    note = "properties are a tuple of types of `layout::types::property`"
)]
pub trait Properties: 'static {
    #[doc(hidden)]
    const VALUES: &'static [PropertyValue<'static>];
    /// The size of an element in memory: what `E(n)` says, or else `Own`.
    #[doc(hidden)]
    type ElementWidth<Own>;
    /// The one that says the size of an element in memory, if there is one.
    #[doc(hidden)]
    type ElementSize: Properties;
    /// What the sizes of the dimensions have to be multiples of, dimension 0 first; nothing if they can be any.
    #[doc(hidden)]
    const MULTIPLES: &'static [Size] = &[];
}

/// The properties `P` of a layout whose sizes have to be multiples of `M`, a tuple of `C<N>`, dimension 0 first: those of
/// a packed format (of the crate `tiled-layout-formats`) that takes no others. The text does not show it.
///
/// # Examples
/// ```
/// use layout::types::property::MultiplesOf;
/// use layout::types::C;
/// use layout::{Array, element::U4, order, tiles};
///
/// /// Rows in blocks of 16.
/// type Blocks<const ROWS: usize> =
///     Array<U4, (C<ROWS>, C<64>), order!(1, 0), tiles!((16,64)), MultiplesOf<(), (C<16>, C<1>)>>;
/// assert_eq!(Blocks::<32>::ELEMENTS, 32 * 64);
/// ```
/// ```compile_fail
/// # use layout::types::property::MultiplesOf;
/// # use layout::types::C;
/// # use layout::{Array, element::U4, order, tiles};
/// # type Blocks<const ROWS: usize> =
/// #     Array<U4, (C<ROWS>, C<64>), order!(1, 0), tiles!((16,64)), MultiplesOf<(), (C<16>, C<1>)>>;
/// let elements = Blocks::<60>::ELEMENTS; // 60 is not a multiple of 16
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MultiplesOf<P, M>(PhantomData<(P, M)>);

#[diagnostic::do_not_recommend]
impl<P: Properties, M: NumberList> Properties for MultiplesOf<P, M> {
    const VALUES: &'static [PropertyValue<'static>] = P::VALUES;
    type ElementWidth<Own> = P::ElementWidth<Own>;
    type ElementSize = P::ElementSize;
    const MULTIPLES: &'static [Size] = M::AS_SIZES;
}

impl<E, P: AddNoMemory<E>, M> AddNoMemory<E> for MultiplesOf<P, M> {}

/// Properties each of which [`AddsNoMemory`].
pub trait AddNoMemory<E> {}

macro_rules! said {
    ($what:ident or $else:ty;) => { $else };
    ($what:ident or $else:ty; $first:ident $($rest:ident)*) => {
        $first::$what<said!($what or $else; $($rest)*)>
    };
}

macro_rules! lists {
    ($($p:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($p: Property),*> Properties for ($($p,)*) {
            const VALUES: &'static [PropertyValue<'static>] = &[$($p::VALUE),*];
            type ElementWidth<Own> = said!(ElementWidth or Own; $($p)*);
            type ElementSize = said!(ElementSize or (); $($p)*);
        }

        impl<Element, $($p: AddsNoMemory<Element>),*> AddNoMemory<Element> for ($($p,)*) {}
    };
}

shorter! { lists A B C D E F G H }

shorter! { constants [SplitList::SPLITS of SplitType::SPLIT: (usize, &'static [Size]);] A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 }
