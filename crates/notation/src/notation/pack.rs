//! MLIR's `linalg.pack`.

mod layout;
mod read;

use core::fmt;

use crate::digit_order::NotExpressible;
use crate::notation::write::{order_and_tiles, separated};
use layout_core::limits::{MAX_BOUNDS, MAX_TILE_DIMS, MAX_TILES};
use layout_core::{ArrayShape, List};

/// A sequence of `linalg.pack`, by their attributes: `outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles =
/// [8, 128]`.
///
/// Memory holds the result of the last pack in row-major order. The attributes are for every size.
///
/// It is read from the attributes of one pack after another, or from operations in MLIR's text, each on the result of
/// the one before: `linalg.pack` or its older name `tensor.pack`, among them `tensor.empty` and constants. Only the
/// attributes count: what the operations write to, pad with and have as types is passed over.
///
/// Defined by `Linalg_PackOp` in MLIR (`LinalgRelayoutOps.td`).
///
/// # Examples
/// ```
/// use layout_notation::notation::Packs;
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

impl Packs {
    const NONE: Packs = Packs { list: [Pack::NONE; MAX_TILES], len: 0 };

    /// The layout as packs, one for each tile. Sizes of dimensions may be unknown.
    ///
    /// Operations pad with the value of `FILL`, and with zero without it.
    ///
    /// # Errors
    /// If the layout is not a sequence of packs:
    /// - [`Untiled`](NotExpressible::Untiled) without tiles.
    /// - [`TileTooLong`](NotExpressible::TileTooLong) or [`Combined`](NotExpressible::Combined) if a tile has more
    ///   entries than what it covers has dimensions, or a `*`: both reshape first.
    /// - [`Widened`](NotExpressible::Widened) or [`Tail`](NotExpressible::Tail) if `PAD` widens a dimension or `L`
    ///   adds slots.
    ///
    /// # Examples
    /// ```
    /// use layout_notation::notation::Packs;
    ///
    /// let shape: layout::ArrayShape = "bf16[256,512]{0,1:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(
    ///     Packs::of(&shape)?.to_string(),
    ///     "outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 128]\n\
    ///      inner_dims_pos = [2, 3] inner_tiles = [2, 1]",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(shape: &ArrayShape) -> Result<Packs, NotExpressible> {
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
                pack.inner_tiles.push(dim.size());
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
