//! Memory over the program, as SVG.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use crate::copies::executions::Executions;
use crate::lifetimes::usage::{HBM, VMEM};
use crate::memory::{Group, Hbm, Memory};
use crate::report::bytes::Bytes;
use layout_core::Visible;
use layout_picture::svg::{self, COLORS, Page, escape};

/// Bands that are told apart by colour, and by stripes too; what is left over is one more.
const BANDS: usize = COLORS.len() - 1;
/// Points of time that are drawn, each the highest of its steps.
const COLUMNS: usize = 400;
/// Where the bands are drawn, in pixels, and how high they are at least.
const LEFT: f64 = 120.0;
const TOP: f64 = 78.0;
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
/// Heights: of a line of text, of the bracket of a loop, of the chart of VMEM.
const LINE: f64 = 14.0;
const BRACKET: f64 = 24.0;
const STRIP: f64 = 56.0;
/// The rows beside the bands, and the page.
const LEGEND: f64 = 864.0;
const ROW: f64 = 32.0;
const PAGE: f64 = 1300.0;
/// Characters that there is room for: a character of the font takes 0.61 of its size, 14 in the title and 11 elsewhere.
const TITLE: usize = 136;
const ENTRY: usize = 60;
/// What lies over the bands whose colours others have too.
const STRIPES: &str = "<pattern id=\"tiled-stripes\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
patternTransform=\"rotate(45)\"><path d=\"M1.5 0v6\" stroke=\"#fff\" stroke-width=\"3\" stroke-opacity=\".6\"/></pattern>\n";
/// Where the reader's system is dark, the page is.
const STYLE: &str = "\
.tiled-memory{background:#fff}.tiled-memory .title{font-size:14px;font-weight:600}.tiled-memory .end{text-anchor:end}\
.tiled-memory .middle{text-anchor:middle}.tiled-memory .bold{font-weight:600}.tiled-memory .band{shape-rendering:crispEdges}\
.tiled-memory .grid{stroke:#64748b;stroke-opacity:.35}.tiled-memory .peak{fill:#dc2626}.tiled-memory .loop{stroke:#64748b;fill:none}\
.tiled-memory .needs,.tiled-memory .limit{stroke:#1e293b}.tiled-memory .needs{stroke-dasharray:4 3}.tiled-memory .limit{stroke-width:2}\
@media screen and (prefers-color-scheme:dark){.tiled-memory{background:#0f172a}.tiled-memory .peak{fill:#f87171}\
.tiled-memory .needs,.tiled-memory .limit{stroke:#f8fafc}}";

/// A part of the picture: its top and its height in pixels, and the bytes at its top.
struct Chart {
    top: f64,
    height: f64,
    most: u64,
}

/// Arrays that are drawn as one: what they are, where they come from, and their bytes at points of time.
type Band = ([String; 2], Vec<u64>);

