//! The operations of a program: what each is called, what it takes and which computations it calls.

pub(crate) mod alias;
pub(crate) mod build;
pub(crate) mod frames;
pub(crate) mod module;
pub(crate) mod opcode;
mod parse;
pub(crate) mod shapes;
pub(crate) mod source;

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::program::opcode::Opcode;
use crate::program::shapes::{ShapeId, Shapes};
use crate::reading::attributes::Attributes;
use layout_core::ArrayShape;

/// All operations of a module. What is called or taken always comes before what calls or takes it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program<'a> {
    pub computations: Vec<ComputationBody<'a>>,
    pub operations: Vec<Operation<'a>>,
    /// The number of the computation that is the entry.
    pub entry: usize,
    /// The entry's parameters, by number.
    pub parameters: Vec<usize>,
    /// Of all operations, one after the other.
    operands: Vec<u32>,
    calls: Vec<Call<'a>>,
    pub shapes: Shapes<'a>,
}

/// The body of a computation. If the module is scheduled, its operations are executed in this order.
#[derive(Clone, Debug)]
pub(crate) struct ComputationBody<'a> {
    pub name: &'a str,
    pub operations: Range<usize>,
    /// The operation that it returns: the one marked `ROOT`, else the last one.
    pub root: usize,
}

/// An operation: `%add.1 = f32[3,5]{1,0} add(%a, %b), metadata={..}`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation<'a> {
    pub name: &'a str,
    pub opcode: Opcode,
    /// The text of its shape; empty if that is left out.
    pub shape_text: &'a str,
    pub shape: ShapeId,
    /// What stands between its parentheses.
    pub arguments: &'a str,
    pub attributes: Attributes<'a>,
    /// Which part of a tuple it takes, if it is a `get-tuple-element`.
    pub part: usize,
    first_operand: u32,
    first_call: u32,
}

impl Operation<'_> {
    /// Whether it makes an array of slices that were copied into the chip's memory, in the same place.
    pub(crate) fn joins_slices(&self) -> bool {
        self.opcode == Opcode::CustomCall
            && self.attributes.get("custom_call_target") == Some("ConcatBitcast")
    }

    /// The number in `parameter(0)`.
    pub(crate) fn parameter(&self) -> Option<usize> {
        (self.opcode == Opcode::Parameter).then(|| self.arguments.trim().parse().ok()).flatten()
    }

    /// Where its name stands in the text.
    pub(crate) fn at(&self, text: &str) -> usize {
        self.name.as_ptr() as usize - text.as_ptr() as usize
    }
}

/// A computation that an attribute names or has in braces.
#[derive(Clone, Copy, Debug)]
struct Call<'a> {
    attribute: &'a str,
    computation: u32,
}

/// Operands of a fusion times operations in it that are followed; compilers make smaller ones.
const MAX_FUSION: usize = 1 << 20;

impl<'a> Program<'a> {
    /// Finds the entry's parameters.
    fn complete(&mut self) {
        let entry = self.computations[self.entry].operations.clone();
        self.parameters = entry.filter(|it| self.opcode(*it) == Opcode::Parameter).collect();
        self.parameters.sort_by_key(|it| self.operations[*it].parameter());
    }

    pub(crate) fn opcode(&self, operation: usize) -> Opcode {
        self.operations[operation].opcode
    }

    /// The operands of an operation: the operations that make them.
    pub(crate) fn operands(
        &self,
        operation: usize,
    ) -> impl ExactSizeIterator<Item = usize> + Clone + DoubleEndedIterator {
        self.own_operands(operation).iter().map(|operand| *operand as usize)
    }

    fn own_operands(&self, operation: usize) -> &[u32] {
        let first =
            |operation: usize| self.operations.get(operation).map(|it| it.first_operand as usize);
        let end = first(operation + 1).unwrap_or(self.operands.len());
        self.operands.get(first(operation).unwrap_or(end)..end).unwrap_or_default()
    }

    pub(crate) fn operand(&self, operation: usize, number: usize) -> Option<usize> {
        self.own_operands(operation).get(number).map(|operand| *operand as usize)
    }

    /// What an operation takes part of, and which part.
    pub(crate) fn part(&self, operation: usize) -> Option<(usize, usize)> {
        let found = &self.operations[operation];
        let of = self.operand(operation, 0).filter(|_| found.opcode == Opcode::GetTupleElement);
        of.map(|of| (of, found.part))
    }

    /// Of each operation its place in XLA's post-order: operands come before what takes them, in their order; the entry comes first.
    pub(crate) fn post_order(&self) -> Vec<u32> {
        const OPEN: u32 = u32::MAX;
        let mut places = vec![OPEN; self.operations.len()];
        let mut is_taken = vec![false; self.operations.len()];
        self.operands.iter().for_each(|operand| is_taken[*operand as usize] = true);
        let mut next = 0;
        let mut open = Vec::new();
        for body in self.computations.iter().rev() {
            for last in body.operations.clone().filter(|it| !is_taken[*it]) {
                open.push((last, self.operands(last)));
                while let Some((operation, operands)) = open.last_mut() {
                    if let Some(operand) = operands.find(|it| places[*it] == OPEN) {
                        open.push((operand, self.operands(operand)));
                    } else {
                        places[*operation] = next;
                        next += 1;
                        open.pop();
                    }
                }
            }
        }
        places
    }

    /// The operation that a computation returns.
    pub(crate) fn root(&self, computation: usize) -> usize {
        self.computations[computation].root
    }

