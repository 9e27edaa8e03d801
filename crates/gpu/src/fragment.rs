//! Fragments: arrays spread over the registers, lanes and warps of a GPU, or over its tensor memory.
//!
//! An instruction for matrix products says which lane holds which element of its operands, and in which register. A
//! [`Fragment`] is this map, in both directions, for one instruction or for a larger array that many instructions cover.
//!
//! # Examples
//! The result of `mma.m16n8k16`: who holds row 9, column 3?
//! ```
//! use layout_gpu::fragment::{Fragment, FragmentError, Holder, Instruction, Operand};
//!
//! const D: Fragment =
//!     FragmentError::or_panic(Instruction::mma([16, 8, 16], 16).operand(Operand::D));
//!
//! // Lane 5 does, in its last register; nobody else.
//! assert_eq!(D.holder(&[9, 3]), Some(Holder::register(0, 5, 3)));
//! assert_eq!(*D.index(Holder::register(0, 5, 3)).unwrap(), [9, 3]);
//! assert_eq!((D.warps(), D.lanes(), D.registers(), D.copies()), (1, 32, 4, 1));
//! ```

/// Returns an error if a condition holds: `refuse!(RANK if dims.len() < 2)`.
macro_rules! refuse {
    ($error:ident if $condition:expr) => {
        if $condition {
            return Err(FragmentError::$error);
        }
    };
}

mod access;
mod build;
mod convert;
mod error;
mod instruction;
mod other_systems;
mod tensor_memory;

use layout_core::Index;
use layout_core::analysis::DimDigit;
use layout_core::base::list::{List, Number};
use layout_core::limits::{MAX_DIMS, Size};

pub use access::{Direction, SharedAccess};
pub use convert::{Conversion, Shuffle};
pub use error::FragmentError;
pub use instruction::{Instruction, Operand, Warps};
pub use other_systems::{Shard, ThreadDim};

/// Most digits of a fragment.
const MAX_FRAGMENT_DIGITS: usize = 48;

/// What a digit of a fragment counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Elements in the registers of a lane: two `f16` in one 32-bit register are two.
    Register,
    /// Lanes of a warp (a wave); lanes of tensor memory.
    Lane,
    /// Warps of a block.
    Warp,
    /// Columns of tensor memory.
    Column,
}

impl Axis {
    /// The axes, in the order of their digits in a fragment.
    pub const ALL: [Axis; 4] = [Axis::Register, Axis::Lane, Axis::Warp, Axis::Column];
}

/// A place that holds an element: a register of a lane of a warp, or a lane and a column of tensor memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Holder {
    /// Warp of the block; 0 in tensor memory.
    pub warp: Size,
    /// Lane of the warp, or one of the 128 lanes of tensor memory.
    pub lane: Size,
    /// Number of the element in the lane's registers; in tensor memory, in a 32-bit column if the layout packs some there.
    pub register: Size,
    /// Column of tensor memory; 0 in registers.
    pub column: Size,
}

impl Holder {
    /// A register of a lane of a warp.
    pub const fn register(warp: Size, lane: Size, register: Size) -> Holder {
        Holder { warp, lane, register, column: 0 }
    }

    /// A column of a lane of tensor memory.
    pub const fn tensor_memory(lane: Size, column: Size) -> Holder {
        Holder { warp: 0, lane, register: 0, column }
    }

    /// The number along an axis.
    pub const fn at(&self, axis: Axis) -> Size {
        self.numbers()[axis as usize]
    }

    /// The numbers in the order of the axes.
    const fn numbers(self) -> [Size; 4] {
        [self.register, self.lane, self.warp, self.column]
    }

    const fn of([register, lane, warp, column]: [Size; 4]) -> Holder {
        Holder { warp, lane, register, column }
    }
}

/// A digit of a fragment: a digit of a coordinate, and where its values lie.
///
/// A digit of weight 0 counts copies: holders that differ in it alone hold the same element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
// A digit of weight 0 counts copies. An instruction is a list of these, so a new one is a line.
pub struct FragmentDigit {
    /// The digit of the coordinate.
    pub digit: DimDigit,
    /// What it counts.
    pub axis: Axis,
    /// Registers, lanes, warps or columns from one value to the next.
    pub stride: Size,
}

impl FragmentDigit {
    /// Whether it counts copies.
    pub const fn is_copy(&self) -> bool {
        self.digit.weight == 0
    }

    /// Values of the digit.
    pub const fn size(&self) -> Size {
        self.digit.values()
    }

    /// The next stride that another digit of the axis can have.
    pub(crate) const fn end(&self) -> Size {
        self.stride * self.size()
    }
}

impl Number for FragmentDigit {
    const ZERO: FragmentDigit =
        FragmentDigit { digit: DimDigit::ONE, axis: Axis::Register, stride: 1 };
}

/// How an array is spread over the registers, lanes and warps of a GPU, or over tensor memory.
///
/// Each coordinate of the array is cut into digits, and each digit counts registers, lanes, warps or columns with a stride.
/// Each element has at least one holder; digits that count copies give it more.
///
/// An [`Instruction`] makes the fragments of its operands. [`from_bases`](Self::from_bases), [`from_tv`](Self::from_tv),
/// [`from_shards`](Self::from_shards) and [`tiled`](Self::tiled) read those of Triton, CuTe, TVM and Mosaic, and
/// [`of_layout`](Self::of_layout) a layout in the order of the lanes. All of these are `const fn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    dims: List<MAX_DIMS>,
    /// By axis and stride.
    digits: List<MAX_FRAGMENT_DIGITS, FragmentDigit>,
    /// What holds the first element.
    first: Holder,
}

