//! Where the block of a step lies along one dimension, as an index map says it: how that depends on the grid.

use core::str::FromStr;

/// Most axes of a grid.
pub const MAX_AXES: usize = 8;
/// Most parentheses and brackets inside one another in the text of an index.
const MAX_DEPTH: usize = 64;

/// One entry of what an index map returns, as far as the compiler follows it: a number plus multiples of the grid's
/// indices, or something of which only the axes are known.
///
/// ```
/// use layout_hlo::pallas::BlockIndex;
///
/// let index: BlockIndex = "g0*4 + g1".parse()?;
/// assert_eq!((index.step(0), index.step(1)), (Some(4), Some(1)));
/// // The compiler sees that this is 0 in every step, but not that `g0//8` may be.
/// assert_eq!("g0 - g0".parse::<BlockIndex>()?.axes(), 0);
/// assert_eq!("g0 // 8".parse::<BlockIndex>()?.axes(), 1 << 0);
/// # Ok::<(), layout_hlo::pallas::IndexError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockIndex {
    constant: i64,
    steps: [i64; MAX_AXES],
    /// The axes that something unknown depends on.
    others: u8,
    /// Whether it has a part that is not a multiple of an index.
    is_unknown: bool,
    /// Whether it was written as a number.
    is_literal: bool,
}

/// Index 0 of every step.
pub const fn zero() -> BlockIndex {
    BlockIndex::number(0)
}

/// The index of the grid along an axis; axis 0 varies slowest. An axis that no grid has is unknown, and changes in every step.
pub const fn axis(axis: usize) -> BlockIndex {
    if axis >= MAX_AXES {
        return zero().unknown(u8::MAX);
    }
    let mut index = zero();
    index.steps[axis] = 1;
    index.is_literal = false;
    index
}

impl BlockIndex {
    /// One index in every step.
    pub const fn number(constant: i64) -> BlockIndex {
        let steps = [0; MAX_AXES];
        BlockIndex { constant, steps, others: 0, is_unknown: false, is_literal: true }
    }

    /// Something that depends on the same axes in a way that the compiler does not follow: `i // 8`, `i % 2`, an element of a
    /// prefetched array at this index.
    pub const fn read(self) -> BlockIndex {
        zero().unknown(self.axes())
    }

    const fn unknown(self, axes: u8) -> BlockIndex {
        let others = self.others | axes;
        BlockIndex { others, is_unknown: true, is_literal: false, ..self }
    }

    /// This index plus a multiple of another one.
    #[must_use]
    pub const fn plus(mut self, other: BlockIndex, factor: i64) -> BlockIndex {
        let other = other.times(factor);
        self.constant = self.constant.saturating_add(other.constant);
        each!(for axis in 0..MAX_AXES {
            self.steps[axis] = self.steps[axis].saturating_add(other.steps[axis]);
        });
        self.others |= other.others;
        self.is_unknown |= other.is_unknown;
        self.is_literal &= other.is_literal;
        self
    }

    /// This index times a number.
    #[must_use]
    pub const fn times(mut self, factor: i64) -> BlockIndex {
        if factor == 0 {
            return BlockIndex { is_literal: self.is_literal, ..zero() };
        }
        self.constant = self.constant.saturating_mul(factor);
        each!(for axis in 0..MAX_AXES {
            self.steps[axis] = self.steps[axis].saturating_mul(factor);
        });
        self
    }

    /// By how much it grows along an axis; `None` if that is not known.
    pub const fn step(&self, axis: usize) -> Option<i64> {
        if self.is_unknown || axis >= MAX_AXES { None } else { Some(self.steps[axis]) }
    }

    /// The axes along which it changes, a bit for each.
    pub const fn axes(&self) -> u8 {
        let mut axes = self.others;
        each!(for axis in 0..MAX_AXES {
            if self.steps[axis] != 0 {
                axes |= 1 << axis;
            }
        });
        axes
    }

    /// Whether an index map returns the number 0 as it stands.
    pub const fn is_literal_zero(&self) -> bool {
        self.is_literal && self.constant == 0
    }

