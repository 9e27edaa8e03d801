//! `layout! { /// Docs. pub type Name = shape; }`: any number of named layouts.

use proc_macro2::{Group, Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Token, token};

use crate::expand::{self, Position};
use crate::input::{self, until};
use crate::report;

/// Words that an item begins with, allowed or not.
const ITEM_WORDS: &str =
    "pub type crate const static struct enum union trait impl fn mod use unsafe extern macro_rules";

const HELP: &str = "write `type Name = f32[3,5]{1,0};`, after attributes and visibility if any";

/// Whether the input is a list of items, by its first token.
pub(crate) fn are_items(tokens: &TokenStream) -> bool {
    let is_item = |input: ParseStream<'_>| {
        let word = input.fork().call(Ident::parse_any);
        let is_item = input.peek(Token![#])
            || word.is_ok_and(|first| ITEM_WORDS.split(' ').any(|word| first == word));
        input.parse::<TokenStream>()?;
        Ok(is_item)
    };
    is_item.parse2(tokens.clone()).is_ok_and(|is_item| is_item)
}

/// An alias for each shape. The first fault of an item ends them: what was read before keeps its meaning, and the rest
/// cannot be told apart.
pub(crate) fn expand(krate: &TokenStream, tokens: TokenStream) -> TokenStream {
    let mut items = TokenStream::new();
    let read = input::read(tokens, HELP, |input| {
        while !input.is_empty() {
            items.extend(item(krate, input)?);
        }
        Ok(())
    });
    items.extend(read.err().map(Error::into_compile_error));
    items
}

fn item(krate: &TokenStream, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let attributes = input::attributes(input)?;
    let public = input.parse::<Option<Token![pub]>>()?;
    let place = if input.peek(token::Paren) { Some(input.parse::<Group>()?) } else { None };
    let keyword = input.parse::<Token![type]>()?;
    let name = input::name(input)?;
    if let Some(generics) = input.parse::<Option<Token![<]>>()? {
        let help =
            format!("a single layout has them: `type {name}<const N: usize> = layout!(F32[N,5]);`");
        let message = "generic parameters are not possible in a block of layouts";
        return Err(report::one(&message, &help, generics));
    }
    input.parse::<Token![=]>()?;
    let shape = until(input, |input| {
        let begins_another = input.peek(Token![#]) || input.peek(Token![type]);
        input.peek(Token![;]) || begins_another || input.peek(Token![pub])
    })?;
    let last = shape.clone().into_iter().last().map_or_else(|| name.span(), input::end);
    let Ok(semicolon) = input.parse::<Token![;]>() else {
        return Err(Error::new(last, "expected `;` after the shape"));
    };
    let read = if shape.is_empty() {
        Err(report::one(&"a shape is missing", &"write one, as in `f32[3,5]{1,0:T(2,2)}`", &name))
    } else {
        expand::read(krate, shape, Position::Item)
    };
    let (ty, shape) = match read {
        Ok(read) => (read.ty, read.shape),
        Err(error) => (report::as_type(&error), None),
    };
    let documentation = shape.map(|shape| {
        let text = expand::documentation(&shape);
        quote!(#[doc = ""] #[doc = #text])
    });
    // The compiler reports on an item from `type` to `;`.
    Ok(quote! {
        #attributes
        #documentation
        #public #place #keyword #name = #ty #semicolon
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documentation(item: TokenStream) -> String {
        expand(&quote!(layout), item).to_string()
    }

    #[test]
    fn what_hardly_anybody_means_is_said() {
        let bits = "4 bits do not hold an element of type `f32`";
        let text = documentation(quote!(type A = F32[3,5]{1,0:T(2,2,2)E(4)};));
        let tile =
            "the tile has more entries than the array dimensions: the array counts as [1,3,5]";
        assert!(text.contains(&format!("24 bytes. Note: {bits}. Note: {tile}")), "{text}");
        let text = documentation(quote!(type A = F32[?]{0:E(4)};));
        assert!(text.contains(&format!("run time. Note: {bits}")), "{text}");
        assert!(!documentation(quote!(type A = PRED[8]{0:T(8)E(1)};)).contains("Note"));
    }
}
