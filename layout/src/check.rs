//! What only the types can know is checked where a macro names it.

use crate::any::AnyLayout;
use crate::tiles::TileSpec;

/// Whether `A`, whose tiles are named `T`, is a layout; stops the build at the place that asks if
/// it is not.
#[track_caller]
pub const fn check<T: TileSpec, A: AnyLayout>() -> bool {
    if let Err(fault) = A::BUILT {
        crate::any::fail(fault)
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
