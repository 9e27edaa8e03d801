//! The letters of HLO text: words, strings, and where a shape ends.

use layout_core::limits::MAX_NESTING;
use layout_core::skip_space;

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

/// The position after white space, comments, and what a log puts before a line: `I0521 12:04:45.883483 1509 service.cc:186] `.
pub(crate) fn space(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = skip_space(bytes, at);
        if at > 0 && bytes[at - 1] != b'\n' {
            return at;
        }
        match log_prefix(&bytes[at..]) {
            Some(length) => at += length,
            None => return at,
        }
    }
}

/// The bytes before a line of a log, as XLA's own loader of modules has them.
fn log_prefix(bytes: &[u8]) -> Option<usize> {
    let (date, rest) = bytes.split_at_checked(5)?;
    let is_date = b"IWEF".contains(&date[0]) && date[1..].iter().all(u8::is_ascii_digit);
    if !is_date || rest.first() != Some(&b' ') {
        return None;
    }
    let length = rest.iter().position(|byte| b"]\n".contains(byte))?;
    let line = rest[..length].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let is_prefix = rest[length] == b']' && line > 0 && rest[length - line - 1] == b':';
    is_prefix.then_some(date.len() + length + 1)
}

/// The position of the quote that ends a string, after its first quote. `None`: the string does not end.
pub(crate) fn string_end(bytes: &[u8], quote: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == quote || *byte == b'\\')?;
        if bytes[at] == quote {
            return Some(at);
        }
        at += 2;
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
            } else if end > at && byte(skip_space(bytes, end)) == b'[' {
                has_array = true;
                at = dims_end(bytes, skip_space(bytes, end) + 1)?;
                let brace = skip_space(bytes, at);
                let first = byte(skip_space(bytes, brace + 1));
                if byte(brace) == b'{' && (first.is_ascii_digit() || first == b':')
                    || bytes[at..].starts_with(b"{}")
                {
                    at = layout_end(bytes, brace)?;
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
