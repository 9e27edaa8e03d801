//! What a kernel is compiled from: the digits of a layout, each number either a constant or a launch argument.

use layout::ArrayShape;
use layout::shape::analysis::{self, Amount, Counts, DigitSource, Formula};

use crate::coords::Rank;
use crate::error::LayoutError;

/// A number of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Number {
    /// A constant of the kernel.
    Constant(u32),
    /// A launch argument, by its place among them.
    Argument(usize),
}

/// `source / div % modulus`; a source at or above the rank is a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Digit {
    pub(crate) source: usize,
    pub(crate) div: u32,
    pub(crate) modulus: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Term {
    pub(crate) digit: Digit,
    pub(crate) stride: Number,
    /// Values of the digit in memory; `None` of the most major one, which has no digit above it.
    pub(crate) bound: Option<Number>,
}

/// `major · factor + minor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sum {
    pub(crate) major: Option<Digit>,
    pub(crate) factor: Number,
    pub(crate) minor: Option<Digit>,
}

/// `offset ^ (offset & mask) << left >> right`, its own inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Swizzle {
    pub(crate) mask: u32,
    pub(crate) left: u32,
    pub(crate) right: u32,
}

impl Swizzle {
    /// Elements that stay together.
    pub(crate) fn unit(self) -> u32 {
        1 << (self.mask | self.mask << self.left >> self.right).trailing_zeros()
    }
}

/// A layout as a kernel computes it. Two layouts of one plan are one kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Plan {
    /// Sizes of the dimensions in elements, dimension 0 first.
    pub(crate) dims: Vec<Number>,
    /// Elements in memory, padding included.
    pub(crate) slots: Number,
    /// Slots without those of `L(n)`.
    pub(crate) size: Number,
    pub(crate) sums: Vec<Sum>,
    pub(crate) terms: Vec<Term>,
    /// What offsets are XORed with, if the layout is swizzled.
    pub(crate) swizzle: Option<Swizzle>,
    /// Whether padding is what has coordinates out of bounds.
    pub(crate) is_bijective: bool,
    /// Elements of a vector; positions in memory count vectors.
    pub(crate) vector_size: usize,
}

/// Turns amounts into numbers, and collects those that a kernel gets as arguments.
struct Numbers {
    arguments: Vec<u32>,
    amounts: Vec<(Amount, usize)>,
    counts: Counts,
    is_empty: bool,
}

impl Plan {
    /// The plan of a type's layout for coordinates of its rank; all of its numbers are constants.
    pub(crate) fn of<C: Rank, const R: usize, L: layout::Layout<R>>() -> Plan {
        const {
            assert!(
                L::PADDED_ELEMENTS as u64 <= u32::MAX as u64,
                "the layout has more than u32::MAX elements in memory, and kernels compute in 32 bits"
            );
            if let Some(rank) = C::RANK {
                assert!(
                    rank == R,
                    "the layout has another rank than the coordinates: use `CoordsDyn` or the type for this rank"
                );
            }
        }
        match Plan::new(L::SHAPE) {
            Ok((plan, _)) => plan,
            Err(error) => panic!("{error}"),
        }
    }

    /// The plan of a shape whose sizes are given by itself, and its launch arguments.
    pub(crate) fn new(shape: &ArrayShape) -> Result<(Plan, Vec<u32>), LayoutError> {
        let mut dims = Vec::new();
        for (dim, size) in shape.dims().iter().enumerate() {
            dims.push(size.size().ok_or(LayoutError::UnknownSize { dim })?);
        }
        Plan::build(shape, &dims, |_| false)
    }

    /// The plan of a shape with sizes. Those that the shape does not say are launch arguments, and so is what
    /// depends on them.
    pub(crate) fn with_dims(
        shape: &ArrayShape,
        dims: &[usize],
    ) -> Result<(Plan, Vec<u32>), LayoutError> {
        Plan::build(shape, dims, |dim| shape.dims()[dim].is_dynamic())
    }

