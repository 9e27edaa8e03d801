//! The widths of elements on both sides of a copy.

use crate::kernel::raw::{Step, Vectorized};
use crate::one_byte::Extend;

/// Bits of an element on the two sides: 1, 2 or 4, or on one of them 8.
#[derive(Clone, Copy, Debug)]
pub struct Widths {
    /// In the source.
    pub src: u32,
    /// In the destination.
    pub dst: u32,
    /// The logarithm of an element's bytes, where both sides take whole bytes.
    pub fixed: u8,
    /// What becomes of elements that get wider.
    pub extend: Extend,
    /// On which sides the first element of a byte is its high bits.
    pub mirrors: [bool; 2],
}

impl Widths {
    /// Those of elements of whole bytes.
    pub(crate) const fn of_bytes(element: usize) -> Widths {
        let fixed = element.trailing_zeros() as u8;
        Widths { src: 8, dst: 8, fixed, extend: Extend::Zeros, mirrors: [false; 2] }
    }

    /// Bits on the packed side.
    pub(super) const fn narrow(self) -> u32 {
        if self.src < self.dst { self.src } else { self.dst }
    }

    /// Bits of an element of a side on which those of a byte stand in reverse; else 0.
    pub(crate) const fn mirror(self, side: usize) -> u32 {
        match [self.src, self.dst][side] {
            bits @ ..8 if self.mirrors[side] => bits,
            _ => 0,
        }
    }

    /// Those of two copies that make one: to bytes, and from bytes.
    pub const fn by_bytes(self) -> [Widths; 2] {
        let [from, to] = self.mirrors;
        [
            Widths { dst: 8, mirrors: [from, false], ..self },
            Widths { src: 8, mirrors: [false, to], extend: Extend::Zeros, ..self },
        ]
    }

    /// Those of the way back; what gets wider gets zeros.
    pub const fn turned(self) -> Widths {
        let Widths { src, dst, mirrors: [from, to], .. } = self;
        Widths { src: dst, dst: src, extend: Extend::Zeros, mirrors: [to, from], ..self }
    }

    /// What an element of the source becomes in the destination.
    pub fn widened(self, bits: u8) -> u8 {
        self.extension().map_or(bits, |step| step.word(bits.into()) as u8) & (!0 >> (8 - self.dst))
    }

    /// What is done to elements that get wider.
    pub(super) const fn extension(self) -> Option<Step> {
        if self.src < self.dst { self.extend.step(self.src) } else { None }
    }
}

/// What is compiled for each number of bits that packed elements can have.
pub(super) trait OfBits {
    fn of_bits<const BITS: usize>(self);
}

/// Work on elements of these widths.
pub(super) struct ByWidth<W>(pub Widths, pub W);

impl<W: OfBits> Vectorized for ByWidth<W> {
    #[inline(always)]
    fn run(self) {
        let ByWidth(widths, work) = self;
        match widths.narrow() {
            1 => work.of_bits::<1>(),
            2 => work.of_bits::<2>(),
            _ => work.of_bits::<4>(),
        }
    }
}

impl Extend {
    /// What is done to elements of `bits` bits, each in a byte.
    const fn step(self, bits: u32) -> Option<Step> {
        match self {
            Extend::Zeros => None,
            Extend::Sign => Some(Step::Signs(bits)),
            Extend::One => Some(Step::Keep(u64::MAX / 0xff)),
        }
    }
}
