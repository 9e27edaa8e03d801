//! The swizzle and the padding with the fewest wavefronts.

use crate::base::limits::Size;
use crate::gpu::banks::access::{Access, Memory};
use crate::gpu::banks::error::BankError;
use crate::gpu::banks::warp::{BANKS, WORD_BYTES};
use crate::shape::array::{ArrayShape, Fields};
use crate::shape::swizzle::{MODES, Swizzle, SwizzleUnit};

/// Bits of a word.
const WORD_BITS: Size = 8 * WORD_BYTES as Size;
/// Bits after which the banks repeat.
const BANK_BITS: Size = WORD_BITS * BANKS as Size;

/// What [`search`](search()) finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The best swizzle; `None` if the accesses are possible under none, nor without one.
    pub swizzle: Option<Remedy>,
    /// The best width of rows; `None` if the accesses are possible at none.
    pub padding: Option<Remedy>,
}

/// The best of the layouts that were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// The array in this layout.
    pub shape: ArrayShape,
    /// Its elements in memory, padding included.
    pub slots: Size,
    /// Wavefronts of all accesses together.
    pub wavefronts: usize,
    /// How many of them are conflicts.
    pub conflicts: usize,
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
            || self.wavefronts == other.wavefronts && self.slots < other.slots
    }
}

/// The swizzle and the padding of an array with the fewest wavefronts for all accesses together.
///
/// A swizzle that the array has is replaced.
///
/// * Swizzles: every `Swizzle<B, M, S>` on elements that keeps the elements of a lane together, wherever it accesses them, whose
///   bits are among those of the array's offsets, and that exchanges bits of the bank; each other one that keeps them together
///   has the wavefronts of one of these. Memory that is not whole blocks of a swizzle is padded
///   with `L`. What is found is given as the mode of hardware that it is, if it is one.
/// * Padding: rows, which are the most minor dimension, that `PAD` makes wider by up to 128 bytes, after which the banks of rows
///   repeat, to a multiple of what a lane accesses. An array of one dimension has one row, which is not padded.
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
/// assert_eq!((best.wavefronts, best.conflicts), (8, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn search(shape: &ArrayShape, accesses: &[Access]) -> Result<Search, BankError> {
    // Each array is valid without its swizzle.
    let shape = Fields { swizzle: Swizzle::NONE, ..*shape.fields() }.trusted();
    let memory = ok!(Memory::of(&shape));
    let mut tried = Tried { best: None, count: 0, error: None };
    tried.add(&shape, &memory, accesses);
    let needs = Needs::of(accesses, memory.element_bits);
    let swizzle = tried.swizzles(&shape, &memory, accesses, &needs);
    let padding = tried.paddings(&shape, accesses, &needs);
    match tried.error {
        Some(error) if swizzle.is_none() && padding.is_none() => Err(error),
        _ => Ok(Search { swizzle, padding }),
    }
}

/// What accesses need of every layout.
struct Needs {
    /// The fewest low bits of an offset that count the elements of a lane.
    run_bits: u8,
    /// Low bits of this are 0 if they are 0 in the addresses at which the array begins.
    base: Size,
}

impl Needs {
    const fn of(accesses: &[Access], element_bits: Size) -> Needs {
        let mut needs = Needs { run_bits: 0, base: 0 };
        each!(for access in accesses {
            let run_bits = places(8 * access.bytes() as Size, element_bits);
            if run_bits > needs.run_bits {
                needs.run_bits = run_bits;
            }
            needs.base |= access.base();
        });
        needs
    }
}

/// Low bits of an offset that count elements within so many bits.
const fn places(bits: Size, element_bits: Size) -> u8 {
    if bits > element_bits { (bits / element_bits).trailing_zeros() as u8 } else { 0 }
}

/// The layouts that were tried.
#[derive(Clone, Copy)]
struct Tried {
    best: Option<Remedy>,
    count: usize,
    /// Why the first one does not have the accesses.
    error: Option<BankError>,
}

impl Tried {
    const fn add(&mut self, shape: &ArrayShape, memory: &Memory, accesses: &[Access]) {
        self.count += 1;
        let (mut wavefronts, mut conflicts) = (0, 0);
        each!(for access in accesses {
            match access.addresses_in(memory) {
                Ok(addresses) => {
                    let (count, ideal) = addresses.count();
                    wavefronts += count;
                    conflicts += count - ideal;
                }
                Err(error) => {
                    if self.count == 1 {
                        self.error = Some(error);
                    }
                    return;
                }
            }
        });
        let slots = memory.slots;
        let remedy = Remedy { shape: *shape, slots, wavefronts, conflicts, tried: 0 };
        match &self.best {
            Some(best) if !remedy.is_better(best) => {}
            _ => self.best = Some(remedy),
        }
    }

