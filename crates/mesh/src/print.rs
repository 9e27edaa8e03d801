//! The text of a sharding as XLA prints it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::grid::{Digit, Grid, Held};
use crate::sharding::Sharding;

/// XLA's canonical text.
impl fmt::Display for Sharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sharding::Replicated => f.write_str("{replicated}"),
            Sharding::OneDevice(device) => write!(f, "{{maximal device={device}}}"),
            Sharding::Manual => f.write_str("{manual}"),
            Sharding::Unreduced => f.write_str("{unreduced}"),
            Sharding::Unknown => f.write_str("{unknown}"),
            Sharding::Grid(grid) => grid.fmt(f),
        }
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = self.shards().iter().chain(self.copies().iter().map(|(count, _)| count));
        write!(f, "{{devices=[{}]", joined(sizes))?;
        match self.digits().filter(|_| !self.is_list) {
            Some(digits) => write_iota(f, digits)?,
            None => f.write_str(&joined(self.devices()))?,
        }
        match self.copies() {
            [] => {}
            [(_, Held::Whole)] => f.write_str(" last_tile_dim_replicate")?,
            copies => {
                let words = copies.iter().map(|(_, held)| match held {
                    Held::Whole => "replicated",
                    Held::Summand => "unreduced",
                    Held::Manual => "manual",
                });
                write!(f, " last_tile_dims={{{}}}", words.collect::<Vec<_>>().join(", "))?;
            }
        }
        f.write_str("}")
    }
}

/// `<=[4,2]T(1,0)`: the sizes of the digits, the most major first, and the order in which the grid counts them.
fn write_iota(f: &mut fmt::Formatter<'_>, digits: Vec<Digit>) -> fmt::Result {
    let mut order: Vec<usize> = (0..digits.len()).collect();
    order.sort_unstable_by_key(|at| core::cmp::Reverse(digits[*at].stride));
    match &order[..] {
        // One device.
        [] => f.write_str("<=[1]"),
        [only] => write!(f, "<=[{}]", digits[*only].size),
        _ => {
            let mut places = order.clone();
            order.iter().enumerate().for_each(|(place, digit)| places[*digit] = place);
            let sizes = joined(order.iter().map(|at| &digits[*at].size));
            write!(f, "<=[{sizes}]T({})", joined(&places))
        }
    }
}

fn joined<'a, T: ToString + 'a>(numbers: impl IntoIterator<Item = &'a T>) -> String {
    numbers.into_iter().map(T::to_string).collect::<Vec<_>>().join(",")
}
