//! The picture as SVG.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use layout_core::Size;
use layout_core::base::width::native;

use crate::chart::{CHARACTER, Cell, Chart, Drawing, MARGIN, Row, SQUARE, joined};
use crate::grid::Slice;
use crate::memory::{Line, Slot};
use crate::picture::{Label, Picture};
use crate::text_grid::content;
use crate::track::{Track, tracks};

/// Tracks of a slice along each dimension, twice as many without labels; slices; lines of memory. What is more is left out.
const MOST_TRACKS: usize = 16;
const MOST_SLICES: Size = 4;
const MOST_LINES: usize = 14;

/// Lines of memory are not made wider on a page of the usual width.
const LINE_WIDTH: usize = 760;

/// Colours of the tiles, which take turns. It is odd, so that the tiles of a row and those below them differ.
const TILE_COLORS: Size = 7;

/// The picture as a document.
pub(crate) fn document(picture: &Picture) -> String {
    let title = picture.shape.to_string();
    let limit = picture.width - MARGIN;
    let mut out = Drawing { limit, ..Drawing::default() };
    let top = out.lines([MARGIN; 2], "t", &title) + 8;
    let (mut right, mut bottom) = (MARGIN, top);
    let count = picture.slice_count();
    for track in tracks(count, &[], if count <= MOST_SLICES { count } else { 3 }) {
        let grid = match track {
            Track::At(number) => grid(picture, number),
            Track::Gap(first, last) => {
                let title = format!("… {} more slices", last - first + 1);
                Chart { title, ..Chart::default() }
            }
        };
        let [end, below] = grid.draw(&mut out, [MARGIN, bottom], "h");
        let end = end.max(MARGIN + grid.title.chars().count() * CHARACTER);
        (right, bottom) = (right.max(end), below + MARGIN);
    }
    let memory = memory(picture);
    // Beside the grid, or below it.
    let [xs, _] = memory.edges();
    let is_beside = right + 2 * MARGIN + xs[xs.len() - 1] <= limit;
    let place = if is_beside { [right + 2 * MARGIN, top] } else { [MARGIN, bottom] };
    memory.draw(&mut out, place, "h");
    out.document(&title)
}

impl Picture {
    /// The cell of a slot of memory.
    pub(crate) fn cell(&self, label: Label, offset: Size) -> Cell {
        let slot = self.slot(offset);
        let element = slot.label().unwrap_or_default();
        let Slot { index, tile } = slot;
        let hint = match &index {
            Some(index) => format!("[{}] at offset {offset}", joined(index)),
            None => format!("padding at offset {offset}"),
        };
        let (label, note) = match label {
            Label::Offset => (offset.to_string(), String::new()),
            Label::Index => (element, String::new()),
            Label::Both => (offset.to_string(), element),
            Label::None => Default::default(),
        };
        let color = index.is_some().then(|| native(tile.unwrap_or(0) % TILE_COLORS));
        let (offset, is_hatched) = (Some(offset), index.is_none());
        Cell { label, note, hint, color, is_hatched, offset, index, ..Cell::default() }
    }
}

/// A slice, with as many columns as there is room for.
fn grid(picture: &Picture, number: Size) -> Chart {
    let axes = picture.axes();
    let most = if picture.label == Label::None { 2 * MOST_TRACKS } else { MOST_TRACKS };
    Chart::fitting(picture.width - 2 * MARGIN, most, |columns| {
        let Some(slice) = picture.slice(number, [most, columns]) else { return Chart::default() };
        let fixed = match &slice.start {
            Some(start) if start.len() <= 2 => String::new(),
            Some(start) => {
                let at = |(dim, at): (usize, &Size)| match axes.contains(&Some(dim)) {
                    true => ":".to_string(),
                    false => at.to_string(),
                };
                format!("[{}]", joined(&start.iter().enumerate().map(at).collect::<Vec<_>>()))
            }
            None => slice.title.clone(),
        };
        let names = axes.into_iter().zip(["↓", "→"]);
        let names = names.filter_map(|(dim, arrow)| Some(format!("dimension {} {arrow}", dim?)));
        let title = [fixed].into_iter().chain(names).filter(|part| !part.is_empty());
        let columns = slice.columns.iter().filter(|_| axes[1].is_some());
        Chart {
            title: title.collect::<Vec<_>>().join(", "),
            columns: columns.map(|track| track.label("…")).collect(),
            // An array of rank 1 has one row, and no dimension for it.
            rows: rows(picture, &slice, axes[0].is_some()),
        }
    })
}

/// The rows of a slice. What stands for slots that are left out has no offset.
fn rows(picture: &Picture, slice: &Slice, have_names: bool) -> Vec<Row> {
    let cell = |i: usize, j: usize| {
        let (slot, mut cell) =
            (slice.cell(i, j), picture.cell(picture.label, slice.cell(i, j).offset));
        if slot.is_gap {
            let label = content(slot, slice.rows[i], slice.columns[j]);
            let (color, is_hatched) = (cell.color, cell.is_hatched);
            cell = Cell { label, color, is_hatched, ..Cell::default() };
        }
        Some(Cell { right: slot.right, below: slot.below, ..cell })
    };
    let row = |(i, track): (usize, &Track)| {
        let name = if have_names { track.label("⋮") } else { String::new() };
        Row {
            name,
            cells: (0..slice.columns.len()).map(|j| cell(i, j)).collect(),
            ..Row::default()
        }
    };
    slice.rows.iter().enumerate().map(row).collect()
}

/// The order in memory, with `…` where lines are cut.
fn memory(picture: &Picture) -> Chart {
    let label = if picture.label == Label::Offset { Label::Index } else { picture.label };
    let block = picture.shape.block(0).ok().map(|block| block.factor);
    let block = block.filter(|_| picture.padded.levels() > 0);
    let row = |line: &Line| {
        let cell = |(i, slot): (usize, &Slot)| {
            let ends = line.slots.get(i + 1).is_some_and(|next| next.tile != slot.tile);
            let cell = picture.cell(label, line.start + i as Size);
            Some(Cell { right: ends.then_some(0), ..cell })
        };
        let cut = line.is_cut.then(Cell::cut);
        let cells = line.slots.iter().enumerate().map(cell).chain(cut).collect();
        let is_cut = block.is_some_and(|block| !line.start.is_multiple_of(block));
        let row = Row { name: line.start.to_string(), cells, ends: true, is_cut };
        let rest = line.is_cut.then(|| Row { name: "⋮".to_string(), ..Row::default() });
        [row].into_iter().chain(rest)
    };
    let title = match picture.has_padding() {
        _ if picture.slots() == 0 => "no elements, and no memory",
        true => "in memory, by offset; hatched: padding",
        false => "in memory, by offset",
    };
    let room = LINE_WIDTH.max(picture.width * 3 / 5).min(picture.width - 2 * MARGIN);
    Chart::fitting(room, room / SQUARE, |most| {
        let rows = picture.memory(most, MOST_LINES).iter().flat_map(row).collect();
        Chart { title: title.to_string(), columns: Vec::new(), rows }
    })
}
