//! Errors whose values stand beside their texts.

/// `reasons! { pub enum Reason { /// .. Name { field: Type } => "what is wrong with ", field => "what to write instead"; } }`:
/// an enum with `line`, the text of what is wrong, and `help`, which is empty where a value gives none. Parts of texts are those
/// of `say!`, so both work in a `const`. A value may hold another error too: `Shape(fault: Fault) => &fault.line();`.
#[doc(hidden)]
#[macro_export]
macro_rules! reasons {
    (
        $(#[$about:meta])*
        pub enum $Error:ident {
            $(
                $(#[$doc:meta])*
                $Value:ident $({ $($field:ident: $Type:ty),* $(,)? })? $(($inner:ident: $Inner:ty))?
                    => $($part:expr),+ $(=> $($help:expr),+)?;
            )*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the texts say what the fields are")]
        pub enum $Error {
            $($(#[$doc])* $Value $({ $($field: $Type),* })? $(($Inner))?,)*
        }

        impl $Error {
            /// What is wrong.
            #[doc(hidden)]
            #[must_use]
            pub const fn line(&self) -> $crate::base::text::Line {
                let [line, _] = self.line_and_help();
                line
            }

            /// What to write instead.
            #[doc(hidden)]
            #[must_use]
            pub const fn help(&self) -> $crate::base::text::Line {
                let [_, help] = self.line_and_help();
                help
            }

            #[allow(unused_mut, reason = "some errors have no help")]
            const fn line_and_help(&self) -> [$crate::base::text::Line; 2] {
                let (mut line, mut help) = ($crate::base::text::Text::new(), $crate::base::text::Text::new());
                match *self {
                    $($Error::$Value $({ $($field),* })? $(($inner))? => {
                        $crate::say!(line, $($part),+);
                        $($crate::say!(help, $($help),+);)?
                    })*
                }
                [line, help]
            }
        }
    };
}

/// [`reasons!`](crate::reasons) of an error that stands alone: it displays its line, and `or_panic` stops a build with it.
#[doc(hidden)]
#[macro_export]
macro_rules! errors {
    ($(#[$about:meta])* pub enum $Error:ident $values:tt) => {
        $crate::reasons! { $(#[$about])* pub enum $Error $values }

        impl $Error {
            /// The value of a result, or a panic with the text of the error: in a `const`, a compile error.
            ///
            /// # Panics
            /// If the result is an error.
            #[track_caller]
            pub const fn or_panic<T: Copy>(result: Result<T, $Error>) -> T {
                match result {
                    Ok(value) => value,
                    Err(error) => panic!("{}", error.line().as_str()),
                }
            }
        }

        impl core::fmt::Display for $Error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.line().as_str())
            }
        }

        // The message includes the inner fault's, so `source` does not return that fault.
        impl core::error::Error for $Error {}
    };
}
