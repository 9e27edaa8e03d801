//! Devices in a grid whose axes have names.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::grid::{Digit, Grid, Held, by_dim, digits, transposed};
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
    pub(crate) devices: Vec<u32>,
    /// Whether the text lists the devices.
    pub(crate) is_list: bool,
}

/// Part of an axis: digits of its number, of so many values, after so many values of more major ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AxisPart {
    pub axis: usize,
    pub above: usize,
    pub size: usize,
}

/// What is wrong with parts of axes.
pub(crate) enum Misuse {
    Overlap,
    Twice,
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

    /// The sharding that puts these parts of axes along the dimensions. Parts that are not used copy it.
    pub(crate) fn placed(
        &self,
        dims: &[Vec<AxisPart>],
        copies: &[(AxisPart, Held)],
    ) -> Result<Sharding, Misuse> {
        self.grid(dims, copies).map(Sharding::of_grid)
    }

    /// The same as a grid: devices that hold the same are in the order of the mesh.
    pub(crate) fn grid(
        &self,
        dims: &[Vec<AxisPart>],
        copies: &[(AxisPart, Held)],
    ) -> Result<Grid, Misuse> {
        let used = || dims.iter().flatten().chain(copies.iter().map(|it| &it.0));
        // Each axis is cut wherever a part of it starts or ends.
        let mut parts = Vec::new();
        for (axis, (_, size)) in self.axes.iter().enumerate() {
            let own = used().filter(|part| part.axis == axis);
            let mut cuts = Vec::from([1, *size]);
            cuts.extend(own.flat_map(|part| [part.above, part.above * part.size]));
            cuts.sort_unstable();
            cuts.dedup();
            for pair in cuts.windows(2) {
                if !pair[1].is_multiple_of(pair[0]) {
                    return Err(Misuse::Overlap);
                }
                parts.push(AxisPart { axis, above: pair[0], size: pair[1] / pair[0] });
            }
        }
        let mut order = Vec::new();
        for part in used() {
            let end = part.above * part.size;
            for (at, own) in parts.iter().enumerate().filter(|(_, own)| own.axis == part.axis) {
                if own.above >= part.above && own.above * own.size <= end {
                    if order.contains(&at) {
                        return Err(Misuse::Twice);
                    }
                    order.push(at);
                }
            }
        }
        let size = |parts: &[AxisPart]| parts.iter().map(|part| part.size).product::<usize>();
        let shards = dims.iter().map(|parts| size(parts)).collect();
        let mut held: Vec<_> = copies.iter().map(|(part, held)| (part.size, *held)).collect();
        let unused: Vec<usize> = (0..parts.len()).filter(|at| !order.contains(at)).collect();
        held.push((unused.iter().map(|at| parts[*at].size).product(), Held::Whole));
        order.extend(unused);
        let sizes: Vec<usize> = parts.iter().map(|part| part.size).collect();
        let devices = transposed(&self.devices, &sizes, &order);
        // No device is in a mesh twice.
        let grid = Grid::new(shards, held, devices).ok_or(Misuse::Twice)?;
        Ok(grid.of_list(self.is_list))
    }

    /// The axes along each of so many dimensions, if a sharding uses axes whole.
    pub(crate) fn axes_of(&self, sharding: &Sharding, rank: usize) -> Option<Vec<Vec<usize>>> {
        let grid = match sharding {
            Sharding::Replicated => return Some(alloc::vec![Vec::new(); rank]),
            Sharding::Grid(grid) if grid.shards().len() == rank => grid,
            _ => return None,
        };
        // Devices by their places in the mesh, where axes are digits.
        let mut places: Vec<_> = self.devices.iter().copied().zip(0u32..).collect();
        places.sort_unstable();
        let place =
            |device: &u32| Some(places[places.binary_search_by_key(device, |it| it.0).ok()?].1);
        let mut numbers = grid.devices().iter().map(place).collect::<Option<Vec<u32>>>()?;
        numbers.chunks_mut(grid.copies_of_each()).for_each(<[u32]>::sort_unstable);
        let counts = grid.shards().iter().copied().chain([grid.copies_of_each()]);
        let dims = by_dim(digits(&numbers)?, counts)?;
        let axes = self.digits();
        let whole = |digit: &Digit| {
            // Neighbours in the mesh are one digit.
            let end = digit.stride * digit.size;
            let inside = |axis: &usize| {
                let own = axes[*axis];
                own.size > 1 && own.stride >= digit.stride && own.stride * own.size <= end
            };
            let own: Vec<usize> = (0..axes.len()).filter(inside).collect();
            let size: usize = own.iter().map(|axis| axes[*axis].size).product();
            (size == digit.size).then_some(own)
        };
        dims.iter()
            .map(|own| Some(own.iter().map(whole).collect::<Option<Vec<_>>>()?.concat()))
            .collect()
    }

    /// The digits that the axes are of the devices' places.
    pub(crate) fn digits(&self) -> Vec<Digit> {
        let mut stride = self.devices.len();
        let sizes = self.axes.iter().map(|(_, size)| *size);
        sizes
            .map(|size| {
                stride /= size;
                Digit { stride, size }
            })
            .collect()
    }

    /// Axes along dimensions as JAX writes them: `P('x', None, ('y', 'z'))`.
    pub(crate) fn spec(&self, dims: &[Vec<usize>]) -> String {
        let name = |axis: &usize| format!("'{}'", self.axes[*axis].0);
        let entry = |axes: &Vec<usize>| match &axes[..] {
            [] => String::from("None"),
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
        let dims = mesh.axes_of(self, rank)?;
        let parts = dims.iter().map(|axes| axes.iter().map(|axis| mesh.whole(*axis)).collect());
        let again = mesh.placed(&parts.collect::<Vec<_>>(), &[]).ok()?;
        (again == *self).then(|| mesh.spec(&dims))
    }
}
