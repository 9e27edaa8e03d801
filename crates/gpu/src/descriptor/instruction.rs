//! Descriptors of instructions.

use super::{DescriptorError, Major};
use layout_core::ElementType;
use layout_core::limits::Size;

/// The instruction descriptor of `tcgen05.mma` for the kinds `f16`, `tf32`, `f8f6f4` and `i8`: 32 bits that say the
/// sizes, the types and the orders of the operands.
///
/// `f32` operands are read as `tf32`.
///
/// # Examples
/// ```
/// use layout::ElementType;
/// use layout_gpu::descriptor::{InstructionDescriptor, Major};
///
/// let product = InstructionDescriptor::new(128, 256, [ElementType::F16; 2], ElementType::F32);
/// let product = InstructionDescriptor { majors: [Major::Mn, Major::K], ..product };
/// assert_eq!(product.bits(), Ok(138444816));
/// assert_eq!(
///     InstructionDescriptor { n: 100, ..product }.bits().unwrap_err().to_string(),
///     "`tcgen05` has no product of M = 128 and N = 100: write M of 64, 128 or 256 and N of a multiple of 8, 16 or 32, at most 256",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InstructionDescriptor {
    /// Rows of the product: 64, 128, or 256 in two blocks of threads.
    pub m: Size,
    /// Columns of the product.
    pub n: Size,
    /// Types of A's and of B's elements.
    pub operands: [ElementType; 2],
    /// Type of the sums.
    pub sums: ElementType,
    /// Which dimensions of A and of B are contiguous.
    pub majors: [Major; 2],
    /// Takes −A, −B.
    pub negate: [bool; 2],
    /// Integer sums stop at the ends of their range.
    pub saturate: bool,
    /// A is sparse, with this sparsity selector (0 to 3).
    pub sparse: Option<u8>,
}

impl InstructionDescriptor {
    /// A dense product of operands that are K-major.
    pub const fn new(m: Size, n: Size, operands: [ElementType; 2], sums: ElementType) -> Self {
        let (majors, negate, saturate, sparse) = ([Major::K; 2], [false; 2], false, None);
        InstructionDescriptor { m, n, operands, sums, majors, negate, saturate, sparse }
    }

    /// The 32 bits.
    ///
    /// # Errors
    /// If the instruction has no such sizes, or no kind takes these types together.
    pub const fn bits(&self) -> Result<u32, DescriptorError> {
        use ElementType::*;
        let (m, n, [a, b], d) = (self.m, self.n, self.operands, self.sums);
        let (Some((kind, a_code)), Some((b_kind, b_code))) = (code(a), code(b)) else {
            return Err(DescriptorError::Types { a, b, d });
        };
        let takes = match (kind, d) {
            (MmaKind::F16, F32) | (MmaKind::Tf32, F32) => a_code == b_code,
            (MmaKind::F16, ElementType::F16) => a_code + b_code == 0,
            (MmaKind::F8F6F4, ElementType::F16 | F32) | (MmaKind::I8, S32) => true,
            _ => false,
        };
        if !takes || kind as u8 != b_kind as u8 {
            return Err(DescriptorError::Types { a, b, d });
        }
        let is_integer = matches!(kind, MmaKind::I8);
        let is_negated = self.negate[0] || self.negate[1];
        if (is_integer && is_negated) || (!is_integer && self.saturate) {
            return Err(DescriptorError::Signs);
        }
        let unit = match m {
            64 if is_integer && n > 32 => 16,
            64 => 8,
            128 => 16,
            256 => 32,
            _ => 0,
        };
        // Of a unit of 0, only 0 is a multiple.
        if n == 0 || n > 256 || !n.is_multiple_of(unit) {
            return Err(DescriptorError::Product { m, n });
        }
        let sparse = match self.sparse {
            Some(selector) if selector > 3 => return Err(DescriptorError::Selector { selector }),
            Some(selector) => 1 << 2 | selector as u32,
            None => 0,
        };
        let sums = if matches!(d, S32) { 2 } else { matches!(d, F32) as u32 };
        let signs = (self.negate[0] as u32) << 13 | (self.negate[1] as u32) << 14;
        let majors = (self.majors[0] as u32) << 15 | (self.majors[1] as u32) << 16;
        let sizes = (n as u32 >> 3) << 17 | (m as u32 >> 4) << 24;
        let types = sums << 4 | a_code << 7 | b_code << 10;
        Ok(sparse | (self.saturate as u32) << 3 | types | signs | majors | sizes)
    }
}

/// What follows `.kind::`.
#[derive(Clone, Copy)]
pub(super) enum MmaKind {
    F16,
    Tf32,
    F8F6F4,
    I8,
}

/// The kind of instruction that takes a type, and the type's code in it.
pub(super) const fn code(element: ElementType) -> Option<(MmaKind, u32)> {
    Some(match element {
        ElementType::F16 => (MmaKind::F16, 0),
        ElementType::BF16 => (MmaKind::F16, 1),
        ElementType::F32 => (MmaKind::Tf32, 2),
        ElementType::F8E4M3FN => (MmaKind::F8F6F4, 0),
        ElementType::F8E5M2 => (MmaKind::F8F6F4, 1),
        ElementType::F6E2M3FN => (MmaKind::F8F6F4, 3),
        ElementType::F6E3M2FN => (MmaKind::F8F6F4, 4),
        ElementType::F4E2M1FN => (MmaKind::F8F6F4, 5),
        ElementType::U8 => (MmaKind::I8, 0),
        ElementType::S8 => (MmaKind::I8, 1),
        _ => return None,
    })
}
