//! Building fragments digit by digit.

use super::{Axis, Fragment, FragmentDigit, FragmentError, Holder, MAX_FRAGMENT_DIGITS};
use crate::base::limits::{MAX_DIMS, MAX_SIZE, Size};
use crate::digit_order::DimDigit;

/// A fragment to which digits are added.
///
/// A fault is kept until [`finish`](Self::finish), so that rules read as lists of digits.
#[derive(Clone, Copy)]
pub(super) struct Builder {
    fragment: Fragment,
    /// What the next digit of an axis counts in.
    ends: [Size; 4],
    /// What the next digit of a dimension counts in, inside the array or past it.
    weights: [Size; MAX_DIMS],
    /// Where an axis ends and the next one goes on: registers, then lanes, then warps. 0 if nothing goes on.
    limits: [Size; 4],
    drops_register_copies: bool,
    fault: Option<FragmentError>,
}

impl Builder {
    pub(super) const fn new(dims: &[Size]) -> Builder {
        let fragment = Fragment {
            dims: [0; MAX_DIMS],
            rank: dims.len(),
            digits: [FragmentDigit::NONE; MAX_FRAGMENT_DIGITS],
            count: 0,
            first: Holder::register(0, 0, 0),
        };
        let mut builder = Builder {
            fragment,
            ends: [1; 4],
            weights: [1; MAX_DIMS],
            limits: [0; 4],
            drops_register_copies: false,
            fault: None,
        };
        if dims.len() > MAX_DIMS {
            builder.fragment.rank = 0;
            return builder.with_fault(FragmentError::Rank { given: dims.len(), takes: MAX_DIMS });
        }
        let mut elements: Size = 1;
        each!(for dim in 0..dims.len() {
            builder.fragment.dims[dim] = dims[dim];
            elements = match elements.checked_mul(dims[dim]) {
                Some(elements) if elements > 0 && elements <= MAX_SIZE => elements,
                _ => return builder.with_fault(FragmentError::Number),
            };
        });
        builder
    }

    pub(super) const fn with_fault(mut self, fault: FragmentError) -> Builder {
        if self.fault.is_none() {
            self.fault = Some(fault);
        }
        self
    }

    /// A digit of an axis past this number belongs to the next axis.
    pub(super) const fn limit(mut self, axis: Axis, numbers: Size) -> Builder {
        self.limits[axis as usize] = numbers;
        self
    }

    /// Registers hold nothing twice.
    pub(super) const fn without_register_copies(mut self) -> Builder {
        self.drops_register_copies = true;
        self
    }

    /// The first element is at this holder.
    pub(super) const fn from(mut self, first: Holder) -> Builder {
        self.fragment.first = first;
        self
    }

    pub(super) const fn rank(&self) -> usize {
        self.fragment.rank
    }

    pub(super) const fn dim(&self, dim: usize) -> Size {
        if dim < self.fragment.rank { self.fragment.dims[dim] } else { 1 }
    }

    /// The next values along a dimension, which are the next numbers of an axis.
    pub(super) const fn push(mut self, axis: Axis, dim: usize, size: Size) -> Builder {
        if dim >= self.fragment.rank {
            let rank = self.fragment.rank;
            return self.with_fault(FragmentError::Rank { given: rank, takes: dim + 1 });
        }
        let weight = self.weights[dim];
        self.weights[dim] = match weight.checked_mul(size) {
            Some(weight) if weight > 0 && weight <= MAX_SIZE => weight,
            _ => return self.with_fault(FragmentError::Number),
        };
        self.attach(axis, dim, weight, size)
    }

    /// The next numbers of an axis hold copies.
    pub(super) const fn copies(self, axis: Axis, size: Size) -> Builder {
        self.attach(axis, 0, 0, size)
    }

    /// The next numbers of an axis count in a weight along a dimension.
    pub(super) const fn attach(
        mut self,
        axis: Axis,
        dim: usize,
        weight: Size,
        size: Size,
    ) -> Builder {
        let stride = self.ends[axis as usize];
        let placed = self.place(axis, stride, DimDigit { dim, weight, size: Some(size) });
        self.ends[axis as usize] = match stride.checked_mul(placed) {
            Some(end) => end,
            None => return self.with_fault(FragmentError::Number),
        };
        self
    }

