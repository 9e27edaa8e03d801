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

/// Bands that are told apart; what is left over is one more.
const BANDS: usize = 10;
/// Points of time that are drawn, each the highest of its steps.
const COLUMNS: usize = 400;
/// Where the bands are drawn.
const LEFT: f64 = 70.0;
const TOP: f64 = 50.0;
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 360.0;
/// Of the largest band first; the last one is that of all others.
const COLORS: [&str; BANDS + 1] = [
    "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#ff9da7",
    "#9c755f", "#86bcb6", "#bab0ac",
];

impl Memory<'_> {
    /// A picture of the memory in use over the program, as SVG: bands of the groups that are the largest, stacked, each
    /// with the line of the program that made it, and the peak.
    pub fn svg(&self) -> String {
        let mut out = String::new();
        let written = self.write_svg(&mut out);
        debug_assert!(written.is_ok(), "a string takes all text");
        out
    }

    fn write_svg(&self, out: &mut String) -> fmt::Result {
        let (groups, bands) = self.bands();
        let columns = bands.first().map_or(0, Vec::len).max(1);
        let most = self.peak.bytes.max(1) as f64;
        let x = |column: usize| LEFT + column as f64 * WIDTH / columns as f64;
        let y = |bytes: u64| TOP + HEIGHT - bytes as f64 / most * HEIGHT;
        let height = (TOP + HEIGHT + 60.0).max(TOP + 34.0 * (groups.len() as f64 + 1.0));
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1240 {height}\" font-family=\"sans-serif\" font-size=\"12\">"
        )?;
        writeln!(out, "<rect width=\"1240\" height=\"{height}\" fill=\"white\"/>")?;
        let name = escaped(self.module.name());
        let at = escaped(&format!("{}, {}", self.peak.instruction, self.peak.source));
        writeln!(
            out,
            "<text x=\"{LEFT}\" y=\"20\" font-size=\"15\">{name}: {} at the peak</text>",
            Bytes(self.peak.bytes)
        )?;
        writeln!(out, "<text x=\"{LEFT}\" y=\"38\" id=\"peak\">at {at}</text>")?;
        let mut below = vec![0u64; columns];
        for (number, (title, band)) in groups.iter().zip(&bands).enumerate() {
            let lower = below.clone();
            below.iter_mut().zip(band).for_each(|(sum, own)| *sum = sum.saturating_add(*own));
            write!(out, "<path class=\"band\" fill=\"{}\" d=\"", COLORS[number])?;
            // Up on one side and back on the other, in steps.
            for (column, &top) in below.iter().enumerate() {
                let command = if column == 0 { 'M' } else { 'L' };
                write!(
                    out,
                    "{command}{:.1} {:.1}L{:.1} {:.1}",
                    x(column),
                    y(top),
                    x(column + 1),
                    y(top)
                )?;
            }
            for (column, &bottom) in lower.iter().enumerate().rev() {
                write!(
                    out,
                    "L{:.1} {:.1}L{:.1} {:.1}",
                    x(column + 1),
                    y(bottom),
                    x(column),
                    y(bottom)
                )?;
            }
            let title = escaped(title);
            writeln!(out, "Z\"><title>{title}</title></path>")?;
            let line = TOP + 34.0 * number as f64;
            writeln!(
                out,
                "<rect x=\"850\" y=\"{line}\" width=\"12\" height=\"12\" fill=\"{}\"/>",
                COLORS[number]
            )?;
            let (first, second) = title.split_once("  ").unwrap_or((&title, ""));
            writeln!(out, "<text x=\"868\" y=\"{}\">{first}</text>", line + 10.0)?;
            writeln!(out, "<text x=\"868\" y=\"{}\" fill=\"#666\">{second}</text>", line + 24.0)?;
        }
        for part in 0..=4u64 {
            let bytes = self.peak.bytes / 4 * part;
            let line = y(bytes);
            writeln!(out, "<path stroke=\"#ccc\" d=\"M{LEFT} {line:.1}h{WIDTH}\"/>")?;
            writeln!(
                out,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                line + 4.0,
                Bytes(bytes)
            )?;
        }
        let steps = self.timeline.steps.len().max(1);
        let peak = x(self.peak.step * columns / steps) + WIDTH / columns as f64 / 2.0;
        writeln!(
            out,
            "<path id=\"peak-line\" stroke=\"#c00\" stroke-dasharray=\"4 3\" d=\"M{peak:.1} {TOP}v{HEIGHT}\"/>"
        )?;
        writeln!(
            out,
            "<text x=\"{LEFT}\" y=\"{}\" fill=\"#666\">{steps} instructions in the order of execution, loops once</text>",
            TOP + HEIGHT + 20.0
        )?;
        writeln!(out, "</svg>")
    }

    /// The groups that are the largest at the peak, with a title, and all others; of each the bytes at points of time.
    fn bands(&self) -> (Vec<String>, Vec<Vec<u64>>) {
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
            format!("{} × {}: {}  {}", group.count, group.shape, Bytes(group.bytes), group.source)
        };
        // What is there throughout lies at the bottom.
        let mut live = self.peak.live.iter().take(BANDS).collect::<Vec<_>>();
        live.sort_by_key(|group| group.kind);
        let mut titles = live.iter().copied().map(title).collect::<Vec<_>>();
        titles.push("all others".to_string());
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

/// Text in XML.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
