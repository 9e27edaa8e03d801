//! Compiles only if `hlo!` names everything in full: there is no prelude, and the names that it could lean on mean something else.
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

::layout_hlo_macros::hlo! {
    /// A program.
    #[allow(clippy::all, reason = "an attribute")]
    pub mod program = "../../../tests/data/hlo_by_hand/old_syntax.hlo";
    mod another = "../../../tests/data/hlo_by_hand/short_syntax.hlo";
}

const _: () = ::core::assert!(program::params::p1::P0::BYTES == 4 * 20 * 300);
const _: () = ::core::assert!(program::params::P0::BYTES == 2 * 24 * 384);
const _: fn(program::params::StateLoop) = |(_, ::layout::types::Token): program::params::P1| {};
const _: fn(program::results::R1) = |()| {};
const _: () = ::core::assert!(another::results::R0::ELEMENTS == 8);
