//! The order of execution, and how long each array is in memory.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use crate::lifetimes::in_place;
use crate::lifetimes::values::ReadShapes;
use crate::lifetimes::{Buffer, HandOver, Owner, Relations, Timeline};
use crate::program::Program;
use crate::program::alias::Alias;
use crate::program::opcode::is_passed_on;

/// Computations that call one another are followed so deep.
const MAX_DEPTH: usize = 30;

/// The buffers of the arrays in a value.
type Value = Rc<[usize]>;

impl Timeline {
    /// `hosts`: whether results' memory holds other arrays before.
    pub(crate) fn new(program: &Program<'_>, aliases: &[Alias], hosts: bool) -> Timeline {
        let mut walk = Walk {
            program,
            shapes: ReadShapes::new(),
            is_walked: vec![false; program.computations.len()],
            timeline: Timeline {
                steps: Vec::with_capacity(program.operations.len()),
                buffers: Vec::with_capacity(program.operations.len()),
                results: Vec::new(),
            },
            relations: Relations::default(),
            depth: 0,
        };
        let results = walk.computation(program.entry, None);
        walk.join_aliases(&results, aliases);
        walk.timeline.finish(&results, &walk.relations, hosts)
    }
}

struct Walk<'p, 'a> {
    program: &'p Program<'a>,
    shapes: ReadShapes<'a>,
    is_walked: Vec<bool>,
    timeline: Timeline,
    relations: Relations,
    depth: usize,
}

impl Walk<'_, '_> {
    /// Walks a computation whose parameters are these values, and returns what its root is. `None`: the entry.
    fn computation(&mut self, number: usize, arguments: Option<&[Value]>) -> Value {
        let program = self.program;
        let is_new = self.is_walked.get_mut(number).is_some_and(|it| !core::mem::replace(it, true));
        if !is_new || self.depth > MAX_DEPTH {
            return Value::default();
        }
        self.depth += 1;
        let range = program.computations[number].operations.clone();
        let mut values = Values { start: range.start, values: Vec::with_capacity(range.len()) };
        for operation in range {
            let start = self.timeline.steps.len();
            self.timeline.steps.push(operation);
            let value = self.value(operation, &values, arguments);
            let opcode = program.operations[operation].opcode;
            // A loop's body uses what it carries, which is in the same memory, but not all the time.
            let end = if opcode == "while" { start } else { self.now() };
            if !is_passed_on(opcode) {
                for operand in program.operands(operation).flatten() {
                    self.use_at(end, values.get(operand));
                }
                for candidate in in_place::hand_overs(program, operation) {
                    let (old, new) = (values.get(candidate.operand), value.get(candidate.part));
                    if let (&[old], Some(&new)) = (old, new) {
                        self.hand_over(old, new, end, operation, &candidate);
                    }
                }
            }
            if let &[new] = &value[..]
                && self.timeline.buffers[new].operation == operation
            {
                let operands = program.operands(operation).flatten();
                let single = operands
                    .filter_map(|it| values.get(it).first().filter(|_| values.get(it).len() == 1));
                self.relations.operands.extend(single.map(|operand| (new, *operand)));
            }
            values.values.push(value);
        }
        let root =
            program.root(number).map(|root| Value::from(values.get(root))).unwrap_or_default();
        self.use_at(self.now(), &root);
        self.depth -= 1;
        root
    }

    /// Notes a result that can take over an operand's memory, if they are alike.
    fn hand_over(
        &mut self,
        old: usize,
        new: usize,
        step: usize,
        operation: usize,
        how: &in_place::Candidate,
    ) {
        let [given, made] = [old, new].map(|it| self.timeline.buffers[it]);
        // What is in the memory of the chip is given a place in it without looking for one to take over.
        let is_alike =
            given.leaf.bytes == made.leaf.bytes && (given.leaf.space, made.leaf.space) == (0, 0);
        if made.operation == operation && old != new && is_alike {
            // XLA's order asks for an operand that is itself made by the operation that makes the memory's value.
            let in_order = given.operation == how.operand && !how.is_copy;
            let hand_over = HandOver { old, new, step, is_sort: how.is_sort, in_order };
            self.relations.hand_overs.push(hand_over);
        }
    }

    /// The last step so far.
    fn now(&self) -> usize {
        self.timeline.steps.len().saturating_sub(1)
    }

    fn use_at(&mut self, step: usize, value: &[usize]) {
        for &buffer in value {
            let last = &mut self.timeline.buffers[buffer].last;
            *last = step.max(*last);
        }
    }

    fn push(&mut self, buffer: Buffer) -> usize {
        self.timeline.buffers.push(buffer);
        self.timeline.buffers.len() - 1
    }

    /// New buffers for what a value becomes from now on, in the same memory.
    fn renewed(&mut self, value: &[usize]) -> Value {
        let now = self.now();
        let renew = |&of: &usize| {
            let old = self.timeline.buffers[of];
            self.push(Buffer { first: now, last: now, group: of, ..old })
        };
        value.iter().map(renew).collect()
    }

