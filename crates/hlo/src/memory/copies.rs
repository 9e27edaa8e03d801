//! The operations that only copy, with what they cost.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::ToString as _;
use alloc::vec::Vec;

use crate::copies::causes::{Copies, MoveKind, Tracer};
use crate::copies::executions::Executions;
use crate::copies::{LayoutCopy, Move, Place};
use crate::memory::Memory;

impl<'m> Memory<'m> {
    /// All operations of executed computations that only copy, into another layout or in loops, and the cycles of all that are executed.
    pub(crate) fn find_copies(&self) -> Copies<'m> {
        let program = self.program;
        let executions = Executions::new(program);
        let mut tracer = Tracer::new(program, &self.users, &executions);
        let others = (0..program.parameters.len()).map(|it| tracer.parameter(it)).collect();
        (0..self.results.len()).for_each(|number| tracer.result(number));
        let causes = tracer.causes;
        let mut places = BTreeMap::<usize, BTreeSet<Place>>::new();
        for cause in causes.iter().filter(|it| it.kind == MoveKind::Whole) {
            places.entry(cause.operation).or_default().insert(cause.place);
        }
        let mut copies = Vec::new();
        let mut cycles = None;
        let executed = executions.times.iter().zip(&executions.in_loops);
        for (computation, (&times, &in_loop)) in program.computations.iter().zip(executed) {
            for operation in computation.operations.clone().filter(|_| times > 0) {
                if let Some((own, _)) = program.cycles(operation) {
                    cycles = Some(own.saturating_mul(times).saturating_add(cycles.unwrap_or(0)));
                }
                // Between memories it is a prefetch.
                let stays = |it: &Move| it.from.memory_space() == it.to.memory_space();
                let is_noted = |it: &Move| !it.keeps_layout || in_loop && stays(it);
                let Some(moved) = program.copied(operation).filter(is_noted) else { continue };
                let found = &program.operations[operation];
                let (cycles, is_guess) = program.cost(operation);
                copies.push(LayoutCopy {
                    instruction: found.name,
                    opcode: found.opcode.name(),
                    from: moved.from.to_string(),
                    to: moved.to.to_string(),
                    dimensions: program.permutation(operation),
                    keeps_layout: moved.keeps_layout,
                    bytes: moved.to.bytes().unwrap_or(0) as u64,
                    cycles,
                    is_guess,
                    times,
                    causes: places.remove(&operation).into_iter().flatten().collect(),
                    source: self.source(operation),
                });
            }
        }
        copies.retain(|copy| !copy.keeps_layout || self.is_felt(copy, cycles));
        copies.sort_by_key(|copy| {
            core::cmp::Reverse((copy.cycles.saturating_mul(copy.times), copy.bytes))
        });
        Copies { copies, cycles, unknown_loops: executions.unknown(), causes, others }
    }

    /// Whether a copy that keeps the layout is felt: it takes a hundredth of all cycles. Where the compiler prints none, it copies
    /// a MiB and a quarter of what is in memory at the peak, in all rounds of which the text says the number.
    fn is_felt(&self, copy: &LayoutCopy<'_>, cycles: Option<u64>) -> bool {
        match cycles {
            Some(all) => copy.cycles.saturating_mul(copy.times) >= (all / 100).max(1),
            None => copy.bytes.saturating_mul(copy.times) >= (self.hbm.peak_bytes / 4).max(1 << 20),
        }
    }
}
