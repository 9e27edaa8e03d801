//! Memory for a person to read.

pub(crate) mod bytes;
mod devices;
mod difference;
pub(crate) mod out_of_memory;
mod picture;
mod tree;

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::copies::LayoutCopy;
use crate::lifetimes::Kind;
use crate::memory::advice::{Advice, AdviceKind, tuple};
use crate::memory::{Group, Hbm, Memory};
use crate::program::shapes::short;
use crate::program::source::Source;
use crate::report::bytes::Bytes;
use layout_core::Visible;

/// Names that advice lists; others are counted.
const NAMES: usize = 4;

/// How much a report says.
#[derive(Clone, Copy, Debug)]
pub struct ReportOptions {
    /// Lines of each table; what is left out is counted.
    pub top: usize,
    /// Whether each group has the whole stack of frames below it.
    pub frames: bool,
    /// Whether what is in VMEM is listed too.
    pub vmem: bool,
    /// Whether what is in memory is shown by module and call path instead of by line.
    pub tree: bool,
    /// Bytes that there are, if the report says what is over.
    pub limit: Option<u64>,
    /// Bytes that have to fit, if they are known better than by [`Hbm::allocated_bytes`], which is an estimate.
    pub needed: Option<u64>,
}

impl Default for ReportOptions {
    fn default() -> ReportOptions {
        let (limit, needed) = (None, None);
        ReportOptions { top: 10, frames: false, vmem: false, tree: false, limit, needed }
    }
}

