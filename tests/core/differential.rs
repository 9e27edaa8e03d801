//! Every line of the data files: what XLA and the TPU compiler say, the library says.

use layout::__private::core::native;
use layout::Shape;
use layout_tests::data;
use layout_tests::lists::array;
use layout_tests::naive::offsets;

#[test]
pub(crate) fn offset_vectors() {
    let lines = data::offset_vectors();
    assert_eq!(lines.len(), 299);
    for line in lines {
        let shape = array(&line.layout);
        assert_eq!(shape.padded_elements(), Some(line.padded_elements), "{}", line.layout);
        assert_eq!(offsets(&shape), line.offsets, "{}", line.layout);
    }
}

#[test]
fn tpu_linear() {
    let lines = data::tpu_linear();
    assert_eq!(lines.len(), 631);
    for line in lines {
        let shape = array(&line.layout);
        assert_eq!(shape.padded_elements(), Some(line.padded_elements), "{}", line.layout);
        assert_eq!(shape.bytes(), Some(line.bytes), "{}", line.layout);
        let offsets = offsets(&shape);
        for [number, offset] in line.samples {
            assert_eq!(offsets[native(number)], offset, "{} element {number}", line.layout);
        }
        assert_eq!(data::sha256(offsets), line.sha256_offsets_le_i64, "{}", line.layout);
    }
}

#[test]
fn tpu_sizes() {
    let lines = data::tpu_sizes();
    assert_eq!(lines.len(), 2927);
    for line in lines {
        let shape = array(&line.layout);
        assert_eq!(shape.bytes(), Some(line.document_bytes), "{}", line.layout);
        assert_eq!(shape.xla_bytes(), Some(line.compiler_bytes), "{}", line.layout);
    }
}

#[test]
fn tpu_shapes() {
    let lines = data::tpu_shapes();
    assert_eq!(lines.len(), 5707);
    for text in lines {
        let shape = text.parse::<Shape>().unwrap_or_else(|error| panic!("{text}:\n{error}"));
        // Where no layout was printed, the default one is filled in.
        let printed = shape.to_string();
        if text.contains('{') || text.ends_with("[]") {
            assert_eq!(printed, text);
        } else {
            assert!(printed.starts_with(&format!("{text}{{")), "{text} {printed}");
        }
        if let Some(array) = shape.as_array() {
            assert!(array.bytes() >= array.unpadded_bytes(), "{text}");
        }
    }
}

#[test]
fn tpu_tuples() {
    let lines = data::tpu_tuples();
    assert_eq!(lines.len(), 306);
    for text in lines {
        let shape = text.parse::<Shape>().unwrap_or_else(|error| panic!("{text}:\n{error}"));
        assert!(matches!(shape, Shape::Tuple(_)), "{text}");
        assert_eq!(shape.to_string(), text);
    }
}
