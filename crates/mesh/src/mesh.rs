//! Devices in a grid whose axes have names.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::devices::{Devices, Digit, by_dim};
use crate::grid::{Grid, Held};
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

/// Part of an axis: digits of its number, of `size` values, after `above` values of more major ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AxisPart {
    pub axis: usize,
    pub above: usize,
    pub size: usize,
}

impl AxisPart {
    fn end(&self) -> usize {
        self.above * self.size
    }
}

impl Mesh {
    /// The axes, the most major first.
    pub fn axes(&self) -> &[(String, usize)] {
        &self.axes
    }

    /// Number of devices.
    pub fn device_count(&self) -> usize {
        self.devices.len()
    }

    /// An axis whole.
    pub(crate) fn whole(&self, axis: usize) -> AxisPart {
        AxisPart { axis, above: 1, size: self.axes[axis].1 }
    }

    /// The grid that puts these parts of axes along the dimensions; what is not used copies it. `None` if parts overlap.
    pub(crate) fn grid(&self, dims: &[Vec<AxisPart>], copies: &[(AxisPart, Held)]) -> Option<Grid> {
        let used = || dims.iter().flatten().chain(copies.iter().map(|it| &it.0));
        // Each axis is cut wherever a part of it starts or ends.
        let mut parts = Vec::new();
        for (axis, (_, size)) in self.axes.iter().enumerate() {
            let own = used().filter(|part| part.axis == axis);
            let mut cuts: Vec<usize> = own.flat_map(|part| [part.above, part.end()]).collect();
            cuts.extend([1, *size]);
            cuts.sort_unstable();
            cuts.dedup();
            for cut in cuts.windows(2) {
                let size = cut[1].is_multiple_of(cut[0]).then_some(cut[1] / cut[0])?;
                parts.push(AxisPart { axis, above: cut[0], size });
            }
        }
        let mut order = Vec::new();
        for part in used() {
            let is_in = |own: &AxisPart| own.above >= part.above && own.end() <= part.end();
            let own =
                (0..parts.len()).filter(|at| parts[*at].axis == part.axis && is_in(&parts[*at]));
            order.extend(own);
        }
        let unused: Vec<usize> = (0..parts.len()).filter(|at| !order.contains(at)).collect();
        let size = |parts: &[AxisPart]| parts.iter().map(|part| part.size).product::<usize>();
        let mut held: Vec<_> = copies.iter().map(|(part, held)| (part.size, *held)).collect();
        held.push((unused.iter().map(|at| parts[*at].size).product(), Held::Whole));
        order.extend(unused);
        let sizes: Vec<usize> = parts.iter().map(|part| part.size).collect();
        let devices =
            (order.len() == parts.len()).then(|| self.devices.transposed(&sizes, &order, 1))?;
        Some(Grid { shards: dims.iter().map(|parts| size(parts)).collect(), copies: held, devices })
    }

    /// The sharding that puts axes, by number, along dimensions. `None` if an axis is used twice.
    pub fn along(&self, dims: &[Vec<usize>]) -> Option<Sharding> {
        let parts = dims.iter().map(|axes| axes.iter().map(|axis| self.whole(*axis)).collect());
        Some(self.grid(&parts.collect::<Vec<_>>(), &[])?.simplified())
    }

    /// The numbers of the axes along each of so many dimensions. `None` if a sharding does not use axes whole.
    pub fn axes_along(&self, sharding: &Sharding, rank: usize) -> Option<Vec<Vec<usize>>> {
        let grid = match sharding {
            Sharding::Every(Held::Whole) => return Some(vec![Vec::new(); rank]),
            Sharding::Grid(grid) if grid.shards.len() == rank => grid,
            _ => return None,
        };
        // Devices by their places in the mesh, where axes are digits.
        let place = |device: &u32| self.devices.place(*device).map(|place| place as u32);
        let places = grid.devices().iter().map(place).collect::<Option<Vec<u32>>>()?;
        let all: Vec<usize> = (0..grid.sizes().len()).collect();
        let places =
            Devices::new(places, false)?.transposed(&grid.sizes(), &all, grid.copies_of_each());
        let axes = self.digits();
        // Axes that are neighbours in the mesh are one digit.
        let whole = |digit: Digit| {
            let is_in = |own: &Digit| {
                let end = own.stride * own.size;
                own.size > 1 && own.stride >= digit.stride && end <= digit.stride * digit.size
            };
            let own: Vec<usize> = (0..axes.len()).filter(|at| is_in(&axes[*at])).collect();
            let size: usize = own.iter().map(|axis| axes[*axis].size).product();
            (size == digit.size).then_some(own)
        };
        let dims = by_dim(places.digits()?, &grid.sizes())?.into_iter().take(rank);
        let axes = |own: Vec<Digit>| {
            Some(own.into_iter().map(whole).collect::<Option<Vec<_>>>()?.concat())
        };
        dims.map(axes).collect()
    }

    /// The digits that the axes are of the devices' places.
    pub(crate) fn digits(&self) -> Vec<Digit> {
        let below = |axis: usize| self.axes[axis + 1..].iter().map(|it| it.1).product();
        let digit = |axis: usize| Digit { stride: below(axis), size: self.axes[axis].1 };
        (0..self.axes.len()).map(digit).collect()
    }

    /// Axes along dimensions as JAX writes them: `P('x', None, ('y', 'z'))`.
    pub(crate) fn spec(&self, dims: &[Vec<usize>]) -> String {
        let entry = |axes: &Vec<usize>| {
            let names: Vec<_> =
                axes.iter().map(|axis| format!("'{}'", self.axes[*axis].0)).collect();
            match &names[..] {
                [] => "None".into(),
                [name] => name.clone(),
                names => format!("({})", names.join(", ")),
            }
        };
        format!("P({})", dims.iter().map(entry).collect::<Vec<_>>().join(", "))
    }
}

impl Sharding {
    /// JAX's text of the sharding with the axes of a mesh, with an entry for each dimension: `P('x', None)`. `P()` where all is
    /// replicated. `None` if it cuts axes, or is not of this mesh.
    pub fn spec(&self, mesh: &Mesh) -> Option<String> {
        let rank = if let Sharding::Grid(grid) = self { grid.shards.len() } else { 0 };
        let dims = mesh.axes_along(self, rank)?;
        (mesh.along(&dims)? == *self).then(|| mesh.spec(&dims))
    }
}
