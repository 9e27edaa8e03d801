//! What is not copied, and says why: nothing is written then.

use core::mem::MaybeUninit;

use layout::copies::{Placed, Side};
use layout::memory::{PackedStrided, PackedStridedMut, StridesError};
use layout::{
    ArrayShape, Copier, CopyError, ElementType, Padding, Plan, Strided, StridedMut, View, layout,
};
use layout_tests::lists::array;

fn short(side: Side, needed: usize, given: usize) -> CopyError {
    CopyError::TooShort { side, needed, given }
}

#[test]
fn what_is_not_copied() {
    let error =
        |from: &str, to: &str| Plan::new(&from.parse().unwrap(), &to.parse().unwrap()).unwrap_err();
    let differ = |from: &str, to: &str, expected: &str| {
        assert_eq!(error(from, to).to_string(), format!("the arrays differ: {expected}"));
    };
    let sizes = "dimension 1 has size 5 in the source and 6 in the destination";
    differ("f32[3,5]", "f32[3,6]{1,0:T(2,2)}", sizes);
    differ("f32[5]", "s32[5,1]", "the source has rank 1, the destination rank 2");
    let elements = "elements are `s32` in the source and `f32` in the destination";
    differ("s32[3,5]{0,1}", "f32[3,5]", elements);
    let bounds = "3 is the size of dimension 1 on one side, and its bound on the other";
    differ("s32[5,3,<=5]", "s32[5,<=3,<=5]", bounds);
    let (source, destination) = (ElementType::F32, ElementType::S8);
    assert_eq!(error("f32[3]", "s8[3]"), CopyError::OtherElements { source, destination });
    assert!(matches!(error("f32[?]", "f32[?]"), CopyError::UnknownSize(_)));
    let bits = CopyError::ElementBits { source: 32, destination: 8 };
    assert_eq!(error("pred[3]{0:E(32)}", "pred[3]"), bits);
    assert_eq!(
        bits.to_string(),
        "elements of 32 bits are not copied to elements of 8 bits: both take as many, 1, 2, 4, 8, 16, 32, 64 or 128, or one side takes 8"
    );
    let plan = Plan::new(&"f32[3,5]".parse().unwrap(), &"f32[3,5]{0,1}".parse().unwrap()).unwrap();
    let run = |source: &[u8], to: &mut [u8]| plan.run_bytes(source, to, Padding::Zero);
    assert_eq!(run(&[0; 59], &mut [0; 60]), Err(short(Side::Source, 60, 59)));
    assert_eq!(run(&[0; 60], &mut [0; 59]), Err(short(Side::Destination, 60, 59)));
    let of_bytes = plan.run(&[0_u8; 60], &mut [0; 60], Padding::Zero);
    assert_eq!(of_bytes, Err(CopyError::ElementBytes { planned: 4, given: 1 }));
    // Only numbers say which value has no bits.
    let padded = Plan::new(&"u16[3]".parse().unwrap(), &"u16[3]{0:T(4)}".parse().unwrap()).unwrap();
    let to_bytes = padded.run(&[[true; 2]; 3], &mut [[true; 2]; 4], Padding::Zero);
    assert_eq!(to_bytes, Err(CopyError::NoPadding));
    padded.run(&[[true; 2]; 3], &mut [[true; 2]; 4], Padding::Leave).unwrap();
    let new = padded.run(&[[true; 2]; 3], &mut Vec::new(), Padding::Leave);
    assert_eq!(new, Err(CopyError::NoPadding));
}

#[test]
fn ranges_that_are_not_copied() {
    let [from, to] = ["f32[45,5]", "f32[45,5]{1,0:T(4,5)}"].map(|text| text.parse().unwrap());
    let plan = Plan::new(&from, &to).unwrap();
    let end = plan.destination_bytes();
    let src = vec![0; plan.source_bytes()];
    #[expect(clippy::reversed_empty_ranges, reason = "it is refused")]
    let reversed = 8..4;
    for part in [2..8, 4..7, 0..end + 4, end + 4..end + 4, reversed] {
        let (start, end) = (part.start, part.end);
        let error = CopyError::Part { start, end, bytes: 960, element: 4 };
        assert_eq!(plan.part(part).unwrap_err(), error);
    }
    let [middle, whole, none] = [4..12, 0..end, end..end].map(|part| plan.part(part).unwrap());
    let found = middle.run_bytes(&src, &mut [0; 7], Padding::Zero);
    assert_eq!(found, Err(short(Side::Destination, 8, 7)));
    let found = whole.run_bytes(&src[1..], &mut vec![0; end], Padding::Zero);
    assert_eq!(found, Err(short(Side::Source, src.len(), src.len() - 1)));
    none.run_bytes(&src, &mut [0; 0], Padding::Zero).unwrap();
    let strided = Plan::between(Placed::strides(&from, &[5, 1]), &to).unwrap();
    assert!(strided.parts(100).eq(std::iter::once(0..end)) && strided.part(0..end).is_ok());
    let error = strided.part(0..4).unwrap_err();
    assert_eq!(error, CopyError::OnePart { side: Side::Source, bytes: end });
    assert!(matches!(strided.part(0..2), Err(CopyError::Part { start: 0, end: 2, .. })));
    let strided = Plan::between(&from, Placed::strides(&from, &[6, 1])).unwrap();
    let error = strided.part(0..4).unwrap_err();
    assert!(matches!(error, CopyError::OnePart { side: Side::Destination, .. }));
}

