//! XLA's element types as types, under XLA's names in upper case.

use layout_core::ElementType;

/// An element type of XLA.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of XLA",
    note = "element types are in `layout::element`"
)]
pub trait Element: sealed::Sealed + 'static {
    /// The same as a value.
    const TYPE: ElementType;
}

mod sealed {
    #[allow(unnameable_types, reason = "sealed")]
    pub trait Sealed {}
}

macro_rules! define {
    ($($variant:ident $name:literal $bits:literal,)*) => {$(
        #[doc = concat!("`", $name, "`: ", $bits, " bits.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $variant;

        impl sealed::Sealed for $variant {}

        impl Element for $variant {
            const TYPE: ElementType = ElementType::$variant;
        }
    )*};
}

layout_core::__for_each_element_type!(define);
