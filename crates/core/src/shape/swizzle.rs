//! XOR swizzles of memory, as GPUs have them.

use core::fmt;

use crate::base::{Piece, Size, Text};

named! {
    /// The unit of a swizzle's numbers: elements or bytes.
    pub enum SwizzleUnit {
        /// Elements of the array.
        Elements = "elements",
        /// Bytes of memory.
        Bytes = "bytes",
    }
}

/// An XOR of bits of an offset with other bits of it: CuTe's `Swizzle<B, M, S>`, on elements or on bytes.
///
/// `B` bits from bit `M` on are exchanged: each is XORed with the bit `S` places above it (below it, if `S` is negative).
/// With `|S| ≥ B`, which every value has, applying it twice changes nothing. The lowest `M` bits stay, so `2^M` consecutive
/// units stay together.
///
/// Defined by `cute/swizzle.hpp` of NVIDIA's CUTLASS; the modes by the PTX ISA, "Shared memory layout".
///
/// # Examples
/// ```
/// use layout::shape::{Swizzle, SwizzleUnit};
///
/// // The mode of 128 bytes: units of 16 bytes, XORed with the number of the 128-byte row.
/// let swizzle = Swizzle::MODE_128B;
/// assert_eq!(Ok(swizzle), Swizzle::new(SwizzleUnit::Bytes, 3, 4, 3));
/// assert_eq!(swizzle.apply(128), 128 + 16);
/// assert_eq!(swizzle.apply(128 + 16), 128);
/// assert_eq!(swizzle.period(), 1024);
///
/// let halves = swizzle.on_elements(16).unwrap();
/// assert_eq!(halves.to_string(), "elements<3,3,3>");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
// A part of the array and not a wrapper around it, so that one line in `Digits::sum` and one in
// `Digits::index_in` are all of its arithmetic. The price: code that reads digits as strides has to ask
// (`Resolved::new`, `strides`, `grid`, `base` refuse), and takes the path for sums of digits. XLA has no word
// for it, so the text stands after the shape and `xla_text` is an error.
// Elements move only within aligned blocks of `2^(M+B)` units, or of the period for a negative shift. So an
// array of half a period is fine, and one that ends inside a block is an error that says which `L` pads it.
pub struct Swizzle {
    unit: SwizzleUnit,
    bits: u8,
    base: u8,
    shift: i8,
}

impl Swizzle {
    /// The modes of TMA, `wgmma` and `tcgen05` by the names of `cuda.h`: what follows `CU_TENSOR_MAP_SWIZZLE_`.
    pub const MODES: [(&str, Swizzle); 4] = [
        ("32B", Swizzle::MODE_32B),
        ("64B", Swizzle::MODE_64B),
        ("128B", Swizzle::MODE_128B),
        ("128B_ATOM_32B", Swizzle::MODE_128B_ATOM_32B),
    ];

    /// No swizzle.
    pub const NONE: Swizzle = Swizzle { unit: SwizzleUnit::Elements, bits: 0, base: 0, shift: 0 };

    /// Rows of 32 bytes: `bytes<1,4,3>`.
    pub const MODE_32B: Swizzle = Swizzle::of_numbers(SwizzleUnit::Bytes, 1, 4, 3);

    /// Rows of 64 bytes: `bytes<2,4,3>`.
    pub const MODE_64B: Swizzle = Swizzle::of_numbers(SwizzleUnit::Bytes, 2, 4, 3);

    /// Rows of 128 bytes: `bytes<3,4,3>`.
    pub const MODE_128B: Swizzle = Swizzle::of_numbers(SwizzleUnit::Bytes, 3, 4, 3);

    /// Rows of 128 bytes whose units (atoms) are 32 bytes: `bytes<2,5,2>`.
    pub const MODE_128B_ATOM_32B: Swizzle = Swizzle::of_numbers(SwizzleUnit::Bytes, 2, 5, 2);

    /// The numbers as they are; callers have compared them.
    pub(crate) const fn of_numbers(unit: SwizzleUnit, bits: u8, base: u8, shift: i8) -> Swizzle {
        Swizzle { unit, bits, base, shift }
    }

    /// The unit of its numbers.
    pub const fn unit(self) -> SwizzleUnit {
        self.unit
    }

    /// How many bits are exchanged (`B`, `BBits`).
    pub const fn bits(self) -> u8 {
        self.bits
    }

    /// The lowest bit that is exchanged (`M`, `MBase`).
    pub const fn base(self) -> u8 {
        self.base
    }

    /// How far above each exchanged bit the one is that it is XORed with (`S`, `SShift`); negative if it is below.
    pub const fn shift(self) -> i8 {
        self.shift
    }

