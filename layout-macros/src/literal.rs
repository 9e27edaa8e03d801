//! Literals with texts.

use proc_macro2::Literal;

/// The text of a literal in quotes: `"…"` or `r"…"`. `None` for other literals, and for escapes other than those of a
/// quote and of a backslash.
pub(crate) fn text_of(literal: &Literal) -> Option<String> {
    let written = literal.to_string();
    if let Some(raw) = written.strip_prefix('r') {
        let text = raw.trim_start_matches('#');
        let signs = raw.len() - text.len();
        let text = text.strip_prefix('"')?;
        return Some(text[..text.len().checked_sub(signs + 1)?].to_owned());
    }
    let mut letters = written.strip_prefix('"')?.strip_suffix('"')?.chars();
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        text.push(match letter {
            '\\' => letters.next().filter(|escaped| matches!(escaped, '\\' | '"'))?,
            letter => letter,
        });
    }
    Some(text)
}
