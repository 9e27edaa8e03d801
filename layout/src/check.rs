//! What only the types can know is checked where a macro names it.

use crate::compiled::Compiled;

/// Whether a type is a layout; stops the build at the place that asks if it is not.
pub const fn check<A: Compiled>() -> bool {
    const { A::VALID }
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
