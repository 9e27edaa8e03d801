//! The order of execution, and how long each array is in memory.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::lifetimes::in_place;
use crate::lifetimes::usage::{HBM, VMEM};
use crate::lifetimes::{Buffer, Compiler, HandOver, Kind, Relations, Sets, Table, Timeline};
use crate::program::Program;
use crate::program::alias::Alias;
use crate::program::opcode::{Opcode, ValuePlace};
use crate::program::shapes::{Leaf, Leaves, ShapeId};
use crate::reading::error::ErrorKind;

/// Computations that call one another are followed so deep.
const MAX_DEPTH: usize = 30;
/// Steps that a program may have, also where a short text calls a computation again and again.
const LEAST_STEPS: usize = 1 << 18;

/// The buffers of the arrays in a value, and the table of their addresses if it is a tuple.
#[derive(Clone, Default)]
struct Value {
    buffers: Rc<[usize]>,
    table: Option<u32>,
}

impl core::ops::Deref for Value {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.buffers
    }
}

/// Why a program has no timeline, and the operation where.
pub(crate) struct Fault {
    pub operation: usize,
    pub kind: ErrorKind,
}

/// In a box, since calls are walked inside of one another and errors are large.
type WalkResult<T> = Result<T, Box<Fault>>;

fn fault(operation: usize) -> impl Fn(ErrorKind) -> Box<Fault> + Copy {
    move |kind| Box::new(Fault { operation, kind })
}

impl Timeline {
    pub(crate) fn new(
        program: &Program<'_>,
        aliases: &[Alias],
        compiler: Compiler,
    ) -> WalkResult<Timeline> {
        // What a fusion does is told by its shapes too.
        if let Some(operation) = program.operations.iter().position(|it| it.shape == ShapeId::NONE)
        {
            return Err(fault(operation)(ErrorKind::NoShape));
        }
        let mut walk = Walk {
            program,
            steps_left: program.operations.len().saturating_mul(8).max(LEAST_STEPS),
            timeline: Timeline {
                steps: Vec::with_capacity(program.operations.len()),
                loops: Vec::new(),
                buffers: Vec::with_capacity(program.operations.len()),
                results: Vec::new(),
                tables: Vec::new(),
            },
            relations: Relations::default(),
            compiler,
            tables: Sets::default(),
            constants: BTreeMap::new(),
            started: BTreeMap::new(),
            is_apart: false,
            depth: 0,
            bytes: 0,
        };
        walk.constants()?;
        let results = walk.computation(program.entry, None)?;
        walk.join_aliases(&results, aliases).map_err(fault(program.root(program.entry)))?;
        walk.keep_own_tables(results.table);
        Ok(walk.timeline.finish(&results, walk.relations, compiler, program))
    }
}

struct Walk<'p, 'a> {
    program: &'p Program<'a>,
    /// Calls that are walked again and again end here, so that time grows with the text.
    steps_left: usize,
    timeline: Timeline,
    relations: Relations,
    compiler: Compiler,
    /// Which tables are one.
    tables: Sets,
    /// The buffers of constants.
    constants: BTreeMap<usize, usize>,
    /// What is made in the computation that an operation starts.
    started: BTreeMap<usize, Range<usize>>,
    /// Whether such a computation is walked.
    is_apart: bool,
    depth: usize,
    /// Of all buffers.
    bytes: i64,
}

impl<'p, 'a> Walk<'p, 'a> {
    /// The arrays of an operation's shape.
    fn leaves(&self, operation: usize) -> Result<Leaves<'p, 'a>, ErrorKind> {
        self.program.shapes.leaves(self.program.operations[operation].shape)
    }

