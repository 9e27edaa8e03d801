//! Pairs of layouts of one array.

use std::ops::Range;
use std::sync::LazyLock;

use layout::__private::core::native;
use layout::ArrayShape;
use layout::shape::{Dim, Fill, Size};

use crate::lists::{array, numbers};
use crate::naive::Naive;
use crate::random::Random;
use crate::{bits, corpus, data, table};

/// An array in two layouts.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The layouts.
    pub layouts: [Naive; 2],
    /// The element type.
    pub element: String,
    /// Bits of an element in memory.
    pub bits: [usize; 2],
    /// Whether a dimension is bounded (`<=N`), a bit each.
    pub bounded: u32,
    /// What the padding is declared to be, where there is `PAD`.
    pub fill: Option<Fill>,
}

impl Pair {
    /// The layouts as texts, with other sizes in the place of some.
    ///
    /// # Panics
    /// Never: `PAD(` is closed.
    pub fn texts_with(&self, size: impl Fn(usize, Size) -> String) -> [String; 2] {
        [0, 1].map(|side| {
            let text = bits::text(&self.layouts[side], &self.element, self.bits[side], &size);
            match (text.split_once("PAD("), self.fill) {
                (Some((before, after)), Some(fill)) => {
                    let (widths, after) = after.split_once(')').expect("it ends");
                    format!("{before}PAD({widths})FILL({}){after}", fill.name())
                }
                _ => text,
            }
        })
    }

    /// The layouts as texts.
    pub fn texts(&self) -> [String; 2] {
        self.texts_with(|dim, size| match self.bounded >> dim & 1 {
            1 => format!("<={size}"),
            _ => size.to_string(),
        })
    }

    /// The pair of two texts.
    ///
    /// # Panics
    /// If a text is not a layout, or a size is unknown.
    pub fn of<T: AsRef<str>>(texts: &[T; 2]) -> Pair {
        let texts = texts.each_ref().map(AsRef::as_ref);
        let shapes = texts.map(array);
        let is_bounded = |(dim, size): (usize, &Dim)| match size {
            Dim::Bounded(_) => 1 << dim,
            _ => 0,
        };
        let sizes = |dim: &Dim| match dim {
            Dim::Static(size) | Dim::Bounded(size) => *size,
            _ => panic!("{texts:?}: sizes are known"),
        };
        let dims = shapes[0].dims().iter().map(sizes).collect::<Vec<_>>();
        Pair {
            layouts: shapes.each_ref().map(|shape| Naive::of(shape, &dims)),
            element: shapes[0].element_type().to_string(),
            bits: shapes.each_ref().map(|shape| native(shape.element_bits())),
            bounded: shapes[0].dims().iter().enumerate().map(is_bounded).sum(),
            fill: shapes.iter().find_map(ArrayShape::fill),
        }
    }
}

/// Element types and their bits in the source and in the destination.
static ELEMENTS: LazyLock<Vec<(String, [usize; 2])>> = LazyLock::new(|| {
    let bits = |text: &String| text.parse().expect("bits");
    let rows = table::of("random_pairs", "elements").into_iter();
    rows.map(|row| (row[0].clone(), [bits(&row[1]), bits(&row[2])])).collect()
});

/// A pair of any kind: half of the layouts as TPUs have them, a tenth of the pairs real ones.
pub fn any_pair(random: &mut Random) -> Pair {
    loop {
        // Few slots most of the time, so that many pairs are tried; enough for vectors, streams and threads at times.
        let limit = match random.below(20) {
            0 => 20_000,
            _ => *random.pick(&[60, 60, 300, 300, 300, 1000, 1000, 3000]),
        };
        let found = match random.below(10) {
            0 => real(random, limit),
            _ => Some(tiled_pair(random, limit)).map(|layouts| with_elements(random, layouts)),
        };
        let Some(mut pair) = found else { continue };
        if random.below(12) == 0 {
            pair.bounded = random.below(1 << pair.layouts[0].dims.len()) as u32;
        }
        if random.below(2) == 0 {
            pair.fill = Some(*random.pick(Fill::ALL));
        }
        // What is known has to be whole blocks of the swizzle, and the like.
        if pair.texts().iter().all(|text| text.parse::<ArrayShape>().is_ok()) {
            return pair;
        }
    }
}

