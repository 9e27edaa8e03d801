//! The contents of memory as a numpy expression.

use core::fmt;

use crate::digit_order::NotExpressible;
use crate::notation::write::{PythonTuple, has_tail, separated};
use layout_core::analysis::PadReshapeTranspose;
use layout_core::limits::{MAX_BOUNDS, MAX_DIMS, Size};
use layout_core::{ArrayShape, ElementType, Fill, List};

/// A Python expression that computes the contents of memory from an array `x`: `np.pad(x, ((0, 1), (0,
/// 1))).reshape(2, 2, 3, 2).transpose(0, 2, 1, 3).reshape(-1)`.
///
/// It is printed, not read: to read a layout of numpy's, write it as a pattern ([`Einops`](crate::notation::Einops)).
#[derive(Clone, Copy)]
pub struct Numpy<'a>(&'a ArrayShape);

impl<'a> Numpy<'a> {
    /// A numpy expression that computes the contents of memory from the array `x`, one element for each slot:
    /// pad–reshape–transpose, tile by tile. It is useful to test kernels and to check dumps.
    ///
    /// All padding, that of tiles and `L` included, has the value of `FILL`, and 0 without `FILL`, for
    /// `unknown`, and for the lowest or highest complex number. `E(n)`, the width of a slot, has no effect.
    /// The expression also works with `jax.numpy` imported as `np`.
    ///
    /// Defined by XLA's document "Tiled layout" ("tiling as pad, reshape, transpose").
    ///
    /// # Errors
    /// [`UnknownSize`](NotExpressible::UnknownSize) for `?`.
    ///
    /// # Examples
    /// ```
    /// use layout_notation::notation::Numpy;
    ///
    /// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(
    ///     Numpy::of(&shape)?.to_string(),
    ///     "np.pad(x, ((0, 1), (0, 1))).reshape(2, 2, 3, 2).transpose(0, 2, 1, 3).reshape(-1)",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(shape: &'a ArrayShape) -> Result<Numpy<'a>, NotExpressible> {
        match shape.unknown_size() {
            Some(error) => Err(NotExpressible::UnknownSize(error)),
            None if !shape.swizzle().is_none() => Err(NotExpressible::Swizzle),
            None => Ok(Numpy(shape)),
        }
    }

    /// The inverse: an expression that computes the array from `memory`, its one-dimensional contents of
    /// memory. It reads dumps; padding may have any value.
    ///
    /// # Examples
    /// ```
    /// use layout_notation::notation::Numpy;
    ///
    /// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(
    ///     Numpy::of(&shape)?.inverse().to_string(),
    ///     "memory.reshape(2, 3, 2, 2).transpose(0, 2, 1, 3).reshape(4, 6)[:3, :5]",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inverse(self) -> NumpyInverse<'a> {
        NumpyInverse(self)
    }
}

/// A Python expression that computes an array from its contents of memory, `memory`: `memory.reshape(2, 3, 2,
/// 2).transpose(0, 2, 1, 3).reshape(4, 6)[:3, :5]`.
#[derive(Clone, Copy)]
pub struct NumpyInverse<'a>(Numpy<'a>);

impl fmt::Display for NumpyInverse<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NumpyInverse(Numpy(shape)) = *self;
        f.write_str("memory")?;
        let dims = shape.dims().iter().map(|dim| dim.size().unwrap_or(0));
        if shape.elements() == Some(0) {
            return reshape(f, dims);
        }
        if let (true, Some(physical)) = (has_tail(shape), shape.physical_elements()) {
            cut(f, [physical])?;
        }
        if let Some(physical) = shape.physical_dims() {
            reshape(f, &*physical)?;
        }
        for tile in (0..shape.tiles().len()).rev() {
            let Some(step) = PadReshapeTranspose::of(shape).nth(tile) else { continue };
            transpose_back(f, &step.permutation)?;
            reshape(f, &*step.padded)?;
            if step.padded != step.combined {
                cut(f, &*step.combined)?;
            }
            match tile.checked_sub(1).and_then(|before| PadReshapeTranspose::of(shape).nth(before))
            {
                Some(before) if before.result != step.combined => reshape(f, &*before.result)?,
                None if widths(shape) != step.combined => reshape(f, &*widths(shape))?,
                _ => {}
            }
        }
        transpose_back(f, &shape.major_to_minor())?;
        if shape.is_widened() { cut(f, dims) } else { Ok(()) }
    }
}

