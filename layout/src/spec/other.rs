//! Shapes that are not arrays.

use core::marker::PhantomData;

/// `token[]`: orders side effects and takes no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token;

/// `opaque[]`: a value that XLA knows nothing about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Opaque;

/// `b(f32[2]{0})`: a buffer that holds an array of layout `A`.
pub struct BufferOf<A>(PhantomData<A>);
