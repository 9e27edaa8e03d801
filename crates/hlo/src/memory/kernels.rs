//! Kernels of Pallas, and the VMEM that they take.

use core::cmp::Reverse;

use alloc::vec::Vec;

use crate::lifetimes::usage::VMEM;
use crate::program::Program;
use crate::program::opcode::Opcode;
use crate::program::source::Source;
use crate::reading::attributes::{Attributes, list};

/// A kernel of Pallas, and what it takes of VMEM.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PallasKernel<'m> {
    /// The name of the instruction that calls it.
    pub instruction: &'m str,
    /// Bytes of VMEM that it takes.
    pub vmem_bytes: u64,
    /// Bytes of VMEM that it may take, if it asked for a limit.
    pub limit_bytes: Option<u64>,
    /// What calls it.
    pub source: Source<'m>,
}

/// The kernels of which the text says what they take.
pub(super) fn kernels<'m>(
    program: &Program<'m>,
    source: impl Fn(usize) -> Source<'m>,
) -> Vec<PallasKernel<'m>> {
    let kernels = program.operations.iter().enumerate().filter_map(|(number, operation)| {
        let attributes = operation.attributes;
        if operation.opcode != Opcode::CustomCall
            || attributes.get("custom_call_target") != Some("tpu_custom_call")
        {
            return None;
        }
        let config = attributes.inside("backend_config");
        Some(PallasKernel {
            instruction: operation.name,
            vmem_bytes: vmem(config, "used_scoped_memory_configs")?,
            limit_bytes: vmem(config, "scoped_memory_configs"),
            source: source(number),
        })
    });
    let mut kernels = kernels.collect::<Vec<_>>();
    kernels.sort_by_key(|kernel| Reverse(kernel.vmem_bytes));
    kernels
}

/// The size in VMEM of a list of records.
fn vmem(attributes: Attributes<'_>, name: &str) -> Option<u64> {
    let records = attributes.find(name)?.strip_prefix('[')?.strip_suffix(']')?;
    let mut records = list(records).map(Attributes);
    let is_vmem = |space: &str| space.parse() == Ok(VMEM);
    records.find(|it| it.find("memory_space").is_some_and(is_vmem))?.find("size")?.parse().ok()
}
