//! The picture as SVG.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

use layout_core::Size;
use layout_core::base::width::native;

use crate::grid::Slice;
use crate::memory::Line;
use crate::picture::Picture;
use crate::svg::{self, COLORS, Page};
use crate::text_grid::content;
use crate::track::{Track, tracks};

/// Tracks of a slice along each dimension; slices; lines of memory. What is more is left out.
const MOST_TRACKS: usize = 16;
const MOST_SLICES: Size = 4;
const MOST_LINES: usize = 14;

/// All lengths are in pixels.
const MARGIN: usize = 24;
const CELL_HEIGHT: usize = 30;
const GAP: usize = 22;
/// Width of a character in cells.
const CHARACTER: usize = 8;
/// Room above a grid for the numbers of its columns.
const HEADER: usize = 24;
/// Lines of memory are not made wider, nor does memory stand beside a grid where both are.
const LINE_WIDTH: usize = 760;
const PAGE_WIDTH: usize = 1240;

/// Colours of the tiles, which take turns.
const TILE_COLORS: Size = 7;

const STYLE: &str = "\
.tiled-layout .c{text-anchor:middle}.tiled-layout .r{text-anchor:end}.tiled-layout .f{fill-opacity:.3}\
.tiled-layout .p{fill:#94a3b8}.tiled-layout .t{font-weight:600;font-size:17px}\
.tiled-layout .l0{stroke:#1e293b;stroke-width:2;stroke-linecap:square}.tiled-layout .l1{stroke:#64748b;stroke-width:1}\
.tiled-layout .g{stroke:#fff;stroke-width:1}.tiled-layout path{fill:none}";

/// The hatched fill of padding.
const PADDING: &str = "<defs><pattern id=\"tiled-layout-pad\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
    patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#f8fafc\"/>\
    <rect width=\"2\" height=\"6\" fill=\"#e2e8f0\"/></pattern></defs>\n";

/// What is drawn so far.
#[derive(Default)]
struct Sheet {
    /// Fills, then lines, then text, so that nothing covers what is to be read.
    fills: String,
    lines: String,
    texts: String,
    width: usize,
    height: usize,
}

/// The picture as a document.
pub(crate) fn document(picture: &Picture) -> String {
    let title = picture.shape.to_string();
    let mut sheet = Sheet::default();
    sheet.text(MARGIN, MARGIN + 10, "t", &title);
    // The bold title is wider than other text.
    sheet.grow(MARGIN + title.chars().count() * 11, MARGIN + 20);
    let top = MARGIN + 36;
    if picture.slots() == 0 {
        sheet.text(MARGIN, top + 10, "h", "no elements, and no memory");
        sheet.grow(MARGIN + 220, top + 20);
    } else {
        let (right, bottom) = sheet.slices(picture, top);
        sheet.memory(picture, top, right, bottom);
    }
    let Sheet { fills, lines, texts, width, height } = sheet;
    let page = Page {
        class: "tiled-layout",
        title: &title,
        size: [width + MARGIN, height + MARGIN].map(|length| length as f64),
        is_fixed: true,
        font: 14,
        style: STYLE,
        body: &[PADDING, &fills, &lines, &texts].concat(),
    };
    page.document()
}

impl Sheet {
    fn grow(&mut self, right: usize, bottom: usize) {
        self.width = self.width.max(right);
        self.height = self.height.max(bottom);
    }

    /// Text whose middle is at that height.
    fn text(&mut self, x: usize, y: usize, class: &str, text: &str) {
        let attributes = format!("dy=\".35em\" class=\"{class}\"");
        svg::text(&mut self.texts, [x, y], &attributes, text);
    }

    fn rect(&mut self, place: [usize; 4], tile: Option<Size>, is_padding: bool) {
        let attributes = match tile {
            _ if is_padding => "fill=\"url(#tiled-layout-pad)\" class=\"g\"".to_string(),
            tile => {
                let color = COLORS[native(tile.unwrap_or(0) % TILE_COLORS)];
                format!("fill=\"{color}\" class=\"g f\"")
            }
        };
        svg::rect(&mut self.fills, place, &attributes);
    }

    fn path(&mut self, class: &str, path: &str) {
        if !path.is_empty() {
            svg::path(&mut self.lines, class, path);
        }
    }

    /// The slices one below another; how far they reach.
    fn slices(&mut self, picture: &Picture, top: usize) -> (usize, usize) {
        let (mut right, mut y) = (MARGIN, top);
        let count = picture.slice_count();
        for track in tracks(count, &[], if count <= MOST_SLICES { count } else { 3 }) {
            match track {
                Track::Gap(first, last) => {
                    let text = format!("… {} more slices", last - first + 1);
                    self.text(MARGIN, y + 10, "h", &text);
                    y += 34;
                }
                Track::At(number) => {
                    if let Some(slice) = picture.slice(number, [MOST_TRACKS; 2]) {
                        let (end, bottom) = self.slice(picture, &slice, y);
                        right = right.max(end);
                        y = bottom + 20;
                    }
                }
            }
        }
        self.grow(right, y - 20);
        (right, y)
    }

