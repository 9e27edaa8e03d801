//! One pass over the text: what stands where, without reading the shapes.

use crate::reading::cursor::{TextCursor, Unmatched};
use crate::reading::error::{Error, ErrorKind};
use crate::reading::found::{Computation, Instruction, Occurrence, Role};
use crate::reading::lex;
use layout_core::ElementType;
use layout_core::skip_space;

/// What the pass comes across.
pub(crate) enum Event<'a> {
    /// A shape.
    Shape(Occurrence<'a>),
    /// An instruction whose shape is left out.
    Shapeless(Instruction<'a>),
    /// The body of a computation begins.
    Body(Computation<'a>),
    /// The body of a computation is over, at this position.
    BodyEnd(usize),
    /// The operands of an instruction end at this position.
    OperandsEnd(usize),
}

/// The state of the pass.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'a> {
    cursor: TextCursor<'a>,
    /// Parentheses and braces that are open here.
    depth: usize,
    /// The computation whose first line was read, and whether its `{` was.
    computation: Option<Computation<'a>>,
    is_in_body: bool,
    instruction: Option<Instruction<'a>>,
    operands: OperandState,
    list: Option<Signature>,
}

/// Where in an instruction the pass is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OperandState {
    /// Before the `(` of the operands.
    Expected,
    Inside,
    Outside,
}

/// A list of parameters and a result: `(f32[2], f32[])->f32[]`.
#[derive(Clone, Copy, Debug)]
struct Signature {
    /// Of a computation, so names precede the parameters.
    is_signature: bool,
    /// The number of the next parameter; `None` after the last one.
    parameter: Option<usize>,
}

impl<'a> Scanner<'a> {
    pub(crate) const fn new(text: &'a str) -> Scanner<'a> {
        Scanner {
            cursor: TextCursor::new(text),
            depth: 0,
            computation: None,
            is_in_body: false,
            instruction: None,
            operands: OperandState::Outside,
            list: None,
        }
    }

    /// The name after `HloModule`, if the text starts with that; to be asked for first.
    pub(crate) fn module(&mut self) -> Option<&'a str> {
        self.cursor.skip_space();
        if self.cursor.word() != "HloModule" {
            return None;
        }
        self.cursor.skip_space();
        self.cursor.take(b'%');
        Some(self.cursor.word())
    }

    /// What does not allow the text to be told apart, if anything was met: a quote, comment or brace
    /// without its counterpart.
    pub(crate) fn end(&self) -> Result<(), Error> {
        match self.cursor.unmatched() {
            Some(error) => Err(error),
            None if self.depth > 0 => Err(self.error(ErrorKind::Unclosed)),
            None => Ok(()),
        }
    }

