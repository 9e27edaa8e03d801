//! Packed formats by their names: as values ([`PackedFormat`]) and as types.
//!
//! The type of a format is an alias of [`Array`](crate::Array) with its sizes as parameters and, where it holds several, with its
//! element type: `Marlin<4096, 4096>`, `NChw16c<BF16, 1, 64, 56, 56>`. Where the format takes multiples alone, another size
//! does not compile: `Marlin<60, 4096>` is an error where a constant or a function of it is used. The page `docs/formats.md` of the repository lists all
//! formats with their layouts.
//!
//! # Examples
//! ```
//! use layout::packed_format::{Fragment, Marlin, MmaM16n8k16A, PackedFormat};
//! use layout::{ArrayShape, PackedView, element::F16};
//!
//! type Weights = Marlin<64, 128>;
//! assert_eq!(Weights::TEXT, "u4[64,128]{1,0:T(16,8)(8,1)(8,2,1,2,1)(2,2,1,1,1)E(4)}");
//! let bytes = [0x21; 64 * 128 / 2];
//! let weights = PackedView::<Weights>::new(&bytes)?;
//! assert_eq!((weights.get([0, 0]), weights.get([8, 0])), (Some(1), Some(2)));
//!
//! // An operand in registers: the element at an offset is a value of a lane.
//! type A = Fragment<MmaM16n8k16A<F16>>;
//! const LANE: usize = A::lane_of([10, 7]);
//! assert_eq!((LANE, A::value_of([10, 7]), A::VALUES), (11, 3, 8));
//!
//! // At run time, and for layouts that come from elsewhere.
//! let shape: ArrayShape = "bf16[64,64]{0,1:T(64,32)(64,2)}".parse()?;
//! assert!(PackedFormat::of(&shape).any(|format| format.name() == "BA16a64b2a"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod amd;
mod fragment;
mod ggml;
mod instruction;
mod nvidia;
mod one_dnn;
mod tensor;
mod weights;

#[doc(inline)]
pub use layout_core::packed_format::{
    BlockFormat, BlockPart, Family, PackedFormat, PackedFormatError, Spread, TiledLayout,
    TiledLayoutError, UNSAYABLE, Unsayable,
};

pub use amd::*;
pub use fragment::Fragment;
pub use ggml::*;
pub use instruction::*;
pub use nvidia::*;
pub use one_dnn::*;
pub use tensor::*;
pub use weights::*;

/// Aliases: the name of the format, the alias with its parameters and the sizes of an example, the element type, the
/// dimensions, what these have to be multiples of, the order, the tiles and the bits of an element if they are fewer than
/// a byte.
macro_rules! named {
    ($(
        $(#[doc = $doc:literal])*
        $name:literal $alias:ident<$($parameter:ident = $example:tt),*> =
            $element:ident[$($dim:expr),*] $(of ($($multiple:literal),*))?
                [$($order:literal),*] [$($tile:tt)*] $(E($bits:literal))?;
    )*) => {
        $($crate::packed_format::alias! {
            [$(#[doc = $doc])* #[doc = ""] #[doc = concat!("Named `", $name, "` as a [`PackedFormat`](super::PackedFormat).")]]
            $alias<$($parameter = $example),*> =
                $element[$($dim),*] [$($order),*] [$($tile)*] [$($bits)?] [$($($multiple),*)?]
        })*

        /// The aliases at the sizes of the examples.
        #[doc(hidden)]
        #[inline]
        pub(crate) fn types() -> &'static [$crate::packed_format::Named] {
            &[$($crate::packed_format::Named {
                format: $name,
                alias: stringify!($alias),
                text: $crate::packed_format::example!($alias<$($parameter = $example),*>),
                multiples: &[$($($multiple),*)?],
            }),*]
        }
    };
}

macro_rules! alias {
    (
        [$(#[$attribute:meta])*] $alias:ident<E = $of:ident $(, $size:ident = $example:literal)*> =
            $element:ident[$($dim:expr),*] [$($order:literal),*] [$(($($tile:literal),*))*] [$($bits:literal)?] [$($multiple:literal),*]
    ) => {
        $(#[$attribute])*
        pub type $alias<E, $(const $size: usize),*> = $crate::Array<
            E,
            ($($crate::types::C<$dim>,)*),
            ($($crate::types::C<$order>,)*),
            $crate::types::Tiles<($(($($crate::types::C<$tile>,)*),)*)>,
            $crate::packed_format::properties!([$($bits)?] [$($multiple),*]),
        >;
    };
    (
        [$(#[$attribute:meta])*] $alias:ident<$($size:ident = $example:literal),*> =
            $element:ident[$($dim:expr),*] [$($order:literal),*] [$(($($tile:literal),*))*] [$($bits:literal)?] [$($multiple:literal),*]
    ) => {
        $(#[$attribute])*
        pub type $alias<$(const $size: usize),*> = $crate::Array<
            $crate::element::$element,
            ($($crate::types::C<$dim>,)*),
            ($($crate::types::C<$order>,)*),
            $crate::types::Tiles<($(($($crate::types::C<$tile>,)*),)*)>,
            $crate::packed_format::properties!([$($bits)?] [$($multiple),*]),
        >;
    };
}

macro_rules! properties {
    ([$($bits:literal)?] []) => { ($($crate::property::ElementSize<$bits>,)?) };
    ([$($bits:literal)?] [$($multiple:literal),*]) => {
        $crate::property::MultiplesOf<
            ($($crate::property::ElementSize<$bits>,)?),
            ($($crate::types::C<$multiple>,)*),
        >
    };
}

macro_rules! example {
    ($alias:ident<E = $of:ident $(, $size:ident = $example:literal)*>) => {
        <$alias<$crate::element::$of, $($example),*>>::TEXT
    };
    ($alias:ident<$($size:ident = $example:literal),*>) => {
        <$alias<$($example),*>>::TEXT
    };
}

use {alias, example, named, properties};

/// A type of a format, for tests.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Named {
    pub format: &'static str,
    pub alias: &'static str,
    /// The type's text at the sizes of its example.
    pub text: &'static str,
    /// What its sizes have to be multiples of; nothing if they can be any.
    pub multiples: &'static [usize],
}

/// All types of formats.
#[doc(hidden)]
#[inline]
pub fn all_types() -> impl Iterator<Item = Named> {
    let families = [
        one_dnn::types(),
        ggml::types(),
        weights::types(),
        tensor::types(),
        instruction::types(),
        nvidia::types(),
        amd::types(),
    ];
    families.into_iter().flatten().copied()
}
