//! Orders of dimensions that differ in the two most minor ones, and the cheapest of the arrays that are compared.

use crate::base::{MAX_DIMS, Size};
use crate::fault::Fault;
use crate::shape::ArrayShape;

/// Iterates over orders of dimensions, minor to major: one for each choice of the two most minor dimensions,
/// with the others descending. Orders whose minor dimensions have the largest numbers come first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Orders {
    rank: usize,
    next: usize,
}

impl Orders {
    /// All orders of an array of a rank.
    #[inline]
    pub(crate) const fn new(rank: usize) -> Orders {
        Orders { rank, next: 0 }
    }

    /// The next order.
    #[allow(clippy::should_implement_trait, reason = "a `const` calls it")]
    #[inline]
    pub(crate) const fn next(&mut self) -> Option<[usize; MAX_DIMS]> {
        let rank = self.rank;
        let count = if rank < 2 { 1 } else { rank * (rank - 1) };
        if self.next == count {
            return None;
        }
        let mut order = [0; MAX_DIMS];
        let mut len = 0;
        if rank > 1 {
            let minor = rank - 1 - self.next / (rank - 1);
            let number = rank - 2 - self.next % (rank - 1);
            let second = if number >= minor { number + 1 } else { number };
            (order[0], order[1], len) = (minor, second, 2);
        }
        each!(for dim in (0..rank).rev() {
            if len == 0 || (dim != order[0] && (rank < 2 || dim != order[1])) {
                order[len] = dim;
                len += 1;
            }
        });
        self.next += 1;
        Some(order)
    }
}

/// The array that takes the fewest bytes of those that are compared, the first one of equals.
pub(crate) struct Cheapest {
    bytes: Size,
    pub(crate) shape: Option<ArrayShape>,
}

impl Cheapest {
    /// None of them yet. They have to take less than `bytes`.
    #[inline]
    pub(crate) const fn below(bytes: Size) -> Cheapest {
        Cheapest { bytes, shape: None }
    }

    /// Compares an array. One that is too large, or of unknown size, does not count.
    #[inline]
    pub(crate) const fn compare(&mut self, array: &Result<ArrayShape, Fault>) {
        if let Ok(shape) = array
            && let Some(bytes) = shape.bytes()
            && bytes < self.bytes
        {
            (self.bytes, self.shape) = (bytes, Some(*shape));
        }
    }
}
