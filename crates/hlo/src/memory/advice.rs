//! What a user can write so that a program needs less memory or fewer copies.

// A rule stays only if no program became worse with it on the compiler (docs/advice.md); `tests/tpu/check.py`
// compiles programs with the advice taken.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::copies::Place;

/// Something that a user can write so that a program needs less memory or fewer copies.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Advice {
    /// What it is about.
    pub kind: AdviceKind,
    /// The parameters and results.
    pub places: Vec<Place>,
    /// The parameters' names, `result 0` of a result.
    pub names: Vec<String>,
    /// The layout to ask for: the numbers of dimensions, the most major one first. Empty where it is not about a layout.
    pub major_to_minor: Vec<usize>,
    /// Bytes that it saves: of the arrays themselves, or at the peak. Negative if padding grows.
    pub saves_bytes: i64,
    /// Cycles of copies that it saves.
    pub saves_cycles: u64,
    /// Whether some of `saves_cycles` come from bytes: the compiler prints none for them.
    pub is_guess: bool,
    /// Names of the instructions that it spares or makes cheaper.
    pub instructions: Vec<String>,
    /// Whether an array that is stored transposed has the layout by default.
    pub is_stored_transposed: bool,
    /// Whether compiling will show a gain surely; else it is worth a try.
    pub is_sure: bool,
    /// What to write, in Python: statements, one a line.
    pub python: String,
}

impl Advice {
    pub(crate) fn new(kind: AdviceKind, places: Vec<Place>) -> Advice {
        Advice {
            kind,
            places,
            names: Vec::new(),
            major_to_minor: Vec::new(),
            saves_bytes: 0,
            saves_cycles: 0,
            is_guess: false,
            instructions: Vec::new(),
            is_stored_transposed: false,
            is_sure: false,
            python: String::new(),
        }
    }
}

named! {
    /// What advice is about.
    #[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
    #[non_exhaustive]
    pub enum AdviceKind {
        /// Another layout of arguments or results, so that they are not copied at each call.
        Layout = "layout",
        /// Arguments whose memory results can take.
        Donate = "donate",
        /// A layout with less padding.
        Size = "size",
        /// An argument that is copied at each call, since a loop writes to it and no result takes its memory.
        Return = "return",
        /// Arrays that are kept for the backward pass, and could be computed again.
        Recompute = "recompute",
        /// A sharding of an argument that every device has whole.
        Shard = "shard",
        /// A sharding to go through, where an array is gathered of which little is kept.
        Reshard = "reshard",
    }
}

/// Numbers as a tuple of Python.
pub(crate) fn tuple(numbers: &[usize]) -> String {
    match numbers {
        [one] => format!("({one},)"),
        _ => {
            format!("({})", numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
    }
}
