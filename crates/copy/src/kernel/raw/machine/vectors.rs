//! Any other architecture: no vectors.

without_streams!();

/// A word.
pub(in super::super) use core::primitive::u64 as Smallest;

/// No instruction sets.
macro_rules! sets {
    ($then:ident) => {
        $then! {}
    };
}
pub(in crate::kernel) use sets;
