//! Arguments that are whole on every device, and shardings for them.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::copies::Place;
use crate::memory::Memory;
use crate::memory::advice::{Advice, AdviceKind};
use layout_core::{Error, Size};
use layout_mesh::{Held, Mesh, Sharding};

/// What statements about shardings begin with.
pub(crate) const IMPORTS: &str = "from jax.sharding import NamedSharding, PartitionSpec as P";

/// The numbers of the axes along each dimension.
type Axes = Vec<Vec<usize>>;

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

    /// The numbers of the arguments that every device has whole, the largest first: those from a hundredth of what has to fit.
    pub fn whole_arguments(&self) -> Vec<usize> {
        let is_whole = |number: usize| {
            // Programs for CPUs and GPUs keep the shardings of parameters.
            let of_text = || {
                let parameter = self.program.parameter(number)?;
                self.program.operations[parameter].attributes.get("sharding")?.parse().ok()
            };
            let given = self.shardings.of.get(&number).map(|it| it.1.clone());
            given.or_else(of_text) == Some(Sharding::Every(Held::Whole))
        };
        let least = (self.hbm.allocated_bytes / 100).max(1);
        let large = self.arguments.iter().filter(|it| it.bytes >= least && self.devices() > 1);
        let mut whole: Vec<_> = large.filter(|it| is_whole(it.number)).collect();
        whole.sort_by_key(|it| Reverse(it.bytes));
        whole.into_iter().map(|it| it.number).collect()
    }

    /// Shardings for the arguments that every device has whole, where the mesh is known.
    pub(crate) fn advise_shardings(&self) -> Vec<Advice> {
        let Some(mesh) = &self.shardings.mesh else { return Vec::new() };
        let least = self.hbm.allocated_bytes / 100;
        let advise = |number: usize| {
            let (dims, _) = self.shardings.of.get(&number)?;
            let array = self.program.array(self.program.parameter(number)?)?;
            let found = self.like_another(mesh, number, dims).or_else(|| divided(mesh, dims));
            let (along, why) = found?;
            let sharding = mesh.along(&along)?;
            let bytes = array.bytes()?.checked_sub(sharding.bytes_per_device(&array).ok()?)?;
            let saves_bytes = i64::try_from(bytes).ok().filter(|it| it.unsigned_abs() > least)?;
            let (name, spec) = (self.name(Place::Parameter(number)), sharding.spec(mesh)?);
            let placed = format!("jax.device_put({name}, NamedSharding(mesh, {spec}))");
            Some(Advice {
                saves_bytes,
                python: format!("{IMPORTS}\n{name} = {placed}  # {why}"),
                names: vec![name],
                ..Advice::new(AdviceKind::Shard, vec![Place::Parameter(number)])
            })
        };
        self.whole_arguments().into_iter().filter_map(advise).collect()
    }

    /// The axes of an argument of the same sizes: in the same order first, else along dimensions of the same size.
    fn like_another(&self, mesh: &Mesh, number: usize, dims: &[Size]) -> Option<(Axes, String)> {
        let sorted = |dims: &[Size]| {
            let mut dims = dims.to_vec();
            dims.sort_unstable();
            dims
        };
        let others = self.shardings.of.iter().filter(|(other, (own, sharding))| {
            let is_cut = sharding.shard_dims(own).is_ok_and(|shard| shard != *own);
            **other != number && is_cut && sorted(own) == sorted(dims)
        });
        let (other, (own, sharding)) = others.min_by_key(|(_, (own, _))| own != dims)?;
        let mut left: Vec<_> = own.iter().zip(mesh.axes_along(sharding, own.len())?).collect();
        let along = |size: &Size| Some(left.remove(left.iter().position(|it| it.0 == size)?).1);
        let along = dims.iter().map(along).collect::<Option<_>>()?;
        Some((along, format!("as {}", self.name(Place::Parameter(*other)))))
    }
}

/// The axes along the largest dimension that all axes of a mesh divide, or else one of them.
fn divided(mesh: &Mesh, dims: &[Size]) -> Option<(Axes, String)> {
    let axes = 0..mesh.axes().len();
    let count = |set: &Vec<usize>| set.iter().map(|axis| mesh.axes()[*axis].1 as Size).product();
    let all = axes.clone().filter(|axis| mesh.axes()[*axis].1 > 1).collect();
    let mut sets: Vec<Vec<usize>> = axes.map(|axis| vec![axis]).chain([all]).collect();
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
        Some((along, why))
    })
}
