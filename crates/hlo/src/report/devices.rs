//! What a program on many devices has whole on each, and what they send one another.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt::{self, Write as _};

use crate::copies::Place;
use crate::memory::Memory;
use crate::memory::devices::Collective;
use crate::report::bytes::Bytes;
use crate::report::{ReportOptions, listed, write_rest, write_table};

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
            let (bytes, names) = (Bytes(bytes).to_string(), listed(&names));
            writeln!(out, "  {bytes:>9}  arguments that are whole on each: {names}")?;
        }
        // Collectives of one line are one row.
        let mut rows = BTreeMap::<_, (u64, u64, &Collective<'_>)>::new();
        for it in self.collectives() {
            let row = rows.entry((it.op, it.source.to_string())).or_insert((0, 0, it));
            row.0 = row.0.saturating_add(it.received_bytes());
            row.1 = row.1.saturating_add(it.times);
        }
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by_key(|(_, row)| Reverse(row.0));
        let all = rows.iter().fold(0, |sum: u64, (_, row)| sum.saturating_add(row.0));
        if all > 0 {
            writeln!(out, "  {:>9}  received in one run", Bytes(all).to_string())?;
        }
        let cells = rows.iter().take(options.top).map(|((op, made), (bytes, times, first))| {
            let times = if *times == 1 { String::new() } else { format!("{times} times") };
            let (bytes, group) = (format!("  {}", Bytes(*bytes)), format!("by {}", first.group));
            ([bytes, op.to_string(), times, group, made.clone()], &first.source)
        });
        write_table(out, &cells.collect::<Vec<_>>(), options.frames)?;
        write_rest(out, "line", rows.iter().skip(options.top).map(|(_, row)| row.0))?;
        for it in self.gathers().iter().take(options.top) {
            let (bytes, kept) = (Bytes(it.bytes).to_string(), Bytes(it.kept_bytes));
            writeln!(out, "  {bytes:>9}  gathered, of which {kept} are kept: {}", it.source)?;
        }
        Ok(())
    }
}
