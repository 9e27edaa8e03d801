//! Where the operations of a module stand in its text: what one pass over it notes.

use alloc::vec::Vec;
use core::ops::Range;

use crate::reading::attributes::Attributes;
use crate::reading::found::Instruction;
use crate::reading::lex;

/// The operations of all computations, in the order of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline<'a> {
    pub bodies: Vec<Body<'a>>,
    /// The number of the computation that is `ENTRY`.
    pub entry: Option<usize>,
    /// The entry's parameters, in the order of the text.
    pub parameters: Vec<usize>,
    spots: Vec<Spot>,
}

/// The body of a computation. If the module is scheduled, its operations are executed in this order.
#[derive(Clone, Debug)]
pub(crate) struct Body<'a> {
    pub name: &'a str,
    pub operations: Range<usize>,
    /// The one marked `ROOT`.
    root: Option<usize>,
    /// Where it ends in the text.
    end: usize,
}

impl Body<'_> {
    /// The operation that it returns.
    pub(crate) fn root(&self) -> Option<usize> {
        self.root.or_else(|| self.operations.clone().next_back())
    }
}

/// Where an operation stands. All but the first count from its name, so that there are 24 bytes for each operation.
#[derive(Clone, Copy, Debug)]
struct Spot {
    name: usize,
    shape: u32,
    shape_end: u32,
    operands: u32,
    operands_end: u32,
}

/// An operation: `%add.1 = f32[3,5]{1,0} add(%a, %b), metadata={..}`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation<'a> {
    pub name: &'a str,
    pub opcode: &'a str,
    /// The text of its shape; empty if that is left out.
    pub shape: &'a str,
    /// From the first operand to the end of the line.
    rest: &'a str,
    /// Bytes of the operands in it.
    arguments: u32,
    pub first_operand: u32,
    /// The number of its array, the first one of a tuple, among those that were read.
    pub array: u32,
}

impl<'a> Operation<'a> {
    /// What stands between its parentheses.
    pub(crate) fn arguments(&self) -> &'a str {
        self.rest.get(..self.arguments as usize).unwrap_or_default()
    }

    pub(crate) fn attributes(&self) -> Attributes<'a> {
        Attributes(self.rest.get(self.arguments as usize..).unwrap_or_default())
    }

    /// The number in `parameter(0)`.
    pub(crate) fn parameter(&self) -> Option<usize> {
        (self.opcode == "parameter").then(|| self.arguments().trim().parse().ok()).flatten()
    }
}

impl<'a> Outline<'a> {
    pub(crate) fn with_capacity(operations: usize) -> Outline<'a> {
        Outline { spots: Vec::with_capacity(operations), ..Outline::default() }
    }

    pub(crate) fn begin(&mut self, name: &'a str, is_entry: bool) {
        if is_entry {
            self.entry = Some(self.bodies.len());
        }
        let start = self.spots.len();
        self.bodies.push(Body { name, operations: start..start, root: None, end: usize::MAX });
    }

    /// An operation: its first operand stands at that byte. Its shape is left out, or at that range.
    pub(crate) fn operation(&mut self, found: &Instruction<'a>, shape: Range<usize>, text: &str) {
        let is_entry = self.entry.is_some_and(|entry| entry + 1 == self.bodies.len());
        let Some(body) = self.bodies.last_mut() else { return };
        let number = self.spots.len();
        if found.is_root() {
            body.root = Some(number);
        }
        body.operations.end = number + 1;
        if is_entry && found.opcode() == "parameter" {
            self.parameters.push(number);
        }
        let name = found.name().as_ptr() as usize - text.as_ptr() as usize;
        let from = |at: usize| at.saturating_sub(name) as u32;
        let (shape, shape_end, operands) =
            (from(shape.start), from(shape.end), from(found.operands));
        self.spots.push(Spot { name, shape, shape_end, operands, operands_end: operands });
    }

    /// The `)` after the operands of the last operation stands at this byte.
    pub(crate) fn operands_end(&mut self, end: usize) {
        if let Some(last) = self.spots.last_mut() {
            last.operands_end = end.saturating_sub(last.name) as u32;
        }
    }

    /// The last computation is over, at this byte.
    pub(crate) fn end(&mut self, end: usize) {
        if let Some(body) = self.bodies.last_mut() {
            body.end = end;
        }
    }

    pub(crate) fn entry(&self) -> Option<&Body<'a>> {
        self.bodies.get(self.entry?)
    }

    pub(crate) fn len(&self) -> usize {
        self.spots.len()
    }

    /// Where the shape of an operation stands.
    pub(crate) fn shape_at(&self, number: usize) -> usize {
        self.spots.get(number).map_or(0, |spot| spot.name + spot.shape as usize)
    }

    /// An operation of a computation, whose operands are not read yet.
    pub(crate) fn read(&self, text: &'a str, body: &Body<'_>, number: usize) -> Operation<'a> {
        let spot = self.spots[number];
        let bytes = text.as_bytes();
        let slice = |start, end| text.get(start..end).unwrap_or_default();
        let [shape, shape_end, operands, operands_end] =
            [spot.shape, spot.shape_end, spot.operands, spot.operands_end]
                .map(|it| spot.name + it as usize);
        // The `(` of the operands, if there is an opcode.
        let open = operands.saturating_sub(1);
        let has_opcode = shape_end <= open && bytes.get(open) == Some(&b'(');
        let opcode = if has_opcode { lex::word_start(bytes, open) } else { open };
        let next = self.spots.get(number + 1).filter(|_| number + 1 < body.operations.end);
        Operation {
            name: slice(spot.name, lex::word_end(bytes, spot.name)),
            opcode: slice(opcode, open),
            shape: slice(shape, shape_end),
            rest: slice(operands, next.map_or(body.end.min(text.len()), |next| next.name)),
            arguments: operands_end.saturating_sub(operands) as u32,
            first_operand: 0,
            array: u32::MAX,
        }
    }
}
