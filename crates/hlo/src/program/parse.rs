//! The grammar of HLO text, in one pass: each character belongs to something that is known, or the text is refused there.
//!
//! It follows XLA's `hlo_parser.cc`, computations in braces and operands that are instructions included. Values of attributes
//! that nothing here asks for are passed over by their brackets and strings.

// A scan for shapes lost what it did not know: a use written `%t#1`, a computation in braces, an operand that
// is an instruction each counted as 0 bytes. Operands and called computations stand before their uses, as XLA
// demands, so there are no circles.
mod attributes;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use crate::program::build::Builder;
use crate::program::frames::TABLES;
use crate::program::opcode::Opcode;
use crate::program::shapes::{ShapeId, Shapes};
use crate::program::{Operation, Program};
use crate::reading::attributes::Attributes;
use crate::reading::cursor::{Cursor, Read};
use crate::reading::error::ErrorKind;
use crate::reading::lex;
use crate::reading::occurrence::{Computation, Instruction, Occurrence, Position, Role};

/// Computations in braces and instructions among operands that are read inside of one another.
const MAX_DEPTH: usize = 100;

/// What a text consists of.
pub(crate) struct Outline<'a> {
    /// Empty if the text has no header.
    pub name: &'a str,
    pub header: Attributes<'a>,
    /// Rows of the tables of frames, each with the name of its table.
    pub tables: Vec<(&'a str, &'a str)>,
    /// The name of the entry computation.
    pub entry: &'a str,
    pub program: Program<'a>,
}

/// Reads a text and calls with every shape, in order, also with those that are wrong.
pub(crate) struct Parser<'a, F> {
    text: Cursor<'a>,
    position: Position,
    each: F,
    /// What the shapes were read as, if they are checked: the first one that is wrong is an error.
    shapes: Option<Shapes<'a>>,
    depth: usize,
    computation: Option<Computation<'a>>,
    instruction: Option<Instruction<'a>>,
    builder: Builder<'a>,
    /// Operands of the instructions that are being read, those of the innermost last.
    operands: Vec<u32>,
}