    /// An error at the present position.
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        self.cursor.error(kind)
    }

    /// The next event; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<Event<'a>> {
        loop {
            if self.list.is_some()
                && let Some(shape) = self.list_item()
            {
                return Some(Event::Shape(shape));
            }
            let event = match self.cursor.stop()? {
                b'[' => self.array().map(Event::Shape),
                b'=' => self.equals(),
                b'(' => self.parenthesis().map(Event::Shape),
                b'{' => self.brace(),
                b')' | b'}' => self.close(),
                other => {
                    self.pass_over(other);
                    None
                }
            };
            if event.is_some() {
                return event;
            }
        }
    }

    /// Passes over what has no shape: a line's end, a string, a comment.
    fn pass_over(&mut self, byte: u8) {
        match byte {
            b'\n' => self.cursor.new_line(self.cursor.at),
            b'"' => self.cursor.string(b'"'),
            // XLA's strings can stand between these too, as values of attributes.
            b'\'' if self.cursor.before(self.cursor.at) == b'=' => self.cursor.string(b'\''),
            b'/' => self.cursor.comment(),
            _ => self.cursor.at += 1,
        }
    }

    /// Passes over the shape that stands there.
    fn pass(&mut self, start: usize, end: usize, role: Role) -> Occurrence<'a> {
        self.cursor.mark = self.cursor.mark.near(self.cursor.text, start);
        let found = Occurrence {
            source: self.cursor.text,
            start,
            end,
            line: self.cursor.line,
            mark: self.cursor.mark,
            role,
            computation: self.computation,
            instruction: self.instruction,
        };
        self.cursor.go(end);
        found
    }

    /// Passes over the shape at the present position, or what is there instead. `None` if nothing is there.
    fn shape(&mut self, role: Role) -> Option<Occurrence<'a>> {
        let bytes = self.cursor.bytes();
        let end = match lex::shape(bytes, self.cursor.at) {
            Some(extent) => extent.end,
            None => lex::no_shape(bytes, self.cursor.at),
        };
        let found = self.pass(self.cursor.at, end, role);
        (found.start < found.end).then_some(found)
    }

    /// The role of a shape after that of the instruction itself.
    fn role(&self) -> Role {
        if self.operands == OperandState::Inside { Role::Operand } else { Role::Attribute }
    }

    /// `[`: a shape, if an element type precedes it.
    fn array(&mut self) -> Option<Occurrence<'a>> {
        let bytes = self.cursor.bytes();
        let bracket = self.cursor.at;
        self.cursor.at += 1;
        if !self.is_in_body || !lex::is_word(self.cursor.before(bracket)) {
            return None;
        }
        let start = lex::word_start(bytes, bracket);
        let word = self.cursor.slice(start, bracket);
        let is_type = !matches!(self.cursor.before(start), b'%' | b'#' | b'@')
            && (ElementType::from_name(word).is_some() || matches!(word, "token" | "opaque"));
        if !is_type {
            return None;
        }
        let end = lex::shape(bytes, start)?.end;
        Some(self.pass(start, end, self.role()))
    }

    /// `(`: the operands, the parameters of a computation, or a tuple.
    fn parenthesis(&mut self) -> Option<Occurrence<'a>> {
        let bytes = self.cursor.bytes();
        let open = self.cursor.at;
        if self.depth == 0 && !self.is_in_body {
            self.cursor.at += 1;
            let (name, start) = self.cursor.word_before(open);
            if name.is_empty() || self.cursor.before(start) == b'=' {
                self.depth = 1;
            } else {
                self.computation = Some(self.computation_at(name, start));
                self.list = Some(Signature { is_signature: true, parameter: Some(0) });
            }
            return None;
        }
        if self.operands == OperandState::Expected && self.depth == 1 {
            self.operands = OperandState::Inside;
        } else if self.is_in_body {
            let is_buffer = self.cursor.word_before(open) == ("b", open.wrapping_sub(1));
            let start = open - usize::from(is_buffer);
            if let Some(extent) = lex::shape(bytes, start)
                && extent.has_array
            {
                return Some(self.pass(start, extent.end, self.role()));
            }
        }
        self.cursor.at += 1;
        self.depth += 1;
        None
    }

    /// The computation of that name; the name starts at `start`.
    fn computation_at(&self, name: &'a str, start: usize) -> Computation<'a> {
        let start = start - usize::from(self.cursor.before(start) == b'%');
        let is_entry = name == "ENTRY" || self.cursor.word_before(start).0 == "ENTRY";
        Computation { name, is_entry }
    }

    /// `{`: the body of a computation, or a brace inside something.
    fn brace(&mut self) -> Option<Event<'a>> {
        let open = self.cursor.at;
        self.cursor.at += 1;
        self.depth += 1;
        if self.depth > 1 || self.is_in_body {
            return None;
        }
        if self.computation.is_none() {
            let (name, start) = self.cursor.word_before(open);
            let is_name =
                name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
            if !is_name && self.cursor.before(start) != b'%' {
                return None;
            }
            self.computation = Some(self.computation_at(name, start));
        }
        self.is_in_body = true;
        self.computation.map(Event::Body)
    }

    /// `)` or `}`.
    fn close(&mut self) -> Option<Event<'a>> {
        let at = self.cursor.at;
        if self.depth == 0 {
            self.cursor.no_counterpart(Unmatched::Closing);
        }
        self.cursor.at += 1;
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 1 {
            let operands = core::mem::replace(&mut self.operands, OperandState::Outside);
            return (operands == OperandState::Inside).then_some(Event::OperandsEnd(at));
        }
        if self.depth == 0 && self.is_in_body {
            self.is_in_body = false;
            self.computation = None;
            self.instruction = None;
            return Some(Event::BodyEnd(at));
        }
        None
    }

    /// `=`: an instruction, or an attribute.
    fn equals(&mut self) -> Option<Event<'a>> {
        let equals = self.cursor.at;
        self.cursor.at += 1;
        if self.depth > 1 {
            return None;
        }
        let (name, start) = self.cursor.word_before(equals);
        if name.is_empty() {
            return None;
        }
        if !self.is_in_body {
            if self.depth == 0 && name == "entry_computation_layout" {
                let bytes = self.cursor.bytes();
                let brace = skip_space(bytes, self.cursor.at);
                let parenthesis = skip_space(bytes, brace + 1);
                if (self.cursor.byte(brace), self.cursor.byte(parenthesis)) == (b'{', b'(') {
                    self.cursor.go(parenthesis + 1);
                    self.depth = 1;
                    self.list = Some(Signature { is_signature: false, parameter: Some(0) });
                }
            }
            return None;
        }
        let start = start - usize::from(self.cursor.before(start) == b'%');
        let (word, _) = self.cursor.word_before(start);
        if word.is_empty()
            && self.cursor.before(lex::before_space(self.cursor.bytes(), start)) == b','
        {
            return None;
        }
        self.instruction(name, word == "ROOT")
    }

    /// An instruction, after its `=`: its shape and opcode.
    fn instruction(&mut self, name: &'a str, is_root: bool) -> Option<Event<'a>> {
        self.cursor.skip_space();
        let bytes = self.cursor.bytes();
        let mut instruction = Instruction { name, opcode: "", is_root, operands: self.cursor.at };
        self.operands = OperandState::Expected;
        let word = self.cursor.slice(self.cursor.at, lex::word_end(bytes, self.cursor.at));
        if !matches!(word, "" | "b") && self.cursor.byte(self.cursor.at + word.len()) == b'(' {
            instruction.opcode = word;
            instruction.operands += word.len() + 1;
            self.instruction = Some(instruction);
            return Some(Event::Shapeless(instruction));
        }
        let mut found = self.shape(Role::Instruction)?;
        // A layout that does not look like one.
        if bytes.get(self.cursor.at) == Some(&b'{') {
            found.end = lex::no_shape(bytes, found.start).max(self.cursor.at);
            self.cursor.go(found.end);
        }
        let opcode = skip_space(bytes, self.cursor.at);
        let end = lex::word_end(bytes, opcode);
        if self.cursor.byte(end) == b'(' {
            instruction.opcode = self.cursor.slice(opcode, end);
            instruction.operands = end + 1;
        }
        self.instruction = Some(instruction);
        found.instruction = self.instruction;
        Some(Event::Shape(found))
    }

    /// The next shape of a list of parameters and a result. `None`: the list is over.
    fn list_item(&mut self) -> Option<Occurrence<'a>> {
        let Signature { is_signature, parameter } = self.list?;
        self.cursor.skip_space();
        if let Some(number) = parameter {
            if !self.cursor.take(b')') {
                if is_signature {
                    self.cursor.take(b'%');
                    self.cursor.word();
                    self.cursor.skip_space();
                    if !self.cursor.take(b':') {
                        self.list = None;
                        return None;
                    }
                    self.cursor.skip_space();
                }
                let role =
                    if is_signature { Role::SignatureParameter } else { Role::LayoutParameter };
                let found = self.shape(role(number));
                self.cursor.skip_space();
                self.cursor.take(b',');
                self.list = found.map(|_| Signature { is_signature, parameter: Some(number + 1) });
                return found;
            }
            self.cursor.skip_space();
        }
        self.list = None;
        if self.cursor.slice(self.cursor.at, self.cursor.at + 2) != "->" {
            return None;
        }
        self.cursor.at += 2;
        self.cursor.skip_space();
        self.shape(if is_signature { Role::SignatureResult } else { Role::LayoutResult })
    }
}