impl fmt::Display for Numpy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Numpy(shape) = *self;
        // An array without elements has no memory, even if it is padded.
        if shape.elements() == Some(0) {
            return f.write_str("x.reshape(-1)");
        }
        let mut pads = usize::from(shape.is_widened()) + usize::from(has_tail(shape));
        pads += PadReshapeTranspose::of(shape).filter(|step| step.padded != step.combined).count();
        for _ in 0..pads {
            f.write_str("np.pad(")?;
        }
        f.write_str("x")?;

        let value = PaddingValue(shape.fill(), shape.element_type());
        let dims = |dim: usize| shape.dims()[dim].size().unwrap_or(0);
        if shape.is_widened() {
            let widths = (0..shape.rank()).map(|dim| Widths(shape.width(dim) - dims(dim)));
            value.pad(f, PythonTuple(widths))?;
        }
        transpose(f, &shape.major_to_minor())?;
        let before = widths(shape);
        let mut bounds = &*before;
        let mut last;
        for step in PadReshapeTranspose::of(shape) {
            if step.padded != step.combined {
                if step.combined != bounds {
                    reshape(f, &*step.combined)?;
                }
                let widths = step.combined.iter().zip(&*step.padded);
                value.pad(f, PythonTuple(widths.map(|(bound, padded)| Widths(padded - bound))))?;
            }
            reshape(f, &*step.reshaped)?;
            transpose(f, &step.permutation)?;
            last = step.result;
            bounds = &*last;
        }
        f.write_str(".reshape(-1)")?;
        if let (true, Some(physical), Some(padded)) =
            (has_tail(shape), shape.physical_elements(), shape.padded_elements())
        {
            value.pad(f, Widths(padded - physical))?;
        }
        Ok(())
    }
}

/// Bounds in physical order before the first tile.
fn widths(shape: &ArrayShape) -> List<MAX_DIMS> {
    let mut widths = List::new();
    for &dim in &*shape.major_to_minor() {
        widths.push(shape.width(dim));
    }
    widths
}

fn reshape<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    bounds: impl IntoIterator<Item = T>,
) -> fmt::Result {
    let mut bounds = bounds.into_iter().peekable();
    if bounds.peek().is_none() {
        return f.write_str(".reshape(())");
    }
    f.write_str(".reshape(")?;
    separated(f, bounds, ", ")?;
    f.write_str(")")
}

fn transpose(f: &mut fmt::Formatter<'_>, permutation: &[usize]) -> fmt::Result {
    if permutation.is_sorted() {
        return Ok(());
    }
    f.write_str(".transpose(")?;
    separated(f, permutation, ", ")?;
    f.write_str(")")
}

/// What undoes `transpose`.
fn transpose_back(f: &mut fmt::Formatter<'_>, permutation: &[usize]) -> fmt::Result {
    let mut inverse = List::<MAX_BOUNDS, usize>::new();
    for to in 0..permutation.len() {
        inverse.push(permutation.iter().position(|&from| from == to).unwrap_or(to));
    }
    transpose(f, &inverse)
}

/// What undoes `np.pad`.
fn cut<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    bounds: impl IntoIterator<Item = T>,
) -> fmt::Result {
    f.write_str("[:")?;
    separated(f, bounds, ", :")?;
    f.write_str("]")
}

/// Slots before and after a dimension.
struct Widths(Size);

impl fmt::Display for Widths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(0, {})", self.0)
    }
}

/// The value of padding.
#[derive(Clone, Copy)]
struct PaddingValue(Option<Fill>, ElementType);

impl PaddingValue {
    fn bits(self) -> u128 {
        self.0.and_then(|fill| fill.bits(self.1)).unwrap_or(0)
    }

    /// Writes the arguments of `np.pad` after the array.
    fn pad(self, f: &mut fmt::Formatter<'_>, widths: impl fmt::Display) -> fmt::Result {
        write!(f, ", {widths}")?;
        if self.bits() != 0 || !self.1.has_zero() {
            write!(f, ", constant_values={self}")?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for PaddingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (PaddingValue(fill, element), bits) = (*self, self.bits());
        match fill {
            _ if bits == 0 && element.has_zero() => f.write_str("0"),
            // Also of complex numbers.
            Some(Fill::One) if element.bits() > 8 || element.is_float() => f.write_str("1"),
            _ if element.is_float() => {
                write!(f, "np.uint{}({bits}).view(x.dtype)", 8 * element.bytes())
            }
            _ => write!(f, "{}", bits as i128),
        }
    }
}
