//! What is in memory while a program runs.

// Where XLA prints computations in braces (`HloPrintOptions.canonical()`), instructions stand in another order
// than the schedule, and the peak can differ; XLA reads it the same way.

pub(crate) mod advice;
mod collectives;
mod copies;
pub(crate) mod devices;
mod donate;
mod gathers;
#[cfg(feature = "serde")]
mod json;
pub(crate) mod kernels;
mod layouts;
mod python;
mod recompute;
mod returns;
mod sharded;

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::cell::OnceCell;

use crate::copies::LayoutCopy;
use crate::copies::causes::Copies;
use crate::lifetimes::usage::{HBM, HOST, VMEM};
use crate::lifetimes::{Buffer, Compiler, Kind, Timeline};
use crate::memory::advice::Advice;
use crate::memory::devices::{Collective, Gather, Shardings};
use crate::memory::kernels::{PallasKernel, kernels};
use crate::program::alias::Alias;
use crate::program::frames::Frame;
use crate::program::module::Module;
use crate::program::opcode::Opcode;
use crate::program::source::Source;
use crate::program::{Program, Users};
use crate::reading::error::{Error, ErrorKind};
use crate::reading::escape::unescape;

/// What fills a device's memory while a compiled program runs; made by [`Module::memory`].
///
/// Bytes count padding. [`report`](Self::report) prints it for a person.
#[derive(Debug)]
#[non_exhaustive]
pub struct Memory<'m> {
    /// The device's memory, which is what has to fit: HBM, or the main memory of a CPU.
    pub hbm: Hbm<'m>,
    /// The chip's own memory of a TPU; elsewhere nothing is in it.
    pub vmem: Vmem<'m>,
    /// The most bytes in the host's memory.
    pub host_bytes: u64,
    /// What compilers for TPUs and GPUs report as `peak_memory_in_bytes`: what is there throughout in all memories, and the most
    /// temporaries that are in one of them at once. Those for CPUs leave temporaries out.
    pub peak_bytes: u64,
    /// What the caller passes, by number; a tuple's arrays one after the other.
    pub arguments: Vec<Argument<'m>>,
    pub(crate) module: &'m Module<'m>,
    pub(crate) program: &'m Program<'m>,
    pub(crate) timeline: Timeline,
    pub(crate) users: Users,
    /// The operations that make the results.
    pub(crate) results: Vec<usize>,
    least: OnceCell<u64>,
    copies: OnceCell<Copies<'m>>,
    advice: OnceCell<Vec<Advice>>,
    kernels: OnceCell<Vec<PallasKernel<'m>>>,
    collectives: OnceCell<Vec<Collective<'m>>>,
    gathers: OnceCell<Vec<Gather<'m>>>,
    pub(crate) shardings: Shardings,
}

/// The device's memory, and the moment at which the most of it is in use.
#[derive(Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Hbm<'m> {
    /// What has to fit: arguments, results, constants, and one block that has room for all temporaries.
    ///
    /// The rules are those of XLA's buffer assignment, and the block is packed as its heap simulator does it. Of 66 programs for TPUs,
    /// GPUs and CPUs 63 are within two thousandths of what the compiler allocates, all within twelve.
    /// [`Memory::least_allocated_bytes`] is what older compilers for TPUs need.
    pub allocated_bytes: u64,
    /// The most bytes in use at once: arguments, results and constants, which count throughout, and the temporaries of that moment.
    ///
    /// What compilers report as `peak_memory_in_bytes` is [`Memory::peak_bytes`].
    pub peak_bytes: u64,
    /// Bytes that the caller passes.
    pub arguments_bytes: u64,
    /// Bytes of the results that do not take the place of an argument.
    pub results_bytes: u64,
    /// Bytes of the constants in the program, which are in memory throughout.
    pub constants_bytes: u64,
    /// Bytes of what the program makes for itself, at the peak.
    pub temporaries_bytes: u64,
    /// The name of the instruction at the peak; empty if the program has none.
    pub instruction: &'m str,
    /// What made that instruction.
    pub source: Source<'m>,
    /// What is in memory then, the largest groups first.
    pub live: Vec<Group<'m>>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) step: usize,
}

/// The chip's own memory of a TPU, and the moment at which the most of it is in use.
#[derive(Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Vmem<'m> {
    /// The most bytes in use at once, without what kernels and fusions take while they run.
    pub peak_bytes: u64,
    /// The name of the instruction at the peak; empty if the program has none.
    pub instruction: &'m str,
    /// What made that instruction.
    pub source: Source<'m>,
    /// What is in it then, the largest groups first.
    pub live: Vec<Group<'m>>,
}

