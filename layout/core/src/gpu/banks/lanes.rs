//! Expressions of the lane, which say what element each lane accesses: `lane / 8, lane % 8 * 8`.

use crate::base::limits::{MAX_DIMS, Size};
use crate::gpu::banks::error::BankError;

/// Most parentheses within one another.
const MAX_DEPTH: usize = 16;

/// A text that is evaluated while it is read, for one lane.
struct Reader<'a> {
    rest: &'a [u8],
    depth: usize,
    lane: usize,
}

/// The coordinates of a lane, and how many there are.
pub(super) const fn index(text: &str, lane: usize) -> Result<([Size; MAX_DIMS], usize), BankError> {
    let mut reader = Reader { rest: text.as_bytes(), depth: 0, lane };
    let (mut index, mut rank) = ([0; MAX_DIMS], 0);
    while rank < MAX_DIMS
        && let Some(coordinate) = reader.value(1)
    {
        index[rank] = coordinate;
        rank += 1;
        if reader.is_end() {
            return Ok((index, rank));
        }
        if !reader.take(b',') {
            break;
        }
    }
    Err(BankError::Expression { lane, at: text.len() - reader.rest.len() })
}

/// How tightly an operator binds, as in C; 0 if it is none.
const fn level(operator: u8) -> usize {
    match operator {
        b'^' => 1,
        b'&' => 2,
        b'+' | b'-' => 3,
        b'*' | b'/' | b'%' => 4,
        _ => 0,
    }
}

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

impl Reader<'_> {
    /// Whether nothing but spaces follows, which are skipped.
    const fn is_end(&mut self) -> bool {
        while let [b' ', rest @ ..] = self.rest {
            self.rest = rest;
        }
        self.rest.is_empty()
    }

    const fn take(&mut self, expected: u8) -> bool {
        let taken = !self.is_end() && self.rest[0] == expected;
        if taken {
            (_, self.rest) = self.rest.split_at(1);
        }
        taken
    }

    /// The value of an expression whose operators bind at least as tightly as `least`.
    const fn value(&mut self, least: usize) -> Option<Size> {
        let mut left = some!(self.operand());
        while !self.is_end() && level(self.rest[0]) >= least {
            let operator = self.rest[0];
            self.take(operator);
            let right = some!(self.value(level(operator) + 1));
            left = some!(compute(operator, left, right));
        }
        Some(left)
    }

    const fn operand(&mut self) -> Option<Size> {
        if self.is_end() {
            return None;
        }
        match self.rest {
            [b'0'..=b'9', ..] => self.number(),
            [b'l', b'a', b'n', b'e', rest @ ..] => {
                self.rest = rest;
                Some(self.lane as Size)
            }
            [b'(', rest @ ..] if self.depth < MAX_DEPTH => {
                self.rest = rest;
                self.depth += 1;
                let value = some!(self.value(1));
                self.depth -= 1;
                if self.take(b')') { Some(value) } else { None }
            }
            _ => None,
        }
    }

    const fn number(&mut self) -> Option<Size> {
        let mut value: Size = 0;
        while let [digit @ b'0'..=b'9', rest @ ..] = self.rest {
            let digit = (*digit - b'0') as Size;
            value = some!(some!(value.checked_mul(10)).checked_add(digit));
            self.rest = rest;
        }
        Some(value)
    }
}
