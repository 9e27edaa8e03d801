//! oneDNN's format tags.

use core::fmt;
use core::str::FromStr;

use crate::digit_order::DigitOrder;
use crate::notation::reader::TextReader;
use crate::notation::tag::letters::{DimNames, Letters, write};
use layout_core::Error;

/// Tags of oneDNN that break its own rules: first letters in another order than their memory has, or in upper
/// case without a block; each with what it means.
const MISNAMED: &[(&str, &str)] = &[
    ("gIOhw2i8o16i2o", "gOIhw2i8o16i2o"),
    ("gIOdhw2i8o16i2o", "gOIdhw2i8o16i2o"),
    ("OhwI24o", "Ohwi24o"),
    ("OhwI32o", "Ohwi32o"),
    ("gOhwI24o", "gOhwi24o"),
    ("gOhwI32o", "gOhwi32o"),
];

/// A format tag of oneDNN, `dnnl_format_tag_t` without its prefix: `nChw16c` or `aBcd16b`.
///
/// The letters are the dimensions in the order of memory, the most major first; those in upper case are in
/// blocks. After them come the blocks, each its size and its letter, the most minor last. Letters from `a`
/// on number the dimensions. Others are their names: `nchw` of activations, `oihw` and `goihw` of weights, `tnc`,
/// `ldnc`, `ldigo`, `ldio` and `ldgo` of recurrent networks. A tag is one for every size.
///
/// Defined by oneDNN's header `dnnl_types.h` and its guide "Understanding Memory Formats".
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout_notation::notation::OneDnn;
///
/// let tag: OneDnn = "nChw16c".parse()?;
/// let shape = tag.layout(&"f32[2,40,5,7]".parse()?)?;
/// assert_eq!(shape.to_string(), "f32[2,40,5,7]{3,2,1,0:T(16,1,1)}");
/// assert_eq!(OneDnn::of(&shape)?.to_string(), "aBcd16b");
/// assert_eq!(OneDnn::of(&shape)?.with_names("nchw")?.to_string(), "nChw16c");
///
/// let error = "nChw16".parse::<OneDnn>().unwrap_err();
/// assert_eq!(error.to_string(), "\
/// a block has no letter
///   | nChw16
///   |     ^^
///   = help: write the letter of its dimension after its size, as in `16c`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct OneDnn {
    pub(super) order: DigitOrder,
    pub(super) names: DimNames,
    /// How oneDNN names it, where that breaks its rules.
    pub(super) misnamed: Option<&'static str>,
}

impl FromStr for OneDnn {
    type Err = Error;

    fn from_str(text: &str) -> Result<OneDnn, Error> {
        let known = MISNAMED.iter().find(|(name, _)| *name == text);
        let mut reader = TextReader::new(known.map_or(text, |(_, meant)| meant));
        let letters = Letters::read(&mut reader)?;
        letters.end(&reader)?;
        let mut is_in_blocks = false;
        for letter in letters.iter() {
            is_in_blocks |= letter.size.is_some();
            let (what, instead) = match letter.size {
                Some(_) if letter.letter.is_ascii_uppercase() => (
                    "the letter of a block is in upper case",
                    "write it in lower case, as in `16c`",
                ),
                Some(_) if !letters.dims().any(|dim| dim.name() == letter.name()) => {
                    return Err(letters.error_of_block(letter));
                }
                None if is_in_blocks => {
                    ("a dimension follows a block", "write all dimensions before the blocks")
                }
                _ => continue,
            };
            return Err(letters.error(letter, what, instead));
        }
        let names = letters.names()?;
        for letter in letters.dims() {
            let has_block = letters.blocks().any(|block| block.name() == letter.name());
            let (what, instead) = match (letter.letter.is_ascii_uppercase(), has_block) {
                (false, true) => (
                    "the dimension has a block, but its letter is in lower case",
                    "write it in upper case, as in `aBcd16b`",
                ),
                (true, false) => (
                    "the letter is in upper case, but the dimension has no block",
                    "write the block after the dimensions, as in `aBcd16b`, or the letter in lower case",
                ),
                _ => continue,
            };
            return Err(letters.error(letter, what, instead));
        }
        let names = names.canonical().ok_or_else(|| {
            let what = "these letters name no dimensions together";
            let instead = "name them by `a`, `b`, `c` and so on, or as in `nchw`, `oihw`, `goihw`, `tnc`, `ldnc` or `ldigo`";
            reader.error_at(0, names.rank, what, instead)
        })?;
        let misnamed = known.map(|(name, _)| *name);
        Ok(OneDnn { order: letters.order(&names)?, names, misnamed })
    }
}

impl fmt::Display for OneDnn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.misnamed {
            Some(name) => f.write_str(name),
            None => write(f, &self.order, &self.names, false),
        }
    }
}
