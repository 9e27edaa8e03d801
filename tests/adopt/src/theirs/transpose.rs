//! The crate `transpose`: matrices of elements of any type.

use std::rc::Rc;

use bytemuck::Pod;

use crate::{Function, numbers, ours, writing};

const OURS: &str = include_str!("../ours/transpose.rs");

pub fn functions() -> Vec<Function> {
    let square: &[_] =
        &[(4, 4), (16, 16), (64, 64), (256, 256), (1000, 999), (1024, 1024), (4096, 4096)];
    let mut functions = vec![
        function::<u8>("`transpose::<u8>`", square),
        function::<f32>("`transpose::<f32>`", square),
        function::<f64>("`transpose::<f64>`", &square[..6]),
        function::<[f64; 2]>("`transpose::<[f64; 2]>`", &square[..6]),
        function::<[u8; 3]>("`transpose::<[u8; 3]>`", &[(4, 4), (64, 64), (1000, 1000)]),
    ];
    for (width, height) in [(4096, 1024), (127, 8191)] {
        case::<f32>(&mut functions[1], width, height);
    }
    functions
}

fn function<T: Pod>(of: &'static str, sizes: &[(usize, usize)]) -> Function {
    let mut function = Function::new(of, "`[H,W]{1,0}` → `{0,1}`", 158, OURS);
    for &(width, height) in sizes {
        case::<T>(&mut function, width, height);
    }
    function
}

fn case<T: Pod>(function: &mut Function, width: usize, height: usize) {
    let elements = width * height;
    function.case(format!("{width}×{height}"), elements * size_of::<T>(), move || {
        let from = Rc::new(numbers::<T>(elements));
        let again = from.clone();
        [
            writing(elements, move |to| transpose::transpose(&from, to, width, height)),
            writing(elements, move |to| ours::transpose::transpose(&again, to, width, height)),
        ]
    });
}
