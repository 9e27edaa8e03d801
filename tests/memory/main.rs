//! Views, buffers, slices and sizes at run time.

mod interface;
mod interop;
mod laws;
mod matmul;
mod parallel;
mod rows;
mod slices;
mod views;
mod with_dims;
