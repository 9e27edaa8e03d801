//! Any other architecture: no vectors.

without_streams!();

/// No instruction sets.
macro_rules! sets {
    ($then:ident) => {
        $then! {}
    };
}
pub(in crate::relayout::kernel) use sets;
