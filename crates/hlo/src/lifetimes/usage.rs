//! The bytes in use at each step, and the most.

// On TPUs the compiler reports the larger of HBM and VMEM as temporaries. A program with several results
// returns a table of addresses: 4 bytes each in units of 512 on TPUs, 8 bytes elsewhere.

use alloc::vec;
use alloc::vec::Vec;

use crate::lifetimes::{Kind, Timeline};

pub(crate) use layout_core::memory_space::{DEFAULT as HBM, GENERIC_FAST as VMEM, HOST};

/// The bytes at the step at which the most are in use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    pub step: usize,
    pub arguments: u64,
    pub results: u64,
    pub temporaries: u64,
    /// Whether the temporaries are those in VMEM: compilers count whichever memory has more.
    pub is_in_vmem: bool,
    pub host: u64,
}

impl Usage {
    /// All that the compiler counts.
    pub(crate) fn bytes(&self) -> u64 {
        self.arguments.saturating_add(self.results).saturating_add(self.temporaries)
    }
}

impl Timeline {
    /// The bytes of temporaries in a memory space at each step.
    pub(crate) fn temporaries(&self, space: i8) -> Vec<u64> {
        let mut changes = vec![0i64; self.steps.len() + 1];
        let own = |owner, leaf_space| owner == Kind::Temporary && leaf_space == space;
        for buffer in self.buffers.iter().filter(|it| own(it.owner, it.leaf.space)) {
            changes[buffer.first] =
                changes[buffer.first].saturating_add_unsigned(buffer.leaf.bytes);
            changes[buffer.last + 1] =
                changes[buffer.last + 1].saturating_sub_unsigned(buffer.leaf.bytes);
        }
        let mut now = 0i64;
        let sums = changes.iter().map(|change| {
            now = now.saturating_add(*change);
            now.max(0) as u64
        });
        sums.collect()
    }

    pub(crate) fn usage(&self) -> Usage {
        let highest = |space| {
            let sums = self.temporaries(space).into_iter().enumerate();
            sums.rev().max_by_key(|(_, bytes)| *bytes).unwrap_or_default()
        };
        let throughout = |owner, space| {
            let own = self.buffers.iter().filter(|it| it.owner == owner && it.leaf.space == space);
            own.fold(0u64, |sum, it| sum.saturating_add(it.leaf.bytes))
        };
        let [hbm, vmem, host] = [HBM, VMEM, HOST].map(highest);
        let is_in_vmem = vmem.1 > hbm.1;
        let (step, temporaries) = if is_in_vmem { vmem } else { hbm };
        let host = [throughout(Kind::Argument, HOST), throughout(Kind::Result, HOST), host.1];
        Usage {
            step,
            arguments: throughout(Kind::Argument, HBM),
            results: throughout(Kind::Result, HBM),
            temporaries,
            is_in_vmem,
            host: host.into_iter().fold(0, u64::saturating_add),
        }
    }
}
