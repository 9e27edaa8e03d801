//! The operations of a program: what each is called, what it takes and which computations it calls.

pub(crate) mod alias;
pub(crate) mod buffers;
pub(crate) mod frames;
pub(crate) mod module;
pub(crate) mod opcode;
mod outline;
pub(crate) mod source;

use alloc::vec;
use alloc::vec::Vec;

use crate::program::outline::{Body, Operation, Outline};
use crate::reading::attributes::{last_word, list};
use crate::reading::cache::hash;
use layout_core::{ArrayShape, Shape};

/// All operations of a module, in the order of the text, with their operands.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    pub computations: Vec<Body<'a>>,
    pub operations: Vec<Operation<'a>>,
    /// The number of the computation that is `ENTRY`.
    pub entry: usize,
    /// The entry's parameters, by number.
    pub parameters: Vec<usize>,
    /// Of all operations, one after the other.
    operands: Vec<u32>,
    /// The first arrays of their values, which several share.
    arrays: Vec<ArrayShape>,
    names_of_computations: Names,
}

/// An operand that is not an operation of the computation.
const UNKNOWN: u32 = u32::MAX;
/// Arrays that are remembered, a kilobyte each; others are read each time.
const MOST_ARRAYS: usize = 1 << 10;

impl<'a> Program<'a> {
    pub(crate) fn new(text: &'a str, outline: &Outline<'a>) -> Program<'a> {
        let mut operations = Vec::<Operation<'a>>::with_capacity(outline.len());
        let mut operands = Vec::with_capacity(outline.len() * 2);
        let (mut arrays, mut shapes) = (Vec::new(), Vec::new());
        let mut known_shapes = Names::new(MOST_ARRAYS);
        for body in &outline.bodies {
            let start = body.operations.start;
            let mut known = Names::new(body.operations.len());
            for number in body.operations.clone() {
                let mut operation = outline.read(text, body, number);
                operation.first_operand = operands.len() as u32;
                let shape = operation.shape;
                let read = known_shapes.get(shape, |i| shapes[i]).or_else(|| {
                    let number = arrays.len();
                    let is_free = number < MOST_ARRAYS;
                    arrays.push(is_free.then(|| array_of(shape, 0)).flatten()?);
                    shapes.push(shape);
                    known_shapes.insert(shape, number);
                    Some(number)
                });
                operation.array = read.map_or(UNKNOWN, |number| number as u32);
                // What a constant lists is its value. In the order of execution operands stand before their users.
                if !matches!(operation.opcode, "constant" | "parameter") {
                    let name = |i: usize| operations[start + i].name;
                    let named = list(operation.arguments()).map(last_word);
                    let found = named.map(|it| known.get(it, name).map(|i| (start + i) as u32));
                    operands.extend(found.map(|it| it.unwrap_or(UNKNOWN)));
                }
                known.insert(operation.name, number - start);
                operations.push(operation);
            }
        }
        let computations = outline.bodies.clone();
        let mut names_of_computations = Names::new(computations.len());
        for (i, body) in computations.iter().enumerate() {
            names_of_computations.insert(body.name, i);
        }
        let mut parameters = outline.parameters.clone();
        parameters.sort_by_key(|it| operations[*it].parameter());
        let entry = outline.entry.unwrap_or(0);
        Program {
            computations,
            operations,
            entry,
            parameters,
            operands,
            arrays,
            names_of_computations,
        }
    }

    /// The operands of an operation: the operations that make them. `None` for one that the computation does not have.
    pub(crate) fn operands(
        &self,
        operation: usize,
    ) -> impl ExactSizeIterator<Item = Option<usize>> + Clone {
        let first =
            |operation: usize| self.operations.get(operation).map(|it| it.first_operand as usize);
        let end = first(operation + 1).unwrap_or(self.operands.len());
        let own = self.operands.get(first(operation).unwrap_or(end)..end).unwrap_or_default();
        own.iter().map(|operand| (*operand != UNKNOWN).then_some(*operand as usize))
    }

    pub(crate) fn operand(&self, operation: usize, number: usize) -> Option<usize> {
        self.operands(operation).nth(number).flatten()
    }

    /// The operation that a computation returns.
    pub(crate) fn root(&self, computation: usize) -> Option<usize> {
        self.computations.get(computation)?.root()
    }

    /// The array of a value; the first one of a tuple.
    pub(crate) fn array(&self, operation: usize) -> Option<ArrayShape> {
        let Operation { array, shape, .. } = self.operations[operation];
        self.arrays.get(array as usize).copied().or_else(|| array_of(shape, 0))
    }

    /// One of the arrays of a value.
    pub(crate) fn array_at(&self, operation: usize, part: usize) -> Option<ArrayShape> {
        array_of(self.operations[operation].shape, part)
    }

    /// The operations that make what the entry returns.
    pub(crate) fn results(&self) -> Vec<usize> {
        let Some(root) = self.root(self.entry) else { return Vec::new() };
        match self.operations[root].opcode {
            "tuple" => self.operands(root).flatten().collect(),
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

    /// What makes an operation's value: the root of a fusion, or else the operation itself.
    pub(crate) fn maker(&self, operation: usize) -> Option<usize> {
        match self.operations[operation].opcode {
            "fusion" => self.root(self.fused_computation(operation)?),
            _ => Some(operation),
        }
    }

    /// The computations that an attribute names: one, or several in braces. XLA prints them before those that call them.
    pub(crate) fn called(&self, operation: usize, attribute: &str) -> impl Iterator<Item = usize> {
        let names = self.operations[operation].attributes().get(attribute).unwrap_or_default();
        let names = list(names.trim_start_matches('{').trim_end_matches('}')).map(last_word);
        let known = |name| self.names_of_computations.get(name, |i| self.computations[i].name);
        names.filter_map(known).filter(move |it| self.computations[*it].operations.end <= operation)
    }
}

/// One of the arrays of a shape.
fn array_of(shape: &str, part: usize) -> Option<ArrayShape> {
    let (mut found, mut number) = (None, 0);
    let _ = Shape::for_each_array(shape, |_, array| {
        found = found.or((number == part).then_some(*array));
        number += 1;
    });
    found
}

/// The operations that take each operation's value, in their order.
#[derive(Debug)]
pub(crate) struct Users {
    starts: Vec<u32>,
    users: Vec<u32>,
}

impl Users {
    pub(crate) fn of(&self, operation: usize) -> &[u32] {
        let range = self.starts[operation] as usize..self.starts[operation + 1] as usize;
        &self.users[range]
    }
}

impl Program<'_> {
    pub(crate) fn users(&self) -> Users {
        let mut starts = vec![0u32; self.operations.len() + 2];
        let known = || self.operands.iter().filter(|operand| **operand != UNKNOWN);
        known().for_each(|operand| starts[*operand as usize + 2] += 1);
        for i in 2..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut users = vec![0; known().count()];
        for operation in 0..self.operations.len() {
            for operand in self.operands(operation).flatten() {
                users[starts[operand + 1] as usize] = operation as u32;
                starts[operand + 1] += 1;
            }
        }
        Users { starts, users }
    }
}

/// Numbers of things by name: a table of hashes with open addresses.
#[derive(Debug)]
struct Names(Vec<u32>);

impl Names {
    /// For so many things at most.
    fn new(count: usize) -> Names {
        Names(vec![UNKNOWN; (count * 2).next_power_of_two()])
    }

    /// The slots of a name, from the first on.
    fn slots(&self, name: &str) -> impl Iterator<Item = usize> + use<> {
        let (first, count) = (hash(name) as usize, self.0.len());
        (first..first + count).map(move |slot| slot & (count - 1))
    }

    fn insert(&mut self, name: &str, number: usize) {
        let free = self.slots(name).find(|slot| self.0[*slot] == UNKNOWN);
        free.into_iter().for_each(|slot| self.0[slot] = number as u32);
    }

    /// The first thing of that name.
    fn get<'a>(&self, wanted: &str, name: impl Fn(usize) -> &'a str) -> Option<usize> {
        let mut numbers =
            self.slots(wanted).map(|slot| self.0[slot]).take_while(|it| *it != UNKNOWN);
        numbers.find(|it| name(*it as usize) == wanted).map(|it| it as usize)
    }
}
