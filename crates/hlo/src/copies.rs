//! Operations that only change a layout.

mod backward;
pub(crate) mod causes;
pub(crate) mod dim_digits;
pub(crate) mod executions;

use alloc::string::String;
use alloc::vec::Vec;

use crate::copies::dim_digits::{DimDigits, is_same_layout};
use crate::program::Program;
use crate::program::opcode::{Elements, Opcode};
use crate::program::source::Source;
use layout_core::ArrayShape;

/// Fusions inside of fusions that are followed.
const MAX_DEPTH: usize = 8;

/// An operation that copies an array each time that the program runs: into another layout, or, in a loop, as it is.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LayoutCopy<'m> {
    /// The name of the instruction.
    pub instruction: &'m str,
    /// What it does: `copy`, `reshape`, `transpose`, `fusion`.
    pub opcode: &'static str,
    /// The array before.
    pub from: String,
    /// The array after.
    pub to: String,
    /// The dimensions of the array before in the order in which the array after has them, if it transposes; else empty.
    pub dimensions: Vec<usize>,
    /// Whether both arrays have one layout: a loop writes to an array that it still needs, or carries it twice.
    pub keeps_layout: bool,
    /// Bytes that one execution writes, padding included.
    pub bytes: u64,
    /// The cycles of one execution: those that the compiler estimates, or, where it only prints a placeholder or nothing,
    /// what the bytes take.
    pub cycles: u64,
    /// Whether `cycles` come from the bytes.
    pub is_guess: bool,
    /// How often a run executes it; loops of unknown length count once.
    pub times: u64,
    /// The parameters and results in other layouts of which there would be nothing to move; of a copy that keeps the layout, the
    /// parameter that the loop carries.
    pub causes: Vec<Place>,
    /// What made it.
    pub source: Source<'m>,
}

/// A parameter or result of a program, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Place {
    /// A parameter of the entry computation.
    Parameter(usize),
    /// A result; 0 if it is the only one.
    Result(usize),
}

/// What an operation moves: the array before and after.
pub(crate) struct Move {
    pub from: ArrayShape,
    pub to: ArrayShape,
    pub keeps_layout: bool,
}

/// What a value becomes in an operation that keeps its elements or their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Same,
    Slice,
    ByElement,
    Move,
}

