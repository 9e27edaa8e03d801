//! What a program that ran out of memory left: the compiler's or the allocator's text, or a report of memory usage.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::program::frames::Frame;
use crate::program::source::Source;
use crate::reading::attributes::{Attributes, list};
use crate::report::bytes::Bytes;
use crate::report::{text, write_rest, write_table};
use layout_core::tpu::cheaper_layouts;
use layout_core::{ArrayShape, Shape, Visible};

/// The largest arrays of a program, by the text that is left where there was no memory for it: that of XLA's error for TPUs or GPUs,
/// also in a log, or XLA's `*-memory-usage-report.txt`. The program itself, which says more, is another text: [`Module`](crate::Module).
///
/// # Examples
/// ```
/// use layout_hlo::OutOfMemory;
///
/// let found = OutOfMemory::find("\
/// RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 33.22G of 15.75G hbm.
///   Largest program allocations in hbm:
///   1. Size: 32.00G
///      Operator: op_name=\"jit(step)/rem\" source_file=\"cic.py\" source_line=7
///      Shape: s32[8388608,8,4]{2,1,0:T(8,128)}
///      Unpadded size: 1.00G
///      Extra memory due to padding: 31.00G (32.0x expansion)
///      XLA label: %copy.4 = s32[8388608,8,4]{2,1,0:T(8,128)} copy(%p)
/// ").unwrap();
/// assert!(found.report(10).starts_with("\
/// ran out of memory in hbm: used 33.2 GiB of 15.8 GiB
///
/// largest arrays
///   32.0 GiB  1 × s32[8388608,8,4]{2,1,0:T(8,128)}  31.0 GiB padding  cic.py:7 (rem)
///
/// fewer bytes, with another order of dimensions or fewer rows in the first tile
///   1.00 GiB instead of 32.0 GiB: s32[8388608,8,4]{0,1,2:T(8,128)}
/// "));
/// ```
#[derive(Clone, Debug)]
pub struct OutOfMemory<'a> {
    /// Sentences on the whole, each with the bytes that are needed.
    summary: Vec<(String, u64)>,
    arrays: Vec<Array<'a>>,
}

/// Sentences of a report at most: a log can repeat one with other numbers without an end.
const MOST_SENTENCES: usize = 8;

/// Equal arrays of one origin.
#[derive(Clone, Debug, Default)]
struct Array<'a> {
    count: u64,
    /// Of each.
    bytes: u64,
    shape: &'a str,
    source: Source<'a>,
}

impl<'a> OutOfMemory<'a> {
    /// Finds what a text says of memory; `None` if that is nothing.
    pub fn find(text: &'a str) -> Option<OutOfMemory<'a>> {
        let mut found = OutOfMemory { summary: Vec::new(), arrays: Vec::new() };
        let mut next = Array::default();
        for line in text.lines() {
            let after = |key: &str| line.split_once(key).map(|(_, value)| value.trim());
            let new = summary(line).filter(|it| !found.summary.contains(it));
            found.summary.extend(new.filter(|_| found.summary.len() < MOST_SENTENCES));
            if let Some(row) = usage_row(line) {
                found.add(row);
            } else if let Some(bytes) = after("Size: ").and_then(|it| it.parse::<Bytes>().ok()) {
                found.add(core::mem::take(&mut next));
                (next.count, next.bytes) = (1, bytes.0);
            } else if let Some(shape) = after("Entry Parameter Subshape: ") {
                (next.shape, next.source.is_argument) = (shape, true);
            } else if let Some(shape) = after(" Shape: ").or(after("\tShape: ")) {
                next.shape = shape;
            } else if let Some(label) = after("XLA label: ").or(after("XLA Label: ")) {
                let name = label.split(" = ").next().unwrap_or(label);
                next.source.instruction = name.trim_start_matches('%');
            } else if let Some(operator) = after("Operator: ").map(Attributes) {
                let name = operator.find("op_name").unwrap_or_default();
                let name = name.split('[').next().unwrap_or_default();
                next.source.operation = Cow::Borrowed(name.rsplit('/').next().unwrap_or(name));
                let line = operator.find("source_line").and_then(|it| it.parse().ok());
                let frame = operator.find("source_file").zip(line);
                let frame = frame.map(|(file, line)| Frame { file, line, function: "" });
                next.source.stack = frame.into_iter().collect();
            }
        }
        found.add(next);
        found.arrays.sort_by_cached_key(|own| (own.shape, own.bytes, own.source.to_string()));
        found.arrays.dedup_by(|own, first| {
            let is_same = (own.shape, own.bytes) == (first.shape, first.bytes)
                && own.source.to_string() == first.source.to_string();
            first.count += u64::from(is_same);
            is_same
        });
        found.arrays.sort_by_key(|own| core::cmp::Reverse(own.total()));
        (!found.arrays.is_empty() || !found.summary.is_empty()).then_some(found)
    }

    /// Whether what the text says fits into `limit` bytes. It does not where an allocation failed.
    pub fn fits(&self, limit: u64) -> bool {
        self.summary.iter().all(|(_, needed)| *needed <= limit)
    }

    fn add(&mut self, mut new: Array<'a>) {
        // Other texts have lines that begin alike.
        if new.count == 0 || new.shape.parse::<Shape>().is_err() {
            return;
        }
        // The text rounds to three digits.
        let own = new.parsed().and_then(|shape| shape.bytes()).map_or(0, |bytes| bytes as u64);
        if own.abs_diff(new.bytes) <= new.bytes / 100 {
            new.bytes = own;
        }
        self.arrays.push(new);
    }

    /// The text for a person: the largest arrays, what padding costs, and layouts that take fewer bytes. Each table has at most `top`
    /// lines.
    pub fn report(&self, top: usize) -> String {
        text(|out| self.write(out, top))
    }

    fn write(&self, out: &mut String, top: usize) -> fmt::Result {
        for (line, _) in &self.summary {
            writeln!(out, "{line}")?;
        }
        if !self.arrays.is_empty() {
            writeln!(out, "{}largest arrays", if self.summary.is_empty() { "" } else { "\n" })?;
        }
        let rows = self.arrays.iter().take(top).map(|own| {
            let padding = match own.padding() {
                0 => String::new(),
                padding => format!("{} padding", Bytes(padding.saturating_mul(own.count))),
            };
            let bytes = format!("{}", Bytes(own.total()));
            let shape = format!("{} × {}", own.count, Visible(own.shape));
            let Source { instruction, stack, is_argument, .. } = &own.source;
            let is_known = *is_argument || !instruction.is_empty() || !stack.is_empty();
            let source = if is_known { own.source.to_string() } else { String::new() };
            ([bytes, shape, padding, source], &own.source)
        });
        write_table(out, &rows.collect::<Vec<_>>(), false)?;
        write_rest(out, "array", self.arrays.iter().skip(top).map(Array::total))?;
        let (mut cheaper, mut seen) = (Vec::new(), BTreeSet::new());
        for own in self.arrays.iter().filter(|own| seen.insert(own.shape)) {
            let best = own.parsed().into_iter().flat_map(|shape| cheaper_layouts(&shape)).flatten();
            let best = best.min_by_key(ArrayShape::bytes).map(|it| (own.bytes, it));
            cheaper.extend(
                best.filter(|(bytes, it)| it.bytes().is_some_and(|less| (less as u64) < *bytes)),
            );
        }
        if !cheaper.is_empty() {
            writeln!(
                out,
                "\nfewer bytes, with another order of dimensions or fewer rows in the first tile"
            )?;
        }
        for (bytes, shape) in cheaper.iter().take(top) {
            let less = Bytes(shape.bytes().unwrap_or(0) as u64);
            writeln!(out, "  {less} instead of {}: {shape}", Bytes(*bytes))?;
        }
        write_rest(out, "layout", cheaper.iter().skip(top).map(|_| 0))?;
        writeln!(
            out,
            "\nthe program itself says more: with XLA_FLAGS=--xla_dump_to=DIR a compile that fails leaves it as \
             `*.oom_intermediate_module.txt`, one that succeeds as `*after_optimizations.txt`"
        )
    }
}

impl Array<'_> {
    fn total(&self) -> u64 {
        self.bytes.saturating_mul(self.count)
    }

