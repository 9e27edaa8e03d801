//! Memory with strides of its own and uninitialised memory: what `stride_loops` does not ask.

use core::mem::MaybeUninit;

use layout::__private::core::native;
use layout::copies::{PartOfBlocks, Placed, Side};
use layout::memory::StridesError;
use layout::{
    ArrayShape, Buffer, Copier, CopyError, Padding, Plan, Strided, StridedMut, View, layout,
};
use layout_formats::packed_format::BlockFormat;
use layout_tests::amount::times;
use layout_tests::bits::{get, set};
use layout_tests::naive::indices;
use layout_tests::random::Random;
use ndarray::{ArrayView, Axis, s};

type Rows = layout!(F32[?,?]);
type Columns = layout!(F32[?,?]{0,1});
type Panels = layout!(F32[?,?]{0,1:T(16,1)});
type Tiles = layout!(F32[?,?]{1,0:T(8,128)});
type Small = layout!(F32[?,?]{1,0:T(2,4)(2,1)});

pub(crate) fn sizes(random: &mut Random) -> [usize; 2] {
    // Miri takes the small ones.
    [(); 2].map(|()| match random.below(if cfg!(miri) { 12 } else { 20 }) {
        0 => random.below(2),
        1..12 => 1 + random.below(20),
        12..18 => *random.pick(&[31, 32, 33, 63, 64, 65, 100, 128, 129]),
        _ => 200 + random.below(300),
    })
}

/// What a copier makes of rows is what strides make of them.
#[test]
fn vectors_of_rows() {
    let random = &mut Random::new(2);
    macro_rules! vectors {
        ($($layout:ty)*) => {$(
            let dims = sizes(random);
            let count = dims[0] * dims[1];
            let rows = (0..count + 3).map(|number| number as f32).collect::<Vec<_>>();
            let copier = Copier::<Rows, $layout>::new();
            let mut vec = Vec::new();
            copier.run(dims, &rows, &mut vec, 7.0).unwrap();
            let strided = Strided::new(&rows, dims, [dims[1].cast_signed(), 1]).unwrap();
            let mut written = Vec::new();
            strided.write_to::<$layout, _>(&mut written, 7.0).unwrap();
            assert_eq!(vec, written, "{dims:?}");
            assert_eq!(vec.capacity(), vec.len());
            if let Some(last) = count.checked_sub(1) {
                let error = copier.run(dims, &rows[..last], &mut Vec::new(), 7.0).unwrap_err();
                assert!(matches!(error, CopyError::TooShort { side: Side::Source, .. }));
            }
        )*};
    }
    for _ in 0..times(200) {
        vectors! { Rows Columns Panels Tiles Small }
    }
}

#[test]
fn vectors_of_other_sizes() {
    let copier = Copier::<layout!(F32[?,3]), layout!(F32[?,3]{0,1:T(2,1)})>::new();
    let mut vec = Vec::new();
    assert_eq!(copier.run([0, 3], &[], &mut vec, 1.0), Ok(()));
    let error = copier.run([1, 2], &[0.0; 2], &mut vec, 1.0).unwrap_err();
    assert!(matches!(error, CopyError::Dims(_)) && vec.is_empty());
    let strided = Strided::new(&[0.0; 2], [1, 2], [2, 1]).unwrap();
    assert_eq!(strided.write_to::<layout!(F32[?,3]), _>(&mut vec, 1.0), Err(error));
}

#[test]
fn a_layout_of_other_sizes() {
    let strided = Strided::new(&[0.0_f32; 15], [3, 5], [5, 1]).unwrap();
    let error = strided.to::<layout!(F32[4,5])>().unwrap_err().to_string();
    assert!(error.contains("dimension 0 has size 4, but was given 3"), "{error}");
}