fn with_elements(random: &mut Random, layouts: [Naive; 2]) -> Pair {
    let layouts = layouts.map(|layout| swizzled(random, layout));
    let (element, bits) = random.pick(&ELEMENTS).clone();
    Pair { layouts, element, bits, bounded: 0, fill: None }
}

/// What real systems have, from rows, from columns and from other tiles, and back.
fn real(random: &mut Random, limit: Size) -> Option<Pair> {
    static REAL: LazyLock<Vec<ArrayShape>> = LazyLock::new(|| {
        #[derive(serde::Deserialize)]
        struct Line {
            layout: Option<String>,
        }
        let files = ["offset_vectors", "packed/ggml", "packed/quant", "packed/documented"];
        let texts = files.iter().flat_map(|file| data::json::<Line>(&format!("{file}.jsonl")));
        let texts = texts.filter_map(|line| line.layout);
        let printed = data::text("tpu_shapes.txt");
        let texts = texts.chain(printed.lines().map(str::to_owned));
        let shapes = texts.filter_map(|text| text.parse::<ArrayShape>().ok());
        let shapes = shapes.chain(corpus::shapes().into_iter().map(|(shape, _)| shape));
        shapes.filter(|shape| shape.padded_elements().is_some_and(|size| size < 20_000)).collect()
    });
    let shape = random.pick(&REAL);
    let bits = native(shape.element_bits());
    if !matches!(bits, 1 | 2 | 4 | 8 | 16 | 32 | 64 | 128) || shape.padded_elements()? > limit {
        return None;
    }
    let text = shape.to_string();
    let tiled = Pair::of(&[&text, &text]);
    let dims = &tiled.layouts[0].dims;
    // Half of them in rows, in columns or in another order, without tiles.
    let mut other = layout_of(random, dims, false, &TILINGS);
    if random.below(2) == 0 {
        let minor_to_major = random.order(dims.len());
        other = Naive { dims: dims.clone(), minor_to_major, ..Naive::default() };
    }
    other.size_within(limit)?;
    let other_bits = if bits < 8 && random.below(3) == 0 { 8 } else { bits };
    let [own, _] = tiled.layouts;
    Some(match random.below(2) {
        0 => Pair { layouts: [own, other], bits: [bits, other_bits], ..tiled },
        _ => Pair { layouts: [other, own], bits: [other_bits, bits], ..tiled },
    })
}

/// Tilings that kernels are made for, and their neighbours; then those of weights, and some that share no split.
static TILINGS: LazyLock<Vec<Vec<Vec<Size>>>> = LazyLock::new(|| {
    let tiles = |text: String| {
        let tiles = text.split(['(', ')']).filter(|tile| !tile.is_empty());
        tiles.map(numbers).collect()
    };
    table::texts("random_pairs", "tilings").into_iter().map(tiles).collect()
});
const OF_KERNELS: usize = 17;

/// Tiles of vectors and of packed elements.
fn tiling(random: &mut Random) -> Vec<Vec<Size>> {
    let lanes = *random.pick(&[4, 8, 16, 64, 128, 128]);
    let k = *random.pick(&[1, 2, 2, 4, 4, 8]);
    let mut entry = || 1 + random.below_size(8);
    let (a, b, c) = (entry(), entry(), entry());
    match random.below(8) {
        0 | 1 => vec![],
        2 => vec![vec![a.next_power_of_two(), lanes]],
        3 => vec![vec![8, lanes], vec![k, 1]],
        4 => vec![vec![8 * k, lanes], vec![k, 1]],
        5 => vec![vec![lanes], vec![k, 1]],
        6 => vec![vec![lanes * k * a], vec![lanes], vec![k, 1]],
        _ => vec![vec![a], vec![b, c]],
    }
}

