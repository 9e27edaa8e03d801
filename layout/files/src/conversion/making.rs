//! How the bytes of a tensor in a new layout are made, and compared.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use layout::copies::Settings;
use layout::{ArrayShape, Padding, Relayout, RelayoutError};

use crate::conversion::Pair;
use crate::conversion::elements::Elements;

/// Bytes of a part: what the second cache holds, so that the copy is still there when it is written.
const PART: usize = 1 << 20;
/// Bytes of the longest part that is made at once: one is made while another is written.
const MOST_IN_MEMORY: usize = 16 << 20;

/// A pair of layouts, ready to convert.
pub(super) struct Making {
    relayout: Relayout,
    /// Whether the layouts share no split, so that a part of the copy would be too long.
    is_by_element: bool,
    elements: OnceCell<Elements>,
}

impl Making {
    /// For layouts between which a copy was planned before.
    fn new([from, to]: &[ArrayShape; 2]) -> Making {
        let relayout = match Relayout::new(from, to) {
            // Parts are written to one buffer again and again.
            Ok(relayout) => {
                relayout.with_settings(Settings { streams: Some(false), ..Settings::default() })
            }
            Err(error) => unreachable!("planned before: {error}"),
        };
        let is_by_element = relayout.parts(PART).any(|part| part.len() > MOST_IN_MEMORY);
        Making { relayout, is_by_element, elements: OnceCell::new() }
    }

    /// That of the last tensor, if this one has its pair, else another one: equal shapes that follow one another share
    /// their plan.
    pub(super) fn again<'a, 'b>(
        last: &'b mut Option<(&'a Arc<Pair>, Making)>,
        pair: &'a Arc<Pair>,
    ) -> &'b Making {
        let kept = last.take().filter(|last| Arc::ptr_eq(last.0, pair));
        &last.insert(kept.unwrap_or_else(|| (pair, Making::new(&pair.layouts)))).1
    }

    /// The parts of the new tensor that are written one after another.
    pub(super) fn parts(&self) -> Box<dyn Iterator<Item = Range<usize>>> {
        match self.is_by_element {
            true => chunks(self.relayout.destination_bytes()),
            false => Box::new(self.relayout.parts(PART)),
        }
    }

    pub(super) fn make(
        &self,
        part: Range<usize>,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<(), RelayoutError> {
        if self.is_by_element {
            self.elements().write(part.start, src, dst);
            return Ok(());
        }
        // Bits after the last element.
        if let Some(last) = dst.last_mut() {
            *last = 0;
        }
        let to = self.relayout.destination();
        let declared = to.fill().and_then(|fill| fill.bits(to.element_type()));
        let padding = declared.map_or(Padding::Zero, Padding::Fill);
        self.relayout.run_part(part, src, dst, padding)
    }

    /// The elements one by one, which are looked at and not copied by plans.
    pub(super) fn elements(&self) -> &Elements {
        self.elements
            .get_or_init(|| Elements::new(self.relayout.source(), self.relayout.destination()))
    }
}

/// The parts of a tensor that is copied.
pub(super) fn chunks(bytes: usize) -> Box<dyn Iterator<Item = Range<usize>>> {
    let starts = (0..bytes).step_by(PART);
    Box::new(starts.map(move |start| start..bytes.min(start.saturating_add(PART))))
}