/// Of constant sizes, where a plan exchanges bits too.
#[test]
#[cfg_attr(miri, ignore = "they are large: see `no_memory`")]
fn uninitialised_memory_of_constant_layouts() {
    type Host = layout!(U16[256,256]{1,0:T(8,128)(2,1)});
    type Turned = layout!(U16[256,256]{0,1:T(8,128)(2,1)});
    type Ragged = layout!(U16[250,130]);
    type Tiled = layout!(U16[250,130]{1,0:T(8,128)(2,1)});
    fn check<A, B>()
    where
        A: layout::types::SameArray<B> + layout::StaticLayout + layout::Layout<2>,
        B: layout::StaticLayout + layout::Layout<2>,
        u16: layout::types::StoredIn<A> + layout::types::StoredIn<B>,
    {
        let src = (0..A::PADDED_ELEMENTS).map(|at| at as u16).collect::<Vec<_>>();
        let mut expected = vec![0; B::PADDED_ELEMENTS];
        layout::copy::<A, B, u16>(&src, &mut expected, 5).unwrap();
        let copier = Copier::<A, B>::new();
        let mut memory = vec![MaybeUninit::uninit(); B::PADDED_ELEMENTS + 1];
        let found = copier.run(A::DIMS, &src, &mut memory[..], 5).unwrap();
        assert!(found == expected);
        assert!(copier.run(A::DIMS, &src[1..], &mut memory[..], 5).is_err());
        assert!(copier.run(A::DIMS, &src, &mut memory[2..], 5).is_err());
        let view = View::<A, u16>::new(&src).unwrap();
        assert!(view.write_to::<B, _>(&mut memory[..], 5).unwrap() == expected);
        let [from, to] = [A::SHAPE, B::SHAPE];
        let plan = Plan::new(from, to).unwrap();
        let mut memory = vec![MaybeUninit::uninit(); plan.destination_bytes()];
        let bytes = src.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<_>>();
        let found = plan.run_bytes(&bytes, &mut memory[..], 5).unwrap();
        let expected = expected.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<_>>();
        assert!(found == expected);
        let mut vec = Vec::new();
        plan.run_bytes(&bytes, &mut vec, 5).unwrap();
        assert!(vec == expected);
        let error = plan.run_bytes(&bytes[2..], &mut vec, 5).unwrap_err();
        let (side, needed, given) = (Side::Source, bytes.len(), bytes.len() - 2);
        assert_eq!(error, CopyError::TooShort { side, needed, given });
    }
    check::<Host, Turned>();
    check::<Ragged, Tiled>();
    check::<Tiled, Ragged>();
}

/// Bytes of elements of 20 bytes, parts too: padding is the value's 16 bytes and zeros.
#[test]
fn padding_of_large_elements() {
    let [from, to]: [ArrayShape; 2] = ["u8[3]", "u8[3]{0:T(2)}"].map(|text| text.parse().unwrap());
    let plan = Plan::between(Placed::from(&from).element_bytes(20), &to).unwrap();
    let src = (0..60).collect::<Vec<u8>>();
    let mut dst = [9; 80];
    plan.run_bytes(&src, &mut dst, Padding::Fill(0x0201)).unwrap();
    assert_eq!(dst[..60], *src);
    if cfg!(target_endian = "little") {
        assert_eq!(dst[60..], [&[1, 2][..], &[0; 18]].concat());
    }
    let mut part = [9; 40];
    plan.part(20..60).unwrap().run_bytes(&src, &mut part, Padding::Zero).unwrap();
    assert_eq!(part, src[20..]);
}

