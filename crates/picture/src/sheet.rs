//! The picture as SVG.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use layout_core::Size;
use layout_core::base::width::native;

use crate::chart::{self, CHARACTER, Drawing, HEADER, MARGIN, Row, cell_size, joined};
use crate::grid::Slice;
use crate::memory::{Line, Slot};
use crate::picture::{Label, Picture};
use crate::text_grid::content;
use crate::track::{Track, tracks};

/// Tracks of a slice along each dimension, and as many without labels; slices; lines of memory. What is more is left out.
const MOST_TRACKS: usize = 16;
const MOST_SQUARES: usize = 32;
const MOST_SLICES: Size = 4;
const MOST_LINES: usize = 14;

/// Width of what is left out.
const GAP: usize = 22;
/// Lines of memory are not made wider on a page of the usual width.
const LINE_WIDTH: usize = 760;

/// Colours of the tiles, which take turns. It is odd, so that the tiles of a row and those below them differ.
const TILE_COLORS: Size = 7;

/// The picture as a document.
pub(crate) fn document(picture: &Picture) -> String {
    let title = picture.shape.to_string();
    let mut out = Drawing::default();
    let top = out.title(&title, picture.width - MARGIN) + 16;
    if picture.slots() == 0 {
        out.lines([MARGIN, top], "h", CHARACTER, "no elements, and no memory", picture.width);
    } else {
        let (right, bottom) = slices(picture, &mut out, top);
        memory(picture, &mut out, [right, top, bottom]);
    }
    out.document(&title)
}

impl Picture {
    /// The cell of a slot. Padding has no index.
    pub(crate) fn cell(
        &self,
        label: Label,
        offset: Size,
        index: Option<Vec<Size>>,
        tile: Option<Size>,
    ) -> chart::Cell {
        let element = index.as_deref().map(joined);
        let hint = match &element {
            Some(index) => format!("[{index}] at offset {offset}"),
            None => format!("padding at offset {offset}"),
        };
        let element = element.map_or(String::new(), |index| match &*index {
            "" => "[]".to_string(),
            _ => index,
        });
        let (label, note) = match label {
            Label::Offset => (offset.to_string(), String::new()),
            Label::Index => (element, String::new()),
            Label::Both => (offset.to_string(), element),
            Label::None => Default::default(),
        };
        let color = index.is_some().then(|| native(tile.unwrap_or(0) % TILE_COLORS));
        let (offset, is_hatched) = (Some(offset), index.is_none());
        chart::Cell { label, note, hint, color, is_hatched, offset, index, ..Default::default() }
    }
}

/// The slices one below another; how far they reach.
fn slices(picture: &Picture, out: &mut Drawing, top: usize) -> (usize, usize) {
    let (mut right, mut y) = (MARGIN, top);
    let count = picture.slice_count();
    for track in tracks(count, &[], if count <= MOST_SLICES { count } else { 3 }) {
        match track {
            Track::Gap(first, last) => {
                let text = format!("… {} more slices", last - first + 1);
                out.text([MARGIN, y + 10], "h", &text);
                y += 34;
            }
            Track::At(number) => {
                if let Some((end, bottom)) = slice(picture, out, number, y) {
                    right = right.max(end);
                    y = bottom + 20;
                }
            }
        }
    }
    out.grow(right, y - 20);
    (right, y)
}

/// A grid with its names, with as many columns as there is room for.
fn slice(
    picture: &Picture,
    out: &mut Drawing,
    number: Size,
    mut top: usize,
) -> Option<(usize, usize)> {
    let [row_name, column_name] = picture.axis_names();
    let has_names = [!row_name.is_empty(), !column_name.is_empty()];
    let most = if picture.label == Label::None { MOST_SQUARES } else { MOST_TRACKS };
    let mut columns = most;
    let (slice, rows, height, xs) = loop {
        let slice = picture.slice(number, [most, columns])?;
        let rows = rows(picture, &slice);
        let [width, height] = cell_size(&rows);
        let label = rows.last().map_or(0, |row| row.name.len()).max(row_name.len() + 2);
        let left = MARGIN + if has_names[0] { label * CHARACTER + 12 } else { 0 };
        let xs = edges(&slice.columns, left, width);
        let excess = xs[xs.len() - 1].saturating_sub(picture.width - MARGIN).div_ceil(width);
        if excess == 0 || slice.columns.len() <= 3 {
            break (slice, rows, height, xs);
        }
        columns = slice.columns.len().saturating_sub(excess);
    };
    if !slice.title.is_empty() {
        out.text([MARGIN, top + 10], "h", &slice.title);
        top += 28;
    }
    let header = if has_names[1] { HEADER + 16 } else { 0 };
    let ys = edges(&slice.rows, top + header, height);
    let (left, right) = (xs[0], xs[xs.len() - 1]);
    if has_names[1] {
        out.text([(left + right) / 2, top + 6], "c h", &format!("{column_name} →"));
        for (track, x) in slice.columns.iter().zip(xs.windows(2)) {
            // Wide numbers above small squares stand at each fourth.
            let is_named = x[1] - x[0] >= CHARACTER * 2 + 4 || track.first() % 4 == 0;
            let name = if is_named { track.label("…") } else { String::new() };
            out.text([(x[0] + x[1]) / 2, top + header - 12], "c h", &name);
        }
    }
    if has_names[0] {
        out.text([left - 10, top + header - 12], "r h", &format!("{row_name} ↓"));
    }
    out.cells(&rows, &xs, &ys);
    Some((right, ys[ys.len() - 1]))
}

