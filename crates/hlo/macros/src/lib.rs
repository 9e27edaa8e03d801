//! The macro [`hlo!`]: layouts from the text of a compiled program.

mod modules;
mod name;

/// The layouts of a compiled program's parameters and results, from the text of its HLO module.
///
/// `mod name = "program.hlo";` becomes a module that contains the modules `params` and `results`. The path is
/// relative to the folder of the crate's `Cargo.toml`. Attributes and a visibility can precede `mod`, and one
/// `hlo!` can declare several modules.
///
/// The types are those that `layout!` makes of the same texts: the crate depends on `tiled-layout` too, under the
/// library's own name `layout`.
///
/// - `params::P0`, `params::P1` and so on are the parameters by number. Their layouts are those of
///   `entry_computation_layout`, or those in the entry computation if the module does not have it.
/// - `params::W` is a parameter by name: the `op_name` of its metadata (in JAX the name of the argument), or else
///   the name of its instruction without the number that XLA appends. The letters and digits of the name are
///   joined, and each word gets a capital: `params['layers'][0]['w']` is `ParamsLayers0W`. A `_` separates digits
///   that would meet. A name is left out if the result is not an identifier, has the form `P0`, or belongs to two
///   parameters.
/// - `results::R0`, `results::R1` and so on are the parts of the result, or `R0` alone if it is not a tuple.
/// - A tuple is a tuple of types. A module has its parts: `params::p2::P0`.
///
/// The crate is built again when the file changes. The crate `layout_hlo` reads programs at run time.
///
/// # Errors
/// A file that cannot be read, is not an HLO module or has a faulty shape is a compile error at the path. The error
/// names the line and column in the file. Uses of the module cause no further errors,
/// unless its names come by `use params::*`.
///
/// # Examples
/// ```
/// use layout_hlo_macros::hlo;
///
/// hlo! {
///     /// One step of a decoder with a cache.
///     mod decode = "../../../layout/examples/tour/kvcache_decode.hlo";
/// }
/// use decode::{params, results};
///
/// type Cache = layout::layout!(bf16[2,8,1024,64]{2,3,1,0:T(8,128)(2,1)});
/// let same_type: [fn(Cache); 3] = [|_: params::P1| {}, |_: params::Kc| {}, |_: results::R1| {}];
/// assert_eq!((params::Kc::TEXT, params::Kc::BYTES), (Cache::TEXT, 2 * 2 * 8 * 1024 * 64));
/// ```
#[proc_macro]
pub fn hlo(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    modules::expand(input.into()).into()
}
