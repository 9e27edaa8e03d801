//! Integers: reading decimal digits, and the faults of texts without any.

use crate::base::{MAX_SIZE, MAX_SIZE_BITS, Size, Text, native};
use crate::parse::cursor::Cursor;
use crate::parse::source::TokenKind;

/// The messages of a place where a size is expected.
pub(crate) struct Field {
    /// For something that is not a number: what is wrong, what to write instead.
    pub other: (&'static str, &'static str),
    /// A negative number other than −1.
    pub negative: (&'static str, &'static str),
    /// −1, which combines dimensions in a tile.
    pub minus_one: (&'static str, &'static str),
    /// `*`, its other spelling.
    pub star: (&'static str, &'static str),
}

/// `field!("the size of a dimension", "write ..", "write 0 or more")`: the messages of a field, made of what it is, of what to write
/// where something else than a number stands, and of which numbers it takes.
macro_rules! field {
    ($what:literal, $instead:literal, $numbers:literal) => {
        Field {
            other: (concat!("expected ", $what), $instead),
            negative: (concat!($what, " cannot be negative"), $numbers),
            minus_one: (
                concat!("`-1` is not ", $what),
                concat!($numbers, "; `-1` combines dimensions only in a tile, as in `T(-1,128)`"),
            ),
            star: (
                concat!("`*` is not ", $what),
                concat!($numbers, "; `*` combines dimensions only in a tile, as in `T(*,128)`"),
            ),
        }
    };
}
pub(super) use field;

const NEGATIVE: (&str, &str) = ("a size cannot be negative", "write 0 or more");

/// What is wrong with a number above [`MAX_SIZE`], and what to write instead.
const DOES_NOT_FIT: Text<40> = text!("the number does not fit in ", MAX_SIZE_BITS, " bits");
const LARGEST: Text<40> = text!("the largest is ", MAX_SIZE);

impl Field {
    /// A field in which -1, `*` and other negative numbers are nothing in particular.
    pub(crate) const fn plain(what: &'static str, instead: &'static str) -> Field {
        let other = (what, instead);
        Field { other, negative: NEGATIVE, minus_one: NEGATIVE, star: other }
    }
}

/// An integer as written; the magnitude stops at `u64::MAX`.
#[derive(Clone, Copy)]
pub(crate) struct Integer {
    pub negative: bool,
    pub magnitude: u64,
}

impl Integer {
    /// The number, with what is too large or too small at the border.
    pub(crate) const fn signed(self) -> i64 {
        let limit =
            if self.magnitude > MAX_SIZE as u64 { MAX_SIZE } else { self.magnitude as Size };
        if self.negative { -(limit as i64) } else { limit as i64 }
    }

    const fn is_minus_one(self) -> bool {
        self.negative && self.magnitude == 1
    }

    pub(crate) const fn is_negative(self) -> bool {
        self.negative && self.magnitude != 0
    }
}

impl Cursor<'_> {
    /// Whether a number comes that is −1: zeros may stand before its digit.
    pub(crate) const fn is_minus_one(&self) -> bool {
        let bytes = self.token.text.as_bytes();
        let is_negative = matches!(self.token.kind, TokenKind::Number) && bytes[0] == b'-';
        is_negative && matches!(digits(bytes, 1), (1, end) if end == bytes.len())
    }

    /// Whether what comes was meant as one size, be it right or wrong: `n`, `0x5`, `1_000`. `3x5` and `3.5` may be two.
    pub(crate) const fn is_one_size(&self) -> bool {
        let bytes = self.token.text.as_bytes();
        match self.token.kind {
            TokenKind::Word => true,
            TokenKind::Number => {
                let (magnitude, at) = digits(bytes, 0);
                at == bytes.len() || magnitude == 0 || bytes[at] == b'_'
            }
            _ => false,
        }
    }

    /// Reads an integer of either sign. Adds a fault if there is none; a malformed number is skipped,
    /// anything else is left.
    pub(crate) const fn integer(&mut self, field: &Field) -> Option<Integer> {
        if !matches!(self.token.kind, TokenKind::Number) {
            // A `*` is one dimension all the same.
            self.counted &= self.at("*");
            let (what, instead) = if self.at("*") { field.star } else { field.other };
            self.syntax(what, instead);
            return None;
        }
        let bytes = self.token.text.as_bytes();
        let negative = bytes[0] == b'-';
        let (magnitude, at) = digits(bytes, negative as usize);
        if at < bytes.len() {
            let is_followed = at + 1 < bytes.len() && bytes[at + 1].is_ascii_digit();
            let is_cross = bytes[at].eq_ignore_ascii_case(&b'x') && is_followed;
            let instead = if magnitude > 0 && is_cross {
                "write a comma between two sizes: `3,5` for `3x5`"
            } else {
                "leave out `_`, `0x`, fractions, exponents and suffixes: `1000`"
            };
            self.counted = false;
            self.syntax("a number is written in decimal digits only", instead);
            self.bump();
            return None;
        }
        self.accept();
        Some(Integer { negative, magnitude })
    }

    /// Reads a size or another number that is not negative. After a fault, the token is skipped if it is a
    /// number.
    pub(crate) const fn size(&mut self, field: &Field) -> Option<Size> {
        let integer = some!(self.integer(field));
        let mut size = None;
        if integer.is_negative() {
            let (what, instead) =
                if integer.is_minus_one() { field.minus_one } else { field.negative };
            self.syntax(what, instead);
        } else if integer.magnitude > MAX_SIZE as u64 {
            self.syntax(DOES_NOT_FIT.as_str(), LARGEST.as_str());
        } else {
            size = Some(integer.magnitude as Size);
        }
        self.bump();
        size
    }

    /// Reads the number of a dimension, as [`size`](Self::size) does.
    pub(crate) const fn dim_number(&mut self, field: &Field) -> Option<usize> {
        Some(native(some!(self.size(field))))
    }
}

/// The digits that stand from a place on as a value, which stops at the largest, and the place of the first other byte.
const fn digits(bytes: &[u8], mut at: usize) -> (u64, usize) {
    let mut value = 0u64;
    while at < bytes.len() && bytes[at].is_ascii_digit() {
        value = value.saturating_mul(10).saturating_add((bytes[at] - b'0') as u64);
        at += 1;
    }
    (value, at)
}
