//! Charts: cells in rows with names, which all pictures in SVG are drawn of.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

use layout_core::Size;

use crate::svg::{self, COLORS, Page, escape};

/// Cells in rows.
///
/// # Examples
/// ```
/// use layout_picture::chart::{Cell, Chart, Row};
///
/// let cell = Cell { label: "L5".into(), key: "5".into(), color: Some(2), ..Cell::default() };
/// let row = Row { name: "phase 0".into(), cells: vec![None, Some(cell)], ..Row::default() };
/// let chart = Chart { title: "banks".into(), columns: vec!["0".into(), "1".into()], rows: vec![row] };
/// assert!(chart.svg().contains("<g class=\"slot\" data-key=\"5\">"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// What stands above it.
    pub title: String,
    /// What stands above each column; empty if there are no names.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row of a chart.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// What stands at its left.
    pub name: String,
    /// The cells; nothing is drawn for `None`.
    pub cells: Vec<Option<Cell>>,
    /// Whether there is a heavy line below it.
    pub ends: bool,
}

/// A cell of a chart.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// What stands in it.
    pub label: String,
    /// What stands below the label, in small letters.
    pub note: String,
    /// What is shown while the pointer is over it.
    pub hint: String,
    /// The number of its colour, modulo [`COLORS`]. A cell that has no colour and is not hatched has no edges.
    pub color: Option<usize>,
    /// Whether it is hatched.
    pub is_hatched: bool,
    /// Whether it has a bold outline.
    pub is_marked: bool,
    /// `data-key`, if not empty.
    pub key: String,
    /// `data-offset`.
    pub offset: Option<Size>,
    /// `data-index`: the coordinates of an element.
    pub index: Option<Vec<Size>>,
    /// The line at its right: 0 is a heavy one, others are thin.
    pub right: Option<usize>,
    /// The line below it.
    pub below: Option<usize>,
}

/// All lengths are in pixels.
pub(crate) const MARGIN: usize = 24;
/// Width of a character.
pub(crate) const CHARACTER: usize = 8;
/// Room above cells for the names of their columns.
pub(crate) const HEADER: usize = 24;
/// Height of a line of text.
const LINE: usize = 20;
/// Width of a character of a title, which is bold, and of a note.
const TITLE_CHARACTER: usize = 11;
const NOTE_CHARACTER: usize = 6;

const STYLE: &str = "\
.tiled-layout .c{text-anchor:middle}.tiled-layout .r{text-anchor:end}.tiled-layout .f{fill-opacity:.45}\
.tiled-layout .t{font-weight:600;font-size:17px}.tiled-layout .s{font-size:10px}.tiled-layout path{fill:none}\
.tiled-layout .l0{stroke:#1e293b;stroke-width:2;stroke-linecap:square}.tiled-layout .l1{stroke:#64748b}\
.tiled-layout .l2{stroke:#1e293b;stroke-width:3}.tiled-layout .g{stroke:#fff}.tiled-layout .hatch{fill:#cbd5e1}\
@media screen and (prefers-color-scheme:dark){.tiled-layout .l0,.tiled-layout .l2{stroke:#e2e8f0}.tiled-layout .l1{stroke:#94a3b8}\
.tiled-layout .f{fill-opacity:.5}.tiled-layout .g{stroke:#0f172a}.tiled-layout .hatch{fill:#334155}}";

/// The hatched fill, through which a colour shows.
const HATCH: &str = "<defs><pattern id=\"tiled-layout-pad\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
    patternTransform=\"rotate(45)\"><rect class=\"hatch\" width=\"2\" height=\"6\"/></pattern></defs>\n";

