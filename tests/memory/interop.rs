//! Views as `ndarray`'s, and shapes in `serde`'s formats.

use layout::{AnyLayout, Buffer, NdarrayError, Padding, View, element, layout};
use layout::{ArrayShape, Shape};
use layout_tests::data;
use ndarray::{Array, ArrayView, IntoDimension};

/// A buffer whose elements are their row-major numbers.
fn numbered<L>() -> Buffer<L, u32>
where
    L: AnyLayout<Element = element::U32>,
{
    let mut buffer = Buffer::<L, u32>::filled(u32::MAX);
    let indices = buffer.as_view().layout().indices_row_major().collect::<Vec<_>>();
    for (number, (index, _)) in indices.into_iter().enumerate() {
        buffer[index] = number as u32;
    }
    buffer
}

/// Copies of any layout.
fn copies<L>()
where
    L: AnyLayout<Element = element::U32, Index: IntoDimension>,
{
    let buffer = numbered::<L>();
    let view = buffer.as_view();
    let array = view.to_ndarray();
    assert_eq!(array.shape(), view.dims().as_ref());
    assert!(array.iter().copied().eq(0..array.len() as u32));

    let mut back = Buffer::<L, u32>::filled(7);
    back.as_view_mut().copy_from_ndarray(&array.view(), Padding::Fill(u32::MAX));
    assert_eq!(back.as_slice(), buffer.as_slice());

    // The same array in the reverse order of memory.
    let reversed =
        Array::from_shape_vec(array.t().raw_dim(), array.t().iter().copied().collect::<Vec<_>>());
    let reversed = reversed.unwrap().reversed_axes();
    let mut back = Buffer::<L, u32>::filled(7);
    back.as_view_mut().copy_from_ndarray(&reversed.view(), Padding::Leave);
    for (index, _) in view.layout().indices() {
        assert_eq!(back[index], buffer[index]);
    }
}

/// Views of an affine layout, and back where it has no padding.
fn views<L>()
where
    L: AnyLayout<Element = element::U32, Index: IntoDimension>,
{
    copies::<L>();
    let mut buffer = numbered::<L>();
    let view = buffer.as_view();
    let array = view.as_ndarray();
    assert!(array.iter().copied().eq(0..array.len() as u32), "{array:?}");
    match View::<L, u32>::of_ndarray(array.clone()) {
        Ok(back) => assert_eq!(back.as_slice(), view.as_slice()),
        Err(error) => {
            assert!(L::SHAPE_IS_PADDED, "{error}");
        }
    }
    let mut view = buffer.as_view_mut();
    view.as_ndarray_mut().mapv_inplace(|x| x + 1);
    assert!(view.as_view().as_ndarray().iter().copied().eq(1..=array_len(&view.dims())));
}

fn array_len<I: AsRef<[usize]>>(dims: &I) -> u32 {
    dims.as_ref().iter().product::<usize>() as u32
}

/// Whether a layout has slots that hold no element.
trait IsPadded {
    const SHAPE_IS_PADDED: bool;
}

impl<L: AnyLayout> IsPadded for L {
    const SHAPE_IS_PADDED: bool = L::SLOTS != L::DIGITS.elements();
}

#[test]
fn arrays() {
    views::<layout!(U32[])>();
    views::<layout!(U32[7])>();
    views::<layout!(U32[3,5])>();
    views::<layout!(U32[3,5]{0,1})>();
    views::<layout!(U32[2,1,4]{1,2,0})>();
    views::<layout!(U32[3,5]{0,1:PAD(4,8)L(7)})>();
    views::<layout!(U32[16,128]{1,0:T(8,128)})>();
    views::<layout!(U32[0,5])>();
    views::<layout!(U32[2,3,2,1,2,2]{1,3,5,0,2,4})>();
    copies::<layout!(U32[3,5]{1,0:T(2,2)})>();
    copies::<layout!(U32[300,500]{0,1:T(8,128)})>();
    copies::<layout!(U32[3,4,5]{1,2,0:T(*,2)})>();
    copies::<layout!(U32[0,5]{1,0:T(2,2)})>();
}

#[test]
fn bounded_dimensions_have_their_valid_elements() {
    type A = layout!(U32[<=4,5]{1,0:T(2,2)});
    let a = A::with_dims([3, 5]).unwrap();
    let mut memory = vec![0; a.padded_elements()];
    let array = Array::from_shape_vec((3, 5), (0..15).collect::<Vec<u32>>()).unwrap();
    let mut view = a.view_mut(&mut memory).unwrap();
    view.copy_from_ndarray(&array.view(), Padding::Leave);
    assert_eq!(view[[2, 4]], 14);
    assert_eq!(view.as_view().to_ndarray(), array);
}

#[test]
fn arrays_that_are_no_views() {
    type A = layout!(U32[2,3]);
    let slots = (0..12).collect::<Vec<u32>>();
    let error = |array: ArrayView<'static, u32, ndarray::Ix2>| {
        View::<A, u32>::of_ndarray(array).unwrap_err()
    };
    let slots: &'static [u32] = slots.leak();
    let array = ArrayView::from_shape((3, 2), &slots[..6]).unwrap();
    let error_of_dims = error(array);
    assert_eq!(error_of_dims.to_string(), "dimension 0 has size 2, and was given 3");
    assert_eq!(error(array.reversed_axes()), NdarrayError::Strides);
    let array = ArrayView::from_shape((2, 6), slots).unwrap();
    assert_eq!(error(array.slice_move(ndarray::s![.., ..;2])), NdarrayError::Strides);
    let array = ArrayView::from_shape((2, 3), &slots[..6]).unwrap();
    assert_eq!(error(array.slice_move(ndarray::s![.., ..;-1])), NdarrayError::Strides);
    let padded = View::<layout!(U32[2,3]{1,0:L(8)}), u32>::of_ndarray(array);
    assert!(matches!(padded.unwrap_err(), NdarrayError::TooShort(_)));
}

#[test]
fn shapes_are_their_text() {
    let mut count = 0;
    for text in data::all_layouts().into_iter().step_by(20) {
        let shape = text.parse::<ArrayShape>().unwrap();
        let json = serde_json::to_string(&shape).unwrap();
        assert_eq!(json, format!("\"{shape}\""));
        assert_eq!(serde_json::from_str::<ArrayShape>(&json).unwrap(), shape);
        count += 1;
    }
    assert!(count > 100);
    for text in data::tpu_tuples() {
        let shape = text.parse::<Shape>().unwrap();
        let value = serde_json::to_value(&shape).unwrap();
        assert_eq!(value, serde_json::Value::String(shape.to_string()));
        assert_eq!(serde_json::from_value::<Shape>(value).unwrap(), shape);
    }
    let error = serde_json::from_str::<ArrayShape>("\"f32[3,5]{1,0:T(2,*)}\"").unwrap_err();
    assert!(error.to_string().contains("no more minor dimension"), "{error}");
    let error = serde_json::from_str::<Shape>("3").unwrap_err();
    assert!(error.to_string().contains("expected a shape"), "{error}");
}
