//! The grid in characters, with lines between tiles.
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write as _;

use layout_core::Size;
use layout_core::base::width::native;

use crate::ansi::{INDENT, Ink, right};
use crate::grid::{GridCell, Slice};
use crate::picture::Picture;
use crate::track::{Track, tracks};

/// Lines of all slices together.
const GRID_LINES: usize = 42;
/// Lines of one slice where parts are left out: more would say nothing more.
const SLICE_LINES: usize = 22;
/// Lines of a slice other than its rows: the title, the names of the columns, both edges, an empty line.
const FRAME_LINES: usize = 5;

/// All slices, or the first and the last of many.
pub(crate) fn grid(picture: &Picture, ink: Ink) -> String {
    let count = picture.slice_count();
    let [rows, _] = picture.extent();
    // There are at most as many lines between rows as rows, and mostly far fewer.
    let fits = |height: usize| {
        let lines = (height + FRAME_LINES) as Size;
        lines.saturating_mul(count) <= GRID_LINES as Size
    };
    let is_whole = rows <= GRID_LINES as Size
        && (fits(2 * native(rows))
            || picture
                .slice(0, [native(rows), 1])
                .is_some_and(|slice| fits(Ruled::new(picture, slice).height())));
    let shown = tracks(count, &[], if is_whole { count } else { 3 });
    let most = GRID_LINES / shown.iter().filter(|track| !track.is_gap()).count().max(1);
    let most = if is_whole { most } else { most.min(SLICE_LINES) } - FRAME_LINES;
    let mut out = String::new();
    for (i, track) in shown.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        match track {
            Track::At(number) => {
                if let Some(ruled) = fitted(picture, *number, most) {
                    ruled.draw(&mut out, ink);
                }
            }
            Track::Gap(first, last) => {
                let _ = writeln!(out, "{INDENT}⋮ {} more slices", last - first + 1);
            }
        }
    }
    out
}

/// The slice with as many rows and columns as fit in a number of lines and in the width.
fn fitted(picture: &Picture, number: Size, lines: usize) -> Option<Ruled> {
    let width = picture.columns;
    let mut most = [lines, width / 2];
    loop {
        let ruled = Ruled::new(picture, picture.slice(number, most)?);
        // Each column that goes makes room for itself, its line, and the character before that.
        let columns = ruled.width().saturating_sub(width).div_ceil(ruled.digits + 3);
        let columns = columns.min(most[1].min(ruled.slice.columns.len()).saturating_sub(3));
        let is_high = ruled.height() > lines && most[0] > 3;
        if columns == 0 && !is_high {
            return Some(ruled);
        }
        most[0] = most[0].min(ruled.slice.rows.len()) - is_high as usize;
        most[1] = most[1].min(ruled.slice.columns.len()) - columns;
    }
}

/// A slice with what is known of its lines.
struct Ruled {
    slice: Slice,
    names: [String; 2],
    /// `y\x`.
    corner: String,
    /// Characters before the left edge.
    label: usize,
    /// Digits of the longest number in a cell or above it.
    digits: usize,
    /// The columns that are followed by a line, which takes a character of room before it; the edge counts.
    lined: Vec<bool>,
    /// Below which rows a line is; the edge counts.
    ruled: Vec<bool>,
}

impl Ruled {
    fn new(picture: &Picture, slice: Slice) -> Ruled {
        let names = picture.axis_names();
        let [row, column] = &names;
        let corner = if row.is_empty() { column.clone() } else { format!("{row}\\{column}") };
        let mut lined = vec![false; slice.columns.len()];
        let mut ruled = vec![false; slice.rows.len()];
        let mut largest = slice.columns.last().map_or(0, |column| column.last());
        for (i, row) in ruled.iter_mut().enumerate() {
            for (j, column) in lined.iter_mut().enumerate() {
                let cell = slice.cell(i, j);
                *row |= cell.below == Some(0);
                *column |= cell.right == Some(0);
                if !cell.is_gap {
                    largest = largest.max(cell.offset);
                }
            }
        }
        let last = slice.rows.last().map_or(0, |row| row.last());
        let label = last.to_string().len().max(corner.len()).max(3);
        Ruled { slice, names, corner, label, digits: largest.to_string().len(), lined, ruled }
    }

    /// Characters of a column: one before the number, and one before a line.
    fn column_width(&self, column: usize) -> usize {
        let text = if self.slice.columns[column].is_gap() { 1 } else { self.digits };
        1 + text + self.lined[column] as usize
    }

    fn width(&self) -> usize {
        let lines = self.lined.iter().filter(|is_lined| **is_lined).count();
        let columns = (0..self.slice.columns.len()).map(|column| self.column_width(column));
        INDENT.len() + self.label + 2 + columns.sum::<usize>() + lines
    }

