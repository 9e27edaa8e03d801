//! Building fragments digit by digit.

use super::{Axis, Fragment, FragmentDigit, FragmentError, Holder, MAX_FRAGMENT_DIGITS};
use layout_core::List;
use layout_core::analysis::DimDigit;
use layout_core::limits::{MAX_DIMS, MAX_SIZE, Size};

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
    /// Where an axis ends and the next one goes on: registers, then lanes, then warps.
    pub(super) limits: [Size; 4],
    /// Whether registers hold nothing twice.
    pub(super) drops_register_copies: bool,
    fault: Option<FragmentError>,
}

impl Builder {
    pub(super) const fn new(dims: &[Size]) -> Result<Builder, FragmentError> {
        let first = Holder::register(0, 0, 0);
        let mut fragment = Fragment { dims: List::new(), digits: List::new(), first };
        let mut elements: Size = 1;
        each!(for &size in dims {
            elements = elements.saturating_mul(size);
            refuse!(NUMBER if elements == 0 || elements > MAX_SIZE || fragment.dims().len() == MAX_DIMS);
            fragment.dims.push(size);
        });
        let limits = [MAX_SIZE; 4];
        Ok(Builder { fragment, limits, drops_register_copies: false, fault: None })
    }

    pub(super) const fn fail(mut self, fault: FragmentError) -> Builder {
        if self.fault.is_none() {
            self.fault = Some(fault);
        }
        self
    }

    /// Lets the next numbers of each axis count the lowest values of the dimension that no digit counts yet.
    pub(super) const fn next(mut self, digits: &[Next]) -> Builder {
        each!(for &(axis, dim, size) in digits {
            let digit = match dim {
                COPIES => (0, 0),
                _ => (dim, self.gap(dim).0),
            };
            self = self.attach(axis, digit, size);
        });
        self
    }

    /// Lets the next numbers of an axis count in a weight along a dimension.
    pub(super) const fn attach(self, axis: Axis, digit: (usize, Size), size: Size) -> Builder {
        self.place(axis, self.fragment.extent(axis), digit, size)
    }

    /// Adds a digit with a weight along a dimension and a stride, in parts where it passes the end of its dimension or axis.
    /// What is past the dimension's end are copies.
    pub(super) const fn place(
        mut self,
        axis: Axis,
        stride: Size,
        (dim, weight): (usize, Size),
        size: Size,
    ) -> Builder {
        if size == 0 || stride == 0 || weight > MAX_SIZE || stride.saturating_mul(size) > MAX_SIZE {
            return self.fail(FragmentError::NUMBER);
        }
        if size == 1 || self.fault.is_some() {
            return self;
        }
        let limit = self.limits[axis as usize];
        if stride >= limit {
            if !stride.is_multiple_of(limit) {
                return self.fail(FragmentError::CUT);
            }
            return self.place(Axis::ALL[axis as usize + 1], stride / limit, (dim, weight), size);
        }
        let Some(mut inside) = values_below(limit, stride, size) else {
            return self.fail(FragmentError::CUT);
        };
        if weight > 0 {
            let end = self.fragment.dims()[dim];
            if weight >= end {
                return self.place(axis, stride, (0, 0), size);
            }
            let Some(values) = values_below(end, weight, inside) else {
                let multiple = weight.saturating_mul(size);
                return self.fail(FragmentError::Size { dim, size: end, multiple });
            };
            inside = values;
        }
        if inside < size {
            let low = self.place(axis, stride, (dim, weight), inside);
            return low.place(axis, stride * inside, (dim, weight * inside), size / inside);
        }
        if weight == 0 && self.drops_register_copies && matches!(axis, Axis::Register) {
            return self;
        }
        let digits = &mut self.fragment.digits;
        let mut at = digits.as_slice().len();
        if at == MAX_FRAGMENT_DIGITS {
            return self.fail(FragmentError::TOO_MANY);
        }
        // Copies belong to no dimension.
        let dim = if weight == 0 { 0 } else { dim };
        let digit = DimDigit { dim, weight, size: Some(size) };
        let new = FragmentDigit { digit, axis, stride };
        digits.push(new);
        while at > 0 && new.is_before(&digits.as_slice()[at - 1]) {
            digits.set(at, digits.as_slice()[at - 1]);
            digits.set(at - 1, new);
            at -= 1;
        }
        self
    }

