//! What keeps a view of one layout from being one of another, as errors of the compiler.

use layout_core::__private::Text;
use layout_core::{ArrayShape, Index};

use crate::compiled::AnyLayout;

/// Room for a message with the texts of two layouts.
pub(super) type Message = Text<1024>;

/// Stops the build where the second layout takes more memory.
#[track_caller]
pub(super) const fn room<A: AnyLayout, B: AnyLayout>() {
    if B::SLOTS > A::SLOTS {
        let mut text = Message::new();
        text.str("the elements are in place, but with its padding the one layout takes ");
        text.number(A::SLOTS);
        text.str(" elements and the other ");
        text.number(B::SLOTS);
        panic!("{}", text.as_str())
    }
}

const fn index(text: &mut Message, index: &Index) {
    text.byte(b'[');
    let index = index.as_slice();
    let mut dim = 0;
    while dim < index.len() {
        if dim > 0 {
            text.str(", ");
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
    offsets: [usize; 2],
) {
    text.str(operation);
    text.str(" moves no element: ");
    index(text, from);
    text.str(" lies at offset ");
    text.number(offsets[0]);
    text.str(" in the one layout and, as ");
    index(text, to);
    text.str(", at ");
    text.number(offsets[1]);
    text.str(" in the other");
}

/// Writes a layout.
pub(super) const fn layout(text: &mut Message, shape: &ArrayShape) {
    text.byte(b'`');
    text.str(shape.text().as_str());
    text.byte(b'`');
}