/// Arrays in memory that are alike: of one shape, of one line of the user's program.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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

/// An array that the caller passes.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Argument<'m> {
    /// The number of its parameter.
    pub number: usize,
    /// The user's name for it, `params['w']`, or else that of its instruction.
    pub name: &'m str,
    /// Its shape.
    pub shape: String,
    /// Bytes of it, with padding.
    pub bytes: u64,
    /// Whether a result takes its place.
    pub is_donated: bool,
}

impl<'a> Module<'a> {
    /// What is in memory while the program runs: its peak, and what is there then. Copies and advice are looked for when they
    /// are asked for.
    ///
    /// The walk follows the order of execution. A buffer lives from the instruction that makes it to its last use;
    /// what works in place takes no new one, as XLA's buffer assignment has it. [`Hbm::peak_bytes`] says how it compares with the
    /// compilers' figures.
    ///
    /// # Errors
    /// [`ErrorKind::NotScheduled`] if the text has no order of execution, which it has after compilation only.
    ///
    /// # Examples
    /// ```
    /// use layout_hlo::Module;
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
    /// assert_eq!(memory.hbm.instruction, "z");
    /// assert_eq!(memory.hbm.temporaries_bytes, 2 * 4 * 1024 * 1024);
    /// assert_eq!(memory.hbm.peak_bytes, 2 * 4 * 1024 * 1024 + 4096 + 4);
    /// assert_eq!(memory.hbm.allocated_bytes, memory.hbm.peak_bytes);
    /// # Ok::<(), layout_hlo::Error>(())
    /// ```
    pub fn memory(&self) -> Result<Memory<'_>, Error> {
        if self.header.get("is_scheduled") != Some("true") {
            return Err(Error::at(self.text, 0, ErrorKind::NotScheduled));
        }
        let program = &self.program;
        let mut memory = Memory {
            hbm: Hbm::default(),
            vmem: Vmem::default(),
            host_bytes: 0,
            peak_bytes: 0,
            copies: OnceCell::new(),
            advice: OnceCell::new(),
            kernels: OnceCell::new(),
            collectives: OnceCell::new(),
            gathers: OnceCell::new(),
            shardings: Shardings::default(),
            arguments: self.arguments()?,
            timeline: self.timeline(&self.aliases, !self.is_tpu)?,
            least: OnceCell::new(),
            users: program.users(),
            results: program.results(),
            module: self,
            program,
        };
        memory.find_peaks();
        Ok(memory)
    }

    /// How long each array is in memory, with results in the memory of these arguments. `reuses_results`: whether other arrays are
    /// in the results' memory before.
    pub(crate) fn timeline(
        &self,
        aliases: &[Alias],
        reuses_results: bool,
    ) -> Result<Timeline, Error> {
        let compiler = Compiler { is_tpu: self.is_tpu, reuses_results };
        Timeline::new(&self.program, aliases, compiler).map_err(|fault| {
            let aliases = self.header.get("input_output_alias");
            let operation = self.program.operations[fault.operation];
            // The root has no operand that could share memory: it is what the header says.
            let is_header = fault.kind == ErrorKind::AliasPlace
                && fault.operation == self.program.root(self.program.entry);
            self.error(aliases.filter(|_| is_header).unwrap_or(operation.name), fault.kind)
        })
    }

    /// An error at a part of the text.
    fn error(&self, part: &str, kind: ErrorKind) -> Error {
        Error::at(self.text, part.as_ptr() as usize - self.text.as_ptr() as usize, kind)
    }

    fn arguments(&self) -> Result<Vec<Argument<'_>>, Error> {
        let mut arguments = Vec::new();
        for parameter in self.parameters() {
            let (number, name) = (parameter.number(), parameter.any_name());
            let shape = self.program.operations[self.program.parameters[number]].shape;
            let leaves = self.program.shapes.leaves(shape);
            let leaves = leaves.map_err(|kind| self.error(parameter.shape_text(), kind))?;
            let aliases = self.aliases.iter().filter(|it| it.parameter == number);
            let donated =
                aliases.map(|it| leaves.leaf(&it.parameter_part)).collect::<BTreeSet<_>>();
            arguments.extend(leaves.iter().enumerate().map(|(part, leaf)| Argument {
                number,
                name,
                shape: self.program.shapes.array(leaf.array).to_string(),
                bytes: leaf.bytes,
                is_donated: donated.contains(&part),
            }));
        }
        Ok(arguments)
    }
}

