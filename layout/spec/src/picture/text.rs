//! The picture in characters.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use super::Picture;
use super::grid::{Cell, Slice};
use super::memory::Line;
use super::track::{Track, tracks};

/// What the picture is drawn with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// Characters only.
    Plain,
    /// Escape sequences for a terminal too.
    Ansi,
}

/// Columns that are not exceeded, if the numbers are not very long.
const WIDTH: usize = 100;
/// Lines of all grids together.
const GRID_LINES: usize = 42;
/// Lines of one slice where parts are left out: more would say nothing more.
const SLICE_LINES: usize = 22;
/// Lines of the order in memory.
const MEMORY_LINES: usize = 10;
/// Stands in front of everything but the shape.
const INDENT: &str = "  ";

/// Colours of the tiles, which take turns: cyan, yellow, green, magenta, blue.
const COLOURS: [u8; 5] = [36, 33, 32, 35, 34];

impl Ink {
    /// The text as that of a tile, or of padding.
    fn paint(self, text: &str, tile: Option<usize>, is_padding: bool) -> String {
        match (self, tile) {
            (Ink::Plain, _) => text.to_string(),
            (Ink::Ansi, _) if is_padding => format!("\x1b[90m{text}\x1b[0m"),
            (Ink::Ansi, tile) => {
                format!("\x1b[{}m{text}\x1b[0m", COLOURS[tile.unwrap_or(0) % COLOURS.len()])
            }
        }
    }
}

/// The whole picture.
pub(super) struct Whole<'a> {
    pub picture: &'a Picture,
    pub ink: Ink,
}

impl fmt::Display for Whole<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Whole { picture, ink } = *self;
        writeln!(f, "{}\n", picture.shape)?;
        if picture.slots() == 0 {
            return writeln!(f, "{INDENT}no elements, and no memory");
        }
        f.write_str(&grid(picture, ink))?;
        let legend = if picture.has_padding() { "; ░ is padding" } else { "" };
        writeln!(f, "\n{INDENT}in memory, by offset{legend}")?;
        f.write_str(&memory(picture, ink))
    }
}

/// All slices, or the first and the last of many.
pub(super) fn grid(picture: &Picture, ink: Ink) -> String {
    let count = picture.slice_count();
    let [rows, _] = picture.extent();
    // The title, the names of the columns, both edges and an empty line belong to each.
    let whole = picture.slice(0, [rows.min(GRID_LINES), 1]).map_or(0, |slice| height(&slice) + 5);
    let is_whole = rows <= GRID_LINES && whole.saturating_mul(count) <= GRID_LINES;
    let shown = tracks(count, &[], if is_whole { count } else { 3 });
    let most = GRID_LINES / shown.iter().filter(|track| !track.is_gap()).count().max(1);
    let most = if is_whole { most } else { most.min(SLICE_LINES) };
    let mut out = String::new();
    for (i, track) in shown.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        match track {
            Track::At(number) => {
                if let Some(slice) = fitted(picture, *number, most) {
                    draw(&mut out, picture, &slice, ink);
                }
            }
            Track::Gap(first, last) => {
                let _ = writeln!(out, "{INDENT}⋮ {} more slices", last - first + 1);
            }
        }
    }
    out
}

/// The slice with as many rows as fit in so many lines, and as many columns as fit in the width.
fn fitted(picture: &Picture, number: usize, lines: usize) -> Option<Slice> {
    let lines = lines.saturating_sub(5);
    let mut most = [lines, WIDTH / 2];
    loop {
        let slice = picture.slice(number, most)?;
        let is_wide = width(picture, &slice) > WIDTH && most[1] > 3;
        let is_high = height(&slice) > lines && most[0] > 3;
        if !is_wide && !is_high {
            return Some(slice);
        }
        most[0] = most[0].min(slice.rows.len()) - is_high as usize;
        most[1] = most[1].min(slice.columns.len()) - is_wide as usize;
    }
}

/// Digits of the longest number in a cell or above it.
fn digits(slice: &Slice) -> usize {
    let offsets = slice.cells.iter().filter(|cell| !cell.is_gap).map(|cell| cell.offset);
    let columns = slice.columns.iter().map(|column| column.last());
    offsets.chain(columns).max().map_or(1, |largest| largest.to_string().len())
}

/// Whether a line has to be drawn behind a column, the edge not counted.
fn has_line(slice: &Slice, column: usize) -> bool {
    column + 1 < slice.columns.len() && ends_in_line(slice, column)
}

