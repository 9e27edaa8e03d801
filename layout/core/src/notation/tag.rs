//! Tags of letters and blocks: oneDNN's `nChw16c` and TVM's `NCHW16c`.

use core::fmt;
use core::str::FromStr;

use crate::digit_order::{DigitOrder, DigitOrderError, DimDigit, MAX_DIGITS};
use crate::fault::error::Error;
use crate::limits::{MAX_DIMS, MAX_SIZE, Size};
use crate::notation::error::NotationError;
use crate::notation::reader::Reader;
use crate::shape::array::ArrayShape;

/// Names of dimensions by dimension number, as oneDNN and TVM use them: activations, weights, weights in groups,
/// and the tensors of recurrent networks. A tag names the dimensions of one line.
const NAMES: &[&str] = &[
    "nc", "ncw", "nchw", "ncdhw", "oi", "oiw", "oihw", "oidhw", "goiw", "goihw", "goidhw", "tn",
    "tnc", "ldnc", "ldigo", "ldio", "ldgo", "x",
];

/// The letters of dimensions without a name: `a` is dimension 0.
const LETTERS: &str = "abcdefghijklmnop";

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
/// blocks. Behind them stand the blocks, each its size and its letter, the most minor last. Letters from `a`
/// on number the dimensions. Others are their names: `nchw` of activations, `oihw` and `goihw` of weights, `tnc`,
/// `ldnc`, `ldigo`, `ldio` and `ldgo` of recurrent networks. A tag is one for every size.
///
/// Defined by oneDNN's header `dnnl_types.h` and its guide "Understanding Memory Formats".
///
/// # Examples
/// ```
/// use layout_core::ArrayShape;
/// use layout_core::notation::OneDnn;
///
/// let tag: OneDnn = "nChw16c".parse()?;
/// let shape = tag.layout(&"f32[2,40,5,7]".parse()?)?;
/// assert_eq!(shape.to_string(), "f32[2,40,5,7]{3,2,1,0:T(16,1,1)}");
/// assert_eq!(OneDnn::try_from(&shape)?.to_string(), "aBcd16b");
/// assert_eq!(OneDnn::try_from(&shape)?.with_names("nchw")?.to_string(), "nChw16c");
///
/// let error = "nChw16".parse::<OneDnn>().unwrap_err();
/// assert_eq!(error.to_string(), "\
/// a block has no letter
///   | nChw16
///   |     ^^
///   = help: write the letter of its dimension behind its size, as in `16c`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct OneDnn {
    order: DigitOrder,
    names: Names,
    /// How oneDNN names it, where that breaks its rules.
    misnamed: Option<&'static str>,
}

/// A layout of TVM, such as `NCHW16c` or `OIHW4i16o4i`.
///
/// Upper-case letters are the dimensions in the order of memory, the most major first, and lower-case ones with
/// a size in front are blocks of the dimension with that letter, the most minor last. The dimensions are numbered as in
/// `NCHW` and `OIHW` (with `D` and `G` too), or as in the layout in front of an arrow: `NHWC -> NCHW4c`.
///
/// Defined by TVM's `tir::Layout` and `topi.layout_transform`, which refuse two blocks of one dimension side by
/// side.
///
/// # Examples
/// ```
/// use layout_core::notation::Tvm;
///
/// let tag: Tvm = "OIHW4i16o4i".parse()?;
/// let shape = tag.layout(&"s8[32,32,3,3]".parse()?)?;
/// assert_eq!(shape.to_string(), "s8[32,32,3,3]{3,2,1,0:T(16,16,1,1)(16,4,1,1)}");
/// assert_eq!(Tvm::try_from(&shape)?.with_names("oihw")?.to_string(), "OIHW4i16o4i");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Tvm {
    order: DigitOrder,
    names: Names,
}

/// A lower-case letter for each dimension.
#[derive(Clone, Copy)]
struct Names {
    letters: [u8; MAX_DIMS],
    rank: usize,
}

impl Names {
    fn of(names: &str) -> Option<Names> {
        let mut of = Names { letters: [0; MAX_DIMS], rank: 0 };
        for letter in names.bytes() {
            let is_new = letter.is_ascii_lowercase() && of.dim(letter).is_none();
            *of.letters.get_mut(of.rank).filter(|_| is_new)? = letter;
            of.rank += 1;
        }
        Some(of)
    }