impl<'m> Memory<'m> {
    /// The name of the program.
    pub const fn module_name(&self) -> &'m str {
        self.module.name()
    }

    /// What has to fit if the program was compiled for a TPU by a libtpu up to 0.0.45, which puts temporaries into the memory of
    /// results before these are written: at most [`Hbm::allocated_bytes`], which later ones need. The text does not say by which it
    /// was. For other devices the two are the same.
    pub fn least_allocated_bytes(&self) -> u64 {
        *self.least.get_or_init(|| {
            let most = self.hbm.allocated_bytes;
            let older = || self.module.timeline(&self.module.aliases, true).ok();
            let older = self.module.is_tpu.then(older).flatten();
            older.map_or(most, |it| self.needed(&it).min(most))
        })
    }

    /// What has to fit: what is there throughout, and the block of temporaries.
    fn needed(&self, timeline: &Timeline) -> u64 {
        let throughout = timeline.kept(HBM).saturating_add(self.result_table());
        throughout.saturating_add(timeline.allocated(self.module.is_tpu))
    }

    /// The operations that only change a layout, those of the most cycles first.
    pub fn copies(&self) -> &[LayoutCopy<'m>] {
        &self.found_copies().copies
    }

    /// The cycles that the compiler estimates for a run, as far as it prints them: kernels of Pallas, gathers and collectives
    /// have none. `None` if no instruction has them.
    pub fn cycles(&self) -> Option<u64> {
        self.found_copies().cycles
    }

    /// Loops whose number of iterations the text does not say: the cycles and copies in them count once.
    pub fn unknown_loops(&self) -> usize {
        self.found_copies().unknown_loops
    }

    pub(crate) fn found_copies(&self) -> &Copies<'m> {
        self.copies.get_or_init(|| self.find_copies())
    }

    /// What a user can write so that it needs less, what saves the most first.
    pub fn advice(&self) -> &[Advice] {
        self.advice.get_or_init(|| {
            let mut layouts = self.advise_layouts();
            layouts.extend(self.advise_sizes(&layouts));
            let donation = self.advise_donations();
            let mut advice = Vec::from_iter(self.advise_recomputing());
            advice.extend(self.advise_constraints());
            advice.extend(self.advise_shardings());
            advice.extend(self.advise_returns(donation.as_ref()));
            advice.extend(donation);
            advice.extend(self.with_python(layouts));
            advice
        })
    }

    /// What devices send one another, where the most bytes are received first; nothing of a program for one device.
    pub fn collectives(&self) -> &[Collective<'m>] {
        let found = || if self.devices() > 1 { self.find_collectives() } else { Vec::new() };
        self.collectives.get_or_init(found)
    }

    /// Arrays that are gathered on every device, of which each keeps at most half: those from a hundredth of what has to fit.
    pub fn gathers(&self) -> &[Gather<'m>] {
        self.gathers.get_or_init(|| self.find_gathers())
    }

    /// The kernels of Pallas of which the text says what they take of VMEM, those that take most first.
    pub fn kernels(&self) -> &[PallasKernel<'m>] {
        self.kernels.get_or_init(|| kernels(self.program, |it| self.source(it)))
    }

    fn find_peaks(&mut self) {
        let timeline = &self.timeline;
        let [arguments_bytes, own_results] =
            [Kind::Argument, Kind::Result].map(|owner| timeline.throughout(owner, HBM));
        let results_bytes = own_results.saturating_add(self.result_table());
        let constants_bytes = timeline.throughout(Kind::Constant, HBM);
        let most = timeline.most(HBM);
        let peak_bytes =
            timeline.kept(HBM).saturating_add(self.result_table()).saturating_add(most.bytes);
        let (instruction, source) = self.at_step(most.step);
        let hbm = Hbm {
            allocated_bytes: self.needed(timeline).max(peak_bytes),
            peak_bytes,
            arguments_bytes,
            results_bytes,
            constants_bytes,
            temporaries_bytes: most.bytes,
            instruction,
            source,
            live: self.live(most.step, HBM),
            step: most.step,
        };
        let most = timeline.most(VMEM);
        let is_used = timeline.peak(VMEM) > 0;
        let (instruction, source) =
            if is_used { self.at_step(most.step) } else { Default::default() };
        let live = self.live(most.step, VMEM);
        // XLA's `ComputePeakMemory` replays the temporaries of one memory after those of another.
        let spaces = timeline.buffers.iter().map(|it| it.leaf.space).collect::<BTreeSet<_>>();
        let kept = spaces.iter().map(|space| timeline.kept(*space));
        let kept = kept.fold(self.result_table(), u64::saturating_add);
        let most = spaces.iter().map(|space| timeline.most(*space).bytes).max().unwrap_or(0);
        self.peak_bytes = kept.saturating_add(most);
        self.host_bytes = timeline.peak(HOST);
        self.vmem = Vmem { peak_bytes: timeline.peak(VMEM), instruction, source, live };
        self.hbm = hbm;
    }

    /// The instruction of a step, and what made it.
    fn at_step(&self, step: usize) -> (&'m str, Source<'m>) {
        let operation = self.timeline.steps.get(step).copied();
        let name = operation.map_or("", |it| self.program.operations[it].name);
        (name, operation.map(|it| self.source(it)).unwrap_or_default())
    }

    /// The bytes of the table of addresses that a program with several results returns.
    fn result_table(&self) -> u64 {
        let program = self.program;
        let shape = program.operations[program.root(program.entry)].shape_text;
        if !shape.starts_with('(') {
            return 0;
        }
        let parts = self.timeline.results.len() as u64;
        if self.module.is_tpu { (4 * parts).next_multiple_of(512) } else { 8 * parts }
    }

    /// What is in memory at a step, in groups.
    fn live(&self, step: usize, space: i8) -> Vec<Group<'m>> {
        let mut groups = BTreeMap::<_, Group<'m>>::new();
        self.for_each_key(self.timeline.at(step, space), |key, buffer, source| {
            let (kind, shape, _) = key.clone();
            let source = || source.clone();
            let new =
                || Group { kind, shape, count: 0, bytes: 0, padding_bytes: 0, source: source() };
            let array = self.program.shapes.array(buffer.leaf.array);
            let unpadded = array.unpadded_bytes().unwrap_or(0) as u64;
            let group = groups.entry(key).or_insert_with(new);
            group.count += 1;
            group.bytes = group.bytes.saturating_add(buffer.leaf.bytes);
            group.padding_bytes =
                group.padding_bytes.saturating_add(buffer.leaf.bytes.saturating_sub(unpadded));
        });
        let mut groups = groups.into_values().collect::<Vec<_>>();
        groups.sort_by_key(|group| core::cmp::Reverse(group.bytes));
        groups
    }

    /// Calls with each buffer and what its group has in common.
    pub(crate) fn for_each_key<'b>(
        &self,
        buffers: impl Iterator<Item = &'b Buffer>,
        mut each: impl FnMut(Key<'m>, &Buffer, &Source<'m>),
    ) {
        let mut wanted = buffers.collect::<Vec<_>>();
        wanted.sort_by_key(|it| (it.operation, it.part));
        for own in wanted.chunk_by(|a, b| a.operation == b.operation) {
            let source = self.source(own[0].operation);
            for buffer in own {
                let shape = self.program.shapes.array(buffer.leaf.array).to_string();
                let frame = source.frame().filter(|_| buffer.owner != Kind::Argument);
                each((buffer.owner, shape, frame), buffer, &source);
            }
        }
    }
}

