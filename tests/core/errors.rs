//! Errors as values: `?` turns each into a `Box<dyn Error>`, and what wraps another says so.

use core::error::Error;

use layout::bitcast::{NotBitcast, check_reshape_is_bitcast};
use layout::shape::Dim;
use layout::tpu::{TileFormat, Tpu, advise};
use layout::walks::SliceError;
use layout::{ArrayShape, ElementType, Fault, Shape};
use layout::{
    BytesError, NdarrayError, PackedView, Padding, RelayoutError, TooShort, View, WithDims, layout,
    relayout,
};
use layout_hlo::{self as hlo, Module};
use layout_tests::fuzz;
use layout_tests::lists::array;

type Boxed<T = ()> = Result<T, Box<dyn Error>>;

type A = layout!(F32[3,5]);
/// With rows in its first dimension, so that sizes can be wrong.
type Rows = layout!(F32[?,5]);

/// `?` on a result, whatever its error.
fn boxed<T, E: Error + 'static>(result: Result<T, E>) -> Boxed<T> {
    Ok(result?)
}

/// An error's message, and that of what it wraps.
fn messages<T, E: Error + 'static>(result: Result<T, E>) -> (String, Option<String>) {
    let error = boxed(result).err().expect("it fails");
    let error = error.downcast::<E>().expect("it is this type");
    (error.to_string(), error.source().map(ToString::to_string))
}

fn alone<T, E: Error + 'static>(result: Result<T, E>) {
    let (message, source) = messages(result);
    assert!(!message.is_empty());
    assert_eq!(source, None, "{message}");
}

/// An error that says all that it holds: a chain of sources does not say it again.
fn says<T, E: Error + 'static>(text: &str, result: Result<T, E>) {
    let (message, source) = messages(result);
    assert!(message.contains(text), "{message}");
    assert_eq!(source, None, "{message}");
}

#[test]
fn errors_of_text() {
    alone::<_, layout::Error>("f23[3]".parse::<Shape>());
    alone::<_, layout::Error>("f23[3]".parse::<ArrayShape>());
    alone::<_, layout::Error>(ArrayShape::parse_const("f23[3]"));
    alone::<_, hlo::Error>(Module::parse(""));
    let wrong = "HloModule m\nENTRY e {\nx = f23[3] add()\n}";
    says::<_, hlo::Error>("unknown element type", Module::parse(wrong));
    let found = || fuzz::hlo_shapes(wrong)[0];
    says::<_, hlo::Error>("unknown element type", found().parse());
}

/// Zeros before the digit of −1 change nothing.
#[test]
fn zeros_before_minus_one() {
    let [short, long] = ["-1", "-001"]
        .map(|one| format!("f32[2,3]{{1,0:T({one},2)}}").parse::<ArrayShape>().unwrap());
    assert_eq!(short, long);
    for text in ["f32[2,3]{1,0:T(-001)}", "f32[-001]", "f32[2]{-001}", "f32[2]{0:L(-001)}"] {
        let error = text.parse::<ArrayShape>().unwrap_err();
        for fault in error.faults() {
            let said = [fault.message().to_string(), fault.help().to_string()];
            assert!(said.iter().all(|said| !said.is_empty()), "{text}: {said:?}");
        }
    }
}

#[test]
fn faults_of_values() {
    let big = array("u4[1152921504606846976]{0:E(4)}");
    let matrix = array("f32[3,5]{1,0:T(2,2)}");
    let dims = [Dim::Static(3)];
    for call in [
        &(|| ArrayShape::new(ElementType::F32, &[Dim::Static(3); 17])) as &dyn Fn() -> _,
        &|| ArrayShape::of_lists(ElementType::F32, &dims, &[1], &[]),
        &|| matrix.with_minor_to_major(&[0]),
        &|| matrix.with_minor_to_major(&[0, 0]),
        &|| big.with_element_type(ElementType::C128),
        &|| matrix.with_layout_of(&big),
        &|| array("c128[72057594037927935]").with_tiles(&TileFormat::Bits16.tiles()),
    ] {
        let fault: Fault = call().expect_err("it fails");
        // There is no text in which it could stand.
        assert_eq!(fault.range(), None);
        assert!(fault.to_string().contains(&fault.message().to_string()), "{fault}");
        assert!(fault.to_string().contains(&fault.help().to_string()), "{fault}");
        alone::<_, Fault>(call());
    }
    // These fail for sizes at the limit only.
    boxed(big.with_packed_elements(true)).unwrap();
    boxed(big.with_default_order()).unwrap();
    boxed(matrix.without_layout()).unwrap();
}

#[test]
fn errors_of_arithmetic() {
    let matrix = array("f32[3,5]{1,0:T(2,2)}");
    let rows = array("f32[?,5]{1,0:T(8,128)}");
    alone::<_, Fault>(matrix.with_dimensions(&[layout::shape::Origin::Old(2)], 0));
    let full = array("f32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]");
    says::<_, Fault>(
        "more than 16 dimensions",
        full.with_dimensions(&[layout::shape::Origin::New(Dim::Static(1)); 17], 16),
    );
    alone::<_, Fault>(rows.with_dims(&[1]));
    says::<_, Fault>("the array ", rows.with_dims(&[layout::shape::limits::MAX_SIZE, 5]));
    alone::<_, Fault>(rows.with_default_tiling(Tpu::V5e));
    alone::<_, Fault>(advise(&array("f32[?,?]"), Tpu::V5e));
    says::<_, Fault>(
        "tile 0: padded to whole tiles",
        array("f32[288230376151711743,1]").with_default_tiling(Tpu::V5e),
    );
    alone::<_, NotBitcast>(layout::bitcast::same_bytes(&matrix, &array("f32[3,5]")));
    alone::<_, NotBitcast>(check_reshape_is_bitcast(&matrix, &array("f32[15]")));
}

#[test]
fn errors_of_views() {
    let mut data = [0.0f32; 15];
    alone::<_, TooShort>(View::<A, f32>::new(&[]));
    alone::<_, TooShort>(PackedView::<layout!(PRED[8]{0:E(1)})>::new(&[]));
    alone::<_, RelayoutError>(relayout::<A, A, f32>(&[], &mut data, Padding::Zero));
    let view = View::<A, f32>::new(&[0.0; 15]).unwrap();
    alone::<_, SliceError>(view.slice((..4, ..)));
    alone::<_, SliceError>(view.split_at(2, 0));
    says::<_, Fault>("the array ", Rows::with_dims([usize::MAX >> 1, 5]));
    let known: WithDims<Rows> = Rows::with_dims([3, 5]).unwrap();
    alone::<_, TooShort>(known.view::<f32>(&[]));
    says::<_, BytesError>(
        "`f32[?,5]{1,0}` needs 60 bytes, padding counted, and got 0",
        known.view_of_bytes::<f32>(&[]),
    );
    let odd = &[0u32; 17].map(u32::to_ne_bytes).concat();
    let at = odd.as_ptr().align_offset(4) + 1;
    alone::<_, BytesError>(known.view_of_bytes::<f32>(&odd[at..]));
    let (short, other) = (ndarray::Array2::<f32>::zeros((2, 5)), ndarray::Array2::zeros((5, 3)));
    says::<_, NdarrayError>("dimension 0 has size 3", View::<A, f32>::of_ndarray(short.view()));
    alone::<_, NdarrayError>(View::<A, f32>::of_ndarray(other.t()));
}
