//! The rules for values: what must hold between the parts of a shape.
//!
//! The parser and the types call the same function; one knows where each part stands in the
//! text, the other does not.

use crate::analysis::size::most_elements;
use crate::analysis::tiling::Tiling;
use crate::base::{MAX_BOUNDS, MAX_DIMS, MAX_SIZE, SHORT_BOUNDS, Size};
use crate::fault::{Count, Fault, FaultKind, Faults, Place};
use crate::shape::{ArrayFields, ArrayShape, Dim, Property, TileDim, Tiles};

/// Largest `E(n)`, in bits.
const MAX_ELEMENT_BITS: Size = 1024;

/// Adds every fault of the values.
///
/// `most` is the largest number of elements and bytes: `MAX_SIZE`, or less for an array in the memory of a target with
/// narrower addresses.
// The parser passes 2⁶³−1. A type passes the target's `isize::MAX` (`MOST` in `compiled/check.rs`), `with_dims`
// asks again with the sizes of run time, and the macros, which run on the host, ask with 2³¹−1.
pub(crate) const fn array(shape: &ArrayFields, most: Size, faults: &mut Faults) {
    /// Out of line, since the room is large.
    #[inline(never)]
    const fn of<const BOUNDS: usize>(shape: &ArrayFields, most: Size, faults: &mut Faults) {
        let mut tiling = Tiling::<BOUNDS, 0>::NONE;
        tiling.check(shape, most, faults);
    }
    if shape.has_few_bounds() {
        of::<SHORT_BOUNDS>(shape, most, faults);
    } else {
        of::<MAX_BOUNDS>(shape, most, faults);
    }
}

/// The swizzle moves whole elements, and none past the end of memory.
const fn swizzle(shape: &ArrayFields, size: Size, faults: &mut Faults) {
    match shape.swizzle.on_elements(shape.element_bits()) {
        Err(fault) => add(faults, fault.kind(), Place::Swizzle),
        Ok(swizzle) => {
            let slots = size.next_multiple_of(shape.tail_alignment);
            // Of unknown sizes these are the known factors.
            if !slots.is_multiple_of(swizzle.block()) && shape.has_elements() {
                let kind = FaultKind::SwizzleLeaves { slots, block: swizzle.block() };
                add(faults, kind, Place::Swizzle);
            }
        }
    }
}

const fn add(faults: &mut Faults, kind: FaultKind, place: Place) {
    faults.add(Fault::of_value(kind, place));
}

/// `minor_to_major` is a permutation of the dimensions.
const fn order(shape: &ArrayFields, faults: &mut Faults) {
    let rank = shape.rank();
    let mut seen = [false; MAX_DIMS];
    let mut repeated = MAX_DIMS;
    let mut in_range = true;
    each!(for i in 0..rank {
        let dim = shape.minor_to_major[i];
        if dim >= rank {
            add(faults, FaultKind::MinorToMajorRange { rank }, Place::MinorToMajorEntry(i));
            in_range = false;
        } else if seen[dim] {
            repeated = i;
        } else {
            seen[dim] = true;
        }
    });
    // With a number out of range it cannot be said which one is missing.
    if in_range && repeated < MAX_DIMS {
        let mut missing = 0;
        while seen[missing] {
            missing += 1;
        }
        let kind = FaultKind::MinorToMajorRepeated { dim: shape.minor_to_major[repeated], missing };
        add(faults, kind, Place::MinorToMajorEntry(repeated));
    }
}

/// Padded widths are at least the dimensions.
const fn padding(shape: &ArrayFields, faults: &mut Faults) {
    if !shape.has_padding {
        if shape.fill.is_some() {
            add(faults, FaultKind::FillAlone, Place::Property(Property::Fill));
        }
        return;
    }
    each!(for i in 0..shape.rank() {
        match shape.dims[i] {
            Dim::Unbounded => add(faults, FaultKind::PaddingUnbounded, Place::PaddedDim(i)),
            Dim::Static(size) | Dim::Bounded(size) => {
                if shape.padded_dims[i] < size {
                    add(faults, FaultKind::PaddingNarrow { size }, Place::PaddedDim(i));
                }
            }
        }
    });
}

