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
        say!(
            text,
            "no element would move, but the new layout takes ",
            B::SLOTS,
            " elements in memory, padding included, and the old one only ",
            A::SLOTS
        );
        panic!("{}", text.as_str())
    }
}

const fn index(text: &mut Message, index: &Index) {
    text.byte(b'[');
    let index = index.as_slice();
    each!(for dim in 0..index.len() {
        if dim > 0 {
            text.byte(b',');
        }
        text.number(index[dim]);
    });
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
    say!(text, "this ", operation, " would move elements: ");
    index(text, from);
    say!(text, " is at offset ", offsets[0], ", but ");
    index(text, to);
    say!(text, " at offset ", offsets[1]);
}

/// Writes a layout.
pub(super) const fn layout(text: &mut Message, shape: &ArrayShape) {
    say!(text, "`", shape.text().as_str(), "`");
}
