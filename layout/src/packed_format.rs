//! Packed formats by their names: as values ([`PackedFormat`]) and as types.
//!
//! The type of a format is an alias of [`Array`](crate::Array) with its sizes as parameters and, where it holds several, with its
//! element type: `Marlin<4096, 4096>`, `NChw16c<BF16, 1, 64, 56, 56>`. A type does not check that its sizes are those
//! that the format takes; [`PackedFormat::layout`] does. The page `docs/formats.md` of the repository lists all
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
/// dimensions, the order, the tiles and the bits of an element if they are fewer than a byte.
macro_rules! named {
    ($(
        $(#[doc = $doc:literal])*
        $name:literal $alias:ident<$($parameter:ident = $example:tt),*> =
            $element:ident[$($dim:expr),*] [$($order:literal),*] [$($tile:tt)*] $(E($bits:literal))?;
    )*) => {
        $($crate::packed_format::alias! {
            [$(#[doc = $doc])* #[doc = ""] #[doc = concat!("Named `", $name, "` as a [`PackedFormat`](super::PackedFormat).")]]
            $alias<$($parameter = $example),*> =
                $element[$($dim),*] [$($order),*] [$($tile)*] [$($bits)?]
        })*

        /// The names of the formats, and for the examples the aliases and their texts.
        #[doc(hidden)]
        #[inline]
        pub(crate) fn texts() -> &'static [(&'static str, &'static str, &'static str)] {
            &[$(($name, stringify!($alias), $crate::packed_format::example!($alias<$($parameter = $example),*>))),*]
        }
    };
}

macro_rules! alias {
    (
        [$(#[$attribute:meta])*] $alias:ident<E = $of:ident $(, $size:ident = $example:literal)*> =
            $element:ident[$($dim:expr),*] [$($order:literal),*] [$(($($tile:literal),*))*] [$($bits:literal)?]
    ) => {
        $(#[$attribute])*
        pub type $alias<E, $(const $size: usize),*> = $crate::Array<
            E,
            ($($crate::types::C<$dim>,)*),
            ($($crate::types::C<$order>,)*),
            $crate::types::Tiles<($(($($crate::types::C<$tile>,)*),)*)>,
        >;
    };
    (
        [$(#[$attribute:meta])*] $alias:ident<$($size:ident = $example:literal),*> =
            $element:ident[$($dim:expr),*] [$($order:literal),*] [$(($($tile:literal),*))*] [$($bits:literal)?]
    ) => {
        $(#[$attribute])*
        pub type $alias<$(const $size: usize),*> = $crate::Array<
            $crate::element::$element,
            ($($crate::types::C<$dim>,)*),
            ($($crate::types::C<$order>,)*),
            $crate::types::Tiles<($(($($crate::types::C<$tile>,)*),)*)>,
            ($($crate::property::ElementSize<$bits>,)?),
        >;
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

use {alias, example, named};

/// For tests: the format, the type and its text at the sizes of its example.
#[doc(hidden)]
#[inline]
pub fn texts() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let families = [
        one_dnn::texts(),
        ggml::texts(),
        weights::texts(),
        tensor::texts(),
        instruction::texts(),
        nvidia::texts(),
        amd::texts(),
    ];
    families.into_iter().flatten().copied()
}
