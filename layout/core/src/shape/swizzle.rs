//! XOR swizzles of memory, as GPUs have them.

use core::fmt;

use crate::base::limits::Size;
use crate::base::text::{Part, Text, bytes_equal, equal_ignoring_case, lower};
use crate::fault::{Fault, FaultKind};
use crate::shape::array::{ArrayShape, Fields};

/// What the numbers of a swizzle count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SwizzleUnit {
    /// Elements of the array.
    Elements,
    /// Bytes of memory.
    Bytes,
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
/// use layout::{Swizzle, SwizzleUnit};
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
pub struct Swizzle {
    unit: SwizzleUnit,
    bits: u8,
    base: u8,
    shift: i8,
}

/// The modes of TMA, `wgmma` and `tcgen05` by the names of `cuda.h`: what follows `CU_TENSOR_MAP_SWIZZLE_`.
pub(crate) const MODES: [(&str, Swizzle); 4] = [
    ("32B", Swizzle::MODE_32B),
    ("64B", Swizzle::MODE_64B),
    ("128B", Swizzle::MODE_128B),
    ("128B_ATOM_32B", Swizzle::MODE_128B_ATOM_32B),
];

/// The most bits that a swizzle reaches, so that its period is a size of an array.
const MAX_BITS: u32 = 62;

impl Swizzle {
    /// No swizzle.
    pub const NONE: Swizzle = Swizzle { unit: SwizzleUnit::Elements, bits: 0, base: 0, shift: 0 };

    /// Rows of 32 bytes: `bytes<1,4,3>`.
    pub const MODE_32B: Swizzle = Swizzle::of_bytes(1, 4, 3);

    /// Rows of 64 bytes: `bytes<2,4,3>`.
    pub const MODE_64B: Swizzle = Swizzle::of_bytes(2, 4, 3);

    /// Rows of 128 bytes: `bytes<3,4,3>`.
    pub const MODE_128B: Swizzle = Swizzle::of_bytes(3, 4, 3);

    /// Rows of 128 bytes whose units (atoms) are 32 bytes: `bytes<2,5,2>`.
    pub const MODE_128B_ATOM_32B: Swizzle = Swizzle::of_bytes(2, 5, 2);

    const fn of_bytes(bits: u8, base: u8, shift: i8) -> Swizzle {
        Swizzle { unit: SwizzleUnit::Bytes, bits, base, shift }
    }

    /// CuTe's `Swizzle<bits, base, shift>` on elements or bytes.
    ///
    /// # Errors
    /// If `|shift|` is less than `bits`, or if a bit is beyond those of an offset.
    pub const fn new(unit: SwizzleUnit, bits: u8, base: u8, shift: i8) -> Result<Swizzle, Fault> {
        if shift.unsigned_abs() < bits {
            return Err(Fault::of_whole(FaultKind::SwizzleOverlap { bits, shift }));
        }
        if bits as u32 + base as u32 + shift.unsigned_abs() as u32 > MAX_BITS {
            return Err(Fault::of_whole(FaultKind::SwizzleTooHigh));
        }
        Ok(Swizzle { unit, bits, base, shift })
    }

