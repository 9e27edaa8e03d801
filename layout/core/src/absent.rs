//! Stand-ins for methods of features that are off: a call does not compile, and the error names the feature.

use crate::shape::array::ArrayShape;

/// A trait that nothing implements.
#[diagnostic::on_unimplemented(
    message = "this needs the feature `code`",
    label = "the feature is off",
    note = "features are switched on in `Cargo.toml`: `layout = {{ package = \"tiled-layout\", features = [..] }}`"
)]
#[allow(unnameable_types, reason = "only errors of the compiler name it")]
pub trait NeedsCode {}

impl ArrayShape {
    #[doc(hidden)]
    pub fn code(&self, language: impl NeedsCode) {
        let _ = language;
    }
}
