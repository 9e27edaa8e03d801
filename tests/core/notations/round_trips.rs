//! Layouts as texts and back, in every notation: the same memory, over every small layout and random ones.

use std::fmt::Debug;

use layout::notation::{Jax, LayoutError, NotationError, Numpy, OneDnn, Packs, Pjrt};
use layout::{ArrayShape, Size, xla};
use layout_tests::amount::is_full;
use layout_tests::naive::unflatten;
use layout_tests::notations::{ALL, LINALG_PACK, Notation};

use crate::packed::array;
use crate::{Case, cases};

/// How many layouts a notation said, and how many of these are not read again.
#[derive(Default)]
struct Count {
    said: usize,
    /// They take more tiles than a layout has.
    refused: usize,
    /// A tile pads what is inside another one or of size 1, so that there are holes between strides.
    holes: usize,
}

impl Count {
    /// Whether what a notation says of a case, read again, is the same layout.
    fn check(&mut self, notation: &Notation, case: &Case) {
        let Ok(text) = (notation.of)(&case.shape) else { return };
        let read = (notation.read)(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.printed, text);
        let layout = read.layout(&array(&case.naive.dims));
        if notation.says_end {
            self.bytes(case, layout);
        } else {
            self.offsets(case, layout);
        }
    }

    /// The layouts are the same in every slot.
    fn bytes(&mut self, case: &Case, found: Result<ArrayShape, impl Debug>) {
        let found = found.unwrap_or_else(|error| panic!("{}: {error:?}", case.shape));
        assert_eq!(found.same_bytes(&case.shape), Ok(()), "{} as {found}", case.shape);
        self.said += 1;
    }

    /// The layouts put the elements in the same slots.
    fn offsets(&mut self, case: &Case, found: Result<ArrayShape, LayoutError>) {
        self.said += 1;
        let found = match found {
            Err(LayoutError::TooManyTiles) => {
                self.refused += 1;
                return;
            }
            Err(LayoutError::Hole { .. }) => {
                let offsets = case.offsets();
                let last = offsets.iter().max().unwrap();
                assert!(last + 1 > offsets.len() as Size, "{} has no holes", case.shape);
                self.holes += 1;
                return;
            }
            found => found.unwrap_or_else(|error| panic!("{}: {error}", case.shape)),
        };
        let digits = found.digits().unwrap();
        for (number, offset) in case.offsets().into_iter().enumerate() {
            let index = unflatten(number as Size, &case.naive.dims);
            assert_eq!(digits.offset(&index), Some(offset), "{} as {found}", case.shape);
        }
    }
}

#[test]
fn every_notation() {
    let mut counts: [Count; 8] = Default::default();
    let mut numbers = Count::default();
    let mut expressions = Count::default();
    let mut total = 0;
    cases(&mut |case: Case| {
        total += 1;
        let (shape, plain) = (&case.shape, array(&case.naive.dims));
        for (notation, count) in ALL.iter().zip(&mut counts) {
            count.check(notation, &case);
        }
        match Packs::of(shape) {
            Ok(attributes) => {
                let operations = (LINALG_PACK.of)(shape).unwrap();
                let read =
                    (LINALG_PACK.read)(&operations).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(read.printed, attributes.to_string());
                assert_eq!(read.layout(&plain), attributes.layout(&plain), "{operations}");
            }
            Err(error) => assert_eq!((LINALG_PACK.of)(shape), Err(error), "{shape}"),
        }
        if let Ok(text) = Jax::of(shape) {
            let read = text.layout(&plain);
            assert_eq!(read.map(|read| *read.tiles()), Ok(*shape.tiles()), "{shape}");
        }
        let text = Numpy::of(shape).unwrap().to_string();
        expressions.bytes(&case, Numpy::layout(&text, &plain));
        if let Ok(pjrt) = Pjrt::of(shape) {
            numbers.bytes(&case, pjrt.layout(&plain));
        }
    });
    let [onednn, tvm, einops, cute, padded, mosaic, packs, jax] = counts;
    let counts = [onednn, tvm, einops, cute, padded, mosaic, packs, expressions, jax, numbers];
    let said = counts.each_ref().map(|count| count.said);
    let refused = counts.each_ref().map(|count| count.refused);
    let holes = counts.each_ref().map(|count| count.holes);
    assert_eq!(refused, [0; 10]);
    if !is_full() {
        assert!(total > 7000 && said.iter().all(|&count| count > 300), "{total} {said:?}");
        return;
    }
    assert_eq!(total, 37_982);
    assert_eq!(said, [4201, 4201, 4559, 25_010, 31_056, 1993, 5996, 37_982, 37_048, 37_048]);
    assert_eq!(holes, [0, 0, 0, 9948, 14_169, 11, 0, 0, 0, 0]);
}

/// Narrow types and sizes of elements, there and back.
#[test]
fn properties() {
    let shapes = layout_tests::data::tpu_shapes();
    let mut count = 0;
    for text in &shapes {
        let shape: ArrayShape = text.parse().unwrap();
        let Ok(said) = Jax::of(&shape) else { continue };
        let bare = xla::set_to_default_layout(&shape.without_tiles()).unwrap();
        let read = said.to_string().parse::<Jax>().unwrap().layout(&bare).unwrap();
        assert_eq!(read.element_bits(), shape.element_bits(), "{text}");
        assert_eq!(read.same_bytes(&shape), Ok(()), "{text}");
        count += 1;
    }
    assert_eq!((count, shapes.len()), (5645, 5707));
}

/// numpy's expressions with values of the padding.
#[test]
fn values_of_the_padding() {
    for text in [
        "f32[2,3]{0,1:PAD(3,5)FILL(one)}",
        "s8[3]{0:PAD(4)FILL(lowest)}",
        "f32[3]{0:PAD(4)FILL(highest)T(8)L(24)}",
        "f32[]{:T(128)}",
        "f32[0,5]",
    ] {
        let shape: ArrayShape = text.parse().unwrap();
        let (bare, _) = text.split_once('{').unwrap_or((text, ""));
        let plain: ArrayShape = bare.parse().unwrap();
        let read = Numpy::layout(&Numpy::of(&shape).unwrap().to_string(), &plain).unwrap();
        assert_eq!(read.same_bytes(&shape), Ok(()), "{text} as {read}");
        assert_eq!(read.fill().is_some(), shape.fill().is_some(), "{text} as {read}");
    }
}

#[test]
fn names_of_dimensions() {
    let tag = OneDnn::of(&array(&[4, 6])).unwrap();
    assert_eq!(tag.with_names("n").unwrap_err(), NotationError::Names { names: 1, rank: 2 });
    assert_eq!(tag.with_names("NC").unwrap_err(), NotationError::Names { names: 2, rank: 2 });
}