    /// What its numbers count.
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
        match self.bits {
            0 => 1,
            _ if self.shift > 0 => 1 << (self.bits + self.base),
            _ => self.period(),
        }
    }

    /// The same swizzle on elements of some bits.
    ///
    /// # Errors
    /// If it is on bytes and takes elements apart, or if elements of this width do not fill a power of two of bytes.
    pub const fn on_elements(self, element_bits: Size) -> Result<Swizzle, Fault> {
        if matches!(self.unit, SwizzleUnit::Elements) || self.is_none() {
            return Ok(self);
        }
        // 8 bits are a byte.
        let (base, width) = (self.base + 3, element_bits.trailing_zeros() as u8);
        if !element_bits.is_power_of_two() || base < width {
            return Err(self.splits(element_bits));
        }
        Ok(Swizzle { unit: SwizzleUnit::Elements, base: base - width, ..self })
    }

    /// The same swizzle on bytes, of elements of some bits.
    ///
    /// # Errors
    /// If it is on elements narrower than a byte and takes bytes apart, or if elements of this width do not fill a power
    /// of two of bytes.
    pub const fn on_bytes(self, element_bits: Size) -> Result<Swizzle, Fault> {
        if matches!(self.unit, SwizzleUnit::Bytes) || self.is_none() {
            return Ok(self);
        }
        let base = self.base + element_bits.trailing_zeros() as u8;
        if !element_bits.is_power_of_two() || base < 3 {
            return Err(self.splits(element_bits));
        }
        Ok(Swizzle { unit: SwizzleUnit::Bytes, base: base - 3, ..self })
    }

    const fn splits(self, element_bits: Size) -> Fault {
        Fault::of_whole(FaultKind::SwizzleSplits { unit: self.unit, element_bits })
    }

    /// The bits that are read, and how far they are moved.
    pub(crate) const fn xor_bits(self) -> XorBits {
        let above = if self.shift > 0 { self.shift as u8 } else { 0 };
        XorBits { mask: ((1 << self.bits) - 1) << (self.base + above), shift: self.shift }
    }

    /// The swizzle of a name or a text: `128B`, `bytes<3,4,3>`, `elements<3,3,3>`. Case and spaces do not matter.
    ///
    /// # Errors
    /// If it is neither, or if no swizzle has these numbers.
    ///
    /// # Examples
    /// ```
    /// use layout::Swizzle;
    ///
    /// assert_eq!(Swizzle::parse("64B"), Ok(Swizzle::MODE_64B));
    /// assert_eq!(Swizzle::parse("bytes<2, 4, 3>"), Ok(Swizzle::MODE_64B));
    /// let error = Swizzle::parse("bytes<3,4,2>").unwrap_err();
    /// assert!(error.to_string().starts_with("3 bits overlap the bits 2 places above them"));
    /// ```
    pub const fn parse(text: &str) -> Result<Swizzle, Fault> {
        let mut word: Text<64> = Text::new();
        each!(for &byte in text.as_bytes() {
            if byte != b' ' {
                word.byte(lower(byte));
            }
        });
        let word = word.as_str().as_bytes();
        each!(for (name, swizzle) in &MODES {
            if equal_ignoring_case(name, text) {
                return Ok(*swizzle);
            }
        });
        each!(for &unit in &[SwizzleUnit::Elements, SwizzleUnit::Bytes] {
            if let Some([bits, base, shift]) = numbers_after(unit.name().as_bytes(), word) {
                if bits < 0 || base < 0 {
                    break;
                }
                return Swizzle::new(unit, bits as u8, base as u8, shift);
            }
        });
        Err(Fault::of_whole(FaultKind::SwizzleText))
    }

    /// Writes the name of its mode, or its numbers.
    pub(crate) const fn write<const N: usize>(self, out: &mut Text<N>) {
        each!(for (name, swizzle) in &MODES {
            if self.is_same(*swizzle) {
                out.str(name);
                return;
            }
        });
        say!(out, self.unit.name(), "<", self.bits as usize, ",", self.base as usize, ",");
        say!(out, Part::Signed(self.shift as i64), ">");
    }

    pub(crate) const fn is_same(self, other: Swizzle) -> bool {
        self.bits == other.bits
            && self.base == other.base
            && self.shift == other.shift
            && self.unit as u8 == other.unit as u8
    }
}

impl SwizzleUnit {
    const fn name(self) -> &'static str {
        match self {
            SwizzleUnit::Elements => "elements",
            SwizzleUnit::Bytes => "bytes",
        }
    }
}

