//! Arrays of more than 4 GiB as values, on every target: where `usize` has 32 bits too, they are read, asked, drawn and
//! found in programs. The numbers are worked out by hand, or by the plain definition in 128 bits.

use layout::shape::limits::MAX_SIZE;
use layout::shape::{FaultKind, Size};
use layout::{ArrayShape, Shape};
use layout_hlo::Module;
use layout_picture::Picture;
use layout_tests::fuzz;
use layout_tests::lists::array;
use layout_tests::random::Random;

/// The offset in an array of two dimensions with one level of tiles, by the definition.
fn tiled(rows: u128, columns: u128, [height, width]: [u128; 2], [i, j]: [u128; 2]) -> u128 {
    assert!(i < rows && j < columns);
    let tile = i / height * columns.div_ceil(width) + j / width;
    tile * height * width + i % height * width + j % width
}

#[test]
fn sizes_and_offsets_above_32_bits() {
    let shape = array("f32[100000,100000]");
    assert_eq!(shape.elements(), Some(10_000_000_000));
    assert_eq!(shape.bytes(), Some(40_000_000_000));
    let digits = shape.digits().unwrap();
    assert_eq!(digits.offset(&[99_999, 99_999]), Some(9_999_999_999));
    assert_eq!(*digits.index(4_294_967_296).unwrap(), [42_949, 67_296]);
    assert_eq!(shape.to_string(), "f32[100000,100000]{1,0}");

    // Each dimension alone is wider than 32 bits.
    let shape = array("s8[6000000000]");
    assert_eq!(shape.bytes(), Some(6_000_000_000));
    assert_eq!(*shape.digits().unwrap().index(5_999_999_999).unwrap(), [5_999_999_999]);
    assert_eq!(shape.dims()[0], 6_000_000_000);

    // The limit, and one more.
    let shape = array("s8[9223372036854775807]");
    assert_eq!((shape.bytes(), MAX_SIZE), (Some(MAX_SIZE), 9_223_372_036_854_775_807));
    let error = "s8[9223372036854775808]".parse::<ArrayShape>().unwrap_err().to_string();
    assert!(error.contains("does not fit in 63 bits"), "{error}");
    let error = "s16[9223372036854775807]".parse::<ArrayShape>().unwrap_err().to_string();
    assert!(error.contains("more bytes in memory than 2^63-1"), "{error}");
}

#[test]
fn tiled_offsets_agree_with_the_definition() {
    for ([rows, columns], tile) in [
        ([100_000, 100_000], [8, 128]),
        ([70_001, 90_007], [6, 100]),
        ([5_000_000_011, 3], [2, 2]),
        ([3, 4_294_967_297], [1, 65_536]),
    ] {
        let text = format!("f32[{rows},{columns}]{{1,0:T({},{})}}", tile[0], tile[1]);
        let shape = array(&text);
        let digits = shape.digits().unwrap();
        let mut random = Random::new(1);
        for _ in 0..500 {
            let index = [rows, columns].map(|size| random.below_size(size as Size) as u128);
            let offset = tiled(rows, columns, tile, index) as Size;
            let index = index.map(|coordinate| coordinate as Size);
            assert_eq!(digits.offset_unchecked(&index), offset, "{text} {index:?}");
            assert_eq!(*digits.index(offset).unwrap(), index, "{text} {offset}");
        }
        let last = [rows - 1, columns - 1];
        let offset = tiled(rows, columns, tile, last) as Size;
        assert_eq!(
            shape.digits().unwrap().offset(&last.map(|at| at as Size)),
            Some(offset),
            "{text}"
        );
        let slots = rows.next_multiple_of(tile[0]) * columns.next_multiple_of(tile[1]);
        assert_eq!(shape.padded_elements(), Some(slots as Size), "{text}");
    }
}

#[test]
fn sizes_that_are_given_later() {
    let shape = array("bf16[?,<=4096,4096]{2,1,0:T(8,128)(2,1)}");
    let known = shape.with_dims(&[1_000, 4_000, 4_096]).unwrap();
    assert_eq!(known.bytes(), Some(2 * 1_000 * 4_096 * 4_096));
    let error = shape.with_dims(&[MAX_SIZE, 1, 4_096]).unwrap_err();
    assert!(matches!(error.kind(), FaultKind::Overflow { .. }), "{error}");
    assert!(error.to_string().contains("2^63-1"), "{error}");
}

#[test]
fn a_picture() {
    let shape = array("f32[100000,100000]{1,0:T(8,128)}");
    let picture = Picture::new(&shape).unwrap();
    assert_eq!(picture.slots(), 10_009_600_000);
    assert_eq!(picture.extent(), [100_000, 100_096]);
    // The last slot is padding beside the last element.
    let text = picture.to_string();
    assert!(text.contains("10009599999") || text.contains("99999"), "{text}");
    let lines = picture.memory(8, 4);
    let end = lines.last().map(|line| line.start + line.slots.len() as Size);
    assert_eq!(end, Some(10_009_600_000));
    let slice = picture.slice(0, [3, 3]).unwrap();
    let corner = slice.cell(slice.rows.len() - 1, slice.columns.len() - 1);
    assert_eq!((corner.offset, corner.is_padding), (10_009_599_999, true));
    assert!(picture.svg().contains("</svg>"));
    assert_eq!(
        picture.slot(4_294_967_296).index,
        shape.digits().unwrap().index(4_294_967_296).map(|i| i.to_vec())
    );
}

#[test]
fn a_program_with_a_parameter_above_4_gib() {
    const ARRAY: &str = "bf16[65536,131072]{1,0:T(8,128)(2,1)}";
    let text = format!(
        "ENTRY main {{ p = {ARRAY} parameter(0) q = f32[4] parameter(1) ROOT r = {ARRAY} copy(p) }}"
    );
    let text = fuzz::scheduled(&text);
    let module = Module::parse(&text).unwrap();
    let shapes = module.parameters().iter().map(|parameter| parameter.shape()).collect::<Vec<_>>();
    assert_eq!(shapes[0].as_array().and_then(ArrayShape::bytes), Some(17_179_869_184));
    assert_eq!(module.result(), shapes[0]);
    assert_eq!(module.memory().unwrap().hbm.results_bytes, 17_179_869_184);
    let bytes_of = |shape: &Shape| shape.as_array().and_then(ArrayShape::unpadded_bytes);
    assert_eq!(shapes.iter().map(bytes_of).sum::<Option<Size>>(), Some(17_179_869_184 + 16));
}

/// The offsets that the data files list, so that one small test binary looks at the arithmetic of a target.
#[test]
fn the_vectors() {
    super::differential::offset_vectors();
}
