//! Operations that only change a layout.

pub(crate) mod atoms;
mod backward;
pub(crate) mod executions;
pub(crate) mod leads;

use alloc::string::String;
use alloc::string::ToString as _;
use alloc::vec::Vec;

use crate::copies::atoms::{Atoms, is_same_layout};
use crate::copies::executions::Executions;
use crate::program::Program;
use crate::program::opcode::is_elementwise;
use crate::program::source::Source;
use layout_core::ArrayShape;

/// Fusions inside of fusions that are followed.
const MAX_DEPTH: usize = 8;

/// An operation that moves an array's elements into another layout each time that the program runs.
#[derive(Debug)]
#[non_exhaustive]
pub struct LayoutCopy<'m> {
    /// The name of the instruction.
    pub instruction: &'m str,
    /// What it does: `copy`, `reshape`, `transpose`, `fusion`.
    pub opcode: &'m str,
    /// The array before.
    pub from: String,
    /// The array after.
    pub to: String,
    /// Bytes that one execution writes, padding included.
    pub bytes: u64,
    /// The cycles of one execution: those that the compiler estimates, or, where it only prints a placeholder or nothing,
    /// what the bytes take.
    pub cycles: u64,
    /// Whether `cycles` come from the bytes.
    pub is_guess: bool,
    /// How often a run executes it; loops of unknown length count once.
    pub times: u64,
    /// The parameters and results that it leads to.
    pub leads: Vec<Place>,
    /// What made it.
    pub source: Source<'m>,
    pub(crate) operation: usize,
}

/// A parameter or result of a program, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A parameter of the entry computation.
    Parameter(usize),
    /// A result; 0 if it is the only one.
    Result(usize),
}

/// What an operation moves: the array before and after.
pub(crate) struct Moved {
    pub from: ArrayShape,
    pub to: ArrayShape,
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
    pub(crate) fn moved(&self, operation: usize) -> Option<Moved> {
        let opcode = self.operations[operation].opcode;
        if !matches!(opcode, "copy" | "copy-start" | "reshape" | "transpose" | "fusion") {
            return None;
        }
        if opcode == "fusion"
            && !(self.operands(operation).len() == 1 && self.only_moves(operation))
        {
            return None;
        }
        let to = self.array(operation).filter(|to| to.rank() > 0)?;
        let from = self.array(self.operand(operation, 0)?)?;
        let is_move = !matches!(opcode, "copy" | "copy-start") || !is_same_layout(&from, &to);
        is_move.then_some(Moved { from, to })
    }

    /// Whether a fusion does nothing but move elements.
    fn only_moves(&self, fusion: usize) -> bool {
        let Some(body) = self.fused_computation(fusion) else { return false };
        let mut own = self.computations[body].operations.clone();
        let is_loop = self.operations[fusion].attributes.get("kind") == Some("kLoop");
        let moves = |it: usize| {
            matches!(self.operations[it].opcode, "copy" | "transpose" | "reshape")
                && self.moved(it).is_some()
        };
        let is_move = |it: usize| {
            matches!(
                self.operations[it].opcode,
                "parameter" | "bitcast" | "copy" | "transpose" | "reshape"
            )
        };
        is_loop && own.clone().all(is_move) && own.any(moves)
    }

    /// Follows the parts of a value through one of its users. `None`: they cannot be followed.
    pub(crate) fn step(&self, user: usize, of: usize, atoms: &Atoms) -> Option<(Atoms, Step)> {
        self.step_at(user, of, atoms, 0)
    }

    /// The same, so many fusions deep.
    fn step_at(
        &self,
        user: usize,
        of: usize,
        atoms: &Atoms,
        depth: usize,
    ) -> Option<(Atoms, Step)> {
        let found = &self.operations[user];
        let arrays = || Some((self.array(of)?, self.array(user)?));
        let is_free = |operand: usize| operand == of || self.is_scalar(operand);
        match found.opcode {
            "bitcast" => {
                let (from, to) = arrays()?;
                atoms.cut(&from, &to, true).map(|atoms| (atoms, Step::Same))
            }
            opcode @ ("copy" | "copy-start" | "copy-done") => {
                let (from, to) = arrays()?;
                let is_move = opcode != "copy-done" && !is_same_layout(&from, &to);
                Some((atoms.clone(), if is_move { Step::Move } else { Step::Same }))
            }
            "reshape" => {
                let (from, to) = arrays()?;
                atoms.cut(&from, &to, false).map(|atoms| (atoms, Step::Move))
            }
            "transpose" => {
                Some((atoms.transposed(found.attributes.numbers("dimensions")?)?, Step::Move))
            }
            "slice" | "dynamic-slice" => Some((atoms.sliced(&self.array(user)?), Step::Slice)),
            opcode if is_elementwise(opcode) && self.operands(user).all(is_free) => {
                Some((atoms.clone(), Step::ByElement))
            }
            "fusion" if found.attributes.get("kind") == Some("kLoop") => {
                self.step_through(user, of, atoms, depth + 1)
            }
            _ => None,
        }
    }

