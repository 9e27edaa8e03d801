//! The error of the parser: every fault that was found, each with its place.

use core::fmt;
use core::ops::Range;

use crate::base::text::{Text, part};
use crate::fault::FaultKind;
use crate::fault::place::Place;

/// Faults that an error can hold; those behind them are left out.
pub const MAX_FAULTS: usize = 16;

/// One fault of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) place: Place,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Fault {
    /// What is wrong.
    pub const fn kind(&self) -> FaultKind {
        self.kind
    }

    /// Where it stands: the range of bytes in the text (of tokens, where tokens were read).
    pub const fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Which part of the shape it concerns.
    pub const fn place(&self) -> Place {
        self.place
    }

    /// What is wrong, in one line of lower case without a full stop.
    pub const fn message(&self) -> impl fmt::Display + use<> {
        Line(self.kind.message())
    }

    /// What to write instead, in one line.
    pub const fn help(&self) -> impl fmt::Display + use<> {
        Line(self.kind.help())
    }

    /// Message, place and help in one line, for a panic in a `const`, where nothing has a span.
    #[doc(hidden)]
    pub const fn line(&self) -> Text<640> {
        let mut out = Text::new();
        self.place.write(&mut out);
        out.str(self.kind.message().as_str());
        out.str(" (help: ");
        out.str(self.kind.help().as_str());
        out.str(")");
        out
    }
}

struct Line<const N: usize>(Text<N>);

impl<const N: usize> fmt::Display for Line<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.as_str())
    }
}

/// Faults as they are collected.
#[derive(Clone, Copy)]
pub(crate) struct Faults {
    list: [Fault; MAX_FAULTS],
    count: usize,
}

impl Faults {
    pub(crate) const fn new() -> Faults {
        let none = Fault { kind: FaultKind::ZeroTile, place: Place::Shape, start: 0, end: 0 };
        Faults { list: [none; MAX_FAULTS], count: 0 }
    }

    pub(crate) const fn add(&mut self, kind: FaultKind, place: Place, start: usize, end: usize) {
        if self.count < MAX_FAULTS {
            self.list[self.count] = Fault { kind, place, start, end };
            self.count += 1;
        }
    }

    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    #[cfg(feature = "alloc")]
    pub(crate) const fn is_full(&self) -> bool {
        self.count == MAX_FAULTS
    }

    /// The same in the order of their places.
    pub(crate) const fn sorted(mut self) -> Faults {
        let mut i = 1;
        while i < self.count {
            let mut at = i;
            while at > 0 && self.list[at - 1].start > self.list[at].start {
                self.list.swap(at - 1, at);
                at -= 1;
            }
            i += 1;
        }
        self
    }

    pub(crate) const fn get(&self, fault: usize) -> Option<Fault> {
        if fault < self.count { Some(self.list[fault]) } else { None }
    }
}

/// What is wrong with a shape: at least one fault.
///
/// Displayed, it is a block for each fault: the message, the line of the text with the fault
/// marked, the help. It is `Copy` and owns no heap, so that it can be handled in a `const`.
///
/// # Examples
/// ```
/// let error = layout_core::ArrayShape::parse_const("f23[3,5]{1,1}").unwrap_err();
/// assert_eq!(error.to_string(), "\
/// unknown element type
///   | f23[3,5]{1,1}
///   | ^^^
///   = help: did you mean `f32`?
/// dimension 1 is ordered twice
///   | f23[3,5]{1,1}
///   |            ^
///   = help: dimension 0 is missing from the order");
/// assert_eq!(error.faults()[1].range(), 11..12);
/// ```
#[derive(Clone, Copy)]
pub struct Error {
    faults: Faults,
    excerpt: Text<EXCERPT>,
    /// Where the excerpt starts in the text.
    at: usize,
    /// Whether there is an excerpt at all.
    is_text: bool,
}

/// Bytes of the text that an error repeats.
const EXCERPT: usize = 160;
/// Of these, bytes in front of the first fault in a long line.
const LEAD: usize = 60;

impl Error {
    pub(crate) const fn of_tokens(faults: Faults) -> Error {
        Error { faults, excerpt: Text::new(), at: 0, is_text: false }
    }

    /// Keeps the line of the first fault, or the part of it around the fault.
    pub(crate) const fn of_text(faults: Faults, text: &str) -> Error {
        let bytes = text.as_bytes();
        let fault = faults.list[0].start;
        let mut start = fault;
        while start > 0 && bytes[start - 1] != b'\n' && fault - start < LEAD {
            start -= 1;
        }
        while start < fault && !is_character_start(bytes, start) {
            start += 1;
        }
        let mut end = fault;
        while end < bytes.len() && bytes[end] != b'\n' && end - start < EXCERPT {
            end += 1;
        }
        while end > fault && !is_character_start(bytes, end) {
            end -= 1;
        }
        let mut excerpt = Text::new();
        let mut i = start;
        while i < end {
            excerpt.byte(if bytes[i].is_ascii_control() { b' ' } else { bytes[i] });
            i += 1;
        }
        Error { faults, excerpt, at: start, is_text: true }
    }

    /// Every fault that was found, at least one.
    pub const fn faults(&self) -> &[Fault] {
        part(&self.faults.list, 0, self.faults.count)
    }

    /// One of the faults as the error shows it: the message, the line of the text with the fault marked, the
    /// help.
    ///
    /// # Examples
    /// ```
    /// let error = layout_core::ArrayShape::parse_const("f23[3,5]{1,1}").unwrap_err();
    /// assert_eq!(error.block(&error.faults()[0]).to_string(), "\
    /// unknown element type
    ///   | f23[3,5]{1,1}
    ///   | ^^^
    ///   = help: did you mean `f32`?");
    /// ```
    pub fn block(&self, fault: &Fault) -> impl fmt::Display + '_ {
        Block { error: self, fault: *fault }
    }

    fn write_caret(&self, fault: &Fault, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.excerpt.as_str();
        let end = self.at + shown.len();
        if fault.start < self.at || fault.start > end {
            return write!(f, "\n  | at byte {}", fault.start);
        }
        let (before, marked) = shown.split_at(fault.start - self.at);
        let width = fault.end.clamp(fault.start, end) - fault.start;
        let marked = marked.get(..width).unwrap_or(marked).chars().count().max(1);
        let before = before.chars().count();
        write!(f, "\n  | {shown}\n  | {:before$}{:^<marked$}", "", "")
    }
}

const fn is_character_start(bytes: &[u8], at: usize) -> bool {
    at >= bytes.len() || bytes[at] & 0xc0 != 0x80
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.faults().iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            self.block(fault).fmt(f)?;
        }
        Ok(())
    }
}

struct Block<'a> {
    error: &'a Error,
    fault: Fault,
}

impl fmt::Display for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Block { error, fault } = self;
        write!(f, "{}", fault.message())?;
        if error.is_text {
            error.write_caret(fault, f)?;
        }
        write!(f, "\n  = help: {}", fault.help())
    }
}

/// The same as displayed, since it is what `unwrap` and `main` show.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl PartialEq for Error {
    fn eq(&self, other: &Error) -> bool {
        self.faults() == other.faults()
    }
}

impl Eq for Error {}

impl core::error::Error for Error {}
