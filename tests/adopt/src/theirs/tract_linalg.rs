//! The crate `tract-linalg`: operands of products of bytes, four elements of a column side by side.

use std::rc::Rc;

use tract_data::internal::{Tensor, TensorView};
use tract_linalg::mmm::EagerPackedInput;
use tract_linalg::pack::PackedI8K4;

use crate::{Function, making, numbers, ours};

const OURS: &str = include_str!("../ours/tract_linalg.rs");

/// Columns, rows, and columns of a panel.
const CASES: [[usize; 3]; 6] =
    [[16, 8, 8], [64, 64, 8], [256, 512, 8], [512, 1024, 32], [500, 1001, 32], [4096, 4096, 32]];

pub fn functions() -> Vec<Function> {
    let order = |name, layout, strides: fn([usize; 2]) -> [usize; 2]| {
        let mut function = Function::new(name, layout, 47, OURS);
        for [k, mn, r] in CASES {
            case(&mut function, [k, mn], strides([k, mn]), r);
        }
        function
    };
    vec![
        order("`PackedI8K4::pack_view`", "`S8[K,N]{1,0}` → `{0,1:T(r,4)}`", |[_, mn]| [mn, 1]),
        order("`PackedI8K4::pack_view`", "`S8[K,N]{0,1}` → `{0,1:T(r,4)}`", |[k, _]| [1, k]),
        order("`PackedI8K4::pack_view`", "strides `(2·N, 2)` → `{0,1:T(r,4)}`", |[_, mn]| {
            [2 * mn, 2]
        }),
    ]
}

fn case(function: &mut Function, dims: [usize; 2], strides: [usize; 2], r: usize) {
    let [k, mn] = dims;
    function.case(format!("{k}×{mn} r {r}"), k * mn, move || {
        let strides = strides.map(|stride| stride as isize);
        let from = numbers::<i8>(2 * k * mn);
        let tensor = Tensor::from_shape(&[from.len()], &from).expect("a tensor");
        let from = Rc::new(from);
        let format = PackedI8K4::new(r);
        let theirs = move || {
            // SAFETY: the strides go no further than the elements of the tensor.
            let view = unsafe { TensorView::from_bytes(&tensor, 0, &dims, &strides) };
            format.pack_view(&view, 0, 1).expect("a matrix")
        };
        let ours = move || {
            let length = if strides[0] == 1 || strides[1] == 1 { k * mn } else { from.len() };
            ours::tract_linalg::pack_view(r, &from[..length], dims, strides).expect("a matrix")
        };
        [
            making(theirs, |packed| {
                let packed = packed.downcast_ref::<EagerPackedInput>().expect("packed at once");
                packed.packed.as_bytes().to_vec()
            }),
            making(ours, |packed| bytemuck::cast_slice(&packed).to_vec()),
        ]
    });
}
