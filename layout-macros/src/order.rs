//! `order!` of what is not numbers between commas.

use proc_macro2::{TokenStream, TokenTree};

use crate::input::{Reader, Unexpected};
use crate::report;

const HELP: &str =
    "write numbers between commas, without braces: `order!(1, 0)` is the order `{1,0}`";

/// The error, in the position of a type.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    report::as_type(&wrong(&mut Reader::new(tokens)).report(HELP))
}

/// The first token that is not part of such a list.
fn wrong(reader: &mut Reader) -> Unexpected {
    loop {
        match reader.peek() {
            Some(TokenTree::Literal(_)) => reader.next(),
            _ => return reader.unexpected("expected the number of a dimension"),
        };
        if reader.sign(',').is_err() {
            return reader.unexpected("expected a comma");
        }
    }
}
