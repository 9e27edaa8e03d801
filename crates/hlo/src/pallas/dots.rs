//! What dots in a body can make that no operand holds: the scores of attention, for example.

use super::block::{BlockDim, BlockSize};
use super::kernel::{Body, Kernel};
use super::operand::{MemorySpace, Operand, OperandRole};
use layout_core::{ElementType, Size};

impl Kernel<'_> {
    /// Bytes in registers of the two largest dots of two inputs, since an operation combines two values; 0 if the body is known.
    ///
    /// Two blocks of the same size at the same place, as keys and values, are taken to be combined element by element. If they
    /// have all rows of their arrays, they can also be queries and keys, unless there are queries at another place.
    pub(super) fn largest_dots(&self) -> [Size; 2] {
        let of_role = |role| self.operands.iter().filter(move |operand| operand.role == role);
        // The body copies parts of an input in HBM into scratch.
        let copies = of_role(OperandRole::Input).any(|operand| operand.space == MemorySpace::Hbm);
        let scratch =
            of_role(OperandRole::Scratch).chain(of_role(OperandRole::Scoped)).filter(|_| copies);
        let inputs = of_role(OperandRole::Input).chain(scratch);
        let inputs = inputs.filter(|operand| operand.space == MemorySpace::Vmem);
        let mut largest = [0; 2];
        for (number, left) in inputs.clone().enumerate() {
            for right in inputs.clone().skip(number + 1) {
                let is_apart = |other: &Operand| other.block != left.block;
                let has_queries = || inputs.clone().any(|it| is_apart(it) && it.may_query(left));
                let is_dot = is_apart(right) || left.has_all_rows() && !has_queries();
                if self.body == Body::Other && is_dot {
                    let dot = left.dot_bytes(right).max(right.dot_bytes(left));
                    largest = [largest[0].max(dot), largest[1].max(dot.min(largest[0]))];
                }
            }
        }
        largest
    }
}

impl Operand {
    /// The matrices of a block as the kernel sees it: how many, and their rows and columns.
    fn matrices(&self) -> [Size; 3] {
        let is_seen = |dim: &&BlockDim| dim.size != BlockSize::Squeezed;
        let mut sizes = self.block[..self.rank].iter().filter(is_seen).map(|dim| dim.size.size());
        let (columns, rows) = (sizes.next_back().unwrap_or(1), sizes.next_back().unwrap_or(1));
        [sizes.fold(1, Size::saturating_mul), rows, columns]
    }

    fn has_all_rows(&self) -> bool {
        self.rank.checked_sub(2).is_some_and(|dim| self.block_size(dim) == self.dims[dim])
    }

    /// Whether it has several rows, as long as those of the keys.
    fn may_query(&self, keys: &Operand) -> bool {
        self.matrices()[1] > 1 && self.matrices()[2] == keys.matrices()[2]
    }

    /// Bytes in registers of the largest dot with another block, transposed or not: 0 if no sizes agree. If there are as many
    /// matrices of both, each is multiplied with one, otherwise with all.
    fn dot_bytes(&self, other: &Operand) -> Size {
        let ([count, rows, columns], [others, depth, width]) = (self.matrices(), other.matrices());
        let others = if others == count { 1 } else { others };
        let bytes = |width: Size| {
            let dims = [count.saturating_mul(rows), others.saturating_mul(width)];
            Operand::scratch(ElementType::F32, &dims).register_bytes()
        };
        // A dot over one element is a column and a row, broadcast and combined.
        let dot = if columns == depth { bytes(width) } else { 0 };
        let is_transposed = columns == width && columns > 1;
        dot.max(if is_transposed { bytes(depth) } else { 0 })
    }
}