impl Chart {
    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        let mut drawing = Drawing::default();
        let chars = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|text| text.chars().count()).max().unwrap_or(0)
        };
        let names = chars(&mut self.rows.iter().map(|row| &row.name));
        let [width, height] = cell_size(&self.rows);
        let width = width.max(chars(&mut self.columns.iter()) * CHARACTER + 6);
        let left = MARGIN + if names > 0 { names * CHARACTER + 12 } else { 0 };
        let cells = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let right = left + width * cells.max(self.columns.len());
        let mut top = drawing.title(&self.title, right.max(480)) + 16;
        for (i, name) in self.columns.iter().enumerate() {
            drawing.text([left + width * i + width / 2, top + 6], "c h", name);
        }
        top += if self.columns.is_empty() { 0 } else { HEADER };
        let xs = (0..=cells).map(|i| left + width * i).collect::<Vec<_>>();
        let ys = (0..=self.rows.len()).map(|i| top + height * i).collect::<Vec<_>>();
        drawing.cells(&self.rows, &xs, &ys);
        drawing.grow(right, top + height * self.rows.len());
        drawing.document(&self.title)
    }
}

impl Cell {
    /// Text without edges.
    pub(crate) fn text(label: &str) -> Cell {
        Cell { label: label.to_string(), ..Cell::default() }
    }

    fn is_filled(&self) -> bool {
        self.color.is_some() || self.is_hatched
    }
}

/// Coordinates with commas between them.
pub(crate) fn joined(index: &[Size]) -> String {
    index.iter().map(Size::to_string).collect::<Vec<_>>().join(",")
}

/// Width and height of cells that have room for all labels; small squares if there are none.
pub(crate) fn cell_size(rows: &[Row]) -> [usize; 2] {
    let (mut label, mut note) = (0, 0);
    for cell in rows.iter().flat_map(|row| row.cells.iter().flatten()) {
        label = label.max(cell.label.chars().count());
        note = note.max(cell.note.len());
    }
    match (label, note) {
        (0, 0) => [18; 2],
        _ => {
            let width = (label * CHARACTER).max(note * NOTE_CHARACTER) + 12;
            [width.max(30), if note > 0 { 42 } else { 30 }]
        }
    }
}

/// What is drawn so far.
#[derive(Default)]
pub(crate) struct Drawing {
    /// Cells, then lines, then names, so that nothing covers what is to be read.
    cells: String,
    lines: String,
    texts: String,
    width: usize,
    height: usize,
}

impl Drawing {
    pub(crate) fn grow(&mut self, right: usize, bottom: usize) {
        self.width = self.width.max(right);
        self.height = self.height.max(bottom);
    }

    /// Text whose middle is at that height.
    pub(crate) fn text(&mut self, place: [usize; 2], class: &str, text: &str) {
        text_at(&mut self.texts, place, class, text);
    }

    /// The title in lines up to an edge; where they end.
    pub(crate) fn title(&mut self, title: &str, right: usize) -> usize {
        self.lines([MARGIN, MARGIN], "t", TITLE_CHARACTER, title, right)
    }

    /// Text in lines from a place up to an edge; where they end.
    pub(crate) fn lines(
        &mut self,
        [x, mut y]: [usize; 2],
        class: &str,
        character: usize,
        text: &str,
        right: usize,
    ) -> usize {
        let most = (right.saturating_sub(x) / character).max(8);
        let mut rest = text.chars().collect::<Vec<_>>();
        while !rest.is_empty() {
            // A line ends after a word, if it has one.
            let end = rest[..rest.len().min(most)].iter().rposition(|c| !c.is_alphanumeric());
            let end = end.filter(|_| rest.len() > most).map_or(rest.len().min(most), |end| end + 1);
            let line = rest.drain(..end).collect::<String>();
            self.text([x, y + LINE / 2], class, line.trim_end());
            y += LINE;
            self.grow(x + end * character, y);
        }
        y
    }

