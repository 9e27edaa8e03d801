//! Memory over the program, as SVG.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::lifetimes::usage::HBM;
use crate::memory::{Group, Memory};
use crate::report::bytes::Bytes;
use crate::report::text;
use layout_core::Visible;
use layout_picture::svg::{self, COLORS, Page, escape};

/// Bands that are told apart; what is left over is one more.
const BANDS: usize = COLORS.len() - 1;
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
/// Where the reader's system is dark, the page is.
const STYLE: &str = "\
.tiled-memory{background:#fff}.tiled-memory .title{font-size:14px;font-weight:600}\
.tiled-memory .grid{stroke:#64748b;stroke-opacity:.35}.tiled-memory .peak{stroke:#dc2626;stroke-dasharray:4 3}\
@media(prefers-color-scheme:dark){.tiled-memory{background:#0f172a}.tiled-memory text{fill:#e2e8f0}.tiled-memory .h{fill:#94a3b8}\
.tiled-memory .page{fill:#0f172a}.tiled-memory .peak{stroke:#f87171}}";

impl Memory<'_> {
    /// A picture of the memory in use over the program, as SVG: bands of the groups that are the largest, stacked, each
    /// with the line of the program that made it, and the peak. It is light or dark as the reader's system is.
    pub fn svg(&self, limit: Option<u64>) -> String {
        let _ = limit;
        let (groups, bands) = self.bands();
        let height = TOP + (HEIGHT + 40.0).max(ROW * groups.len() as f64);
        let title = format!("{}: {} at the peak", self.module.name(), Bytes(self.hbm.peak_bytes));
        let page = Page {
            class: "tiled-memory",
            title: &title,
            size: [PAGE, height],
            is_fixed: false,
            font: 11,
            style: STYLE,
            body: &text(|out| self.write_body(out, &title, &groups, &bands)),
        };
        page.document()
    }

    fn write_body(
        &self,
        out: &mut String,
        title: &str,
        groups: &[[String; 2]],
        bands: &[Vec<u64>],
    ) -> fmt::Result {
        let columns = bands.first().map_or(0, Vec::len).max(1);
        let most = self.hbm.peak_bytes.max(1) as f64;
        let x = |column: usize| LEFT + column as f64 * WIDTH / columns as f64;
        let y = |bytes: u64| TOP + HEIGHT - bytes as f64 / most * HEIGHT;
        write_text(out, [LEFT, 22.0], "title", title, TITLE);
        let at = format!("at {}, {}", self.hbm.instruction, self.hbm.source);
        write_text(out, [LEFT, 40.0], "", &at, LINE);
        let mut below = vec![0u64; columns];
        for (number, ([what, source], band)) in groups.iter().zip(bands).enumerate() {
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
            writeln!(out, "Z\"><title>{}  {}</title></path>", escape(what), escape(source))?;
            // The rows stand as the bands do.
            let row = TOP + ROW * (groups.len() - 1 - number) as f64;
            svg::rect(out, [LEGEND, row, 12.0, 12.0], &format!("fill=\"{color}\""));
            write_text(out, [LEGEND + 18.0, row + 10.0], "", what, ENTRY);
            write_text(out, [LEGEND + 18.0, row + 24.0], "h", source, ENTRY);
        }
        for part in 0..=4u64 {
            let bytes = self.hbm.peak_bytes / 4 * part;
            let line = y(bytes);
            svg::path(out, "grid", &format!("M{LEFT} {line:.1}h{WIDTH}"));
            let place = [format!("{}", LEFT - 6.0), format!("{:.1}", line + 4.0)];
            svg::text(out, place, "text-anchor=\"end\"", &Bytes(bytes).to_string());
        }
        let steps = self.timeline.steps.len().max(1);
        let peak = x(self.hbm.step * columns / steps) + WIDTH / columns as f64 / 2.0;
        svg::path(out, "peak", &format!("M{peak:.1} {TOP}v{HEIGHT}"));
        let place = [format!("{peak:.1}"), format!("{}", TOP - 5.0)];
        svg::text(out, place, "text-anchor=\"middle\"", "peak");
        let order = format!("{steps} instructions in the order of execution, loops once");
        write_text(out, [LEFT, TOP + HEIGHT + 20.0], "h", &order, LINE);
        Ok(())
    }

    /// The groups that are the largest at the peak, with a title, and all others; of each the bytes at points of time.
    fn bands(&self) -> (Vec<[String; 2]>, Vec<Vec<u64>>) {
        let space = HBM;
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
        let mut live = self.hbm.live.iter().take(BANDS).collect::<Vec<_>>();
        live.sort_by_key(|group| group.kind);
        let mut titles = live.iter().copied().map(title).collect::<Vec<_>>();
        titles.push(["all others".to_string(), String::new()]);
        let numbers = live.iter().enumerate().map(|(number, group)| (group.key(), number));
        let numbers = numbers.collect::<BTreeMap<_, _>>();
        let mut bands = vec![vec![0u64; columns]; titles.len()];
        self.for_each_key(
            self.timeline.buffers.iter().filter(|it| it.leaf.space == space),
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
fn write_text(out: &mut String, place: [f64; 2], class: &str, text: &str, most: usize) {
    let text = &Visible(text).to_string();
    let width = |c: char| if c.is_ascii() { 1 } else { 2 };
    let mut left = most;
    let fits = text.chars().take_while(|c| {
        let fits = width(*c) <= left;
        left = left.saturating_sub(width(*c));
        fits
    });
    let end = fits.map(char::len_utf8).sum::<usize>();
    let dots = if end == text.len() { "" } else { "…" };
    let line = format!("{}{dots}", &text[..end]);
    svg::text(out, place, &format!("class=\"{class}\""), &line);
}
