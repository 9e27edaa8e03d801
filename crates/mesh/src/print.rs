//! The text of a sharding as XLA prints it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::grid::Held;
use crate::mesh::Mesh;
use crate::sharding::Sharding;

/// XLA's canonical text.
impl fmt::Display for Sharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = match self {
            Sharding::Every(held) => return write!(f, "{{{held}}}"),
            Sharding::OneDevice(device) => return write!(f, "{{maximal device={device}}}"),
            Sharding::Grid(grid) => grid,
        };
        let sizes = grid.shards().iter().chain(grid.copies().iter().map(|it| &it.0));
        write!(f, "{{devices=[{}]", joined(sizes))?;
        match grid.order().as_iota().filter(|_| !grid.order().is_list) {
            None => f.write_str(&joined(grid.devices()))?,
            Some((sizes, _)) if sizes.is_empty() => f.write_str("<=[1]")?,
            Some((sizes, _)) if sizes.len() == 1 => write!(f, "<=[{}]", sizes[0])?,
            Some((sizes, order)) => write!(f, "<=[{}]T({})", joined(&sizes), joined(&order))?,
        }
        match grid.copies() {
            [] => f.write_str("}"),
            [(_, Held::Whole)] => f.write_str(" last_tile_dim_replicate}"),
            copies => {
                let names: Vec<&str> = copies.iter().map(|(_, held)| held.name()).collect();
                write!(f, " last_tile_dims={{{}}}}}", names.join(", "))
            }
        }
    }
}

/// The axes, as in `x=4,y=2`.
impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(self.axes().iter().map(|(name, size)| format!("{name}={size}"))))
    }
}

fn joined<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    numbers.into_iter().map(|it| it.to_string()).collect::<Vec<_>>().join(",")
}
