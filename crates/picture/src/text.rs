//! The picture in characters.
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::ansi::{INDENT, Ink, right};
use crate::memory::{Line, Slot};
use crate::picture::Picture;
use crate::text_grid::grid;

/// Lines of the order in memory.
const MEMORY_LINES: usize = 10;

/// Writes the whole picture.
pub(crate) fn write(f: &mut fmt::Formatter<'_>, picture: &Picture, ink: Ink) -> fmt::Result {
    writeln!(f, "{}\n", picture.shape)?;
    if picture.slots() == 0 {
        return writeln!(f, "{INDENT}no elements, and no memory");
    }
    f.write_str(&grid(picture, ink))?;
    let legend = if picture.has_padding() { "; ░ is padding" } else { "" };
    writeln!(f, "\n{INDENT}in memory, by offset{legend}")?;
    f.write_str(&memory(picture, ink))
}

/// Lines of slots, a bar where a tile ends.
fn memory(picture: &Picture, ink: Ink) -> String {
    let start = (picture.slots() - 1).to_string().len().max(3);
    let room = picture.columns - INDENT.len() - start - 2;
    let mut most = (room / 3).max(1);
    let lines = loop {
        let lines = picture.memory(most, MEMORY_LINES);
        let labels = labels(&lines);
        let widths = lines.iter().zip(&labels).map(|(line, label)| line_width(line, *label));
        let longest = lines.iter().map(|line| line.slots.len()).max().unwrap_or(1);
        // What is too wide, in slots of the widest kind.
        let excess = widths.max().unwrap_or(0).saturating_sub(room);
        let slot = labels.iter().max().map_or(1, |label| label + 3);
        let slots = excess.div_ceil(slot).min(longest - 1);
        if slots == 0 {
            break lines.into_iter().zip(labels);
        }
        most = longest - slots;
    };
    let mut out = String::new();
    for (line, width) in lines {
        let _ = write!(out, "{INDENT}{:>start$} │", line.start);
        let mut before: Option<&Slot> = None;
        for slot in &line.slots {
            if before.is_some_and(|before| before.tile != slot.tile) {
                out.push_str(" │");
            }
            out.push(' ');
            ink.begin(&mut out, slot.tile.unwrap_or(0), slot.index.is_none());
            match slot.label() {
                Some(label) => right(&mut out, &label, width, ' '),
                None => right(&mut out, "", width, '░'),
            }
            ink.end(&mut out);
            before = Some(slot);
        }
        out.push_str(if line.is_cut { " …\n" } else { "\n" });
    }
    out
}

/// Characters of a slot in each line: the same in all of them where nothing is left out.
fn labels(lines: &[Line]) -> Vec<usize> {
    let labels = |line: &Line| {
        let labels = line.slots.iter().filter_map(|slot| slot.label());
        labels.map(|label| label.len()).max().unwrap_or(0).max(2)
    };
    let mut widths = lines.iter().map(labels).collect::<Vec<_>>();
    if !lines.iter().any(|line| line.is_cut) {
        let widest = widths.iter().copied().max().unwrap_or(0);
        widths.fill(widest);
    }
    widths
}

/// Characters after the start of a line.
fn line_width(line: &Line, label: usize) -> usize {
    let pairs = line.slots.iter().zip(line.slots.iter().skip(1));
    let bars = pairs.filter(|(a, b)| a.tile != b.tile).count();
    line.slots.len() * (label + 1) + 2 * bars + 2 * line.is_cut as usize
}
