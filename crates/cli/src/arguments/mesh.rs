//! The arguments of `layout shard` and `layout reshard`.

use clap::Args;
use layout_core::Error;
use layout_core::tpu::Tpu;
use layout_mesh::{Mesh, Sharding};

use super::values::tpu;
use crate::output::Refusal;

/// Say what each device has of an array: shards, their devices, bytes and padding
///
/// The sharding is HLO's text, as in the compiler's warnings, `{devices=[4,2]<=[8]}`; with a mesh, JAX's `P('x', None)` or Shardy's
/// `[{"x"}, {}]`. Devices are numbered by their position in the program's device assignment. Each device allocates the whole shard;
/// where a dimension is not a multiple of its shards, the last shards have fewer elements, or none.
#[derive(Args)]
#[command(after_help = "Example:\n  layout shard 'f32[13,512]' '{devices=[4,2]<=[8]}'\n  \
                        layout shard 'bf16[4096,1024]' \"P('x', 'y')\" --mesh x=4,y=2 --tpu v5e --device 3")]
pub(crate) struct Shard {
    /// The whole array, as in `f32[32003,1024]`, with its layout if it is not the default
    pub shape: String,

    /// The sharding
    pub sharding: String,

    #[command(flatten)]
    pub mesh: MeshText,

    /// Print what this device has, and which bytes of a row-major file that are
    #[arg(long, value_name = "NUMBER")]
    pub device: Option<u32>,

    /// Take the layout that this TPU's compiler gives a shard by default
    #[arg(long, value_name = "GENERATION", value_parser = tpu)]
    pub tpu: Option<Tpu>,
}

/// Say what moves between devices when an array goes from one sharding to another: who sends how much to whom, at least
///
/// The figures are the fewest bytes that any way to go there moves. What a compiler moves may be more; constraints to go through are
/// printed where they move less than to gather the whole array, as compilers do where they know no other way.
#[derive(Args)]
#[command(
    after_help = "Example:\n  layout reshard 'f32[1024,1024,256]' '{devices=[2,1,4]<=[4,2]T(1,0)}' '{devices=[1,8,1]<=[8]}'\n  \
                        layout reshard 'f32[256,512]' \"P('x')\" \"P(None, 'y')\" --mesh x=4,y=2"
)]
pub(crate) struct Reshard {
    /// The whole array
    pub shape: String,

    /// The sharding before
    pub from: String,

    /// The sharding after
    pub to: String,

    #[command(flatten)]
    pub mesh: MeshText,
}

#[derive(Args)]
pub(crate) struct MeshText {
    /// The axes of the mesh, the most major first, as in `x=4,y=2`
    #[arg(long, value_name = "AXES")]
    pub mesh: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl MeshText {
    pub(crate) fn read(&self) -> Result<Option<Mesh>, Error> {
        self.mesh.as_deref().map(str::parse).transpose()
    }

    /// A sharding by the names of the mesh, if there is one, or as HLO writes it.
    pub(crate) fn sharding(&self, text: &str, rank: usize) -> Result<Sharding, Refusal> {
        match self.read()? {
            Some(mesh) => Ok(mesh.sharding(text, rank)?),
            None if text.trim_start().starts_with('{') => Ok(text.parse()?),
            None => Err(Refusal::new(
                format!("`{text}` names axes of a mesh"),
                "give the mesh, as in `--mesh x=4,y=2`, or HLO's text, as in `{devices=[4,2]<=[8]}`",
            )),
        }
    }
}
