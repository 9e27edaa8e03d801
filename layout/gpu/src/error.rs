//! `?` for faults of shapes, which every room of the GPU has.

/// `sound!(Error, result)`: `result?`, where a [`Fault`](layout_core::Fault) becomes the error's `Shape`.
macro_rules! sound {
    ($Error:ident, $result:expr) => {
        match $result {
            Ok(value) => value,
            Err(fault) => return Err($Error::Shape { fault }),
        }
    };
}
