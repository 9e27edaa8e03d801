//! CuTe's text as layouts: random ones, and those of CuTe's own algebra, evaluated as CuTe does.

use std::collections::BTreeSet;

use layout::__private::core::native;
use layout::notation::{Cute, NotThisLayout};
use layout::{ArrayShape, Size};
use layout_tests::data;
use layout_tests::lists::list;
use layout_tests::naive::{self, unflatten};
use layout_tests::random::Random;
use serde::Deserialize;

use crate::cute::{IntTuple, offset, parse, size};
use crate::packed::array;

/// A text with what it means.
pub(crate) struct Text {
    pub(crate) shapes: Vec<IntTuple>,
    pub(crate) strides: Vec<IntTuple>,
}

impl Text {
    pub(crate) fn new(text: &str) -> Text {
        let parts = |tuple| match tuple {
            IntTuple::Tuple(parts) => parts,
            int => vec![int],
        };
        let (shape, rest) = parse(text);
        let (stride, rest) = parse(rest.strip_prefix(':').unwrap());
        assert_eq!(rest, "");
        Text { shapes: parts(shape), strides: parts(stride) }
    }

    pub(crate) fn dims(&self) -> Vec<Size> {
        self.shapes.iter().map(size).collect()
    }

    pub(crate) fn offset(&self, index: &[Size]) -> Size {
        let parts = self.shapes.iter().zip(&self.strides).zip(index);
        parts.map(|((shape, stride), coordinate)| offset(shape, stride, *coordinate)).sum()
    }

    /// The offsets in row-major order.
    fn offsets(&self, dims: &[Size]) -> Vec<Size> {
        (0..dims.iter().product()).map(|number| self.offset(&unflatten(number, dims))).collect()
    }
}

/// Reads a text and looks whether its layout for these sizes has its offsets; or why there is none.
pub(crate) fn check(text: &str, dims: &[Size]) -> Result<ArrayShape, NotThisLayout> {
    let cute: Cute = text.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(cute.to_string().parse::<Cute>().unwrap().to_string(), cute.to_string(), "{text}");
    let expected = Text::new(text);
    assert_eq!(cute.rank(), expected.shapes.len(), "{text}");
    let offsets = expected.offsets(dims);
    let layout = cute.layout(&array(dims));
    let distinct = offsets.iter().collect::<BTreeSet<_>>().len();
    match layout {
        Ok(layout) => {
            assert_eq!(naive::offsets(&layout), offsets, "{text} as {layout}");
            assert_eq!(distinct, offsets.len(), "{text}");
        }
        Err(error) => {
            // All of the text: an array may be smaller.
            let offsets = expected.offsets(&expected.dims());
            let distinct = offsets.iter().collect::<BTreeSet<_>>().len();
            let is_compact = distinct == offsets.len()
                && offsets.iter().max().is_none_or(|last| native(last + 1) == offsets.len());
            match error {
                NotThisLayout::Broadcast { .. } => assert!(distinct < offsets.len(), "{text}"),
                NotThisLayout::Overlap { .. } | NotThisLayout::Hole { .. } => {
                    assert!(!is_compact, "{text}: {error}");
                }
                NotThisLayout::TooManyTiles => {}
                error => panic!("{text}: {error}"),
            }
        }
    }
    layout
}

#[derive(Deserialize)]
struct Line {
    layout: String,
    /// Offset of each index, the first mode fastest, as pycute has it.
    offsets: Option<Vec<Size>>,
}

#[test]
fn of_the_algebra() {
    let lines = data::json::<Line>("packed/cute.jsonl");
    let mut found = [0; 4];
    for line in &lines {
        let text = Text::new(&line.layout);
        let dims = text.dims();
        if let Some(offsets) = &line.offsets {
            let reversed = dims.iter().rev().copied().collect::<Vec<_>>();
            let colexicographic = (0..offsets.len() as Size).map(|number| {
                let mut index = unflatten(number, &reversed);
                index.reverse();
                text.offset(&index)
            });
            assert!(colexicographic.eq(offsets.iter().copied()), "{}", line.layout);
        }
        let reason = match check(&line.layout, &dims) {
            Ok(_) => 0,
            Err(NotThisLayout::Broadcast { .. }) => 1,
            Err(NotThisLayout::Overlap { .. }) => 2,
            Err(NotThisLayout::Hole { .. }) => 3,
            Err(error) => panic!("{}: {error}", line.layout),
        };
        found[reason] += 1;
    }
    assert_eq!((lines.len(), found), (1096, [728, 154, 5, 209]));
}

/// A random layout of CuTe: each leaf with its size, and strides in a random order, with slots left out here and
/// there if `holes` is set.
fn random(random: &mut Random, holes: bool) -> (String, Vec<Size>) {
    let dims = (0..1 + random.below(4)).map(|_| 1 + random.below(3)).collect::<Vec<_>>();
    let mut leaves = dims.iter().flat_map(|&count| (0..count).map(|_| 0)).collect::<Vec<_>>();
    for leaf in &mut leaves {
        *leaf = 1 + random.below_size(4);
    }
    let order = random.order(leaves.len());
    let mut strides = vec![0; leaves.len()];
    let mut stride = 1;
    for &leaf in &order {
        strides[leaf] = stride;
        stride *= leaves[leaf];
        if holes && random.below(3) == 0 {
            stride += [1, strides[leaf], stride][random.below(3)];
        }
    }
    let text = |numbers: &[Size]| {
        let mut at = 0;
        let parts = dims.iter().map(|&count| {
            let part = list(&numbers[at..at + count]);
            at += count;
            if count == 1 { part } else { format!("({part})") }
        });
        format!("({})", list(&parts.collect::<Vec<_>>()))
    };
    let mut at = 0;
    let sizes = dims.iter().map(|&count| {
        at += count;
        leaves[at - count..at].iter().product()
    });
    (format!("{}:{}", text(&leaves), text(&strides)), sizes.collect())
}

#[test]
fn both_directions() {
    let mut numbers = Random::new(97);
    let (mut compact, mut padded, mut with_holes, mut refused) = (0, 0, 0, 0);
    for number in 0..3000 {
        let (text, mut dims) = random(&mut numbers, number % 3 == 2);
        if dims.iter().product::<Size>() > 1 << 12 {
            continue;
        }
        let is_padded = number % 3 == 1;
        if is_padded {
            for dim in &mut dims {
                *dim -= numbers.below_size(*dim);
            }
        }
        let layout = match check(&text, &dims) {
            Ok(layout) => layout,
            Err(error) => {
                let is_hole =
                    matches!(error, NotThisLayout::Hole { .. } | NotThisLayout::Overlap { .. });
                assert!(is_hole || error == NotThisLayout::TooManyTiles);
                assert!(!is_hole || number % 3 == 2, "{text}: {error}");
                refused += 1;
                continue;
            }
        };
        let cute = text.parse::<Cute>().unwrap().to_string();
        match number % 3 {
            0 => {
                assert_eq!(Cute::of(&layout).unwrap().to_string(), cute, "{text} as {layout}");
                assert_eq!(layout.padded_elements(), layout.elements(), "{text} as {layout}");
                compact += 1;
            }
            1 => padded += 1,
            _ => {
                assert_eq!(Cute::of(&layout).unwrap().to_string(), cute, "{text} as {layout}");
                with_holes += 1;
            }
        }
    }
    assert_eq!([compact, padded, with_holes, refused], [953, 959, 507, 454]);
}
