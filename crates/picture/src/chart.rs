//! Charts: cells in rows with names, which all pictures in SVG are drawn of.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
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
    /// Whether it begins inside of what heavy lines enclose: the line at its left is thin.
    pub is_cut: bool,
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
const HEADER: usize = 24;
/// Width and height of what is left out, and of a cell without a label.
const GAP: usize = 22;
pub(crate) const SQUARE: usize = 18;
/// Height of a line of text.
const LINE: usize = 20;
/// Width of a character of a title, which is bold, and of a note.
const TITLE_CHARACTER: usize = 11;
const NOTE_CHARACTER: usize = 6;

const STYLE: &str = "\
.tiled-layout .c{text-anchor:middle}.tiled-layout .r{text-anchor:end}.tiled-layout .f{fill-opacity:.45}\
.tiled-layout .t{font-weight:600;font-size:17px}.tiled-layout .s{font-size:10px}.tiled-layout path{fill:none}\
.tiled-layout .l0{stroke:#1e293b;stroke-width:2;stroke-linecap:square}.tiled-layout .l1{stroke:#64748b}\
.tiled-layout .g{stroke:#fff}.tiled-layout .hatch{fill:#64748b;fill-opacity:.35}\
@media screen and (prefers-color-scheme:dark){.tiled-layout .l0{stroke:#e2e8f0}.tiled-layout .l1{stroke:#94a3b8}\
.tiled-layout .f{fill-opacity:.5}.tiled-layout .g{stroke:#0f172a}.tiled-layout .hatch{fill:#94a3b8;fill-opacity:.25}}";

/// The hatched fill, through which a colour shows.
const HATCH: &str = "<defs><pattern id=\"tiled-layout-pad\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
    patternTransform=\"rotate(45)\"><rect class=\"hatch\" width=\"2\" height=\"6\"/></pattern></defs>\n";

impl Chart {
    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        let mut drawing = Drawing { limit: usize::MAX, ..Drawing::default() };
        self.draw(&mut drawing, [MARGIN; 2], "t");
        drawing.document(&self.title)
    }

    /// Numbered columns and rows, each named by the number of its first cell, in which `step` are counted: at most `most_rows` rows and `most` columns, then `⋮` and
    /// `…` for the rest.
    pub fn table(
        title: String,
        [rows, most_rows]: [Size; 2],
        [columns, most]: [Size; 2],
        step: Size,
        cell: impl Fn(Size, Size) -> Option<Cell>,
    ) -> Chart {
        let row = |row: Size| {
            let cells = (0..columns.min(most)).map(|column| cell(row, column));
            let rest = (columns > most).then(Cell::cut);
            Row {
                name: (row * step).to_string(),
                cells: cells.chain(rest).collect(),
                ..Row::default()
            }
        };
        let names = (0..columns.min(most)).map(|column| column.to_string());
        let names = names.chain((columns > most).then(|| "…".to_string())).collect();
        let rest = (rows > most_rows).then(|| Row { name: "⋮".to_string(), ..Row::default() });
        let rows = (0..rows.min(most_rows)).map(row).chain(rest).collect();
        Chart { title, columns: names, rows }
    }

    /// The chart with as many columns as there is room for, of at most `most`.
    pub(crate) fn fitting(room: usize, mut most: usize, chart: impl Fn(usize) -> Chart) -> Chart {
        loop {
            let chart = chart(most);
            let ([xs, _], [width, _]) = (chart.edges(), chart.cell_size());
            let excess = xs[xs.len() - 1].saturating_sub(room).div_ceil(width);
            if excess == 0 || most <= 1 {
                return chart;
            }
            most = most.min(xs.len() - 1).saturating_sub(excess).max(1);
        }
    }

    /// Width and height that have room for each label; small squares if there are none.
    fn cell_size(&self) -> [usize; 2] {
        let (mut label, mut note) = (0, 0);
        for cell in self.rows.iter().flat_map(|row| row.cells.iter().flatten()) {
            // What stands for others has room.
            if !cell.label.starts_with(['…', '⋮', '┊', '┄']) {
                label = label.max(cell.label.chars().count());
            }
            note = note.max(cell.note.len());
        }
        let width = (label * CHARACTER).max(note * NOTE_CHARACTER) + 12;
        match (label, note) {
            (0, 0) => [SQUARE; 2],
            (_, 0) => [width.max(30), 30],
            _ => [width.max(30), 42],
        }
    }

    /// The edges of columns and rows, from the places of their names on. Those that are left out are narrow.
    pub(crate) fn edges(&self) -> [Vec<usize>; 2] {
        let Chart { columns, rows, .. } = self;
        let [width, height] = self.cell_size();
        let names = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        let cells = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let mut edges = [
            vec![if names > 0 { names * CHARACTER + 12 } else { 0 }],
            vec![if columns.is_empty() { 0 } else { HEADER }],
        ];
        for column in 0..cells {
            let is_gap = columns.get(column).is_some_and(|name| name == "…");
            edges[0].push(edges[0][column] + if is_gap { GAP.min(width) } else { width });
        }
        for (i, row) in rows.iter().enumerate() {
            edges[1].push(edges[1][i] + if row.name == "⋮" { GAP.min(height) } else { height });
        }
        edges
    }

    /// Draws it at a place with its title in this class; its right edge and its lower one.
    pub(crate) fn draw(
        &self,
        out: &mut Drawing,
        [left, top]: [usize; 2],
        class: &str,
    ) -> [usize; 2] {
        let top = out.lines([left, top], class, &self.title);
        let [xs, ys] = self.edges();
        let xs = xs.iter().map(|x| left + x).collect::<Vec<_>>();
        let ys = ys.iter().map(|y| top + y).collect::<Vec<_>>();
        // Of numbers above small squares each fourth has room.
        let every = if self.cell_size()[0] > SQUARE { 1 } else { 4 };
        for (name, x) in self.columns.iter().zip(xs.windows(2)).step_by(every) {
            out.text([(x[0] + x[1]) / 2, top + HEADER / 2], "c h", name);
        }
        let is_cell = |row: usize, column: usize| {
            self.rows.get(row).is_some_and(|row| matches!(row.cells.get(column), Some(Some(_))))
        };
        let mut lines = [const { String::new() }; 2];
        for (i, row) in self.rows.iter().enumerate() {
            let (y, below) = (ys[i], ys[i + 1]);
            out.text([xs[0] - 10, (y + below) / 2], "r h", &row.name);
            for (j, cell) in row.cells.iter().enumerate() {
                let Some(cell) = cell else { continue };
                let (x, end) = (xs[j], xs[j + 1]);
                out.cell(cell, [x, y, end - x, below - y]);
                if cell.color.is_none() && !cell.is_hatched {
                    continue;
                }
                // There is a heavy line where no cell is beside it.
                let edge = |row: usize, column: usize| (!is_cell(row, column)).then_some(0);
                let down = row.ends.then_some(0).or(cell.below).or_else(|| edge(i + 1, j));
                for (level, line) in [
                    (edge(i.wrapping_sub(1), j), format!("M{x} {y}H{end}")),
                    (
                        edge(i, j.wrapping_sub(1)).max(row.is_cut.then_some(1)),
                        format!("M{x} {y}V{below}"),
                    ),
                    (cell.right.or_else(|| edge(i, j + 1)), format!("M{end} {y}V{below}")),
                    (down, format!("M{x} {below}H{end}")),
                ] {
                    if let Some(level) = level {
                        lines[level.min(1)] += &line;
                    }
                }
                if cell.is_marked {
                    let [x, y, end, below] = [x + 2, y + 2, end - 2, below - 2];
                    let _ = write!(lines[0], "M{x} {y}H{end}V{below}H{x}Z");
                }
            }
        }
        // Heavy lines are drawn over thin ones.
        for (class, path) in [("l1", &lines[1]), ("l0", &lines[0])] {
            if !path.is_empty() {
                svg::path(&mut out.body, class, path);
            }
        }
        let [right, bottom] = [xs[xs.len() - 1], ys[ys.len() - 1]];
        out.grow(right, bottom);
        [right, bottom]
    }
}

