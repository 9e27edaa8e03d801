//! `layout! { /// Docs. pub type Name = shape; }`: any number of named layouts.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Token, Visibility};

use crate::expand::{self, Position};
use crate::report;
use crate::tokens::Ends;

/// Words that an item begins with, allowed or not.
const ITEM_WORDS: &str =
    "pub type crate const static struct enum union trait impl fn mod use unsafe extern macro_rules";

/// Whether the input is a list of items, by its first token.
pub(crate) fn are_items(tokens: &TokenStream) -> bool {
    for tree in tokens.clone() {
        match tree {
            TokenTree::Punct(first) => return first.as_char() == '#',
            TokenTree::Ident(first) => return ITEM_WORDS.split(' ').any(|word| first == word),
            // A fragment of `macro_rules`; `$v:vis` may be empty.
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                if !group.stream().is_empty() {
                    return are_items(&group.stream());
                }
            }
            _ => return false,
        }
    }
    false
}

struct Item {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    /// The spans of `type` and `;`, where the compiler reports on the item.
    start: Span,
    end: Span,
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
    let ends = Ends::at(error.span());
    report::one(
        error,
        &"write `type Name = f32[3,5]{1,0};`, after attributes and visibility if any",
        ends,
    )
}

fn item(input: ParseStream<'_>) -> syn::Result<Item> {
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility = input.parse()?;
    let start = input.parse::<Token![type]>()?.span;
    let name = input.parse::<Ident>()?;
    if input.peek(Token![<]) {
        return Err(input.error("a layout has no generic parameters"));
    }
    input.parse::<Token![=]>()?;
    let mut shape = TokenStream::new();
    while !input.peek(Token![;]) {
        if input.is_empty() {
            return Err(no_semicolon(shape, &name));
        }
        let attribute = input.peek(Token![#]) && input.peek2(syn::token::Bracket);
        if attribute || input.peek(Token![type]) || input.peek(Token![pub]) {
            return Err(no_semicolon(shape, &name));
        }
        shape.extend([input.parse::<TokenTree>()?]);
    }
    let end = input.parse::<Token![;]>()?.spans[0];
    Ok(Item { attributes, visibility, start, end, name, shape })
}

fn no_semicolon(shape: TokenStream, name: &Ident) -> syn::Error {
    let last = shape.into_iter().last();
    let at = last.map_or_else(
        || name.span(),
        |tree| match tree {
            TokenTree::Group(group) => group.span_close(),
            tree => tree.span(),
        },
    );
    syn::Error::new(at, "expected `;` after the shape")
}

fn alias(krate: &TokenStream, item: Item) -> TokenStream {
    let Item { attributes, visibility, start, end, name, shape } = item;
    let keyword = quote_spanned!(start=> type);
    let semicolon = quote_spanned!(end=> ;);
    let (ty, shape) = if shape.is_empty() {
        let ends = Ends::at(name.span());
        let error =
            report::one(&"a shape is missing", &"write one, as in `f32[3,5]{1,0:T(2,2)}`", ends);
        (report::as_type(&error), None)
    } else {
        match expand::read(krate, shape, Position::Item) {
            Ok(read) => (read.ty, read.shape),
            Err(errors) => (report::as_type(&errors), None),
        }
    };
    let documentation = shape.map(|shape| {
        let text = expand::documentation(&shape);
        quote!(#[doc = ""] #[doc = #text])
    });
    quote! {
        #(#attributes)*
        #documentation
        #visibility #keyword #name = #ty #semicolon
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documentation(item: TokenStream) -> String {
        expand(&quote!(layout), item).to_string()
    }

    #[test]
    fn a_small_layout_is_drawn_in_its_documentation() {
        let text = documentation(quote!(type A = F32[3,5]{1,0:T(2,2)};));
        assert!(text.contains("```text"), "{text}");
        assert!(text.contains("│ 10░11░│") && text.contains("│ 16 17 │"), "{text}");
        assert!(text.contains("15 elements, 60 bytes; in memory 24 elements, 96 bytes"), "{text}");
    }

    #[test]
    fn a_large_layout_is_not() {
        for item in [
            quote!(type A = F32[3,500]{1,0:T(2,2)};),
            quote!(type A = F32[1000000000000,1000];),
            quote!(type A = F32[0,3];),
            quote!(type A = F32[];),
            quote!(type A = F32[?,3];),
            quote!(type A = (F32[3,5], F32[2]);),
            quote!(type A = F32[3,5]{1,0:T=Packed};),
        ] {
            let text = documentation(item);
            assert!(!text.contains("```"), "{text}");
        }
    }
}
