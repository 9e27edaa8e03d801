//! Memory over the program, as SVG.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::lifetimes::usage::{HBM, VMEM};
use crate::memory::{Group, Memory, is_counted};
use crate::report::bytes::Bytes;
use crate::report::text;
use layout_core::Visible;

/// Bands that are told apart; what is left over is one more.
const BANDS: usize = 10;
/// Points of time that are drawn, each the highest of its steps.
const COLUMNS: usize = 400;
/// Where the bands are drawn, in pixels.
const LEFT: f64 = 70.0;
const TOP: f64 = 66.0;
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 360.0;
/// The rows beside the bands, and the page.
const LEGEND: f64 = 850.0;
const ROW: f64 = 34.0;
const PAGE: f64 = 1280.0;
/// Characters that there is room for: a character of the font takes 0.61 of its size, 14 in the title and 11 elsewhere.
const TITLE: usize = 140;
const LINE: usize = 178;
const ENTRY: usize = 60;
/// Of the largest band first; the last one is that of all others.
const COLORS: [&str; BANDS + 1] = [
    "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#ff9da7",
    "#9c755f", "#a0cbe8", "#bab0ac",
];
/// Of this picture alone, as a notebook has others beside it.
const STYLE: &str = "\
.tiled-memory{background:#fff}.tiled-memory text{font:11px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1e293b}\
.tiled-memory .title{font-size:14px;font-weight:600}.tiled-memory .dim{fill:#64748b}\
.tiled-memory .page{fill:#fff}.tiled-memory .grid{stroke:#64748b;stroke-opacity:.35}\
.tiled-memory .peak{stroke:#dc2626;stroke-dasharray:4 3}\
@media(prefers-color-scheme:dark){.tiled-memory{background:#0f172a}.tiled-memory text{fill:#e2e8f0}.tiled-memory .dim{fill:#94a3b8}\
.tiled-memory .page{fill:#0f172a}.tiled-memory .peak{stroke:#f87171}}";