    fn dim(&self, letter: u8) -> Option<usize> {
        self.letters[..self.rank].iter().position(|&name| name == letter)
    }
}

/// One letter of a tag, with the size in front of it.
#[derive(Clone, Copy)]
struct Letter {
    letter: u8,
    size: Option<Size>,
    /// Where it stands.
    start: usize,
    end: usize,
}

/// The letters of a tag.
struct Letters {
    list: [Letter; MAX_DIGITS],
    len: usize,
}

impl Letters {
    /// Reads letters up to what is none.
    fn read(reader: &mut Reader<'_>) -> Result<Letters, Error> {
        let none = Letter { letter: 0, size: None, start: 0, end: 0 };
        let mut letters = Letters { list: [none; MAX_DIGITS], len: 0 };
        loop {
            let start = reader.at();
            let size = match reader.peek() {
                Some(c) if c.is_ascii_digit() => Some(reader.size()?),
                Some(c) if c.is_ascii_alphabetic() => None,
                _ => break,
            };
            let Some(letter) = reader.peek().filter(char::is_ascii_alphabetic) else {
                return Err(reader.error(
                    start,
                    "a block has no letter",
                    "write the letter of its dimension behind its size, as in `16c`",
                ));
            };
            reader.bump();
            let Some(place) = letters.list.get_mut(letters.len) else {
                return Err(reader.error(
                    start,
                    "too many blocks",
                    "write fewer: a layout has no room for more",
                ));
            };
            *place = Letter { letter: letter as u8, size, start, end: reader.at() };
            letters.len += 1;
        }
        Ok(letters)
    }

    fn iter(&self) -> core::slice::Iter<'_, Letter> {
        self.list[..self.len].iter()
    }

    /// The letters without a size, in lower case, as names of dimensions.
    fn outer(&self, reader: &Reader<'_>) -> Result<Names, Error> {
        let mut outer = Names { letters: [0; MAX_DIMS], rank: 0 };
        for letter in self.iter().filter(|letter| letter.size.is_none()) {
            let name = letter.letter.to_ascii_lowercase();
            if outer.dim(name).is_some() {
                return Err(reader.error_at(
                    letter.start,
                    letter.end,
                    "the dimension is named twice",
                    "write each dimension once, and its blocks with their sizes in front, as in `16c`",
                ));
            }
            let Some(place) = outer.letters.get_mut(outer.rank) else {
                return Err(reader.error_at(
                    letter.start,
                    letter.end,
                    "too many dimensions",
                    "an array has at most 16",
                ));
            };
            *place = name;
            outer.rank += 1;
        }
        Ok(outer)
    }

    /// The order of the digits, of dimensions with these names.
    fn order(&self, names: &Names, reader: &Reader<'_>) -> Result<DigitOrder, Error> {
        let mut digits = [DimDigit { dim: 0, weight: 1, size: Some(1) }; MAX_DIGITS];
        // From the most minor on: a block weighs what those behind it make, the rest what all do.
        let mut weights = [1 as Size; MAX_DIMS];
        for (digit, letter) in digits[..self.len].iter_mut().zip(self.iter()).rev() {
            let dim = names.dim(letter.letter.to_ascii_lowercase()).ok_or_else(|| {
                let what = "the block is of no dimension of the tag";
                let instead = "write a letter that stands among the dimensions too";
                reader.error_at(letter.start, letter.end, what, instead)
            })?;
            *digit = DimDigit { dim, weight: weights[dim], size: letter.size };
            let weight = weights[dim].checked_mul(letter.size.unwrap_or(1));
            weights[dim] = weight.filter(|weight| *weight <= MAX_SIZE).ok_or_else(|| {
                let what = "the blocks of the dimension are too large";
                reader.error_at(letter.start, letter.end, what, "write smaller sizes")
            })?;
        }
        for digit in &mut digits[..self.len] {
            if digit.size.is_none() {
                digit.weight = weights[digit.dim];
            }
        }
        DigitOrder::new(names.rank, &digits[..self.len]).map_err(|_| {
            let what = "the blocks are no digits of the dimensions";
            reader.error_at(0, reader.at(), what, "write smaller sizes")
        })
    }
}

