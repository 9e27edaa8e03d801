//! `layout! { /// Docs. pub type Name = shape; }`: any number of named layouts.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use crate::expand::{self, Position};
use crate::input::{self, Reader, Unexpected};
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

/// An alias for each shape.
pub(crate) fn expand(krate: &TokenStream, tokens: TokenStream) -> TokenStream {
    let help = "write `type Name = f32[3,5]{1,0};`, after attributes and visibility if any";
    input::items(tokens, help, |reader| item(krate, reader))
}

fn item(krate: &TokenStream, reader: &mut Reader) -> Result<TokenStream, Unexpected> {
    let attributes = reader.attributes()?;
    let visibility = reader.visibility();
    let keyword = reader.word("type")?;
    let name = reader.name()?;
    if reader.is_at('<') {
        let help =
            format!("a single layout has them: `type {name}<const N: usize> = layout!(F32[N,5]);`");
        let error = reader.unexpected("generic parameters are not possible in a block of layouts");
        return Err(error.with_help(help));
    }
    reader.sign('=')?;
    let mut shape = TokenStream::new();
    while !reader.is_at(';') {
        let begins_another =
            reader.is_at('#') || reader.is_at_word("type") || reader.is_at_word("pub");
        let last = if shape.is_empty() { name.span() } else { reader.last() };
        match reader.next() {
            Some(tree) if !begins_another => shape.extend([tree]),
            _ => return Err(Unexpected::new("expected `;` after the shape", last)),
        }
    }
    let semicolon = reader.sign(';')?;
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
    // The compiler reports on an item from `type` to `;`.
    Ok(quote! {
        #attributes
        #documentation
        #visibility #keyword #name = #ty #semicolon
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