    /// A digit with a stride of its own.
    pub(super) const fn strided(
        mut self,
        axis: Axis,
        stride: Size,
        dim: usize,
        weight: Size,
        size: Size,
    ) -> Builder {
        self.place(axis, stride, DimDigit { dim, weight, size: Some(size) });
        self
    }

    /// Places a digit, in parts where it passes the end of its dimension or axis. What is past the dimension's end are
    /// copies. Returns how many numbers it takes.
    const fn place(&mut self, axis: Axis, stride: Size, digit: DimDigit) -> Size {
        let DimDigit { dim, weight, .. } = digit;
        let size = digit.values();
        let digit = DimDigit { dim: if weight == 0 { 0 } else { dim }, ..digit };
        let is_too_large = match stride.checked_mul(size) {
            Some(end) => end > MAX_SIZE,
            None => true,
        };
        if size == 0 || stride == 0 || is_too_large || weight > MAX_SIZE {
            *self = self.with_fault(FragmentError::Number);
        }
        if size == 1 || self.fault.is_some() {
            return 1;
        }
        let limit = self.limits[axis as usize];
        if limit > 0 && stride >= limit {
            let next = if matches!(axis, Axis::Register) { Axis::Lane } else { Axis::Warp };
            return self.place(next, stride / limit, digit);
        }
        if limit > 0 && stride * size > limit {
            return self.place_cut(axis, stride, digit, limit / stride, weight * (limit / stride));
        }
        if weight > 0 {
            let inside = self.fragment.dims[dim] / weight;
            if inside == 0 {
                return self.place(axis, stride, DimDigit { weight: 0, ..digit });
            }
            if inside < size {
                if !self.fragment.dims[dim].is_multiple_of(weight) || !size.is_multiple_of(inside) {
                    *self = self.with_fault(self.misfit(dim, weight.saturating_mul(size)));
                    return 1;
                }
                return self.place_cut(axis, stride, digit, inside, 0);
            }
        } else if self.drops_register_copies && matches!(axis, Axis::Register) {
            return 1;
        }
        if self.fragment.count == MAX_FRAGMENT_DIGITS {
            *self = self.with_fault(FragmentError::TooMany);
            return 1;
        }
        self.fragment.digits[self.fragment.count] = FragmentDigit { digit, axis, stride };
        self.fragment.count += 1;
        size
    }

    /// Places the lower values of a digit, then the others, which count in another weight.
    const fn place_cut(
        &mut self,
        axis: Axis,
        stride: Size,
        digit: DimDigit,
        low: Size,
        weight: Size,
    ) -> Size {
        let values = digit.values();
        if low == 0 || !values.is_multiple_of(low) {
            *self = self.with_fault(FragmentError::Cut { values, at: low });
            return 1;
        }
        let placed = self.place(axis, stride, DimDigit { size: Some(low), ..digit });
        placed
            * self.place(axis, stride * low, DimDigit { size: Some(values / low), weight, ..digit })
    }

    const fn misfit(&self, dim: usize, multiple: Size) -> FragmentError {
        FragmentError::Size { dim, size: self.fragment.dims[dim], multiple }
    }

    /// Lets an axis count what no digit counts yet of a dimension, the lowest weight first.
    pub(super) const fn fill(mut self, axis: Axis, dim: usize) -> Builder {
        let mut weight = 1;
        while weight < self.dim(dim) && self.fault.is_none() {
            let (next, size) = self.digit_from(dim, weight);
            if next == weight {
                weight *= size;
            } else if next.is_multiple_of(weight) {
                self = self.attach(axis, dim, weight, next / weight);
                weight = next;
            } else {
                self = self.with_fault(self.misfit(dim, weight));
            }
        }
        self
    }

    /// Lets registers count what no digit counts yet of all dimensions, the last one first.
    pub(super) const fn fill_registers(mut self) -> Builder {
        each!(for dim in (0..self.fragment.rank).rev() {
            self = self.fill(Axis::Register, dim);
        });
        self
    }

    /// Weight and size of the lowest digit of a dimension from a weight on, or the end of the dimension.
    const fn digit_from(&self, dim: usize, from: Size) -> (Size, Size) {
        let mut lowest = (self.fragment.dims[dim], 1);
        each!(for i in 0..self.fragment.count {
            let digit = &self.fragment.digits[i].digit;
            if digit.dim == dim && digit.weight >= from && digit.weight < lowest.0 {
                lowest = (digit.weight, digit.values());
            }
        });
        lowest
    }

