//! Building fragments digit by digit.

use super::{Axis, Fragment, FragmentDigit, FragmentError, Holder, MAX_FRAGMENT_DIGITS};
use crate::base::limits::{MAX_DIMS, MAX_SIZE, Size};
use crate::base::text::part;
use crate::digit_order::DimDigit;

/// The next values along a dimension, which are the next numbers of an axis: the axis, the dimension and how many.
pub(super) type Next = (Axis, usize, Size);

/// In place of a dimension: the numbers hold copies.
pub(super) const COPIES: usize = usize::MAX;

/// A fragment to which digits are added.
///
/// A fault is kept until [`finish`](Self::finish), so that rules read as lists of digits.
#[derive(Clone, Copy)]
pub(super) struct Builder {
    pub(super) fragment: Fragment,
    /// Where an axis ends and the next one goes on: registers, then lanes, then warps. 0 if nothing goes on.
    pub(super) limits: [Size; 4],
    /// Whether registers hold nothing twice.
    pub(super) drops_register_copies: bool,
    /// What the next digit of an axis counts in.
    ends: [Size; 4],
    /// What the next digit of a dimension counts in, inside the array or past it.
    weights: [Size; MAX_DIMS],
    fault: Option<FragmentError>,
}

impl Builder {
    pub(super) const fn new(dims: &[Size]) -> Builder {
        let mut fragment = Fragment {
            dims: [1; MAX_DIMS],
            rank: 0,
            digits: [FragmentDigit::NONE; MAX_FRAGMENT_DIGITS],
            count: 0,
            first: Holder::register(0, 0, 0),
        };
        let mut fault = None;
        let mut elements: Size = 1;
        each!(for &size in dims {
            elements = elements.saturating_mul(size);
            if fragment.rank == MAX_DIMS || elements == 0 || elements > MAX_SIZE {
                fault = Some(FragmentError::NUMBER);
                break;
            }
            fragment.dims[fragment.rank] = size;
            fragment.rank += 1;
        });
        let (limits, ends, weights) = ([0; 4], [1; 4], [1; MAX_DIMS]);
        Builder { fragment, limits, drops_register_copies: false, ends, weights, fault }
    }

    pub(super) const fn fail(mut self, fault: FragmentError) -> Builder {
        if self.fault.is_none() {
            self.fault = Some(fault);
        }
        self
    }

    /// Adds digits, each of the values along its dimension that follow those of the digits before it.
    pub(super) const fn next(mut self, digits: &[Next]) -> Builder {
        each!(for &(axis, dim, size) in digits {
            if dim == COPIES {
                self = self.attach(axis, 0, 0, size);
            } else if dim < self.fragment.rank {
                let weight = self.weights[dim];
                self.weights[dim] = weight.saturating_mul(size);
                self = self.attach(axis, dim, weight, size);
            } else {
                self = self.fail(FragmentError::RANK);
            }
        });
        self
    }

    /// Lets the next numbers of an axis count in a weight along a dimension.
    pub(super) const fn attach(
        mut self,
        axis: Axis,
        dim: usize,
        weight: Size,
        size: Size,
    ) -> Builder {
        let stride = self.ends[axis as usize];
        self.ends[axis as usize] =
            stride.saturating_mul(self.place(axis, stride, (dim, weight), size));
        self
    }

    /// Adds a digit with a stride of its own, in parts where it passes the end of its dimension or axis. What is past the
    /// dimension's end are copies. Returns how many numbers of the axis it takes.
    pub(super) const fn place(
        &mut self,
        axis: Axis,
        stride: Size,
        (dim, weight): (usize, Size),
        size: Size,
    ) -> Size {
        let end = stride.saturating_mul(size);
        if size == 0 || stride == 0 || end > MAX_SIZE || weight > MAX_SIZE {
            *self = self.fail(FragmentError::NUMBER);
        }
        if size == 1 || self.fault.is_some() {
            return 1;
        }
        let limit = self.limits[axis as usize];
        if limit > 0 && stride >= limit {
            return self.place(Axis::ALL[axis as usize + 1], stride / limit, (dim, weight), size);
        }
        if weight > 0 && weight >= self.fragment.dims[dim] {
            return self.place(axis, stride, (0, 0), size);
        }
        let mut low = if limit > 0 && end > limit { limit / stride } else { size };
        if weight > 0 && weight.saturating_mul(low) > self.fragment.dims[dim] {
            let whole = self.fragment.dims[dim];
            low = whole / weight;
            if !whole.is_multiple_of(weight) || !size.is_multiple_of(low) {
                let multiple = weight.saturating_mul(size);
                *self = self.fail(FragmentError::Size { dim, size: whole, multiple });
            }
        }
        if low < size {
            if !size.is_multiple_of(low) {
                *self = self.fail(FragmentError::CUT);
            }
            let placed = self.place(axis, stride, (dim, weight), low);
            return placed * self.place(axis, stride * low, (dim, weight * low), size / low);
        }
        if weight == 0 && self.drops_register_copies && matches!(axis, Axis::Register) {
            return 1;
        }
        if self.fragment.count == MAX_FRAGMENT_DIGITS {
            *self = self.fail(FragmentError::TOO_MANY);
            return 1;
        }
        let mut at = self.fragment.count;
        self.fragment.count += 1;
        let dim = if weight == 0 { 0 } else { dim };
        let digit = DimDigit { dim, weight, size: Some(size) };
        let new = FragmentDigit { digit, axis, stride };
        while at > 0 && new.is_before(&self.fragment.digits[at - 1]) {
            self.fragment.digits[at] = self.fragment.digits[at - 1];
            at -= 1;
        }
        self.fragment.digits[at] = new;
        size
    }

