//! The position in the text, with its line, and what is passed over in one go.

use crate::reading::error::{Error, ErrorKind};
use crate::reading::lex;
use crate::reading::mark::Mark;
use layout_core::skip_space;

/// The position in the text.
#[derive(Clone, Debug)]
pub(crate) struct TextCursor<'a> {
    pub text: &'a str,
    pub at: usize,
    pub line: usize,
    /// On the present line.
    pub mark: Mark,
    /// What stands without its counterpart, the first of them; and where.
    unmatched: Option<(Unmatched, LinePlace)>,
}

/// What can stand without its counterpart.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unmatched {
    Quote,
    Comment,
    Closing,
}

/// A place in the text.
#[derive(Clone, Copy, Debug)]
struct LinePlace {
    at: usize,
    line: usize,
    mark: Mark,
}

impl<'a> TextCursor<'a> {
    pub(crate) const fn new(text: &'a str) -> TextCursor<'a> {
        TextCursor { text, at: 0, line: 1, mark: Mark::line_start(0), unmatched: None }
    }

    /// An error at this position.
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        self.error_at(self.place(), kind)
    }

    fn error_at(&self, place: LinePlace, kind: ErrorKind) -> Error {
        let column = place.mark.column(self.text, place.at);
        Error { line: place.line, column, kind }
    }

    fn place(&self) -> LinePlace {
        LinePlace { at: self.at, line: self.line, mark: self.mark }
    }

    /// The error of the first thing that stands without its counterpart.
    pub(crate) fn unmatched(&self) -> Option<Error> {
        self.unmatched.map(|(what, place)| {
            let kind = match what {
                Unmatched::Quote => ErrorKind::UnclosedString,
                Unmatched::Comment => ErrorKind::UnclosedComment,
                Unmatched::Closing => ErrorKind::Unopened,
            };
            self.error_at(place, kind)
        })
    }

    /// Notes that what stands here has no counterpart.
    pub(crate) fn no_counterpart(&mut self, what: Unmatched) {
        self.no_counterpart_of(what, self.place());
    }

    fn no_counterpart_of(&mut self, what: Unmatched, place: LinePlace) {
        self.unmatched = self.unmatched.or(Some((what, place)));
    }

    /// Goes to the next byte, outside of strings, that the scan has to look at. `None` at the end.
    pub(crate) fn stop(&mut self) -> Option<u8> {
        self.at = lex::stop(self.bytes(), self.at);
        self.bytes().get(self.at).copied()
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// The byte at this position; 0 at the end.
    pub(crate) fn here(&self) -> u8 {
        self.byte(self.at)
    }

    /// Goes past a byte if it stands here.
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let taken = self.here() == byte;
        self.at += usize::from(taken);
        taken
    }

    pub(crate) fn byte(&self, at: usize) -> u8 {
        self.bytes().get(at).copied().unwrap_or(0)
    }

    /// The byte before `at`.
    pub(crate) fn before(&self, at: usize) -> u8 {
        at.checked_sub(1).map_or(0, |before| self.byte(before))
    }

    pub(crate) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Goes past the newline at `at`.
    pub(crate) fn new_line(&mut self, at: usize) {
        self.line += 1;
        self.mark = Mark::line_start(at + 1);
        self.at = at + 1;
    }

    /// Goes to `to`, which is not far ahead.
    pub(crate) fn go(&mut self, to: usize) {
        let to = to.min(self.text.len());
        for at in self.at..to {
            if self.byte(at) == b'\n' {
                self.new_line(at);
            }
        }
        self.at = to;
    }

    pub(crate) fn skip_space(&mut self) {
        self.go(skip_space(self.bytes(), self.at));
    }

    /// Reads the word that starts here.
    pub(crate) fn word(&mut self) -> &'a str {
        let start = self.at;
        self.at = lex::word_end(self.bytes(), start);
        self.slice(start, self.at)
    }

    /// The word that ends at `end`, but for white space, and where it starts.
    pub(crate) fn word_before(&self, end: usize) -> (&'a str, usize) {
        let bytes = self.bytes();
        let end = lex::before_space(bytes, end);
        let start = lex::word_start(bytes, end);
        (self.slice(start, end), start)
    }

    /// Skips the string whose quote stands here.
    pub(crate) fn string(&mut self, quote: u8) {
        let start = self.place();
        self.at += 1;
        loop {
            let stop = lex::string_stop(self.bytes(), self.at);
            match self.bytes().get(stop) {
                None => {
                    self.no_counterpart_of(Unmatched::Quote, start);
                    self.at = stop;
                    return;
                }
                Some(b'\n') => self.new_line(stop),
                // A newline after it still counts as a line.
                Some(b'\\') if self.byte(stop + 1) == b'\n' => self.at = stop + 1,
                Some(b'\\') => self.at = (stop + 2).min(self.text.len()),
                Some(byte) => {
                    self.at = stop + 1;
                    if *byte == quote {
                        return;
                    }
                }
            }
        }
    }

    /// Skips the comment that may start here.
    pub(crate) fn comment(&mut self) {
        let start = self.place();
        let end = skip_space(self.bytes(), self.at);
        if end > self.at {
            self.go(end);
        } else if self.byte(self.at + 1) == b'*' {
            self.no_counterpart_of(Unmatched::Comment, start);
            self.go(self.text.len());
        } else {
            self.at += 1;
        }
    }
}
