//! Every small matrix.

use super::paths::Path;
use super::shrink::{Failure, check_by};
use crate::pairs::Pair;

/// Matrices of up to 5 by 5 in rows and columns of every small tile, from rows, columns and one tile, and back, over all
/// ranges of the destination: every `step`th pair.
///
/// # Errors
/// The first failure, of the smallest pair that has it.
pub fn matrices(step: usize) -> Result<(), Box<Failure>> {
    let is_asked = |path: &Path| path.name == "every range";
    pairs().iter().step_by(step).try_for_each(|texts| check_by(is_asked, &Pair::of(texts), 1))
}

/// Of tiles up to `(4)` and `(3,3)`, and in them tiles up to `(2,2)`.
fn pairs() -> Vec<[String; 2]> {
    let lines = (1..=4).map(|size| format!("({size})"));
    let boxes = (1..=9).map(|at| format!("({},{})", 1 + (at - 1) / 3, 1 + (at - 1) % 3));
    let first = lines.chain(boxes);
    let tilings = first.flat_map(|first| {
        ["", "(2)", "(3)", "(2,1)", "(1,2)", "(2,2)"].map(|second| format!("T{first}{second}"))
    });
    let tilings = tilings.collect::<Vec<_>>();
    let mut pairs = Vec::new();
    for size in 0..25 {
        let array = format!("u8[{},{}]", 1 + size / 5, 1 + size % 5);
        for tiled in tilings.iter().flat_map(|tiles| ["1,0", "0,1"].map(|order| (order, tiles))) {
            let tiled = format!("{array}{{{}:{}}}", tiled.0, tiled.1);
            for plain in ["{1,0}", "{0,1}", "{1,0:T(2,2)}"] {
                let plain = format!("{array}{plain}");
                pairs.push([plain.clone(), tiled.clone()]);
                pairs.push([tiled.clone(), plain]);
            }
        }
    }
    pairs
}
