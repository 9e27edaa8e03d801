//! What is found in programs on many devices.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::program::source::Source;
use layout_core::{ArrayShape, Size};
use layout_mesh::{Mesh, Sharding};

/// A collective operation of a program.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Collective<'m> {
    /// The name of the instruction; of one that the compiler has cut into several, the first.
    pub instruction: &'m str,
    /// What it does: `all-gather`, `all-reduce`.
    pub op: &'static str,
    /// Bytes that a device receives each time, padding left out: an all-reduce as two halves, around a ring.
    pub bytes: u64,
    /// Devices that take part together.
    pub group: usize,
    /// How often a run executes it; loops of unknown length count once.
    pub times: u64,
    /// What made it.
    pub source: Source<'m>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) operation: usize,
}

impl Collective<'_> {
    /// Bytes that a device receives in a run.
    pub fn received_bytes(&self) -> u64 {
        self.bytes.saturating_mul(self.times)
    }
}

/// An array that is gathered, and of which each device keeps slices by its number.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Gather<'m> {
    /// The name of the instruction that gathers, the last one if there are several.
    pub instruction: &'m str,
    /// Bytes of the whole array, padding left out.
    pub bytes: u64,
    /// Bytes that each device keeps.
    pub kept_bytes: u64,
    /// Bytes that each device receives for it.
    pub received_bytes: u64,
    /// What made it.
    pub source: Source<'m>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) ends: Option<[Sharding; 2]>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) array: ArrayShape,
}

/// What is known of arguments beyond the text: the mesh, and where their elements are.
#[derive(Debug, Default)]
pub(crate) struct Shardings {
    pub mesh: Option<Mesh>,
    /// By the numbers of parameters: sizes of the whole array, and its sharding.
    pub of: BTreeMap<usize, (Vec<Size>, Sharding)>,
}
