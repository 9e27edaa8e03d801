//! Permutations of dimensions, with the functions of XLA's `permutation_util`.
//!
//! A permutation of `n` dimensions lists each number below `n` once. Entry `i` of the result comes from entry
//! `permutation[i]`: applied to `[a, b, c]`, `[2, 0, 1]` gives `[c, a, b]`.
//!
//! ```
//! use layout::shape::permutation;
//!
//! assert_eq!(permutation::apply(&[10, 20, 30], &[2, 0, 1]).unwrap(), [30, 10, 20]);
//! assert_eq!(permutation::inverse(&[2, 0, 1]).unwrap(), [1, 2, 0]);
//! assert_eq!(permutation::compose(&[2, 0, 1], &[1, 2, 0]).unwrap(), [0, 1, 2]);
//! ```

use crate::analysis::size::{DimNumbers, Index};
use crate::base::{List, MAX_DIMS, Number, Size};

/// Whether a list has each number below its length once, and at most [`MAX_DIMS`] entries.
///
/// ```
/// use layout::shape::permutation;
///
/// assert!(permutation::is_permutation(&[1, 0, 2]) && permutation::is_permutation(&[]));
/// assert!(!permutation::is_permutation(&[1, 1, 2]) && !permutation::is_permutation(&[0, 3, 1]));
/// ```
#[doc(alias = "IsPermutation")]
pub const fn is_permutation(numbers: &[usize]) -> bool {
    inverse(numbers).is_some()
}

/// Whether each entry `i` is `i`.
///
/// # Examples
/// ```
/// use layout::shape::permutation;
///
/// assert!(permutation::is_identity(&[0, 1, 2]) && permutation::is_identity(&[]));
/// assert!(!permutation::is_identity(&[1, 0]));
/// ```
#[doc(alias = "IsIdentityPermutation")]
pub const fn is_identity(permutation: &[usize]) -> bool {
    each!(for i in 0..permutation.len() {
        if permutation[i] != i {
            return false;
        }
    });
    true
}

/// The inverse permutation: `inverse(p)[p[i]] = i`. `None` if the list is not a permutation.
#[doc(alias = "InversePermutation")]
pub const fn inverse(permutation: &[usize]) -> Option<DimNumbers> {
    const NONE: usize = usize::MAX;
    if permutation.len() > MAX_DIMS {
        return None;
    }
    let mut inverse = [NONE; MAX_DIMS];
    each!(for i in 0..permutation.len() {
        let number = permutation[i];
        if number >= permutation.len() || inverse[number] != NONE {
            return None;
        }
        inverse[number] = i;
    });
    Some(List::of(&inverse, permutation.len()))
}

/// Composes two permutations: entry `i` of the result is `p[q[i]]`, so it applies `p`, then `q`. `None` if
/// one of them is not a permutation, or if their lengths differ.
#[doc(alias = "ComposePermutations")]
pub const fn compose(p: &[usize], q: &[usize]) -> Option<DimNumbers> {
    if is_permutation(p) { permuted(p, q) } else { None }
}

/// Permutes a list of sizes: entry `i` of the result is `list[permutation[i]]`. `None` if `permutation` is not a
/// permutation of as many numbers.
#[doc(alias = "Permute")]
pub const fn apply(list: &[Size], permutation: &[usize]) -> Option<Index> {
    permuted(list, permutation)
}

const fn permuted<T: Number>(list: &[T], permutation: &[usize]) -> Option<List<MAX_DIMS, T>> {
    if list.len() != permutation.len() || !is_permutation(permutation) {
        return None;
    }
    let mut result = List::new();
    each!(for i in 0..permutation.len() {
        result.push(list[permutation[i]]);
    });
    Some(result)
}

/// Undoes [`apply`]: entry `permutation[i]` of the result is `list[i]`. `None` under the same conditions.
#[doc(alias = "PermuteInverse")]
pub const fn apply_inverse(list: &[Size], permutation: &[usize]) -> Option<Index> {
    apply(list, some!(inverse(permutation)).as_slice())
}