    /// Whether a value is one number, also repeated or converted.
    fn is_scalar(&self, mut operation: usize) -> bool {
        loop {
            let opcode = self.operations[operation].opcode;
            if opcode == "constant" || self.array(operation).is_some_and(|array| array.rank() == 0)
            {
                return true;
            }
            let passes = opcode == "broadcast"
                || is_elementwise(opcode) && self.operands(operation).len() == 1;
            let Some(operand) = self.operand(operation, 0).filter(|_| passes) else { return false };
            operation = operand;
        }
    }

    /// Follows the parts of a value through a fusion with one result that uses it once as a whole.
    fn step_through(
        &self,
        fusion: usize,
        of: usize,
        atoms: &Atoms,
        depth: usize,
    ) -> Option<(Atoms, Step)> {
        let body = self.followed(fusion).filter(|_| depth < MAX_DEPTH)?;
        let range = self.computations[body].operations.clone();
        let number = self.operands(fusion).position(|operand| operand == of)?;
        let mut known = alloc::vec![None::<(Atoms, Step)>; range.len()];
        for operation in range.clone() {
            let slot = operation - range.start;
            if let Some(parameter) = self.operations[operation].parameter() {
                known[slot] = (parameter == number).then(|| (atoms.clone(), Step::Same));
                continue;
            }
            let get = |it: usize| known[it - range.start].as_ref();
            let mut derived = self.operands(operation).filter_map(|it| Some((it, get(it)?)));
            let Some((first, (own, step))) = derived.next() else { continue };
            // Of several operands all are to have the same parts: `x * sigmoid(x)`.
            let opcode = self.operations[operation].opcode;
            let is_same = self
                .operands(operation)
                .all(|it| get(it).map_or_else(|| self.is_scalar(it), |it| it.0 == *own));
            let next = if is_elementwise(opcode) {
                is_same.then(|| (own.clone(), Step::ByElement))
            } else {
                self.step_at(operation, first, own, depth)
            };
            known[slot] = next.map(|(atoms, next)| (atoms, next.max(*step)));
        }
        known[self.root(body) - range.start].clone()
    }

    /// The cycles of an operation that moves: those that are printed, or else what the bytes take, which is a guess.
    pub(crate) fn cost(&self, operation: usize) -> (u64, bool) {
        let moved = self.moved(operation);
        let bytes = |array: &ArrayShape| array.bytes().unwrap_or(0) as u64;
        let bytes = moved.map_or(0, |it| bytes(&it.from).saturating_add(bytes(&it.to)));
        let (cycles, is_placeholder) = self.cycles(operation).unwrap_or((0, true));
        let is_guess = is_placeholder || cycles == 0;
        (if is_guess { cycles.max(bytes / 800) } else { cycles }, is_guess)
    }
}

/// All operations of executed computations that only change a layout, and the cycles of all that are executed.
pub(crate) fn copies<'m>(
    program: &Program<'m>,
    executions: &Executions,
    source: impl Fn(usize) -> Source<'m>,
) -> (Vec<LayoutCopy<'m>>, Option<u64>) {
    let mut copies = Vec::new();
    let mut cycles = None;
    for (computation, &times) in program.computations.iter().zip(&executions.times) {
        for operation in computation.operations.clone().filter(|_| times > 0) {
            if let Some((own, _)) = program.cycles(operation) {
                cycles = Some(own.saturating_mul(times).saturating_add(cycles.unwrap_or(0)));
            }
            let Some(moved) = program.moved(operation) else { continue };
            let found = &program.operations[operation];
            let (cycles, is_guess) = program.cost(operation);
            copies.push(LayoutCopy {
                instruction: found.name,
                opcode: found.opcode,
                from: moved.from.to_string(),
                to: moved.to.to_string(),
                bytes: moved.to.bytes().unwrap_or(0) as u64,
                cycles,
                is_guess,
                times,
                leads: Vec::new(),
                source: source(operation),
                operation,
            });
        }
    }
    copies.sort_by_key(|copy| {
        core::cmp::Reverse((copy.cycles.saturating_mul(copy.times), copy.bytes))
    });
    (copies, cycles)
}
