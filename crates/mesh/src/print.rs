//! The text of a sharding as XLA prints it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;

use crate::grid::Held;
use crate::sharding::Sharding;

/// XLA's canonical text.
impl fmt::Display for Sharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = match self {
            Sharding::Every(held) => return write!(f, "{{{held}}}"),
            Sharding::OneDevice(device) => return write!(f, "{{maximal device={device}}}"),
            Sharding::Grid(grid) => grid,
        };
        write!(f, "{{devices=[{}]", joined(&grid.sizes()))?;
        match grid.devices.digits().filter(|_| !grid.devices.is_list) {
            None => f.write_str(&joined(grid.devices()))?,
            Some(digits) => {
                // The sizes from the most major digit on, and the order in which the grid counts them.
                let mut order: Vec<usize> = (0..digits.len()).collect();
                order.sort_unstable_by_key(|at| Reverse(digits[*at].stride));
                let sizes: Vec<usize> = order.iter().map(|at| digits[*at].size).collect();
                let mut places = order.clone();
                order.iter().enumerate().for_each(|(place, digit)| places[*digit] = place);
                match &sizes[..] {
                    [] => f.write_str("<=[1]")?,
                    [size] => write!(f, "<=[{size}]")?,
                    sizes => write!(f, "<=[{}]T({})", joined(sizes), joined(&places))?,
                }
            }
        }
        match &grid.copies[..] {
            [] => f.write_str("}"),
            [(_, Held::Whole)] => f.write_str(" last_tile_dim_replicate}"),
            copies => {
                let names: Vec<&str> = copies.iter().map(|(_, held)| held.name()).collect();
                write!(f, " last_tile_dims={{{}}}}}", names.join(", "))
            }
        }
    }
}

fn joined<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}
