//! The macros: each passes the path of this crate, `$crate`, to a procedural macro.

/// A layout as a type, from XLA's notation.
///
/// Use it as a type (`type A = layout!(…);`) or as a block that declares several, with their attributes and
/// visibilities. The type of an array is [`Array`](crate::Array), which has sizes, offsets and the rest as
/// constants and `const fn`. Two spellings of one layout are one type.
///
/// ```
/// use layout::layout;
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// assert_eq!(A::offset([2, 3]), 17);
///
/// layout! {
///     /// Weights of the first layer.
///     pub type Weights = BF16[2048,4096]{1,0:T(8,128)(2,1)};
///     type Bias = F32[4096]{0:T(1024)};
/// }
/// assert_eq!(Weights::BYTES, 2 * 2048 * 4096);
/// assert_eq!(Bias::PADDED_ELEMENTS, 4096);
/// ```
///
/// # Notation
///
/// An element type, the dimensions in brackets, and a layout in braces. Without a layout the array is row-major
/// and has no tiles.
///
/// | what | written | meaning |
/// |---|---|---|
/// | element type | `F32`, `bf16`, `S4`, `F8E4M3FN` … | XLA's names, upper or lower case: see [`element`](crate::types::element) |
/// | dimensions | `[3,5]` | dimension 0 first |
/// | size known at run time | `[?,5]`, `[<=3,5]` | any size; at most 3, and laid out as 3 |
/// | order | `{1,0}` or `<1,0>` | minor to major: dimension 1 varies fastest; the default is the last dimension first |
/// | explicit padding | `:PAD(4,8)FILL(zero)` | widths of the dimensions before tiling, and the padding's value |
/// | tiles | `:T(8,128)(2,1)` | 8×128 tiles cover the array, and 2×1 tiles cover each of these; with `T(2,2,2)`, an array `[3,5]` counts as `[1,3,5]` |
/// | combined dimensions | `T(*,128)` or `T(-1,128)` | the dimension is joined with the next more minor one, then tiled |
/// | named tiles | `T=Packed` | those of a type that [`tiles!`](crate::tiles!) writes |
/// | tail padding | `L(1024)` | the number of elements in memory is rounded up to a multiple |
/// | element size | `E(4)` | bits of an element in memory, packed from the low bits: 4 do not hold an `f32`, which is accepted, as by XLA, with a warning (`deprecated`) |
/// | memory space | `S(1)` | a number from −128 to 127 |
/// | split, metadata | `SC(0:16,32)`, `M(64)` | where the array is split over memories; bytes before the array |
/// | other shapes | `(F32[2], token[])`, `opaque[]`, `b(F32[2])` | tuples (as tuples of types), tokens, opaque values, buffers |
///
/// Properties follow one another in this order, without separators. [`ArrayShape`](crate::ArrayShape) parses the
/// same notation at run time, except for named tiles, constants of Rust, `tpu = …` and `max_expansion = …`.
///
/// # Sizes that are known at run time
///
/// `?` is a size that the type does not have. [`with_dims`](crate::Array::with_dims) gives the sizes, and its
/// result, a [`WithDims`](crate::WithDims), has offsets, views and buffers. What does not depend on the unknown
/// sizes is still a constant. `<=N` is a bounded size: memory and offsets are those of `N`, and `with_dims` says
/// how many elements are valid.
///
/// ```
/// use layout::layout;
///
/// type Rows = layout!(F32[?,1024]{1,0:T(8,128)});
/// let rows = Rows::with_dims([20, 1024])?;
/// assert_eq!((rows.padded_elements(), rows.offset([19, 0])), (24 * 1024, 16 * 1024 + 3 * 128));
/// # Ok::<(), layout::shape::Fault>(())
/// ```
///
/// # Sizes that are constants
///
/// A size, a bound or the size of a tile can be a constant of Rust: a path to it, a const parameter, or a block.
///
/// ```
/// use layout::layout;
///
/// const HEADS: usize = 8;
/// type Keys = layout!(BF16[HEADS, { 64 * HEADS }]{1,0:T(8,128)(2,1)});
/// assert_eq!(Keys::TEXT, "bf16[8,512]{1,0:T(8,128)(2,1)}");
///
/// type Rows<const N: usize> = layout!(F32[N,128]{1,0:T(8,128)});
/// assert_eq!(Rows::<9>::PADDED_ELEMENTS, 16 * 128);
///
/// /// The panels that a matrix product of `NR` columns reads.
/// type Panels<const NR: usize> = layout!(F32[?,?]{0,1:T(NR,1)});
/// assert_eq!(Panels::<16>::TEXT, "f32[?,?]{0,1:T(16,1)}");
///
/// const ROWS: u32 = 5; // a constant that is not a `usize` stands in a block
/// assert_eq!(<layout!(F32[{ ROWS as usize }, 7])>::TEXT, "f32[5,7]{1,0}");
/// ```
///
/// The macro does not know these sizes, so the compiler checks what depends on them (overflow, the widths of
/// `PAD`, a tile of size 0). In a block of declarations the error is at the size. Elsewhere the size can be a const
/// parameter, and the error is where a constant or a function of the type is used. A block cannot name a const parameter in
/// an expression, and a layout with one cannot have `max_expansion`: both are limits of Rust. Tiles whose sizes are known only
/// at run time are values: see [`shape::Tiles::of`](crate::shape::Tiles::of).
///
/// An element type that is a generic parameter stands in [`Array`](crate::Array) itself:
///
/// ```
/// use layout::types::element::F32;
/// use layout::types::C;
/// use layout::{Array, order, tiles};
///
/// type Rows<E, const R: usize> = Array<E, (C<64>, C<128>), order!(1, 0), tiles!((R,128))>;
/// assert_eq!(Rows::<F32, 8>::TEXT, "f32[64,128]{1,0:T(8,128)}");
/// ```
///
/// # Named tiles
///
/// ```
/// use layout::types::format;
/// use layout::{layout, tiles};
///
/// type Packed = tiles!((8,128)(2,1));
/// type A = layout!(BF16[512,1024]{1,0:T=Packed});
/// assert_eq!(A::TEXT, "bf16[512,1024]{1,0:T(8,128)(2,1)}");
///
/// // The module `format` names the tiles of XLA's document.
/// type B = layout!(BF16[512,1024]{1,0:T=format::Bits16});
/// assert_eq!(A::TEXT, B::TEXT);
/// ```
///
/// # Options
///
/// `tpu = V5e,` before the shape gives arrays the layout that the compiler of this TPU generation chooses for a
/// parameter of the entry computation: its order of dimensions, its tiles and the size of its elements. An order
/// that is written stays. The generations are those of [`Tpu`](crate::tpu::Tpu).
///
/// A trailing `swizzle = 128B` XORs bits of every offset, as GPUs do in shared memory: `32B`, `64B`, `128B` and
/// `128B_ATOM_32B` are the modes of TMA and `wgmma`, and `bytes<3,4,3>` and `elements<3,3,3>` CuTe's
/// `Swizzle<B,M,S>` on offsets in bytes and in elements (see [`Swizzle`](crate::shape::Swizzle)).
///
/// A trailing `max_expansion = 2` rejects layouts whose padded size exceeds twice the unpadded size (see
/// [`EXPANSION`](crate::Array::EXPANSION)).
///
/// ```
/// use layout::layout;
///
/// type Entry = layout!(tpu = V5e, BF16[300,1000], max_expansion = 1.1);
/// assert_eq!(Entry::TEXT, "bf16[300,1000]{1,0:T(8,128)(2,1)}");
///
/// type Shared = layout!(F16[64,64], swizzle = 128B);
/// assert_eq!(Shared::offset([1, 0]), 64 + 8);
/// ```
///
/// # Errors
///
/// Each mistake is a compile error at the offending token, with what to write instead. Uses of the faulty type
/// cause no further errors.
///
/// ```compile_fail
/// # use layout::layout;
/// type A = layout!(F32[3,5]{1,0:T(2,*)}); // `*` cannot be the last entry of a tile
/// ```
#[macro_export]
macro_rules! layout {
    ($($shape:tt)*) => { $crate::__private::layout! { [$crate] $($shape)* } };
}

