//! The effect of reshapes and transposes on dimensions, independent of the layout.

use layout_core::ArrayShape;
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
pub fn dims_unmodified_by_reshape(from: &ArrayShape, to: &ArrayShape) -> Option<DimPairs> {
    from.elements().filter(|elements| to.elements() == Some(*elements))?;
    let (a, b) = (sizes(from), sizes(to));
    let mut pairs = DimPairs { from: DimNumbers::new(), to: DimNumbers::new() };
    // A common prefix is unchanged, even before dimensions of size 0.
    let prefix = a.iter().zip(&*b).take_while(|(x, y)| x == y).count();
    (0..prefix).for_each(|dim| pairs.push(dim, dim));
    if from.elements() == Some(0) {
        return Some(pairs);
    }
    let (mut i, mut j) = (prefix, prefix);
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
    fn push(&mut self, from: usize, to: usize) {
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
pub fn inserted_or_deleted_size_one_dims(
    from: &ArrayShape,
    to: &ArrayShape,
) -> Option<SizeOneChanges> {
    let pairs = dims_unmodified_by_reshape(from, to)?;
    let deleted = others_of_size_one(from, &pairs.from)?;
    let inserted = others_of_size_one(to, &pairs.to)?;
    Some(SizeOneChanges { deleted, inserted })
}

/// Sizes or bounds; 0 for `?`.
fn sizes(shape: &ArrayShape) -> Index {
    let mut sizes = Index::new();
    shape.dims().iter().for_each(|dim| sizes.push(dim.size().unwrap_or(0)));
    sizes
}

/// The dimensions that are not in the list, if each has size 1.
fn others_of_size_one(shape: &ArrayShape, list: &DimNumbers) -> Option<DimNumbers> {
    let mut others = DimNumbers::new();
    for dim in (0..shape.rank()).filter(|dim| !list.contains(dim)) {
        shape.dims()[dim].size().filter(|size| *size == 1)?;
        others.push(dim);
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
    // The first dimension of each group, in the order of the result.
    let (mut first, mut dims) = (DimNumbers::new(), Index::new());
    let mut last = None;
    for &dim in permutation.iter().filter(|dim| sizes[**dim] != 1) {
        let next = last.and_then(|last| (last + 1..sizes.len()).find(|next| sizes[*next] != 1));
        if next == Some(dim) {
            let group = dims.len() - 1;
            dims.set(group, dims[group].saturating_mul(sizes[dim]));
        } else {
            dims.push(sizes[dim]);
            first.push(dim);
        }
        last = Some(dim);
    }
    // A group's number is how many groups begin before it.
    let mut numbers = DimNumbers::new();
    first.iter().for_each(|dim| numbers.push(first.iter().filter(|other| *other < dim).count()));
    Some((dims, numbers))
}
