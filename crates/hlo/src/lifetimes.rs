//! Arrays in memory, and from when to when they are.

// The rules are XLA's buffer assignment as it shows in compiled programs of TPUs, GPUs and CPUs; programs that
// were compiled later confirm them (`tests/data/peak`). An array lives from its operation to its last use;
// tuples, their parts, bitcasts and barriers are no uses.

mod in_place;
mod owners;
mod timeline;
pub(crate) mod usage;
pub(crate) mod values;

use alloc::vec::Vec;

use crate::lifetimes::values::Leaf;

/// An array in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer {
    pub leaf: Leaf,
    /// The operation that makes it, and which array of its value it is.
    pub operation: usize,
    pub part: usize,
    pub owner: Owner,
    /// The first one of the buffers in the same memory, such as what a loop carries.
    pub group: usize,
    /// The steps from the first to the last one at which it is in memory.
    pub first: usize,
    pub last: usize,
    /// The step at which it is made and that of its last use, also where it is in memory throughout.
    pub used: [usize; 2],
}

/// Whose memory a buffer is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The caller gives it; it is there throughout.
    Argument,
    /// The caller gets it; it is there throughout.
    Result,
    Temporary,
}

/// All steps of a program, those of a loop once.
#[derive(Debug, Default)]
pub(crate) struct Timeline {
    /// The operation of each step.
    pub steps: Vec<usize>,
    /// Those in the same memory at the same step are one.
    pub buffers: Vec<Buffer>,
    /// Of each array of the result the group of its buffers.
    pub results: Vec<usize>,
}

/// Two buffers, the first of which may give its memory to the second at a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandOver {
    pub old: usize,
    pub new: usize,
    pub step: usize,
    pub is_sort: bool,
    /// Whether it also counts where XLA gives temporaries their places, in the order of execution.
    pub in_order: bool,
}

/// What the walk notes of pairs of buffers.
#[derive(Debug, Default)]
pub(crate) struct Relations {
    pub hand_overs: Vec<HandOver>,
    /// Buffers and those of the operands that they are made of.
    pub operands: Vec<(usize, usize)>,
}
