//! `offset!(A, [2, 3])`: an offset that has to be computed at compile time.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Token, Type};

use crate::report;
use crate::tokens::Ends;

const HELP: &str = "write a layout and an index, as in `offset!(A, [2, 3])`";

/// A named constant, which `cargo check` evaluates too, and its value.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    if tokens.is_empty() {
        return report::anywhere("a layout and an index are missing", HELP);
    }
    let parser = |input: ParseStream<'_>| {
        let ty = input
            .parse::<Type>()
            .map_err(|error| syn::Error::new(error.span(), "expected the type of a layout"))?;
        if input.is_empty() {
            return Err(syn::Error::new(ty.span(), "the index of an element is missing"));
        }
        let comma = input.parse::<Token![,]>()?;
        if input.is_empty() {
            return Err(syn::Error::new(comma.span, "the index of an element is missing"));
        }
        let index = input.parse::<proc_macro2::TokenTree>()?;
        let mut rest = TokenStream::from(index);
        while !input.is_empty() {
            if input.peek(Token![,]) {
                let comma = input.parse::<Token![,]>()?;
                if !input.is_empty() {
                    return Err(syn::Error::new(comma.span, "expected one array as the index"));
                }
                break;
            }
            rest.extend([input.parse::<proc_macro2::TokenTree>()?]);
        }
        Ok((ty, rest))
    };
    match parser.parse2(tokens) {
        Ok((ty, index)) => {
            let at = index.span();
            // The name is one that no index expression mentions.
            let call = quote_spanned!(at=> <#ty>::offset(#index));
            let offset =
                quote_spanned!(at=> const __LAYOUT_OFFSET: ::core::primitive::usize = #call;);
            quote!({ #offset __LAYOUT_OFFSET })
        }
        Err(error) => {
            let ends = Ends::at(error.span());
            report::one(&error, &HELP, ends)
        }
    }
}
