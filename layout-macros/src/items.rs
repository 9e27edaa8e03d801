//! `layout! { /// Docs. pub type Name = shape; }`: any number of named layouts.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Token, Visibility};

use crate::expand;
use crate::report;
use crate::tokens::Ends;

/// Whether the macro stands in the position of items: their first token tells.
pub(crate) fn are_items(tokens: &TokenStream) -> bool {
    match tokens.clone().into_iter().next() {
        Some(TokenTree::Punct(first)) => first.as_char() == '#',
        Some(TokenTree::Ident(first)) => first == "pub" || first == "type",
        _ => false,
    }
}

struct Item {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    shape: TokenStream,
}

/// An alias for each shape.
pub(crate) fn expand(krate: &TokenStream, tokens: TokenStream) -> TokenStream {
    let parser = |input: ParseStream<'_>| {
        let mut out = TokenStream::new();
        while !input.is_empty() {
            match item(input) {
                Ok(item) => out.extend(alias(krate, item)),
                // What was read before keeps its meaning; the rest cannot be told apart.
                Err(error) => {
                    out.extend(at(&error));
                    input.parse::<TokenStream>()?;
                }
            }
        }
        Ok(out)
    };
    parser.parse2(tokens).unwrap_or_else(|error| at(&error))
}

fn at(error: &syn::Error) -> TokenStream {
    let ends = Ends { first: error.span(), last: error.span() };
    report::one(error, &"write `type Name = f32[3,5]{1,0};`, with its attributes and visibility", ends)
}

fn item(input: ParseStream<'_>) -> syn::Result<Item> {
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility = input.parse()?;
    input.parse::<Token![type]>()?;
    let name = input.parse()?;
    if input.peek(Token![<]) {
        return Err(input.error("a layout has no generic parameters"));
    }
    input.parse::<Token![=]>()?;
    let mut shape = TokenStream::new();
    while !input.peek(Token![;]) {
        if input.is_empty() {
            return Err(input.error("expected `;` behind the shape"));
        }
        if input.peek(Token![type]) || input.peek(Token![pub]) {
            return Err(input.error("expected `;` in front of the next item"));
        }
        shape.extend([input.parse::<TokenTree>()?]);
    }
    input.parse::<Token![;]>()?;
    Ok(Item { attributes, visibility, name, shape })
}

fn alias(krate: &TokenStream, item: Item) -> TokenStream {
    let Item { attributes, visibility, name, shape } = item;
    let (ty, summary) = if shape.is_empty() {
        let ends = Ends { first: name.span(), last: name.span() };
        let error = report::one(
            &"a shape is missing",
            &"write one, as in `f32[3,5]{1,0:T(2,2)}`",
            ends,
        );
        (report::as_type(&error), String::new())
    } else {
        match expand::read(krate, shape) {
            Ok(read) => (read.ty, read.summary),
            Err(errors) => (report::as_type(&errors), String::new()),
        }
    };
    let documentation = if summary.is_empty() {
        TokenStream::new()
    } else {
        quote!(#[doc = ""] #[doc = #summary])
    };
    quote! {
        #(#attributes)*
        #documentation
        #visibility type #name = #ty;
    }
}
