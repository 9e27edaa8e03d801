//! What is in memory while a program runs.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;

use crate::advice::Advice;
use crate::alias::{Alias, aliases};
use crate::copies::{LayoutCopy, copies};
use crate::executions::Executions;
use crate::error::{Error, ErrorKind};
use crate::frames::Frames;
use crate::module::Module;
use crate::program::Users;
use crate::source::Source;
use crate::timeline::{Buffer, Owner, Timeline};
use crate::values::Leaves;
use layout_core::Shape;

/// What fills a device's memory while a compiled program runs; made by [`Module::memory`].
///
/// Bytes count padding. [`report`](Self::report) prints it for a person.
#[derive(Debug)]
#[non_exhaustive]
pub struct Memory<'m> {
    /// The moment at which the most memory is in use.
    pub peak: Peak<'m>,
    /// What the caller passes, by number; a tuple's arrays one after the other.
    pub arguments: Vec<Argument<'m>>,
    /// The operations that only change a layout, those of the most cycles first.
    pub copies: Vec<LayoutCopy<'m>>,
    /// The cycles that the compiler estimates for a run, as far as it prints them: kernels of Pallas, gathers and collectives
    /// have none. `None` if no instruction has them.
    pub cycles: Option<u64>,
    /// What a user can write so that it needs less, what saves the most first.
    pub advice: Vec<Advice>,
    pub(crate) module: &'m Module<'m>,
    pub(crate) timeline: Timeline,
    pub(crate) frames: Frames<'m>,
    pub(crate) users: Users,
}

/// The moment at which the most memory is in use.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Peak<'m> {
    /// All bytes in use: arguments, results and temporaries. It is what the compiler reports as
    /// `peak_memory_in_bytes`, which counts arguments and results throughout.
    pub bytes: u64,
    /// Bytes that the caller passes.
    pub arguments_bytes: u64,
    /// Bytes of the results that do not take the place of an argument.
    pub results_bytes: u64,
    /// Bytes of what the program makes for itself. They are in the device's memory, or in VMEM (see `is_in_vmem`).
    pub temporaries_bytes: u64,
    /// The most bytes in the host's memory, which the others do not count.
    pub host_bytes: u64,
    /// Whether the temporaries are those of the chip's own memory, since these are more than those in HBM. Compilers count
    /// the larger of the two; only small programs have more in VMEM.
    pub is_in_vmem: bool,
    /// The name of the instruction at the peak; empty if the program has none.
    pub instruction: &'m str,
    /// What made that instruction.
    pub source: Source<'m>,
    /// What is in memory then, the largest groups first.
    pub live: Vec<Group<'m>>,
    pub(crate) step: usize,
}

/// Arrays in memory that are alike: of one shape, of one line of the user's program.
#[derive(Debug)]
#[non_exhaustive]
pub struct Group<'m> {
    /// Whose they are.
    pub kind: Kind,
    /// The shape of each, with its layout.
    pub shape: String,
    /// How many there are.
    pub count: usize,
    /// Bytes of all together.
    pub bytes: u64,
    /// Bytes of padding in these.
    pub padding_bytes: u64,
    /// What made the first of them.
    pub source: Source<'m>,
}

/// Whose an array in memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// The caller passes it.
    Argument,
    /// The caller gets it.
    Result,
    /// The program makes it for itself.
    Temporary,
}

/// An array that the caller passes.
#[derive(Debug)]
#[non_exhaustive]
pub struct Argument<'m> {
    /// The number of its parameter.
    pub number: usize,
    /// The user's name for it, `params['w']`, or else that of its instruction.
    pub name: &'m str,
    /// Its shape.
    pub shape: &'m str,
    /// Bytes of it, with padding.
    pub bytes: u64,
    /// Whether a result takes its place.
    pub is_donated: bool,
}

/// Memory spaces: the device's own, the chip's, the host's.
const HBM: i8 = 0;
const VMEM: i8 = 1;
const HOST: i8 = 5;

