//! Layouts as texts and back, in every notation: the same memory, over every small layout and random ones.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use layout::notation::{
    Cute, Einops, Jax, LayoutError, LinalgPack, Mosaic, NotationError, Numpy, OneDnn, Packs, Pjrt,
    Tvm,
};
use layout::{ArrayShape, Size, xla};
use layout_tests::amount::is_full;
use layout_tests::naive::unflatten;

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
    /// Reads what was printed, which prints the same again.
    fn read<T: FromStr<Err: Display> + Display>(text: &impl Display) -> T {
        let text = text.to_string();
        let read = text.parse::<T>().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.to_string(), text);
        read
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
    let mut counts: [Count; 10] = Default::default();
    let [onednn, tvm, einops, cute, padded, mosaic, packs, numpy, jax, pjrt] = &mut counts;
    let mut total = 0;
    cases(&mut |case: Case| {
        total += 1;
        let (shape, plain) = (&case.shape, array(&case.naive.dims));
        if let Ok(tag) = OneDnn::of(shape) {
            onednn.bytes(&case, Count::read::<OneDnn>(&tag).layout(&plain));
        }
        if let Ok(tag) = Tvm::of(shape) {
            tvm.bytes(&case, Count::read::<Tvm>(&tag).layout(&plain));
        }
        if let Ok(pattern) = Einops::of(shape) {
            einops.bytes(&case, Count::read::<Einops>(&pattern).layout(&plain));
        }
        if let Ok(text) = Cute::of(shape) {
            cute.offsets(&case, Count::read::<Cute>(&text).layout(&plain));
        }
        if let Ok(text) = Cute::padded_of(shape) {
            padded.offsets(&case, Count::read::<Cute>(&text).layout(&plain));
        }
        if let Ok(text) = Mosaic::of(shape) {
            mosaic.offsets(&case, Count::read::<Mosaic>(&text).layout(&plain));
        }
        match Packs::of(shape) {
            Ok(attributes) => {
                packs.bytes(&case, Count::read::<Packs>(&attributes).layout(&plain));
                let operations = LinalgPack::of(shape).unwrap().to_string();
                let read = operations.parse::<Packs>().unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(read.to_string(), attributes.to_string());
                assert_eq!(read.layout(&plain), attributes.layout(&plain), "{operations}");
            }
            Err(error) => assert_eq!(LinalgPack::of(shape).err(), Some(error), "{shape}"),
        }
        let text = Numpy::of(shape).unwrap().to_string();
        numpy.bytes(&case, Numpy::layout(&text, &plain));
        if let Ok(text) = Jax::of(shape) {
            let read = Count::read::<Jax>(&text).layout(&plain);
            assert_eq!(read.map(|read| *read.tiles()), Ok(*shape.tiles()), "{shape}");
            jax.bytes(&case, read);
        }
        if let Ok(numbers) = Pjrt::of(shape) {
            pjrt.bytes(&case, numbers.layout(&plain));
        }
    });
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

/// Element types and properties that the notation has, or that stay those of the array.
#[test]
fn properties() {
    let jax = |text: &str, array: &str| {
        let layout = text.parse::<Jax>().unwrap().layout(&array.parse().unwrap());
        layout.map(|layout| layout.to_string()).map_err(|error| error.to_string())
    };
    for (text, array, expected) in [
        ("Layout(major_to_minor=(1, 0))", "f32[3,5]{1,0:S(1)}", "f32[3,5]{0,1:S(1)}"),
        ("Layout((0, 1), None, 0)", "f32[3,5]{0,1:T(2)E(64)}", "f32[3,5]{1,0}"),
        ("Layout((0,), ((8,),))", "s4[9]", "s4[9]{0:T(8)E(4)}"),
        (
            "Layout(major_to_minor=(0,), tiling=((8,),), sub_byte_element_size_in_bits=8)",
            "s4[9]",
            "s4[9]{0:T(8)}",
        ),
        (
            "DeviceLocalLayout(major_to_minor=(0, 1), tiling=((-9223372036854775808, 8), (2,)), sub_byte_element_size_in_bits=0)",
            "f32[3,5]",
            "f32[3,5]{1,0:T(*,8)(2)}",
        ),
    ] {
        assert_eq!(jax(text, array).as_deref(), Ok(expected), "{text}");
    }
    assert_eq!(
        jax("Layout((0, 1))", "f32[3]").unwrap_err(),
        "the layout has 2 dimensions, but the array has 1"
    );

    // Narrow types and sizes of elements, there and back.
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

/// What a notation cannot say is an error that names it.
#[test]
fn what_tags_cannot_say() {
    let error = |text: &str| OneDnn::of(&text.parse::<ArrayShape>().unwrap()).unwrap_err();
    for (text, reason) in [
        ("f32[4,6]{1,0:T(*,2)}", NotationError::Combined),
        ("f32[4,6]{1,0:PAD(5,6)}", NotationError::Widened),
        ("f32[4,6]{1,0:L(25)}", NotationError::Tail),
        ("f32[8,6]{1,0:T(4,6)(3,1)}", NotationError::Indivisible { tile: Some(1) }),
        // AWQ: a tag would read the two blocks as one of 8.
        ("u4[8,64]{1,0:T(2)(4,1)E(4)}", NotationError::Ascending { dim: 1 }),
    ] {
        assert_eq!(error(text), reason, "{text}");
    }
    let shape: ArrayShape = "f32[4,6]".parse().unwrap();
    let tag = OneDnn::of(&shape).unwrap();
    assert_eq!(tag.with_names("n").unwrap_err(), NotationError::Names { names: 1, rank: 2 });
    assert_eq!(tag.with_names("NC").unwrap_err(), NotationError::Names { names: 2, rank: 2 });
}