/// Tiles have entries, entries have sizes, and every `*` has a neighbour to the right.
pub(crate) const fn tiles(tiles: &Tiles, faults: &mut Faults) {
    each!(for tile in 0..tiles.len() {
        let (start, end) = (tiles.start(tile), tiles.start(tile + 1));
        if start == end {
            add(faults, FaultKind::EmptyTile, Place::Tile(tile));
        }
        each!(for entry in start..end {
            match tiles.entry(entry) {
                TileDim::Size(0) => add(faults, FaultKind::ZeroTile, Place::TileDim(entry)),
                TileDim::Combined if entry + 1 == end => {
                    add(faults, FaultKind::CombinedLast, Place::TileDim(entry));
                }
                _ => {}
            }
        });
    });
}

/// Numbers of properties are in their ranges.
const fn numbers(shape: &ArrayFields, faults: &mut Faults) {
    let space = shape.memory_space;
    let outside = [
        (Property::TailAlignment, shape.tail_alignment == 0),
        (Property::ElementSize, shape.element_size > MAX_ELEMENT_BITS),
        (Property::MemorySpace, space < i8::MIN as i64 || space > i8::MAX as i64),
        (Property::MetadataPrefix, shape.metadata_prefix > MAX_SIZE),
    ];
    each!(for &(property, is_outside) in &outside {
        if is_outside {
            add(faults, FaultKind::OutOfRange { property }, Place::Property(property));
        }
    });
}

/// Each physical dimension is split once, at increasing places inside it.
const fn splits(shape: &ArrayFields, ordered: bool, faults: &mut Faults) {
    let rank = shape.rank();
    each!(for split in 0..shape.splits.len() {
        let dim = shape.splits.dim(split);
        if dim >= rank {
            add(faults, FaultKind::SplitRange { rank }, Place::Split(split));
        } else if ordered {
            let size = shape.dims[shape.minor_to_major[rank - 1 - dim]].size();
            split_indices(shape, split, size, faults);
        }
        each!(for other in 0..split {
            if shape.splits.dim(other) == dim && dim < rank {
                add(faults, FaultKind::SplitRepeated { dim }, Place::Split(split));
                break;
            }
        });
    });
}

const fn split_indices(shape: &ArrayFields, split: usize, size: Option<Size>, faults: &mut Faults) {
    let indices = shape.splits.indices(split);
    let mut last = 0;
    each!(for i in 0..indices.len() {
        let place = Place::SplitIndex(shape.splits.start(split) + i);
        if indices[i] <= last {
            add(faults, FaultKind::SplitOrder, place);
        } else if let Some(size) = size
            && indices[i] >= size
        {
            add(faults, FaultKind::SplitIndex { size }, place);
        }
        last = indices[i];
    });
}

impl<const TERMS: usize, const PARTS: usize> Tiling<TERMS, PARTS> {
    /// Like [`array`]; if the shape has no faults, its tiles are applied then.
    pub(crate) const fn check(&mut self, shape: &ArrayFields, most: Size, faults: &mut Faults) {
        order(shape, faults);
        padding(shape, faults);
        tiles(&shape.tiles, faults);
        numbers(shape, faults);
        let is_sound = faults.count() == 0;
        if !shape.splits.is_empty() {
            splits(shape, is_sound, faults);
        }
        if is_sound && self.sizes(shape, most, faults) && !shape.swizzle.is_none() {
            swizzle(shape, self.size(), faults);
        }
    }

