//! Copies from and to strides.

pub(super) mod loops;
#[cfg(feature = "ndarray")]
mod ndarray;
