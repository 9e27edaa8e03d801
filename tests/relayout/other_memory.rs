//! Parts of blocks of quantised formats, and arrays of `ndarray`.

use layout::__private::core::native;
use layout::copies::PartOfBlocks;
use layout::{ArrayShape, Buffer, Padding, Plan, Strided, StridedMut, layout};
use layout_formats::packed_format::BlockFormat;
use layout_tests::amount::times;
use layout_tests::bits::{get, set};
use layout_tests::copies::doors::some_dims;
use layout_tests::naive::indices;
use layout_tests::random::Random;
use ndarray::{ArrayView, Axis, s};

type Rows = layout!(F32[?,?]);
type Small = layout!(F32[?,?]{1,0:T(2,4)(2,1)});

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
        let [a, b] = some_dims(random).map(|size| size + 2);
        let data = (0..a * b).map(|number| number as f32).collect::<Vec<_>>();
        let whole = ArrayView::from_shape((a, b), &data).unwrap();
        let mut view = match random.below(3) {
            0 => whole.slice(s![1.., ..b - 1]),
            1 => whole.slice(s![..;2, ..]),
            _ => whole,
        };
        if random.below(2) == 0 {
            view = view.reversed_axes();
        }
        if random.below(2) == 0 {
            view.invert_axis(Axis(random.below(2)));
        }
        let dims = [view.shape()[0], view.shape()[1]];
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
