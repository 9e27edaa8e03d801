//! Text built in a `const`, and operations that `str` lacks there.

use crate::base::limits::Size;
use crate::base::list::{bytes_equal, subslice};

/// `say!(text, "dimension ", dim, " has size ", size)`: appends texts and numbers to a [`Text`], in a `const fn` too.
///
/// A part is a `&str`, a number (`1usize`, not `1`: on targets of 32 bits `Size` is another type) or a [`Piece`].
#[doc(hidden)]
#[macro_export]
macro_rules! say {
    ($out:expr, $($part:expr),+ $(,)?) => {{
        $($out.part($crate::__private::Said($part).part());)+
    }};
}

/// `text!(part, ..)`: a [`Text`] of these parts. Its capacity is that of the type that the context expects.
#[doc(hidden)]
#[macro_export]
macro_rules! text {
    ($($part:expr),+ $(,)?) => {{
        let mut text = $crate::__private::Text::new();
        $crate::say!(text, $($part),+);
        text
    }};
}

/// `phrase!(part, ..)`: a [`Text`] of at most 320 bytes that is a part of another, as `&phrase!(..)`.
#[doc(hidden)]
#[macro_export]
macro_rules! phrase {
    ($($part:expr),+ $(,)?) => {{
        let text: $crate::__private::Text<320> = $crate::text!($($part),+);
        text
    }};
}

/// What stands between a message and its help.
pub const HELP: &str = "\n  = help: ";

/// A part of a text.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    /// A text.
    Str(&'a str),
    /// A number, in decimal digits.
    Number(Size),
    /// A number of either sign.
    Signed(i64),
    /// A text between backquotes.
    Quoted(&'a str),
    /// A number of things: `1 dimension`, `2 dimensions`.
    Counted(usize, &'a str),
    /// A name that ends in a number: `i0`.
    Numbered(&'a str, usize),
    /// Numbers with a text between each two: `3,5`.
    List(&'a [Size], &'a str),
}

/// An argument of `say!`. Its type decides how it is written; a trait cannot do that in a `const fn`.
#[derive(Debug)]
pub struct Said<T>(pub T);

impl<'a> Said<&'a str> {
    /// The text.
    pub const fn part(self) -> Piece<'a> {
        Piece::Str(self.0)
    }
}

impl Said<Size> {
    /// The number.
    pub const fn part(self) -> Piece<'static> {
        Piece::Number(self.0)
    }
}

#[cfg(not(target_pointer_width = "64"))]
impl Said<usize> {
    /// The number.
    pub const fn part(self) -> Piece<'static> {
        Piece::Number(self.0 as Size)
    }
}

impl<'a, const N: usize> Said<&'a Text<N>> {
    /// The text.
    pub const fn part(self) -> Piece<'a> {
        Piece::Str(self.0.as_str())
    }
}

impl<'a> Said<Piece<'a>> {
    /// The part itself.
    pub const fn part(self) -> Piece<'a> {
        self.0
    }
}

/// Room for the longest line of an error.
pub type Line = Text<1024>;

/// A string of at most `N` bytes; longer text is cut off.
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

    /// Appends an ASCII character.
    pub const fn byte(&mut self, byte: u8) {
        if self.len < N {
            self.bytes[self.len] = byte;
            self.len += 1;
        }
    }

    /// Appends text.
    pub const fn str(&mut self, text: &str) {
        each!(for i in 0..text.len() {
            self.byte(text.as_bytes()[i]);
        });
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

    /// Appends a part of `say!`.
    pub const fn part(&mut self, part: Piece<'_>) {
        match part {
            Piece::Str(text) => self.str(text),
            Piece::Number(number) => self.number(number),
            Piece::Signed(number) => {
                self.str(if number < 0 { "-" } else { "" });
                self.number(number.unsigned_abs() as Size);
            }
            Piece::Quoted(text) => say!(self, "`", text, "`"),
            Piece::Numbered(name, number) => say!(self, name, number),
            Piece::Counted(count, what) => {
                say!(self, count, " ", what, if count == 1 { "" } else { "s" });
            }
            Piece::List(numbers, between) => each!(for i in 0..numbers.len() {
                say!(self, if i == 0 { "" } else { between }, numbers[i]);
            }),
        }
    }

    /// The text in a buffer of `M` bytes.
    pub const fn cut<const M: usize>(&self) -> Text<M> {
        text!(self)
    }

    /// Whether the text is empty.
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

impl<const N: usize> core::fmt::Display for Text<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.as_str())
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

/// Whether two texts are equal.
pub const fn equal(a: &str, b: &str) -> bool {
    bytes_equal(a.as_bytes(), b.as_bytes())
}

/// `text[start..end]`, where both are character boundaries.
pub const fn substr(text: &str, start: usize, end: usize) -> &str {
    match core::str::from_utf8(subslice(text.as_bytes(), start, end)) {
        Ok(part) => part,
        Err(_) => "",
    }
}

/// Insertions, deletions, changes and swaps of neighbours that turn `a` into `b`, in any case; `usize::MAX` if one has `N`
/// bytes or more.
pub const fn edit_distance<const N: usize>(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() >= N || b.len() >= N {
        return usize::MAX;
    }
    let mut rows = [[0usize; N]; N];
    each!(for i in 0..=a.len() {
        each!(for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let is_other = !a[i - 1].eq_ignore_ascii_case(&b[j - 1]);
                let mut least = rows[i - 1][j - 1] + is_other as usize;
                least = min(least, rows[i - 1][j] + 1);
                least = min(least, rows[i][j - 1] + 1);
                let is_swap = i > 1 && j > 1 && a[i - 2].eq_ignore_ascii_case(&b[j - 1]);
                if is_swap && a[i - 1].eq_ignore_ascii_case(&b[j - 2]) {
                    least = min(least, rows[i - 2][j - 2] + 1);
                }
                least
            };
        });
    });
    rows[a.len()][b.len()]
}

const fn min(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}