impl Memory<'_> {
    /// The report for a person: what has to fit, arguments, results, temporaries and the peak, what is in memory then, which
    /// operations only change a layout, and what to write instead.
    pub fn report(&self, options: ReportOptions) -> String {
        text(|out| {
            self.write_peak(out, options)?;
            writeln!(out, "\nin memory at the peak")?;
            match options.tree {
                true => self.write_tree(out)?,
                false => write_live(out, &self.hbm.live, options)?,
            }
            if options.vmem {
                writeln!(out, "\nin VMEM at its peak")?;
                write_live(out, &self.vmem.live, options)?;
            }
            self.write_devices(out, options)?;
            self.write_copies(out, options)?;
            self.write_advice(out, options)?;
            self.write_kernels(out, options)
        })
    }

    /// The part about copies alone: which operations only change a layout, and what to write instead.
    pub fn report_copies(&self, options: ReportOptions) -> String {
        text(|out| {
            self.write_copies(out, options)?;
            self.write_advice(out, options)?;
            if out.is_empty() {
                writeln!(out, "no copies between layouts, and no advice")
            } else {
                Ok(())
            }
        })
    }

    fn write_peak(&self, out: &mut String, options: ReportOptions) -> fmt::Result {
        let Hbm { allocated_bytes, peak_bytes, temporaries_bytes, .. } = self.hbm;
        let allocated_bytes = options.needed.unwrap_or(allocated_bytes);
        let (title, needed) = (Visible(self.module.name()), Bytes(allocated_bytes));
        write!(out, "{title}: {needed} have to fit ({allocated_bytes} bytes)")?;
        match options.limit {
            Some(limit) if allocated_bytes > limit => {
                let over = allocated_bytes - limit;
                writeln!(out, ", {} more than {}", Bytes(over), Bytes(limit))?;
                self.write_over(out, over)?;
            }
            Some(limit) => {
                let left = Bytes(limit - allocated_bytes);
                writeln!(out, ", and they fit: {left} of {} left", Bytes(limit))?
            }
            None => writeln!(out)?,
        }
        writeln!(out)?;
        let donated = self.arguments.iter().filter(|it| it.is_donated).count();
        let count = self.arguments.len();
        let mut row = |name: &str, bytes: u64, what: fmt::Arguments<'_>| {
            writeln!(out, "  {name:12} {:>9}  {what}", Bytes(bytes))
        };
        let plural = if count == 1 { "array" } else { "arrays" };
        let arguments = format_args!("{count} {plural}, {donated} donated");
        row("arguments", self.hbm.arguments_bytes, arguments)?;
        let results = format_args!("without those in a donated argument's place");
        row("results", self.hbm.results_bytes, results)?;
        if self.hbm.constants_bytes > allocated_bytes / 1000 {
            row("constants", self.hbm.constants_bytes, format_args!("in the program"))?;
        }
        match temporaries_bytes {
            0 => row("temporaries", 0, format_args!("at no instruction"))?,
            bytes => {
                let at =
                    format_args!("at `{}`, {}", Visible(self.hbm.instruction), self.hbm.source);
                row("temporaries", bytes, at)?;
            }
        }
        let gaps = allocated_bytes.saturating_sub(peak_bytes);
        let least = self.least_allocated_bytes();
        if options.needed.is_none() && least < allocated_bytes - allocated_bytes / 1000 {
            row("at least", least, format_args!("in all, if compiled by libtpu 0.0.45 or older"))?;
        }
        if gaps > allocated_bytes / 1000 {
            row("gaps", gaps, format_args!("between temporaries in their block, estimated"))?;
        }
        if self.vmem.peak_bytes > 0 {
            let at = format_args!("at `{}`, {}", Visible(self.vmem.instruction), self.vmem.source);
            row("VMEM", self.vmem.peak_bytes, at)?;
        }
        if self.host_bytes > 0 {
            row("host", self.host_bytes, format_args!("in the host's memory, not counted"))?;
        }
        if self.peak_bytes.abs_diff(peak_bytes) > peak_bytes / 1000 {
            let what = format_args!("as `peak_memory_in_bytes` counts it");
            row("peak", self.peak_bytes, what)?;
        }
        Ok(())
    }

    /// Says which groups are as large as what is over.
    fn write_over(&self, out: &mut String, over: u64) -> fmt::Result {
        let temporaries = self.hbm.live.iter().filter(|group| group.kind == Kind::Temporary);
        let mut bytes = 0;
        let is_needed = |group: &&Group<'_>| {
            let is_needed = bytes < over;
            bytes += group.bytes;
            is_needed
        };
        let count = temporaries.take_while(is_needed).count();
        match count {
            _ if bytes < over => writeln!(
                out,
                "it would not fit without temporaries either: arguments or results have to go"
            ),
            1 => writeln!(out, "it would fit without the largest group of temporaries"),
            count => {
                writeln!(out, "it would fit without the {count} largest groups of temporaries")
            }
        }
    }

    fn write_copies(&self, out: &mut String, options: ReportOptions) -> fmt::Result {
        if self.copies().is_empty() {
            return Ok(());
        }
        let keeps_layout = self.copies().iter().any(|copy| copy.keeps_layout);
        let loops = if keeps_layout { ", and in loops" } else { "" };
        write!(out, "\ncopies between layouts{loops}")?;
        match self.cycles().map(number) {
            Some(cycles) => writeln!(out, ", of {cycles} cycles that the compiler estimates")?,
            None => writeln!(out)?,
        }
        let rows = self.copies().iter().take(options.top).map(|copy| {
            let all = copy.cycles.saturating_mul(copy.times);
            let share = self.cycles().filter(|cycles| *cycles > 0 && !copy.is_guess);
            let share = match (share, self.cycles()) {
                (Some(cycles), _) => format!("{:.1} %", all as f64 / cycles as f64 * 100.0),
                (None, Some(_)) => "?".into(),
                (None, None) => String::new(),
            };
            let bytes = format!("{}", Bytes(copy.bytes));
            let times = match copy.times {
                1 => String::new(),
                times => format!("{} times", number(times)),
            };
            // Where the fusion reshapes too, the array before has other dimensions.
            let after = match short(&copy.from) == short(&copy.to) {
                _ if copy.keeps_layout => format!("{} as it is", layout(&copy.from)),
                true => format!("{} to {}", layout(&copy.from), layout(&copy.to)),
                false => {
                    format!("{} to {} {}", layout(&copy.from), short(&copy.to), layout(&copy.to))
                }
            };
            let order = match &copy.dimensions[..] {
                [] => String::new(),
                dimensions => format!(", transposed {}", tuple(dimensions)),
            };
            let name = Visible(copy.instruction);
            let what = format!("`{name}`, {} {after}{order}", short(&copy.from));
            let causes =
                copy.causes.iter().map(|place| self.name(*place)).collect::<Vec<_>>().join(", ");
            let causes = Visible(&causes).to_string();
            ([share, bytes, times, what, causes, format!("{}", copy.source)], &copy.source)
        });
        let rows = rows.collect::<Vec<_>>();
        write_table(out, &rows, options.frames)?;
        if rows.iter().any(|(cells, _)| cells[0] == "?") {
            writeln!(
                out,
                "  ?: the compiler prints no cycles for it; advice guesses them from its bytes"
            )?;
        }
        if keeps_layout {
            let why = "the loop writes to an array that it still needs, or carries it twice";
            writeln!(out, "  as it is: {why}")?;
        }
        write_rest(out, "copy", self.copies().iter().skip(options.top).map(|copy| copy.bytes))?;
        match self.unknown_loops() {
            0 => Ok(()),
            count => {
                writeln!(out, "  loops whose length the text does not say, counted once: {count}")
            }
        }
    }

    fn write_kernels(&self, out: &mut String, options: ReportOptions) -> fmt::Result {
        if self.kernels().is_empty() {
            return Ok(());
        }
        writeln!(out, "\nVMEM of Pallas kernels")?;
        let rows = self.kernels().iter().take(options.top).map(|kernel| {
            let limit = kernel.limit_bytes.map_or(String::new(), |it| format!("of {}", Bytes(it)));
            let name = format!("`{}`", Visible(kernel.instruction));
            let cells = [format!("{}", Bytes(kernel.vmem_bytes)), limit, name];
            (cells, &kernel.source)
        });
        write_table(out, &rows.collect::<Vec<_>>(), options.frames)?;
        write_rest(out, "kernel", self.kernels().iter().skip(options.top).map(|_| 0))
    }

    fn write_advice(&self, out: &mut String, options: ReportOptions) -> fmt::Result {
        if self.advice().is_empty() {
            return Ok(());
        }
        writeln!(out, "\nadvice")?;
        let mut imports = "";
        for advice in self.advice().iter().take(options.top) {
            for line in advice.python.lines() {
                // Once is enough for all pieces.
                if line == imports {
                    continue;
                }
                imports = if line.starts_with("from ") { line } else { imports };
                writeln!(out, "  {}", Visible(line))?;
            }
            writeln!(out, "      {}", self.gain(advice))?;
            let order = &advice.major_to_minor;
            if advice.is_stored_transposed && !order.is_sorted() {
                let how = tuple(order);
                writeln!(
                    out,
                    "      or store them transposed: `.transpose{how}` has this layout by default"
                )?;
            }
        }
        write_rest(out, "piece", self.advice().iter().skip(options.top).map(|_| 0))?;
        if self.advice().iter().any(|advice| advice.kind == AdviceKind::Layout) {
            writeln!(
                out,
                "  compile again and compare, also with pieces left out, and with `Layout.AUTO`"
            )?;
        }
        Ok(())
    }
}

