//! A kernel: its grid and its operands.

use super::index::MAX_AXES;
use super::operand::{Operand, Role};
use layout_core::Size;
use layout_core::tpu::Tpu;

/// The size of an axis of a grid that is known only at run time.
pub const DYNAMIC: Size = Size::MAX;

named! {
    /// What a kernel computes, as far as that matters.
    #[non_exhaustive]
    pub enum Body {
        /// Something else, or nothing.
        Other = "other",
        /// The sum of its inputs, in their element type.
        Add = "add",
        /// A product of matrices, its first two inputs, in their element types.
        Product = "matmul" | "matmul_t" | "matmul_acc",
    }
}

/// A kernel of Pallas: what decides whether its blocks are accepted, and what they take.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<'a> {
    pub(super) tpu: Tpu,
    pub(super) grid: [Size; MAX_AXES],
    pub(super) axes: usize,
    /// A bit for each axis.
    pub(super) parallel: u8,
    pub(super) operands: &'a [Operand],
    pub(super) vmem_limit: Option<Size>,
    pub(super) internal_scratch: Option<Size>,
    pub(super) body: Body,
}

impl<'a> Kernel<'a> {
    /// A kernel of a grid, the axis that varies slowest first, and of operands in their order. A grid without axes is one step.
    pub const fn new(tpu: Tpu, grid: &[Size], operands: &'a [Operand]) -> Kernel<'a> {
        let mut sizes = [1; MAX_AXES];
        each!(for axis in 0..grid.len() {
            if axis < MAX_AXES {
                sizes[axis] = grid[axis];
            }
        });
        Kernel {
            tpu,
            grid: sizes,
            axes: grid.len(),
            parallel: 0,
            operands,
            vmem_limit: None,
            internal_scratch: None,
            body: Body::Other,
        }
    }

    /// Says that an axis is `parallel` (`dimension_semantics`): its steps may run on several cores.
    #[must_use]
    pub const fn parallel(mut self, axis: usize) -> Kernel<'a> {
        if axis < MAX_AXES {
            self.parallel |= 1 << axis;
        }
        self
    }

    /// `vmem_limit_bytes`. What exceeds the most that a generation grants is cut off, as the compiler does.
    #[must_use]
    pub const fn vmem_limit(self, bytes: Size) -> Kernel<'a> {
        Kernel { vmem_limit: Some(bytes), ..self }
    }

    /// `internal_scratch_in_bytes`, memory for the compiler.
    #[must_use]
    pub const fn internal_scratch(self, bytes: Size) -> Kernel<'a> {
        Kernel { internal_scratch: Some(bytes), ..self }
    }

    /// Says what the kernel computes: a TPU does not add or multiply all element types.
    #[must_use]
    pub const fn body(self, body: Body) -> Kernel<'a> {
        Kernel { body, ..self }
    }

    /// The operands.
    pub const fn operands(&self) -> &'a [Operand] {
        self.operands
    }

    /// The axes with more than one step on a core, a bit for each.
    ///
    /// A v5p has two cores. A grid of two steps on a parallel axis is one step on each.
    pub(super) fn changing_axes(&self) -> u8 {
        let long = |axis: &usize| self.grid[*axis] != 1;
        let axes = (0..MAX_AXES).filter(long).fold(0, |axes, axis| axes | 1 << axis);
        let steps = self.grid.iter().fold(1, |steps: Size, size| steps.saturating_mul(*size));
        let is_shared = self.tpu == Tpu::V5p && steps == 2 && self.parallel & axes != 0;
        if is_shared { 0 } else { axes }
    }

    /// How many operands of the same role stand before this one: `output 1` is the second output.
    pub(super) fn number(&self, operand: usize) -> (Role, usize) {
        let role = self.operands[operand].role;
        (role, self.operands[..operand].iter().filter(|other| other.role == role).count())
    }
}
