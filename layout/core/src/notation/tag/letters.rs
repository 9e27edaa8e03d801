//! The letters of a tag, and the dimensions that they name.

use core::fmt;

use crate::digit_order::error::NotationError;
use crate::digit_order::{DigitOrder, DimDigit, MAX_DIGITS};
use crate::fault::error::Error;
use crate::limits::{MAX_DIMS, MAX_SIZE, Size};
use crate::notation::reader::TextReader;

/// Names of dimensions by dimension number, as oneDNN and TVM use them: activations, weights, weights in groups,
/// and the tensors of recurrent networks. A tag names the dimensions of one line.
const NAMES: &[&str] = &[
    "nc", "ncw", "nchw", "ncdhw", "oi", "oiw", "oihw", "oidhw", "goiw", "goihw", "goidhw", "tn",
    "tnc", "ldnc", "ldigo", "ldio", "ldgo", "x",
];

/// The letters of dimensions without a name: `a` is dimension 0.
pub(super) const LETTERS: &str = "abcdefghijklmnop";

/// A lower-case letter for each dimension.
#[derive(Clone, Copy)]
pub(super) struct Names {
    pub(super) letters: [u8; MAX_DIMS],
    pub(super) rank: usize,
}

impl Names {
    pub(super) fn of(names: &str) -> Option<Names> {
        let mut of = Names { letters: [0; MAX_DIMS], rank: 0 };
        for letter in names.bytes() {
            let is_new = letter.is_ascii_lowercase() && of.dim(letter).is_none();
            *of.letters.get_mut(of.rank).filter(|_| is_new)? = letter;
            of.rank += 1;
        }
        Some(of)
    }

    pub(super) fn dim(&self, letter: u8) -> Option<usize> {
        self.letters[..self.rank].iter().position(|&name| name == letter)
    }

    /// The order in which dimensions of these names are numbered.
    pub(super) fn canonical(&self) -> Option<Names> {
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
    pub(super) fn checked(self, order: &DigitOrder) -> Result<Names, NotationError> {
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

/// One letter of a tag, with the size before it.
#[derive(Clone, Copy)]
pub(super) struct Letter {
    pub(super) letter: u8,
    pub(super) size: Option<Size>,
    /// Where it stands.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The letters of a tag.
pub(super) struct Letters {
    list: [Letter; MAX_DIGITS],
    len: usize,
}

impl Letters {
    /// Reads up to the first character that is neither a letter nor a digit.
    pub(super) fn read(reader: &mut TextReader<'_>) -> Result<Letters, Error> {
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
                    "write the letter of its dimension after its size, as in `16c`",
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

    pub(super) fn iter(&self) -> core::slice::Iter<'_, Letter> {
        self.list[..self.len].iter()
    }

    /// The letters without a size, in lower case, as names of dimensions.
    pub(super) fn outer(&self, reader: &TextReader<'_>) -> Result<Names, Error> {
        let mut outer = Names { letters: [0; MAX_DIMS], rank: 0 };
        for letter in self.iter().filter(|letter| letter.size.is_none()) {
            let name = letter.letter.to_ascii_lowercase();
            if outer.dim(name).is_some() {
                return Err(reader.error_at(
                    letter.start,
                    letter.end,
                    "the dimension is named twice",
                    "write each dimension once, and its blocks with their sizes before them, as in `16c`",
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
    pub(super) fn order(
        &self,
        names: &Names,
        reader: &TextReader<'_>,
    ) -> Result<DigitOrder, Error> {
        let mut digits = [DimDigit::ONE; MAX_DIGITS];
        // From the most minor on: the weight of a block is the product of those after it, that of a rest the product of all.
        let mut weights = [1 as Size; MAX_DIMS];
        for (digit, letter) in digits[..self.len].iter_mut().zip(self.iter()).rev() {
            let dim = names.dim(letter.letter.to_ascii_lowercase()).ok_or_else(|| {
                let what = "no dimension of the tag has the letter of the block";
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
            let what = "the blocks do not divide the dimensions";
            reader.error_at(0, reader.at(), what, "write smaller sizes")
        })
    }
}

/// An error if something follows a tag.
pub(super) fn end(reader: &TextReader<'_>) -> Result<(), Error> {
    match reader.is_end() {
        true => Ok(()),
        false => Err(reader.error(
            reader.at(),
            "this is not part of a tag",
            "write letters, and blocks such as `16c`",
        )),
    }
}

/// Writes a tag; with a letter in upper case for each dimension, or for those in blocks.
pub(super) fn write(
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