impl<'a> Module<'a> {
    /// What is in memory while the program runs: its peak, and what is there then.
    ///
    /// The walk follows the order of execution. A buffer lives from the instruction that makes it to its last use;
    /// what works in place takes no new one, as XLA's buffer assignment has it. On the programs of TPU, GPU and CPU in
    /// this repository's tests the peak differs from the compiler's own by less than a thousandth.
    ///
    /// # Errors
    /// [`ErrorKind::NotScheduled`] if the text has no order of execution, which it has after compilation only.
    ///
    /// # Examples
    /// ```
    /// use layout::hlo::Module;
    ///
    /// let module = Module::parse("\
    /// HloModule m, is_scheduled=true
    ///
    /// ENTRY %main (x: f32[1024]) -> f32[] {
    ///   %x = f32[1024]{0} parameter(0), metadata={op_name=\"x\"}
    ///   %y = f32[1024,1024]{1,0} broadcast(%x), dimensions={0}
    ///   %z = f32[1024,1024]{1,0} transpose(%y), dimensions={1,0}
    ///   ROOT %dot = f32[] custom-call(%z), custom_call_target=\"sum\"
    /// }")?;
    /// let memory = module.memory()?;
    /// assert_eq!(memory.peak.instruction, "z");
    /// assert_eq!(memory.peak.temporaries_bytes, 2 * 4 * 1024 * 1024);
    /// assert_eq!(memory.peak.bytes, 2 * 4 * 1024 * 1024 + 4096 + 4);
    /// # Ok::<(), layout::hlo::Error>(())
    /// ```
    pub fn memory(&self) -> Result<Memory<'_>, Error> {
        if self.header().get("is_scheduled") != Some("true") {
            return Err(Error::at(self.text, 0, ErrorKind::NotScheduled));
        }
        let aliases = self.aliases();
        let mut memory = Memory {
            peak: Peak::default(),
            copies: Vec::new(),
            cycles: None,
            advice: Vec::new(),
            arguments: self.arguments(&aliases),
            timeline: Timeline::new(&self.program, &aliases),
            frames: Frames::new(self.text),
            users: self.program.users(),
            module: self,
        };
        memory.peak = memory.find_peak();
        let executions = Executions::new(&self.program);
        (memory.copies, memory.cycles) = copies(&self.program, &executions, |it| memory.source(it));
        memory.advice = memory.advise_layouts(&executions);
        Ok(memory)
    }

    pub(crate) fn aliases(&self) -> Vec<Alias> {
        self.header().get("input_output_alias").map(aliases).unwrap_or_default()
    }

    fn arguments(&self, aliases: &[Alias]) -> Vec<Argument<'_>> {
        let mut arguments = Vec::new();
        for parameter in self.parameters() {
            let (number, shape) = (parameter.number(), parameter.shape_text());
            let name = parameter.op_name().unwrap_or(parameter.name());
            let leaves = Leaves::new(shape);
            for (part, leaf) in leaves.leaves.iter().enumerate() {
                let is_own =
                    |it: &Alias| it.parameter == number && leaves.leaf(&it.parameter_part) == part;
                let is_donated = aliases.iter().any(is_own);
                arguments.push(Argument { number, name, shape, bytes: leaf.bytes, is_donated });
            }
        }
        arguments
    }
}

impl<'m> Memory<'m> {
    /// The bytes of temporaries in a memory space at each step.
    pub(crate) fn use_by_step(&self, space: i8) -> Vec<u64> {
        let mut changes = vec![0i64; self.timeline.steps.len() + 1];
        for buffer in self.timeline.buffers.iter().filter(|it| is_temporary(it, space)) {
            changes[buffer.first] += buffer.leaf.bytes as i64;
            changes[buffer.last + 1] -= buffer.leaf.bytes as i64;
        }
        let mut now = 0i64;
        let sums = changes.iter().map(|change| {
            now = now.saturating_add(*change);
            now.max(0) as u64
        });
        sums.collect()
    }