impl Memory<'_> {
    /// A picture of the memory in use over the program, as SVG: bands of the groups that are the largest, stacked, each
    /// with the line of the program that made it, and the peak. It is light or dark as the reader's system is.
    pub fn svg(&self) -> String {
        text(|out| self.write_svg(out))
    }

    fn write_svg(&self, out: &mut String) -> fmt::Result {
        let (groups, bands) = self.bands();
        let columns = bands.first().map_or(0, Vec::len).max(1);
        let most = self.peak.bytes.max(1) as f64;
        let x = |column: usize| LEFT + column as f64 * WIDTH / columns as f64;
        let y = |bytes: u64| TOP + HEIGHT - bytes as f64 / most * HEIGHT;
        let height = TOP + (HEIGHT + 40.0).max(ROW * groups.len() as f64);
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tiled-memory\" viewBox=\"0 0 {PAGE} {height}\">"
        )?;
        writeln!(out, "<style>{STYLE}</style>")?;
        writeln!(out, "<rect class=\"page\" width=\"{PAGE}\" height=\"{height}\"/>")?;
        let title = format!("{}: {} at the peak", self.module.name(), Bytes(self.peak.bytes));
        write_text(out, [LEFT, 22.0], "title", &title, TITLE)?;
        let at = format!("at {}, {}", self.peak.instruction, self.peak.source);
        write_text(out, [LEFT, 40.0], "", &at, LINE)?;
        let mut below = vec![0u64; columns];
        for (number, ([what, source], band)) in groups.iter().zip(&bands).enumerate() {
            let lower = below.clone();
            below.iter_mut().zip(band).for_each(|(sum, own)| *sum = sum.saturating_add(*own));
            let color = COLORS[number];
            write!(out, "<path class=\"band\" fill=\"{color}\" d=\"M{LEFT} {:.1}", y(lower[0]))?;
            // There along the upper edge, and back along the lower one, in steps.
            for (column, bytes) in below.iter().enumerate() {
                if below.get(column + 1) != Some(bytes) {
                    write!(out, "V{:.1}H{:.1}", y(*bytes), x(column + 1))?;
                }
            }
            for (column, bytes) in lower.iter().enumerate().rev() {
                if column == 0 || lower[column - 1] != *bytes {
                    write!(out, "V{:.1}H{:.1}", y(*bytes), x(column))?;
                }
            }
            writeln!(out, "Z\"><title>{}  {}</title></path>", escaped(what), escaped(source))?;
            // The rows stand as the bands do.
            let row = TOP + ROW * (groups.len() - 1 - number) as f64;
            writeln!(
                out,
                "<rect x=\"{LEGEND}\" y=\"{row}\" width=\"12\" height=\"12\" fill=\"{color}\"/>"
            )?;
            write_text(out, [LEGEND + 18.0, row + 10.0], "", what, ENTRY)?;
            write_text(out, [LEGEND + 18.0, row + 24.0], "dim", source, ENTRY)?;
        }
        for part in 0..=4u64 {
            let bytes = self.peak.bytes / 4 * part;
            let line = y(bytes);
            writeln!(out, "<path class=\"grid\" d=\"M{LEFT} {line:.1}h{WIDTH}\"/>")?;
            let (x, y) = (LEFT - 6.0, line + 4.0);
            writeln!(
                out,
                "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text>",
                Bytes(bytes)
            )?;
        }
        let steps = self.timeline.steps.len().max(1);
        let peak = x(self.peak.step * columns / steps) + WIDTH / columns as f64 / 2.0;
        writeln!(out, "<path class=\"peak\" d=\"M{peak:.1} {TOP}v{HEIGHT}\"/>")?;
        writeln!(
            out,
            "<text x=\"{peak:.1}\" y=\"{}\" text-anchor=\"middle\">peak</text>",
            TOP - 5.0
        )?;
        let order = format!("{steps} instructions in the order of execution, loops once");
        write_text(out, [LEFT, TOP + HEIGHT + 20.0], "dim", &order, LINE)?;
        writeln!(out, "</svg>")
    }

    /// The groups that are the largest at the peak, with a title, and all others; of each the bytes at points of time.
    fn bands(&self) -> (Vec<[String; 2]>, Vec<Vec<u64>>) {
        let space = if self.peak.is_in_vmem { VMEM } else { HBM };
        let steps = self.timeline.steps.len();
        let columns = steps.clamp(1, COLUMNS);
        let uses = self.timeline.temporaries(space);
        let chosen = (0..columns).map(|column| {
            let range = column * steps / columns
                ..((column + 1) * steps / columns).max(column * steps / columns + 1);
            range.rev().max_by_key(|step| uses.get(*step)).unwrap_or(0)
        });
        let chosen = chosen.collect::<Vec<_>>();
        let title = |group: &Group<'_>| {
            [format!("{}: {} × {}", Bytes(group.bytes), group.count, group.shape), group.title()]
        };
        // What is there throughout lies at the bottom.
        let mut live = self.peak.live.iter().take(BANDS).collect::<Vec<_>>();
        live.sort_by_key(|group| group.kind);
        let mut titles = live.iter().copied().map(title).collect::<Vec<_>>();
        titles.push(["all others".to_string(), String::new()]);
        let numbers = live.iter().enumerate().map(|(number, group)| (group.key(), number));
        let numbers = numbers.collect::<BTreeMap<_, _>>();
        let mut bands = vec![vec![0u64; columns]; titles.len()];
        self.for_each_key(
            |it| is_counted(it, space),
            |key, buffer, _| {
                let band = numbers.get(&key).copied().unwrap_or(titles.len() - 1);
                let start = chosen.partition_point(|step| *step < buffer.first);
                let end = chosen.partition_point(|step| *step <= buffer.last);
                for bytes in bands[band].get_mut(start..end).into_iter().flatten() {
                    *bytes = bytes.saturating_add(buffer.leaf.bytes);
                }
            },
        );
        (titles, bands)
    }
}

/// A line of text, cut to so many characters, of which those beyond ASCII may be wide.
fn write_text(
    out: &mut String,
    [x, y]: [f64; 2],
    class: &str,
    text: &str,
    most: usize,
) -> fmt::Result {
    let text = &Visible(text).to_string();
    let width = |c: char| if c.is_ascii() { 1 } else { 2 };
    let mut left = most;
    let fits = text.chars().take_while(|c| {
        let fits = width(*c) <= left;
        left = left.saturating_sub(width(*c));
        fits
    });
    let end = fits.map(char::len_utf8).sum::<usize>();
    let (text, rest) = text.split_at(end);
    let dots = if rest.is_empty() { "" } else { "…" };
    writeln!(out, "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{}{dots}</text>", escaped(text))
}

/// Text in XML.
fn escaped(text: &str) -> String {
    Visible(text).to_string().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
