//! Why something is not a fragment.

use core::fmt;

use super::Axis;
use crate::base::limits::Size;
use crate::base::text::Text;

/// Why there is no such fragment or instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FragmentError {
    /// No instruction has these sizes or types, or it has no such operand.
    Instruction {
        /// What the instruction takes.
        takes: &'static str,
    },
    /// The array has another number of dimensions, or so does a list of numbers for each.
    Rank {
        /// Given.
        given: usize,
        /// Taken.
        takes: usize,
    },
    /// What is spread over a dimension does not divide it.
    Size {
        /// The dimension.
        dim: usize,
        /// Its size.
        size: Size,
        /// What would have to divide it.
        multiple: Size,
    },
    /// A basis is not a power of two along one dimension.
    Basis {
        /// The axis.
        axis: Axis,
        /// The bit of the number along the axis.
        bit: usize,
    },
    /// No digit counts the multiples of a weight along a dimension.
    Uncounted {
        /// The dimension.
        dim: usize,
        /// The weight.
        weight: Size,
    },
    /// Several digits count the same elements of a dimension.
    Repeated {
        /// The dimension.
        dim: usize,
    },
    /// Digits overlap along an axis.
    Overlap {
        /// The axis.
        axis: Axis,
    },
    /// A digit has to be cut where its values do not divide.
    Cut {
        /// Its values.
        values: Size,
        /// Values of the lower part.
        at: Size,
    },
    /// A number is 0, or too large.
    Number,
    /// There are too many digits.
    TooMany,
}

impl FragmentError {
    pub(crate) const fn text(&self) -> Text<240> {
        match *self {
            FragmentError::Instruction { takes } => {
                text!("there is no such instruction or operand: ", takes)
            }
            FragmentError::Rank { given, takes } => text!(
                "numbers for ",
                given as Size,
                " dimensions, but ",
                takes as Size,
                " are needed: write one for each dimension"
            ),
            FragmentError::Size { dim, size, multiple } => text!(
                "dimension ",
                dim as Size,
                " has size ",
                size,
                ", which is not a multiple of ",
                multiple,
                ": pad it to ",
                match size.checked_next_multiple_of(multiple) {
                    Some(padded) => padded,
                    None => size,
                }
            ),
            FragmentError::Basis { axis, bit } => text!(
                "basis ",
                bit as Size,
                " of the ",
                name(axis),
                "s is not a power of two along one dimension: a fragment has a digit of one dimension for each bit"
            ),
            FragmentError::Uncounted { dim, weight } => text!(
                "no digit counts in steps of ",
                weight,
                " along dimension ",
                dim as Size,
                ": add a digit for it, or give the dimension fewer elements"
            ),
            FragmentError::Repeated { dim } => text!(
                "several digits count the same elements of dimension ",
                dim as Size,
                ": let all but one count copies"
            ),
            FragmentError::Overlap { axis } => text!(
                "digits overlap along the ",
                name(axis),
                "s: a stride has to be a multiple of what the digits below it count"
            ),
            FragmentError::Cut { values, at } => text!(
                "a digit of ",
                values,
                " values has to be cut at ",
                at,
                ", which does not divide it: choose sizes that divide one another"
            ),
            FragmentError::Number => {
                text!("a size or stride is 0 or too large: choose another one")
            }
            FragmentError::TooMany => text!("the fragment has more than 48 digits: join some"),
        }
    }

    /// Stops the build with the error's text.
    #[track_caller]
    pub(crate) const fn stop(&self) -> ! {
        panic!("{}", self.text().as_str())
    }
}

const fn name(axis: Axis) -> &'static str {
    match axis {
        Axis::Register => "register",
        Axis::Lane => "lane",
        Axis::Warp => "warp",
        Axis::Column => "column",
    }
}

impl fmt::Display for FragmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl core::error::Error for FragmentError {}