    /// The best one, if no layout with so much memory can be better.
    const fn is_final(&self, slots: Size) -> bool {
        matches!(&self.best, Some(best) if best.conflicts == 0 && best.slots <= slots)
    }

    const fn best(&self) -> Option<Remedy> {
        Some(Remedy { tried: self.count, ..some!(self.best) })
    }

    const fn swizzles(
        mut self,
        shape: &ArrayShape,
        memory: &Memory,
        accesses: &[Access],
        needs: &Needs,
    ) -> Option<Remedy> {
        let width = memory.element_bits;
        let offset_bits = Size::BITS - memory.slots.saturating_sub(1).leading_zeros();
        let top = if width.is_power_of_two() { offset_bits as u8 } else { 0 };
        each!(for bits in 1..=top / 2 {
            each!(for distance in bits..=top - bits {
                each!(for &sign in &[1, -1] {
                    each!(for base in (needs.run_bits..top - bits - distance + 1).rev() {
                        if !self.is_final(memory.slots)
                            && let Ok(swizzle) = Swizzle::new(
                                SwizzleUnit::Elements,
                                bits,
                                base,
                                sign * distance as i8,
                            )
                            && changes_banks(swizzle, width)
                            && let Some((candidate, memory)) = under(swizzle, shape, memory)
                        {
                            self.add(&candidate, &memory, accesses);
                        }
                    });
                });
            });
        });
        let mut best = some!(self.best());
        each!(for mode in &MODES {
            let (_, mode) = *mode;
            // It moves elements as the swizzle does.
            if let Ok(same) = mode.on_elements(width)
                && same.is_same(best.shape.swizzle())
                && needs.base.is_multiple_of(mode.period())
            {
                best.shape = Fields { swizzle: mode, ..*best.shape.fields() }.trusted();
            }
        });
        Some(best)
    }

    const fn paddings(
        mut self,
        shape: &ArrayShape,
        accesses: &[Access],
        needs: &Needs,
    ) -> Option<Remedy> {
        let mut fields = *shape.fields();
        fields.has_padding = true;
        each!(for dim in 0..shape.rank() {
            fields.padded_dims[dim] = shape.width(dim);
        });
        let most = if shape.rank() < 2 { 0 } else { BANK_BITS / shape.element_bits() };
        each!(for more in 1..=most {
            let row = shape.ordered_dim(0);
            fields.padded_dims[row] = shape.width(row).saturating_add(more);
            if fields.padded_dims[row].trailing_zeros() >= needs.run_bits as u32
                && let Ok(candidate) = fields.checked()
                && let Ok(memory) = Memory::of(&candidate)
                && !self.is_final(memory.slots)
            {
                self.add(&candidate, &memory, accesses);
            }
        });
        self.best()
    }
}

/// Whether a swizzle can change which lanes meet, and no other does the same that exchanges fewer bits.
///
/// Lanes that meet differ in bits above those of the bank, or below those of a word: one of these has to be read.
const fn changes_banks(swizzle: Swizzle, element_bits: Size) -> bool {
    let (word, banks) = (places(WORD_BITS, element_bits), places(BANK_BITS, element_bits));
    if swizzle.shift() < 0 {
        swizzle.base() < word
    } else {
        swizzle.base() >= word && swizzle.base() + swizzle.bits() <= banks
    }
}

/// The array under a swizzle, padded to whole blocks of it.
const fn under(
    swizzle: Swizzle,
    shape: &ArrayShape,
    memory: &Memory,
) -> Option<(ArrayShape, Memory)> {
    let mut fields = Fields { swizzle, ..*shape.fields() };
    let mut memory = *memory;
    memory.digits.swizzle = swizzle.xor_bits();
    if memory.slots.is_multiple_of(swizzle.block()) {
        // It moves whole elements within the memory.
        return Some((fields.trusted(), memory));
    }
    // Until the alignment is a multiple of the block, a power of two.
    while !fields.tail_alignment.is_multiple_of(swizzle.block()) {
        fields.tail_alignment = some!(fields.tail_alignment.checked_mul(2));
    }
    memory.slots = some!(memory.slots.checked_next_multiple_of(fields.tail_alignment));
    match fields.checked() {
        Ok(shape) => Some((shape, memory)),
        Err(_) => None,
    }
}
