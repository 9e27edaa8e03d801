//! What the errors of all rooms of the GPU have.

/// Gives an error with `const fn line(&self)` its `Display`, and a way to stop the build with its text.
macro_rules! const_error {
    ($Error:ident) => {
        impl $Error {
            /// The value of a result, or a panic with the text of the error: in a `const`, a compile error.
            ///
            /// # Panics
            /// If the result is an error.
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

        // A message has that of the fault that it holds, so that is no source.
        impl core::error::Error for $Error {}
    };
}
