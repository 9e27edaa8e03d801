//! Tokens, from text or from a macro.

use crate::base::{equal, substr};
use crate::fault::Span;

/// A token of the notation.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    /// What it is.
    pub kind: TokenKind,
    /// Its text; for a `Symbol` one character, or `<=`.
    pub text: &'a str,
}

/// Kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A letter or `_`, followed by letters, digits and `_`.
    Word,
    /// A digit, optionally after `-`, followed by letters, digits, `_` and `.`.
    Number,
    /// Anything else.
    Symbol,
    /// The end, after the last token.
    End,
}

impl Token<'_> {
    const END: Token<'static> = Token { kind: TokenKind::End, text: "" };

    pub(crate) const fn is_word(&self, word: &str) -> bool {
        matches!(self.kind, TokenKind::Word) && equal(self.text, word)
    }

    /// Whether it is written as Rust writes names of types: `Packed`.
    pub(crate) const fn is_type_name(&self) -> bool {
        let bytes = self.text.as_bytes();
        matches!(self.kind, TokenKind::Word)
            && bytes.len() > 1
            && bytes[0].is_ascii_uppercase()
            && bytes[1].is_ascii_lowercase()
    }
}

/// Where tokens come from. Positions are bytes of the text, or numbers of tokens.
#[derive(Clone, Copy)]
pub(crate) enum Input<'a> {
    Text(&'a str),
    Tokens(&'a [Token<'a>]),
}

impl<'a> Input<'a> {
    /// The token at a position, or after the white space and comments there, and its span.
    pub(crate) const fn token(&self, at: usize) -> (Token<'a>, Span) {
        match *self {
            Input::Tokens(tokens) if at < tokens.len() => {
                (tokens[at], Span { start: at, end: at + 1 })
            }
            // Where something is missing at the end, the last token is marked.
            Input::Tokens(tokens) => {
                (Token::END, Span { start: tokens.len().saturating_sub(1), end: tokens.len() })
            }
            Input::Text(text) => {
                let bytes = text.as_bytes();
                let start = skip_space(bytes, at);
                if start == bytes.len() {
                    return (Token::END, Span { start, end: start });
                }
                let (kind, end) = lex(bytes, start);
                let token = Token { kind, text: substr(text, start, end) };
                (token, Span { start, end })
            }
        }
    }
}

/// The end of the white space and comments that start at byte `at` of a text: `//` to the end of the line, and `/* */`, as XLA's
/// lexer skips them. A comment that is not closed is not skipped.
pub const fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    loop {
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        if at + 1 >= bytes.len() || bytes[at] != b'/' {
            return at;
        }
        let start = at;
        match bytes[at + 1] {
            b'/' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            b'*' => {
                at += 2;
                while at + 1 < bytes.len() && !(bytes[at] == b'*' && bytes[at + 1] == b'/') {
                    at += 1;
                }
                if at + 1 >= bytes.len() {
                    return start;
                }
                at += 2;
            }
            _ => return at,
        }
    }
}

const fn lex(bytes: &[u8], start: usize) -> (TokenKind, usize) {
    let byte = bytes[start];
    let second = if start + 1 < bytes.len() { bytes[start + 1] } else { 0 };
    let mut end = start + 1;
    if byte.is_ascii_digit() || byte == b'-' && second.is_ascii_digit() {
        while end < bytes.len() && (is_word(bytes[end]) || bytes[end] == b'.') {
            end += 1;
        }
        return (TokenKind::Number, end);
    }
    if is_word(byte) {
        while end < bytes.len() && is_word(bytes[end]) {
            end += 1;
        }
        return (TokenKind::Word, end);
    }
    if byte == b'<' && second == b'=' {
        end += 1;
    }
    // A comment that is not closed goes to the end, so that it is looked through once.
    if byte == b'/' && second == b'*' {
        end = bytes.len();
    }
    // The rest of a character outside ASCII.
    while end < bytes.len() && bytes[end] & 0xc0 == 0x80 {
        end += 1;
    }
    (TokenKind::Symbol, end)
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
