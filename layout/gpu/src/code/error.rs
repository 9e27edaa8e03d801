//! Why a language cannot have the functions of a layout.

use core::fmt;

use layout_core::base::text::{Part, Text};
use layout_core::{Size, Visible};

use crate::code::language::Language;

/// Why a layout cannot be written as code: what is wrong with the name, the width of an index or the size of the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CodeError {
    /// The name is not an ASCII letter, then letters, digits and single underscores.
    Name(Name),
    /// The name, or one that is made of it, means something else in the language.
    ReservedName {
        /// The word that is reserved.
        name: Name,
        /// The language.
        language: Language,
    },
    /// An index has 32 or 64 bits, and in some languages 32 alone.
    IndexBits {
        /// The bits that were asked for.
        bits: usize,
        /// The language.
        language: Language,
    },
    /// The slots of memory, or the elements along a dimension, are more than an index of 32 bits counts.
    TooLarge {
        /// How many there are; where sizes are known at run time only, the least possible.
        size: Size,
        /// The dimension, if it is one that is too large.
        dim: Option<usize>,
        /// The language.
        language: Language,
    },
}

/// The most slots that an index of 32 bits counts.
pub(crate) const MOST_32: Size = u32::MAX as Size;

/// A name that cannot be one, cut off after 60 bytes.
#[derive(Clone, Copy)]
pub struct Name(Text<64>);

impl Name {
    pub(crate) const fn new(name: &str) -> Name {
        let mut end = if name.len() > 60 { 60 } else { name.len() };
        while !name.is_char_boundary(end) {
            end -= 1;
        }
        let rest = if end < name.len() { ".." } else { "" };
        Name(text!(name.split_at(end).0, rest))
    }

    /// The name.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Name {}

const WELL_FORMED: &str = "write an ASCII letter, then letters, digits and single underscores, \
                           and no underscore at the end";

impl CodeError {
    /// The message, for a `const` that stops the build.
    #[doc(hidden)]
    #[must_use]
    pub const fn line(&self) -> Text<320> {
        let mut text = Text::new();
        match self {
            CodeError::Name(name) => {
                let name = Part::Quoted(name.as_str());
                say!(text, name, " cannot be the name: ", WELL_FORMED);
            }
            CodeError::ReservedName { name, language } => {
                let name = Part::Quoted(name.as_str());
                say!(text, name, " is reserved in ", language.name(), ": choose another name");
            }
            CodeError::IndexBits { bits, language } => {
                say!(text, "there is no index of ", *bits, " bits in ", language.name());
                say!(
                    text,
                    match language {
                        Language::Mlir => ": leave the width out, maps count in `index`",
                        _ if language.has_64_bits() => ": ask for 32 or 64",
                        _ => ": leave the width out, or ask for 32",
                    }
                );
            }
            CodeError::TooLarge { size, dim, language } => {
                match dim {
                    None => say!(text, "the layout takes ", *size, " slots"),
                    Some(dim) => say!(text, "dimension ", *dim, " has ", *size, " elements"),
                }
                say!(text, ", and an index of 32 bits counts 4294967295: ");
                if language.has_64_bits() {
                    say!(text, "ask for 64 bits (`index_bits(64)`, `--index-bits 64`)");
                } else {
                    let name = language.name();
                    say!(text, "split the array, since ", name, " has no integers of 64 bits");
                }
            }
        }
        text
    }
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Visible(self.line().as_str()).fmt(f)
    }
}

impl core::error::Error for CodeError {}