#[test]
fn what_a_copier_refuses() {
    type Rows = layout!(U8[?,<=4]);
    type Tiles = layout!(U8[?,<=4]{1,0:T(2,2)});
    const COPY: Copier<Rows, Tiles> = Copier::new();
    let error = COPY.run([3, 5], &[0; 12], &mut [0; 16], Padding::Zero).unwrap_err();
    // `?` makes the same of the layout's own error.
    let slots = || -> Result<_, CopyError> { Ok(Rows::with_dims([3, 5])?.padded_elements()) };
    assert_eq!(slots(), Err(error));
    assert_eq!(
        error.to_string(),
        "the sizes do not go with the layout: dimension 1 has size at most 4, but was given 5"
    );
    let found = COPY.run([3, 4], &[0; 11], &mut [0; 16], Padding::Zero);
    assert_eq!(found, Err(short(Side::Source, 12, 11)));
    let mut fifteen = [9; 15];
    let error = COPY.run([3, 4], &[0; 12], &mut fifteen, Padding::Zero).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the layout of the destination needs a slice of 16, padding counted, and got one of 15"
    );
    assert_eq!(fifteen, [9; 15]);
    assert_eq!(format!("{COPY:?}"), "Copier(u8[?,<=4]{1,0} -> u8[?,<=4]{1,0:T(2,2)})");
    type Turned = layout!(U8[?,<=4]{0,1});
    let gather = |planes: &[&[u8]]| {
        let error =
            Copier::<Rows, Turned>::new().gather([3, 4], planes, &mut [0; 12], Padding::Zero);
        error.unwrap_err().to_string()
    };
    assert_eq!(gather(&[&[1; 4]]), "planes of the array: 3, planes given: 1");
    assert_eq!(gather(&[]), "planes of the array: 3, planes given: 0");
    let found = COPY.map([3, 4], &[0; 11], &mut [9; 16], Padding::Zero, |_, _| 8);
    assert_eq!(found, Err(short(Side::Source, 12, 11)));
    // Nothing is asked of sizes that a layout cannot have together.
    let none = COPY.run([0, 4], &[0; 0], &mut [0; 0], Padding::Zero);
    assert_eq!(none, Ok(()));
}

/// Nothing is written to any plane if one of them is too short.
#[test]
fn planes_that_are_too_short() {
    type Frames = layout!(S8[?,?]{0,1});
    type Channels = layout!(S8[?,?]);
    let (mut left, mut right) = ([7; 3], [7; 2]);
    let split = Copier::<Frames, Channels>::new();
    let error = split.scatter([2, 3], &[1; 6], &mut [&mut left[..], &mut right], Padding::Leave);
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("destination needs a slice of 3") && error.contains("one of 2"),
        "{error}"
    );
    assert_eq!((left, right), ([7; 3], [7; 2]));
}

#[test]
fn vectors_of_other_sizes() {
    let copier = Copier::<layout!(F32[?,3]), layout!(F32[?,3]{0,1:T(2,1)})>::new();
    let mut vec = Vec::new();
    assert_eq!(copier.run([0, 3], &[], &mut vec, 1.0), Ok(()));
    let error = copier.run([1, 2], &[0.0; 2], &mut vec, 1.0).unwrap_err();
    assert!(matches!(error, CopyError::Dims(_)) && vec.is_empty());
    let strided = Strided::new(&[0.0; 2], [1, 2], [2, 1]).unwrap();
    let twice = |_, number: f32| number * 2.0;
    assert!(strided.to_mapped::<layout!(F32[?,3]), _>(twice).is_err());
    assert_eq!(strided.write_to::<layout!(F32[?,3]), _>(&mut vec, 1.0), Err(error));
}

#[test]
fn a_layout_of_other_sizes() {
    let strided = Strided::new(&[0.0_f32; 15], [3, 5], [5, 1]).unwrap();
    let error = strided.to::<layout!(F32[4,5])>().unwrap_err().to_string();
    assert!(error.contains("dimension 0 has size 4, but was given 3"), "{error}");
}

