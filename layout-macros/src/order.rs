//! `order!` of what is not numbers between commas.

use proc_macro2::{Literal, TokenStream};
use syn::{Error, Token};

use crate::input;
use crate::report;

const HELP: &str =
    "write numbers between commas, without braces: `order!(1, 0)` is the order `{1,0}`";

/// The error, in the position of a type, at the first token that is not part of such a list.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    let wrong = input::read(tokens, HELP, |input| {
        while !input.is_empty() {
            let number = input.parse::<Literal>();
            number.map_err(|at| Error::new(at.span(), "expected the number of a dimension"))?;
            input.parse::<Token![,]>()?;
        }
        Ok(())
    });
    wrong.map_or_else(|error| report::as_type(&error), |()| TokenStream::new())
}
