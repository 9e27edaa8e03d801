//! A two-dimensional layout as a grid of offsets.

use layout::Layout;

/// Prints the offset of each element, and the padding around them.
pub(crate) fn print<L: Layout<2>>() {
    let [rows, columns] = L::DIMS;
    // The first tile pads the array to whole tiles; these layouts have no other padding.
    let [height, width] = [0, 1].map(|dim| {
        let tiles = L::SHAPE.tiles();
        match tiles.get(0)[dim] {
            layout::shape::TileDim::Size(size) => L::DIMS[dim].next_multiple_of(size),
            layout::shape::TileDim::Combined => L::DIMS[dim],
        }
    });
    let padded = L::SHAPE.to_string().replacen(
        &format!("[{rows},{columns}]"),
        &format!("[{height},{width}]"),
        1,
    );
    let padded = match padded.parse::<layout::ArrayShape>() {
        Ok(shape) => shape,
        Err(error) => return eprintln!("{error}"),
    };
    let Ok(padded) = padded.digits() else { return };
    for i in 0..height {
        let row = (0..width).map(|j| match L::checked_offset([i, j]) {
            Some(offset) => format!("{offset:>5} "),
            None => format!("{:>6}", format!("({})", padded.offset(&[i, j]).unwrap_or_default())),
        });
        println!("{}", row.collect::<String>());
    }
    let memory = (0..L::PADDED_ELEMENTS).map(|slot| match L::index(slot) {
        Some([i, j]) => format!("{i},{j}"),
        None => "---".to_owned(),
    });
    println!("\nin memory: {}", memory.collect::<Vec<_>>().join(" "));
}