    /// The first weight along a dimension in which no digit counts, and the next one in which a digit does; the size of the
    /// dimension if there is none.
    const fn gap(&self, dim: usize) -> (Size, Size) {
        let mut weight = 1;
        loop {
            let (mut next, mut size) = (self.fragment.dims()[dim], 1);
            each!(for FragmentDigit { digit, .. } in self.fragment.digits() {
                if digit.dim == dim && digit.weight >= weight && digit.weight < next {
                    (next, size) = (digit.weight, digit.values());
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
        while self.fault.is_none() {
            let (weight, next) = self.gap(dim);
            if weight >= next {
                break;
            }
            if !next.is_multiple_of(weight) {
                let size = self.fragment.dims()[dim];
                return self.fail(FragmentError::Size { dim, size, multiple: weight });
            }
            self = self.attach(axis, (dim, weight), next / weight);
        }
        self
    }

    /// The fragment, if its digits count each element once along each dimension, and do not overlap along an axis.
    pub(super) const fn finish(self) -> Result<Fragment, FragmentError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let mut elements = 1;
        each!(for dim in 0..self.fragment.dims().len() {
            let (weight, next) = self.gap(dim);
            if weight < next {
                return Err(FragmentError::Uncounted { dim, weight });
            }
            elements *= self.fragment.dims()[dim];
        });
        let mut counted: Size = 1;
        // Neighbours that together are one digit are joined, so that equal fragments have equal digits.
        let mut joined = Fragment { digits: List::new(), ..self.fragment };
        each!(for &new in self.fragment.digits() {
            counted = counted.saturating_mul(new.size());
            if let Some(&low) = joined.digits().last()
                && low.axis as usize == new.axis as usize
            {
                refuse!(OVERLAP if !new.stride.is_multiple_of(low.end()));
                if low.end() == new.stride && new.digit.is_next_above(&low.digit) {
                    let size = Some(low.size() * new.size());
                    let digit = DimDigit { size, ..low.digit };
                    joined.digits.set(joined.digits().len() - 1, FragmentDigit { digit, ..low });
                    continue;
                }
            }
            joined.digits.push(new);
        });
        // All holders together are a size.
        let mut holders: Size = 1;
        each!(for &axis in &Axis::ALL {
            refuse!(NUMBER if joined.first.at(axis) > MAX_SIZE);
            holders = holders.saturating_mul(joined.extent(axis));
            refuse!(NUMBER if holders > MAX_SIZE);
            refuse!(CUT if joined.extent(axis) > self.limits[axis as usize]);
        });
        refuse!(REPEATED if counted != elements * joined.copies());
        Ok(joined)
    }
}

/// How many values of a digit, which are a unit apart, lie below an end: all of them, or a part that divides them. `None` if
/// the end cuts a unit, or the rest is not a multiple of the part.
pub(super) const fn values_below(end: Size, unit: Size, size: Size) -> Option<Size> {
    if unit.saturating_mul(size) <= end {
        return Some(size);
    }
    let values = end / unit;
    let divides = end.is_multiple_of(unit) && values > 0 && size.is_multiple_of(values);
    if divides { Some(values) } else { None }
}

impl FragmentDigit {
    /// Whether it is listed before another one.
    const fn is_before(&self, other: &FragmentDigit) -> bool {
        let (own_axis, axis) = (self.axis as usize, other.axis as usize);
        own_axis < axis || own_axis == axis && self.stride < other.stride
    }
}

impl Fragment {
    /// The fragment of an array without one of the dimensions: what held different elements along it holds copies. Registers
    /// keep one of each.
    ///
    /// This is Triton's `SliceLayout`, the fragment of a sum along the dimension.
    ///
    /// # Errors
    /// If the dimension does not exist.
    ///
    /// # Examples
    /// ```
    /// use layout_gpu::fragment::{Instruction, Operand};
    ///
    /// let d = Instruction::mma([16, 8, 16], 16).operand(Operand::D)?;
    /// let rows = d.sliced(1)?;
    /// assert_eq!(rows.holders(&[2]).map(|holder| holder.lane).collect::<Vec<_>>(), [8, 9, 10, 11]);
    /// # Ok::<(), layout_gpu::fragment::FragmentError>(())
    /// ```
    pub const fn sliced(&self, dim: usize) -> Result<Fragment, FragmentError> {
        refuse!(DIM if dim >= self.dims().len());
        let mut dims: List<MAX_DIMS> = List::new();
        each!(for other in 0..self.dims().len() {
            if other != dim {
                dims.push(self.dims()[other]);
            }
        });
        let mut builder = ok!(Builder::new(dims.as_slice()));
        builder.drops_register_copies = true;
        each!(for &FragmentDigit { digit, axis, stride } in self.digits() {
            let part = if digit.dim < dim {
                (digit.dim, digit.weight)
            } else if digit.dim > dim {
                (digit.dim - 1, digit.weight)
            } else {
                (0, 0)
            };
            builder = match axis {
                Axis::Register => builder.attach(axis, part, digit.values()),
                _ => builder.place(axis, stride, part, digit.values()),
            };
        });
        builder.fragment.first = self.first;
        builder.finish()
    }
}
