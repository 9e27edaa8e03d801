//! Memory for a person to read.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::bytes::Bytes;
use crate::memory::{Kind, Memory};
use crate::source::Source;
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
    /// The report for a person: arguments, results, temporaries and the peak, and what is in memory then.
    pub fn report(&self, options: ReportOptions) -> String {
        let mut out = String::new();
        let written = self.write_peak(&mut out).and_then(|()| self.write_live(&mut out, options));
        debug_assert!(written.is_ok(), "a string takes all text");
        out
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
        let at = format_args!("at `{}`, {}", Visible(peak.instruction), peak.source);
        row("temporaries", peak.temporaries_bytes, at)?;
        if peak.is_in_vmem {
            let hbm = self.use_by_step(0).into_iter().max().unwrap_or(0);
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
                padding => alloc::format!("{} padding", Bytes(padding)),
            };
            let name = match group.kind {
                Kind::Result => alloc::format!("result, {}", group.source),
                Kind::Argument if group.count > 1 => alloc::format!("{}, …", group.source),
                _ => alloc::format!("{}", group.source),
            };
            let shape = alloc::format!("{} × {}", group.count, short(&group.shape));
            let cells = [alloc::format!("{}", Bytes(group.bytes)), shape, padding, name];
            (cells, &group.source)
        });
        let rows = rows.take(options.top).collect::<Vec<_>>();
        write_table(out, &rows, options.frames)?;
        let rest = self.peak.live.iter().skip(options.top);
        match rest.clone().count() {
            0 => Ok(()),
            count => {
                let bytes = rest.map(|group| group.bytes).sum();
                writeln!(
                    out,
                    "  … and {count} smaller groups, {} (`--top` lists more)",
                    Bytes(bytes)
                )
            }
        }
    }
}

/// A shape without its tiles.
fn short(shape: &str) -> &str {
    shape.split('{').next().unwrap_or_default()
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
        out.truncate(start + out[start..].trim_end().len());
        out.push('\n');
        for frame in source.stack.iter().filter(|_| frames) {
            let (file, function) = (Visible(frame.file), Visible(frame.function));
            writeln!(out, "      {file}:{} {function}", frame.line)?;
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
