//! Shapes found in HLO text, and what they belong to.

use core::ops::Range;

use crate::reading::error::{Error, ErrorKind};
use layout_core::{ArrayShape, Shape};

/// A computation of a module: a function, such as the body of a loop or of a fusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Computation<'a> {
    /// Its name, without `%`.
    pub name: &'a str,
    /// Whether it is the module's `ENTRY`.
    pub is_entry: bool,
}

/// An instruction: `ROOT %add.1 = f32[3,5]{1,0} add(%a, %b)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Instruction<'a> {
    /// Its name, without `%`: `add.1`.
    pub name: &'a str,
    /// The operation: `add`, `get-tuple-element`; empty if the text does not give it.
    pub opcode: &'a str,
    /// Whether it is the computation's `ROOT`, whose value is the result.
    pub is_root: bool,
}

/// What a shape in HLO text belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// A parameter in `entry_computation_layout={(..)->..}`, with its number.
    LayoutParameter(usize),
    /// The result in `entry_computation_layout={(..)->..}`.
    LayoutResult,
    /// A parameter in the first line of a computation, with its number; XLA prints no layout there.
    SignatureParameter(usize),
    /// The result in the first line of a computation; XLA prints no layout there.
    SignatureResult,
    /// The value of an instruction.
    Instruction,
    /// An operand of an instruction, where the text repeats its shape.
    Operand,
    /// An attribute of an instruction, as in `operand_layout_constraints={f32[2]{0}}`.
    Attribute,
}

/// A place in a text: lines and columns count from one to the next, so that they are counted once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub at: usize,
    pub line: usize,
    pub column: usize,
}

impl Position {
    /// Goes to a byte that follows.
    pub(crate) fn go(&mut self, text: &str, to: usize) {
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

/// A shape in HLO text.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<'a> {
    pub(crate) source: &'a str,
    pub(crate) position: Position,
    pub(crate) end: usize,
    /// What the shape belongs to.
    pub role: Role,
    /// The computation that contains the shape; `None` in the header of the module.
    pub computation: Option<Computation<'a>>,
    /// The instruction that contains the shape; `None` in the header of a module or computation.
    pub instruction: Option<Instruction<'a>>,
}

impl<'a> Occurrence<'a> {
    /// The text of the shape.
    pub fn text(&self) -> &'a str {
        self.source.get(self.range()).unwrap_or_default()
    }

    /// The range of the shape in the text, in bytes.
    pub const fn range(&self) -> Range<usize> {
        self.position.at..self.end
    }

    /// The line where the shape starts, counted from 1.
    pub const fn line(&self) -> usize {
        self.position.line
    }

    /// The column where the shape starts, in characters, counted from 1.
    pub const fn column(&self) -> usize {
        self.position.column
    }

    /// Parses the shape.
    ///
    /// # Errors
    /// Every fault of the shape; the line and column are those of the first one.
    pub fn parse(&self) -> Result<Shape, Error> {
        self.text().parse().map_err(|error| self.error(error))
    }

    /// Parses the shape and visits one array at a time: [`Shape::for_each_array`].
    ///
    /// # Errors
    /// See [`parse`](Self::parse).
    pub fn for_each_array(&self, each: impl FnMut(&[usize], &ArrayShape)) -> Result<(), Error> {
        Shape::for_each_array(self.text(), each).map_err(|error| self.error(error))
    }

    /// The error of the shape, at its first fault.
    pub(crate) fn error(&self, error: layout_core::Error) -> Error {
        let mut position = self.position;
        position.go(
            self.source,
            position.at + error.faults()[0].range().map_or(0, |range| range.start),
        );
        Error { line: position.line, column: position.column, kind: ErrorKind::Shape(error) }
    }
}
