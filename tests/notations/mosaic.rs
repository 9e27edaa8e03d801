//! Mosaic's attribute, evaluated as its `getAffineMap` does. `check.py` gives it to Mosaic.

use layout::shape::Size;
use layout_notation::notation::Mosaic;
use layout_tests::amount::times;
use layout_tests::naive::unflatten;

use crate::{Case, cases};

/// Reads `#tpu.tiled<(8,128)(2,1),[16,1]>`.
fn parse(text: &str) -> (Vec<Vec<Size>>, Vec<Size>) {
    let inside = text.strip_prefix("#tpu.tiled<").unwrap().strip_suffix("]>").unwrap();
    let (tiles, strides) = inside.split_once(",[").unwrap();
    let numbers = |list: &str| {
        list.split(',').filter(|text| !text.is_empty()).map(|text| text.parse().unwrap()).collect()
    };
    let tiles = tiles.split(')').filter(|tile| !tile.is_empty());
    (tiles.map(|tile| numbers(tile.strip_prefix('(').unwrap())).collect(), numbers(strides))
}

/// The last entries in units of the tile, and behind them what is left.
fn split(entries: &[Size], tile: &[Size], in_tile: fn(Size, Size) -> Size) -> Vec<Size> {
    let (before, covered) = entries.split_at(entries.len() - tile.len());
    let counts = covered.iter().zip(tile).map(|(entry, size)| entry / size);
    let rest = covered.iter().zip(tile).map(|(&entry, &size)| in_tile(entry, size));
    before.iter().copied().chain(counts).chain(rest).collect()
}

fn offset(tiles: &[Vec<Size>], strides: &[Size], index: &[Size]) -> Size {
    let Some((first, later)) = tiles.split_first() else {
        return index.iter().zip(strides).map(|(coordinate, stride)| coordinate * stride).sum();
    };
    // The verifier asks that later tiles divide the first and stay inside it.
    let inside = later.iter().fold(first.clone(), |bounds, tile| {
        let (_, covered) = bounds.split_at(bounds.len() - tile.len());
        assert!(covered.iter().zip(tile).all(|(bound, size)| bound.is_multiple_of(*size)));
        split(&bounds, tile, |_, size| size)
    });
    let digits = tiles
        .iter()
        .fold(index.to_vec(), |digits, tile| split(&digits, tile, |digit, size| digit % size));
    let (counts, digits) = digits.split_at(strides.len());
    let block = first.iter().product::<Size>();
    let start =
        counts.iter().zip(strides).map(|(count, stride)| count * stride).sum::<Size>() * block;
    start + digits.iter().zip(&inside).fold(0, |sum, (digit, bound)| sum * bound + digit)
}

#[test]
fn evaluates_to_the_offsets() {
    let mut count = 0;
    cases(&mut |case: Case| {
        let Ok(mosaic) = Mosaic::of(&case.shape) else { return };
        let text = mosaic.to_string();
        let (tiles, strides) = parse(&text);
        assert_eq!(strides, mosaic.tile_strides());
        assert_eq!(strides.len(), case.naive.dims.len());
        for (number, at) in case.offsets().into_iter().enumerate() {
            let index = unflatten(number as Size, &case.naive.dims);
            assert_eq!(offset(&tiles, &strides, &index), at, "{} {text} at {index:?}", case.shape);
        }
        count += 1;
    });
    assert!(count > times(1000), "{count}");
}
