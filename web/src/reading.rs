//! What the notation of a layout says, in words: each part with its meaning.

use layout_core::{ArrayShape, Size};

/// As in `T(2,2)`, "stored tile by tile, each 2×2".
pub(crate) fn reading(shape: &ArrayShape) -> Vec<[String; 2]> {
    let sizes = shape.dims().iter().filter_map(|dim| dim.size()).collect::<Vec<_>>();
    let array = format!("{}[{}]", shape.element_type().name(), joined(&sizes, ","));
    let count = if sizes.is_empty() { "1".to_owned() } else { joined(&sizes, " × ") };
    let elements = if shape.elements() == Some(1) { "element" } else { "elements" };
    let what = format!("{count} {elements} of {}", bits(shape.element_bits()));
    let mut parts = vec![[array, what]];
    let mut say = |token: String, what: String| parts.push([token, what]);
    let order = shape.minor_to_major();
    if let [minor, others @ .., major] = order {
        let mut what = format!("dimension {minor} varies fastest");
        if !others.is_empty() {
            what += &format!(", dimension {major} slowest");
        }
        say(format!("{{{}}}", joined(order, ",")), what);
    }
    if let Some(widths) = shape.padded_dimensions() {
        let what = format!("padded to {} before anything else", joined(widths, " × "));
        say(format!("PAD({})", joined(widths, ",")), what);
    }
    let tiles = shape.tiles().to_string();
    for (number, token) in tiles.split_inclusive(')').enumerate() {
        let entries = token.trim_matches(['(', ')']).split(',').collect::<Vec<_>>();
        let sizes = entries.iter().filter(|entry| **entry != "*").collect::<Vec<_>>();
        let mut room = joined(&sizes, "×") + if sizes.len() == 1 { " elements" } else { "" };
        // Which dimensions, where that is not plain.
        if number == 0 && !token.contains('*') && entries.len() <= order.len() {
            let dims = order[..entries.len()].iter().rev().collect::<Vec<_>>();
            if entries.len() < order.len() || !dims.is_sorted() {
                let plural = if dims.len() == 1 { "" } else { "s" };
                room += &format!(" along dimension{plural} {}", joined(&dims, " and "));
            }
        }
        let what = match number {
            0 => format!("stored tile by tile, each {room}"),
            _ => format!("each of these tile by tile in turn, each {room}"),
        };
        let stars = "; `*` combines a dimension with the next more minor one";
        let start = if number == 0 { "T" } else { "" };
        say(format!("{start}{token}"), what + if token.contains('*') { stars } else { "" });
    }
    let (multiple, space) = (shape.tail_padding_alignment(), shape.memory_space());
    if multiple > 1 {
        say(format!("L({multiple})"), format!("a multiple of {multiple} elements in memory"));
    }
    if let Some(size) = shape.element_size_in_bits() {
        say(format!("E({size})"), format!("{} of memory for each element", bits(size)));
    }
    if space != 0 {
        say(format!("S({space})"), format!("in memory space {space}"));
    }
    if !shape.swizzle().is_none() {
        let what = "bits of each offset are then XORed with higher ones, so that a column meets different banks";
        say(format!("swizzle = {}", shape.swizzle()), what.to_owned());
    }
    parts
}

fn bits(bits: Size) -> String {
    match bits {
        8 => "1 byte".to_owned(),
        1 => "1 bit".to_owned(),
        bits if bits % 8 == 0 => format!("{} bytes", bits / 8),
        bits => format!("{bits} bits"),
    }
}

pub(crate) fn joined(numbers: &[impl ToString], between: &str) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}
