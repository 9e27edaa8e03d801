//! The macros of `tiled-layout`: from tokens to the notation's parser, and from shapes to types.
//!
//! No rule about layouts is here. `syn` reads what is Rust: items and options. `tokens` flattens a shape and keeps the
//! spans, `layout_core` parses and checks it, `report` turns its faults into errors at those spans, `expand` writes types.

mod expand;
#[cfg(test)]
mod faults;
mod input;
mod items;
mod options;
mod order;
mod report;
mod tokens;
mod tree;

use input::Input;
use proc_macro2::TokenStream;
use syn::parse_macro_input;

/// The implementation of `layout::layout!`.
#[proc_macro]
pub fn layout(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let Input { krate, tokens } = parse_macro_input!(input);
    if tokens.is_empty() {
        let help = "write one, as in `f32[3,5]{1,0:T(2,2)}`";
        let error = report::one(&"a shape is missing", &help, TokenStream::new());
        // Usable as an item, a statement, an expression or a type.
        return error.into_compile_error().into();
    }
    if items::are_items(&tokens) {
        return items::expand(&krate, tokens).into();
    }
    expand::shape(&krate, tokens).into()
}

/// The implementation of `layout::tiles!`.
#[proc_macro]
pub fn tiles(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let Input { krate, tokens } = parse_macro_input!(input);
    expand::tiles(&krate, tokens).into()
}

/// The error of `layout::order!` where it is not given numbers.
#[proc_macro]
pub fn order(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let Input { tokens, .. } = parse_macro_input!(input);
    order::expand(tokens).into()
}
