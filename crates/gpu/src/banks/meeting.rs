//! Lanes that meet in a bank.

use layout_core::base::text::Text;
use layout_core::limits::Size;

/// Two lanes that touch different words of one bank in one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The bank.
    pub bank: usize,
    /// The lanes.
    pub lanes: [usize; 2],
    /// Their words: addresses divided by 4.
    pub words: [Size; 2],
}

impl Meeting {
    pub(super) const fn text(&self) -> Text<160> {
        let Meeting { bank, lanes: [a, b], words: [x, y] } = *self;
        text!("lanes ", a, " and ", b, " meet in bank ", bank, ", in words ", x, " and ", y)
    }
}

impl core::fmt::Display for Meeting {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.text().as_str())
    }
}
