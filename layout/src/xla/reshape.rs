//! The effect of reshapes and transposes on dimensions, independent of the layout.

use layout_core::ArrayShape;
use layout_core::limits::MAX_DIMS;
use layout_core::permutation;
use layout_core::{DimNumbers, Index};

/// Pairs of equal dimensions of two shapes: entry `i` of one list corresponds to entry `i` of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DimPairs {
    /// Dimensions of the first shape.
    pub from: DimNumbers,
    /// Dimensions of the second one.
    pub to: DimNumbers,
}

/// The dimensions that a reshape does not change: pairs of equal size with as many elements before them in
/// both shapes, and after them. `None` if a dimension has no bound, or if the numbers of elements differ.
///
/// If several dimensions of size 1 could be paired, the first ones are.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::xla::dims_unmodified_by_reshape;
///
/// let array = |text: &str| text.parse::<ArrayShape>();
/// let (from, to) = (array("f32[4,1,3,5,6,7]")?, array("f32[2,6,1,5,1,42]")?);
/// let pairs = dims_unmodified_by_reshape(&from, &to).unwrap();
/// assert!(pairs.from == [3] && pairs.to == [3]);
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "DimensionsUnmodifiedByReshape")]
pub const fn dims_unmodified_by_reshape(from: &ArrayShape, to: &ArrayShape) -> Option<DimPairs> {
    let (a, b) = match (from.elements(), to.elements()) {
        (Some(a), Some(b)) if a == b => (sizes(from), sizes(to)),
        _ => return None,
    };
    let (a, b) = (a.as_slice(), b.as_slice());
    let mut pairs = DimPairs { from: DimNumbers::new(), to: DimNumbers::new() };
    // A common prefix is unchanged, even before dimensions of size 0.
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() && a[i] == b[j] {
        pairs.push(i, j);
        i += 1;
        j += 1;
    }
    if matches!(from.elements(), Some(0)) {
        return Some(pairs);
    }
    // The dimensions fall into the smallest groups with equal products.
    while i < a.len() && j < b.len() {
        let (first_i, first_j) = (i, j);
        let (mut x, mut y) = (a[i], b[j]);
        (i, j) = (i + 1, j + 1);
        if x == 1 && y > 1 {
            j = first_j;
            continue;
        }
        if y == 1 && x > 1 {
            i = first_i;
            continue;
        }
        if x == y {
            pairs.push(first_i, first_j);
        }
        while x != y {
            if x < y {
                x *= a[i];
                i += 1;
            } else {
                y *= b[j];
                j += 1;
            }
        }
    }
    Some(pairs)
}

impl DimPairs {
    const fn push(&mut self, from: usize, to: usize) {
        self.from.push(from);
        self.to.push(to);
    }
}

/// The dimensions of size 1 that a reshape deletes and inserts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SizeOneChanges {
    /// Dimensions of the first shape that are deleted.
    pub deleted: DimNumbers,
    /// Dimensions of the second shape that are inserted.
    pub inserted: DimNumbers,
}

/// The dimensions of size 1 that a reshape deletes and inserts; `None` if it also changes other dimensions.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::xla::inserted_or_deleted_size_one_dims;
///
/// let array = |text: &str| text.parse::<ArrayShape>();
/// let (from, to) = (array("f32[9,1,4]")?, array("f32[1,9,4,1]")?);
/// let changes = inserted_or_deleted_size_one_dims(&from, &to).unwrap();
/// assert!(changes.deleted == [1] && changes.inserted == [0, 3]);
/// assert_eq!(inserted_or_deleted_size_one_dims(&from, &array("f32[3,1,12]")?), None);
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "InsertedOrDeleted1SizedDimensions")]
pub const fn inserted_or_deleted_size_one_dims(
    from: &ArrayShape,
    to: &ArrayShape,
) -> Option<SizeOneChanges> {
    let pairs = some!(dims_unmodified_by_reshape(from, to));
    let deleted = some!(others_of_size_one(from, &pairs.from));
    let inserted = some!(others_of_size_one(to, &pairs.to));
    Some(SizeOneChanges { deleted, inserted })
}

/// Sizes or bounds; 0 for `?`.
const fn sizes(shape: &ArrayShape) -> Index {
    let mut sizes = Index::new();
    each!(for dim in 0..shape.rank() {
        sizes.push(match shape.dim(dim).size() {
            Some(size) => size,
            None => 0,
        });
    });
    sizes
}

/// The dimensions that are not in the list, if each has size 1.
const fn others_of_size_one(shape: &ArrayShape, list: &DimNumbers) -> Option<DimNumbers> {
    let mut others = DimNumbers::new();
    let (mut dim, mut at) = (0, 0);
    while dim < shape.rank() {
        if at < list.as_slice().len() && list.as_slice()[at] == dim {
            at += 1;
        } else if matches!(shape.dim(dim).size(), Some(1)) {
            others.push(dim);
        } else {
            return None;
        }
        dim += 1;
    }
    Some(others)
}

/// Reduces a transpose to as few dimensions as possible: drops those of size 1 and merges those that stay
/// adjacent. The sizes are those of the result; its dimension `i` is dimension `permutation[i]` of the
/// operand.
///
/// `permutation` is that of [`transpose_is_bitcast`](crate::bitcast::transpose_is_bitcast), and the array is
/// the operand. `None` if the list is not a permutation, if a dimension has no bound, and if the order of the
/// array does not descend, since merged dimensions would not be adjacent in memory.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::xla::normalized_transpose;
///
/// let shape: ArrayShape = "f32[10,1,11,32]".parse()?;
/// let (dims, permutation) = normalized_transpose(&shape, &[3, 1, 0, 2]).unwrap();
/// assert!(dims == [32, 110] && permutation == [1, 0]);
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "GetNormalizedLogicalTransposeShape")]
pub fn normalized_transpose(
    from: &ArrayShape,
    permutation: &[usize],
) -> Option<(Index, DimNumbers)> {
    let is_known = !from.is_unbounded() && from.major_to_minor().is_sorted();
    if permutation.len() != from.rank() || !permutation::is_permutation(permutation) || !is_known {
        return None;
    }
    let sizes = sizes(from);
    let sizes = sizes.as_slice();
    // The first dimension of each group, in the order of the result.
    let mut first = DimNumbers::new();
    let mut dims = Index::new();
    let mut last = MAX_DIMS;
    each!(for &dim in permutation {
        if sizes[dim] != 1 {
            let mut next = last.saturating_add(1);
            while next < sizes.len() && sizes[next] == 1 {
                next += 1;
            }
            let groups = dims.as_slice().len();
            if last < MAX_DIMS && next == dim {
                dims.set(groups - 1, dims.as_slice()[groups - 1].saturating_mul(sizes[dim]));
            } else {
                dims.push(sizes[dim]);
                first.push(dim);
            }
            last = dim;
        }
    });
    // A group's number is how many groups begin before it.
    let mut numbers = DimNumbers::new();
    let first = first.as_slice();
    each!(for i in 0..first.len() {
        let (mut number, mut j) = (0, 0);
        while j < first.len() {
            number += (first[j] < first[i]) as usize;
            j += 1;
        }
        numbers.push(number);
    });
    Some((dims, numbers))
}