    /// The first weight along a dimension in which no digit counts, and the next one in which a digit does; twice the end of
    /// the dimension if there is none.
    const fn gap(&self, dim: usize) -> (Size, Size) {
        let mut weight = 1;
        loop {
            let (mut next, mut size) = (self.fragment.dims[dim], 1);
            each!(for digit in self.fragment.digits() {
                if digit.digit.dim == dim
                    && digit.digit.weight >= weight
                    && digit.digit.weight < next
                {
                    (next, size) = (digit.digit.weight, digit.size());
                }
            });
            if next != weight || size == 1 {
                return (weight, next);
            }
            weight *= size;
        }
    }

    /// Lets an axis count what no digit counts yet of a dimension, the lowest weight first.
    pub(super) const fn fill(mut self, axis: Axis, dim: usize) -> Builder {
        loop {
            let (weight, next) = self.gap(dim);
            if weight >= next || self.fault.is_some() {
                return self;
            }
            if !next.is_multiple_of(weight) {
                let size = self.fragment.dims[dim];
                return self.fail(FragmentError::Size { dim, size, multiple: weight });
            }
            self = self.attach(axis, dim, weight, next / weight);
        }
    }

    /// Lets registers count what no digit counts yet of all dimensions, the last one first.
    pub(super) const fn fill_registers(mut self) -> Builder {
        each!(for dim in (0..self.fragment.rank).rev() {
            self = self.fill(Axis::Register, dim);
        });
        self
    }

    /// The fragment, if its digits count each element once along each dimension, and do not overlap along an axis.
    pub(super) const fn finish(mut self) -> Result<Fragment, FragmentError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        each!(for dim in 0..self.fragment.rank {
            let (weight, next) = self.gap(dim);
            if weight < next {
                return Err(FragmentError::Uncounted { dim, weight });
            }
            let mut counted: Size = 1;
            each!(for digit in self.fragment.digits() {
                if digit.digit.dim == dim && !digit.is_copy() {
                    counted = counted.saturating_mul(digit.size());
                }
            });
            if counted != self.fragment.dims[dim] {
                return Err(FragmentError::REPEATED);
            }
        });
        // All numbers, and all holders together, are sizes.
        let first = self.fragment.first.numbers();
        let mut ends = [1; 4];
        let mut holders: Size = 1;
        each!(for digit in self.fragment.digits() {
            ends[digit.axis as usize] = digit.end();
            holders = holders.saturating_mul(digit.size());
        });
        each!(for axis in 0..ends.len() {
            if first[axis].saturating_add(ends[axis]) > MAX_SIZE || holders > MAX_SIZE {
                return Err(FragmentError::NUMBER);
            }
        });
        // Neighbours that together are one digit are joined, so that equal fragments have equal digits.
        let (digits, count) = (self.fragment.digits, self.fragment.count);
        self.fragment.digits = [FragmentDigit::NONE; MAX_FRAGMENT_DIGITS];
        self.fragment.count = 0;
        each!(for new in part(&digits, 0, count) {
            let last = self.fragment.count.saturating_sub(1);
            let low = &mut self.fragment.digits[last];
            let is_same_axis = last < self.fragment.count && low.axis as usize == new.axis as usize;
            if is_same_axis && !new.stride.is_multiple_of(low.end()) {
                return Err(FragmentError::OVERLAP);
            }
            let continues = low.digit.dim == new.digit.dim
                && low.is_copy() == new.is_copy()
                && low.digit.weight * low.size() == new.digit.weight;
            if is_same_axis && low.end() == new.stride && continues {
                low.digit.size = Some(low.size() * new.size());
            } else {
                self.fragment.digits[self.fragment.count] = *new;
                self.fragment.count += 1;
            }
        });
        Ok(self.fragment)
    }
}

impl Fragment {
    /// The fragment of an array without one of the dimensions: what held different elements along it holds copies. Registers
    /// keep one of each.
    ///
    /// This is Triton's `SliceLayout`, the fragment of a sum along the dimension.
    ///
    /// # Errors
    /// If there is no such dimension.
    ///
    /// # Examples
    /// ```
    /// use layout::gpu::fragment::{Instruction, Operand};
    ///
    /// let d = Instruction::mma([16, 8, 16], 16).operand(Operand::D)?;
    /// let rows = d.sliced(1)?;
    /// assert_eq!(rows.holders(&[2]).map(|holder| holder.lane).collect::<Vec<_>>(), [8, 9, 10, 11]);
    /// # Ok::<(), layout::gpu::fragment::FragmentError>(())
    /// ```
    pub const fn sliced(&self, dim: usize) -> Result<Fragment, FragmentError> {
        if dim >= self.rank {
            return Err(FragmentError::DIM);
        }
        let mut dims = self.dims;
        each!(for i in dim + 1..self.rank {
            dims[i - 1] = dims[i];
        });
        let mut builder = Builder::new(part(&dims, 0, self.rank - 1));
        builder.drops_register_copies = true;
        builder.fragment.first = self.first;
        each!(for digit in self.digits() {
            let DimDigit { dim: from, weight, .. } = digit.digit;
            let is_copy = from == dim || digit.is_copy();
            let (to, weight) =
                if is_copy { (0, 0) } else { (from - (from > dim) as usize, weight) };
            if matches!(digit.axis, Axis::Register) {
                builder = builder.attach(digit.axis, to, weight, digit.size());
            } else {
                builder.place(digit.axis, digit.stride, (to, weight), digit.size());
            }
        });
        builder.finish()
    }
}
