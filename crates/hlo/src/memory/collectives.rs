//! What devices send one another: collectives, with the bytes that each device receives in a run.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::copies::executions::Executions;
use crate::memory::Memory;
use crate::memory::devices::Collective;
use crate::program::opcode::Received;
use layout_mesh::replica_groups;

impl<'m> Memory<'m> {
    /// How many devices the program runs on together.
    pub fn devices(&self) -> usize {
        let count = |name| self.module.header.get(name).and_then(|it| it.parse().ok()).unwrap_or(1);
        usize::saturating_mul(count("num_partitions"), count("replica_count"))
    }

    pub(crate) fn find_collectives(&self) -> Vec<Collective<'m>> {
        let program = self.program;
        let mut times = Executions::new(program).times;
        // What a fusion or an asynchronous operation calls is executed as often as it is.
        for caller in (0..program.computations.len()).rev() {
            for operation in program.computations[caller].operations.clone() {
                for called in program.called(operation, "calls") {
                    times[called] = times[called].max(times[caller]);
                }
            }
        }
        let mut found = BTreeMap::new();
        for (computation, body) in program.computations.iter().enumerate() {
            for operation in body.operations.clone() {
                let Some(received) = program.opcode(operation).received() else { continue };
                let attributes = program.operations[operation].attributes;
                // The parts of one collective that run beside other operations have its channel.
                let channel = attributes.get("channel_id").ok_or(operation);
                let new = || self.collective(operation, received, times[computation]);
                found.entry(channel).or_insert_with(new);
            }
        }
        let mut found: Vec<_> =
            found.into_values().filter(|it| it.bytes > 0 && it.times > 0).collect();
        found.sort_by_key(|it| Reverse(it.received_bytes()));
        found
    }

    fn collective(&self, operation: usize, received: Received, times: u64) -> Collective<'m> {
        let program = self.program;
        let own = &program.operations[operation];
        let groups = self.groups(operation);
        let group = groups.first().map_or(self.devices(), Vec::len).max(1) as u64;
        let operands = program.operands(operation).filter_map(|it| program.array(it));
        let bytes = operands.filter_map(|array| array.unpadded_bytes());
        let bytes = bytes.fold(0, |sum, own| u64::saturating_add(sum, own as u64));
        let share = |bytes: u64| bytes / group * (group - 1);
        let bytes = match received {
            Received::Others => bytes.saturating_mul(group - 1),
            Received::Share => share(bytes),
            Received::ShareTwice => share(bytes).saturating_mul(2),
            Received::All => bytes,
        };
        let op = own.opcode.name().trim_end_matches("-start");
        let (instruction, group, source) = (own.name, group as usize, self.source(operation));
        Collective { instruction, op, bytes, group, times, source, operation }
    }

    /// The devices of each group. None: one group of all.
    pub(crate) fn groups(&self, operation: usize) -> Vec<Vec<u32>> {
        let attributes = self.program.operations[operation].attributes;
        let text = attributes.from("replica_groups").or(attributes.from("source_target_pairs"));
        text.and_then(|text| replica_groups(text).ok()).unwrap_or_default()
    }
}
