//! Faults as compile errors.

// A wrong shape expands to `[(); { compile_error!{..} }]`: to the compiler a type that is wrong, so that uses
// of it cause no further errors. Only a macro call with nothing in it, whose position is unknown, expands to a
// bare `compile_error!`, which makes the type `()`.

use std::fmt::Display;

use layout_core::Error;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::tokens::Flat;

/// An error for each fault.
pub(crate) fn faults(error: &Error, flat: &Flat) -> syn::Error {
    let faults = error.faults().iter();
    let errors = faults.map(|fault| {
        one(&fault.message(), &fault.help(), flat.ends(fault.range().unwrap_or_default()))
    });
    all(errors).unwrap_or_else(|| unreachable!("an error has a fault"))
}

/// Errors as one.
pub(crate) fn all(errors: impl Iterator<Item = syn::Error>) -> Option<syn::Error> {
    errors.reduce(|mut all, error| {
        all.combine(error);
        all
    })
}

/// One error, underlined from the first to the last of some tokens; of none, the whole call.
pub(crate) fn one(message: &dyn Display, help: &dyn Display, at: impl ToTokens) -> syn::Error {
    syn::Error::new_spanned(at, format_args!("{message}\nhelp: {help}"))
}

/// Errors in the position of a type. The compiler takes the result for a faulty type, so its uses cause no
/// further errors.
pub(crate) fn as_type(errors: &syn::Error) -> TokenStream {
    let errors = errors.to_compile_error();
    quote!([(); { #errors }])
}
