//! The letters of a tag, and the dimensions that they name.

use core::fmt;
use core::ops::Deref;

use crate::digit_order::{DigitOrder, MAX_DIGITS};
use crate::digit_order::{NotExpressible, NotThisLayout};
use crate::notation::reader::TextReader;
use layout_core::Error;
use layout_core::analysis::DimDigit;
use layout_core::limits::{MAX_DIMS, Size};

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
pub(super) struct DimNames {
    pub(super) letters: [u8; MAX_DIMS],
    pub(super) rank: usize,
}

impl DimNames {
    pub(super) fn of(names: &str) -> Option<DimNames> {
        let mut of = DimNames { letters: [0; MAX_DIMS], rank: 0 };
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

    /// Whether a dimension has the name of the letter.
    pub(super) fn has(&self, letter: &Letter) -> bool {
        self.dim(letter.name()).is_some()
    }

    /// The order in which dimensions of these names are numbered.
    pub(super) fn canonical(&self) -> Option<DimNames> {
        let letters = &self.letters[..self.rank];
        let is_same = |names: &&str| {
            names.len() == self.rank
                && letters.iter().all(|&letter| names.as_bytes().contains(&letter))
        };
        let numbered = &LETTERS[..self.rank];
        let names = core::iter::once(numbered).chain(NAMES.iter().copied()).find(is_same)?;
        DimNames::of(names)
    }

    /// The names of an order whose blocks a tag can say.
    pub(super) fn checked(self, order: &DigitOrder) -> Result<DimNames, NotExpressible> {
        if self.rank != order.rank() {
            return Err(NotExpressible::Names { names: self.rank, rank: order.rank() });
        }
        // Tags read blocks of one dimension as descending.
        for (i, digit) in order.digits().iter().enumerate() {
            let rises = |other: &DimDigit| other.dim == digit.dim && other.weight < digit.weight;
            if order.digits()[..i].iter().any(rises) {
                return Err(NotExpressible::Ascending { dim: digit.dim });
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

impl Letter {
    /// The name of its dimension.
    pub(super) fn name(&self) -> u8 {
        self.letter.to_ascii_lowercase()
    }
}

/// The letters of a tag.
#[derive(Clone, Copy)]
pub(super) struct Letters<'a> {
    list: [Letter; MAX_DIGITS],
    len: usize,
    reader: TextReader<'a>,
}

impl Deref for Letters<'_> {
    type Target = [Letter];

    fn deref(&self) -> &[Letter] {
        &self.list[..self.len]
    }
}

impl<'a> Letters<'a> {
    /// Reads up to the first character that is neither a letter nor a digit.
    pub(super) fn read(reader: &mut TextReader<'a>) -> Result<Letters<'a>, Error> {
        let none = Letter { letter: 0, size: None, start: 0, end: 0 };
        let mut letters = Letters { list: [none; MAX_DIGITS], len: 0, reader: *reader };
        while let Some(next) = reader.peek().filter(char::is_ascii_alphanumeric) {
            let start = reader.at();
            let size = if next.is_ascii_digit() { Some(reader.size()?) } else { None };
            let Some(letter) = reader.peek().filter(char::is_ascii_alphabetic) else {
                let instead = "write the letter of its dimension after its size, as in `16c`";
                return Err(reader.error(start, "a block has no letter", instead));
            };
            reader.bump();
            let Some(place) = letters.list.get_mut(letters.len) else {
                let instead = "write fewer: a layout has no room for more";
                return Err(reader.error(start, "too many blocks", instead));
            };
            *place = Letter { letter: letter as u8, size, start, end: reader.at() };
            letters.len += 1;
        }
        Ok(letters)
    }

    /// An error if something follows the tag.
    pub(super) fn end(&self, reader: &TextReader<'_>) -> Result<(), Error> {
        match reader.is_end() {
            true => Ok(()),
            false => {
                let instead = "write letters, and blocks such as `16c`";
                Err(reader.error(reader.at(), "this is not part of a tag", instead))
            }
        }
    }

    /// The letters of dimensions, which have no size.
    pub(super) fn dims(&self) -> impl Iterator<Item = &Letter> {
        self.iter().filter(|letter| letter.size.is_none())
    }

    /// The letters of blocks.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Letter> {
        self.iter().filter(|letter| letter.size.is_some())
    }

    pub(super) fn error(&self, at: &Letter, what: &'static str, instead: &'static str) -> Error {
        self.reader.error_at(at.start, at.end, what, instead)
    }

    /// An error of the whole tag.
    pub(super) fn error_of_all(&self, what: &'static str, instead: &'static str) -> Error {
        let end = self.last().map_or(0, |last| last.end);
        self.reader.error_at(self.first().map_or(0, |first| first.start), end, what, instead)
    }

    /// The names of the dimensions.
    pub(super) fn names(&self) -> Result<DimNames, Error> {
        let mut names = DimNames { letters: [0; MAX_DIMS], rank: 0 };
        for letter in self.dims() {
            if names.has(letter) {
                let instead = "write each dimension once, and its blocks with their sizes before them, as in `16c`";
                return Err(self.error(letter, "the dimension is named twice", instead));
            }
            let Some(place) = names.letters.get_mut(names.rank) else {
                return Err(self.error(letter, "too many dimensions", "an array has at most 16"));
            };
            *place = letter.name();
            names.rank += 1;
        }
        Ok(names)
    }

    /// The order of the digits, of dimensions with these names.
    pub(super) fn order(&self, names: &DimNames) -> Result<DigitOrder, Error> {
        let mut blocks = [(0, None); MAX_DIGITS];
        for (block, letter) in blocks.iter_mut().zip(self.iter()) {
            let dim = names.dim(letter.name()).ok_or_else(|| self.error_of_block(letter))?;
            *block = (dim, letter.size);
        }
        let instead = "write smaller sizes";
        DigitOrder::of_blocks(names.rank, &blocks[..self.len]).map_err(|error| {
            let is_too_large = |block: &&Letter| {
                let dim = names.dim(block.name()).unwrap_or_default();
                error == NotThisLayout::DigitSize { dim }
            };
            match self.blocks().find(is_too_large) {
                Some(block) => {
                    self.error(block, "the blocks of the dimension are too large", instead)
                }
                None => self.error_of_all("the blocks do not divide the dimensions", instead),
            }
        })
    }

    /// The letter of a block is that of no dimension.
    pub(super) fn error_of_block(&self, block: &Letter) -> Error {
        let what = "no dimension of the tag has the letter of the block";
        self.error(block, what, "write a letter that stands among the dimensions too")
    }
}

/// Writes a tag; with a letter in upper case for each dimension, or for those in blocks.
pub(super) fn write(
    f: &mut fmt::Formatter<'_>,
    order: &DigitOrder,
    names: &DimNames,
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
