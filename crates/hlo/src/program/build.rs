//! Puts a program together while its text is read.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::program::opcode::Opcode;
use crate::program::shapes::{ShapeId, Shapes};
use crate::program::{Call, ComputationBody, Operation, Program};
use crate::reading::attributes::{Attributes, parts};
use crate::reading::error::ErrorKind;

/// A program that is being read.
#[derive(Default)]
pub(crate) struct Builder<'a> {
    program: Program<'a>,
    /// By name; `None` where two have it, as XLA prints them if each is in braces where it is called.
    computations: BTreeMap<&'a str, Option<u32>>,
    open: Open<'a>,
}

/// The computation whose body is being read. Its operations are numbered from 0 until it is complete.
#[derive(Default)]
pub(crate) struct Open<'a> {
    operations: Vec<Operation<'a>>,
    operands: Vec<u32>,
    calls: Vec<Call<'a>>,
    root: Option<usize>,
    names: BTreeMap<&'a str, u32>,
    /// The parts of tuples of which a part was taken.
    parts: BTreeMap<u32, Vec<&'a str>>,
}

impl<'a> Builder<'a> {
    /// Begins a computation. Returns the one that it stands in.
    pub(crate) fn begin(&mut self) -> Open<'a> {
        core::mem::take(&mut self.open)
    }

    /// Ends a computation, whose name is empty in braces, and goes on with the one that it stands in. `None`: it has no
    /// instructions.
    pub(crate) fn end(&mut self, name: &'a str, outer: Open<'a>) -> Option<u32> {
        let open = core::mem::replace(&mut self.open, outer);
        let program = &mut self.program;
        let first = program.operations.len();
        let (first_operand, first_call) =
            (program.operands.len() as u32, program.calls.len() as u32);
        let root = first + open.root.or(open.operations.len().checked_sub(1))?;
        program.operations.extend(open.operations.into_iter().map(|own| Operation {
            first_operand: own.first_operand + first_operand,
            first_call: own.first_call + first_call,
            ..own
        }));
        program.operands.extend(open.operands.iter().map(|operand| operand + first as u32));
        program.calls.extend(open.calls);
        let number = program.computations.len() as u32;
        program.computations.push(ComputationBody {
            name,
            operations: first..program.operations.len(),
            root,
        });
        if !name.is_empty() {
            self.computations.entry(name).and_modify(|known| *known = None).or_insert(Some(number));
        }
        Some(number)
    }

    /// The last computation.
    pub(crate) fn last(&self) -> Option<(u32, &'a str)> {
        let computations = &self.program.computations;
        computations.last().map(|last| (computations.len() as u32 - 1, last.name))
    }

    /// The program, of this entry computation.
    pub(crate) fn finish(mut self, entry: u32, shapes: Shapes<'a>) -> Program<'a> {
        self.program.entry = entry as usize;
        self.program.shapes = shapes;
        self.program.shapes.finish();
        self.program.complete();
        self.program
    }

    /// The computation of that name, of those before.
    pub(crate) fn computation(&self, name: &str) -> Result<u32, ErrorKind> {
        let known = self.computations.get(name).ok_or(ErrorKind::UnknownComputation)?;
        known.ok_or(ErrorKind::Second { what: "computation of this name stands above" })
    }

    /// The operation of that name, of those before it in the computation.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.open.names.get(name).copied()
    }

    /// An operation whose operands are known; it is not in the program yet.
    pub(crate) fn call(
        &mut self,
        opcode: Opcode,
        (shape_text, shape): (&'a str, ShapeId),
        arguments: &'a str,
        name: &'a str,
        operands: impl Iterator<Item = u32>,
    ) -> Operation<'a> {
        let open = &mut self.open;
        let first_operand = open.operands.len() as u32;
        open.operands.extend(operands);
        let first_call = open.calls.len() as u32;
        let attributes = Attributes("");
        Operation {
            name,
            opcode,
            shape_text,
            shape,
            arguments,
            attributes,
            part: 0,
            first_operand,
            first_call,
        }
    }

    /// The first operand of an operation that is not in the program yet.
    pub(crate) fn first_operand(&self, operation: &Operation<'_>) -> Option<u32> {
        self.open.operands.get(operation.first_operand as usize).copied()
    }

    /// An attribute of the operation that is being read calls a computation.
    pub(crate) fn called(&mut self, attribute: &'a str, computation: u32) {
        self.open.calls.push(Call { attribute, computation });
    }

    /// Whether an attribute of an operation that is not in the program yet calls a computation.
    pub(crate) fn is_called(&self, operation: &Operation<'_>, attribute: &str) -> bool {
        let own = self.open.calls.get(operation.first_call as usize..).unwrap_or_default();
        own.iter().any(|it| it.attribute == attribute)
    }

    /// Whether the computation has an operation marked `ROOT`.
    pub(crate) fn has_root(&self) -> bool {
        self.open.root.is_some()
    }

    /// Adds an operation, which others find by its name.
    pub(crate) fn operation(&mut self, operation: Operation<'a>, is_root: bool) -> u32 {
        let name = operation.name;
        let number = self.unnamed(operation);
        self.open.names.insert(name, number);
        if is_root {
            self.open.root = Some(number as usize);
        }
        number
    }

    /// Adds an operation that stands among the operands of another one.
    pub(crate) fn unnamed(&mut self, operation: Operation<'a>) -> u32 {
        self.open.operations.push(operation);
        self.open.operations.len() as u32 - 1
    }

    /// Adds what takes a part of a tuple: `%t#1`.
    pub(crate) fn take_part(
        &mut self,
        of: u32,
        part: usize,
        shape: (&'a str, ShapeId),
        name: &'a str,
    ) -> u32 {
        let opcode = Opcode::GetTupleElement;
        let own = self.call(opcode, shape, "", name, core::iter::once(of));
        self.operation(Operation { part, ..own }, false)
    }

    /// The shape of a part of a tuple: empty if that of the tuple is left out. An error is the number of its parts.
    pub(crate) fn part(&mut self, of: Option<u32>, part: usize) -> Result<&'a str, usize> {
        let Some(of) = of else { return Err(0) };
        let shape = self.open.operations[of as usize].shape_text;
        let parts = self.open.parts.entry(of).or_insert_with(|| parts(shape));
        match parts.get(part) {
            Some(part) => Ok(part),
            None if shape.is_empty() => Ok(""),
            None => Err(parts.len()),
        }
    }
}