    /// Cells with their lines and the names of their rows, between these edges of columns and rows.
    pub(crate) fn cells(&mut self, rows: &[Row], xs: &[usize], ys: &[usize]) {
        let is_cell = |row: Option<usize>, column: Option<usize>| {
            let cell = row.and_then(|row| rows.get(row)?.cells.get(column?));
            cell.is_some_and(|cell| cell.is_some())
        };
        let mut lines = [const { String::new() }; 3];
        for (i, row) in rows.iter().enumerate() {
            let [y, below] = [ys[i], ys[i + 1]];
            self.text([xs[0] - 10, (y + below) / 2], "r h", &row.name);
            for (j, cell) in row.cells.iter().enumerate() {
                let Some(cell) = cell else { continue };
                let [x, end] = [xs[j], xs[j + 1]];
                write_cell(&mut self.cells, cell, [x, y, end - x, below - y]);
                if !cell.is_filled() {
                    continue;
                }
                let edge = |row, column| (!is_cell(row, column)).then_some(0);
                let row_ends = row.ends.then_some(0);
                let (up, left) = (edge(i.checked_sub(1), Some(j)), edge(Some(i), j.checked_sub(1)));
                let right = cell.right.or_else(|| edge(Some(i), Some(j + 1)));
                let down = row_ends.or(cell.below).or_else(|| edge(Some(i + 1), Some(j)));
                for (level, line) in [
                    (up, format!("M{x} {y}H{end}")),
                    (left, format!("M{x} {y}V{below}")),
                    (right, format!("M{end} {y}V{below}")),
                    (down, format!("M{x} {below}H{end}")),
                ] {
                    if let Some(level) = level {
                        lines[level.min(1)].push_str(&line);
                    }
                }
                if cell.is_marked {
                    let [x, y, end, below] = [x + 2, y + 2, end - 2, below - 2];
                    let _ = write!(lines[2], "M{x} {y}H{end}V{below}H{x}Z");
                }
            }
        }
        // Heavy lines are drawn over thin ones.
        for (level, path) in lines.iter().enumerate().filter(|(_, path)| !path.is_empty()).rev() {
            svg::path(&mut self.lines, &format!("l{level}"), path);
        }
    }

    /// The document.
    pub(crate) fn document(&self, title: &str) -> String {
        let Drawing { cells, lines, texts, width, height } = self;
        let page = Page {
            class: "tiled-layout",
            title,
            size: [width + MARGIN, height + MARGIN].map(|length| length as f64),
            is_fixed: true,
            font: 14,
            style: STYLE,
            body: &[HATCH, cells, lines, texts].concat(),
        };
        page.document()
    }
}

fn text_at(out: &mut String, place: [usize; 2], class: &str, text: &str) {
    if !text.is_empty() {
        svg::text(out, place, &format!("dy=\".35em\" class=\"{class}\""), text);
    }
}

fn write_cell(out: &mut String, cell: &Cell, place: [usize; 4]) {
    let Cell { label, note, hint, key, .. } = cell;
    let is_slot = cell.offset.is_some() || !key.is_empty();
    out.push_str(if is_slot { "<g class=\"slot\"" } else { "<g" });
    if let Some(offset) = cell.offset {
        let _ = write!(out, " data-offset=\"{offset}\"");
    }
    if let Some(index) = &cell.index {
        let _ = write!(out, " data-index=\"{}\"", joined(index));
    }
    if !key.is_empty() {
        let _ = write!(out, " data-key=\"{}\"", escape(key));
    }
    out.push('>');
    if !hint.is_empty() {
        let _ = write!(out, "<title>{}</title>", escape(hint));
    }
    if let Some(color) = cell.color {
        let color = COLORS[color % COLORS.len()];
        svg::rect(out, place, &format!("class=\"g f\" fill=\"{color}\""));
    }
    if cell.is_hatched {
        svg::rect(out, place, "class=\"g\" fill=\"url(#tiled-layout-pad)\"");
    }
    let [x, y] = [place[0] + place[2] / 2, place[1] + place[3] / 2];
    let up = if note.is_empty() { 0 } else { 7 };
    text_at(out, [x, y - up], if cell.color.is_some() { "c" } else { "c h" }, label);
    text_at(out, [x, y + 10], "c s", note);
    out.push_str("</g>\n");
}
