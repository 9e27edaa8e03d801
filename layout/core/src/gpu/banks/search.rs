//! The swizzle and the padding with the fewest wavefronts.

use crate::base::limits::Size;
use crate::gpu::banks::access::{Access, Memory, memory_of};
use crate::gpu::banks::error::BankError;
use crate::gpu::banks::warp::{BANKS, WORD_BYTES};
use crate::shape::array::{ArrayShape, Fields};
use crate::shape::swizzle::{Swizzle, SwizzleUnit};

/// Bits after which the banks repeat.
const BANK_BITS: Size = 8 * (WORD_BYTES * BANKS) as Size;

/// What [`search`] finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// Wavefronts of all accesses together if none has a conflict.
    pub ideal: usize,
    /// The best swizzle; `None` if the accesses are not possible under any, nor without one.
    pub swizzle: Option<Remedy>,
    /// The best width of rows; `None` if the accesses are possible at none.
    pub padding: Option<Remedy>,
}

/// The best of the layouts that were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// The array in this layout.
    pub shape: ArrayShape,
    /// Wavefronts of all accesses together.
    pub wavefronts: usize,
    /// Layouts that were tried, the array without a swizzle included. None of them has fewer wavefronts, nor as many in
    /// less memory.
    pub tried: usize,
}

impl Search {
    /// The better one of both: with fewer wavefronts, then with less memory, then the swizzle.
    pub const fn best(&self) -> Option<&Remedy> {
        match (&self.swizzle, &self.padding) {
            (Some(swizzle), Some(padding)) if padding.is_better(swizzle) => Some(padding),
            (None, padding) => padding.as_ref(),
            (swizzle, _) => swizzle.as_ref(),
        }
    }
}

impl Remedy {
    const fn is_better(&self, other: &Remedy) -> bool {
        self.wavefronts < other.wavefronts
            || self.wavefronts == other.wavefronts
                && memory_of(&self.shape) < memory_of(&other.shape)
    }
}

/// The swizzle and the padding of an array with the fewest wavefronts for all accesses together.
///
/// A swizzle that the array has is replaced.
///
/// * Swizzles: every `Swizzle<B, M, S>` on elements whose bits are among those of the array's offsets and exchange bits of the
///   bank; each other swizzle has the wavefronts of one of these. Memory that is not whole blocks of a swizzle is padded
///   with `L`. What is found is given as the mode of hardware that it is, if it is one.
/// * Padding: rows, which are the most minor dimension, that `PAD` makes wider by up to 128 bytes, after which the banks of rows
///   repeat. An array of one dimension has one row, which is not padded.
///
/// Of layouts with as few wavefronts, the one with the least memory is given; then the simplest: fewer bits that are
/// exchanged, a smaller shift, larger units; narrower rows. The search ends early at one without conflicts that takes no
/// more memory than any that follows.
///
/// # Errors
/// If an access is not valid in any of the layouts: the reason in the array without a swizzle.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::gpu::banks::{Access, Matrices, search};
///
/// // A tile is written by rows, and read by `ldmatrix`.
/// let tile: ArrayShape = "bf16[128,64]".parse()?;
/// let write = Access::parse("lane / 8, lane % 8 * 8", 16)?;
/// let read = Access::parse("lane % 16, lane / 16 * 8", 16)?.matrices(Matrices::X4);
/// let found = search(&tile, &[write, read])?;
/// let best = found.best().unwrap();
/// assert_eq!(best.shape.to_string(), "bf16[128,64]{1,0}, swizzle = 128B");
/// assert_eq!((best.wavefronts, found.ideal), (8, 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn search(shape: &ArrayShape, accesses: &[Access]) -> Result<Search, BankError> {
    // Each array is valid without its swizzle.
    let shape = Fields { swizzle: Swizzle::NONE, ..*shape.fields() }.trusted();
    let memory = ok!(Memory::of(&shape));
    let plain = wavefronts(&memory, accesses);
    let mut best = Best { ideal: 0, found: None, tried: 1 };
    if let Ok((wavefronts, ideal)) = plain {
        best.ideal = ideal;
        best.found = Some(Remedy { shape, wavefronts, tried: 1 });
    }
    let swizzles = best.swizzles(&shape, &memory, accesses);
    let paddings = best.paddings(&shape, accesses);
    match (plain, &swizzles.found, &paddings.found) {
        (Err(error), None, None) => Err(error),
        _ => Ok(Search {
            ideal: if swizzles.ideal > 0 { swizzles.ideal } else { paddings.ideal },
            swizzle: swizzles.counted(),
            padding: paddings.counted(),
        }),
    }
}

/// Wavefronts of all accesses, and the ideal.
const fn wavefronts(memory: &Memory, accesses: &[Access]) -> Result<(usize, usize), BankError> {
    let (mut wavefronts, mut ideal) = (0, 0);
    each!(for access in accesses {
        let addresses = ok!(access.addresses_in(memory));
        wavefronts += addresses.wavefronts();
        ideal += addresses.ideal();
    });
    Ok((wavefronts, ideal))
}

/// The best until now.
#[derive(Clone, Copy)]
struct Best {
    ideal: usize,
    found: Option<Remedy>,
    tried: usize,
}

impl Best {
    const fn counted(&self) -> Option<Remedy> {
        match self.found {
            Some(remedy) => Some(Remedy { tried: self.tried, ..remedy }),
            None => None,
        }
    }

    /// Whether no layout with as much memory, or more, is better.
    const fn is_final(&self, slots: Size) -> bool {
        match &self.found {
            Some(remedy) => remedy.wavefronts == self.ideal && memory_of(&remedy.shape) <= slots,
            None => false,
        }
    }

