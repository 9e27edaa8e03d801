//! What only the types can know is checked where a macro names it.

use layout_core::__private::Text;

use crate::compiled::AnyLayout;
use crate::types::tiles::TileSpec;

/// Whether `A`, whose tiles are named `T`, is a layout; stops the build at the place that asks if
/// it is not.
#[track_caller]
pub const fn check<T: TileSpec, A: AnyLayout>() -> bool {
    if let Err(fault) = A::BUILT {
        crate::compiled::fail(fault)
    }
    true
}

/// Whether `A` takes at most `limit` times the memory of its elements; stops the build at the place that
/// asks if it does not.
#[track_caller]
pub const fn check_expansion<A: AnyLayout>(limit: f64) -> bool {
    let shape = A::VALUE;
    if shape.expansion().is_none() {
        crate::compiled::stop(crate::compiled::KNOWN_AT_RUN_TIME)
    }
    if let Some(excess) = shape.excess(limit) {
        let mut text = Text::<1024>::new();
        text.str(excess.message.as_str());
        text.str(" (help: ");
        text.str(excess.help.as_str());
        text.str(")");
        panic!("{}", text.as_str())
    }
    true
}

/// A layout that passed the check, as a detour to itself.
pub trait Valid<const CHECKED: bool> {
    /// The layout.
    type Type;
}

impl<A> Valid<true> for A {
    type Type = A;
}
