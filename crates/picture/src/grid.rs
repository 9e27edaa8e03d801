//! The grid: the array in slices of rows and columns.
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use layout_core::limits::{MAX_TILES, Size};

use crate::picture::Picture;
use crate::track::{Track, marks, tracks};

/// One slot of the array, or what is left out between others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GridCell {
    /// Offset in memory, in elements; the first one, if slots are left out.
    pub offset: Size,
    /// Number of its tile, counting the first tile's copies in the order of memory; 0 without tiles.
    pub tile: Size,
    /// Whether it is padding.
    pub is_padding: bool,
    /// Whether it represents several slots that are left out.
    pub is_gap: bool,
    /// Whether the first tile ends inside of what is left out: between rows, and between columns.
    pub hides: [bool; 2],
    /// The outermost level of tiles that ends to the right, 0 being the first tile.
    pub right: Option<usize>,
    /// The outermost level of tiles that ends below.
    pub below: Option<usize>,
}

/// Rows and columns of an array, with its other coordinates fixed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Slice {
    /// The fixed coordinates as text; empty if no coordinate is fixed.
    pub title: String,
    /// The coordinates of the first element, dimension 0 first; 0 for the dimensions of rows and columns.
    /// `None` if the slice is padding before the array, which exists if a tile has more entries than the
    /// array has dimensions.
    pub start: Option<Vec<Size>>,
    /// Coordinates of the rows.
    pub rows: Vec<Track>,
    /// Coordinates of the columns.
    pub columns: Vec<Track>,
    /// The cells, row after row.
    pub cells: Vec<GridCell>,
}

/// A slot that borders are looked for at.
#[derive(Clone, Copy)]
struct Corner {
    offset: Size,
    /// For each level the number of the tile.
    tiles: [Size; MAX_TILES],
    is_padding: bool,
}

impl Corner {
    /// The outermost level whose tiles separate two slots.
    fn border(&self, other: &Corner) -> Option<usize> {
        if self.tiles == other.tiles {
            return None;
        }
        self.tiles.iter().zip(&other.tiles).position(|(a, b)| a != b)
    }
}

impl Slice {
    /// A cell by the number of its row and its column among those shown.
    pub fn cell(&self, row: usize, column: usize) -> &GridCell {
        &self.cells[row * self.columns.len() + column]
    }
}

impl Picture {
    /// The dimensions of the rows and of the columns; `None` if the array has no such dimension.
    pub fn axes(&self) -> [Option<usize>; 2] {
        let (row, column) = self.box_axes();
        [row, column].map(|dim| dim.and_then(|dim| dim.checked_sub(self.padded.leading)))
    }

    /// The dimensions of the rows and of the columns, as the box numbers them.
    fn box_axes(&self) -> (Option<usize>, Option<usize>) {
        if let Some([row, column]) = self.axes {
            return (Some(row), Some(column));
        }
        match *self.padded.minor_to_major.as_slice() {
            [] => (None, None),
            [only] => (None, Some(only)),
            [a, b, ..] => (Some(a.min(b)), Some(a.max(b))),
        }
    }

    /// The name of a dimension of the box; not of one before the array's own.
    fn name(&self, dim: usize) -> String {
        let rank = self.shape.rank();
        match dim.checked_sub(self.padded.leading) {
            None => String::new(),
            Some(dim) if rank <= 4 => ["x", "y", "z", "p"][rank - 1 - dim].to_string(),
            Some(dim) => format!("d{dim}"),
        }
    }

    /// The names of the rows' dimension and of the columns'.
    pub fn axis_names(&self) -> [String; 2] {
        let (row, column) = self.box_axes();
        [row, column].map(|dim| dim.map_or_else(String::new, |dim| self.name(dim)))
    }

    /// The dimensions that a slice fixes.
    fn fixed(&self) -> Vec<usize> {
        let (row, column) = self.box_axes();
        (0..self.padded.rank()).filter(|dim| Some(*dim) != row && Some(*dim) != column).collect()
    }

    /// Number of slices that are drawn; 0 if the array has no elements.
    pub fn slice_count(&self) -> Size {
        if self.slots() == 0 || self.at.is_some() {
            return (self.slots() > 0).into();
        }
        self.fixed().iter().map(|dim| self.padded.extents[*dim]).product()
    }

