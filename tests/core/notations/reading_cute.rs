//! CuTe's text as layouts: random ones, and those of CuTe's own algebra, evaluated as CuTe does.

use std::collections::BTreeSet;

use layout::__private::core::native;
use layout::notation::{Cute, LayoutError};
use layout::{ArrayShape, Size};
use layout_tests::data;
use layout_tests::naive::unflatten;
use layout_tests::random::Random;
use serde::Deserialize;

use crate::cute::{IntTuple, offset, parse, size};
use crate::packed::array;

/// A text with what it means.
struct Text {
    shapes: Vec<IntTuple>,
    strides: Vec<IntTuple>,
}

impl Text {
    fn new(text: &str) -> Text {
        let parts = |tuple| match tuple {
            IntTuple::Tuple(parts) => parts,
            int => vec![int],
        };
        let (shape, rest) = parse(text);
        let (stride, rest) = parse(rest.strip_prefix(':').unwrap());
        assert_eq!(rest, "");
        Text { shapes: parts(shape), strides: parts(stride) }
    }

    fn dims(&self) -> Vec<Size> {
        self.shapes.iter().map(size).collect()
    }

    fn offset(&self, index: &[Size]) -> Size {
        let parts = self.shapes.iter().zip(&self.strides).zip(index);
        parts.map(|((shape, stride), coordinate)| offset(shape, stride, *coordinate)).sum()
    }

    /// The offsets in row-major order.
    fn offsets(&self, dims: &[Size]) -> Vec<Size> {
        (0..dims.iter().product()).map(|number| self.offset(&unflatten(number, dims))).collect()
    }
}

/// Reads a text and looks whether its layout for these sizes has its offsets; or why there is none.
fn check(text: &str, dims: &[Size]) -> Result<ArrayShape, LayoutError> {
    let cute: Cute = text.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(cute.to_string().parse::<Cute>().unwrap().to_string(), cute.to_string(), "{text}");
    let expected = Text::new(text);
    assert_eq!(cute.rank(), expected.shapes.len(), "{text}");
    let offsets = expected.offsets(dims);
    let layout = cute.layout(&array(dims));
    let distinct = offsets.iter().collect::<BTreeSet<_>>().len();
    match layout {
        Ok(layout) => {
            let digits = layout.digits().unwrap();
            for (number, at) in offsets.iter().enumerate() {
                let index = unflatten(number as Size, dims);
                assert_eq!(digits.offset(&index), Some(*at), "{text} as {layout} at {index:?}");
            }
            assert_eq!(distinct, offsets.len(), "{text}");
        }
        Err(error) => {
            // All of the text: an array may be smaller.
            let offsets = expected.offsets(&expected.dims());
            let distinct = offsets.iter().collect::<BTreeSet<_>>().len();
            let is_compact = distinct == offsets.len()
                && offsets.iter().max().is_none_or(|last| native(last + 1) == offsets.len());
            match error {
                LayoutError::Broadcast { .. } => assert!(distinct < offsets.len(), "{text}"),
                LayoutError::Overlap { .. } | LayoutError::Hole { .. } => {
                    assert!(!is_compact, "{text}: {error}");
                }
                LayoutError::TooManyTiles => {}
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
            Err(LayoutError::Broadcast { .. }) => 1,
            Err(LayoutError::Overlap { .. }) => 2,
            Err(LayoutError::Hole { .. }) => 3,
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
    let mut order = (0..leaves.len()).collect::<Vec<_>>();
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i + 1));
    }
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
            let part = numbers[at..at + count].iter().map(Size::to_string).collect::<Vec<_>>();
            at += count;
            if count == 1 { part.concat() } else { format!("({})", part.join(",")) }
        });
        format!("({})", parts.collect::<Vec<_>>().join(","))
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
                    matches!(error, LayoutError::Hole { .. } | LayoutError::Overlap { .. });
                assert!(is_hole || error == LayoutError::TooManyTiles);
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

/// Tiles that pad what another tile has cut, or a dimension of size 1, leave slots between elements.
#[test]
fn holes_that_tiles_make_are_printed_and_not_read() {
    for (text, expected, is_read) in [
        ("bf16[6,8]{1,0:T(3,1)(2)}", "((3,2),8):((2,48),6)", false),
        ("bf16[6,1]{1,0:T(2)}", "(6,1):(2,0)", false),
        ("bf16[6,8]{1,0:T(3,2)(2)}", "((3,2),(2,4)):((2,24),(1,6))", true),
        ("bf16[6,8]{1,0:PAD(6,9)}", "(6,8):(9,1)", true),
    ] {
        let shape: ArrayShape = text.parse().unwrap();
        assert_eq!(Cute::of(&shape).unwrap().to_string(), expected, "{text}");
        let read = check(expected, &Text::new(expected).dims());
        assert_eq!(read.is_ok(), is_read, "{text}");
        assert!(is_read || matches!(read, Err(LayoutError::Hole { .. })), "{text}");
    }
}

#[test]
fn spellings() {
    let layout = |text: &str, array: &str| {
        let cute: Cute = text.parse().unwrap_or_else(|error| panic!("{error}"));
        let layout = cute.layout(&array.parse().unwrap());
        layout.map(|layout| layout.to_string()).map_err(|error| error.to_string())
    };
    for (text, array, expected) in [
        ("4:1", "f32[4]", "f32[4]{0}"),
        ("():()", "f32[]", "f32[]"),
        ("(_4, _2) : (_1, _4)", "f32[4,2]", "f32[4,2]{0,1}"),
        ("((4,),2,):((1,),4)", "f32[4,2]", "f32[4,2]{0,1}"),
        ("((2,4),(3,5)):((1,6),(2,24))", "f32[8,15]", "f32[8,15]{0,1:T(3,2)}"),
        ("(((2,2)),1):(((1,2)),0)", "f32[4,1]", "f32[4,1]{1,0}"),
        // Padding of tiles, and of `PAD`.
        ("((2,2),(2,3)):((2,12),(1,4))", "f32[3,5]", "f32[3,5]{1,0:T(2,2)}"),
        ("((2,4),(3,5)):((1,6),(2,30))", "f32[8,15]", "f32[8,15]{0,1:PAD(10,15)T(3,2)}"),
        ("(8,3):(1,8)", "f32[5,3]{1,0:S(1)}", "f32[5,3]{0,1:PAD(8,3)S(1)}"),
        ("(4,3):(1,8)", "f32[4,3]", "f32[4,3]{0,1:PAD(8,3)}"),
    ] {
        assert_eq!(layout(text, array).as_deref(), Ok(expected), "{text}");
    }
    for (text, array, reason) in [
        (
            "(4,2):(1,0)",
            "f32[4,2]",
            "a stride of dimension 1 is 0: elements of a layout do not share a slot",
        ),
        (
            "(4,2):(1,3)",
            "f32[4,2]",
            "the stride 3 of dimension 1 is less than the 4 slots that smaller strides cover: elements overlap",
        ),
        (
            "(4,2):(2,8)",
            "f32[4,2]",
            "the stride 2 of dimension 0 leaves holes in memory: smaller strides cover 1 of 2 slots",
        ),
        ("4:1", "f32[5]", "the layout gives 4 elements of dimension 0, but its size is 5"),
        ("4:1", "f32[2,2]", "the layout has 1 dimensions, but the array has 2"),
        ("4:1", "f32[?]", "the size of dimension 0 is known at run time only (`?`)"),
    ] {
        let found = layout(text, array);
        assert_eq!(found, Err(reason.to_owned()), "{text}");
    }
}
