//! JAX's `Layout`.

mod read;

use core::fmt;

use crate::digit_order::NotExpressible;
use crate::notation::write::{PythonTuple, number, order_and_tiles};
use layout_core::limits::Size;
use layout_core::{ArrayShape, DimNumbers, ElementType, Tiles};

/// A layout as JAX's Python expression: `Layout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)))`.
///
/// It is read as Python and JAX print it: with arguments by name or in this order, `tiling=None`, and −2⁶³ for `*`.
/// `DeviceLocalLayout` is the class's older name. Of an array's `Format(layout=.., sharding=..)` the layout is read.
///
/// # Examples
/// ```
/// use layout_notation::notation::Jax;
///
/// let jax: Jax = "Layout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)), sub_byte_element_size_in_bits=0)".parse()?;
/// let shape = jax.layout(&"bf16[20,300]".parse()?)?;
/// assert_eq!(shape.to_string(), "bf16[20,300]{1,0:T(8,128)(2,1)}");
/// assert_eq!(Jax::of(&shape)?, jax);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Jax {
    major_to_minor: DimNumbers,
    tiles: Tiles,
    /// 0 if not said.
    element_bits: Size,
}

impl Jax {
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
    /// [`Widened`](NotExpressible::Widened) or [`Tail`](NotExpressible::Tail) if `PAD` widens a dimension or `L` adds
    /// slots.
    ///
    /// # Examples
    /// ```
    /// use layout_notation::notation::Jax;
    ///
    /// let shape: layout::ArrayShape = "bf16[20,300]{1,0:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(
    ///     Jax::of(&shape)?.to_string(),
    ///     "Layout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)))",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(shape: &ArrayShape) -> Result<Jax, NotExpressible> {
        order_and_tiles(shape)?;
        let is_packed = !shape.tiles().is_empty() && is_narrow_integer(shape.element_type());
        let bits = if is_packed { shape.element_bits() } else { 0 };
        Ok(Jax {
            major_to_minor: shape.major_to_minor(),
            tiles: *shape.tiles(),
            element_bits: shape.element_size_in_bits().unwrap_or(bits),
        })
    }

    /// The dimensions in the order of memory, most major first.
    pub fn major_to_minor(&self) -> &[usize] {
        &self.major_to_minor
    }

    /// The tiles, in the order in which they are applied.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }
}

impl fmt::Display for Jax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout(major_to_minor={}", PythonTuple(self.major_to_minor.iter()))?;
        // Without tiles JAX drops the size of an element, unless it is told that there are none.
        if !self.tiles.is_empty() || self.element_bits != 0 {
            let numbers = |tile| {
                PythonTuple(
                    (0..self.tiles.len_of(tile)).map(move |at| number(self.tiles.dim(tile, at))),
                )
            };
            write!(f, ", tiling={}", PythonTuple((0..self.tiles.len()).map(numbers)))?;
        }
        if self.element_bits != 0 {
            write!(f, ", sub_byte_element_size_in_bits={}", self.element_bits)?;
        }
        f.write_str(")")
    }
}

fn is_narrow_integer(element: ElementType) -> bool {
    element.bits() < 8 && !element.is_float() && !matches!(element, ElementType::PRED)
}
