//! What is in memory at the peak, by module and call path.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt::{self, Write as _};

use crate::lifetimes::usage::HBM;
use crate::lifetimes::{Buffer, Kind};
use crate::memory::Memory;
use crate::program::shapes::short;
use crate::report::bytes::Bytes;
use layout_core::Visible;

/// Modules and calls of a path that are told apart; what is deeper is one with them.
const DEEPEST: usize = 32;

/// Arrays of one path, and of those that go on from it.
#[derive(Default)]
struct Branch {
    bytes: u64,
    parts: BTreeMap<String, Branch>,
}

impl Memory<'_> {
    /// Branches of less than a hundredth of the peak are summed up.
    pub(super) fn write_tree(&self, out: &mut String) -> fmt::Result {
        let mut tree = Branch::default();
        for buffer in self.timeline.at(self.hbm.step, HBM) {
            let mut branch = &mut tree;
            for part in self.path(buffer) {
                branch = branch.parts.entry(part).or_default();
                branch.bytes = branch.bytes.saturating_add(buffer.leaf.bytes);
            }
        }
        tree.bytes = self.hbm.peak_bytes;
        tree.write(out, self.hbm.peak_bytes / 100, 0)
    }

    /// The modules and calls that a buffer's operation stands in, the outermost first, and its shape.
    fn path(&self, buffer: &Buffer) -> Vec<String> {
        let shape = self.program.shapes.array(buffer.leaf.array).to_string();
        let name = self.near_name(buffer.operation);
        let mut path = match buffer.owner {
            Kind::Argument => {
                let parts = name.split(['[', ']', '\'', '.']).filter(|part| !part.is_empty());
                ["arguments"].into_iter().chain(parts).map(Into::into).collect::<Vec<_>>()
            }
            _ => {
                let calls = name.rsplit_once('/').map_or("", |(calls, _)| calls);
                let calls = calls.split('/').filter(|call| !call.starts_with("jit("));
                calls.filter(|call| !call.is_empty()).map(call_title).collect()
            }
        };
        path.truncate(DEEPEST);
        if path.is_empty() {
            path.push("no module".to_string());
        }
        path.push(short(&shape).to_string());
        path
    }
}

/// A call in JAX's words, or in a user's: `transpose(jvp(Model))` is the backward pass of `Model`.
fn call_title(call: &str) -> String {
    let inner = |text: &str, name: &str| {
        let inner = text.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')?;
        Some(if inner.is_empty() { "function".to_string() } else { inner.to_string() })
    };
    let forward = |text: &str| inner(text, "jvp");
    match (inner(call, "transpose").as_deref().and_then(forward), forward(call)) {
        (Some(name), _) => format!("{name}, backward"),
        (_, Some(name)) => format!("{name}, forward"),
        _ if call == "rematted_computation" => "computed again".to_string(),
        _ => call.to_string(),
    }
}

impl Branch {
    fn write(&self, out: &mut String, least: u64, depth: usize) -> fmt::Result {
        let mut parts = self.parts.iter().collect::<Vec<_>>();
        parts.sort_by_key(|(_, node)| Reverse(node.bytes));
        let shown = parts.partition_point(|(_, node)| node.bytes >= least.max(1));
        let rest = parts[shown..].iter().map(|(_, node)| node.bytes).fold(0, u64::saturating_add);
        for (name, mut node) in parts.iter().take(shown).map(|(name, node)| (*name, *node)) {
            let mut title = name.clone();
            // A path that does not branch is one line.
            while let Some((name, only)) = node.parts.first_key_value()
                && node.parts.len() == 1
            {
                (title, node) = (format!("{title}/{name}"), only);
            }
            write_row(out, node.bytes, depth, &title)?;
            node.write(out, least, depth + 1)?;
        }
        if rest > 0 { write_row(out, rest, depth, "others") } else { Ok(()) }
    }
}

fn write_row(out: &mut String, bytes: u64, depth: usize, title: &str) -> fmt::Result {
    writeln!(out, "  {:>9}  {:indent$}{}", Bytes(bytes), "", Visible(title), indent = 2 * depth)
}
