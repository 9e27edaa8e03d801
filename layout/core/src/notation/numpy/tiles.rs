//! Tiles as the library prints them for numpy, one after another: also those that pad other tiles.

use crate::analysis::pad_reshape_transpose::Bounds;
use crate::base::width::native;
use crate::limits::{MAX_BOUNDS, Size};
use crate::notation::numpy::calls::{Call, Calls};
use crate::notation::numpy::read::filled;
use crate::notation::numpy::{Numpy, Same};
use crate::shape::array::ArrayShape;
use crate::shape::tiles::{TileDim, Tiles};

/// The layout for which the library prints this text.
pub(super) fn printed(plain: &ArrayShape, calls: Calls<'_>, text: &str) -> Option<ArrayShape> {
    // What pads first is the first tile or `PAD`.
    [false, true].into_iter().find_map(|is_widened| {
        let shape = candidate(plain, calls, is_widened)?;
        Same::is(text, Numpy::of(&shape).ok()?).then_some(shape)
    })
}

fn candidate(plain: &ArrayShape, mut calls: Calls<'_>, is_widened: bool) -> Option<ArrayShape> {
    let (rank, mut shape) = (plain.rank(), *plain.fields());
    if is_widened {
        let Call::Pad = calls.next().ok()?? else { return None };
        shape.padded_dims[..rank].copy_from_slice(&calls.axes);
        shape.has_padding = true;
    }
    let mut ahead = calls;
    if let Ok(Some(Call::Transpose(order))) = ahead.next() {
        calls = ahead;
        for (to, dim) in shape.minor_to_major.iter_mut().zip(order.iter().rev()) {
            *to = native(*dim);
        }
    }
    let mut tiles = Tiles::NONE;
    while !is_end(calls, &mut shape.tail_alignment) {
        // What is reshaped before it is padded is combined, or else a tile without padding.
        calls = tile(calls, true, &mut tiles).or_else(|| tile(calls, false, &mut tiles))?;
    }
    while let Ok(Some(_)) = calls.next() {}
    let ordered = plain.laid_out(&shape.minor_to_major[..rank], &tiles).ok()?;
    (shape.tiles, shape.splits) = (tiles, *ordered.splits());
    filled(&shape.checked().ok()?, calls.fill)
}

/// Whether `.reshape(-1)` ends the expression, or padding after it, whose end the memory is then aligned to.
fn is_end(mut calls: Calls<'_>, tail_alignment: &mut Size) -> bool {
    if !matches!(calls.next(), Ok(Some(Call::Reshape))) || calls.axes.len() != 1 {
        return false;
    }
    match calls.next() {
        Ok(None) => true,
        Ok(Some(Call::Pad)) if matches!(calls.next(), Ok(None)) => {
            *tail_alignment = calls.axes[0];
            true
        }
        _ => false,
    }
}

/// Reads the calls that the next tile makes, and adds it. `None` if no tile makes them.
fn tile<'a>(mut calls: Calls<'a>, may_combine: bool, tiles: &mut Tiles) -> Option<Calls<'a>> {
    let bounds = calls.axes;
    let mut ahead = calls;
    if may_combine && matches!(ahead.next(), Ok(Some(Call::Reshape))) {
        let combined = ahead;
        if *combined.axes != *bounds && matches!(ahead.next(), Ok(Some(Call::Pad))) {
            calls = combined;
        }
    }
    let unpadded = calls.axes;
    let mut call = calls.next().ok()??;
    let is_padded = matches!(call, Call::Pad);
    if is_padded {
        call = calls.next().ok()??;
    }
    let Call::Reshape = call else { return None };
    let reshaped = calls.axes;
    let mut covered = 1;
    let mut ahead = calls;
    if let Ok(Some(Call::Transpose(order))) = ahead.next() {
        calls = ahead;
        // The dimensions before those that the tile covers stay where they are.
        let moved = order.iter().enumerate().position(|(at, from)| at != native(*from));
        let before = moved.unwrap_or(order.len()).saturating_sub(1);
        covered = (order.len() - before) / 2;
    }
    let before = reshaped.len().checked_sub(2 * covered)?;
    let mut combined = Bounds::new();
    for &bound in &reshaped[..before] {
        combined.push(bound);
    }
    for pair in reshaped[before..].chunks_exact(2) {
        combined.push(pair[0].checked_mul(pair[1])?);
    }
    if is_padded {
        combined = unpadded;
    }
    let (entries, len) = entries(&bounds, &combined, &reshaped, covered)?;
    let mut added = *tiles;
    let is_added = added.begin() && entries[..len].iter().rev().all(|dim| added.push(*dim));
    is_added.then(|| {
        *tiles = added;
        calls
    })
}

/// The entries of the tile that makes of the bounds the combined ones, most minor first.
fn entries(
    bounds: &Bounds,
    combined: &Bounds,
    reshaped: &Bounds,
    covered: usize,
) -> Option<([TileDim; MAX_BOUNDS], usize)> {
    let before = combined.len().checked_sub(covered)?;
    let mut entries = [TileDim::Combined; MAX_BOUNDS];
    let mut len = 0;
    let mut left = bounds.len();
    for at in (before..combined.len()).rev() {
        *entries.get_mut(len)? = TileDim::Size(*reshaped.get((2 * at + 1).checked_sub(before)?)?);
        len += 1;
        // Without bounds it covers one of size 1 that is put before them.
        let mut product: Size = 1;
        if left > 0 {
            left -= 1;
            product = bounds[left];
        }
        while product < combined[at] && left > 0 {
            left -= 1;
            product = product.checked_mul(bounds[left])?;
            // The `*` is there already.
            len += 1;
        }
        if product != combined[at] {
            return None;
        }
    }
    while left > before {
        left -= 1;
        len += 1;
        if bounds[left] != 1 {
            return None;
        }
    }
    (left == before && len <= entries.len()).then_some((entries, len))
}
