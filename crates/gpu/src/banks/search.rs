//! The swizzle and the padding with the fewest wavefronts.

use crate::banks::access::{Access, memory};
use crate::banks::error::BankError;
use crate::banks::warp::{BANKS, WORD_BYTES};
use layout_core::limits::Size;
use layout_core::{ArrayFields, ArrayShape, Swizzle, SwizzleUnit};

/// Bits of a word.
const WORD_BITS: Size = 8 * WORD_BYTES as Size;
/// Bits after which the banks repeat.
const BANK_BITS: Size = WORD_BITS * BANKS as Size;

/// What [`search`](search()) finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The best swizzle, or none at all; `None` if the accesses are valid neither without a swizzle nor under any.
    pub swizzle: Option<Remedy>,
    /// The best width of rows; `None` if the accesses are valid at no width.
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
    /// Number of layouts that were tried, the array without a swizzle included.
    pub tried: usize,
}

impl Search {
    /// The one with fewer wavefronts. Of equals, the one with less memory, else the swizzle.
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
/// * Swizzles: every `Swizzle<B, M, S>` on elements that keeps the elements of a lane together wherever it accesses them, whose
///   bits are among those of the array's offsets, and that exchanges bits of the bank. Each other one that keeps them
///   together has the wavefronts of one of these. `L` pads memory that is not whole blocks of a swizzle. A swizzle that is
///   a mode of the hardware is given by its name.
/// * Padding: `PAD` makes rows (the most minor dimension) wider by up to 128 bytes, to a multiple of what a lane accesses.
///   After 128 bytes the banks repeat. An array of one dimension has one row, which is not padded.
///
/// Of layouts with as few wavefronts, the one with the least memory is given; then the simplest: fewer bits that are
/// exchanged, a smaller shift, larger units; narrower rows. After one without conflicts, only layouts that take less
/// memory are tried.
///
/// # Errors
/// If an access is not valid in any of the layouts: the reason in the array without a swizzle.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout_gpu::banks::{Access, Matrices, search};
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
    let shape = shape.without_swizzle();
    let mut run_bits = 0;
    each!(for access in accesses {
        let bits = places(8 * access.bytes() as Size, shape.element_bits());
        run_bits = if bits > run_bits { bits } else { run_bits };
    });
    let mut tried = Trial { accesses, run_bits, best: None, count: 0 };
    let first = tried.add(&shape);
    let found = Search { swizzle: tried.swizzles(&shape), padding: tried.paddings(&shape) };
    match first {
        Err(error) if found.best().is_none() => Err(error),
        _ => Ok(found),
    }
}

/// The layouts that were tried.
#[derive(Clone, Copy)]
struct Trial<'a> {
    accesses: &'a [Access],
    /// The fewest low bits of an offset that count the elements of a lane, for all accesses.
    run_bits: u8,
    best: Option<Remedy>,
    count: usize,
}

impl Trial<'_> {
    /// Tries a layout, unless it cannot be better. An error if an access is not valid in it.
    const fn add(&mut self, shape: &ArrayShape) -> Result<(), BankError> {
        let (_, slots) = ok!(memory(shape));
        if let Some(best) = &self.best
            && best.conflicts == 0
            && best.slots <= slots
        {
            return Ok(());
        }
        self.count += 1;
        let mut remedy = Remedy { shape: *shape, slots, wavefronts: 0, conflicts: 0, tried: 0 };
        each!(for access in self.accesses {
            let addresses = ok!(access.addresses(shape));
            let wavefronts = addresses.wavefronts();
            remedy.wavefronts += wavefronts;
            remedy.conflicts += wavefronts - addresses.ideal();
        });
        match &self.best {
            Some(best) if !remedy.is_better(best) => {}
            _ => self.best = Some(remedy),
        }
        Ok(())
    }

    const fn best(&self) -> Option<Remedy> {
        Some(Remedy { tried: self.count, ..some!(self.best) })
    }

    const fn swizzles(mut self, shape: &ArrayShape) -> Option<Remedy> {
        let width = shape.element_bits();
        let slots = some!(shape.padded_elements());
        let offset_bits = Size::BITS - slots.saturating_sub(1).leading_zeros();
        let top = if width.is_power_of_two() { offset_bits as u8 } else { 0 };
        each!(for bits in 1..=top / 2 {
            each!(for distance in bits..=top - bits {
                each!(for &shift in &[distance as i8, -(distance as i8)] {
                    each!(for base in (self.run_bits..top - bits - distance + 1).rev() {
                        if let Ok(swizzle) = Swizzle::new(SwizzleUnit::Elements, bits, base, shift)
                            && changes_banks(swizzle, width)
                            && let Some(candidate) = under(swizzle, shape, slots)
                        {
                            let _ = self.add(&candidate);
                        }
                    });
                });
            });
        });
        let mut best = some!(self.best());
        self.best = None;
        each!(for &(_, mode) in &Swizzle::MODES {
            // It moves elements as the swizzle does, but the array has to begin at a multiple of its period.
            let named = ArrayFields { swizzle: mode, ..*best.shape.fields() };
            if let Ok(same) = mode.on_elements(width)
                && let Ok(named) = named.checked()
                && same.is_same(best.shape.swizzle())
                && self.add(&named).is_ok()
            {
                best.shape = named;
            }
        });
        Some(best)
    }

    const fn paddings(mut self, shape: &ArrayShape) -> Option<Remedy> {
        if shape.rank() < 2 {
            return self.best();
        }
        let row = shape.minor_to_major()[0];
        let mut fields = *shape.fields();
        fields.has_padding = true;
        each!(for dim in 0..shape.rank() {
            fields.padded_dims[dim] = shape.width(dim);
        });
        each!(for _ in 0..BANK_BITS / shape.element_bits() {
            fields.padded_dims[row] = fields.padded_dims[row].saturating_add(1);
            if fields.padded_dims[row].trailing_zeros() >= self.run_bits as u32
                && let Ok(candidate) = fields.checked()
            {
                let _ = self.add(&candidate);
            }
        });
        self.best()
    }
}

/// Low bits of an offset that count the elements in this many bits.
const fn places(bits: Size, element_bits: Size) -> u8 {
    if bits > element_bits { (bits / element_bits).trailing_zeros() as u8 } else { 0 }
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

/// The array under a swizzle, its memory padded to whole blocks of it, which are powers of two.
const fn under(swizzle: Swizzle, shape: &ArrayShape, slots: Size) -> Option<ArrayShape> {
    let block = swizzle.block();
    let mut fields = ArrayFields { swizzle, ..*shape.fields() };
    while !slots.is_multiple_of(block) && !fields.tail_alignment.is_multiple_of(block) {
        fields.tail_alignment = some!(fields.tail_alignment.checked_mul(2));
    }
    match fields.checked() {
        Ok(shape) => Some(shape),
        Err(_) => None,
    }
}