    fn parsed(&self) -> Option<ArrayShape> {
        self.shape.parse().ok()
    }

    /// What its memory has more than its elements, if it is more than what rounding hides.
    fn padding(&self) -> u64 {
        let bare = self.parsed().and_then(|shape| shape.unpadded_bytes());
        let padding = self.bytes.saturating_sub(bare.map_or(self.bytes, |bare| bare as u64));
        if padding > self.bytes / 100 { padding } else { 0 }
    }
}

/// What stands before the bytes that an allocator did not have.
const WANTED: [&str; 5] = [
    "trying to allocate ",
    "Failed to allocate request for ",
    "Out of memory allocating ",
    "Attempting to allocate ",
    "Attempting to reserve ",
];

/// What a line says of the whole, and the bytes that are needed.
fn summary(line: &str) -> Option<(String, u64)> {
    let bytes = |text: &str| {
        let end = text.find([' ', ')']).unwrap_or(text.len());
        text[..end].trim_end_matches(['.', ',']).parse::<Bytes>().ok()
    };
    let after = |key: &str| line.split_once(key).map(|(_, rest)| rest);
    let ran_out = |space: &str, used: Bytes, there: Bytes| {
        (format!("ran out of memory in {}: used {used} of {there}", Visible(space)), used.0)
    };
    if let Some((space, used)) = after("in memory space ").and_then(|it| it.split_once(" Used ")) {
        let space = space.split('.').next().unwrap_or(space);
        return Some(ran_out(space, bytes(used)?, bytes(used.split_once(" of ")?.1)?));
    }
    if let Some((space, rest)) = after("Ran out of memory on ").and_then(|it| it.split_once(',')) {
        let (used, there) = rest.split_once('(')?.1.split_once('(')?;
        return Some(ran_out(&space.to_lowercase(), bytes(used)?, bytes(there)?));
    }
    if let Some(wanted) = WANTED.iter().find_map(|key| after(key)) {
        return Some((format!("ran out of memory for {}", bytes(wanted)?), u64::MAX));
    }
    let total = bytes(line.strip_prefix("Total bytes: ")?)?;
    Some((format!("{total} in one memory space"), total.0))
}

/// The largest array of a row `cumulative_size; size; offset; used_by_n_values; shapes_list` of a report of memory usage.
fn usage_row(line: &str) -> Option<Array<'_>> {
    let mut fields = line.split(';').map(str::trim);
    let bytes = fields.nth(1)?.parse::<Bytes>().ok()?.0;
    let shapes = list(fields.nth(2)?).map(|shape| {
        let shape = shape.split_once('×').map_or(shape, |(_, shape)| shape);
        (shape.parse::<ArrayShape>().ok().and_then(|shape| shape.bytes()), shape)
    });
    // Other tables have semicolons too.
    let (_, shape) = shapes.filter(|(bytes, _)| bytes.is_some()).max_by_key(|(bytes, _)| *bytes)?;
    Some(Array { count: 1, bytes, shape, source: Source::default() })
}