/// What a group's arrays have in common.
pub(crate) type Key<'m> = (Kind, String, Option<Frame<'m>>);

impl<'m> Memory<'m> {
    pub(crate) fn source(&self, operation: usize) -> Source<'m> {
        let program = self.program;
        let found = &program.operations[operation];
        let entry = program.computations.get(program.entry);
        let is_entry = entry.is_some_and(|entry| entry.operations.contains(&operation));
        let is_argument = is_entry && found.opcode == Opcode::Parameter;
        let name = self.operation_name(operation);
        let operation_name = match (is_argument, name) {
            (true, name) if name.is_empty() => Cow::Borrowed(found.name),
            (true, name) => name,
            (false, Cow::Borrowed(name)) => {
                Cow::Borrowed(name.rsplit('/').next().unwrap_or_default())
            }
            (false, Cow::Owned(name)) => {
                Cow::Owned(name.rsplit('/').next().unwrap_or_default().into())
            }
        };
        let stack = |it: usize| self.module.frames.stack(program.operations[it].attributes);
        let near = program.near(&self.users, operation, |it| !stack(it).is_empty());
        let stack = near.filter(|_| !is_argument).map(stack).unwrap_or_default();
        Source { instruction: found.name, operation: operation_name, is_argument, stack }
    }

    /// The name of the user's operation, with the calls and modules that it stands in; empty if the text does not say it.
    pub(crate) fn operation_name(&self, operation: usize) -> Cow<'m, str> {
        let metadata = self.program.operations[operation].attributes.inside("metadata");
        metadata.find("op_name").map(unescape).unwrap_or_default()
    }

    /// The name of the user's operation, or else of one near it.
    pub(crate) fn near_name(&self, operation: usize) -> Cow<'m, str> {
        let has_name = |it: usize| !self.operation_name(it).is_empty();
        let near = self.program.near(&self.users, operation, has_name);
        near.map(|it| self.operation_name(it)).unwrap_or_default()
    }
}