    const fn as_number(&self) -> Option<i64> {
        if self.is_unknown || self.axes() != 0 { None } else { Some(self.constant) }
    }
}

/// Why a text is not an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexError {
    /// Where, in bytes.
    pub at: usize,
    /// Whether it divides by 0 there.
    pub is_division_by_0: bool,
}

impl core::fmt::Display for IndexError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.is_division_by_0 {
            return write!(f, "the index divides by 0 at byte {}", self.at);
        }
        write!(
            f,
            "not an index at byte {}: write `g0`, `g1`, .. for the grid's indices, numbers, `p0[..]` for what was prefetched, \
             `+ - * // %` and parentheses",
            self.at
        )
    }
}

impl core::error::Error for IndexError {}

/// `g0`, `g1`, .. are the grid's indices, `p0[g0, 1]` is an element of the first prefetched array; with numbers,
/// `+ - * // %` and parentheses, as in Python.
impl FromStr for BlockIndex {
    type Err = IndexError;

    fn from_str(text: &str) -> Result<BlockIndex, IndexError> {
        let mut reader = Reader { text: text.as_bytes(), at: 0, depth: 0 };
        let index = reader.sum()?;
        if reader.next().is_some() { Err(reader.error()) } else { Ok(index) }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn error(&self) -> IndexError {
        IndexError { at: self.at, is_division_by_0: false }
    }

    /// The next letter that is not a space.
    fn next(&mut self) -> Option<u8> {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn takes(&mut self, token: &[u8]) -> bool {
        self.next();
        let takes = self.text[self.at..].starts_with(token);
        self.at += if takes { token.len() } else { 0 };
        takes
    }

    fn needs(&mut self, token: &[u8]) -> Result<(), IndexError> {
        if self.takes(token) { Ok(()) } else { Err(self.error()) }
    }

    fn sum(&mut self) -> Result<BlockIndex, IndexError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error());
        }
        let sign = if self.takes(b"-") { -1 } else { 1 };
        let mut sum = self.product()?.times(sign);
        loop {
            let sign = match self.next() {
                Some(b'+') => 1,
                Some(b'-') => -1,
                _ => break,
            };
            self.at += 1;
            sum = sum.plus(self.product()?, sign);
        }
        self.depth -= 1;
        Ok(sum)
    }

    fn product(&mut self) -> Result<BlockIndex, IndexError> {
        let mut product = self.atom()?;
        loop {
            let sign = [&b"*"[..], b"//", b"%"].into_iter().find(|sign| self.takes(sign));
            let Some(sign) = sign else { return Ok(product) };
            let at = self.at;
            let by = self.atom()?;
            product = match (sign, product.as_number(), by.as_number()) {
                (b"*", Some(left), _) => by.times(left),
                (b"*", _, Some(right)) => product.times(right),
                (_, _, Some(0)) => return Err(IndexError { at, is_division_by_0: true }),
                (b"//", _, Some(1)) => product,
                (b"%", _, Some(1)) => product.times(0),
                _ => zero().unknown(product.axes() | by.axes()),
            };
        }
    }

    fn atom(&mut self) -> Result<BlockIndex, IndexError> {
        let atom = match self.next() {
            Some(b'(') => {
                self.at += 1;
                let sum = self.sum()?;
                self.needs(b")")?;
                sum
            }
            Some(b'g') => {
                self.at += 1;
                axis(self.number()? as usize)
            }
            Some(b'p') => {
                self.at += 1;
                self.number()?;
                self.needs(b"[")?;
                let mut read = self.sum()?.read();
                while self.takes(b",") {
                    read = read.plus(self.sum()?.read(), 1);
                }
                self.needs(b"]")?;
                read
            }
            _ => BlockIndex::number(self.number()?),
        };
        Ok(atom)
    }

    fn number(&mut self) -> Result<i64, IndexError> {
        let (start, mut number) = (self.at, 0_i64);
        while let Some(digit @ b'0'..=b'9') = self.text.get(self.at) {
            number = number.saturating_mul(10).saturating_add((digit - b'0').into());
            self.at += 1;
        }
        if self.at == start { Err(self.error()) } else { Ok(number) }
    }
}