    /// A buffer for each constant: it is there throughout, and nothing else is in its memory. The bodies of fusions have them in
    /// their code.
    fn constants(&mut self) -> WalkResult<()> {
        let program = self.program;
        let mut bodies = BTreeSet::from([program.entry]);
        for operation in 0..program.operations.len() {
            if !matches!(program.opcode(operation), Opcode::Fusion | Opcode::FusionStart) {
                bodies.extend(program.calls(operation).map(|(_, body)| body));
            }
        }
        let own = bodies.into_iter().flat_map(|body| program.computations[body].operations.clone());
        for operation in own.filter(|it| program.opcode(*it) == Opcode::Constant) {
            let fault = fault(operation);
            let leaves = self.leaves(operation).map_err(fault)?;
            if let Some(leaf) = leaves.iter().next().filter(|_| leaves.len() == 1) {
                let buffer = self.buffer(leaf, operation, 0, Kind::Constant);
                let number = self.push(buffer).map_err(fault)?;
                self.constants.insert(operation, number);
            }
        }
        Ok(())
    }

    /// A buffer that is made now.
    fn buffer(&self, leaf: Leaf, operation: usize, part: usize, owner: Kind) -> Buffer {
        let now = self.now();
        let (color, mut leaf) = (leaf.space, leaf);
        // `S(1)` on a GPU is memory in HBM that other devices reach too.
        if !self.compiler.is_tpu && leaf.space == VMEM {
            leaf.space = HBM;
        }
        let is_apart = self.is_apart;
        let (by, part, used) = (operation as u32, part as u32, [now as u32; 2]);
        let (group, place, first, last) = (0, 0, now, now);
        Buffer {
            leaf,
            color,
            operation,
            by,
            part,
            owner,
            is_apart,
            group,
            place,
            first,
            last,
            used,
        }
    }

    /// The table of a tuple that an operation makes, and those of the tuples in it.
    fn table(&mut self, operation: usize) -> Option<u32> {
        let program = self.program;
        let (tuples, parts) = program.shapes.tuples(program.operations[operation].shape);
        let others = match program.opcode(operation).memory() {
            ValuePlace::Joined => 0,
            ValuePlace::Done(_) | ValuePlace::Bound => return None,
            _ => tuples.saturating_sub(1),
        };
        let is_new = tuples > 0 && program.opcode(operation) != Opcode::Parameter;
        is_new.then(|| {
            self.tables.push();
            self.timeline.tables.push(Table { parts, others });
            self.timeline.tables.len() as u32 - 1
        })
    }

    fn join_tables(&mut self, a: &Value, b: &Value) {
        if let (Some(a), Some(b)) = (a.table, b.table) {
            self.tables.join(a as usize, b as usize);
        }
    }

    /// Leaves one of the tables that are the same, and none that the caller gets.
    fn keep_own_tables(&mut self, result: Option<u32>) {
        let result = result.map(|it| self.tables.first(it as usize));
        let own = core::mem::take(&mut self.timeline.tables).into_iter().enumerate();
        let own = own.filter(|(i, _)| self.tables.first(*i) == *i && Some(*i) != result);
        self.timeline.tables = own.map(|(_, table)| table).collect();
    }

