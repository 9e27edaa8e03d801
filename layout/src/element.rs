//! XLA's element types as types, under XLA's names in upper case.

use layout_spec::ElementType;

/// An element type of XLA.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of XLA",
    note = "element types are in `layout::element`"
)]
pub trait Element: 'static {
    /// The same as a value.
    const TYPE: ElementType;
}

macro_rules! define {
    ($($variant:ident $name:literal $bits:literal,)*) => {$(
        #[doc = concat!("`", $name, "`: ", $bits, " bits.")]
        pub struct $variant;

        impl Element for $variant {
            const TYPE: ElementType = ElementType::$variant;
        }
    )*};
}

layout_spec::__for_each_element_type!(define);
