//! A text and how far it is read.

use alloc::vec::Vec;

use layout_core::{Error, FaultKind};

pub(crate) type Read<T> = Result<T, Error>;

#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Cursor { text, at: 0 }
    }

    /// Where the next character is that is neither a space nor in a comment, `/*index=5*/`.
    pub(crate) fn place(&mut self) -> usize {
        loop {
            self.at = self.text.len() - self.text[self.at..].trim_start().len();
            let comment = self.rest().strip_prefix("/*").and_then(|it| it.find("*/"));
            match comment {
                Some(end) => self.at += end + 4,
                None => return self.at,
            }
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Whether this comes next.
    pub(crate) fn is_at(&mut self, what: &str) -> bool {
        self.place();
        self.rest().starts_with(what)
    }

    /// Whether this comes next; if so, it is taken.
    pub(crate) fn take(&mut self, what: &str) -> bool {
        let found = self.is_at(what);
        if found {
            self.at += what.len();
        }
        found
    }

    pub(crate) fn expect(
        &mut self,
        text: &str,
        what: &'static str,
        instead: &'static str,
    ) -> Read<()> {
        if self.take(text) { Ok(()) } else { self.error(what, instead) }
    }

    /// A fault of what comes next.
    pub(crate) fn error<T>(&mut self, what: &'static str, instead: &'static str) -> Read<T> {
        let start = self.place();
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        self.error_from(start, what, instead)
    }

    /// A fault of what was read from there on.
    pub(crate) fn error_from<T>(
        &self,
        start: usize,
        what: &'static str,
        instead: &'static str,
    ) -> Read<T> {
        Err(Error::at(self.text, start..self.at, FaultKind::Syntax { what, instead }))
    }

    pub(crate) fn number(&mut self) -> Read<usize> {
        let start = self.place();
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return self.error("expected a number", "write it in decimal digits, without a sign");
        }
        self.at += digits;
        let number = self.text[start..self.at].parse::<u32>();
        number.map(|it| it as usize).or_else(|_| {
            self.error_from(start, "the number is too large", "there are at most 1048576 devices")
        })
    }

    /// A number that is at least 1.
    pub(crate) fn count(&mut self) -> Read<usize> {
        let start = self.place();
        match self.number()? {
            0 => self.error_from(start, "a size is 0", "write 1 or more"),
            count => Ok(count),
        }
    }

    /// A name in quotes; without them where other systems take it so.
    pub(crate) fn name(&mut self, is_quoted: bool) -> Read<&'a str> {
        let start = self.place();
        let rest = self.rest();
        let quote = rest.chars().next().filter(|it| matches!(it, '\'' | '"'));
        let (name, len) = match quote {
            Some(quote) => match rest[1..].find(quote) {
                Some(end) => (&rest[1..=end], end + 2),
                None => return self.error("the quote is not closed", "close it after the name"),
            },
            None if is_quoted => ("", 0),
            None => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                let end = end.unwrap_or(rest.len());
                (&rest[..end], end)
            }
        };
        self.at += len;
        match name {
            "" if len == 0 => {
                self.error("expected the name of an axis", "write it in quotes, as in `'x'`")
            }
            "" => self.error_from(start, "the name is empty", "write the name of an axis"),
            name => Ok(name),
        }
    }

    /// Items between commas, up to what closes the list.
    pub(crate) fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let mut items = Vec::new();
        while !self.take(close) {
            if !items.is_empty() {
                self.expect(",", "expected `,` or the end of the list", "close the list")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    pub(crate) fn is_end(&mut self) -> bool {
        self.place() == self.text.len()
    }

    pub(crate) fn end(&mut self) -> Read<()> {
        if self.is_end() { Ok(()) } else { self.error("this follows the sharding", "leave it out") }
    }

    /// Leaves out a group in braces, with the texts in quotes in it, after the brace that opens it.
    pub(crate) fn skip_group(&mut self) -> Read<()> {
        let (start, mut depth, mut is_quoted, mut is_escaped) = (self.at, 1, false, false);
        for (at, c) in self.rest().char_indices() {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' if is_quoted => is_escaped = true,
                '"' => is_quoted = !is_quoted,
                '{' if !is_quoted => depth += 1,
                '}' if !is_quoted => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at += at + 1;
                return Ok(());
            }
        }
        self.error_from(start, "a brace is not closed", "give the whole text: was it cut off?")
    }

    pub(crate) fn moved_to(&mut self, at: usize) {
        self.at = at;
    }
}
