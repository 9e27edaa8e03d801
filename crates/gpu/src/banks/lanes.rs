//! Expressions of the lane, which say what element each lane accesses: `lane / 8, lane % 8 * 8`.

use crate::banks::error::BankError;
use layout_core::limits::{MAX_DIMS, Size};

/// Most parentheses within one another.
const MAX_DEPTH: usize = 16;

/// Operators as in C, those that bind tightest last.
const OPERATORS: [&[u8]; 4] = [b"^", b"&", b"+-", b"*/%"];

const fn compute(operator: u8, left: Size, right: Size) -> Option<Size> {
    match operator {
        b'^' => Some(left ^ right),
        b'&' => Some(left & right),
        b'+' => left.checked_add(right),
        b'-' => left.checked_sub(right),
        b'*' => left.checked_mul(right),
        b'/' => left.checked_div(right),
        _ => left.checked_rem(right),
    }
}

/// The coordinates of a lane, and how many there are.
pub(super) const fn index(text: &str, lane: usize) -> Result<([Size; MAX_DIMS], usize), BankError> {
    let mut reader = IndexReader { rest: text.as_bytes(), depth: 0, lane };
    let (mut index, mut rank) = ([0; MAX_DIMS], 0);
    while rank < MAX_DIMS
        && let Some(coordinate) = reader.value(0)
    {
        index[rank] = coordinate;
        rank += 1;
        let is_last = reader.take(b",").is_none();
        if is_last && reader.rest.is_empty() {
            return Ok((index, rank));
        }
        if is_last {
            break;
        }
    }
    Err(BankError::Expression { lane, at: text.len() - reader.rest.len() })
}

/// A text that is evaluated while it is read, for one lane.
struct IndexReader<'a> {
    rest: &'a [u8],
    depth: usize,
    lane: usize,
}

impl IndexReader<'_> {
    const fn skip_spaces(&mut self) {
        while let [b' ', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// Reads one of these characters, if one comes next.
    const fn take(&mut self, characters: &[u8]) -> Option<u8> {
        self.skip_spaces();
        each!(for &character in characters {
            if let [next, rest @ ..] = self.rest
                && *next == character
            {
                self.rest = rest;
                return Some(character);
            }
        });
        None
    }

    /// The value of an expression, whose operators outside of parentheses are of this level or bind tighter.
    const fn value(&mut self, level: usize) -> Option<Size> {
        if level == OPERATORS.len() {
            return self.operand();
        }
        let mut left = some!(self.value(level + 1));
        while let Some(operator) = self.take(OPERATORS[level]) {
            let right = some!(self.value(level + 1));
            left = some!(compute(operator, left, right));
        }
        Some(left)
    }

    const fn operand(&mut self) -> Option<Size> {
        self.skip_spaces();
        match self.rest {
            [b'0'..=b'9', ..] => self.number(),
            [b'l', b'a', b'n', b'e', rest @ ..] => {
                self.rest = rest;
                Some(self.lane as Size)
            }
            [b'(', rest @ ..] if self.depth < MAX_DEPTH => {
                self.rest = rest;
                self.depth += 1;
                let value = some!(self.value(0));
                self.depth -= 1;
                if self.take(b")").is_some() { Some(value) } else { None }
            }
            _ => None,
        }
    }

    const fn number(&mut self) -> Option<Size> {
        let mut value: Size = 0;
        while let [digit @ b'0'..=b'9', rest @ ..] = self.rest {
            value = some!(value.checked_mul(10));
            value = some!(value.checked_add((*digit - b'0') as Size));
            self.rest = rest;
        }
        Some(value)
    }
}
