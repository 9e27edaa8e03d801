//! What the compiler accepts: JAX's rule of blocks first, then the rules of Mosaic, then the memory.

use super::block::BlockSize;
use super::index::MAX_AXES;
use super::kernel::{Body, DYNAMIC, Kernel};
use super::memory::{SMEM, SMEM_OF_PAIRS, limits};
use super::operand::{MemorySpace, Operand, OperandRole};
use super::refusal::{Legal, Reason, Refusal, least_length};
use super::window::LANES;
use layout_core::tpu::Tpu;
use layout_core::{ElementType, Size};

/// Rows in a tile of 32-bit elements, which blocks of any element type take multiples of.
const ROWS: Size = 8;
/// The compiler fails on grids of 2 steps more.
const MOST_STEPS: Size = i32::MAX as Size - 3;
/// The least internal scratch of the compiler.
const LEAST_INTERNAL_SCRATCH: Size = 36_864;

impl Kernel<'_> {
    /// Why the compiler refuses the kernel; `None` if it accepts its blocks and its memory suffices.
    ///
    /// Of bodies only [`Body`] is judged. Memory is, without what a body spills: compare [`bound_bytes`](Self::bound_bytes) with
    /// [`limit_bytes`](Self::limit_bytes) to be sure. Operands that XLA is known to copy into VMEM and to leave there do not
    /// count.
    pub fn refusal(&self) -> Option<Refusal> {
        let whole = |reason| Some(Refusal { reason, operand: None });
        let Some((_, most)) = limits(self.tpu) else { return whole(Reason::Generation) };
        if self.grid.len() > MAX_AXES {
            return whole(Reason::Axes { axes: self.grid.len() });
        }
        if let Some(axis) = self.grid.iter().position(|size| *size == 0) {
            return whole(Reason::NoSteps { axis });
        }
        let known = self.grid.iter().filter(|size| **size != DYNAMIC);
        if known.fold(1, |steps: Size, size| steps.saturating_mul(*size)) > MOST_STEPS {
            return whole(Reason::Steps { most: MOST_STEPS });
        }
        for rule in [Kernel::elements, Kernel::blocks, Kernel::windows, Kernel::arithmetic] {
            for (number, operand) in self.operands.iter().enumerate() {
                if let Some(reason) = rule(self, operand) {
                    let is_like = |other: &&Operand| other.role == operand.role;
                    let of_role = self.operands[..number].iter().filter(is_like).count();
                    let operand = Some((number, operand.role, of_role));
                    return Some(Refusal { reason, operand });
                }
            }
        }
        if let Some(bytes) = self.internal_scratch.filter(|bytes| *bytes < LEAST_INTERNAL_SCRATCH) {
            return whole(Reason::InternalScratch { bytes, least: LEAST_INTERNAL_SCRATCH });
        }
        let (limit, bytes) = (self.limit_bytes(), self.least_bytes());
        if bytes > limit {
            return whole(Reason::Vmem { bytes, limit, most });
        }
        let mut smem = self.in_space(MemorySpace::Smem);
        let has_pairs = smem.any(|number| self.window_buffers(number) > 1);
        let (limit, bytes) = (if has_pairs { SMEM_OF_PAIRS } else { SMEM }, self.smem_bytes());
        if bytes > limit { whole(Reason::Smem { bytes, limit }) } else { None }
    }

    /// What kernels have no elements of, and blocks that do not fit their array.
    fn elements(&self, operand: &Operand) -> Option<Reason> {
        let element = operand.element;
        if !operand.ranks_agree {
            return Some(Reason::Rank);
        }
        (!(2..=32).contains(&element.bits())).then_some(Reason::Element { element })
    }

    /// JAX's rule of blocks, and that of 2-bit elements.
    fn blocks(&self, operand: &Operand) -> Option<Reason> {
        if !operand.is_windowed() || operand.space == MemorySpace::Semaphore {
            return None;
        }
        let rank = operand.rank;
        if operand.space == MemorySpace::Hbm {
            return (!operand.is_trivial()).then_some(Reason::NotWhole);
        }
        let has_window = rank == 0 && operand.has_block;
        if operand.space == MemorySpace::Smem && operand.is_trivial() && !has_window {
            return None;
        }
        let bits = operand.element.bits();
        let Some(last) = rank.checked_sub(1) else { return Some(Reason::Scalar) };
        let Some(second) = last.checked_sub(1) else {
            let (size, of) = (operand.block_size(0), operand.dims[0]);
            let unit = if bits == 2 { 2048 } else { 1024 };
            let is_legal = |size: &Size| {
                let is_power = bits > 2 && size.is_power_of_two() && *size >= least_length(bits);
                *size == of || *size > 0 && size.is_multiple_of(unit) || is_power
            };
            let near = || Legal::near(size, unit, is_legal);
            return (!is_legal(&size)).then(|| Reason::Length { size, of, bits, legal: near() });
        };
        let rows = match (bits, operand.dims[second].is_multiple_of(LANES)) {
            // Those of the array's own tile.
            (2, true) => LANES,
            (2, false) => 16,
            _ => ROWS,
        };
        if let Some(dim) = (0..second).find(|dim| operand.block_size(*dim) == 0) {
            return Some(Reason::NoElements { dim });
        }
        [(last, LANES), (second, rows)].into_iter().find_map(|(dim, unit)| {
            let (size, of, is_last) = (operand.block_size(dim), operand.dims[dim], dim == last);
            let is_legal = |size: &Size| *size == of || *size > 0 && size.is_multiple_of(unit);
            let near = || Legal::near(size, unit, is_legal);
            let reason = || Reason::LastTwo { dim, is_last, size, of, unit, legal: near() };
            (!is_legal(&size)).then(reason)
        })
    }

    /// What the compiler refuses of windows that JAX accepts.
    fn windows(&self, operand: &Operand) -> Option<Reason> {
        let (element, buffers, rank) = (operand.element, operand.buffers, operand.rank);
        let is_input = matches!(operand.role, OperandRole::Input | OperandRole::Prefetch);
        if element == ElementType::F16
            && (is_input || operand.role == OperandRole::Output && operand.is_touched)
        {
            return Some(Reason::Element { element });
        }
        let is_trivial = operand.is_trivial();
        let is_window = operand.is_windowed()
            && match operand.space {
                MemorySpace::Vmem => true,
                MemorySpace::Smem => operand.has_block,
                _ => false,
            };
        let unit = least_length(element.bits());
        let is_stored = match operand.role {
            OperandRole::Output => operand.is_touched && is_window,
            _ => operand.is_stored && operand.space == MemorySpace::Vmem,
        };
        let is_ragged = rank == 1 && !operand.block_size(0).is_multiple_of(unit);
        if is_stored && is_ragged && element.bits() < 8 {
            return Some(Reason::Packed { element, unit });
        }
        if !operand.is_windowed() {
            return None;
        }
        let sizes = || operand.block[..rank].iter().map(|dim| dim.size).filter(|_| is_window);
        let has_elements = sizes().any(BlockSize::counts_elements);
        let unsupported = sizes().enumerate().find_map(|(dim, size)| match size {
            BlockSize::BoundedSlice(_) => Some(Reason::BoundedSlice { dim }),
            BlockSize::Blocked(_) if has_elements => Some(Reason::Mixed { dim }),
            BlockSize::PaddedElement(_) => Some(Reason::LowPadding { dim }),
            _ => None,
        });
        if unsupported.is_some() {
            return unsupported;
        }
        if buffers > 2 && is_window && !(is_trivial && operand.space == MemorySpace::Vmem) {
            return Some(Reason::Buffers { buffers });
        }
        if element.bits() == 2 {
            if operand.space == MemorySpace::Smem {
                return (!is_trivial).then_some(Reason::Smem2Bit);
            }
            if rank > 1 && !operand.is_row_major_on(self.tpu) {
                return Some(Reason::Order);
            }
        }
        let units = [(rank.checked_sub(1), LANES), (rank.checked_sub(2), ROWS)];
        units.into_iter().find_map(|(dim, unit)| {
            let index = operand.block[dim?].index;
            let is_even = |axis| index.step(axis).is_some_and(|step| step % unit as i64 == 0);
            let is_refused = has_elements && !(0..MAX_AXES).all(is_even);
            is_refused.then_some(Reason::Step { dim: dim?, unit })
        })
    }

    /// Element types that a TPU does not compute with.
    fn arithmetic(&self, operand: &Operand) -> Option<Reason> {
        let (element, bits) = (operand.element, operand.element.bits());
        let is_refused = match self.body {
            Body::Add => operand.is_windowed() && bits < 16,
            Body::Product if operand.role == OperandRole::Input => {
                matches!(element, ElementType::S32 | ElementType::U32)
                    || bits < 16 && self.tpu == Tpu::V4
            }
            _ => false,
        };
        is_refused.then_some(Reason::Arithmetic { body: self.body, element })
    }
}
