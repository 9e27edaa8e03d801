//! Devices in a grid whose axes have names.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::devices::{Devices, Digit, by_dim, refined};
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

impl Mesh {
    /// The axes, the most major first.
    pub fn axes(&self) -> &[(String, usize)] {
        &self.axes
    }

    /// Number of devices.
    pub fn device_count(&self) -> usize {
        self.devices.len()
    }

    /// The grid that puts digits of the devices' places along the dimensions; what is not used copies it. `None` if they overlap.
    pub(crate) fn grid(&self, dims: &[Vec<Digit>], copies: &[(Digit, Held)]) -> Option<Grid> {
        let axes = self.digits();
        let used: Vec<&Digit> =
            dims.iter().flatten().chain(copies.iter().map(|it| &it.0)).collect();
        let parts = refined(axes.iter().chain(used.iter().copied()), self.devices.len())?;
        let of = |digit: &Digit| {
            (0..parts.len()).filter(|at| digit.has(&parts[*at])).collect::<Vec<_>>()
        };
        let mut order: Vec<usize> = used.into_iter().flat_map(of).collect();
        let unused: Vec<usize> = (0..parts.len()).filter(|at| !order.contains(at)).collect();
        let mut held: Vec<_> = copies.iter().map(|(digit, held)| (digit.size, *held)).collect();
        held.push((unused.iter().map(|at| parts[*at].size).product(), Held::Whole));
        order.extend(unused);
        let sizes: Vec<usize> = parts.iter().map(|part| part.size).collect();
        let is_once = order.len() == parts.len();
        let devices = is_once.then(|| self.devices.transposed(&sizes, &order, 1))?;
        let count = |own: &Vec<Digit>| own.iter().map(|digit| digit.size).product();
        Some(Grid { shards: dims.iter().map(count).collect(), copies: held, devices })
    }

    /// The sharding that puts axes, by number, along dimensions. `None` if an axis is used twice.
    pub fn along(&self, dims: &[Vec<usize>]) -> Option<Sharding> {
        let digits = self.digits();
        let parts = dims.iter().map(|axes| axes.iter().map(|axis| digits[*axis]).collect());
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
            let own: Vec<usize> = (0..axes.len()).filter(|at| digit.has(&axes[*at])).collect();
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
