//! The numbers that XLA's documents, tests and users' reports work out.

use std::ops::Range;

use layout::layout;
use layout::shape::Size;
use layout::shape::analysis::{Formula, NotAddressable, PadReshapeTranspose};
use layout_tests::lists::{array, dims, list, numbers, shape};
use layout_tests::naive::flatten;
use layout_tests::table::{self, or_name, or_none};

fn range(bytes: Result<Range<Size>, NotAddressable>) -> String {
    or_name(bytes.map(|bytes| format!("{bytes:?}")))
}

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
            ("bytes of slice", [index]) => range(array.slice_bytes(&numbers::<Size>(index))),
            ("bytes of tile", [index]) => range(array.tile_bytes(&numbers::<Size>(index))),
            ("contiguous", []) => or_none(array.is_contiguous()),
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

/// A page of a large buffer, which no memory of a test holds: heads of 64 take 128.
#[test]
fn the_bytes_of_a_page() {
    type Pages = layout!(BF16[262144,8,2,64]{3,2,1,0:T(2,128)(2,1)});
    const PAGE: Result<Range<Size>, NotAddressable> = Pages::SHAPE.slice_bytes(&[262_143]);
    assert_eq!(PAGE, Ok(262_143 * 4096..262_144 * 4096));
}