    /// Number of rows and columns of the array, padding included.
    pub fn extent(&self) -> [Size; 2] {
        let (row, column) = self.box_axes();
        [row, column].map(|dim| dim.map_or(1, |dim| self.padded.extents[dim]))
    }

    /// The tracks of an axis.
    fn tracks(&self, axis: Option<usize>, most: usize) -> Vec<Track> {
        let Some(dim) = axis else { return Vec::from([Track::At(0)]) };
        let (size, extent) = (self.padded.sizes[dim], self.padded.extents[dim]);
        tracks(extent, &marks(size, extent, &self.padded.breaks(dim)), most as Size)
    }

    /// A slice with at most `rows` rows and `columns` columns; a gap counts as one.
    ///
    /// Slices are numbered as their coordinates count up, the last dimension fastest.
    pub fn slice(&self, number: Size, [rows, columns]: [usize; 2]) -> Option<Slice> {
        if number >= self.slice_count() {
            return None;
        }
        let (row_axis, column_axis) = self.box_axes();
        let mut index = vec![0; self.padded.rank()];
        let mut rest = number;
        for dim in self.fixed().into_iter().rev() {
            index[dim] = rest % self.padded.extents[dim];
            rest /= self.padded.extents[dim];
            if let Some(at) = &self.at {
                index[dim] = at[dim];
            }
        }
        let title = self.title(&index);
        let (front, own) = index.split_at(self.padded.leading);
        let start = front.iter().all(|at| *at == 0).then(|| own.to_vec());
        let (rows, columns) = (self.tracks(row_axis, rows), self.tracks(column_axis, columns));
        let mut corner = |row: Size, column: Size| {
            if let Some(dim) = row_axis {
                index[dim] = row;
            }
            if let Some(dim) = column_axis {
                index[dim] = column;
            }
            self.corner(&index)
        };
        let mut corners = Vec::with_capacity(rows.len() * columns.len());
        for row in &rows {
            for column in &columns {
                corners.push(corner(row.first(), column.first()));
            }
        }
        let mut cells = Vec::with_capacity(corners.len());
        for (i, row) in rows.iter().enumerate() {
            for (j, column) in columns.iter().enumerate() {
                let first = corners[i * columns.len() + j];
                // What is left out is one cell: its neighbours are those of its last slot.
                let right_end =
                    if column.is_gap() { corner(row.first(), column.last()) } else { first };
                let below_end =
                    if row.is_gap() { corner(row.last(), column.first()) } else { first };
                let right = corners.get(i * columns.len() + j + 1);
                let right = right.filter(|_| j + 1 < columns.len());
                let below = corners.get((i + 1) * columns.len() + j);
                cells.push(GridCell {
                    offset: first.offset,
                    tile: first.tiles[0],
                    is_padding: first.is_padding && right_end.is_padding && below_end.is_padding,
                    is_gap: row.is_gap() || column.is_gap(),
                    // Along a row or a column the copies of the first tile are numbered in ascending order.
                    hides: [below_end, right_end].map(|end| end.tiles[0] != first.tiles[0]),
                    right: right.map_or(Some(0), |right| right_end.border(right)),
                    below: below.map_or(Some(0), |below| below_end.border(below)),
                });
            }
        }
        Some(Slice { title, start, rows, columns, cells })
    }

    fn corner(&self, index: &[Size]) -> Corner {
        let offset = self.padded.offset(index);
        let mut tiles = [0; MAX_TILES];
        for (level, tile) in tiles.iter_mut().enumerate().take(self.padded.levels()) {
            *tile = self.padded.tile(level, index, offset);
        }
        Corner { offset, tiles, is_padding: self.padded.is_padding(index) }
    }

    /// `p = 0, z = 1`, or `[0,1,2,:,:]` where dimensions have numbers instead of letters.
    fn title(&self, index: &[Size]) -> String {
        let fixed = self.fixed();
        if index[..self.padded.leading].iter().any(|at| *at > 0) {
            return "padding before the array".to_string();
        }
        let own = fixed.iter().filter(|dim| **dim >= self.padded.leading);
        if self.shape.rank() <= 4 {
            let parts = own.map(|dim| format!("{} = {}", self.name(*dim), index[*dim]));
            return parts.collect::<Vec<_>>().join(", ");
        }
        let parts = (self.padded.leading..self.padded.rank())
            .map(|dim| if fixed.contains(&dim) { index[dim].to_string() } else { ":".to_string() });
        format!("[{}]", parts.collect::<Vec<_>>().join(","))
    }
}
