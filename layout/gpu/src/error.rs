//! What the errors of all rooms of the GPU have.

/// `errors! { pub enum Error { /// .. Name { field: Type } => "text ", field, "..": }`: an error enum whose values stand beside
/// their texts. `line` is that text in a `const` too, and `or_panic` stops a build with it.
macro_rules! errors {
    (
        $(#[$about:meta])*
        pub enum $Error:ident {
            $($(#[$doc:meta])* $Value:ident $({ $($field:ident: $Type:ty),* })? => $($part:expr),+;)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the texts say what the fields are")]
        pub enum $Error {
            $($(#[$doc])* $Value $({ $($field: $Type),* })?,)*
        }

        impl $Error {
            pub(crate) const fn line(&self) -> layout_core::base::text::Text<640> {
                match *self {
                    $($Error::$Value { $($($field),*)? } => text!($($part),+),)*
                }
            }

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

/// `sound!(Error, result)`: `result?`, where a [`Fault`](layout_core::Fault) becomes the error's `Shape`.
macro_rules! sound {
    ($Error:ident, $result:expr) => {
        match $result {
            Ok(value) => value,
            Err(fault) => return Err($Error::Shape { fault }),
        }
    };
}
