//! Slices, tiles and rows as bytes, by looking at every slot of the naive memory.

use std::ops::Range;

use layout::ArrayShape;
use layout::shape::Size;
use layout::shape::analysis::NotAddressable;

use crate::lists::array;
use crate::naive::{Naive, unflatten};

/// Slots times parts that are looked at in each way of cutting an array.
const MOST: usize = 1 << 12;

/// Compares the bytes of parts, of each kind, in elements of 32 and of 4 bits.
///
/// # Panics
/// At the first difference.
pub fn check(naive: &Naive, memory: &[Option<Size>]) {
    let whole = array(&naive.text("f32"));
    let packed = array(&naive.text("u4")).with_packed_elements(true).expect("it takes less memory");
    for (shape, bits) in [(&whole, 32), (&packed, 4)] {
        let is_full = memory.iter().all(Option::is_some);
        assert_eq!(shape.is_contiguous(), Some(is_full), "{shape}");
        let rank = naive.dims.len();
        for given in 0..=rank {
            let size = (0..rank).map(|dim| if dim < given { 1 } else { naive.dims[dim] });
            parts(naive, memory, bits, &size.collect::<Vec<_>>(), |index| {
                shape.slice_bytes(&index[..given])
            });
        }
        let mut row = vec![1; rank];
        if let Some(&minor) = naive.minor_to_major.first() {
            row[minor] = naive.dims[minor];
        }
        parts(naive, memory, bits, &row, |index| shape.row_bytes(index));
        match tile(naive) {
            Some(size) => parts(naive, memory, bits, &size, |index| shape.tile_bytes(index)),
            None => {
                let found = shape.tile_bytes(&vec![0; rank]);
                assert_eq!(found, Err(NotAddressable::CombinedTile), "{shape}");
            }
        }
    }
}

/// Sizes of a tile, if it is a box of the array.
fn tile(naive: &Naive) -> Option<Vec<Size>> {
    let mut size = vec![1; naive.dims.len()];
    match naive.tiles.first() {
        None => size = naive.padded.clone().unwrap_or_else(|| naive.dims.clone()),
        Some(tile) => {
            for entry in tile {
                entry.as_ref()?;
            }
            for (&dim, entry) in naive.minor_to_major.iter().zip(tile.iter().rev()) {
                size[dim] = (*entry)?;
            }
        }
    }
    Some(size)
}

/// Compares parts: the boxes of a size.
fn parts(
    naive: &Naive,
    memory: &[Option<Size>],
    bits: Size,
    size: &[Size],
    found: impl Fn(&[Size]) -> Result<Range<Size>, NotAddressable>,
) {
    let box_of = |index: &[Size]| {
        index.iter().zip(size).map(|(coordinate, size)| coordinate / size).collect::<Vec<_>>()
    };
    let held = memory.iter().enumerate().filter_map(|(slot, number)| {
        let index = unflatten((*number)?, &naive.dims);
        Some((slot as Size, box_of(&index), index))
    });
    let held = held.collect::<Vec<_>>();
    let is_corner = |index: &[Size]| index.iter().zip(size).all(|(at, size)| at % size == 0);
    let corners = held.iter().filter(|(.., index)| is_corner(index));
    let corners = corners.map(|(slot, ..)| *slot).collect::<Vec<_>>();
    let pitch = corners.windows(2).map(|pair| pair[1] - pair[0]).min();
    let rank = naive.dims.len();
    let mut end =
        Naive { tail_alignment: 1, swizzle: None, ..naive.clone() }.memory().len() as Size;
    if let Some((bits, base, shift)) = naive.swizzle
        && rank > 0
    {
        // Bits that no offset has are XORed with nothing. A scalar's only one is 0.
        let [to, from] = [(-shift).max(0), shift.max(0)].map(i32::unsigned_abs);
        let moved = (base..base + bits).filter(|bit| 1 << (bit + from) < end.next_power_of_two());
        let block = moved.map(|bit| 2 << (bit + to)).max().unwrap_or(1);
        end = end.next_multiple_of(block);
    }
    let step = (corners.len() * memory.len() / MOST).max(1);
    for slot in corners.iter().step_by(step) {
        let (_, own, corner) = held.iter().find(|(at, ..)| at == slot).unwrap();
        let slots = || held.iter().filter(|(_, part, _)| part == own).map(|(slot, ..)| *slot);
        let (first, last) = (slots().min().unwrap(), slots().max().unwrap());
        let other = held.iter().find(|(slot, part, _)| *slot > first && part != own);
        // An index of the part that is not its corner, too.
        let inside = held.iter().rfind(|(_, part, _)| part == own).map(|(.., index)| index);
        for index in [corner, inside.unwrap()] {
            let found = found(index);
            let what = || format!("{} {index:?} of {size:?} with {bits} bits", naive.text("f32"));
            if let Some((offset, part, other)) = other
                && *offset < last
            {
                let dim = (0..own.len()).find(|&dim| own[dim] != part[dim]).unwrap();
                let Err(NotAddressable::Interleaved { other: named, .. }) = &found else {
                    panic!("{}: {found:?}, and {other:?} is at {offset}", what());
                };
                let (named, offset) = (*named, *offset);
                let expected =
                    NotAddressable::Interleaved { first, last, offset, other: named, dim };
                assert_eq!((&*named, &found), (&other[..], &Err(expected)), "{}", what());
                continue;
            }
            let mut limit = pitch.map_or(end, |pitch| first + pitch).max(last + 1).min(end);
            if let Some((offset, ..)) = other {
                limit = limit.min(*offset);
            }
            let (start, stop) = (first * bits, limit * bits);
            let bytes = start / 8..stop.div_ceil(8);
            let is_shared = held.iter().any(|(slot, part, _)| {
                part != own && slot * bits < 8 * bytes.end && (slot + 1) * bits > 8 * bytes.start
            });
            let is_wrong = is_shared || start % 8 != 0;
            let [start, end] = [start, stop].map(|bit| bit as u128);
            let expected =
                if is_wrong { Err(NotAddressable::WithinByte { start, end }) } else { Ok(bytes) };
            assert_eq!(found, expected, "{}", what());
        }
    }
}

/// What is wrong with an index, whatever the layout.
///
/// # Panics
/// If another error is found.
pub fn check_wrong(shape: &ArrayShape, dims: &[Size]) {
    let rank = dims.len();
    let long = vec![0; rank + 1];
    let given = |given| Err(NotAddressable::Coordinates { given, rank });
    assert_eq!(shape.slice_bytes(&long), given(rank + 1), "{shape}");
    assert_eq!(shape.row_bytes(&long), given(rank + 1), "{shape}");
    for dim in 0..rank {
        let mut index = vec![0; rank];
        index[dim] = dims[dim];
        let is_outside =
            |found| matches!(found, Err(NotAddressable::OutOfBounds { dim: at, .. }) if at <= dim);
        assert!(is_outside(shape.slice_bytes(&index[..=dim])), "{shape}");
        assert!(is_outside(shape.row_bytes(&index)), "{shape}");
        assert_eq!(shape.row_bytes(&index[..dim]), given(dim), "{shape}");
    }
}