    /// Whether it leaves every offset as it is.
    pub const fn is_none(self) -> bool {
        self.bits == 0
    }

    /// The offset after the swizzle; both are in its unit. It is its own inverse.
    pub const fn apply(self, offset: Size) -> Size {
        self.xor_bits().apply(offset)
    }

    /// Units after which the pattern repeats: the base of memory has to be a multiple of it for the offsets of an
    /// array to be those of the hardware, which swizzles addresses.
    pub const fn period(self) -> Size {
        if self.is_none() { 1 } else { 1 << (self.bits + self.base + self.shift.unsigned_abs()) }
    }

    /// Units of the aligned blocks of memory that it maps to themselves.
    pub const fn block(self) -> Size {
        self.xor_bits().block()
    }

    /// The swizzle, counted in a unit, for elements of this many bits; `None` if it takes such units apart.
    pub(crate) const fn in_unit(self, unit: SwizzleUnit, element_bits: Size) -> Option<Swizzle> {
        if self.unit as u8 == unit as u8 || self.is_none() {
            return Some(self);
        }
        // Bits of a unit are a power of two: 8 are a byte.
        let element = element_bits.trailing_zeros() as u8;
        let (from, to) = match unit {
            SwizzleUnit::Elements => (3, element),
            SwizzleUnit::Bytes => (element, 3),
        };
        if !element_bits.is_power_of_two() || self.base + from < to {
            return None;
        }
        Some(Swizzle { unit, base: self.base + from - to, ..self })
    }

    /// The bits that are read, and how far they are moved.
    pub const fn xor_bits(self) -> XorBits {
        let above = if self.shift > 0 { self.shift as u8 } else { 0 };
        XorBits { mask: ((1 << self.bits) - 1) << (self.base + above), shift: self.shift }
    }

    /// Writes the name of its mode, or its numbers.
    pub(crate) const fn write<const N: usize>(self, out: &mut Text<N>) {
        each!(for (name, swizzle) in &Swizzle::MODES {
            if self.is_same(*swizzle) {
                out.str(name);
                return;
            }
        });
        say!(out, self.unit.name(), "<", self.bits as usize, ",", self.base as usize, ",");
        say!(out, Piece::Signed(self.shift as i64), ">");
    }

    /// Whether both are the same, in a `const fn` too.
    pub const fn is_same(self, other: Swizzle) -> bool {
        self.bits == other.bits
            && self.base == other.base
            && self.shift == other.shift
            && self.unit as u8 == other.unit as u8
    }
}

/// The effect of a swizzle on an offset: the bits in the mask, shifted down by `shift`, are XORed with the bits there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XorBits {
    mask: Size,
    shift: i8,
}

impl XorBits {
    /// The effect of no swizzle.
    pub const NONE: XorBits = XorBits { mask: 0, shift: 0 };

    /// Whether it leaves every offset as it is.
    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.mask == 0
    }

    /// The mask of the bits that are read, and by how many positions they are shifted down; up, if negative.
    pub const fn mask_and_shift(self) -> (Size, i8) {
        (self.mask, self.shift)
    }

    /// The largest power of two for which aligned blocks of this many units stay together: all their offsets are XORed with
    /// the same bits.
    pub const fn unit(self) -> Size {
        let (read, written) = (self.mask, self.moved(self.mask));
        if self.is_none() { Size::MAX } else { 1 << (read | written).trailing_zeros() }
    }

    /// Number of units in the smallest aligned blocks that it maps to themselves.
    pub const fn block(self) -> Size {
        if self.is_none() { 1 } else { (self.moved(self.mask) + 1).next_power_of_two() }
    }

    /// Its effect on offsets below `end`, which is at least 1: their higher bits are 0.
    pub const fn below(self, end: Size) -> XorBits {
        let mask = self.mask & (end.next_power_of_two() - 1);
        if mask == 0 { XorBits::NONE } else { XorBits { mask, ..self } }
    }

    /// Whether both do the same with every offset.
    pub const fn is_same(self, other: XorBits) -> bool {
        self.mask == other.mask && (self.mask == 0 || self.shift == other.shift)
    }

    /// The offset after it, and the other way round.
    #[inline(always)]
    pub const fn apply(self, offset: Size) -> Size {
        offset ^ self.moved(offset & self.mask)
    }

    #[inline(always)]
    const fn moved(self, bits: Size) -> Size {
        if self.shift < 0 { bits << -self.shift } else { bits >> self.shift }
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text: Text<64> = Text::new();
        self.write(&mut text);
        f.pad(text.as_str())
    }
}

impl fmt::Debug for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
