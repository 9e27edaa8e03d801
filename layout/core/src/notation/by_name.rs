//! Notations by their names, for macros and commands.
#![allow(
    clippy::result_large_err,
    clippy::large_enum_variant,
    reason = "an error keeps a part of the text and needs no heap"
)]

use core::fmt;

use crate::digit_order::DigitOrderError;
use crate::fault::error::Error;
use crate::notation::{OneDnn, Tvm};
use crate::shape::array::ArrayShape;

/// A notation that says the layout of an array whose element type and sizes are given apart.
///
/// # Examples
/// ```
/// use layout_core::notation::Notation;
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
}

/// Why a text of a [`Notation`] is no layout of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutError {
    /// The text is not one of the notation.
    Text(Error),
    /// The layout is none of the array.
    Order(DigitOrderError),
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayoutError::Text(error) => error.fmt(f),
            LayoutError::Order(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for LayoutError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            LayoutError::Text(error) => Some(error),
            LayoutError::Order(error) => Some(error),
        }
    }
}

impl From<Error> for LayoutError {
    fn from(error: Error) -> Self {
        LayoutError::Text(error)
    }
}

impl From<DigitOrderError> for LayoutError {
    fn from(error: DigitOrderError) -> Self {
        LayoutError::Order(error)
    }
}

impl Notation {
    /// All of them.
    pub const ALL: [Notation; 2] = [Notation::OneDnn, Notation::Tvm];

    /// Its name in `layout!` and in the command.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::OneDnn => "onednn",
            Notation::Tvm => "tvm",
        }
    }

    /// The notation with this name.
    pub fn from_name(name: &str) -> Option<Notation> {
        Notation::ALL.into_iter().find(|notation| notation.name() == name)
    }

    /// A text of it, for messages.
    pub const fn example(self) -> &'static str {
        match self {
            Notation::OneDnn => "nChw16c",
            Notation::Tvm => "NCHW16c",
        }
    }

    /// The array laid out as a text says. Its own order, tiles and `PAD` are dropped.
    ///
    /// # Errors
    /// If the text is not one of the notation, or says no layout of the array.
    pub fn layout(self, text: &str, array: &ArrayShape) -> Result<ArrayShape, LayoutError> {
        Ok(match self {
            Notation::OneDnn => text.parse::<OneDnn>()?.layout(array)?,
            Notation::Tvm => text.parse::<Tvm>()?.layout(array)?,
        })
    }
}
