//! The grammar of HLO text, in one pass: each character belongs to something that is known, or the text is refused there.
//!
//! It follows XLA's `hlo_parser.cc`, computations in braces and operands that are instructions included. Values of attributes
//! that nothing here asks for are passed over by their brackets and strings.

use alloc::vec::Vec;
use core::ops::Range;

use crate::program::build::Builder;
use crate::program::{Operation, Program};
use crate::reading::attributes::Attributes;
use crate::reading::error::{Error, ErrorKind};
use crate::reading::found::{Computation, Instruction, Occurrence, Role};
use crate::reading::lex;
use layout_core::ElementType;

/// Computations in braces and instructions among operands that are read inside of one another.
const MAX_DEPTH: usize = 100;

/// Attributes that name computations, or have them in braces.
const CALLED: [&str; 10] = [
    "to_apply",
    "calls",
    "condition",
    "body",
    "branch_computations",
    "true_computation",
    "false_computation",
    "called_computations",
    "select",
    "scatter",
];

/// What a text consists of.
pub(crate) struct Parsed<'a> {
    /// Empty if the text has no header.
    pub name: &'a str,
    pub header: Attributes<'a>,
    /// Rows of the tables of frames, each with the name of its table.
    pub tables: Vec<(&'a str, &'a str)>,
    /// The name of the entry computation.
    pub entry: &'a str,
    pub program: Program<'a>,
}

/// Where the last shape was: lines and columns count from there, so that they are counted once.
struct Place {
    at: usize,
    line: usize,
    column: usize,
}

impl Place {
    fn go(&mut self, text: &str, to: usize) {
        let between = text.get(self.at..to).unwrap_or_default();
        if let Some(last) = between.rfind('\n') {
            self.line += between.matches('\n').count();
            self.column = 1 + between[last + 1..].chars().count();
        } else {
            self.column += between.chars().count();
        }
        self.at = to;
    }
}

/// Reads a text and calls with every shape, in order.
pub(crate) struct Parser<'a, F> {
    text: &'a str,
    at: usize,
    place: Place,
    shape: F,
    depth: usize,
    computation: Option<Computation<'a>>,
    instruction: Option<Instruction<'a>>,
    builder: Builder<'a>,
    /// Operands of the instructions that are being read, those of the innermost last.
    operands: Vec<u32>,
}