/// What stands behind a tag.
fn end(reader: &Reader<'_>) -> Result<(), Error> {
    match reader.is_end() {
        true => Ok(()),
        false => Err(reader.error(
            reader.at(),
            "this is no part of a tag",
            "write letters, and blocks such as `16c`",
        )),
    }
}

impl FromStr for OneDnn {
    type Err = Error;

    fn from_str(text: &str) -> Result<OneDnn, Error> {
        let known = MISNAMED.iter().find(|(name, _)| *name == text);
        let mut reader = Reader::new(known.map_or(text, |(_, meant)| meant));
        let letters = Letters::read(&mut reader)?;
        end(&reader)?;
        let mut is_in_blocks = false;
        for letter in letters.iter() {
            is_in_blocks |= letter.size.is_some();
            let error = |what, instead| reader.error_at(letter.start, letter.end, what, instead);
            let is_block = |other: &Letter| {
                other.size.is_some() && other.letter == letter.letter.to_ascii_lowercase()
            };
            match letter.size {
                Some(_) if letter.letter.is_ascii_uppercase() => {
                    return Err(error(
                        "the letter of a block is in upper case",
                        "write it in lower case, as in `16c`",
                    ));
                }
                Some(_) => {}
                None if is_in_blocks => {
                    return Err(error(
                        "a dimension stands behind a block",
                        "write all dimensions in front of the blocks",
                    ));
                }
                None if letter.letter.is_ascii_uppercase() != letters.iter().any(is_block) => {
                    return Err(error(
                        "a dimension is in upper case if it is in blocks, and only then",
                        "write `aBcd16b` with the block's size, or `abcd` without blocks",
                    ));
                }
                None => {}
            }
        }
        let outer = letters.outer(&reader)?;
        let names = outer.canonical().ok_or_else(|| {
            let what = "these letters name no dimensions together";
            let instead = "name them by `a`, `b`, `c` and so on, or as in `nchw`, `oihw`, `goihw`, `tnc`, `ldnc` or `ldigo`";
            reader.error_at(0, outer.rank, what, instead)
        })?;
        let misnamed = known.map(|(name, _)| *name);
        Ok(OneDnn { order: letters.order(&names, &reader)?, names, misnamed })
    }
}

impl FromStr for Tvm {
    type Err = Error;

    fn from_str(text: &str) -> Result<Tvm, Error> {
        let mut reader = Reader::new(text);
        let mut letters = Letters::read(&mut reader)?;
        let mut source = None;
        if reader.take("->") {
            source = Some(letters);
            reader.skip_spaces();
            letters = Letters::read(&mut reader)?;
        }
        end(&reader)?;
        for letter in source.iter().flat_map(Letters::iter).chain(letters.iter()) {
            if letter.letter.is_ascii_uppercase() == letter.size.is_some() {
                return Err(reader.error_at(
                    letter.start,
                    letter.end,
                    "a dimension is in upper case without a size, a block in lower case with one",
                    "write `NCHW16c`",
                ));
            }
        }
        let outer = letters.outer(&reader)?;
        let names = match source {
            Some(source) => {
                if let Some(block) = source.iter().find(|letter| letter.size.is_some()) {
                    let what = "the dimensions in front of the arrow are in blocks";
                    let instead = "write their letters alone, as in `NHWC -> NCHW4c`";
                    return Err(reader.error_at(block.start, block.end, what, instead));
                }
                let names = source.outer(&reader)?;
                let is_same = names.rank == outer.rank
                    && outer.letters[..outer.rank]
                        .iter()
                        .all(|&letter| names.dim(letter).is_some());
                is_same.then_some(names).ok_or_else(|| {
                    let what = "the two sides of the arrow name other dimensions";
                    reader.error_at(0, reader.at(), what, "write the same letters on both sides")
                })?
            }
            None => outer.canonical().ok_or_else(|| {
                let what = "these letters name no dimensions together";
                let instead =
                    "write how they are numbered in front of an arrow, as in `NHWC -> NCHW4c`";
                reader.error_at(0, reader.at(), what, instead)
            })?,
        };
        Ok(Tvm { order: letters.order(&names, &reader)?, names })
    }
}

