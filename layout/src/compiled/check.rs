//! What only the types can know is checked where a macro names it.

use layout_core::{ArrayShape, Size};

use crate::compiled::{AnyLayout, KNOWN_AT_RUN_TIME, stop};
use crate::spec::tiles::TileSpec;

/// Most elements and bytes of a layout's type: what the target's memory can hold.
pub(crate) const MOST: Size = isize::MAX as Size;

/// Whether `A`, whose tiles are named `T`, is a layout; stops the build at the place that asks if
/// it is not.
#[track_caller]
pub const fn check<T: TileSpec, A: AnyLayout>() -> bool {
    if let Err(fault) = A::BUILT {
        stop(fault.line().as_str())
    }
    true
}

/// Whether the target has a layout that was read on the machine that compiles; stops the build at the
/// place that asks if it does not. In the type, numbers that do not fit were cut off: the compiler does not
/// warn of literals from a macro.
#[track_caller]
pub const fn check_text(text: &str) -> bool {
    match ArrayShape::parse_const(text) {
        Ok(shape) => {
            if let Some(fault) = shape.fault_within(MOST) {
                stop(fault.line().as_str())
            }
        }
        Err(error) => stop(error.faults()[0].line().as_str()),
    }
    true
}

/// Whether `A` takes at most `limit` times the memory of its elements.
///
/// # Panics
/// If it takes more, or has sizes that are known at run time only: that stops the build, at the place that
/// asks.
#[track_caller]
pub const fn check_expansion<A: AnyLayout>(limit: f64) -> bool {
    let shape = A::VALUE;
    if shape.expansion().is_none() {
        stop(KNOWN_AT_RUN_TIME)
    }
    if let Some(excess) = shape.excess(limit) {
        stop!(excess.message.as_str(), " (help: ", excess.help.as_str(), ")")
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