    /// Walks computations that a loop, a call or a branch executes, each with its arguments, and joins what they return.
    fn called(
        &mut self,
        operation: usize,
        attribute: &str,
        arguments: impl Fn(usize) -> Vec<Value>,
    ) -> Value {
        let mut returned = Value::default();
        let called = self.program.called(operation, attribute).collect::<Vec<_>>();
        for (i, computation) in called.into_iter().enumerate() {
            let arguments =
                arguments(i).iter().map(|value| self.renewed(value)).collect::<Vec<_>>();
            let root = self.computation(computation, Some(&arguments));
            returned.iter().zip(root.iter()).for_each(|(a, b)| self.timeline.join(*a, *b));
            returned = root;
        }
        returned
    }

    /// The buffers of an operation's value; those that it makes are new ones.
    fn value(&mut self, operation: usize, values: &Values, arguments: Option<&[Value]>) -> Value {
        let program = self.program;
        let found = &program.operations[operation];
        let now = self.now();
        let operand =
            |number| program.operand(operation, number).map_or(&[][..], |it| values.get(it));
        let leaves = self.shapes.read(found.shape);
        let mut owner = Owner::Temporary;
        match found.opcode {
            "parameter" => match arguments {
                Some(arguments) => {
                    let number = found.parameter().unwrap_or(usize::MAX);
                    return arguments.get(number).cloned().unwrap_or_default();
                }
                None => owner = Owner::Argument,
            },
            "tuple" | "bitcast" | "optimization-barrier" => {
                let all = program.operands(operation).flatten();
                return all.flat_map(|it| values.get(it)).copied().collect();
            }
            "get-tuple-element" => {
                let Some(of) = program.operand(operation, 0) else { return Value::default() };
                let index = found.attributes().get("index").and_then(|index| index.parse().ok());
                let part = self.shapes.read(program.operations[of].shape).part(index.unwrap_or(0));
                return operand(0).get(part).unwrap_or_default().into();
            }
            "while" => {
                let init = Value::from(operand(0));
                self.called(operation, "condition", |_| vec![init.clone()]);
                let root = self.called(operation, "body", |_| vec![init.clone()]);
                init.iter().zip(root.iter()).for_each(|(a, b)| self.timeline.join(*a, *b));
                return self.renewed(&init);
            }
            "call" | "conditional" => {
                let operands = program.operands(operation);
                let all = operands.map(|it| it.map_or(&[][..], |it| values.get(it)).into());
                let all = all.collect::<Vec<Value>>();
                let mut root = Value::default();
                // Branches have an operand each, after the first one, which says which of them is executed.
                for (attribute, first) in [
                    ("to_apply", None),
                    ("branch_computations", Some(1)),
                    ("true_computation", Some(1)),
                    ("false_computation", Some(2)),
                ] {
                    let next = self.called(operation, attribute, |i| match first {
                        None => all.clone(),
                        Some(first) => all.get(first + i).cloned().into_iter().collect(),
                    });
                    root.iter().zip(next.iter()).for_each(|(a, b)| self.timeline.join(*a, *b));
                    root = if next.is_empty() { root } else { next };
                }
                if root.len() == leaves.leaves.len() {
                    return self.renewed(&root);
                }
            }
            _ => {}
        }
        let shared = in_place::shared(program, operation, leaves.leaves.len(), &mut self.shapes);
        let mut value = Vec::with_capacity(leaves.leaves.len());
        for (part, &leaf) in leaves.leaves.iter().enumerate() {
            let shared = shared.iter().find(|it| it.part == part);
            let taken = shared.and_then(|it| operand(it.operand).get(it.operand_part).copied());
            value.push(taken.unwrap_or_else(|| {
                let group = self.timeline.buffers.len();
                // Arguments are there before the first step.
                let first = if owner == Owner::Argument { 0 } else { now };
                self.push(Buffer {
                    leaf,
                    operation,
                    part,
                    owner,
                    group,
                    first,
                    last: now,
                    used: [now; 2],
                })
            }));
        }
        value.into()
    }

    /// Joins results with the arguments whose memory they take.
    fn join_aliases(&mut self, results: &[usize], aliases: &[Alias]) {
        let shape =
            |operation: Option<usize>| operation.map_or("", |it| self.program.operations[it].shape);
        let of_result = self.shapes.read(shape(self.program.root(self.program.entry)));
        let own = self.timeline.buffers.iter().enumerate();
        let own = own.filter(|(_, it)| it.owner == Owner::Argument);
        let own = own.map(|(i, it)| ((it.operation, it.part), i)).collect::<BTreeMap<_, _>>();
        for alias in aliases {
            let Some(parameter) = self.program.parameter(alias.parameter) else { continue };
            let part = self.shapes.read(shape(Some(parameter))).leaf(&alias.parameter_part);
            let argument = own.get(&(parameter, part));
            if let (Some(&result), Some(&argument)) =
                (results.get(of_result.leaf(&alias.result)), argument)
            {
                self.timeline.join(argument, result);
            }
        }
    }
}

/// The values of a computation's operations so far.
struct Values {
    start: usize,
    values: Vec<Value>,
}

impl Values {
    fn get(&self, operation: usize) -> &[usize] {
        operation
            .checked_sub(self.start)
            .and_then(|own| self.values.get(own))
            .map_or(&[], |value| value)
    }
}
