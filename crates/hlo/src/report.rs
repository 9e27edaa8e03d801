//! Memory for a person to read.

pub(crate) mod bytes;
mod difference;
mod picture;

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::lifetimes::Kind;
use crate::memory::advice::{AdviceKind, tuple};
use crate::memory::{Group, Memory};
use crate::program::source::Source;
use crate::report::bytes::Bytes;
use layout_core::Visible;

/// How much a report says.
#[derive(Clone, Copy, Debug)]
pub struct ReportOptions {
    /// Lines of each table; what is left out is counted.
    pub top: usize,
    /// Whether each group has the whole stack of frames below it.
    pub frames: bool,
}

impl Default for ReportOptions {
    fn default() -> ReportOptions {
        ReportOptions { top: 10, frames: false }
    }
}

impl Memory<'_> {
    /// The report for a person: arguments, results, temporaries and the peak, what is in memory then, which operations
    /// only change a layout, and what to write instead.
    pub fn report(&self, options: ReportOptions) -> String {
        text(|out| {
            self.write_peak(out)?;
            self.write_live(out, options)?;
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

    fn write_peak(&self, out: &mut String) -> fmt::Result {
        let peak = &self.peak;
        let title = Visible(self.module.name());
        writeln!(out, "{title}: {} at the peak ({} bytes)\n", Bytes(peak.bytes), peak.bytes)?;
        let donated = self.arguments.iter().filter(|it| it.is_donated).count();
        let count = self.arguments.len();
        let mut row = |name: &str, bytes: u64, what: fmt::Arguments<'_>| {
            writeln!(out, "  {name:12} {:>9}  {what}", Bytes(bytes))
        };
        let plural = if count == 1 { "array" } else { "arrays" };
        row(
            "arguments",
            peak.arguments_bytes,
            format_args!("{count} {plural}, {donated} donated"),
        )?;
        row(
            "results",
            peak.results_bytes,
            format_args!("without those in a donated argument's place"),
        )?;
        match peak.temporaries_bytes {
            0 => row("temporaries", 0, format_args!("at no instruction"))?,
            bytes => {
                let at = format_args!("at `{}`, {}", Visible(peak.instruction), peak.source);
                row("temporaries", bytes, at)?;
            }
        }
        if peak.is_in_vmem {
            let hbm = self.timeline.temporaries(0).into_iter().max().unwrap_or(0);
            row(
                "",
                hbm,
                format_args!(
                    "of temporaries in HBM; more is in VMEM, which the compiler's figure counts"
                ),
            )?;
        }
        if peak.host_bytes > 0 {
            row("host", peak.host_bytes, format_args!("in the host's memory, not counted"))?;
        }
        Ok(())
    }

    fn write_live(&self, out: &mut String, options: ReportOptions) -> fmt::Result {
        writeln!(out, "\nin memory at the peak")?;
        let rows = self.peak.live.iter().map(|group| {
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
        write_rest(out, "group", self.peak.live.iter().skip(options.top).map(|group| group.bytes))
    }

    fn write_copies(&self, out: &mut String, options: ReportOptions) -> fmt::Result {
        if self.copies().is_empty() {
            return Ok(());
        }
        match self.cycles() {
            Some(cycles) => writeln!(
                out,
                "\ncopies between layouts, of {} cycles that the compiler estimates",
                number(cycles)
            )?,
            None => writeln!(out, "\ncopies between layouts")?,
        }
        let rows = self.copies().iter().take(options.top).map(|copy| {
            let all = copy.cycles.saturating_mul(copy.times);
            let share = self.cycles().filter(|cycles| *cycles > 0 && !copy.is_guess);
            let share = share.map_or("?".into(), |cycles| {
                format!("{:.1} %", all as f64 / cycles as f64 * 100.0)
            });
            let bytes = format!("{}", Bytes(copy.bytes));
            let times = match copy.times {
                1 => String::new(),
                times => format!("{} times", number(times)),
            };
            // Where the fusion reshapes too, the array before has other dimensions.
            let after = match short(&copy.from) == short(&copy.to) {
                true => format!("{} to {}", layout(&copy.from), layout(&copy.to)),
                false => {
                    format!("{} to {} {}", layout(&copy.from), short(&copy.to), layout(&copy.to))
                }
            };
            let what = format!("`{}`, {} {after}", Visible(copy.instruction), short(&copy.from));
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
        for advice in self.advice().iter().take(options.top) {
            writeln!(out, "  {}", Visible(&advice.python))?;
            let name = Visible(&advice.name);
            let bytes = Bytes(advice.saves_bytes.unsigned_abs());
            let sure = if advice.is_sure { "" } else { "; to be checked" };
            match advice.kind {
                AdviceKind::Donate => writeln!(
                    out,
                    "      saves {bytes} at the peak: results take the memory of `{name}`"
                )?,
                AdviceKind::Size => writeln!(out, "      saves {bytes} of padding in `{name}`")?,
                AdviceKind::Layout => {
                    let share = self.cycles().filter(|cycles| *cycles > 0);
                    let share = share.map_or(String::new(), |it| {
                        format!(" ({:.1} %)", advice.saves_cycles as f64 / it as f64 * 100.0)
                    });
                    let names = advice.instructions.join("`, `");
                    let padding = match advice.saves_bytes {
                        0 => String::new(),
                        saves if saves < 0 => format!("; `{name}` takes {bytes} more"),
                        _ => format!("; `{name}` takes {bytes} less"),
                    };
                    let guess = if advice.is_guess { ", a guess from its bytes" } else { "" };
                    writeln!(
                        out,
                        "      spares `{names}`: {} cycles{share}{guess}{padding}{sure}",
                        number(advice.saves_cycles)
                    )?;
                    if advice.is_stored_transposed && !advice.major_to_minor.is_sorted() {
                        let order = &advice.major_to_minor;
                        writeln!(
                            out,
                            "      or store `{name}` transposed: `.transpose{}` has this layout by default",
                            tuple(order)
                        )?;
                    }
                }
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

/// A shape without its tiles.
fn short(shape: &str) -> &str {
    shape.split('{').next().unwrap_or_default()
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
        rows.iter().map(|(cells, _)| cells[column].chars().count()).max().unwrap_or(0)
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
