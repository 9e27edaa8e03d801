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
    /// The parameter or result.
    pub place: Place,
    /// The parameter's name, or `result 0`.
    pub name: String,
    /// The layout to ask for: the numbers of dimensions, the most major one first. Empty where it is not about a layout.
    pub major_to_minor: Vec<usize>,
    /// Bytes that it saves: of the array itself, or at the peak if it is donated. Negative if padding grows.
    pub saves_bytes: i64,
    /// Cycles of copies that it saves.
    pub saves_cycles: u64,
    /// Whether some of `saves_cycles` come from bytes: the compiler prints none for them.
    pub is_guess: bool,
    /// Names of the instructions that it spares or makes cheaper.
    pub instructions: Vec<String>,
    /// The result or parameter that lies in the same memory, and gets the same layout.
    pub pair: Option<Place>,
    /// Whether an array that is stored transposed has the layout by default.
    pub is_stored_transposed: bool,
    /// Whether compiling will show a gain surely; else it is worth a try.
    pub is_sure: bool,
    /// What to write, in Python.
    pub python: String,
}

impl Advice {
    pub(crate) fn new(kind: AdviceKind, place: Place) -> Advice {
        Advice {
            kind,
            place,
            name: String::new(),
            major_to_minor: Vec::new(),
            saves_bytes: 0,
            saves_cycles: 0,
            is_guess: false,
            instructions: Vec::new(),
            pair: None,
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
        /// Another layout of an argument or result, so that it is not copied at each call.
        Layout = "layout",
        /// An argument whose memory a result can take.
        Donate = "donate",
        /// A layout with less padding.
        Size = "size",
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
