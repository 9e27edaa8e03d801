//! Transposes that move no element.

use layout_copy::__private::{COMPILE_TIME_LIMIT, check_transpose_within, first_other_dim};
use layout_copy::bitcast::NotBitcast;
use layout_core::__private::write_dim;
use layout_core::permutation;

use crate::compiled::{self, AnyLayout, stop};
use crate::reinterpret::stays;
use crate::spec::permutation::PermutationSpec;

/// Stops the build with the reason, if a view of `A` cannot be transposed to `B`.
#[track_caller]
pub(super) const fn check<A: AnyLayout, B: AnyLayout>(permutation: &[usize]) {
    compiled::both_known::<A, B>();
    let (rank, of_result) = (A::VALUE.rank(), B::VALUE.rank());
    if permutation.len() != rank || of_result != rank {
        stop!(
            "a transpose keeps the number of dimensions: the array has ",
            rank,
            ", the result ",
            of_result,
            " and the permutation ",
            permutation.len()
        )
    }
    let Some(transposed) = A::VALUE.permute_dimensions(permutation) else {
        let dim = not_once(permutation);
        if dim < rank {
            stop!("the permutation names dimension ", dim, " twice")
        }
        stop!("the permutation names dimension ", dim, ", but the rank is ", rank)
    };
    if let Some(dim) = first_other_dim(transposed.dims(), B::VALUE.dims(), true) {
        let mut text = stays::Message::new();
        let from = permutation[dim];
        say!(text, "dimension ", dim, " of the result is dimension ", from);
        text.str(" of the array, but has size ");
        write_dim(&mut text, B::VALUE.dims()[dim]);
        text.str(" and not ");
        write_dim(&mut text, transposed.dims()[dim]);
        stop(text.as_str())
    }
    match check_transpose_within(A::VALUE, B::VALUE, permutation, COMPILE_TIME_LIMIT) {
        Ok(()) | Err(NotBitcast::Size { .. }) => stays::room::<A, B>(),
        Err(error) => {
            let (mut text, is_moved) = stays::why("transpose", &error);
            if is_moved
                && let Some(inverse) = permutation::inverse(permutation)
                && let Some(before) = B::VALUE.permute_dimensions(inverse.as_slice())
            {
                text.str("; to move them, `copy` to ");
                stays::layout(&mut text, &before);
                text.str(" and transpose that");
            }
            stop(text.as_str())
        }
    }
}

/// The first number of a list that is not below its length, or that stands there twice.
const fn not_once(numbers: &[usize]) -> usize {
    let mut at = 0;
    loop {
        let number = numbers[at];
        let mut before = 0;
        while before < at && numbers[before] != number {
            before += 1;
        }
        if number >= numbers.len() || before < at {
            return number;
        }
        at += 1;
    }
}

/// The sizes of a transpose.
pub(super) fn sizes<A: AnyLayout, B: AnyLayout, P: PermutationSpec>(sizes: &A::Sizes) -> B::Sizes {
    let dims = A::dims(sizes);
    let mut transposed = B::ORIGIN;
    for (size, &dim) in transposed.as_mut().iter_mut().zip(P::NUMBERS) {
        *size = dims.as_ref()[dim];
    }
    B::sizes(&transposed)
}
