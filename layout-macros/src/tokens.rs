//! Rust's tokens as those of the notation, each with its span.

use core::ops::Range;

use layout_core::__private::{Token, TokenKind};
use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};

/// Tokens with their texts and spans, without groups.
pub(crate) struct Flat {
    tokens: Vec<FlatToken>,
    /// Groups in braces, each with the number of its first token: they can be blocks of Rust.
    blocks: Vec<(usize, Group)>,
    depth: usize,
}

struct FlatToken {
    kind: TokenKind,
    text: String,
    /// The first and the last token of Rust that it was put together from. A point stands for a bracket.
    trees: [TokenTree; 2],
}

/// Groups nested in one another: more than `limits::MAX_NESTING` and a shape's own.
const MAX_DEPTH: usize = 256;

impl Flat {
    pub(crate) fn new(stream: TokenStream) -> Flat {
        let mut flat = Flat { tokens: Vec::new(), blocks: Vec::new(), depth: 0 };
        flat.extend(stream);
        flat
    }

    /// The tokens, as the parser takes them.
    pub(crate) fn tokens(&self) -> Vec<Token<'_>> {
        self.tokens.iter().map(|token| Token { kind: token.kind, text: &token.text }).collect()
    }

    /// The first and the last of a range of tokens, where an error of them stands. None if there are no tokens.
    pub(crate) fn ends(&self, range: Range<usize>) -> TokenStream {
        let start = range.start.min(self.tokens.len().saturating_sub(1));
        let end = range.end.clamp(start + 1, self.tokens.len().max(start + 1));
        let ends = [self.tokens.get(start), self.tokens.get(end - 1)].into_iter().enumerate();
        ends.filter_map(|(i, token)| Some(token?.trees[i].clone())).collect()
    }

    /// Where a token begins.
    pub(crate) fn span(&self, token: usize) -> Span {
        self.tokens[token].trees[0].span()
    }

    /// A path that was flattened, as Rust's tokens again.
    pub(crate) fn path(&self, range: Range<usize>) -> TokenStream {
        self.tokens[range].iter().map(|token| token.trees[0].clone()).collect()
    }

    /// A block or a path that was flattened, as a block of Rust.
    pub(crate) fn block(&self, range: Range<usize>) -> Group {
        if let Some((_, block)) = self.blocks.iter().find(|(start, _)| *start == range.start) {
            return block.clone();
        }
        let mut block = Group::new(Delimiter::Brace, self.path(range.clone()));
        block.set_span(self.span(range.start));
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
            let last = match &tree {
                TokenTree::Group(group) => {
                    self.group(group);
                    continue;
                }
                // A sign, and the two halves of `<=`, belong to what follows.
                TokenTree::Punct(punct) => trees.next_if(|next| match (punct.as_char(), next) {
                    ('-', TokenTree::Literal(next)) => is_number(&next.to_string()),
                    ('<', TokenTree::Punct(next)) => {
                        punct.spacing() == Spacing::Joint && next.as_char() == '='
                    }
                    _ => false,
                }),
                _ => None,
            };
            let text = last.iter().fold(tree.to_string(), |text, last| text + &last.to_string());
            let last = last.unwrap_or_else(|| tree.clone());
            self.push(text, [tree, last]);
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
            self.push_bracket(open, group.span_open());
        }
        // What is nested deeper than any shape is an error without being read.
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            self.extend(group.stream());
            self.depth -= 1;
        }
        if let Some((_, close)) = signs {
            self.push_bracket(close, group.span_close());
        }
    }

    fn push_bracket(&mut self, text: &str, at: Span) {
        let mut point = Punct::new('.', Spacing::Alone);
        point.set_span(at);
        self.push(text.to_owned(), [point.clone().into(), point.into()]);
    }

    fn push(&mut self, text: String, trees: [TokenTree; 2]) {
        let kind = match trees[0] {
            TokenTree::Ident(_) => TokenKind::Word,
            _ if is_number(&text) => TokenKind::Number,
            _ => TokenKind::Symbol,
        };
        self.tokens.push(FlatToken { kind, text, trees });
    }
}

fn is_number(text: &str) -> bool {
    text.strip_prefix('-').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit())
}
