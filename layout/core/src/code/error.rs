//! Why a language cannot have the functions of a layout.

use core::fmt;

use crate::base::text::Text;
use crate::base::visible::Visible;
use crate::code::language::Language;

/// Why there is no text: what is wrong with the name, the width of an index or the size of the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CodeError<'a> {
    /// The name is not made of an ASCII letter, then letters, digits and single underscores.
    Name {
        /// The name.
        name: &'a str,
    },
    /// The name, or one that is made of it, means something else in the language.
    ReservedName {
        /// The name.
        name: &'a str,
        /// What follows it in the reserved word: `""`, or `"_offset"` and the like.
        suffix: &'static str,
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
        size: usize,
        /// The dimension, if it is one that is too large.
        dim: Option<usize>,
        /// The language.
        language: Language,
    },
}

/// The most slots that an index of 32 bits counts.
pub(crate) const MOST_32: u64 = u32::MAX as u64;

impl CodeError<'_> {
    /// The message for a `const` that stops the build; a long name is cut off.
    #[doc(hidden)]
    pub const fn line(&self) -> Text<256> {
        let mut text = Text::new();
        match *self {
            CodeError::Name { name } => {
                text.byte(b'`');
                let mut i = 0;
                while i < name.len() && i < 64 {
                    let byte = name.as_bytes()[i];
                    text.byte(if byte.is_ascii_graphic() { byte } else { b'?' });
                    i += 1;
                }
                text.str("` cannot be the name: ");
                text.str(WELL_FORMED);
            }
            CodeError::ReservedName { name, suffix, language } => {
                text.byte(b'`');
                text.str(name);
                text.str(suffix);
                text.str("` is reserved in ");
                text.str(language.name());
                text.str(": choose another name than `");
                text.str(name);
                text.byte(b'`');
            }
            CodeError::IndexBits { bits, language } => {
                text.str("an index of ");
                text.number(bits);
                text.str(" bits does not exist in ");
                text.str(language.name());
                text.str(match language {
                    Language::Mlir => ": leave the width out, maps count in `index`",
                    _ if language.has_64_bits() => ": ask for 32 or 64",
                    _ => ": leave the width out, or ask for 32",
                });
            }
            CodeError::TooLarge { size, dim, language } => {
                match dim {
                    None => text.str("the layout takes "),
                    Some(dim) => {
                        text.str("dimension ");
                        text.number(dim);
                        text.str(" has ");
                    }
                }
                text.number(size);
                text.str(if dim.is_none() { " slots" } else { " elements" });
                text.str(", and an index of 32 bits counts 4294967295: ");
                text.str(if language.has_64_bits() {
                    "ask for 64 bits (`index_bits`)"
                } else {
                    "split the array, as the language has no 64-bit integers"
                });
            }
        }
        text
    }
}

const WELL_FORMED: &str = "write an ASCII letter, then letters, digits and single underscores, \
                           and no underscore at the end";

impl fmt::Display for CodeError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            CodeError::Name { name } => {
                write!(f, "`{}` cannot be the name: {WELL_FORMED}", Visible(name))
            }
            _ => f.write_str(self.line().as_str()),
        }
    }
}

impl core::error::Error for CodeError<'_> {}
