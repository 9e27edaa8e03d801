//! Every small matrix.

use layout::shape::Size;

use super::paths::Path;
use super::shrink::{Failure, check_by};
use crate::naive::Naive;
use crate::pairs::Pair;

/// Matrices of up to 5 by 5 in rows and columns of every small tile, from rows, columns and one tile, and back, over all
/// ranges of the destination: every `step`th pair.
///
/// # Errors
/// The first failure, of the smallest pair that has it.
pub fn matrices(step: usize) -> Result<(), Box<Failure>> {
    let is_asked = |path: &Path| path.name == "every range";
    pairs().step_by(step).try_for_each(|pair| check_by(is_asked, &pair, 1))
}

fn pairs() -> impl Iterator<Item = Pair> {
    let dims = (1..=5).flat_map(|rows| (1..=5).map(move |columns| [rows, columns]));
    dims.flat_map(|dims| {
        let layout = move |(minor_to_major, tiles): ([usize; 2], Vec<Vec<Size>>)| Naive {
            dims: dims.to_vec(),
            minor_to_major: minor_to_major.to_vec(),
            tiles: tiles.iter().map(|tile| tile.iter().map(|size| Some(*size)).collect()).collect(),
            ..Naive::default()
        };
        let tilings = tilings();
        let layouts = tilings.flat_map(|tiles| [([1, 0], tiles.clone()), ([0, 1], tiles)]);
        layouts.flat_map(move |tiled| {
            let plain =
                [([1, 0], vec![]), ([0, 1], vec![]), ([1, 0], vec![vec![2, 2]])].map(layout);
            let tiled = layout(tiled);
            plain.into_iter().flat_map(move |plain| {
                [[plain.clone(), tiled.clone()], [tiled.clone(), plain]].map(|layouts| Pair {
                    layouts,
                    element: "u8".to_owned(),
                    bits: [8; 2],
                    bounded: 0,
                    fill: None,
                })
            })
        })
    })
}

/// Tiles up to `(4)` and `(3,3)`, and in them tiles up to `(2,2)`.
fn tilings() -> impl Iterator<Item = Vec<Vec<Size>>> {
    let lines = (1..=4).map(|size| vec![size]);
    let boxes = (1..=3).flat_map(|rows| (1..=3).map(move |columns| vec![rows, columns]));
    let first = lines.chain(boxes);
    let second = [vec![], vec![2], vec![3], vec![2, 1], vec![1, 2], vec![2, 2]];
    first.flat_map(move |first| {
        second.clone().map(|second| match second.is_empty() {
            true => vec![first.clone()],
            false => vec![first.clone(), second],
        })
    })
}
