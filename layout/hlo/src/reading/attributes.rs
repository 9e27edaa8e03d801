//! What stands after an operation's operands: `dimensions={1}, calls=%fused, metadata={op_name="x"}`.

use crate::reading::lex;

/// The text of attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes<'a>(pub &'a str);

impl<'a> Attributes<'a> {
    /// The value of the first attribute of this name, also inside of another one's braces: a word, a string without its
    /// quotes, or a list with its braces.
    pub(crate) fn get(self, name: &str) -> Option<&'a str> {
        let mut rest = self.0;
        loop {
            let quote = rest.find('"').unwrap_or(rest.len());
            for (equals, _) in rest[..quote].match_indices('=') {
                let before = rest[..equals].strip_suffix(name);
                if before.is_some_and(|it| !it.bytes().next_back().is_some_and(lex::is_word)) {
                    return Some(value_at(&rest[equals + 1..]));
                }
            }
            let string = rest.get(quote + 1..)?;
            let end = lex::string_end(string.as_bytes());
            rest = string.get(end + 1..)?;
            // JSON has quotes and colons where the text has equals signs.
            if string[..end] == *name
                && let Some(value) = rest.strip_prefix(':')
            {
                return Some(value_at(value));
            }
        }
    }

    /// A list of numbers: `{1,0}` or, in JSON, `["1","0"]`.
    pub(crate) fn numbers(self, name: &str) -> impl Iterator<Item = u64> + use<'a> {
        numbers(self.get(name).unwrap_or_default())
    }
}

/// The numbers in a text, whatever stands between them.
pub(crate) fn numbers(text: &str) -> impl Iterator<Item = u64> + Clone {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}

/// A value that starts here.
fn value_at(text: &str) -> &str {
    if let Some(string) = text.strip_prefix('"') {
        let end = lex::string_end(string.as_bytes());
        return &string[..end];
    }
    match text.as_bytes().first() {
        Some(b'{' | b'[' | b'(') => &text[..closing(text)],
        _ => &text[..text.find([',', ' ', '}', '\n']).unwrap_or(text.len())],
    }
}

/// The end of the bracket that opens at the start, by brackets outside of strings.
pub(crate) fn closing(text: &str) -> usize {
    let (bytes, mut at, mut depth) = (text.as_bytes(), 0, 0usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at += 1 + lex::string_end(&bytes[at + 1..]),
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The items between commas, outside of brackets.
pub(crate) fn list(text: &str) -> impl Iterator<Item = &str> + Clone {
    let mut rest = Some(text).filter(|text| !text.trim().is_empty());
    core::iter::from_fn(move || {
        let text = rest?;
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'{' | b'[' | b'(' => at += closing(&text[at..]),
                b'/' if text[at..].starts_with("/*") => at += text[at..].find("*/").unwrap_or(1),
                b',' => break,
                _ => at += 1,
            }
        }
        let at = at.min(text.len());
        rest = text.get(at + 1..);
        Some(text[..at].trim())
    })
}

/// The last word of an item, without `%`: its name, where a shape or a comment precedes it.
pub(crate) fn last_word(item: &str) -> &str {
    &item[lex::word_start(item.as_bytes(), item.len())..]
}
