//! One element, or one slot of padding: its index, its place in memory, and why it is there.

use layout_core::analysis::PadReshapeTranspose;
use layout_core::{ArrayShape, Size};
use serde_json::{Value, json};

use crate::array::joined;
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

/// A tile that an element is in.
struct Level {
    /// Dimensions that count tiles, in the array that tiling has made of it.
    dims: usize,
    /// Its number among the tiles beside it.
    number: Size,
}

/// `[2,3] is in tile (1,1), at (0,1) of it: 4 tiles · 4 + 1 = 17`.
fn why(shape: &ArrayShape, index: &[Size], offset: Size) -> String {
    // From the most major dimension to the most minor one, as tiles count them.
    let order = || shape.minor_to_major().iter().rev();
    let widths = |dim: usize| shape.padded_dimensions().map(|widths| widths[dim]);
    let size = |dim: usize| widths(dim).or(shape.dims()[dim].size()).unwrap_or(1);
    let mut at = order().map(|dim| index[*dim]).collect::<Vec<_>>();
    let mut bounds = order().map(|dim| size(*dim)).collect::<Vec<_>>();
    let mut says = format!("[{}]", joined(index, ","));
    let (mut levels, mut are_nested) = (Vec::<Level>::new(), true);
    let steps = PadReshapeTranspose::of(shape).collect::<Vec<_>>();
    for step in &steps {
        let (combined, result) = (&step.combined, &step.result);
        let (counts, tile) = result.split_at(combined.len());
        let before = combined.len() - tile.len();
        let outer = levels.last().map_or(0, |level| level.dims);
        let place = coordinates(linear(&at, &bounds), combined);
        if levels.is_empty() {
            let mut notes = Vec::new();
            if at != index {
                notes.push(format!("from major to minor ({})", joined(&at, ",")));
            }
            if place != at {
                let how = if place.len() < at.len() { "combined" } else { "counted as" };
                notes.push(format!("{how} ({})", joined(&place, ",")));
            }
            let notes = notes.iter().map(|note| format!(", {note}")).collect::<String>();
            says += &if notes.is_empty() { " is in ".to_owned() } else { notes + ", is in " };
        } else {
            are_nested &= outer <= before && bounds == **combined;
            says += ", and there in ";
        }
        let (mut of, mut inside) = (place[..before].to_vec(), Vec::new());
        for (at, size) in place[before..].iter().zip(tile) {
            of.push(at / size);
            inside.push(at % size);
        }
        let size = if steps.len() > 1 { joined(tile, "×") + " " } else { String::new() };
        let own = of.get(outer..).unwrap_or(&[]);
        says += &format!("{size}tile ({}), at ({}) of it", joined(own, ","), joined(&inside, ","));
        let number = linear(own, counts.get(outer..).unwrap_or(&[]));
        levels.push(Level { dims: counts.len(), number });
        (at, bounds) = ([of, inside].concat(), result.to_vec());
    }
    let sum = if are_nested && !levels.is_empty() {
        let inner = levels.last().map_or(0, |level| level.dims);
        let tiles = levels.iter().map(|Level { dims, number }| {
            let plural = if *number == 1 { "" } else { "s" };
            format!("{number} tile{plural} · {}", bounds[*dims..].iter().product::<Size>())
        });
        let rest = linear(&at[inner..], &bounds[inner..]).to_string();
        tiles.chain([rest]).collect::<Vec<_>>().join(" + ")
    } else {
        // Where a tile takes others apart, only the last array says something.
        if !are_nested {
            let [at, bounds] = [&at, &bounds].map(|numbers| joined(numbers, ","));
            says = format!("[{}] is at ({at}) of [{bounds}], after all steps", joined(index, ","));
        }
        let stride = |dim: usize| bounds[dim + 1..].iter().product::<Size>();
        let term = |(dim, at): (usize, &Size)| match stride(dim) {
            1 => at.to_string(),
            stride => format!("{at}·{stride}"),
        };
        let terms = at.iter().enumerate().filter(|(dim, _)| bounds[*dim] > 1).map(term);
        let terms = terms.collect::<Vec<_>>().join(" + ");
        if terms.is_empty() { "0".to_owned() } else { terms }
    };
    let straight = linear(&at, &bounds);
    let moved = if straight == offset {
        String::new()
    } else {
        format!(", which the swizzle moves to {offset}")
    };
    format!("{says}: {sum} = {straight}{moved}")
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