/// Whether a line or the edge follows a column; a character of room is in front of it.
fn ends_in_line(slice: &Slice, column: usize) -> bool {
    (0..slice.rows.len()).any(|row| slice.cell(row, column).right == Some(0))
}

/// Whether a line has to be drawn below a row.
fn has_rule(slice: &Slice, row: usize) -> bool {
    row + 1 < slice.rows.len()
        && (0..slice.columns.len()).any(|column| slice.cell(row, column).below == Some(0))
}

/// Characters of a column: one in front of the number.
fn cell_width(track: Track, digits: usize) -> usize {
    if track.is_gap() { 2 } else { 1 + digits }
}

fn width(picture: &Picture, slice: &Slice) -> usize {
    let digits = digits(slice);
    let cells = slice.columns.iter().map(|column| cell_width(*column, digits)).sum::<usize>();
    let lines = (0..slice.columns.len()).filter(|column| ends_in_line(slice, *column)).count();
    INDENT.len() + label_width(picture, slice) + 2 + cells + 2 * lines
}

fn height(slice: &Slice) -> usize {
    slice.rows.len() + (0..slice.rows.len()).filter(|row| has_rule(slice, *row)).count()
}

/// Characters in front of the grid's edge.
fn label_width(picture: &Picture, slice: &Slice) -> usize {
    let last = slice.rows.last().map_or(0, |row| row.last());
    last.to_string().len().max(corner(picture).len()).max(3)
}

/// The names of the dimensions: `y\x`.
fn corner(picture: &Picture) -> String {
    let [rows, columns] = picture.axis_names();
    if rows.is_empty() { columns } else { format!("{rows}\\{columns}") }
}

/// The lines through a place where four cells meet, or fewer: up, down, left, right.
fn junction(up: bool, down: bool, left: bool, right: bool) -> char {
    const SIGNS: [char; 16] =
        [' ', '╶', '╴', '─', '╷', '┌', '┐', '┬', '╵', '└', '┘', '┴', '│', '├', '┤', '┼'];
    SIGNS[up as usize * 8 + down as usize * 4 + left as usize * 2 + right as usize]
}

fn draw(out: &mut String, picture: &Picture, slice: &Slice, ink: Ink) {
    let digits = digits(slice);
    let label = label_width(picture, slice);
    if !slice.title.is_empty() {
        let _ = writeln!(out, "{INDENT}{}", slice.title);
    }
    let [row_name, column_name] = picture.axis_names();
    let mut line = format!("{INDENT}{:>label$}  ", corner(picture));
    for (column, track) in slice.columns.iter().enumerate() {
        let width = cell_width(*track, digits);
        let _ = write!(line, "{:>width$}", number(*track, &column_name, '…'));
        if has_line(slice, column) {
            line.push_str("  ");
        }
    }
    let line = line.trim_end();
    if !line.is_empty() {
        let _ = writeln!(out, "{line}");
    }

    rule(out, slice, None, digits, label);
    for (row, track) in slice.rows.iter().enumerate() {
        let _ = write!(out, "{INDENT}{:>label$} │", number(*track, &row_name, '⋮'));
        for (column, column_track) in slice.columns.iter().enumerate() {
            let cell = slice.cell(row, column);
            let mut text = cell_text(cell, *track, *column_track, digits);
            let is_lined = ends_in_line(slice, column);
            if is_lined {
                text.push(shade(cell));
            }
            out.push_str(&ink.paint(&text, Some(cell.tile), cell.is_padding));
            if is_lined {
                let is_border = column + 1 == slice.columns.len() || cell.right == Some(0);
                out.push(if is_border { '│' } else { shade(cell) });
            }
        }
        out.push('\n');
        if row + 1 == slice.rows.len() || has_rule(slice, row) {
            rule(out, slice, Some(row), digits, label);
        }
    }
}

/// A row's or a column's coordinate; none where the array has no such dimension.
fn number(track: Track, name: &str, gap: char) -> String {
    match track {
        _ if name.is_empty() => String::new(),
        Track::At(at) => at.to_string(),
        Track::Gap(..) => gap.to_string(),
    }
}

/// What stands beside the number in a cell.
fn shade(cell: &Cell) -> char {
    if cell.is_padding { '░' } else { ' ' }
}