/// The rows of a slice. What stands for slots that are left out has no offset.
fn rows(picture: &Picture, slice: &Slice) -> Vec<Row> {
    let [row_axis, column_axis] = picture.axes();
    let cell = |i: usize, j: usize| {
        let (cell, row, column) = (slice.cell(i, j), slice.rows[i], slice.columns[j]);
        let index = slice.start.as_ref().filter(|_| !cell.is_padding).map(|start| {
            let mut index = start.clone();
            for (axis, at) in [(row_axis, row), (column_axis, column)] {
                if let Some(dim) = axis {
                    index[dim] = at.first();
                }
            }
            index
        });
        let mut drawn = picture.cell(picture.label, cell.offset, index, Some(cell.tile));
        if cell.is_gap {
            (drawn.label, drawn.note, drawn.hint) = Default::default();
            (drawn.offset, drawn.index) = (None, None);
            drawn.label = content(cell, row, column);
        }
        (drawn.right, drawn.below) = (cell.right, cell.below);
        Some(drawn)
    };
    let row = |(i, track): (usize, &Track)| {
        // An array of rank 1 has one row, and no dimension for it.
        let name = if row_axis.is_some() { track.label("⋮") } else { String::new() };
        let cells = (0..slice.columns.len()).map(|j| cell(i, j)).collect();
        Row { name, cells, ends: false }
    };
    slice.rows.iter().enumerate().map(row).collect()
}

/// The order in memory, beside the grid or below it.
fn memory(picture: &Picture, out: &mut Drawing, [right, top, bottom]: [usize; 3]) {
    let offset = (picture.slots() - 1).to_string().len() * CHARACTER + 12;
    let page = picture.width;
    let room = LINE_WIDTH.max(page * 3 / 5).min((page - 2 * MARGIN).saturating_sub(offset + GAP));
    let mut most = room / cell_size(&[])[0];
    let (lines, rows, [width, height]) = loop {
        let lines = picture.memory(most, MOST_LINES);
        let rows = lines.iter().map(|line| memory_row(picture, line)).collect::<Vec<_>>();
        let size = cell_size(&rows);
        let longest = lines.iter().map(|line| line.slots.len()).max().unwrap_or(1);
        let fitting = (room / size[0]).max(1);
        if longest <= fitting {
            break (lines, rows, size);
        }
        most = fitting;
    };
    let longest = lines.iter().map(|line| line.slots.len()).max().unwrap_or(1);
    let is_beside = right + 48 + offset + longest * width + GAP + MARGIN <= page;
    let [left, top] = if is_beside { [right + 48, top] } else { [MARGIN, bottom + 8] };
    let legend = if picture.has_padding() { "; hatched: padding" } else { "" };
    let legend = format!("in memory, by offset{legend}");
    let mut y = out.lines([left, top], "h", CHARACTER, &legend, page) + 12;
    for (line, row) in lines.iter().zip(rows) {
        let start = left + offset;
        let mut xs = (0..=row.cells.len()).map(|i| start + i * width).collect::<Vec<_>>();
        if let Some(end) = xs.last_mut().filter(|_| line.is_cut) {
            *end = *end + GAP - width;
        }
        out.cells(&[row], &xs, &[y, y + height]);
        out.grow(xs[xs.len() - 1], y + height);
        y += height + 6;
    }
}

/// A line of memory, with `…` where it is cut.
fn memory_row(picture: &Picture, line: &Line) -> Row {
    let label = if picture.label == Label::Offset { Label::Index } else { picture.label };
    let slots =
        line.slots.iter().zip(line.start..).zip(line.slots.iter().skip(1).map(Some).chain([None]));
    let cell = |((slot, offset), next): ((&Slot, Size), Option<&Slot>)| {
        let cell = picture.cell(label, offset, slot.index.clone(), slot.tile);
        let ends = next.is_some_and(|next| next.tile != slot.tile);
        Some(chart::Cell { right: ends.then_some(0), ..cell })
    };
    let mut cells = slots.map(cell).collect::<Vec<_>>();
    cells.extend(line.is_cut.then(|| Some(chart::Cell::text("…"))));
    Row { name: line.start.to_string(), cells, ends: false }
}

/// Where tracks begin, and where the last one ends.
fn edges(tracks: &[Track], start: usize, width: usize) -> Vec<usize> {
    let mut edges = Vec::from([start]);
    let mut end = start;
    for track in tracks {
        end += if track.is_gap() { GAP.min(width) } else { width };
        edges.push(end);
    }
    edges
}
