//! Notations by their names.

/// Makes [`Notation`](super::Notation) of the table in `notation.rs`.
macro_rules! notations {
    ($($type:ident $name:literal $example:literal $array:literal [$($head:literal),*];)*) => {
        named! {
            /// A notation that says the layout of an array whose element type and sizes are given apart.
            ///
            /// # Examples
            /// ```
            /// use layout_notation::notation::Notation;
            ///
            /// let notation = Notation::from_name("onednn").unwrap();
            /// let shape = notation.read("nChw16c")?.layout(&"f32[2,40,5,7]".parse()?)?;
            /// assert_eq!(shape.to_string(), "f32[2,40,5,7]{3,2,1,0:T(16,1,1)}");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[non_exhaustive]
            pub enum Notation {
                $(#[doc = concat!("[`", stringify!($type), "`].")] $type = $name,)*
            }
        }

        /// A text of one of the notations, read by [`Notation::read`].
        #[derive(Clone, Copy, Debug)]
        #[allow(clippy::large_enum_variant, reason = "it needs no heap")]
        #[non_exhaustive]
        pub enum AnyNotation {
            $(#[doc = concat!("[`", stringify!($type), "`].")] $type($type),)*
        }

        impl Notation {
            /// A text of it.
            pub const fn example(self) -> &'static str {
                match self {
                    $(Notation::$type => $example,)*
                }
            }

            /// An array that the [`example`](Self::example) lays out.
            pub const fn example_array(self) -> &'static str {
                match self {
                    $(Notation::$type => $array,)*
                }
            }

            /// The notation of a text that begins as texts of no other notation do.
            ///
            /// # Examples
            /// ```
            /// use layout_notation::notation::Notation;
            ///
            /// assert_eq!(Notation::of_text("Layout(major_to_minor=(0, 1))"), Some(Notation::Jax));
            /// assert_eq!(Notation::of_text("dst:f32:p:blocked:aBcd16b::f0"), Some(Notation::OneDnn));
            /// assert_eq!(Notation::of_text("(4,2):(1,4)"), Some(Notation::Cute));
            /// assert_eq!(Notation::of_text("nChw16c"), None);
            /// ```
            pub fn of_text(text: &str) -> Option<Notation> {
                $(if [$($head),*].iter().any(|head: &&str| text.starts_with(head)) {
                    return Some(Notation::$type);
                })*
                let first = text.trim_start_matches('(');
                if first.len() < text.len() && first.starts_with(|c: char| c.is_ascii_digit() || c == '_') {
                    return Some(Notation::Cute);
                }
                let is_descriptor = |kind: &&str| text.contains(kind);
                [crate::notation::tag::BLOCKED, ":any:"].iter().any(is_descriptor).then_some(Notation::OneDnn)
            }

            /// Reads a text.
            ///
            /// # Errors
            /// If the text is not one of the notation.
            pub fn read(self, text: &str) -> Result<AnyNotation, layout_core::Error> {
                match self {
                    $(Notation::$type => text.parse().map(AnyNotation::$type),)*
                }
            }

            /// The layout of an array in it.
            ///
            /// # Errors
            /// If the notation does not express the layout.
            ///
            /// # Examples
            /// ```
            /// use layout_notation::notation::Notation;
            ///
            /// let shape: layout::ArrayShape = "f32[2,40,5,7]{3,2,1,0:T(16,1,1)}".parse()?;
            /// assert_eq!(Notation::OneDnn.of(&shape)?.to_string(), "aBcd16b");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn of(self, shape: &ArrayShape) -> Result<AnyNotation, NotExpressible> {
                match self {
                    $(Notation::$type => $type::of(shape).map(AnyNotation::$type),)*
                }
            }
        }

        impl AnyNotation {
            /// The array laid out as the text says. Its own order, tiles and `PAD` are dropped.
            ///
            /// # Errors
            /// If the text does not say a layout of the array.
            pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
                match self {
                    $(AnyNotation::$type(read) => read.layout(array),)*
                }
            }
        }

        impl core::fmt::Display for AnyNotation {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $(AnyNotation::$type(said) => said.fmt(f),)*
                }
            }
        }

        debug_as_text! { $($type),* }
    };
}

pub(super) use notations;
