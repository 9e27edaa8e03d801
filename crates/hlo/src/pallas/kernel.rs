//! A kernel: its grid and its operands.

use super::index::MAX_AXES;
use super::operand::Operand;
use layout_core::Size;
use layout_core::tpu::Tpu;

/// The size of an axis of a grid that is known only at run time.
pub const DYNAMIC: Size = Size::MAX;

named! {
    /// What a kernel computes, as far as that matters.
    #[non_exhaustive]
    pub enum Body {
        /// Something else, or unknown.
        Other = "other",
        /// It moves data, and computes nothing.
        Copy = "copy" | "zero" | "none",
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
    pub(super) grid: &'a [Size],
    /// A bit for each axis.
    pub(super) parallel: u8,
    pub(super) operands: &'a [Operand],
    pub(super) vmem_limit: Option<Size>,
    pub(super) internal_scratch: Option<Size>,
    pub(super) body: Body,
    pub(super) intermediates: Option<&'a [Size]>,
}

impl<'a> Kernel<'a> {
    /// A kernel of a grid, the axis that varies slowest first, and of operands in their order. A grid without axes is one step.
    pub const fn new(tpu: Tpu, grid: &'a [Size], operands: &'a [Operand]) -> Kernel<'a> {
        Kernel {
            tpu,
            grid,
            parallel: 0,
            operands,
            vmem_limit: None,
            internal_scratch: None,
            body: Body::Other,
            intermediates: None,
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

    /// Bytes of the values that the body computes, each larger than any block, and that exist at the same time. For attention
    /// these are the scores: `block_bytes(F32, &[queries, keys])`. If not given, and if the body is not known,
    /// [`bound_bytes`](Self::bound_bytes) assumes the two largest results that dots of two inputs can have.
    #[must_use]
    pub const fn intermediates(self, bytes: &'a [Size]) -> Kernel<'a> {
        Kernel { intermediates: Some(bytes), ..self }
    }

    /// The axes with more than one step on a core, a bit for each.
    ///
    /// A v5p has two cores. A grid of two steps on a parallel axis is one step on each.
    pub(super) fn changing_axes(&self) -> u8 {
        let axes = self.grid.iter().take(MAX_AXES).enumerate();
        let axes = axes.fold(0, |axes, (axis, size)| axes | u8::from(*size != 1) << axis);
        let steps = self.grid.iter().fold(1, |steps: Size, size| steps.saturating_mul(*size));
        let is_shared = self.tpu == Tpu::V5p && steps == 2 && self.parallel & axes != 0;
        if is_shared { 0 } else { axes }
    }
}
