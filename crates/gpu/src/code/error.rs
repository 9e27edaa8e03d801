//! Why a language cannot have the functions of a layout.

use core::fmt;

use layout_core::base::text::{Piece, Text};
use layout_core::{Size, Visible};

use crate::code::language::Language;

reasons! {
    /// Why a layout cannot be written as code: what is wrong with the name, the width of an index or the size of the layout.
    pub enum CodeError {
        /// The name is not an ASCII letter, then letters, digits and single underscores.
        Name(name: Name) => Piece::Quoted(name.as_str()), " cannot be the name: write an ASCII letter, then letters, \
            digits and single underscores, and no underscore at the end";
        /// The name, or one that is made of it, means something else in the language.
        ReservedName { name: Name, language: Language } => Piece::Quoted(name.as_str()), " is reserved in ", language.name(),
            ": choose another name";
        /// An index has 32 or 64 bits, and in some languages 32 alone.
        IndexBits { bits: usize, language: Language } => "there is no index of ", bits, " bits in ", language.name(),
            match language {
                Language::Mlir => ": leave the width out, maps count in `index`",
                _ if language.has_64_bits() => ": ask for 32 or 64",
                _ => ": leave the width out, or ask for 32",
            };
        /// The slots of memory, or the elements along a dimension if it names one, are more than an index of 32 bits counts.
        /// Where sizes are known at run time only, `size` is the least possible number.
        TooLarge { size: Size, dim: Option<usize>, language: Language } => &match dim {
            None => phrase!("the layout takes ", size, " slots"),
            Some(dim) => phrase!("dimension ", dim, " has ", size, " elements"),
        }, ", and an index of 32 bits counts 4294967295: ", &match language.has_64_bits() {
            true => phrase!("ask for 64 bits (`index_bits(64)`, `--index-bits 64`)"),
            false => phrase!("split the array, since ", language.name(), " has no integers of 64 bits"),
        };
    }
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

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Visible(self.line().as_str()).fmt(f)
    }
}

impl core::error::Error for CodeError {}
