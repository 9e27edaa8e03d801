//! A text and how far it is read.

use alloc::vec::Vec;

use crate::devices::MAX_DEVICES;
use crate::read::fault::{self, Fault};
use layout_core::{Error, FaultKind, skip_space};

pub(crate) type Read<T> = Result<T, Error>;

pub(crate) struct Cursor<'a> {
    text: &'a str,
    pub at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    /// Reads a text to its end.
    pub(crate) fn all<T>(text: &'a str, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        let mut cursor = Cursor::new(text);
        let all = read(&mut cursor)?;
        if cursor.is_at_end() { Ok(all) } else { cursor.error(fault::MORE) }
    }

    /// Where the next character is that is neither a space nor in a comment, `/*index=5*/`.
    pub(crate) fn place(&mut self) -> usize {
        self.at = skip_space(self.text.as_bytes(), self.at);
        self.at
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn is_at_end(&mut self) -> bool {
        self.place() == self.text.len()
    }

    /// Whether this comes next.
    pub(crate) fn is_at(&mut self, what: &str) -> bool {
        self.place();
        self.rest().starts_with(what)
    }

    /// Whether this comes next; if so, it is taken.
    pub(crate) fn take(&mut self, what: &str) -> bool {
        let found = self.is_at(what);
        self.at += if found { what.len() } else { 0 };
        found
    }

    /// A fault of what comes next.
    pub(crate) fn error<T>(&mut self, fault: Fault) -> Read<T> {
        let start = self.place();
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        self.error_from(start, fault)
    }

    /// A fault of what was read from there on.
    pub(crate) fn error_from<T>(&self, start: usize, (what, instead): Fault) -> Read<T> {
        Err(Error::at(self.text, start..self.at, FaultKind::Syntax { what, instead }))
    }

    /// What was made of the text from there on, or its fault.
    pub(crate) fn made<T>(&self, start: usize, made: Option<T>, fault: Fault) -> Read<T> {
        made.map_or_else(|| self.error_from(start, fault), Ok)
    }

    pub(crate) fn number(&mut self) -> Read<usize> {
        let start = self.place();
        self.at += self.rest().bytes().take_while(u8::is_ascii_digit).count();
        match self.text[start..self.at].parse() {
            Ok(number) if number <= MAX_DEVICES => Ok(number),
            _ if start == self.at => self.error(fault::NUMBER),
            _ => self.error_from(start, fault::TOO_LARGE),
        }
    }

    pub(crate) fn device(&mut self) -> Read<u32> {
        self.number().map(|number| number as u32)
    }

    /// A number that is at least 1.
    pub(crate) fn count(&mut self) -> Read<usize> {
        let start = self.place();
        let number = self.number()?;
        self.made(start, Some(number).filter(|it| *it > 0), fault::ZERO)
    }

    /// A name in quotes; without them where other systems take it so.
    pub(crate) fn name(&mut self, is_quoted: bool) -> Read<&'a str> {
        self.place();
        let rest = self.rest();
        let (name, quotes) = match rest.chars().next() {
            Some(quote @ ('\'' | '"')) => match rest[1..].split_once(quote) {
                Some((name, _)) => (name, 2),
                None => return self.error(fault::QUOTE),
            },
            _ if is_quoted => ("", 0),
            _ => (rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(""), 0),
        };
        if name.is_empty() {
            return self.error(fault::NAME);
        }
        self.at += name.len() + quotes;
        Ok(name)
    }

    /// Items between commas, up to what closes the list; an empty text is the end.
    pub(crate) fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let mut items = Vec::new();
        while !(if close.is_empty() { self.is_at_end() } else { self.take(close) }) {
            if !items.is_empty() && !self.take(",") {
                return self.error(fault::LIST);
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Items of a tuple of Python, which may have a comma at its end.
    pub(crate) fn tuple<T>(&mut self, mut item: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let last =
            |cursor: &mut Self| if cursor.is_at(")") { Ok(None) } else { item(cursor).map(Some) };
        Ok(self.list(")", last)?.into_iter().flatten().collect())
    }

    /// Leaves out metadata, with the texts in quotes in it.
    pub(crate) fn skip_metadata(&mut self) -> Read<()> {
        if !self.take("metadata={") {
            return Ok(());
        }
        let (mut bytes, mut depth) = (self.rest().bytes().enumerate(), 1);
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'"' => {
                    while let Some((_, b'\\')) = bytes.find(|it| matches!(it.1, b'"' | b'\\')) {
                        bytes.next();
                    }
                }
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at += at + 1;
                return Ok(());
            }
        }
        self.error_from(self.at, fault::BRACE)
    }
}
