//! What a picture in characters is drawn with.
use alloc::string::String;
use core::fmt::Write as _;

use layout_core::Size;
use layout_core::base::width::native;

/// What the picture is drawn with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Characters only.
    Plain,
    /// Escape sequences for a terminal too.
    Ansi,
}

/// Characters of a line that are not exceeded, if the numbers are not very long and nothing else is asked for.
pub(crate) const WIDTH: usize = 100;
/// In a narrower picture there would be no room for the numbers.
pub(crate) const LEAST_WIDTH: usize = 80;
/// The indentation of everything but the shape.
pub(crate) const INDENT: &str = "  ";
/// Colours of the tiles, which take turns: cyan, yellow, green, magenta, blue.
const COLOURS: [u8; 5] = [36, 33, 32, 35, 34];

impl Ink {
    /// Begins what belongs to a tile, or to padding.
    pub(crate) fn begin(self, out: &mut String, tile: Size, is_padding: bool) {
        if self == Ink::Ansi {
            let colour =
                if is_padding { 90 } else { COLOURS[native(tile % COLOURS.len() as Size)] };
            let _ = write!(out, "\x1b[{colour}m");
        }
    }

    /// Ends it.
    pub(crate) fn end(self, out: &mut String) {
        if self == Ink::Ansi {
            out.push_str("\x1b[0m");
        }
    }
}

/// Appends a text at the right of a column.
pub(crate) fn right(out: &mut String, text: &str, width: usize, fill: char) {
    // Pushed by the piece: macros run unoptimised, and this is most of what they do here.
    let fill = match fill {
        '░' => "░░░░░░░░",
        '─' => "────────",
        '┄' => "┄┄┄┄┄┄┄┄",
        _ => "        ",
    };
    let each = fill.len() / 8;
    let mut missing = width.saturating_sub(text.chars().count());
    while missing > 0 {
        let piece = missing.min(8);
        out.push_str(&fill[..piece * each]);
        missing -= piece;
    }
    out.push_str(text);
}