fn write_live(out: &mut String, live: &[Group<'_>], options: ReportOptions) -> fmt::Result {
    let rows = live.iter().map(|group| {
        let padding = match group.padding_bytes {
            0 => String::new(),
            padding => format!("{} padding", Bytes(padding)),
        };
        let shape = format!("{} × {}", group.count, short(&group.shape));
        let cells = [format!("{}", Bytes(group.bytes)), shape, padding, group.title()];
        (cells, &group.source)
    });
    let rows = rows.take(options.top).collect::<Vec<_>>();
    write_table(out, &rows, options.frames)?;
    write_rest(out, "group", live.iter().skip(options.top).map(|group| group.bytes))
}

impl Memory<'_> {
    /// What instructions that move arrays write in a run.
    fn bytes_of_copies(&self, instructions: &[String]) -> u64 {
        let instructions = instructions.iter().map(String::as_str).collect::<BTreeSet<_>>();
        let is_own = |copy: &&LayoutCopy<'_>| instructions.contains(copy.instruction);
        let own = self.copies().iter().filter(is_own);
        own.fold(0, |sum, it| sum.saturating_add(it.bytes.saturating_mul(it.times)))
    }

    /// What taking advice gains.
    fn gain(&self, advice: &Advice) -> String {
        let names = listed(&advice.names);
        let bytes = Bytes(advice.saves_bytes.unsigned_abs());
        match advice.kind {
            AdviceKind::Donate => {
                format!(
                    "saves {bytes} at the peak: results take the memory of {names}, whose arrays are gone after the call"
                )
            }
            AdviceKind::Size => format!("saves {bytes} of padding in {names}"),
            AdviceKind::Return => format!(
                "saves a copy of {names}, {bytes} at each call, if `f` returns it too: it is written, and no result takes its memory"
            ),
            AdviceKind::Recompute => {
                let first = advice.names.first().map_or("", String::as_str);
                let more = match advice.names.len() {
                    0 | 1 => String::new(),
                    count => format!(" and {} more groups", count - 1),
                };
                format!(
                    "saves up to {bytes} at the peak, if each layer is wrapped: {}{more} are kept for the backward pass",
                    Visible(first)
                )
            }
            AdviceKind::Shard => {
                format!("saves {bytes} on each device: all of {names} is on every one")
            }
            AdviceKind::Reshard => {
                let instructions = listed(&advice.instructions);
                format!(
                    "saves {bytes} that each device receives, and the memory of what {instructions} gathers; `x` is the array before it is resharded"
                )
            }
            AdviceKind::Layout => {
                let instructions = listed(&advice.instructions);
                let padding = match advice.saves_bytes {
                    0 => String::new(),
                    saves if saves < 0 => format!("; {bytes} more for {names}"),
                    _ => format!("; {bytes} less for {names}"),
                };
                let sure = if advice.is_sure { "" } else { "; to be checked" };
                let cycles = match self.cycles() {
                    Some(all @ 1..) => {
                        let share = advice.saves_cycles as f64 / all as f64 * 100.0;
                        let loops = match self.unknown_loops() {
                            0 => "",
                            _ => " if loops of unknown length run once",
                        };
                        let guess = if advice.is_guess { ", a guess from its bytes" } else { "" };
                        format!(
                            ": {} cycles ({share:.1} %{loops}){guess}",
                            number(advice.saves_cycles)
                        )
                    }
                    _ => format!(", {} a call", Bytes(self.bytes_of_copies(&advice.instructions))),
                };
                format!("spares {instructions}{cycles}{padding}{sure}")
            }
        }
    }
}

