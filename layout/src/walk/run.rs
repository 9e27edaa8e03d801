//! Walking over a layout in the order of memory: runs, indices and padding.

use core::ops::Range;

use layout_core::__private::{Counter, Position};

use crate::compiled::eval::NO_COUNTS;
use crate::compiled::{self, AnyLayout, Compiled};
use crate::types::array::Array;
use crate::types::element::Element;
use crate::types::list::{DimList, Dims, NumberList, StaticDims};
use crate::types::property::Properties;
use crate::types::tiles::TileSpec;

/// Elements that follow one another both in memory and along one dimension,
/// [`RUN_DIM`](Array::RUN_DIM).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Run<I> {
    /// Index of the first element, dimension 0 first.
    pub index: I,
    /// Offset of the first element, in elements.
    pub offset: usize,
    /// Number of elements, at least 1.
    pub length: usize,
}

impl<I> Run<I> {
    /// Where the run lies in memory, in elements.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.length
    }
}

/// The runs of a layout in the order of memory: see [`Array::runs`].
pub struct Runs<L: AnyLayout> {
    position: Position,
    sizes: L::Sizes,
}

impl<L: AnyLayout> Runs<L> {
    #[inline(always)]
    pub(crate) fn new(sizes: L::Sizes) -> Runs<L> {
        const { L::VALID }
        let mut runs = Runs { position: Position::START, sizes };
        if L::dims(&sizes).as_ref().contains(&0) {
            return runs;
        }
        if const { L::WALK.by_slot() } {
            runs.position = scan::<L>(&sizes, 0);
        } else {
            runs.position.length = runs.length();
        }
        runs
    }

    /// Length of the run at the position.
    #[inline(always)]
    fn length(&self) -> usize {
        if const { L::SIZES.is_empty() } {
            return 1;
        }
        let dim = const { L::WALK.dim() };
        L::WALK.length(L::dims(&self.sizes).as_ref()[dim] - self.position.index[dim])
    }

    /// Goes on to the next run. Unrolled with each counter a constant, so that the coordinates stay
    /// in registers.
    #[inline(always)]
    fn advance(&mut self) {
        if const { L::WALK.by_slot() } {
            self.position = scan::<L>(&self.sizes, self.position.offset + self.position.length);
            return;
        }
        macro_rules! counters {
            ($($number:literal)*) => {$(
                if const { L::WALK.counters() > $number } {
                    let counter = const {
                        if L::WALK.counters() > $number {
                            Some(L::WALK.counter($number))
                        } else {
                            None
                        }
                    };
                    if let Some(counter) = counter
                        && self.count(&counter)
                    {
                        return;
                    }
                }
            )*};
        }
        counters! { 0 1 2 3 4 5 6 7 }
        let mut number = 8;
        while number < const { L::WALK.counters() } {
            if self.count(&L::WALK.counter(number)) {
                return;
            }
            number += 1;
        }
        self.position.length = 0;
    }

    /// Counts a digit up. False if it has no further value.
    #[inline(always)]
    fn count(&mut self, counter: &Counter) -> bool {
        let has_next = count::<L>(&self.sizes, &mut self.position, counter);
        if has_next {
            self.position.length = self.length();
        }
        has_next
    }
}

/// The first run at or behind a slot, found slot by slot.
fn scan<L: AnyLayout>(sizes: &L::Sizes, slot: usize) -> Position {
    if const { size_of::<L::Sizes>() == 0 } {
        return L::WALK.scan(slot);
    }
    L::WALK.slots_of(&compiled::digits::<L>(sizes)).scan(slot)
}

impl<L: AnyLayout> Iterator for Runs<L> {
    type Item = Run<L::Index>;

    #[inline(always)]
    fn next(&mut self) -> Option<Run<L::Index>> {
        if self.position.length == 0 {
            return None;
        }
        let mut index = L::ORIGIN;
        let rank = index.as_ref().len();
        index.as_mut().copy_from_slice(&self.position.index[..rank]);
        let Position { offset, length, .. } = self.position;
        self.advance();
        Some(Run { index, offset, length })
    }
}

impl<L: AnyLayout> core::iter::FusedIterator for Runs<L> {}

impl<L: AnyLayout> Clone for Runs<L> {
    fn clone(&self) -> Self {
        Runs { ..*self }
    }
}

impl<L: AnyLayout> core::fmt::Debug for Runs<L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Runs").field("position", &self.position).finish_non_exhaustive()
    }
}

/// Indices with their offsets in the order of memory: see [`Array::indices`].
#[derive(Clone, Debug)]
pub struct Indices<L: AnyLayout> {
    runs: Runs<L>,
    run: Option<Run<L::Index>>,
}

