//! Stops where a view of another layout is impossible.

use layout_copy::bitcast::NotBitcast;
use layout_core::__private::Text;
use layout_core::ArrayShape;

use crate::compiled::AnyLayout;

/// A message.
pub(super) type Message = Text<1024>;

/// Stops where the new layout takes more memory than the view has. Less is enough: a view needs no padding.
#[track_caller]
pub(super) const fn room<A: AnyLayout, B: AnyLayout>() {
    if B::SLOTS > A::SLOTS {
        stop!(
            "no element would move, but the new layout takes ",
            B::SLOTS,
            " elements in memory, padding included, and the old one only ",
            A::SLOTS
        )
    }
}

/// Why an operation is not a view of the memory, and whether it would move elements: then a copy helps.
pub(super) const fn why(operation: &str, error: &NotBitcast) -> (Message, bool) {
    let mut text = Message::new();
    match error {
        NotBitcast::Moved { .. } => say!(text, "this ", operation, " would move elements: "),
        NotBitcast::Elements { .. } => text.str("a reshape keeps the number of elements: "),
        _ => {}
    }
    text.str(error.line().as_str());
    (text, matches!(error, NotBitcast::Moved { .. }))
}

/// A layout in quotes.
pub(super) const fn layout(text: &mut Message, shape: &ArrayShape) {
    say!(text, "`", shape.text().as_str(), "`");
}
