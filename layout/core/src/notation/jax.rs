//! JAX's `Layout`.

use core::fmt;

use crate::notation::Tuple;
use crate::notation::error::NotationError;
use crate::shape::array::ArrayShape;
use crate::shape::element::ElementType;

/// A layout as JAX's Python expression: `Layout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)))`.
#[derive(Clone, Copy)]
pub struct Jax<'a>(&'a ArrayShape);

impl ArrayShape {
    /// The layout as JAX's `Layout`, to pass to `jax.experimental.layout.Format` or to compare with an
    /// array's `format`.
    ///
    /// Sizes of dimensions may be unknown. JAX lists the most major dimension first. A `*` is −2⁶³, as in
    /// XLA. With tiles, JAX assumes that integers narrower than a byte are packed; if the layout gives them
    /// whole bytes, the text says so, as for `E(8)`.
    ///
    /// Defined by `jax/_src/layout.py`.
    ///
    /// # Errors
    /// [`Widened`](NotationError::Widened) or [`Tail`](NotationError::Tail) if `PAD` widens a dimension or `L` adds
    /// slots.
    ///
    /// # Examples
    /// ```
    /// let shape: layout_core::ArrayShape = "bf16[20,300]{1,0:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(
    ///     shape.jax().unwrap().to_string(),
    ///     "Layout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)))",
    /// );
    /// # Ok::<(), layout_core::Error>(())
    /// ```
    pub const fn jax(&self) -> Result<Jax<'_>, NotationError> {
        match self.without_slots() {
            Ok(()) => Ok(Jax(self)),
            Err(error) => Err(error),
        }
    }
}

impl fmt::Display for Jax<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Jax(shape) = self;
        write!(f, "Layout(major_to_minor={}", Tuple(shape.major_to_minor().iter()))?;
        let bits = match shape.element_size_in_bits() {
            Some(bits) => bits,
            None if !shape.tiles.is_empty() && is_narrow_integer(shape.element) => {
                shape.element_bits()
            }
            None => 0,
        };
        // Without tiles JAX drops the size of an element, unless it is told that there are none.
        if !shape.tiles.is_empty() || bits != 0 {
            let numbers = |tile| {
                let tile: &[_] = shape.tiles.get(tile);
                Tuple(tile.iter().map(|dim| dim.number()))
            };
            write!(f, ", tiling={}", Tuple((0..shape.tiles.len()).map(numbers)))?;
        }
        if bits != 0 {
            write!(f, ", sub_byte_element_size_in_bits={bits}")?;
        }
        f.write_str(")")
    }
}

const fn is_narrow_integer(element: ElementType) -> bool {
    element.bits() < 8 && !element.is_float() && !matches!(element, ElementType::PRED)
}

impl fmt::Debug for Jax<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
