//! The macros, which tell the procedural ones what this crate is called where they are used.

/// A layout as a type: of one shape in the position of a type, of any number of them as items.
///
/// The notation is XLA's, with element types in any case and with angle brackets as an
/// alternative to braces. What it means is described at the [crate](crate).
///
/// In front of the shape, `tpu = V5e,` gives arrays the layout that the compiler of this generation of
/// TPUs gives a parameter of the entry computation: its order of dimensions, its tiles and the size of
/// its elements; where an order is written, it stays. The generations are those of [`spec::Tpu`].
///
/// Behind it, `, max_expansion = 2` limits how many times the memory of the elements an array may take
/// with its padding (see `EXPANSION`): more does not compile.
///
/// [`spec::Tpu`]: crate::tpu::Tpu
///
/// # Errors
/// Every mistake is an error of the compiler at the token that is wrong.
///
/// # Examples
/// ```
/// use layout::layout;
///
/// type A = layout!(F32[3,5]<1,0:T(2,2)>);
/// assert_eq!(A::offset([2, 3]), 17);
///
/// layout! {
///     /// Weights of the first layer.
///     pub type Weights = BF16[2048,4096]{1,0:T(8,128)(2,1)};
///     type Bias = F32[4096]{0:T(1024)};
/// }
/// assert_eq!(Weights::BYTES, 2 * 2048 * 4096);
/// assert_eq!(Bias::PADDED_ELEMENTS, 4096);
///
/// type Entry = layout!(tpu = V5e, BF16[300,1000], max_expansion = 1.1);
/// assert_eq!(Entry::TEXT, "bf16[300,1000]{1,0:T(8,128)(2,1)}");
/// ```
#[macro_export]
macro_rules! layout {
    ($($shape:tt)*) => { $crate::__private::layout! { [$crate] $($shape)* } };
}

/// Tiles as a type, to ask for a tiling in a signature or to name one.
///
/// # Examples
/// ```
/// use layout::{Layout, layout, tiles};
///
/// type Packed = tiles!((8,128)(2,1));
/// type A = layout!(BF16[512,1024]{1,0:T=Packed});
///
/// fn kernel<L: Layout<2, Tiles = Packed>>() -> usize {
///     L::PADDED_ELEMENTS
/// }
/// assert_eq!(kernel::<A>(), 512 * 1024);
/// assert_eq!(kernel::<layout!(BF16[512,1024]{1,0:T(8,128)(2,1)})>(), 512 * 1024);
/// ```
#[macro_export]
macro_rules! tiles {
    ($($tiles:tt)*) => { $crate::__private::tiles! { [$crate] $($tiles)* } };
}

/// The offset of an element, computed at compile time: an index out of range does not compile.
///
/// # Examples
/// ```
/// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
/// assert_eq!(layout::offset!(A, [2, 3]), 17);
/// ```
/// ```compile_fail
/// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
/// let offset = layout::offset!(A, [3, 0]);
/// ```
#[macro_export]
macro_rules! offset {
    ($($of:tt)*) => { $crate::__private::offset! { [$crate] $($of)* } };
}

/// The layouts of a compiled program's parameters and results, from the text of its HLO module.
///
/// `mod name = "program.hlo";` becomes a module with two in it, `params` and `results`. The path is
/// relative to the folder of the crate's `Cargo.toml`; attributes and a visibility may stand in front,
/// and there may be several. The types are those that [`layout!`](crate::layout!) makes of the same
/// texts.
///
/// - `params::P0`, `params::P1` ..: the parameters by their numbers. Their shapes and layouts are those
///   of `entry_computation_layout`, or where there is none of the entry computation.
/// - `params::W`: a parameter by its name too. That is the `op_name` of its metadata (in JAX the name of
///   the argument), or else the name of its instruction without the number that XLA appends. Its words,
///   of letters and digits, are joined, each with a capital: `params['layers'][0]['w']` is
///   `ParamsLayers0W`. Digits that would meet are separated by `_`. A name that is no identifier then,
///   has the form `P0`, or belongs to two parameters is left out.
/// - `results::R0`, `results::R1` ..: the parts of the result, or `R0` alone if it is no tuple.
/// - A tuple is a tuple of types; its parts are in a module besides: `params::p2::P0`.
///
/// The crate is built again when the file changes.
///
/// # Errors
/// A file that cannot be read or is no HLO module, or one with a shape that is wrong, is an error of the
/// compiler at the path, with the line and column in the file.
///
/// # Examples
/// ```
/// layout::hlo! {
///     /// One step of a decoder with a cache.
///     mod decode = "examples/tour/kvcache_decode.hlo";
/// }
/// use decode::{params, results};
///
/// type Cache = layout::layout!(bf16[2,8,1024,64]{2,3,1,0:T(8,128)(2,1)});
/// let same_type: [fn(Cache); 3] = [|_: params::P1| {}, |_: params::Kc| {}, |_: results::R1| {}];
/// assert_eq!((params::Kc::TEXT, params::Kc::BYTES), (Cache::TEXT, 2 * 2 * 8 * 1024 * 64));
/// ```
#[macro_export]
macro_rules! hlo {
    ($($modules:tt)*) => { $crate::__private::hlo! { [$crate] $($modules)* } };
}

/// The permutation of a transpose as a type: dimension `i` of the result is the `i`-th that is named.
///
/// A tuple of [`C<N>`](crate::types::C): `permutation!(1, 0)` is `(C<1>, C<0>)`.
///
/// # Examples
/// ```
/// use layout::{View, layout, permutation};
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// let data = [0.0; A::PADDED_ELEMENTS];
/// let view = View::<A, f32>::new(&data)?;
/// assert_eq!(view.transpose::<layout!(F32[5,3]{0,1:T(2,2)}), permutation!(1, 0)>().dims(), [5, 3]);
/// # Ok::<(), layout::TooShort>(())
/// ```
#[macro_export]
macro_rules! permutation {
    ($($dim:literal),* $(,)?) => { ($($crate::types::C<$dim>,)*) };
}

/// A type whose numbers were read on the machine that compiles, with the layout's text: every target with
/// sizes of 64 bits has it.
#[cfg(target_pointer_width = "64")]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_target_has {
    ($text:literal $($type:tt)*) => { $($type)* };
}

/// The same where the target may not have it.
#[cfg(not(target_pointer_width = "64"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_target_has {
    ($text:literal $($type:tt)*) => {
        <$($type)* as $crate::__private::Valid<{ $crate::__private::check_text($text) }>>::Type
    };
}
