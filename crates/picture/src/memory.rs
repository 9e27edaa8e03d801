//! The order in memory, as lines of consecutive slots.
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use layout_core::Size;

use crate::chart::joined;
use crate::picture::Picture;

/// A slot of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Slot {
    /// Coordinates of the element, dimension 0 first; `None` for padding.
    pub index: Option<Vec<Size>>,
    /// Number of its tile, if it belongs to one copy of the first tile.
    pub tile: Option<Size>,
}

impl Slot {
    /// The coordinates with commas between them; `None` for padding.
    pub fn label(&self) -> Option<String> {
        let index = self.index.as_ref()?;
        if index.is_empty() {
            return Some("[]".to_string());
        }
        Some(joined(index))
    }
}

/// Consecutive slots.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// Position of the first slot, in elements.
    pub start: Size,
    /// The slots.
    pub slots: Vec<Slot>,
    /// Whether slots after these are left out.
    pub is_cut: bool,
}

/// Slots that are searched for the first padding.
const SEARCHED: Size = 1 << 12;

impl Picture {
    /// Size in memory in elements, padding included.
    pub fn slots(&self) -> Size {
        self.shape.padded_elements().unwrap_or(0)
    }

    /// Whether the array has padding.
    pub(crate) fn has_padding(&self) -> bool {
        self.shape.elements() != Some(self.slots())
    }

    /// A slot of memory.
    pub fn slot(&self, offset: Size) -> Slot {
        let at = self.padded.index(offset);
        let tile = match &at {
            _ if self.padded.levels() == 0 => Some(0),
            Some(at) => Some(self.padded.tile(0, at, offset)),
            None => self.shape.block(0).ok().map(|block| offset / block.factor),
        };
        let element = at.filter(|at| !self.padded.is_padding(at));
        Slot { index: element.map(|at| at[self.padded.leading..].to_vec()), tile }
    }

    /// The order in memory in at most `most` lines of at most `width` slots: all of it, in lines of whole
    /// tiles if possible; or else the first slots, the slots where a further digit of the layout starts to
    /// count, the first padding, and the end.
    pub fn memory(&self, width: usize, most: usize) -> Vec<Line> {
        let slots = self.slots();
        if slots == 0 {
            return Vec::new();
        }
        let width = width.max(1) as Size;
        let block = self.shape.block(0).map_or(1, |block| block.factor.max(1));
        let per_line = if slots <= width {
            slots
        } else if block <= width {
            width / block * block
        } else {
            (width / 2 + 1..=width).rev().find(|part| block.is_multiple_of(*part)).unwrap_or(width)
        };
        let lines = slots.div_ceil(per_line);
        if lines <= most as Size {
            // Lines of equal length, as far as whole tiles allow.
            let unit = if per_line.is_multiple_of(block) { block } else { per_line };
            let per_line = slots.div_ceil(lines).next_multiple_of(unit).min(per_line);
            let line = |start| self.line(start, per_line.min(slots - start), 0);
            return (0..lines).map(|number| number * per_line).map(line).collect();
        }

        let last = slots.saturating_sub(width.div_ceil(2));
        let mut starts = Vec::from([0]);
        if self.has_padding() {
            starts.extend((0..SEARCHED.min(last)).find(|at| self.padded.is_padding_at(*at)));
        }
        starts.extend(self.shape.block(0).map(|block| block.factor));
        starts.extend(self.padded.strides());
        starts.retain(|start| *start < last);
        starts.sort_unstable();
        // What the line before shows anyway begins no other.
        let mut next = 0;
        starts.retain(|start| {
            let is_new = *start >= next;
            next = if is_new { start.saturating_add(width) } else { next };
            is_new
        });
        starts.truncate(most.max(2) - 1);
        starts.push(last);
        let ends = starts.iter().skip(1).copied().chain([slots]);
        let lines = starts.iter().zip(ends);
        lines.map(|(start, end)| self.line(*start, width.min(end - start), end)).collect()
    }

    /// `count` slots, the next line to begin at `end`.
    fn line(&self, start: Size, count: Size, end: Size) -> Line {
        let slots = (start..start + count).map(|at| self.slot(at)).collect();
        Line { start, slots, is_cut: start + count < end }
    }
}
