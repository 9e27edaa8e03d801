//! A layout that is known at run time only, prepared for memory.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Range;

use layout_core::__private::{CountedWalk, Counters, Grid, NoGrid, RunCursor, Walk, native};
use layout_core::analysis::NotAddressable;
use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayShape, Digits, Index, Size};

use crate::compiled::outside_of;
use crate::dynamic::error::DynError;
use crate::memory::{place::Offsets, stored::DynStored};
use crate::order::run::Run;
use crate::spec::index::DynIndex;

/// A layout that is known only at run time, prepared for walks and offsets.
///
/// Making one takes a few microseconds and some ten kilobytes; a clone is another handle of the same one. A bounded dimension
/// (`<=N`) has `N` elements here.
///
/// # Examples
/// ```
/// use layout::dynamic::DynLayout;
///
/// let layout = DynLayout::new(&"bf16[20,300]{1,0:T(8,128)(2,1)}".parse()?)?;
/// assert_eq!((layout.offset(&[9, 130]), layout.checked_offset(&[20, 0])), (4101, None));
/// assert_eq!((layout.dims(), layout.padded_elements(), layout.bytes()), (&[20, 300][..], 9216, 18432));
/// let unknown = DynLayout::new(&"f32[?,128]".parse()?).unwrap_err();
/// assert_eq!(unknown.to_string(), "the size of dimension 0 is known at run time only (`?`)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
// With its walks it takes some ten kilobytes, and every view has it: so it is counted.
pub struct DynLayout(Arc<Prepared>);

struct Prepared {
    shape: ArrayShape,
    dims: DynIndex,
    runs: CountedWalk,
    rows: Option<CountedWalk>,
    grid: Result<Grid, NoGrid>,
    slots: usize,
}

impl DynLayout {
    /// Prepares a layout.
    ///
    /// # Errors
    /// If a size is not known, or the array takes more than `isize::MAX` bytes or slots.
    pub fn new(shape: &ArrayShape) -> Result<DynLayout, DynError> {
        let digits = shape.digits()?;
        let slots = shape.padded_elements().unwrap_or_default();
        let most = shape.bytes().unwrap_or_default().max(slots);
        // An array without elements takes no memory, but its sizes are limited too.
        let largest = (0..digits.rank()).map(|dim| digits.dim(dim)).max().unwrap_or(0);
        if most.max(largest) > isize::MAX as Size {
            return Err(DynError::TooLarge(Box::new(*shape)));
        }
        let minor = shape.minor_to_major().first().copied().unwrap_or(0);
        let mut dims = [0; MAX_DIMS];
        (0..digits.rank()).for_each(|dim| dims[dim] = native(digits.dim(dim)));
        Ok(DynLayout(Arc::new(Prepared {
            shape: *shape,
            dims: DynIndex::of(&dims, digits.rank()),
            runs: CountedWalk::new(&Walk::new(&digits, minor)),
            rows: Walk::rows(&digits, minor).map(|rows| CountedWalk::new(&rows)),
            grid: shape.grid(),
            slots: native(slots),
        })))
    }

    /// The shape with its layout.
    #[must_use]
    pub fn shape(&self) -> &ArrayShape {
        &self.0.shape
    }

    /// The layout prepared for offsets.
    #[must_use]
    pub fn digits(&self) -> &Digits {
        self.0.runs.walk().digits()
    }

    /// Sizes of the dimensions in elements, dimension 0 first.
    #[must_use]
    pub fn dims(&self) -> &[usize] {
        &self.0.dims
    }

    pub(super) fn dims_list(&self) -> &DynIndex {
        &self.0.dims
    }

    /// Number of elements.
    #[must_use]
    pub fn elements(&self) -> usize {
        native(self.digits().elements())
    }

    /// Slots for elements in memory, padding counted.
    #[must_use]
    pub fn padded_elements(&self) -> usize {
        self.0.slots
    }

    /// Bytes in memory, padding counted, packed as `E` says.
    #[must_use]
    pub fn bytes(&self) -> usize {
        native(self.0.shape.bytes().unwrap_or_default())
    }

