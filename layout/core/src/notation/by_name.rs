//! Notations by their names, for macros and commands.

use crate::digit_order::error::LayoutError;
use crate::notation::{Cute, Einops, OneDnn, Packs, Tvm};
use crate::shape::array::ArrayShape;

/// A notation that says the layout of an array whose element type and sizes are given apart.
///
/// # Examples
/// ```
/// use layout::notation::Notation;
///
/// let notation = Notation::from_name("onednn").unwrap();
/// let shape = notation.layout("nChw16c", &"f32[2,40,5,7]".parse()?)?;
/// assert_eq!(shape.to_string(), "f32[2,40,5,7]{3,2,1,0:T(16,1,1)}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// [`OneDnn`].
    OneDnn,
    /// [`Tvm`].
    Tvm,
    /// [`Einops`].
    Einops,
    /// [`Cute`].
    Cute,
    /// [`Packs`].
    Packs,
}

impl Notation {
    /// All of them.
    pub const ALL: [Notation; 5] =
        [Notation::OneDnn, Notation::Tvm, Notation::Einops, Notation::Cute, Notation::Packs];

    /// Its name in `layout!` and in the command.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::OneDnn => "onednn",
            Notation::Tvm => "tvm",
            Notation::Einops => "einops",
            Notation::Cute => "cute",
            Notation::Packs => "pack",
        }
    }

    /// The notation with this name; case does not matter.
    pub fn from_name(name: &str) -> Option<Notation> {
        Notation::ALL.into_iter().find(|notation| notation.name().eq_ignore_ascii_case(name))
    }

    /// A text of it as a macro takes it, for messages: a name, or a text in quotes.
    pub const fn example(self) -> &'static str {
        match self {
            Notation::OneDnn => "nChw16c",
            Notation::Tvm => "NCHW16c",
            Notation::Einops => r#""(h 8) (w 128) -> h w 8 128""#,
            Notation::Cute => r#""((2,2),(2,3)):((2,12),(1,4))""#,
            Notation::Packs => r#""inner_dims_pos = [0, 1] inner_tiles = [8, 128]""#,
        }
    }

    /// The array laid out as a text says. Its own order, tiles and `PAD` are dropped.
    ///
    /// # Errors
    /// If the text is not one of the notation, or says no layout of the array.
    pub fn layout(self, text: &str, array: &ArrayShape) -> Result<ArrayShape, LayoutError> {
        match self {
            Notation::OneDnn => text.parse::<OneDnn>()?.layout(array),
            Notation::Tvm => text.parse::<Tvm>()?.layout(array),
            Notation::Einops => text.parse::<Einops>()?.layout(array),
            Notation::Cute => text.parse::<Cute>()?.layout(array),
            Notation::Packs => text.parse::<Packs>()?.layout(array),
        }
    }
}
