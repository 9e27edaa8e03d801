//! MLIR's `linalg.pack`.

mod layout;
mod read;

use core::fmt;

use crate::digit_order::NotExpressible;
use crate::notation::write::{number, order_and_tiles, separated};
use layout_core::base::width::native;
use layout_core::limits::{MAX_BOUNDS, MAX_TILE_DIMS, MAX_TILES, Size};
use layout_core::{ArrayShape, ElementType, Fill, List};

/// A sequence of `linalg.pack`, by their attributes: `outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles =
/// [8, 128]`.
///
/// It is read from the attributes of one pack after another, or from operations in MLIR's text, each on the result of
/// the one before: `linalg.pack` or its older name `tensor.pack`, among them `tensor.empty` and constants. Attributes
/// are for every size. If the operations have types, the sizes there are the only ones.
///
/// Defined by `Linalg_PackOp` in MLIR (`LinalgRelayoutOps.td`).
///
/// # Examples
/// ```
/// use layout::notation::Packs;
///
/// let packs: Packs = "inner_dims_pos = [1, 0] inner_tiles = [3, 4]".parse()?;
/// let shape = packs.layout(&"s32[16,16]".parse()?)?;
/// assert_eq!(shape.to_string(), "s32[16,16]{1,0:T(4,3)(4,1)}");
/// assert_eq!(
///     Packs::of(&shape)?.to_string(),
///     "inner_dims_pos = [0, 1] inner_tiles = [4, 3]\ninner_dims_pos = [2, 3] inner_tiles = [4, 1]",
/// );
///
/// let error = "inner_dims_pos = [0, 0] inner_tiles = [3, 4]".parse::<Packs>().unwrap_err();
/// assert_eq!(error.to_string(), "\
/// the dimension is listed twice
///   | inner_dims_pos = [0, 0] inner_tiles = [3, 4]
///   |                      ^
///   = help: write each dimension once");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Packs {
    list: [Pack; MAX_TILES],
    len: usize,
    /// Of the tensor that is packed, if they are given.
    source: Option<Sizes>,
}

/// The attributes of a `linalg.pack`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Pack {
    /// The operand's dimension for each outer dimension of the result; `None` if they stay in order.
    pub outer_dims_perm: Option<List<64, usize>>,
    /// The operand's dimension for each size of the tile.
    pub inner_dims_pos: List<32, usize>,
    /// Sizes of the tile.
    pub inner_tiles: List<32>,
}

// The lengths of the lists above.
const _: () = assert!(MAX_BOUNDS == 64 && MAX_TILE_DIMS == 32);

/// Sizes of a tensor; `None` where it is `?`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sizes {
    list: [Option<Size>; MAX_BOUNDS],
    len: usize,
}

impl Packs {
    const NONE: Packs = Packs { list: [Pack::NONE; MAX_TILES], len: 0, source: None };

    /// The attributes of [`LinalgPack::of`], which leave the sizes of the array out.
    ///
    /// # Errors
    /// Those of [`LinalgPack::of`].
    pub fn of(shape: &ArrayShape) -> Result<Packs, NotExpressible> {
        if let Some(error) = shape.unknown_size() {
            return Err(NotExpressible::UnknownSize(error));
        }
        order_and_tiles(shape)?;
        if shape.tiles().is_empty() {
            return Err(NotExpressible::Untiled);
        }
        if !shape.tiles().have_sizes() {
            return Err(NotExpressible::Combined);
        }
        let order = shape.major_to_minor();
        let (mut bounds, mut packs) = (shape.rank(), Packs::NONE);
        for tile in shape.tiles().iter() {
            let first = bounds.checked_sub(tile.len()).ok_or(NotExpressible::TileTooLong)?;
            let mut pack = Pack::NONE;
            // The first pack takes the array with its dimensions as they are numbered.
            let is_first = packs.len == 0;
            if is_first && !order.is_sorted() {
                let mut permutation = List::new();
                for &dim in &*order {
                    permutation.push(dim);
                }
                pack.outer_dims_perm = Some(permutation);
            }
            for (i, dim) in tile.iter().enumerate() {
                pack.inner_dims_pos.push(if is_first { order[first + i] } else { first + i });
                pack.inner_tiles.push(number(*dim) as Size);
            }
            bounds += tile.len();
            packs.list[packs.len] = pack;
            packs.len += 1;
        }
        Ok(packs)
    }

    /// The packs in the order in which they are applied; there is at least one.
    pub fn packs(&self) -> &[Pack] {
        &self.list[..self.len]
    }
}

impl Pack {
    const NONE: Pack =
        Pack { outer_dims_perm: None, inner_dims_pos: List::new(), inner_tiles: List::new() };

    /// The operand's dimension for an outer dimension of the result.
    fn outer(&self, dim: usize) -> usize {
        match &self.outer_dims_perm {
            Some(permutation) => permutation[dim],
            None => dim,
        }
    }

