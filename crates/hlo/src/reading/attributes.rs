//! What stands after an operation's operands: `dimensions={1}, calls=%fused, metadata={op_name="x"}`.

use alloc::vec::Vec;

use crate::reading::lex;
use layout_core::skip_space;

/// The text of attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes<'a>(pub &'a str);

impl<'a> Attributes<'a> {
    /// The value of an attribute: a word, a string without its quotes, or a list with its braces.
    pub(crate) fn get(self, name: &str) -> Option<&'a str> {
        list(self.0).find_map(|item| {
            let (own, value) = item.split_once('=')?;
            (own.trim_end() == name).then(|| value_at(value.trim_start()))
        })
    }

    /// The text from the value of an attribute on: values may have commas outside of brackets.
    pub(crate) fn from(self, name: &str) -> Option<&'a str> {
        let is_own = |item: &&str| item.strip_prefix(name).is_some_and(|it| it.starts_with('='));
        let at = list(self.0).find(is_own)?.as_ptr() as usize - self.0.as_ptr() as usize;
        self.0.get(at + name.len() + 1..)
    }

    /// The attributes of an attribute, such as those of `metadata`; empty if there is none.
    pub(crate) fn inside(self, name: &str) -> Attributes<'a> {
        Attributes(self.get(name).unwrap_or_default())
    }

    /// The value of the first attribute of this name, however deep in braces. Asked of what is inside of one attribute, since
    /// others can hold instructions with attributes of their own.
    pub(crate) fn find(self, name: &str) -> Option<&'a str> {
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
            let end = string_end(string);
            rest = string.get(end + 1..)?;
            // JSON has quotes and colons where the text has equals signs.
            if string[..end] == *name
                && let Some(value) = rest.trim_start().strip_prefix(':')
            {
                return Some(value_at(value.trim_start()));
            }
        }
    }

    /// The numbers in the value of an attribute, however deep: `{1,0}` or, in JSON, `["1","0"]`. `None`: there is none.
    pub(crate) fn numbers(self, name: &str) -> Option<impl Iterator<Item = u64> + use<'a>> {
        let value = self.get(name).or_else(|| self.find(name))?;
        Some(value.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()))
    }
}

/// The position of the quote that ends a string, or the end of the text.
fn string_end(text: &str) -> usize {
    lex::string_end(text.as_bytes(), b'"').unwrap_or(text.len())
}

/// A value that starts here.
fn value_at(text: &str) -> &str {
    if let Some(string) = text.strip_prefix('"') {
        return &string[..string_end(string)];
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
            b'"' => at += 1 + string_end(text.get(at + 1..).unwrap_or_default()),
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
                b'"' => at += 2 + string_end(text.get(at + 1..).unwrap_or_default()),
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

/// The parts of a tuple's shape; none if it is not a tuple.
pub(crate) fn parts(shape: &str) -> Vec<&str> {
    let inner = shape.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    let parts = list(inner.unwrap_or_default());
    parts.map(|part| &part[skip_space(part.as_bytes(), 0)..]).collect()
}