    /// The array of a value; the first one of a tuple.
    pub(crate) fn array(&self, operation: usize) -> Option<ArrayShape> {
        Some(self.shapes.array(self.shapes.first(self.operations[operation].shape)?))
    }

    /// The operations that make what the entry returns.
    pub(crate) fn results(&self) -> Vec<usize> {
        let root = self.root(self.entry);
        match self.opcode(root) {
            Opcode::Tuple => self.operands(root).collect(),
            _ => Vec::from([root]),
        }
    }

    /// The operation that is a parameter of the entry.
    pub(crate) fn parameter(&self, number: usize) -> Option<usize> {
        self.parameters.get(number).copied()
    }

    /// The computation of a fusion.
    pub(crate) fn fused_computation(&self, fusion: usize) -> Option<usize> {
        self.called(fusion, "calls").next()
    }

    /// The computation of a fusion whose operands can be followed one by one: the time that takes is limited.
    pub(crate) fn followed(&self, fusion: usize) -> Option<usize> {
        let body = self.fused_computation(fusion)?;
        let steps =
            self.operands(fusion).len().saturating_mul(self.computations[body].operations.len());
        (steps <= MAX_FUSION).then_some(body)
    }

    /// What makes an operation's value: the root of a fusion, or else the operation itself.
    pub(crate) fn maker(&self, operation: usize) -> Option<usize> {
        match self.opcode(operation) {
            Opcode::Fusion => self.fused_computation(operation).map(|body| self.root(body)),
            _ => Some(operation),
        }
    }

    /// The computations that an attribute of an operation calls.
    pub(crate) fn called(&self, operation: usize, attribute: &str) -> impl Iterator<Item = usize> {
        let calls = self.calls(operation).filter(move |(own, _)| *own == attribute);
        calls.map(|(_, computation)| computation)
    }

    /// The computations that an operation calls, each with the attribute that does.
    pub(crate) fn calls(&self, operation: usize) -> impl Iterator<Item = (&'a str, usize)> {
        let first = |operation: usize| self.operations.get(operation).map(|it| it.first_call);
        let end = first(operation + 1).map_or(self.calls.len(), |it| it as usize);
        let own = &self.calls[self.operations[operation].first_call as usize..end];
        own.iter().map(|own| (own.attribute, own.computation as usize))
    }
}

/// The operations that take each operation's value, in their order.
#[derive(Debug)]
pub(crate) struct Users {
    starts: Vec<u32>,
    users: Vec<u32>,
    /// Of each user which operand it is of it.
    numbers: Vec<u32>,
    /// The operations that take a part of a tuple.
    takers: BTreeMap<(usize, usize), Vec<usize>>,
    /// Those that take one whole.
    whole: BTreeMap<usize, Vec<usize>>,
}

impl Users {
    pub(crate) fn of(&self, operation: usize) -> &[u32] {
        let range = self.starts[operation] as usize..self.starts[operation + 1] as usize;
        &self.users[range]
    }

    /// The numbers of the operands of a user that are an operation's value.
    pub(crate) fn numbers(&self, operation: usize, user: usize) -> impl Iterator<Item = usize> {
        let start = self.starts[operation] as usize;
        let own = self.of(operation);
        let first = own.partition_point(|it| (*it as usize) < user);
        let last = own.partition_point(|it| *it as usize <= user);
        self.numbers[start + first..start + last].iter().map(|number| *number as usize)
    }

    /// The operations that take a tuple whole, as a loop does.
    pub(crate) fn whole(&self, tuple: usize) -> &[usize] {
        self.whole.get(&tuple).map_or(&[], |users| users)
    }

    /// The operations that take that part of a tuple.
    pub(crate) fn takers(&self, tuple: usize, part: usize) -> &[usize] {
        self.takers.get(&(tuple, part)).map_or(&[], |takers| takers)
    }
}

impl Program<'_> {
    pub(crate) fn users(&self) -> Users {
        let mut starts = vec![0u32; self.operations.len() + 2];
        self.operands.iter().for_each(|operand| starts[*operand as usize + 2] += 1);
        for i in 2..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut users = vec![0; self.operands.len()];
        let mut numbers = vec![0; self.operands.len()];
        let mut takers = BTreeMap::<_, Vec<usize>>::new();
        let mut whole = BTreeMap::<_, Vec<usize>>::new();
        for operation in 0..self.operations.len() {
            for (number, operand) in self.operands(operation).enumerate() {
                let at = starts[operand + 1] as usize;
                (users[at], numbers[at]) = (operation as u32, number as u32);
                starts[operand + 1] += 1;
                let is_part = self.opcode(operation) == Opcode::GetTupleElement;
                if !is_part && self.shapes.tuples(self.operations[operand].shape).0 > 0 {
                    whole.entry(operand).or_default().push(operation);
                }
            }
            if let Some(part) = self.part(operation) {
                takers.entry(part).or_default().push(operation);
            }
        }
        whole.values_mut().for_each(Vec::dedup);
        Users { starts, users, numbers, takers, whole }
    }

    /// An operation of which this holds: the operation itself, or else one near it, its first users and operands as far as four steps away.
    pub(crate) fn near(
        &self,
        users: &Users,
        operation: usize,
        holds: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let user = |it| users.of(it).first().map(|user| *user as usize);
        let operand = |it| self.operand(it, 0);
        let near = |next: &dyn Fn(usize) -> Option<usize>| {
            core::iter::successors(next(operation), |it| next(*it)).take(4).find(|it| holds(*it))
        };
        let own = Some(operation).filter(|it| holds(*it));
        own.or_else(|| near(&user)).or_else(|| near(&operand))
    }
}
