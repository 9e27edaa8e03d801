//! Wrong texts: each error at its place, byte for byte.

use std::fmt::Display;
use std::str::FromStr;

use layout::notation::{Cute, Einops, Jax, Mosaic, OneDnn, Packs, Tvm};

/// The error of each text, as it is printed.
fn check<T: FromStr<Err: Display>>(errors: &[(&str, &str)]) {
    for (text, expected) in errors {
        match text.parse::<T>() {
            Ok(_) => panic!("{text:?} is read"),
            Err(error) => assert_eq!(error.to_string(), *expected),
        }
    }
}

#[test]
fn tags_of_onednn() {
    check::<OneDnn>(&[
        (
            "nChw16",
            "\
a block has no letter
  | nChw16
  |     ^^
  = help: write the letter of its dimension after its size, as in `16c`",
        ),
        (
            "nchw16c",
            "\
the dimension has a block, but its letter is in lower case
  | nchw16c
  |  ^
  = help: write it in upper case, as in `aBcd16b`",
        ),
        (
            "nChw",
            "\
the letter is in upper case, but the dimension has no block
  | nChw
  |  ^
  = help: write the block after the dimensions, as in `aBcd16b`, or the letter in lower case",
        ),
        (
            "nChw16C",
            "\
the letter of a block is in upper case
  | nChw16C
  |     ^^^
  = help: write it in lower case, as in `16c`",
        ),
        (
            "nC16chw",
            "\
a dimension follows a block
  | nC16chw
  |      ^
  = help: write all dimensions before the blocks",
        ),
        (
            "nChcw16c",
            "\
the dimension is named twice
  | nChcw16c
  |    ^
  = help: write each dimension once, and its blocks with their sizes before them, as in `16c`",
        ),
        (
            "nChw16x",
            "\
no dimension of the tag has the letter of the block
  | nChw16x
  |     ^^^
  = help: write a letter that stands among the dimensions too",
        ),
        (
            "nChw0c",
            "\
a size is 0
  | nChw0c
  |     ^
  = help: write a number from 1 on",
        ),
        (
            "nqrs",
            "\
these letters name no dimensions together
  | nqrs
  | ^^^^
  = help: name them by `a`, `b`, `c` and so on, or as in `nchw`, `oihw`, `goihw`, `tnc`, `ldnc` or `ldigo`",
        ),
        (
            "nChw16c?",
            "\
this is not part of a tag
  | nChw16c?
  |        ^
  = help: write letters, and blocks such as `16c`",
        ),
        (
            "aBcd9223372036854775808b",
            "\
the number is too large
  | aBcd9223372036854775808b
  |     ^^^^^^^^^^^^^^^^^^^
  = help: write a smaller number",
        ),
        (
            "aBcd99999999999999999999b",
            "\
the number is too large
  | aBcd99999999999999999999b
  |     ^^^^^^^^^^^^^^^^^^^^
  = help: write a smaller number",
        ),
        (
            "naChw16c",
            "\
these letters name no dimensions together
  | naChw16c
  | ^^^^^
  = help: name them by `a`, `b`, `c` and so on, or as in `nchw`, `oihw`, `goihw`, `tnc`, `ldnc` or `ldigo`",
        ),
    ]);
}

#[test]
fn tags_of_tvm() {
    check::<Tvm>(&[
        (
            "nchw16c",
            "\
a dimension is in upper case without a size, a block in lower case with one
  | nchw16c
  | ^
  = help: write `NCHW16c`",
        ),
        (
            "NCHW16C",
            "\
a dimension is in upper case without a size, a block in lower case with one
  | NCHW16C
  |     ^^^
  = help: write `NCHW16c`",
        ),
        (
            "NCHWc",
            "\
a dimension is in upper case without a size, a block in lower case with one
  | NCHWc
  |     ^
  = help: write `NCHW16c`",
        ),
        (
            "NCHW4c -> NCHW16c",
            "\
the dimensions before the arrow are in blocks
  | NCHW4c -> NCHW16c
  |     ^^
  = help: write their letters alone, as in `NHWC -> NCHW4c`",
        ),
        (
            "NHWC -> NCHX4c",
            "\
no dimension before the arrow has this letter
  | NHWC -> NCHX4c
  |            ^
  = help: write the same letters on both sides",
        ),
        (
            "NKPACK",
            "\
the dimension is named twice
  | NKPACK
  |      ^
  = help: write each dimension once, and its blocks with their sizes before them, as in `16c`",
        ),
        (
            "QRS",
            "\
these letters name no dimensions together
  | QRS
  | ^^^
  = help: write how they are numbered before an arrow, as in `NHWC -> NCHW4c`",
        ),
        (
            "NCHW16k",
            "\
no dimension of the tag has the letter of the block
  | NCHW16k
  |     ^^^
  = help: write a letter that stands among the dimensions too",
        ),
    ]);
}

