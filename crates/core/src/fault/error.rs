//! The error of the parser: every fault found, each with its place.

use core::fmt;
use core::ops::Range;

use crate::base::{HELP, Text, Visible, subslice};
use crate::fault::kind::FaultKind;
use crate::fault::place::{Place, Span};

/// Most faults that an error reports; further ones are left out.
pub const MAX_FAULTS: usize = 16;

/// One fault of a shape.
///
/// It is displayed in one line: the part of the shape, the message, the help.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
///
/// fn column_major(shape: &str) -> Result<ArrayShape, Box<dyn std::error::Error>> {
///     Ok(shape.parse::<ArrayShape>()?.with_minor_to_major(&[0, 1])?)
/// }
/// assert_eq!(column_major("f32[3,5]")?.to_string(), "f32[3,5]{0,1}");
/// let error = column_major("f32[3,5,7]").unwrap_err();
/// assert_eq!(error.to_string(), "the order lists 2 dimensions, but the array has 3 \
///     (help: list each of 0 to 2 once, most minor (fastest varying) first)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) place: Place,
    /// `None` if the shape was not read.
    span: Option<Span>,
}

impl FaultKind {
    /// The fault of a part of values.
    pub(crate) const fn at<T>(self, place: Place) -> Result<T, Fault> {
        Err(Fault::of_value(self, place))
    }
}

impl Fault {
    /// A fault in values, which have no text.
    pub const fn of_value(kind: FaultKind, place: Place) -> Fault {
        Fault { kind, place, span: None }
    }

    /// A fault of no part in particular, in values.
    pub const fn of_whole(kind: FaultKind) -> Fault {
        Fault::of_value(kind, Place::Shape)
    }

    /// A fault at a span of a text or a list of tokens.
    pub(crate) const fn of_source(kind: FaultKind, place: Place, span: Span) -> Fault {
        Fault { kind, place, span: Some(span) }
    }

    /// What is wrong.
    pub const fn kind(&self) -> FaultKind {
        self.kind
    }

    /// The range of the fault in the text, in bytes; in the tokens of a macro, in tokens. `None` if no text
    /// was read: [`place`](Self::place) then says which part is wrong.
    pub const fn range(&self) -> Option<Range<usize>> {
        Some(some!(self.span).range())
    }

    /// The start of the range; 0 without one, which keeps the order of faults in values.
    const fn start(&self) -> usize {
        match self.span {
            Some(span) => span.start,
            None => 0,
        }
    }

    /// The part of the shape that is wrong.
    pub const fn place(&self) -> Place {
        self.place
    }

    /// What is wrong: one line in lower case, without a full stop.
    pub const fn message(&self) -> impl fmt::Display + use<> {
        self.kind.line()
    }

    /// What to write instead: one line in lower case, without a full stop. Empty where the message says all.
    pub const fn help(&self) -> impl fmt::Display + use<> {
        self.kind.help()
    }

    /// Message, place and help in one line, for a panic in a `const`, where nothing has a span.
    #[doc(hidden)]
    pub const fn line(&self) -> Text<640> {
        let mut out = text!(&self.place.line(), &self.kind.line());
        let help = self.kind.help();
        if !help.is_empty() {
            say!(out, " (help: ", &help, ")");
        }
        out
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.line().as_str())
    }
}

impl core::error::Error for Fault {}

/// Faults as they are collected.
#[derive(Clone, Copy)]
pub(crate) struct Faults {
    list: [Fault; MAX_FAULTS],
    count: usize,
}

impl Faults {
    /// No faults.
    pub(crate) const NONE: Faults =
        Faults { list: [Fault::of_value(FaultKind::ZeroTile, Place::Shape); MAX_FAULTS], count: 0 };

    pub(crate) const fn add(&mut self, fault: Fault) {
        if self.count < MAX_FAULTS {
            self.list[self.count] = fault;
            self.count += 1;
        }
    }

    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.count == MAX_FAULTS
    }

    /// The faults in the order of their places.
    pub(crate) const fn sorted(mut self) -> Faults {
        each!(for i in 1..self.count {
            let mut at = i;
            while at > 0 && self.list[at - 1].start() > self.list[at].start() {
                self.list.swap(at - 1, at);
                at -= 1;
            }
        });
        self
    }

    /// The value, or the first fault that there is of it.
    pub(crate) const fn refuse<T: Copy>(&self, value: T) -> Result<T, Fault> {
        match self.as_slice() {
            [] => Ok(value),
            [first, ..] => Err(*first),
        }
    }

    pub(crate) const fn as_slice(&self) -> &[Fault] {
        subslice(&self.list, 0, self.count)
    }
}

