//! What a macro is given: the path that the shims in `layout` pass on, then what the user wrote.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Token, bracketed};

/// `[$crate]`, the path of the crate `layout` where the macro is used, and then what the user wrote.
pub(crate) struct Input {
    pub krate: TokenStream,
    pub tokens: TokenStream,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Input> {
        let krate;
        bracketed!(krate in input);
        Ok(Input { krate: krate.parse()?, tokens: input.parse()? })
    }
}

/// Reads tokens. An error gets the help if it has none, and stands at the last token if there is no token at which it
/// can stand: `syn` knows only the whole call there.
pub(crate) fn read<T>(
    tokens: TokenStream,
    help: &str,
    parser: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<T> {
    let last = tokens.clone().into_iter().last().map(end);
    let parser = |input: ParseStream<'_>| {
        parser(input).map_err(|error| {
            let at = last.filter(|_| input.is_empty()).unwrap_or_else(|| error.span());
            match error.to_string() {
                text if text.contains("\nhelp: ") => error,
                text => syn::Error::new(at, format!("{text}\nhelp: {help}")),
            }
        })
    };
    parser.parse2(tokens)
}

/// Attributes, as tokens that the compiler reads: the types that `syn` has for them double what it costs to build.
pub(crate) fn attributes(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut attributes = TokenStream::new();
    while let Some(sign) = input.parse::<Option<Token![#]>>()? {
        let attribute;
        let brackets = bracketed!(attribute in input);
        sign.to_tokens(&mut attributes);
        let attribute = attribute.parse::<TokenStream>()?;
        brackets.surround(&mut attributes, |inside| inside.extend(attribute));
    }
    Ok(attributes)
}

/// A name. The compiler itself says how to write one that is a keyword.
pub(crate) fn name(input: ParseStream<'_>) -> syn::Result<Ident> {
    if input.peek(Ident::peek_any) { input.call(Ident::parse_any) } else { input.parse() }
}

/// Where a token ends.
pub(crate) fn end(tree: TokenTree) -> Span {
    match tree {
        TokenTree::Group(group) => group.span_close(),
        tree => tree.span(),
    }
}

/// The tokens up to those at which something else begins.
pub(crate) fn until(
    input: ParseStream<'_>,
    is_end: fn(ParseStream<'_>) -> bool,
) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !is_end(input) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}
