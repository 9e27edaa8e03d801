//! Walking over a part of an array: its indices, its runs and its tiles.

use layout_core::__private::{NATIVE, Position, Region as WalkedRegion, Walk, native};
use layout_core::Size;
use layout_core::analysis::Term;
use layout_core::limits::MAX_DIMS;

use crate::compiled::{self, AnyLayout, find};
use crate::order::{region::Region, run::Run, run::RunWalk, run::count_up, run::index, run::walk};

/// The runs of a layout, or its rows, cut to a region, in the order of memory. Indices count from the start of the
/// region on.
pub struct RegionRuns<L: AnyLayout, const ROWS: bool> {
    sizes: L::Sizes,
    region: Region<L>,
    /// The first element of the next run.
    next: Option<L::Index>,
    /// The walk, where the digits of a dimension do not come in order: found as of a layout that is a value.
    other: Option<(RegionCursor, Walk)>,
}

/// Whether runs are found by digits, of which the more major one of a dimension lies in memory above the others: then each value
/// of a digit, between the region's first and its last, has elements of the region.
const fn is_in_order(walk: &Walk) -> bool {
    each!(for number in 0..walk.counters() {
        let counter = walk.counter(number);
        each!(for before in 0..number {
            let minor = walk.counter(before);
            if minor.dim() == counter.dim() && minor.digit.div >= counter.digit.div {
                return false;
            }
        });
    });
    !walk.scans_slots()
}

impl<L: AnyLayout, const ROWS: bool> RegionRuns<L, ROWS> {
    const WALK: &'static Walk = RunWalk::<L, ROWS>::WALK;
    /// Whether it begins at once.
    pub(crate) const IS_IN_ORDER: bool = is_in_order(Self::WALK);

    #[inline(always)]
    pub(crate) fn new(sizes: L::Sizes, region: Region<L>) -> Self {
        let has_elements = !region.dims().as_ref().contains(&0);
        let next = has_elements.then_some(region.start());
        let other = if const { Self::IS_IN_ORDER } { None } else { Self::other(&sizes, &region) };
        RegionRuns { sizes, region, next, other }
    }

    #[cold]
    fn other(sizes: &L::Sizes, region: &Region<L>) -> Option<(RegionCursor, Walk)> {
        let digits = compiled::digits::<L>(sizes);
        let rows = if ROWS { Walk::rows(&digits, L::MINOR) } else { None };
        let walk = rows.unwrap_or_else(|| L::WALK.with_sizes(&digits, L::MINOR));
        Some((RegionCursor::new(&walk, region.walked()), walk))
    }

    /// The run that begins at an index.
    #[inline(always)]
    fn run(&self, mut index: L::Index) -> Run<L::Index> {
        let offset = find::find_unchecked::<L, NATIVE>(&self.sizes, &index);
        let (start, limit) = (self.region.start(), self.region.limit());
        let length = match index.as_ref().get(const { Self::WALK.dim() }) {
            Some(first) => {
                let longest = const { native(Self::WALK.longest()) };
                (longest - first % longest).min(limit.as_ref()[Self::WALK.dim()] - first)
            }
            // A scalar.
            None => 1,
        };
        for (coordinate, start) in index.as_mut().iter_mut().zip(start.as_ref()) {
            *coordinate -= start;
        }
        Run { index, offset, length }
    }

    /// Goes on to the next run.
    #[inline(always)]
    fn advance(&mut self, index: L::Index) {
        let mut index = index;
        let (start, limit) = (self.region.start(), self.region.limit());
        count_up! {
            Self::WALK.counters(), number => Self::WALK.counter(number),
            counter => {
                let (dim, div) = (counter.dim(), native(counter.digit.div));
                let coordinate = index.as_ref()[dim];
                let next = (coordinate / div + 1) * div;
                // Values of the digit go on up to here, and the digits above it count.
                let block = counter.digit.modulus().map(|modulus| div.saturating_mul(native(modulus)));
                let first = block.map_or(0, |block| coordinate - coordinate % block);
                let is_within = block.is_none_or(|block| next - first < block);
                let has_next = is_within && next < limit.as_ref()[dim];
                index.as_mut()[dim] =
                    if has_next { next } else { first.max(start.as_ref()[dim]) };
                if has_next {
                    self.next = Some(index);
                }
                has_next
            }
        }
        self.next = None;
    }
}

walk! { RegionRuns<L, const ROWS: bool> { region, sizes, next, other } }

impl<L: AnyLayout, const ROWS: bool> Iterator for RegionRuns<L, ROWS> {
    type Item = Run<L::Index>;

    #[inline(always)]
    fn next(&mut self) -> Option<Run<L::Index>> {
        if const { !Self::IS_IN_ORDER } {
            let (cursor, walk) = self.other.as_mut()?;
            let run = cursor.next(walk)?;
            return Some(Run {
                index: index::<L>(run),
                offset: native(run.offset),
                length: native(run.length),
            });
        }
        let index = self.next?;
        let run = self.run(index);
        self.advance(index);
        Some(run)
    }
}

/// The position of a walk over the runs or rows of a region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegionCursor {
    /// The run of the layout that follows those of the fastest digit, not cut to the region.
    position: Position,
    region: WalkedRegion,
    /// The run that came last. Its index counts from the start of the region on.
    run: Position,
    /// How many runs follow it without a look at any other digit than the fastest.
    further: Size,
    /// The dimension of that digit, and its steps along it and in memory.
    fastest: (usize, Size, Size),
}

impl RegionCursor {
    /// Before the first run.
    pub(crate) fn new(walk: &Walk, region: WalkedRegion) -> RegionCursor {
        let fastest = match walk.counters() {
            0 => (0, 0, 0),
            _ => {
                let Term { digit, stride, .. } = walk.counter(0);
                (digit.source, digit.div(), stride.factor)
            }
        };
        let position = walk.start_within(&region);
        RegionCursor { position, region, run: Position::START, further: 0, fastest }
    }

    /// The next run, cut to the region.
    #[inline(always)]
    pub(crate) fn next(&mut self, walk: &Walk) -> Option<&Position> {
        if self.further == 0 {
            return self.turn(walk);
        }
        let (dim, div, stride) = self.fastest;
        self.further -= 1;
        self.run.index[dim % MAX_DIMS] += div;
        self.run.offset += stride;
        Some(&self.run)
    }

    /// The first of the runs that share all digits but the fastest.
    #[inline(never)]
    fn turn(&mut self, walk: &Walk) -> Option<&Position> {
        let RegionCursor { position, region, run, further, fastest: (dim, div, stride) } = self;
        if position.length == 0 {
            return None;
        }
        *run = walk.clip(*position, region);
        for (coordinate, start) in run.index.iter_mut().zip(&region.start) {
            *coordinate = coordinate.saturating_sub(*start);
        }
        // Along the dimension of runs each may have another length.
        if walk.counters() > 0 && *dim != walk.dim() {
            *further = walk.counter(0).further(position, region.limit[*dim]);
            position.index[*dim] += *further * *div;
            position.offset += *further * *stride;
        }
        *position = walk.next_within(*position, region);
        Some(run)
    }
}
