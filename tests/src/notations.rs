//! The other notations by their names: what each writes of a layout, and how it is read.

use layout::{ArrayShape, Error};
use layout_notation::notation::{AnyNotation, Cute, NotExpressible, Notation};

/// A notation, or CuTe's with the padding of each dimension.
#[derive(Clone, Copy, Debug)]
pub struct Writer {
    /// Its name in messages and tables.
    pub name: &'static str,
    notation: Notation,
}

/// All of them.
pub fn all() -> impl Iterator<Item = Writer> {
    let named = Notation::ALL.iter().map(|own| Writer { name: own.name(), notation: *own });
    named.chain([Writer { name: "cute, padded", notation: Notation::Cute }])
}

/// The one with this name.
///
/// # Panics
/// If there is none.
pub fn named(name: &str) -> Writer {
    all().find(|own| own.name == name).unwrap_or_else(|| panic!("there is no notation {name}"))
}

impl Writer {
    /// Whether it says how much memory there is after the last element.
    pub fn says_end(&self) -> bool {
        !matches!(self.notation, Notation::Cute | Notation::Mosaic | Notation::TvmTile)
    }

    /// The text of a layout.
    ///
    /// # Errors
    /// If it does not express the layout.
    pub fn of(&self, shape: &ArrayShape) -> Result<String, NotExpressible> {
        if self.name == self.notation.name() {
            return self.notation.of(shape).map(|said| said.to_string());
        }
        Cute::padded_of(shape).map(|said| said.to_string())
    }

    /// Reads a text.
    ///
    /// # Errors
    /// If the text is not one of the notation.
    pub fn read(&self, text: &str) -> Result<AnyNotation, Error> {
        self.notation.read(text)
    }
}
