//! Arrays in memory, and from when to when they are.

// The rules are XLA's buffer assignment as it shows in compiled programs of TPUs, GPUs and CPUs; programs that
// were compiled later confirm them (`tests/data/peak`). An array lives from its operation to its last use;
// tuples, their parts, bitcasts and barriers are no uses.

mod heap;
mod in_place;
mod owners;
mod timeline;
pub(crate) mod usage;

use alloc::vec::Vec;

use crate::program::shapes::Leaf;

/// An array in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer {
    /// Its space is the memory that it counts in.
    pub leaf: Leaf,
    /// The memory space that the text names: arrays of two of them have no memory in common.
    pub color: i8,
    /// The operation that makes it, and which array of its value it is.
    pub operation: usize,
    /// The operation that it begins with: the same, or the loop, call or branch that passes it on.
    pub by: u32,
    pub part: u32,
    pub owner: Kind,
    /// Whether a computation makes it that runs beside the others.
    pub is_apart: bool,
    /// The first one of the buffers in the same memory, such as what a loop carries.
    pub group: usize,
    /// The first one of the buffers in one place: those of a group, and what takes over an operand's memory.
    pub place: u32,
    /// The steps from the first to the last one at which it is in memory.
    pub first: usize,
    pub last: usize,
    /// The step at which it is made and that of its last use, also where it is in memory throughout.
    pub used: [u32; 2],
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
        /// The program has it in itself; it is there throughout.
        Constant = "constant",
    }
}

/// All steps of a program, those of a loop once.
#[derive(Debug, Default)]
pub(crate) struct Timeline {
    /// The operation of each step.
    pub steps: Vec<usize>,
    /// The step of each loop and the one after its body, an outer loop before those in it.
    pub loops: Vec<[usize; 2]>,
    /// Those in the same memory at the same step are one.
    pub buffers: Vec<Buffer>,
    /// Of each array of the result the group of its buffers.
    pub results: Vec<usize>,
    /// The tables of addresses of tuples.
    pub tables: Vec<Table>,
}

/// Which compiler lays out the memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compiler {
    pub is_tpu: bool,
    /// Whether memory of results holds other arrays before: off TPUs, and on TPUs up to libtpu 0.0.45.
    pub reuses_results: bool,
}

/// The table of the addresses of a tuple's parts. Each has memory of its own throughout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub parts: usize,
    /// The tuples in the tuple, which have tables too.
    pub others: usize,
}

/// Two buffers, the first of which may give its memory to the second at a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandOver {
    pub old: usize,
    pub new: usize,
    pub step: usize,
    /// Whether it also counts where XLA gives temporaries their places, in the order of execution.
    pub in_order: bool,
}

/// Numbers, some of which stand for the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sets(Vec<usize>);

impl Sets {
    /// Adds the next number.
    pub(crate) fn push(&mut self) {
        self.0.push(self.0.len());
    }

    /// The first number that stands for the same.
    pub(crate) fn first(&self, mut number: usize) -> usize {
        while self.0[number] != number {
            number = self.0[number];
        }
        number
    }

    /// Says that two numbers stand for the same.
    pub(crate) fn join(&mut self, a: usize, b: usize) {
        let [x, y] = [a, b].map(|it| self.first(it));
        self.0[x.max(y)] = x.min(y);
        // What is asked for again is found at once.
        [a, b].into_iter().for_each(|it| self.0[it] = x.min(y));
    }
}

/// What the walk notes of pairs of buffers.
#[derive(Debug, Default)]
pub(crate) struct Relations {
    /// Those in the same memory.
    pub groups: Sets,
    pub hand_overs: Vec<HandOver>,
    /// Buffers and those of the operands that they are made of.
    pub operands: Vec<(usize, usize)>,
}
