//! `layout diff`.

use std::fmt::Write as _;

use layout_copy::bitcast::{NotBitcast, same_bytes};
use layout_core::ArrayShape;

use crate::arguments::Diff;
use crate::output::{Answer, Refusal};
use crate::shape;

pub(crate) fn diff(arguments: &Diff) -> Result<Answer, Refusal> {
    let a = shape::sized(&arguments.a, &arguments.dims)?;
    let b = shape::sized(&arguments.b, &arguments.dims)?;
    let mut text = format!("a: {a}\nb: {b}\n");
    let moved = same_bytes(&a, &b);
    let _ = match &moved {
        Ok(()) => writeln!(text, "same bytes: every element lies in the same place"),
        Err(NotBitcast::Moved { from, offsets: [in_a, in_b], .. }) => {
            writeln!(text, "different: {from:?} is at offset {in_a} in a and {in_b} in b")
        }
        Err(moved) => writeln!(text, "different: {moved}"),
    };
    if moved.is_ok() {
        also(&mut text, &a, &b);
    }
    Ok(Answer { text, is_yes: moved.is_ok() })
}

/// Differences that move no element.
fn also(text: &mut String, a: &ArrayShape, b: &ArrayShape) {
    if a.element_type() != b.element_type() {
        let types = [a, b].map(|shape| shape.element_type().name());
        let _ = writeln!(text, "element types differ: {} in a, {} in b", types[0], types[1]);
    }
    if a.padded_elements() != b.padded_elements() {
        let slots = [a, b].map(|shape| shape.padded_elements().unwrap_or(0));
        let _ = writeln!(text, "padding differs: {} slots in a, {} in b", slots[0], slots[1]);
    }
    if a.memory_space() != b.memory_space() {
        let spaces = [a, b].map(ArrayShape::memory_space);
        let _ = writeln!(text, "memory spaces differ: {} for a, {} for b", spaces[0], spaces[1]);
    }
}
