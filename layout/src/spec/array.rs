//! The type of an array's layout.

use core::marker::PhantomData;

use crate::spec::tiles::Untiled;

/// The type that [`layout!`](macro@crate::layout) writes: an array's shape and layout. It has no values; its sizes are
/// constants, its offsets `const fn`.
///
/// # Examples
/// ```
/// use layout::layout;
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// assert_eq!((A::DIMS, A::TILE_DIMS, A::BYTES), ([3, 5], [2, 2], 24 * 4));
/// assert_eq!((A::offset([2, 3]), A::index(17)), (17, Some([2, 3])));
/// static OFFSETS: [u8; A::ELEMENTS] = A::offset_table();
/// assert_eq!(OFFSETS[13], 17);
/// ```
///
/// [`PADDED_ELEMENTS`](Self::PADDED_ELEMENTS) is the length of a slice that holds the array, and [`BYTES`](Self::BYTES) its
/// size in bytes.
///
/// A layout with `?` dimensions only has the constants that do not depend on their sizes. [`with_dims`](Self::with_dims)
/// makes a [value](crate::WithDims) with the sizes, which has the other constants as functions. Constants of a layout with
/// `<=N` are those of the bound `N`. If a constant does not compile, the error begins with the reason and a line of the
/// library; its last note points at your line.
///
/// # Parameters
///
/// `E` is a type of [`element`](crate::types::element), `D` the dimensions as a tuple of
/// [`C<N>`](crate::types::C) (dimension 0 first), `M` the order of the dimensions (the most minor first),
/// `T` the [tiles](crate::types::Tiles), `P` a tuple of [properties](crate::types::property). Two layouts with the
/// same canonical text are the same type, also if they are written in different crates.
// Tuples of `C<N>`: two spellings are one type in any crate, and a mismatch reads ``expected `5`, found `6` ``.
// Redundant properties that XLA prints (`E(32)` on `f32`) make another type; written-out defaults and `D(..)`
// are dropped.
pub struct Array<E, D, M, T = Untiled, P = ()> {
    _parts: PhantomData<(E, D, M, T, P)>,
}
