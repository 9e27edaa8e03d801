//! Views as `ndarray`'s, and shapes in `serde`'s formats.

use layout::{AnyLayout, Buffer, NdarrayError, Padding, View, WithDims, element, layout};
use layout::{ArrayShape, Shape};
use layout_tests::data;
use ndarray::{Array, ArrayView, IntoDimension, ShapeBuilder};

/// A buffer whose elements are their row-major numbers.
fn numbered<L>(a: WithDims<L>) -> Buffer<L, u32>
where
    L: AnyLayout<Element = element::U32, Width = element::Bits<32>>,
{
    let mut buffer = a.filled(u32::MAX);
    for (number, (index, _)) in a.indices_row_major().enumerate() {
        buffer[index] = number as u32;
    }
    buffer
}

/// Copies of any layout.
fn copies<L>(a: WithDims<L>)
where
    L: AnyLayout<Element = element::U32, Width = element::Bits<32>, Index: IntoDimension>,
{
    let buffer = numbered(a);
    let view = buffer.as_view();
    let array = view.to_ndarray();
    assert_eq!(array.shape(), view.dims().as_ref());
    assert!(array.iter().copied().eq(0..array.len() as u32));

    let mut back = a.filled(7);
    back.as_view_mut().copy_from_ndarray(&array.view(), Padding::Fill(u32::MAX)).unwrap();
    assert_eq!(back.as_slice(), buffer.as_slice());

    let made = Buffer::<L, u32>::try_from(&array).unwrap();
    assert_eq!((made.layout(), made.to_vec()), (a, buffer.to_vec()));
    assert!(made.as_slice().iter().enumerate().all(|(slot, &x)| x == 0 || !a.is_padding(slot)));

    // The same array in the reverse order of memory.
    let reversed =
        Array::from_shape_vec(array.t().raw_dim(), array.t().iter().copied().collect::<Vec<_>>());
    let reversed = reversed.unwrap().reversed_axes();
    assert_eq!(Buffer::<L, u32>::try_from(&reversed).unwrap().to_vec(), buffer.to_vec());
    let mut back = a.filled(7);
    back.as_view_mut().copy_from_ndarray(&reversed.view(), Padding::Leave).unwrap();
    for (index, _) in a.indices() {
        assert_eq!(back[index], buffer[index]);
    }
}

/// Views of an affine layout, and back where it has no padding.
fn views<L>(a: WithDims<L>)
where
    L: AnyLayout<Element = element::U32, Width = element::Bits<32>, Index: IntoDimension>,
{
    copies(a);
    let mut buffer = numbered(a);
    let view = buffer.as_view();
    let array = view.as_ndarray();
    assert!(array.iter().copied().eq(0..array.len() as u32), "{array:?}");
    let back = View::<L, u32>::of_ndarray(array.clone());
    let tried = View::<L, u32>::try_from(array.clone());
    assert_eq!(tried.map(|view| view.as_slice()), back.map(|view| view.as_slice()));
    if a.padded_elements() == a.elements() {
        let back = back.unwrap();
        assert_eq!((back.layout(), back.as_slice()), (a, view.as_slice()));
    } else {
        // `PAD` leaves gaps between the elements, `L` has slots after them.
        assert!(matches!(back, Err(NdarrayError::Strides | NdarrayError::TooShort(_))));
    }
    let mut view = buffer.as_view_mut();
    view.as_ndarray_mut().mapv_inplace(|x| x + 1);
    assert!(view.as_view().as_ndarray().iter().copied().eq(1..=a.elements() as u32));
}