fn cell_text(cell: &Cell, row: Track, column: Track, digits: usize) -> String {
    let shade = shade(cell);
    let text = match (row, column) {
        (Track::At(_), Track::At(_)) => cell.offset.to_string(),
        (Track::At(_), Track::Gap(..)) => '…'.to_string(),
        (Track::Gap(..), Track::At(_)) => '⋮'.to_string(),
        (Track::Gap(..), Track::Gap(..)) => shade.to_string(),
    };
    let fill = cell_width(column, digits) - text.chars().count();
    core::iter::repeat_n(shade, fill).chain(text.chars()).collect()
}

/// The line below a row, or above the first.
fn rule(out: &mut String, slice: &Slice, row: Option<usize>, digits: usize, label: usize) {
    let (rows, columns) = (slice.rows.len(), slice.columns.len());
    let above = row;
    let below = row.map_or(Some(0), |row| Some(row + 1).filter(|row| *row < rows));
    let is_edge = above.is_none() || below.is_none();
    let is_ruled = |column: usize| {
        is_edge || above.is_some_and(|row| slice.cell(row, column).below == Some(0))
    };
    // A line behind a column, in a row.
    let is_lined = |row: Option<usize>, column: usize| {
        row.is_some_and(|row| column + 1 == columns || slice.cell(row, column).right == Some(0))
    };
    let _ = write!(out, "{INDENT}{:label$} ", "");
    out.push(junction(above.is_some(), below.is_some(), false, is_ruled(0)));
    for (column, track) in slice.columns.iter().enumerate() {
        let sign = if is_ruled(column) { '─' } else { ' ' };
        let is_last = column + 1 == columns;
        let is_lined_somewhere = ends_in_line(slice, column);
        let room = is_lined_somewhere as usize;
        out.extend(core::iter::repeat_n(sign, cell_width(*track, digits) + room));
        if is_lined_somewhere {
            let right = !is_last && is_ruled(column + 1);
            out.push(junction(
                is_lined(above, column),
                is_lined(below, column),
                is_ruled(column),
                right,
            ));
        }
    }
    out.push('\n');
}

/// Lines of slots, a bar where a tile ends.
fn memory(picture: &Picture, ink: Ink) -> String {
    let start = (picture.slots() - 1).to_string().len().max(3);
    let room = WIDTH - INDENT.len() - start - 2;
    let mut most = room / 2;
    let lines = loop {
        let lines = picture.memory(most, MEMORY_LINES);
        let labels = labels(&lines);
        let mut widths = lines.iter().zip(&labels).map(|(line, label)| line_width(line, *label));
        if most <= 1 || widths.all(|width| width <= room) {
            break lines.into_iter().zip(labels);
        }
        most = most.min(lines.iter().map(|line| line.slots.len()).max().unwrap_or(1)) - 1;
    };
    let mut out = String::new();
    for (line, width) in lines {
        let _ = write!(out, "{INDENT}{:>start$} │", line.start);
        let mut before: Option<&super::Slot> = None;
        for slot in &line.slots {
            if before.is_some_and(|before| before.tile != slot.tile) {
                out.push_str(" │");
            }
            let label = match slot.label() {
                Some(label) => format!("{label:>width$}"),
                None => "░".repeat(width),
            };
            out.push(' ');
            out.push_str(&ink.paint(&label, slot.tile, slot.index.is_none()));
            before = Some(slot);
        }
        out.push_str(if line.is_cut { " …\n" } else { "\n" });
    }
    out
}

/// Characters of a slot in each line: the same in all of them where nothing is left out.
fn labels(lines: &[Line]) -> Vec<usize> {
    let labels = |line: &Line| {
        let labels = line.slots.iter().filter_map(|slot| slot.label());
        labels.map(|label| label.len()).max().unwrap_or(0).max(2)
    };
    let mut widths = lines.iter().map(labels).collect::<Vec<_>>();
    if !lines.iter().any(|line| line.is_cut) {
        let widest = widths.iter().copied().max().unwrap_or(0);
        widths.fill(widest);
    }
    widths
}

/// Characters behind the start of a line.
fn line_width(line: &Line, label: usize) -> usize {
    let pairs = line.slots.iter().zip(line.slots.iter().skip(1));
    let bars = pairs.filter(|(a, b)| a.tile != b.tile).count();
    line.slots.len() * (label + 1) + 2 * bars + 2 * line.is_cut as usize
}
