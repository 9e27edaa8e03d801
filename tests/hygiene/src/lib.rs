//! Compiles only if the macros name everything in full: there is no `std` and no prelude, the
//! library has another name, and the names that expansions could lean on mean something else.
#![no_std]
#![no_implicit_prelude]
#![deny(warnings, missing_docs)]
#![allow(non_camel_case_types, dead_code, reason = "the names are traps")]

/// Traps: what an expansion may not refer to by its short name.
mod traps {
    pub(crate) struct usize;
    pub(crate) struct u8;
    pub(crate) struct Option;
    pub(crate) struct Array;
    pub(crate) struct C;
    pub(crate) struct Tiles;
    pub(crate) struct F32;
    pub(crate) mod core {}
    pub(crate) mod std {}
    pub(crate) mod layout {}
}

#[allow(unused_imports, reason = "nothing may fall into the traps")]
use traps::*;

::renamed::layout! {
    /// A layout with everything.
    pub type Everything = F32[<=3,5]{1,0:PAD(4,6)FILL(zero)T(2,2)L(8)E(64)S(-1)SC(0:2)M(8)};
    /// A tuple.
    pub type Several = (F32[3], token[], opaque[], b(F32[2]));
    pub(crate) type Named = BF16[512,1024]{1,0:T=Packed};
}

/// Tiles.
pub type Packed = ::renamed::tiles!((8, 128)(2, 1));

/// In the position of a type.
pub type Plain = ::renamed::layout!(F32[3,5]<1,0:T(2,2)>);

const _: () = ::core::assert!(Plain::offset([2, 3]) == 17);
const _: () = ::core::assert!(Named::BYTES == 2 * 512 * 1024);
const _: () = ::core::assert!(Everything::BYTES == 8 * 24);

const _: () = ::core::assert!(::renamed_gpu::code!(Plain, Wgsl).len() > 100);
const _: () = ::core::assert!(::renamed_gpu::code!(Plain, C99, "c", index_bits = 64).is_ascii());

/// Items from another macro, with every kind of fragment.
macro_rules! items {
    ($visibility:vis $name:ident $element:ident $dim:literal $tile:tt) => {
        ::renamed::layout! {
            /// From a macro.
            $visibility type $name = $element[$dim, $dim]{1,0:T $tile};
        }
    };
}

items! { pub FromMacro F32 4 (2,2) }
items! { Private F32 4 (2,2) }

const _: () = ::core::assert!(FromMacro::ELEMENTS == 16 && Private::ELEMENTS == 16);

/// The number of parts of a shape, which is asked for in the same way with a heap and without one.
pub fn parts(shape: &::renamed::Shape) -> ::core::primitive::usize {
    match shape {
        ::renamed::Shape::Tuple(parts) => parts.len(),
        _ => 1,
    }
}
