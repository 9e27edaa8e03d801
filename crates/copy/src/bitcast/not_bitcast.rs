//! Why a bitcast is impossible.

use crate::bitcast::other_array::OtherArray;
use layout_core::base::{Line, Piece, same_numbers};
use layout_core::{ElementType, Index, Size};

errors! {
    /// Why a bitcast is impossible: why two layouts do not put every element in the same place. What has two entries is of the
    /// array, then of the result.
    pub enum NotBitcast {
        /// The elements differ in type, or in bits in memory.
        Element { types: [ElementType; 2], bits: [Size; 2] } => &match bits[0] == bits[1] {
            true => phrase!("the array has elements of type ", Piece::Quoted(types[0].name()),
                ", the result of type ", Piece::Quoted(types[1].name())),
            false => phrase!("elements take ", bits[0], " bits in one layout and ", bits[1], " in the other"),
        };
        /// A dimension has no bound, so offsets are unknown, and the layouts differ.
        Unbounded => "a dimension has no bound (`?`), and the layouts differ";
        /// The numbers of elements differ.
        Elements { elements: [Size; 2] } => "the array has ", elements[0], " elements, the result ", elements[1];
        /// The list is not a permutation of the array's dimensions.
        Permutation => "the list is not a permutation of the array's dimensions";
        /// The array has other dimensions than the result, once they are permuted.
        Dims(other: OtherArray) => &other.line::<1024>();
        /// An element would move: from one index to another, and between these offsets in elements.
        Moved { from: Index, to: Index, offsets: [Size; 2] } => &moved(&from, &to, offsets);
        /// No element would move, but the sizes in memory differ. They are in elements, padding included.
        Size { padded_elements: [Size; 2] } => "the array takes ", padded_elements[0],
            " elements in memory, padding included, the result ", padded_elements[1];
    }
}

const fn moved(from: &Index, to: &Index, [first, second]: [Size; 2]) -> Line {
    let mut text: Line = text!("[", Piece::List(from.as_slice(), ","), "] is at offset ", first);
    if same_numbers(from.as_slice(), to.as_slice()) {
        say!(text, " in one layout and at ", second, " in the other");
    } else {
        say!(
            text,
            ", but [",
            Piece::List(to.as_slice(), ","),
            "] of the result at offset ",
            second
        );
    }
    text
}
