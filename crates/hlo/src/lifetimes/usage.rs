//! The bytes in use at each step, and the most.

use alloc::vec;
use alloc::vec::Vec;

use crate::lifetimes::{Buffer, Kind, Timeline};

pub(crate) use layout_core::memory_space::{DEFAULT as HBM, GENERIC_FAST as VMEM, HOST};

/// The step at which temporaries take the most bytes of a memory space, and these bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Most {
    pub step: usize,
    pub bytes: u64,
}

impl Timeline {
    /// The bytes of some buffers at each step.
    pub(crate) fn uses(&self, is_own: impl Fn(&Buffer) -> bool) -> Vec<u64> {
        let own = self.buffers.iter().filter(|it| is_own(it));
        self.sums(own.map(|it| ([it.first, it.last], it.leaf.bytes)))
    }

    /// The bytes at each step of what is there from a step to another.
    pub(crate) fn sums(&self, of: impl Iterator<Item = ([usize; 2], u64)>) -> Vec<u64> {
        let mut changes = vec![0i64; self.steps.len() + 1];
        for ([first, last], bytes) in of {
            changes[first] = changes[first].saturating_add_unsigned(bytes);
            changes[last + 1] = changes[last + 1].saturating_sub_unsigned(bytes);
        }
        let mut now = 0i64;
        let sums = changes.iter().map(|change| {
            now = now.saturating_add(*change);
            now.max(0) as u64
        });
        sums.collect()
    }

    /// The bytes of temporaries in a memory space at each step.
    pub(crate) fn temporaries(&self, space: i8) -> Vec<u64> {
        self.uses(|it| it.owner == Kind::Temporary && it.leaf.space == space)
    }

    pub(crate) fn most(&self, space: i8) -> Most {
        let sums = self.temporaries(space).into_iter().enumerate();
        let most = sums.rev().max_by_key(|(_, bytes)| *bytes);
        most.map_or(Most::default(), |(step, bytes)| Most { step, bytes })
    }

    /// The bytes of what is in a memory space throughout: arguments, results, or constants.
    pub(crate) fn throughout(&self, owner: Kind, space: i8) -> u64 {
        let own = self.buffers.iter().filter(|it| it.owner == owner && it.leaf.space == space);
        own.fold(0, |sum, it| sum.saturating_add(it.leaf.bytes))
    }

    /// The bytes of all that is in a memory space throughout: arguments, results and constants.
    pub(crate) fn kept(&self, space: i8) -> u64 {
        let kinds = [Kind::Argument, Kind::Result, Kind::Constant].into_iter();
        kinds.map(|owner| self.throughout(owner, space)).fold(0, u64::saturating_add)
    }

    /// The most bytes in a memory space: of what is there throughout, and temporaries.
    pub(crate) fn peak(&self, space: i8) -> u64 {
        self.kept(space).saturating_add(self.most(space).bytes)
    }

    /// What is in a memory space at a step.
    pub(crate) fn at(&self, step: usize, space: i8) -> impl Iterator<Item = &Buffer> {
        let is_here = move |it: &&Buffer| it.first <= step && step <= it.last;
        let is_own = move |it: &&Buffer| it.leaf.space == space && it.leaf.bytes > 0;
        self.buffers.iter().filter(is_here).filter(is_own)
    }
}