    fn find_peak(&self) -> Peak<'m> {
        let highest = |space| {
            let sums = self.use_by_step(space).into_iter().enumerate();
            sums.rev().max_by_key(|(_, bytes)| *bytes).unwrap_or_default()
        };
        let throughout = |owner, space| {
            let own = self
                .timeline
                .buffers
                .iter()
                .filter(|it| it.owner == owner && it.leaf.space == space);
            own.fold(0u64, |sum, it| sum.saturating_add(it.leaf.bytes))
        };
        let ((step, hbm), (vmem_step, vmem)) = (highest(HBM), highest(VMEM));
        let is_in_vmem = vmem > hbm;
        let (step, temporaries_bytes) = if is_in_vmem { (vmem_step, vmem) } else { (step, hbm) };
        let arguments_bytes = throughout(Owner::Argument, HBM);
        let results_bytes = throughout(Owner::Result, HBM).saturating_add(self.result_table());
        let operation = self.timeline.steps.get(step).copied();
        Peak {
            bytes: arguments_bytes.saturating_add(results_bytes).saturating_add(temporaries_bytes),
            arguments_bytes,
            results_bytes,
            temporaries_bytes,
            host_bytes: [Owner::Argument, Owner::Result]
                .map(|owner| throughout(owner, HOST))
                .iter()
                .sum::<u64>()
                + highest(HOST).1,
            is_in_vmem,
            instruction: operation.map_or("", |it| self.module.program.operations[it].name),
            source: operation.map(|it| self.source(it)).unwrap_or_default(),
            live: self.live(step, if is_in_vmem { VMEM } else { HBM }),
            step,
        }
    }

    /// The bytes of the table of addresses that a program with several results returns.
    fn result_table(&self) -> u64 {
        let program = &self.module.program;
        let root = program
            .root(program.entry)
            .filter(|root| program.operations[*root].shape.starts_with('('));
        let Some(root) = root else { return 0 };
        let parts = Leaves::new(program.operations[root].shape).leaves.len() as u64;
        if self.is_tpu() { (4 * parts).next_multiple_of(512) } else { 8 * parts }
    }

    /// Whether the program is for a TPU: no other device has tiles.
    pub(crate) fn is_tpu(&self) -> bool {
        self.module.parameters().iter().any(|it| it.shape_text().contains(":T("))
    }

    /// What is in memory at a step, in groups.
    fn live(&self, step: usize, space: i8) -> Vec<Group<'m>> {
        let program = &self.module.program;
        let mut groups = BTreeMap::<_, Group<'m>>::new();
        for buffer in &self.timeline.buffers {
            let is_here = buffer.first <= step && step <= buffer.last && buffer.leaf.bytes > 0;
            let kind = Kind::from(buffer.owner);
            let wanted = if kind == Kind::Temporary { space } else { HBM };
            if !is_here || buffer.leaf.space != wanted {
                continue;
            }
            let shape = part_text(program.operations[buffer.operation].shape, buffer.part);
            let source = self.source(buffer.operation);
            let line = source.frame().filter(|_| kind != Kind::Argument);
            let group = groups.entry((kind, shape.clone(), line)).or_insert_with(|| Group {
                kind,
                shape,
                count: 0,
                bytes: 0,
                padding_bytes: 0,
                source,
            });
            group.count += 1;
            group.bytes = group.bytes.saturating_add(buffer.leaf.bytes);
            group.padding_bytes = group.padding_bytes.saturating_add(buffer.leaf.padding);
        }
        let mut groups = groups.into_values().collect::<Vec<_>>();
        groups.sort_by_key(|group| core::cmp::Reverse(group.bytes));
        groups
    }
}

fn is_temporary(buffer: &Buffer, space: i8) -> bool {
    buffer.owner == Owner::Temporary && buffer.leaf.space == space
}

/// The text of one array in a shape.
fn part_text(shape: &str, part: usize) -> String {
    let mut text = None;
    let mut number = 0;
    let _ = Shape::for_each_array(shape, |_, array| {
        if number == part {
            text = Some(array.to_string());
        }
        number += 1;
    });
    text.unwrap_or_default()
}

impl From<Owner> for Kind {
    fn from(owner: Owner) -> Kind {
        match owner {
            Owner::Argument => Kind::Argument,
            Owner::Result => Kind::Result,
            Owner::Temporary => Kind::Temporary,
        }
    }
}
