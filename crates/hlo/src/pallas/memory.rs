//! What a kernel takes in VMEM and SMEM, and what it may take.

use super::kernel::Kernel;
use super::operand::{MemorySpace, Operand, OperandRole};
use super::window::{LANES, block_bytes, window};
use layout_core::Dim;
use layout_core::limits::MAX_DIMS;
use layout_core::tpu::{TileFormat, Tpu};
use layout_core::{ArrayShape, ElementType, Size};

/// What windows are rounded up to, and memory of `run_scoped`.
const WINDOW_UNIT: Size = 1024;
/// What kernels get of 1 MiB of SMEM.
pub(super) const SMEM: Size = 1_046_528;
/// What they get where a window there has two buffers: this compiles, and 1,044,480 does not.
pub(super) const SMEM_OF_PAIRS: Size = 1_042_432;
/// Bytes that the compiler was seen to take for itself, beside what it spills: 40,960, and as much again.
const OWN: Size = 1 << 16;

const MIB: Size = 1 << 20;

/// Bytes of VMEM that a kernel gets if it does not ask, and the most that it gets if it does.
pub(super) const fn limits(tpu: Tpu) -> Option<(Size, Size)> {
    Some(match tpu {
        Tpu::V4 => (16 * MIB, 16 * MIB),
        Tpu::V5e => (16 * MIB, 128 * MIB),
        Tpu::V5p => (16 * MIB, 64 * MIB - (1 << 16)),
        Tpu::V6e => (32 * MIB, 128 * MIB - (1 << 16)),
        Tpu::V7x => (32 * MIB, 64 * MIB - (1 << 16)),
        // Not measured.
        _ => return None,
    })
}

impl Kernel<'_> {
    /// Bytes of VMEM that the kernel may take: those of the generation, or [`vmem_limit`](Self::vmem_limit). 0 for generations
    /// that were not measured (v2 and v3).
    pub fn limit_bytes(&self) -> Size {
        let (usual, most) = limits(self.tpu).unwrap_or((0, 0));
        self.vmem_limit.unwrap_or(usual).min(most)
    }

    /// The layout of one buffer of an operand in VMEM or SMEM: of its block, or of the whole scratch. `None` if it has no
    /// memory there, or if the block is too large for any.
    pub fn window(&self, operand: usize) -> Option<ArrayShape> {
        let operand = self.operands.get(operand)?;
        let is_inside = matches!(operand.space, MemorySpace::Vmem | MemorySpace::Smem);
        operand.with_window(operand.element, window).ok().filter(|_| is_inside)
    }

    /// Buffers of an operand's window: 1 if its block is the same in every step.
    pub fn window_buffers(&self, operand: usize) -> Size {
        let Some(operand) = self.operands.get(operand) else { return 0 };
        let block = &operand.block[..operand.rank];
        let changes = block.iter().any(|dim| dim.index.axes() & self.changing_axes() != 0);
        if operand.is_windowed() && changes && operand.buffers != 1 { 2 } else { 1 }
    }

    /// Bytes of an operand in VMEM, all buffers together, if the array itself stays in HBM. 0 for operands outside of VMEM, for
    /// scratch that the body does not touch, and for an input of one element, which XLA keeps in SMEM.
    pub fn window_bytes(&self, number: usize) -> Size {
        let Some(operand) = self.operands.get(number) else { return 0 };
        let is_scalar = operand.role == OperandRole::Input && operand.dims[..operand.rank] == [1];
        let is_dead = operand.role == OperandRole::Scratch && !operand.is_touched;
        let takes_none = operand.space != MemorySpace::Vmem || is_scalar || is_dead;
        if takes_none { 0 } else { self.all_buffers(number) }
    }

    /// Bytes of all buffers in VMEM or SMEM.
    fn all_buffers(&self, number: usize) -> Size {
        let operand = &self.operands[number];
        let (bits, dims) = (operand.element.bits(), &operand.dims[..operand.rank]);
        let one = match (operand.role, dims) {
            (OperandRole::Scratch, _) if bits < 8 => {
                operand.with_window(ElementType::S8, block_bytes)
            }
            // Rows are not padded.
            (OperandRole::Scoped, [rows @ .., ..=LANES]) if bits == 32 && !rows.is_empty() => {
                rows.iter().fold(4 * LANES, |bytes, rows| bytes.saturating_mul(*rows))
            }
            _ => operand.with_window(operand.element, block_bytes),
        };
        let all = one.saturating_mul(self.window_buffers(number));
        let is_rounded = operand.space == MemorySpace::Vmem && operand.role != OperandRole::Scratch;
        if is_rounded { up(all, WINDOW_UNIT) } else { all }
    }

    /// Whether XLA can leave an operand that it keeps in VMEM where it is, so that it takes no window: if every block is one
    /// stretch of whole tiles of the array, or if the body does not read it.
    pub fn is_in_place(&self, number: usize) -> bool {
        let Some(operand) = self.operands.get(number) else { return false };
        let Some(Ok(array)) = operand.array(|array| array.with_default_tiling(self.tpu)) else {
            return false;
        };
        let tile = array.tiles().first();
        let mut is_split = false;
        let is_stretch = (0..operand.rank).all(|dim| {
            let (size, of) = (operand.block_size(dim), operand.dims[dim]);
            let entry = (dim + tile.len()).checked_sub(operand.rank);
            let unit = entry.map_or(1, |entry| tile[entry].size());
            // The last block of an output ends where the padding of the array ends.
            let padded = of.checked_next_multiple_of(unit);
            let is_even = operand.role == OperandRole::Input
                || size == of
                || padded.is_some_and(|padded| padded.is_multiple_of(size.max(1)));
            let fits = is_even && (size >= of || !is_split && size.is_multiple_of(unit));
            is_split |= size.min(of).div_ceil(unit) > 1;
            fits
        });
        let is_unread = operand.role == OperandRole::Input && !operand.is_touched;
        operand.is_windowed() && operand.space == MemorySpace::Vmem && (is_unread || is_stretch)
    }

    /// Whether XLA keeps an operand in VMEM, as far as that is known.
    ///
    /// A v5e or a v6e copies parameters that its compiler would lay out otherwise, and the copies go to VMEM.
    fn may_be_in_vmem(&self, operand: &Operand) -> bool {
        operand.is_in_vmem.unwrap_or_else(|| {
            let is_copied =
                operand.role == OperandRole::Input && !operand.is_row_major_on(self.tpu);
            is_copied && matches!(self.tpu, Tpu::V5e | Tpu::V6e)
        })
    }

    /// Bytes of windows and scratch, without those that are used in place among the operands in VMEM.
    fn bytes_unless(&self, is_in_vmem: impl Fn(&Operand) -> bool) -> Size {
        let is_free =
            |number: &usize| is_in_vmem(&self.operands[*number]) && self.is_in_place(*number);
        let numbers = (0..self.operands.len()).filter(|number| !is_free(number));
        sum(numbers.map(|number| self.window_bytes(number)))
    }

    /// The numbers of the operands in a memory space.
    pub(super) fn in_space(&self, space: MemorySpace) -> impl Iterator<Item = usize> {
        (0..self.operands.len()).filter(move |number| self.operands[*number].space == space)
    }

    /// Bytes of VMEM of windows and scratch. Exact for bodies that only move data, if all arrays stay in HBM; those that
    /// [`Operand::in_vmem`] says to be in VMEM take no window where they [can](Self::is_in_place) be used there.
    pub fn vmem_bytes(&self) -> Size {
        self.bytes_unless(|operand| operand.is_in_vmem == Some(true))
    }

    /// Bytes of VMEM that the kernel takes at least, whatever XLA keeps in VMEM.
    pub(super) fn least_bytes(&self) -> Size {
        self.bytes_unless(|operand| self.may_be_in_vmem(operand))
    }

    /// Bytes of VMEM that the kernel takes at most, as far as measured: all arrays stay in HBM, all scratch is needed, and the
    /// body, unless it touches no operand, spills one and a half times the registers of the largest value in 32 bits, and once
    /// those of other intermediate values. Values are the blocks and what [`intermediates`](Self::intermediates) says.
    pub fn bound_bytes(&self) -> Size {
        let all = || self.in_space(MemorySpace::Vmem);
        let registers = |number: usize| self.operands[number].register_bytes();
        let windows = sum(all().map(|number| match self.operands[number].is_fused {
            // What it is computed of may have wider elements.
            true => up(registers(number).saturating_mul(3), WINDOW_UNIT),
            false => self.all_buffers(number),
        }));
        let dots = self.largest_dots();
        let values = self.intermediates.unwrap_or(&dots);
        let value = values.iter().copied().max().unwrap_or(0);
        let others = sum(values.iter().copied()) - value;
        let largest = all().map(registers).fold(value, Size::max);
        let spilled = match self.operands.iter().any(|operand| operand.is_touched) {
            true => sum([largest, largest / 2, others, OWN].into_iter()),
            false => 0,
        };
        sum([windows, spilled, self.internal_scratch.unwrap_or(0)].into_iter())
    }

    /// Bytes of SMEM of windows, scratch and prefetched arrays.
    pub fn smem_bytes(&self) -> Size {
        sum(self.in_space(MemorySpace::Smem).map(|number| self.all_buffers(number)))
    }
}