impl Cell {
    /// What stands for cells that are left out.
    pub(crate) fn cut() -> Option<Cell> {
        Some(Cell { label: "…".to_string(), ..Cell::default() })
    }
}

/// Numbers with commas between them.
pub(crate) fn joined(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// What is drawn so far.
#[derive(Default)]
pub(crate) struct Drawing {
    pub(crate) body: String,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Lines of text do not exceed it.
    pub(crate) limit: usize,
}

impl Drawing {
    fn grow(&mut self, right: usize, bottom: usize) {
        self.width = self.width.max(right);
        self.height = self.height.max(bottom);
    }

    /// Text whose middle is at that height.
    fn text(&mut self, place: [usize; 2], class: &str, text: &str) {
        if !text.is_empty() {
            svg::text(&mut self.body, place, &format!("dy=\".35em\" class=\"{class}\""), text);
        }
    }

    /// Text in lines that end before the limit, if there is any; where what is below it begins.
    pub(crate) fn lines(&mut self, [x, mut y]: [usize; 2], class: &str, text: &str) -> usize {
        let character = if class == "t" { TITLE_CHARACTER } else { CHARACTER };
        let most = (self.limit.saturating_sub(x) / character).max(8);
        if text.is_empty() {
            return y;
        }
        let mut lines = vec![String::new()];
        let mut count = 0;
        for word in text.split_inclusive(' ') {
            let length = word.trim_end().chars().count();
            let ends = count > 0 && count + length > most;
            for (i, c) in word.chars().enumerate() {
                if ends && i == 0 || count == most && c != ' ' {
                    lines.push(String::new());
                    count = 0;
                }
                lines.last_mut().into_iter().for_each(|line| line.push(c));
                count += 1;
            }
        }
        for line in &lines {
            self.text([x, y + LINE / 2], class, line.trim_end());
            y += LINE;
            self.grow(x + line.chars().count() * character, y);
        }
        y + 8
    }

    fn cell(&mut self, cell: &Cell, [x, y, width, height]: [usize; 4]) {
        let Cell { label, note, hint, key, .. } = cell;
        let out = &mut self.body;
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
        let color = cell.color.map(|color| COLORS[color % COLORS.len()]);
        if let Some(color) = color {
            svg::rect(out, [x, y, width, height], &format!("class=\"g f\" fill=\"{color}\""));
        }
        if cell.is_hatched {
            svg::rect(out, [x, y, width, height], "class=\"g\" fill=\"url(#tiled-layout-pad)\"");
        }
        let [x, y] = [x + width / 2, y + height / 2];
        let up = if note.is_empty() { 0 } else { 7 };
        self.text([x, y - up], if color.is_some() || cell.is_hatched { "c" } else { "c h" }, label);
        self.text([x, y + 10], "c s", note);
        self.body.push_str("</g>\n");
    }

    /// The document.
    pub(crate) fn document(&self, title: &str) -> String {
        let page = Page {
            class: "tiled-layout",
            title,
            size: [self.width + MARGIN, self.height + MARGIN].map(|length| length as f64),
            is_fixed: true,
            font: 14,
            style: STYLE,
            body: &[HATCH, &self.body].concat(),
        };
        page.document()
    }
}
