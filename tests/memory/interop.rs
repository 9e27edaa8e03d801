//! Views as `ndarray`'s, and shapes in `serde`'s formats.

use layout::{AnyLayout, ArrayShape, Buffer, MemoryError, Padding, Shape, View, WithDims, layout};
use layout_tests::data;
use ndarray::{Array, ArrayView, ArrayViewD, IntoDimension, ShapeBuilder};

use crate::few::few;
use crate::plain::Numbers;

/// A buffer whose elements are their row-major numbers.
fn numbered<L: Numbers<R>, const R: usize>(a: WithDims<L>) -> Buffer<L, u32> {
    let mut buffer = a.filled(u32::MAX);
    for (number, (index, _)) in a.indices_row_major().enumerate() {
        buffer[index] = number as u32;
    }
    buffer
}

/// An array of row-major numbers that count from one.
fn assert_numbers(array: ArrayViewD<'_, u32>, dims: &[usize], first: u32) {
    assert_eq!(array.shape(), dims);
    assert!(array.iter().copied().eq(first..first + array.len() as u32), "{array:?}");
}

/// Copies of any layout.
fn copies<L, const R: usize>(a: WithDims<L>)
where
    L: AnyLayout<Index = [usize; R]> + Numbers<R>,
    [usize; R]: IntoDimension,
{
    let buffer = numbered(a);
    let array = buffer.as_view().to_ndarray();
    assert_numbers(array.view().into_dyn(), &a.dims(), 0);
    // The same array in the reverse order of memory.
    let turned = array.t().iter().copied().collect::<Vec<_>>();
    let turned = Array::from_shape_vec(array.t().raw_dim(), turned).unwrap().reversed_axes();
    for array in [array, turned] {
        for (padding, expected) in [(Padding::Fill(u32::MAX), u32::MAX), (Padding::Leave, 7)] {
            let mut back = a.filled(7);
            back.as_view_mut().copy_from_ndarray(&array.view(), padding).unwrap();
            for (slot, x) in back.as_slice().iter().enumerate() {
                let is_padding = a.is_padding(slot);
                assert_eq!(*x, if is_padding { expected } else { buffer.as_slice()[slot] });
            }
        }
        let made = Buffer::<L, u32>::from_ndarray(&array).unwrap();
        assert_eq!((made.layout(), made.to_row_major()), (a, buffer.to_row_major()));
        assert!(a.paddings().flatten().all(|slot| made.as_slice()[slot] == 0), "{a:?}");
    }
}

/// Views of an affine layout, and back where it has no padding.
fn views<L, const R: usize>(a: WithDims<L>)
where
    L: AnyLayout<Index = [usize; R]> + Numbers<R>,
    [usize; R]: IntoDimension,
{
    let mut buffer = numbered(a);
    let view = buffer.as_view();
    let array = view.as_ndarray();
    assert_numbers(array.view().into_dyn(), &a.dims(), 0);
    let back = View::<L, u32>::of_ndarray(array.clone());
    if a.padded_elements() == a.elements() {
        let back = back.unwrap();
        assert_eq!((back.layout(), back.as_slice()), (a, view.as_slice()));
    } else {
        // `PAD` leaves gaps between the elements, `L` has slots after them.
        assert!(matches!(back, Err(MemoryError::OtherStrides | MemoryError::TooShort { .. })));
    }
    buffer.as_view_mut().into_ndarray().mapv_inplace(|x| x + 1);
    assert_numbers(buffer.as_view().as_ndarray().into_dyn(), &a.dims(), 1);
}

#[test]
fn copies_of_arrays() {
    few! { copies }
}

#[test]
fn views_of_arrays() {
    macro_rules! all {
        ($(($($layout:tt)*) $([$($dim:literal),*])*;)*) => {$({
            type A = layout!($($layout)*);
            for dims in [$([$($dim),*]),*] {
                views(A::with_dims(dims).unwrap());
            }
        })*};
    }
    all! {
        (U32[]) [];
        (U32[7]) [7];
        (U32[3,5]{0,1}) [3, 5];
        (U32[2,1,4]{1,2,0}) [2, 1, 4];
        (U32[3,5]{0,1:PAD(4,8)L(7)}) [3, 5];
        (U32[16,128]{1,0:T(8,128)}) [16, 128];
        (U32[2,3,2,1,2,2]{1,3,5,0,2,4}) [2, 3, 2, 1, 2, 2];
        (U32[3,?]{0,1:L(7)}) [3, 5];
        // Without elements.
        (U32[0,5]) [0, 5];
        (U32[5,0]) [5, 0];
        (U32[5,?]) [5, 0];
        (U32[?,0]) [5, 0];
        (U32[?,?,4]{1,2,0:L(7)}) [3, 0, 4];
        (U32[?,?,4]{1,2,0}) [0, 3, 4];
        // And with dimensions of size 1, whose strides nothing depends on.
        (U32[5,1]{0,1}) [5, 1];
        (U32[1,1]) [1, 1];
        (U32[?,5]) [3, 5] [0, 5] [1, 5];
        (U32[?,?]{0,1}) [3, 5] [0, 5] [1, 5] [5, 1];
        (U32[3,?,5]{1,0,2}) [3, 1, 5];
    }
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
    let error_of_buffer = Buffer::<A, u32>::from_ndarray(&array).unwrap_err().to_string();
    assert_eq!(error_of_buffer, format!("the sizes do not go with the layout: {error_of_dims}"));
    assert_eq!(error(array.reversed_axes()), MemoryError::OtherStrides);
    let array = ArrayView::from_shape((2, 6), slots).unwrap();
    assert_eq!(error(array.slice_move(ndarray::s![.., ..;2])), MemoryError::OtherStrides);
    let array = ArrayView::from_shape((2, 3), &slots[..6]).unwrap();
    assert_eq!(error(array.slice_move(ndarray::s![.., ..;-1])), MemoryError::OtherStrides);
    let padded = View::<layout!(U32[2,3]{1,0:L(8)}), u32>::of_ndarray(array);
    assert!(matches!(padded.unwrap_err(), MemoryError::TooShort { .. }));
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
    assert_eq!(error, MemoryError::OtherStrides);
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