impl Memory<'_> {
    /// A picture of the memory in use over the program, as SVG: bands of the groups that are the largest, stacked, each
    /// with the line of the program that made it; the peak, what has to fit and the limit; loops, and VMEM. It is light or
    /// dark as the reader's system is.
    pub fn svg(&self, limit: Option<u64>) -> String {
        let (bands, (brackets, depth), hbm) = (self.bands(), self.brackets(), &self.hbm);
        let strip = if self.vmem.peak_bytes > 0 { STRIP + 3.0 * LINE } else { 0.0 };
        let below = BRACKET * depth as f64 + 2.0 * LINE + strip;
        let rows = ROW * bands.len() as f64;
        let drawn = limit.filter(|limit| *limit < hbm.peak_bytes.saturating_mul(2));
        let most = hbm.allocated_bytes.max(drawn.unwrap_or(0));
        let chart = Chart { top: TOP, height: HEIGHT.max(rows - below), most };
        let [peak, fit] = [hbm.peak_bytes, hbm.allocated_bytes].map(Bytes);
        let room = limit.map_or(String::new(), |limit| {
            let rest = if fit.0 > limit { "over" } else { "left" };
            format!(" into {}, {} {rest}", Bytes(limit), Bytes(limit.abs_diff(fit.0)))
        });
        let title = format!("{}: {peak} at the peak, {fit} have to fit{room}", self.module.name());
        let out = &mut String::from(STRIPES);
        write_text(out, [LEFT, 22.0], "title", &title, TITLE);
        let at = format!("at {}, {}", hbm.instruction, hbm.source);
        write_text(out, [LEFT, 40.0], "", &at, TITLE);
        self.write_bands(out, &chart, &bands);
        self.write_lines(out, &chart, drawn);
        let _ =
            writeln!(out, "<g transform=\"translate(0 {})\">\n{brackets}</g>", TOP + chart.height);
        let bottom = TOP + chart.height + BRACKET * depth as f64 + LINE + 4.0;
        let order = format!("{} instructions as they run, loops once", self.timeline.steps.len());
        write_text(out, [LEFT, bottom], "h", &order, TITLE);
        if strip > 0.0 {
            let (top, most) = (bottom + 2.0 * LINE, self.vmem.peak_bytes);
            let chart = Chart { top, height: STRIP, most };
            let title = format!("VMEM: {} at its peak", Bytes(most));
            write_text(out, [LEFT, chart.top - 6.0], "", &title, TITLE);
            let path = chart.area(&self.points(VMEM).1);
            let _ = writeln!(out, "<path class=\"band\" fill=\"{}\" d=\"{path}\"/>", COLORS[0]);
            chart.write_axis(out, 3, &[]);
        }
        let size = [PAGE, TOP + rows.max(chart.height + below)];
        let (class, title, style, body) = ("tiled-memory", &title, STYLE, &*out);
        Page { class, title, size, is_fixed: false, font: 11, style, body }.document()
    }

    /// The peak, what has to fit and the limit, and the axis.
    fn write_lines(&self, out: &mut String, chart: &Chart, limit: Option<u64>) {
        let Hbm { allocated_bytes, peak_bytes, step, .. } = self.hbm;
        let mut lines = Vec::from_iter(limit.map(|limit| (limit, "limit")));
        lines.extend((allocated_bytes > peak_bytes).then_some((allocated_bytes, "needs")));
        lines.sort();
        let mut labels = Vec::<f64>::new();
        for (bytes, name) in lines {
            let y = chart.y(bytes);
            svg::path(out, name, &format!("M{LEFT} {y:.1}h{WIDTH}"));
            // The label of the higher line makes room.
            labels.push(labels.last().map_or(y, |lower| y.min(lower - LINE)));
            let place = [LEFT - 6.0, labels[labels.len() - 1] + 4.0];
            write_text(out, place, "bold end", &format!("{name} {}", Bytes(bytes)), ENTRY);
        }
        chart.write_axis(out, 6, &labels);
        let x = LEFT + WIDTH * (step as f64 + 0.5) / self.timeline.steps.len().max(1) as f64;
        let place = [x.clamp(LEFT + 45.0, LEFT + WIDTH - 45.0), chart.y(peak_bytes) - 11.0];
        svg::path(out, "peak", &format!("M{x:.1} {:.1}l-4 -7h8z", chart.y(peak_bytes)));
        write_text(out, place, "middle", &format!("peak {}", Bytes(peak_bytes)), ENTRY);
    }

    /// Steps, of many those with the most bytes in a memory space, and these bytes.
    fn points(&self, space: i8) -> (Vec<usize>, Vec<u64>) {
        let steps = self.timeline.steps.len().max(1);
        let columns = steps.min(COLUMNS);
        let uses = self.timeline.temporaries(space);
        let throughout = self.timeline.peak(space).saturating_sub(self.timeline.most(space).bytes);
        let point = |column| {
            let range = column * steps / columns..(column + 1) * steps / columns;
            let step = range.rev().max_by_key(|step| uses[*step]).unwrap_or(0);
            (step, uses[step].saturating_add(throughout))
        };
        (0..columns).map(point).unzip()
    }

    /// Brackets of the loops with the number of executions, those inside of others below them, and how deep they are. A
    /// number without room shows at the pointer.
    fn brackets(&self) -> (String, usize) {
        let iterations = Executions::new(self.program).iterations;
        let x = |step: usize| LEFT + WIDTH * step as f64 / self.timeline.steps.len() as f64;
        // The ends of the loops around, and of the numbers at each depth.
        let (mut out, mut ends, mut numbers) = (String::new(), Vec::new(), Vec::new());
        for &[start, end] in &self.timeline.loops {
            ends.retain(|outer| start < *outer);
            let (depth, from, to) = (ends.len(), x(start), x(end) - 1.0);
            ends.push(end);
            let times = iterations.get(&self.timeline.steps[start]).copied().flatten();
            let times = times.map_or("× ?".into(), |times| format!("× {times}"));
            let y = BRACKET * depth as f64 + 4.0;
            let path = format!("class=\"loop\" d=\"M{from:.1} {y}v4H{to:.1}v-4\"");
            let _ = writeln!(out, "<path {path}><title>loop {times}</title></path>");
            let width = 6.7 * times.chars().count() as f64;
            let left = (from + to - width) / 2.0;
            numbers.resize(numbers.len().max(depth + 1), 0.0);
            if left > numbers[depth] {
                numbers[depth] = left + width;
                write_text(&mut out, [left, y + 15.0], "", &times, ENTRY);
            }
        }
        (out, numbers.len())
    }

    /// The groups that have a band, what is there throughout and longest first, and all others.
    fn bands(&self) -> Vec<Band> {
        let Hbm { step, peak_bytes, .. } = self.hbm;
        let (points, mut rest) = self.points(HBM);
        let column = |step: usize| points.partition_point(|it| *it < step);
        let peak = column(step);
        // What is tiny needs no band.
        let buffers = self.timeline.buffers.iter();
        let own = buffers.filter(|it| it.leaf.space == HBM && it.leaf.bytes > peak_bytes / 10_000);
        // The bytes of an array, what made the first one at the peak, and all bytes at each point.
        let mut groups = BTreeMap::new();
        self.for_each_key(own, |key, buffer, source| {
            let size = buffer.leaf.bytes;
            let new = || (size, source.clone(), alloc::vec![0; points.len()]);
            let (_, first, sums) = groups.entry(key).or_insert_with(new);
            if buffer.first <= step && step <= buffer.last && sums[peak] == 0 {
                *first = source.clone();
            }
            let range = column(buffer.first)..column(buffer.last + 1);
            sums.get_mut(range).into_iter().flatten().for_each(|sum| *sum += size);
        });
        let mut groups = groups.into_iter().collect::<Vec<_>>();
        let mut bands = Vec::new();
        // The largest group gets a band where the most is left, first of all at the peak.
        let order = |sum, point| (point == peak && sum > peak_bytes / 10, sum);
        while let Some((&most, point)) = rest.iter().zip(0..).max_by_key(|it| order(*it.0, it.1))
            && most > peak_bytes / if bands.len() < BANDS { 1000 } else { 10 }
            && bands.len() < 2 * BANDS
            && let Some(largest) = (0..groups.len()).max_by_key(|it| groups[*it].1.2[point])
            && groups[largest].1.2[point] > 0
        {
            let ((kind, shape, _), (size, source, sums)) = groups.swap_remove(largest);
            rest.iter_mut().zip(&sums).for_each(|(sum, own)| *sum -= own);
            let when = if sums[peak] > 0 { "" } else { "not at the peak: " };
            let bytes = sums[if sums[peak] > 0 { peak } else { point }];
            let count = (bytes / size) as usize;
            let what = format!("{}: {count} × {shape}", Bytes(bytes));
            let group = Group { kind, shape, count, bytes, padding_bytes: 0, source };
            bands.push((kind, ([what, format!("{when}{}", group.title())], sums)));
        }
        let absent = |sums: &[u64]| sums.iter().filter(|bytes| **bytes == 0).count();
        bands.sort_by_key(|(kind, (_, sums))| (*kind, absent(sums)));
        let others = (["all others".into(), String::new()], rest);
        bands.into_iter().map(|(_, band)| band).chain([others]).collect()
    }

    /// Bands on one another, from the top down: the lower ones cover the others. Beside them are their rows.
    fn write_bands(&self, out: &mut String, chart: &Chart, bands: &[Band]) {
        let (_, mut upper) = self.points(HBM);
        for (row, ([what, source], bytes)) in bands.iter().rev().enumerate() {
            let (number, y) = (bands.len() - 1 - row, TOP + ROW * row as f64);
            let color = COLORS[if row == 0 { BANDS } else { number % BANDS }];
            let stripes = (row > 0 && number >= BANDS).then_some("url(#tiled-stripes)");
            let path = format!("class=\"band\" d=\"{}\"", chart.area(&upper));
            let title = format!("<title>{}  {}</title>", escape(what), escape(source));
            for fill in [color].into_iter().chain(stripes) {
                let _ = writeln!(out, "<path fill=\"{fill}\" {path}>{title}</path>");
                svg::rect(out, [LEGEND, y, 12.0, 12.0], &format!("fill=\"{fill}\""));
            }
            upper.iter_mut().zip(bytes).for_each(|(sum, own)| *sum -= own);
            write_text(out, [LEGEND + 18.0, y + 10.0], "", what, ENTRY);
            write_text(out, [LEGEND + 18.0, y + 23.0], "h", source, ENTRY);
        }
    }
}