    /// Lines between the edges.
    fn height(&self) -> usize {
        let rules = self.ruled.iter().filter(|is_ruled| **is_ruled).count();
        self.slice.rows.len() + rules.saturating_sub(1)
    }

    fn draw(&self, out: &mut String, ink: Ink) {
        let Ruled { slice, names, corner, label, .. } = self;
        if !slice.title.is_empty() {
            let _ = writeln!(out, "{INDENT}{}", slice.title);
        }
        if !corner.is_empty() {
            out.push_str(INDENT);
            right(out, corner, *label, ' ');
            out.push_str("  ");
            for (column, track) in slice.columns.iter().enumerate() {
                let room = self.lined[column] as usize;
                right(out, &track.label("…"), self.column_width(column) - room, ' ');
                let is_last = column + 1 == slice.columns.len();
                out.push_str(if self.lined[column] && !is_last { "  " } else { "" });
            }
            out.push('\n');
        }

        self.rule(out, None);
        for (row, track) in slice.rows.iter().enumerate() {
            // An array of rank 1 has one row, and no dimension for it.
            let coordinate = if names[0].is_empty() { String::new() } else { track.label("⋮") };
            out.push_str(INDENT);
            right(out, &coordinate, *label, ' ');
            out.push_str(" │");
            for column in 0..slice.columns.len() {
                self.cell(out, row, column, ink);
            }
            out.push('\n');
            if self.ruled[row] {
                self.rule(out, Some(row));
            }
        }
    }

    fn cell(&self, out: &mut String, row: usize, column: usize, ink: Ink) {
        let (rows, columns) = (&self.slice.rows, &self.slice.columns);
        let cell = self.slice.cell(row, column);
        let shade = match cell.is_padding {
            _ if cell.hides[0] => '┄',
            true => '░',
            false => ' ',
        };
        let room = self.lined[column] as usize;
        let width = self.column_width(column) - room;
        ink.begin(out, cell.tile, cell.is_padding);
        right(out, &content(cell, rows[row], columns[column]), width, shade);
        if self.lined[column] {
            out.push(shade);
        }
        let is_border = cell.right == Some(0);
        if self.lined[column] && !is_border {
            out.push(shade);
        }
        ink.end(out);
        if is_border {
            out.push('│');
        }
    }

    /// The line below a row, or above the first.
    fn rule(&self, out: &mut String, above: Option<usize>) {
        let slice = &self.slice;
        let below =
            above.map_or(Some(0), |row| Some(row + 1).filter(|row| *row < slice.rows.len()));
        let is_ruled = |column| above.is_none_or(|row| slice.cell(row, column).below == Some(0));
        // A line after a column, in a row.
        let is_lined = |row: Option<usize>, column| {
            row.is_some_and(|row| slice.cell(row, column).right == Some(0))
        };
        right(out, "", INDENT.len() + self.label + 1, ' ');
        out.push(junction(above.is_some(), below.is_some(), false, is_ruled(0)));
        for column in 0..slice.columns.len() {
            let is_left_ruled = is_ruled(column);
            right(out, "", self.column_width(column), if is_left_ruled { '─' } else { ' ' });
            if self.lined[column] {
                let is_right_ruled = column + 1 < slice.columns.len() && is_ruled(column + 1);
                let (up, down) = (is_lined(above, column), is_lined(below, column));
                out.push(junction(up, down, is_left_ruled, is_right_ruled));
            }
        }
        out.push('\n');
    }
}

/// The lines through a place where four cells meet, or fewer: up, down, left, right.
fn junction(up: bool, down: bool, left: bool, right: bool) -> char {
    const SIGNS: [char; 16] =
        [' ', '╶', '╴', '─', '╷', '┌', '┐', '┬', '╵', '└', '┘', '┴', '│', '├', '┤', '┼'];
    SIGNS[up as usize * 8 + down as usize * 4 + left as usize * 2 + right as usize]
}

/// The text of a cell without its shade. A cell for what is left out shows whether tiles end in it.
pub(crate) fn content(cell: &GridCell, row: Track, column: Track) -> String {
    match (row, column) {
        (Track::At(_), Track::At(_)) => cell.offset.to_string(),
        (_, Track::Gap(..)) if cell.hides[1] => "┊".to_string(),
        (Track::Gap(..), _) if cell.hides[0] => "┄".to_string(),
        (Track::At(_), Track::Gap(..)) => "…".to_string(),
        (Track::Gap(..), Track::At(_)) => "⋮".to_string(),
        (Track::Gap(..), Track::Gap(..)) => String::new(),
    }
}