#[test]
fn strides_that_are_refused() {
    let data = [0_u8; 20];
    let mut out = [0_u8; 20];
    let too_short = |needed, given| Some(StridesError::TooShort { needed, given });
    assert_eq!(Strided::new(&data, [3, 4], [8, 1]).err(), None);
    assert_eq!(Strided::new(&data[2..], [3, 4], [8, 1]).err(), too_short(20, 18));
    assert_eq!(Strided::at(&data, 16, [3, 4], [-8, 1]).err(), None);
    assert_eq!(Strided::at(&data, 17, [3, 4], [-8, 1]).err(), too_short(21, 20));
    let before = StridesError::BeforeStart { needed: 16, first: 15 };
    assert_eq!(Strided::at(&data, 15, [3, 4], [-8, 1]).err(), Some(before));
    assert_eq!(Strided::new(&data, [0, 9], [isize::MAX, isize::MIN]).err(), None);
    assert_eq!(Strided::new(&data, [2, 1], [isize::MIN, 9]).err(), Some(StridesError::TooLarge));
    assert_eq!(Strided::new(&data, [usize::MAX, 3], [0, 0]).err(), Some(StridesError::TooLarge));
    assert_eq!(Strided::new(&data, [isize::MAX as usize / 3, 3], [0, 1]).err(), None);
    let overlap = |dim, stride, needed| Some(StridesError::Overlap { dim, stride, needed });
    assert_eq!(StridedMut::new(&mut out, [3, 4], [0, 1]).err(), overlap(0, 0, 1));
    assert_eq!(StridedMut::new(&mut out, [3, 4], [-3, 1]).err(), overlap(0, -3, 4));
    assert_eq!(StridedMut::new(&mut out, [3, 4], [1, -2]).err(), overlap(1, -2, 3));
    assert_eq!(StridedMut::new(&mut out, [1, 4], [0, 1]).err(), None);
    assert_eq!(StridedMut::new(&mut out, [], []).err(), None);
    assert!(StridedMut::new(&mut out[..0], [], []).is_err());
    let shape: ArrayShape = "u8[3,4]".parse().unwrap();
    let to = |strides| Plan::between(&shape, Placed::strides(&shape, strides)).unwrap_err();
    assert!(matches!(to(&[0, 1]), CopyError::Strides(StridesError::Overlap { dim: 0, .. })));
    assert_eq!(to(&[1]), CopyError::StrideCount { needed: 2, given: 1 });
}

#[test]
fn packed_strides_that_are_refused() {
    let mut bytes = [0; 5];
    let of = |dims, strides| PackedStrided::<1, 2>::new(&[0; 5], dims, strides).err();
    assert_eq!(of([2, 20], [20, 1]), None);
    assert_eq!(of([2, 20], [21, 1]), Some(StridesError::TooShort { needed: 41, given: 40 }));
    assert!(
        PackedStrided::<4, 1>::at(&bytes, 2, [4], [-1])
            .is_err_and(|error| { error == StridesError::BeforeStart { needed: 3, first: 2 } })
    );
    assert!(
        PackedStridedMut::<4, 2>::new(&mut bytes, [2, 3], [2, 1]).is_err_and(|error| {
            error == StridesError::Overlap { dim: 0, stride: 2, needed: 3 }
        })
    );
}

#[test]
fn more_bytes_than_there_are() {
    let is_too_large = |error| matches!(error, Some(CopyError::TooLarge { .. }));
    let numbers = array("c128[3]");
    for far in [isize::MAX / 2, isize::MAX / 16, isize::MIN / 3] {
        let from = Plan::between(Placed::strides(&numbers, &[far]), &numbers);
        let to = Plan::between(&numbers, Placed::strides(&numbers, &[far]));
        assert!(is_too_large(from.err()) && is_too_large(to.err()), "{far}");
    }
    let [from, to] = [array("u8[64]"), array("u8[64]{0:T(16)}")];
    for bytes in [isize::MAX as usize / 8, isize::MAX as usize / 8 - 7, isize::MAX as usize / 63] {
        assert!(
            is_too_large(Plan::between(Placed::from(&from).element_bytes(bytes), &to).err()),
            "{bytes}"
        );
    }
    // More elements than 32 bits count.
    let many = array("u8[4294967297]");
    let many = Placed::strides(&many, &[1]);
    let plan = Plan::between(many, many);
    assert_eq!(plan.is_err(), cfg!(target_pointer_width = "32"));
}

/// Memory that held nothing, and vectors, are refused and left as they are too.
#[test]
fn new_memory_that_is_too_short() {
    type Rows = layout!(U16[25,13]);
    type Tiles = layout!(U16[25,13]{1,0:T(8,128)(2,1)});
    let (copier, source) = (Copier::<Rows, Tiles>::new(), vec![7; Rows::PADDED_ELEMENTS]);
    let mut memory = vec![MaybeUninit::uninit(); Tiles::PADDED_ELEMENTS];
    assert!(copier.run([25, 13], &source[1..], &mut memory[..], 5).is_err());
    assert!(copier.run([25, 13], &source, &mut memory[1..], 5).is_err());
    let view = View::<Rows>::new(&source).unwrap();
    assert!(view.write_to::<Tiles, _>(&mut memory[1..], 5).is_err());
    let mut vec = Vec::new();
    assert!(copier.run([25, 13], &source[1..], &mut vec, 5).is_err() && vec.is_empty());
    let plan = Plan::new(Rows::SHAPE, Tiles::SHAPE).unwrap();
    let given = plan.source_bytes() - 2;
    let error = plan.run_bytes(&vec![0; given], &mut Vec::new(), 5).unwrap_err();
    assert_eq!(error, short(Side::Source, given + 2, given));
}
