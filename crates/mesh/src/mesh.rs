//! Devices in a grid whose axes have names.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::devices::{Devices, Digit, even_steps, row_major};
use crate::sharding::Sharding;

/// Devices in a grid whose axes have names, as JAX's `Mesh`.
///
/// Parse it from `x=4,y=2`, or from the texts of Shardy, `<["x"=4, "y"=2]>`, and XLA, `['x'=4,'y'=2], device_ids=(..)`.
///
/// # Examples
/// ```
/// use layout_mesh::Mesh;
///
/// let mesh: Mesh = "x=4,y=2".parse()?;
/// let rows = mesh.sharding("P('y', None)", 2)?;
/// assert_eq!(rows.to_string(), "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}");
/// assert_eq!(mesh.sharding("#sdy.sharding<@mesh, [{\"y\"}, {}]>", 2)?, rows);
/// assert_eq!(rows.spec(&mesh).as_deref(), Some("P('y', None)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mesh {
    pub(crate) axes: Vec<(String, usize)>,
    /// The devices in row-major order.
    pub(crate) devices: Devices,
}

impl Mesh {
    /// The axes, the most major first.
    pub fn axes(&self) -> &[(String, usize)] {
        &self.axes
    }

    /// Number of devices.
    pub fn device_count(&self) -> usize {
        self.devices.numbers.len()
    }

    /// A mesh of which shardings without names use axes whole: `a`, `b`, … `None` if there is none.
    pub fn of_shardings(shardings: [&Sharding; 2]) -> Option<Mesh> {
        let count = shardings.iter().filter_map(|it| it.device_count()).max()?;
        let is_even = |stride: usize, times: usize| {
            stride * times < count
                && shardings.iter().all(|it| {
                    let Sharding::Grid(grid) = it else { return true };
                    let [one, all] = [stride, stride * times].map(|it| grid.shard_of(it as u32));
                    let one = one.into_iter().flatten();
                    all.is_some_and(|all| one.map(|at| at * times).eq(all))
                })
        };
        let axes = ('a'..='z').map(String::from).zip(even_steps(count, is_even)).collect();
        let mesh = Mesh { axes, devices: Devices::first(count) };
        let product = mesh.axes.iter().map(|axis| axis.1).product::<usize>();
        (product == count).then_some(mesh)
    }

    /// The sharding that puts axes, by number, along dimensions. `None` if an axis is used twice.
    pub fn along(&self, dims: &[Vec<usize>]) -> Option<Sharding> {
        let digits = self.digits();
        let own = dims.iter().map(|axes| axes.iter().map(|axis| digits[*axis]).collect());
        Sharding::placed(&self.devices, &own.collect::<Vec<_>>(), &[])
    }

    /// The numbers of the axes along each of so many dimensions. `None` if a sharding does not use axes whole.
    pub fn axes_along(&self, sharding: &Sharding, rank: usize) -> Option<Vec<Vec<usize>>> {
        let grid = sharding.grid(rank, self.device_count()).ok()?;
        let mut steps = vec![Vec::new(); rank];
        for (axis, digit) in self.digits().into_iter().enumerate() {
            // Where the device has its shard that is one step along the axis.
            let Some(next) = self.devices.numbers.get(digit.stride) else { continue };
            let next = grid.shard_of(*next)?;
            if let Some(dim) = next.iter().position(|at| *at > 0).filter(|_| digit.size > 1) {
                steps[dim].push((next[dim], axis));
            }
        }
        let by_step = |mut own: Vec<(usize, usize)>| {
            own.sort_unstable();
            own.into_iter().rev().map(|it| it.1).collect()
        };
        let dims: Vec<Vec<usize>> = steps.into_iter().map(by_step).collect();
        (self.along(&dims)? == *sharding).then_some(dims)
    }

    /// The digits that the axes are of the devices' places.
    pub(crate) fn digits(&self) -> Vec<Digit> {
        row_major(&self.axes.iter().map(|axis| axis.1).collect::<Vec<_>>())
    }

    /// Axes along dimensions as JAX writes them: `P('x', None, ('y', 'z'))`.
    pub(crate) fn spec(&self, dims: &[Vec<usize>]) -> String {
        let name = |axis: &usize| format!("'{}'", self.axes[*axis].0);
        let entry = |axes: &Vec<usize>| match &axes[..] {
            [] => "None".into(),
            [axis] => name(axis),
            axes => format!("({})", axes.iter().map(name).collect::<Vec<_>>().join(", ")),
        };
        format!("P({})", dims.iter().map(entry).collect::<Vec<_>>().join(", "))
    }
}

impl Sharding {
    /// JAX's text of the sharding with the axes of a mesh, with an entry for each dimension: `P('x', None)`. `P()` where all is
    /// replicated. `None` if it cuts axes, or is not of this mesh.
    pub fn spec(&self, mesh: &Mesh) -> Option<String> {
        let rank = if let Sharding::Grid(grid) = self { grid.shards().len() } else { 0 };
        Some(mesh.spec(&mesh.axes_along(self, rank)?))
    }
}
