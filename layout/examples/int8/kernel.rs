//! A product of bytes with sums in 32 bits. The weights lie in the tiles in which TPUs hold bytes, 32 rows of 128 with
//! four rows side by side in each word of 32 bits.

use core::array;

use layout::{Layout, TiledBy, View, element, order, tiles};

/// What the kernel reads: such tiles, those of a row of tiles one after another in memory.
pub(crate) trait ByTiles:
    Layout<2, Element = element::S8, Width = element::Bits<8>>
    + TiledBy<order!(1, 0), tiles!((32, 128)(4, 1))>
{
}

impl<L> ByTiles for L where
    L: Layout<2, Element = element::S8, Width = element::Bits<8>>
        + TiledBy<order!(1, 0), tiles!((32, 128)(4, 1))>
{
}

/// Columns of a tile.
const WIDTH: usize = 128;
/// Words of a column of a tile.
const WORDS: usize = 8;
/// A tile: eight times 128 words.
type Tile = [i8; 4 * WORDS * WIDTH];

/// The left operand, for as many rows of the weights as a tile has one after another: of each row eight words of four
/// bytes.
pub(crate) struct Left {
    words: Vec<[[i8; 4]; WORDS]>,
    rows: usize,
}

impl Left {
    /// Of a row-major array.
    pub(crate) fn new(bytes: &[i8], rows: usize) -> Left {
        let depth = bytes.len() / rows;
        let steps = (0..depth).step_by(4 * WORDS);
        let words = steps.flat_map(|step| {
            let fours = move |row: &[i8]| array::from_fn(|word| row[step..].as_chunks().0[word]);
            bytes.chunks_exact(depth).map(fours)
        });
        Left { words: words.collect(), rows }
    }

    /// Columns of tiles whose sums stay in the second-level cache.
    pub(crate) fn slab(&self) -> usize {
        (CACHED / (size_of::<[i32; WIDTH]>() * self.rows)).max(1)
    }
}

/// Bytes of sums that stay in the second-level cache beside the weights.
const CACHED: usize = 256 << 10;

/// `result = left · weights`, row-major.
///
/// The weights are read in the order of memory, slab by slab: a slab is some columns of `tiles`. As many as
/// [`Left::slab`] says keep the sums in the second-level cache. With one, the sums could stay in registers, but nobody
/// should do so: each tile is a page of memory far from the last one, so that no prefetcher of the machine helps.
pub(crate) fn multiply<L: ByTiles>(
    left: &Left,
    weights: View<'_, L, i8>,
    result: &mut [i32],
    tiles: usize,
) {
    const { assert!(L::DIMS[0].is_multiple_of(L::TILE_DIMS[0]) && L::DIMS[1].is_multiple_of(WIDTH)) }
    let (rows, width) = (left.rows, L::DIMS[1]);
    // Sums for a tile lie together: rows of the result can be as far apart as the ways of a cache.
    let mut sums = vec![[0; WIDTH]; tiles.min(width / WIDTH) * rows];
    for first in (0..width).step_by(tiles * WIDTH) {
        let columns = first..width.min(first + tiles * WIDTH);
        sums.fill([0; WIDTH]);
        let slab = weights.slice((.., columns.clone())).expect("it is in bounds");
        for tile in slab.tiles().expect("slabs are whole tiles") {
            let [row, column] = tile.origin();
            let left = &left.words[row / L::TILE_DIMS[0] * rows..][..rows];
            add(left, tile.as_array(), &mut sums[(column - first) / WIDTH * rows..][..rows]);
        }
        for (row, result) in result.chunks_exact_mut(width).enumerate() {
            let results = result[columns.clone()].as_chunks_mut().0;
            for (result, sums) in results.iter_mut().zip(sums[row..].iter().step_by(rows)) {
                *result = *sums;
            }
        }
    }
}

/// Adds the products of rows of words and a tile.
fn add(left: &[[[i8; 4]; WORDS]], tile: &Tile, sums: &mut [[i32; WIDTH]]) {
    for (left, sums) in left.iter().zip(sums) {
        for (left, line) in left.iter().zip(tile.as_chunks::<{ 4 * WIDTH }>().0) {
            for (sum, right) in sums.iter_mut().zip(line.as_chunks::<4>().0) {
                for (left, right) in left.iter().zip(right) {
                    *sum += i32::from(*left) * i32::from(*right);
                }
            }
        }
    }
}
