//! Text built in a `const`, and operations that `str` lacks there.

use crate::limits::Size;

/// A string of at most `N` bytes; what does not fit is cut off.
#[derive(Clone, Copy)]
pub struct Text<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Text<N> {
    /// No text.
    pub const fn new() -> Self {
        Text { bytes: [0; N], len: 0 }
    }

    /// A number between two texts.
    pub(crate) const fn numbered(before: &str, number: Size, after: &str) -> Self {
        let mut text = Text::new();
        text.str(before);
        text.number(number);
        text.str(after);
        text
    }

    /// Appends an ASCII character.
    pub const fn byte(&mut self, byte: u8) {
        if self.len < N {
            self.bytes[self.len] = byte;
            self.len += 1;
        }
    }

    /// Appends text.
    pub const fn str(&mut self, text: &str) {
        let mut i = 0;
        while i < text.len() {
            self.byte(text.as_bytes()[i]);
            i += 1;
        }
    }

    /// Appends a number in decimal digits.
    pub const fn number(&mut self, number: Size) {
        let mut digits = [0u8; 20];
        let mut left = number;
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (left % 10) as u8;
            left /= 10;
            if left == 0 {
                break;
            }
        }
        while at < digits.len() {
            self.byte(digits[at]);
            at += 1;
        }
    }

    /// Appends a dimension's number, a length or a limit.
    pub const fn count(&mut self, count: usize) {
        self.number(count as Size);
    }

    /// Appends a number of either sign.
    pub const fn signed(&mut self, number: i64) {
        if number < 0 {
            self.byte(b'-');
        }
        self.number(number.unsigned_abs() as Size);
    }

    /// The text in a buffer of `M` bytes.
    pub const fn cut<const M: usize>(&self) -> Text<M> {
        let mut text = Text::new();
        let mut i = 0;
        while i < self.len {
            text.byte(self.bytes[i]);
            i += 1;
        }
        text
    }

    /// Whether there is no text.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Length in bytes.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The text.
    pub const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "text cut inside a character",
        }
    }
}

impl<const N: usize> core::fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Debug::fmt(self.as_str(), f)
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Text::new()
    }
}

impl<const N: usize> core::fmt::Write for Text<N> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.str(text);
        Ok(())
    }
}

pub(crate) const fn lower(byte: u8) -> u8 {
    byte.to_ascii_lowercase()
}

pub(crate) const fn bytes_equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

pub(crate) const fn equal_ignoring_case(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

pub(crate) const fn equal(a: &str, b: &str) -> bool {
    bytes_equal(a.as_bytes(), b.as_bytes())
}

/// `items[start..end]`, which slices do not offer in a `const`.
pub(crate) const fn part<T>(items: &[T], start: usize, end: usize) -> &[T] {
    items.split_at(end).0.split_at(start).1
}

/// `text[start..end]`, where both are character boundaries.
pub(crate) const fn part_of_str(text: &str, start: usize, end: usize) -> &str {
    match core::str::from_utf8(part(text.as_bytes(), start, end)) {
        Ok(part) => part,
        Err(_) => "",
    }
}

/// Insertions, deletions, changes and swaps of neighbours that turn `a` into `b`, in any case; `usize::MAX` if one has `N`
/// bytes or more.
pub(crate) const fn edit_distance<const N: usize>(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() >= N || b.len() >= N {
        return usize::MAX;
    }
    let mut rows = [[0usize; N]; N];
    let mut i = 0;
    while i <= a.len() {
        let mut j = 0;
        while j <= b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let (x, y) = (lower(a[i - 1]), lower(b[j - 1]));
                let mut least = rows[i - 1][j - 1] + (x != y) as usize;
                least = min(least, rows[i - 1][j] + 1);
                least = min(least, rows[i][j - 1] + 1);
                if i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y {
                    least = min(least, rows[i - 2][j - 2] + 1);
                }
                least
            };
            j += 1;
        }
        i += 1;
    }
    rows[a.len()][b.len()]
}

const fn min(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}