/// Tiles as a type: to name a tiling, or to ask for one in the signature of a kernel.
///
/// Tiles are written as in [`layout!`](macro@crate::layout), without the `T`, and are applied from left to right.
/// The type is [`Tiles`](crate::types::Tiles).
///
/// # Errors
/// Each mistake is a compile error at the offending token.
///
/// # Examples
/// ```
/// use layout::{Layout, TiledBy, layout, order, tiles};
///
/// type Packed = tiles!((8,128)(2,1));
/// type A = layout!(BF16[512,1024]{1,0:T=Packed});
///
/// fn kernel<L: Layout<2> + TiledBy<order!(1, 0), Packed>>() -> usize {
///     L::PADDED_ELEMENTS
/// }
/// assert_eq!(kernel::<A>(), 512 * 1024);
/// assert_eq!(kernel::<layout!(BF16[512,1024]{1,0:T(8,128)(2,1)})>(), 512 * 1024);
/// ```
#[macro_export]
macro_rules! tiles {
    ($($tiles:tt)*) => { $crate::__private::tiles! { [$crate] $($tiles)* } };
}

/// The permutation of a transpose as a type: `permutation!(1, 0)` swaps two dimensions.
///
/// Dimension `i` of the result is the dimension whose number is the `i`-th. The type is
/// [`Permutation`](crate::types::Permutation): a permutation is not an order of dimensions in memory, which
/// [`order!`](crate::order!) writes.
///
/// # Examples
/// ```
/// use layout::{View, layout, permutation};
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// let data = [0.0; A::PADDED_ELEMENTS];
/// let view = View::<A, f32>::new(&data)?;
/// assert_eq!(view.transpose::<layout!(F32[5,3]{0,1:T(2,2)}), permutation!(1, 0)>().dims(), [5, 3]);
/// # Ok::<(), layout::MemoryError>(())
/// ```
#[macro_export]
macro_rules! permutation {
    ($($dim:literal),* $(,)?) => { $crate::types::Permutation<($($crate::types::C<$dim>,)*)> };
}