impl<'a, F: FnMut(&Occurrence<'a>)> Parser<'a, F> {
    pub(crate) fn new(text: &'a str, shapes: Option<Shapes<'a>>, each: F) -> Parser<'a, F> {
        let mut parser = Parser {
            text: Cursor { text, at: 0 },
            position: Position { at: 0, line: 1, column: 1 },
            each,
            shapes,
            depth: 0,
            computation: None,
            instruction: None,
            builder: Builder::default(),
            operands: Vec::new(),
        };
        parser.text.space();
        parser
    }

    /// Whether a module begins here: its header, or a computation.
    pub(crate) fn begins_module(&self) -> bool {
        let word = self.text.peek();
        let brace = lex::space(self.text.bytes(), self.text.at + word.len());
        matches!(word, "HloModule" | "ENTRY")
            || self.text.here() == b'%'
            || self.text.is_body(brace)
    }

    /// Reads the whole text.
    pub(crate) fn module(mut self) -> Read<Outline<'a>> {
        let start = self.text.at;
        let (mut name, mut header, mut tables) = ("", "", Vec::new());
        if self.text.take_word("HloModule") {
            self.text.space();
            self.text.take(b'%');
            name = self.text.word();
            if name.is_empty() {
                return Err(self.text.error_at(start, ErrorKind::NoModule));
            }
            self.text.take(b':');
            header = self.attributes(true)?;
            tables = self.tables()?;
        } else if !self.begins_module() {
            return Err(self.text.error_at(start, ErrorKind::NoModule));
        }
        let mut entry = None;
        self.text.space();
        while !self.text.rest().is_empty() {
            let start = self.text.at;
            if self.text.peek() == "HloModule" {
                return Err(self.text.error(ErrorKind::Second { what: "module" }));
            }
            let (number, own) = self.computation()?;
            if own.is_entry && entry.replace((number, own.name)).is_some() {
                return Err(self.text.error_at(start, ErrorKind::Second { what: "`ENTRY`" }));
            }
            self.text.space();
        }
        // Where none is marked, the last one is the entry, as XLA has it.
        let last = self.builder.last();
        let Some((number, entry)) = entry.or(last) else {
            return Err(self.text.error(ErrorKind::NoEntry));
        };
        let program = self.builder.finish(number, self.shapes.unwrap_or_default());
        Ok(Outline { name, header: Attributes(header), tables, entry, program })
    }

    /// The tables of frames: rows of a number and a value. Of a text that was stripped some have no rows.
    fn tables(&mut self) -> Read<Vec<(&'a str, &'a str)>> {
        let mut rows = Vec::new();
        loop {
            self.text.space();
            let table = self.text.peek();
            let row = lex::space(self.text.bytes(), self.text.at + table.len());
            let has_rows = !table.is_empty() && self.text.byte(row).is_ascii_digit();
            let is_empty = TABLES.contains(&table) && !b"({".contains(&self.text.byte(row));
            if !has_rows && !is_empty {
                return Ok(rows);
            }
            self.text.at = row;
            while self.text.here().is_ascii_digit() {
                self.text.word();
                self.text.space();
                rows.push((table, self.value()?));
                self.text.space();
            }
        }
    }

    /// `ENTRY %main (x: f32[2]) -> f32[2] { .. }`
    fn computation(&mut self) -> Read<(u32, Computation<'a>)> {
        let is_entry = self.text.take_word("ENTRY");
        self.text.space();
        let own = Computation { name: self.text.name("a computation")?, is_entry };
        self.computation = Some(own);
        self.text.space();
        if self.text.here() == b'(' {
            self.signature(true)?;
            self.text.space();
        }
        let number = self.body(own.name)?;
        self.computation = None;
        self.attributes(false)?;
        Ok((number, own))
    }

    /// `(x: f32[2], y: f32[])->f32[]`: a list of parameters and a result. The parameters of a computation have names.
    fn signature(&mut self, has_names: bool) -> Read<()> {
        self.text.expect(b'(', "`(`")?;
        let mut number = 0;
        self.text.space();
        while !self.text.take(b')') {
            if number > 0 {
                self.text.expect(b',', "`,` or `)`")?;
                self.text.space();
            }
            if has_names {
                self.text.name("the name of a parameter")?;
                self.text.space();
                self.text.take(b':');
                self.text.space();
            }
            let role = if has_names { Role::SignatureParameter } else { Role::LayoutParameter };
            self.shape(role(number))?;
            number += 1;
            self.text.space();
        }
        self.text.space();
        if !self.text.rest().starts_with("->") {
            return Err(self.text.expected("`->` and the result"));
        }
        self.text.at += 2;
        self.text.space();
        self.shape(if has_names { Role::SignatureResult } else { Role::LayoutResult })
    }

    /// The instructions of a computation, in their braces.
    fn body(&mut self, name: &'a str) -> Read<u32> {
        self.text.expect(b'{', "`{` and the instructions of the computation")?;
        let outer = (self.builder.begin(), self.instruction.take());
        self.text.space();
        while self.text.here() != b'}' {
            self.instruction()?;
            self.text.space();
        }
        let number = self.builder.end(name, outer.0);
        let number = number.ok_or_else(|| self.text.error(ErrorKind::NoRoot))?;
        self.text.at += 1;
        self.instruction = outer.1;
        Ok(number)
    }

    /// `ROOT %add.1 = f32[3,5]{1,0} add(%a, %b), metadata={..}`
    fn instruction(&mut self) -> Read<()> {
        let start = self.text.at;
        let is_root = self.text.take_word("ROOT");
        self.text.space();
        let name = self.text.name("an instruction or `}`")?;
        let second = match (self.builder.find(name), is_root && self.builder.has_root()) {
            (Some(_), _) => Some("instruction of this name"),
            (_, true) => Some("`ROOT`"),
            _ => None,
        };
        if let Some(what) = second {
            return Err(self.text.error_at(start, ErrorKind::Second { what }));
        }
        self.text.space();
        self.text.expect(b'=', "`=` and the instruction")?;
        self.text.space();
        let mut shape =
            if self.text.is_call() { self.text.at..self.text.at } else { self.text.extent()? };
        if self.text.byte(shape.end) == b'{' {
            // A layout that does not look like one.
            shape.end = lex::no_shape(self.text.bytes(), shape.start).max(shape.end);
        }
        let mut operation = self.call(shape, name, is_root)?;
        let start = self.text.at;
        operation.attributes = Attributes(self.attributes(false)?);
        if operation.opcode == Opcode::GetTupleElement {
            let index = operation.attributes.get("index").and_then(|it| it.parse().ok());
            let index = index.ok_or_else(|| {
                self.text.error_at(start, ErrorKind::Expected { what: "`index` and a number" })
            })?;
            let of = self.builder.first_operand(&operation);
            let part = self.part(of, index, start)?;
            if operation.shape_text.is_empty() {
                (operation.shape_text, operation.shape) = part;
            }
            operation.part = index;
        }
        let needed = match operation.opcode {
            Opcode::While => "body",
            Opcode::Fusion => "calls",
            Opcode::Call => "to_apply",
            _ => "",
        };
        if !needed.is_empty() && !self.builder.is_called(&operation, needed) {
            let what = "the computation that is called, as in `to_apply=f`, `calls=f` or `body=f`";
            return Err(self.text.error(ErrorKind::Expected { what }));
        }
        self.builder.operation(operation, is_root);
        self.instruction = None;
        Ok(())
    }

    /// The opcode and the operands of an instruction; its shape stands before, or is left out.
    fn call(&mut self, shape: Range<usize>, name: &'a str, is_root: bool) -> Read<Operation<'a>> {
        self.text.at = lex::space(self.text.bytes(), shape.end);
        let opcode = if self.text.is_call() { self.text.peek() } else { "" };
        self.instruction = Some(Instruction { name, opcode, is_root });
        let mut id = ShapeId::NONE;
        if !shape.is_empty() {
            id = self.found(shape.clone(), Role::Instruction)?;
        }
        if opcode.is_empty() {
            return Err(self.text.expected("an opcode and its operands, as in `add(a, b)`"));
        }
        self.text.at += opcode.len();
        self.text.space();
        let open = self.text.at;
        self.text.at += 1;
        let first = self.operands.len();
        let opcode = Opcode::new(opcode);
        if matches!(opcode, Opcode::Constant | Opcode::Parameter) {
            // What stands there is a value.
            self.balanced(open, 1)?;
        } else {
            self.text.space();
            while !self.text.take(b')') {
                if self.operands.len() > first {
                    self.text.expect(b',', "`,` or `)`")?;
                    self.text.space();
                }
                let operand = self.operand()?;
                self.operands.push(operand);
                self.text.space();
            }
        }
        let arguments = self.text.slice(open + 1..self.text.at - 1);
        let shape = (self.text.slice(shape), id);
        let operation =
            self.builder.call(opcode, shape, arguments, name, self.operands.drain(first..));
        Ok(operation)
    }

    /// An operand: a name, `%t#1` for a part of a tuple, or an instruction; its shape may stand before.
    fn operand(&mut self) -> Read<u32> {
        let mut shape = self.text.at..self.text.at;
        let is_shape = match self.text.peek() {
            _ if self.text.here() == b'%' => false,
            "" => self.text.here() == b'(',
            "b" => self.text.byte(self.text.at + 1) == b'(',
            word => {
                self.text.byte(lex::space(self.text.bytes(), self.text.at + word.len())) == b'['
            }
        };
        if is_shape {
            shape = self.text.extent()?;
            self.text.at = lex::space(self.text.bytes(), shape.end);
        }
        if self.text.is_call() {
            if self.depth == MAX_DEPTH {
                return Err(self.text.error(ErrorKind::TooDeep));
            }
            self.depth += 1;
            let outer = self.instruction;
            let opcode = self.text.peek();
            let operation = self.call(shape, opcode, false)?;
            self.instruction = outer;
            self.depth -= 1;
            return Ok(self.builder.unnamed(operation));
        }
        if is_shape {
            self.found(shape, Role::Operand)?;
        }
        let start = self.text.at;
        let name = self.text.name("the name of an operand")?;
        let mut number = self
            .builder
            .find(name)
            .ok_or_else(|| self.text.error_at(start, ErrorKind::UnknownOperand))?;
        let start = name.as_ptr() as usize - self.text.text.as_ptr() as usize;
        while self.text.take(b'#') {
            let digits = self.text.at;
            let part = self.text.word().parse();
            let part = part.map_err(|_| {
                self.text.error_at(digits, ErrorKind::Expected { what: "the number of a part" })
            })?;
            let name = self.text.slice(start..self.text.at);
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
    fn part(&mut self, of: Option<u32>, part: usize, at: usize) -> Read<(&'a str, ShapeId)> {
        let text = self.builder.part(of, part);
        let text =
            text.map_err(|parts| self.text.error_at(at, ErrorKind::NoSuchPart { part, parts }))?;
        let id = self.shapes.as_mut().map(|shapes| shapes.read(text));
        let id = id.transpose().map_err(|error| self.text.error_at(at, ErrorKind::Shape(error)))?;
        Ok((text, id.unwrap_or(ShapeId::NONE)))
    }

    fn shape(&mut self, role: Role) -> Read<()> {
        let range = self.text.extent()?;
        self.text.at = range.end;
        self.found(range, role).map(drop)
    }

    fn found(&mut self, range: Range<usize>, role: Role) -> Read<ShapeId> {
        self.position.go(self.text.text, range.start);
        let occurrence = Occurrence {
            source: self.text.text,
            position: self.position,
            end: range.end,
            role,
            computation: self.computation,
            instruction: self.instruction,
        };
        (self.each)(&occurrence);
        let Some(shapes) = &mut self.shapes else { return Ok(ShapeId::NONE) };
        shapes.read(occurrence.text()).map_err(|error| Box::new(occurrence.error(error)))
    }
}