    fn build(
        shape: &ArrayShape,
        sizes: &[usize],
        is_argument: impl Fn(usize) -> bool,
    ) -> Result<(Plan, Vec<u32>), LayoutError> {
        let slots = shape.with_dims(sizes)?.padded_elements().unwrap_or(0);
        narrow(slots)?;
        let formula = Formula::of(shape);
        let Some(counts) = formula.counts(sizes) else {
            unreachable!("`with_dims` has compared the rank")
        };
        let mut numbers = Numbers {
            arguments: Vec::new(),
            amounts: Vec::new(),
            counts,
            is_empty: sizes.contains(&0),
        };
        let mut dims = Vec::new();
        for (dim, &size) in sizes.iter().enumerate() {
            let size = narrow(size)?;
            dims.push(if is_argument(dim) {
                numbers.argument(size)
            } else {
                Number::Constant(size)
            });
        }
        let mut size = numbers.amount(formula.size())?;
        let slots = match size {
            // `L(n)` adds to it.
            Number::Argument(_) => numbers.argument(narrow(slots)?),
            Number::Constant(_) => Number::Constant(narrow(slots)?),
        };
        if slots == Number::Constant(0) {
            size = slots;
        }
        let plan = Plan {
            dims,
            slots,
            size,
            sums: sums(&formula, sizes.len(), &mut numbers)?,
            terms: terms(&formula, sizes.len(), &mut numbers)?,
            swizzle: swizzle(&formula),
            is_bijective: formula.is_bijective(),
            vector_size: 1,
        };
        Ok((plan, numbers.arguments))
    }

    /// Number of dimensions.
    pub(crate) fn rank(&self) -> usize {
        self.dims.len()
    }
}

fn sums(formula: &Formula, rank: usize, numbers: &mut Numbers) -> Result<Vec<Sum>, LayoutError> {
    let mut sums = Vec::new();
    for sum in formula.sums() {
        sums.push(Sum {
            major: sum.major().map(|major| digit(major, rank)).transpose()?,
            factor: numbers.amount(sum.factor())?,
            minor: sum.minor().map(|minor| digit(minor, rank)).transpose()?,
        });
    }
    Ok(sums)
}

fn terms(formula: &Formula, rank: usize, numbers: &mut Numbers) -> Result<Vec<Term>, LayoutError> {
    let mut list: Vec<Term> = Vec::new();
    for term in formula.terms() {
        list.push(Term {
            digit: digit(term.digit, rank)?,
            stride: numbers.amount(term.stride)?,
            bound: Some(numbers.amount(term.bound)?),
        });
    }
    // Offsets below the size need no modulus for the digit above all others. With sums, the candidate that a slot
    // of padding gives is compared with the slot anyway.
    if let Some(first) = list.first_mut() {
        first.bound = None;
    }
    Ok(list)
}

/// The bits of a swizzle. Those beyond 32 are 0 in every offset.
fn swizzle(formula: &Formula) -> Option<Swizzle> {
    let (mask, shift) = formula.swizzle().xor_bits().mask_and_shift();
    let (mask, distance) = (mask as u32, u32::from(shift.unsigned_abs()));
    let [left, right] = if shift > 0 { [0, distance] } else { [distance, 0] };
    (mask != 0).then_some(Swizzle { mask, left, right })
}

fn digit(digit: analysis::Digit, rank: usize) -> Result<Digit, LayoutError> {
    Ok(Digit {
        source: match digit.source() {
            DigitSource::Dim(dim) => dim,
            DigitSource::Sum(sum) => rank + sum,
        },
        div: narrow(digit.div())?,
        modulus: digit.modulus().map(narrow).transpose()?,
    })
}

fn narrow(size: usize) -> Result<u32, LayoutError> {
    u32::try_from(size).map_err(|_| LayoutError::Above32Bits { size })
}

impl Numbers {
    fn argument(&mut self, value: u32) -> Number {
        self.arguments.push(value);
        Number::Argument(self.arguments.len() - 1)
    }

    fn amount(&mut self, amount: Amount) -> Result<Number, LayoutError> {
        if let Some(known) = amount.known() {
            return Ok(Number::Constant(narrow(known)?));
        }
        if let Some(&(_, number)) = self.amounts.iter().find(|(known, _)| *known == amount) {
            return Ok(Number::Argument(number));
        }
        // Nothing is computed for an empty array, but a kernel may be launched: it divides by this.
        let value = if self.is_empty { 1 } else { narrow(amount.value(&self.counts))? };
        let number = self.argument(value);
        self.amounts.push((amount, self.arguments.len() - 1));
        Ok(number)
    }
}
