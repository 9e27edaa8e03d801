//! A product of bytes with sums in 32 bits. The weights lie in the tiles in which TPUs hold bytes, 32 rows of 128 with
//! four rows side by side in each word of 32 bits: a word is what an instruction of VNNI multiplies and adds.

use core::array;

use layout::{Layout, TiledBy, View, element, order, tiles};

use crate::vnni;

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
pub(crate) const WIDTH: usize = 128;
/// Words of a column of a tile.
pub(crate) const WORDS: usize = 8;
/// A tile: eight times 128 words.
pub(crate) type Tile = [i8; 4 * WORDS * WIDTH];

/// The left operand, for as many rows of the weights as a tile has one after another: of each row eight words of four
/// bytes, 128 added to each, since VNNI multiplies bytes without a sign by bytes with one.
pub(crate) struct Left {
    words: Vec<[u32; WORDS]>,
    rows: usize,
}

impl Left {
    /// Of a row-major array.
    pub(crate) fn new(bytes: &[i8], rows: usize) -> Left {
        let depth = bytes.len() / rows;
        let steps = (0..depth).step_by(4 * WORDS);
        let words = steps.flat_map(|step| {
            bytes.chunks_exact(depth).map(move |row| {
                let (fours, _) = row[step..].as_chunks::<4>();
                array::from_fn(|word| {
                    u32::from_le_bytes(fours[word].map(|x| x.cast_unsigned() ^ 0x80))
                })
            })
        });
        Left { words: words.collect(), rows }
    }

    /// Columns of tiles whose sums stay in the second-level cache.
    pub(crate) fn slab(&self) -> usize {
        (CACHED / (size_of::<[i32; WIDTH]>() * self.rows)).max(1)
    }
}

/// Adds to rows of sums the products of as many rows of words and a tile.
type Add<const ROWS: usize> = fn(&[[u32; WORDS]; ROWS], &Tile, &mut [[i32; WIDTH]; ROWS]);

/// One row or four at a time, so that sums fit in registers.
#[derive(Clone, Copy)]
pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    pub(crate) one: Add<1>,
    pub(crate) four: Add<4>,
}

impl Kernel {
    pub(crate) const PORTABLE: Kernel = Kernel { name: "portable", one: portable, four: portable };

    /// The best one for this machine.
    pub(crate) fn best() -> Kernel {
        vnni::kernel().unwrap_or(Kernel::PORTABLE)
    }
}

fn portable<const ROWS: usize>(
    left: &[[u32; WORDS]; ROWS],
    tile: &Tile,
    sums: &mut [[i32; WIDTH]; ROWS],
) {
    for (left, sums) in left.iter().zip(sums) {
        for (word, line) in left.iter().zip(tile.as_chunks::<{ 4 * WIDTH }>().0) {
            let left = word.to_le_bytes().map(i32::from);
            for (sum, right) in sums.iter_mut().zip(line.as_chunks::<4>().0) {
                for (left, right) in left.iter().zip(right) {
                    *sum += left * i32::from(*right);
                }
            }
        }
    }
}

/// What 128 times each column of the weights adds up to, negative: where sums begin, since 128 is added to each number
/// on the left.
pub(crate) fn corrections<L: ByTiles>(weights: View<'_, L, i8>) -> Vec<i32> {
    let mut corrections = vec![0; L::DIMS[1]];
    for tile in weights.tiles() {
        let [_, column] = tile.origin();
        for line in tile.as_array::<{ size_of::<Tile>() }>().as_chunks::<{ 4 * WIDTH }>().0 {
            let words = line.as_chunks::<4>().0;
            for (sum, word) in corrections[column..].iter_mut().zip(words) {
                *sum -= 128 * word.iter().map(|x| i32::from(*x)).sum::<i32>();
            }
        }
    }
    corrections
}

/// Bytes of sums that stay in the second-level cache beside the weights.
const CACHED: usize = 256 << 10;

/// `result = left · weights`, row-major; `corrections` are those of the weights.
///
/// The weights are read in the order of memory, slab by slab: a slab is some columns of `tiles`. As many as
/// [`Left::slab`] says keep the sums in the second-level cache. With one, the sums could stay in registers, but nobody
/// should do so: each tile is a page of memory far from the last one, so that no prefetcher of the machine helps.
pub(crate) fn multiply<L: ByTiles>(
    kernel: Kernel,
    left: &Left,
    weights: View<'_, L, i8>,
    corrections: &[i32],
    result: &mut [i32],
    tiles: usize,
) {
    const { assert!(L::DIMS[0].is_multiple_of(L::TILE_DIMS[0]) && L::DIMS[1].is_multiple_of(WIDTH)) }
    let (rows, width) = (left.rows, L::DIMS[1]);
    // Sums for a tile lie together: rows of the result can be as far apart as the ways of a cache.
    let mut sums = vec![[0; WIDTH]; tiles.min(width / WIDTH) * rows];
    for first in (0..width).step_by(tiles * WIDTH) {
        let columns = first..width.min(first + tiles * WIDTH);
        let corrections = corrections[columns.clone()].as_chunks().0;
        for (sums, corrections) in sums.chunks_exact_mut(rows).zip(corrections) {
            sums.fill(*corrections);
        }
        let slab = weights.slice((.., columns.clone())).expect("it is in bounds");
        for tile in slab.tiles().expect("slabs are whole tiles") {
            let [row, column] = tile.origin();
            let left = &left.words[row / L::TILE_DIMS[0] * rows..][..rows];
            let sums = &mut sums[(column - first) / WIDTH * rows..][..rows];
            add(kernel, left, tile.as_array(), sums);
        }
        for (row, result) in result.chunks_exact_mut(width).enumerate() {
            let results = result[columns.clone()].as_chunks_mut().0;
            for (result, sums) in results.iter_mut().zip(sums[row..].iter().step_by(rows)) {
                *result = *sums;
            }
        }
    }
}

/// Adds the products of all rows and a tile.
fn add(kernel: Kernel, left: &[[u32; WORDS]], tile: &Tile, sums: &mut [[i32; WIDTH]]) {
    let ((fours, rest), (sums, sums_of_rest)) = (left.as_chunks(), sums.as_chunks_mut());
    for (left, sums) in fours.iter().zip(sums) {
        (kernel.four)(left, tile, sums);
    }
    for (left, sums) in rest.iter().zip(sums_of_rest) {
        (kernel.one)(array::from_ref(left), tile, array::from_mut(sums));
    }
}