    /// Sizes of the result, and whether tiles extend past the operand.
    fn dest(&self, source: &Sizes) -> (Sizes, bool) {
        let (mut divided, mut is_padded) = (*source, false);
        for (&dim, &tile) in self.inner_dims_pos.iter().zip(&*self.inner_tiles) {
            let size = &mut divided.list[dim];
            is_padded |= size.is_some_and(|size| !size.is_multiple_of(tile));
            *size = size.map(|size| size.div_ceil(tile));
        }
        let mut dest = divided;
        for dim in 0..source.len {
            dest.list[dim] = divided.list[self.outer(dim)];
        }
        for &tile in &*self.inner_tiles {
            // A type that is too long is not read: the result is then unequal to it.
            if let Some(place) = dest.list.get_mut(dest.len) {
                *place = Some(tile);
                dest.len += 1;
            }
        }
        (dest, is_padded)
    }
}

/// A layout as MLIR operations: one `linalg.pack` for each tile.
///
/// It displays the operations that compute the result of the last pack (`%packed_0` for one tile) from a
/// tensor `%x` of the array's shape. [`packs`](LinalgPack::packs) gives the attributes. [`Packs`] reads both.
#[derive(Clone, Copy)]
pub struct LinalgPack<'a> {
    shape: &'a ArrayShape,
    packs: Packs,
}

impl<'a> LinalgPack<'a> {
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
    /// - [`Untiled`](NotExpressible::Untiled) without tiles.
    /// - [`TileTooLong`](NotExpressible::TileTooLong) or [`Combined`](NotExpressible::Combined) if a tile has more
    ///   entries than what it covers has dimensions, or a `*`: both reshape first.
    /// - [`Widened`](NotExpressible::Widened) or [`Tail`](NotExpressible::Tail) if `PAD` widens a dimension or `L`
    ///   adds slots.
    /// - [`UnknownSize`](NotExpressible::UnknownSize) for `?`.
    ///
    /// # Examples
    /// ```
    /// use layout::notation::LinalgPack;
    ///
    /// let shape: layout::ArrayShape = "bf16[256,512]{0,1:T(8,128)(2,1)}".parse()?;
    /// let attributes = LinalgPack::of(&shape)?.packs().to_string();
    /// assert_eq!(
    ///     attributes,
    ///     "outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 128]\n\
    ///      inner_dims_pos = [2, 3] inner_tiles = [2, 1]",
    /// );
    ///
    /// let ragged: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(LinalgPack::of(&ragged)?.to_string(), "\
    /// %padding = arith.constant 0.0 : f32
    /// %empty_0 = tensor.empty() : tensor<2x3x2x2xf32>
    /// %packed_0 = linalg.pack %x padding_value(%padding : f32) inner_dims_pos = [0, 1] \
    /// inner_tiles = [2, 2] into %empty_0 : tensor<3x5xf32> -> tensor<2x3x2x2xf32>
    /// ");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(shape: &'a ArrayShape) -> Result<LinalgPack<'a>, NotExpressible> {
        Ok(LinalgPack { shape, packs: Packs::of(shape)? })
    }

    /// The attributes of the packs, for every size.
    pub const fn packs(&self) -> &Packs {
        &self.packs
    }
}

impl fmt::Display for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(permutation) = &self.outer_dims_perm {
            f.write_str("outer_dims_perm = [")?;
            separated(f, &**permutation, ", ")?;
            f.write_str("] ")?;
        }
        f.write_str("inner_dims_pos = [")?;
        separated(f, &*self.inner_dims_pos, ", ")?;
        f.write_str("] inner_tiles = [")?;
        separated(f, &*self.inner_tiles, ", ")?;
        f.write_str("]")
    }
}

impl fmt::Display for Packs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        separated(f, self.packs(), "\n")
    }
}

impl fmt::Display for LinalgPack<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shape, packs) = (self.shape, self.packs.packs());
        let element = Type(shape.element_type());
        let mut source = Sizes { list: [None; MAX_BOUNDS], len: shape.rank() };
        for (size, dim) in source.list.iter_mut().zip(shape.dims()) {
            *size = dim.size();
        }
        let mut operand = source;
        let mut pads = packs.iter().map(|pack| {
            let (dest, is_padded) = pack.dest(&operand);
            operand = dest;
            is_padded
        });
        if pads.any(|is_padded| is_padded) {
            writeln!(f, "%padding = {}", Constant(shape.fill(), shape.element_type()))?;
        }
        for (number, pack) in packs.iter().enumerate() {
            let (dest, is_padded) = pack.dest(&source);
            writeln!(f, "%empty_{number} = tensor.empty() : {}", Tensor(&dest, element))?;
            write!(f, "%packed_{number} = linalg.pack ")?;
            match number {
                0 => f.write_str("%x")?,
                _ => write!(f, "%packed_{}", number - 1)?,
            }
            if is_padded {
                write!(f, " padding_value(%padding : {element})")?;
            }
            let types = (Tensor(&source, element), Tensor(&dest, element));
            writeln!(f, " {pack} into %empty_{number} : {} -> {}", types.0, types.1)?;
            source = dest;
        }
        Ok(())
    }
}

/// `tensor<3x5xf32>`.
struct Tensor<'a>(&'a Sizes, Type);

impl fmt::Display for Tensor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tensor<")?;
        for size in &self.0.list[..self.0.len] {
            match size {
                Some(size) => write!(f, "{size}x")?,
                None => f.write_str("?x")?,
            }
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
