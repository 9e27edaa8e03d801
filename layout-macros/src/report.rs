//! Faults as compile errors.

// A wrong shape expands to `[(); { compile_error!{..} }]`: to the compiler a type that is wrong, so that uses
// of it cause no further errors. Only a macro call with nothing in it, whose position is unknown, expands to a
// bare `compile_error!`, which makes the type `()`.

use layout_core::Error;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::tokens::{Ends, Flat};

/// An invocation of `compile_error!` for each fault.
pub(crate) fn errors(error: &Error, flat: &Flat) -> TokenStream {
    let faults = error.faults().iter();
    faults
        .map(|fault| {
            one(&fault.message(), &fault.help(), flat.ends(fault.range().unwrap_or_default()))
        })
        .collect()
}

/// One error, underlined from the first to the last span.
pub(crate) fn one(
    message: &dyn std::fmt::Display,
    help: &dyn std::fmt::Display,
    at: Ends,
) -> TokenStream {
    text(&format!("{message}\nhelp: {help}"), at)
}

/// One error with this text, underlined from the first to the last span.
pub(crate) fn text(text: &str, at: Ends) -> TokenStream {
    let path = quote_spanned!(at.first=> ::core::compile_error!);
    let text = quote_spanned!(at.last=> { #text });
    quote!(#path #text)
}

/// One error at a token.
pub(crate) fn at(message: &str, help: &str, token: &TokenTree) -> TokenStream {
    let flat = Flat::new(TokenStream::from(token.clone()));
    one(&message, &help, flat.ends(0..usize::MAX))
}

/// One error, usable as an item, a statement, an expression or a type.
pub(crate) fn anywhere(message: &str, help: &str) -> TokenStream {
    one(&message, &help, Ends::at(Span::call_site()))
}

/// Errors in the position of a type. The compiler takes the result for a faulty type, so its uses cause no
/// further errors.
pub(crate) fn as_type(errors: &TokenStream) -> TokenStream {
    quote!([(); { #errors }])
}
