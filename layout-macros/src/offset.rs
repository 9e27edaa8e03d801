//! `offset!(A, [2, 3])`: an offset that has to be computed at compile time.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Token, Type};

use crate::report;
use crate::tokens::Ends;

/// A named constant, which `cargo check` evaluates too, and its value.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    let parser = |input: ParseStream<'_>| {
        let ty = input.parse::<Type>()?;
        input.parse::<Token![,]>()?;
        if input.is_empty() {
            return Err(input.error("expected the index of an element"));
        }
        Ok((ty, input.parse::<TokenStream>()?))
    };
    match parser.parse2(tokens) {
        Ok((ty, index)) => {
            let at = index.span();
            // The name is one that no index expression mentions.
            let call = quote_spanned!(at=> <#ty>::offset(#index));
            let offset = quote_spanned!(at=> const __LAYOUT_OFFSET: usize = #call;);
            quote!({ #offset __LAYOUT_OFFSET })
        }
        Err(error) => {
            let ends = Ends { first: error.span(), last: error.span() };
            report::one(&error, &"write a layout and an index, as in `offset!(A, [2, 3])`", ends)
        }
    }
}
