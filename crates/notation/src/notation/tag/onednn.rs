//! oneDNN's format tags.

use core::fmt;
use core::str::FromStr;

use crate::digit_order::{DigitOrder, NotThisLayout};
use crate::notation::reader::TextReader;
use crate::notation::strided::StridedDigits;
use crate::notation::tag::letters::{DimNames, Letters, write};
use layout_core::limits::{MAX_DIMS, Size};
use layout_core::{ArrayShape, Error, List, Tiles};

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
/// A memory descriptor is read too, as `ONEDNN_VERBOSE` prints it, with its argument or without: `f32::blocked:acdb::f0`,
/// `dst:f32:p:blocked:aBcd16b::f0`, `src_f32::blocked:abcd:f0` of older versions. It has no sizes, and strides only where they
/// are not dense: `f32::blocked:ab:512x1:f0`.
///
/// Defined by oneDNN's header `dnnl_types.h`, its guides "Understanding Memory Formats" and "Verbose Mode", and `verbose.cpp`.
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
    /// Of a descriptor: elements from one block of each dimension to the next.
    pub(super) strides: Option<List<MAX_DIMS>>,
    /// Of a descriptor: bits of an element.
    pub(super) element_bits: Option<Size>,
}

/// What stands before the tag of a descriptor that says a layout.
pub(in crate::notation) const BLOCKED: &str = ":blocked:";

impl OneDnn {
    /// The array laid out as the tag says: see [`DigitOrder::layout`]. Strides that are not dense leave slots, which `PAD` or
    /// tiles add.
    ///
    /// # Errors
    /// If the array has another number of dimensions, or is too large with the padding of the blocks; if its elements have
    /// another width than those of a descriptor; and for strides, the errors of [`Cute::layout`](super::super::Cute::layout).
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        let bits = array.element_bits();
        if let Some(given) = self.element_bits.filter(|given| *given != bits) {
            return Err(NotThisLayout::ElementBits { given, array: bits });
        }
        let Some(strides) = &self.strides else { return self.order.layout(array) };
        NotThisLayout::same_rank(strides.len(), array)?;
        let (mut digits, mut slots) = (StridedDigits::new(strides.len()), 1);
        for digit in self.order.digits().iter().rev().filter(|digit| digit.size.is_some()) {
            digits.add(*digit, slots)?;
            slots = slots
                .checked_mul(digit.values())
                .ok_or(NotThisLayout::DigitSize { dim: digit.dim })?;
        }
        for (dim, stride) in strides.iter().enumerate() {
            let size = array.dims()[dim].size().ok_or(NotThisLayout::unknown(dim))?;
            digits.push(dim, Tiles::covering(size, digits.size(dim)).max(1), *stride)?;
        }
        digits.layout(array)
    }
}

/// The bits of an element by the name of its type, after the name of the argument if there is one: `dst_bf16`, `wei:s4`.
fn element_bits(data_type: &str) -> Option<Size> {
    data_type.split([':', '_']).find_map(|name| {
        let letters = name.find(|c: char| c.is_ascii_digit())?;
        let bits = name[letters..].split(|c: char| !c.is_ascii_digit()).next()?;
        ["f", "bf", "s", "u", "e"].contains(&&name[..letters]).then(|| bits.parse().ok())?
    })
}

impl FromStr for OneDnn {
    type Err = Error;

    fn from_str(text: &str) -> Result<OneDnn, Error> {
        let whole = TextReader::new(text);
        let blocked = text.find(BLOCKED);
        let start = blocked.map_or(0, |at| at + BLOCKED.len());
        if blocked.is_none() && text.matches(':').count() > 1 {
            let what = "this descriptor does not say an order of elements";
            let instead = "one with `blocked` does, as in `f32::blocked:acdb::f0`";
            return Err(whole.error_at(0, text.len(), what, instead));
        }
        let mut after = whole.moved_to(start);
        let tag = after.take_while(|c| c.is_ascii_alphanumeric());
        let known = MISNAMED.iter().find(|(name, _)| *name == tag);
        let mut reader = known.map_or(whole.moved_to(start), |(_, meant)| TextReader::new(meant));
        let letters = Letters::read(&mut reader)?;
        let (data_type, flags) = text[..blocked.unwrap_or(0)].rsplit_once(':').unwrap_or_default();
        if flags.contains(['o', '0']) {
            let what = "the memory of the descriptor does not begin with its first element";
            let instead = "lay out the array that this is a part of";
            return Err(whole.error_at(data_type.len() + 1, start - BLOCKED.len(), what, instead));
        }
        let strides = strides(&mut after)?;
        // What follows says what the library stores after the array, if anything.
        if blocked.is_some() && after.take(":") {
            after.take_while(|c| !c.is_whitespace());
        }
        letters.end(&after)?;
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
            reader.error_at(start, start + names.rank, what, instead)
        })?;
        if let Some((_, [start, end])) = strides.filter(|(strides, _)| strides.len() != names.rank)
        {
            let instead = "write one for each letter, as in `ab:512x1`";
            let what = "there are not as many strides as dimensions";
            return Err(whole.error_at(start, end, what, instead));
        }
        let misnamed = known.map(|(name, _)| *name);
        let strides = strides.map(|(strides, _)| strides);
        let element_bits = element_bits(data_type);
        Ok(OneDnn { order: letters.order(&names)?, names, misnamed, strides, element_bits })
    }
}

impl fmt::Display for OneDnn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.misnamed {
            Some(name) => f.write_str(name),
            None => write(f, &self.order, &self.names, false),
        }?;
        for (dim, stride) in self.strides.iter().flat_map(|strides| strides.iter()).enumerate() {
            write!(f, "{}{stride}", if dim == 0 { ":" } else { "x" })?;
        }
        Ok(())
    }
}

/// The strides after a tag, `:512x1`, and where they begin and end.
fn strides(reader: &mut TextReader<'_>) -> Result<Option<(List<MAX_DIMS>, [usize; 2])>, Error> {
    let mut next = *reader;
    next.bump();
    if reader.peek() != Some(':') || !next.peek().is_some_and(|c| c.is_ascii_digit()) {
        return Ok(None);
    }
    let (start, mut strides) = (next.at(), List::new());
    loop {
        let at = next.at();
        let stride = next.number()?;
        if strides.len() == MAX_DIMS {
            return Err(next.error(at, "too many dimensions", "an array has at most 16"));
        }
        strides.push(stride);
        if !next.take("x") {
            break;
        }
    }
    *reader = next;
    Ok(Some((strides, [start, next.at()])))
}
