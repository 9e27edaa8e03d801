//! Every kind of XLA shape.

pub(crate) mod array;
pub(crate) mod dim;
pub(crate) mod element;
pub(crate) mod fill;
pub mod memory_space;
pub mod print;
pub(crate) mod property;
pub(crate) mod splits;
pub(crate) mod swizzle;
pub(crate) mod tiles;
pub(crate) mod unknown_size;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, DerefMut};

pub use array::ArrayFields;
pub use array::ArrayShape;
pub use dim::Dim;
pub use element::ElementType;
pub use fill::Fill;
pub use property::Property;
pub use splits::Splits;
pub use swizzle::{Swizzle, SwizzleUnit, XorBits};
pub use tiles::{TileDim, TileDims, Tiles};
pub use unknown_size::UnknownSize;

/// An XLA shape: the type of a value, with its layout.
///
/// # Examples
/// ```
/// # #[cfg(feature = "alloc")] {
/// use layout::Shape;
///
/// let shape: Shape = "(f32[2,3], token[])".parse()?;
/// assert_eq!(shape.to_string(), "(f32[2,3]{1,0}, token[])");
/// # }
/// # Ok::<(), layout::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// `f32[3,5]{1,0}`: an array. A scalar is an array without dimensions.
    Array(ArrayShape),
    /// `(f32[], s32[2]{0})`: a tuple of shapes. Without the feature `alloc` it has no values.
    Tuple(Tuple),
    /// `token[]`: orders side effects and takes no memory.
    Token,
    /// `opaque[]`: a value that XLA knows nothing about.
    Opaque,
    /// `b(f32[2]{0})`: a buffer that holds an array.
    Buffer(ArrayShape),
}

/// The parts of a [`Shape::Tuple`], on the heap: make one from a `Vec`, use it as a slice.
///
/// The type exists without the feature `alloc` too, without values, so that code that matches on shapes
/// compiles either way.
///
/// # Examples
/// ```
/// # #[cfg(feature = "alloc")] {
/// use layout::Shape;
///
/// let Shape::Tuple(parts) = "(f32[2], token[])".parse()? else { panic!() };
/// assert_eq!(parts.len(), 2);
/// assert_eq!(parts[1], Shape::Token);
/// assert_eq!(Shape::Tuple(vec![parts[0].clone()].into()).to_string(), "(f32[2]{0})");
/// # }
/// # Ok::<(), layout::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Tuple(TupleParts);

#[cfg(feature = "alloc")]
type TupleParts = Vec<Shape>;
#[cfg(not(feature = "alloc"))]
type TupleParts = core::convert::Infallible;

impl Deref for Tuple {
    type Target = [Shape];

    fn deref(&self) -> &[Shape] {
        #[cfg(feature = "alloc")]
        return &self.0;
        #[cfg(not(feature = "alloc"))]
        match self.0 {}
    }
}

impl DerefMut for Tuple {
    fn deref_mut(&mut self) -> &mut [Shape] {
        #[cfg(feature = "alloc")]
        return &mut self.0;
        #[cfg(not(feature = "alloc"))]
        match self.0 {}
    }
}

impl fmt::Debug for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(feature = "alloc")]
impl From<Vec<Shape>> for Tuple {
    fn from(parts: Vec<Shape>) -> Tuple {
        Tuple(parts)
    }
}

#[cfg(feature = "alloc")]
impl From<Tuple> for Vec<Shape> {
    fn from(tuple: Tuple) -> Vec<Shape> {
        tuple.0
    }
}

impl Shape {
    /// The array, if the shape is one.
    pub const fn as_array(&self) -> Option<&ArrayShape> {
        match self {
            Shape::Array(array) => Some(array),
            _ => None,
        }
    }
}

impl From<ArrayShape> for Shape {
    fn from(array: ArrayShape) -> Shape {
        Shape::Array(array)
    }
}

/// The canonical text, as XLA prints it.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Array(array) => fmt::Display::fmt(array, f),
            Shape::Buffer(array) => write!(f, "b({array})"),
            Shape::Token => f.write_str("token[]"),
            Shape::Opaque => f.write_str("opaque[]"),
            Shape::Tuple(parts) => {
                f.write_str("(")?;
                for (i, part) in parts.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                        if i % 5 == 0 {
                            write!(f, "/*index={i}*/")?;
                        }
                    }
                    fmt::Display::fmt(part, f)?;
                }
                f.write_str(")")
            }
        }
    }
}
