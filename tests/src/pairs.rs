//! Pairs of layouts of one array.

use layout::Size;

use crate::naive::Naive;
use crate::random::Random;

/// Tilings that kernels are made for, and their neighbours.
const TILINGS: &[&[&[Size]]] = &[
    &[],
    &[&[8, 128]],
    &[&[8, 128], &[2, 1]],
    &[&[16, 128], &[2, 1]],
    &[&[32, 128], &[4, 1]],
    &[&[32, 128], &[8, 1]],
    &[&[4, 8], &[2, 1]],
    &[&[8, 16], &[4, 1]],
    &[&[16, 16], &[8, 1]],
    &[&[8, 8]],
    &[&[2, 64]],
    &[&[6, 100]],
    &[&[3, 5], &[2, 1]],
    &[&[64], &[16], &[2, 1]],
    &[&[7]],
    &[&[1, 1]],
    &[&[400, 400]],
];

/// The same array with two layouts, some swizzled: see [`pair`].
pub fn swizzled_pair(random: &mut Random, limit: Size) -> [Naive; 2] {
    pair(random, limit).map(|layout| swizzled(random, layout))
}

/// The same array with two layouts, each of at most `limit` slots.
pub fn pair(random: &mut Random, limit: Size) -> [Naive; 2] {
    loop {
        let is_wild = random.below(2) == 0;
        let rank = random.below(if is_wild { 7 } else { 5 });
        let largest =
            if is_wild { [1, 200, 40, 16, 9, 6, 5] } else { [1, 3000, 300, 60, 20, 9, 6] };
        let mut dims = (0..rank).map(|_| 1 + random.below_size(largest[rank])).collect::<Vec<_>>();
        for dim in &mut dims {
            match random.below(24) {
                0 => *dim = 1,
                1 if is_wild => *dim = 0,
                2..8 => *dim = dim.next_multiple_of(*random.pick(&[2, 4, 8, 16, 32])),
                _ => {}
            }
        }
        let pair = [(); 2].map(|()| layout(random, &dims, is_wild));
        if pair.iter().all(|naive| naive.size_within(limit).is_some()) {
            return pair;
        }
    }
}

/// A layout of an array of these dimensions; a wild one has any tiles, in any number.
pub fn layout(random: &mut Random, dims: &[Size], is_wild: bool) -> Naive {
    let rank = dims.len();
    let mut minor_to_major = (0..rank).rev().collect::<Vec<_>>();
    if random.below(2) == 0 {
        random.shuffle(&mut minor_to_major);
    }
    let padded =
        (random.below(6) == 0).then(|| dims.iter().map(|dim| dim + random.below_size(4)).collect());
    let tiles = if is_wild {
        tiles(random, 4, 5)
    } else {
        let tiles = random.pick(TILINGS).iter();
        let mut tiles = tiles
            .map(|tile| tile.iter().map(|&size| Some(size)).collect::<Vec<_>>())
            .collect::<Vec<_>>();
        if random.below(6) == 0
            && let Some(first) = tiles.first_mut()
        {
            first.insert(0, None);
        }
        tiles
    };
    let tail_alignment = if random.below(5) == 0 { 1 + random.below_size(99) } else { 1 };
    let dims = dims.to_vec();
    Naive { dims, minor_to_major, padded, tiles, tail_alignment, swizzle: None }
}

/// The layout under some swizzle in one case of six, its memory in whole blocks.
pub fn swizzled(random: &mut Random, naive: Naive) -> Naive {
    if random.below(6) > 0 {
        return naive;
    }
    let (bits, base) = (1 + random.below(4) as u32, random.below(4) as u32);
    let shift = (bits + random.below(3) as u32).cast_signed();
    let (shift, block) = match random.below(3) {
        0 => (-shift, bits + base + shift.unsigned_abs()),
        _ => (shift, bits + base),
    };
    Naive { tail_alignment: 1 << block, swizzle: Some((bits, base, shift)), ..naive }
}

/// Fewer tiles than a number, of any sizes, each with at most so many.
pub fn tiles(random: &mut Random, limit: usize, longest: usize) -> Vec<Vec<Option<Size>>> {
    let tile = |random: &mut Random| {
        let entry = |random: &mut Random| (random.below(4) > 0).then(|| 1 + random.below_size(9));
        let mut tile = (0..random.below(longest)).map(|_| entry(random)).collect::<Vec<_>>();
        tile.push(Some(1 + random.below_size(9)));
        tile
    };
    (0..random.below(limit)).map(|_| tile(random)).collect()
}