impl Fragment {
    /// The size of each dimension of the array.
    pub const fn dims(&self) -> &[Size] {
        self.dims.as_slice()
    }

    /// The digits, by axis, each axis from the lowest stride on.
    pub const fn digits(&self) -> &[FragmentDigit] {
        self.digits.as_slice()
    }

    /// How many numbers an axis has: one more than the greatest number of a holder.
    pub const fn extent(&self, axis: Axis) -> Size {
        let mut last = self.first.at(axis);
        each!(for digit in self.digits() {
            if digit.axis as usize == axis as usize {
                last += (digit.size() - 1) * digit.stride;
            }
        });
        last + 1
    }

    /// Elements in the registers of each lane, copies included.
    pub const fn registers(&self) -> Size {
        self.extent(Axis::Register)
    }

    /// Lanes of a warp, or of tensor memory.
    pub const fn lanes(&self) -> Size {
        self.extent(Axis::Lane)
    }

    /// Warps.
    pub const fn warps(&self) -> Size {
        self.extent(Axis::Warp)
    }

    /// Columns of tensor memory; 1 in registers.
    pub const fn columns(&self) -> Size {
        self.extent(Axis::Column)
    }

    /// How many holders each element has.
    pub const fn copies(&self) -> Size {
        let mut copies = 1;
        each!(for digit in self.digits() {
            if digit.is_copy() {
                copies *= digit.size();
            }
        });
        copies
    }

    /// The index of the element that a holder has; `None` if it holds none.
    pub const fn index(&self, holder: Holder) -> Option<Index> {
        let mut index = [0; MAX_DIMS];
        // What the digits do not count has to be 0.
        let (mut left, first) = (holder.numbers(), self.first.numbers());
        each!(for axis in 0..left.len() {
            left[axis] = some!(left[axis].checked_sub(first[axis]));
        });
        each!(for i in (0..self.digits().len()).rev() {
            let digit = &self.digits()[i];
            let axis = digit.axis as usize;
            let value = left[axis] / digit.stride;
            if value >= digit.size() {
                return None;
            }
            left[axis] %= digit.stride;
            index[digit.digit.dim] += value * digit.digit.weight;
        });
        match left {
            [0, 0, 0, 0] => Some(List::of(&index, self.dims().len())),
            _ => None,
        }
    }

    /// The first holder of an element: of all copies the one with the lowest numbers. `None` if the array has no such
    /// element.
    pub const fn holder(&self, index: &[Size]) -> Option<Holder> {
        self.copy(index, 0)
    }

    /// A holder of an element by its number, from 0 to [`copies`](Self::copies); `None` past them, or if the array has no
    /// such element.
    pub const fn copy(&self, index: &[Size], number: Size) -> Option<Holder> {
        let (mut left, mut at) = (number, self.first.numbers());
        each!(for digit in self.digits() {
            if digit.is_copy() {
                at[digit.axis as usize] += left % digit.size() * digit.stride;
                left /= digit.size();
            }
        });
        if left > 0 { None } else { self.near(index, Holder::of(at)) }
    }

    /// The holder of an element whose numbers agree with those of another holder wherever the element has copies.
    pub(crate) const fn near(&self, index: &[Size], other: Holder) -> Option<Holder> {
        if index.len() != self.dims().len() {
            return None;
        }
        each!(for dim in 0..index.len() {
            if index[dim] >= self.dims()[dim] {
                return None;
            }
        });
        let mut at = self.first.numbers();
        each!(for part in self.digits() {
            let DimDigit { dim, weight, .. } = part.digit;
            let counted = match weight {
                0 => other.at(part.axis).saturating_sub(self.first.at(part.axis)) / part.stride,
                _ => index[dim] / weight,
            };
            at[part.axis as usize] += counted % part.size() * part.stride;
        });
        Some(Holder::of(at))
    }

    /// Registers of all lanes of all warps.
    const fn holders_in_registers(&self) -> Size {
        self.warps() * self.lanes() * self.registers()
    }

    /// One of them by its number: warp by warp, lane by lane.
    const fn nth_in_registers(&self, number: Size) -> Holder {
        let (thread, register) = (number / self.registers(), number % self.registers());
        Holder::register(thread / self.lanes(), thread % self.lanes(), register)
    }

    /// All holders of an element; none if the array has no such element.
    ///
    /// # Examples
    /// ```
    /// use layout_gpu::fragment::{Fragment, Instruction, Operand};
    ///
    /// // On RDNA 3, lanes 16 to 31 repeat lanes 0 to 15.
    /// let a = Instruction::wmma(1, 16, false).operand(Operand::A)?;
    /// let lanes = a.holders(&[3, 0]).map(|holder| holder.lane).collect::<Vec<_>>();
    /// assert_eq!(lanes, [3, 19]);
    /// # Ok::<(), layout_gpu::fragment::FragmentError>(())
    /// ```
    pub fn holders(&self, index: &[Size]) -> impl Iterator<Item = Holder> {
        (0..self.copies()).filter_map(|number| self.copy(index, number))
    }
}
