//! Parts of a parameter's dimensions, followed through reshapes and transposes.

use alloc::vec::Vec;

use layout_core::analysis::DimDigit;
use layout_core::{ArrayShape, Size};

/// Of each dimension of a value, the parts of the parameter's dimensions that it consists of, the major ones first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DimDigits(Vec<Vec<DimDigit>>);

pub(crate) fn sizes(shape: &ArrayShape) -> Vec<Size> {
    shape.dims().iter().map(|dim| dim.size().unwrap_or(0)).collect()
}

impl DimDigits {
    /// Those of a parameter itself.
    pub(crate) fn new(shape: &ArrayShape) -> DimDigits {
        let digit = |(dim, size)| match size {
            1 => Vec::new(),
            _ => Vec::from([DimDigit { dim, weight: 1, size: Some(size) }]),
        };
        DimDigits(sizes(shape).into_iter().enumerate().map(digit).collect())
    }

    /// All of them, the dimensions in this order.
    fn flat(&self, order: impl IntoIterator<Item = usize>) -> Vec<DimDigit> {
        order.into_iter().flat_map(|dim| self.0.get(dim)).flatten().copied().collect()
    }

    /// The value with its digits cut into other dimensions: both in memory's order, or else in that of the dimensions.
    pub(crate) fn cut(
        &self,
        from: &ArrayShape,
        to: &ArrayShape,
        in_memory: bool,
    ) -> Option<DimDigits> {
        let order = |shape: &ArrayShape| {
            if in_memory { shape.major_to_minor().to_vec() } else { (0..shape.rank()).collect() }
        };
        let mut flat = self.flat(order(from));
        flat.reverse();
        let sizes = sizes(to);
        let mut cut = DimDigits(alloc::vec![Vec::new(); sizes.len()]);
        for dim in order(to) {
            let mut left = sizes[dim];
            while left > 1 {
                let digit = flat.pop()?;
                if left.is_multiple_of(digit.values()) {
                    left /= digit.values();
                    cut.0[dim].push(digit);
                } else {
                    let (above, below) = digit.cut((digit.values() / left).max(1))?;
                    if above.values() != left {
                        return None;
                    }
                    cut.0[dim].push(above);
                    flat.push(below);
                    left = 1;
                }
            }
        }
        flat.is_empty().then_some(cut)
    }

    pub(crate) fn transposed(&self, dimensions: impl Iterator<Item = u64>) -> Option<DimDigits> {
        dimensions
            .map(|dim| self.0.get(dim as usize).cloned())
            .collect::<Option<_>>()
            .map(DimDigits)
    }

    /// The value cut to a part: dimensions of size 1 have no digits.
    pub(crate) fn sliced(&self, to: &ArrayShape) -> DimDigits {
        let own = self.0.iter().zip(sizes(to));
        DimDigits(
            own.map(|(digits, size)| if size == 1 { Vec::new() } else { digits.clone() }).collect(),
        )
    }

    /// The order of the parameter's dimensions, the major one first, in which a value whose dimensions stand in this order
    /// in memory has its elements. `None`: no order of dimensions is that.
    pub(crate) fn order(&self, in_memory: &[usize], parameter: &ArrayShape) -> Option<Vec<usize>> {
        if self.0.is_empty() {
            return None;
        }
        if *self == DimDigits::new(parameter) {
            return Some(in_memory.to_vec());
        }
        let mut order = Vec::new();
        let mut last: Option<DimDigit> = None;
        for digit in self.flat(in_memory.iter().copied()) {
            match last {
                Some(last) if last.dim == digit.dim => {
                    if !last.is_next_above(&digit) {
                        return None;
                    }
                }
                _ if order.contains(&digit.dim) => return None,
                _ => order.push(digit.dim),
            }
            last = Some(digit);
        }
        let rest = (0..parameter.rank()).filter(|dim| !order.contains(dim)).collect::<Vec<_>>();
        Some(rest.into_iter().chain(order).collect())
    }
}

/// Whether two arrays have their elements in the same order and tiles; their memory spaces may differ.
pub(crate) fn is_same_layout(a: &ArrayShape, b: &ArrayShape) -> bool {
    a.minor_to_major() == b.minor_to_major() && a.tiles() == b.tiles()
}