    /// Position of an element in memory, in elements, padding counted.
    ///
    /// # Panics
    /// If the index is out of bounds or has another number of coordinates.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn offset(&self, index: &[usize]) -> usize {
        self.checked_offset(index).unwrap_or_else(|| outside_of(self, &self.0.dims, index))
    }

    /// Like [`offset`](Self::offset), but `None` where the index is out of bounds or has another number of coordinates.
    #[inline]
    #[must_use]
    pub fn checked_offset(&self, index: &[usize]) -> Option<usize> {
        if index.len() != self.dims().len() {
            return None;
        }
        self.digits().offset(&Index::of_native(index)).map(native)
    }

    /// The element at a position in memory; `None` if it is padding, or past the end.
    #[must_use]
    pub fn index(&self, offset: usize) -> Option<DynIndex> {
        let offset = Size::try_from(offset).ok()?;
        self.digits().index(offset).map(|index| index.to_native())
    }

    /// Where the elements with these first coordinates lie in memory, in bytes: see [`WithDims::slice_bytes`](crate::WithDims::slice_bytes).
    ///
    /// # Errors
    /// If other elements lie between them, an index is out of bounds, or there are more coordinates than dimensions.
    pub fn slice_bytes(&self, index: &[usize]) -> Result<Range<usize>, NotAddressable> {
        let range = self.shape().slice_bytes(&Index::of_native(index))?;
        Ok(native(range.start)..native(range.end))
    }

    /// The runs of the layout in the order of memory: see [`Array::runs`](crate::Array::runs).
    #[inline(always)]
    pub fn runs(&self) -> impl core::iter::FusedIterator<Item = Run<DynIndex>> + Clone {
        self.value_runs()
    }

    #[inline(always)]
    pub(super) fn value_runs(&self) -> ValueRuns<'_> {
        ValueRuns::new(&self.0.runs)
    }

    /// The rows of the layout.
    #[inline(always)]
    pub(super) fn row_walk(&self) -> Result<ValueRuns<'_>, DynError> {
        match &self.0.rows {
            Some(rows) => Ok(ValueRuns::new(rows)),
            None => Err(DynError::NoRows(Box::new(self.0.shape))),
        }
    }

    pub(super) fn run_walk(&self) -> &Walk {
        self.0.runs.walk()
    }

    /// The indices of the elements with their offsets, in the order of memory.
    pub fn indices(&self) -> impl Iterator<Item = (DynIndex, usize)> {
        let dim = self.run_walk().dim();
        self.runs().flat_map(move |run| {
            (0..run.length).map(move |at| {
                let mut index = run.index;
                if let Some(first) = run.index.get(dim) {
                    index.set(dim, first + at);
                }
                (index, run.offset + at)
            })
        })
    }

    /// The indices of the elements with their offsets in row-major order: the last dimension fastest.
    pub fn indices_row_major(&self) -> impl Iterator<Item = (DynIndex, usize)> {
        Offsets::new(self.clone())
    }

    /// The offset of an index that is in bounds.
    pub(super) fn offset_unchecked(&self, index: &[usize]) -> usize {
        native(self.digits().offset_unchecked(&Index::of_native(index)))
    }

    /// The outermost tiling.
    pub(super) fn grid(&self) -> Result<&Grid, DynError> {
        let Prepared { grid, shape, .. } = &*self.0;
        grid.as_ref().map_err(|why| DynError::NoTiles { shape: Box::new(*shape), why: why.line() })
    }

    /// Tiles of the outermost tiling along each dimension, dimension 0 first.
    ///
    /// # Errors
    /// If tiles are not consecutive memory.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    ///
    /// let layout = DynLayout::new(&"f32[20,1024]{1,0:T(8,128)}".parse()?)?;
    /// assert_eq!(&*layout.tile_counts()?, [3, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tile_counts(&self) -> Result<DynIndex, DynError> {
        Ok(DynIndex::of(&self.grid()?.count.map(|count| native(count.factor)), self.dims().len()))
    }

    /// Slots that are not as many as the layout has.
    pub(super) fn wrong_slots(&self, given: usize) -> DynError {
        let of = "elements in memory, padding counted";
        DynError::length(self.shape(), of, self.padded_elements(), given)
    }

    /// Whether values of a type store the elements.
    pub(super) fn check_stored<T: DynStored>(&self) -> Result<(), DynError> {
        let (shape, bits) = (self.shape(), 8 * size_of::<T>());
        if T::ELEMENT_TYPES.contains(&shape.element_type()) && shape.element_bits() == bits as Size
        {
            return Ok(());
        }
        let stored = core::any::type_name::<T>();
        Err(DynError::Stored { shape: Box::new(*shape), stored, bits })
    }
}

impl TryFrom<&ArrayShape> for DynLayout {
    type Error = DynError;

    fn try_from(shape: &ArrayShape) -> Result<DynLayout, DynError> {
        DynLayout::new(shape)
    }
}

impl PartialEq for DynLayout {
    fn eq(&self, other: &DynLayout) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.shape == other.0.shape
    }
}

impl Eq for DynLayout {}

impl Hash for DynLayout {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.shape.hash(state);
    }
}

impl fmt::Debug for DynLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DynLayout({})", self.0.shape)
    }
}

impl fmt::Display for DynLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.shape.fmt(f)
    }
}

/// A walk from run to run, or from row to row.
#[derive(Clone)]
pub struct ValueRuns<'l> {
    walk: &'l CountedWalk,
    cursor: RunCursor,
    /// In memory of their own, so that loops keep the cursor in registers.
    counters: Box<Counters>,
}

impl fmt::Debug for ValueRuns<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueRuns").finish_non_exhaustive()
    }
}

impl<'l> ValueRuns<'l> {
    #[inline(always)]
    fn new(walk: &'l CountedWalk) -> Self {
        let (cursor, counters) = RunCursor::new(walk);
        ValueRuns { walk, cursor, counters: Box::new(counters) }
    }

    pub(super) fn walk(&self) -> &'l Walk {
        self.walk.walk()
    }
}

impl Iterator for ValueRuns<'_> {
    type Item = Run<DynIndex>;

    #[inline(always)]
    fn next(&mut self) -> Option<Run<DynIndex>> {
        let run = self.cursor.next(self.walk, &mut self.counters)?;
        let index = run.coordinates(self.walk().digits().rank());
        Some(Run { index, offset: native(run.offset), length: native(run.length) })
    }
}

impl core::iter::FusedIterator for ValueRuns<'_> {}
