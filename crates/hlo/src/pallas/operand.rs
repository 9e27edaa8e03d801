//! The operands of a kernel, with their blocks.

use super::block::BlockDim;
use super::index::zero;
use layout_core::limits::MAX_DIMS;
use layout_core::{ElementType, Size};

named! {
    /// What an operand is for.
    #[non_exhaustive]
    pub enum OperandRole {
        /// Read by the kernel.
        Input = "input" | "in",
        /// Written by the kernel.
        Output = "output" | "out",
        /// Memory of the kernel, the same in all steps: `scratch_shapes`.
        Scratch = "scratch",
        /// Read before the steps, so that index maps can depend on it: `num_scalar_prefetch`.
        Prefetch = "prefetch",
        /// Memory of a part of the kernel: `pl.run_scoped`.
        Scoped = "run_scoped" | "scoped",
    }
}

named! {
    /// Where the kernel finds an operand.
    #[non_exhaustive]
    pub enum MemorySpace {
        /// Vector memory: a window with a block, or scratch.
        Vmem = "VMEM" | "default",
        /// Scalar memory.
        Smem = "SMEM",
        /// Where it is, in HBM: the kernel copies what it needs itself.
        Hbm = "HBM" | "ANY",
        /// Semaphores, which take neither VMEM nor SMEM.
        Semaphore = "semaphore" | "SEM",
    }
}

/// An operand of a kernel: an array with its block, or scratch.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub(super) role: OperandRole,
    pub(super) element: ElementType,
    pub(super) dims: [Size; MAX_DIMS],
    pub(super) rank: usize,
    /// As many as `rank`, if `ranks_agree`.
    pub(super) block: [BlockDim; MAX_DIMS],
    pub(super) has_block: bool,
    pub(super) ranks_agree: bool,
    pub(super) space: MemorySpace,
    pub(super) buffers: u32,
    pub(super) is_touched: bool,
    pub(super) is_fused: bool,
    pub(super) is_stored: bool,
    /// Whether XLA keeps the array in VMEM; if not given, that is its decision.
    pub(super) is_in_vmem: Option<bool>,
}

impl Operand {
    /// An operand of a role, of an array's sizes, dimension 0 first, in VMEM. Without [`block`](Self::block), its block is the
    /// whole array.
    pub const fn new(role: OperandRole, element: ElementType, dims: &[Size]) -> Operand {
        let rank = if dims.len() < MAX_DIMS { dims.len() } else { MAX_DIMS };
        let mut operand = Operand {
            role,
            // Kernels see predicates in 32 bits.
            element: if matches!(element, ElementType::PRED) { ElementType::S32 } else { element },
            dims: [1; MAX_DIMS],
            rank,
            block: [zero().squeezed(); MAX_DIMS],
            has_block: false,
            ranks_agree: dims.len() <= MAX_DIMS,
            space: if matches!(role, OperandRole::Prefetch) {
                MemorySpace::Smem
            } else {
                MemorySpace::Vmem
            },
            buffers: 2,
            is_touched: true,
            is_fused: false,
            is_stored: false,
            is_in_vmem: None,
        };
        each!(for dim in 0..rank {
            operand.dims[dim] = dims[dim];
            operand.block[dim] = zero().block(dims[dim]);
        });
        operand
    }

    /// An input.
    pub const fn input(element: ElementType, dims: &[Size]) -> Operand {
        Operand::new(OperandRole::Input, element, dims)
    }

    /// An output.
    pub const fn output(element: ElementType, dims: &[Size]) -> Operand {
        Operand::new(OperandRole::Output, element, dims)
    }

    /// Scratch: `pltpu.VMEM(dims, element)`.
    pub const fn scratch(element: ElementType, dims: &[Size]) -> Operand {
        Operand::new(OperandRole::Scratch, element, dims)
    }

    /// Its block, dimension 0 first.
    #[must_use]
    pub const fn block(mut self, block: &[BlockDim]) -> Operand {
        self.has_block = true;
        self.ranks_agree &= block.len() == self.rank;
        each!(for dim in 0..self.rank {
            if dim < block.len() {
                self.block[dim] = block[dim];
            }
        });
        self
    }

    /// Its memory space.
    #[must_use]
    pub const fn space(self, space: MemorySpace) -> Operand {
        Operand { space, ..self }
    }

    /// Buffers of its window, 2 if not given: `pl.Buffered(1)`.
    #[must_use]
    pub const fn buffers(self, buffers: u32) -> Operand {
        Operand { buffers, ..self }
    }

    /// Says that the body neither reads nor writes it. Scratch then takes no memory.
    ///
    /// # Examples
    /// ```
    /// use layout_core::ElementType;
    /// use layout_hlo::pallas::Operand;
    ///
    /// let scratch = Operand::scratch(ElementType::F32, &[8, 128]).untouched();
    /// # let _ = scratch;
    /// ```
    #[must_use]
    pub const fn untouched(self) -> Operand {
        Operand { is_touched: false, ..self }
    }

    /// Says that the body writes this scratch itself, not by copies of its own (DMA) alone: elements of less than 8 bits in one
    /// dimension are then stored in whole words only.
    #[must_use]
    pub const fn stored(self) -> Operand {
        Operand { is_stored: true, ..self }
    }

    /// Says that XLA may compute this input in the kernel: `allow_input_fusion`.
    #[must_use]
    pub const fn fused(self) -> Operand {
        Operand { is_fused: true, ..self }
    }

    /// Says whether XLA keeps the array in VMEM, `S(1)` in the text of the program.
    #[must_use]
    pub const fn in_vmem(self, is_in_vmem: bool) -> Operand {
        Operand { is_in_vmem: Some(is_in_vmem), ..self }
    }

    pub(super) const fn is_windowed(&self) -> bool {
        matches!(self.role, OperandRole::Input | OperandRole::Output)
    }

    /// Elements of the block along a dimension.
    pub(super) const fn block_size(&self, dim: usize) -> Size {
        self.block[dim].size.size()
    }

    /// Whether the block is the whole array, at indices that are written as 0.
    pub(super) fn is_trivial(&self) -> bool {
        (0..self.rank).all(|dim| {
            self.block_size(dim) == self.dims[dim] && self.block[dim].index.is_literal_zero()
        })
    }
}