#[test]
fn arrays() {
    macro_rules! all {
        ($check:ident: $($layout:ty, $dims:expr;)*) => {
            $($check(<$layout>::with_dims($dims).unwrap());)*
        };
    }
    all! { views:
        layout!(U32[]), [];
        layout!(U32[7]), [7];
        layout!(U32[3,5]), [3, 5];
        layout!(U32[3,5]{0,1}), [3, 5];
        layout!(U32[2,1,4]{1,2,0}), [2, 1, 4];
        layout!(U32[3,5]{0,1:PAD(4,8)L(7)}), [3, 5];
        layout!(U32[16,128]{1,0:T(8,128)}), [16, 128];
        layout!(U32[2,3,2,1,2,2]{1,3,5,0,2,4}), [2, 3, 2, 1, 2, 2];
        layout!(U32[?,5]), [3, 5];
        layout!(U32[3,?]{0,1:L(7)}), [3, 5];
    }
    // Without elements.
    all! { views:
        layout!(U32[0,5]), [0, 5];
        layout!(U32[5,0]), [5, 0];
        layout!(U32[?,5]), [0, 5];
        layout!(U32[?,5]{0,1}), [0, 5];
        layout!(U32[5,?]), [5, 0];
        layout!(U32[?,0]), [5, 0];
        layout!(U32[?,?,4]{1,2,0:L(7)}), [3, 0, 4];
        layout!(U32[?,?,4]{1,2,0}), [0, 3, 4];
    }
    // Dimensions of size 1, whose strides nothing depends on.
    all! { views:
        layout!(U32[1,5]), [1, 5];
        layout!(U32[5,1]{0,1}), [5, 1];
        layout!(U32[1,1]), [1, 1];
        layout!(U32[?,5]), [1, 5];
        layout!(U32[3,?,5]{1,0,2}), [3, 1, 5];
    }
    all! { copies:
        layout!(U32[3,5]{1,0:T(2,2)}), [3, 5];
        layout!(U32[300,500]{0,1:T(8,128)}), [300, 500];
        layout!(U32[3,4,5]{1,2,0:T(*,2)}), [3, 4, 5];
        layout!(U32[0,5]{1,0:T(2,2)}), [0, 5];
        layout!(U32[?,5]{1,0:T(2,2)}), [0, 5];
        layout!(U32[?,0]{1,0:T(2,2)}), [3, 0];
    }
}

#[test]
fn bounded_dimensions_have_their_valid_elements() {
    type A = layout!(U32[<=4,5]{1,0:T(2,2)});
    let a = A::with_dims([3, 5]).unwrap();
    let mut memory = vec![0; a.padded_elements()];
    let array = Array::from_shape_vec((3, 5), (0..15).collect::<Vec<u32>>()).unwrap();
    let mut view = a.view_mut(&mut memory).unwrap();
    view.copy_from_ndarray(&array.view(), Padding::Leave).unwrap();
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
    assert_eq!(error_of_dims.to_string(), "dimension 0 has size 2, but was given 3");
    assert_eq!(Buffer::<A, u32>::try_from(&array).unwrap_err(), error_of_dims);
    assert_eq!(error(array.reversed_axes()), NdarrayError::Strides);
    let array = ArrayView::from_shape((2, 6), slots).unwrap();
    assert_eq!(error(array.slice_move(ndarray::s![.., ..;2])), NdarrayError::Strides);
    let array = ArrayView::from_shape((2, 3), &slots[..6]).unwrap();
    assert_eq!(error(array.slice_move(ndarray::s![.., ..;-1])), NdarrayError::Strides);
    let padded = View::<layout!(U32[2,3]{1,0:L(8)}), u32>::of_ndarray(array);
    assert!(matches!(padded.unwrap_err(), NdarrayError::TooShort(_)));
}

/// Strides say nothing where there is one index or no element, whatever they are.
#[test]
fn strides_that_say_nothing() {
    let slots = (0..40).collect::<Vec<u32>>();
    let row = ArrayView::from_shape((1, 5).strides((8, 1)), &slots[..5]).unwrap();
    assert_eq!(row.strides(), [8, 1]);
    let view = View::<layout!(U32[1,5]), u32>::of_ndarray(row).unwrap();
    assert_eq!(view.as_slice(), &slots[..5]);
    let mut row = row;
    row.invert_axis(ndarray::Axis(0));
    assert_eq!(row.strides(), [-8, 1]);
    let view = View::<layout!(U32[?,?]{0,1}), u32>::of_ndarray(row).unwrap();
    assert_eq!((view.dims(), view.as_slice()), ([1, 5], &slots[..5]));
    let rows = ArrayView::from_shape((4, 5), &slots[..20]).unwrap();
    for empty in [rows.slice_move(ndarray::s![..0, ..]), rows.slice_move(ndarray::s![..;-1, 2..2])]
    {
        let [rows, columns] = [empty.shape()[0], empty.shape()[1]];
        let view = View::<layout!(U32[?,?]{0,1}), u32>::of_ndarray(empty).unwrap();
        assert_eq!((view.dims(), view.as_slice()), ([rows, columns], &[][..]));
    }
    let two = rows.slice_move(ndarray::s![..2, ..1]);
    let error = View::<layout!(U32[?,?]), u32>::of_ndarray(two).unwrap_err();
    assert_eq!(error, NdarrayError::Strides);
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
    assert!(error.to_string().contains("the last entry of a tile"), "{error}");
    let error = serde_json::from_str::<Shape>("3").unwrap_err();
    assert!(error.to_string().contains("expected a shape"), "{error}");
}
