//! What the shims in `layout` pass on: `[$crate]`, then what the user wrote.

use proc_macro2::{TokenStream, TokenTree};

/// The input of a macro.
pub(crate) struct Input {
    /// The path of the crate `layout` where the macro is used.
    pub krate: TokenStream,
    /// What the user wrote.
    pub tokens: TokenStream,
}

impl Input {
    pub(crate) fn new(input: TokenStream) -> Input {
        let mut tokens = input.into_iter();
        let krate = match tokens.next() {
            Some(TokenTree::Group(group)) => group.stream(),
            _ => TokenStream::new(),
        };
        Input { krate, tokens: tokens.collect() }
    }
}
