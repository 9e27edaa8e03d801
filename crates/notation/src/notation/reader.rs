//! Reading short texts of other notations.

use layout_core::base::width::native;
use layout_core::limits::Size;
use layout_core::{Error, FaultKind, List, TileDim, Tiles};

const DIM_ONCE: &str = "write each dimension once";

/// A text and how far it is read.
#[derive(Clone, Copy)]
pub(super) struct TextReader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> TextReader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        TextReader { text, at: 0 }
    }

    /// Reads on from byte `at`, which is the start of a character.
    pub(super) fn moved_to(self, at: usize) -> Self {
        TextReader { at, ..self }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn is_end(&self) -> bool {
        self.at == self.text.len()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn bump(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    pub(super) fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Reads a text if it comes next, after spaces.
    pub(super) fn take(&mut self, expected: &str) -> bool {
        self.skip_spaces();
        let taken = self.rest().starts_with(expected);
        if taken {
            self.at += expected.len();
        }
        taken
    }

    /// Reads a text that has to come next, after spaces.
    pub(super) fn expect(
        &mut self,
        expected: &str,
        what: &'static str,
        instead: &'static str,
    ) -> Result<(), Error> {
        match self.take(expected) {
            true => Ok(()),
            false => Err(self.error(self.at, what, instead)),
        }
    }

    /// Reads an identifier, after spaces: empty if there is none.
    pub(super) fn word(&mut self) -> &'a str {
        self.skip_spaces();
        match self.peek() {
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                self.take_while(|c| c.is_ascii_alphanumeric() || c == '_')
            }
            _ => "",
        }
    }

    /// An error unless the text ends here, after spaces.
    pub(super) fn end(&mut self, what: &'static str, instead: &'static str) -> Result<(), Error> {
        self.skip_spaces();
        match self.is_end() {
            true => Ok(()),
            false => Err(self.error(self.at, what, instead)),
        }
    }

    /// Reads items with commas between them, or after each, up to the text that closes them.
    pub(super) fn list(
        &mut self,
        close: &'static str,
        mut item: impl FnMut(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while !self.take(close) {
            self.skip_spaces();
            item(self)?;
            if !self.take(",") && !self.rest().starts_with(close) {
                let what = match close {
                    "]" => "expected `,` or `]`",
                    _ => "expected `,` or `)`",
                };
                return Err(self.error(self.at, what, "close the list"));
            }
        }
        Ok(())
    }

    /// Reads the numbers of different dimensions up to the text that closes their list, after the one that opens it.
    pub(super) fn dims<const N: usize>(
        &mut self,
        close: &'static str,
    ) -> Result<List<N, usize>, Error> {
        let mut dims = List::<N, usize>::new();
        self.list(close, |reader| {
            let start = reader.at;
            let dim = native(reader.number()?);
            if dims.len() == N {
                let instead = "an array has at most 16, and tiles have at most 32 sizes";
                return Err(reader.error(start, "too many dimensions", instead));
            }
            if dims.contains(&dim) {
                return Err(reader.error(start, "the dimension is listed twice", DIM_ONCE));
            }
            dims.push(dim);
            Ok(())
        })?;
        Ok(dims)
    }

    /// Reads a list as [`dims`](Self::dims) does, in which no dimension is missing.
    pub(super) fn permutation<const N: usize>(
        &mut self,
        close: &'static str,
    ) -> Result<List<N, usize>, Error> {
        let start = self.at - 1;
        let dims = self.dims(close)?;
        match dims.iter().all(|dim| *dim < dims.len()) {
            true => Ok(dims),
            false => Err(self.error(start, "this is not a permutation", DIM_ONCE)),
        }
    }

    /// Reads the sizes of another tile, after the parenthesis that opens it; `combined` is how a `*` is written.
    pub(super) fn tile(&mut self, tiles: &mut Tiles, combined: Option<&str>) -> Result<(), Error> {
        const MOST: &str = "a layout has at most 8 tiles with 32 sizes in all";
        let open = self.at - 1;
        if !tiles.begin() {
            return Err(self.error(open, "too many tiles", MOST));
        }
        let mut last = None;
        self.list(")", |reader| {
            let start = reader.at;
            let entry = match combined.is_some_and(|combined| reader.take(combined)) {
                true => TileDim::Combined,
                false => TileDim::Size(reader.size()?),
            };
            last = Some((entry, start));
            match tiles.push(entry) {
                true => Ok(()),
                false => Err(reader.error(start, "too many sizes of tiles", MOST)),
            }
        })?;
        match last {
            Some((TileDim::Size(_), _)) => Ok(()),
            Some((TileDim::Combined, start)) => {
                let instead = "end the tile with a size";
                Err(self.error(start, "no dimension follows the combined one", instead))
            }
            None => {
                Err(self.error(open, "the tile has no sizes", "write them, or leave the tile out"))
            }
        }
    }

    /// Reads characters while they satisfy a condition.
    pub(super) fn take_while(&mut self, is: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !is(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Reads a number from 0 to `MAX_SIZE`, after spaces.
    pub(super) fn number(&mut self) -> Result<Size, Error> {
        self.skip_spaces();
        let start = self.at;
        let digits = self.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.error(start, "expected a number", "write a number in decimal digits"));
        }
        match digits.parse() {
            Ok(number) if number <= layout_core::limits::MAX_SIZE => Ok(number),
            _ => Err(self.error(start, "the number is too large", "write a smaller number")),
        }
    }

    /// Reads a number that is at least 1 and at most `MAX_SIZE`, after spaces.
    pub(super) fn size(&mut self) -> Result<Size, Error> {
        self.skip_spaces();
        let start = self.at;
        match self.number()? {
            0 => Err(self.error(start, "a size is 0", "write a number from 1 on")),
            size => Ok(size),
        }
    }

    /// An error at the text from `start` to here, or at the next character if nothing was read.
    pub(super) fn error(&self, start: usize, what: &'static str, instead: &'static str) -> Error {
        let end = match self.at > start {
            true => self.at,
            false => start + self.text[start..].chars().next().map_or(0, char::len_utf8),
        };
        self.error_at(start, end, what, instead)
    }

    pub(super) fn error_at(
        &self,
        start: usize,
        end: usize,
        what: &'static str,
        instead: &'static str,
    ) -> Error {
        self.error_of(start, end, FaultKind::Syntax { what, instead })
    }

    pub(super) fn error_of(&self, start: usize, end: usize, kind: FaultKind) -> Error {
        Error::at(self.text, start..end, kind)
    }
}
