//! Tiles as the library prints them for numpy, one after another: also those that pad other tiles.

use crate::notation::numpy::calls::{Call, Calls};
use crate::notation::numpy::{Numpy, Same};
use layout_core::base::width::native;
use layout_core::limits::{MAX_BOUNDS, Size};
use layout_core::{ArrayShape, Fill, TileDim, Tiles};

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
    if let (true, Ok(Some(Call::Reshape)), reshaped, Ok(Some(Call::Pad))) =
        (may_combine, ahead.next(), ahead, ahead.next())
        && *reshaped.axes != *bounds
    {
        calls = reshaped;
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
    if is_padded && unpadded.len() != before + covered {
        return None;
    }
    // From the most minor dimension on: its entry, and a `*` for each further dimension that it is combined with.
    let mut entries = [TileDim::Combined; MAX_BOUNDS];
    let mut len = 0;
    let mut left = bounds.iter().copied().rev();
    for (at, pair) in reshaped[before..].chunks_exact(2).enumerate().rev() {
        *entries.get_mut(len)? = TileDim::Size(pair[1]);
        len += 1;
        let combined =
            if is_padded { unpadded[before + at] } else { pair[0].checked_mul(pair[1])? };
        // Without dimensions it covers one of size 1 that is put before them.
        let mut product = left.next().unwrap_or(1);
        while product < combined {
            product = product.checked_mul(left.next()?)?;
            len += 1;
        }
        if product != combined {
            return None;
        }
    }
    while left.len() > before {
        len += 1;
        left.next().filter(|size| *size == 1)?;
    }
    let mut added = *tiles;
    let entries = entries.get(..len).filter(|_| left.len() == before)?;
    if !added.begin() || !entries.iter().rev().all(|dim| added.push(*dim)) {
        return None;
    }
    *tiles = added;
    Some(calls)
}

/// The shape with that value of the padding.
pub(super) fn filled(shape: &ArrayShape, fill: Option<Fill>) -> Option<ArrayShape> {
    let mut fields = *shape.fields();
    fields.fill = fill;
    if fill.is_some() && !fields.has_padding {
        fields.has_padding = true;
        for (width, dim) in fields.padded_dims.iter_mut().zip(shape.dims()) {
            *width = dim.size()?;
        }
    }
    fields.checked().ok()
}
