//! The macros of `tiled-layout`: from tokens to the notation's parser, and from shapes to types.
//!
//! No rule about layouts is here. `options` takes the options from beside a shape, `tokens` flattens the
//! input and keeps the spans, `layout_core` parses and checks it, `report` turns its faults into errors at
//! those spans, `expand` writes types.

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

/// The implementation of `layout::layout!`.
#[proc_macro]
pub fn layout(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (krate, tokens) = input::parts(input);
    if tokens.is_empty() {
        let help = "write one, as in `f32[3,5]{1,0:T(2,2)}`";
        return report::anywhere("a shape is missing", help).into();
    }
    if items::are_items(&tokens) {
        return items::expand(&krate, tokens).into();
    }
    expand::shape(&krate, tokens).into()
}

/// The implementation of `layout::tiles!`.
#[proc_macro]
pub fn tiles(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (krate, tokens) = input::parts(input);
    expand::tiles(&krate, tokens).into()
}

/// The error of `layout::order!` where it is not given numbers.
#[proc_macro]
pub fn order(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (_, tokens) = input::parts(input);
    order::expand(tokens).into()
}