impl<L: AnyLayout> Indices<L> {
    #[inline(always)]
    pub(crate) fn new(sizes: L::Sizes) -> Self {
        let mut runs = Runs::new(sizes);
        let run = runs.next();
        Indices { runs, run }
    }
}

impl<L: AnyLayout> Iterator for Indices<L> {
    type Item = (L::Index, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(L::Index, usize)> {
        let run = self.run.as_mut()?;
        let item = (run.index, run.offset);
        if run.length > 1 {
            run.index.as_mut()[const { L::WALK.dim() }] += 1;
            run.offset += 1;
            run.length -= 1;
        } else {
            self.run = self.runs.next();
        }
        Some(item)
    }
}

/// Indices with their offsets in row-major order: see [`Array::indices_row_major`].
pub struct IndicesRowMajor<L: AnyLayout> {
    /// Of length 0 at the end.
    position: Position,
    sizes: L::Sizes,
}

impl<L: AnyLayout> IndicesRowMajor<L> {
    #[inline(always)]
    pub(crate) fn new(sizes: L::Sizes) -> Self {
        let is_empty = L::dims(&sizes).as_ref().contains(&0);
        let position = Position { length: usize::from(!is_empty), ..Position::START };
        IndicesRowMajor { position, sizes }
    }

    /// Goes on to the next index. The offset is carried along where digits are taken of single
    /// coordinates; unrolled as for runs.
    #[inline(always)]
    fn advance(&mut self) {
        macro_rules! counters {
            ($($number:literal)*) => {$(
                if const { L::COUNTERS > $number } {
                    let counter = const {
                        if L::COUNTERS > $number {
                            Some(L::DIGITS.row_major_counter($number))
                        } else {
                            None
                        }
                    };
                    if let Some(counter) = counter
                        && count::<L>(&self.sizes, &mut self.position, &counter)
                    {
                        return;
                    }
                }
            )*};
        }
        if const { L::DIGITS.straight().is_none() } {
            self.step();
            return;
        }
        counters! { 0 1 2 3 4 5 6 7 }
        let mut number = 8;
        while number < const { L::COUNTERS } {
            let counter = L::DIGITS.row_major_counter(number);
            if count::<L>(&self.sizes, &mut self.position, &counter) {
                return;
            }
            number += 1;
        }
        self.position.length = 0;
    }

    /// Goes on to the next index and computes its offset.
    fn step(&mut self) {
        let dims = L::dims(&self.sizes);
        let mut index = L::ORIGIN;
        let rank = dims.as_ref().len();
        for dim in (0..rank).rev() {
            self.position.index[dim] += 1;
            if self.position.index[dim] < dims.as_ref()[dim] {
                index.as_mut().copy_from_slice(&self.position.index[..rank]);
                self.position.offset = L::find_unchecked(&self.sizes, &index);
                return;
            }
            self.position.index[dim] = 0;
        }
        self.position.length = 0;
    }
}

impl<L: AnyLayout> Iterator for IndicesRowMajor<L> {
    type Item = (L::Index, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(L::Index, usize)> {
        if self.position.length == 0 {
            return None;
        }
        let mut index = L::ORIGIN;
        let rank = index.as_ref().len();
        index.as_mut().copy_from_slice(&self.position.index[..rank]);
        let offset = self.position.offset;
        self.advance();
        Some((index, offset))
    }
}

impl<L: AnyLayout> core::iter::FusedIterator for IndicesRowMajor<L> {}

impl<L: AnyLayout> Clone for IndicesRowMajor<L> {
    fn clone(&self) -> Self {
        IndicesRowMajor { ..*self }
    }
}

impl<L: AnyLayout> core::fmt::Debug for IndicesRowMajor<L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("IndicesRowMajor").field("position", &self.position).finish_non_exhaustive()
    }
}

/// Counts a digit up. False if it has no further value.
#[inline(always)]
fn count<L: AnyLayout>(sizes: &L::Sizes, position: &mut Position, counter: &Counter) -> bool {
    let size = L::dims(sizes).as_ref()[counter.dim];
    let stride = counter.stride.value(&L::counts(sizes));
    counter.count(position, size, stride)
}

/// Ranges of slots that hold no element: see [`Array::paddings`].
#[derive(Clone, Debug)]
pub struct Paddings<L: AnyLayout> {
    runs: Runs<L>,
    end: usize,
}

impl<L: AnyLayout> Paddings<L> {
    pub(crate) fn new(sizes: L::Sizes) -> Self {
        Paddings { runs: Runs::new(sizes), end: 0 }
    }
}