/// Sizes of an array that is tiled: whole tiles, whole tiles and a bit, at the borders of vectors, lines and blocks, or anything.
fn dims(random: &mut Random, tilings: &[Vec<Vec<Size>>; 2]) -> Vec<Size> {
    let of_vectors = [15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 515, 1003];
    match random.below(16) {
        // More dimensions than a block has room for.
        0 => return (0..8 + random.below(6)).map(|_| 1 + random.below_size(2)).collect(),
        1 => return vec![1000 + random.below_size(1200), 60 + random.below_size(12)],
        2 => return vec![*random.pick(&[1, 2, 3, 4, 8]), random.below_size(300)],
        3 => return [(); 2].map(|()| *random.pick(&of_vectors)).to_vec(),
        _ => {}
    }
    let rank = *random.pick(&[0, 1, 2, 2, 2, 2, 2, 3, 3, 4]);
    let dim = |dim| {
        let most = if dim + 2 < rank { 4 } else { *random.pick(&[9, 20, 70, 300, 3000]) };
        let size = 1 + random.below_size(most);
        let entry = tilings.iter().flatten().flatten().nth(random.below(3));
        match (random.below(3), entry) {
            (0, Some(entry)) => size.next_multiple_of(*entry),
            (1, Some(entry)) => size.next_multiple_of(*entry) + random.below_size(2),
            _ => size,
        }
    };
    (0..rank).map(dim).collect()
}

/// Any sizes of any number of dimensions; a few are 0.
fn wild_dims(random: &mut Random) -> Vec<Size> {
    let rank = random.below(7);
    let most = [1, 200, 40, 16, 9, 6, 5][rank];
    let size = |_| if random.below(24) == 0 { 0 } else { 1 + random.below_size(most) };
    (0..rank).map(size).collect()
}

/// An array in two layouts, most of them tiled, each of at most `limit` slots.
fn tiled_pair(random: &mut Random, limit: Size) -> [Naive; 2] {
    loop {
        let tilings = [(); 2].map(|()| tiling(random));
        let is_wild = random.below(6) == 0;
        let dims = if is_wild { wild_dims(random) } else { dims(random, &tilings) };
        let pair = tilings.map(|tiles| {
            let mut layout = layout_of(random, &dims, is_wild, &TILINGS);
            if !is_wild && random.below(3) > 0 {
                layout.tiles = with_entries(&tiles);
            }
            layout
        });
        if pair.iter().all(|naive| naive.size_within(limit).is_some()) {
            return pair;
        }
    }
}

fn with_entries(tiles: &[impl AsRef<[Size]>]) -> Vec<Vec<Option<Size>>> {
    tiles.iter().map(|tile| tile.as_ref().iter().map(|size| Some(*size)).collect()).collect()
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
    layout_of(random, dims, is_wild, &TILINGS[..OF_KERNELS])
}

fn layout_of(
    random: &mut Random,
    dims: &[Size],
    is_wild: bool,
    tilings: &[Vec<Vec<Size>>],
) -> Naive {
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
        let mut tiles = with_entries(&tilings[random.below(tilings.len())]);
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

/// Ranges of an array, some without elements, many on multiples of a power of two.
pub fn ranges(random: &mut Random, dims: &[usize]) -> Vec<Range<usize>> {
    let cut = |random: &mut Random, dim: usize| {
        let at = random.below(dim + 1);
        match random.below(3) {
            0 => at,
            1 => dim.min(at / 4 * 4),
            _ => dim.min(at.next_multiple_of(*random.pick(&[8, 128]))),
        }
    };
    let range = |&dim: &usize| {
        let (a, b) = (cut(random, dim), cut(random, dim));
        match random.below(4) {
            0 => 0..dim,
            1 => a.min(b)..dim,
            _ => a.min(b)..a.max(b),
        }
    };
    dims.iter().map(range).collect()
}
