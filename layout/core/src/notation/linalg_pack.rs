//! MLIR's `linalg.pack`.

mod read;
mod text;

use core::fmt;

pub use read::Packs;

use crate::analysis::pad_reshape_transpose::{Bounds, PadReshapeTranspose};
use crate::analysis::size::DimNumbers;
use crate::base::list::List;
use crate::base::width::native;
use crate::limits::{MAX_TILE_DIMS, Size};
use crate::notation::error::NotationError;
use crate::notation::separated;
use crate::shape::array::ArrayShape;
use crate::shape::element::ElementType;
use crate::shape::fill::Fill;

/// A layout as MLIR operations: one `linalg.pack` for each tile.
///
/// It displays the operations that compute the result of the last pack (`%packed_0` for one tile) from a
/// tensor `%x` of the array's shape. [`packs`](LinalgPack::packs) gives the attributes. [`Packs`] reads both.
#[derive(Clone, Copy)]
pub struct LinalgPack<'a>(&'a ArrayShape);

// The lengths of the lists of sizes in a tile, below.
const _: () = assert!(MAX_TILE_DIMS == 32);

/// The attributes of a `linalg.pack`. Dimensions are those of the packed tensor.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Pack {
    /// Sizes of the operand, dimension 0 first.
    pub source: Bounds,
    /// The operand's dimension for each outer dimension of the result; `None` if they stay in order.
    pub outer_dims_perm: Option<DimNumbers>,
    /// The operand's dimension for each size of the tile.
    pub inner_dims_pos: List<32, usize>,
    /// Sizes of the tile.
    pub inner_tiles: List<32>,
    /// Whether tiles extend past the array, so a `padding_value` is needed.
    pub is_padded: bool,
    /// Sizes of the result.
    pub dest: Bounds,
}

impl ArrayShape {
    /// The layout as a sequence of `linalg.pack`, one for each tile: the last result in row-major order is
    /// the contents of memory. `padding_value` is that of `FILL`, and zero without `FILL`, for `unknown`, and
    /// for the lowest or highest complex number.
    ///
    /// Element types become MLIR's types without sign: `u8` is `i8`, `pred` is `i1`.
    ///
    /// Defined by `Linalg_PackOp` in MLIR (`LinalgRelayoutOps.td`).
    ///
    /// # Errors
    /// If the layout is not a sequence of packs:
    /// - [`Untiled`](NotationError::Untiled) without tiles.
    /// - [`TileTooLong`](NotationError::TileTooLong) or [`Combined`](NotationError::Combined) if a tile has more
    ///   entries than what it covers has dimensions, or a `*`: both reshape first.
    /// - [`Widened`](NotationError::Widened) or [`Tail`](NotationError::Tail) if `PAD` widens a dimension or `L`
    ///   adds slots.
    /// - [`UnknownSize`](NotationError::UnknownSize) for `?`.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "bf16[256,512]{0,1:T(8,128)(2,1)}".parse()?;
    /// let attributes = shape.linalg_pack().unwrap().packs().map(|pack| pack.to_string());
    /// assert!(attributes.eq([
    ///     "outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 128]",
    ///     "inner_dims_pos = [2, 3] inner_tiles = [2, 1]",
    /// ]));
    ///
    /// let ragged: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(ragged.linalg_pack().unwrap().to_string(), "\
    /// %padding = arith.constant 0.0 : f32
    /// %empty_0 = tensor.empty() : tensor<2x3x2x2xf32>
    /// %packed_0 = linalg.pack %x padding_value(%padding : f32) inner_dims_pos = [0, 1] \
    /// inner_tiles = [2, 2] into %empty_0 : tensor<3x5xf32> -> tensor<2x3x2x2xf32>
    /// ");
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub fn linalg_pack(&self) -> Result<LinalgPack<'_>, NotationError> {
        if let Some(error) = self.unknown_size() {
            return Err(NotationError::UnknownSize(error));
        }
        self.without_slots()?;
        if self.tiles.is_empty() {
            return Err(NotationError::Untiled);
        }
        if !self.tiles.have_sizes() {
            return Err(NotationError::Combined);
        }
        let mut bounds = self.rank();
        for tile in self.tiles.iter() {
            if tile.len() > bounds {
                return Err(NotationError::TileTooLong);
            }
            bounds += tile.len();
        }
        Ok(LinalgPack(self))
    }
}

impl<'a> LinalgPack<'a> {
    /// The packs in the order in which they are applied; there is at least one.
    pub fn packs(&self) -> impl ExactSizeIterator<Item = Pack> + use<'a> {
        let LinalgPack(shape) = *self;
        let mut source = Bounds::new();
        for dim in shape.dims() {
            source.push(dim.size().unwrap_or(0));
        }
        Steps { shape, steps: shape.pad_reshape_transpose(), source }
    }
}

struct Steps<'a> {
    shape: &'a ArrayShape,
    steps: PadReshapeTranspose<'a>,
    source: Bounds,
}