#[test]
fn cute() {
    check::<Cute>(&[
        (
            "(4,2)",
            "\
the strides are missing
  | (4,2)
  |      ^
  = help: write a `:` and the strides after the shape, as in `(4,2):(1,4)`",
        ),
        (
            "(4,2):(1,4",
            "\
expected `,` or `)`
  | (4,2):(1,4
  |           ^
  = help: close the tuple",
        ),
        (
            "(4,2):(1,(4))",
            "\
a tuple of strides has no tuple in the shape
  | (4,2):(1,(4))
  |          ^
  = help: write a stride for each size, in the same parentheses",
        ),
        (
            "(4,2):(1,-4)",
            "\
the stride is negative, which no layout of XLA has
  | (4,2):(1,-4)
  |          ^^
  = help: reverse the dimension in the program",
        ),
        (
            "Sw<3,0,3> o _0 o (8,8):(8,1)",
            "\
a swizzle is not a layout of XLA: it combines bits of offsets by XOR
  | Sw<3,0,3> o _0 o (8,8):(8,1)
  | ^^^^^^^^^
  = help: write the layout without the swizzle",
        ),
        (
            "(4,x):(1,4)",
            "\
expected a number
  | (4,x):(1,4)
  |    ^
  = help: write a number in decimal digits",
        ),
        (
            "(4,0):(1,4)",
            "\
a size is 0
  | (4,0):(1,4)
  |    ^
  = help: write a number from 1 on",
        ),
        (
            "(4,2):(1@0,1@1)",
            "\
this stride moves along a coordinate, not in memory
  | (4,2):(1@0,1@1)
  |         ^
  = help: write a stride in elements",
        ),
        (
            "(4,2):(1,4) 5",
            "\
this follows the strides
  | (4,2):(1,4) 5
  |             ^
  = help: leave it out",
        ),
        (
            "(9223372036854775807,2):(1,1)",
            "\
the shape has too many elements
  | (9223372036854775807,2):(1,1)
  |                      ^
  = help: write smaller sizes",
        ),
    ]);
}

#[test]
fn einops() {
    check::<Einops>(&[
        (
            "(h 8) w -> h w",
            "\
the axis does not stand after the arrow
  | (h 8) w -> h w
  |    ^
  = help: write the same axes on both sides of the arrow",
        ),
        (
            "(h 8) (h 4) -> h 8 4",
            "\
the axis stands twice before the arrow
  | (h 8) (h 4) -> h 8 4
  |        ^
  = help: name it otherwise",
        ),
        (
            "(h h234567890123456) w -> h w h234567890123456",
            "\
two axes of the dimension have no size
  | (h h234567890123456) w -> h w h234567890123456
  |    ^^^^^^^^^^^^^^^^
  = help: write the size of all but one, as in `h1=8`",
        ),
        (
            "(h 8 h2345678901234567) w -> h w 8 h2345678901234567",
            "\
the name is too long
  | (h 8 h2345678901234567) w -> h w 8 h2345678901234567
  |      ^^^^^^^^^^^^^^^^^
  = help: write at most 16 letters",
        ),
        (
            "(h h1) w -> h w h1",
            "\
two axes of the dimension have no size
  | (h h1) w -> h w h1
  |    ^^
  = help: write the size of all but one, as in `h1=8`",
        ),
        (
            "h w",
            "\
the arrow is missing
  | h w
  |    ^
  = help: write a pattern such as `(h 8) (w 128) -> h w 8 128`",
        ),
        (
            "h ... -> h",
            "\
`...` stands for any number of dimensions
  | h ... -> h
  |   ^^^
  = help: write an axis for each dimension",
        ),
        (
            "(h a=8) -> h a=4",
            "\
the axis has another size elsewhere
  | (h a=8) -> h a=4
  |              ^^^
  = help: write one size",
        ),
        (
            "h -> h h",
            "\
the axis stands twice after the arrow
  | h -> h h
  |        ^
  = help: write the same axes on both sides of the arrow",
        ),
        (
            "h (w -> h w",
            "\
there is no `)` for this
  | h (w -> h w
  |   ^
  = help: close it",
        ),
    ]);
}

#[test]
fn mosaic() {
    check::<Mosaic>(&[
        (
            "#tpu.tiled<(8,128),[1]>",
            "\
the first tile has more sizes than there are dimensions
  | #tpu.tiled<(8,128),[1]>
  |            ^^^^^^^
  = help: write a stride for each dimension",
        ),
        (
            "#tpu.tiled<(8,0),[1,1]>",
            "\
a size is 0
  | #tpu.tiled<(8,0),[1,1]>
  |               ^
  = help: write a number from 1 on",
        ),
        (
            "tiled",
            "\
this is not Mosaic's attribute
  | tiled
  | ^
  = help: write `#tpu.tiled<(8,128)(2,1),[16,1]>`",
        ),
        (
            "#tpu.tiled<(),[1]>",
            "\
the tile has no sizes
  | #tpu.tiled<(),[1]>
  |            ^^
  = help: write them, or leave the tile out",
        ),
    ]);
}

#[test]
fn jax() {
    check::<Jax>(&[
        (
            "Layout(major_to_minor=(0, 0))",
            "\
the dimension is listed twice
  | Layout(major_to_minor=(0, 0))
  |                           ^
  = help: write each dimension once, the most major first",
        ),
        (
            "Layout(tiling=((8,),))",
            "\
the order of the dimensions is missing
  | Layout(tiling=((8,),))
  |                      ^
  = help: write `Layout(major_to_minor=(0, 1), tiling=((8, 128),))`, or leave `tiling` out",
        ),
        (
            "Layout(minor_to_major=(0,))",
            "\
`Layout` has no argument of this name
  | Layout(minor_to_major=(0,))
  |        ^^^^^^^^^^^^^^
  = help: write `Layout(major_to_minor=(0, 1), tiling=((8, 128),))`, or leave `tiling` out",
        ),
        (
            "Layout((0, 1), ((8, -9223372036854775808),))",
            "\
no dimension follows the combined one
  | Layout((0, 1), ((8, -9223372036854775808),))
  |                     ^^^^^^^^^^^^^^^^^^^^^
  = help: end the tile with a size",
        ),
    ]);
}

#[test]
fn packs() {
    check::<Packs>(&[
        (
            "inner_dims_pos = [0, 1] inner_tiles = [8]",
            "\
there are fewer sizes than dimensions
  | inner_dims_pos = [0, 1] inner_tiles = [8]
  |                                       ^^^
  = help: write a size for each of `inner_dims_pos`",
        ),
        (
            "outer_dims_perm = [1, 2] inner_dims_pos = [] inner_tiles = []",
            "\
this is not a permutation
  | outer_dims_perm = [1, 2] inner_dims_pos = [] inner_tiles = []
  |                   ^^^^^^
  = help: write each dimension of the operand once",
        ),
        (
            "linalg.unpack %x",
            "\
this is not a `linalg.pack`
  | linalg.unpack %x
  | ^^^^^^^^^^^^^
  = help: write `inner_dims_pos = [0, 1] inner_tiles = [8, 128]`, with `outer_dims_perm = [..]` before it where dimensions are transposed",
        ),
        (
            "%p = linalg.pack %x inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<20xf32> -> tensor<2x8xf32>",
            "\
the type of the result is not that of the packed operand
  | ims_pos = [0] inner_tiles = [8] into %e : tensor<20xf32> -> tensor<2x8xf32>
  |                                                             ^^^^^^^^^^^^^^^
  = help: divide the operand's sizes by the tiles, rounding up, and append the tiles",
        ),
    ]);
}
