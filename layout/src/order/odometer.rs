//! Counting through indices.

use core::borrow::Borrow;

/// Counts an index up: the first dimension of the order by its step, and where that reaches its limit, it is 0 again and
/// the next one counts. False after the last index: then all are 0 again.
#[inline(always)]
pub(crate) fn advance<D: Borrow<usize>>(
    index: &mut [usize],
    order: impl IntoIterator<Item = D>,
    step_and_limit: impl Fn(usize) -> (usize, usize),
) -> bool {
    for dim in order {
        let dim = *dim.borrow();
        let (step, limit) = step_and_limit(dim);
        index[dim] += step;
        if index[dim] < limit {
            return true;
        }
        index[dim] = 0;
    }
    false
}

/// The number of an index in an order of counting, the fastest dimension first; `None` if a coordinate is not below its
/// count.
#[inline(always)]
pub(crate) fn number(
    index: &[usize],
    order: &[usize],
    count: impl Fn(usize) -> usize,
) -> Option<usize> {
    let mut number = 0;
    for &dim in order.iter().rev() {
        if index[dim] >= count(dim) {
            return None;
        }
        number = number * count(dim) + index[dim];
    }
    Some(number)
}

/// The index with a number in an order of counting.
pub(crate) fn numbered(
    mut number: usize,
    order: &[usize],
    count: impl Fn(usize) -> usize,
    index: &mut [usize],
) {
    for &dim in order {
        index[dim] = number % count(dim);
        number /= count(dim);
    }
}