/// The error of parsing a shape: every fault found, at least one.
///
/// It is displayed as a block for each fault: the message, the line of text with the fault marked, the help.
/// It is `Copy` and needs no heap, so it can be handled in a `const`.
///
/// # Examples
/// ```
/// let error = layout::ArrayShape::parse_const("f23[3,5]{1,1}").unwrap_err();
/// assert_eq!(error.to_string(), "\
/// unknown element type
///   | f23[3,5]{1,1}
///   | ^^^
///   = help: did you mean `f32`?
/// dimension 1 is ordered twice
///   | f23[3,5]{1,1}
///   |            ^
///   = help: dimension 0 is missing from the order");
/// assert_eq!(error.faults()[1].range(), Some(11..12));
/// ```
#[derive(Clone, Copy)]
// `Copy`, without a heap: a `const` cannot drop an error that owns memory. So it is large, and the lint
// `result_large_err` is off.
pub struct Error {
    faults: Faults,
    excerpt: Text<EXCERPT>,
    /// Position in the text at which the excerpt starts.
    at: usize,
    /// Whether a text was read, and not tokens.
    is_text: bool,
}

/// Bytes of the text that an error repeats.
const EXCERPT: usize = 160;
/// Bytes of the excerpt before the first fault in a long line.
const LEAD: usize = 60;

impl Error {
    /// One fault at a range of a text, in bytes: for readers of other notations.
    ///
    /// # Examples
    /// ```
    /// use layout::Error;
    /// use layout::shape::FaultKind;
    ///
    /// let kind = FaultKind::Syntax { what: "unknown letter", instead: "write one of `nchw`" };
    /// assert_eq!(Error::at("nChx", 3..4, kind).to_string(), "\
    /// unknown letter
    ///   | nChx
    ///   |    ^
    ///   = help: write one of `nchw`");
    /// ```
    pub const fn at(text: &str, range: Range<usize>, kind: FaultKind) -> Error {
        let span = Span { start: range.start, end: range.end };
        let mut faults = Faults::NONE;
        faults.add(Fault::of_source(kind, Place::Shape, span));
        Error::of_text(faults, text)
    }

    pub(crate) const fn of_tokens(faults: Faults) -> Error {
        Error { faults, excerpt: Text::new(), at: 0, is_text: false }
    }

    /// Keeps the line of the first fault, or the part of it around the fault.
    pub(crate) const fn of_text(faults: Faults, text: &str) -> Error {
        let bytes = text.as_bytes();
        let fault = faults.list[0].start();
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
        each!(for i in start..end {
            // What the grammar skips is a space; other hidden characters are escaped when displayed.
            excerpt.byte(if bytes[i].is_ascii_whitespace() { b' ' } else { bytes[i] });
        });
        Error { faults, excerpt, at: start, is_text: true }
    }

    /// The faults, in the order of the text; at least one, at most [`MAX_FAULTS`]. What a fault leaves unclear is not judged.
    pub const fn faults(&self) -> &[Fault] {
        self.faults.as_slice()
    }

    /// Displays one of the faults as the error does: the message, the line of text with the fault marked, the
    /// help.
    ///
    /// # Examples
    /// ```
    /// let error = layout::ArrayShape::parse_const("f23[3,5]{1,1}").unwrap_err();
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
        let Range { start, end: fault_end } = fault.range().unwrap_or_default();
        if start < self.at || start > end {
            return write!(f, "\n  | at byte {start}");
        }
        let (before, marked) = shown.split_at(start - self.at);
        let length = fault_end.clamp(start, end) - start;
        let marked = Visible(marked.get(..length).unwrap_or(marked)).width().max(1);
        let before = Visible(before).width();
        write!(f, "\n  | {}\n  | {:before$}{:^<marked$}", Visible(shown), "", "")
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
        write!(f, "{HELP}{}", fault.help())
    }
}

/// Like `Display`, since `unwrap` and `main` print it.
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