    /// The rule of what fits: no number and no count exceeds `most`. Tiles the array, and returns whether that holds.
    const fn sizes(&mut self, shape: &ArrayFields, most: Size, faults: &mut Faults) -> bool {
        let too_large = FaultKind::Overflow { count: Count::Number, limit: most };
        if shape.metadata_prefix > most {
            add(faults, too_large, Place::Property(Property::MetadataPrefix));
            return false;
        }
        each!(for split in 0..shape.splits.len() {
            let indices = shape.splits.indices(split);
            // They increase.
            if let Some(last) = indices.last()
                && *last > most
            {
                let place = Place::SplitIndex(shape.splits.start(split) + indices.len() - 1);
                add(faults, too_large, place);
                return false;
            }
        });
        self.counts(shape, most, faults)
    }

    /// Every count is at most `most`; dimensions of size 0 are left out of the products, so that the
    /// answer does not depend on their place. False if a count does not fit.
    const fn counts(&mut self, shape: &ArrayFields, most: Size, faults: &mut Faults) -> bool {
        let limit = most_elements(shape.element_bits(), most);
        let (mut count, mut place) = (Count::Elements, Place::Dims);
        if shape.has_padding {
            self.begin(&ArrayFields { has_padding: false, ..*shape });
            if self.size_within(limit).is_none() {
                return self.overflow(count, most, place, faults);
            }
            (count, place) = (Count::Padded, Place::Property(Property::Padding));
        }
        self.begin(shape);
        let Some(mut size) = self.size_within(limit) else {
            return self.overflow(count, most, place, faults);
        };
        each!(for tile in 0..shape.tiles.len() {
            self.apply(&shape.tiles, tile);
            match self.size_within(limit) {
                Some(tiled) => size = tiled,
                None => return self.overflow(Count::Tiled, most, Place::Tile(tile), faults),
            }
        });
        if shape.tail_alignment > 1 {
            let count = match size.checked_next_multiple_of(shape.tail_alignment) {
                Some(size) if size <= limit => return true,
                Some(size) if size <= most => Count::Bytes,
                _ => Count::Aligned,
            };
            let kind = FaultKind::Overflow { count, limit: most };
            add(faults, kind, Place::Property(Property::TailAlignment));
            return false;
        }
        true
    }

    /// Adds the fault of a count that is too large, or whose bytes are too many. Returns false for a caller that returns whether there is no fault.
    const fn overflow(&self, count: Count, most: Size, place: Place, faults: &mut Faults) -> bool {
        let count = if self.size_within(most).is_none() { count } else { Count::Bytes };
        add(faults, FaultKind::Overflow { count, limit: most }, place);
        false
    }
}

impl ArrayFields {
    /// The shape, if it has no faults.
    ///
    /// # Errors
    /// The first fault: a rule between the fields that does not hold, or an array of more than
    /// [`MAX_SIZE`](crate::limits::MAX_SIZE) bytes.
    pub const fn checked(&self) -> Result<ArrayShape, Fault> {
        let mut faults = Faults::NONE;
        array(self, MAX_SIZE, &mut faults);
        ok!(faults.refuse(()));
        // Without a fault it is valid. Shapes are equal if their lists are.
        let mut shape = Ok(self.trusted());
        if let Ok(ArrayShape { fields }) = &mut shape {
            each!(for dim in self.rank()..MAX_DIMS {
                fields.dims[dim] = Dim::Static(0);
                (fields.minor_to_major[dim], fields.padded_dims[dim]) = (0, 0);
            });
        }
        shape
    }
}

impl ArrayShape {
    /// What is too large of the array where no count can exceed `most`, at most [`MAX_SIZE`].
    ///
    /// It is the rule for arrays in the memory of a target, where `most` is the target's `isize::MAX`: no object of
    /// Rust has more bytes.
    #[doc(hidden)]
    pub const fn fault_within(&self, most: Size) -> Option<Fault> {
        let mut faults = Faults::NONE;
        let mut tiling = Tiling::<MAX_BOUNDS, 0>::NONE;
        tiling.sizes(self.fields(), most, &mut faults);
        faults.as_slice().first().copied()
    }
}
