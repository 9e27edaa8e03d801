//! `?` for faults of shapes, which every room of the GPU has.

/// `shape_ok!(Error, result)`: `result?`, where a `layout::shape::Fault` becomes the error's `Shape`.
macro_rules! shape_ok {
    ($Error:ident, $result:expr) => {
        match $result {
            Ok(value) => value,
            Err(fault) => return Err($Error::Shape { fault }),
        }
    };
}
