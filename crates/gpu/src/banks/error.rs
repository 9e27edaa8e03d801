//! Why an access of shared memory is not valid, or has conflicts.

use crate::banks::meeting::Meeting;
use layout_core::ArrayShape;
use layout_core::base::text::{Piece, Text};
use layout_core::limits::Size;

errors! {
    /// Why an access of shared memory is not valid, or has conflicts. The message says what to write instead.
    pub enum BankError {
        /// No access has this many bytes for a lane.
        Bytes { bytes: usize } => "no access has ", bytes, " bytes a lane: write 1, 2, 4, 8 or 16";
        /// The bytes of a lane are not whole elements of this many bits.
        Element { bits: Size } => "the bytes of a lane are not whole elements of ", bits,
            " bits: write the bytes of one or more elements";
        /// The text of the elements cannot be read at this byte, or has no value for this lane.
        Expression { lane: usize, at: usize } => "character ", at + 1, " of the access, for lane ", lane,
            ": write a coordinate for each dimension with `lane`, numbers, `+ - * / % & ^` and parentheses, \
             as in `lane / 8, lane % 8 * 8`; no value is negative";
        /// A size of the array is known at run time only (`?`).
        UnknownSize { dim: usize } => "the size of dimension ", dim, " is not known (`?`): write it";
        /// A lane's index has another number of coordinates than the array has dimensions.
        Rank { given: usize, array: usize } => "lanes are given ", Piece::Counted(given, "coordinate"),
            ": write ", array, ", one for each dimension";
        /// The array does not have the dimension along which a lane accesses several elements.
        NoSuchDimension { dim: usize } => "the array has no dimension ", dim,
            " for elements of a lane: write one that it has, or access one element";
        /// The array does not begin where the pattern of its swizzle does, which repeats after this many bytes.
        Base { period: Size } => "the swizzle is one of addresses, and repeats after ", period,
            " bytes: begin the array at a multiple of that, or swizzle elements";
        /// A coordinate is not below the size of its dimension.
        OutOfBounds { lane: usize, dim: usize, coordinate: Size, size: Size } => "lane ", lane,
            " accesses coordinate ", coordinate, " of dimension ", dim, ", whose size is ", size,
            ": access an element of the array, or none";
        /// A lane accesses memory past the end of the array, or past the largest address.
        PastEnd { lane: usize } => "lane ", lane,
            " accesses memory past the end of the array: access fewer bytes, or pad the array";
        /// The elements that a lane accesses are not consecutive in memory. `element` is the first that is elsewhere, counted
        /// from the lane's own element.
        NotContiguous { lane: usize, dim: usize, element: Size } => "lane ", lane,
            " accesses elements along dimension ", dim, ", but number ", element,
            " of them does not follow the one before it in memory: \
             access fewer bytes, or along another dimension";
        /// The element of a lane does not begin at a whole byte.
        PartOfByte { lane: usize } => "the element of lane ", lane,
            " begins inside a byte: access one that begins a byte, as each second one of 4 bits does";
        /// The address of a lane is not a multiple of the bytes that it accesses.
        Misaligned { lane: usize, address: Size, bytes: usize } => "lane ", lane, " accesses ",
            Piece::Counted(bytes, "byte"), " at address ", address,
            ", which has to be a multiple of that: access fewer bytes, or align the array and its rows";
        /// An access has conflicts. `swizzle` and `padding` are the array in layouts without conflicts, if
        /// [`search`](super::search()) finds such. `bytes` are the most that a lane accesses: layouts keep them together.
        Conflicts {
            access: usize,
            bytes: usize,
            conflicts: usize,
            wavefronts: usize,
            meeting: Meeting,
            swizzle: Option<ArrayShape>,
            padding: Option<ArrayShape>
        } => "access ", access, ": ", &meeting.text(), " (", conflicts, " of ",
            Piece::Counted(wavefronts, "wavefront"), " too many): ", &remedies(swizzle, padding, bytes);
    }
}

/// What to write instead of a layout with conflicts.
const fn remedies(
    swizzle: Option<ArrayShape>,
    padding: Option<ArrayShape>,
    bytes: usize,
) -> Text<512> {
    match (swizzle, padding) {
        (Some(swizzle), Some(padding)) => {
            text!("write `", &swizzle.text(), "` or `", &padding.text(), "`")
        }
        (Some(one), None) | (None, Some(one)) => text!("write `", &one.text(), "`"),
        // A word has 4 bytes.
        (None, None) if bytes > 4 => text!(
            "no swizzle that keeps the ",
            bytes,
            " bytes of a lane together removes them, nor does padding: ",
            "access 4 bytes a lane, so that a swizzle can tell all words apart, or other elements"
        ),
        (None, None) => {
            text!("no swizzle and no padding removes them: let the lanes access other elements")
        }
    }
}
