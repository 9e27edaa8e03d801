//! Layouts in the notations of other systems, read and printed.
//!
//! Each notation is a type `X`: `X::of(&shape)` is the layout of a shape in it, [`Display`](core::fmt::Display) prints
//! it, [`FromStr`](core::str::FromStr) reads its text, and `x.layout(&array)` is an array in that layout.
//!
//! | type | of | says | sizes |
//! |---|---|---|---|
//! | [`OneDnn`] | oneDNN's tags, `nChw16c`, and descriptors, `f32::blocked:acdb::f0` | memory | every size |
//! | [`Tvm`] | TVM's layouts, `NCHW16c` | memory | every size |
//! | [`Einops`] | patterns, `(h 8) w -> h w 8` | memory | every size, if no dimension is written with its size |
//! | [`Cute`], also [`padded_of`](Cute::padded_of) | CuTe, `(4,2):(1,4)` | offsets | one |
//! | [`TvmTile`], swizzles by [`SwizzleNotation`] | TVM's `ComposeLayout` | offsets | one |
//! | [`Mosaic`] | memory references of Mosaic kernels | offsets | one |
//! | [`Packs`] | attributes of MLIR's `linalg.pack` | memory | every size |
//! | [`Numpy`], and its [`inverse`](Numpy::inverse), printed only | expressions of Python | memory | one |
//! | [`Jax`] | `jax.experimental.layout` | the layout | every size |
//!
//! A `layout::Error` marks what is wrong in a text. A [`NotThisLayout`] says why a text is not read as a layout of
//! an array: a layout has no broadcasts, no overlaps and no negative strides. A [`NotExpressible`] says
//! why a notation cannot express a layout.
//!
//! Strides can leave slots without elements in memory. After the end of a dimension they are read as `PAD`, elsewhere as the
//! padding of a tile: `(3,5):(6,1)` is `{1,0:PAD(3,6)}`, and `(3,5,3):(16,3,1)` is `{2,1,0:T(*,16)}`.
//!
//! A text that is for every size gives the same order and tiles to every array. CuTe and Mosaic write the
//! sizes of one array into their strides, so their texts are for that array alone;
//! [`DigitOrder::of`](crate::digit_order::DigitOrder::of) the layout is then the order for every size.
//!
//! Notations of offsets leave out padding after the last element, such as that of `L`; notations of memory have every
//! slot, padding included. All count in elements. A bounded dimension counts with its bound. No notation has the memory
//! space `S`, the splits `SC` or the metadata `M`: each system gives them elsewhere.

#![allow(clippy::result_large_err, reason = "the error is that of `ArrayShape::parse_const`")]

mod by_name;
mod cute;
mod einops;
mod jax;
mod mosaic;
mod numpy;
mod pack;
mod reader;
mod strided;
mod swizzle;
mod tag;
mod write;

pub use cute::{Cute, CuteMode};
pub use einops::Einops;
pub use jax::Jax;
pub use mosaic::Mosaic;
pub use numpy::{Numpy, NumpyInverse};
pub use pack::{Pack, Packs};
pub use swizzle::{SwizzleNotation, TvmTile};
pub use tag::{OneDnn, Tvm};

pub use crate::digit_order::{NotExpressible, NotThisLayout};
use layout_core::ArrayShape;

// Layouts are debugged as their texts.
macro_rules! debug_as_text {
    ($($name:ty),*) => {$(
        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    )*};
}

debug_as_text! { Numpy<'_>, NumpyInverse<'_> }

// The notations that have a name: type, name, a text in it, an array that it lays out, and how texts begin that are of no other
// notation.
by_name::notations! {
    OneDnn "onednn" "nChw16c" "f32[2,40,5,7]" [];
    Tvm "tvm" "NCHW16c" "f32[2,40,5,7]" [];
    Einops "einops" "(h 8) (w 128) -> h w 8 128" "f32[16,256]" [];
    Cute "cute" "((2,2),(2,3)):((2,12),(1,4))" "f32[4,6]" ["S<", "Sw<", "smem_ptr[", "tensor<ptr<", "tensor<("];
    Packs "pack" "inner_dims_pos = [0, 1] inner_tiles = [8, 128]" "f32[16,256]" ["inner_dims_pos"];
    Mosaic "mosaic" "#tpu.tiled<(8,128),[2,1]>" "f32[16,256]" ["#tpu.tiled<"];
    Jax "jax" "Layout(major_to_minor=(0, 1), tiling=((8, 128),))" "f32[16,256]"
        ["Layout(", "DeviceLocalLayout(", "Format("];
    TvmTile "tvm_tile" "TileLayout(S[(8, 64) : (64, 1)])" "f16[8,64]" ["TileLayout(", "ComposeLayout("];
}