impl Iterator for Steps<'_> {
    type Item = Pack;

    fn next(&mut self) -> Option<Pack> {
        let step = self.steps.next()?;
        let tile = self.shape.tiles.get(step.tile);
        // The first pack takes the array with its dimensions as they are numbered.
        let order = self.shape.major_to_minor();
        let is_first = step.tile == 0;
        let mut pack = Pack {
            source: self.source,
            outer_dims_perm: (is_first && !order.is_sorted()).then_some(order),
            inner_dims_pos: List::new(),
            inner_tiles: List::new(),
            is_padded: step.padded != step.combined,
            dest: step.result,
        };
        let before = step.combined.len() - tile.len();
        for (i, &size) in step.result[step.result.len() - tile.len()..].iter().enumerate() {
            pack.inner_dims_pos.push(if is_first { order[before + i] } else { before + i });
            pack.inner_tiles.push(size);
        }
        self.source = step.result;
        Some(pack)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.steps.size_hint()
    }
}

impl ExactSizeIterator for Steps<'_> {}

impl fmt::Display for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let permutation = self.outer_dims_perm.as_ref().map(|dims| dims.iter());
        write_attributes(f, permutation, self.inner_dims_pos.iter(), self.inner_tiles.iter())
    }
}

/// The attributes as the operation has them.
fn write_attributes(
    f: &mut fmt::Formatter<'_>,
    outer_dims_perm: Option<impl Iterator<Item = impl fmt::Display>>,
    inner_dims_pos: impl Iterator<Item = impl fmt::Display>,
    inner_tiles: impl Iterator<Item = impl fmt::Display>,
) -> fmt::Result {
    if let Some(permutation) = outer_dims_perm {
        f.write_str("outer_dims_perm = [")?;
        separated(f, permutation, ", ")?;
        f.write_str("] ")?;
    }
    f.write_str("inner_dims_pos = [")?;
    separated(f, inner_dims_pos, ", ")?;
    f.write_str("] inner_tiles = [")?;
    separated(f, inner_tiles, ", ")?;
    f.write_str("]")
}

impl fmt::Display for LinalgPack<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LinalgPack(shape) = self;
        let element = Type(shape.element);
        if self.packs().any(|pack| pack.is_padded) {
            writeln!(f, "%padding = {}", Constant(shape.fill, shape.element))?;
        }
        for (number, pack) in self.packs().enumerate() {
            let (source, dest) = (Tensor(&pack.source, element), Tensor(&pack.dest, element));
            writeln!(f, "%empty_{number} = tensor.empty() : {dest}")?;
            write!(f, "%packed_{number} = linalg.pack ")?;
            match number {
                0 => f.write_str("%x")?,
                _ => write!(f, "%packed_{}", number - 1)?,
            }
            if pack.is_padded {
                write!(f, " padding_value(%padding : {element})")?;
            }
            writeln!(f, " {pack} into %empty_{number} : {source} -> {dest}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for LinalgPack<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `tensor<3x5xf32>`.
struct Tensor<'a>(&'a [Size], Type);

impl fmt::Display for Tensor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tensor<")?;
        for bound in self.0 {
            write!(f, "{bound}x")?;
        }
        write!(f, "{}>", self.1)
    }
}

/// The name of an element type in MLIR.
#[derive(Clone, Copy)]
struct Type(ElementType);

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ElementType::C64 => f.write_str("complex<f32>"),
            ElementType::C128 => f.write_str("complex<f64>"),
            ElementType::F16 | ElementType::BF16 | ElementType::F32 | ElementType::F64 => {
                f.write_str(self.0.name())
            }
            // `f8E4M3FN`.
            element if element.is_float() => {
                write!(f, "f{}", element.upper_name().trim_start_matches('F'))
            }
            element => write!(f, "i{}", element.bits()),
        }
    }
}

/// The operation that makes the value of the padding.
struct Constant(Option<Fill>, ElementType);

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Constant(fill, element) = *self;
        let bits = fill.and_then(|fill| fill.bits(element)).unwrap_or(0);
        let name = Type(element);
        match element {
            ElementType::C64 | ElementType::C128 => {
                let real = if bits == 0 { "0.0" } else { "1.0" };
                let part = if element == ElementType::C64 { "f32" } else { "f64" };
                write!(f, "complex.constant [{real} : {part}, 0.0 : {part}] : {name}")
            }
            ElementType::PRED => write!(f, "arith.constant {}", bits == 1),
            // MLIR reads digits of base 16 as the bits of a float.
            _ if element.is_float() && (bits != 0 || element == ElementType::F8E8M0FNU) => {
                let digits = native(element.bits().div_ceil(4));
                write!(f, "arith.constant 0x{bits:0digits$X} : {name}")
            }
            _ if element.is_float() => write!(f, "arith.constant 0.0 : {name}"),
            _ => write!(f, "arith.constant {} : {name}", bits as i128),
        }
    }
}
