//! `offset!(A, [2, 3])`: an offset that has to be computed at compile time.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::input::{Reader, Unexpected};
use crate::report;

const HELP: &str = "write a layout and an index, as in `offset!(A, [2, 3])`";
const NO_INDEX: &str = "the index of an element is missing";

/// A named constant, which `cargo check` evaluates too, and its value.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    if tokens.is_empty() {
        return report::anywhere("a layout and an index are missing", HELP);
    }
    match read(&mut Reader::new(tokens)) {
        Ok((ty, index)) => {
            let at = index.clone().into_iter().next();
            let at = at.map_or_else(proc_macro2::Span::call_site, |first| first.span());
            // The name is one that no index expression mentions.
            let call = quote_spanned!(at=> <#ty>::offset(#index));
            let offset =
                quote_spanned!(at=> const __LAYOUT_OFFSET: ::core::primitive::usize = #call;);
            quote!({ #offset __LAYOUT_OFFSET })
        }
        Err(error) => error.report(HELP),
    }
}

/// The type and the index.
fn read(reader: &mut Reader) -> Result<(TokenStream, TokenStream), Unexpected> {
    let ty = ty(reader)?;
    if reader.peek().is_none() {
        let first = ty.into_iter().next().map_or_else(|| reader.last(), |first| first.span());
        return Err(Unexpected::new(NO_INDEX, first));
    }
    let comma = reader.sign(',')?;
    if reader.peek().is_none() {
        return Err(Unexpected::new(NO_INDEX, comma.span()));
    }
    let mut index = TokenStream::new();
    while !reader.is_at(',') {
        let Some(tree) = reader.next() else { return Ok((ty, index)) };
        index.extend([tree]);
    }
    let comma = reader.sign(',')?;
    match reader.peek() {
        None => Ok((ty, index)),
        Some(_) => Err(Unexpected::new("expected one array as the index", comma.span())),
    }
}

/// A type, up to a comma outside of angle brackets. The type of a layout is a path or a call of `layout!`: brackets
/// and braces stand in it after `!` only.
fn ty(reader: &mut Reader) -> Result<TokenStream, Unexpected> {
    let mut ty = TokenStream::new();
    let (mut depth, mut after_bang, mut after_arrow) = (0u32, false, false);
    while let Some(tree) = reader.peek() {
        match tree {
            TokenTree::Literal(_) if depth == 0 => break,
            TokenTree::Group(group)
                if depth == 0
                    && !after_bang
                    && matches!(group.delimiter(), Delimiter::Bracket | Delimiter::Brace) =>
            {
                break;
            }
            TokenTree::Punct(sign) => match sign.as_char() {
                ',' if depth == 0 => break,
                '<' => depth += 1,
                '>' if !after_arrow => depth = depth.saturating_sub(1),
                _ => {}
            },
            _ => {}
        }
        let sign = match tree {
            TokenTree::Punct(sign) => Some((sign.as_char(), sign.spacing())),
            _ => None,
        };
        after_bang = matches!(sign, Some(('!', _)));
        after_arrow = matches!(sign, Some(('-', Spacing::Joint)));
        ty.extend(reader.next());
    }
    if ty.is_empty() {
        return Err(reader.unexpected("expected the type of a layout"));
    }
    Ok(ty)
}