impl Names {
    /// The order in which dimensions of these names are numbered.
    fn canonical(&self) -> Option<Names> {
        let letters = &self.letters[..self.rank];
        let is_same = |names: &&str| {
            names.len() == self.rank
                && letters.iter().all(|&letter| names.as_bytes().contains(&letter))
        };
        let numbered = &LETTERS[..self.rank];
        let names = core::iter::once(numbered).chain(NAMES.iter().copied()).find(is_same)?;
        Names::of(names)
    }

    /// The names of an order whose blocks a tag can say.
    fn checked(self, order: &DigitOrder) -> Result<Names, NotationError> {
        if self.rank != order.rank() {
            return Err(NotationError::Names { names: self.rank, rank: order.rank() });
        }
        // Tags read blocks of one dimension as descending.
        for (i, digit) in order.digits().iter().enumerate() {
            let rises = |other: &DimDigit| other.dim == digit.dim && other.weight < digit.weight;
            if order.digits()[..i].iter().any(rises) {
                return Err(NotationError::Ascending { dim: digit.dim });
            }
        }
        Ok(self)
    }
}

/// What both kinds of tags have.
macro_rules! tag {
    ($tag:ident { $($more:ident: $none:expr)? }) => {
        impl $tag {
            /// The order of the tag's digits, for every size.
            pub fn digit_order(&self) -> &DigitOrder {
                &self.order
            }

            /// The array laid out as the tag says: see [`DigitOrder::layout`].
            ///
            /// # Errors
            /// If the array has another number of dimensions, or is too large with the padding of the blocks.
            pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, DigitOrderError> {
                self.order.layout(array)
            }

            /// The same tag with other letters for the dimensions, in lower case, dimension 0 first.
            ///
            /// # Errors
            /// If the names are not as many as there are dimensions, or not different letters.
            pub fn with_names(mut self, names: &str) -> Result<Self, NotationError> {
                let error = NotationError::Names { names: names.len(), rank: self.order.rank() };
                self.names = Names::of(names).ok_or(error)?.checked(&self.order)?;
                $(self.$more = $none;)?
                Ok(self)
            }
        }

        impl TryFrom<&ArrayShape> for $tag {
            type Error = NotationError;

            /// The tag of the layout, with letters from `a` on.
            fn try_from(shape: &ArrayShape) -> Result<$tag, NotationError> {
                if shape.tail_alignment != 1 {
                    return Err(NotationError::Tail);
                }
                let order = shape.digit_order().map_err(NotationError::DigitOrder)?;
                let names = Names::of(&LETTERS[..order.rank()]);
                let names = names.ok_or(NotationError::Names { names: 0, rank: order.rank() })?;
                Ok($tag { order, names: names.checked(&order)?, $($more: $none)? })
            }
        }

        impl fmt::Debug for $tag {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

tag! { OneDnn { misnamed: None } }
tag! { Tvm {} }

/// Writes a tag; with a letter in upper case for each dimension, or for those in blocks.
fn write(
    f: &mut fmt::Formatter<'_>,
    order: &DigitOrder,
    names: &Names,
    is_upper: bool,
) -> fmt::Result {
    let digits = order.digits();
    for digit in digits {
        let letter = char::from(names.letters[digit.dim]);
        let is_block = |other: &DimDigit| other.dim == digit.dim && other.size.is_some();
        match digit.size {
            Some(size) => write!(f, "{size}{letter}")?,
            None if is_upper || digits.iter().any(is_block) => {
                write!(f, "{}", letter.to_ascii_uppercase())?;
            }
            None => write!(f, "{letter}")?,
        }
    }
    Ok(())
}

impl fmt::Display for OneDnn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.misnamed {
            Some(name) => f.write_str(name),
            None => write(f, &self.order, &self.names, false),
        }
    }
}

impl fmt::Display for Tvm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = &self.names.letters[..self.names.rank];
        // Without the arrow it would be read as of dimensions that are numbered in another order.
        if self.names.canonical().is_none_or(|known| known.letters[..known.rank] != *names) {
            for letter in names {
                write!(f, "{}", char::from(letter.to_ascii_uppercase()))?;
            }
            f.write_str(" -> ")?;
        }
        write(f, &self.order, &self.names, true)
    }
}
