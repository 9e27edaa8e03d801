//! What changed between two programs.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{self, Write as _};

use crate::memory::Memory;
use crate::program::source::Source;
use crate::report::bytes::Bytes;
use crate::report::{ReportOptions, text, write_rest};

impl Memory<'_> {
    /// What changed in a later version of the program, for a person: the peak and its parts, the cycles, and which groups
    /// and copies came or went.
    pub fn difference(&self, after: &Memory<'_>, options: ReportOptions) -> String {
        text(|out| self.write_difference(after, out, options.top))
    }

    fn write_difference(&self, after: &Memory<'_>, out: &mut String, top: usize) -> fmt::Result {
        let [a, b] = [&self.hbm, &after.hbm];
        let rows = [
            ("to fit", a.allocated_bytes, b.allocated_bytes),
            ("peak", a.peak_bytes, b.peak_bytes),
            ("arguments", a.arguments_bytes, b.arguments_bytes),
            ("results", a.results_bytes, b.results_bytes),
            ("temporaries", a.temporaries_bytes, b.temporaries_bytes),
            ("VMEM", self.vmem.peak_bytes, after.vmem.peak_bytes),
        ];
        let there = rows.into_iter().filter(|(_, before, after)| before.max(after) > &0);
        for (name, before, after) in there {
            writeln!(
                out,
                "  {name:12} {:>9} to {:>9}  {}",
                Bytes(before),
                Bytes(after),
                change(before, after)
            )?;
        }
        if let (Some(before), Some(after)) = (self.cycles(), after.cycles()) {
            let percent = (after as f64 / before.max(1) as f64 - 1.0) * 100.0;
            writeln!(out, "  {:12} {before} to {after}  {percent:+.1} %", "cycles")?;
        }
        let live = |memory: &Memory<'_>| {
            let live = memory.hbm.live.iter();
            sums(live.map(|group| (&group.source, group.bytes)))
        };
        let copied = |memory: &Memory<'_>| {
            let copies = memory.copies().iter();
            sums(copies.map(|copy| (&copy.source, copy.bytes.saturating_mul(copy.times))))
        };
        write_changes(out, "in memory at the peak", &live(self), &live(after), top)?;
        write_changes(out, "copies between layouts", &copied(self), &copied(after), top)
    }
}

/// The bytes of each line or argument.
fn sums<'s>(all: impl Iterator<Item = (&'s Source<'s>, u64)>) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for (source, bytes) in all {
        let sum: &mut u64 = sums.entry(source.to_string()).or_insert(0);
        *sum = sum.saturating_add(bytes);
    }
    sums
}

/// A change of bytes, with its sign.
fn change(before: u64, after: u64) -> String {
    match before.abs_diff(after) {
        0 => "same".to_string(),
        difference => format!("{}{}", if after > before { '+' } else { '-' }, Bytes(difference)),
    }
}

/// What has other bytes before and after, the largest changes first.
fn write_changes(
    out: &mut String,
    title: &str,
    before: &BTreeMap<String, u64>,
    after: &BTreeMap<String, u64>,
    top: usize,
) -> fmt::Result {
    let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
    let of = |map: &BTreeMap<String, u64>, name: &str| map.get(name).copied().unwrap_or(0);
    let changes =
        names.map(|name| (name, of(before, name), of(after, name))).filter(|(_, a, b)| a != b);
    let mut changes = changes.collect::<alloc::vec::Vec<_>>();
    changes.sort_by_key(|(_, a, b)| core::cmp::Reverse(a.abs_diff(*b)));
    if changes.is_empty() {
        return writeln!(out, "\n{title}: the same");
    }
    writeln!(out, "\n{title}")?;
    for (name, a, b) in changes.iter().take(top) {
        let what = match (a, b) {
            (0, _) => "new",
            (_, 0) => "gone",
            _ => "",
        };
        writeln!(out, "  {:>10}  {what:4}  {name}", change(*a, *b))?;
    }
    write_rest(out, "change", changes.iter().skip(top).map(|_| 0))
}
