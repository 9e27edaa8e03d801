//! Mosaic's attribute, evaluated as its `getAffineMap` does. `check.py` gives it to Mosaic.

use layout::ArrayShape;
use layout::Size;
use layout::notation::{Mosaic, NotationError};
use layout::shape::UnknownSize;
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

#[test]
fn worked_examples() {
    let mosaic = |text: &str| {
        let shape: ArrayShape = text.parse().unwrap();
        Mosaic::of(&shape).map(|mosaic| mosaic.to_string())
    };
    for (layout, expected) in [
        ("f32[]", "#tpu.tiled<,[]>"),
        ("f32[3,5]", "#tpu.tiled<,[5,1]>"),
        ("f32[3,5]{0,1}", "#tpu.tiled<,[1,3]>"),
        // From the documentation of Pallas and from dumps of its compiler.
        ("s32[8,128]{1,0:T(8,128)}", "#tpu.tiled<(8,128),[1,1]>"),
        ("bf16[1024,2048]{1,0:T(8,128)(2,1)}", "#tpu.tiled<(8,128)(2,1),[16,1]>"),
        // Dimensions that no tile covers stand in any order.
        ("f32[2,3,20,300]{3,2,0,1:T(8,128)}", "#tpu.tiled<(8,128),[9,18,3,1]>"),
        ("f32[7,300]{1,0:T(256)}", "#tpu.tiled<(256),[2,1]>"),
        ("f32[?,20,300]{2,1,0:T(8,128)}", "#tpu.tiled<(8,128),[9,3,1]>"),
    ] {
        assert_eq!(mosaic(layout).as_deref(), Ok(expected), "{layout}");
    }
    for (layout, reason) in [
        ("f32[20,300]{0,1:T(8,128)}", NotationError::Order),
        ("f32[]{:T(128)}", NotationError::TileTooLong),
        ("f32[300]{0:T(1,128)}", NotationError::TileTooLong),
        ("f32[20,300]{1,0:T(8,128)(2,4,64)}", NotationError::Indivisible { tile: None }),
        ("f32[20,300]{1,0:T(8,128)(3,1)}", NotationError::Indivisible { tile: None }),
        ("f32[2,20,300]{2,1,0:T(*,8,128)}", NotationError::Combined),
        ("f32[20,?]{1,0:T(8,128)}", NotationError::UnknownSize(UnknownSize { dim: 1 })),
    ] {
        assert_eq!(mosaic(layout), Err(reason), "{layout}");
    }
}