    /// The fragment, if its digits count each element once along each dimension, and do not overlap along an axis.
    pub(super) const fn finish(mut self) -> Result<Fragment, FragmentError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        self.sort();
        self.join();
        each!(for i in 1..self.fragment.count {
            let (low, high) = (&self.fragment.digits[i - 1], &self.fragment.digits[i]);
            if low.axis as usize == high.axis as usize && !high.stride.is_multiple_of(low.end()) {
                return Err(FragmentError::Overlap { axis: low.axis });
            }
        });
        each!(for dim in 0..self.fragment.rank {
            let mut weight = 1;
            while weight < self.fragment.dims[dim] {
                let (next, size) = self.digit_from(dim, weight);
                if next != weight {
                    return Err(FragmentError::Uncounted { dim, weight });
                }
                weight *= size;
            }
            let mut counted: Size = 1;
            each!(for i in 0..self.fragment.count {
                let digit = &self.fragment.digits[i];
                if digit.digit.dim == dim && !digit.is_copy() {
                    counted = counted.saturating_mul(digit.size());
                }
            });
            if counted != self.fragment.dims[dim] || weight != counted {
                return Err(FragmentError::Repeated { dim });
            }
        });
        Ok(self.fragment)
    }

    /// Orders the digits by axis and stride.
    const fn sort(&mut self) {
        let digits = &mut self.fragment.digits;
        each!(for end in 1..self.fragment.count {
            let mut at = end;
            while at > 0 {
                let (low, high) = (digits[at - 1], digits[at]);
                let is_sorted = if low.axis as usize == high.axis as usize {
                    low.stride <= high.stride
                } else {
                    (low.axis as usize) < high.axis as usize
                };
                if is_sorted {
                    break;
                }
                (digits[at - 1], digits[at]) = (high, low);
                at -= 1;
            }
        });
    }

    /// Joins neighbours that together are one digit, so that equal fragments have equal digits.
    const fn join(&mut self) {
        let digits = self.fragment.digits;
        let count = self.fragment.count;
        self.fragment.digits = [FragmentDigit::NONE; MAX_FRAGMENT_DIGITS];
        self.fragment.count = 0;
        each!(for i in 0..count {
            let high = digits[i];
            if self.fragment.count > 0 {
                let low = &mut self.fragment.digits[self.fragment.count - 1];
                let is_next = low.axis as usize == high.axis as usize && low.end() == high.stride;
                let continues = low.digit.dim == high.digit.dim
                    && low.is_copy() == high.is_copy()
                    && low.digit.weight * low.size() == high.digit.weight;
                if is_next && continues {
                    low.digit.size = Some(low.size() * high.size());
                    continue;
                }
            }
            self.fragment.digits[self.fragment.count] = high;
            self.fragment.count += 1;
        });
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
    /// let d = Instruction::mma([16, 8, 16], 16)?.operand(Operand::D)?;
    /// let rows = d.sliced(1)?;
    /// assert_eq!(rows.holders(&[2]).map(|holder| holder.lane).collect::<Vec<_>>(), [8, 9, 10, 11]);
    /// # Ok::<(), layout::gpu::fragment::FragmentError>(())
    /// ```
    pub const fn sliced(&self, dim: usize) -> Result<Fragment, FragmentError> {
        if dim >= self.rank {
            return Err(FragmentError::Rank { given: dim + 1, takes: self.rank });
        }
        let mut dims = [0; MAX_DIMS];
        each!(for i in 0..self.rank {
            if i != dim {
                dims[i - (i > dim) as usize] = self.dims[i];
            }
        });
        let dims = crate::base::text::part(&dims, 0, self.rank - 1);
        let mut builder = Builder::new(dims).from(self.first).without_register_copies();
        each!(for part in self.digits() {
            let DimDigit { dim: from, weight, .. } = part.digit;
            let to = from - (from > dim) as usize;
            let (to, weight) = if from == dim { (0, 0) } else { (to, weight) };
            builder = match part.axis {
                Axis::Register => builder.attach(part.axis, to, weight, part.size()),
                _ => builder.strided(part.axis, part.stride, to, weight, part.size()),
            };
        });
        builder.finish()
    }
}
