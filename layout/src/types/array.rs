//! The type of an array's layout.

use core::marker::PhantomData;

use crate::types::tiles::Untiled;

/// The layout of an array, which [`layout!`](macro@crate::layout) writes: everything about it is known
/// to the compiler, and a value of it does not exist.
///
/// `E` is a type of [`element`](crate::types::element), `D` the dimensions as a tuple of
/// [`C<N>`](crate::types::C) (dimension 0 first), `M` the order of the dimensions (the most minor first),
/// `T` the [tiles](crate::types::Tiles), `P` a tuple of [properties](crate::types::property). Two layouts with the
/// same canonical text are the same type, in whatever crate they are written.
pub struct Array<E, D, M, T = Untiled, P = ()> {
    _parts: PhantomData<(E, D, M, T, P)>,
}