/// The three numbers of `name<1,2,-3>`; `None` if the text is another one, or if a number is above 99.
const fn numbers_after(name: &[u8], text: &[u8]) -> Option<[i8; 3]> {
    let (first, rest) = some!(text.split_at_checked(name.len()));
    if !bytes_equal(first, name) {
        return None;
    }
    let ends = [b'<', b',', b',', b'>'];
    let mut numbers = [0i8; 3];
    let (mut entry, mut digits, mut sign) = (0, 0, 1);
    each!(for &byte in rest {
        match byte {
            b'0'..=b'9' if entry > 0 && entry < ends.len() && digits < 2 => {
                numbers[entry - 1] = 10 * numbers[entry - 1] + (byte - b'0') as i8;
                digits += 1;
            }
            b'-' if entry > 0 && digits == 0 && sign == 1 => sign = -1,
            _ if entry < ends.len() && byte == ends[entry] && (entry == 0 || digits > 0) => {
                if entry > 0 {
                    numbers[entry - 1] *= sign;
                }
                (entry, digits, sign) = (entry + 1, 0, 1);
            }
            _ => return None,
        }
    });
    if entry == ends.len() { Some(numbers) } else { None }
}

/// What a swizzle does with an offset: it XORs the bits of the mask, moved down by `shift`, with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XorBits {
    mask: Size,
    shift: i8,
}

impl XorBits {
    /// Of no swizzle.
    pub(crate) const NONE: XorBits = XorBits { mask: 0, shift: 0 };

    /// Whether it leaves every offset as it is.
    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.mask == 0
    }

    /// Whether both do the same with every offset.
    pub(crate) const fn is_same(self, other: XorBits) -> bool {
        self.mask == other.mask && (self.mask == 0 || self.shift == other.shift)
    }

    /// The offset after it, and the other way round.
    #[inline(always)]
    pub const fn apply(self, offset: Size) -> Size {
        let bits = offset & self.mask;
        if self.shift < 0 { offset ^ bits << -self.shift } else { offset ^ bits >> self.shift }
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

impl core::str::FromStr for Swizzle {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Swizzle, Fault> {
        Swizzle::parse(text)
    }
}

impl Fields {
    /// What the swizzle does with offsets in elements. The fields must have passed the checks.
    pub(crate) const fn xor_bits(&self) -> XorBits {
        match self.swizzle.on_elements(self.element_bits()) {
            Ok(swizzle) => swizzle.xor_bits(),
            Err(_) => XorBits::NONE,
        }
    }
}

impl ArrayShape {
    /// The array under a swizzle, in place of the one that it has: the offset of each element is that of the layout, XORed
    /// with bits of itself. [`Swizzle::NONE`] takes it away.
    ///
    /// XLA's notation has no swizzle: [`Display`](fmt::Display) writes it after the shape as `layout!` takes it, and
    /// [`xla_text`](Self::xla_text) is an error.
    ///
    /// # Errors
    /// If it takes elements apart, or if it exchanges elements with memory past the end of the array.
    ///
    /// # Examples
    /// ```
    /// use layout::{ArrayShape, Swizzle};
    ///
    /// let rows: ArrayShape = "f16[64,64]".parse()?;
    /// let tile = rows.with_swizzle(Swizzle::MODE_128B)?;
    /// assert_eq!(tile.to_string(), "f16[64,64]{1,0}, swizzle = 128B");
    /// assert_eq!(tile.digits()?.offset(&[1, 0]), Some(64 + 8));
    /// assert_eq!(*tile.digits()?.index(64 + 8).unwrap(), [1, 0]);
    ///
    /// let ragged: ArrayShape = "f16[3,10]".parse()?;
    /// assert_eq!(
    ///     ragged.with_swizzle(Swizzle::MODE_128B).unwrap_err().help().to_string(),
    ///     "pad the memory to whole blocks: `L(64)`, or pad a dimension",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn with_swizzle(&self, swizzle: Swizzle) -> Result<ArrayShape, Fault> {
        Fields { swizzle, ..*self.fields() }.checked()
    }

    /// The swizzle of its memory; [`Swizzle::NONE`] by default.
    pub const fn swizzle(&self) -> Swizzle {
        self.fields().swizzle
    }
}
