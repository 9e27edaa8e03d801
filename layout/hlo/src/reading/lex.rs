//! The letters of HLO text: words, strings, and where a shape ends.

use layout_core::limits::MAX_NESTING;
use layout_core::skip_space;

/// The bytes at which the scan has something to do, outside of strings.
const STOPS: [bool; 256] = table(b"\n\"'/[=(){}");
/// The bytes at which the scan has something to do, inside strings.
const STRING_STOPS: [bool; 256] = table(b"\n\"'\\");
/// XLA's identifiers.
const WORD: [bool; 256] =
    table(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-");

const fn table(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    each!(for i in 0..bytes.len() {
        table[bytes[i] as usize] = true;
    });
    table
}

/// The first position from `at` on whose byte is in the table, or the end.
fn find(bytes: &[u8], at: usize, table: &[bool; 256]) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| table[usize::from(*byte)]).unwrap_or(rest.len())
}

/// The next byte outside of strings that the scan has to look at.
pub(crate) fn stop(bytes: &[u8], at: usize) -> usize {
    find(bytes, at, &STOPS)
}

/// The next byte inside a string that may end it.
pub(crate) fn string_stop(bytes: &[u8], at: usize) -> usize {
    find(bytes, at, &STRING_STOPS)
}

/// The position of the quote that ends the string, after its first quote; the end if there is none.
#[cfg(feature = "alloc")]
pub(crate) fn string_end(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at = string_stop(bytes, at);
        match bytes.get(at) {
            None | Some(b'"') => return at.min(bytes.len()),
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
}

pub(crate) fn is_word(byte: u8) -> bool {
    WORD[usize::from(byte)]
}

/// The end of the word at `at`; `at` itself if there is no word.
pub(crate) fn word_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
}

/// The start of the word that ends at `end`.
pub(crate) fn word_start(bytes: &[u8], end: usize) -> usize {
    bytes[..end].iter().rposition(|byte| !is_word(*byte)).map_or(0, |before| before + 1)
}

/// `end` moved back over white space.
pub(crate) fn before_space(bytes: &[u8], end: usize) -> usize {
    bytes[..end].iter().rposition(|byte| !byte.is_ascii_whitespace()).map_or(0, |last| last + 1)
}

/// The end of a shape, of any kind.
pub(crate) struct Extent {
    pub end: usize,
    /// Whether there is an array, token or opaque value in it.
    pub has_array: bool,
}

/// The end of the shape at `at`, by its brackets only. `None` if it is not a shape.
///
/// XLA's rule: a brace belongs to a shape if an order of dimensions or a colon follows: the brace of
/// a computation's body or of a literal does not.
pub(crate) fn shape(bytes: &[u8], at: usize) -> Option<Extent> {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let (mut at, mut depth, mut has_array) = (at, 0, false);
    loop {
        at = skip_space(bytes, at);
        let mut opened = byte(at) == b'(';
        if opened {
            at += 1;
        } else {
            let end = word_end(bytes, at);
            opened = &bytes[at..end] == b"b" && byte(end) == b'(';
            if opened {
                at = end + 1;
            } else if end > at && byte(end) == b'[' {
                has_array = true;
                at = dims_end(bytes, end + 1)?;
                if byte(at) == b'{' && matches!(byte(at + 1), b'0'..=b'9' | b':' | b'}') {
                    at = layout_end(bytes, at)?;
                }
            } else {
                return None;
            }
        }
        if opened {
            depth += 1;
            if depth > MAX_NESTING + 1 {
                return None;
            }
            let first = skip_space(bytes, at);
            if byte(first) != b')' {
                continue;
            }
        }
        loop {
            if depth == 0 {
                return Some(Extent { end: at, has_array });
            }
            at = skip_space(bytes, at) + 1;
            match byte(at - 1) {
                b')' => depth -= 1,
                b',' => break,
                _ => return None,
            }
        }
    }
}

/// The position after the `]` of the dimensions that start at `at`.
fn dims_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let end = rest.iter().position(|byte| b"]\n\"[(){}".contains(byte))?;
    (rest[end] == b']').then_some(at + end + 1)
}

/// The position after the `}` of the layout whose `{` is at `at`. Gives up at more braces than nested shapes
/// can have, so that text with only opening braces is not scanned to its end from each of them.
fn layout_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0;
    for (i, byte) in bytes.get(at..)?.iter().enumerate() {
        match byte {
            b'{' if depth > MAX_NESTING => return None,
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at + i + 1),
            b'}' => depth -= 1,
            b'\n' | b'"' => return None,
            _ => {}
        }
    }
    None
}

/// The end of what should be a shape but is not, for an error: a comma or white space outside its brackets,
/// after the parenthesis that closes the one at `at`, or the end of the line.
pub(crate) fn no_shape(bytes: &[u8], at: usize) -> usize {
    let (mut parentheses, mut brackets) = (0usize, 0usize);
    for (i, byte) in bytes[at..].iter().enumerate() {
        match byte {
            b'\n' | b'"' => return at + i,
            b'[' | b'{' => brackets += 1,
            b']' | b'}' if brackets == 0 => return at + i,
            b']' | b'}' => brackets -= 1,
            b'(' => parentheses += 1,
            b')' if parentheses == 0 => return at + i,
            b')' => {
                parentheses -= 1;
                if parentheses == 0 && bytes[at] == b'(' {
                    return at + i + 1;
                }
            }
            b',' if parentheses == 0 && brackets == 0 => return at + i,
            byte if byte.is_ascii_whitespace() && parentheses == 0 && brackets == 0 => {
                return at + i;
            }
            _ => {}
        }
    }
    bytes.len()
}
