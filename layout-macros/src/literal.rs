//! Literals with texts.

use proc_macro2::Literal;
#[cfg(feature = "hlo")]
use proc_macro2::{Delimiter, TokenTree};

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

/// A literal that stands alone, also as a fragment `$text:literal` of `macro_rules`.
#[cfg(feature = "hlo")]
pub(crate) fn literal_of(tree: &TokenTree) -> Option<Literal> {
    match tree {
        TokenTree::Literal(literal) => Some(literal.clone()),
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            let mut trees = group.stream().into_iter();
            let literal = literal_of(&trees.next()?)?;
            trees.next().is_none().then_some(literal)
        }
        _ => None,
    }
}
