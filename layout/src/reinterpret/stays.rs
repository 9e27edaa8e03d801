//! What keeps a view of one layout from being one of another, as errors of the compiler.

use layout_core::__private::Text;
use layout_core::{ArrayShape, Index, Size};

use crate::compiled::AnyLayout;

/// Room for a message with the texts of two layouts.
pub(super) type Message = Text<1024>;

/// Stops the build where the second layout takes more memory.
#[track_caller]
pub(super) const fn room<A: AnyLayout, B: AnyLayout>() {
    if B::SLOTS > A::SLOTS {
        let mut text = Message::new();
        text.str("no element would move, but the new layout takes ");
        text.count(B::SLOTS);
        text.str(" elements in memory, padding included, and the old one only ");
        text.count(A::SLOTS);
        panic!("{}", text.as_str())
    }
}

const fn index(text: &mut Message, index: &Index) {
    text.byte(b'[');
    let index = index.as_slice();
    let mut dim = 0;
    while dim < index.len() {
        if dim > 0 {
            text.byte(b',');
        }
        text.number(index[dim]);
        dim += 1;
    }
    text.byte(b']');
}

/// Writes which element an operation would move.
pub(super) const fn moved(
    text: &mut Message,
    operation: &str,
    from: &Index,
    to: &Index,
    offsets: [Size; 2],
) {
    text.str("this ");
    text.str(operation);
    text.str(" would move elements: ");
    index(text, from);
    text.str(" is at offset ");
    text.number(offsets[0]);
    text.str(", but ");
    index(text, to);
    text.str(" at offset ");
    text.number(offsets[1]);
}

/// Writes a layout.
pub(super) const fn layout(text: &mut Message, shape: &ArrayShape) {
    text.byte(b'`');
    text.str(shape.text().as_str());
    text.byte(b'`');
}
