//! The product by hand, without the library: weights packed for nothing but these loops.

use crate::kernel::word;
use crate::vnni;

/// Columns of a panel.
pub(crate) const PANEL: usize = 64;

/// Adds to rows of sums the products of all words of as many rows and a panel.
type Down<const ROWS: usize> = fn([&[u32]; ROWS], &[[[i8; 64]; 4]], [&mut [i32; PANEL]; ROWS]);

/// One row or four at a time, so that sums fit in registers.
#[derive(Clone, Copy)]
pub(crate) struct Panels {
    pub(crate) one: Down<1>,
    pub(crate) four: Down<4>,
}

impl Panels {
    pub(crate) const PORTABLE: Panels = Panels { one: portable, four: portable };

    /// The best ones for this machine.
    pub(crate) fn best() -> Panels {
        vnni::panels().unwrap_or(Panels::PORTABLE)
    }
}

/// Packs a row-major array: panels of 64 columns, in each from top to bottom four rows side by side.
pub(crate) fn pack(weights: &[i8], width: usize) -> Vec<i8> {
    let mut packed = Vec::with_capacity(weights.len());
    for panel in (0..width).step_by(PANEL) {
        for rows in weights.chunks_exact(4 * width) {
            for column in panel..panel + PANEL {
                packed.extend([0, 1, 2, 3].map(|row| rows[row * width + column]));
            }
        }
    }
    packed
}

/// A row-major array in words of four bytes, each as [`word`] makes it.
pub(crate) fn words(bytes: &[i8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().copied().map(word).collect()
}

/// `result = left · weights`, row-major; `left` has `rows` rows.
pub(crate) fn multiply(
    panels: Panels,
    left: &[u32],
    rows: usize,
    packed: &[i8],
    corrections: &[i32],
    result: &mut [i32],
) {
    let width = corrections.len();
    result.chunks_exact_mut(width).for_each(|row| row.copy_from_slice(corrections));
    let lines = packed.as_chunks::<64>().0.as_chunks::<4>().0;
    for (number, panel) in lines.chunks_exact(lines.len() / (width / PANEL)).enumerate() {
        let mut rows = left.chunks_exact(left.len() / rows);
        let mut sums = result
            .chunks_exact_mut(width)
            .map(|row| row[number * PANEL..].first_chunk_mut().expect("whole panels"));
        while rows.len() >= 4 {
            let four = [(); 4].map(|()| (rows.next().expect("4"), sums.next().expect("as many")));
            let [(a, d), (b, e), (c, f), (g, h)] = four;
            (panels.four)([a, b, c, g], panel, [d, e, f, h]);
        }
        for (left, sums) in rows.zip(sums) {
            (panels.one)([left], panel, [sums]);
        }
    }
}

fn portable<const ROWS: usize>(
    left: [&[u32]; ROWS],
    panel: &[[[i8; 64]; 4]],
    sums: [&mut [i32; PANEL]; ROWS],
) {
    for (left, sums) in left.into_iter().zip(sums) {
        for (word, line) in left.iter().zip(panel) {
            let left = word.to_le_bytes().map(i32::from);
            for (sum, right) in sums.iter_mut().zip(line.as_flattened().as_chunks::<4>().0) {
                for (left, right) in left.iter().zip(right) {
                    *sum += left * i32::from(*right);
                }
            }
        }
    }
}
