//! The position in the text, and what stands there.

use alloc::boxed::Box;
use core::ops::Range;

use crate::reading::error::{Error, ErrorKind};
use crate::reading::lex;

/// What is read, or an error; in a box, since errors are large and what is read stands inside of one another.
pub(crate) type Read<T> = Result<T, Box<Error>>;

/// A text and the position in it, a byte.
pub(crate) struct Cursor<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Cursor<'a> {
    /// The range of the shape that stands here, or of what stands in its place.
    pub(crate) fn extent(&mut self) -> Read<Range<usize>> {
        let bytes = self.bytes();
        let end = lex::shape(bytes, self.at).map(|extent| extent.end);
        let end = end.unwrap_or_else(|| lex::no_shape(bytes, self.at));
        if end == self.at { Err(self.expected("a shape")) } else { Ok(self.at..end) }
    }

    /// Passes over the string whose quote stands here.
    pub(crate) fn string(&mut self) -> Read<()> {
        let end = lex::string_end(&self.bytes()[self.at + 1..], self.here());
        match end {
            Some(end) => self.at += end + 2,
            None => return Err(self.error(ErrorKind::UnclosedString)),
        }
        Ok(())
    }

    /// Whether a brace opens the body of a computation: an instruction follows.
    pub(crate) fn is_body(&self, brace: usize) -> bool {
        let bytes = self.bytes();
        if self.byte(brace) != b'{' {
            return false;
        }
        let name = lex::space(bytes, brace + 1);
        let start = name + usize::from(self.byte(name) == b'%');
        let end = lex::word_end(bytes, start);
        let is_root = &bytes[start..end] == b"ROOT";
        end > start && (is_root || self.byte(lex::space(bytes, end)) == b'=')
    }

    /// Whether an opcode and its parenthesis stand here.
    pub(crate) fn is_call(&self) -> bool {
        let word = self.peek();
        let end = self.at + word.len();
        !matches!(word, "" | "b") && self.byte(lex::space(self.bytes(), end)) == b'('
    }

    /// Whether the value of a scalar stands here, as in `literal=f32[] 0.1`.
    pub(crate) fn is_number(&self) -> bool {
        let word = self.peek();
        matches!(word, "true" | "false") || word.trim_start_matches('-').parse::<f64>().is_ok()
    }

    /// A name, with or without `%`.
    pub(crate) fn name(&mut self, what: &'static str) -> Read<&'a str> {
        let has_sign = self.take(b'%');
        let name = self.word();
        if name.is_empty() {
            self.at -= usize::from(has_sign);
            return Err(self.expected(what));
        }
        Ok(name)
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let is_here = self.peek() == word;
        self.at += if is_here { word.len() } else { 0 };
        is_here
    }

    /// The word that stands here.
    pub(crate) fn peek(&self) -> &'a str {
        self.slice(self.at..lex::word_end(self.bytes(), self.at))
    }

    pub(crate) fn word(&mut self) -> &'a str {
        let word = self.peek();
        self.at += word.len();
        word
    }

    pub(crate) fn expect(&mut self, byte: u8, what: &'static str) -> Read<()> {
        if self.take(byte) { Ok(()) } else { Err(self.expected(what)) }
    }

    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let is_here = self.here() == byte && self.at < self.text.len();
        self.at += usize::from(is_here);
        is_here
    }

    pub(crate) fn space(&mut self) {
        self.at = lex::space(self.bytes(), self.at);
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    pub(crate) fn here(&self) -> u8 {
        self.byte(self.at)
    }

    pub(crate) fn before(&self) -> u8 {
        self.at.checked_sub(1).map_or(0, |before| self.byte(before))
    }

    /// The byte at a position; 0 at the end.
    pub(crate) fn byte(&self, at: usize) -> u8 {
        self.bytes().get(at).copied().unwrap_or(0)
    }

    /// The text from here on.
    pub(crate) fn rest(&self) -> &'a str {
        self.slice(self.at..self.text.len())
    }

    pub(crate) fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    pub(crate) fn error(&self, kind: ErrorKind) -> Box<Error> {
        self.error_at(self.at, kind)
    }

    pub(crate) fn error_at(&self, at: usize, kind: ErrorKind) -> Box<Error> {
        Box::new(Error::at(self.text, at, kind))
    }

    /// The error of text that is not what has to stand here.
    pub(crate) fn expected(&self, what: &'static str) -> Box<Error> {
        match self.here() {
            _ if self.at >= self.text.len() => self.error(ErrorKind::Unclosed),
            b'/' => self
                .refuse_comment()
                .err()
                .unwrap_or_else(|| self.error(ErrorKind::Expected { what })),
            _ => self.error(ErrorKind::Expected { what }),
        }
    }

    /// A comment that stands here does not end: one that ends is space.
    pub(crate) fn refuse_comment(&self) -> Read<()> {
        let is_open = self.bytes()[self.at..].starts_with(b"/*");
        if is_open { Err(self.error(ErrorKind::UnclosedComment)) } else { Ok(()) }
    }
}
