//! Rust's tokens as those of the notation, each with its span.

use core::ops::Range;

use layout_core::__private::{Token, TokenKind};
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// Tokens with their texts and spans, without groups.
pub(crate) struct Flat {
    tokens: Vec<(TokenKind, String, Ends)>,
    /// Groups in braces, each with the number of its first token: they can be blocks of Rust.
    blocks: Vec<(usize, Group)>,
    depth: usize,
}

/// Groups nested in one another: more than `limits::MAX_NESTING` and a shape's own.
const MAX_DEPTH: usize = 256;

/// The first and the last span of a token that was put together from several.
#[derive(Clone, Copy)]
pub(crate) struct Ends {
    pub first: Span,
    pub last: Span,
}

impl Ends {
    pub(crate) fn at(span: Span) -> Ends {
        Ends { first: span, last: span }
    }
}

impl Flat {
    pub(crate) fn new(stream: TokenStream) -> Flat {
        let mut flat = Flat { tokens: Vec::new(), blocks: Vec::new(), depth: 0 };
        flat.extend(stream);
        flat
    }

    /// The tokens, as the parser takes them.
    pub(crate) fn tokens(&self) -> Vec<Token<'_>> {
        self.tokens.iter().map(|(kind, text, _)| Token { kind: *kind, text }).collect()
    }

    /// The spans of a range of tokens; the spans of the macro's call if it has no tokens.
    pub(crate) fn ends(&self, range: Range<usize>) -> Ends {
        let start = range.start.min(self.tokens.len().saturating_sub(1));
        let end = range.end.clamp(start + 1, self.tokens.len().max(start + 1));
        match (self.tokens.get(start), self.tokens.get(end - 1)) {
            (Some((.., first)), Some((.., last))) => Ends { first: first.first, last: last.last },
            _ => Ends::at(Span::call_site()),
        }
    }

    /// A path that was flattened, as Rust's tokens again.
    pub(crate) fn path(&self, range: Range<usize>) -> TokenStream {
        let tokens = self.tokens[range].iter().map(|(kind, text, ends)| match kind {
            TokenKind::Word => {
                let mut ident = match text.strip_prefix("r#") {
                    Some(raw) => Ident::new_raw(raw, ends.first),
                    None => Ident::new(text, ends.first),
                };
                ident.set_span(ends.first);
                TokenTree::from(ident)
            }
            _ => {
                let mut colon = Punct::new(':', Spacing::Joint);
                colon.set_span(ends.first);
                TokenTree::from(colon)
            }
        });
        tokens.collect()
    }

    /// A block or a path that was flattened, as a block of Rust.
    pub(crate) fn block(&self, range: Range<usize>) -> Group {
        if let Some((_, block)) = self.blocks.iter().find(|(start, _)| *start == range.start) {
            return block.clone();
        }
        let span = self.ends(range.clone()).first;
        let mut block = Group::new(Delimiter::Brace, self.path(range));
        block.set_span(span);
        block
    }

    /// The expressions of a list as blocks of Rust.
    pub(crate) fn expressions(
        &self,
        spans: &[Option<layout_core::__private::Span>],
    ) -> Vec<Option<Group>> {
        spans.iter().map(|span| span.map(|span| self.block(span.range()))).collect()
    }

    fn extend(&mut self, stream: TokenStream) {
        let mut trees = stream.into_iter().peekable();
        while let Some(tree) = trees.next() {
            match tree {
                TokenTree::Group(group) => self.group(&group),
                TokenTree::Ident(ident) => {
                    self.push(TokenKind::Word, ident.to_string(), Ends::at(ident.span()));
                }
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    self.push(number_or_symbol(&text), text, Ends::at(literal.span()));
                }
                TokenTree::Punct(punct) => {
                    let next = match trees.peek() {
                        Some(TokenTree::Punct(next)) => Some((next.to_string(), next.span())),
                        Some(TokenTree::Literal(next)) => Some((next.to_string(), next.span())),
                        _ => None,
                    };
                    // A sign, and the two halves of `<=`, belong to what follows.
                    let joined = next.filter(|(next, _)| match punct.as_char() {
                        '-' => number_or_symbol(next) == TokenKind::Number,
                        '<' => punct.spacing() == Spacing::Joint && next == "=",
                        _ => false,
                    });
                    let (mut text, mut ends) = (punct.to_string(), Ends::at(punct.span()));
                    if let Some((next, last)) = joined {
                        trees.next();
                        text += &next;
                        ends.last = last;
                    }
                    self.push(number_or_symbol(&text), text, ends);
                }
            }
        }
    }

    fn group(&mut self, group: &Group) {
        let signs = match group.delimiter() {
            Delimiter::Parenthesis => Some(("(", ")")),
            Delimiter::Brace => Some(("{", "}")),
            Delimiter::Bracket => Some(("[", "]")),
            // What `macro_rules` puts around a fragment.
            Delimiter::None => None,
        };
        if group.delimiter() == Delimiter::Brace {
            self.blocks.push((self.tokens.len(), group.clone()));
        }
        if let Some((open, _)) = signs {
            self.push(TokenKind::Symbol, open.to_owned(), Ends::at(group.span_open()));
        }
        // What is nested deeper than any shape is an error without being read.
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            self.extend(group.stream());
            self.depth -= 1;
        }
        if let Some((_, close)) = signs {
            self.push(TokenKind::Symbol, close.to_owned(), Ends::at(group.span_close()));
        }
    }

    fn push(&mut self, kind: TokenKind, text: String, ends: Ends) {
        self.tokens.push((kind, text, ends));
    }
}

fn number_or_symbol(text: &str) -> TokenKind {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        TokenKind::Number
    } else {
        TokenKind::Symbol
    }
}
