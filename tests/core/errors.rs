//! Errors as values: each can be boxed by `?`, and faults of values say what faults of texts do.

use core::error::Error;

use layout::bitcast::NotBitcast;
use layout::shape::{Dim, Fault, Origin, limits};
use layout::tpu::{TileFormat, Tpu, advise};
use layout::walks::SliceError;
use layout::{ArrayShape, CopyError, ElementType, MemoryError};
use layout_tests::data::assert_snapshot;
use layout_tests::lists::array;
use static_assertions::assert_impl_all;

assert_impl_all!(layout::Error: Error, Send, Sync);
assert_impl_all!(Fault: Error, Send, Sync);
assert_impl_all!(NotBitcast: Error, Send, Sync);
assert_impl_all!(CopyError: Error, Send, Sync);
assert_impl_all!(SliceError: Error, Send, Sync);
assert_impl_all!(MemoryError: Error, Send, Sync);
assert_impl_all!(layout_hlo::Error: Error, Send, Sync);

#[test]
fn faults_of_values() {
    let big = array("u4[1152921504606846976]{0:E(4)}");
    let matrix = array("f32[3,5]{1,0:T(2,2)}");
    let rows = array("f32[?,5]{1,0:T(8,128)}");
    let full = array("f32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]");
    let mut said = String::new();
    for made in [
        ArrayShape::new(ElementType::F32, &[Dim::Static(3); 17]),
        ArrayShape::of_lists(ElementType::F32, &[Dim::Static(3)], &[1], &[]),
        matrix.with_minor_to_major(&[0]),
        matrix.with_minor_to_major(&[0, 0]),
        big.with_element_type(ElementType::C128),
        matrix.with_layout_of(&big),
        array("c128[72057594037927935]").with_tiles(&TileFormat::Bits16.tiles()),
        matrix.with_dimensions(&[Origin::Old(2)], 0),
        full.with_dimensions(&[Origin::New(Dim::Static(1)); 17], 16),
        rows.with_dims(&[1]),
        rows.with_dims(&[limits::MAX_SIZE, 5]),
        rows.with_default_tiling(Tpu::V5e),
        array("f32[288230376151711743,1]").with_default_tiling(Tpu::V5e),
        advise(&array("f32[?,?]"), Tpu::V5e).map(|_| matrix),
    ] {
        let fault = made.expect_err("it fails");
        // There is no text in which it could stand.
        assert_eq!(fault.range(), None);
        let text = fault.to_string();
        assert!(text.contains(&fault.message().to_string()), "{text}");
        assert!(text.contains(&fault.help().to_string()), "{text}");
        said += &format!("{text}\n");
    }
    assert_snapshot("tables/faults_of_values.txt", &said);
    // These fail for sizes at the limit only.
    big.with_packed_elements(true).unwrap();
    big.with_default_order().unwrap();
    matrix.without_layout().unwrap();
}