impl<'a, F: FnMut(&Occurrence<'a>) -> Result<(), Error>> Parser<'a, F> {
    pub(crate) fn new(text: &'a str, shape: F) -> Parser<'a, F> {
        let mut parser = Parser {
            text,
            at: 0,
            place: Place { at: 0, line: 1, column: 1 },
            shape,
            depth: 0,
            computation: None,
            instruction: None,
            builder: Builder::default(),
            operands: Vec::new(),
        };
        parser.space();
        parser
    }

    /// Whether a module begins here: its header, or a computation.
    pub(crate) fn begins_module(&self) -> bool {
        let word = self.peek();
        let brace = lex::space(self.bytes(), self.at + word.len());
        matches!(word, "HloModule" | "ENTRY") || self.here() == b'%' || self.is_body(brace)
    }

    /// Reads the whole text.
    pub(crate) fn module(mut self) -> Result<Parsed<'a>, Error> {
        let start = self.at;
        let (mut name, mut header, mut tables) = ("", "", Vec::new());
        if self.take_word("HloModule") {
            self.space();
            self.take(b'%');
            name = self.word();
            if name.is_empty() {
                return Err(self.error_at(start, ErrorKind::NoModule));
            }
            self.take(b':');
            header = self.attributes(true)?;
            tables = self.tables()?;
        } else if !self.begins_module() {
            return Err(self.error_at(start, ErrorKind::NoModule));
        }
        let mut entry = None;
        self.space();
        while self.at < self.text.len() {
            let start = self.at;
            if self.peek() == "HloModule" {
                return Err(self.error(ErrorKind::SecondModule));
            }
            let (number, own) = self.computation()?;
            if own.is_entry && entry.replace((number, own.name)).is_some() {
                return Err(self.error_at(start, ErrorKind::SecondEntry));
            }
            self.space();
        }
        // Where none is marked, the last one is the entry, as XLA has it.
        let last = self.builder.last();
        let Some((number, entry)) = entry.or(last) else {
            return Err(self.error(ErrorKind::NoEntry));
        };
        let program = self.builder.finish(number);
        Ok(Parsed { name, header: Attributes(header), tables, entry, program })
    }

    /// `FileNames`, `FunctionNames`, `FileLocations` and `StackFrames`: rows of a number and a value.
    fn tables(&mut self) -> Result<Vec<(&'a str, &'a str)>, Error> {
        let mut rows = Vec::new();
        loop {
            self.space();
            let table = self.peek();
            let row = lex::space(self.bytes(), self.at + table.len());
            if table.is_empty() || !self.byte(row).is_ascii_digit() {
                return Ok(rows);
            }
            self.at = row;
            while self.here().is_ascii_digit() {
                self.word();
                self.space();
                rows.push((table, self.value()?));
                self.space();
            }
        }
    }

    /// `ENTRY %main (x: f32[2]) -> f32[2] { .. }`
    fn computation(&mut self) -> Result<(u32, Computation<'a>), Error> {
        let is_entry = self.take_word("ENTRY");
        self.space();
        let own = Computation { name: self.name("a computation")?, is_entry };
        self.computation = Some(own);
        self.space();
        if self.here() == b'(' {
            self.signature(true)?;
            self.space();
        }
        let number = self.body(own.name)?;
        self.computation = None;
        self.attributes(false)?;
        Ok((number, own))
    }

    /// `(x: f32[2], y: f32[])->f32[]`: a list of parameters and a result. The parameters of a computation have names.
    fn signature(&mut self, has_names: bool) -> Result<(), Error> {
        self.expect(b'(', "`(`")?;
        let mut number = 0;
        self.space();
        while !self.take(b')') {
            if number > 0 {
                self.expect(b',', "`,` or `)`")?;
                self.space();
            }
            if has_names {
                self.name("the name of a parameter")?;
                self.space();
                self.take(b':');
                self.space();
            }
            let role = if has_names { Role::SignatureParameter } else { Role::LayoutParameter };
            self.shape(role(number))?;
            number += 1;
            self.space();
        }
        self.space();
        if !self.text[self.at..].starts_with("->") {
            return Err(self.expected("`->` and the result"));
        }
        self.at += 2;
        self.space();
        self.shape(if has_names { Role::SignatureResult } else { Role::LayoutResult })
    }

    /// The instructions of a computation, in their braces.
    fn body(&mut self, name: &'a str) -> Result<u32, Error> {
        self.expect(b'{', "`{` and the instructions of the computation")?;
        let outer = (self.builder.begin(), self.instruction.take());
        self.space();
        while self.here() != b'}' {
            self.instruction()?;
            self.space();
        }
        let number = self.builder.end(name, outer.0);
        let number = number.ok_or_else(|| self.error(ErrorKind::NoRoot))?;
        self.at += 1;
        self.instruction = outer.1;
        Ok(number)
    }

    /// `ROOT %add.1 = f32[3,5]{1,0} add(%a, %b), metadata={..}`
    fn instruction(&mut self) -> Result<(), Error> {
        let is_root = self.take_word("ROOT");
        self.space();
        let name = self.name("an instruction or `}`")?;
        self.space();
        self.expect(b'=', "`=` and the instruction")?;
        self.space();
        let mut shape = if self.is_call() { self.at..self.at } else { self.extent()? };
        if self.byte(shape.end) == b'{' {
            // A layout that does not look like one.
            shape.end = lex::no_shape(self.bytes(), shape.start).max(shape.end);
        }
        let mut operation = self.call(shape, name, is_root)?;
        let start = self.at;
        operation.attributes = Attributes(self.attributes(false)?);
        if operation.opcode == "get-tuple-element" {
            let index = operation.attributes.get("index").and_then(|it| it.parse().ok());
            let index = index.ok_or_else(|| {
                self.error_at(start, ErrorKind::Expected { what: "`index` and a number" })
            })?;
            let of = self.builder.first_operand(&operation);
            operation.shape = match (self.part(of, index, start)?, operation.shape) {
                (part, "") => part,
                (_, own) => own,
            };
            operation.part = index;
        }
        self.builder.operation(operation, is_root);
        self.instruction = None;
        Ok(())
    }

    /// The opcode and the operands of an instruction; its shape stands before, or is left out.
    fn call(
        &mut self,
        shape: Range<usize>,
        name: &'a str,
        is_root: bool,
    ) -> Result<Operation<'a>, Error> {
        self.at = lex::space(self.bytes(), shape.end);
        let opcode = if self.is_call() { self.peek() } else { "" };
        self.instruction = Some(Instruction { name, opcode, is_root });
        if !shape.is_empty() {
            self.found(shape.clone(), Role::Instruction)?;
        }
        if opcode.is_empty() {
            return Err(self.expected("an opcode and its operands, as in `add(a, b)`"));
        }
        self.at += opcode.len();
        self.space();
        let open = self.at;
        self.at += 1;
        let first = self.operands.len();
        if matches!(opcode, "constant" | "parameter") {
            // What stands there is a value.
            self.balanced(open, 1)?;
        } else {
            self.space();
            while !self.take(b')') {
                if self.operands.len() > first {
                    self.expect(b',', "`,` or `)`")?;
                    self.space();
                }
                let operand = self.operand()?;
                self.operands.push(operand);
                self.space();
            }
        }
        let arguments = self.slice(open + 1..self.at - 1);
        let shape = self.slice(shape);
        let operation =
            self.builder.call(opcode, shape, arguments, name, self.operands.drain(first..));
        Ok(operation)
    }

    /// An operand: a name, `%t#1` for a part of a tuple, or an instruction; its shape may stand before.
    fn operand(&mut self) -> Result<u32, Error> {
        let mut shape = self.at..self.at;
        let is_shape = match self.peek() {
            _ if self.here() == b'%' => false,
            "" => self.here() == b'(',
            "b" => self.byte(self.at + 1) == b'(',
            word => self.byte(lex::space(self.bytes(), self.at + word.len())) == b'[',
        };
        if is_shape {
            shape = self.extent()?;
            self.at = lex::space(self.bytes(), shape.end);
        }
        if self.is_call() {
            if self.depth == MAX_DEPTH {
                return Err(self.error(ErrorKind::TooDeep));
            }
            self.depth += 1;
            let outer = self.instruction;
            let opcode = self.peek();
            let operation = self.call(shape, opcode, false)?;
            self.instruction = outer;
            self.depth -= 1;
            return Ok(self.builder.unnamed(operation));
        }
        if is_shape {
            self.found(shape, Role::Operand)?;
        }
        let start = self.at;
        let name = self.name("the name of an operand")?;
        let mut number = self
            .builder
            .find(name)
            .ok_or_else(|| self.error_at(start, ErrorKind::UnknownOperand))?;
        let start = name.as_ptr() as usize - self.text.as_ptr() as usize;
        while self.take(b'#') {
            let digits = self.at;
            let part = self.word().parse();
            let part = part.map_err(|_| {
                self.error_at(digits, ErrorKind::Expected { what: "the number of a part" })
            })?;
            let name = self.slice(start..self.at);
            number = match self.builder.find(name) {
                Some(known) => known,
                None => {
                    let shape = self.part(Some(number), part, digits)?;
                    self.builder.take_part(number, part, shape, name)
                }
            };
        }
        Ok(number)
    }

    /// The shape of a part of a tuple; empty if the text leaves that of the tuple out.
    fn part(&mut self, of: Option<u32>, part: usize, at: usize) -> Result<&'a str, Error> {
        self.builder
            .part(of, part)
            .map_err(|parts| self.error_at(at, ErrorKind::NoSuchPart { part, parts }))
    }

    /// `, a=b, c={..}`: the attributes that may follow. Returns their text.
    fn attributes(&mut self, is_header: bool) -> Result<&'a str, Error> {
        let start = self.at;
        let mut end = start;
        loop {
            self.space();
            if !self.take(b',') {
                self.at = end;
                return Ok(self.slice(start..end));
            }
            self.space();
            let name = self.word();
            self.space();
            if name.is_empty() || self.here() != b'=' {
                return Err(self.expected("an attribute, as in `index=0`"));
            }
            self.at += 1;
            self.space();
            match name {
                "entry_computation_layout" if is_header => self.entry_layout()?,
                name if !is_header && CALLED.contains(&name) => self.called(name)?,
                _ => drop(self.value()?),
            }
            end = self.at;
        }
    }

    /// `{(f32[2]{0})->f32[]}`
    fn entry_layout(&mut self) -> Result<(), Error> {
        let start = self.at;
        self.expect(b'{', "`{`")?;
        self.space();
        self.signature(false).map_err(|error| match error.kind {
            ErrorKind::Expected { .. } => self.error_at(start, ErrorKind::EntryLayout),
            _ => error,
        })?;
        self.space();
        self.expect(b'}', "`}`")
    }

    /// The computations that an attribute names, or has in braces: one, or a list.
    fn called(&mut self, attribute: &'a str) -> Result<(), Error> {
        if self.here() != b'{' || self.is_body(self.at) {
            return self.called_one(attribute);
        }
        self.at += 1;
        self.space();
        let mut is_first = true;
        while !self.take(b'}') {
            if !is_first {
                self.expect(b',', "`,` or `}`")?;
                self.space();
            }
            self.called_one(attribute)?;
            self.space();
            is_first = false;
        }
        Ok(())
    }

    fn called_one(&mut self, attribute: &'a str) -> Result<(), Error> {
        let start = self.at;
        let computation = if self.here() == b'{' {
            if self.depth == MAX_DEPTH {
                return Err(self.error(ErrorKind::TooDeep));
            }
            self.depth += 1;
            let number = self.body(attribute)?;
            self.depth -= 1;
            number
        } else {
            let name = self.name("the name of a computation")?;
            let known = self.builder.computation(name);
            known.ok_or_else(|| self.error_at(start, ErrorKind::UnknownComputation))?
        };
        self.builder.called(attribute, computation);
        Ok(())
    }

    /// Whether a brace opens the body of a computation: an instruction follows.
    fn is_body(&self, brace: usize) -> bool {
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

    /// The value of an attribute. Shapes in it are found.
    fn value(&mut self) -> Result<&'a str, Error> {
        let start = self.at;
        self.balanced(start, 0)?;
        if self.at == start {
            return Err(self.expected("a value"));
        }
        Ok(self.slice(start..self.at))
    }

    /// Passes over text of balanced brackets, of which so many are open: to the end of the value or of the brackets.
    fn balanced(&mut self, start: usize, open: usize) -> Result<(), Error> {
        let mut depth = open;
        let mut shape_end = None;
        loop {
            match self.here() {
                b'"' => self.string()?,
                b'\'' if !lex::is_word(self.before()) => self.string()?,
                b'[' | b'(' if open == 0 && self.attribute_shape(start)? => {
                    shape_end = Some(self.at)
                }
                b'{' | b'[' | b'(' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' | b')' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                    if depth == 0 && open > 0 {
                        return Ok(());
                    }
                }
                b'}' | b']' | b')' | b',' if depth == 0 => return Ok(()),
                0 if self.at >= self.text.len() => {
                    return if depth == 0 { Ok(()) } else { Err(self.error(ErrorKind::Unclosed)) };
                }
                b'/' | b' ' | b'\n' | b'\r' | b'\t' => {
                    let end = self.at;
                    self.space();
                    if self.at == end {
                        self.refuse_comment()?;
                        self.at += 1;
                    } else if depth == 0
                        && !matches!(self.here(), b'{' | b'[' | b'(')
                        && !(shape_end == Some(end) && self.is_number())
                    {
                        // A word belongs to what follows.
                        self.at = end;
                        return Ok(());
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    /// Finds the shape that a bracket in a value belongs to: after an element type, or a tuple of arrays.
    fn attribute_shape(&mut self, value: usize) -> Result<bool, Error> {
        let bytes = self.bytes();
        let start = match self.here() {
            b'[' => lex::word_start(bytes, self.at).max(value),
            _ if self.before() == b'b' && self.at > value => self.at - 1,
            _ => self.at,
        };
        let word = self.slice(start..self.at);
        let is_type =
            matches!(word, "" | "b" | "token" | "opaque") || ElementType::from_name(word).is_some();
        if !is_type || self.here() == b'[' && word.len() < 2 {
            return Ok(false);
        }
        let Some(extent) = lex::shape(bytes, start).filter(|extent| extent.has_array) else {
            return Ok(false);
        };
        self.found(start..extent.end, Role::Attribute)?;
        self.at = extent.end;
        Ok(true)
    }

    /// Passes over the string whose quote stands here.
    fn string(&mut self) -> Result<(), Error> {
        let end = lex::string_end(&self.bytes()[self.at + 1..], self.here());
        match end {
            Some(end) => self.at += end + 2,
            None => return Err(self.error(ErrorKind::UnclosedString)),
        }
        Ok(())
    }

    /// The range of the shape that stands here, or of what stands in its place.
    fn extent(&mut self) -> Result<Range<usize>, Error> {
        let bytes = self.bytes();
        let end = lex::shape(bytes, self.at).map(|extent| extent.end);
        let end = end.unwrap_or_else(|| lex::no_shape(bytes, self.at));
        if end == self.at { Err(self.expected("a shape")) } else { Ok(self.at..end) }
    }

    fn shape(&mut self, role: Role) -> Result<(), Error> {
        let range = self.extent()?;
        self.at = range.end;
        self.found(range, role)
    }

    fn found(&mut self, range: Range<usize>, role: Role) -> Result<(), Error> {
        self.place.go(self.text, range.start);
        (self.shape)(&Occurrence {
            source: self.text,
            start: range.start,
            end: range.end,
            line: self.place.line,
            column: self.place.column,
            role,
            computation: self.computation,
            instruction: self.instruction,
        })
    }

    /// Whether an opcode and its parenthesis stand here.
    fn is_call(&self) -> bool {
        let word = self.peek();
        let end = self.at + word.len();
        !matches!(word, "" | "b") && self.byte(lex::space(self.bytes(), end)) == b'('
    }

    /// Whether the value of a scalar stands here, as in `literal=f32[] 0.1`.
    fn is_number(&self) -> bool {
        let word = self.peek();
        matches!(word, "true" | "false") || word.trim_start_matches('-').parse::<f64>().is_ok()
    }

    /// A name, with or without `%`.
    fn name(&mut self, what: &'static str) -> Result<&'a str, Error> {
        let has_sign = self.take(b'%');
        let name = self.word();
        if name.is_empty() {
            self.at -= usize::from(has_sign);
            return Err(self.expected(what));
        }
        Ok(name)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_here = self.peek() == word;
        self.at += if is_here { word.len() } else { 0 };
        is_here
    }

    /// The word that stands here.
    fn peek(&self) -> &'a str {
        self.slice(self.at..lex::word_end(self.bytes(), self.at))
    }

    fn word(&mut self) -> &'a str {
        let word = self.peek();
        self.at += word.len();
        word
    }

    fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), Error> {
        if self.take(byte) { Ok(()) } else { Err(self.expected(what)) }
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_here = self.here() == byte && self.at < self.text.len();
        self.at += usize::from(is_here);
        is_here
    }

    fn space(&mut self) {
        self.at = lex::space(self.bytes(), self.at);
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    fn here(&self) -> u8 {
        self.byte(self.at)
    }

    fn before(&self) -> u8 {
        self.at.checked_sub(1).map_or(0, |before| self.byte(before))
    }

    /// The byte at a position; 0 at the end.
    fn byte(&self, at: usize) -> u8 {
        self.bytes().get(at).copied().unwrap_or(0)
    }

    fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    fn error(&self, kind: ErrorKind) -> Error {
        self.error_at(self.at, kind)
    }

    fn error_at(&self, at: usize, kind: ErrorKind) -> Error {
        Error::at(self.text, at, kind)
    }

    /// The error of text that is not what has to stand here.
    fn expected(&self, what: &'static str) -> Error {
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
    fn refuse_comment(&self) -> Result<(), Error> {
        let is_open = self.bytes()[self.at..].starts_with(b"/*");
        if is_open { Err(self.error(ErrorKind::UnclosedComment)) } else { Ok(()) }
    }
}
