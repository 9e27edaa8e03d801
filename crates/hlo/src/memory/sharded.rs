//! Arguments that are whole on every device, and shardings for them.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::copies::Place;
use crate::memory::Memory;
use crate::memory::advice::{Advice, AdviceKind};
use crate::memory::devices::Shardings;
use layout_core::{Error, Size};
use layout_mesh::{Mesh, Sharding};

/// What statements about shardings begin with.
pub(crate) const IMPORTS: &str = "from jax.sharding import NamedSharding, PartitionSpec as P";

impl Memory<'_> {
    /// Adds what the text of a program for TPUs does not say: the mesh, as in `x=4,y=2`, and of parameters by number the sizes of the whole array
    /// and the sharding, as in `P('x', None)` or `{replicated}`.
    ///
    /// # Errors
    /// The first text that is wrong.
    pub fn with_shardings<'t>(
        mut self,
        mesh: Option<&str>,
        arguments: impl IntoIterator<Item = (usize, Vec<Size>, &'t str)>,
    ) -> Result<Self, Error> {
        self.shardings.mesh = mesh.map(str::parse).transpose()?;
        for (number, dims, text) in arguments {
            let sharding = match &self.shardings.mesh {
                Some(mesh) => mesh.sharding(text, dims.len())?,
                None => text.parse()?,
            };
            self.shardings.of.insert(number, (dims, sharding));
        }
        Ok(self)
    }

    /// The shardings that the text has: programs for CPUs and GPUs keep those of parameters, whose shapes are those of shards.
    pub(crate) fn shardings_of_text(&self) -> Shardings {
        let mut of = BTreeMap::new();
        for (number, operation) in self.program.parameters.iter().enumerate() {
            let text = self.program.operations[*operation].attributes.get("sharding");
            let sharding = text.and_then(|text| text.parse::<Sharding>().ok());
            let (Some(sharding), Some(shard)) = (sharding, self.program.array(*operation)) else {
                continue;
            };
            let Ok(grid) = sharding.grid(shard.rank(), 1) else { continue };
            let size = |(dim, count): (usize, &usize)| {
                shard.dims()[dim].size()?.checked_mul(*count as Size)
            };
            let dims = grid.shards().iter().enumerate().map(size).collect::<Option<Vec<_>>>();
            drop(grid);
            of.extend(dims.map(|dims| (number, (dims, sharding))));
        }
        Shardings { mesh: None, of }
    }

    /// The numbers of the arguments that every device has whole, the largest first: those from a hundredth of what has to fit.
    pub fn whole_arguments(&self) -> Vec<usize> {
        let is_whole = |number: &usize| {
            let (dims, sharding) = self.shardings.of.get(number)?;
            Some(
                sharding.shard_dims(dims).ok()? == *dims
                    && sharding.box_of(dims, 1).ok()?.is_some(),
            )
        };
        let least = self.hbm.allocated_bytes / 100;
        let large = self.arguments.iter().filter(|it| it.bytes >= least && it.bytes > 0);
        let mut whole: Vec<_> = large.filter(|it| is_whole(&it.number) == Some(true)).collect();
        whole.sort_by_key(|it| Reverse(it.bytes));
        whole.into_iter().map(|it| it.number).filter(|_| self.devices() > 1).collect()
    }

    /// Shardings for the arguments that every device has whole, where the mesh is known.
    pub(crate) fn advise_shardings(&self) -> Vec<Advice> {
        let Some(mesh) = &self.shardings.mesh else { return Vec::new() };
        let least = self.hbm.allocated_bytes / 100;
        let advise = |number: usize| {
            let (dims, _) = self.shardings.of.get(&number)?;
            let array = self.program.array(self.program.parameter(number)?)?;
            let (sharding, why) =
                self.like_another(number, dims).or_else(|| divided(mesh, dims))?;
            let bytes = sharding.bytes_per_device(&array).ok()? as u64;
            let saves = (array.bytes()? as u64).checked_sub(bytes).filter(|it| *it > least)?;
            let name = self.name(Place::Parameter(number));
            let spec = sharding.spec(mesh)?;
            Some(Advice {
                saves_bytes: i64::try_from(saves).ok()?,
                python: format!(
                    "{IMPORTS}\n{name} = jax.device_put({name}, NamedSharding(mesh, {spec}))  # {why}"
                ),
                names: vec![name],
                ..Advice::new(AdviceKind::Shard, vec![Place::Parameter(number)])
            })
        };
        self.whole_arguments().into_iter().filter_map(advise).collect()
    }

    /// The sharding of an argument of the same sizes: in the same order first, else with axes along dimensions of the same size.
    fn like_another(&self, number: usize, dims: &[Size]) -> Option<(Sharding, String)> {
        let mesh = self.shardings.mesh.as_ref()?;
        let sorted = |mut dims: Vec<Size>| {
            dims.sort_unstable();
            dims
        };
        let sizes = sorted(dims.to_vec());
        let others = self.shardings.of.iter().filter(|(other, (own, sharding))| {
            let is_cut = sharding.shard_dims(own).is_ok_and(|shard| shard != *own);
            **other != number && is_cut && sorted(own.clone()) == sizes
        });
        let (other, (own, sharding)) = others.min_by_key(|(_, (own, _))| own != dims)?;
        let mut left: Vec<_> = own.iter().zip(mesh.axes_along(sharding, own.len())?).collect();
        let along = |size: &Size| Some(left.remove(left.iter().position(|it| it.0 == size)?).1);
        let along = dims.iter().map(along).collect::<Option<Vec<_>>>()?;
        Some((mesh.along(&along)?, format!("as {}", self.name(Place::Parameter(*other)))))
    }
}

/// The sharding of the largest dimension that all axes of a mesh divide, or else one of them.
fn divided(mesh: &Mesh, dims: &[Size]) -> Option<(Sharding, String)> {
    let mut sets: Vec<_> = (0..mesh.axes().len()).map(|axis| vec![axis]).collect();
    sets.push((0..mesh.axes().len()).filter(|axis| mesh.axes()[*axis].1 > 1).collect());
    let count = |set: &Vec<usize>| set.iter().map(|axis| mesh.axes()[*axis].1 as Size).product();
    sets.sort_by_key(|set| Reverse(count(set)));
    sets.into_iter().find_map(|set| {
        let all: Size = count(&set);
        let is_cut = |dim: &usize| all > 1 && dims[*dim] > 0 && dims[*dim].is_multiple_of(all);
        let dim = (0..dims.len()).filter(is_cut).max_by_key(|dim| (dims[*dim], Reverse(*dim)))?;
        let why = match dims.iter().find(|size| **size > dims[dim]) {
            Some(size) => format!("{size} is not a multiple of {all}"),
            None => format!("{} is a multiple of {all}", dims[dim]),
        };
        let mut along = vec![Vec::new(); dims.len()];
        along[dim] = set;
        Some((mesh.along(&along)?, why))
    })
}
