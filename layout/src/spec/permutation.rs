//! Permutations of dimensions as types.

use core::marker::PhantomData;

use crate::spec::{list::NumberList, sealed::Sealed};

/// A permutation of dimensions; [`permutation!`](crate::permutation!) writes the type.
///
/// `P` is a tuple of [`C<N>`](crate::types::C): dimension `i` of the result is the dimension whose number is the `i`-th.
#[derive(Debug)]
pub struct Permutation<P>(PhantomData<P>);

/// A permutation: [`Permutation`], to which `permutation!` expands.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a permutation of dimensions",
    label = "expected a permutation",
    note = "`permutation!(1, 0)` writes one: dimension `i` of the result is the dimension whose number is the `i`-th. `order!` writes the order of dimensions in memory"
)]
pub trait PermutationSpec: Sealed + 'static {
    #[doc(hidden)]
    const NUMBERS: &'static [usize];
}

impl<P> Sealed for Permutation<P> {}

#[diagnostic::do_not_recommend]
impl<P: NumberList> PermutationSpec for Permutation<P> {
    const NUMBERS: &'static [usize] = P::NUMBERS;
}
