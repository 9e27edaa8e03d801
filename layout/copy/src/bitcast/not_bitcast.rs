//! Why a bitcast is impossible.

use core::fmt;

use crate::bitcast::other_array::OtherArray;
use layout_core::Index;
use layout_core::Size;
use layout_core::base::list::same_numbers;
use layout_core::base::text::{Part, Text};
use layout_core::{ElementType, print};

/// Why a bitcast is impossible: why two layouts do not put every element in the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotBitcast {
    /// The elements differ in type, or in bits in memory.
    Element {
        /// Types of the elements.
        types: [ElementType; 2],
        /// Bits of an element in memory.
        bits: [Size; 2],
    },
    /// A dimension has no bound, so offsets are unknown, and the layouts differ.
    Unbounded,
    /// The numbers of elements differ.
    Elements {
        /// Elements of the array and of the result.
        elements: [Size; 2],
    },
    /// The list is not a permutation of the array's dimensions.
    Permutation,
    /// The array has other dimensions than the result, once they are permuted.
    Dims(OtherArray),
    /// An element would move.
    Moved {
        /// Its index in the array.
        from: Index,
        /// Its index in the result.
        to: Index,
        /// Its offset in each, in elements.
        offsets: [Size; 2],
    },
    /// No element would move, but the sizes in memory differ.
    Size {
        /// Sizes in memory in elements, padding included.
        padded_elements: [Size; 2],
    },
}

impl NotBitcast {
    #[doc(hidden)]
    pub const fn line(&self) -> Text<1024> {
        let mut text = Text::new();
        match self {
            NotBitcast::Element { bits: [a, b], .. } if *a != *b => {
                say!(text, "elements take ", *a, " bits in one layout and ", *b);
                text.str(" in the other");
            }
            NotBitcast::Element { types: [a, b], .. } => {
                let (a, b) = (Part::Quoted(a.name()), Part::Quoted(b.name()));
                say!(text, "the array has elements of type ", a, ", the result of type ", b);
            }
            NotBitcast::Unbounded => {
                text.str("a dimension has no bound (`?`), and the layouts differ");
            }
            NotBitcast::Elements { elements } => {
                counts(&mut text, "has ", elements, " elements");
            }
            NotBitcast::Permutation => {
                text.str("the list is not a permutation of the array's dimensions");
            }
            NotBitcast::Dims(other) => return other.line(),
            NotBitcast::Moved { from, to, offsets } => {
                index(&mut text, from);
                say!(text, " is at offset ", offsets[0]);
                if same_numbers(from.as_slice(), to.as_slice()) {
                    say!(text, " in one layout and at ", offsets[1], " in the other");
                    return text;
                }
                text.str(", but ");
                index(&mut text, to);
                say!(text, " of the result at offset ", offsets[1]);
            }
            NotBitcast::Size { padded_elements } => {
                let what = " elements in memory, padding included";
                counts(&mut text, "takes ", padded_elements, what);
            }
        }
        text
    }
}

const fn counts<const N: usize>(text: &mut Text<N>, verb: &str, counts: &[Size; 2], what: &str) {
    say!(text, "the array ", verb, counts[0], what, ", the result ", counts[1]);
}

const fn index<const N: usize>(text: &mut Text<N>, index: &Index) {
    text.byte(b'[');
    print::numbers(text, index.as_slice());
    text.byte(b']');
}

impl fmt::Display for NotBitcast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.line().as_str())
    }
}

impl core::error::Error for NotBitcast {}