/// What lies between elements of memory that held nothing becomes what padding is.
#[test]
fn strides_of_memory_that_held_nothing() {
    let shape: ArrayShape = "u16[2,2]".parse().unwrap();
    let plan = Plan::between(&shape, Placed::strides(&shape, &[3, 1])).unwrap();
    let (src, mut dst) = ([[1_u8, 2], [3, 4], [5, 6], [7, 8]], Vec::new());
    plan.run_bytes(src.as_flattened(), &mut dst, Padding::Leave).unwrap();
    assert_eq!(dst, [1, 2, 3, 4, 0, 0, 5, 6, 7, 8]);
    let values = src.map(|[a, b]| (a, b));
    let mut memory = [MaybeUninit::uninit(); 9];
    let refused = plan.run(&values, &mut memory, Padding::Leave);
    assert_eq!(refused, Err(CopyError::NoPadding));
    let found = plan.run(&values, &mut memory, (9, 9)).unwrap();
    assert_eq!(found, [(1, 2), (3, 4), (9, 9), (5, 6), (7, 8)]);
    let mut kept = [(0, 0); 5];
    plan.run(&values, &mut kept, (9, 9)).unwrap();
    assert_eq!(kept[2], (0, 0));
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
fn parts_of_blocks() {
    for format in BlockFormat::all().step_by(if cfg!(miri) { 1000 } else { 1 }) {
        for part in format.parts() {
            let (of_block, place) = (part.layout(), PartOfBlocks::from(part));
            let bits = of_block.element_bits();
            let narrow = native(bits);
            let [rows, columns] = [0, 1].map(|dim| of_block.dims()[dim].size().unwrap());
            let (dims, elements) = ([2 * rows, 3 * columns], 3 * format.elements());
            let text = format!("{}[{},{}]", of_block.element_type(), dims[0], dims[1]);
            let bytes = format.bytes_of(dims[0], elements).unwrap();
            let blocks =
                (0..bytes).map(|at| (at * 167 + at / 256 * 13 + 11) as u8).collect::<Vec<_>>();
            for layout in ["", "{0,1}", "{1,0:T(2,8)}"] {
                let shape = format!("{text}{layout}").parse::<ArrayShape>().unwrap();
                let (digits, width) = (shape.digits().unwrap(), native(shape.element_bits()));
                let slots = native(shape.padded_elements().unwrap());
                let is_signed = shape.element_type().is_signed_integer();
                let mut expected = vec![0; slots * width / 8];
                let mut written = blocks.iter().map(|byte| !byte).collect::<Vec<_>>();
                let mut expected_blocks = written.clone();
                for row in 0..dims[0] {
                    for column in 0..dims[1] {
                        let bit = part.bit_of(elements, [row, column]).unwrap();
                        let slot = native(bit / bits);
                        assert!(bit.is_multiple_of(bits), "{part}");
                        let mut value = get(&blocks, slot, narrow);
                        set(&mut expected_blocks, slot, narrow, value);
                        if is_signed && width > narrow && value >> (bits - 1) == 1 {
                            value |= 0xff << bits & 0xff;
                        }
                        let to = native(digits.offset(&[row, column]).unwrap());
                        set(&mut expected, to, width, value);
                    }
                }
                let mut found = vec![0; expected.len()];
                let read = Plan::between(&place, &shape).unwrap();
                assert!(read.source_bytes() <= blocks.len());
                read.run_bytes(&blocks, &mut found, Padding::Zero).unwrap();
                assert!(found == expected, "{part} to {shape}");
                let write = Plan::between(&shape, &place).unwrap();
                write.run_bytes(&found, &mut written, Padding::Zero).unwrap();
                assert!(written == expected_blocks, "{shape} to {part}");
            }
            let other = format!("{}[{},{}]", of_block.element_type(), rows, columns + 1);
            let is_whole = columns == 1;
            let other = other.parse::<ArrayShape>().unwrap();
            let read = Plan::between(&place, &other);
            assert_eq!(read.is_ok(), is_whole, "{part} of {other}");
        }
    }
}

#[test]
fn arrays_of_ndarray() {
    let random = &mut Random::new(4);
    for _ in 0..times(100) {
        let [a, b] = sizes(random).map(|size| size + 2);
        let data = (0..a * b).map(|number| number as f32).collect::<Vec<_>>();
        let whole = ArrayView::from_shape((a, b), &data).unwrap();
        let mut view = match random.below(3) {
            0 => whole.slice(s![1.., ..b - 1]),
            1 => whole.slice(s![..;2, ..]),
            2 => {
                whole.row(1).broadcast((a, b)).map(|view| view.to_owned()).map_or(whole, |_| whole)
            }
            _ => whole,
        };
        if random.below(2) == 0 {
            view = view.reversed_axes();
        }
        if random.below(2) == 0 {
            view.invert_axis(Axis(random.below(2)));
        }
        let dims = [view.shape()[0], view.shape()[1]];
        let mut buffer = Tiles::with_dims(dims).unwrap().filled(-1.0_f32);
        buffer.as_view_mut().copy_from_ndarray(&view, Padding::Zero).unwrap();
        assert!(indices(dims).all(|index| buffer[index] == view[index]));
        // Padding too, of views with memory between their elements.
        let tiles = Small::with_dims(dims).unwrap();
        let mut expected = vec![0.0; tiles.padded_elements()];
        for index in indices(dims) {
            expected[tiles.offset(index)] = view[index];
        }
        let mut buffer = Buffer::<Small, f32>::from_ndarray(&view).unwrap();
        assert_eq!(buffer.as_slice(), expected, "{:?} {:?}", view.shape(), view.strides());
        buffer.as_mut_slice().fill(-1.0);
        buffer.as_view_mut().copy_from_ndarray(&view, Padding::Zero).unwrap();
        assert_eq!(buffer.as_slice(), expected, "{:?} {:?}", view.shape(), view.strides());
        if let Some(strided) = Strided::of_ndarray(&view) {
            assert!(indices(dims).all(|index| strided[index] == view[index]));
        }
    }
    let whole = ndarray::Array2::<f32>::zeros((5, 8));
    for empty in [whole.slice(s![..0, 1..3]), whole.slice(s![1..4, 2..2])] {
        assert!(Buffer::<Small, f32>::from_ndarray(&empty).unwrap().as_slice().is_empty());
    }
    let one = whole.slice(s![1..2, ..;-3]);
    assert_eq!(Buffer::<Rows, f32>::from_ndarray(&one).unwrap().as_slice(), [0.0; 3]);
    let row = ndarray::array![1.0_f32, 2.0, 3.0];
    let view = row.broadcast((4, 3)).unwrap();
    let strided = Strided::of_ndarray(&view).unwrap();
    assert_eq!((strided.strides(), strided[[3, 2]]), ([0, 1], 3.0));
    let mut out = ndarray::Array2::<f32>::zeros((4, 3));
    let mut flipped = out.view_mut();
    flipped.invert_axis(Axis(1));
    strided.copy_to(&mut StridedMut::of_ndarray(flipped).unwrap(), Padding::Leave).unwrap();
    assert_eq!(out.row(3).to_vec(), [3.0, 2.0, 1.0]);
    assert!(StridedMut::of_ndarray(out.slice_mut(s![.., ..2])).is_none());
}
