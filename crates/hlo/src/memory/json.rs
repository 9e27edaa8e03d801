//! What fills the memory while a program runs, for `serde`: the names are those of the fields.

use alloc::vec::Vec;

use serde::{Serialize, Serializer};

use crate::copies::LayoutCopy;
use crate::memory::advice::Advice;
use crate::memory::devices::{Collective, Gather};
use crate::memory::kernels::PallasKernel;
use crate::memory::{Argument, Hbm, Memory, Vmem};
use crate::program::source::Source;

#[derive(Serialize)]
struct Record<'r> {
    module: &'r str,
    hbm: &'r Hbm<'r>,
    vmem: &'r Vmem<'r>,
    host_bytes: u64,
    peak_bytes: u64,
    least_allocated_bytes: u64,
    arguments: &'r [Argument<'r>],
    copies: &'r [LayoutCopy<'r>],
    cycles: Option<u64>,
    unknown_loops: usize,
    advice: &'r [Advice],
    kernels: &'r [PallasKernel<'r>],
    devices: usize,
    whole: Vec<usize>,
    collectives: &'r [Collective<'r>],
    gathers: &'r [Gather<'r>],
}

/// What `layout hlo --json` prints, of which Python's `memory` is made: other programs read these names.
///
/// # Examples
/// ```
/// use layout_hlo::Module;
///
/// let module = Module::parse("\
/// HloModule m, is_scheduled=true
///
/// ENTRY %main (x: f32[1024]) -> f32[1024] {
///   %x = f32[1024]{0} parameter(0), metadata={op_name=\"x\"}
///   ROOT %y = f32[1024]{0} negate(%x)
/// }")?;
/// let json = serde_json::to_value(module.memory()?)?;
/// assert_eq!(json["hbm"]["peak_bytes"], 8192);
/// assert_eq!(json["arguments"][0]["name"], "x");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for Memory<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = Record {
            module: self.module_name(),
            hbm: &self.hbm,
            vmem: &self.vmem,
            host_bytes: self.host_bytes,
            peak_bytes: self.peak_bytes,
            least_allocated_bytes: self.least_allocated_bytes(),
            arguments: &self.arguments,
            copies: self.copies(),
            cycles: self.cycles(),
            unknown_loops: self.unknown_loops(),
            advice: self.advice(),
            kernels: self.kernels(),
            devices: self.devices(),
            whole: self.whole_arguments(),
            collectives: self.collectives(),
            gathers: self.gathers(),
        };
        record.serialize(serializer)
    }
}

/// Its text.
impl Serialize for Source<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
