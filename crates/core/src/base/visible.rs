//! Untrusted text, made safe to print.

use core::fmt::{self, Write as _};

/// Untrusted text, displayed with its hidden characters escaped.
///
/// A name in an HLO file may hold anything: an escape sequence that moves the cursor of a terminal, a newline that
/// forges a row of a table, U+202E, which reverses the text after it. Displayed, [hidden](is_hidden) characters are
/// escaped as in Rust's literals, and everything else is left as it is. Backslashes are not escaped, so that
/// the escapes cannot be undone.
///
/// The errors of this crate quote text this way.
///
/// # Examples
/// ```
/// use layout::shape::Visible;
///
/// assert_eq!(Visible("params['w']").to_string(), "params['w']");
/// assert_eq!(Visible("\u{1b}[2J\nadd.1 \u{202e}é").to_string(), r"\u{1b}[2J\nadd.1 \u{202e}é");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Visible<'a>(pub &'a str);

impl Visible<'_> {
    /// Number of displayed characters.
    pub(crate) fn width(self) -> usize {
        let width = |c: char| if is_hidden(c) { c.escape_default().count() } else { 1 };
        self.0.chars().map(width).sum()
    }
}

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = 0;
        for (at, c) in self.0.char_indices().filter(|(_, c)| is_hidden(*c)) {
            f.write_str(&self.0[shown..at])?;
            for escaped in c.escape_default() {
                f.write_char(escaped)?;
            }
            shown = at + c.len_utf8();
        }
        f.write_str(&self.0[shown..])
    }
}

/// Whether a character is invisible: control characters, line and paragraph separators, and what Unicode
/// calls format characters (bidirectional ones included) or default ignorable.
///
/// # Examples
/// ```
/// use layout::shape::is_hidden;
///
/// assert!(['\n', '\u{1b}', '\u{9b}', '\u{200b}', '\u{202e}', '\u{feff}'].into_iter().all(is_hidden));
/// assert!(!['a', ' ', 'é', '\u{3000}', '界'].into_iter().any(is_hidden));
/// ```
pub const fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    each!(for i in 0..HIDDEN.len() {
        if HIDDEN[i].0 <= c && c <= HIDDEN[i].1 {
            return true;
        }
    });
    false
}

/// Unicode 17: `Cc` past ASCII, `Cf`, `Zl`, `Zp` and `Default_Ignorable_Code_Point`; and the two code points that XML forbids.
const HIDDEN: [(char, char); 27] = [
    ('\u{80}', '\u{9f}'),
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{fffe}', '\u{ffff}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];
