//! Notations by their names, for macros and commands.

use core::fmt;

use crate::digit_order::{NotExpressible, NotThisLayout};
use crate::notation::{Cute, Einops, Jax, Mosaic, OneDnn, Packs, Tvm, TvmTile};
use layout_core::{ArrayShape, Error};

/// The notations that have a name: their types, their names in `layout!` and in the command, and a text of each as a macro
/// takes it.
macro_rules! notations {
    ($($type:ident $name:literal $example:literal;)*) => {
        named! {
            /// A notation that says the layout of an array whose element type and sizes are given apart.
            ///
            /// # Examples
            /// ```
            /// use layout_notation::notation::Notation;
            ///
            /// let notation = Notation::from_name("onednn").unwrap();
            /// let shape = notation.read("nChw16c")?.layout(&"f32[2,40,5,7]".parse()?)?;
            /// assert_eq!(shape.to_string(), "f32[2,40,5,7]{3,2,1,0:T(16,1,1)}");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[non_exhaustive]
            pub enum Notation {
                $(#[doc = concat!("[`", stringify!($type), "`].")] $type = $name,)*
            }
        }

        /// A text of one of the notations, read by [`Notation::read`].
        #[derive(Clone, Copy, Debug)]
        #[allow(clippy::large_enum_variant, reason = "it needs no heap")]
        #[non_exhaustive]
        pub enum AnyNotation {
            $(#[doc = concat!("[`", stringify!($type), "`].")] $type($type),)*
        }

        impl Notation {
            /// A text of it as a macro takes it, for messages: a name, or a text in quotes.
            pub const fn example(self) -> &'static str {
                match self {
                    $(Notation::$type => $example,)*
                }
            }

            /// Reads a text.
            ///
            /// # Errors
            /// If the text is not one of the notation.
            pub fn read(self, text: &str) -> Result<AnyNotation, Error> {
                match self {
                    $(Notation::$type => text.parse().map(AnyNotation::$type),)*
                }
            }

            /// The layout of an array in it.
            ///
            /// # Errors
            /// If the notation does not express the layout.
            ///
            /// # Examples
            /// ```
            /// use layout_notation::notation::Notation;
            ///
            /// let shape: layout::ArrayShape = "f32[2,40,5,7]{3,2,1,0:T(16,1,1)}".parse()?;
            /// assert_eq!(Notation::OneDnn.of(&shape)?.to_string(), "aBcd16b");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn of(self, shape: &ArrayShape) -> Result<AnyNotation, NotExpressible> {
                match self {
                    $(Notation::$type => $type::of(shape).map(AnyNotation::$type),)*
                }
            }
        }

        impl AnyNotation {
            /// The array laid out as the text says. Its own order, tiles and `PAD` are dropped.
            ///
            /// # Errors
            /// If the text does not say a layout of the array.
            pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
                match self {
                    $(AnyNotation::$type(read) => read.layout(array),)*
                }
            }
        }

        impl fmt::Display for AnyNotation {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(AnyNotation::$type(said) => said.fmt(f),)*
                }
            }
        }
    };
}

notations! {
    OneDnn "onednn" "nChw16c";
    Tvm "tvm" "NCHW16c";
    Einops "einops" r#""(h 8) (w 128) -> h w 8 128""#;
    Cute "cute" r#""((2,2),(2,3)):((2,12),(1,4))""#;
    Packs "pack" r#""inner_dims_pos = [0, 1] inner_tiles = [8, 128]""#;
    Mosaic "mosaic" r##""#tpu.tiled<(8,128),[2,1]>""##;
    Jax "jax" r#""Layout(major_to_minor=(0, 1), tiling=((8, 128),))""#;
    TvmTile "tvm_tile" r#""TileLayout(S[(8, 64) : (64, 1)])""#;
}
