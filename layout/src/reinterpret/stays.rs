//! What keeps a view of one layout from being one of another, as errors of the compiler.

use layout_core::__private::{Displaced, Text};
use layout_core::ArrayShape;
use layout_core::limits::MAX_DIMS;

use crate::compiled::AnyLayout;

/// Room for a message with the texts of two layouts.
pub(super) type Message = Text<1024>;

/// Stops the build where elements have another size.
#[track_caller]
pub(super) const fn same_bits<A: AnyLayout, B: AnyLayout>() {
    if A::VALUE.element_bits() != B::VALUE.element_bits() {
        let mut text = Message::new();
        text.str("elements take ");
        text.number(A::VALUE.element_bits());
        text.str(" bits in the one layout and ");
        text.number(B::VALUE.element_bits());
        text.str(" in the other");
        panic!("{}", text.as_str())
    }
}

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

/// Writes an index.
pub(super) const fn index(text: &mut Message, index: &[usize; MAX_DIMS], rank: usize) {
    text.byte(b'[');
    let mut dim = 0;
    while dim < rank {
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
    ranks: [usize; 2],
    moved: &Displaced,
) {
    text.str(operation);
    text.str(" moves no element: ");
    index(text, &moved.from, ranks[0]);
    text.str(" lies at offset ");
    text.number(moved.offsets[0]);
    text.str(" in the one layout and, as ");
    index(text, &moved.to, ranks[1]);
    text.str(", at ");
    text.number(moved.offsets[1]);
    text.str(" in the other");
}

/// Writes a layout.
pub(super) const fn layout(text: &mut Message, shape: &ArrayShape) {
    text.byte(b'`');
    text.str(shape.text().as_str());
    text.byte(b'`');
}
