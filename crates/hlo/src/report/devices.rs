//! What a program on many devices has whole on each, and what they send one another.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt::{self, Write as _};

use crate::copies::Place;
use crate::memory::Memory;
use crate::report::bytes::Bytes;
use crate::report::{ReportOptions, listed, write_rest, write_table};
use layout_core::Visible;

impl Memory<'_> {
    /// The part about devices, if there are several.
    pub(crate) fn write_devices(&self, out: &mut String, options: ReportOptions) -> fmt::Result {
        let whole = self.whole_arguments();
        if whole.is_empty() && self.collectives().is_empty() {
            return Ok(());
        }
        writeln!(out, "\non each of {} devices", self.devices())?;
        if !whole.is_empty() {
            let own = self.arguments.iter().filter(|it| whole.contains(&it.number));
            let bytes = own.fold(0, |sum: u64, it| sum.saturating_add(it.bytes));
            let names: Vec<_> = whole.iter().map(|it| self.name(Place::Parameter(*it))).collect();
            writeln!(
                out,
                "  {:>9}  arguments that are whole on each: {}",
                Bytes(bytes).to_string(),
                listed(&names)
            )?;
        }
        let all = self
            .collectives()
            .iter()
            .fold(0, |sum: u64, it| sum.saturating_add(it.received_bytes()));
        if all > 0 {
            writeln!(out, "  {:>9}  received in one run", Bytes(all).to_string())?;
        }
        // Collectives of one line are one row.
        let mut rows = BTreeMap::<_, (u64, usize, Vec<_>, _)>::new();
        for it in self.collectives() {
            let made = match &it.result[..] {
                "" => it.source.to_string(),
                result => format!("for `{}`", Visible(result)),
            };
            let row = rows.entry((it.op, made)).or_insert((0, it.group, Vec::new(), &it.source));
            row.0 = row.0.saturating_add(it.received_bytes());
            row.2.push(it.times);
        }
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by_key(|(_, row)| Reverse(row.0));
        let cells =
            rows.iter().take(options.top).map(|((op, made), (bytes, group, times, source))| {
                let count = times.iter().fold(0, |sum: u64, it| sum.saturating_add(*it));
                let times = if count == 1 { String::new() } else { format!("{count} times") };
                (
                    [
                        format!("  {}", Bytes(*bytes)),
                        op.to_string(),
                        times,
                        format!("by {group}"),
                        made.clone(),
                    ],
                    *source,
                )
            });
        write_table(out, &cells.collect::<Vec<_>>(), options.frames)?;
        write_rest(out, "line", rows.iter().skip(options.top).map(|(_, row)| row.0))?;
        for it in self.gathers().iter().take(options.top) {
            writeln!(
                out,
                "  {:>9}  gathered, of which {} are kept: {}",
                Bytes(it.bytes).to_string(),
                Bytes(it.kept_bytes),
                it.source
            )?;
        }
        Ok(())
    }
}
