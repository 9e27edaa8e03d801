//! CuTe's text, evaluated as CuTe does: what is printed, which is one exactly where a search finds one; random texts that
//! are read, and those of CuTe's own algebra.

use std::collections::BTreeSet;

use layout::__private::core::native;
use layout::ArrayShape;
use layout::shape::Size;
use layout_notation::notation::{Cute, NotThisLayout};
use layout_tests::amount::times;
use layout_tests::cute::Text;
use layout_tests::lists::{self, floats, list};
use layout_tests::naive::{self, unflatten};
use layout_tests::random::Random;
use layout_tests::{data, table};
use serde::Deserialize;

use crate::{Case, cases};

fn printed(case: &Case, cute: &Cute) -> Vec<Size> {
    let text = cute.to_string();
    let read = Text::new(&text);
    let dims = &case.naive.dims;
    assert_eq!(read.0.len(), dims.len(), "{text}");
    assert_eq!(read.offsets(dims), case.offsets(), "{} {text}", case.shape);
    for dim in 0..dims.len() {
        for pair in cute.mode(dim).windows(2) {
            assert_ne!(pair[1].stride, pair[0].shape * pair[0].stride, "{text} is not coalesced");
        }
    }
    read.dims()
}

/// Whether some nest of modes has these offsets; with `up` the last one may be cut short.
fn is_mode(offsets: &[Size], up: bool) -> bool {
    let size = offsets.len();
    size == 1
        || (2..=size).any(|part| {
            (up || size.is_multiple_of(part))
                && (0..size).all(|at| {
                    let (low, high) = (at % part, at - at % part);
                    offsets[at] == low as Size * offsets[1] + offsets[high]
                })
                && is_mode(&offsets.iter().copied().step_by(part).collect::<Vec<_>>(), up)
        })
}

/// Whether there is a CuTe layout, by search.
fn exists(case: &Case, up: bool) -> bool {
    let dims = &case.naive.dims;
    let offsets = case.offsets();
    let modes = (0..dims.len())
        .map(|dim| {
            let unit = dims[dim + 1..].iter().product::<Size>();
            (0..dims[dim]).map(|coordinate| offsets[native(coordinate * unit)]).collect::<Vec<_>>()
        })
        .collect::<Vec<_>>();
    let is_sum = offsets.iter().enumerate().all(|(number, &at)| {
        let index = unflatten(number as Size, dims);
        index.iter().zip(&modes).map(|(&coordinate, mode)| mode[native(coordinate)]).sum::<Size>()
            == at
    });
    is_sum && modes.iter().all(|mode| is_mode(mode, up))
}

/// Whether a layout was missed, which may be where dimensions are joined.
fn agree(case: &Case, found: bool, exists: bool) -> usize {
    let joins = case.naive.tiles.iter().flatten().any(Option::is_none);
    assert!(found == exists || joins && exists, "{}: found {found}", case.shape);
    usize::from(found != exists)
}

#[test]
fn evaluates_to_the_offsets() {
    let (mut strict, mut rounded, mut none, mut missed) = (0, 0, 0, 0);
    cases(&mut |case| {
        if case.memory.is_empty() {
            assert!(Cute::of(&case.shape).is_err() && Cute::padded_of(&case.shape).is_err());
            return;
        }
        let cute = Cute::of(&case.shape);
        missed += agree(&case, cute.is_ok(), exists(&case, false));
        if let Ok(cute) = &cute {
            assert_eq!(printed(&case, cute), case.naive.dims);
            assert_eq!(cute.to_string(), Cute::padded_of(&case.shape).unwrap().to_string());
            strict += 1;
        }
        let padded = Cute::padded_of(&case.shape);
        missed += agree(&case, padded.is_ok(), exists(&case, true));
        if let Ok(padded) = padded {
            let sizes = printed(&case, &padded);
            assert!(sizes.iter().zip(&case.naive.dims).all(|(size, dim)| size >= dim));
            assert!(sizes.iter().product::<Size>() <= case.memory.len() as Size);
            rounded += 1;
        } else {
            none += 1;
        }
    });
    assert!(
        strict > times(5000) && rounded > strict && none > times(2000),
        "{strict} {rounded} {none}"
    );
    assert!(missed * 100 < strict, "{missed} of {strict}");
}

/// Reads a text and looks whether its layout for these sizes has its offsets; or why there is none.
pub(crate) fn check(text: &str, dims: &[Size]) -> Result<ArrayShape, NotThisLayout> {
    let cute: Cute = text.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(cute.to_string().parse::<Cute>().unwrap().to_string(), cute.to_string(), "{text}");
    let expected = Text::new(text);
    assert_eq!(cute.rank(), expected.0.len(), "{text}");
    let offsets = expected.offsets(dims);
    let layout = cute.layout(&floats(dims));
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
                NotThisLayout::Overlap { .. } => assert!(!is_compact, "{text}: {error}"),
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
    let mut found = [0; 3];
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
            Err(error) => panic!("{}: {error}", line.layout),
        };
        found[reason] += 1;
    }
    assert_eq!((lines.len(), found), (1096, [899, 154, 43]));
}

/// Tensors as CuTe and its DSL print them: the swizzle is one of the bytes of addresses, strides count elements.
#[test]
fn swizzles_of_pointers() {
    for columns in table::of("pointers", "tensor") {
        let [text, array] = columns.try_into().expect("two columns");
        let array = lists::array(&array);
        let bytes = array.element_type().bytes();
        let (_, plain) = text.trim_end_matches('>').rsplit_once(" o ").unwrap();
        let plain = Text::new(&plain.replace('_', ""));
        let swizzled = |offset: Size| ((offset * bytes) ^ (((offset * bytes) >> 3) & 0x70)) / bytes;
        let expected = plain.offsets(&plain.dims()).into_iter().map(swizzled).collect::<Vec<_>>();
        let cute: Cute = text.parse().unwrap();
        let layout = cute.layout(&array).unwrap();
        assert_eq!(naive::offsets(&layout), expected, "{text} as {layout}");
        assert_eq!(cute.element_bits(), Some(8 * bytes));
    }
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
                assert_eq!(error, NotThisLayout::TooManyTiles, "{text}");
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
    assert_eq!([compact, padded, with_holes, refused], [953, 959, 953, 8]);
}
