//! CuTe's text, evaluated as CuTe does, and whether there is one exactly where a search finds one.

use layout::__private::core::native;
use layout::Size;
use layout::notation::Cute;
use layout_tests::amount::times;
use layout_tests::naive::unflatten;

use crate::reading_cute::Text;
use crate::{Case, cases};

/// CuTe's integers and tuples.
#[derive(Debug)]
pub(crate) enum IntTuple {
    Int(Size),
    Tuple(Vec<IntTuple>),
}

/// Reads one, and returns what is left of the text.
pub(crate) fn parse(text: &str) -> (IntTuple, &str) {
    let Some(mut text) = text.strip_prefix('(') else {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        return (IntTuple::Int(text[..end].parse().unwrap()), &text[end..]);
    };
    let mut parts = Vec::new();
    while !text.starts_with(')') {
        let (part, rest) = parse(text);
        parts.push(part);
        text = rest.strip_prefix(',').unwrap_or(rest);
    }
    (IntTuple::Tuple(parts), &text[1..])
}

pub(crate) fn size(shape: &IntTuple) -> Size {
    match shape {
        IntTuple::Int(size) => *size,
        IntTuple::Tuple(parts) => parts.iter().map(size).product(),
    }
}

/// The offset of an integer coordinate: CuTe takes it apart colexicographically.
pub(crate) fn offset(shape: &IntTuple, stride: &IntTuple, coordinate: Size) -> Size {
    match (shape, stride) {
        (IntTuple::Int(_), IntTuple::Int(stride)) => coordinate * stride,
        (IntTuple::Tuple(shapes), IntTuple::Tuple(strides)) => {
            assert_eq!(shapes.len(), strides.len());
            let mut left = coordinate;
            let mut sum = 0;
            for (i, (shape, stride)) in shapes.iter().zip(strides).enumerate() {
                let is_last = i + 1 == shapes.len();
                sum += offset(shape, stride, if is_last { left } else { left % size(shape) });
                left /= size(shape);
            }
            sum
        }
        _ => panic!("shape and stride are not congruent"),
    }
}

fn check(case: &Case, cute: &Cute) -> Vec<Size> {
    let text = cute.to_string();
    let read = Text::new(&text);
    let dims = &case.naive.dims;
    assert_eq!((read.shapes.len(), read.strides.len()), (dims.len(), dims.len()), "{text}");
    for (number, at) in case.offsets().into_iter().enumerate() {
        let index = unflatten(number as Size, dims);
        assert_eq!(read.offset(&index), at, "{} {text} at {index:?}", case.shape);
    }
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
            assert_eq!(check(&case, cute), case.naive.dims);
            assert_eq!(cute.to_string(), Cute::padded_of(&case.shape).unwrap().to_string());
            strict += 1;
        }
        let padded = Cute::padded_of(&case.shape);
        missed += agree(&case, padded.is_ok(), exists(&case, true));
        if let Ok(padded) = padded {
            let sizes = check(&case, &padded);
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
