//! A tour: the figures of XLA's document "Tiled layout", its longest example step by step, and
//! the parameters and results of a real TPU program.
//!
//! `cargo run --release -p tiled-layout --example tour`

mod grid;
mod program;

use layout::ArrayShape;
use layout::analysis::PadReshapeTranspose;
use layout::layout;

layout! {
    type Figure1 = F32[3,5]<1,0:T(2,2)>;
    type Figure2 = F32[4,8]<1,0:T(2,4)(2,1)>;
}

fn main() {
    println!("Figure 1: where each element of {} lies in memory", Figure1::TEXT);
    println!("(in parentheses: padding, which belongs to no element)\n");
    grid::print::<Figure1>();
    println!("\nFigure 2: the same for {}\n", Figure2::TEXT);
    grid::print::<Figure2>();

    println!("\nPad, reshape, transpose\n");
    steps("F32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", &[1, 6, 7, 10, 9]);
    println!();
    steps("BF16[20,300]{1,0:T(8,128)(2,1)}", &[13, 200]);

    println!(
        "\nA program that the TPU compiler compiled for v5e: examples/tour/kvcache_decode.hlo\n"
    );
    program::print();
}

/// What each tile does to the array, and where one element goes.
fn steps(text: &str, index: &[usize]) {
    let shape: ArrayShape = match text.parse() {
        Ok(shape) => shape,
        Err(error) => return eprintln!("{error}"),
    };
    println!("{shape}");
    for step in PadReshapeTranspose::of(&shape) {
        println!("  tile {}", step.tile);
        println!("    combined   {:?}", step.combined);
        println!("    padded     {:?}", step.padded);
        println!("    reshaped   {:?}", step.reshaped);
        println!("    transposed {:?}, by the permutation {:?}", step.result, step.permutation);
    }
    if let (Some(slots), Ok(digits)) = (shape.padded_elements(), shape.digits())
        && let Some(offset) = digits.offset(index)
    {
        println!("  {slots} elements in memory; element {index:?} is number {offset}");
    }
}
