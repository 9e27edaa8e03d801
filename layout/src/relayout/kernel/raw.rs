//! The one place with `unsafe`: plain numbers as units of their size, and vector kernels on them.
#![allow(unsafe_code, reason = "vectors are loaded and stored by address")]

mod units;
#[cfg(target_arch = "x86_64")]
pub(super) mod x86;

pub(super) use units::{Units, units};
