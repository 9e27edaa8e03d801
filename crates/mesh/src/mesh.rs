//! Devices in a grid whose axes have names.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

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

    /// The numbers of the axes along each of `rank` dimensions. `None` if a sharding does not use axes whole.
    pub fn axes_along(&self, sharding: &Sharding, rank: usize) -> Option<Vec<Vec<usize>>> {
        let grid = sharding.grid(rank, self.device_count()).ok()?;
        let axes = self.axes_by_place(rank, |device| grid.shard_of(device))?;
        (self.along(&axes)? == *sharding).then_some(axes)
    }

    /// The numbers of the axes along each of `rank` dimensions, by the place of each device's shard in the grid. `None` if axes are not
    /// used whole.
    pub fn axes_by_place(
        &self,
        rank: usize,
        place: impl Fn(u32) -> Option<Vec<usize>>,
    ) -> Option<Vec<Vec<usize>>> {
        let mut steps = vec![Vec::new(); rank];
        for (axis, digit) in self.digits().iter().enumerate().filter(|it| it.1.size > 1) {
            // Where the device has its shard that is one step along the axis.
            let next = place(self.devices.numbers[digit.stride])?;
            if let Some(dim) = next.iter().position(|at| *at > 0) {
                steps.get_mut(dim)?.push((next[dim], axis));
            }
        }
        for own in &mut steps {
            own.sort_unstable_by_key(|(step, _)| Reverse(*step));
        }
        let axes: Vec<Vec<usize>> =
            steps.into_iter().map(|own| own.into_iter().map(|(_, axis)| axis).collect()).collect();
        let sharding = self.along(&axes)?;
        let grid = sharding.grid(rank, self.device_count()).ok()?;
        let is_place = |device: &u32| grid.shard_of(*device) == place(*device);
        self.devices.numbers.iter().all(is_place).then_some(axes)
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