/// An order of dimensions as a type: `order!(1, 0)` is the order `{1,0}`, the most minor dimension first.
///
/// It is for the bound [`TiledBy`](crate::TiledBy). The type is a tuple of [`C<N>`](crate::types::C), here `(C<1>, C<0>)`.
///
/// # Examples
/// ```
/// use layout::{TiledBy, layout, order};
///
/// fn is_row_major<L: TiledBy<order!(1, 0)>>() -> bool {
///     true
/// }
/// assert!(is_row_major::<layout!(F32[?,5])>());
/// ```
#[macro_export]
macro_rules! order {
    ($($dim:literal),* $(,)?) => { ($($crate::types::C<$dim>,)*) };
    ($($other:tt)*) => { $crate::__private::order! { [$crate] $($other)* } };
}

/// A type whose numbers were read on the machine that compiles, with the layout's text: every target with
/// sizes of 64 bits has it.
#[cfg(target_pointer_width = "64")]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_target_has {
    ($text:literal $($type:tt)*) => { $($type)* };
}

/// On a target with narrower sizes, where the type may be too large: this checks it.
#[cfg(not(target_pointer_width = "64"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_target_has {
    ($text:literal $($type:tt)*) => {
        <$($type)* as $crate::__private::Valid<{ $crate::__private::check_text($text) }>>::Type
    };
}