impl<L: AnyLayout> Iterator for Paddings<L> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let start = self.end;
            let Some(run) = self.runs.next() else {
                self.end = compiled::slots::<L>(&self.runs.sizes);
                return (start < self.end).then_some(start..self.end);
            };
            self.end = run.offset + run.length;
            if start < run.offset {
                return Some(start..run.offset);
            }
        }
    }
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// The dimension along which [runs](Self::runs) go: the one whose next element lies in the next
    /// slot of memory, or the most minor one where there is none.
    pub const RUN_DIM: usize = Self::WALK.dim();

    /// Elements along the most minor dimension that are contiguous in memory wherever a block of so
    /// many begins at a multiple of it: the width of vector loads that fits every row. 1 where runs
    /// are found slot by slot, see [`runs`](Self::runs). Where that is a dimension of unknown size, all
    /// of it is contiguous, and this is the most that there can be.
    ///
    /// # Examples
    /// ```
    /// use layout::layout;
    ///
    /// assert_eq!(<layout!(F32[512,1000]{1,0:T(8,128)})>::CONTIGUOUS_RUN, 128);
    /// assert_eq!(<layout!(F32[512,1000])>::CONTIGUOUS_RUN, 1000);
    /// assert_eq!(<layout!(BF16[512,1000]{1,0:T(8,128)(2,1)})>::CONTIGUOUS_RUN, 1);
    /// ```
    pub const CONTIGUOUS_RUN: usize = Self::WALK.contiguous(Self::MINOR);

    /// Whether an offset is the sum of the coordinates times [`strides`](Self::strides).
    pub const IS_AFFINE: bool = Self::DIGITS.strides().is_some();

    /// Elements in memory from one index to the next along each dimension, dimension 0 first, if the
    /// offset is the sum of the coordinates times these; 0 along dimensions of size 1, and along all
    /// dimensions of an array without elements. Where a `*` combines dimensions it may go unnoticed
    /// that there is such a sum.
    ///
    /// # Examples
    /// ```
    /// use layout::layout;
    ///
    /// assert_eq!(<layout!(F32[3,5]{0,1})>::strides(), Some([1, 3]));
    /// assert_eq!(<layout!(F32[3,5]{1,0:T(2,2)})>::strides(), None);
    /// ```
    pub const fn strides<const R: usize>() -> Option<[usize; R]>
    where
        D: Dims<R> + StaticDims,
    {
        let Some(all) = Self::DIGITS.strides() else { return None };
        let mut strides = [0; R];
        let mut dim = 0;
        while dim < R {
            strides[dim] = all[dim].value(NO_COUNTS);
            dim += 1;
        }
        Some(strides)
    }

    /// The longest stretches of elements that follow one another both in memory and along the
    /// dimension [`RUN_DIM`](Self::RUN_DIM), in the order of memory.
    ///
    /// Code that treats a run at a time is as fast as a nest of loops by hand: within a run there
    /// is nothing left of the layout. Where a `*` combines dimensions, or a tile cuts another at
    /// places that do not meet, runs are found slot by slot, which is exact but slow.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// let runs = A::runs().map(|run| (run.index, run.offset, run.length)).collect::<Vec<_>>();
    /// assert_eq!(runs[..3], [([0, 0], 0, 2), ([1, 0], 2, 2), ([0, 2], 4, 2)]);
    /// assert_eq!(runs.last(), Some(&([2, 4], 20, 1)));
    /// ```
    #[inline(always)]
    pub fn runs() -> Runs<Self>
    where
        D: StaticDims,
    {
        Runs::new(const { compiled::known::<Self>() })
    }

    /// Every index with its offset, in the order of memory.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// let first = A::indices().take(3).collect::<Vec<_>>();
    /// assert_eq!(first, [([0, 0], 0), ([0, 1], 1), ([1, 0], 2)]);
    /// ```
    #[inline(always)]
    pub fn indices() -> Indices<Self>
    where
        D: StaticDims,
    {
        Indices::new(const { compiled::known::<Self>() })
    }

    /// Every index with its offset, in row-major order: the last dimension fastest, whatever the
    /// layout.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// let first = A::indices_row_major().take(3).collect::<Vec<_>>();
    /// assert_eq!(first, [([0, 0], 0), ([0, 1], 1), ([0, 2], 4)]);
    /// ```
    #[inline(always)]
    pub fn indices_row_major() -> IndicesRowMajor<Self>
    where
        D: StaticDims,
    {
        IndicesRowMajor::new(const { compiled::known::<Self>() })
    }

    /// The ranges of slots that hold no element, in the order of memory, `L` counted.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// let paddings = A::paddings().collect::<Vec<_>>();
    /// assert_eq!(paddings, [9..10, 11..12, 14..16, 18..20, 21..24]);
    /// ```
    pub fn paddings() -> Paddings<Self>
    where
        D: StaticDims,
    {
        Paddings::new(const { compiled::known::<Self>() })
    }
}
