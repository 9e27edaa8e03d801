//! The functions that are generated for kernels, by the compilers of their languages.

mod c_family;
mod constants;
mod extremes;
mod mlir;
mod refused;
