//! The operations of a program: what each is called, what it takes and which computations it calls.

pub(crate) mod alias;
pub(crate) mod buffers;
pub(crate) mod frames;
pub(crate) mod module;
pub(crate) mod opcode;
pub(crate) mod source;

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::reading::attributes::{Attributes, last_word, list};
use crate::reading::cache::hash;
use crate::reading::found::Instruction;

/// All computations of a module, in the order of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program<'a> {
    pub computations: Vec<Body<'a>>,
    pub operations: Vec<Operation<'a>>,
    /// The number of the computation that is `ENTRY`.
    pub entry: usize,
    /// The entry's parameters, by number.
    pub parameters: Vec<usize>,
    /// Of all operations, one after the other.
    operands: Vec<u32>,
    /// Operands of the computation that is being read.
    names: Vec<&'a str>,
    names_of_computations: Names,
}

/// The body of a computation. If the module is scheduled, its operations are executed in this order.
#[derive(Clone, Debug)]
pub(crate) struct Body<'a> {
    pub name: &'a str,
    pub operations: Range<usize>,
    /// The one marked `ROOT`.
    root: Option<usize>,
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
    first_operand: u32,
}

/// An operand that is not an operation of the computation.
const UNKNOWN: u32 = u32::MAX;

impl<'a> Operation<'a> {
    /// What stands after its first parenthesis, in its line.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

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

impl<'a> Program<'a> {
    pub(crate) fn with_capacity(operations: usize) -> Program<'a> {
        Program { operations: Vec::with_capacity(operations), ..Program::default() }
    }

    pub(crate) fn begin(&mut self, name: &'a str, is_entry: bool) {
        if is_entry {
            self.entry = self.computations.len();
        }
        let start = self.operations.len();
        self.computations.push(Body { name, operations: start..start, root: None });
    }

    pub(crate) fn operation(&mut self, found: &Instruction<'a>, shape: &'a str, text: &'a str) {
        let at = found.name.as_ptr() as usize - text.as_ptr() as usize;
        self.attributes_end(text.len().saturating_sub(at));
        let Some(computation) = self.computations.last_mut() else { return };
        if found.is_root {
            computation.root = Some(self.operations.len());
        }
        let (name, opcode) = (found.name, found.opcode);
        let rest = text.get(found.operands..).unwrap_or_default();
        let first_operand = (self.operands.len() + self.names.len()) as u32;
        let operation = Operation { name, opcode, shape, rest, arguments: 0, first_operand };
        self.operations.push(operation);
    }

    /// The `)` after the operands of the last operation stands at this byte of the text.
    pub(crate) fn operands_end(&mut self, end: usize, text: &'a str) {
        let Some(last) = self.operations.last_mut() else { return };
        let arguments = end.saturating_sub(text.len() - last.rest.len());
        last.arguments = arguments as u32;
        // What a constant lists is its value.
        if !matches!(last.opcode, "constant" | "parameter") {
            self.names.extend(list(last.arguments()).map(last_word));
        }
    }

    /// The attributes of the computation's last operation end so many bytes before the text does.
    fn attributes_end(&mut self, left: usize) {
        let start = self.computations.last().map_or(0, |it| it.operations.start);
        if let Some(last) = self.operations.get_mut(start..).and_then(|own| own.last_mut()) {
            let length = last.rest.len().saturating_sub(left);
            last.rest = last.rest.get(..length).unwrap_or_default();
        }
    }

    /// The computation is over, at this byte: its operands are known by name.
    pub(crate) fn end(&mut self, end: usize, text: &'a str) {
        self.attributes_end(text.len().saturating_sub(end));
        let Some(computation) = self.computations.last_mut() else { return };
        computation.operations.end = self.operations.len();
        let start = computation.operations.start;
        let own = &self.operations[start..];
        let known = Names::new(own.len(), |i| own[i].name);
        let mut user = start;
        for name in self.names.drain(..) {
            let number = self.operands.len() as u32;
            while self.operations.get(user + 1).is_some_and(|next| next.first_operand <= number) {
                user += 1;
            }
            // In the order of execution operands stand before their users.
            let operand = known.get(name, |i| own[i].name).filter(|i| start + i < user);
            self.operands.push(operand.map_or(UNKNOWN, |i| (start + i) as u32));
        }
    }

    /// The text is over: computations are known by name.
    pub(crate) fn finish(&mut self) {
        let all = &self.computations;
        self.names_of_computations = Names::new(all.len(), |i| all[i].name);
        let entry = all.get(self.entry).map_or(0..0, |entry| entry.operations.clone());
        self.parameters = entry.filter(|it| self.operations[*it].opcode == "parameter").collect();
        self.parameters.sort_by_key(|it| self.operations[*it].parameter());
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
        let computation = self.computations.get(computation)?;
        computation.root.or_else(|| computation.operations.clone().next_back())
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

    /// The computations that an attribute names: one, or several in braces. XLA prints them before those that call them.
    pub(crate) fn called(&self, operation: usize, attribute: &str) -> impl Iterator<Item = usize> {
        let names = self.operations[operation].attributes().get(attribute).unwrap_or_default();
        let names = list(names.trim_start_matches('{').trim_end_matches('}')).map(last_word);
        let known = |name| self.names_of_computations.get(name, |i| self.computations[i].name);
        names.filter_map(known).filter(move |it| self.computations[*it].operations.end <= operation)
    }
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
#[derive(Clone, Debug, Default)]
struct Names(Vec<u32>);

impl Names {
    fn new<'a>(count: usize, name: impl Fn(usize) -> &'a str) -> Names {
        let mut slots = vec![UNKNOWN; (count * 2).next_power_of_two()];
        let mask = slots.len() - 1;
        for i in 0..count {
            let mut slot = hash(name(i)) as usize & mask;
            while slots[slot] != UNKNOWN {
                slot = (slot + 1) & mask;
            }
            slots[slot] = i as u32;
        }
        Names(slots)
    }

    fn get<'a>(&self, wanted: &str, name: impl Fn(usize) -> &'a str) -> Option<usize> {
        let mask = self.0.len().checked_sub(1)?;
        let mut slot = hash(wanted) as usize & mask;
        while *self.0.get(slot)? != UNKNOWN {
            if name(self.0[slot] as usize) == wanted {
                return Some(self.0[slot] as usize);
            }
            slot = (slot + 1) & mask;
        }
        None
    }
}