    const fn consider(&mut self, shape: ArrayShape, memory: &Memory, accesses: &[Access]) {
        self.tried += 1;
        if let Ok((wavefronts, ideal)) = wavefronts(memory, accesses) {
            let remedy = Remedy { shape, wavefronts, tried: 0 };
            self.ideal = ideal;
            match &self.found {
                Some(found) if !remedy.is_better(found) => {}
                _ => self.found = Some(remedy),
            }
        }
    }

    const fn swizzles(mut self, shape: &ArrayShape, memory: &Memory, accesses: &[Access]) -> Best {
        let Some(ranges) = BankBits::of(memory) else {
            return self;
        };
        each!(for bits in 1..=ranges.top / 2 {
            each!(for distance in bits..=ranges.top - bits {
                each!(for &sign in &[1, -1] {
                    each!(for base in (0..ranges.top - bits - distance + 1).rev() {
                        if self.is_final(memory.slots) {
                            return self.named(memory, accesses);
                        }
                        let shift = sign * distance as i8;
                        if ranges.matter(bits, base, shift)
                            && let Ok(swizzle) =
                                Swizzle::new(SwizzleUnit::Elements, bits, base, shift)
                            && let Some(candidate) = under(shape, memory.slots, swizzle)
                        {
                            let mut memory = *memory;
                            memory.digits.swizzle = swizzle.xor_bits();
                            memory.slots = memory.slots.next_multiple_of(swizzle.block());
                            self.consider(candidate, &memory, accesses);
                        }
                    });
                });
            });
        });
        self.named(memory, accesses)
    }

    /// With the swizzle as a mode of hardware, if it is one and the array begins where its pattern may.
    const fn named(mut self, memory: &Memory, accesses: &[Access]) -> Best {
        let modes =
            [Swizzle::MODE_32B, Swizzle::MODE_64B, Swizzle::MODE_128B, Swizzle::MODE_128B_ATOM_32B];
        let Some(remedy) = &mut self.found else {
            return self;
        };
        let swizzle = remedy.shape.swizzle();
        each!(for mode in &modes {
            if let Ok(same) = mode.on_elements(memory.element_bits)
                && same.bits() == swizzle.bits()
                && same.base() == swizzle.base()
                && same.shift() == swizzle.shift()
            {
                each!(for access in accesses {
                    if access.base() % mode.period() != 0 {
                        return self;
                    }
                });
                // It moves elements as the swizzle does that was valid.
                remedy.shape = Fields { swizzle: *mode, ..*remedy.shape.fields() }.trusted();
            }
        });
        self
    }

    const fn paddings(mut self, shape: &ArrayShape, accesses: &[Access]) -> Best {
        if shape.rank() < 2 {
            return self;
        }
        let row = shape.ordered_dim(0);
        each!(for more in 1..=BANK_BITS / shape.element_bits() {
            let mut fields = *shape.fields();
            each!(for dim in 0..shape.rank() {
                fields.padded_dims[dim] = shape.width(dim);
            });
            fields.has_padding = true;
            fields.padded_dims[row] = shape.width(row).saturating_add(more);
            if let Ok(candidate) = fields.checked()
                && let Ok(memory) = Memory::of(&candidate)
            {
                if self.is_final(memory.slots) {
                    return self;
                }
                self.consider(candidate, &memory, accesses);
            }
        });
        self
    }
}

/// The array under a swizzle, padded to whole blocks of it.
const fn under(shape: &ArrayShape, slots: Size, swizzle: Swizzle) -> Option<ArrayShape> {
    let mut fields = Fields { swizzle, ..*shape.fields() };
    if slots % swizzle.block() == 0 {
        // It moves whole elements within the memory.
        return Some(fields.trusted());
    }
    // The least common multiple of the block, a power of two, and what `L` is.
    let common =
        1 << least(fields.tail_alignment.trailing_zeros(), swizzle.block().trailing_zeros());
    fields.tail_alignment = some!(fields.tail_alignment.checked_mul(swizzle.block() / common));
    match fields.checked() {
        Ok(shape) => Some(shape),
        Err(_) => None,
    }
}

const fn least(a: u32, b: u32) -> u32 {
    if a < b { a } else { b }
}

/// The bits of an offset below blocks of some bits; 0 if an element is as wide.
const fn places(bits: Size, width: Size) -> u8 {
    if bits > width { (bits / width).trailing_zeros() as u8 } else { 0 }
}

/// Bits of an offset: which are below a word, which choose the bank, how many there are.
struct BankBits {
    word: u8,
    end: u8,
    top: u8,
}

impl BankBits {
    /// `None` if the width of elements is not a power of two, or if there is nothing to exchange.
    const fn of(memory: &Memory) -> Option<BankBits> {
        let width = memory.element_bits;
        if !width.is_power_of_two() || memory.slots < 2 {
            return None;
        }
        let word = places(8 * WORD_BYTES as Size, width);
        let top = (Size::BITS - (memory.slots - 1).leading_zeros()) as u8;
        Some(BankBits { word, end: places(BANK_BITS, width), top })
    }

    /// Whether a swizzle can change what lanes meet: it exchanges bits of the bank only, as one with others does too; or it
    /// tells elements of a word apart.
    const fn matter(&self, bits: u8, base: u8, shift: i8) -> bool {
        let below = if shift < 0 { shift.unsigned_abs() } else { 0 };
        let first = base + below;
        first >= self.word && first + bits <= self.end || shift < 0 && base < self.word
    }
}
