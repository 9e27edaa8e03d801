//! What a plan is: loops over the digits that two layouts share, and which of them are the kernel's. Bitcasts ask for the digits alone.

mod split;

use layout_core::analysis::Resolved;
use layout_core::base::{MAX_DIMS, Size};

/// Loops of a plan. Layouts with more digits take the general path.
pub const MAX_LOOPS: usize = 16;
/// Digits of a layout that a plan looks at.
pub(crate) type PlanParts = Resolved<{ 2 * MAX_LOOPS }>;

/// A digit that both layouts share: `coordinate / unit % extent`, with its stride in each, in
/// elements. The most major digit of a dimension ends where the dimension does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// What it counts along its dimension.
    pub unit: Size,
    /// How many values it has, fewer where the dimension ends.
    pub extent: Size,
    /// Elements in the source from one value to the next: below 0 in two's complement, as in `strides`.
    pub src: Size,
    /// Elements in the destination from one value to the next.
    pub dst: Size,
}

/// What the innermost loops are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// The layouts share no split: walk along [`Plan::dim`] by runs with constant strides in both.
    General,
    /// Nothing is contiguous in both, nor are there two digits that are each contiguous in one:
    /// `p` elements at two strides.
    Strided,
    /// `p` times as many elements as are moved as one, contiguous in both.
    Run,
    /// `q` rows of the source, which together are `q` elements of the destination side by side.
    Interleave,
    /// `q` rows of the destination, which together are `q` elements of the source side by side.
    Deinterleave,
    /// `p` is contiguous in the source, `q` in the destination.
    Transpose,
}

/// The plan of a copy: which loops there are, and which of them are the kernel's.
///
/// Loops stand in this order: those outside of the kernel, the largest stride of the destination
/// first; then the kernel's: those of `q`, of `p`, and those within what is moved as one element. Each of
/// `p` and `q` is one digit, or consecutive digits of one dimension, the more minor one last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What the innermost loops are.
    pub kernel: Kernel,
    /// Whether bits of the elements' numbers are exchanged instead.
    pub exchanges_bits: bool,
    /// How many loops there are.
    pub len: u8,
    /// First loop of the kernel, of `q`.
    pub kernel_loops: u8,
    /// First loop of `p`.
    pub source_minor: u8,
    /// First loop within what the kernel moves as one element.
    pub element_loops: u8,
    /// Whether the source has more digits: its memory is the more intricate one.
    pub is_source_tiled: bool,
    /// Along which dimension the general path goes.
    pub dim: u8,
    /// The dimensions that the general path cannot take apart from that one, as bits.
    pub coupled_dims: u16,
    /// The first index of the general path.
    pub starts: [Size; MAX_DIMS],
    /// Elements of the destination before what the general path writes to.
    pub skipped: Size,
    /// Whether a side lies otherwise than a layout: with a stride that is not above 0, or not from slot 0 on.
    pub is_scattered: bool,
    /// Slots of the source and of the destination at which the element lies with which the loops begin.
    pub first: [Size; 2],
    /// The dimension of each loop. Dimensions that are contiguous in both layouts are counted as one.
    pub dims: [u8; MAX_LOOPS],
    /// The loops outside of the kernel in the order of the source.
    pub by_source: [u8; MAX_LOOPS],
    /// Elements that the kernel copies as one: contiguous in both. They may lie anywhere, not only at
    /// multiples of their number, and the array may end within them.
    pub elements_as_one: Size,
    /// The loops.
    pub loops: [Loop; MAX_LOOPS],
    /// Size of each dimension; of those that are counted as one, the most minor has their product, the others 1. Of the
    /// general path its end.
    pub sizes: [Size; MAX_DIMS],
}

impl Plan {
    /// No loops yet.
    pub(crate) const fn without_loops(sizes: &[Size]) -> Plan {
        let unit = Loop { unit: 1, extent: 1, src: 1, dst: 1 };
        let mut plan = Plan {
            kernel: Kernel::General,
            exchanges_bits: false,
            len: 0,
            kernel_loops: 0,
            source_minor: 0,
            element_loops: 0,
            is_source_tiled: false,
            dim: 0,
            coupled_dims: 0,
            starts: [0; MAX_DIMS],
            skipped: 0,
            is_scattered: false,
            first: [0; 2],
            dims: [0; MAX_LOOPS],
            by_source: [0; MAX_LOOPS],
            elements_as_one: 1,
            loops: [unit; MAX_LOOPS],
            sizes: [0; MAX_DIMS],
        };
        plan.sizes.split_at_mut(sizes.len()).0.copy_from_slice(sizes);
        plan
    }

    /// Whether the plan moves no elements.
    pub const fn is_empty(&self) -> bool {
        self.len == 1 && self.loops[0].extent == 0
    }

    /// Whether the layouts share no split, so that their digits are needed.
    pub const fn is_general(&self) -> bool {
        matches!(self.kernel, Kernel::General)
    }

    /// How large the digits of a dimension get that are counted by the loops from `first` to `end`.
    pub const fn span(&self, dim: u8, first: usize, end: usize) -> Size {
        let mut span = 0;
        each!(for i in first..end {
            if self.dims[i] == dim {
                span += (self.loops[i].extent - 1) * self.loops[i].unit;
            }
        });
        span
    }
}
