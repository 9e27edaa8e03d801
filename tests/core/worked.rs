//! The numbers that XLA's documents, tests and users' reports work out.

use std::ops::Range;

use layout::ArrayShape;
use layout::shape::analysis::{Formula, NotAddressable, PadReshapeTranspose};
use layout::shape::{Size, UnknownSize};
use layout_tests::lists::{array, dims, list, numbers, shape};
use layout_tests::naive::flatten;
use layout_tests::table::{self, or_none};

#[test]
fn worked_examples() {
    table::check("worked", &mut |question, columns| {
        if let ("prints", [text]) = (question, columns) {
            return shape(text).to_string();
        }
        let array = array(columns[0]);
        let digits = array.digits();
        match (question, &columns[1..]) {
            ("offset", [index]) => {
                let (digits, index) = (digits.unwrap(), numbers::<Size>(index));
                let offset = digits.offset(&index).unwrap();
                assert_eq!(*digits.index(offset).unwrap(), *index);
                offset.to_string()
            }
            ("rows", [row]) => {
                let (digits, row) = (digits.unwrap(), numbers::<Size>(row)[0]);
                let columns = (0..dims(&array)[1]).map(|column| {
                    let offset = digits.offset(&[row, column]).unwrap();
                    assert_eq!(*digits.index(offset).unwrap(), [row, column]);
                    offset
                });
                list(&columns.collect::<Vec<_>>())
            }
            ("memory", []) => {
                let slots = (0..array.padded_elements().unwrap()).map(|slot| {
                    match digits.as_ref().unwrap().index(slot) {
                        Some(index) => (1 + flatten(&index, &dims(&array))).to_string(),
                        None => "-".to_owned(),
                    }
                });
                slots.collect::<Vec<_>>().join(" ")
            }
            ("physical dims", []) => or_none(array.physical_dims().map(|dims| list(&dims))),
            ("step", [number]) => {
                let step = PadReshapeTranspose::of(&array).nth(numbers(number)[0]);
                or_none(step.map(|step| {
                    let [combined, padded, reshaped, result] =
                        [&step.combined, &step.padded, &step.reshaped, &step.result]
                            .map(|sizes| list(sizes));
                    format!(
                        "{combined}; {padded}; {reshaped}; {}; {result}",
                        list(&step.permutation)
                    )
                }))
            }
            ("sizes", []) => {
                let sizes = [array.padded_elements(), array.bytes(), array.xla_bytes()];
                sizes.map(or_none).join(", ")
            }
            ("bytes", []) => {
                assert_eq!(array.xla_bytes(), array.bytes());
                or_none(array.bytes())
            }
            ("unpadded", []) => [array.unpadded_bytes(), array.bytes()].map(or_none).join(", "),
            ("elements", []) => {
                format!("{}, {}", or_none(array.elements()), array.true_rank())
            }
            ("formula", []) => Formula::of(&array).to_string(),
            _ => panic!("unknown question"),
        }
    });
}

/// Offsets and indices there and back, where XLA's own inverse is wrong: it drops the dimensions that a later tile puts
/// before the others; and of many dimensions.
#[test]
fn offsets_there_and_back() {
    let digits = array("f32[8,8]{1,0:T(2,2)(2,2,2,2,2)}").digits().unwrap();
    for (i, j) in (0..8).flat_map(|i| (0..8).map(move |j| (i, j))) {
        assert_eq!(*digits.index(digits.offset(&[i, j]).unwrap()).unwrap(), [i, j]);
    }
    for order in ["6,5,4,3,2,1,0", "0,1,2,3,4,5,6", "4,5,1,2,6,0,3"] {
        let digits = array(&format!("f32[10,20,30,40,30,20,10]{{{order}}}")).digits().unwrap();
        for offset in [0, 1439999999, 1145567336, 43883404, 617295214, 1117613654] {
            let index = digits.index(offset).unwrap();
            assert_eq!(digits.offset(&index), Some(offset), "{order}");
        }
    }
}

/// What users of large buffers ask, which no memory of a test holds.
#[test]
fn addressable_slices() {
    const PAGES: &str = "bf16[262144,8,2,64]{3,2,1,0:T(2,128)(2,1)}";
    const PAGE: Range<Size> = match ArrayShape::parse_const(PAGES) {
        Ok(pages) => match pages.slice_bytes(&[262_143]) {
            Ok(bytes) => bytes,
            Err(_) => 0..0,
        },
        Err(_) => 0..0,
    };
    // Heads of 64 take 128.
    assert_eq!(PAGE, 262_143 * 4096..262_144 * 4096);
    assert_eq!(array(PAGES).slice_bytes(&[1, 2]), Ok(4096 + 1024..4096 + 1536));
    assert_eq!(array(PAGES).is_contiguous(), Some(false));

    let inside = array("bf16[512,3,2048]{2,0,1:T(8,128)(2,1)}");
    let error = inside.slice_bytes(&[7]).unwrap_err();
    assert!(
        matches!(error, NotAddressable::Interleaved { dim: 0, first: 769, offset: 770, .. }),
        "{error:?}"
    );
    assert_eq!(inside.tile_bytes(&[9, 1, 200]), Ok((64 * 16 + 17) * 2048..(64 * 16 + 18) * 2048));

    let packed = array("s4[4,3]{1,0:E(4)}");
    let within = |start, end| Err(NotAddressable::WithinByte { start, end });
    let rows = [within(0, 12), within(12, 24), within(24, 36), within(36, 48)];
    assert_eq!([0, 1, 2, 3].map(|row| packed.slice_bytes(&[row])), rows);
    assert_eq!(packed.slice_bytes(&[]), Ok(0..6));
    assert_eq!(array("s4[4,4]{1,0:E(4)}").slice_bytes(&[3]), Ok(6..8));

    let unknown = array("f32[?,5]");
    assert_eq!(unknown.digits().unwrap_err(), UnknownSize { dim: 0 });
    assert_eq!(unknown.slice_bytes(&[0]), Err(NotAddressable::UnknownSize(UnknownSize { dim: 0 })));
    assert_eq!((unknown.is_contiguous(), array("f32[<=3,5]").is_contiguous()), (None, Some(true)));
    assert_eq!(array("bf16[5]{0:E(32)}").is_contiguous(), Some(false));
    let combined = array("f32[4,5]{1,0:T(*,2)}");
    assert_eq!(combined.tile_bytes(&[0, 0]), Err(NotAddressable::CombinedTile));
}