impl Program<'_> {
    /// What an operation moves into another layout, if it does nothing else.
    pub(crate) fn moved(&self, operation: usize) -> Option<Move> {
        self.copied(operation).filter(|it| !it.keeps_layout)
    }

    /// What an operation moves into another layout or copies as it is, if it does nothing else.
    pub(crate) fn copied(&self, operation: usize) -> Option<Move> {
        let opcode = self.opcode(operation);
        let is_copy = matches!(opcode, Opcode::Copy | Opcode::CopyStart);
        let moves = match opcode {
            Opcode::Fusion => self.operands(operation).len() == 1 && self.only_moves(operation),
            _ => is_copy || opcode.elements() == Elements::Moved,
        };
        let to = moves.then(|| self.array(operation)).flatten().filter(|to| to.rank() > 0)?;
        let from = self.array(self.operand(operation, 0)?)?;
        Some(Move { keeps_layout: is_copy && is_same_layout(&from, &to), from, to })
    }

    /// The order in which a transpose, or the one in a fusion, takes the dimensions.
    pub(crate) fn permutation(&self, operation: usize) -> Vec<usize> {
        let body =
            self.fused_computation(operation).map(|it| self.computations[it].operations.clone());
        let mut all = body.unwrap_or(operation..operation + 1);
        let transpose = all.find(|it| self.opcode(*it) == Opcode::Transpose);
        let numbers = transpose.and_then(|it| self.operations[it].attributes.numbers("dimensions"));
        numbers.into_iter().flatten().map(|dim| dim as usize).collect()
    }

    /// Whether a fusion does nothing but move elements.
    fn only_moves(&self, fusion: usize) -> bool {
        let Some(body) = self.fused_computation(fusion) else { return false };
        let mut own = self.computations[body].operations.clone();
        let can_move = |it: usize| {
            let opcode = self.opcode(it);
            opcode == Opcode::Copy || opcode.elements() == Elements::Moved
        };
        let is_free = |it: usize| matches!(self.opcode(it), Opcode::Parameter | Opcode::Bitcast);
        let moves = |it: usize| can_move(it) && self.moved(it).is_some();
        self.is_plain_fusion(fusion)
            && own.clone().all(|it| is_free(it) || can_move(it))
            && own.any(moves)
    }

    /// Whether a fusion makes its elements one by one; GPUs make transposes from blocks of what goes in.
    pub(crate) fn is_plain_fusion(&self, fusion: usize) -> bool {
        matches!(self.operations[fusion].attributes.get("kind"), Some("kLoop" | "kInput"))
    }

    /// Follows the parts of a value through one of its users, which stands in `depth` fusions. `None`: they cannot be followed.
    pub(crate) fn step(
        &self,
        user: usize,
        of: usize,
        digits: &DimDigits,
        depth: usize,
    ) -> Option<(DimDigits, Step)> {
        let found = &self.operations[user];
        let arrays = || Some((self.array(of)?, self.array(user)?));
        let is_free = |operand: usize| operand == of || self.is_scalar(operand);
        match found.opcode {
            Opcode::Bitcast => {
                let (from, to) = arrays()?;
                digits.cut(&from, &to, true).map(|digits| (digits, Step::Same))
            }
            opcode if opcode.is_copy() => {
                let (from, to) = arrays()?;
                let is_move = opcode != Opcode::CopyDone && !is_same_layout(&from, &to);
                Some((digits.clone(), if is_move { Step::Move } else { Step::Same }))
            }
            Opcode::Reshape => {
                let (from, to) = arrays()?;
                digits.cut(&from, &to, false).map(|digits| (digits, Step::Move))
            }
            Opcode::Transpose => {
                Some((digits.transposed(found.attributes.numbers("dimensions")?)?, Step::Move))
            }
            opcode if opcode.elements() == Elements::Slice => {
                Some((digits.sliced(&self.array(user)?), Step::Slice))
            }
            opcode if opcode.is_elementwise() && self.operands(user).all(is_free) => {
                Some((digits.clone(), Step::ByElement))
            }
            Opcode::Fusion if self.is_plain_fusion(user) => {
                self.step_through(user, of, digits, depth + 1)
            }
            _ => None,
        }
    }

    /// Whether a value is one number, also repeated or converted.
    fn is_scalar(&self, mut operation: usize) -> bool {
        loop {
            let opcode = self.opcode(operation);
            if opcode == Opcode::Constant
                || self.array(operation).is_some_and(|array| array.rank() == 0)
            {
                return true;
            }
            let passes = opcode == Opcode::Broadcast
                || opcode.is_elementwise() && self.operands(operation).len() == 1;
            let Some(operand) = self.operand(operation, 0).filter(|_| passes) else { return false };
            operation = operand;
        }
    }

    /// Follows the parts of a value through a fusion with one result that uses it once as a whole.
    fn step_through(
        &self,
        fusion: usize,
        of: usize,
        digits: &DimDigits,
        depth: usize,
    ) -> Option<(DimDigits, Step)> {
        let body = self.followed(fusion).filter(|_| depth < MAX_DEPTH)?;
        let range = self.computations[body].operations.clone();
        let number = self.operands(fusion).position(|operand| operand == of)?;
        let mut known = alloc::vec![None::<(DimDigits, Step)>; range.len()];
        for operation in range.clone() {
            let slot = operation - range.start;
            if let Some(parameter) = self.operations[operation].parameter() {
                known[slot] = (parameter == number).then(|| (digits.clone(), Step::Same));
                continue;
            }
            let get = |it: usize| known[it - range.start].as_ref();
            let mut derived = self.operands(operation).filter_map(|it| Some((it, get(it)?)));
            let Some((first, (own, step))) = derived.next() else { continue };
            // Of several operands all are to have the same parts: `x * sigmoid(x)`.
            let opcode = self.opcode(operation);
            let is_same = self
                .operands(operation)
                .all(|it| get(it).map_or_else(|| self.is_scalar(it), |it| it.0 == *own));
            let next = if opcode.is_elementwise() {
                is_same.then(|| (own.clone(), Step::ByElement))
            } else {
                self.step(operation, first, own, depth)
            };
            known[slot] = next.map(|(digits, next)| (digits, next.max(*step)));
        }
        known[self.root(body) - range.start].clone()
    }

    /// The cycles of an operation that moves: those that are printed, or else what the bytes take, which is a guess.
    pub(crate) fn cost(&self, operation: usize) -> (u64, bool) {
        let arrays = [self.operand(operation, 0), Some(operation)];
        let bytes = |it: Option<usize>| self.array(it?)?.bytes().map(|bytes| bytes as u64);
        let bytes = arrays.into_iter().filter_map(bytes).fold(0, u64::saturating_add);
        let (cycles, is_placeholder) = self.cycles(operation).unwrap_or((0, true));
        let is_guess = is_placeholder || cycles == 0;
        (if is_guess { cycles.max(bytes / 800) } else { cycles }, is_guess)
    }
}
