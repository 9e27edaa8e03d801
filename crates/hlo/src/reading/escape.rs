//! The escapes of XLA's strings, which are those of C.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The string that the text between quotes stands for. Unknown escapes are kept.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let escaped = if byte == b'\\' { rest.first().copied() } else { None };
        let (value, length) = match escaped {
            None => (byte, 0),
            Some(b'n') => (b'\n', 1),
            Some(b't') => (b'\t', 1),
            Some(b'r') => (b'\r', 1),
            Some(b'0'..=b'7') => number(rest, 8, 3),
            Some(b'x' | b'X') => {
                let (value, length) = number(&rest[1..], 16, 2);
                (value, length + 1)
            }
            Some(other) => (other, 1),
        };
        out.push(value);
        rest = &rest[length..];
    }
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}

/// The byte that the digits in front write, and how many these are, at most `most`.
fn number(digits: &[u8], radix: u32, most: usize) -> (u8, usize) {
    let digits = digits.iter().map_while(|byte| char::from(*byte).to_digit(radix)).take(most);
    digits.fold((0, 0), |(value, length), digit| {
        ((u32::from(value) * radix + digit) as u8, length + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        for (text, meant) in [
            ("x", "x"),
            (r"params[\'w\']", "params['w']"),
            (r#"\"a\\b\""#, r#""a\b""#),
            (r"\303\251", "é"),
            (r"\xc3\xa9\n", "é\n"),
            (r"\7771", "\u{fffd}1"),
            (r"\x", "\0"),
            ("\\", "\\"),
        ] {
            assert_eq!(unescape(text), meant, "{text}");
        }
    }
}
