//! Views, buffers, slices and sizes at run time.

mod dynamic;
mod expected;
mod few;
mod int8;
mod interface;
mod interop;
mod laws;
mod matmul;
mod plain;
mod refused;
mod rows;
mod slices;
mod stretches;
mod tiled;
mod views;
mod walks;
mod with_dims;