impl Group<'_> {
    /// Where its arrays come from.
    fn title(&self) -> String {
        match self.kind {
            Kind::Result => format!("result, {}", self.source),
            Kind::Argument if self.count > 1 => format!("{}, …", self.source),
            _ => self.source.to_string(),
        }
    }
}

/// Names in backticks, the first of many.
fn listed(names: &[String]) -> String {
    let first = names.iter().take(NAMES).map(|name| format!("`{}`", Visible(name)));
    let first = first.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMES) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// The text that is written.
pub(crate) fn text(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut out = String::new();
    let written = write(&mut out);
    debug_assert!(written.is_ok(), "a string takes all text");
    out
}

/// Says what a table leaves out, by the bytes of each.
pub(crate) fn write_rest(
    out: &mut String,
    thing: &str,
    rest: impl ExactSizeIterator<Item = u64>,
) -> fmt::Result {
    let (count, bytes) = (rest.len(), rest.fold(0, u64::saturating_add));
    let things = match (thing, count) {
        (_, 0) => return Ok(()),
        (thing, 1) => thing.into(),
        ("copy", _) => "copies".into(),
        (thing, _) => format!("{thing}s"),
    };
    let bytes = if bytes == 0 { String::new() } else { format!(", {}", Bytes(bytes)) };
    writeln!(out, "  … and {count} more {things}{bytes} (`--top` lists more)")
}

/// The order of dimensions and the tiles of a shape, without its memory space.
fn layout(shape: &str) -> String {
    let start = shape.find('{').unwrap_or(shape.len());
    let text = &shape[start..];
    match text.find("S(") {
        Some(space) => format!("{}}}", text[..space].trim_end_matches(':')),
        None => text.into(),
    }
}

/// A number of cycles or times, which are counted up to the largest one.
fn number(count: u64) -> String {
    if count == u64::MAX { "2^64 or more".into() } else { count.to_string() }
}

/// Ends the line that begins there, without blanks at its end.
fn end_line(out: &mut String, start: usize) {
    out.truncate(start + out[start..].trim_end().len());
    out.push('\n');
}

/// Cells in columns, the first ones at the right.
fn write_table<const N: usize>(
    out: &mut String,
    rows: &[([String; N], &Source<'_>)],
    frames: bool,
) -> fmt::Result {
    let width = |column: usize| {
        let widths = rows.iter().map(|(cells, _)| cells[column].chars().count());
        // No more can be formatted.
        widths.max().unwrap_or(0).min(usize::from(u16::MAX))
    };
    let widths = core::array::from_fn::<_, N, _>(width);
    for (cells, source) in rows {
        let start = out.len();
        for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
            match column {
                _ if width == 0 => {}
                0 => write!(out, "  {cell:>width$}")?,
                _ => write!(out, "  {cell:width$}")?,
            }
        }
        end_line(out, start);
        for frame in source.stack.iter().filter(|_| frames) {
            let (file, function) = (Visible(frame.file), Visible(frame.function));
            let start = out.len();
            write!(out, "      {file}:{} {function}", frame.line)?;
            end_line(out, start);
        }
    }
    Ok(())
}

/// [`Memory::report`] with ten lines of each table.
impl fmt::Display for Memory<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report(ReportOptions::default()))
    }
}
