//! Expressions of the lane, which say what element each lane accesses: `lane / 8, lane % 8 * 8`.

use crate::base::limits::{MAX_DIMS, Size};
use crate::base::text::{bytes_equal, part};
use crate::gpu::banks::error::BankError;

/// Most parentheses within one another.
const MAX_DEPTH: usize = 16;

/// A text that is evaluated while it is read, for one lane.
pub(super) struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
    lane: usize,
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
    pub(super) const fn new(text: &str, lane: usize) -> Reader<'_> {
        Reader { text: text.as_bytes(), at: 0, depth: 0, lane }
    }

    /// The coordinates of the lane, and how many there are.
    pub(super) const fn index(mut self) -> Result<([Size; MAX_DIMS], usize), BankError> {
        let (mut index, mut rank) = ([0; MAX_DIMS], 0);
        while rank < MAX_DIMS
            && let Some(coordinate) = self.value(1)
        {
            index[rank] = coordinate;
            rank += 1;
            match self.next() {
                None => return Ok((index, rank)),
                Some(b',') => self.at += 1,
                Some(_) => break,
            }
        }
        Err(BankError::Expression { lane: self.lane, at: self.at })
    }

    /// The next byte that is not a space.
    const fn next(&mut self) -> Option<u8> {
        while self.at < self.text.len() && self.text[self.at] == b' ' {
            self.at += 1;
        }
        if self.at < self.text.len() { Some(self.text[self.at]) } else { None }
    }

    /// The value of an expression whose operators bind at least as tightly as `least`.
    const fn value(&mut self, least: usize) -> Option<Size> {
        let mut left = some!(self.operand());
        while let Some(operator) = self.next() {
            let level = level(operator);
            if level < least {
                break;
            }
            self.at += 1;
            let right = some!(self.value(level + 1));
            left = some!(compute(operator, left, right));
        }
        Some(left)
    }

    const fn operand(&mut self) -> Option<Size> {
        match some!(self.next()) {
            b'0'..=b'9' => self.number(),
            b'(' if self.depth < MAX_DEPTH => {
                (self.at, self.depth) = (self.at + 1, self.depth + 1);
                let value = some!(self.value(1));
                if !matches!(self.next(), Some(b')')) {
                    return None;
                }
                (self.at, self.depth) = (self.at + 1, self.depth - 1);
                Some(value)
            }
            _ => {
                let (_, rest) = self.text.split_at(self.at);
                if rest.len() < 4 || !bytes_equal(part(rest, 0, 4), b"lane") {
                    return None;
                }
                self.at += 4;
                Some(self.lane as Size)
            }
        }
    }

    const fn number(&mut self) -> Option<Size> {
        let mut value: Size = 0;
        while self.at < self.text.len() && self.text[self.at].is_ascii_digit() {
            let digit = (self.text[self.at] - b'0') as Size;
            value = some!(some!(value.checked_mul(10)).checked_add(digit));
            self.at += 1;
        }
        Some(value)
    }
}