impl Operand {
    /// Something of the sizes of a block.
    fn with_window<T>(&self, element: ElementType, of: impl Fn(ElementType, &[Size]) -> T) -> T {
        let sizes: [Size; MAX_DIMS] = core::array::from_fn(|dim| self.block_size(dim));
        of(element, &sizes[..self.rank])
    }

    /// Bytes of a block in registers of 32 bits, which have 8 rows of 128. In one dimension each row of 128 takes one.
    pub(super) fn register_bytes(&self) -> Size {
        let shape = self.with_window(ElementType::F32, |element, dims| match *dims {
            [length] => window(element, &[length.div_ceil(LANES), 1, LANES]),
            [] => window(element, &[1, 1]),
            _ => window(element, dims),
        });
        let shape = shape.and_then(|shape| shape.with_tiles(&TileFormat::Standard.tiles()));
        shape.ok().and_then(|shape| shape.bytes()).unwrap_or(Size::MAX)
    }

    /// Something of the array, row-major; `None` if it is too large.
    pub(super) fn array<T>(&self, of: impl Fn(&ArrayShape) -> T) -> Option<T> {
        let dims = self.dims.map(Dim::Static);
        ArrayShape::new(self.element, &dims[..self.rank]).ok().as_ref().map(of)
    }

    /// Whether the compiler lays the array out row-major where nothing else is asked for.
    pub(super) fn is_row_major_on(&self, tpu: Tpu) -> bool {
        let order = self.array(|array| {
            array
                .with_default_layout(tpu)
                .is_ok_and(|found| found.minor_to_major() == array.minor_to_major())
        });
        order.unwrap_or(true)
    }
}

fn sum(bytes: impl Iterator<Item = Size>) -> Size {
    bytes.fold(0, Size::saturating_add)
}

fn up(bytes: Size, unit: Size) -> Size {
    bytes.checked_next_multiple_of(unit).unwrap_or(Size::MAX)
}
