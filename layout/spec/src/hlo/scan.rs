//! One pass over the text: what stands where, without reading the shapes.

use super::error::{Error, ErrorKind};
use super::found::{Computation, Instruction, Occurrence, Role, column};
use super::lex;
use crate::element::ElementType;
use crate::parse::skip_space;

/// What the pass comes across.
#[allow(clippy::large_enum_variant, reason = "shapes are the rule")]
pub(super) enum Event<'a> {
    /// A shape.
    Shape(Occurrence<'a>),
    /// An instruction whose shape is left out.
    Shapeless(Instruction<'a>),
    /// The body of the entry computation of this name.
    Entry(&'a str),
    /// `op_name` in the metadata of a parameter of the entry computation, still escaped.
    OpName(&'a str),
}

/// The state of the pass.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    line_start: usize,
    /// Parentheses and braces that are open here.
    depth: usize,
    /// The computation whose first line was read, and whether its `{` was.
    computation: Option<Computation<'a>>,
    is_in_body: bool,
    instruction: Option<Instruction<'a>>,
    operands: Operands,
    list: Option<List>,
    broken: Option<(Position, ErrorKind)>,
}

/// Where in an instruction the pass is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operands {
    /// In front of the `(` of the operands.
    Expected,
    Inside,
    Outside,
}

/// A list of parameters and a result: `(f32[2], f32[])->f32[]`.
#[derive(Clone, Copy, Debug)]
struct List {
    /// Of a computation, so that names stand in front of the parameters.
    is_signature: bool,
    /// The number of the next parameter; `None` behind the last one.
    parameter: Option<usize>,
}

/// A place in the text.
#[derive(Clone, Copy, Debug)]
struct Position {
    at: usize,
    line: usize,
    line_start: usize,
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(text: &'a str) -> Scanner<'a> {
        Scanner {
            text,
            at: 0,
            line: 1,
            line_start: 0,
            depth: 0,
            computation: None,
            is_in_body: false,
            instruction: None,
            operands: Operands::Outside,
            list: None,
            broken: None,
        }
    }

    /// The name behind `HloModule`, if the text starts with that; to be asked for first.
    pub(super) fn module(&mut self) -> Option<&'a str> {
        self.skip_space();
        if self.word() != "HloModule" {
            return None;
        }
        self.skip_space();
        if self.byte(self.at) == b'%' {
            self.at += 1;
        }
        Some(self.word())
    }

    /// What does not allow the text to be told apart, if anything was met: a quote, comment or brace
    /// without its counterpart.
    #[allow(clippy::result_large_err, reason = "the error is that of `ArrayShape::parse_const`")]
    pub(super) fn end(&self) -> Result<(), Error> {
        match self.broken {
            Some((position, kind)) => {
                let column = column(self.text, position.line_start, position.at);
                Err(Error { line: position.line, column, kind })
            }
            None if self.depth > 0 => Err(self.error(ErrorKind::Unclosed)),
            None => Ok(()),
        }
    }

    /// An error at the present position.
    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        Error { line: self.line, column: column(self.text, self.line_start, self.at), kind }
    }

    /// Whether the pass is in the entry computation.
    pub(super) fn is_in_entry(&self) -> bool {
        self.is_in_body && self.computation.is_some_and(|computation| computation.is_entry)
    }

    /// The next event; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Event<'a>> {
        loop {
            if self.list.is_some()
                && let Some(shape) = self.list_item()
            {
                return Some(Event::Shape(shape));
            }
            let stop = lex::stop(self.text.as_bytes(), self.at);
            self.at = stop;
            let event = match *self.text.as_bytes().get(stop)? {
                b'\n' => {
                    self.new_line(stop);
                    None
                }
                b'"' => {
                    self.string(b'"');
                    None
                }
                // XLA's strings can stand between these too, as values of attributes.
                b'\'' if self.before(stop) == b'=' => {
                    self.string(b'\'');
                    None
                }
                b'/' => {
                    self.comment();
                    None
                }
                b'[' => self.array().map(Event::Shape),
                b'=' => self.equals(),
                b'(' => self.parenthesis().map(Event::Shape),
                b'{' => self.brace(),
                b')' | b'}' => {
                    self.close();
                    None
                }
                _ => {
                    self.at += 1;
                    None
                }
            };
            if event.is_some() {
                return event;
            }
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The byte in front of `at`.
    fn before(&self, at: usize) -> u8 {
        at.checked_sub(1).map_or(0, |before| self.byte(before))
    }

    fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Goes behind the newline at `at`.
    fn new_line(&mut self, at: usize) {
        self.line += 1;
        self.line_start = at + 1;
        self.at = at + 1;
    }

    /// Goes to `to`, which lies not far ahead.
    fn go(&mut self, to: usize) {
        let to = to.min(self.text.len());
        while let Some(newline) =
            self.text.as_bytes()[self.at..to].iter().position(|byte| *byte == b'\n')
        {
            self.new_line(self.at + newline);
        }
        self.at = to;
    }

    fn skip_space(&mut self) {
        self.go(skip_space(self.text.as_bytes(), self.at));
    }

    /// Reads the word that starts here.
    fn word(&mut self) -> &'a str {
        let start = self.at;
        self.at = lex::word_end(self.text.as_bytes(), start);
        self.slice(start, self.at)
    }

    /// The word that ends at `end`, but for white space, and where it starts.
    fn word_before(&self, end: usize) -> (&'a str, usize) {
        let bytes = self.text.as_bytes();
        let end = lex::before_space(bytes, end);
        let start = lex::word_start(bytes, end);
        (self.slice(start, end), start)
    }

    fn position(&self) -> Position {
        Position { at: self.at, line: self.line, line_start: self.line_start }
    }

    /// Skips the string whose quote stands here.
    fn string(&mut self, quote: u8) {
        let start = self.position();
        self.at += 1;
        loop {
            let stop = lex::string_stop(self.text.as_bytes(), self.at);
            match self.text.as_bytes().get(stop) {
                None => {
                    self.broken = self.broken.or(Some((start, ErrorKind::UnclosedString)));
                    self.at = stop;
                    return;
                }
                Some(b'\n') => self.new_line(stop),
                // A newline behind it counts as a line all the same.
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
    fn comment(&mut self) {
        let start = self.position();
        let end = skip_space(self.text.as_bytes(), self.at);
        if end > self.at {
            self.go(end);
        } else if self.byte(self.at + 1) == b'*' {
            self.broken = self.broken.or(Some((start, ErrorKind::UnclosedComment)));
            self.go(self.text.len());
        } else {
            self.at += 1;
        }
    }

    fn occurrence(&self, start: usize, end: usize, role: Role) -> Occurrence<'a> {
        Occurrence {
            source: self.text,
            start,
            end,
            line: self.line,
            line_start: self.line_start,
            role,
            computation: self.computation,
            instruction: self.instruction,
        }
    }

    /// The shape at the present position, or what stands in its place; goes behind it. `None`: nothing
    /// stands there.
    fn shape(&mut self, role: Role) -> Option<Occurrence<'a>> {
        let bytes = self.text.as_bytes();
        let end = match lex::shape(bytes, self.at) {
            Some(extent) => extent.end,
            None => lex::no_shape(bytes, self.at),
        };
        let found = self.occurrence(self.at, end, role);
        self.go(end);
        (found.start < found.end).then_some(found)
    }

    /// The role of a shape that stands behind an instruction's own one.
    fn role(&self) -> Role {
        if self.operands == Operands::Inside { Role::Operand } else { Role::Attribute }
    }

    /// `[`: a shape, if an element type stands in front of it.
    fn array(&mut self) -> Option<Occurrence<'a>> {
        let bytes = self.text.as_bytes();
        let bracket = self.at;
        self.at += 1;
        let start = lex::word_start(bytes, bracket);
        let word = self.slice(start, bracket);
        let is_type = !word.is_empty()
            && !matches!(self.before(start), b'%' | b'#' | b'@')
            && (ElementType::from_name(word).is_some() || matches!(word, "token" | "opaque"));
        if !is_type || !self.is_in_body {
            return None;
        }
        let found = self.occurrence(start, lex::shape(bytes, start)?.end, self.role());
        self.go(found.end);
        Some(found)
    }

    /// `(`: the operands, the parameters of a computation, or a tuple.
    fn parenthesis(&mut self) -> Option<Occurrence<'a>> {
        let bytes = self.text.as_bytes();
        let open = self.at;
        if self.depth == 0 && !self.is_in_body {
            self.at += 1;
            let (name, start) = self.word_before(open);
            if name.is_empty() || self.before(start) == b'=' {
                self.depth = 1;
            } else {
                self.computation = Some(self.computation_at(name, start));
                self.list = Some(List { is_signature: true, parameter: Some(0) });
            }
            return None;
        }
        if self.operands == Operands::Expected && self.depth == 1 {
            self.operands = Operands::Inside;
        } else if self.is_in_body {
            let is_buffer = self.word_before(open) == ("b", open.wrapping_sub(1));
            let start = open - usize::from(is_buffer);
            if let Some(extent) = lex::shape(bytes, start)
                && extent.has_array
            {
                let found = self.occurrence(start, extent.end, self.role());
                self.go(extent.end);
                return Some(found);
            }
        }
        self.at += 1;
        self.depth += 1;
        None
    }

    /// The computation of that name; the name starts at `start`.
    fn computation_at(&self, name: &'a str, start: usize) -> Computation<'a> {
        let start = start - usize::from(self.before(start) == b'%');
        let is_entry = name == "ENTRY" || self.word_before(start).0 == "ENTRY";
        Computation { name, is_entry }
    }

    /// `{`: the body of a computation, or a brace inside something.
    fn brace(&mut self) -> Option<Event<'a>> {
        let open = self.at;
        self.at += 1;
        self.depth += 1;
        if self.depth > 1 || self.is_in_body {
            return None;
        }
        if self.computation.is_none() {
            let (name, start) = self.word_before(open);
            let is_name =
                name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
            if !is_name && self.before(start) != b'%' {
                return None;
            }
            self.computation = Some(self.computation_at(name, start));
        }
        self.is_in_body = true;
        self.computation.filter(Computation::is_entry).map(|entry| Event::Entry(entry.name))
    }

    fn close(&mut self) {
        if self.depth == 0 {
            self.broken = self.broken.or(Some((self.position(), ErrorKind::Unopened)));
        }
        self.at += 1;
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 1 {
            self.operands = Operands::Outside;
        }
        if self.depth == 0 && self.is_in_body {
            self.is_in_body = false;
            self.computation = None;
            self.instruction = None;
        }
    }

    /// `=`: an instruction, or an attribute.
    fn equals(&mut self) -> Option<Event<'a>> {
        let equals = self.at;
        self.at += 1;
        let (name, start) = self.word_before(equals);
        if name.is_empty() {
            return None;
        }
        if !self.is_in_body {
            if self.depth == 0 && name == "entry_computation_layout" {
                let bytes = self.text.as_bytes();
                let brace = skip_space(bytes, self.at);
                let parenthesis = skip_space(bytes, brace + 1);
                if (self.byte(brace), self.byte(parenthesis)) == (b'{', b'(') {
                    self.go(parenthesis + 1);
                    self.depth = 1;
                    self.list = Some(List { is_signature: false, parameter: Some(0) });
                }
            }
            return None;
        }
        if self.depth > 1 {
            let is_parameter = self.is_in_entry()
                && self.instruction.is_some_and(|instruction| instruction.opcode == "parameter");
            if is_parameter && name == "op_name" && self.byte(self.at) == b'"' {
                self.string(b'"');
                return Some(Event::OpName(self.slice(equals + 2, self.at - 1)));
            }
            return None;
        }
        let start = start - usize::from(self.before(start) == b'%');
        let (word, _) = self.word_before(start);
        if word.is_empty() && self.before(lex::before_space(self.text.as_bytes(), start)) == b',' {
            return None;
        }
        self.instruction(name, word == "ROOT")
    }

    /// An instruction, from behind its `=` on: its shape and opcode.
    fn instruction(&mut self, name: &'a str, is_root: bool) -> Option<Event<'a>> {
        self.skip_space();
        let bytes = self.text.as_bytes();
        let mut instruction = Instruction { name, opcode: "", is_root, operands: self.at };
        self.operands = Operands::Expected;
        let word = self.slice(self.at, lex::word_end(bytes, self.at));
        if !matches!(word, "" | "b") && self.byte(self.at + word.len()) == b'(' {
            instruction.opcode = word;
            instruction.operands += word.len() + 1;
            self.instruction = Some(instruction);
            return Some(Event::Shapeless(instruction));
        }
        let mut found = self.shape(Role::Instruction)?;
        // A layout that does not look like one.
        if bytes.get(self.at) == Some(&b'{') {
            found.end = lex::no_shape(bytes, found.start).max(self.at);
            self.go(found.end);
        }
        let opcode = skip_space(bytes, self.at);
        let end = lex::word_end(bytes, opcode);
        if self.byte(end) == b'(' {
            instruction.opcode = self.slice(opcode, end);
            instruction.operands = end + 1;
        }
        self.instruction = Some(instruction);
        found.instruction = self.instruction;
        Some(Event::Shape(found))
    }

    /// The next shape of a list of parameters and a result. `None`: the list is over.
    fn list_item(&mut self) -> Option<Occurrence<'a>> {
        let List { is_signature, parameter } = self.list?;
        self.skip_space();
        if let Some(number) = parameter {
            if self.byte(self.at) != b')' {
                if is_signature {
                    if self.byte(self.at) == b'%' {
                        self.at += 1;
                    }
                    self.word();
                    self.skip_space();
                    if self.byte(self.at) != b':' {
                        self.list = None;
                        return None;
                    }
                    self.at += 1;
                    self.skip_space();
                }
                let role =
                    if is_signature { Role::SignatureParameter } else { Role::LayoutParameter };
                let found = self.shape(role(number));
                self.skip_space();
                if self.byte(self.at) == b',' {
                    self.at += 1;
                }
                self.list = found.map(|_| List { is_signature, parameter: Some(number + 1) });
                return found;
            }
            self.at += 1;
            self.skip_space();
        }
        self.list = None;
        if self.slice(self.at, self.at + 2) != "->" {
            return None;
        }
        self.at += 2;
        self.skip_space();
        self.shape(if is_signature { Role::SignatureResult } else { Role::LayoutResult })
    }
}
