//! Arrays in memory, and from when to when they are.

// The rules are XLA's buffer assignment as it shows in compiled programs of TPUs, GPUs and CPUs; programs that
// were compiled later confirm them (`tests/data/peak`). An array lives from its operation to its last use;
// tuples, their parts, bitcasts and barriers are no uses.

mod in_place;
mod owners;
mod timeline;
pub(crate) mod usage;

use alloc::vec::Vec;

use crate::program::shapes::Leaf;

/// An array in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer {
    pub leaf: Leaf,
    /// The operation that makes it, and which array of its value it is.
    pub operation: usize,
    pub part: usize,
    pub owner: Kind,
    /// The first one of the buffers in the same memory, such as what a loop carries.
    pub group: usize,
    /// The steps from the first to the last one at which it is in memory.
    pub first: usize,
    pub last: usize,
    /// The step at which it is made and that of its last use, also where it is in memory throughout.
    pub used: [usize; 2],
}

named! {
    /// Whose an array in memory is.
    #[derive(PartialOrd, Ord)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
    #[non_exhaustive]
    pub enum Kind {
        /// The caller passes it; it is there throughout.
        Argument = "argument",
        /// The caller gets it; it is there throughout.
        Result = "result",
        /// The program makes it for itself.
        Temporary = "temporary",
    }
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
