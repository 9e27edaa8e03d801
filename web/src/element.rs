//! One element, or one slot of padding: its index, its place in memory, and why it is there.

use layout_core::analysis::PadReshapeTranspose;
use layout_core::{ArrayShape, Size};
use serde_json::{Value, json};

use crate::reading::joined;
use crate::refusal::{Refusal, answer, array};

/// What is at an offset. Numbers are texts here and in the answer: those of JavaScript are exact below 2^53 only.
pub fn element(text: &str, offset: &str) -> String {
    answer(array(text).and_then(|shape| at(&shape, offset.parse()?)))
}

fn at(shape: &ArrayShape, offset: Size) -> Result<Value, Refusal> {
    let bit = offset as u128 * shape.element_bits() as u128;
    let byte = match bit % 8 {
        0 => (bit / 8).to_string(),
        part => format!("{}, bit {part}", bit / 8),
    };
    let layout = shape.digits()?;
    if offset >= layout.size() {
        return Err(format!("offset {offset} is past the end").into());
    }
    let index = layout.index(offset);
    let why = index.as_ref().map(|index| why(shape, index, offset));
    let index = index.map(|index| index.iter().map(Size::to_string).collect::<Vec<_>>());
    Ok(json!({"index": index, "offset": offset.to_string(), "byte": byte, "why": why}))
}

/// `[2,3] is in tile (1,1), at (0,1) of it: 4 tiles · 4 + 1 = 17`.
fn why(shape: &ArrayShape, index: &[Size], offset: Size) -> String {
    // From the most major dimension to the most minor one, as tiles count them.
    let order = || shape.minor_to_major().iter().rev();
    let widths = |dim: usize| shape.padded_dimensions().map(|widths| widths[dim]);
    let size = |dim: usize| widths(dim).or(shape.dims()[dim].size()).unwrap_or(1);
    let mut at = order().map(|dim| index[*dim]).collect::<Vec<_>>();
    let mut bounds = order().map(|dim| size(*dim)).collect::<Vec<_>>();
    let list = |numbers: &[Size]| joined(numbers, ",");
    let mut says = format!("[{}]", list(index));
    // Where the dimensions that count the tiles of each level begin, and those that count elements.
    let mut levels = vec![0];
    // Whether a tile takes those before it apart. Then only the last array says something.
    let mut is_apart = false;
    let steps = PadReshapeTranspose::of(shape).collect::<Vec<_>>();
    for step in &steps {
        let place = coordinates(linear(&at, &bounds), &step.combined);
        let (counts, tile) = step.result.split_at(place.len());
        let (before, outer) = (place.len() - tile.len(), levels[levels.len() - 1]);
        let is_first = outer == 0;
        is_apart |= !is_first && (before < outer || bounds != *step.combined);
        if is_first && at != index {
            says += &format!(" (from major to minor {})", list(&at));
        }
        if is_first && place != at {
            let how = if place.len() < at.len() { "combined" } else { "counted as" };
            says += &format!(" ({how} {})", list(&place));
        }
        let parts = place[before..].iter().zip(tile).map(|(at, size)| (at / size, at % size));
        let (of, inside): (Vec<_>, Vec<_>) = parts.unzip();
        (at, bounds) = ([&place[..before], &of, &inside].concat(), step.result.to_vec());
        let own = list(at.get(outer..counts.len()).unwrap_or(&[]));
        let size = if steps.len() > 1 { joined(tile, "×") + " " } else { String::new() };
        let so = if is_first { " is in" } else { ", and there in" };
        says += &format!("{so} {size}tile ({own}), at ({}) of it", list(&inside));
        levels.push(counts.len());
    }
    if is_apart {
        says = format!(
            "[{}] is at ({}) of [{}], after all steps",
            list(index),
            list(&at),
            list(&bounds)
        );
    }
    let is_tiled = !steps.is_empty() && !is_apart;
    let own = (0..bounds.len()).filter(|dim| bounds[*dim] > 1);
    let mut cuts = if is_tiled { levels } else { own.collect() };
    if cuts.is_empty() {
        cuts.push(0);
    }
    cuts.push(bounds.len());
    let terms = cuts.windows(2).map(|cut| {
        let value = linear(&at[cut[0]..cut[1]], &bounds[cut[0]..cut[1]]);
        match bounds[cut[1]..].iter().product::<Size>() {
            _ if cut[1] == bounds.len() => value.to_string(),
            stride if is_tiled && value == 1 => format!("1 tile · {stride}"),
            stride if is_tiled => format!("{value} tiles · {stride}"),
            stride => format!("{value}·{stride}"),
        }
    });
    let (sum, straight) = (terms.collect::<Vec<_>>().join(" + "), linear(&at, &bounds));
    let moved = format!(", which the swizzle moves to {offset}");
    format!("{says}: {sum} = {straight}{}", if straight == offset { "" } else { &moved })
}

/// The position in a row-major array.
fn linear(at: &[Size], bounds: &[Size]) -> Size {
    at.iter().zip(bounds).fold(0, |position, (at, bound)| position * bound + at)
}

/// The coordinates at a position of a row-major array.
fn coordinates(mut position: Size, bounds: &[Size]) -> Vec<Size> {
    let mut at = vec![0; bounds.len()];
    for (at, bound) in at.iter_mut().zip(bounds).rev() {
        (*at, position) = (position % bound, position / bound);
    }
    at
}