    /// A grid with its names.
    fn slice(&mut self, picture: &Picture, slice: &Slice, top: usize) -> (usize, usize) {
        let [row_name, column_name] = picture.axis_names();
        let mut top = top;
        if !slice.title.is_empty() {
            self.text(MARGIN, top + 10, "h", &slice.title);
            top += 28;
        }
        let digits = slice.cells.iter().map(|cell| cell.offset).max().unwrap_or(0);
        let width = (digits.to_string().len() * CHARACTER + 18).max(36);
        let label = slice.rows.last().map_or(0, |row| row.last()).to_string().len();
        let label = label.max(row_name.len() + 2) * CHARACTER + 12;
        let has_names = [!row_name.is_empty(), !column_name.is_empty()];
        let left = if has_names[0] { MARGIN + label } else { MARGIN };
        let header = if has_names[1] { HEADER + 16 } else { 0 };
        let xs = edges(&slice.columns, left, width);
        let ys = edges(&slice.rows, top + header, CELL_HEIGHT);
        let (right, bottom) = (xs[xs.len() - 1], ys[ys.len() - 1]);

        if has_names[1] {
            self.text((left + right) / 2, top + 6, "c h", &format!("{column_name} →"));
        }
        for (i, track) in slice.columns.iter().enumerate().filter(|_| has_names[1]) {
            let middle = (xs[i] + xs[i + 1]) / 2;
            self.text(middle, top + header - 12, "c h", &track.label("…"));
        }
        if has_names[0] {
            self.text(left - 10, top + header - 12, "r h", &format!("{row_name} ↓"));
        }
        for (i, track) in slice.rows.iter().enumerate().filter(|_| has_names[0]) {
            let middle = (ys[i] + ys[i + 1]) / 2;
            self.text(left - 10, middle, "r h", &track.label("⋮"));
        }

        let mut borders = [format!("M{left} {}H{right}M{left} {0}V{bottom}", ys[0]), String::new()];
        for (row, row_track) in slice.rows.iter().enumerate() {
            for (column, column_track) in slice.columns.iter().enumerate() {
                let cell = slice.cell(row, column);
                let [x, y, end, below] = [xs[column], ys[row], xs[column + 1], ys[row + 1]];
                self.rect([x, y, end - x, below - y], Some(cell.tile), cell.is_padding);
                let class = if cell.is_padding { "c p" } else { "c" };
                let text = content(cell, *row_track, *column_track);
                self.text((x + end) / 2, (y + below) / 2, class, &text);
                if let Some(level) = cell.right {
                    let _ = write!(borders[level.min(1)], "M{end} {y}V{below}");
                }
                if let Some(level) = cell.below {
                    let _ = write!(borders[level.min(1)], "M{x} {below}H{end}");
                }
            }
        }
        self.path("l1", &borders[1]);
        self.path("l0", &borders[0]);
        (right, bottom)
    }

    /// The order in memory, beside the grid or below it.
    fn memory(&mut self, picture: &Picture, top: usize, right: usize, bottom: usize) {
        let offset = (picture.slots() - 1).to_string().len() * CHARACTER + 12;
        let widest = |lines: &[Line]| {
            let labels = lines.iter().flat_map(|line| line.slots.iter().filter_map(|s| s.label()));
            labels.map(|label| label.len()).max().unwrap_or(0).max(2) * CHARACTER + 12
        };
        let mut most = LINE_WIDTH / (2 * CHARACTER + 12);
        let (lines, width) = loop {
            let lines = picture.memory(most, MOST_LINES);
            let width = widest(&lines);
            let longest = lines.iter().map(|line| line.slots.len()).max().unwrap_or(1);
            let fitting = (LINE_WIDTH / width).max(1);
            if longest <= fitting {
                break (lines, width);
            }
            most = fitting;
        };
        let longest = lines.iter().map(|line| line.slots.len()).max().unwrap_or(1);
        let needed = offset + longest * width + GAP;
        let (left, top) = if right + 48 + needed <= PAGE_WIDTH {
            (right + 48, top)
        } else {
            (MARGIN, bottom + 8)
        };

        let legend = if picture.has_padding() { "; hatched: padding" } else { "" };
        self.text(left, top + 6, "h", &format!("in memory, by offset{legend}"));
        let start = left + offset;
        let mut y = top + HEADER + 16;
        self.grow(left + 40 * CHARACTER, y);
        for line in &lines {
            self.line(line, [start, y], width);
            let end = start + line.slots.len() * width + if line.is_cut { GAP } else { 0 };
            y += CELL_HEIGHT + 6;
            self.grow(end, y - 6);
        }
    }

    fn line(&mut self, line: &Line, [start, y]: [usize; 2], width: usize) {
        let below = y + CELL_HEIGHT;
        let end = start + line.slots.len() * width;
        self.text(start - 10, y + CELL_HEIGHT / 2, "r h", &line.start.to_string());
        let mut borders = format!("M{start} {y}H{end}M{start} {below}H{end}M{start} {y}V{below}");
        for (i, slot) in line.slots.iter().enumerate() {
            let x = start + i * width;
            self.rect([x, y, width, CELL_HEIGHT], slot.tile, slot.index.is_none());
            if let Some(label) = slot.label() {
                self.text(x + width / 2, y + CELL_HEIGHT / 2, "c", &label);
            }
            let next = line.slots.get(i + 1);
            if next.map_or(!line.is_cut, |next| next.tile != slot.tile) {
                let _ = write!(borders, "M{} {y}V{below}", x + width);
            }
        }
        if line.is_cut {
            self.text(end + GAP / 2, y + CELL_HEIGHT / 2, "c h", "…");
        }
        self.path("l0", &borders);
    }
}

/// Where tracks begin, and where the last one ends.
fn edges(tracks: &[Track], start: usize, width: usize) -> Vec<usize> {
    let mut edges = Vec::from([start]);
    let mut end = start;
    for track in tracks {
        end += if track.is_gap() { GAP } else { width };
        edges.push(end);
    }
    edges
}
