//! Why an access of shared memory is not valid, or has conflicts.

use core::fmt;

use crate::base::limits::Size;
use crate::base::text::{Part, Text};
use crate::gpu::banks::warp::{Meeting, WarpAccess};
use crate::shape::array::ArrayShape;
use crate::shape::unknown_size::UnknownSize;

/// Room for a message; the shapes in it may be cut off.
type Message = Text<1024>;

/// Why an access of shared memory is not valid, or has conflicts. The message says what to write instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BankError {
    /// No access has this many bytes for a lane.
    Bytes(usize),
    /// The bytes of a lane are not whole elements of this many bits.
    Element(Size),
    /// The text that says what element each lane accesses is not one, or has no value for a lane.
    Expression {
        /// The lane for which it is evaluated.
        lane: usize,
        /// The byte of the text at which it is noticed.
        at: usize,
    },
    /// A size of the array is known at run time only (`?`).
    UnknownSize(UnknownSize),
    /// The index of the lanes has another number of coordinates than the array has dimensions.
    Rank {
        /// Coordinates.
        given: usize,
        /// Dimensions of the array.
        array: usize,
    },
    /// The array does not have this dimension, along which a lane's elements are to follow one another.
    NoSuchDimension(usize),
    /// The array begins at another address than the pattern of its swizzle, which repeats after this many bytes.
    Base(Size),
    /// A coordinate is not below the size of its dimension.
    OutOfBounds {
        /// The lane.
        lane: usize,
        /// The dimension.
        dim: usize,
        /// The coordinate.
        coordinate: Size,
        /// The size of the dimension.
        size: Size,
    },
    /// This lane accesses memory past the end of the array, or past the largest address.
    PastEnd(usize),
    /// The elements that a lane accesses are not consecutive in memory.
    NotContiguous {
        /// The lane.
        lane: usize,
        /// The dimension along which they follow one another.
        dim: usize,
        /// The first of them that is elsewhere in memory, counted from the lane's own element.
        element: Size,
    },
    /// The element of this lane does not begin at a whole byte.
    PartOfByte(usize),
    /// The address of a lane is not a multiple of the bytes that it accesses.
    Misaligned {
        /// The lane.
        lane: usize,
        /// Its address in bytes.
        address: Size,
        /// Bytes that it accesses.
        bytes: usize,
    },
    /// An access has bank conflicts.
    Conflicts {
        /// Its number; the first is 0.
        access: usize,
        /// Its addresses.
        addresses: WarpAccess,
        /// Two lanes that meet.
        meeting: Meeting,
        /// The array with the swizzle that [`search`](super::search()) finds for all accesses, if it has fewer wavefronts.
        swizzle: Option<ArrayShape>,
        /// The array with the padding that is found, if it has fewer wavefronts.
        padding: Option<ArrayShape>,
    },
}

impl BankError {
    /// The message; usable in a `const`.
    pub(super) const fn text(&self) -> Message {
        let mut out = Text::new();
        match *self {
            BankError::Bytes(bytes) => {
                say!(out, "no access has ", bytes, " bytes a lane: write 1, 2, 4, 8 or 16");
            }
            BankError::Element(bits) => {
                say!(out, "the bytes of a lane are not whole elements of ", bits, " bits: ");
                say!(out, "write the bytes of one or more elements");
            }
            BankError::Expression { lane, at } => {
                say!(out, "character ", at + 1, " of the access, for lane ", lane, ": ");
                say!(out, "write a coordinate for each dimension with `lane`, numbers, ");
                say!(out, "`+ - * / % & ^` and parentheses, as in `lane / 8, lane % 8 * 8`; ");
                say!(out, "no value is negative");
            }
            BankError::UnknownSize(UnknownSize { dim }) => {
                say!(out, "the size of dimension ", dim, " is not known (`?`): write it");
            }
            BankError::Rank { given, array } => {
                let given = Part::Counted(given, "coordinate");
                say!(out, "lanes are given ", given, ": write ", array, ", one for each dimension");
            }
            BankError::NoSuchDimension(dim) => {
                say!(out, "the array has no dimension ", dim, " for elements of a lane: ");
                say!(out, "write one that it has, or access one element");
            }
            BankError::Base(period) => {
                say!(
                    out,
                    "the swizzle is one of addresses, and repeats after ",
                    period,
                    " bytes: "
                );
                say!(out, "begin the array at a multiple of that, or swizzle elements");
            }
            BankError::OutOfBounds { lane, dim, coordinate, size } => {
                say!(
                    out,
                    "lane ",
                    lane,
                    " accesses coordinate ",
                    coordinate,
                    " of dimension ",
                    dim
                );
                say!(out, ", whose size is ", size, ": access an element of the array, or none");
            }
            BankError::PastEnd(lane) => {
                say!(out, "lane ", lane, " accesses memory past the end of the array: ");
                say!(out, "access fewer bytes, or pad the array");
            }
            BankError::NotContiguous { lane, dim, element } => {
                say!(
                    out,
                    "lane ",
                    lane,
                    " accesses elements along dimension ",
                    dim,
                    ", but number "
                );
                say!(out, element, " of them does not follow the one before it in memory: ");
                say!(out, "access fewer bytes, or along another dimension");
            }
            BankError::PartOfByte(lane) => {
                say!(out, "the element of lane ", lane, " begins inside a byte: ");
                say!(out, "access one that begins a byte, as each second one of 4 bits does");
            }
            BankError::Misaligned { lane, address, bytes } => {
                say!(
                    out,
                    "lane ",
                    lane,
                    " accesses ",
                    Part::Counted(bytes, "byte"),
                    " at address "
                );
                say!(out, address, ", which has to be a multiple of that: ");
                say!(out, "access fewer bytes, or align the array and its rows");
            }
            BankError::Conflicts { access, addresses, meeting, swizzle, padding } => {
                let Meeting { bank, lanes: [a, b], words: [x, y], .. } = meeting;
                say!(out, "access ", access, ": lanes ", a, " and ", b, " meet in bank ", bank);
                say!(out, ", in words ", x, " and ", y, " (", addresses.conflicts(), " of ");
                say!(out, Part::Counted(addresses.wavefronts(), "wavefront"), " too many): ");
                match (&swizzle, &padding) {
                    (Some(swizzle), Some(padding)) => {
                        say!(out, "write `", &swizzle.text(), "` or `", &padding.text(), "`");
                    }
                    (Some(one), None) | (None, Some(one)) => say!(out, "write `", &one.text(), "`"),
                    (None, None) => out.str("let the lanes access other elements"),
                }
            }
        }
        out
    }
}

impl fmt::Display for BankError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

// A message has that of the error that it holds, so that is no source.
impl core::error::Error for BankError {}
