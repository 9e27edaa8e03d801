//! The operations that only change a layout, with what they cost.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::ToString as _;
use alloc::vec::Vec;

use crate::copies::causes::{Copies, MoveKind, Tracer};
use crate::copies::executions::Executions;
use crate::copies::{LayoutCopy, Place};
use crate::memory::Memory;

impl<'m> Memory<'m> {
    /// All operations of executed computations that only change a layout, and the cycles of all that are executed.
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
                    opcode: found.opcode.name(),
                    from: moved.from.to_string(),
                    to: moved.to.to_string(),
                    dimensions: program.permutation(operation),
                    bytes: moved.to.bytes().unwrap_or(0) as u64,
                    cycles,
                    is_guess,
                    times,
                    causes: places.remove(&operation).into_iter().flatten().collect(),
                    source: self.source(operation),
                });
            }
        }
        copies.sort_by_key(|copy| {
            core::cmp::Reverse((copy.cycles.saturating_mul(copy.times), copy.bytes))
        });
        Copies { copies, cycles, unknown_loops: executions.unknown(), causes, others }
    }
}
