//! The input of a macro, read token by token.

use std::iter::Peekable;

use proc_macro2::{Delimiter, Ident, Punct, Span, TokenStream, TokenTree, token_stream};

use crate::report;
use crate::tokens::Ends;

/// What the shims in `layout` pass on: `[$crate]`, the path of the crate `layout` where the macro is used, and then what
/// the user wrote.
pub(crate) fn parts(input: proc_macro::TokenStream) -> (TokenStream, TokenStream) {
    let mut tokens = TokenStream::from(input).into_iter();
    let krate = match tokens.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    (krate, tokens.collect())
}

/// Expands items one after another. The first fault ends them: what was read before keeps its meaning, and the rest
/// cannot be told apart.
pub(crate) fn items(
    tokens: TokenStream,
    help: &str,
    item: impl Fn(&mut Reader) -> Result<TokenStream, Unexpected>,
) -> TokenStream {
    let mut reader = Reader::new(tokens);
    let mut out = TokenStream::new();
    while reader.peek().is_some() {
        match item(&mut reader) {
            Ok(item) => out.extend(item),
            Err(error) => {
                out.extend(error.report(help));
                break;
            }
        }
    }
    out
}

/// Tokens that a macro reads one after another.
pub(crate) struct Reader {
    trees: Peekable<token_stream::IntoIter>,
    /// The token that was read last.
    last: Span,
}

/// What a macro expects, and the token in its place.
pub(crate) struct Unexpected {
    message: String,
    at: Span,
    /// What to write instead, if it is not what the macro says of all.
    help: Option<String>,
}

impl Unexpected {
    pub(crate) fn new(message: &str, at: Span) -> Unexpected {
        Unexpected { message: message.to_owned(), at, help: None }
    }

    pub(crate) fn with_help(self, help: String) -> Unexpected {
        Unexpected { help: Some(help), ..self }
    }

    pub(crate) fn report(&self, help: &str) -> TokenStream {
        report::one(&self.message, &self.help.as_deref().unwrap_or(help), Ends::at(self.at))
    }
}

impl Reader {
    pub(crate) fn new(tokens: TokenStream) -> Reader {
        Reader { trees: tokens.into_iter().peekable(), last: Span::call_site() }
    }

    pub(crate) fn peek(&mut self) -> Option<&TokenTree> {
        self.trees.peek()
    }

    /// The next token is this punctuation.
    pub(crate) fn is_at(&mut self, sign: char) -> bool {
        matches!(self.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
    }

    /// The next token is this word.
    pub(crate) fn is_at_word(&mut self, word: &str) -> bool {
        matches!(self.peek(), Some(TokenTree::Ident(ident)) if ident == word)
    }

    pub(crate) fn next(&mut self) -> Option<TokenTree> {
        let tree = self.trees.next()?;
        self.last = match &tree {
            TokenTree::Group(group) => group.span_close(),
            tree => tree.span(),
        };
        Some(tree)
    }

    /// The token that was read last, or its closing bracket.
    pub(crate) fn last(&self) -> Span {
        self.last
    }

    /// An error at the next token; after the last one, there.
    pub(crate) fn unexpected(&mut self, message: &str) -> Unexpected {
        let last = self.last;
        let next = self.peek().map(|tree| match tree {
            TokenTree::Group(group) => group.span_open(),
            tree => tree.span(),
        });
        Unexpected::new(message, next.unwrap_or(last))
    }

    /// Attributes, as many as there are.
    pub(crate) fn attributes(&mut self) -> Result<TokenStream, Unexpected> {
        let mut attributes = TokenStream::new();
        while self.is_at('#') {
            attributes.extend(self.next());
            match self.peek() {
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
                    attributes.extend(self.next());
                }
                _ => return Err(self.unexpected("expected `[`")),
            }
        }
        Ok(attributes)
    }

    /// A visibility, which may be empty. A fragment `$v:vis` of `macro_rules` is a group.
    pub(crate) fn visibility(&mut self) -> TokenStream {
        let mut visibility = TokenStream::new();
        match self.peek() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::None => {
                visibility.extend(self.next());
            }
            Some(TokenTree::Ident(word)) if word == "pub" => {
                visibility.extend(self.next());
                if let Some(TokenTree::Group(group)) = self.peek()
                    && group.delimiter() == Delimiter::Parenthesis
                {
                    visibility.extend(self.next());
                }
            }
            _ => {}
        }
        visibility
    }

    /// This word of Rust.
    pub(crate) fn word(&mut self, word: &str) -> Result<Ident, Unexpected> {
        match self.peek() {
            Some(TokenTree::Ident(ident)) if ident == word => self.name(),
            _ => Err(self.unexpected(&format!("expected `{word}`"))),
        }
    }

    pub(crate) fn name(&mut self) -> Result<Ident, Unexpected> {
        if let Some(TokenTree::Ident(name)) = self.peek() {
            let name = name.clone();
            self.next();
            return Ok(name);
        }
        Err(self.unexpected("expected identifier"))
    }

    /// This punctuation.
    pub(crate) fn sign(&mut self, sign: char) -> Result<Punct, Unexpected> {
        if self.is_at(sign)
            && let Some(TokenTree::Punct(punct)) = self.next()
        {
            return Ok(punct);
        }
        Err(self.unexpected(&format!("expected `{sign}`")))
    }
}