impl Chart {
    fn y(&self, bytes: u64) -> f64 {
        self.top + self.height * (1.0 - bytes as f64 / self.most.max(1) as f64)
    }

    /// From the bottom up to these bytes, in steps.
    fn area(&self, upper: &[u64]) -> String {
        let bottom = self.top + self.height;
        let mut path = format!("M{LEFT} {bottom:.1}");
        for (column, bytes) in upper.iter().enumerate() {
            if upper.get(column + 1) != Some(bytes) {
                let x = LEFT + WIDTH * (column + 1) as f64 / upper.len() as f64;
                let _ = write!(path, "V{:.1}H{x:.1}", self.y(*bytes));
            }
        }
        format!("{path}V{bottom:.1}Z")
    }

    /// Lines at round numbers, zero and fewer than `lines`, with a label where others leave room.
    fn write_axis(&self, out: &mut String, lines: u64, labels: &[f64]) {
        let step = (self.most / lines + 1).next_power_of_two();
        for bytes in (0..=self.most / step).map(|number| number * step) {
            let y = self.y(bytes);
            svg::path(out, "grid", &format!("M{LEFT} {y:.1}h{WIDTH}"));
            if labels.iter().all(|label| (label - y).abs() >= LINE) {
                let label = format!("{}", Bytes(bytes)).replace(".00", "").replace(".0 ", " ");
                write_text(out, [LEFT - 6.0, y + 4.0], "end", &label.replace(".50", ".5"), ENTRY);
            }
        }
    }
}

/// A line of text, cut to `most` characters, of which those beyond ASCII may be wide.
fn write_text(out: &mut String, [x, y]: [f64; 2], class: &str, text: &str, most: usize) {
    let text = format!("{}", Visible(text));
    let mut width = 0;
    let fits = text.chars().take_while(|c| {
        width += if c.is_ascii() { 1 } else { 2 };
        width <= most
    });
    let mut line = fits.collect::<String>();
    line.push_str(if line.len() < text.len() { "…" } else { "" });
    svg::text(out, [format!("{x:.1}"), format!("{y:.1}")], &format!("class=\"{class}\""), &line);
}
