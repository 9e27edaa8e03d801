//! Parts of a parameter's dimensions, followed through reshapes and transposes.

use alloc::vec::Vec;

use layout_core::ArrayShape;

/// A part of a dimension: so many values, each a multiple of the weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Atom {
    dim: usize,
    weight: u64,
    size: u64,
}

/// Of each dimension of a value, the parts of the parameter's dimensions that it consists of, the major ones first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Atoms(Vec<Vec<Atom>>);

pub(crate) fn sizes(shape: &ArrayShape) -> Vec<u64> {
    shape.dims().iter().map(|dim| dim.size().unwrap_or(0) as u64).collect()
}

impl Atoms {
    /// Those of a parameter itself.
    pub(crate) fn new(shape: &ArrayShape) -> Atoms {
        let one = |(dim, &size)| {
            if size == 1 { Vec::new() } else { Vec::from([Atom { dim, weight: 1, size }]) }
        };
        Atoms(sizes(shape).iter().enumerate().map(one).collect())
    }

    /// All of them, the dimensions in this order.
    fn flat(&self, order: impl IntoIterator<Item = usize>) -> Vec<Atom> {
        order.into_iter().flat_map(|dim| self.0.get(dim)).flatten().copied().collect()
    }

    /// The value with its atoms cut into other dimensions: both in memory's order, or else in that of the dimensions.
    pub(crate) fn cut(&self, from: &ArrayShape, to: &ArrayShape, in_memory: bool) -> Option<Atoms> {
        let order = |shape: &ArrayShape| {
            if in_memory { shape.major_to_minor().to_vec() } else { (0..shape.rank()).collect() }
        };
        let mut flat = self.flat(order(from));
        flat.reverse();
        let sizes = sizes(to);
        let mut cut = Atoms(alloc::vec![Vec::new(); sizes.len()]);
        for dim in order(to) {
            let mut left = sizes[dim];
            while left > 1 {
                let atom = flat.pop()?;
                if left.is_multiple_of(atom.size) {
                    left /= atom.size;
                    cut.0[dim].push(atom);
                } else if atom.size.is_multiple_of(left) {
                    let low = atom.size / left;
                    cut.0[dim].push(Atom { weight: atom.weight * low, size: left, ..atom });
                    flat.push(Atom { size: low, ..atom });
                    left = 1;
                } else {
                    return None;
                }
            }
        }
        flat.is_empty().then_some(cut)
    }

    pub(crate) fn transposed(&self, dimensions: impl Iterator<Item = u64>) -> Option<Atoms> {
        dimensions.map(|dim| self.0.get(dim as usize).cloned()).collect::<Option<_>>().map(Atoms)
    }

    /// The value cut to a part: dimensions of size 1 have no atoms.
    pub(crate) fn sliced(&self, to: &ArrayShape) -> Atoms {
        let own = self.0.iter().zip(sizes(to));
        Atoms(own.map(|(atoms, size)| if size == 1 { Vec::new() } else { atoms.clone() }).collect())
    }

    /// The order of the parameter's dimensions, the major one first, in which a value whose dimensions stand in this order
    /// in memory has its elements. `None`: no order of dimensions is that.
    pub(crate) fn order(&self, in_memory: &[usize], parameter: &ArrayShape) -> Option<Vec<usize>> {
        if self.0.is_empty() {
            return None;
        }
        if *self == Atoms::new(parameter) {
            return Some(in_memory.to_vec());
        }
        let mut order = Vec::new();
        let mut last: Option<Atom> = None;
        for atom in self.flat(in_memory.iter().copied()) {
            match last {
                Some(last) if last.dim == atom.dim => {
                    if last.weight != atom.weight * atom.size {
                        return None;
                    }
                }
                _ if order.contains(&atom.dim) => return None,
                _ => order.push(atom.dim),
            }
            last = Some(atom);
        }
        let rest = (0..parameter.rank()).filter(|dim| !order.contains(dim)).collect::<Vec<_>>();
        Some(rest.into_iter().chain(order).collect())
    }
}

/// Whether two arrays have their elements in the same order and tiles, in whatever memory.
pub(crate) fn is_same_layout(a: &ArrayShape, b: &ArrayShape) -> bool {
    a.minor_to_major() == b.minor_to_major() && a.tiles() == b.tiles()
}
