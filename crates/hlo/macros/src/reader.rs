//! The input of the macro, token by token, and errors in it.

use std::iter::Peekable;

use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree, token_stream};
use quote::{quote, quote_spanned};

/// What every part of the input has to look like.
pub(crate) const HELP: &str =
    "write `mod name = \"program.hlo\";`, after attributes and visibility if any";

/// An error of the compiler, underlined there.
pub(crate) fn error(text: &str, at: Span) -> TokenStream {
    quote_spanned!(at=> ::core::compile_error! { #text })
}

/// What stands where something else has to, as an error of the compiler.
pub(crate) struct Unexpected(pub TokenStream);

pub(crate) struct Reader {
    trees: Peekable<token_stream::IntoIter>,
    /// The token that was read last.
    last: Span,
}

impl Reader {
    pub(crate) fn new(tokens: TokenStream) -> Reader {
        Reader { trees: tokens.into_iter().peekable(), last: Span::call_site() }
    }

    pub(crate) fn is_at_end(&mut self) -> bool {
        self.trees.peek().is_none()
    }

    fn next(&mut self) -> Option<TokenTree> {
        let tree = self.trees.next()?;
        self.last = tree.span();
        Some(tree)
    }

    /// The next token, if it is one that is wanted.
    fn next_if(&mut self, is_wanted: impl FnOnce(&TokenTree) -> bool) -> Option<TokenTree> {
        self.trees.peek().is_some_and(is_wanted).then(|| self.next()).flatten()
    }

    /// The error of a token in whose place something else has to stand; after the last token, there.
    fn unexpected(&mut self, expected: &str) -> Unexpected {
        let last = self.last;
        let at = self.trees.peek().map_or(last, |tree| match tree {
            TokenTree::Group(group) => group.span_open(),
            tree => tree.span(),
        });
        Unexpected(error(&format!("expected {expected}\nhelp: {HELP}"), at))
    }

    fn is_sign(tree: &TokenTree, sign: char) -> bool {
        matches!(tree, TokenTree::Punct(punct) if punct.as_char() == sign)
    }

    pub(crate) fn sign(&mut self, sign: char) -> Result<(), Unexpected> {
        match self.next_if(|tree| Reader::is_sign(tree, sign)) {
            Some(_) => Ok(()),
            None => Err(self.unexpected(&format!("`{sign}`"))),
        }
    }

    /// Reads over everything up to this sign, and over it.
    pub(crate) fn skip_past(&mut self, sign: char) {
        while self.next().is_some_and(|tree| !Reader::is_sign(&tree, sign)) {}
    }

    pub(crate) fn word(&mut self, word: &str) -> Result<(), Unexpected> {
        match self.next_if(|tree| matches!(tree, TokenTree::Ident(ident) if ident == word)) {
            Some(_) => Ok(()),
            None => Err(self.unexpected(&format!("`{word}`"))),
        }
    }

    pub(crate) fn name(&mut self) -> Result<Ident, Unexpected> {
        match self.next_if(|tree| matches!(tree, TokenTree::Ident(_))) {
            Some(TokenTree::Ident(name)) => Ok(name),
            _ => Err(self.unexpected("identifier")),
        }
    }

    /// A text in quotes, and where it stands.
    pub(crate) fn path(&mut self) -> Result<(String, Span), Unexpected> {
        let literal = self.trees.peek().and_then(literal_of);
        let Some((path, at)) = literal.and_then(|it| Some((text_of(&it)?, it.span()))) else {
            return Err(self.unexpected("a path in quotes"));
        };
        self.next();
        Ok((path, at))
    }

    /// Attributes, as many as there are.
    pub(crate) fn attributes(&mut self) -> Result<TokenStream, Unexpected> {
        let mut attributes = TokenStream::new();
        while let Some(sign) = self.next_if(|tree| Reader::is_sign(tree, '#')) {
            let Some(group) = self.next_if(|tree| is_group(tree, Delimiter::Bracket)) else {
                return Err(self.unexpected("`[`"));
            };
            attributes.extend([sign, group]);
        }
        Ok(attributes)
    }

    /// A visibility, which may be empty. A fragment `$v:vis` of `macro_rules` is a group.
    pub(crate) fn visibility(&mut self) -> TokenStream {
        if let Some(fragment) = self.next_if(|tree| is_group(tree, Delimiter::None)) {
            return fragment.into();
        }
        let is_public = |tree: &TokenTree| matches!(tree, TokenTree::Ident(word) if word == "pub");
        let Some(public) = self.next_if(is_public) else { return TokenStream::new() };
        let place = self.next_if(|tree| is_group(tree, Delimiter::Parenthesis));
        quote!(#public #place)
    }
}

fn is_group(tree: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == delimiter)
}

/// A literal that stands alone, also as a fragment `$text:literal` of `macro_rules`.
fn literal_of(tree: &TokenTree) -> Option<Literal> {
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

/// The text of a literal in quotes: `"…"` or `r"…"`. `None` for other literals, and for escapes other than those of a
/// quote and of a backslash.
fn text_of(literal: &Literal) -> Option<String> {
    let written = literal.to_string();
    if let Some(raw) = written.strip_prefix('r') {
        return Some(raw.trim_matches('#').strip_prefix('"')?.strip_suffix('"')?.to_owned());
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