    /// Walks a computation whose parameters are these values, and returns what its root is. `None`: the entry.
    fn computation(&mut self, number: usize, arguments: Option<&[Value]>) -> WalkResult<Value> {
        let program = self.program;
        let range = program.computations[number].operations.clone();
        if self.steps_left < range.len() || self.depth > MAX_DEPTH {
            return Err(fault(range.start)(ErrorKind::TooManyCalls));
        }
        self.steps_left -= range.len();
        self.depth += 1;
        let mut values = Values { start: range.start, values: Vec::with_capacity(range.len()) };
        for operation in range {
            let start = self.timeline.steps.len();
            self.timeline.steps.push(operation);
            let value = self.value(operation, &values, arguments)?;
            let opcode = program.opcode(operation);
            // A loop's body uses what it carries, which is in the same memory, but not all the time.
            let end = match opcode {
                Opcode::While => start,
                // Slices that were copied into the chip's memory lie where the whole is from now on.
                _ if program.operations[operation].joins_slices() => start.saturating_sub(1),
                _ => self.now(),
            };
            if !opcode.passes_on() {
                for operand in program.operands(operation) {
                    self.use_at(end, values.get(operand));
                }
                for candidate in in_place::hand_overs(program, operation) {
                    let (old, new) = (values.get(candidate.operand), value.get(candidate.part));
                    if let (&[old], Some(&new)) = (&old[..], new) {
                        self.hand_over(old, new, end, operation, &candidate);
                    }
                }
            }
            if let &[new] = &value[..]
                && self.timeline.buffers[new].operation == operation
            {
                let operands = program.operands(operation).map(|it| values.get(it));
                let single = operands.filter(|own| own.len() == 1);
                self.relations.operands.extend(single.map(|operand| (new, operand[0])));
            }
            values.values.push(value);
        }
        let root = values.values[program.root(number) - values.start].clone();
        self.use_at(self.now(), &root);
        self.depth -= 1;
        Ok(root)
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
        // XLA asks a fusion for arrays of as many bytes, all others for arrays of one shape.
        let is_same = match self.program.opcode(operation) {
            Opcode::Fusion => given.leaf.bytes == made.leaf.bytes,
            _ => self.program.shapes.is_same(given.leaf, made.leaf),
        };
        let is_alike = is_same && given.color == made.color;
        // What is made in a computation that runs apart never gives its memory to a user: XLA looks whether the two follow each
        // other in one computation (`BufferAssigner::LiveRangeInterferes`).
        let is_own = made.operation == operation && !given.is_apart && !made.is_apart;
        if is_own && old != new && is_alike {
            // XLA's order asks for an operand that is itself made by the operation that makes the memory's value.
            let in_order = given.operation == how.operand;
            self.relations.hand_overs.push(HandOver { old, new, step, in_order });
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

    fn push(&mut self, buffer: Buffer) -> Result<usize, ErrorKind> {
        let sum = self.bytes.checked_add_unsigned(buffer.leaf.bytes);
        self.bytes = sum.ok_or(ErrorKind::TooLarge)?;
        self.timeline.buffers.push(buffer);
        self.relations.groups.push();
        Ok(self.timeline.buffers.len() - 1)
    }

    /// New buffers for what a value becomes from now on, in the same memory.
    fn renewed(&mut self, value: &Value, by: usize) -> Result<Value, ErrorKind> {
        let now = self.now();
        let renew = |&of: &usize| {
            let old = self.timeline.buffers[of];
            let new = self.push(Buffer { first: now, last: now, by: by as u32, ..old })?;
            self.relations.groups.join(of, new);
            Ok(new)
        };
        let buffers = value.iter().map(renew).collect::<Result<_, _>>()?;
        Ok(Value { buffers, table: value.table })
    }

    /// Nothing for an operand that is bound after the start of its computation: it counts where it is bound.
    fn bound_later(&mut self, operation: usize) -> Result<Value, ErrorKind> {
        let leaves = self.leaves(operation)?.iter().enumerate();
        let buffers = leaves.map(|(part, leaf)| {
            let leaf = Leaf { bytes: 0, ..leaf };
            self.push(self.buffer(leaf, operation, part, Kind::Temporary))
        });
        Ok(Value { buffers: buffers.collect::<Result<_, _>>()?, table: None })
    }

    /// Walks computations that a loop, a call or a branch executes, each with its arguments, and joins what they return.
    fn called(
        &mut self,
        operation: usize,
        attribute: &str,
        arguments: impl Fn(usize) -> Vec<Value>,
    ) -> WalkResult<Value> {
        let mut returned = Value::default();
        for (i, computation) in self.program.called(operation, attribute).enumerate() {
            let arguments = arguments(i)
                .iter()
                .map(|value| self.renewed(value, operation))
                .collect::<Result<Vec<_>, _>>();
            let arguments = arguments.map_err(fault(operation))?;
            let root = self.computation(computation, Some(&arguments))?;
            returned.iter().zip(root.iter()).for_each(|(a, b)| self.relations.groups.join(*a, *b));
            self.join_tables(&returned, &root);
            returned = root;
        }
        Ok(returned)
    }

    /// The buffers of an operation's value: one for each array of its shape. Those that it makes are new ones.
    fn value(
        &mut self,
        operation: usize,
        values: &Values,
        arguments: Option<&[Value]>,
    ) -> WalkResult<Value> {
        let fault = fault(operation);
        let leaves = self.leaves(operation).map_err(fault)?;
        let passed = match self.passed(operation, values, arguments, leaves.len())? {
            None => {
                let started = self.started(operation, values)?;
                return self.made(operation, values, arguments, leaves, &started).map_err(fault);
            }
            Some(passed) => passed,
        };
        let (shape, value) = (leaves.len(), passed.len());
        if shape == value { Ok(passed) } else { Err(fault(ErrorKind::Arrays { shape, value })) }
    }

    /// The buffers of a value that an operation passes on from others. `None`: it makes its value.
    fn passed(
        &mut self,
        operation: usize,
        values: &Values,
        arguments: Option<&[Value]>,
        arrays: usize,
    ) -> WalkResult<Option<Value>> {
        let program = self.program;
        let fault = fault(operation);
        let found = &program.operations[operation];
        let operand =
            |number| program.operand(operation, number).map_or(&[][..], |it| values.get(it));
        Ok(Some(match found.opcode.memory() {
            ValuePlace::Parameter => {
                let Some(arguments) = arguments else { return Ok(None) };
                let number = found.parameter().unwrap_or(usize::MAX);
                match arguments.get(number) {
                    Some(argument) => argument.clone(),
                    None if self.is_apart => self.bound_later(operation).map_err(fault)?,
                    None => Value::default(),
                }
            }
            ValuePlace::Passed | ValuePlace::Joined => {
                let all = program.operands(operation).map(|it| values.get(it));
                let value = all.clone().fold(0, |sum: usize, own| sum.saturating_add(own.len()));
                if value != arrays {
                    return Err(fault(ErrorKind::Arrays { shape: arrays, value }));
                }
                let buffers = all.flat_map(|it| it.iter()).copied().collect();
                let table = match found.opcode {
                    Opcode::Tuple => self.table(operation),
                    _ => program.operand(operation, 0).and_then(|it| values.get(it).table),
                };
                Value { buffers, table }
            }
            ValuePlace::Part => {
                let Some((of, part)) = program.part(operation) else { return Ok(None) };
                let part = self.leaves(of).map_err(fault)?.part(part);
                let buffers = operand(0).get(part).unwrap_or_default().into();
                Value { buffers, table: None }
            }
            ValuePlace::Loop => {
                let init = program.operand(operation, 0).map(|it| values.get(it).clone());
                let init = init.unwrap_or_default();
                let number = self.timeline.loops.len();
                self.timeline.loops.push([self.now(); 2]);
                self.called(operation, "condition", |_| vec![init.clone()])?;
                // The condition runs before the body takes over what the loop carries.
                self.use_at(self.now(), &init);
                let root = self.called(operation, "body", |_| vec![init.clone()])?;
                for (a, b) in init.iter().zip(root.iter()) {
                    self.relations.groups.join(*a, *b);
                }
                self.join_tables(&init, &root);
                self.timeline.loops[number][1] = self.now() + 1;
                self.renewed(&init, operation).map_err(fault)?
            }
            ValuePlace::Returned => {
                let all = program.operands(operation).map(|it| values.get(it).clone());
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
                    })?;
                    root.iter()
                        .zip(next.iter())
                        .for_each(|(a, b)| self.relations.groups.join(*a, *b));
                    self.join_tables(&root, &next);
                    root = if next.is_empty() { root } else { next };
                }
                self.renewed(&root, operation).map_err(fault)?
            }
            _ => return Ok(None),
        }))
    }

    /// The buffers of a value that an operation makes, in an operand's memory or in memory of its own.
    fn made(
        &mut self,
        operation: usize,
        values: &Values,
        arguments: Option<&[Value]>,
        leaves: Leaves<'_, '_>,
        started: &Value,
    ) -> Result<Value, ErrorKind> {
        let program = self.program;
        let opcode = program.opcode(operation);
        if let Some(&constant) = self.constants.get(&operation) {
            return Ok(Value { buffers: Rc::from([constant]), table: None });
        }
        let is_argument = arguments.is_none() && opcode == Opcode::Parameter;
        // Arguments are there before the first step.
        let owner = if is_argument { Kind::Argument } else { Kind::Temporary };
        let arrays = |operation: usize| values.get(operation).len();
        let shared = in_place::shared(program, operation, leaves.len(), arrays)?;
        let mut memory = vec![None; leaves.len()];
        for it in shared.iter().rev() {
            let operand =
                program.operand(operation, it.operand).map_or(&[][..], |of| values.get(of));
            if let Some(own) = memory.get_mut(it.part) {
                *own = operand.get(it.operand_part).copied();
            }
        }
        let result = leaves.part(1);
        for (own, root) in memory.iter_mut().skip(result.start).zip(started.iter()) {
            match *own {
                Some(operand) => self.relations.groups.join(operand, *root),
                None => *own = Some(*root),
            }
        }
        let mut value = Vec::with_capacity(memory.len());
        for (part, (memory, leaf)) in memory.into_iter().zip(leaves.iter()).enumerate() {
            let mut new = self.buffer(leaf, operation, part, owner);
            new.is_apart |= opcode.starts_computation();
            if is_argument {
                new.first = 0;
            }
            value.push(match memory {
                Some(buffer) => buffer,
                None => self.push(new)?,
            });
        }
        Ok(Value { buffers: value.into(), table: self.table(operation) })
    }

    /// Walks the computation that an operation starts, unless another processor executes it, and returns what it makes; that is in
    /// memory until it is done.
    fn started(&mut self, operation: usize, values: &Values) -> WalkResult<Value> {
        let program = self.program;
        let found = &program.operations[operation];
        if let ValuePlace::Done(_) = found.opcode.memory() {
            let mut start = program.operand(operation, 0);
            while let Some(update) = start.filter(|it| program.opcode(*it) == Opcode::OtherUpdate) {
                start = program.operand(update, 0);
            }
            if let Some(made) = start.and_then(|it| self.started.get(&it).cloned()) {
                self.use_at(self.now(), &made.collect::<Vec<_>>());
            }
        }
        let thread = found.attributes.get("async_execution_thread").unwrap_or("main");
        if found.opcode != Opcode::AsyncStart || thread.trim_matches('"') != "main" {
            return Ok(Value::default());
        }
        let operands = program.operands(operation).map(|it| values.get(it).clone());
        let operands = operands.collect::<Vec<_>>();
        let first = self.timeline.buffers.len();
        let was_apart = core::mem::replace(&mut self.is_apart, true);
        let mut root = Value::default();
        for attribute in ["calls", "to_apply"] {
            for computation in program.called(operation, attribute) {
                root = self.computation(computation, Some(&operands))?;
            }
        }
        self.is_apart = was_apart;
        self.started.insert(operation, first..self.timeline.buffers.len());
        Ok(root)
    }

    /// Joins results with the arguments whose memory they take.
    fn join_aliases(&mut self, results: &[usize], aliases: &[Alias]) -> Result<(), ErrorKind> {
        let program = self.program;
        let of_result = self.leaves(program.root(program.entry))?;
        let own = self.timeline.buffers.iter().enumerate();
        let own = own.filter(|(_, it)| it.owner == Kind::Argument);
        let own = own.map(|(i, it)| ((it.operation, it.part), i)).collect::<BTreeMap<_, _>>();
        for alias in aliases {
            let parameter = program.parameter(alias.parameter).ok_or(ErrorKind::AliasPlace)?;
            let part = self.leaves(parameter)?.leaf(&alias.parameter_part);
            let argument = *own.get(&(parameter, part as u32)).ok_or(ErrorKind::AliasPlace)?;
            let result =
                *results.get(of_result.leaf(&alias.result)).ok_or(ErrorKind::AliasPlace)?;
            let [a, b] = [argument, result].map(|it| self.timeline.buffers[it].leaf.bytes);
            if a != b {
                return Err(ErrorKind::AliasPlace);
            }
            self.relations.groups.join(argument, result);
        }
        Ok(())
    }
}

/// The values of a computation's operations so far.
struct Values {
    start: usize,
    values: Vec<Value>,
}

impl Values {
    fn get(&self, operation: usize) -> &Value {
        &self.values[operation - self.start]
    }
}
