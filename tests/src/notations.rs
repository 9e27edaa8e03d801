//! The other notations as values: what each writes of a layout, and how it is read.

use std::fmt::Display;
use std::str::FromStr;

use layout::{ArrayShape, Error};
use layout_notation::notation::{
    Cute, Einops, Jax, Mosaic, NotExpressible, NotThisLayout, OneDnn, Packs, Tvm,
};

/// A notation.
#[derive(Debug)]
pub struct Notation {
    /// Its name in messages.
    pub name: &'static str,
    /// Whether it says how much memory there is after the last element.
    pub says_end: bool,
    /// The text of a layout.
    pub of: fn(&ArrayShape) -> Result<String, NotExpressible>,
    /// Reads a text.
    pub read: fn(&str) -> Result<Read, Error>,
}

/// A text that was read.
#[allow(missing_debug_implementations, reason = "it has a function")]
pub struct Read {
    /// What it prints as.
    pub printed: String,
    layout: Box<LayoutOf>,
}

type LayoutOf = dyn Fn(&ArrayShape) -> Result<ArrayShape, NotThisLayout>;

impl Read {
    /// The layout that it gives an array.
    ///
    /// # Errors
    /// If it says none of the array.
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        (self.layout)(array)
    }
}

fn read<T: FromStr<Err = Error> + Display + 'static>(
    text: &str,
    layout: fn(&T, &ArrayShape) -> Result<ArrayShape, NotThisLayout>,
) -> Result<Read, Error> {
    let read = text.parse::<T>()?;
    Ok(Read { printed: read.to_string(), layout: Box::new(move |array| layout(&read, array)) })
}

macro_rules! notations {
    ($($name:literal: $type:ident::$of:ident, $says_end:literal;)*) => {
        &[$(Notation {
            name: $name,
            says_end: $says_end,
            of: |shape| $type::$of(shape).map(|said| said.to_string()),
            read: |text| read(text, $type::layout),
        }),*]
    };
}

/// Those that print what they read.
pub const ALL: &[Notation] = notations! {
    "oneDNN": OneDnn::of, true;
    "TVM": Tvm::of, true;
    "einops": Einops::of, true;
    "CuTe": Cute::of, false;
    "CuTe, padded": Cute::padded_of, false;
    "Mosaic": Mosaic::of, false;
    "packs": Packs::of, true;
    "JAX": Jax::of, true;
};

/// The notation of a name.
///
/// # Panics
/// If there is none.
pub fn named(name: &str) -> &'static Notation {
    let found = ALL.iter().find(|notation| notation.name == name);
    found.unwrap_or_else(|| panic!("there is no notation {name}"))
}
